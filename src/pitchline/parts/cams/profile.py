"""CamProfile: a disc cam, defined by the lift of its follower or by its outline; pitch curves and support functions."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from .law import ClosedCurve, LiftLaw, Segment, hermite, law_of_segments, read_segments, read_table, sampled, spline_law
from .outline import pitch_of_outline, read_outline, read_points, support_of_outline

__all__ = ["FollowerLayout", "check_pitch_curve", "check_support", "pitch_curve", "support_function", "CamProfile"]


# ---- followers

# From a lift law to the curve of the follower: pitch curve of a roller, support function of a flat face.
#
# The plane of the cam is represented by complex numbers. In fixed axes, the real axis points along the guide of a
# translating follower, or from the cam axis to the pivot of a swinging follower. There the roller centre is g(theta)
# at the cam angle theta. In cam axes it is c = g exp(-i theta). With c = rho exp(i psi), the logarithm of c gives rho
# and psi with their derivatives:
#
# (ln c)' = rho'/rho + i psi'
#
# A flat face whose outer normal has the angle psi in cam axes, at the distance p from the axis, touches the cam with
# the support function p(psi).

_STEEPEST = 20.0
"""Largest slope of a pitch curve relative to the circle. For larger slopes the polar form is not possible."""


@dataclass(frozen=True)
class FollowerLayout:
    """Guide of a follower.

    base_radius: of the cam [m]. offset: of the guide of a translating follower from the cam axis [m], to the left of the motion.
    pivot_distance: from the cam axis to the pivot of a swinging follower [m]; None: translating. arm: from the pivot to the
    roller centre [m]; None: flat. face_offset: from the pivot to a flat face, towards the cam [m]. side: 1 if the roller or
    face is to the left of the line from the cam axis to the pivot, -1 to the right.
    """

    base_radius: float
    offset: float = 0.0
    pivot_distance: float | None = None
    arm: float | None = None
    face_offset: float = 0.0
    side: int = 1

    def lowest_angle(self, roller_radius: float, what: Subject) -> float:
        """Angle at the pivot between the arm and the cam axis, with the roller on the base circle [rad]."""
        assert self.pivot_distance is not None and self.arm is not None
        d, a, r = self.pivot_distance, self.arm, self.base_radius + roller_radius
        cosine = (d * d + a * a - r * r) / (2.0 * d * a)
        if abs(cosine) >= 1.0:
            raise ModelError(
                f"{what}: an arm of {a:g} m on a pivot {d:g} m from the cam axis does not reach the roller centre on the base "
                f"circle, {r:g} m from the axis; specify lengths that form a triangle",
                about=what,
            )
        return math.acos(cosine)

    def place(
        self, lift: FloatArray, rate: FloatArray, bend: FloatArray, roller_radius: float, what: Subject
    ) -> tuple[Any, Any, Any]:
        """Roller centre in fixed axes at a lift, and its two derivatives with respect to the cam angle."""
        if self.pivot_distance is None:
            r = self.base_radius + roller_radius
            if abs(self.offset) >= r:
                raise ModelError(
                    f"{what}: the offset of {self.offset:g} m must be smaller than base radius + roller radius, {r:g} m",
                    about=what,
                )
            start = math.sqrt(r * r - self.offset**2)
            return start + lift + 1j * self.offset, rate + 0j, bend + 0j
        assert self.arm is not None
        i = 1j * self.side
        turn = self.arm * np.exp(-i * (self.lowest_angle(roller_radius, what) + lift))
        return self.pivot_distance - turn, i * turn * rate, i * turn * bend + turn * rate**2

    def follower_angle(self, lift: object, roller_radius: float | None) -> float:
        """Angle of the roller centre, or of the normal of a flat face (None), in fixed axes at a lift [rad]."""
        what = Subject("cam")
        if roller_radius is not None:
            here = np.asarray(lift, float)
            return float(np.angle(self.place(here, 0.0 * here, 0.0 * here, roller_radius, what)[0]))
        if self.pivot_distance is None:
            return 0.0
        lowest = math.asin((self.base_radius + self.face_offset) / self.pivot_distance)
        return self.side * (0.5 * math.pi - lowest - float(np.asarray(lift)))

    def motion_direction(self, distance: float) -> float:
        """Angle from the line between the cam axis and the roller centre, at this distance, to the motion of the roller centre
        with increasing lift [rad]."""
        if self.pivot_distance is None:
            return -math.asin(min(max(self.offset / distance, -1.0), 1.0))
        assert self.arm is not None
        d, a = self.pivot_distance, self.arm
        beta = math.acos(min(max((d * d + a * a - distance**2) / (2.0 * d * a), -1.0), 1.0))
        i = 1j * self.side
        turn = a * np.exp(-i * beta)
        return float(np.angle(i * turn / (d - turn)))


def pitch_curve(law: LiftLaw, layout: FollowerLayout, roller_radius: float, what: Subject) -> ClosedCurve:
    """rho(psi) of the roller centre in cam axes."""

    def polar(angles: FloatArray, lifts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        g, g1, g2 = layout.place(lifts[:, 0], lifts[:, 1], lifts[:, 2], roller_radius, what)
        if np.any(np.abs(g) < 1e-3 * layout.base_radius):
            raise ModelError(
                f"{what}: the lift moves the roller centre to the cam axis; check lift and base radius", about=what
            )
        first = g1 / g - 1j
        second = g2 / g - (g1 / g) ** 2
        slow = -first.imag <= np.abs(first.real) / _STEEPEST
        if np.any(slow):
            at = math.degrees(angles[int(np.flatnonzero(slow)[0])])
            raise ModelError(
                f"{what}: the pitch curve turns back or is nearly radial at {at:.4g} deg (it is not star-shaped), so "
                "that the follower "
                "would jam; specify a larger base radius, a smaller lift or a longer rise",
                about=what,
            )
        slope = first.real / first.imag
        bend = (second.real * first.imag - first.real * second.imag) / first.imag**2
        r = np.abs(g)
        return np.angle(g), r, np.column_stack([r, r * slope, r * (slope**2 + bend / first.imag)])

    lift = hermite(law.angles, law.begin, law.end)
    inside = lift.samples
    polar(inside, np.column_stack([lift(inside, k) for k in range(3)]))
    start, _, begin = polar(law.angles[:-1], law.begin)
    last, _, end = polar(law.angles[1:], law.end)
    turns = np.unwrap(np.append(start, last[-1])) - law.angles
    if not np.all(np.diff(turns) < 0.0):
        raise ModelError(
            f"{what}: the pitch curve turns back (it is not star-shaped); specify a larger base radius or a smaller "
            "lift",
            about=what,
        )
    return hermite(
        turns[::-1], end[::-1], begin[::-1]
    )  # when the cam rotates forwards, its angles pass the follower backwards


def support_function(law: LiftLaw, layout: FollowerLayout, what: Subject) -> ClosedCurve:
    """p(psi) of a cam with a flat follower."""
    if layout.pivot_distance is None:
        turns = -law.angles

        def read(lifts: FloatArray) -> FloatArray:
            return np.column_stack([layout.base_radius + lifts[:, 0], -lifts[:, 1], lifts[:, 2]])

        return hermite(turns[::-1], read(law.end)[::-1], read(law.begin)[::-1])
    d, side = layout.pivot_distance, layout.side
    sine = (layout.base_radius + layout.face_offset) / d
    if not abs(sine) < 1.0:
        raise ModelError(
            f"{what}: a face on a pivot {d:g} m from the cam axis does not reach the base circle", about=what
        )
    lowest = math.asin(sine)

    def swung(lifts: FloatArray) -> tuple[FloatArray, FloatArray]:
        beta, rate, bend = lowest + lifts[:, 0], lifts[:, 1], lifts[:, 2]
        p1, p2 = d * np.cos(beta) * rate, d * (np.cos(beta) * bend - np.sin(beta) * rate**2)
        t1, t2 = -side * rate - 1.0, -side * bend
        if np.any(t1 >= -1.0 / _STEEPEST):
            raise ModelError(
                f"{what}: the face rotates as fast as the cam; specify a smaller swing angle or a longer rise",
                about=what,
            )
        p = d * np.sin(beta) - layout.face_offset
        return side * (0.5 * math.pi - beta), np.column_stack([p, p1 / t1, (p2 * t1 - p1 * t2) / t1**3])

    start, begin = swung(law.begin)
    last, end = swung(law.end)
    turns = np.append(start, last[-1]) - law.angles
    return hermite(turns[::-1], end[::-1], begin[::-1])


def check_pitch_curve(curve: ClosedCurve, roller_radius: float, both_sides: bool, what: Subject) -> None:
    """Check for undercut: the roller must be smaller than the smallest convex radius of the pitch curve; in a groove also than
    the smallest concave radius."""
    at = curve.samples
    r, r1, r2 = (curve(at, k) for k in range(3))
    bend = (r**2 + 2.0 * r1**2 - r * r2) / (r**2 + r1**2) ** 1.5
    for sign, word in ((1.0, "convex"), (-1.0, "concave")):
        if sign < 0.0 and not both_sides:
            continue
        worst = int(np.argmax(sign * bend))
        sharpest = sign * bend[worst]
        if sharpest * roller_radius >= 1.0:
            angle = math.degrees(at[worst]) % 360.0
            raise ModelError(
                f"{what}: undercut: a roller of radius {1e3 * roller_radius:.4g} mm does not fit the smallest {word} radius of its "
                f"path, {1e3 / sharpest:.4g} mm, at {angle:.4g} deg in cam axes; specify a smaller roller, a larger base radius or "
                "a longer rise",
                about=what,
            )


def check_support(curve: ClosedCurve, what: Subject) -> None:
    """Check that the cam is convex, because a flat face touches only a convex cam: p + p'' > 0."""
    at = curve.samples
    radius = curve(at) + curve(at, 2)
    worst = int(np.argmin(radius))
    if radius[worst] <= 0.0:
        raise ModelError(
            f"{what}: a flat follower needs a convex cam, but its radius would be {1e3 * radius[worst]:.4g} mm at "
            f"{math.degrees(at[worst]) % 360.0:.4g} deg in cam axes; increase the base radius by more than "
            f"{-1e3 * radius[worst]:.4g} mm, or the length of the rise",
            about=what,
        )


_WHAT = Subject("cam profile")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CamProfile:
    """Disc cam. `from_lift`, `from_lift_table`, `from_points` and `from_csv` make it.

    Attributes
    ----------
    layout : FollowerLayout | None
        Guide of the follower, if the cam is defined by a lift.
    segments : tuple
        Segments of the lift: law, angle [rad], lift at the end ([m], or [rad] of a swinging follower).
    angles, lifts : (n,)
        Table of the lift: cam angles [rad], lifts [m] or [rad].
    points : (n, 2)
        Outline [m], in cam axes.
    """

    units: ClassVar[Mapping[str, str]] = {
        "base_radius": "m", "offset": "m", "pivot_distance": "m", "arm": "m", "face_offset": "m", "angles": "rad", "points": "m",
    }  # fmt: skip
    layout: FollowerLayout | None = None
    segments: tuple[Segment, ...] = ()
    angles: FloatArray | None = None
    lifts: FloatArray | None = None
    points: FloatArray | None = None

    @cached_property
    def _law(self) -> LiftLaw | None:
        """Lift in pieces. None for an outline."""
        if self.segments:
            return law_of_segments(self.segments)
        if self.angles is None or self.lifts is None:
            return None
        return spline_law(self.angles - self.angles[0], self.lifts, float(self.angles[0]))

    def __repr__(self) -> str:
        return f"CamProfile({self.words})"

    @classmethod
    def from_lift(
        cls,
        segments: Sequence[Any] | Callable[[float], float],
        *,
        base_radius: object,
        offset: object = 0.0,
        pivot_distance: object = None,
        arm: object = None,
        face_offset: object = 0.0,
        side: Literal["left", "right"] = "left",
    ) -> CamProfile:
        """Make a cam that gives its follower a specified lift when it rotates forwards about z of its frame.

        Parameters
        ----------
        segments
            Segments of a revolution. Each is a law, its angle and the lift at its end: [("cycloidal", "90 deg", "12 mm"),
            ("dwell", "60 deg"), ("cycloidal", "120 deg", 0), ("dwell", "90 deg")]. Laws: dwell, linear, parabolic, harmonic,
            cycloidal, modified_sine, modified_trapezoid, polynomial_345, polynomial_4567. In Python also a function of the
            angle [rad], which is sampled at every degree. Lifts are in m; lifts of a swinging follower are angles in rad.
        base_radius
            Radius of the cam at zero lift [m].
        offset
            Translating roller: distance of its guide from the cam axis, positive to the left of the motion [m]. Default 0.
        pivot_distance
            Swinging follower: distance of its pivot from the cam axis [m]. Default None: translating follower.
        arm
            Swinging roller: distance of its centre from the pivot [m].
        face_offset
            Swinging flat face: distance from the pivot, positive towards the cam [m]. Default 0.
        side
            Swinging follower: its side of the line from the cam axis to the pivot, "left" (default) or "right".
        """
        layout = _read_layout(base_radius, offset, pivot_distance, arm, face_offset, side)
        unit = "length" if layout.pivot_distance is None else "angle"
        if callable(segments):
            angles, lifts = sampled(segments, "m" if unit == "length" else "rad", _WHAT.at("segments"))
            return cls(layout=layout, angles=angles, lifts=lifts)
        read = read_segments(segments, unit, _WHAT / "segments")
        return cls(layout=layout, segments=read)

    @classmethod
    def from_lift_table(
        cls,
        angles: Sequence[Any],
        lifts: Sequence[Any],
        *,
        base_radius: object,
        offset: object = 0.0,
        pivot_distance: object = None,
        arm: object = None,
        face_offset: object = 0.0,
        side: Literal["left", "right"] = "left",
    ) -> CamProfile:
        """Make a cam from a table of the lift, with a closed cubic spline.

        Parameters
        ----------
        angles
            Cam angles over a revolution [rad].
        lifts
            Lift at each angle [m]; of a swinging follower [rad].
        base_radius
            Radius of the cam at zero lift [m].
        offset
            Translating roller: distance of its guide from the cam axis, positive to the left of the motion [m]. Default 0.
        pivot_distance
            Swinging follower: distance of its pivot from the cam axis [m]. Default None: translating follower.
        arm
            Swinging roller: distance of its centre from the pivot [m].
        face_offset
            Swinging flat face: distance from the pivot, positive towards the cam [m]. Default 0.
        side
            Swinging follower: its side of the line from the cam axis to the pivot, "left" (default) or "right".
        """
        layout = _read_layout(base_radius, offset, pivot_distance, arm, face_offset, side)
        unit = "length" if layout.pivot_distance is None else "angle"
        at, heights = read_table(angles, lifts, unit, _WHAT)
        return cls(layout=layout, angles=at, lifts=heights)

    @classmethod
    def from_points(cls, points: Sequence[Any]) -> CamProfile:
        """Make a cam from points of its outline, with a closed spline.

        Parameters
        ----------
        points
            Points (x, y) in cam axes, in order around the axis [m].
        """
        return cls(points=read_outline(points, _WHAT / "points"))

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], *, length_unit: str = "mm") -> CamProfile:
        """Make a cam from a text file with points of its outline.

        Parameters
        ----------
        path
            File with two columns, x and y.
        length_unit
            Unit of the numbers. Default "mm".
        """
        return cls(points=read_outline(read_points(path, length_unit, _WHAT.at("path")), _WHAT.at("path")))

    def pitch_curve(self, roller_radius: object, *, groove: bool = False, what: str = "cam profile") -> ClosedCurve:
        """Distance of the roller centre from the axis over its angle in cam axes [m]. ModelError if the roller does not fit.

        Parameters
        ----------
        roller_radius
            Radius of the roller [m].
        groove
            Whether the roller must fit on both sides of its path. Default False.
        what
            Name of the profile in messages.
        """
        subject = Subject(what)
        radius = quantity(roller_radius, "length", what=subject / "roller_radius")
        if radius < 0.0:
            raise ModelError(
                f"{subject}: the roller radius must not be negative, got {shown(roller_radius)}", about=subject
            )
        if self.points is not None:
            curve = pitch_of_outline(self.points, radius, subject)
        else:
            assert self.layout is not None and self._law is not None
            if self.layout.pivot_distance is not None and self.layout.arm is None:
                raise ModelError(
                    f"{subject}: a swinging roller needs arm, the distance of its centre from the pivot", about=subject
                )
            curve = pitch_curve(self._law, self.layout, radius, subject)
        check_pitch_curve(curve, radius, groove, subject)
        return curve

    def support_function(self, *, what: str = "cam profile") -> ClosedCurve:
        """Distance of a flat face from the axis over the angle of its normal in cam axes [m]. ModelError if the cam is concave.

        Parameters
        ----------
        what
            Name of the profile in messages.
        """
        subject = Subject(what)
        if self.points is not None:
            curve = support_of_outline(self.points, subject)
        else:
            assert self.layout is not None and self._law is not None
            if self.layout.arm is not None:
                raise ModelError(f"{subject}: arm is for rollers; a swinging flat face has face_offset", about=subject)
            if self.layout.offset:
                raise ModelError(
                    f"{subject}: offset is for rollers; the position of its guide does not change the lift of a flat "
                    "face",
                    about=subject,
                )
            curve = support_function(self._law, self.layout, subject)
        check_support(curve, subject)
        return curve

    def lift(self, angle: object, derivative: int = 0) -> FloatArray:
        """Lift at cam angles, or a derivative with respect to the angle; [m], of a swinging follower [rad].

        Parameters
        ----------
        angle
            Cam angle or angles [rad].
        derivative
            Order of the derivative. Default 0.
        """
        if self._law is None:
            raise ModelError(
                "cam profile: the lift of an outline depends on its follower; run kinematics with its follower",
                about=_WHAT,
            )
        return hermite(self._law.angles, self._law.begin, self._law.end)(np.asarray(angle, dtype=float), derivative)

    def outline(self, roller_radius: object = None, *, points: int = 720) -> FloatArray:
        """Points (n, 2) of the outline of the cam in cam axes [m].

        Parameters
        ----------
        roller_radius
            Radius of its roller [m]. Default None: flat follower.
        points
            Number of points. Default 720.
        """
        at = np.linspace(0.0, 2.0 * math.pi, points, endpoint=False)
        turn = np.exp(1j * at)
        if roller_radius is None:
            p = self.support_function()
            z = (p(at) + 1j * p(at, 1)) * turn
        else:
            rho = self.pitch_curve(roller_radius)
            d = (rho(at, 1) + 1j * rho(at)) * turn
            z = rho(at) * turn + 1j * quantity(roller_radius, "length", what=_WHAT / "roller_radius") * d / np.abs(d)
        return np.column_stack([z.real, z.imag])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the lift."""
        if self._law is None:
            return ()
        unit = "mm/rad" if self.layout is None or self.layout.pivot_distance is None else "mrad/rad"
        return tuple(
            f"the velocity of the follower jumps by {1e3 * jump:.4g} {unit} at {math.degrees(angle) % 360.0:.6g} deg: a real cam "
            "has an impact there; use a law that starts and ends at rest, such as cycloidal"
            for angle, jump in self._law.jumps
        )

    @property
    def said(self) -> tuple[str, dict[str, Any]]:
        """Kind and arguments in model files."""
        if self.points is not None:
            return "points", {"points": self.points.tolist()}
        assert self.layout is not None
        given: dict[str, Any] = {"base_radius": self.layout.base_radius}
        given |= {
            key: value
            for key, value in (
                ("offset", self.layout.offset), ("pivot_distance", self.layout.pivot_distance), ("arm", self.layout.arm),
                ("face_offset", self.layout.face_offset), ("side", "right" if self.layout.side < 0 else None),
            )
            if value
        }  # fmt: skip
        unit = "m" if self.layout.pivot_distance is None else "rad"
        if self.segments:
            rows = [
                [law, f"{angle!r} rad"] if law == "dwell" else [law, f"{angle!r} rad", f"{lift!r} {unit}"]
                for law, angle, lift in self.segments
            ]
            return "lift", {"segments": rows} | given
        assert self.angles is not None and self.lifts is not None
        return "lift_table", {
            "angles": self.angles,
            "lifts": [f"{lift!r} {unit}" for lift in self.lifts.tolist()],
        } | given

    @property
    def words(self) -> str:
        """Description in one line."""
        if self.points is not None:
            return f"outline of {len(self.points)} points"
        assert self.layout is not None
        how = (
            "swinging" if self.layout.pivot_distance is not None else "offset" if self.layout.offset else "translating"
        )
        what = (
            " ".join(law for law, _, _ in self.segments)
            or f"lift at {0 if self.angles is None else len(self.angles)} angles"
        )
        return f"{what}, base radius {1e3 * self.layout.base_radius:g} mm, {how} follower"


def _read_layout(
    base_radius: object, offset: object, pivot_distance: object, arm: object, face_offset: object, side: object
) -> FollowerLayout:
    base = quantity(base_radius, "length", what=_WHAT / "base_radius")
    if not base > 0.0:
        raise ModelError(
            f"{_WHAT}: base_radius must be positive, got {shown(base_radius)}", about=_WHAT.at("base_radius")
        )
    if side not in ("left", "right"):
        raise ModelError(f'{_WHAT}: side must be "left" or "right", got {shown(side)}', about=_WHAT.at("side"))
    lengths = {}
    for key, value in (("pivot_distance", pivot_distance), ("arm", arm)):
        lengths[key] = None if value is None else quantity(value, "length", what=_WHAT / key)
        if value is not None and not lengths[key] > 0.0:  # type: ignore[operator]
            raise ModelError(f"{_WHAT}: {key} must be positive, got {shown(value)}", about=_WHAT.at(key))
    e = quantity(offset, "length", what=_WHAT / "offset")
    f = quantity(face_offset, "length", what=_WHAT / "face_offset")
    if lengths["pivot_distance"] is None and (lengths["arm"] is not None or f):
        raise ModelError(
            f"{_WHAT}: arm and face_offset are for swinging followers; specify pivot_distance as well", about=_WHAT
        )
    if lengths["pivot_distance"] is not None and e:
        raise ModelError(f"{_WHAT}: offset is for translating followers; omit it, or omit pivot_distance", about=_WHAT)
    return FollowerLayout(base, e, lengths["pivot_distance"], lengths["arm"], f, 1 if side == "left" else -1)
