"""Pitch surfaces that roll: cylinders and cones of any two bodies, without teeth.

The geometry of `pitch` with helix and pressure angle zero: the force acts along the pitch circles. What the teeth of gears
would decide, the radii, follows here from the ratio and from the positions of the bodies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ModelError
from ..solids.vectors import crossed
from .alignment import Alignment
from .axes import AXES_TOLERANCE
from .inputs import in_deg, in_mm
from .kinds import Kind
from .pitch import Array, PitchGeometry
from .placement import mesh_triad, psi_of

__all__ = ["RollingPair", "rolling_on_rack", "rolling_wheels", "without_teeth"]

_RADII = 1e-3  # relative: centres may be off the apex by this, and the ratio from that of the distances


@dataclass(frozen=True, eq=False)
class RollingPair:
    """Two rolling bodies, in place of a `GearPair`."""

    kind: Kind
    pitch: PitchGeometry
    warnings: tuple[str, ...] = ()

    @property
    def centre_distance(self) -> float:
        """Between the axes [m]."""
        return self.pitch.axis_distance

    @property
    def shaft_angle(self) -> float:
        """Between the axes [rad]."""
        return 0.0 if self.kind.parallel else self.pitch.shaft_angle


def without_teeth(pitch: PitchGeometry) -> PitchGeometry:
    """The same pitch surfaces, rolling: forces along the pitch circles, whatever helix and pressure angle the teeth have."""
    module = 2.0 * pitch.radius_a / pitch.teeth_a
    return replace(pitch, beta_a=0.0, beta_b=0.0, pressure_angle=0.0, normal_module=module)


def rolling_wheels(
    teeth: tuple[int, int], internal: bool, x_a: Array, R_a: Array, x_b: Array, R_b: Array, what: str
) -> tuple[RollingPair, Alignment]:
    """Two wheels at given positions, with z_a and z_b instead of a ratio."""
    z_a, z_b, x_ab = R_a[:, 2], R_b[:, 2], x_b - x_a
    across = crossed(z_a, z_b)
    tilt = math.atan2(math.sqrt(across.dot(across)), float(z_a @ z_b))
    if min(tilt, math.pi - tilt) <= AXES_TOLERANCE:
        return _cylinders(teeth, internal, x_ab, R_a, R_b, what)
    if internal:
        raise ModelError(
            f"{what}: the axes are at {in_deg(tilt)}, but those of a ring and a wheel are parallel. Rotate a body, "
            "or leave out internal",
            about=what,
        )
    return _cones(teeth, x_ab, R_a, R_b, what)


def _cylinders(
    teeth: tuple[int, int], internal: bool, x_ab: Array, R_a: Array, R_b: Array, what: str
) -> tuple[RollingPair, Alignment]:
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    k = teeth[1] / teeth[0]
    axial = float(x_ab @ z_a)
    across = x_ab - axial * z_a
    apart = float(np.linalg.norm(across))
    if apart == 0.0:
        raise ModelError(
            f"{what}: both wheels are on one axis and cannot roll on each other. Move a centre", about=what
        )
    r_a = apart / abs(1.0 - k) if internal else apart / (1.0 + k)
    ring_a, ring_b = internal and k < 1.0, internal and k > 1.0
    pitch = PitchGeometry(
        radius_a=r_a, radius_b=k * r_a, gamma_a=math.pi if ring_a else 0.0, gamma_b=math.pi if ring_b else 0.0, beta_a=0.0,
        beta_b=0.0, teeth_a=teeth[0], teeth_b=teeth[1], normal_module=2.0 * r_a / teeth[0], pressure_angle=0.0,
        axis_sign_a=-1.0 if ring_a else 1.0,
    )  # fmt: skip
    # the pitch point lies beyond B as seen from a ring A, and away from B as seen from a wheel in a ring B
    mesh = mesh_triad(pitch.axis_sign_a * z_a, -across if ring_b else across, what)
    pitch = replace(pitch, axis_sign_b=1.0 if float((mesh @ pitch.Z[:, 0]) @ z_b) >= 0.0 else -1.0)
    zeta_b = -axial * math.copysign(1.0, float(z_a @ z_b))
    return RollingPair(Kind.INTERNAL if internal else Kind.SPUR, pitch), _aligned(pitch, mesh, R_a, R_b, 0.0, zeta_b)


def _cones(teeth: tuple[int, int], x_ab: Array, R_a: Array, R_b: Array, what: str) -> tuple[RollingPair, Alignment]:
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    normal = np.cross(z_a, z_b)
    sine2 = float(normal @ normal)
    offset = abs(float(x_ab @ normal)) / math.sqrt(sine2)
    # x_ab = s z_a - t z_b: the apex lies s along z_a from A and t along z_b from B
    s, t = float(np.cross(x_ab, z_b) @ normal) / sine2, float(np.cross(x_ab, z_a) @ normal) / sine2
    size = max(abs(s), abs(t))
    if offset > _RADII * size:
        raise ModelError(
            f"{what}: the axes have a distance of {in_mm(offset)}, but the axes of rolling cones intersect. Move a body, or use "
            "gears that slide along their teeth (crossed helical, hypoid) with Rigid() or Elastic(...)",
            about=what,
        )
    if min(abs(s), abs(t)) <= 1e-9 * size:
        raise ModelError(
            f"{what}: the centre of a wheel is at the apex, where its radius is zero. Move it along its axis",
            about=what,
        )
    # axes away from the apex
    sign_a, sign_b = -math.copysign(1.0, s), -math.copysign(1.0, t)
    mu1, xi1 = sign_a * z_a, sign_b * z_b
    sigma = math.atan2(math.sqrt(sine2), float(mu1 @ xi1))
    # the pitch point has the same distance along each axis from the apex as that wheel's centre
    r_a, r_b = float(xi1 @ x_ab) / math.sin(sigma), -float(mu1 @ x_ab) / math.sin(sigma)
    if r_a <= 0.0 or r_b <= 0.0 or abs(r_b / r_a - teeth[1] / teeth[0]) > _RADII * teeth[1] / teeth[0]:
        raise ModelError(
            f"{what}: in this position the cones have the radii {in_mm(r_a)} and {in_mm(r_b)}, the ratio {r_b / r_a:.6g}, but "
            f"the specified ratio is {teeth[1] / teeth[0]:.6g}. Move a centre along its axis, or change the ratio",
            about=what,
        )
    r_b = r_a * teeth[1] / teeth[0]
    gamma_a = math.atan2(r_a, abs(s))
    pitch = PitchGeometry(
        radius_a=r_a, radius_b=r_b, gamma_a=gamma_a, gamma_b=sigma - gamma_a, beta_a=0.0, beta_b=0.0, teeth_a=teeth[0],
        teeth_b=teeth[1], normal_module=2.0 * r_a / teeth[0], pressure_angle=0.0, axis_sign_a=sign_a, axis_sign_b=sign_b,
    )  # fmt: skip
    mesh = mesh_triad(mu1, xi1, what)
    return RollingPair(Kind.STRAIGHT_BEVEL, pitch), _aligned(pitch, mesh, R_a, R_b, 0.0, 0.0)


def rolling_on_rack(
    radius: float, x_a: Array, R_a: Array, x_b: Array, R_b: Array, what: str
) -> tuple[RollingPair, Alignment]:
    """A pinion on a bar that travels along its y axis, its x axis towards the pinion."""
    z_a, out, along = R_a[:, 2], R_b[:, 0], R_b[:, 1]
    if abs(float(z_a @ out)) > AXES_TOLERANCE or abs(float(z_a @ along)) > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axis of the pinion must be at right angles to the x axis (towards the pinion) and the y axis (the "
            "travel) of the rack. Rotate a body",
            about=what,
        )
    pitch = PitchGeometry(
        radius_a=radius, radius_b=math.inf, gamma_a=0.0, gamma_b=0.0, beta_a=0.0, beta_b=0.0, teeth_a=1, teeth_b=1,
        normal_module=2.0 * radius, pressure_angle=0.0, axis_sign_b=1.0 if float(z_a @ R_b[:, 2]) >= 0.0 else -1.0,
        rack_offset=float((x_a - x_b) @ out) - radius,
    )  # fmt: skip
    if float((x_a - x_b) @ out) < 0.0:
        raise ModelError(
            f"{what}: the x axis of the rack must point towards the pinion. Rotate the rack about its travel",
            about=what,
        )
    mesh = mesh_triad(z_a, -out, what)
    triad_b = pitch.triad_b
    psi_a = psi_of(R_a, pitch.triad_a, mesh)
    # the point of the rack that touches now is the one from which its travel is counted, u = 0
    touching = R_b.T @ (x_a + radius * mesh[:, 1] - x_b)
    point_b = touching - (radius * psi_a) * triad_b[:, 2]
    found = Alignment(pitch, np.zeros(3), point_b, pitch.triad_a, triad_b, mesh, psi_a, radius * psi_a)
    return RollingPair(Kind.RACK, pitch), found


def _aligned(pitch: PitchGeometry, mesh: Array, R_a: Array, R_b: Array, zeta_a: float, zeta_b: float) -> Alignment:
    triad_a, triad_b = pitch.triad_a, pitch.triad_b
    return Alignment(
        pitch, np.array([0.0, 0.0, zeta_a]), np.array([0.0, 0.0, zeta_b]), triad_a, triad_b, mesh,
        psi_of(R_a, triad_a, mesh), psi_of(R_b, triad_b, mesh @ pitch.Z),
    )  # fmt: skip
