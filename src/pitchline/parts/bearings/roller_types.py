"""Types of roller bearings, with the profiles of their rollers. Rollers and rings are of steel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import Subject
from pitchline.units.quantity import quantity

from ..gears.geometry.inputs import in_mm, number, positive, whole
from .ball_types import read_pair, single_of
from .design import SMOOTH, Arrangement, BearingDesign, angle_between, pair_places, word
from .law import LINE_STIFFNESS, FlangeLaw, RollerLaw, RowPlace, contact_modulus, line_pressure

__all__ = [
    "PROFILES",
    "crowned",
    "gauss_points",
    "logarithmic",
    "CylindricalRoller",
    "NeedleRoller",
    "RollerBearing",
    "SphericalRoller",
    "TaperedRoller",
]


# ---- profile

# Roller profiles: drop of the surface towards the ends, and integration points along the roller.
#
# Logarithmic profiles of ISO/TS 16281:2008: cylindrical 0.00035 D ln 1/(1 - (2x/L)²) if L <= 2.5 D, and for longer
# rollers 0.0005 D ln 1/(1 - ((2|x| - (L - 2.5 D)) / (2.5 D))²) near the ends; tapered 0.00045 D ln 1/(1 - (2x/L)²).
# Spherical rollers: x²/2 times the difference of the curvatures of roller and raceway.

Array = np.ndarray[Any, Any]

PROFILES = ("logarithmic", "straight")
_LONG = 2.5


@lru_cache
def gauss_points(count: int) -> tuple[Array, Array]:
    """Points from -1/2 to 1/2 along a roller, and their fractions of its length."""
    x, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * x, 0.5 * weights


def logarithmic(x: Array, diameter: float, length: float, *, tapered: bool) -> Array:
    """P(x) [m] of a roller, x [m] from its middle."""
    if tapered:
        return _log(0.00045 * diameter, 2.0 * x / length)
    if length <= _LONG * diameter:
        return _log(0.00035 * diameter, 2.0 * x / length)
    past = np.maximum(0.0, 2.0 * np.abs(x) - (length - _LONG * diameter)) / (_LONG * diameter)
    return _log(0.0005 * diameter, past)


def _log(factor: float, place: Array) -> Array:
    return -factor * np.log1p(-np.minimum(place * place, 1.0 - 1e-12))


def crowned(x: Array, raceway_radius: float, osculation: float) -> Array:
    """P(x) [m] of a spherical roller whose profile radius is `osculation` times that of the raceway."""
    return 0.5 * x * x * (1.0 / osculation - 1.0) / raceway_radius


Profile = Literal["logarithmic", "straight"]
Flanges = Literal["none", "up", "down", "both"]
FLANGES = ("none", "up", "down", "both")
_POINTS = 16
"""Gauss points along a roller: the error of forces is 5e-4; with 31 slices of equal length it is 1e-3."""


class RollerBearing(BearingDesign):
    """Base class of roller bearings."""

    rolling = "roller"
    aligning: ClassVar[bool] = False
    rollers: int
    roller: float
    length: float

    @property
    def number(self) -> int:
        return self.rollers

    @property
    def diameter(self) -> float:
        return self.roller

    def gaps(self, x: Any) -> Any:
        """2 P [m] at positions x [m] along a roller, from its middle."""
        if getattr(self, "profile", "logarithmic") == "straight":
            return np.zeros_like(x)
        return 2.0 * logarithmic(x, self.roller, self.length, tapered=self.contact_angle > 0.0)

    def _read_rollers(self, given: dict[str, Any]) -> None:
        what = Subject(self.title)
        self._take(
            rollers=whole(given["rollers"], what / "rollers", at_least=3, at_most=10_000),
            roller=positive(given["roller"], "length", what / "roller"),
            length=positive(given["length"], "length", what / "length"),
            pitch=positive(given["pitch"], "length", what / "pitch"),
        )
        self._read_common(given)
        self._check_fit()
        if self.width is not None and self.length * math.cos(self.contact_angle) > self.width:
            raise self.error(
                "length",
                f"rollers of {in_mm(self.length)} are longer than the width of the bearing, {in_mm(self.width)}",
            )
        if abs(self.clearance) >= 0.1 * self.roller:
            raise self.error(
                "clearance", f"{in_mm(self.clearance)} is not plausible for rollers of {in_mm(self.roller)}"
            )

    def law(self, *, offset: float = 0.0, cage: str = "rest", speed: float = 0.0) -> RollerLaw:
        if speed:
            raise self.error("speed", "centrifugal forces are computed only for balls; omit it")
        places, parts = gauss_points(_POINTS)
        g, modulus = self.gamma, contact_modulus("steel")
        times = SMOOTH if cage == "smooth" else 1
        alpha = self.contact_angle
        return RollerLaw(
            rows=self.places,
            elements=times * self.rollers,
            cage_ratio=self.cage_ratio if cage == "turning" else 0.0,
            flange=self.flange_law,
            angle=alpha,
            approach=-0.5 * self.clearance * math.cos(alpha) + offset * math.sin(alpha),
            lever=0.5 * self.pitch,
            times=times,
            aligning=self.aligning,
            points=places * self.length,
            gaps=self.gaps(places * self.length),
            weights=LINE_STIFFNESS * self.length ** (8.0 / 9.0) * parts / times,
            pressure=(
                line_pressure(self.roller, g / (1.0 - g), modulus) * times**0.5,
                line_pressure(self.roller, -g / (1.0 + g), modulus) * times**0.5,
            ),
            lengths=parts * self.length,
        )

    @property
    def flange_law(self) -> FlangeLaw:
        """Flange law of cylindrical roller bearings with flanges on both rings."""
        return FlangeLaw()

    @property
    def held(self) -> tuple[int, ...]:
        return (0, 1, 2, 3, 4) if self.contact_angle else (0, 1, 3, 4)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class CylindricalRoller(RollerBearing):
    """Cylindrical roller bearing. It carries axial forces only if flanges are specified.

    Parameters
    ----------
    rollers
        Number of rollers in a row.
    roller
        Roller diameter [m].
    length
        Effective roller length, without the rounded ends [m].
    pitch
        Pitch diameter, through the centres of the rollers [m].
    clearance
        Radial internal clearance, measured on the diameter [m]. Negative: preload. Default 0.
    rows_of_rollers
        Number of rows: 1 (default) or 2.
    distance
        Axial distance between two rows [m].
    profile
        Roller profile: "logarithmic" (default) or "straight".
    flanges
        Flanges on both rings that limit the axial motion of the inner ring: "none" (default; N, NU), "up" along +z, "down"
        along -z (NJ), or "both" (NUP).
    axial_clearance
        Axial distance of the inner ring from the middle position to each flange [m]. Default 0.
    axial_stiffness
        Stiffness of a flange [N/m]. Required with flanges.
    rating, static_rating
        Basic dynamic and static load rating C and C0 [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "cylindrical_roller"
    title: ClassVar[str] = "cylindrical roller bearing"
    contact_angle: ClassVar[float] = 0.0  # type: ignore[misc]
    rollers: int
    roller: float
    length: float
    pitch: float
    clearance: float
    rows_of_rollers: int
    distance: float | None
    profile: str
    flanges: str
    axial_clearance: float
    axial_stiffness: float | None
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        rollers: int,
        roller: object,
        length: object,
        pitch: object,
        clearance: object = 0.0,
        rows_of_rollers: int = 1,
        distance: object = None,
        profile: Profile = "logarithmic",
        flanges: Flanges = "none",
        axial_clearance: object = 0.0,
        axial_stiffness: object = None,
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        given = dict(locals())
        what = Subject(self.title)
        self._read_rollers(given)
        rows = whole(rows_of_rollers, what / "rows_of_rollers", at_least=1, at_most=2)
        if (distance is None) == (rows == 2):
            raise self.error(
                "distance", "is the axial distance between two rows: specify it only together with rows_of_rollers=2"
            )
        self._take(
            rows_of_rollers=rows,
            distance=None if distance is None else positive(distance, "length", what / "distance"),
            profile=word(profile, PROFILES, what / "profile"),
            flanges=word(flanges, FLANGES, what / "flanges"),
            axial_clearance=quantity(axial_clearance, "length", what=what / "axial_clearance"),
            axial_stiffness=None
            if axial_stiffness is None
            else positive(axial_stiffness, "stiffness", what / "axial_stiffness"),
        )
        if (self.flanges == "none") != (self.axial_stiffness is None):
            raise self.error("axial_stiffness", "needs flanges: specify both, or neither")
        if self.axial_clearance < 0.0:
            raise self.error("axial_clearance", f"must not be negative, got {in_mm(self.axial_clearance)}")
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
        profile: Profile = "logarithmic",
        flanges: Flanges = "none",
        axial_clearance: object = 0.0,
        axial_stiffness: object = None,
    ) -> Self:
        """Make a bearing from catalogue data. The internal geometry is estimated for one row.

        Parameters
        ----------
        bore, outer, width
            Boundary dimensions [m].
        C, C0
            Basic dynamic and static load rating [N]. C0 is optional.
        clearance
            Radial internal clearance [m]. Default 0.
        profile
            Roller profile: "logarithmic" (default) or "straight".
        flanges
            "none" (default), "up", "down" or "both".
        axial_clearance
            Axial distance of the inner ring from the middle position to each flange [m]. Default 0.
        axial_stiffness
            Stiffness of a flange [N/m]. Required with flanges.
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        more = {
            "clearance": clearance, "profile": profile, "flanges": flanges, "axial_clearance": axial_clearance,
            "axial_stiffness": axial_stiffness,
        }  # fmt: skip
        return cls._estimated(given, None, more)

    @property
    def places(self) -> tuple[RowPlace, ...]:
        return pair_places("tandem" if self.rows_of_rollers == 2 else "single", self.distance or 0.0, self.rollers)

    @property
    def flange_law(self) -> FlangeLaw:
        gap, none = self.axial_clearance, math.inf
        up, down = self.flanges in ("up", "both"), self.flanges in ("down", "both")
        return FlangeLaw(self.axial_stiffness or 0.0, gap if up else none, gap if down else none)

    @property
    def held(self) -> tuple[int, ...]:
        return (0, 1, 3, 4) if self.flanges == "none" else (0, 1, 2, 3, 4)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class NeedleRoller(RollerBearing):
    """Needle roller bearing, with its rings or directly on the shaft. It carries no axial force.

    Parameters
    ----------
    rollers
        Number of needles.
    roller
        Needle diameter [m].
    length
        Effective needle length [m].
    pitch
        Pitch diameter, through the centres of the needles [m].
    clearance
        Radial internal clearance, measured on the diameter [m]. Negative: preload. Default 0.
    profile
        Needle profile: "logarithmic" (default) or "straight".
    rating, static_rating
        Basic dynamic and static load rating C and C0 [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "needle_roller"
    title: ClassVar[str] = "needle roller bearing"
    contact_angle: ClassVar[float] = 0.0  # type: ignore[misc]
    rollers: int
    roller: float
    length: float
    pitch: float
    clearance: float
    profile: str
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        rollers: int,
        roller: object,
        length: object,
        pitch: object,
        clearance: object = 0.0,
        profile: Profile = "logarithmic",
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        self._read_rollers(dict(locals()))
        self._take(profile=word(profile, PROFILES, Subject(self.title) / "profile"))
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
        profile: Profile = "logarithmic",
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
        profile
            Needle profile: "logarithmic" (default) or "straight".
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        return cls._estimated(given, None, {"clearance": clearance, "profile": profile})


# ---- inclined roller types

# Types of roller bearings with a contact angle: tapered and spherical.


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class TaperedRoller(RollerBearing):
    """Tapered roller bearing, or a pair of them. A single bearing supports axial forces on its inner ring along +z.

    The force of the flange that guides the rollers is neglected: it is small, and acts along the rollers.

    Parameters
    ----------
    rollers
        Number of rollers in a row.
    roller
        Mean roller diameter [m].
    length
        Effective roller length [m].
    pitch
        Pitch diameter, through the middles of the rollers [m].
    contact_angle
        Contact angle of the outer ring [rad].
    arrangement
        "single" (default), or a pair: "back-to-back", "face-to-face", "tandem" (both support forces along +z).
    distance
        Axial distance between the two rows of a pair [m]. Default: the width.
    profile
        Roller profile: "logarithmic" (default) or "straight".
    rating, static_rating
        Basic dynamic and static load rating C and C0 of one bearing [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions of one bearing [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "tapered_roller"
    title: ClassVar[str] = "tapered roller bearing"
    clearance: ClassVar[float] = 0.0  # type: ignore[misc]
    rollers: int
    roller: float
    length: float
    pitch: float
    contact_angle: float
    arrangement: str
    distance: float | None
    profile: str
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        rollers: int,
        roller: object,
        length: object,
        pitch: object,
        contact_angle: object,
        arrangement: Arrangement = "single",
        distance: object = None,
        profile: Profile = "logarithmic",
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        given = dict(locals())
        what = Subject(self.title)
        self._take(contact_angle=angle_between(contact_angle, 3.0, 60.0, what / "contact_angle"))
        self._read_rollers(given)
        self._take(profile=word(profile, PROFILES, what / "profile"))
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
        profile: Profile = "logarithmic",
    ) -> Self:
        """Make a bearing from catalogue data. The internal geometry is estimated.

        Parameters
        ----------
        bore, outer, width
            Boundary dimensions of one bearing [m].
        C, C0
            Basic dynamic and static load rating of one bearing [N]. C0 is optional.
        contact_angle
            Contact angle of the outer ring [rad]. The catalogue's e is 1.5 times its tangent.
        arrangement
            "single" (default), or a pair: "back-to-back", "face-to-face", "tandem".
        distance
            Axial distance between the two rows of a pair [m]. Default: the width.
        profile
            Roller profile: "logarithmic" (default) or "straight".
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        return cls._estimated(
            given, contact_angle, {"arrangement": arrangement, "distance": distance, "profile": profile}
        )

    @property
    def one_way(self) -> bool:
        return self.arrangement in ("single", "tandem")

    @property
    def places(self) -> tuple[RowPlace, ...]:
        return pair_places(self.arrangement, self.distance or 0.0, self.rollers)

    def _single_row(self) -> BearingDesign:
        single: BearingDesign = single_of(self)
        return single


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class SphericalRoller(RollerBearing):
    """Spherical roller bearing with two rows. It is self-aligning: it has no resistance to tilt.

    Parameters
    ----------
    rollers
        Number of rollers in each of the two rows.
    roller
        Largest roller diameter [m].
    length
        Effective roller length [m].
    pitch
        Pitch diameter, through the middles of the rollers [m].
    contact_angle
        Contact angle [rad].
    clearance
        Radial internal clearance, measured on the diameter [m]. Negative: preload. Default 0.
    osculation
        Profile radius of the rollers divided by that of the raceways. Default 0.98.
    rating, static_rating
        Basic dynamic and static load rating C and C0 [N], for the life. Optional.
    bore, outer, width
        Boundary dimensions [m], for checks of the seats. Optional.
    estimated
        Whether the geometry is an estimate. Default False.
    """

    kind: ClassVar[str] = "spherical_roller"
    title: ClassVar[str] = "spherical roller bearing"
    aligning: ClassVar[bool] = True
    rollers: int
    roller: float
    length: float
    pitch: float
    contact_angle: float
    clearance: float
    osculation: float
    rating: float | None
    static_rating: float | None
    bore: float | None
    outer: float | None
    width: float | None
    estimated: bool

    def __init__(
        self,
        *,
        rollers: int,
        roller: object,
        length: object,
        pitch: object,
        contact_angle: object,
        clearance: object = 0.0,
        osculation: float = 0.98,
        rating: object = None,
        static_rating: object = None,
        bore: object = None,
        outer: object = None,
        width: object = None,
        estimated: bool = False,
    ) -> None:
        given = dict(locals())
        what = Subject(self.title)
        self._take(contact_angle=angle_between(contact_angle, 1.0, 45.0, what / "contact_angle"))
        self._read_rollers(given)
        self._take(osculation=number(osculation, what / "osculation"))
        if not 0.8 <= self.osculation <= 1.0:
            raise self.error("osculation", f"must be from 0.8 to 1, got {self.osculation:g}")
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
        contact_angle: object = None,
        clearance: object = 0.0,
        osculation: float = 0.98,
    ) -> Self:
        """Make a bearing from catalogue data. The internal geometry is estimated.

        Parameters
        ----------
        bore, outer, width
            Boundary dimensions [m].
        C, C0
            Basic dynamic and static load rating [N]. C0 is optional.
        contact_angle
            Contact angle [rad]. Default: estimated from the width.
        clearance
            Radial internal clearance [m]. Default 0.
        osculation
            Profile radius of the rollers divided by that of the raceways. Default 0.98.
        """
        given = {"bore": bore, "outer": outer, "width": width, "C": C, "C0": C0}
        return cls._estimated(given, contact_angle, {"clearance": clearance, "osculation": osculation})

    @property
    def places(self) -> tuple[RowPlace, ...]:
        return pair_places("face-to-face", self.pitch * math.tan(self.contact_angle), self.rollers)

    def gaps(self, x: Any) -> Any:
        raceway = 0.5 * self.pitch / math.cos(self.contact_angle) + 0.5 * self.roller
        return 2.0 * crowned(x, raceway, self.osculation)

    @property
    def held(self) -> tuple[int, ...]:
        return (0, 1, 2)
