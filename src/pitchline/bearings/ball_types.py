"""Types of ball bearings."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self

from ..arguments import names_wrong_arguments
from ..errors import Subject
from ..gears.inputs import in_mm, number, positive, whole
from .balls import BallLaw
from .design import ARRANGEMENTS, SMOOTH, Arrangement, BearingDesign, angle_between, pair_places, word
from .hertz import MATERIALS, contact_modulus, point_contact
from .law import FlangeLaw, RowPlace

__all__ = ["AngularContactBall", "DeepGrooveBall"]

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
