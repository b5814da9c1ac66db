"""Pairs of gears with imported flanks of every kind, and a rig in which two gears mesh on their axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.parts.gears.surfaces import surface_teeth

from .conjugate_teeth import hypoid_gears, worm_gears
from .spiral_teeth import spiral_teeth

__all__ = ["KINDS", "RIGID", "imported", "points_of", "rig", "rigid_loaded"]

RIGID = {"body": "rigid", "rows": 7, "lines": 9}
Pair = tuple[Any, Any, dict[str, Any]]


def imported(gear: Any, points: int = 17) -> Any:
    """The same gear with its flanks as points."""
    nominal = gear.with_(modifications=None) if isinstance(gear, pl.Gear) else gear
    return pl.Teeth.from_points(nominal, **points_of(gear, points)).gear


def points_of(gear: Any, points: int = 17) -> dict[str, np.ndarray]:
    """Grids of points of both flanks."""
    teeth = surface_teeth(gear)
    return {side: teeth.points(side, points, points) for side in ("left", "right")}


def _bevel() -> list[pl.Gear]:
    common = {"normal_module": "3 mm", "face_width": "12 mm"}
    return [pl.Gear(teeth=z, cone_angle=math.atan2(z, y), bore="20 mm", **common) for z, y in ((20, 30), (30, 20))]


def _straight() -> Pair:
    a, b = _bevel()
    return imported(a), imported(b), {}


def _spiral() -> Pair:
    teeth = [spiral_teeth(gear, angle) for gear, angle in zip(_bevel(), (0.5, -0.5), strict=True)]
    a, b = (
        pl.Teeth.from_points(one.gear, **{side: one.points(side, 17, 17) for side in ("left", "right")}).gear
        for one in teeth
    )
    return a, b, {}


def _hypoid() -> Pair:
    return *hypoid_gears(), {"centre_distance": "8 mm"}


def _worm() -> Pair:
    return *worm_gears(), {}


def _crossed() -> Pair:
    common = {"normal_module": "3 mm", "face_width": "25 mm", "bore": "20 mm"}
    a, b = (pl.Gear(teeth=z, helix_angle=angle, **common) for z, angle in ((20, "30 deg"), (31, "25 deg")))
    return imported(a), imported(b), {"shaft_angle": "55 deg"}


def _rack() -> Pair:
    common = {"normal_module": "3 mm", "face_width": "20 mm"}
    a, b = pl.Gear(teeth=20, bore="20 mm", **common), pl.Rack(teeth=30, depth="15 mm", **common)
    return imported(a.with_(modifications=pl.LeadCrowning("4 um"))), imported(b), {}


KINDS = {
    "straight bevel": _straight, "spiral bevel": _spiral, "hypoid": _hypoid, "worm": _worm, "crossed helical": _crossed,
    "rack and pinion": _rack,
}  # fmt: skip
"""Each makes gear A, gear B and the further arguments of their `GearPair`."""


def rigid_loaded(torque: Any, **more: Any) -> pl.Loaded:
    """A table of which only the flanks yield, so that it needs no finite elements."""
    return pl.Loaded(torque=torque, elements_a=RIGID, elements_b=RIGID, **{"phases": 4, "cells": 9, **more})


def rig(
    a: Any, b: Any, mesh: Any, *, load: Any = 0.0, phase: float = 0.0, speed: Any = None, pose: Any = None,
    gears_are: dict[str, Any] | None = None,
) -> pl.Model:  # fmt: skip
    """Both gears on their axes: A held `phase` pitches past the line of centres, or turned; B under a load about its own z, of a
    rack along its y [N m, N]. pose: of B in the axes of A; default: in phase."""
    place = pl.GearPair(a, b, **(gears_are or {})).place() if pose is None else pose
    m = pl.Model("rig")
    turn = phase * a.angular_pitch
    c, s = math.cos(turn), math.sin(turn)
    turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    for name, gear, x, R in (("a", a, np.zeros(3), turned), ("b", b, place.position, place.rotation)):
        body = m.body(name, mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=x, orientation=R)
        if isinstance(gear, pl.Rack):
            m.prismatic(f"hinge {name}", m.ground, body, axis=R[:, 1])
        else:
            m.revolute(f"hinge {name}", m.ground, body, at=x, axis=R[:, 2])
        m.wheel(f"wheel {name}", body, gear)
    m.gear_pair("mesh", "wheel a", "wheel b", mesh=mesh)
    m.drive("motor", "hinge a", **({"angle": 0} if speed is None else {"speed": speed}))
    if isinstance(b, pl.Rack):
        m.force("load", "hinge b", load)
    else:
        m.torque("load", "hinge b", load)
    return m
