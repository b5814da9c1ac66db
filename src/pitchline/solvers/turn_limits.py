"""Limits of the rotation of bodies in a step: elements that count revolutions must detect every one of them.

Poses do not contain full revolutions. Elements that count revolutions (joints, gear pairs) use the revolution closest to that
of their last check, and a drive is compared with its target within one revolution. Both are correct while no angle changes by
half a revolution. Angles between two bodies change by the rotations of both: each may rotate by a quarter, or by half a
revolution if all angles are relative to the ground. A drive defines the change of its angle before the step is solved: if the
prescribed and the computed change are both below half a revolution, they cannot differ by a full revolution.

Trains do not need this: they store full revolutions in addition to the angles, and check also within a step (`train_steps`).
"""

import numpy as np

from ..elements.gear_mesh import GEAR_MESH
from ..elements.mesh_limits import CONTACT_ENDS, FAR
from ..elements.scalar_constraint import ScalarConstraint
from ..elements.scalar_geometry import ANGLE
from ..elements.sticking_mesh import STICKING_MESH
from ..math.calling import caller_of
from ..math.compiled import F8, block, leaf
from ..math.fields import record_as
from ..math.functions import value_of
from ..system.assembly import accept_state
from ..system.nodes import move
from ..system.system import System
from .run_record import Run

call_accept = caller_of(accept_state.signature)
_drive = record_as(ScalarConstraint)

HALF_TURN = 3.0
"""Largest change of an angle in a step, and between two checks of the elements that count revolutions [rad]."""
WAY = 0.05
"""Displacement of a body between two checks of gear pairs, relative to the depth of their teeth."""
PLANNED = 0.9
"""Fraction of the largest rotation up to which steps are planned, because speeds change within a step."""
OPEN = 1e-3
"""Largest accepted violation of a constraint after a stabilised step, in radians or as a fraction of the model length."""


def most_turn(system: System) -> float:
    """Largest rotation of a body in a step of a system [rad].

    Wheels with revolute joints to the ground rotate relative to fixed mesh frames."""
    hinged = not np.any(system.ndof > 1)
    grounded = all(
        0 in e.nodes or (hinged and e.kind in (GEAR_MESH, STICKING_MESH))
        for e in system.elements
        if e.kind.accept is not None
    )
    return HALF_TURN if grounded else 0.5 * HALF_TURN


def look_way(system: System) -> float:
    """Displacement of a body after which gear pairs check the position of their teeth [m]: teeth that pass each other
    undetected would be miscounted when they mesh again."""
    limits = [e.values["limits"] for e in system.elements if e.kind is GEAR_MESH]
    limits += [e.values["pair"]["limits"] for e in system.elements if e.kind is STICKING_MESH]
    return WAY * float(min((x["depth"] for x in limits if x["ends"] == CONTACT_ENDS), default=FAR))


@leaf
def turning_pieces(run: Run, turning: F8) -> F8:
    """Number of equal parts of a fixed step at an angular speed."""
    return max(1.0, np.ceil(run.options.step * turning / (PLANNED * run.options.most_turn) - 1e-9))


@block
def driven_turn(run: Run) -> F8:
    """Largest change of a driven angle in the planned step [rad]."""
    sys = run.system
    functions = sys.ask.functions
    turn = 0.0
    for k in range(sys.n_driven):
        s = _drive(sys.elements[sys.driven[k]].s)
        if s.on.kind == ANGLE:
            now = value_of(functions, s.function, run.progress.t)[0]
            turn = max(turn, abs(value_of(functions, s.function, run.t1)[0] - now))
    return turn


def jumping_drive(system: System, t: float, h: float) -> tuple[float, str]:
    """Jump of an angle from t to t + h, for the smallest step h [rad], and its drive; 0 if there is none."""
    for e in system.layout.driven:
        s = system.elements[e].values
        before, after = (value_of(system.functions, int(s["function"]), time)[0] for time in (t, t + 4.0 * h))
        if s["on"]["kind"] == ANGLE and abs(after - before) > HALF_TURN:
            return abs(float(after - before)), system.elements[e].name
    return 0.0, ""


@block
def look_back(run: Run):
    """Elements count their revolutions at the accepted pose."""
    sys = run.system
    for i in range(run.n_q):
        sys.dq[i] = 0.0
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    sys.ask.t = run.progress.t
    call_accept(run.accept, sys)


@block
def largest_gap(run: Run) -> F8:
    """Of scaled constraint rows in the residual: the largest violation of a row that does not open, in radians or as a
    fraction of the length of the model."""
    sys = run.system
    gap = 0.0
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k < 0:
            continue
        opens = False
        for n in range(sys.n_opening):
            opens = opens or sys.opening[n] == j
        size = abs(sys.r[k]) / (sys.lam_scale[j] * sys.lam_factor[j]) * sys.weight[k]
        if not opens and not size <= gap:
            gap = size
    return gap
