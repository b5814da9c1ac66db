"""Numbers of belts and chains from the frames of their wheels, and errors of their arrangement."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

_MOST_TILT = 2.0
"""[deg] Largest angle between the axes of the wheels."""
_MOST_OFFSET = 0.02
"""Largest axial offset of the wheels over the distance of their axes."""


def _line(values: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Line of centres in the axes of each frame."""
    (o_a, axes_a), (o_b, axes_b) = values["a"], values["b"]
    c = np.asarray(o_b) - np.asarray(o_a)
    return axes_a.T @ c, axes_b.T @ c


def belt_record(
    values: Mapping[str, Any], radius_a: float, radius_b: float, sigma: float, *, slack: float = 0.0
) -> dict[str, float]:
    """Values of the record `Belt`. slack: length of the belt beyond that of the initial pose."""
    in_a, in_b = _line(values)
    d = math.hypot(in_a[0], in_a[1])
    rho = radius_a - sigma * radius_b
    s = min(max(rho / d, -0.9999), 0.9999)
    c = math.sqrt(1.0 - s * s)
    half = d * c + 0.5 * math.pi * (radius_a + radius_b) + math.asin(s) * rho
    k = values["tensile_stiffness"] / (d * c)
    fade = max(0.02 * values["pretension"], 1e-7 * values["tensile_stiffness"])
    return {
        "radius_a": radius_a, "radius_b": radius_b, "sigma": sigma, "half_length": half + 0.5 * slack,
        "start_a": -math.atan2(in_a[1], in_a[0]), "start_b": -math.atan2(in_b[1], in_b[0]),
        "teeth_a": 0, "teeth_b": 0, "phase_a1": 0.0, "phase_a2": 0.0, "phase_b1": 0.0, "phase_b2": 0.0,
        "stiffness": k, "damping": values["damping"], "pretension": values["pretension"], "fade": fade,
    }  # fmt: skip


def tangent_angle(belt: Mapping[str, float], values: Mapping[str, Any]) -> float:
    """Angle beta between a strand and the line of centres in the initial pose [rad]."""
    in_a, _ = _line(values)
    rho = belt["radius_a"] - belt["sigma"] * belt["radius_b"]
    return math.asin(min(max(rho / math.hypot(in_a[0], in_a[1]), -0.9999), 0.9999))


def wrap_angle(belt: Mapping[str, float], values: Mapping[str, Any]) -> float:
    """Smaller wrap angle of both wheels in the initial pose [rad]."""
    beta = tangent_angle(belt, values)
    return math.pi - 2.0 * abs(beta) if belt["sigma"] > 0.0 else math.pi + 2.0 * beta


def belt_problems(values: Mapping[str, Any], what: str, radius_a: float, radius_b: float, wheel: str) -> list[str]:
    """Errors of the arrangement in the initial pose."""
    (o_a, axes_a), (o_b, axes_b) = values["a"], values["b"]
    z_a, z_b = axes_a[:, 2], axes_b[:, 2]
    for end, z in (("a", z_a), ("b", z_b)):
        turns = values["turning"][end]
        if turns and all(abs(float(axis @ z)) < math.cos(math.radians(_MOST_TILT)) for axis in turns):
            return [
                f"{what}: the body of {end} does not rotate about z of that frame, the axis of the {wheel}; give a frame "
                f"whose z is the axis"
            ]
    tilt = math.degrees(math.acos(float(np.clip(z_a @ z_b, -1.0, 1.0))))
    if tilt > _MOST_TILT:
        return [
            f"{what}: the angle between the z axes of its frames is {tilt:.4g} deg in the initial pose; the axes must be parallel "
            f"and in the same direction (limit {_MOST_TILT:g} deg)"
        ]
    c = np.asarray(o_b) - np.asarray(o_a)
    along = float(c @ z_a)
    d = float(np.linalg.norm(c - along * z_a))
    if d <= radius_a + radius_b:
        return [
            f"{what}: the axes are {1e3 * d:.4g} mm apart, but the {wheel}s need more than {1e3 * (radius_a + radius_b):.4g} mm; "
            "place the bodies apart, or specify smaller wheels"
        ]
    if abs(along) > _MOST_OFFSET * d:
        return [
            f"{what}: the {wheel}s are offset by {1e3 * along:.4g} mm along their axes; place both frames in one plane "
            "(at_a, at_b)"
        ]
    return []
