"""Motion laws of a follower, curves through points, and the lift over one revolution of a cam."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.units.quantity import array, quantity

__all__ = [
    "ClosedCurve",
    "curve_through",
    "hermite",
    "MOTION_LAWS",
    "MotionLaw",
    "LiftLaw",
    "Segment",
    "law_of_segments",
    "read_segments",
    "read_table",
    "sampled",
    "spline_law",
    "cam_turn",
    "mounted",
    "mounting_problems",
    "unknown_direction",
]


# ---- closed curve

# Periodic function of an angle with pieces of degree five: radius of a pitch curve, or support function of a profile.

TURN = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class ClosedCurve:
    """f(angle) = sum_k coefficients[i, k] (angle - knots[i])^k in piece i."""

    knots: FloatArray
    """Starts of the pieces [rad], increasing over less than a revolution, (n,)."""
    coefficients: FloatArray
    """(n, 6)."""

    def __call__(self, angle: object, derivative: int = 0) -> FloatArray:
        """Value or derivative at angles. A complex angle belongs to the piece of its real part."""
        at = np.asarray(angle)
        turned = at - TURN * np.floor((at.real - self.knots[0]) / TURN)
        i = np.clip(np.searchsorted(self.knots, turned.real, side="right") - 1, 0, len(self.knots) - 1)
        x = turned - self.knots[i]
        total = np.zeros_like(x)
        for k in range(5, derivative - 1, -1):
            total = total * x + math.perm(k, derivative) * self.coefficients[i, k]
        return total

    @property
    def samples(self) -> FloatArray:
        """Angles for checks: eight in every piece, and close to its ends."""
        widths = np.diff(np.append(self.knots, self.knots[0] + TURN))
        inside = np.concatenate([[1e-9], np.linspace(0.0, 1.0, 8, endpoint=False)[1:], [1.0 - 1e-9]])
        return (self.knots[:, None] + widths[:, None] * inside).ravel()

    @property
    def table(self) -> FloatArray:
        """Knots and coefficients in one matrix, (n, 7), for compiled functions."""
        return np.column_stack([self.knots, self.coefficients])

    def turned(self, angle: float) -> ClosedCurve:
        """Return the same function, rotated forwards by an angle [rad]."""
        return ClosedCurve(self.knots + angle, self.coefficients)


def hermite(knots: FloatArray, begin: FloatArray, end: FloatArray) -> ClosedCurve:
    """Make pieces from the value and two derivatives at both ends. knots: (n + 1,), over a revolution; begin, end: (n, 3)."""
    h = np.diff(knots)
    f0, d0, a0 = begin[:, 0], begin[:, 1] * h, begin[:, 2] * h**2
    f1, d1, a1 = end[:, 0], end[:, 1] * h, end[:, 2] * h**2
    rest = f1 - f0 - d0 - 0.5 * a0
    slope = d1 - d0 - a0
    bend = a1 - a0
    c = [
        f0,
        d0,
        0.5 * a0,
        10 * rest - 4 * slope + 0.5 * bend,
        -15 * rest + 7 * slope - bend,
        6 * rest - 3 * slope + 0.5 * bend,
    ]
    return ClosedCurve(knots[:-1], np.column_stack([value / h**k for k, value in enumerate(c)]))


def curve_through(angles: FloatArray, values: FloatArray) -> ClosedCurve:
    """Closed cubic spline through values at increasing angles over less than a revolution."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    spline = CubicSpline(np.append(angles, angles[0] + TURN), np.append(values, values[0]), bc_type="periodic")
    c = spline.c[::-1].T
    return ClosedCurve(np.asarray(angles), np.column_stack([c, np.zeros((len(angles), 2))]))


# ---- motion laws

# Motion laws of cams: relative lift s over relative angle x, both from 0 to 1, with two derivatives.
#
# A law may consist of regions that meet at inner angles. `at` selects the region, so that derivatives at such an
# angle can be one-sided. Sources: R. L. Norton, *Cam Design and Manufacturing Handbook*; VDI 2143. They also contain
# the largest velocities and accelerations for the tests.

Motion = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


@dataclass(frozen=True)
class MotionLaw:
    """One law: its function (x, at) -> s, s', s'', and the inner angles at which its regions meet."""

    motion: Motion
    joints: tuple[float, ...] = ()


def _polynomial(*coefficients: float) -> MotionLaw:
    s = np.polynomial.Polynomial(coefficients)
    return MotionLaw(lambda x, at: (s(x), s.deriv()(x), s.deriv(2)(x)))


def _mirrored(half: Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray, FloatArray]]) -> Motion:
    """Law whose second half is the reversed first half: s(1 - x) = 1 - s(x)."""

    def motion(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        late = at > 0.5
        s, v, a = half(np.where(late, 1.0 - x, x), np.where(late, 1.0 - at, at))
        return np.where(late, 1.0 - s, s), v, np.where(late, -a, a)

    return motion


def _parabolic(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    return 2.0 * x**2, 4.0 * x, np.full_like(x, 4.0)


def _harmonic(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    p = math.pi
    return 0.5 * (1.0 - np.cos(p * x)), 0.5 * p * np.sin(p * x), 0.5 * p**2 * np.cos(p * x)


def _cycloidal(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    p = 2.0 * math.pi
    return x - np.sin(p * x) / p, 1.0 - np.cos(p * x), p * np.sin(p * x)


def _modified_sine(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """First half: a sine with the period 1/2 up to 1/8, then one with the period 3/2."""
    p, scale = math.pi, 1.0 / (4.0 + math.pi)
    early = at < 0.125
    slow = p / 3.0 * (1.0 + 4.0 * x)
    s = np.where(early, p * x - 0.25 * np.sin(4 * p * x), 2.0 + p * x - 2.25 * np.sin(slow))
    v = np.where(early, p * (1.0 - np.cos(4 * p * x)), p * (1.0 - 3.0 * np.cos(slow)))
    a = 4.0 * p**2 * np.where(early, np.sin(4 * p * x), np.sin(slow))
    return scale * s, scale * v, scale * a


def _modified_trapezoid(x: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """First half: acceleration as a quarter sine, constant from 1/8 to 3/8, then a quarter cosine."""
    p = 4.0 * math.pi
    peak = 8.0 * math.pi / (2.0 + math.pi)
    rise, late = at < 0.125, at > 0.375
    x1, x2 = x - 0.125, x - 0.375
    s1 = (0.125 - 1.0 / p) / p
    v2 = 1.0 / p + 0.25
    s2 = s1 + 0.25 / p + 0.5 * 0.25**2
    s = np.where(rise, (x - np.sin(p * x) / p) / p, s1 + x1 / p + 0.5 * x1**2)
    v = np.where(rise, (1.0 - np.cos(p * x)) / p, 1.0 / p + x1)
    a = np.where(rise, np.sin(p * x), 1.0)
    s = np.where(late, s2 + v2 * x2 + (1.0 - np.cos(p * x2)) / p**2, s)
    v = np.where(late, v2 + np.sin(p * x2) / p, v)
    a = np.where(late, np.cos(p * x2), a)
    return peak * s, peak * v, peak * a


MOTION_LAWS: dict[str, MotionLaw] = {
    "linear": _polynomial(0.0, 1.0),
    "parabolic": MotionLaw(_mirrored(_parabolic), (0.5,)),
    "harmonic": MotionLaw(_harmonic),
    "cycloidal": MotionLaw(_cycloidal),
    "modified_sine": MotionLaw(_mirrored(_modified_sine), (0.125, 0.875)),
    "modified_trapezoid": MotionLaw(_mirrored(_modified_trapezoid), (0.125, 0.375, 0.625, 0.875)),
    "polynomial_345": _polynomial(0.0, 0.0, 0.0, 10.0, -15.0, 6.0),
    "polynomial_4567": _polynomial(0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0),
}
"""Laws by name."""


_WIDEST = math.radians(1.0)
_FEWEST = 36
"""Minimum number of pieces of a rise or fall, and limit of their width. The error of pieces of degree five is then below 1e-9."""
_CLOSED = 1e-9
"""[rad], and relative to the largest lift: tolerance for a closed law."""

_EXAMPLE = '("cycloidal", "90 deg", "12 mm")'

Segment = tuple[str, float, float]
"""Law, angle [rad] and lift at its end ([m], or [rad] of a swinging follower)."""


@dataclass(frozen=True, eq=False)
class LiftLaw:
    """Pieces of the lift h over the angle of the cam, from 0 to one revolution."""

    angles: FloatArray
    """Ends of pieces [rad], (n + 1,)."""
    begin: FloatArray
    """h, h', h'' at the start of each piece, (n, 3), one-sided."""
    end: FloatArray
    """The same at the end of each piece."""

    @property
    def jumps(self) -> list[tuple[float, float]]:
        """Angles at which the velocity jumps, with the magnitude of the jump [lift/rad]."""
        steps = np.roll(self.begin[:, 1], -1) - self.end[:, 1]
        size = max(float(np.abs(self.begin[:, 1]).max()), float(np.abs(self.end[:, 1]).max()))
        return [(float(self.angles[i + 1]), float(steps[i])) for i in np.flatnonzero(np.abs(steps) > 1e-6 * size)]


def read_segments(value: object, unit: str, what: Subject) -> tuple[Segment, ...]:
    """Read segments: ("cycloidal", "90 deg", "12 mm") to a lift, ("dwell", "60 deg")."""
    if not isinstance(value, (list, tuple)) or not value:
        raise ModelError(
            f'{what}: expected segments such as [("cycloidal", "90 deg", "12 mm"), ("dwell", "60 deg"), ...], got {shown(value)}',
            about=what,
        )
    found: list[Segment] = []
    lift: float | None = None
    for i, item in enumerate(value):
        one = what / i
        if not isinstance(item, (list, tuple)) or not item or not isinstance(item[0], str):
            raise ModelError(
                f"{one}: expected a law, an angle and a lift, such as {_EXAMPLE}, got {shown(item)}", about=one
            )
        law = item[0]
        if law != "dwell" and law not in MOTION_LAWS:
            raise ModelError(f"{one}: unknown law {shown(law)}; {near_names(law, ['dwell', *MOTION_LAWS])}", about=one)
        if law == "dwell" and len(item) != 2:
            raise ModelError(
                f'{one}: a dwell has only an angle, ("dwell", "60 deg"); the lift does not change', about=one
            )
        if law != "dwell" and len(item) != 3:
            raise ModelError(f"{one}: {law} needs an angle and the lift at its end, such as {_EXAMPLE}", about=one)
        angle = quantity(item[1], "angle", what=one)
        if not angle > 0.0:
            raise ModelError(f"{one}: the angle must be positive, got {shown(item[1])}", about=one)
        if law != "dwell":
            lift = quantity(item[2], unit, what=one)
        found.append((law, angle, math.nan if lift is None else lift))
    _check_turn(sum(angle for _, angle, _ in found), what)
    if lift is None:
        raise ModelError(f"{what}: has only dwells; specify a segment that moves the follower", about=what)
    _check_moves(found, lift, what)
    # dwells before the first motion keep the lift at the end of the revolution
    return tuple((law, angle, lift if math.isnan(end) else end) for law, angle, end in found)


def _check_moves(segments: Sequence[Segment], before: float, what: Subject) -> None:
    """Check that each law changes the lift. Otherwise the return is missing, or the cam does not move its follower."""
    for i, (law, _, lift) in enumerate(segments):
        if law != "dwell" and lift == before != 0.0:
            one = what / i
            raise ModelError(
                f"{one}: {law} begins and ends at the lift {lift:g}: the lift before the first segment is that after the last; "
                'specify the segment that moves the follower back, or use "dwell"',
                about=one,
            )
        before = before if law == "dwell" else lift


def _check_turn(total: float, what: Subject) -> None:
    if total > 4.0 * TURN:
        raise ModelError(
            f'{what}: the sum of the angles is {total:g} rad; plain numbers are radians: write degrees as "90 deg"',
            about=what,
        )
    if abs(total - TURN) > _CLOSED:
        raise ModelError(
            f"{what}: the sum of the angles is {math.degrees(total):.10g} deg, not 360 deg; a cam needs a full revolution: "
            f"{'add a dwell of' if total < TURN else 'remove'} {math.degrees(abs(TURN - total)):.10g} deg",
            about=what,
        )


def law_of_segments(segments: Sequence[Segment]) -> LiftLaw:
    """Law of segments that cover a revolution. The lift before the first is that after the last."""
    angles, begin, end = [np.zeros(1)], [], []
    start, lift = 0.0, segments[-1][2]
    for law, width, target in segments:
        if law == "dwell":
            ends = np.array([0.0, 1.0])
            first = last = np.array([[lift, 0.0, 0.0]])
        else:
            ends = _divided(width, MOTION_LAWS[law].joints)
            inside = 0.5 * (ends[1:] + ends[:-1])
            rise = target - lift
            scale = np.array([rise, rise / width, rise / width**2])
            first, last = (
                np.column_stack(MOTION_LAWS[law].motion(x, inside)) * scale + [lift, 0.0, 0.0]
                for x in (ends[:-1], ends[1:])
            )
            lift = target
        angles.append(start + width * ends[1:])
        begin.append(first)
        end.append(last)
        start += width
    whole = np.concatenate(angles)
    return LiftLaw(whole * (TURN / whole[-1]), np.concatenate(begin), np.concatenate(end))


def _divided(width: float, joints: tuple[float, ...]) -> FloatArray:
    """Ends of the pieces of a segment, from 0 to 1, including all joints of its law."""
    pieces = max(_FEWEST, math.ceil(width / _WIDEST))
    parts = [
        np.linspace(a, b, max(1, round(pieces * (b - a))), endpoint=False) for a, b in pairwise((0.0, *joints, 1.0))
    ]
    return np.append(np.concatenate(parts), 1.0)


def read_table(angles: object, lifts: object, unit: str, what: Subject) -> tuple[FloatArray, FloatArray]:
    """Read increasing angles over a revolution and the lift at each, without a repeated first point."""
    at = array(angles, "angle", what=what / "angles", at_least=4)
    heights = array(lifts, unit, what=what / "lifts", at_least=4)
    if len(at) != len(heights):
        raise ModelError(
            f"{what}: {len(at)} angles but {len(heights)} lifts; specify one lift for each angle", about=what
        )
    falls = np.flatnonzero(np.diff(at) <= 0.0)
    if falls.size:
        i = int(falls[0])
        raise ModelError(
            f"{what}: angles must increase, but {math.degrees(at[i + 1]):g} deg follows {math.degrees(at[i]):g} deg",
            about=what,
        )
    span = float(at[-1] - at[0])
    size = float(np.abs(heights).max())
    if abs(span - TURN) <= 1e-6:  # the end of the revolution is its start
        if abs(heights[-1] - heights[0]) > 1e-6 * size:
            raise ModelError(
                f"{what}: the lift is {heights[0]:g} {unit} at the start of the revolution but {heights[-1]:g} {unit} at its end; "
                "specify the same lift, because a cam is closed",
                about=what,
            )
        at, heights = at[:-1], heights[:-1]
    elif span > TURN:
        raise ModelError(
            f"{what}: the angles span {math.degrees(span):g} deg, more than a revolution; specify 0 to 360 deg",
            about=what,
        )
    elif TURN - span > 3.0 * float(np.diff(at).max()):
        raise ModelError(
            f"{what}: the angles span {math.degrees(span):g} deg, and the lift is undefined over the rest of the "
            "revolution; specify "
            "lifts over 360 deg",
            about=what,
        )
    return at, heights


def spline_law(angles: FloatArray, lifts: FloatArray, first: float = 0.0) -> LiftLaw:
    """Closed cubic spline through lifts at increasing angles from 0 to less than a revolution. `first` is added to the angles."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    knots = np.append(angles, TURN)
    spline = CubicSpline(knots, np.append(lifts, lifts[0]), bc_type="periodic")
    c, width = spline.c, np.diff(knots)
    begin = np.column_stack([c[3], c[2], 2.0 * c[1]])
    end = np.column_stack(
        [
            ((c[0] * width + c[1]) * width + c[2]) * width + c[3],
            (3.0 * c[0] * width + 2.0 * c[1]) * width + c[2],
            6.0 * c[0] * width + 2.0 * c[1],
        ]
    )
    return LiftLaw(knots + first, begin, end)


def sampled(law: Callable[[float], Any], unit: str, what: Subject) -> tuple[FloatArray, FloatArray]:
    """Sample a Python function of the angle at every degree."""
    angles = np.radians(np.arange(360.0))
    try:
        lifts = np.array([float(law(angle)) for angle in (*angles, TURN)])
    except (TypeError, ValueError, ArithmeticError) as error:
        text = f"{what}: the function failed: {error}; it must take an angle [rad] and return a number"
        raise ModelError(text, about=what) from error
    if not np.all(np.isfinite(lifts)):
        bad = int(np.flatnonzero(~np.isfinite(lifts))[0])
        raise ModelError(f"{what}: the function returns {lifts[bad]} at {bad} deg", about=what)
    if abs(lifts[-1] - lifts[0]) > _CLOSED * float(np.abs(lifts).max()):
        raise ModelError(
            f"{what}: the function returns {lifts[0]:g} {unit} at 0 but {lifts[-1]:g} {unit} at 360 deg; a cam must be closed",
            about=what,
        )
    return angles, lifts[:-1]


# ---- mounting

# Cam with its follower in the initial pose: curve and direction for the compiled functions, and checks.
#
# `values` are those of an element: profile, face, roller_radius, direction, cam_angle, and frames (position,
# rotation) a and b in the world.

_DEEPEST = 0.02
"""Largest distance between follower and cam in the initial pose, as a fraction of the distance from the cam axis."""
_PARALLEL = math.cos(math.radians(1.0))
"""Cosine of the largest angle between the cam axis and the axis of rotation of its body."""
_ACROSS = 1e-3
"""Largest component of a direction along the cam axis."""


def _curve(values: Mapping[str, Any], groove: bool, what: str) -> ClosedCurve:
    """Curve in the axes of frame a."""
    profile = values["profile"]
    if values["face"] == "flat":
        curve = profile.support_function(what=what)
    else:
        curve = profile.pitch_curve(values["roller_radius"], groove=groove, what=what)
    return curve.turned(cam_turn(values))


def cam_turn(values: Mapping[str, Any]) -> float:
    """Rotation of the axes of a profile from a lift relative to frame a, for the cam position `cam_angle`."""
    profile, flat = values["profile"], values["face"] == "flat"
    if profile.layout is None:
        return 0.0
    if flat:
        seen = values["a"][1].T @ _direction(values)
    else:
        seen = _place(values)
    follower = profile.layout.follower_angle(
        profile.lift(values["cam_angle"]), None if flat else values["roller_radius"]
    )
    return float(math.atan2(seen[1], seen[0]) - follower + values["cam_angle"])


def _place(values: Mapping[str, Any]) -> FloatArray:
    """Point of the follower in the axes of frame a."""
    (o, axes), (point, _) = values["a"], values["b"]
    return np.asarray(axes.T @ (point - o))


def unknown_direction(values: Mapping[str, Any]) -> bool:
    """Whether the direction of motion of a roller follower is defined neither by the user nor by the profile."""
    return values["direction"] is None and values["profile"].layout is None


def _direction(values: Mapping[str, Any]) -> FloatArray:
    """Direction of motion, or normal of the face, world axes in the initial pose; zero if it is not known."""
    if values["direction"] is not None:
        given = np.asarray(values["direction"], float)
        return np.asarray(given / np.linalg.norm(given))
    if unknown_direction(values):
        return np.zeros(3)
    y = _place(values)
    turn = values["profile"].layout.motion_direction(math.hypot(y[0], y[1])) + math.atan2(y[1], y[0])
    return np.asarray(values["a"][1] @ [math.cos(turn), math.sin(turn), 0.0])


def mounted(values: Mapping[str, Any], *, groove: bool) -> dict[str, Any]:
    """Data for compiled functions."""
    return {
        "curve": _curve(values, groove, "cam").table,
        "direction": values["b"][1].T @ _direction(values),  # in axes of frame b
        "roller_radius": values["roller_radius"] or 0.0,
        "width": values["width"] or 0.0,
    }


def mounting_problems(values: Mapping[str, Any], what: str, *, groove: bool) -> list[str]:
    """Errors of a cam, its follower and their positions."""
    about = [axis for axis in values["turning"]["a"] if abs(axis @ values["a"][1][:, 2]) < _PARALLEL]
    if about and len(about) == len(values["turning"]["a"]):
        return [
            f"{what}: its body rotates about {_words(about[0])}, but the cam axis, z of frame a, is {_axis(values)} in the "
            "world; specify axis, or a frame whose z is the axis of rotation"
        ]
    flat = values["face"] == "flat"
    if flat and values["roller_radius"] is not None:
        return [f'{what}: a flat face has no roller_radius; omit roller_radius, or face = "flat"']
    if not flat and values["roller_radius"] is None:
        return [f'{what}: roller_radius is missing; specify 0 for a knife edge, or face = "flat"']
    if not flat and values["width"] and values["roller_radius"] == 0.0:
        return [
            f"{what}: a knife edge (roller_radius = 0) has no Hertzian pressure; omit width, or specify the roller_radius of "
            "the edge"
        ]
    given = values["direction"]
    if given is None and flat:
        return [
            f"{what}: direction is missing: specify the normal of the flat face, away from the cam, in world axes of "
            "the initial pose"
        ]
    if given is not None:
        size = float(np.linalg.norm(given))
        if not size > 0.0:
            return [f"{what}: direction is zero; specify a direction such as (0, 1, 0)"]
        if abs(float(np.dot(given, values["a"][1][:, 2]))) > _ACROSS * size:
            return [
                f"{what}: direction must be perpendicular to the cam axis, z of frame a, which is {_axis(values)} in the "
                "world; specify a frame on the cam with its axis, or another direction"
            ]
    if values["cam_angle"] and values["profile"].layout is None:
        return [f"{what}: cam_angle is for cams from a lift; rotate an outline with the axes of the cam frame"]
    try:
        curve = _curve(values, groove, what)
    except ModelError as error:
        return [str(error)]
    y = _place(values)
    r = math.hypot(y[0], y[1])
    if flat:
        n = values["a"][1].T @ _direction(values)
        needed = float(curve(math.atan2(n[1], n[0])))
        gap = float(n @ y) - needed
        where = f"the face at {1e3 * needed:.6g} mm from the cam axis along direction"
    else:
        if r == 0.0:
            return [
                f"{what}: the roller centre is on the axis of the cam; specify at_b, the position of the roller centre"
            ]
        needed = float(curve(math.atan2(y[1], y[0])))
        gap = r - needed
        where = f"its centre at {1e3 * needed:.6g} mm from the cam axis"
    if gap < -_DEEPEST * needed or (groove and gap > _DEEPEST * needed):
        side = "inside" if gap < 0.0 else "off"
        return [
            f"{what}: the follower is {1e3 * abs(gap):.4g} mm {side} the cam in the initial pose; place {where}, "
            f"or rotate the cam (cam_angle); the cam axis, z of frame a, is {_axis(values)} in the world"
        ]
    return []


def _axis(values: Mapping[str, Any]) -> str:
    return _words(values["a"][1][:, 2])


def _words(direction: FloatArray) -> str:
    x, y, z = (float(part) + 0.0 for part in np.round(direction, 6))
    return f"({x:g}, {y:g}, {z:g})"
