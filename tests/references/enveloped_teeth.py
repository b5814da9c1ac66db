"""Teeth that mesh with given teeth: envelopes of a flank in the motion of the pair, computed numerically.

A point of flank M, carried by its gear, touches flank S where the relative velocity has no component along the normal,

    n . v = 0 ,     v = z_M x p - i z_S x (p - x_S) ,

i being the angle of S over that of M. Seen from gear S, all these points are its flank. Two ways to number them: by the points of a
flank that turns (bevel and hypoid wheels), or by the profile and the place around the axis of a screw, whose rotation is the same
as a shift along its axis (worms).
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

import pitchline as pl
from pitchline.gears import hypoid_pinion
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces import FlankPatch, surface_teeth

from .spiral_teeth import spiral_teeth

FloatArray = npt.NDArray[np.float64]
Relief = Callable[[FloatArray, FloatArray], FloatArray]
"""Material that is taken off [m], over u and v from 0 to 1."""
Surface = Callable[[FloatArray, FloatArray], FloatArray]
SIDES = ("left", "right")
WHOLE = ((0.0, 1.0), (0.0, 1.0))


def _turned(p: FloatArray, angle: npt.ArrayLike) -> FloatArray:
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * p[..., 0] - s * p[..., 1], s * p[..., 0] + c * p[..., 1], p[..., 2]], axis=-1)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...i,...i->...", a, b))


class Meshing:
    """A gear M that is given and a gear S: its pose in the axes of M, in phase, and its angle over that of M."""

    def __init__(self, pose: Placement, ratio: float) -> None:
        self.pose, self.ratio = pose, ratio

    def closing(self, p: FloatArray, n: FloatArray) -> FloatArray:
        """n . v of points in the axes of M."""
        x, z = self.pose.position, self.pose.rotation[:, 2]
        v = np.cross([0.0, 0.0, 1.0], p) - self.ratio * np.cross(z, p - x)
        return _dot(n, v)

    def seen(self, p: FloatArray, n: FloatArray, angle: FloatArray, off: FloatArray) -> FloatArray:
        """Points in the axes of S, at an angle of M, with their relief: the normal of M points into S."""
        R, x = self.pose.rotation, self.pose.position
        return _turned((p + off[..., None] * n - x) @ R, -self.ratio * angle)

    def rotating(self, patch: FlankPatch, relief: Relief) -> Surface:
        """Flank of S from a flank that turns; its points by those of M."""

        def surface(u: FloatArray, v: FloatArray) -> FloatArray:
            u, v = np.broadcast_arrays(u, v)
            p, n = patch.point(u, v), patch.normal(u, v)
            # n . v is A cos + B sin + C of the angle of M
            at = [self.closing(_turned(p, k), _turned(n, k)) for k in (0.0, 0.5 * math.pi, math.pi)]
            C = 0.5 * (at[0] + at[2])
            A, B = at[0] - C, at[1] - C
            mean, half = np.arctan2(B, A), np.arccos(-C / np.hypot(A, B))
            both = [np.angle(np.exp(1j * (mean + sign * half))) for sign in (1.0, -1.0)]
            angle = np.where(np.abs(both[0]) < np.abs(both[1]), *both)
            return self.seen(_turned(p, angle), _turned(n, angle), angle, relief(u, v))

        return surface

    def screwing(self, patch: FlankPatch, lead: float, around: tuple[float, float], relief: Relief) -> Surface:
        """Flank of S from a screw with a lead [m/rad]: by its profile, and by the angle around its axis [rad]."""

        def surface(u: FloatArray, v: FloatArray) -> FloatArray:
            u, v = np.broadcast_arrays(u, v)
            p, n = patch.point(u, 0.5), patch.normal(u, 0.5)
            own = np.arctan2(p[..., 1], p[..., 0])
            turn = around[0] + (around[1] - around[0]) * v - own
            p, n = _turned(p, turn), _turned(n, turn)
            p = p + (lead * turn)[..., None] * [0.0, 0.0, 1.0]
            # turned by an angle, the thread is shifted by -lead times the angle
            shift = np.array([0.0, 0.0, -lead])
            first = self.closing(p, n)
            angle = -first / (self.closing(p + shift, n) - first)
            return self.seen(p + angle[..., None] * shift, n, angle, relief(u, v))

        return surface


def crowned(along: float, across: float) -> Relief:
    """Relief at the ends of the face and of the profile [m]."""
    return lambda u, v: np.asarray(along * (2.0 * v - 1.0) ** 2 + across * (2.0 * u - 1.0) ** 2)


def relieved(patch: FlankPatch, relief: Relief) -> Surface:
    """A flank with relief."""
    return lambda u, v: patch.point(u, v) - relief(u, v)[..., None] * patch.normal(u, v)


def _imported(gear: pl.Gear, surfaces: Mapping[str, Surface], domain: object, play: float) -> pl.Gear:
    """The gear with these flanks, each turned into its tooth by half of the play along the pitch circle [m]."""
    turn = {side: sign * play / gear.reference_diameter for side, sign in (("left", -1.0), ("right", 1.0))}
    made = {side: lambda u, v, side=side: _turned(surfaces[side](u, v), turn[side]) for side in surfaces}
    return pl.Teeth.from_surface(gear, **made, domain=domain).gear


SIZE = {"normal_module": "2 mm", "face_width": "8 mm"}
PLAY = 40e-6
"""Of all pairs along the pitch circle [m]."""


def spiral_bevel_pair(hand: int = 1) -> pl.GearPair:
    """18 : 30 teeth at right angles, spiral angle of the pinion 30 degrees; in line contact, crowned a little."""
    cone = math.atan(18 / 30)

    def gear(teeth: int, delta: float, spiral: float, relief: Relief) -> pl.Gear:
        nominal = spiral_teeth(pl.Gear(teeth=teeth, cone_angle=delta, **SIZE), spiral * math.radians(30.0))
        surfaces = {side: relieved(nominal.flank(side), relief) for side in SIDES}
        return _imported(nominal.gear, surfaces, WHOLE, 0.5 * PLAY)

    return pl.GearPair(
        gear(18, cone, hand, crowned(8e-6, 2e-6)), gear(30, 0.5 * math.pi - cone, -hand, crowned(0.0, 0.0))
    )


def hypoid_pair(hand: int = 1) -> pl.GearPair:
    """14 : 35 teeth at right angles, offset by 8 % of the wheel; the pinion is the crowned envelope of the wheel."""
    cone = math.atan(35 / 14)
    teeth = spiral_teeth(pl.Gear(teeth=35, cone_angle=cone, **SIZE), -hand * math.radians(30.0))
    offset = 0.08 * teeth.gear.reference_diameter
    pinion = hypoid_pinion(teeth.gear, teeth=14, offset=offset, face_width="8 mm")
    nominal = pl.GearPair(teeth.gear, pinion, centre_distance=offset)
    meshing = Meshing(nominal.place(), nominal.pitch.speed_ratio)
    surfaces = {side: meshing.rotating(teeth.flank(side), crowned(8e-6, 2e-6)) for side in SIDES}
    made = _imported(pinion, surfaces, ((0.16, 0.74), (0.02, 0.98)), PLAY)
    return pl.GearPair(made, teeth.gear.with_(flanks=teeth), centre_distance=offset)


def worm_pair(hand: int = 1) -> pl.GearPair:
    """A worm of two threads, involute helicoids, and the throated wheel that is its crowned envelope; 2 : 30 teeth."""
    lead = math.atan(0.2)
    worm = pl.Gear(starts=2, normal_module="2 mm", lead_angle=hand * lead, face_width="24 mm", bore="6 mm")
    wheel = pl.Gear(teeth=30, normal_module="2 mm", helix_angle=hand * lead, face_width="7 mm", bore="40 mm")
    nominal = pl.GearPair(worm, wheel, shaft_angle="90 deg")
    meshing = Meshing(nominal.place(), nominal.pitch.speed_ratio)
    teeth = surface_teeth(worm)
    per_turn = 0.5 * worm.reference_diameter * math.tan(worm.lead_angle)
    surfaces = {side: meshing.screwing(teeth.flank(side), per_turn, (-0.3, 0.3), crowned(8e-6, 2e-6)) for side in SIDES}
    return pl.GearPair(worm, _imported(wheel, surfaces, ((0.12, 0.9), (0.0, 1.0)), PLAY), shaft_angle="90 deg")


PAIRS: dict[str, Callable[[int], pl.GearPair]] = {
    "spiral bevel": spiral_bevel_pair,
    "hypoid": hypoid_pair,
    "worm": worm_pair,
}
