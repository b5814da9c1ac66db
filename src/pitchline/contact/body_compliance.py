"""One flank of an elastic gear as the arrays that compiled contact kernels read: what is left of its compliance when the
half-space is taken away.

The finite elements give the compliance S of hats, a fraction of a millimetre apart along the profile. Contact is
narrower than that. Within one slice of the face the half-space answers on any scale, the hats included; so in

    A = K(cells) + Pᵀ (S − S_half-space) P

K and S_half-space are the half-space's answers for cells and for hats of one slice, and P shares the force of a cell
among the neighbouring hats, which keeps force and moment. The singular part near the load comes only from the half-space;
what is left is smooth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..fem.elastic_gear import ElasticGear
from ..math.fields import packed
from .compliance import HatGrid
from .half_space import contact_modulus, hat_compliance

__all__ = ["BodyCompliance", "body_compliance"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BodyCompliance:
    """Compliance of the flanks of all teeth on one side of a gear.

    Attributes
    ----------
    zeta : (n_face,)
        Face lines of the hats [m].
    widths : (n_face,)
        Widths of the slices of the face around them, along the generator [m]: what the hats cover.
    first, spacing : (n_face,)
        Arc s = L²/(2 r_b) of the first hat of a face line, and from hat to hat [m].
    base_radius : float
        r_b [m]
    hats : int
        Number of hats along the profile.
    compliance : (2 reach + 1, hats n_face, hats n_face)
        S [m/N] of hats i n_face + j, by the offset of the teeth from −reach to reach; of a gear without symmetry so many blocks for
        each tooth, one after the other.
    local : (n_face, hats, hats)
        What the half-space answers in each slice [m/N].
    scale : float
        (1 − ν²)/(π E) [1/Pa]
    reach : int
        Neighbours on either side.
    own : bool
        Whether each tooth has its own compliance.
    """

    zeta: FloatArray
    widths: FloatArray
    first: FloatArray
    spacing: FloatArray
    base_radius: float
    hats: int
    compliance: FloatArray
    local: FloatArray
    scale: float
    reach: int
    own: bool

    def grid(self, *, averaged: bool) -> FloatArray:
        """The record `HatGrid` for compiled code, with shares averaged along the face or not."""
        names = ("hats", "base_radius", "scale", "zeta", "widths", "first", "spacing")
        window = self.window if averaged else np.zeros_like(self.zeta)
        return packed(HatGrid, {"window": window, **{name: getattr(self, name) for name in names}})

    @property
    def window(self) -> FloatArray:
        """(n_face,) at each face line the lesser distance to its neighbours [m]: how wide shares of a slice are averaged."""
        apart = np.diff(self.zeta)
        return np.minimum(np.concatenate([apart[:1], apart]), np.concatenate([apart, apart[-1:]]))


def body_compliance(gear: ElasticGear, side: str) -> BodyCompliance:
    """The arrays of the "left" or "right" flanks of a gear."""
    grid, flank = gear.grids[side], gear.teeth.flank(side)
    hats = grid.lengths.shape[0]
    zeta = np.array(grid.zeta, dtype=np.float64)
    ends = np.concatenate([zeta[:1], 0.5 * (zeta[1:] + zeta[:-1]), zeta[-1:]])
    widths = np.diff(ends) / math.cos(flank.involute.base_helix_angle)
    base_radius = flank.involute.base_radius
    s = np.asarray(grid.lengths) ** 2 / (2.0 * base_radius)
    spacing = (s[-1] - s[0]) / (hats - 1)
    scale = 1.0 / (math.pi * contact_modulus(gear.material))
    alike = zip(np.round(np.abs(spacing), 13), np.round(widths, 13), strict=True)  # equal but for rounding
    local = np.stack([hat_compliance(float(d), float(w), hats, scale=scale) for d, w in alike])
    size = grid.size
    compliance = np.require(gear.compliance[side, side].reshape(-1, size, size), np.float64, ["C", "W", "A"])
    reach, own = int(gear.offsets[-1]), not gear.symmetric
    return BodyCompliance(zeta, widths, s[0], spacing, base_radius, hats, compliance, local, scale, reach, own)
