"""Values of a machine as data, and how they change with a motion, a mirror image or other units.

A mirror image maps the axes of each body with diag(1, 1, -1) in addition, so that they stay right-handed. The axis of a
rotation is an axial vector: angles about it, speeds and torques keep their signs, and displacements along it change theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.units.parser import parse_unit

FLIP = np.diag([1.0, 1.0, -1.0])
"""Axes of a body in a mirror image."""
ALONG = np.diag([1.0, -1.0, 1.0])
"""Axes of a part that extends along its z axis, such as a shaft, in a mirror image."""


@dataclass(frozen=True)
class Change:
    """What is done to a whole machine: x -> matrix x + shift, and other units of length, mass, time and current."""

    matrix: np.ndarray = field(default_factory=lambda: np.eye(3))
    shift: np.ndarray = field(default_factory=lambda: np.zeros(3))
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    later: float = 0.0
    units: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    names: Callable[[str], str] = str

    @property
    def mirrors(self) -> bool:
        """Whether it is a mirror image."""
        return bool(np.linalg.det(self.matrix) < 0.0)

    @property
    def own(self) -> np.ndarray:
        """Change of the axes of a body."""
        return FLIP if self.mirrors else np.eye(3)

    def axes(self, *, along: bool) -> np.ndarray:
        """Change of the axes of a part whose z axis is that of a rotation, or its direction."""
        return ALONG if along and self.mirrors else self.own

    def factor(self, unit: str) -> float:
        """Factor of numbers with this unit."""
        if self.units == (1.0, 1.0, 1.0, 1.0) or not unit:
            return 1.0
        length, mass, time, _, current, _ = parse_unit(unit).powers
        return math.prod(u**p for u, p in zip(self.units, (length, mass, time, current), strict=True))


SAME = Change()


class Value:
    """A value that changes with the machine."""

    def changed(self, by: Change) -> Any:
        """Value for pitchline."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Value):
    """A number, or lists of numbers, with unit. odd: it changes its sign in a mirror image."""

    value: Any
    unit: str = ""
    odd: bool = False

    def changed(self, by: Change) -> Any:
        factor = by.factor(self.unit) * (-1.0 if self.odd and by.mirrors else 1.0)
        return scaled(self.value, factor)


@dataclass(frozen=True)
class Limits(Value):
    """Two limits of an odd coordinate change places in a mirror image: this is one of them, `other` is the other."""

    value: float | None
    other: float | None
    unit: str
    odd: bool

    def changed(self, by: Change) -> Any:
        value = -self.other if self.odd and by.mirrors and self.other is not None else self.value
        if self.odd and by.mirrors and self.other is None:
            return None
        return None if value is None else value * by.factor(self.unit)


@dataclass(frozen=True)
class Point(Value):
    """A point in the world."""

    value: Any

    def changed(self, by: Change) -> Any:
        return tuple(by.factor("m") * (by.matrix @ np.asarray(self.value) + by.shift))


@dataclass(frozen=True)
class Arrow(Value):
    """A vector in world axes. axial: like an angular velocity."""

    value: Any
    unit: str = ""
    axial: bool = False
    moves: bool = False

    def changed(self, by: Change) -> Any:
        sign = -1.0 if self.axial and by.mirrors else 1.0
        vector = sign * by.matrix @ np.asarray(self.value)
        return tuple(by.factor(self.unit) * (vector + by.velocity if self.moves else vector))


@dataclass(frozen=True)
class Turn(Value):
    """Orientation of a body, as a matrix. along: z is the direction of a part, and not the axis of a rotation."""

    value: Any
    along: bool = False

    def changed(self, by: Change) -> Any:
        return tuple(map(tuple, by.matrix @ np.asarray(self.value) @ (by.axes(along=self.along))))


@dataclass(frozen=True)
class OwnTurn(Value):
    """Orientation in axes of a body."""

    value: Any

    def changed(self, by: Change) -> Any:
        return tuple(map(tuple, by.own @ np.asarray(self.value) @ by.own))


@dataclass(frozen=True)
class OwnArrow(Value):
    """A vector in axes of a body."""

    value: Any
    unit: str = "m"
    axial: bool = False

    def changed(self, by: Change) -> Any:
        sign = -1.0 if self.axial and by.mirrors else 1.0
        return tuple(by.factor(self.unit) * sign * by.own @ np.asarray(self.value))


@dataclass(frozen=True)
class Tensor(Value):
    """Inertia in axes of a body."""

    value: Any
    unit: str = "kg*m^2"

    def changed(self, by: Change) -> Any:
        return tuple(map(tuple, by.factor(self.unit) * by.own @ np.asarray(self.value) @ by.own))


_TRIO = np.array([1.0, 1.0, -1.0])
_SIX = np.concatenate([_TRIO, -_TRIO])


@dataclass(frozen=True)
class Matrix6(Value):
    """Stiffness or damping of six coordinates in axes of a frame: `unit` of forces over displacements."""

    value: Any
    unit: str

    def changed(self, by: Change) -> Any:
        length = by.factor("m")
        size = np.array([1.0] * 3 + [length] * 3)
        matrix = by.factor(self.unit) * np.outer(size, size) * np.asarray(self.value)
        if by.mirrors:
            matrix = np.outer(_SIX, _SIX) * matrix
        return tuple(map(tuple, matrix))


@dataclass(frozen=True)
class Name(Value):
    """Name of a part."""

    value: str

    def changed(self, by: Change) -> Any:
        return self.value if self.value == "ground" else by.names(self.value)


@dataclass(frozen=True)
class Text(Value):
    """Expression over signals, with {PART} where the name of a part is."""

    value: str

    def changed(self, by: Change) -> Any:
        text = self.value
        while "{" in text:
            before, _, rest = text.partition("{")
            name, _, after = rest.partition("}")
            text = before + by.names(name) + after
        return text


@dataclass(frozen=True)
class Hand(Value):
    """One of two texts that change places in a mirror image."""

    value: str
    other: str

    def changed(self, by: Change) -> Any:
        return self.other if by.mirrors else self.value


@dataclass(frozen=True)
class Call(Value):
    """An object of pitchline: a class or function by its name, with its arguments."""

    maker: str
    given: Mapping[str, Any]
    places: tuple[Any, ...] = ()

    def changed(self, by: Change) -> Call:
        given = {key: changed(value, by) for key, value in self.given.items()}
        given = {key: value for key, value in given.items() if value is not None}
        return replace(self, given=given, places=tuple(changed(value, by) for value in self.places))

    def __str__(self) -> str:
        if self.maker == "m":
            return "m"
        inner = [shown(value) for value in self.places] + [f"{key}={shown(value)}" for key, value in self.given.items()]
        return f"{self.maker}({', '.join(inner)})"


@dataclass(frozen=True)
class On(Value):
    """A frame on a body or on the ground. Position and orientation are in axes of the body, those on the ground in world axes."""

    body: str
    position: Any
    rotation: Any
    along: bool = False

    def changed(self, by: Change) -> Call:
        axes = np.asarray(self.rotation) @ by.axes(along=self.along)
        if self.body == "ground":
            turn = tuple(map(tuple, by.matrix @ axes))
            return Call("m.ground.frame", {"position": Point(self.position).changed(by), "rotation": turn})
        given = {"position": OwnArrow(self.position).changed(by), "rotation": tuple(map(tuple, by.own @ axes))}
        return Call(f"m.bodies[{by.names(self.body)!r}].frame", given)


_SIZES = {
    "pl.Harmonic": ("amplitude", "offset"), "pl.Ramp": ("start", "end"), "pl.Table": ("values",),
    "pl.Fourier": ("mean", "cos", "sin"),
}  # fmt: skip
"""Arguments of functions of time that grow with their values."""


@dataclass(frozen=True)
class Along(Value):
    """A vector that varies with time along a direction: a constant vector times a function without unit."""

    arrow: Arrow
    over_time: Call

    def changed(self, by: Change) -> Any:
        function = changed(self.over_time, by)
        return tuple(_times(function, part) for part in self.arrow.changed(by))


def _times(function: Call, factor: float) -> Call:
    if function.maker == "pl.Sum":
        return replace(function, places=([_times(term, factor) for term in function.places[0]],))
    if function.maker == "pl.Polynomial":
        return replace(function, places=(scaled(function.places[0], factor),))
    sizes = _SIZES[function.maker]
    given = {key: scaled(value, factor) if key in sizes else value for key, value in function.given.items()}
    return replace(function, given=given)


def scaled(value: Any, factor: float) -> Any:
    """Numbers times a factor, also in lists, tables and rows."""
    if isinstance(value, (list, tuple)):
        return type(value)(scaled(item, factor) for item in value)
    if isinstance(value, Mapping):
        return {key: scaled(item, factor) for key, item in value.items()}
    return value if factor == 1.0 or value is None else value * factor


def changed(value: Any, by: Change) -> Any:
    """Value of an argument after a change; nested objects included."""
    if isinstance(value, Value):
        if isinstance(value, Call) and value.maker in LATER and by.later:
            value = LATER[value.maker](value, by.later)
        return value.changed(by)
    if isinstance(value, (list, tuple)):
        return type(value)(changed(item, by) for item in value)
    if isinstance(value, Mapping):
        return {changed(key, by): changed(item, by) for key, item in value.items()}
    return value


def shown(value: Any) -> str:
    """Value as Python code."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(shown, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, np.generic):
        value = value.item()
    return str(value) if isinstance(value, Call) else repr(value)


# --- functions of time that start later -----------------------------------------------------------------------------------------


def _number(call: Call, key: str, default: float = 0.0) -> Number:
    value = call.given.get(key, default)
    return value if isinstance(value, Number) else Number(value)


def _harmonic(call: Call, later: float) -> Call:
    frequency, phase = _number(call, "frequency"), _number(call, "phase")
    shifted = phase.value - 2.0 * math.pi * frequency.value * later
    return replace(call, given={**call.given, "phase": Number(shifted, "rad")})


def _ramp(call: Call, later: float) -> Call:
    times = {key: Number(_number(call, key).value + later, "s") for key in ("t0", "t1")}
    return replace(call, given={**call.given, **times})


def _table(call: Call, later: float) -> Call:
    if call.given.get("over", "time") != "time":
        return call
    times = tuple(t + later for t in call.given["t"].value)
    return replace(call, given={**call.given, "t": Number(times, "s")})


LATER: dict[str, Callable[[Call, float], Call]] = {"pl.Harmonic": _harmonic, "pl.Ramp": _ramp, "pl.Table": _table}
"""How the functions of time start later."""
