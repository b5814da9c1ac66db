"""Random designs of rolling bearings, and their place in a machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from machines.draws import Rng, log_uniform, pick
from machines.options import draw
from machines.values import Call, Number

KINDS_OF_BEARINGS = (
    "pl.DeepGrooveBall", "pl.AngularContactBall", "pl.CylindricalRoller", "pl.NeedleRoller", "pl.TaperedRoller",
    "pl.SphericalRoller",
)  # fmt: skip
AXIAL = ("pl.AngularContactBall", "pl.TaperedRoller")
"""Types that carry axial forces in one direction, alone or in pairs."""
PAIRS = ("back-to-back", "face-to-face", "tandem")
_NEVER = (
    "bore",
    "outer",
    "width",
    "material",
    "distance",
    "arrangement",
    "flanges",
    "axial_clearance",
    "axial_stiffness",
)


def design(rng: Rng, kind: str, seat: float, *, bore: bool = True) -> Call:
    """A bearing that fits a seat with this diameter."""
    pitch = 1.5 * seat
    element = float(rng.uniform(0.18, 0.26)) * pitch * (0.35 if kind == "pl.NeedleRoller" else 1.0)
    count = int(0.85 * np.pi * pitch / element / (1.0 if kind != "pl.SphericalRoller" else 1.2))
    count = max(5, min(count, 10 + int(rng.integers(4))))
    given: dict[str, Any] = {"pitch": Number(pitch, "m")}
    balls = kind.endswith("Ball")
    given["balls" if balls else "rollers"] = count
    given["ball" if balls else "roller"] = Number(element, "m")
    if not balls:
        given["length"] = Number(
            element * float(rng.uniform(1.0, 1.6)) * (2.0 if kind == "pl.NeedleRoller" else 1.0), "m"
        )
    if kind in AXIAL or kind == "pl.SphericalRoller":
        given["contact_angle"] = Number(float(rng.uniform(0.2, 0.5)), "rad")
    if rng.random() < 0.5 and kind not in AXIAL:
        given["clearance"] = Number(float(rng.choice([-0.05, 0.1, 0.5, 1.0])) * 1e-3 * element, "m")
    if kind in AXIAL and rng.random() < 0.4:
        given |= {"arrangement": pick(rng, PAIRS), "distance": Number(1.5 * element, "m")}
    if kind == "pl.CylindricalRoller":
        if rng.random() < 0.3:
            given |= {"rows_of_rollers": 2, "distance": Number(2.2 * element * 1.6, "m")}
        if rng.random() < 0.5:
            given |= {
                "flanges": pick(rng, ("up", "down", "both")),
                "axial_stiffness": Number(log_uniform(rng, 1e7, 1e9), "N/m"),
            }
            if rng.random() < 0.5:
                given["axial_clearance"] = Number(1e-3 * element, "m")
    if balls and rng.random() < 0.3:
        given |= {"inner_groove": 0.515, "outer_groove": 0.525}
        if rng.random() < 0.3:
            given["material"] = "silicon nitride"
    if kind == "pl.SphericalRoller" and rng.random() < 0.4:
        given["osculation"] = 0.975
    if bore and rng.random() < 0.5:
        given |= {"bore": Number(seat, "m"), "outer": Number(2 * pitch - seat, "m"), "width": Number(0.3 * seat, "m")}
    if kind in ("pl.CylindricalRoller", "pl.NeedleRoller", "pl.TaperedRoller") and rng.random() < 0.3:
        given["profile"] = "straight"
    if rng.random() < 0.1:
        given["estimated"] = True
    if rng.random() < 0.5:
        given["rating"] = Number(3e7 * element * pitch, "N")
        if rng.random() < 0.5:
            given["static_rating"] = Number(2e7 * element * pitch, "N")
    return Call(
        kind, draw(rng, kind, given, share=0.2, never=(*_NEVER, "rating", "static_rating", "clearance", "estimated"))
    )


def options(rng: Rng, kind: str) -> dict[str, Any]:
    """Arguments of the bearing in the machine."""
    given: dict[str, Any] = {}
    if rng.random() < 0.6:
        given["cage"] = pick(rng, ("rest", "turning", "smooth"))
    if rng.random() < 0.8:
        given["damping"] = Number(log_uniform(rng, 10, 2e3), "N*s/m")
    if kind in AXIAL and rng.random() < 0.5:
        given["flipped"] = True
    if kind in (*AXIAL, "pl.DeepGrooveBall") and rng.random() < 0.4:
        if rng.random() < 0.5:
            given["preload"] = Number(log_uniform(rng, 50, 500), "N")
        else:
            given["offset"] = Number(log_uniform(rng, 1e-6, 1e-5), "m")
    if kind.endswith("Ball") and rng.random() < 0.3:
        given["speed"] = Number(log_uniform(rng, 10, 500), "rad/s")
    if rng.random() < 0.3:
        given |= {
            "lubrication": pick(rng, ("grease", "oil mist", "oil bath", "oil jet")),
            "viscosity": Number(3e-5, "m^2/s"),
        }
        if rng.random() < 0.4:
            given |= {"viscous_factor": Number(2.0), "load_factor": Number(5e-4)}
        if rng.random() < 0.4:
            given["friction_speed"] = Number(0.5, "rad/s")
    return given
