"""Kinds of gear pairs: checks whether two gears can mesh, pitch and working geometry."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject

from .gear import Gear
from .inputs import in_deg, in_mm, positive
from .involute import inverse_involute, involute
from .rack import Rack

__all__ = [
    "ANGLE_TOLERANCE",
    "MODULE_TOLERANCE",
    "check_cones",
    "check_crossed_helices",
    "check_internal",
    "check_no_shift",
    "check_parallel_helices",
    "check_profiles",
    "cone_angles",
    "FloatArray",
    "PitchGeometry",
    "tooth_rotation",
    "WorkingGeometry",
    "centre_distance",
    "profile_shift_sum",
    "reference_centre_distance",
    "working_geometry",
    "Kind",
    "beveloid_pitch",
    "beveloid_rack_pitch",
    "check_distance",
    "decide",
    "parallel_pitch",
    "reference_pitch",
]


MODULE_TOLERANCE = 1e-5
"""Normal modules agree within this part of themselves."""
ANGLE_TOLERANCE = 1e-4
"""Helix, shaft and pressure angles agree within this [rad]: about 0.006 deg, what rounded input leaves."""
_CONE_TOLERANCE = 1e-3
"""Cone distances agree within this part of themselves."""


def check_profiles(a: Gear, b: Gear | Rack, what: str) -> None:
    """Normal module and normal pressure angle are the same."""
    m_a, m_b = a.normal_module, b.normal_module
    if abs(m_a - m_b) > MODULE_TOLERANCE * max(m_a, m_b):
        raise ModelError(
            f"{what}: normal modules differ: {in_mm(m_a)} and {in_mm(m_b)}. Gears in mesh must have the same normal "
            "module",
            about=what,
        )
    alpha_a, alpha_b = a.normal_pressure_angle, b.normal_pressure_angle
    if abs(alpha_a - alpha_b) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: normal pressure angles differ: {in_deg(alpha_a)} and {in_deg(alpha_b)}. Gears in mesh must have "
            "the same pressure angle",
            about=what,
        )


def check_internal(a: Gear, b: Gear | Rack, what: str) -> None:
    """At most one wheel is internal; it has more teeth than the other, and the other is an external cylinder."""
    if not (a.internal or getattr(b, "internal", False)):
        return
    if isinstance(b, Rack):
        raise ModelError(
            f"{what}: an internal wheel of {a.teeth} teeth cannot mesh with a rack. Specify an external pinion",
            about=what,
        )
    if a.internal and b.internal:
        raise ModelError(
            f"{what}: both wheels are internal ({a.teeth} and {b.teeth} teeth), but only one may be. Leave out "
            "internal=True on the other",
            about=what,
        )
    ring, pinion = (a, b) if a.internal else (b, a)
    if pinion.cone_angle or pinion.worm:
        raise ModelError(
            f"{what}: an internal wheel meshes with an external cylindrical wheel, not with "
            f"{'a worm' if pinion.worm else f'a bevel of cone angle {in_deg(pinion.cone_angle)}'}",
            about=what,
        )
    if ring.teeth <= pinion.teeth:
        raise ModelError(
            f"{what}: the internal wheel has {ring.teeth} teeth, the pinion inside it {pinion.teeth}. The internal "
            "wheel must have more teeth",
            about=what,
        )


def check_parallel_helices(a: Gear, b: Gear | Rack, what: str) -> None:
    """Parallel axes: opposite hands, β_A + β_B = 0; with an internal wheel the same hand, β_A = β_B."""
    internal = a.internal or (isinstance(b, Gear) and b.internal)
    difference = a.helix_angle - b.helix_angle if internal else a.helix_angle + b.helix_angle
    if abs(difference) <= ANGLE_TOLERANCE:
        return
    both = f"{in_deg(a.helix_angle)} and {in_deg(b.helix_angle)}"
    if internal:
        raise ModelError(
            f"{what}: helix angles {both} (positive right-hand), but a pinion and its internal gear must have the "
            f"same helix angle. Make the second {in_deg(a.helix_angle)}",
            about=what,
        )
    total = abs(a.helix_angle + b.helix_angle)
    other = "a rack at an angle" if isinstance(b, Rack) else "crossed axes"
    raise ModelError(
        f"{what}: helix angles {both} (positive right-hand) add to {in_deg(a.helix_angle + b.helix_angle)}, but parallel "
        f"axes require opposite angles. Make the second {in_deg(-a.helix_angle)}, or, for {other}, specify "
        f'shaft_angle="{math.degrees(total):.8g} deg"',
        about=what,
    )


def check_beveloids(a: Gear, b: Gear | Rack, angle: float | None, what: str) -> None:
    """Conical involute gears: external, opposite hands, no profile shift in the middle of the face, Σ = θ_A + θ_B."""
    if isinstance(b, Rack) or a.internal or b.internal or a.cone_angle or b.cone_angle or a.worm or b.worm:
        raise ModelError(
            f"{what}: a conical involute gear (profile_shift_angle) meshes with another one, or with an external cylindrical "
            "gear",
            about=what,
        )
    if abs(a.helix_angle + b.helix_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: helix angles {in_deg(a.helix_angle)} and {in_deg(b.helix_angle)} (positive right-hand) of conical "
            f"involute gears must be opposite; make the second {in_deg(-a.helix_angle)}",
            about=what,
        )
    total = a.profile_shift_angle + b.profile_shift_angle
    if angle is not None and abs(angle - abs(total)) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the shaft angle is given as {in_deg(angle)}, but the profile shift angles add to {in_deg(abs(total))}. Leave "
            "it out, or change one of them",
            about=what,
        )
    if a.profile_shift or b.profile_shift:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} of conical involute gears are not "
            "supported: they mesh "
            "on their reference circles in the middle of the face. Leave the profile shifts out",
            about=what,
        )


def check_crossed_helices(a: Gear, b: Gear | Rack, shaft_angle: float, what: str) -> None:
    """Crossed axes: |β_A + β_B| = Σ."""
    total = abs(a.helix_angle + b.helix_angle)
    if abs(total - shaft_angle) > ANGLE_TOLERANCE:
        wanted = math.copysign(shaft_angle, a.helix_angle) - a.helix_angle
        raise ModelError(
            f"{what}: the shaft angle is {in_deg(shaft_angle)}, but the helix angles {in_deg(a.helix_angle)} and "
            f"{in_deg(b.helix_angle)} (positive right-hand) add to {in_deg(a.helix_angle + b.helix_angle)}, and their sum "
            f"must be the shaft angle. Make the second {in_deg(wanted)}, or the shaft angle {in_deg(total)}",
            about=what,
        )


def check_no_shift(a: Gear, b: Gear | Rack, kind: str, what: str) -> None:
    """Pairs that roll on their reference surfaces: the profile shifts cancel."""
    if isinstance(b, Rack):
        return
    total = a.profile_shift + b.profile_shift
    if abs(total) > 1e-9:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} of a {kind} pair add to {total:g}; "
            "these gears roll on their reference surfaces, so the sum must be zero. Make the second "
            f"{-a.profile_shift:g}"
            + (", and describe the worm by its working pitch cylinder" if kind == "worm" else "")
        )


def cone_angles(teeth_a: float, teeth_b: float, shaft_angle: float) -> tuple[float, float]:
    """δ_A, δ_B [rad] of two bevels that roll on each other: tan δ_A = sin Σ / (z_B/z_A + cos Σ), δ_B = Σ − δ_A."""
    delta = math.atan2(math.sin(shaft_angle), teeth_b / teeth_a + math.cos(shaft_angle))
    return delta, shaft_angle - delta


def check_cones(a: Gear, b: Gear, shaft_angle: float | None, what: str) -> None:
    """Bevels with crossing axes share the apex, R = r_A / sin δ_A = r_B / sin δ_B, and δ_A + δ_B = Σ."""
    total = abs(a.cone_angle) + abs(b.cone_angle)
    wanted = total if shaft_angle is None else shaft_angle
    good_a, good_b = cone_angles(a.teeth, b.teeth, wanted)
    way_out = f"for a shaft angle of {in_deg(wanted)} make them {in_deg(good_a)} and {in_deg(good_b)}"
    both = f"{in_deg(abs(a.cone_angle))} and {in_deg(abs(b.cone_angle))}"
    if abs(total - wanted) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the cone angles {both} add to {in_deg(total)}, but the shaft angle is {in_deg(wanted)}; {way_out}",
            about=what,
        )
    if math.pi - total < 1e-3:
        raise ModelError(
            f"{what}: the cone angles {both} add to {in_deg(total)}: these gears couple two coaxial shafts and do not "
            "roll on each other. Make the sum less than 180 deg",
            about=what,
        )
    R_a, R_b = a.mean_cone_distance, b.mean_cone_distance
    if abs(R_a - R_b) > _CONE_TOLERANCE * max(R_a, R_b):
        raise ModelError(
            f"{what}: the pitch cones do not share their apex: cone distances {in_mm(R_a)} and {in_mm(R_b)} with cone "
            f"angles {both} and {a.teeth} and {b.teeth} teeth; {way_out}",
            about=what,
        )


# ---- pitch

# The pitch geometry of a pair: the few numbers that place two wheels and roll them on each other.
#
# Every kind of pair is one case of the same geometry (Cardona, Flexible three dimensional gear modelling, 1997, with
# the misprints corrected). Each wheel has a triad at its centre: axis, centre → pitch point, and their cross product,
#
# wheel A: μ1, μ2, μ3 wheel B: ξ1, ξ2, ξ3 ,
#
# and at the pitch point both share the triad of the teeth η1 (along the tooth), η2 (up the tooth, from A to B), η3
# (across):
#
#     [η] = [μ] Y_A = [ξ] Y_B D ,   D = diag(1, −1, −1) ,   Y(γ, β) = Rot3(γ) Rot2(β) ,
#     [ξ] = [μ] Z ,                 Z = Y_A D Y_Bᵀ .
#
# His signs differ from those of `Gear`:
#
# * **β is positive left-hand** on external wheels and bevels, positive right-hand on internal wheels: β = −σ β_gear.
# * γ is the angle from the axis to the pitch line: the cone angle of a bevel, 0 for external cylinders, **180° for
#   internal wheels**, which turns the axis of the other wheel round. The triad may therefore use the reverse of the
#   wheel's own z axis: μ1 = s z with s = −1 for internal wheels and for bevels whose z points to the apex, so that γ
#   is never negative.

_D = np.diag([1.0, -1.0, -1.0])


def _fixed(values: object) -> FloatArray:
    result = np.array(values, dtype=np.float64)
    result.flags.writeable = False
    return result


def tooth_rotation(gamma: float, beta: float) -> FloatArray:
    """Y(γ, β) = Rot3(γ) Rot2(β): from the triad of the wheel to that of its teeth; (3, 3)."""
    cg, sg, cb, sb = math.cos(gamma), math.sin(gamma), math.cos(beta), math.sin(beta)
    return _fixed([[cg * cb, -sg, cg * sb], [sg * cb, cg, sg * sb], [-sb, 0.0, cb]])


@dataclass(frozen=True, kw_only=True)
class PitchGeometry:
    """Pitch radii and angles in the signs of Cardona; teeth and module such that m_n z/2 = r cos β on both wheels.

    Attributes
    ----------
    radius_a, radius_b : float
        r: from the centre of the wheel to the pitch point [m]; infinite for a rack.
    gamma_a, gamma_b : float
        γ: from the axis to the pitch line [rad]: 0 cylinder, δ bevel, π internal.
    beta_a, beta_b : float
        β: helix angle on the pitch surface [rad], positive left-hand for external wheels.
    teeth_a, teeth_b : int
    normal_module : float
        m_n on the pitch surfaces [m]; differs from that of the gears where the centre distance is not the reference
        one.
    pressure_angle : float
        α: normal pressure angle at the pitch point [rad], the working one.
    axis_sign_a, axis_sign_b : float
        s: the triad has the axis μ1 = s z, z being that of the gear.
    rack_offset : float
        How far the pitch line of a rack lies above its reference line, towards the pinion [m].
    """

    radius_a: float
    radius_b: float
    gamma_a: float
    gamma_b: float
    beta_a: float
    beta_b: float
    teeth_a: int
    teeth_b: int
    normal_module: float
    pressure_angle: float
    axis_sign_a: float = 1.0
    axis_sign_b: float = 1.0
    rack_offset: float = 0.0

    # ------------------------------------------------------------------------------------------------- the geometry

    @property
    def is_rack(self) -> bool:
        """Whether B is a rack."""
        return math.isinf(self.radius_b)

    @cached_property
    def Y_a(self) -> FloatArray:
        """Y_A (3, 3): [η] = [μ] Y_A."""
        return tooth_rotation(self.gamma_a, self.beta_a)

    @cached_property
    def Y_b(self) -> FloatArray:
        """Y_B (3, 3): [η] = [ξ] Y_B D."""
        return tooth_rotation(self.gamma_b, self.beta_b)

    @cached_property
    def Z(self) -> FloatArray:
        """Z = Y_A D Y_Bᵀ (3, 3): [ξ] = [μ] Z; depends on γ_A, γ_B and β_A + β_B only."""
        return _fixed(self.Y_a @ _D @ self.Y_b.T)

    @property
    def shaft_angle(self) -> float:
        """The angle between ξ1 and μ1 [rad]: cos Σ = cos γ_A cos γ_B cos(β_A + β_B) − sin γ_A sin γ_B."""
        # From the vectors: the arc cosine loses half of the figures near 0 and 180 degrees.
        axis = self.Z[:, 0]
        return math.atan2(math.hypot(axis[1], axis[2]), axis[0])

    @property
    def axis_distance(self) -> float:
        """The distance between the two axes [m].

        |sin(β_A + β_B) (r_A cos γ_B + r_B cos γ_A)| / sin Σ for crossing axes, the centre distance for parallel
        ones, r_A + c for a rack, whose reference line lies c behind its pitch line.
        """
        if self.is_rack:
            return self.radius_a + self.rack_offset
        sine = math.hypot(self.Z[1, 0], self.Z[2, 0])
        if sine < 1e-12:
            return float(np.linalg.norm(self.centre[1:]))
        arm = self.radius_a * math.cos(self.gamma_b) + self.radius_b * math.cos(self.gamma_a)
        return abs(math.sin(self.beta_a + self.beta_b) * arm) / sine

    @cached_property
    def centre(self) -> FloatArray:
        """x_AB = r_A μ2 − r_B ξ2 in the triad of A [m] (3,); of a rack: to the nearest point of its reference line."""
        pitch_point = np.array([0.0, self.radius_a, 0.0])
        arm = self.rack_offset if self.is_rack else self.radius_b
        return _fixed(pitch_point - arm * self.Z[:, 1])

    @property
    def speed_ratio(self) -> float:
        """ω_B / ω_A about the wheels' own z axes, the frame at rest: −s_A s_B z_A / z_B; of a rack: v_y / ω_A [m].

        Of the rack: v = −s_A s_B m_n z_A / (2 cos β_B) along its own y.
        """
        sign = -self.axis_sign_a * self.axis_sign_b
        if self.is_rack:
            return sign * 0.5 * self.normal_module * self.teeth_a / math.cos(self.beta_b)
        return sign * self.teeth_a / self.teeth_b

    @property
    def sliding_ratio(self) -> float:
        """|v_s| / (ω_A r_A) at the pitch point: |sin(β_A + β_B) / cos β_B|, along the teeth; zero unless axes cross."""
        return abs(math.sin(self.beta_a + self.beta_b) / math.cos(self.beta_b))

    # ---------------------------------------------------------------------------------------- triads fixed in the gears

    @cached_property
    def triad_a(self) -> FloatArray:
        """M0 (3, 3) in the axes of gear A: columns μ1, μ2, μ3 with μ2 through the middle of a **tooth**."""
        return _triad(self.axis_sign_a, 0.0)

    @cached_property
    def triad_b(self) -> FloatArray:
        """X0 (3, 3) in the axes of gear B: columns ξ1, ξ2, ξ3 with ξ2 through the middle of a **space**.

        Therefore ψ_A = ψ_B = 0 if a tooth of A is in the middle of a space of B at the pitch point, and the teeth
        are in mesh, with the backlash shared evenly, where z_A ψ_A + z_B ψ_B is a multiple of 2π. A rack is not
        turned but has its space half a pitch along y: see `rack_point`.
        """
        return _triad(self.axis_sign_b, 0.0 if self.is_rack else math.pi / self.teeth_b)

    @property
    def rack_point(self) -> FloatArray:
        """c0 (3,) [m]: the middle of a space on the pitch line of the rack, in the triad ξ fixed in it."""
        half_pitch = 0.5 * math.pi * self.normal_module / math.cos(self.beta_b)
        return _fixed([0.0, self.rack_offset, half_pitch])


def _triad(sign: float, turn: float) -> FloatArray:
    """The triad with axis s z whose second vector is x turned about that axis."""
    c, s = math.cos(turn), math.sin(turn)
    return _fixed([[0.0, c, -s], [0.0, sign * s, sign * c], [sign, 0.0, 0.0]])


# ---- working geometry

# How two cylindrical wheels run on parallel axes (ISO 21771): pressure angle, centre distance, pitch circles.
#
# With σ = −1 where one wheel is internal, and Z = z_1 + z_2 or, internal, z_pinion − z_ring:
#
# inv α_wt = inv α_t + 2 tan α_n (x_A + x_B) / Z , a = a_d cos α_t / cos α_wt , a_d = |Z| m_t / 2 .


@dataclass(frozen=True)
class WorkingGeometry:
    """Two cylindrical wheels as they run.

    Attributes
    ----------
    centre_distance : float
        a [m]
    pressure_angle : float
        α_wt, transverse [rad]
    diameter_a, diameter_b : float
        d_w [m]
    """

    centre_distance: float
    pressure_angle: float
    diameter_a: float
    diameter_b: float


def _signed_teeth(a: Gear, b: Gear) -> int:
    """Z = z_1 + z_2, internal wheels counted negative."""
    return int(a.sense) * a.teeth + int(b.sense) * b.teeth


def reference_centre_distance(a: Gear, b: Gear) -> float:
    """a_d = (d_A + d_B)/2 [m], external; |d_A − d_B|/2, internal."""
    return 0.5 * abs(a.sense * a.reference_diameter + b.sense * b.reference_diameter)


def _pressure_angle(a: Gear, b: Gear, what: str) -> float:
    shift = 2.0 * math.tan(a.normal_pressure_angle) * (a.profile_shift + b.profile_shift) / _signed_teeth(a, b)
    value = involute(a.transverse_pressure_angle) + shift
    if value < 0.0:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} leave no working pressure angle (its "
            f"involute would be {value:.4g}); their sum must be {'less' if _signed_teeth(a, b) < 0 else 'more'} than "
            f"{_sum_at(a, b, 0.0):.4g}",
            about=what,
        )
    return inverse_involute(value, what=what)


def _sum_at(a: Gear, b: Gear, angle: float) -> float:
    """Σx = Z (inv α_wt − inv α_t) / (2 tan α_n)."""
    turn = involute(angle) - involute(a.transverse_pressure_angle)
    return _signed_teeth(a, b) * turn / (2.0 * math.tan(a.normal_pressure_angle))


def working_geometry(a: Gear, b: Gear, centre: float | None = None, *, what: str = "gear pair") -> WorkingGeometry:
    """The pair at the centre distance without backlash, from its profile shifts, or at a given one [m]."""
    reference = reference_centre_distance(a, b)
    cosine = math.cos(a.transverse_pressure_angle)
    if centre is None:
        if a.profile_shift + b.profile_shift == 0.0:  # exactly the reference geometry: nothing is rounded
            return _at(a, b, reference, a.transverse_pressure_angle)
        angle = _pressure_angle(a, b, what)
        centre = reference * cosine / math.cos(angle)
    else:
        least = reference * cosine
        if centre < least:
            raise ModelError(
                f"{what}: a centre distance of {in_mm(centre)} is too small: the base circles need at least "
                f"{in_mm(least)}, the reference circles touch at {in_mm(reference)}; move the wheels apart",
                about=Subject(what).at("centre_distance"),
            )
        angle = math.acos(least / centre)
    return _at(a, b, centre, angle)


def _at(a: Gear, b: Gear, centre: float, angle: float) -> WorkingGeometry:
    """d_w = 2 a z / |Z|: the circles that touch at the pitch point and roll on each other."""
    per_tooth = 2.0 * centre / abs(_signed_teeth(a, b))
    return WorkingGeometry(centre, angle, per_tooth * a.teeth, per_tooth * b.teeth)


def _check(a: Gear, b: Gear, what: str) -> None:
    check_profiles(a, b, what)
    check_internal(a, b, what)
    check_parallel_helices(a, b, what)
    if a.cone_angle or b.cone_angle:
        raise ModelError(
            f"{what}: for cylindrical wheels only; the cone angles are {in_deg(a.cone_angle)} and "
            f"{in_deg(b.cone_angle)}",
            about=what,
        )


def centre_distance(a: Gear, b: Gear) -> float:
    """a [m]: where two cylindrical wheels on parallel axes run without backlash (backlash allowances apart)."""
    _check(a, b, "centre_distance")
    return working_geometry(a, b, what="centre_distance").centre_distance


def profile_shift_sum(a: Gear, b: Gear, centre_distance: object) -> float:
    """x_A + x_B that two wheels on parallel axes need to run without backlash at a given centre distance [m]."""
    _check(a, b, "profile_shift_sum")
    centre = positive(centre_distance, "length", "profile_shift_sum: centre_distance")
    return _sum_at(a, b, working_geometry(a, b, centre, what="profile_shift_sum").pressure_angle)


# ---- kinds

# Which kind of pair two gears make, and its pitch geometry.

_DISTANCE_TOLERANCE = 0.02
"""Given and geometrical distances agree within this, in units of m_n."""


class Kind(StrEnum):
    """The kinds of pairs."""

    SPUR = "spur"
    HELICAL = "helical"
    INTERNAL = "internal"
    CROSSED = "crossed helical"
    WORM = "worm"
    STRAIGHT_BEVEL = "straight bevel"
    SPIRAL_BEVEL = "spiral bevel"
    HYPOID = "hypoid"
    BEVELOID = "beveloid"
    RACK = "rack and pinion"

    @property
    def parallel(self) -> bool:
        """Two cylindrical wheels on parallel axes."""
        return self in (Kind.SPUR, Kind.HELICAL, Kind.INTERNAL)

    @property
    def bevel(self) -> bool:
        """Two cones on axes that meet."""
        return self in (Kind.STRAIGHT_BEVEL, Kind.SPIRAL_BEVEL)

    @property
    def crossed(self) -> bool:
        """Two wheels on axes that neither meet nor are parallel."""
        return self in (Kind.CROSSED, Kind.WORM, Kind.HYPOID)


def decide(a: Gear, b: Gear | Rack, distance: float | None, angle: float | None, what: str) -> Kind:
    """The kind of the pair, after all checks that need no positions; distance [m] and angle [rad] as given."""
    check_profiles(a, b, what)
    check_internal(a, b, what)
    if a.profile_shift_angle or (isinstance(b, Gear) and b.profile_shift_angle):
        check_beveloids(a, b, angle, what)
        return Kind.BEVELOID
    if a.cone_angle or (isinstance(b, Gear) and b.cone_angle):
        return _cones(a, b, distance, angle, what)
    parallel = angle is None or angle <= ANGLE_TOLERANCE or math.pi - angle <= ANGLE_TOLERANCE
    if isinstance(b, Rack):
        if parallel:
            check_parallel_helices(a, b, what)
        elif angle is not None:
            check_crossed_helices(a, b, angle, what)
        return Kind.RACK
    if a.worm or b.worm:
        check_crossed_helices(a, b, 0.5 * math.pi if angle is None else angle, what)
        check_no_shift(a, b, Kind.WORM, what)
        return Kind.WORM
    if parallel or angle is None:
        check_parallel_helices(a, b, what)
        if a.internal or b.internal:
            return Kind.INTERNAL
        return Kind.HELICAL if a.helix_angle or b.helix_angle else Kind.SPUR
    if a.internal or b.internal:
        raise ModelError(
            f"{what}: the axes of an internal pair are parallel, but the shaft angle is {in_deg(angle)}. Leave it out",
            about=what,
        )
    check_crossed_helices(a, b, angle, what)
    check_no_shift(a, b, Kind.CROSSED, what)
    return Kind.CROSSED


def _cones(a: Gear, b: Gear | Rack, distance: float | None, angle: float | None, what: str) -> Kind:
    if isinstance(b, Rack) or not (a.cone_angle and b.cone_angle):
        cones = [in_deg(gear.cone_angle) if isinstance(gear, Gear) else "a rack" for gear in (a, b)]
        raise ModelError(
            f"{what}: a bevel gear meshes only with a bevel gear. The cone angles are {cones[0]} and {cones[1]}. Specify "
            "both or none",
            about=what,
        )
    if distance:
        check_no_shift(a, b, Kind.HYPOID, what)
        return Kind.HYPOID
    if abs(a.helix_angle + b.helix_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: spiral angles {in_deg(a.helix_angle)} and {in_deg(b.helix_angle)} (positive right-hand) add to "
            f"{in_deg(a.helix_angle + b.helix_angle)}, but bevel gears with intersecting axes require opposite "
            "angles. Make the second "
            f"{in_deg(-a.helix_angle)}, or, for a hypoid pair, specify its offset as centre_distance",
            about=what,
        )
    check_cones(a, b, angle, what)
    check_no_shift(a, b, "bevel", what)
    return Kind.SPIRAL_BEVEL if a.helix_angle or b.helix_angle else Kind.STRAIGHT_BEVEL


def parallel_pitch(a: Gear, b: Gear, running: WorkingGeometry) -> PitchGeometry:
    """On the working pitch circles: tan β_w = (d_w/d) tan β, tan α_wn = tan α_wt cos β_w, m_nw = d_w cos β_w / z."""
    beta = math.atan(running.diameter_a / a.reference_diameter * math.tan(a.helix_angle))
    return PitchGeometry(
        radius_a=0.5 * running.diameter_a,
        radius_b=0.5 * running.diameter_b,
        gamma_a=math.pi if a.internal else 0.0,
        gamma_b=math.pi if b.internal else 0.0,
        beta_a=-a.sense * beta,
        beta_b=a.sense * beta,  # opposite to β_A in this sign, whichever wheel is internal
        teeth_a=a.teeth,
        teeth_b=b.teeth,
        normal_module=running.diameter_a * math.cos(beta) / a.teeth,
        pressure_angle=math.atan(math.tan(running.pressure_angle) * math.cos(beta)),
        axis_sign_a=a.sense,
        axis_sign_b=b.sense,
    )


def reference_pitch(a: Gear, b: Gear | Rack) -> PitchGeometry:
    """On the reference surfaces: crossed axes, worms, bevels, hypoids, rack and pinion."""
    rack = isinstance(b, Rack)
    return PitchGeometry(
        radius_a=0.5 * a.reference_diameter,
        radius_b=math.inf if isinstance(b, Rack) else 0.5 * b.reference_diameter,
        gamma_a=abs(a.cone_angle),
        gamma_b=0.0 if isinstance(b, Rack) else abs(b.cone_angle),
        beta_a=-a.helix_angle,
        beta_b=-b.helix_angle,
        teeth_a=a.teeth,
        teeth_b=b.teeth,
        normal_module=a.normal_module,
        pressure_angle=a.normal_pressure_angle,
        axis_sign_a=-1.0 if a.cone_angle < 0.0 else 1.0,
        axis_sign_b=-1.0 if isinstance(b, Gear) and b.cone_angle < 0.0 else 1.0,
        rack_offset=a.profile_shift * a.normal_module if rack else 0.0,
    )


def beveloid_pitch(a: Gear, b: Gear) -> PitchGeometry:
    """On the cones that roll on each other at the shaft angle Σ = θ_A + θ_B, mean pitch circles the reference circles."""
    total = a.profile_shift_angle + b.profile_shift_angle
    cone_a, cone_b = cone_angles(a.teeth, b.teeth, abs(total)) if abs(total) > ANGLE_TOLERANCE else (0.0, 0.0)
    sign = -1.0 if total < 0.0 and cone_a else 1.0
    return replace(reference_pitch(a, b), gamma_a=cone_a, gamma_b=cone_b, axis_sign_a=sign, axis_sign_b=sign)


def beveloid_rack_pitch(a: Gear, b: Gear, pitch: PitchGeometry) -> PitchGeometry:
    """The same pair with the cones θ_A and θ_B of its common rack in place of those that roll on each other.

    The axes are at the same place, because Z depends on the sum of the angles only. Up the tooth is now normal to the reference
    plane of the rack, so that the normals of its two flanks are inclined equally, by the pressure angle.
    """
    return replace(
        pitch,
        gamma_a=pitch.axis_sign_a * a.profile_shift_angle,
        gamma_b=pitch.axis_sign_b * b.profile_shift_angle,
    )


def check_distance(kind: Kind, pitch: PitchGeometry, distance: float | None, angle: float | None, what: str) -> None:
    """A distance or shaft angle the user gave is that of the pitch geometry; parallel axes run at any distance."""
    if distance is not None and not kind.parallel:
        fits = pitch.axis_distance
        if abs(distance - fits) > _DISTANCE_TOLERANCE * pitch.normal_module:
            raise ModelError(
                f"{what}: the distance between the axes is given as {in_mm(distance)}, but the pitch surfaces of the "
                f"{kind} pair touch at {in_mm(fits)}. Leave centre_distance out, or change teeth, module or helix "
                "angles",
                about=what,
            )
    if kind is Kind.HYPOID and angle is not None and abs(angle - pitch.shaft_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the shaft angle is given as {in_deg(angle)}, but cone and spiral angles of the hypoid pair give "
            f"{in_deg(pitch.shaft_angle)}. Change one of them (hypoid_pinion computes a pinion for a wheel)",
            about=what,
        )
