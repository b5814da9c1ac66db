"""The coarse pair of `elastic_pair` on two bearings, as a model: thrown against each other, or pressed together."""

import math
from collections.abc import Callable
from typing import Any

import pitchline as pl

from .elastic_pair import COARSE, gears

HALF_PLAY = 20e-6  # along the line of action
LEVER_A, LEVER_B = 17e-3, 23e-3


def pair(
    *, helix: float = 0.0, speed_a: float = 0.0, speed_b: float = 0.0, phase: float = -0.2,
    finish: Callable[..., Any] | None = None, **mesh: Any,
) -> pl.Model:  # fmt: skip
    """The coarse pair on two bearings; finish(model, bearing of the pinion, bearing of the gear) adds to it."""
    teeth_a, teeth_b = gears(helix)
    m = pl.Model("coarse pair", gravity=(0, 0, 0))
    a = m.gear_body(
        "pinion", teeth_a.gear, mass=0.05, inertia=(1e-5, 1e-5, 1.2e-5), angular_velocity=(0, 0, speed_a),
        orientation={"axis": "z", "angle": phase * teeth_a.gear.angular_pitch},
    )  # fmt: skip
    b = m.gear_body(
        "gear", teeth_b.gear, mesh_with=a, towards=(1, 0, 0), mass=0.1, inertia=(2e-5, 2e-5, 4e-5),
        angular_velocity=(0, 0, speed_b),
    )  # fmt: skip
    bearings = m.revolute("in", m.ground, a, axis="z"), m.revolute("out", m.ground, b, axis="z")
    flank = {"modes": "60 kHz", "elements_a": COARSE, "elements_b": COARSE, "backlash": 2 * HALF_PLAY} | mesh
    m.gear_pair("mesh", a, b, mesh=pl.Flank(**flank))
    if finish is not None:
        finish(m, *bearings)
    return m


def thrown(**options: Any) -> pl.Model:
    """The pinion flies against the held gear."""
    return pair(speed_a=20.0, finish=lambda m, a, b: m.drive("held", b, angle=0), **options)


def pressed(phase: float = -0.2, torque: float = 20.0, **options: Any) -> pl.Model:
    """The gear is held 4 µm beyond first contact; a torque on the pinion does not balance it."""

    def finish(m: pl.Model, a: pl.Joint, b: pl.Joint) -> None:
        m.drive("held", b, angle=(HALF_PLAY / math.cos(math.radians(20.0)) + 4e-6) / LEVER_B)
        m.torque("load", a, torque)

    return pair(phase=phase, finish=finish, **options)
