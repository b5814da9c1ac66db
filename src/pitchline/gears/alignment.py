"""Mesh of two gears with given positions: compatibility, pitch point, phase of the teeth.

`placement` computes the position of the second gear. Here both positions are given. Cylindrical wheels need not have the
middles of their faces at the pitch point: a worm is longer than its thread in contact, and a wide pinion may be off
the middle of its wheel. A wheel moved by ζ along its own z meshes as before if it is seen from the point −ζ z, with
the tooth that passes there: turned by −ζ tan β / r about z. So each wheel gets a point and a triad of its own, both
fixed in the gear.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..units import vector
from .axes import cone_axes, crossed_axes, parallel_axes, rack_axes
from .pitch import Array, PitchGeometry
from .placement import axial_rotation, psi_of, read_rotation
from .rack import Rack

if TYPE_CHECKING:
    from .pair import GearPair

__all__ = ["Alignment", "align"]


@dataclass(frozen=True, eq=False)
class Alignment:
    """Two gears in mesh.

    Attributes
    ----------
    pitch : PitchGeometry
        Pitch geometry of the pair, with the signs of the actual axes.
    point_a, point_b : (3,)
        In each gear's own axes [m]: the centre of its pitch circle; (0, 0, 0) where the middles of the faces meet.
        Of a rack: the middle of a space on the pitch line (x_B + R_B point_b + s ξ3 is on it, s being a multiple of
        the pitch).
    triad_a, triad_b : (3, 3)
        In each gear's own axes: M0, second column through a tooth, and X0, second column through a space, at those
        points.
    mesh : (3, 3)
        [μ] at rest: axis of A, towards the pitch point, and their cross product, in the axes the poses are given in.
    psi_a, psi_b : float
        How far the triads are turned from the mesh [rad], from −π to π. Of a rack psi_b is the travel s of the pitch
        point from the middle of the space [m].
    """

    pitch: PitchGeometry
    point_a: Array
    point_b: Array
    triad_a: Array
    triad_b: Array
    mesh: Array
    psi_a: float
    psi_b: float

    @property
    def tooth_offset(self) -> float:
        """u [m]: offset of the teeth of A from the middle of the spaces of B, along η3, from −π m_n/2 to π m_n/2.

        u = (m_n/2)(z_A ψ_A + z_B ψ_B), of a rack m_n z_A ψ_A/2 − s cos β_B, modulo the pitch π m_n.
        """
        p = self.pitch
        other = -self.psi_b * math.cos(p.beta_b) if p.is_rack else 0.5 * p.normal_module * p.teeth_b * self.psi_b
        return math.remainder(0.5 * p.normal_module * p.teeth_a * self.psi_a + other, math.pi * p.normal_module)

    @property
    def turn_b(self) -> float:
        """The smallest turn of B about its own z [rad] that brings the teeth in phase; of a rack: shift along y [m]."""
        p = self.pitch
        if p.is_rack:
            return -self.tooth_offset * p.axis_sign_b / math.cos(p.beta_b)
        return -2.0 * self.tooth_offset * p.axis_sign_b / (p.normal_module * p.teeth_b)


def align(pair: GearPair, position_a: object, rotation_a: object, position_b: object, rotation_b: object) -> Alignment:
    """How the gears of a pair in given poses mesh.

    Positions are those of the gears' centres [m], rotations (3, 3) have the gears' axes as columns; all in one set
    of axes. Raises `ModelError` where axes or centres are not where the pitch geometry needs them.
    """
    what = pair.what
    x_a = vector(position_a, "length", what=f"{what}: position of wheel A")
    x_b = vector(position_b, "length", what=f"{what}: position of wheel B")
    R_a = read_rotation(rotation_a, f"{what}: rotation of wheel A")
    R_b = read_rotation(rotation_b, f"{what}: rotation of wheel B")
    if pair.kind.bevel or pair.kind in ("hypoid", "beveloid"):
        find = cone_axes
    elif isinstance(pair.b, Rack):
        find = rack_axes
    else:
        find = parallel_axes if pair.kind.parallel else crossed_axes
    pitch, mesh, zeta_a, zeta_b = find(pair, x_b - x_a, R_a, R_b)
    point_a, triad_a = _seen_from(zeta_a, pitch.triad_a, pitch.axis_sign_a, pitch.gamma_a, pitch.beta_a, pitch.radius_a)
    psi_a = psi_of(R_a, triad_a, mesh)
    if pitch.is_rack:
        # Along z the space of the rack drifts by −tan β (β positive left-hand).
        c0 = pitch.rack_point + np.array([zeta_b, 0.0, -math.tan(pitch.beta_b) * zeta_b])
        point_b, triad_b = pitch.triad_b @ c0, pitch.triad_b
        contact = R_b.T @ (x_a + R_a @ point_a + pitch.radius_a * mesh[:, 1] - x_b) - point_b
        psi_b = float(triad_b[:, 2] @ contact)
    else:
        point_b, triad_b = _seen_from(
            zeta_b, pitch.triad_b, pitch.axis_sign_b, pitch.gamma_b, pitch.beta_b, pitch.radius_b
        )
        psi_b = psi_of(R_b, triad_b, mesh @ pitch.Z)
    return Alignment(pitch, point_a, point_b, triad_a, triad_b, mesh, psi_a, psi_b)


def _seen_from(zeta: float, triad: Array, sign: float, gamma: float, beta: float, radius: float) -> tuple[Array, Array]:
    """Point and triad of a cylindrical wheel at ζ along its z [m], where teeth are turned by ζ tan β_gear / r."""
    turn = -math.cos(gamma) * math.tan(beta) * zeta * sign / radius if zeta else 0.0
    return np.array([0.0, 0.0, zeta]), triad @ axial_rotation(turn)
