"""CamProfile: a disc cam, defined by the lift of its follower or by its outline."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.rotations import Array
from ..units import quantity
from .closed_curve import ClosedCurve, hermite
from .followers import FollowerLayout, check_pitch_curve, check_support, pitch_curve, support_function
from .lift_law import LiftLaw, Segment, law_of_segments, read_segments, read_table, sampled, spline_law
from .outline import pitch_of_outline, read_outline, read_points, support_of_outline

__all__ = ["CamProfile"]

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
    angles: Array | None = None
    lifts: Array | None = None
    points: Array | None = None

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

    def lift(self, angle: object, derivative: int = 0) -> Array:
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

    def outline(self, roller_radius: object = None, *, points: int = 720) -> Array:
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
