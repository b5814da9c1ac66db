"""Types of ball bearings, and the contact law of a ball with its centrifugal force."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import Subject

from ..gears.geometry.inputs import in_mm, number, positive, whole
from .design import ARRANGEMENTS, SMOOTH, Arrangement, BearingDesign, angle_between, pair_places, word
from .law import MATERIALS, Array, ContactLaw, ContactState, FlangeLaw, RowPlace, contact_modulus, point_contact

__all__ = ["settled", "BallLaw", "AngularContactBall", "DeepGrooveBall"]


# ---- ball centre

# Balls under centrifugal force: equilibrium position of the centre of a ball between the grooves.
#
# With the centre of the outer groove as origin, the centre of the inner groove at (a, b) and the centre of the ball
# at (u, v),
#
# V(a, b) = min over (u, v) of V_i(|(a - u, b - v)| - l_i) + V_e(|(u, v)| - l_e) - F u,
#
# V_i, V_e = 2/5 k δ^(5/2), F the centrifugal force. The function is convex, so that Newton's method with a line
# search converges. The forces on the inner ring are the gradient of V_i. The stiffness is its Schur complement H_i -
# H_i (H_i + H_e)^(-1) H_i.

_MOST = 200

_Contact = tuple[float, float, float, float, float, float, float]
"""Energy, load, force (x, y) and stiffness (xx, xy, yy) of one contact."""


def settled(law: Any, a: Any, b: Any) -> tuple[Any, Any, Any, Any, Any]:
    """For every ball: energy, (f_a, f_b), stiffness, loads on inner and outer ring, contact angle at the inner ring."""
    shape, flat = (
        np.shape(a),
        [_one(law, x, y) for x, y in zip(np.ravel(a).tolist(), np.ravel(b).tolist(), strict=True)],
    )
    V, fa, fb, Haa, Hab, Hbb, Qi, Qe, angle = (np.array(column).reshape(shape) for column in zip(*flat, strict=True))
    return V, (fa, fb), [[Haa, Hab], [Hab, Hbb]], np.stack([Qi, Qe]), angle


def _one(law: Any, a: float, b: float) -> tuple[float, ...]:
    """For one ball, with plain numbers: arrays of two are slow."""
    (ki, ke), (li, le), F = law.stiffness, law.lengths, law.centrifugal
    far = (le + (F / ke) ** (2.0 / 3.0)) / math.hypot(a, b)
    u, v = a * far, b * far  # on the line of the centres, pressed outwards as by F only
    state = _state(ki, ke, li, le, F, a, b, u, v)
    small = False
    for _ in range(_MOST):
        before, gu, gv, inner, outer = state
        size = max(abs(gu), abs(gv))
        if size <= 1e-13 * F or small:
            break
        du, dv = _solved(inner, outer, -gu, -gv, 1e-12)
        longest = max(abs(du), abs(dv))
        small = longest <= 1e-15 * le  # rounding
        t = min(1.0, 0.25 * le / longest)
        du, dv = t * du, t * dv
        t, slope = 1.0, gu * du + gv * dv
        while t > 1e-9:
            state = _state(ki, ke, li, le, F, a, b, u + t * du, v + t * dv)
            if state[0] <= before + 1e-4 * t * slope or max(abs(state[1]), abs(state[2])) < 0.5 * size:
                break
            t *= 0.5
        u, v = u + t * du, v + t * dv
    total, _, _, inner, outer = state
    Q, fu, fv, huu, huv, hvv = inner[1:]
    xu, xv = _solved(inner, outer, huu, huv, 0.0)
    yu, yv = _solved(inner, outer, huv, hvv, 0.0)
    S = (huu - huu * xu - huv * xv, huv - huu * yu - huv * yv, hvv - huv * yu - hvv * yv)
    return total, fu, fv, *S, Q, outer[1], math.atan2(b - v, a - u)


def _solved(inner: _Contact, outer: _Contact, x: float, y: float, shift: float) -> tuple[float, float]:
    """(H_i + H_e)^(-1) (x, y). `shift` times the trace is added to the diagonal."""
    uu, uv, vv = inner[4] + outer[4], inner[5] + outer[5], inner[6] + outer[6]
    more = shift * (uu + vv)
    uu, vv = uu + more, vv + more
    det = uu * vv - uv * uv
    return (vv * x - uv * y) / det, (uu * y - uv * x) / det


def _contact(k: float, x: float, y: float, free: float) -> _Contact:
    """One contact, from the vector between ball centre and groove centre."""
    l = math.hypot(x, y)
    delta = l - free
    if delta <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    x, y, root = x / l, y / l, math.sqrt(delta)
    Q, stiff = k * delta * root, 1.5 * k * root
    across = Q / l
    return (
        0.4 * Q * delta, Q, Q * x, Q * y,
        stiff * x * x + across * y * y, (stiff - across) * x * y, stiff * y * y + across * x * x,
    )  # fmt: skip


def _state(
    ki: float, ke: float, li: float, le: float, F: float, a: float, b: float, u: float, v: float
) -> tuple[float, float, float, _Contact, _Contact]:
    """Energy and its gradient with respect to (u, v), and both contacts, for the ball at (u, v)."""
    inner, outer = _contact(ki, a - u, b - v, li), _contact(ke, u, v, le)
    return inner[0] + outer[0] - F * u, outer[2] - inner[2] - F, outer[3] - inner[3], inner, outer


# ---- balls

# Contact law of balls between two grooves: ISO/TS 16281:2008; de Mul, Vree and Maas (1989).
#
# a and b are the radial and axial distance between the centres of the grooves at a ball. A is their distance when the
# ball just touches.
#
# a = a_0 + c e_1 + s e_2 + z (c e_5 - s e_4), b = b_0 + d (e_3 + R (s e_4 - c e_5)), l = √(a² + b²), δ = l - A,
#
# V = 2/5 c_p δ^(5/2), Q = c_p δ^(3/2). R is half the pitch diameter, d the direction and z the position of the row.
# The same R is used in kinematics and moments, so that the forces have a potential. l is the norm of an affine
# function of e; therefore V is convex. An angular contact bearing has a shoulder on one side only: if b < 0, its
# balls touch the bottom of the groove, l = a.
#
# With a centrifugal force F on a ball, V is the minimum of V_i + V_e - F r over the position of its centre, see
# `BallLaw`.


@dataclasses.dataclass(frozen=True, eq=False)
class BallLaw(ContactLaw):
    """Contact law of ball bearings, SI units."""

    rolling: ClassVar[str] = "ball"
    distance: float  # A
    radial: float  # a_0
    axial: float  # b_0, with the offset of a preload
    one_sided: bool
    stiffness: tuple[float, float]  # of the contacts with the inner and the outer ring, N/m^(3/2)
    pressure: tuple[float, float]  # p = c Q^(1/3) of both
    lengths: tuple[float, float]  # from the ball centre to the centres of the grooves, when it just touches
    centrifugal: float = 0.0  # force on a ball, N

    @property
    def both(self) -> float:
        """c_p of the two contacts in series."""
        return float(sum(k ** (-2.0 / 3.0) for k in self.stiffness) ** -1.5)

    def at(self, e: Array) -> ContactState:
        c, s = self.waves(e)
        d = np.array([row.direction for row in self.rows])[:, None]
        z = np.array([row.position for row in self.rows])[:, None]
        nu, R, zero = self.cage_ratio, self.lever, np.zeros_like(c)
        radial = c * e[0] + s * e[1] + z * (c * e[4] - s * e[3])
        tilt = R * (s * e[3] - c * e[4])
        turned = np.stack(
            [-s * e[0] + c * e[1] - z * (c * e[3] + s * e[4]), d * R * (c * e[3] + s * e[4])]
        )  # by the angle
        a, b = self.radial + radial, self.axial + d * (e[2] + tilt)
        by_a = np.stack([c, s, zero, -z * s, z * c, nu * turned[0]])
        by_b = np.stack([zero, zero, d + zero, d * R * s, -d * R * c, nu * turned[1]])
        bottom = self.one_sided & (np.real(b) < 0.0)
        by_b = np.where(bottom, 0.0, by_b)
        V, f, H, loads, angles = self._planar(a, np.where(bottom, 0.0, b))
        w = np.einsum("irj,rj->i", by_a, f[0]) + np.einsum("irj,rj->i", by_b, f[1])
        K = sum(
            np.einsum("irj,rj,krj->ik", x, H[m][n], y)
            for m, x in enumerate((by_a, by_b))
            for n, y in enumerate((by_a, by_b))
        )
        # gradients rotate with the cage
        cross = (
            np.stack([-s, c, zero, -z * c, -z * s]) * f[0] + np.stack([zero, zero, zero, d * R * c, d * R * s]) * f[1]
        )
        K[5, :5] += nu * cross.sum(axis=(1, 2))
        K[:5, 5] += nu * cross.sum(axis=(1, 2))
        K[5, 5] -= nu * nu * np.sum(f[0] * radial + f[1] * d * tilt)
        flange = self.flange.at(e[2])
        w[2] += flange[1]
        K[2, 2] += flange[2]
        larger = self.times * np.max(loads, axis=0)
        pressures = np.max([c * np.real(q) ** (1.0 / 3.0) for c, q in zip(self.pressure, loads, strict=True)], axis=0)
        return ContactState(V.sum() + flange[0], w, K, larger, d * angles, pressures)

    def _planar(self, a: Array, b: Array) -> tuple[Array, Any, Any, Array, Array]:
        """Energy, forces and stiffness over a and b of every ball; loads on inner and outer ring, inner contact angles."""
        if self.centrifugal:
            return settled(self, a, b)
        l = np.sqrt(a * a + b * b)
        delta = np.where(np.real(l) > self.distance, l - self.distance, 0.0)
        root = np.sqrt(delta)
        Q, k = self.both * delta * root, 1.5 * self.both * root
        n, t = (a / l, b / l), (-b / l, a / l)
        H = [[k * n[i] * n[j] + Q / l * t[i] * t[j] for j in range(2)] for i in range(2)]
        return 0.4 * Q * delta, (Q * n[0], Q * n[1]), H, np.stack([Q, Q]), np.arctan2(np.real(b), np.real(a))


Material = Literal["steel", "silicon nitride"]


class BallBearing(BearingDesign):
    """Base class of ball bearings."""

    rolling = "ball"
    balls: int
    ball: float
    inner_groove: float
    outer_groove: float
    material: str

    @property
    def number(self) -> int:
        return self.balls

    @property
    def diameter(self) -> float:
        return self.ball

    @property
    def groove_distance(self) -> float:
        """A [m]: distance between the centres of the two grooves when a ball just touches both."""
        return (self.inner_groove + self.outer_groove - 1.0) * self.ball

    @property
    def ball_mass(self) -> float:
        """[kg]"""
        return MATERIALS[self.material].density * math.pi / 6.0 * self.ball**3

    def _read_balls(self, given: dict[str, Any]) -> None:
        what = Subject(self.title)
        self._take(
            balls=whole(given["balls"], what / "balls", at_least=3, at_most=10_000),
            ball=positive(given["ball"], "length", what / "ball"),
            pitch=positive(given["pitch"], "length", what / "pitch"),
            inner_groove=number(given["inner_groove"], what / "inner_groove"),
            outer_groove=number(given["outer_groove"], what / "outer_groove"),
            material=word(given["material"], tuple(MATERIALS), what / "material"),
        )
        for name in ("inner_groove", "outer_groove"):
            if not 0.5 < getattr(self, name) < 1.0:
                given_radius = getattr(self, name)
                text = f"the ratio of groove radius to ball diameter must be above 0.5 (typical 0.52), got {given_radius:g}"
                raise self.error(name, text)
        self._read_common(given)
        self._check_fit()

    def _law(self, radial: float, axial: float, *, offset: float, cage: str, speed: float, one_sided: bool) -> BallLaw:
        g, modulus = self.gamma, contact_modulus(self.material)
        inner = point_contact(self.ball, g / (1.0 - g), self.inner_groove, modulus)
        outer = point_contact(self.ball, -g / (1.0 + g), self.outer_groove, modulus)
        times = SMOOTH if cage == "smooth" else 1
        return BallLaw(
            rows=self.places,
            elements=times * self.balls,
            cage_ratio=self.cage_ratio if cage == "turning" else 0.0,
            flange=FlangeLaw(),
            distance=self.groove_distance,
            radial=radial,
            axial=axial + offset,
            lever=0.5 * self.pitch,
            times=times,
            one_sided=one_sided,
            stiffness=(inner.stiffness / times, outer.stiffness / times),
            pressure=(inner.pressure * times ** (1.0 / 3.0), outer.pressure * times ** (1.0 / 3.0)),
            lengths=((self.inner_groove - 0.5) * self.ball, (self.outer_groove - 0.5) * self.ball),
            centrifugal=0.5 * self.ball_mass * self.pitch * (self.cage_ratio * speed) ** 2 / times,
        )


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class DeepGrooveBall(BallBearing):
    """Deep groove ball bearing.

    Parameters
    ----------
    balls
        Number of balls.
    ball
        Ball diameter [m].
    pitch
        Pitch diameter, through the centres of the balls [m].
    inner_groove, outer_groove
        Groove radius of each ring divided by the ball diameter. Default 0.52 and 0.53.
    clearance
        Radial internal clearance, measured on the diameter [m]. Negative: preload. Default 0.
    material
        Material of the balls: "steel" (default) or "silicon nitride".
    rating, static_rating
        Basic dynamic and static load rating C and C0 [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "deep_groove_ball"
    title: ClassVar[str] = "deep groove ball bearing"
    balls: int
    ball: float
    pitch: float
    inner_groove: float
    outer_groove: float
    clearance: float
    material: str
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        balls: int,
        ball: object,
        pitch: object,
        inner_groove: float = 0.52,
        outer_groove: float = 0.53,
        clearance: object = 0.0,
        material: Material = "steel",
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        self._read_balls(dict(locals()))
        if self.clearance >= 2.0 * self.groove_distance:
            most = in_mm(2.0 * self.groove_distance)
            raise self.error(
                "clearance", f"{in_mm(self.clearance)} is larger than the maximum for these grooves, {most}"
            )
        self.check_rest(self.law(), "clearance")

    @classmethod
    def from_catalogue(
        cls,
        *,
        bore: object,
        outer: object,
        width: object,
        C: object,
        C0: object = None,
        clearance: object = 0.0,
        material: Material = "steel",
    ) -> Self:
        """Make a bearing from catalogue data. The internal geometry is estimated.

        Parameters
        ----------
        bore, outer, width
            Boundary dimensions [m].
        C, C0
            Basic dynamic and static load rating [N]. C0 is optional.
        clearance
            Radial internal clearance [m]. Default 0.
        material
            Material of the balls: "steel" (default) or "silicon nitride".
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        return cls._estimated(given, None, {"clearance": clearance, "material": material})

    @property
    def contact_angle(self) -> float:  # type: ignore[override]
        """0: for centred rings."""
        return 0.0

    def law(self, *, offset: float = 0.0, cage: str = "rest", speed: float = 0.0) -> BallLaw:
        radial = self.groove_distance - 0.5 * self.clearance
        return self._law(radial, 0.0, offset=offset, cage=cage, speed=speed, one_sided=False)

    def _single_row(self) -> DeepGrooveBall:
        return self


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class AngularContactBall(BallBearing):
    """Angular contact ball bearing, or a pair of them. A single bearing supports axial forces on its inner ring along +z.

    Parameters
    ----------
    balls
        Number of balls in a row.
    ball
        Ball diameter [m].
    pitch
        Pitch diameter, through the centres of the balls [m].
    contact_angle
        Contact angle without load [rad].
    arrangement
        "single" (default), or a pair: "back-to-back", "face-to-face", "tandem" (both support forces along +z).
    distance
        Axial distance between the two rows of a pair [m]. Default: the width.
    inner_groove, outer_groove
        Groove radius of each ring divided by the ball diameter. Default 0.52 and 0.53.
    material
        Material of the balls: "steel" (default) or "silicon nitride".
    rating, static_rating
        Basic dynamic and static load rating C and C0 of one bearing [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions of one bearing [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "angular_contact_ball"
    title: ClassVar[str] = "angular contact ball bearing"
    clearance: ClassVar[float] = 0.0  # type: ignore[misc]
    balls: int
    ball: float
    pitch: float
    contact_angle: float
    arrangement: str
    distance: float | None
    inner_groove: float
    outer_groove: float
    material: str
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        balls: int,
        ball: object,
        pitch: object,
        contact_angle: object,
        arrangement: Arrangement = "single",
        distance: object = None,
        inner_groove: float = 0.52,
        outer_groove: float = 0.53,
        material: Material = "steel",
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        given = dict(locals())
        what = Subject(self.title)
        self._take(contact_angle=angle_between(contact_angle, 5.0, 85.0, what / "contact_angle"))
        self._read_balls(given)
        read_pair(self, given)

    @classmethod
    def from_catalogue(
        cls,
        *,
        bore: object,
        outer: object,
        width: object,
        C: object,
        contact_angle: object,
        C0: object = None,
        arrangement: Arrangement = "single",
        distance: object = None,
        material: Material = "steel",
    ) -> Self:
        """Make a bearing from catalogue data. The internal geometry is estimated.

        Parameters
        ----------
        bore, outer, width
            Boundary dimensions of one bearing [m].
        C, C0
            Basic dynamic and static load rating of one bearing [N]. C0 is optional.
        contact_angle
            Contact angle without load [rad].
        arrangement
            "single" (default), or a pair: "back-to-back", "face-to-face", "tandem".
        distance
            Axial distance between the two rows of a pair [m]. Default: the width.
        material
            Material of the balls: "steel" (default) or "silicon nitride".
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        more = {"arrangement": arrangement, "distance": distance, "material": material}
        return cls._estimated(given, contact_angle, more)

    @property
    def one_way(self) -> bool:
        return self.arrangement in ("single", "tandem")

    @property
    def places(self) -> tuple[RowPlace, ...]:
        return pair_places(self.arrangement, self.distance or 0.0, self.balls)

    def law(self, *, offset: float = 0.0, cage: str = "rest", speed: float = 0.0) -> BallLaw:
        A, alpha = self.groove_distance, self.contact_angle
        return self._law(
            A * math.cos(alpha), A * math.sin(alpha), offset=offset, cage=cage, speed=speed, one_sided=True
        )

    def _single_row(self) -> BearingDesign:
        return single_of(self)


def read_pair(bearing: Any, given: dict[str, Any]) -> None:
    """Read arrangement and distance of a pair."""
    what = Subject(bearing.title)
    arrangement, distance = word(given["arrangement"], ARRANGEMENTS, what / "arrangement"), given["distance"]
    if distance is not None and arrangement == "single":
        raise bearing.error(
            "distance", 'needs two rows; specify an arrangement such as arrangement="back-to-back", or omit distance'
        )
    if distance is None and arrangement != "single" and bearing.width is None:
        raise bearing.error("distance", "is missing: specify the axial distance between the two rows, or width")
    if arrangement != "single":
        distance = bearing.width if distance is None else positive(distance, "length", what / "distance")
    bearing._take(arrangement=arrangement, distance=distance)


def single_of(bearing: Any) -> Any:
    """Return one bearing of a pair."""
    if bearing.arrangement == "single":
        return bearing
    names = [field.name for field in fields(bearing) if field.name not in ("arrangement", "distance")]
    return type(bearing)(**{name: getattr(bearing, name) for name in names})
