"""Shapes of the links of the robot arm. They are for pictures only; masses are those of `robot_parts`.

Each shape is in the axes of its link: those of the world in the home pose, from the axis of the link's hinge.
"""

from __future__ import annotations

import math

import numpy as np

import pitchline as pl

__all__ = ["LINK_SHAPES"]

_CASTING, _DARK, _STEEL = "#E8772296", "#3A4048", "#B4BBC2"


def _beam(start: tuple[float, float, float], end: tuple[float, float, float], width: float, height: float) -> pl.Shape:
    """A bar of a rectangular section from one point to another in the plane of x and z [m]."""
    a, b = np.array(start), np.array(end)
    along = b - a
    length = float(np.linalg.norm(along))
    angle = math.atan2(along[0], along[2])
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    return pl.bar(height, width, length).turned(turn).moved(0.5 * (a + b))


def _base() -> pl.Shape:
    foot = pl.bar(0.48, 0.48, 0.03).moved((0, 0, 0.015))
    return foot + pl.cone(0.22, 0.17, 0.21).moved((0, 0, 0.135)) + pl.tube(0.185, 0.095, 0.035).moved((0, 0, 0.2575))


def _carousel() -> pl.Shape:
    """A turntable and a bracket that carries the shoulder."""
    table = pl.cylinder(0.20, 0.07).moved((0, 0, 0.375))
    body = pl.cone(0.17, 0.13, 0.12).moved((0, 0, 0.47))
    bracket = _beam((0.0, -0.01, 0.45), (0.28, -0.01, 0.66), 0.14, 0.19)
    return table + body + bracket + pl.cylinder(0.125, 0.16, axis="y").moved((0.3, -0.01, 0.675))


def _upper_arm() -> pl.Shape:
    """A plate between two round hubs, next to the shoulder and the elbow."""
    low = pl.cylinder(0.125, 0.07, axis="y").moved((0, 0.125, 0))
    high = pl.cylinder(0.105, 0.07, axis="y").moved((0, 0.125, 0.65))
    plate = pl.bar(0.15, 0.055, 0.65).moved((0, 0.125, 0.325))
    rib = pl.bar(0.06, 0.075, 0.42).moved((0, 0.125, 0.325))
    return low + high + plate + rib


def _arm() -> pl.Shape:
    """A hub at the elbow, the gear case over it, and a neck for the forearm."""
    hub = pl.cylinder(0.105, 0.16, axis="y").moved((0, 0.0, 0))
    case = pl.bar(0.17, 0.19, 0.19).moved((0.015, 0, 0.145))
    neck = pl.cone(0.095, 0.085, 0.11, axis="x").moved((0.155, 0, 0.155))
    return hub + case + neck


def _forearm() -> pl.Shape:
    """A tapered tube, and a fork that carries the wrist."""
    flange = pl.cylinder(0.085, 0.03, axis="x").moved((-0.475, 0, 0))
    tube = pl.cone(0.08, 0.06, 0.36, axis="x").moved((-0.28, 0, 0))
    yoke = pl.bar(0.04, 0.18, 0.10).moved((-0.095, 0, 0))
    fork = [pl.bar(0.09, 0.03, 0.09).moved((-0.045, y, 0)) for y in (-0.075, 0.075)]
    eyes = [pl.cylinder(0.052, 0.034, axis="y").moved((0, y, 0)) for y in (-0.075, 0.075)]
    return flange + tube + yoke + fork[0] + fork[1] + eyes[0] + eyes[1]


def _wrist() -> pl.Shape:
    return pl.cylinder(0.05, 0.11, axis="y") + pl.cone(0.048, 0.042, 0.06, axis="x").moved((0.062, 0, 0))


def _tool() -> pl.Shape:
    """A gripper with two fingers."""
    fingers = [pl.bar(0.12, 0.018, 0.04).moved((0.165, y, 0)) for y in (-0.05, 0.05)]
    body = pl.cylinder(0.035, 0.04, axis="x").moved((0.025, 0, 0)) + pl.bar(0.06, 0.14, 0.08).moved((0.075, 0, 0))
    return body.coloured(_DARK) + (fingers[0] + fingers[1]).coloured(_STEEL)


LINK_SHAPES: dict[str, pl.Shape] = {
    "base": _base().coloured(_DARK),
    "carousel": _carousel().coloured(_CASTING),
    "upper_arm": _upper_arm().coloured(_CASTING),
    "arm": _arm().coloured(_CASTING),
    "forearm": _forearm().coloured(_CASTING),
    "wrist": _wrist().coloured(_CASTING),
    "flange": pl.cylinder(0.04, 0.03, axis="x").moved((0.11, 0, 0)).coloured(_STEEL),
    "tool": _tool(),
}
"""By the names of the links. Castings are see-through, so that their gears are visible."""
