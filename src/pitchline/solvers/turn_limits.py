"""How far bodies may turn in a step: elements that count turns must see every one of them.

Poses are known up to whole turns. What counts turns (joints, gear pairs) puts the angle it sees on the turn nearest to the one
at its last look, and a drive is compared with its target within one turn. Both are right while no angle changes by half a turn.
Angles between two bodies change by what both turn: each may turn by a quarter, or by half a turn where all angles are measured
against the ground. A drive tells how far its angle goes before the step is solved: with the change wanted and the one found
below half a turn they cannot be a whole turn apart.

Trains do not need this: they keep whole turns beside the angles, and look on the way (`train_loop`).
"""

import numpy as np

from ..elements.gear_mesh import GEAR_MESH
from ..elements.mesh_geometry import ENDS
from ..elements.mesh_limits import CONTACT_ENDS, DEPTH, FAR
from ..elements.scalar_geometry import ANGLE, SIZE
from ..math.compiled import A1, A2, A3, F8, I1, I2, block, leaf
from ..math.functions import value_of
from ..system.assembly import PAR0
from ..system.nodes import move
from ..system.system import System
from .generalized_alpha import COMMITTING, MOST_TURN, STEP, call_commit

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
    grounded = all(0 in e.nodes or (hinged and e.kind is GEAR_MESH) for e in system.elements if e.kind.commits)
    return HALF_TURN if grounded else 0.5 * HALF_TURN


def look_way(system: System) -> float:
    """Way of a body after which gear pairs look whether their teeth are still in place [m]: teeth that pass each other unseen would
    be miscounted when they are back in mesh."""
    depths = [e.parameters[DEPTH] for e in system.elements if e.kind is GEAR_MESH and e.parameters[ENDS] == CONTACT_ENDS]
    return WAY * float(min(depths, default=FAR))


@leaf
def turning_pieces(o: A1, turning: F8) -> F8:
    """Equal pieces in which a fixed step is taken at an angular speed."""
    return max(1.0, np.ceil(o[STEP] * turning / (PLANNED * o[MOST_TURN]) - 1e-9))


@block
def driven_turn(t: F8, t1: F8, driven: I1, elements: I2, par: A1, functions: A1) -> F8:
    """Largest change of a driven angle from t to t1 [rad]."""
    turn = 0.0
    for k in range(driven.size):
        p = elements[driven[k], PAR0]
        if int(par[p]) == ANGLE:
            place = int(par[p + SIZE])
            turn = max(turn, abs(value_of(functions, place, t1)[0] - value_of(functions, place, t)[0]))
    return turn


def jumping_drive(system: System, t: float, h: float) -> tuple[float, str]:
    """How far an angle jumps from t to t + h though h is the shortest of steps [rad], and its drive; 0 where none does."""
    for e in system.layout.driven:
        p = system.elements[e].parameters
        before, after = (value_of(system.functions, int(p[SIZE]), time)[0] for time in (t, t + 4.0 * h))
        if int(p[0]) == ANGLE and abs(after - before) > HALF_TURN:
            return abs(float(after - before)), system.elements[e].name
    return 0.0, ""


@block
def look_back(
    code: I1, commits: I1, q: A2, l: A2, pose: A2, mem: A1, pose1: A2, K: A2, c: A1, nodes: I2, T: A3, elements: I2, par: A1,
    functions: A1, x: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Let elements count their turns at the accepted pose. x: scratch, one number a coordinate at least."""
    n = q.shape[1]
    for i in range(n):
        x[i] = 0.0
    move(nodes, T, pose, x[0:n], pose1, K)
    call_commit(code[COMMITTING], commits, l, mem, c, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)


@block
def largest_gap(r: A1, equation: I1, lam_scale: A1, weight: A1, opening: I1) -> F8:
    """Of scaled constraint rows r: the largest violation of one that does not open, in radians or parts of the model's length."""
    gap = 0.0
    for j in range(equation.size):
        k = equation[j]
        if k < 0:
            continue
        opens = False
        for i in opening:
            opens = opens or i == j
        size = abs(r[k]) / lam_scale[j] * weight[k]
        if not opens and not size <= gap:
            gap = size
    return gap
