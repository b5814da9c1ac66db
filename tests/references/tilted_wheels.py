"""Two wheels, one of which tilts on its supports, and what is read of them."""

import math
from typing import Any

import numpy as np

import pitchline as pl

ALPHA = math.radians(20.0)
RADIUS = 0.1 * math.cos(ALPHA)
"""Of the base circle of B [m]."""
WIDTH = 30e-3
STIFF = 1e12
NORMAL = {1: np.array([math.sin(ALPHA), math.cos(ALPHA), 0.0]), -1: np.array([math.sin(ALPHA), -math.cos(ALPHA), 0.0])}
"""Along which A presses on B, A turning about z with B towards x."""


def build(
    mesh: Any, *, load: Any = 300.0, tilting: Any = (0.0, 0.0, 0.0), soft: float | None = 2e4, across: float = STIFF,
    turned: tuple[float, float] = (0.0, 0.0), speed: Any = None,
) -> pl.Model:  # fmt: skip
    """Wheel A in a bearing, held or at a speed; B on springs that let it tilt, or (soft=None) in a bearing on an axis that is
    turned by two small angles about x and y."""
    first = pl.Gear(teeth=25, normal_module="4 mm", face_width=WIDTH)
    second = pl.Gear(teeth=50, normal_module="4 mm", face_width=WIDTH)
    m = pl.Model("pair")
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
    hinge_a = m.revolute("hinge_a", m.ground, a)
    if soft is not None:
        b = m.gear_body("b", second, mesh_with=a, towards="x")
        m.bushing("support", m.ground, b, axis="z", stiffness=(across, across, across, soft, soft, 0))
        m.torque("load", b, (0, 0, load))
        m.torque("tilting", b, tilting)
    else:
        placed = pl.GearPair(first, second).place(position=(0, 0, 0), towards=(1, 0, 0))
        x, y = turned
        tilt = np.array([[1.0, 0.0, y], [0.0, 1.0, -x], [-y, x, 1.0]])
        R = np.linalg.qr(tilt @ placed.rotation)[0]
        R *= np.sign(np.sum(R * placed.rotation, axis=0))
        b = m.gear_body("b", second, position=placed.position, orientation=R)
        m.torque("load", m.revolute("hinge_b", m.ground, b, axis=tuple(R[:, 2])), load)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", hinge_a, **({"angle": 0} if speed is None else {"speed": speed}))
    return m


def of(result: pl.Result, name: str) -> Any:
    return result[f"mesh.{name}"].final


def axis_of_b(result: pl.Result) -> np.ndarray:
    w, x, y, z = result["b.orientation"].final
    return np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


def tilting_moment(rest: pl.Result, flank: int) -> float:
    """On the teeth of B, about the pitch point: conjugate to the tilt."""
    return float(-(of(rest, "contact_moment") @ np.cross([0.0, 0.0, 1.0], NORMAL[flank])))
