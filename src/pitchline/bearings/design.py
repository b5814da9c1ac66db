"""Base of all types of rolling bearings: reading of arguments, checks, descriptions, equilibrium of one bearing."""

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
