"""Types of roller bearings. Rollers and rings are of steel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import Subject
from ..gears.inputs import in_mm, positive, whole
from ..units import quantity
from .design import SMOOTH, BearingDesign, pair_places, word
from .hertz import contact_modulus, line_pressure
from .law import FlangeLaw, RowPlace
from .profile import PROFILES, gauss_points, logarithmic
from .rollers import LINE_STIFFNESS, RollerLaw

__all__ = ["CylindricalRoller", "NeedleRoller", "RollerBearing"]

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
