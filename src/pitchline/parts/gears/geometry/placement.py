"""Position of the second wheel of a pair, its rotation so that the teeth mesh, and errors of assembly.

Poses are positions x (3,) [m] of the wheels' centres and rotation matrices R (3, 3) whose columns are the gears' x,
y and z axes, all in the same axes, usually those of the world.

At engagement the mesh triads are (see `PitchGeometry`)

    [μ] = R_A M0 Rot1(ψ_A)ᵀ ,   [ξ] = [μ] Z = R_B X0 Rot1(ψ_B)ᵀ ,   x_B = x_A + r_A μ2 − r_B ξ2 ,

and the teeth are in phase where u = (m_n/2)(z_A ψ_A + z_B ψ_B) is a multiple of the pitch π m_n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.rotations import crossed
from pitchline.units.quantity import matrix, quantity, vector

from .kinds import PitchGeometry

__all__ = [
    "Placement",
    "axial_rotation",
    "mesh_triad",
    "place",
    "psi_of",
    "read_rotation",
    "unit_vector",
    "AssemblyErrors",
]


@dataclass(frozen=True, eq=False)
class Placement:
    """The pose of a wheel: its centre [m] (3,) and its axes as columns (3, 3)."""

    position: FloatArray
    rotation: FloatArray


def axial_rotation(angle: float) -> FloatArray:
    """Rot1(ψ): rotation about the first axis; (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def read_rotation(value: object, what: str) -> FloatArray:
    """A rotation matrix (3, 3); identity for None."""
    if value is None:
        return np.eye(3)
    r = matrix(value, "number", what=what)
    if float(np.abs(r.T @ r - np.eye(3)).max()) > 1e-9 or float(np.linalg.det(r)) < 0.0:
        raise ModelError(
            f"{what}: the matrix is not a rotation (columns of length one, at right angles, right-handed)", about=what
        )
    return r


def unit_vector(value: object, what: str) -> FloatArray:
    """A direction (3,) of length one."""
    v = vector(value, "number", what=what)
    length = float(np.linalg.norm(v))
    if length == 0.0:
        raise ModelError(f"{what}: {shown(value)} has no direction. Specify a vector that is not zero", about=what)
    return np.asarray(v / length)


def mesh_triad(axis: FloatArray, towards: FloatArray, what: str) -> FloatArray:
    """[μ] (3, 3) from the axis μ1 and any vector on the side of the pitch point."""
    across = towards - (towards @ axis) * axis
    length = float(np.linalg.norm(across))
    if length < 1e-9 * max(float(np.linalg.norm(towards)), 1e-300):
        raise ModelError(
            f"{what}: the direction to the pitch point, {shown(tuple(towards))}, is along the axis of wheel A. Specify "
            "a direction across it",
            about=what,
        )
    mu2 = across / length
    return np.column_stack([axis, mu2, crossed(axis, mu2)])


def psi_of(rotation: FloatArray, reference: FloatArray, mesh: FloatArray) -> float:
    """ψ [rad] from −π to π: how far a wheel has turned in the mesh triad, [mesh] = R [reference] Rot1(ψ)ᵀ."""
    turned = rotation @ reference
    return math.atan2(float(mesh[:, 2] @ turned[:, 1]), float(mesh[:, 1] @ turned[:, 1]))


def place(
    pitch: PitchGeometry,
    *,
    position: object = (0.0, 0.0, 0.0),
    rotation: object = None,
    towards: object = None,
    axial_shift: object = 0.0,
    tooth: int = 0,
    what: str = "gear pair",
) -> Placement:
    """The pose of wheel B (or the rack) that meshes, in phase, with wheel A in a given pose.

    Parameters
    ----------
    position, rotation
        The pose of gear A: centre [m] and (3, 3) matrix of its axes; at the origin without them.
    towards
        Any vector from the centre of A to the side where the pitch point shall lie; the x axis of A without it.
    axial_shift
        How far B is moved along its own z axis out of the nominal place [m], screwing along its teeth so that it
        stays in mesh; parallel axes only.
    tooth
        For a rack: number of the space closest to the pitch point, counted along y from the middle.
    """
    what = Subject(what)
    x_a = vector(position, "length", what=what / "position")
    R_a = read_rotation(rotation, what / "rotation")
    direction = R_a[:, 0] if towards is None else unit_vector(towards, what / "towards")
    axis = pitch.axis_sign_a * R_a[:, 2]
    mu = mesh_triad(axis, direction, what)
    psi_a = psi_of(R_a, pitch.triad_a, mu)
    xi = mu @ pitch.Z
    point = x_a + pitch.radius_a * mu[:, 1]
    shift = quantity(axial_shift, "length", what=what / "axial_shift")
    if shift and (pitch.shaft_angle > 1e-9 and math.pi - pitch.shaft_angle > 1e-9):
        raise ModelError(
            f"{what}: axial_shift is for parallel axes. The axes of this pair are not parallel, and the wheels would "
            "leave the mesh",
            about=what.at("axial_shift"),
        )

    if pitch.is_rack:
        R_b = xi @ pitch.triad_b.T
        # u = (m_n z_A/2) ψ_A − s cos β_B = 0, modulo the pitch; moving by ζ along z keeps the tooth at y + ζ tan β.
        travel = math.pi * pitch.normal_module / math.cos(pitch.beta_b)
        s = 0.5 * pitch.normal_module * pitch.teeth_a * psi_a / math.cos(pitch.beta_b)
        s += travel * (tooth - round(s / travel))
        x_b = point - xi @ pitch.rack_point - s * xi[:, 2]
        drift = -math.tan(pitch.beta_b) * shift
        return Placement(x_b + R_b @ np.array([0.0, drift, shift]), R_b)

    screw = -math.cos(pitch.gamma_b) * math.tan(pitch.beta_b) * shift * pitch.axis_sign_b / pitch.radius_b
    psi_b = -pitch.teeth_a * psi_a / pitch.teeth_b + screw
    R_b = xi @ axial_rotation(psi_b) @ pitch.triad_b.T
    return Placement(point - pitch.radius_b * xi[:, 1] + shift * R_b[:, 2], R_b)


# ---- assembly errors

# Errors of the assembly of two gears: where gear B is, compared with its place by design.

_PARALLEL = 1e-9


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class AssemblyErrors:
    """Errors of the position of two gears, as measured on bevel gear testers (E, P, G and Σ).

    Parameters
    ----------
    offset
        E [m]: more distance between the axes, along their common perpendicular. Axes that intersect: along z_A × z_B. Parallel
        axes: more centre distance. A rack: away from its pinion.
    axial_a, axial_b
        P and G [m]: each gear along its own z axis. Of a bevel gear with a positive cone angle z points away from the apex.
    shaft_angle
        Σ [rad]: more angle between the z axes, about their common perpendicular. Parallel axes: gear B is turned about the line
        of centres, from A to B, right-handed.
    """

    offset: float
    axial_a: float
    axial_b: float
    shaft_angle: float

    def __init__(
        self, offset: object = 0.0, axial_a: object = 0.0, axial_b: object = 0.0, shaft_angle: object = 0.0
    ) -> None:
        lengths = {"offset": offset, "axial_a": axial_a, "axial_b": axial_b}
        for name, value in lengths.items():
            object.__setattr__(self, name, quantity(value, "length", what=f"assembly errors: {name}"))
        object.__setattr__(self, "shaft_angle", quantity(shaft_angle, "angle", what="assembly errors: shaft_angle"))

    @classmethod
    def of(cls, value: object, what: str) -> AssemblyErrors | None:
        """From what a user specified: errors, a table of them, or None."""
        if value is None or isinstance(value, AssemblyErrors):
            return value
        names = [field.name for field in fields(cls)]
        if isinstance(value, Mapping):
            for name in value:
                if name not in names:
                    raise ModelError(f"{what}: there is no error {shown(name)}; {near_names(str(name), names)}")
            return cls(**value)
        raise ModelError(f"{what} must be AssemblyErrors(...), with {', '.join(names)}, got {shown(value)}")

    def __bool__(self) -> bool:
        return bool(self.offset or self.axial_a or self.axial_b or self.shaft_angle)

    def applied(self, pose: Placement, *, rack: bool = False) -> Placement:
        """Return the pose of gear B in the axes of A with these errors."""
        z_a, z_b, x = np.array([0.0, 0.0, 1.0]), pose.rotation[:, 2], pose.position
        across = np.cross(z_a, z_b)
        sine = float(np.linalg.norm(across))
        if rack:
            common, through = -pose.rotation[:, 0], x
        elif sine < _PARALLEL:
            apart = np.array([x[0], x[1], 0.0])
            size = float(np.linalg.norm(apart))
            common, through = (apart / size if size else np.array([1.0, 0.0, 0.0])), x
        else:
            common = across / sine
            # the foot of the common perpendicular on the axis of B
            through = x + z_b * (float(np.cross(-x, z_a) @ across) / sine**2)
            if not _intersect(x, common):
                common = common * math.copysign(1.0, float(common @ x))
        turn = _rotation(common if rack or sine < _PARALLEL else across / sine, self.shaft_angle)
        moved = through + turn @ (x - through) + self.offset * common - self.axial_a * z_a
        rotation = turn @ pose.rotation
        return Placement(moved + self.axial_b * rotation[:, 2], rotation)


def _intersect(x: FloatArray, common: FloatArray) -> bool:
    return abs(float(common @ x)) < 1e-9 * max(float(np.linalg.norm(x)), 1e-300)


def _rotation(axis: FloatArray, angle: float) -> FloatArray:
    """Rotation about an axis of length one; (3, 3)."""
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1.0 - math.cos(angle)) * skew @ skew)
