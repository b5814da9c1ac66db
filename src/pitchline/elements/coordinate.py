"""The coordinate of a joint: an angle that counts its turns, a displacement. It observes, exerting nothing.

The angle is recovered from the pose as a principal value plus whole turns, counted at accepted steps: no sum of
increments, hence no drift however many turns. Everything that acts on the coordinate (drives, springs, stops, loads)
shares the memory of this one element.
"""

import numpy as np

from ..math.compiled import kernel
from .contract import COMMIT, REPORT, Element, ElementKind, SignalSpec
from .scalar_geometry import (
    MEMORY,
    angle_gradient,
    displacement,
    displacement_gradient,
    nearest_turn,
    principal_angle,
    rate,
)


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    if mode == COMMIT:
        h[0] = nearest_turn(principal_angle(p, P), h[0])
    elif mode == REPORT:
        angle_gradient(p, P, 1.0, 0, r, J)
        angle = nearest_turn(principal_angle(p, P), h[0])
        angle_rate = rate(r, V)
        for i in range(12):
            r[i] = 0.0
        displacement_gradient(p, P, 0, r, J)
        slide = displacement(p, P)
        slide_rate = rate(r, V)
        for i in range(12):
            r[i] = 0.0
        r[4] = angle
        r[5] = angle_rate
        r[6] = slide
        r[7] = slide_rate


COORDINATE = ElementKind(
    "coordinate",
    evaluate,
    signals=(
        SignalSpec("angle", "rad", "joint angle, counting turns"),
        SignalSpec("angular_speed", "rad/s", "rate of the joint angle"),
        SignalSpec("displacement", "m", "displacement along the joint axis"),
        SignalSpec("speed", "m/s", "rate of the displacement"),
    ),
    commits=True,
)


def initial_memory(angle: float, displacement: float) -> np.ndarray:
    """Memory at the start: the angle, and angle and displacement as the start of an imposed motion."""
    return np.array([angle, angle, displacement])


def coordinate(name: str, nodes: tuple[int, int], measure: np.ndarray, signals: tuple[str, ...]) -> Element:
    """Observer of a joint's coordinates."""
    return Element(COORDINATE, name, nodes, measure.copy(), memory=np.zeros(MEMORY), passive=True, signals=signals)
