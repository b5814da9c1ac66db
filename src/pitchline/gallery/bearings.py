"""What the bearing of a wheel carries, in the components that its designer asks for, against the closed form."""

from __future__ import annotations

import numpy as np

import pitchline as pl

from .figures import Figure
from .tooth_forces import ToothForce

__all__ = ["bearing_figures", "bearing_load", "directions"]


def directions(result: pl.Result, wheel: pl.Body, mesh: str = "mesh") -> tuple[np.ndarray, np.ndarray]:
    """Axis of a wheel in a hinge to ground, and the direction from it to the contact point at the end; unit vectors."""
    axis = wheel.orientation[:, 2]
    arm = np.asarray(result[f"{mesh}.contact_point"].final) - wheel.position
    arm = arm - (arm @ axis) * axis
    return axis, arm / np.linalg.norm(arm)


def bearing_load(result: pl.Result, bearing: str) -> np.ndarray:
    """The force of the wheel on its bearing at the end, world axes (3,) [N]: the reverse of what holds the wheel."""
    return -np.asarray(result[f"{bearing}.force"].final)


def bearing_figures(
    result: pl.Result, wheel: pl.Body, closed: ToothForce, *, bearing: str, radius: float, key: str = "", mesh: str = "mesh"
) -> list[Figure]:
    """The load of a bearing in the plane of its wheel: components, world vector and tilting moment.

    With one mesh and no other load, the wheel hands the force of its teeth on to the bearing. Tangential is positive in
    the positive sense about the axis, radial from the teeth to the axis, axial along the axis. The axial force at the
    pitch radius r tilts the wheel with F_a r.
    """
    axis, outwards = directions(result, wheel, mesh)
    load = bearing_load(result, bearing)
    tangent = np.cross(axis, outwards)
    tilt = -np.asarray(result[f"{bearing}.moment"].final)
    where = f"{key or bearing}"
    return [
        Figure(f"{where}.tangential_force", float(load @ tangent), "N", f"on {bearing}: tangential", closed.tangential),
        Figure(f"{where}.radial_force", float(-load @ outwards), "N", "radial, to the axis", closed.radial),
        Figure(f"{where}.axial_force", float(load @ axis), "N", "axial", closed.axial),
        Figure(f"{where}.tilting_moment", float(tilt @ tangent), "N*m", "tilting moment", -closed.axial * radius),
        Figure(f"{where}.force", load.tolist(), "N", "the force in world axes", closed.vector(axis, outwards).tolist()),
    ]
