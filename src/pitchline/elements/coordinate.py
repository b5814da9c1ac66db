"""Coordinate of a joint: an angle that counts its revolutions, a displacement. It only observes and causes no force.

The angle is computed from the pose as a principal value plus full revolutions, which are counted at accepted steps. It is not
a sum of increments, so that there is no drift for any number of revolutions. All elements that act on the coordinate (drives,
springs, stops, loads) use the memory of this element.
"""

import numpy as np

from ..math.compiled import kernel
from ..math.fields import embedded, fields, packed
from .contract import Element, ElementKind, SignalSpec
from .scalar_geometry import (
    Gradient,
    Measure,
    Turns,
    angle_gradient,
    counted_angle,
    displacement,
    displacement_gradient,
    initial_turns,
    rate,
)

Coordinate = fields("Coordinate", on=embedded(Measure))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    return


@kernel
def accept(s, m, x, w, ask):
    m.angle = counted_angle(s.on, m, x.a, x.b)


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    for i in range(12):
        g[i] = 0.0
    angle_gradient(s.on.a, s.on.b, x.a, x.b, 1.0, g)
    out.angle = counted_angle(s.on, m, x.a, x.b)
    out.angular_speed = rate(g, x.a, x.b)
    for i in range(12):
        g[i] = 0.0
    displacement_gradient(s.on, x.a, x.b, g)
    out.displacement = displacement(s.on, x.a, x.b)
    out.speed = rate(g, x.a, x.b)


COORDINATE = ElementKind(
    "coordinate",
    evaluate,
    Coordinate,
    memory=Turns,
    scratch=Gradient,
    accept=accept,
    report=report,
    signals=(
        SignalSpec("angle", "rad", "joint angle, including full revolutions"),
        SignalSpec("angular_speed", "rad/s", "rate of the joint angle"),
        SignalSpec("displacement", "m", "displacement along the joint axis"),
        SignalSpec("speed", "m/s", "rate of the displacement"),
    ),
)


def coordinate(name: str, nodes: tuple[int, int], measure: np.void, signals: tuple[str, ...]) -> Element:
    """Observer of a joint's coordinates."""
    p = packed(Coordinate, {"on": measure})
    return Element(COORDINATE, name, nodes, p, memory=initial_turns(), passive=True, signals=signals)
