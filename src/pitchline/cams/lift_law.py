"""Lift of a follower over one revolution of its cam, in pieces with exact end values and one-sided derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import ModelError, Subject, near_names, shown
from ..solids.rotations import Array
from ..units import array, quantity
from .motion_laws import MOTION_LAWS

__all__ = ["LiftLaw", "Segment", "law_of_segments", "read_segments", "read_table", "sampled", "spline_law"]

TURN = 2.0 * math.pi
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

    angles: Array
    """Ends of pieces [rad], (n + 1,)."""
    begin: Array
    """h, h', h'' at the start of each piece, (n, 3), one-sided."""
    end: Array
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


def _divided(width: float, joints: tuple[float, ...]) -> Array:
    """Ends of the pieces of a segment, from 0 to 1, including all joints of its law."""
    pieces = max(_FEWEST, math.ceil(width / _WIDEST))
    parts = [
        np.linspace(a, b, max(1, round(pieces * (b - a))), endpoint=False) for a, b in pairwise((0.0, *joints, 1.0))
    ]
    return np.append(np.concatenate(parts), 1.0)


def read_table(angles: object, lifts: object, unit: str, what: Subject) -> tuple[Array, Array]:
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


def spline_law(angles: Array, lifts: Array, first: float = 0.0) -> LiftLaw:
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


def sampled(law: Callable[[float], Any], unit: str, what: Subject) -> tuple[Array, Array]:
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
