"""Data of two flanks for loaded contact: slices of the face, edges, and the relative position of the gears."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.fem.surface_grid import FlankGrid
from pitchline.parts.gears.geometry.inputs import Material, angle, in_mm
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.teeth.flank import InvoluteFlank
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.units.quantity import quantity

from .strip_gaps import StripGaps, half_space_hats, strip_gaps

__all__ = [
    "EDGES",
    "INSIDE",
    "face_slices",
    "FlankData",
    "FlankSide",
    "flank_data",
    "half_space_scale",
    "involute_half_space",
    "profile_place",
    "without_half_space",
    "MeshPose",
    "mesh_pose",
]


# ---- edge names

# What marks of cells at edges mean.

EDGES = (
    "", "tip of a", "tip of b", "root of a", "root of b", "end of face", "start of relief of a", "start of relief of b"
)  # fmt: skip
"""By the number of the mark; the root is where the involute begins."""
INSIDE = ("", "end of face", "start of relief of a", "start of relief of b")
"""Edges that belong to the pattern of contact over a flank."""


# ---- face slices

# The face of a gear cut into slices, in each of which flanks touch in one strip of cells.
#
# On helical gears a contact line comes in at one end of the flank and leaves at the other, slice after slice, and a
# slice carries load as a whole or not at all. So the approach of the gears ripples with the slices: n slices in an
# axial pitch put a line at n times the mesh frequency. Slices at the face lines of finite elements, a millimetre
# wide, made it larger than true harmonics. Here slices are narrow against the axial pitch, whatever the elements; the
# load of a slice begins and ends with a kink and not with a jump, so that the ripple falls with the square of their
# number. And their number differs from one face line to the next: what would be one line is spread over many, each as
# much smaller.
#
# The contact lines of spur teeth touch all along the face at once. Their slices are those of the face lines.

_PER_AXIAL_PITCH, _PER_FACE = 80.0, 32.0
"""Slices in the axial pitch of helical teeth and over the face, at least ..."""
_SPREAD, _GOLDEN = 0.75, 0.5 * (math.sqrt(5.0) - 1.0)
"""... and up to this part more, from face line to face line in the order of the golden section."""


def face_slices(lines: FloatArray, axial_pitch: float, ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Positions ζ of the slices and their widths Δζ [m], from one end of the face to the other.

    lines: ζ of the face lines of the hats [m], ascending; axial_pitch [m], infinite for spur teeth; ends: of the part of the
    face [m] opposite to which the other gear has one. No slice of helical teeth lies across a face line.
    """
    low, high = max(float(lines[0]), ends[0]), min(float(lines[-1]), ends[1])
    if math.isinf(axial_pitch):
        between = np.concatenate([lines[:1], 0.5 * (lines[1:] + lines[:-1]), lines[-1:]])
        first, last = np.maximum(between[:-1], low), np.minimum(between[1:], high)
        at = np.where((lines >= low) & (lines <= high), lines, 0.5 * (first + last))
        kept = last > first
        return at[kept], (last - first)[kept]
    edges = np.concatenate([[low], lines[(lines > low) & (lines < high)], [high]])
    density = max(_PER_AXIAL_PITCH / axial_pitch, _PER_FACE / (high - low))
    zeta, widths = [], []
    for i, (start, stop) in enumerate(pairwise(edges)):
        from_end = min(i, len(edges) - 2 - i)  # both flanks of a tooth see the same
        wanted = density * (stop - start) * (1.0 + _SPREAD * (from_end * _GOLDEN % 1.0))
        count = max(1, math.ceil(wanted - 1e-6))
        width = (stop - start) / count
        zeta.append(start + width * (np.arange(count) + 0.5))
        widths.append(np.full(count, width))
    return np.concatenate(zeta), np.concatenate(widths)


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
    points, normals : (phases, strips, 3), or None
        Points of contact [m] and normals out of the flank of A, in the axes in which A turns; None for involutes in closed form.
    slides : (phases, strips, 3), or None
        Directions of sliding, in the same axes.
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
    points: FloatArray | None = None
    normals: FloatArray | None = None
    slides: FloatArray | None = None


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


# ---- mesh pose

# Where two gears stand for a loaded contact: centre distance, misaligned axes, offset faces; and which teeth are
# near.

_STEEPEST = 5.0
"""Degrees: misaligned axes are nearly parallel."""
_BESIDE = 0.35
"""Fraction of a base pitch around the path of contact within which teeth are examined."""


@dataclass(frozen=True, eq=False)
class MeshPose:
    """Two gears on nearly parallel axes.

    Attributes
    ----------
    pair : GearPair
        Of the aligned gears.
    placement : Placement
        Of gear B in axes in which gear A turns about z, a tooth of A in the middle of a space of B at φ_A = 0.
    play : float
        How far B can turn from there [rad] until ideal flanks touch.
    turn : (3,)
        By which gear B is tilted [rad].
    """

    pair: GearPair
    placement: Placement
    play: float
    side: str
    teeth: Teeth
    turn: FloatArray

    @cached_property
    def _alpha(self) -> float:
        return self.pair.transverse_working_pressure_angle

    @cached_property
    def _many(self) -> int:
        """Teeth to both sides of the nearest one that are looked at."""
        return 3 + math.ceil(self.pair.total_contact_ratio)

    def path_lengths(self, angle_a: float, zeta: FloatArray, teeth: IntArray) -> FloatArray:
        """L_A where ideal flanks would touch, ends of the flanks apart [m]; (teeth, slices).

        The base tangent is touched where τ + φ + 2πk/z = −c α_wt, whence L = r_b (η + α_wt + c (κζ + φ + 2πk/z)).
        """
        flank = self.teeth.flank(self.side).involute
        alpha = self._alpha
        turn = angle_a + self.teeth.gear.angular_pitch * teeth[:, None] + flank.twist * zeta
        lengths: FloatArray = flank.base_radius * (flank.base_angle + alpha + flank.curl * turn)
        return lengths

    def closing_at_pitch_point(self, face: float) -> float:
        """Amount by which the tilt closes the gap of ideal flanks at the pitch point [m], on the base circles; face: its position,
        from the middle of the face of A along its z [m].

        Gear B is turned by ω about the middle of its own face. A point of it at r from there moves by ω × r: along the line
        of action, and of helical teeth along the axis, which closes the gap by tan β_b of it.
        """
        flank = self.teeth.flank(self.side).involute
        side = 1.0 if self.side == "left" else -1.0
        point = np.array([self.pair.pitch.radius_a, 0.0, face])
        x, y, z = np.cross(self.turn, point - self.placement.position)
        along = -side * math.cos(self._alpha) * y - math.sin(self._alpha) * x
        return float(along + side * flank.twist * flank.base_radius * z)

    def near_teeth(self, angle_a: float, zeta: FloatArray) -> IntArray:
        """Numbers of the teeth of A that touch, or nearly do so, at an angle [rad] of A."""
        pitch = self.teeth.gear.angular_pitch
        middle = round(-angle_a / pitch)
        many = self._many
        numbers = middle + np.arange(-many, many + 1)
        path = self.pair.path_of_contact
        slack = _BESIDE * path.base_pitch
        L = self.path_lengths(angle_a, zeta, numbers)
        return numbers[((path.start - slack < L) & (path.end + slack > L)).any(axis=1)]

    def contact_length(self, angle_a: float, zeta: FloatArray, widths: FloatArray, teeth: IntArray) -> float:
        """Length of all contact lines of ideal gears on these teeth of A [m]; not less than that of a slice."""
        path = self.pair.path_of_contact
        L = self.path_lengths(angle_a, zeta, teeth)
        inside = (path.start <= L) & (path.end >= L)
        return float(max((inside * widths).sum(), widths.min()))


def mesh_pose(
    a: Teeth,
    b: Teeth,
    side: str,
    *,
    centre_distance: object = None,
    misalignment: object = 0.0,
    deviation: object = 0.0,
    inclination: object = 0.0,
    face_offset: object = 0.0,
    pivot: float | None = None,
) -> MeshPose:
    """See `loaded_contact` for the arguments.

    pivot: gear B is tilted about the pitch point there, from the middle of the face of A along its z [m], in place of the
    middle of its own face: then the pitch points of both gears stay together, and so does the approach that is counted there.
    """
    what = "loaded contact"
    if a.profile_shift_angle or b.profile_shift_angle:
        raise ModelError(f"{what}: conical involute gears have point contact. Specify cylindrical gears")
    if a.gear.internal:
        raise ModelError(f"{what}: specify the pinion first and the internal gear second")
    offset = quantity(face_offset, "length", what=f"{what}: face_offset")
    widths = [teeth.gear.required_face_width(what) for teeth in (a, b)]
    if abs(offset) >= 0.5 * sum(widths):
        raise ModelError(
            f"{what}: with a face_offset of {in_mm(offset)} the faces ({in_mm(widths[0])} and {in_mm(widths[1])} wide) "
            "do not overlap. Reduce face_offset"
        )
    tilts = {
        name: angle(value, f"{what}: {name}", lowest=-_STEEPEST, highest=_STEEPEST)
        for name, value in (("misalignment", misalignment), ("deviation", deviation), ("inclination", inclination))
    }
    pair = GearPair(a.gear, b.gear, centre_distance=centre_distance, what=what)
    place = pair.place(axial_shift=offset)
    play = 0.5 * pair.circumferential_backlash / pair.pitch.radius_b
    s = 1.0 if side == "left" else -1.0
    alpha = pair.transverse_working_pressure_angle
    towards = np.array([1.0, 0.0, 0.0])  # from A to the pitch point
    tangent = np.array([0.0, 1.0, 0.0])
    action = -s * math.cos(alpha) * tangent - math.sin(alpha) * towards  # out of the flank of B, towards that of A
    # a turn ω moves the axis at the height z by ω × z e_z: by a tilt times z along d, with ω = tilt e_z × d
    turn = np.zeros(3)
    for tilt, d in ((tilts["misalignment"], action), (tilts["deviation"], tangent), (tilts["inclination"], towards)):
        turn += tilt * np.array([-d[1], d[0], 0.0])
    tilted = _rotation(turn)
    position = place.position
    if pivot is not None:
        point = np.array([pair.pitch.radius_a, 0.0, pivot])
        position = point + tilted @ (position - point)
    return MeshPose(pair, Placement(position, tilted @ place.rotation), play, side, a, turn)


def _rotation(turn: FloatArray) -> FloatArray:
    """Rodrigues' formula; (3, 3)."""
    size = float(np.linalg.norm(turn))
    if size == 0.0:
        return np.eye(3)
    x, y, z = turn / size
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(size) * K + (1.0 - math.cos(size)) * K @ K)
