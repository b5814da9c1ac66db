"""From a lift law to the curve of the follower: pitch curve of a roller, support function of a flat face.

The plane of the cam is represented by complex numbers. In fixed axes, the real axis points along the guide of a translating
follower, or from the cam axis to the pivot of a swinging follower. There the roller centre is g(theta) at the cam angle theta.
In cam axes it is c = g exp(-i theta). With c = rho exp(i psi), the logarithm of c gives rho and psi with their derivatives:

    (ln c)' = rho'/rho + i psi'

A flat face whose outer normal has the angle psi in cam axes, at the distance p from the axis, touches the cam with the support
function p(psi).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError, Subject
from ..solids.rotations import Array
from .closed_curve import ClosedCurve, hermite
from .lift_law import LiftLaw

__all__ = ["FollowerLayout", "check_pitch_curve", "check_support", "pitch_curve", "support_function"]

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

    def place(self, lift: Array, rate: Array, bend: Array, roller_radius: float, what: Subject) -> tuple[Any, Any, Any]:
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

    def polar(angles: Array, lifts: Array) -> tuple[Array, Array, Array]:
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

        def read(lifts: Array) -> Array:
            return np.column_stack([layout.base_radius + lifts[:, 0], -lifts[:, 1], lifts[:, 2]])

        return hermite(turns[::-1], read(law.end)[::-1], read(law.begin)[::-1])
    d, side = layout.pivot_distance, layout.side
    sine = (layout.base_radius + layout.face_offset) / d
    if not abs(sine) < 1.0:
        raise ModelError(
            f"{what}: a face on a pivot {d:g} m from the cam axis does not reach the base circle", about=what
        )
    lowest = math.asin(sine)

    def swung(lifts: Array) -> tuple[Array, Array]:
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
