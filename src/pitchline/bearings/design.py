"""What all types of rolling bearings share: reading arguments, checks, words, and the equilibrium of one bearing under a load."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from ..errors import ModelError, Subject, near_names, shown
from ..gears.inputs import flag, in_mm, positive
from ..units import quantity, vector
from .equilibrium import equilibrium
from .law import ContactLaw, RowPlace

__all__ = ["ARRANGEMENTS", "CAGES", "Arrangement", "BearingDesign", "BearingUnderLoad"]

Arrangement = Literal["single", "back-to-back", "face-to-face", "tandem"]
ARRANGEMENTS = ("single", "back-to-back", "face-to-face", "tandem")
CAGES = ("rest", "turning", "smooth")
SMOOTH = 4
"""Times as many rolling elements, each as much softer, where they are spread over the circle."""
_LARGEST = 1.0
"""Diameter [m] above which a plain number is taken for millimetres."""
_STATIC_PRESSURE = {"ball": 4.2e9, "roller": 4.0e9}
"""Pressures of the static ratings of ISO 76 [Pa]."""


class BearingUnderLoad(NamedTuple):
    """One bearing in equilibrium with a load on its inner ring, axes of the outer ring."""

    deflection: np.ndarray  # of the inner ring (3,), m
    tilt: np.ndarray  # about x and y (2,), rad
    loads: np.ndarray  # of the rolling elements, (rows, elements), N
    angles: np.ndarray  # contact angles, rad
    pressures: np.ndarray  # Pa
    stiffness: np.ndarray  # (5, 5) by deflection and tilt

    def __repr__(self) -> str:
        moved, turned = (", ".join(f"{x:.4g}" for x in v) for v in (1e6 * self.deflection, 1e3 * self.tilt))
        return (
            f"BearingUnderLoad(deflection ({moved}) um, tilt ({turned}) mrad, loads up to {self.loads.max():.4g} N, "
            f"pressures up to {1e-6 * self.pressures.max():.4g} MPa)"
        )


class BearingDesign(ABC):
    """Base of the types of rolling bearings. Lengths are in m, or texts with a unit."""

    kind: ClassVar[str]
    """In model files."""
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

    # ---- what the types say

    @property
    @abstractmethod
    def number(self) -> int:
        """Rolling elements in a row."""

    @property
    @abstractmethod
    def diameter(self) -> float:
        """Of a rolling element [m]."""

    @property
    def rows(self) -> int:
        """Rows of rolling elements."""
        return len(self.places)

    @property
    def places(self) -> tuple[RowPlace, ...]:
        """Where the rows stand."""
        return (RowPlace(),)

    @abstractmethod
    def law(self, *, offset: float = 0.0, cage: str = "rest", speed: float = 0.0) -> ContactLaw:
        """Its contact law.

        offset: shift [m] of the inner ring of each row into its contact: a preload. cage: "rest", "turning", or "smooth". speed: of
        the inner ring [rad/s] at which centrifugal forces of balls are counted.
        """

    @property
    def one_way(self) -> bool:
        """Whether it holds its inner ring along the axis in one direction alone."""
        return False

    # ---- what follows

    @property
    def gamma(self) -> float:
        """D_w cos α / D_pw."""
        return self.diameter * math.cos(self.contact_angle) / self.pitch

    @property
    def cage_ratio(self) -> float:
        """Rotation of the cage over that of the inner ring, both against the outer ring."""
        return 0.5 * (1.0 - self.gamma)

    @property
    def whole_rating(self) -> float | None:
        """C [N] of all rows together: of a pair of bearings 2^0.7 or 2^(7/9) times `rating`, which is that of one of them."""
        if self.rating is None or not self.is_pair:
            return self.rating
        return float(self.rating * 2.0 ** (0.7 if self.rolling == "ball" else 7.0 / 9.0))

    @property
    def is_pair(self) -> bool:
        """Whether it stands for two bearings side by side."""
        return getattr(self, "arrangement", "single") != "single"

    @property
    def words(self) -> str:
        """What it is, in one line."""
        said = f"{self.title}, {self.number} {self.rolling}s of {in_mm(self.diameter)} on {in_mm(self.pitch)}"
        if self.is_pair:
            said += f", {getattr(self, 'arrangement')} pair"  # noqa: B009
        if self.clearance:
            said += f", clearance {self.clearance * 1e6:.4g} um"
        return f"{said}; geometry estimated from catalogue numbers" if self.estimated else said

    def offset_of(self, preload: float) -> float:
        """Shift [m] of the inner ring into the contact of one row at which that row carries an axial force [N]."""
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
                raise self.error("preload", f"{preload:.6g} N is more than it can carry; give less")
        return float(brentq(excess, low, high, xtol=1e-16, rtol=1e-14))

    def _single_row(self) -> BearingDesign:
        text = "a force along the axis cannot preload it; give a negative clearance, or take angular contact or tapered bearings"
        raise self.error("preload", text)

    def under(
        self, *, force: object = (0.0, 0.0, 0.0), moment: object = (0.0, 0.0), offset: object = 0.0
    ) -> BearingUnderLoad:
        """The bearing alone under a force (3) [N] and a moment about x and y (2) [N m] on its inner ring.

        Directions in which it has no stiffness at all, such as the axis of a cylindrical roller bearing, must be without load and
        stay without deflection.
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
                raise ModelError(f"{self.title}: carries no {_DIRECTIONS[i]}, got {load[i]:.6g}", about=what.at(named))
        e = np.zeros(6)
        e[:5] = equilibrium(law, load, free, self.title)
        state = law.at(e)
        return BearingUnderLoad(e[:3], e[3:5], state.loads, state.angles, state.pressures, state.stiffness[:5, :5])

    @property
    def held(self) -> tuple[int, ...]:
        """Of displacements along x, y, z and tilts about x and y, those that it holds."""
        return (0, 1, 2, 3, 4)

    @property
    def held_along_axis(self) -> bool:
        """Whether a shift along the axis presses its rolling elements."""
        return self.rolling == "ball" or self.contact_angle > 0.0

    def error(self, argument: str, text: str) -> ModelError:
        """What is wrong with one of its arguments."""
        what = Subject(self.title)
        return ModelError(f"{what}: {argument}: {text}", about=what.at(argument))

    def check_rest(self, law: ContactLaw, argument: str) -> None:
        """Without load the pressure must stay below that of the static rating."""
        pressure = float(np.max(law.at(np.zeros(6)).pressures))
        limit = _STATIC_PRESSURE[self.rolling]
        if pressure > limit:
            raise self.error(
                argument,
                f"the rolling elements are pressed with {pressure / 1e9:.3g} GPa without any load, more than the "
                f"{limit / 1e9:g} GPa of the static rating; give less preload, or more clearance",
            )

    # ---- reading

    def _take(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _read_common(self, given: Mapping[str, Any]) -> None:
        """Arguments that all types have."""
        what = Subject(self.title)
        self._take(estimated=flag(given["estimated"], what / "estimated"))
        if "clearance" in given:
            self._take(clearance=quantity(given["clearance"], "length", what=what / "clearance"))
        for name in ("bore", "outer", "width", "rating", "static_rating"):
            value = given[name]
            dimension = "force" if "rating" in name else "length"
            self._take(**{name: None if value is None else positive(value, dimension, what / name)})

    def _check_fit(self) -> None:
        """Rolling elements fit on the pitch circle and between the rings."""
        Z, D, pitch = self.number, self.diameter, self.pitch
        name = f"{self.rolling}s"
        if D > _LARGEST:
            text = f'{D:g} m is out of reason: plain numbers are in metres; write "{D:g} mm" if that is meant'
            raise self.error(self.rolling, text)
        if pitch <= D:
            text = f"{in_mm(pitch)} leaves no room for {name} of {in_mm(D)}; it is the diameter of the circle of their centres"
            raise self.error("pitch", text)
        most = int(math.pi / math.asin(D / pitch) * (1.0 + 1e-9))
        if most < Z:
            raise self.error(
                name, f"{Z} {name} of {in_mm(D)} do not fit on a pitch circle of {in_mm(pitch)}; at most {most} do"
            )
        reach = D * math.cos(self.contact_angle)
        if self.bore is not None and self.bore >= pitch - reach:
            text = f"{in_mm(self.bore)} reaches into the {name}, whose inner circle measures {in_mm(pitch - reach)}"
            raise self.error("bore", text)
        if self.outer is not None and self.outer <= pitch + reach:
            text = f"{in_mm(self.outer)} cuts the {name}, whose outer circle measures {in_mm(pitch + reach)}"
            raise self.error("outer", text)

    @classmethod
    def _estimated(cls, given: Mapping[str, object], contact_angle: object, more: Mapping[str, Any]) -> Self:
        """A bearing whose inner geometry is estimated from catalogue numbers."""
        from .catalogue import estimated_geometry

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
    """One of some words."""
    if not isinstance(value, str) or value not in known:
        raise ModelError(f"{what}: there is no {shown(value)}; {near_names(str(value), known)}", about=what)
    return value


def angle_between(value: object, low: float, high: float, what: Subject) -> float:
    """A contact angle, limits in degrees."""
    made = quantity(value, "angle", what=what)
    if not math.radians(low) <= made <= math.radians(high):
        raise ModelError(f"{what}: must be from {low:g} to {high:g} deg, got {math.degrees(made):.6g} deg", about=what)
    return made


def pair_places(arrangement: str, distance: float, number: int) -> tuple[RowPlace, ...]:
    """Rows of a bearing or of a pair; the second row stands half a pitch further, as chance would have it.

    Back to back (O) the lines of contact meet the axis far apart, face to face (X) close together.
    """
    half = math.pi / number
    if arrangement == "single":
        return (RowPlace(),)
    if arrangement == "back-to-back":
        return (RowPlace(1.0, -0.5 * distance), RowPlace(-1.0, 0.5 * distance, half))
    if arrangement == "face-to-face":
        return (RowPlace(1.0, 0.5 * distance), RowPlace(-1.0, -0.5 * distance, half))
    return (RowPlace(1.0, -0.5 * distance), RowPlace(1.0, 0.5 * distance, half))
