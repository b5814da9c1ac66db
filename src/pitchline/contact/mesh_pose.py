"""Where two gears stand for a loaded contact: centre distance, misaligned axes, offset faces; and which teeth are near."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..errors import ModelError
from ..gears.inputs import angle, in_mm
from ..gears.pair import GearPair
from ..gears.placement import Placement
from ..gears.teeth import Teeth
from ..units import quantity

__all__ = ["MeshPose", "mesh_pose"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

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
