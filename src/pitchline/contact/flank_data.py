"""Two elastic gears on their flanks: all that contact in motion needs, for both directions of drive."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..fem.elastic_gear import ElasticGear
from ..fem.flank_grid import FlankGrid
from ..gears.material import Material
from ..gears.placement import Placement
from ..gears.teeth.arrays import ComplexArray
from ..gears.teeth.involute_flank import InvoluteFlank
from .half_space_hats import half_space_hats
from .strip_gaps import StripGaps, strip_gaps

__all__ = [
    "FlankData",
    "FlankSide",
    "flank_data",
    "half_space_scale",
    "involute_half_space",
    "profile_place",
    "without_half_space",
]

FloatArray = npt.NDArray[np.float64]
_FAR_AWAY = 1.0
"""How far flanks of missing teeth are behind their position [m]."""


@dataclass(frozen=True, eq=False)
class FlankSide:
    """The flanks that touch while A drives in one direction.

    Attributes
    ----------
    gaps : StripGaps
        Of rigid flanks, over the way of a tooth pair.
    at_a, at_b, face_b : (phases, strips)
        Where the strips touch, counted in hats: along the profile of A and B, along the face of B.
    face_a : (phases, strips), or None
        The same along the face of A; None: strip j is face line j.
    compliance_a, compliance_b : (offsets, hats, hats), of a gear without symmetry (teeth, offsets, hats, hats)
        [m/N] What the modes in motion leave of the static compliance, less the half-space under the hats of a flank, for
        which the local contact of strips is located.
    traces_a, traces_b : (modes, hats), of a gear without symmetry (modes, teeth, hats)
        Of the modes in motion.
    """

    gaps: StripGaps
    at_a: FloatArray
    at_b: FloatArray
    face_b: FloatArray
    compliance_a: FloatArray
    compliance_b: FloatArray
    traces_a: ComplexArray
    traces_b: ComplexArray
    face_a: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class FlankData:
    """Two elastic gears in mesh.

    Attributes
    ----------
    a, b : ElasticGear
    drive, coast : FlankSide
        The left flanks of A, on which it drives turning positively, and the right ones.
    modes_a, modes_b : (modes,)
        Which modes of a and b are in motion.
    widths : (strips,)
        Of the strips along the line of contact [m].
    sense : int
        How the number of the tooth of B goes with that of A: −1 for external pairs, 1 for internal ones.
    """

    a: ElasticGear
    b: ElasticGear
    drive: FlankSide
    coast: FlankSide
    modes_a: npt.NDArray[np.int64]
    modes_b: npt.NDArray[np.int64]
    widths: FloatArray
    sense: int


def flank_data(
    a: ElasticGear, b: ElasticGear, pose: Placement, *, up_to: float = 0.0, more_play: float = 0.0, per_pitch: int = 96
) -> FlankData:
    """Gaps, residual compliances and traces of a pair, with the modes below a frequency [Hz] in motion.

    pose: of gear B in the axes of A, tooth 0 of A in the middle of a space of B. more_play: how much more B can turn to either
    side than in the shape of the teeth [rad].
    """
    modes_a, modes_b = (np.flatnonzero(gear.frequencies < up_to) for gear in (a, b))
    zeta = a.grids["left"].zeta
    sides = {}
    for name, side in (("drive", "left"), ("coast", "right")):
        gaps = strip_gaps(a.teeth, b.teeth, pose, side=side, zeta=zeta, per_pitch=per_pitch)
        gaps = replace(gaps, play=gaps.play + more_play)
        gaps = replace(
            gaps,
            single_a=gaps.single_a | _missing(a, gaps.play.shape),
            single_b=gaps.single_b | _missing(b, gaps.play.shape),
        )
        grid_a, grid_b = a.grids[side], b.grids[gaps.side_b]
        at_a = profile_place(
            grid_a, gaps.roll_a, np.broadcast_to(np.arange(len(zeta), dtype=np.float64), gaps.roll_a.shape)
        )
        face_b = np.interp(gaps.zeta_b, grid_b.zeta, np.arange(len(grid_b.zeta), dtype=np.float64))
        sides[name] = FlankSide(
            gaps=gaps,
            at_a=at_a,
            at_b=profile_place(grid_b, gaps.roll_b, face_b),
            face_b=face_b,
            compliance_a=without_half_space(a, side, up_to),
            compliance_b=without_half_space(b, gaps.side_b, up_to),
            traces_a=a.traces[side][modes_a],
            traces_b=b.traces[gaps.side_b][modes_b],
        )
    slope = math.cos(a.teeth.left.involute.base_helix_angle)
    same = float(pose.rotation[2, 2]) > 0.0
    turning = (-1.0 if same else 1.0) * a.teeth.gear.sense * b.teeth.gear.sense
    return FlankData(a, b, sides["drive"], sides["coast"], modes_a, modes_b, _widths(zeta) / slope, int(turning))


def _missing(gear: ElasticGear, shape: tuple[int, ...]) -> dict[int, FloatArray]:
    """Deviations by which missing teeth are out of reach."""
    return {int(k): np.full(shape, -_FAR_AWAY) for k in np.flatnonzero(gear.missing_teeth)}


def half_space_scale(material: Material) -> float:
    """(1 − ν²)/(π E) [1/Pa]."""
    return (1.0 - material.poissons_ratio**2) / (math.pi * material.youngs_modulus)


def _widths(zeta: FloatArray) -> FloatArray:
    """Of strips about face lines: from middle to middle, and to the ends of the face."""
    edges = np.concatenate([zeta[:1], 0.5 * (zeta[1:] + zeta[:-1]), zeta[-1:]])
    return np.diff(edges)


def profile_place(grid: FlankGrid, lengths: FloatArray, face: FloatArray) -> FloatArray:
    """Where roll lengths lie between the hats of a grid, at face places counted in lines: hats are equally spaced in L²."""
    lines = np.arange(grid.shape[1], dtype=np.float64)
    form = np.interp(face, lines, grid.lengths[0] ** 2)
    tip = np.interp(face, lines, grid.lengths[-1] ** 2)
    place = (lengths**2 - form) / (tip - form) * (grid.shape[0] - 1)
    return np.asarray(np.clip(place, 0.0, grid.shape[0] - 1.0))


def without_half_space(gear: ElasticGear, side: str, up_to: float) -> FloatArray:
    """Compliance of the hats of a flank to those of all teeth, less that of the modes below a frequency [Hz] and of the half-space
    under the hats of one tooth."""
    found = gear.compliance[side, side].copy()
    if up_to:
        found -= gear.modal_compliance(side, side, up_to=up_to)
    middle = int(np.flatnonzero(gear.offsets == 0)[0])
    found[..., middle, :, :] -= involute_half_space(gear.grids[side], gear.teeth.flank(side).involute, gear.material)
    return np.ascontiguousarray(found)


def involute_half_space(grid: FlankGrid, flank: InvoluteFlank, material: Material) -> FloatArray:
    """Compliance of the half-space under the hats of a flank [m/N]."""
    rows, lines = grid.shape
    # the transverse profile is perpendicular to the generators, along which the lines of contact lie
    arc = float(np.mean(np.abs(grid.lengths[-1] ** 2 - grid.lengths[0] ** 2))) / (2.0 * flank.base_radius)
    along = float(np.ptp(grid.zeta)) / math.cos(flank.base_helix_angle)
    return half_space_hats(arc / (rows - 1), along / (lines - 1), grid.shape, scale=half_space_scale(material))
