"""One side of the teeth of a gear: root, fillet and involute with modifications, and flanks of racks."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg, in_mm
from ..geometry.involute import along
from ..modifications.deviations import RIDGE, Deviation, FlankRange, Modification
from .generating_rack import GeneratingRack, RackCurve, SectionDerivatives, ToothSurface, space_point

__all__ = ["RackEnvelope", "RackFillet", "RackRoot", "InvoluteFlank", "rack_flank", "Junction", "ToothFlank"]


# ---- envelope

# What a rack leaves on the wheel that rolls with it: root and fillet, as exact envelopes.
#
# The rack moves by s = rφ while the wheel turns by φ. A point of the rack touches the wheel where its normal passes
# through the pitch point (Willis). For a point (X, Y) of the section at ζ with the normal (1, q) that is s = Xq − Y,
# so
#
# P = e^{−iφ} (r + X_ζ + i X_ζ q) , φ = (X_ζ q − Y − ζ tan β') / r , X_ζ = X + ζ tan θ .
#
# For q = cot α_t constant this is the involute, for a rounded tip the trochoid-like fillet, for q = 0 the root.


class RackEnvelope(ToothSurface):
    """The envelope of one curve of the rack; side +1 for the left flank of tooth 0, −1 for the right."""

    def __init__(self, rack: GeneratingRack, side: float) -> None:
        self.rack, self.side = rack, side
        self.facing = -side

    @abstractmethod
    def curve(self, u: FloatArray) -> RackCurve:
        """The curve of the rack in the transverse section ζ = 0."""

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        a, b = along(u, z)
        c, r = self.curve(a), self.rack.reference_radius
        X = c.X + b * self.rack.rise
        phi = (X * c.q - c.Y - b * self.rack.slant) / r
        P: ComplexArray = np.exp(-1j * phi) * (r + X + 1j * X * c.q)
        return P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives, in closed form."""
        a, b = along(u, z)
        c, r, rise = self.curve(a), self.rack.reference_radius, self.rack.rise
        X = c.X + b * rise
        B_u, B_z = c.X1 * c.q + X * c.q1, c.q * rise
        B_uu, B_uz = c.X2 * c.q + 2.0 * c.X1 * c.q1 + X * c.q2, c.q1 * rise
        V = r + X + 1j * X * c.q
        V_u, V_z, V_uu, V_uz = c.X1 + 1j * B_u, rise + 1j * B_z, c.X2 + 1j * B_uu, 1j * B_uz
        phi = (X * c.q - c.Y - b * self.rack.slant) / r
        f_u, f_z, f_uu, f_uz = (B_u - c.Y1) / r, (B_z - self.rack.slant) / r, (B_uu - c.Y2) / r, B_uz / r
        turn = np.exp(-1j * phi)
        return SectionDerivatives(
            P=turn * V,
            u=turn * (V_u - 1j * f_u * V),
            z=turn * (V_z - 1j * f_z * V),
            uu=turn * (V_uu - 2j * f_u * V_u - (1j * f_uu + f_u**2) * V),
            uz=turn * (V_uz - 1j * (f_u * V_z + f_z * V_u + f_uz * V) - f_u * f_z * V),
            zz=turn * (-2j * f_z * V_z - f_z**2 * V),
        )


class RackRoot(RackEnvelope):
    """The root circle (cone of a beveloid) from the middle of the space, u = 0, to the fillet, u = 1."""

    def curve(self, u: FloatArray) -> RackCurve:
        """The flat land of the rack."""
        return self.rack.land_curve(u, self.side)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """That of the land of the rack, turned with the wheel; also where a full radius leaves no land."""
        P = self.section(u, z)
        theta = self.rack.tilt
        return space_point(P / np.abs(P) * math.cos(theta), -math.sin(theta))

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """0 and 1."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + 1.0


class RackFillet(RackEnvelope):
    """The fillet cut by the rounded tip of the rack (0 <= u <= 1) and its protuberance flank (1 <= u <= 2)."""

    def __init__(self, rack: GeneratingRack, side: float) -> None:
        super().__init__(rack, side)
        self.last = 2.0 if rack.protuberance else 1.0
        self.end: Callable[[FloatArray], FloatArray] | None = None
        """Gives u where the involute begins, over ζ; None: to the end of the rack curve."""

    def curve(self, u: FloatArray) -> RackCurve:
        """Rounded tip and protuberance of the rack."""
        return self.rack.tip_curve(u, self.side)

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """From the root, 0, to where the involute begins."""
        zz = np.asarray(z, dtype=np.float64)
        return np.zeros_like(zz), np.full_like(zz, self.last) if self.end is None else self.end(zz)


# ---- involute flank

# The working flank of a wheel: an involute helicoid.
#
# A plane rack flank makes an involute helicoid, also on beveloids, where left and right flank have base cylinders and
# leads of their own. With the base radius r_b, the roll length L (from the base cylinder along the tangent, which is
# also the radius of curvature of the transverse section), the side s (+1 left, −1 right), σ (+1 external, −1
# internal), c = sσ and the angle η of the half tooth at the base cylinder,
#
#     P(L, ζ) = e^{iτ} (r_b + i c L) ,   τ = c (η − L/r_b) + κ ζ ,   κ = tan β_b / r_b ,
#     n = s (e_t(τ) − tan β_b e_z) cos β_b ,      principal curvatures  σ cos β_b / L  and 0 .
#
# L = sqrt(r_y² − r_b²) at the radius r_y; L = 0 on the base cylinder, where the curvature has no bound. (ISO
# 21771:2007, 4 and 5; Litvin & Fuentes 2004, 14.)


@dataclass(frozen=True, kw_only=True)
class InvoluteFlank(ToothSurface):
    """The profile coordinate u is the roll length L [m].

    Attributes
    ----------
    side, sense
        s: +1 left flank, −1 right flank; σ: +1 external, −1 internal.
    base_radius
        r_b [m]
    base_angle
        η [rad]: from the middle of the tooth to the beginning of the involute, ζ = 0.
    twist
        κ [rad/m]: how much the flank turns along the face.
    pressure_angle
        α_t [rad] on the reference cylinder.
    """

    side: float
    sense: float
    base_radius: float
    base_angle: float
    twist: float
    pressure_angle: float

    @property
    def facing(self) -> float:  # type: ignore[override]
        """Sign of p_L × p_ζ that points out of the material."""
        return -self.side

    @property
    def curl(self) -> float:
        """c = sσ."""
        return self.side * self.sense

    @property
    def base_helix_angle(self) -> float:
        """β_b [rad], positive right-hand: tan β_b = r_b κ."""
        return math.atan(self.base_radius * self.twist)

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The complete involute, from the base cylinder outwards without end. The tooth defines its end."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + np.inf

    # --------------------------------------------------------------------------------------------------- coordinates

    def roll_length(self, radius: npt.ArrayLike) -> FloatArray:
        """L = sqrt(r² − r_b²) [m] at a radius [m]; 0 inside the base cylinder."""
        r = np.asarray(radius, dtype=np.float64)
        return np.sqrt(np.maximum((r - self.base_radius) * (r + self.base_radius), 0.0))

    def radius(self, length: npt.ArrayLike) -> FloatArray:
        """r = sqrt(r_b² + L²) [m]."""
        return np.hypot(self.base_radius, np.asarray(length, dtype=np.float64))

    def direction(self, length: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """τ [rad]: where the base cylinder is touched by the transverse normal."""
        L, zz = along(length, z)
        tau: FloatArray = self.curl * (self.base_angle - L / self.base_radius) + self.twist * zz
        return tau

    def half_angle(self, radius: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """Polar angle of the flank at a radius, counted from the x axis towards its side [rad]."""
        t = self.roll_length(radius) / self.base_radius
        turned = self.sense * (self.base_angle - (t - np.arctan(t)))
        result: FloatArray = turned + self.side * self.twist * np.asarray(z, dtype=np.float64)
        return result

    # ------------------------------------------------------------------------------------------------------- surface

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(L, ζ) [m]."""
        L, zz = along(u, z)
        P: ComplexArray = np.exp(1j * self.direction(L, zz)) * (self.base_radius + 1j * self.curl * L)
        return P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P_L = (L/r_b) e_r, P_ζ = iκP, and so on."""
        L, zz = along(u, z)
        tau, r_b, k, c = self.direction(L, zz), self.base_radius, self.twist, self.curl
        e = np.exp(1j * tau)
        P = e * (r_b + 1j * c * L)
        P_u = e * (L / r_b)
        return SectionDerivatives(P, P_u, 1j * k * P, e * (1.0 - 1j * c * L / r_b) / r_b, 1j * k * P_u, -(k**2) * P)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material; regular also on the base cylinder."""
        tau, beta = self.direction(u, z), self.base_helix_angle
        return self.side * space_point(1j * np.exp(1j * tau) * math.cos(beta), -math.sin(beta))

    def curvatures(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """σ cos β_b / L and 0, the greater first [1/m]."""
        L, _ = along(u, z)
        with np.errstate(divide="ignore"):
            k = self.sense * math.cos(self.base_helix_angle) / L
        return np.maximum(k, 0.0), np.minimum(k, 0.0)


def rack_flank(rack: GeneratingRack, side: float) -> InvoluteFlank:
    """The external flank made by the straight flank of a rack.

    In the section ζ the rack flank has moved by ζ (tan θ, tan β'), which is ζ (sin α_t tan θ + s cos α_t tan β')
    across it: so far the involute is unrolled from its base circle.
    """
    alpha = rack.transverse_pressure_angle(side)
    r = rack.reference_radius
    half = rack.half_space / math.cos(rack.helix_angle) + rack.shift * math.tan(alpha)
    across = math.sin(alpha) * rack.rise + side * math.cos(alpha) * rack.slant
    r_b = r * math.cos(alpha)
    return InvoluteFlank(
        side=side,
        sense=1.0,
        base_radius=r_b,
        base_angle=half / r + math.tan(alpha) - alpha,
        twist=side * across / r_b,
        pressure_angle=alpha,
    )


# ---- junction

# Where fillet and involute of an external tooth meet: the form line.
#
# A rounded rack tip without protuberance passes into its straight flank smoothly. The involute then begins at the
# roll length L_F = r sin α_t + X_F / sin α_t of the last point X_F of the straight flank. Where that is negative the
# tip of the rack cuts into the involute (undercut), and where there is a protuberance it does so on purpose: both
# curves then cross, and the crossing P_fillet(u) = P_involute(L) is found by bisection and finished by Newton's
# method.

_SAMPLES = 400
_BISECTIONS = 40
_NEWTON_STEPS = 4
_SLIGHT = 1e-4
"""Roll lengths of this part of the base radius may be lost in rounding: the curves differ by their cubes there."""


class Junction:
    """Ends of fillet and involute at any face coordinate ζ; `undercut`: whether the rack tip cuts into it."""

    def __init__(self, flank: InvoluteFlank, fillet: RackFillet) -> None:
        self.flank, self._fillet = flank, fillet
        self._straight = not fillet.rack.tilt
        self._known: tuple[float, float, bool] | None = None
        if self._straight:
            u, L, cut = self._solve(np.zeros(1))
            self._known = float(u[0]), float(L[0]), bool(cut[0])

    def _both(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        zz = np.asarray(z, dtype=np.float64)
        if self._known is not None:
            u, L, cut = self._known
            return np.full_like(zz, u), np.full_like(zz, L), np.full(zz.shape, cut)
        flat, where = np.unique(zz, return_inverse=True)
        found_u, found_L, found = self._solve(flat)
        return (found_u[where].reshape(zz.shape), found_L[where].reshape(zz.shape), found[where].reshape(zz.shape))

    def fillet(self, z: npt.ArrayLike) -> FloatArray:
        """u of the fillet where it ends."""
        return self._both(z)[0]

    def roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_F [m] where the involute begins."""
        return self._both(z)[1]

    def undercut(self, z: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether the rack tip cuts into the involute there; also where a protuberance does."""
        return self._both(z)[2]

    def _solve(self, z: FloatArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        flank, fillet, rack = self.flank, self._fillet, self._fillet.rack
        alpha = flank.pressure_angle
        X, _ = rack.transverse(*rack.corner, fillet.side)
        L = rack.reference_radius * math.sin(alpha) + (X + z * rack.rise) / math.sin(alpha)
        u = np.full_like(z, fillet.last)
        cut = -1e-13 * rack.module > L
        if rack.protuberance:
            cut = np.ones_like(cut)
        if cut.any():
            u[cut], L[cut] = self._crossing(z[cut], L[cut] > -_SLIGHT * flank.base_radius)
        return u, np.maximum(L, 0.0), cut

    def _ahead(self, u: FloatArray, z: FloatArray) -> FloatArray:
        """How far the fillet lies outside the tooth [rad], which is taken to go on radially inside the base cylinder."""
        P = self._fillet.section(u, z)
        r = np.abs(P)
        side = self.flank.side
        angle = side * np.angle(P * np.exp(-1j * self.flank.twist * z)) + side * self.flank.twist * z
        return angle - self.flank.half_angle(r, z)

    def _crossing(self, z: FloatArray, slight: npt.NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """u and L where the curves cross; where the undercut is too slight to be seen, the ends of both."""
        fillet, flank = self._fillet, self.flank
        # a slight undercut ends close to the end of the rounding, whatever its size: samples get denser there
        grid = np.union1d(np.linspace(0.0, fillet.last, _SAMPLES + 1), 1.0 - np.geomspace(1e-8, 1.0, _SAMPLES + 1))
        inside = self._ahead(grid, z[:, None]) < 0.0
        # the first passage from inside to outside of the involute, seen from the root
        high_enough = np.abs(fillet.section(grid, z[:, None])) >= flank.base_radius
        passages = inside[:, :-1] & ~inside[:, 1:] & high_enough[:, 1:]
        found = passages.any(axis=1)
        if not (found | slight).all():
            raise ModelError(
                f"teeth: the undercut removes the whole involute (base diameter {in_mm(2 * flank.base_radius)}); "
                "use more teeth, a larger profile_shift or a smaller dedendum_factor"
            )
        k = np.argmax(passages, axis=1)
        low, high = grid[k], grid[k + 1]
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            below = self._ahead(middle, z) < 0.0
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        u = high
        L = flank.roll_length(np.abs(fillet.section(u, z)))
        for _ in range(_NEWTON_STEPS):
            a, b = fillet.derivatives(u, z), flank.derivatives(L, z)
            F = a.P - b.P
            # P_u du − P_L dL = −F
            det = -a.u.real * b.u.imag + a.u.imag * b.u.real
            good = np.abs(det) > 1e-12 * np.abs(a.u) * (np.abs(b.u) + 1e-300)
            safe = np.where(good, det, 1.0)
            u = u + np.where(good, (F.real * b.u.imag - F.imag * b.u.real) / safe, 0.0)
            L = L + np.where(good, (F.real * a.u.imag - F.imag * a.u.real) / safe, 0.0)
        self._check_protuberance(u, z)
        return np.where(found, u, fillet.last), np.where(found, L, 0.0)

    def _check_protuberance(self, u: FloatArray, z: FloatArray) -> None:
        """The curve of the protuberance flank, where it is part of the tooth, must not be undercut itself."""
        rack, start = self._fillet.rack, self._fillet.curve(np.ones(1))
        alpha = math.atan(1.0 / abs(float(start.q[0])))
        begin = rack.reference_radius * math.sin(alpha) + (start.X[0] + z * rack.rise) / math.sin(alpha)
        if ((u > 1.0) & (begin < 0.0)).any():
            raise ModelError(
                f"teeth: the rounded tip of the rack undercuts its own protuberance flank of "
                f"{in_deg(rack.protuberance_angle)}. Specify a protuberance_angle closer to the pressure angle, or less "
                "protuberance"
            )


_BESIDE = np.array([-1e-9, 1e-9])
"""Distances [m] from a line at which its slopes are taken."""


class ToothFlank:
    """The left or right side of the teeth.

    Attributes
    ----------
    involute : InvoluteFlank
        The working flank, over (roll length L, ζ) in m; unmodified.
    fillet, root : ToothSurface
        From the involute to the root, and from there to the middle of the space; over (u, ζ).
    modification : Modification
        Of all teeth; `of_tooth` has what is added on single ones.
    """

    def __init__(
        self,
        gear: Gear,
        involute: InvoluteFlank,
        fillet: ToothSurface,
        root: ToothSurface,
        form: Junction | float,
        tip_radius: Callable[[FloatArray], tuple[FloatArray, float]],
        modification: Modification,
        of_tooth: Mapping[int, Modification],
    ) -> None:
        self.gear, self.involute, self.fillet, self.root = gear, involute, fillet, root
        self.junction = form if isinstance(form, Junction) else None
        self._form = form
        self._tip_radius = tip_radius
        self.modification = modification
        self.of_tooth = of_tooth

    # -------------------------------------------------------------------------------------------- where the flank ends

    def form_roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_F(ζ) [m]: where the involute ends towards the root."""
        zz = np.asarray(z, dtype=np.float64)
        return self._form.roll_length(zz) if isinstance(self._form, Junction) else np.full_like(zz, self._form)

    @property
    def conical(self) -> bool:
        """Whether the ends of the flank change along the face: a conical involute gear."""
        return bool(self._tip_radius(np.zeros(1))[1])

    def tip_roll_length(self, z: npt.ArrayLike) -> FloatArray:
        """L_a(ζ) [m]: where the involute ends at the tip."""
        return self.involute.roll_length(self._tip_radius(np.asarray(z, dtype=np.float64))[0])

    def tip_angle(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Polar angle of the tip edge [rad] over ζ, with two derivatives.

        ϑ = s σ (η − inv α_a) + κζ ,  d inv α/dr = L/(r_b r) ,  d² inv α/dr² = (1/L − L/r²)/r_b .
        """
        zz = np.asarray(z, dtype=np.float64)
        r, rise = self._tip_radius(zz)
        flank = self.involute
        L, s = flank.roll_length(r), flank.side
        value = s * flank.half_angle(r, zz)
        if not rise:
            return value, np.full_like(zz, flank.twist), np.zeros_like(zz)
        slope = L / (flank.base_radius * r)
        with np.errstate(divide="ignore"):  # a tip on the base circle
            bend = (1.0 / L - L / r**2) / flank.base_radius
        return value, flank.twist - flank.curl * slope * rise, -flank.curl * bend * rise**2

    @cached_property
    def range(self) -> FlankRange:
        """Form and tip in the middle of the face, and the face width, to which modifications refer."""
        return FlankRange(
            base_radius=self.involute.base_radius,
            form=float(self.form_roll_length(0.0)),
            tip=float(self.tip_roll_length(0.0)),
            face_width=self.gear.required_face_width("a modified flank"),
            sense=self.gear.sense,
        )

    def roll_length(self, diameter: npt.ArrayLike) -> FloatArray:
        """L = sqrt(d² − d_b²)/2 [m] on a circle of a diameter [m]; an error inside the base circle."""
        d = np.asarray(diameter, dtype=np.float64)
        if (d < 2.0 * self.involute.base_radius * (1.0 - 1e-12)).any():
            raise ModelError(
                f"flank: there is no involute at the diameter {in_mm(float(d.min()))}, inside the base circle of "
                f"{in_mm(2.0 * self.involute.base_radius)}. Specify a larger one"
            )
        return self.involute.roll_length(0.5 * d)

    # -------------------------------------------------------------------------------------------------- modified flank

    @property
    def modified(self) -> bool:
        """Whether any tooth departs from the ideal flank."""
        return bool(self.of_tooth) or bool(getattr(self.modification, "parts", True))

    @cached_property
    def ridges(self) -> tuple[FloatArray, FloatArray]:
        """Roll lengths and face coordinates [m] at which the slope of the deviation of a tooth falls in a step.

        The flank has a convex edge there, such as the start of a linear relief. The pressure of ideal bodies has no limit on it.
        """
        lengths: set[float] = set()
        faces: set[float] = set()
        flank, places = self.range, np.linspace(-0.45, 0.45, 3)
        usual = next((k for k in range(self.gear.teeth) if k not in self.of_tooth), 0)
        for tooth in (usual, *self.of_tooth):
            parts = [self.modification, *([self.of_tooth[tooth]] if tooth in self.of_tooth else [])]
            for part in parts:
                at_lengths, at_faces = part.breaks(flank)
                for L in at_lengths:
                    slopes = self.deviation_terms(L + _BESIDE[:, None], places * flank.face_width, tooth).by_length
                    if (slopes[0] - slopes[1]).max() > RIDGE:
                        lengths.add(float(L))
                for z in at_faces:
                    middle = flank.middle + places[:, None] * (flank.tip - flank.form)
                    slopes = self.deviation_terms(middle, z + _BESIDE, tooth).by_face
                    if (slopes[:, 0] - slopes[:, 1]).max() > RIDGE:
                        faces.add(float(z))
        return np.array(sorted(lengths)), np.array(sorted(faces))

    def check_modifications(self) -> None:
        """An error where a modification does not fit the flank, such as a relief that is longer than it."""
        for modification in (self.modification, *self.of_tooth.values()):
            modification.deviation(self.range, np.array([self.range.form, self.range.tip]), np.zeros(2))

    def deviation_terms(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> Deviation:
        """δ(L, ζ) [m] of a tooth with its derivatives by L and ζ."""
        L, zz = along(length, z)
        L, k = np.broadcast_arrays(L, np.asarray(tooth, dtype=np.int64) % self.gear.teeth)
        zz = np.broadcast_to(zz, L.shape)
        if not self.modified:
            zero = np.zeros_like(L)
            return Deviation(zero, zero, zero)
        total = [np.array(term) for term in self.modification.deviation(self.range, L, zz)]
        for number, extra in self.of_tooth.items():
            here = k == number
            if here.any():
                for term, more in zip(total, extra.deviation(self.range, L[here], zz[here]), strict=True):
                    term[here] += more
        return Deviation(*total)

    def deviation(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """δ(L, ζ) [m] along the normal, positive outwards; of one tooth, or of an array of them."""
        return self.deviation_terms(length, z, tooth).value

    def point(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """p + δ n [m], (…, 3): the modified flank of a tooth.

        = (e^{iτ} (r_b + i c (L + σ δ cos β_b)), ζ − s δ sin β_b): along the normal the base tangent is the same.
        """
        flank = self.involute
        L, zz = along(length, z)
        delta = self.deviation(L, zz, tooth)
        beta = flank.base_helix_angle
        arm = L + flank.sense * delta * math.cos(beta)
        turn = flank.direction(L, zz) + self.gear.angular_pitch * np.asarray(tooth, dtype=np.int64)
        P = np.exp(1j * turn) * (flank.base_radius + 1j * flank.curl * arm)
        return space_point(P, zz - flank.side * delta * math.sin(beta))

    def normal(self, length: npt.ArrayLike, z: npt.ArrayLike, tooth: npt.ArrayLike = 0) -> FloatArray:
        """The unit normal of the modified flank out of the material, (…, 3).

        From the tangents p_L + δ_L n + δ n_L and p_ζ + δ_ζ n + δ n_ζ, with n_L = (σ cos β_b / r_b) e_r and
        n_ζ = −s κ cos β_b e_r.
        """
        flank = self.involute
        L, zz = along(length, z)
        k: IntArray = np.asarray(tooth, dtype=np.int64)
        turn = np.exp(1j * self.gear.angular_pitch * k)
        d = self.deviation_terms(L, zz, k)
        beta, r_b = flank.base_helix_angle, flank.base_radius
        e_r = np.exp(1j * flank.direction(L, zz))
        ideal = flank.normal(L, zz)
        if not self.modified:
            return space_point((ideal[..., 0] + 1j * ideal[..., 1]) * turn, ideal[..., 2])
        # In the triad (e_r, generator g, n) of the ideal flank: p_L = (L/r_b) e_r, p_ζ = −cκL e_r + g / cos β_b.
        bend = d.value * math.cos(beta)
        a_r, a_n = (L + flank.sense * bend) / r_b, d.by_length
        b_r, b_g, b_n = -flank.twist * flank.side * (flank.sense * L + bend), 1.0 / math.cos(beta), d.by_face
        # (a_r, 0, a_n) × (b_r, b_g, b_n), turned outwards by the sign of its last component
        out_r, out_g, out_n = -a_n * b_g, a_n * b_r - a_r * b_n, a_r * b_g
        size = np.sqrt(out_r**2 + out_g**2 + out_n**2) * np.where(out_n < 0.0, -1.0, 1.0)
        g = 1j * e_r * math.sin(beta), math.cos(beta)
        across = out_r * e_r + out_g * g[0] + out_n * (ideal[..., 0] + 1j * ideal[..., 1])
        along_z = out_g * g[1] + out_n * ideal[..., 2]
        return space_point(across / size * turn, along_z / size)
