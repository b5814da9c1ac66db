"""Types of roller bearings with a contact angle: tapered and spherical."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..arguments import names_wrong_arguments
from ..errors import Subject
from ..gears.inputs import number
from .ball_types import read_pair, single_of
from .design import Arrangement, BearingDesign, angle_between, pair_places, word
from .law import RowPlace
from .profile import PROFILES, crowned
from .roller_types import Profile, RollerBearing

__all__ = ["SphericalRoller", "TaperedRoller"]


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
