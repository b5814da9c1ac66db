"""How far bodies may turn in a step: elements that count turns must see every one of them.

Poses are known up to whole turns. What counts turns (joints, gear pairs) puts the angle it sees on the turn nearest to the one
at its last look, and a drive is compared with its target within one turn. Both are right while no angle changes by half a turn.
Angles between two bodies change by what both turn: each may turn by a quarter, or by half a turn where all angles are measured
against the ground. A drive tells how far its angle goes before the step is solved: with the change wanted and the one found
below half a turn they cannot be a whole turn apart.

Trains do not need this: they keep whole turns beside the angles, and look on the way (`train_steps`).
"""

import numpy as np

from ..elements.gear_mesh import GEAR_MESH
from ..elements.mesh_limits import CONTACT_ENDS, FAR
from ..elements.scalar_constraint import ScalarConstraint
from ..elements.scalar_geometry import ANGLE
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
"""Largest change of an angle in a step, and between two looks of the elements that count turns [rad]."""
WAY = 0.05
"""Way of a body between two looks of gear pairs, in depths of their teeth."""
PLANNED = 0.9
"""Part of the largest rotation up to which steps are planned; speeds change within a step."""
OPEN = 1e-3
"""Violation of a constraint after a stabilised step, in radians or parts of the model's length, that is not accepted."""


def most_turn(system: System) -> float:
    """Largest rotation of a body in a step of a system [rad].

    Wheels on hinges to the ground turn against mesh frames that stand still."""
    hinged = not np.any(system.ndof > 1)
    grounded = all(
        0 in e.nodes or (hinged and e.kind is GEAR_MESH) for e in system.elements if e.kind.accept is not None
    )
    return HALF_TURN if grounded else 0.5 * HALF_TURN


def look_way(system: System) -> float:
    """Way of a body after which gear pairs look whether their teeth are still in place [m]: teeth that pass each other unseen would
    be miscounted when they are back in mesh."""
    limits = [e.values["limits"] for e in system.elements if e.kind is GEAR_MESH]
    return WAY * float(min((x["depth"] for x in limits if x["ends"] == CONTACT_ENDS), default=FAR))


@leaf
def turning_pieces(run: Run, turning: F8) -> F8:
    """Equal pieces in which a fixed step is taken at an angular speed."""
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
    """How far an angle jumps from t to t + h though h is the shortest of steps [rad], and its drive; 0 where none does."""
    for e in system.layout.driven:
        s = system.elements[e].values
        before, after = (value_of(system.functions, int(s["function"]), time)[0] for time in (t, t + 4.0 * h))
        if s["on"]["kind"] == ANGLE and abs(after - before) > HALF_TURN:
            return abs(float(after - before)), system.elements[e].name
    return 0.0, ""


@block
def look_back(run: Run):
    """Let elements count their turns at the accepted pose."""
    sys = run.system
    for i in range(run.n_q):
        sys.dq[i] = 0.0
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    call_accept(run.accept, sys)


@block
def largest_gap(run: Run) -> F8:
    """Of scaled constraint rows in the residual: the largest violation of one that does not open, in radians or parts of the
    model's length."""
    sys = run.system
    gap = 0.0
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k < 0:
            continue
        opens = False
        for n in range(sys.n_opening):
            opens = opens or sys.opening[n] == j
        size = abs(sys.r[k]) / sys.lam_scale[j] * sys.weight[k]
        if not opens and not size <= gap:
            gap = size
    return gap
