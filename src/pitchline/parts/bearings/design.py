"""Base of all types of rolling bearings: arguments, checks, descriptions, ratings, equilibrium of one bearing."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from pitchline.errors import ModelError, SolveError, Subject, near_names, shown
from pitchline.units.quantity import quantity, vector

from ..gears.geometry.inputs import flag, in_mm, positive
from .law import ContactLaw, RowPlace, point_contact

__all__ = [
    "equilibrium",
    "ARRANGEMENTS",
    "CAGES",
    "Arrangement",
    "BearingDesign",
    "BearingUnderLoad",
    "BALL_GROOVES",
    "ball_dynamic_rating",
    "ball_static_rating",
    "roller_dynamic_rating",
    "roller_static_rating",
    "estimated_geometry",
]


# ---- equilibrium

# Deflections at which a bearing balances a load: Newton's method with a line search on the convex potential V - F e.

_MOST = 400
_ROUNDING = 1e-15
_TRUST = 4.0
"""Largest ratio of a step to the previous one, while rolling elements come into contact."""


def equilibrium(law: ContactLaw, load: Any, free: Sequence[int], what: str) -> np.ndarray:
    """Five deflections [m, rad] under a load [N, N m]. Those that are not free stay zero. SolveError if there is no solution."""
    free = list(free)
    F = np.asarray(load, dtype=float)
    lever = law.lever
    size = np.array([1.0, 1.0, 1.0, 1.0 / lever, 1.0 / lever])  # tilts are measured by the motion of the raceway
    e = np.zeros(6)
    if not F.any():
        return e[:5]
    scale = float(np.max(np.abs(F * size)))
    longest = 1e-5 * lever
    damping = _softest(law, scale)
    state = law.at(e)
    for _ in range(_MOST):
        r = (state.force[:5] - F)[free] * size[free]
        noise = (
            _ROUNDING * lever * float(np.max(np.diag(state.stiffness)[:3]))
        )  # of gaps, which are differences of lengths
        if np.max(np.abs(r)) <= max(1e-11 * scale, noise):
            return e[:5]
        K = state.stiffness[:5, :5] * np.outer(size, size)
        K = K[np.ix_(free, free)]
        floor = max(1e-9 * np.trace(K), damping)
        step = np.zeros(6)
        step[free] = -np.linalg.solve(K + floor * np.eye(len(free)), r) * size[free]
        reach = float(np.max(np.abs(step[:5] / size)))
        step *= min(1.0, longest / reach)
        before, slope = float(np.real(state.energy)) - F @ e[:5], float((state.force[:5] - F) @ step[:5])
        t = 1.0
        while True:
            state = law.at(e + t * step)
            after = float(np.real(state.energy)) - F @ (e + t * step)[:5]
            smaller = np.max(np.abs((state.force[:5] - F)[free] * size[free])) < np.max(np.abs(r))
            if (
                after <= before + 1e-4 * t * slope
                or (smaller and abs(after - before) <= 1e-12 * abs(before))
                or t < 1e-10
            ):
                break
            t *= 0.5
        e = e + t * step
        longest = max(_TRUST * t * min(reach, longest), 1e-7 * lever)
        damping *= 0.1 if t == 1.0 else 4.0
    said = np.array2string(F, precision=6)
    raise SolveError(
        f"{what}: no equilibrium found under the force and moment {said}; a single angular contact or tapered bearing, for "
        "example, needs an axial force in the direction of its contact"
    )


def _softest(law: ContactLaw, scale: float) -> float:
    """Stiffness [N/m] of the first steps before contact: the load divided by 1e-4 of the bearing radius."""
    return 1e4 * scale / law.lever


Arrangement = Literal["single", "back-to-back", "face-to-face", "tandem"]
ARRANGEMENTS = ("single", "back-to-back", "face-to-face", "tandem")
CAGES = ("rest", "turning", "smooth")
SMOOTH = 4
"""With evenly distributed stiffness: factor for the number of rolling elements. Each is softer by the same factor."""
_LARGEST = 1.0
"""Above this diameter [m] a plain number is probably in millimetres."""
_STATIC_PRESSURE = {"ball": 4.2e9, "roller": 4.0e9}
"""Pressures of the static load ratings of ISO 76 [Pa]."""


class BearingUnderLoad(NamedTuple):
    """One bearing in equilibrium with a load on its inner ring, in the axes of the outer ring."""

    deflection: np.ndarray  # of the inner ring (3,), m
    tilt: np.ndarray  # about x and y (2,), rad
    loads: np.ndarray  # of the rolling elements, (rows, elements), N
    angles: np.ndarray  # contact angles, rad
    pressures: np.ndarray  # Pa
    stiffness: np.ndarray  # (5, 5) for deflection and tilt

    def __repr__(self) -> str:
        moved, turned = (", ".join(f"{x:.4g}" for x in v) for v in (1e6 * self.deflection, 1e3 * self.tilt))
        return (
            f"BearingUnderLoad(deflection ({moved}) um, tilt ({turned}) mrad, loads up to {self.loads.max():.4g} N, "
            f"pressures up to {1e-6 * self.pressures.max():.4g} MPa)"
        )


class BearingDesign(ABC):
    """Base class of rolling bearing types. Lengths are in m, or texts with a unit."""

    kind: ClassVar[str]
    """Kind in model files."""
    title: ClassVar[str]
    rolling: ClassVar[str]
    units: ClassVar[Mapping[str, str]] = MappingProxyType({
        **dict.fromkeys(("ball", "roller", "length", "pitch", "clearance", "bore", "outer", "width", "distance"), "m"),
        "axial_clearance": "m", "axial_stiffness": "N/m", "contact_angle": "rad", "rating": "N", "static_rating": "N",
        "C": "N", "C0": "N",
    })  # fmt: skip
    pitch: float
    clearance: float
    contact_angle: float
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    # ---- to be implemented by the types

    @property
    @abstractmethod
    def number(self) -> int:
        """Number of rolling elements in a row."""

    @property
    @abstractmethod
    def diameter(self) -> float:
        """Diameter of a rolling element [m]."""

    @property
    def rows(self) -> int:
        """Number of rows of rolling elements."""
        return len(self.places)

    @property
    def places(self) -> tuple[RowPlace, ...]:
        """Positions of the rows."""
        return (RowPlace(),)

    @abstractmethod
    def law(self, *, offset: float = 0.0, cage: str = "rest", speed: float = 0.0) -> ContactLaw:
        """Return the contact law.

        Parameters
        ----------
        offset
            Axial shift of the inner ring of each row into its contact [m], a preload. Default 0.
        cage
            "rest" (default), "turning" or "smooth".
        speed
            Speed of the inner ring [rad/s] for centrifugal forces of balls. Default 0.
        """

    @property
    def one_way(self) -> bool:
        """Whether it supports axial forces on its inner ring in one direction only."""
        return False

    # ---- derived values

    @property
    def gamma(self) -> float:
        """D_w cos α / D_pw."""
        return self.diameter * math.cos(self.contact_angle) / self.pitch

    @property
    def cage_ratio(self) -> float:
        """Ratio of the cage rotation to the inner ring rotation, both relative to the outer ring."""
        return 0.5 * (1.0 - self.gamma)

    @property
    def whole_rating(self) -> float | None:
        """C [N] of all rows together. For a pair of bearings 2^0.7 or 2^(7/9) times `rating`, which is that of one bearing."""
        if self.rating is None or not self.is_pair:
            return self.rating
        return float(self.rating * 2.0 ** (0.7 if self.rolling == "ball" else 7.0 / 9.0))

    @property
    def whole_static_rating(self) -> float | None:
        """C_0 [N] of all rows together: of a pair of bearings twice `static_rating`."""
        return None if self.static_rating is None else self.static_rating * (2.0 if self.is_pair else 1.0)

    @property
    def factor_rows(self) -> int:
        """Number of rows for the factors of equivalent loads. Two bearings in tandem carry a load as one does."""
        return 1 if self.rows == 1 or getattr(self, "arrangement", "single") == "tandem" else 2

    @property
    def is_pair(self) -> bool:
        """Whether it represents two bearings next to each other."""
        return getattr(self, "arrangement", "single") != "single"

    @property
    def words(self) -> str:
        """Description in one line."""
        said = f"{self.title}, {self.number} {self.rolling}s of {in_mm(self.diameter)} on {in_mm(self.pitch)}"
        if self.is_pair:
            said += f", {getattr(self, 'arrangement')} pair"  # noqa: B009
        if self.clearance:
            said += f", clearance {self.clearance * 1e6:.4g} um"
        return f"{said}; geometry estimated from catalogue data" if self.estimated else said

    def offset_of(self, preload: float) -> float:
        """Compute the shift [m] of the inner ring into the contact of one row for a given axial force of that row.

        Parameters
        ----------
        preload
            Axial force [N].
        """
        from scipy.optimize import brentq  # late: scipy takes long to import and few models need it

        single = self._single_row()
        if preload == 0.0:
            return 0.0

        def excess(shift: float) -> float:
            return float(single.law(offset=shift).at(np.zeros(6)).force[2]) - preload

        low, high = 0.0, 1e-6 * self.diameter
        if excess(low) >= 0.0:
            return 0.0
        while excess(high) < 0.0:
            low, high = high, 2.0 * high
            if high > self.diameter:
                raise self.error("preload", f"{preload:.6g} N is more than it can carry; specify a smaller preload")
        return float(brentq(excess, low, high, xtol=1e-16, rtol=1e-14))

    def _single_row(self) -> BearingDesign:
        text = (
            "an axial force cannot preload it; specify a negative clearance, or use angular contact or tapered bearings"
        )
        raise self.error("preload", text)

    def under(
        self, *, force: object = (0.0, 0.0, 0.0), moment: object = (0.0, 0.0), offset: object = 0.0
    ) -> BearingUnderLoad:
        """Compute the equilibrium of the bearing without a shaft under a load on its inner ring.

        Directions without stiffness, such as the axis of a cylindrical roller bearing, must have no load. Their deflection is zero.

        Parameters
        ----------
        force
            Force (3) [N]. Default 0.
        moment
            Moment about x and y (2) [N m]. Default 0.
        offset
            Axial shift of the inner ring of each row into its contact [m], a preload. Default 0.
        """
        what = Subject(self.title)
        load = np.concatenate(
            [vector(force, "force", what=what / "force"), vector(moment, "torque", what=what / "moment", size=2)]
        )
        law = self.law(offset=quantity(offset, "length", what=what / "offset"))
        free = self.held
        for i in set(range(5)) - set(free):
            if load[i]:
                named = ("force", "force", "force", "moment", "moment")[i]
                raise ModelError(
                    f"{self.title}: cannot carry a {_DIRECTIONS[i]}, got {load[i]:.6g}", about=what.at(named)
                )
        e = np.zeros(6)
        e[:5] = equilibrium(law, load, free, self.title)
        state = law.at(e)
        return BearingUnderLoad(e[:3], e[3:5], state.loads, state.angles, state.pressures, state.stiffness[:5, :5])

    @property
    def held(self) -> tuple[int, ...]:
        """Directions in which it has stiffness, of displacements along x, y, z and tilts about x and y."""
        return (0, 1, 2, 3, 4)

    @property
    def held_along_axis(self) -> bool:
        """Whether an axial shift loads its rolling elements."""
        return self.rolling == "ball" or self.contact_angle > 0.0

    def error(self, argument: str, text: str) -> ModelError:
        """Error about one of its arguments."""
        what = Subject(self.title)
        return ModelError(f"{what}: {argument}: {text}", about=what.at(argument))

    def check_rest(self, law: ContactLaw, argument: str) -> None:
        """Check that the pressure without load is below that of the static rating."""
        pressure = float(np.max(law.at(np.zeros(6)).pressures))
        limit = _STATIC_PRESSURE[self.rolling]
        if pressure > limit:
            raise self.error(
                argument,
                f"the contact pressure of the rolling elements without load is {pressure / 1e9:.3g} GPa, more than the "
                f"{limit / 1e9:g} GPa of the static rating; specify less preload, or more clearance",
            )

    # ---- reading

    def _take(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _read_common(self, given: Mapping[str, Any]) -> None:
        """Read arguments that all types have."""
        what = Subject(self.title)
        self._take(estimated=flag(given["estimated"], what / "estimated"))
        if "clearance" in given:
            self._take(clearance=quantity(given["clearance"], "length", what=what / "clearance"))
        for name in ("bore", "outer", "width", "rating", "static_rating"):
            value = given[name]
            dimension = "force" if "rating" in name else "length"
            self._take(**{name: None if value is None else positive(value, dimension, what / name)})

    def _check_fit(self) -> None:
        """Check that the rolling elements fit on the pitch circle and between the rings."""
        Z, D, pitch = self.number, self.diameter, self.pitch
        name = f"{self.rolling}s"
        if D > _LARGEST:
            text = f'{D:g} m is not plausible: plain numbers are in metres; if you mean millimetres, write "{D:g} mm"'
            raise self.error(self.rolling, text)
        if pitch <= D:
            text = f"{in_mm(pitch)} is too small for {name} of {in_mm(D)}; it is the diameter of the circle through their centres"
            raise self.error("pitch", text)
        most = int(math.pi / math.asin(D / pitch) * (1.0 + 1e-9))
        if most < Z:
            raise self.error(
                name, f"{Z} {name} of {in_mm(D)} do not fit on a pitch circle of {in_mm(pitch)}; the maximum is {most}"
            )
        reach = D * math.cos(self.contact_angle)
        if self.bore is not None and self.bore >= pitch - reach:
            text = (
                f"{in_mm(self.bore)} overlaps the {name}, whose inner circle has a diameter of {in_mm(pitch - reach)}"
            )
            raise self.error("bore", text)
        if self.outer is not None and self.outer <= pitch + reach:
            text = (
                f"{in_mm(self.outer)} overlaps the {name}, whose outer circle has a diameter of {in_mm(pitch + reach)}"
            )
            raise self.error("outer", text)

    @classmethod
    def _estimated(cls, given: Mapping[str, object], contact_angle: object, more: Mapping[str, Any]) -> Self:
        """Make a bearing whose internal geometry is estimated from catalogue data."""
        pass

        what = Subject(cls.title)
        read: dict[str, Any] = {
            name: positive(given[name], "length", what / name) for name in ("bore", "outer", "width")
        }
        read["C"] = positive(given["C"], "force", what / "C")
        read["C0"] = None if given["C0"] is None else positive(given["C0"], "force", what / "C0")
        if read["outer"] <= read["bore"]:
            text = f"{in_mm(read['outer'])} is not larger than the bore, {in_mm(read['bore'])}"
            raise ModelError(f"{cls.title}: outer: {text}", about=what.at("outer"))
        angle = None if contact_angle is None else quantity(contact_angle, "angle", what=what / "contact_angle")
        geometry = estimated_geometry(cls.__name__, **read, contact_angle=angle)
        sizes = {name: read[name] for name in ("bore", "outer", "width")}
        ratings = {"rating": read["C"], "static_rating": read["C0"]}
        make: Callable[..., Self] = cls
        return make(**{**geometry, **sizes, **ratings, "estimated": True, **more})


_DIRECTIONS = ("force along x", "force along y", "force along its axis", "moment about x", "moment about y")


def word(value: object, known: tuple[str, ...], what: Subject) -> str:
    """Read one of several texts."""
    if not isinstance(value, str) or value not in known:
        raise ModelError(f"{what}: unknown option {shown(value)}; {near_names(str(value), known)}", about=what)
    return value


def angle_between(value: object, low: float, high: float, what: Subject) -> float:
    """Read a contact angle. The limits are in degrees."""
    made = quantity(value, "angle", what=what)
    if not math.radians(low) <= made <= math.radians(high):
        raise ModelError(f"{what}: must be from {low:g} to {high:g} deg, got {math.degrees(made):.6g} deg", about=what)
    return made


def pair_places(arrangement: str, distance: float, number: int) -> tuple[RowPlace, ...]:
    """Rows of a bearing or of a pair. The second row is rotated by half a pitch, because its real phase is random.

    Back to back (O) the lines of contact intersect the axis far apart, face to face (X) close together.
    """
    half = math.pi / number
    if arrangement == "single":
        return (RowPlace(),)
    if arrangement == "back-to-back":
        return (RowPlace(1.0, -0.5 * distance), RowPlace(-1.0, 0.5 * distance, half))
    if arrangement == "face-to-face":
        return (RowPlace(1.0, 0.5 * distance), RowPlace(-1.0, -0.5 * distance, half))
    return (RowPlace(1.0, -0.5 * distance), RowPlace(1.0, 0.5 * distance, half))


# ---- ratings

# Basic load ratings of radial rolling bearings from their internal geometry: ISO 281:2007 (dynamic) and ISO 76:2006
# (static).
#
# The standards use N and mm; lengths here are in m and forces in N.
#
# - Balls, dynamic: C = b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.8, above 25.4 mm 3.647 b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.4,
#   b_m = 1.3, f_c from table 2 of ISO 281 (grooves of 0.52 D_w on the inner and 0.53 D_w on the outer ring).
# - Rollers, dynamic: C = b_m f_c (i L_we cos α)^(7/9) Z^(3/4) D_we^(29/27) with f_c = 208 λν γ^(2/9) (1-γ)^(29/27) /
#   (1+γ)^(1/4) [1 + (1.04 ((1-γ)/(1+γ))^(143/108))^(9/2)]^(-2/9), λν = 0.83 (Lundberg and Palmgren 1952; ISO/TR 1281-1).
#   It agrees with table 7 of ISO 281 in all digits.
# - Static: the load at which the most loaded contact reaches 4200 MPa (balls) or 4000 MPa (rollers) in a bearing without
#   clearance, with half of it loaded: balls C_0 = i Z Q(4200 MPa) cos α / 5, rollers C_0 = 44 (1-γ) i Z L_we D_we cos α.

BALL_GROOVES = (0.52, 0.53)
"""Radii of the inner and the outer groove divided by the ball diameter for which the ratings of ISO 281 apply."""

#: γ in steps of 0.01 from 0.01 to 0.40, and f_c [N, mm]: ISO 281:2007, table 2, single row radial contact and angular
#: contact.
_BALL_GAMMA = np.arange(1, 41) / 100.0
_BALL_FACTOR = np.fromstring(
    """29.1 35.8 40.3 43.8 46.7 49.1 51.1 52.8 54.3 55.5 56.6 57.5 58.2 58.8 59.3 59.6 59.8 59.9 60.0 59.9
    59.8 59.6 59.3 59.0 58.6 58.2 57.7 57.1 56.6 56.0 55.3 54.6 53.9 53.2 52.4 51.7 50.9 50.0 49.2 48.4""",
    sep=" ",
)
_STATIC_BALL_PRESSURE = 4200e6  # Pa
_MODULUS = 2.07e11 / (1.0 - 0.3**2)  # E / (1-ν²) [Pa] of the steel of ISO 76
_MM = 1e-3


def gamma_of(diameter: float, pitch: float, contact_angle: float) -> float:
    """γ = D_w cos α / D_pw."""
    return diameter * math.cos(contact_angle) / pitch


def ball_dynamic_rating(balls: int, ball: float, pitch: float, *, contact_angle: float = 0.0, rows: int = 1) -> float:
    """C [N] of `rows` rows of `balls` balls of diameter `ball` [m] on the pitch diameter `pitch` [m], by ISO 281."""
    factor = float(np.interp(gamma_of(ball, pitch, contact_angle), _BALL_GAMMA, _BALL_FACTOR))
    size = ball / _MM
    power = size**1.8 if size <= 25.4 else 3.647 * size**1.4
    return 1.3 * factor * (rows * math.cos(contact_angle)) ** 0.7 * balls ** (2.0 / 3.0) * power


def roller_dynamic_rating(
    rollers: int,
    roller: float,
    length: float,
    pitch: float,
    *,
    contact_angle: float = 0.0,
    rows: int = 1,
    design: float = 1.1,
) -> float:
    """C [N] of `rows` rows of rollers of mean diameter `roller` and effective length `length` [m], by ISO 281.

    design: b_m of ISO 281: 1.1 for cylindrical, tapered and machined needle roller bearings, 1.15 for spherical roller
    bearings, 1.0 for drawn cups.
    """
    g = gamma_of(roller, pitch, contact_angle)
    ratio = ((1.0 - g) / (1.0 + g)) ** (143.0 / 108.0)
    rings = (1.0 + (1.04 * ratio) ** 4.5) ** (-2.0 / 9.0)
    factor = 208.0 * 0.83 * g ** (2.0 / 9.0) * (1.0 - g) ** (29.0 / 27.0) / (1.0 + g) ** 0.25 * rings
    along = (rows * length / _MM * math.cos(contact_angle)) ** (7.0 / 9.0)
    return design * factor * along * rollers**0.75 * (roller / _MM) ** (29.0 / 27.0)


def ball_static_rating(
    balls: int,
    ball: float,
    pitch: float,
    *,
    contact_angle: float = 0.0,
    rows: int = 1,
    grooves: tuple[float, float] = BALL_GROOVES,
) -> float:
    """C_0 [N], from the contact that first reaches 4200 MPa. grooves: radii of the grooves divided by the ball diameter."""
    g = gamma_of(ball, pitch, contact_angle)
    inner = _load_at_pressure(ball, g / (1.0 - g), grooves[0])
    outer = _load_at_pressure(ball, -g / (1.0 + g), grooves[1])
    return 0.2 * rows * balls * math.cos(contact_angle) * min(inner, outer)


def roller_static_rating(
    rollers: int, roller: float, length: float, pitch: float, *, contact_angle: float = 0.0, rows: int = 1
) -> float:
    """C_0 [N] of `rows` rows of rollers of mean diameter `roller` and effective length `length` [m], by ISO 76."""
    g = gamma_of(roller, pitch, contact_angle)
    return 44.0 * (1.0 - g) * rows * rollers * (length / _MM) * (roller / _MM) * math.cos(contact_angle)


def _load_at_pressure(ball: float, along: float, groove: float) -> float:
    """Load [N] at which the pressure in the middle of the contact is that of ISO 76. Arguments as in `point_contact`."""
    return float((_STATIC_BALL_PRESSURE / point_contact(ball, along, groove, _MODULUS).pressure) ** 3)


# ---- catalogue

# Estimate of the internal geometry of a rolling bearing from catalogue data: bore, outer diameter, width, C and C_0.
#
# Manufacturers do not publish number and size of the rolling elements. But the boundary dimensions limit them, and
# the ratings of ISO 281 and ISO 76 depend on them. The estimate is the number of rolling elements (whole), their
# diameter and their length with the best agreement with four or five criteria, each with its usual scatter: C, C_0,
# the ratio of element diameter to section height, the ratio of length to width, and the filling of the pitch circle
# (deep groove bearings: the arc over which balls can be inserted). For published bearings, the error of the diameter
# is 2 to 5 %, and most numbers of elements are exact. The relative error of the stiffness is about half of these
# errors or less.


class _Habit(NamedTuple):
    """Typical values for bearings of one type: mean value and relative scatter."""

    diameter: tuple[float, float]  # of the rolling element, divided by half the difference of outer diameter and bore
    filling: tuple[float, float]  # Z D_w / (π D_pw), or the arc [rad] of the balls before the cage separates them
    length: tuple[float, float] | None = None  # of rollers, divided by the width of the bearing
    rows: int = 1
    design: float = 1.1  # b_m of ISO 281
    angle: float = 0.0  # default contact angle, deg; nan: must be specified


_HABITS = {
    "DeepGrooveBall": _Habit((0.60, 0.04), (math.radians(189.0), 0.03)),
    "AngularContactBall": _Habit((0.61, 0.05), (0.87, 0.05), angle=math.nan),
    "CylindricalRoller": _Habit((0.55, 0.06), (0.80, 0.04), (0.60, 0.08)),
    "TaperedRoller": _Habit((0.48, 0.08), (0.85, 0.05), (0.62, 0.12), angle=math.nan),
    "SphericalRoller": _Habit((0.50, 0.08), (0.86, 0.06), (0.36, 0.15), rows=2, design=1.15, angle=math.nan),
    "NeedleRoller": _Habit((0.41, 0.10), (0.68, 0.10), (0.72, 0.10)),
}
_DYNAMIC_SCATTER, _STATIC_SCATTER = 0.06, 0.03  # manufacturers raise C above ISO 281; C_0 follows ISO 76
_UNBELIEVABLE = 1.6  # if ratings differ from the section by more than this factor: wrong unit or wrong bearing


def estimated_geometry(
    kind: str,
    bore: float,
    outer: float,
    width: float,
    C: float,
    C0: float | None = None,
    contact_angle: float | None = None,
) -> dict[str, Any]:
    """Estimate arguments of a bearing type that agree with catalogue data, SI units.

    kind: name of the type, such as "DeepGrooveBall". bore, outer, width: m (tapered: the total width T). C, C0: basic dynamic
    and static load rating, N; without C0 the estimate is less certain. contact_angle: rad; required for angular contact and
    tapered rollers (1.5 tan α = e of the catalogue); the default sine for spherical rollers is 0.64 width/outer.

    Balls: balls, ball, pitch, contact_angle. Rollers: rollers, roller, length, pitch, contact_angle. All values are for one row.
    """
    return dict(_estimate(kind, bore, outer, width, C, C0, contact_angle))


@lru_cache
def _estimate(
    kind: str, bore: float, outer: float, width: float, C: float, C0: float | None, contact_angle: float | None
) -> tuple[tuple[str, Any], ...]:
    """Compute the estimate once for each bearing: machines have many equal bearings, and files are read more than once."""
    from scipy.optimize import least_squares  # late: scipy takes long to import and few models need it

    habit = _checked(kind, bore, outer, width, C, C0)
    angle = _angle(kind, habit, width, outer, contact_angle)
    pitch, section = 0.5 * (bore + outer), 0.5 * (outer - bore)
    best: tuple[float, int, np.ndarray] | None = None
    for count in range(3, 1 + int(math.pi * pitch / (0.6 * habit.diameter[0] * section))):
        start = [math.log(habit.diameter[0] * section)] + ([math.log(habit.length[0] * width)] if habit.length else [])
        found = least_squares(
            _misfit,
            start,
            args=(kind, habit, count, pitch, section, width, C, C0, angle),
            method="lm",
            xtol=1e-10,
            ftol=1e-10,
        )
        if best is None or found.cost < best[0]:
            best = found.cost, count, np.exp(found.x)
    assert best is not None
    _, count, sizes = best
    _refuse_unbelievable(kind, habit, count, sizes, pitch, C, C0, angle)
    if habit.length is None:
        geometry: dict[str, Any] = {"balls": count, "ball": float(sizes[0]), "pitch": pitch}
    else:
        geometry = {"rollers": count, "roller": float(sizes[0]), "length": float(sizes[1]), "pitch": pitch}
    return tuple((geometry | {"contact_angle": angle} if angle else geometry).items())


def _ratings(habit: _Habit, count: int, sizes: np.ndarray, pitch: float, angle: float) -> tuple[float, float]:
    if habit.length is None:
        return (
            ball_dynamic_rating(count, sizes[0], pitch, contact_angle=angle),
            ball_static_rating(count, sizes[0], pitch, contact_angle=angle),
        )
    return (
        roller_dynamic_rating(
            count, sizes[0], sizes[1], pitch, contact_angle=angle, rows=habit.rows, design=habit.design
        ),
        roller_static_rating(count, sizes[0], sizes[1], pitch, contact_angle=angle, rows=habit.rows),
    )


def _misfit(
    logarithms: np.ndarray,
    kind: str,
    habit: _Habit,
    count: int,
    pitch: float,
    section: float,
    width: float,
    C: float,
    C0: float | None,
    angle: float,
) -> np.ndarray:
    """Deviations from ratings and typical values, each divided by its scatter."""
    sizes = np.minimum(np.exp(logarithms), [0.45 * pitch, np.inf][: len(logarithms)])
    dynamic, static = _ratings(habit, count, sizes, pitch, angle)
    if kind == "DeepGrooveBall":  # the rings are pushed together on one side, the balls inserted, then distributed
        filled = (count - 1) * 2.0 * math.asin(sizes[0] / pitch)
    else:
        filled = count * sizes[0] / (math.pi * pitch)
    terms = [
        math.log(dynamic / C) / _DYNAMIC_SCATTER,
        math.log(static / C0) / _STATIC_SCATTER if C0 else 0.0,
        math.log(sizes[0] / (habit.diameter[0] * section)) / habit.diameter[1],
        math.log(filled / habit.filling[0]) / habit.filling[1],
    ]
    if habit.length:
        terms.append(math.log(sizes[1] / (habit.length[0] * width)) / habit.length[1])
    return np.array(terms)


def _checked(kind: str, bore: float, outer: float, width: float, C: float, C0: float | None) -> _Habit:
    if kind not in _HABITS:
        raise ModelError(f'bearing from a catalogue: unknown type "{kind}"; {near_names(kind, list(_HABITS))}')
    for name, value in {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}.items():
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise ModelError(f"{kind} from a catalogue: {name} must be greater than zero, got {value:g}")
    if bore >= outer:
        raise ModelError(
            f"{kind} from a catalogue: bore, {bore * 1e3:g} mm, must be less than the outer diameter, {outer * 1e3:g} mm"
        )
    return _HABITS[kind]


def _angle(kind: str, habit: _Habit, width: float, outer: float, given: float | None) -> float:
    if given is not None:
        if not 0.0 <= given <= math.radians(45.0) + 1e-12:
            raise ModelError(
                f"{kind} from a catalogue: contact_angle must be from 0 to 45 deg, got {math.degrees(given):.6g} deg"
            )
        if given and habit.angle == 0.0:
            raise ModelError(
                f"{kind} from a catalogue: this type has no contact angle, got {math.degrees(given):.6g} deg"
            )
        return given
    if kind == "SphericalRoller":
        return math.asin(min(0.64 * width / outer, math.sin(math.radians(25.0))))
    if math.isnan(habit.angle):
        raise ModelError(f"{kind} from a catalogue: specify contact_angle; catalogues contain it or e = 1.5 tan α")
    return math.radians(habit.angle)


def _refuse_unbelievable(
    kind: str, habit: _Habit, count: int, sizes: np.ndarray, pitch: float, C: float, C0: float | None, angle: float
) -> None:
    for name, given, computed in zip(("C", "C0"), (C, C0), _ratings(habit, count, sizes, pitch, angle), strict=True):
        if given is not None and not 1.0 / _UNBELIEVABLE < given / computed < _UNBELIEVABLE:
            raise ModelError(
                f"{kind} from a catalogue: {name} = {given / 1e3:.4g} kN does not fit these dimensions; a bearing of this size "
                f"has about {computed / 1e3:.3g} kN. Check units, type and dimensions"
            )
