"""Whole models with the small pair of elastic gears (`elastic_pair`): on rigid or soft bearings, anywhere in space."""

import math
from typing import Any

import numpy as np

import pitchline as pl

from .elastic_pair import COARSE, LIMIT, MODULE, TEETH, gears

RADII = tuple(0.5 * MODULE * z for z in TEETH)
BASE_RADII = tuple(r * math.cos(math.radians(20.0)) for r in RADII)
PITCH = 2.0 * math.pi / TEETH[0]
INERTIA = 1.2e-5, 4.5e-5
"""Of both gears about their axes [kg m²]."""
STEP = "2.5 us"


_made: dict[tuple[tuple[str, Any], ...], pl.Flank] = {}


def flank(**options: Any) -> pl.Flank:
    """Elastic flanks on the coarse grids; the same ones for the same plain options, whose tables are then made once."""
    known: dict[str, Any] = {"modes": LIMIT, "elements_a": COARSE, "elements_b": COARSE}
    plain = all(isinstance(value, (int, float, str)) for value in options.values())
    key = tuple(sorted(options.items()))
    if not plain:
        return pl.Flank(**(known | options))
    if key not in _made:
        _made[key] = pl.Flank(**(known | options))
    return _made[key]


def pair_model(
    mesh: pl.Flank | None = None,
    *,
    phase: float = 0.0,
    helix: float = 0.0,
    speed: float = 0.0,
    drive: dict[str, Any] | None = None,
    held: bool = False,
    torque: float | None = None,
    drag: float = 0.0,
    soft: float | None = None,
    turned: np.ndarray | None = None,
    modifications: Any = None,
) -> pl.Model:
    """The pinion "a" in its bearing "in", the gear "b" in "out", the pair "mesh".

    phase: of the pinion in pitches. speed: of the pinion at the start [rad/s], the gear turning along unless it is `held`.
    drive: what turns the pinion, `{"speed": ...}` or `{"angle": ...}`. torque: on the gear [N m], with a drag [N m s/rad]
    about its nominal speed. soft: stiffness of the gear's bearing [N/m] in place of a hinge. turned: rotation of everything.
    modifications: of the pinion.
    """
    R = np.eye(3) if turned is None else turned
    x, z = R[:, 0], R[:, 2]
    first, second = (teeth.gear for teeth in gears(helix))
    first = first.with_(modifications=modifications)
    m = pl.Model("elastic pair", gravity=(0, 0, 0))
    c, s = math.cos(phase * PITCH), math.sin(phase * PITCH)
    of_a = R @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    follow = 0.0 if held else -speed * TEETH[0] / TEETH[1]
    a = m.gear_body(
        "a", first, position=(0, 0, 0), orientation=of_a, mass=0.06, inertia=(8e-6, 8e-6, INERTIA[0]),
        angular_velocity=tuple(speed * z),
    )  # fmt: skip
    b = m.gear_body(
        "b", second, mesh_with=a, towards=tuple(x), mass=0.11, inertia=(2.4e-5, 2.4e-5, INERTIA[1]),
        angular_velocity=tuple(follow * z),
    )  # fmt: skip
    hinge_a = m.revolute("in", m.ground, a, axis=tuple(z))
    if soft is None:
        hinge_b = m.revolute("out", m.ground, b, axis=tuple(z))
        if held:
            m.drive("held", hinge_b, angle=0)
        if drag:
            m.torsion_spring("drag", hinge_b, damping=drag, free_angle=0)
    else:
        tilting = 1e-3 * soft
        damping = (2e-7 * soft,) * 3 + (2e-10 * soft,) * 2 + (drag,)
        m.bushing("out", m.ground, b, axis=tuple(z), stiffness=(soft, soft, soft, tilting, tilting, 0), damping=damping)
    m.gear_pair("mesh", a, b, mesh=flank() if mesh is None else mesh)
    if drive is not None:
        m.drive("motor", hinge_a, **drive)
    if torque is not None:
        m.torque("load", b, tuple(torque * z))
        if drag:
            m.torque("nominal", b, tuple(drag * follow * z))
    return m


def contact_force(torque: float) -> float:
    """Sum of the normal forces of spur teeth under a torque on the gear [N]."""
    return abs(torque) / BASE_RADII[1]
