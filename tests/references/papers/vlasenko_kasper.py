"""Vlasenko and Kasper: gears in absolute coordinates."""

from collections import Counter
from typing import Any

import numpy as np
from references.papers.entry import EQUATION, FIGURE, PARTLY, SECTION, Entry, Number, Paper

import pitchline as pl
from pitchline.analyses.operating_point import OperatingPoint
from pitchline.gallery import robot_arm

__all__ = ["PAPER"]


def _rolled(kind: str) -> list[Number]:
    """One revolution of gear i: error of the constraint on positions, and angle of gear j."""
    common: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    first, expected = pl.Gear(teeth=20, **common), -180.0
    second: Any = pl.Gear(teeth=40, **common)
    if kind == "internal":
        second, expected = pl.Gear(teeth=60, internal=True, rim_diameter="270 mm", **common), 120.0
    if kind == "bevel":
        cones = [float(np.arctan2(z, 60 - z)) for z in (20, 40)]
        first, second = (pl.Gear(teeth=z, cone_angle=c, **common) for z, c in zip((20, 40), cones, strict=True))
    m = pl.Model("rolling")
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
    if kind == "rack":
        b = m.gear_body("b", pl.Rack(teeth=60, depth="30 mm", **common), mesh_with=a)
        out = m.prismatic("out", m.ground, b, axis="y")
    else:
        b = m.gear_body("b", second, mesh_with=a)
        out = m.revolute("out", m.ground, b)
    m.drive("motor", m.revolute("in", m.ground, a), angle=pl.Ramp(0, "360 deg", 0, 1))
    m.gear_pair("mesh", a, b, mesh=pl.Rolling())
    run = pl.kinematics(m, duration="1 s", step="0.1 s")
    if kind == "rack":
        return [Number("travel of the rack", "mm", abs(1e3 * float(run[f"{out.name}.displacement"].final)), 80 * np.pi)]
    turned = float(np.degrees(run[f"{out.name}.angle"].final))
    ours, paper = (abs(turned), abs(expected)) if kind == "bevel" else (turned, expected)
    return [Number("angle of gear j after one revolution of gear i", "deg", ours, paper)]


def _robot() -> list[Number]:
    model = robot_arm.build()
    kinds = Counter(str(pair.pair.kind) for pair in model.gear_pairs.values())
    return [
        Number("bodies", "", float(len(model.bodies)), 43.0),
        Number("joints, with gear joints", "", float(len(model.joints) + len(model.gear_pairs)), 95.0),
        Number("spur gear joints", "", float(kinds["spur"]), 7.0),
        Number("bevel gear joints", "", float(kinds["straight bevel"]), 3.0),
        Number("concave-convex gear joints", "", float(kinds["internal"]), 10.0),
    ]


def _sizes() -> list[Number]:
    point = OperatingPoint.of(robot_arm.build(redundant=False), None, reduce=False)
    bodies = point.system.n_q // 6
    return [
        Number("columns of the transformed Jacobian matrix", "", float(point.small.B.shape[1]), 6.0 * 43),
        Number("columns with Euler parameters", "", 7.0 * bodies, 7.0 * 43),
    ]


PAPER = Paper(
    name="vlasenko_kasper",
    title="Vlasenko and Kasper: gears in absolute coordinates",
    cited="D. Vlasenko and R. Kasper, *Spatial kinematics of gears in absolute coordinates*, European "
    "Conference on Modelling and Simulation, 2009.",
    about="The paper has rolling gear joints as constraints of bodies in absolute coordinates, with a "
    "transformed Jacobian matrix, and a robot with 43 bodies. In pitchline they are the mesh `Rolling` "
    "and the gallery entry `robot-arm`.",
    entries=(
        Entry(
            "eqs. 1–4",
            EQUATION,
            "Equations of motion with the transformed Jacobian matrix, by velocities and angular velocities.",
            "The engine uses velocities throughout: rows of elements are derivatives by rotations, never by "
            "orientation coordinates.",
            _sizes,
        ),
        Entry(
            "eqs. 5–28",
            EQUATION,
            "Spur gear joint: arcs of both pitch circles are equal; row of the transformed matrix.",
            "`Rolling()`; teeth are counted as whole numbers, so that any number of revolutions is exact.",
            lambda: _rolled("spur"),
        ),
        Entry(
            "eqs. 29–33",
            EQUATION,
            "Bevel gear joint.",
            "`Rolling()` on intersecting axes. The row of eq. 28 is the derivative of the constraint only for "
            "motions that the hinges allow; that of pitchline for all motions.",
            lambda: _rolled("bevel"),
        ),
        Entry(
            "eqs. 34–36",
            EQUATION,
            "Concave-convex joint: a gear in a ring gear.",
            "`Rolling()` with an internal gear.",
            lambda: _rolled("internal"),
        ),
        Entry("eqs. 37–41", EQUATION, "Rack and pinion.", "`Rolling()` with a `Rack`.", lambda: _rolled("rack")),
        Entry(
            "figs. 1–4",
            FIGURE,
            "Sketches of the four joints.",
            "[Rolling gears](../reference/mesh_models.md#rolling-gears).",
        ),
        Entry(
            "fig. 5",
            FIGURE,
            "Robot with 43 bodies and 95 joints, of which some are redundant.",
            "Gallery entry `robot-arm`: redundant constraints are found and named.",
            _robot,
            reproduced=PARTLY,
            why="The CAD model with 1036 parts is not published: masses and dimensions are typical values. A stiff "
            "connection is one fixed joint.",
        ),
        Entry(
            "cost of the Jacobian matrix",
            SECTION,
            "The transformed matrix is much cheaper, and smaller; no number.",
            "`make bench`, mechanism `transformed-jacobian`: 21 to 26 times fewer operations for a row, 30 to 45 "
            "times less time, and the equations of motion of the robot are factorised 2.2 times faster (3.1 times "
            "fewer numbers in the factors).",
        ),
        Entry(
            "outlook",
            SECTION,
            "Belts and cam followers.",
            "`Model.belt_drive`, `Model.chain_drive` and `Model.cam`: elements of bodies in absolute coordinates, "
            "with redundant joints as well: [belts](../reference/actuators.md), [cams](../reference/cams.md).",
        ),
    ),
)
