"""Pairs of pitch surfaces that roll on each other: by gears of every kind, and by their ratio alone."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.gears import cone_angles

EXACT: dict[str, Any] = {"newton_tolerance": 1e-12}
UNIT: dict[str, Any] = {"mass": 1.0, "inertia": (2e-3, 2e-3, 3e-3)}
TILTED = pl.Rotation((1, -2, 3), 0.8).matrix
reduced = pytest.mark.parametrize("reduce", [True, False], ids=["reduced", "in space"])


def gear(teeth: int, **more: Any) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module="4 mm", face_width="20 mm", **more)


GAMMA = cone_angles(19, 31, math.radians(80))
GEARS: dict[str, tuple[pl.Gear, pl.Gear | pl.Rack, float]] = {
    "spur": (gear(19), gear(31), -19 / 31),
    "helical": (gear(19, helix_angle=0.3), gear(31, helix_angle=-0.3), -19 / 31),
    "internal": (gear(19), gear(57, internal=True, rim_diameter="300 mm"), 19 / 57),
    "bevel": (gear(19, cone_angle=GAMMA[0]), gear(31, cone_angle=GAMMA[1]), -19 / 31),
    "rack": (gear(19), pl.Rack(normal_module="4 mm", teeth=40_000, face_width="20 mm"), -0.038),
}
BEVELS = {f"bevel {'+-'[a < 0]}{'+-'[b < 0]}": (a, b) for a in (1, -1) for b in (1, -1)}
BY_RATIO = ["spur by ratio", "flipped spur", "ring by ratio", "wheel in a ring", *BEVELS, "rack by radius"]
PAIRS = [*GEARS, *BY_RATIO]


def by_gears(m: pl.Model, kind: str) -> tuple[pl.Body, pl.Body, float]:
    first, second, ratio = GEARS[kind]
    a = m.gear_body("a", first, position=(0.1, 0.2, -0.1), axis=(0.3, -0.5, 0.8), **UNIT)
    return a, m.gear_body("b", second, mesh_with=a, **UNIT), ratio


def by_ratio(m: pl.Model, kind: str) -> tuple[pl.Body, pl.Body, float]:
    """Bodies without gears, z their axes; r_a = 0.03, r_b = 0.05, bevels at 80 degrees with axes either way."""
    r_a, r_b, z_a, z_b, mesh = 0.03, 0.05, 1, 1, pl.Rolling(ratio=5 / 3)
    at, axis, ratio = np.array([r_a + r_b, 0, 0.01]), np.array([0, 0, 1.0]), -3 / 5
    if kind == "flipped spur":
        z_b = -1
    elif kind == "ring by ratio":
        at, ratio, mesh = np.array([0.02, 0, 0]), 3 / 5, pl.Rolling(ratio=5 / 3, internal=True)
    elif kind == "wheel in a ring":
        at, ratio, mesh = np.array([0.02, 0, 0]), 5 / 3, pl.Rolling(ratio=3 / 5, internal=True)
    elif kind in BEVELS:
        z_a, z_b = BEVELS[kind]
        angle = math.radians(80)
        axis = np.array([math.sin(angle), 0, math.cos(angle)])
        # centres from the apex: P is at s along z_a and r_a across, the same from b
        s, t = (r_b + r_a * math.cos(angle)) / math.sin(angle), (r_a + r_b * math.cos(angle)) / math.sin(angle)
        at = t * axis - np.array([0, 0, s])
    R_a, R_b = (
        TILTED @ pl.Rotation("y", turn).matrix @ pl.Rotation("x", 0 if sign > 0 else math.pi).matrix
        for sign, turn in ((z_a, 0.0), (z_b, math.atan2(axis[0], axis[2])))
    )
    if kind == "rack by radius":
        mesh, ratio, at = pl.Rolling(radius=r_a), -r_a, np.array([-0.05, 0.3, 0.01])
    a = m.body("a", orientation=R_a, **UNIT)
    b = m.body("b", position=TILTED @ at, orientation=R_b, **UNIT)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return a, b, ratio * z_a * z_b


def pair(kind: str) -> tuple[pl.Model, str, float]:
    """A pair on fixed bearings, the coordinate of b and how far it goes for a radian of a."""
    m = pl.Model(kind)
    a, b, ratio = by_gears(m, kind) if kind in GEARS else by_ratio(m, kind)
    if kind in GEARS:
        m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    m.revolute("on a", m.ground, a)
    if not kind.startswith("rack"):
        m.revolute("on b", m.ground, b)
        return m, "on b.angle", ratio
    m.prismatic("on b", m.ground, b, axis=b.orientation[:, 1])
    return m, "on b.displacement", ratio
