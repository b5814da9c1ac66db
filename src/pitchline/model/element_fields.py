"""Fields that a declared element is made of (see `declared_element`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ModelError, Subject, near_names, shown
from ..units import array, quantity, vector
from .functions import Function, as_function
from .joints import ANGLE, DISPLACEMENT

__all__ = [
    "REQUIRED", "CoordinatesField", "DeclaredField", "DerivedField", "FrameField", "JointField", "ParameterField", "RoomField",
    "SignalField", "choice", "coordinates", "derived", "flag", "frame", "function", "integer", "joint", "law", "memory", "number",
    "numbers", "scratch", "signal", "vector_parameter",
]  # fmt: skip

REQUIRED: Any = object()
"""In place of a default: the user must give a value."""
Count = int | str
"""A number, or the name of the field that says how many."""


class DeclaredField:
    """One field of a declared element. Read from an element it is its value; it cannot be assigned to."""

    name: str

    def __init__(self, text: str, unit: str = "") -> None:
        self.text, self.unit = text, unit

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        return self if element is None else element.values.get(self.name)

    def __set__(self, element: Any, value: object) -> None:
        raise AttributeError(
            f"{element.words}.{self.name} cannot be changed; make another element with replaced({self.name}=...)"
        )

    @property
    def described(self) -> str:
        """Its words and its unit."""
        return f"{self.text} [{self.unit}]" if self.unit else self.text


class FrameField(DeclaredField):
    """A frame on a body. `x` has its node, `s` its place in node axes."""


class JointField(DeclaredField):
    """The angle or the displacement of a joint."""

    def __init__(self, text: str, coordinate: str) -> None:
        super().__init__(text)
        self.coordinate = coordinate


class ParameterField(DeclaredField):
    """A value that the user gives."""

    def __init__(
        self,
        kind: str,
        text: str,
        unit: str = "",
        default: Any = REQUIRED,
        *,
        limits: tuple[float | None, float | None] = (None, None),
        check: tuple[float, float] | None = None,
        options: tuple[str, ...] = (),
        count: Count = 1,
        arguments: tuple[str, ...] = (),
    ) -> None:
        super().__init__(text, unit)
        self.kind, self.default, self.limits, self.options = kind, default, limits, options
        self.check, self.count, self.arguments = check, count, arguments

    @property
    def described(self) -> str:
        return f"{super().described} ({', '.join(self.options)})" if self.options else super().described

    def read(self, value: Any, what: Subject) -> Any:
        """The value that a user gave, checked."""
        if value is None and self.default is None:
            return None
        made = _READERS[self.kind](self, value, what)
        low, high = self.limits
        for limit, bad, word in ((low, np.less, "less"), (high, np.greater, "more")):
            if limit is not None and np.any(bad(made, limit)):
                raise ModelError(
                    f"{what}: must not be {word} than {_with(limit, self.unit)}, got {shown(value)}", about=what
                )
        return made


def _with(value: float, unit: str) -> str:
    return f"{value:g} {unit}".strip()


def _number(field: ParameterField, value: Any, what: Subject) -> float:
    return quantity(value, field.unit or "number", what=what)


def _vector(field: ParameterField, value: Any, what: Subject) -> Any:
    return vector(value, field.unit or "number", what=what)


def _numbers(field: ParameterField, value: Any, what: Subject) -> Any:
    if isinstance(field.count, int):
        return vector(value, field.unit or "number", what=what, size=field.count)
    return array(value, field.unit or "number", what=what)


def _integer(field: ParameterField, value: Any, what: Subject) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ModelError(f"{what}: expected a whole number, got {shown(value)}", about=what)
    return int(value)


def _flag(field: ParameterField, value: Any, what: Subject) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ModelError(f"{what}: expected True or False, got {shown(value)}", about=what)
    return bool(value)


def _choice(field: ParameterField, value: Any, what: Subject) -> str:
    if not isinstance(value, str) or value not in field.options:
        raise ModelError(f"{what}: there is no {shown(value)}; {near_names(str(value), field.options)}", about=what)
    return value


def _function(field: ParameterField, value: Any, what: Subject) -> Function:
    return as_function(value, field.unit or None, what=what)


def _law(field: ParameterField, value: Any, what: Subject) -> Callable[..., float]:
    if isinstance(value, type) or not callable(value):
        said = f"({', '.join(field.arguments)})"
        raise ModelError(
            f"{what}: expected a Python function of {said}, got {shown(value)}; write lambda {said[1:-1]}: ...",
            about=what,
        )
    made: Callable[..., float] = value
    return made


_READERS: dict[str, Callable[[ParameterField, Any, Subject], Any]] = {
    "number": _number, "vector": _vector, "numbers": _numbers, "integer": _integer, "flag": _flag, "choice": _choice,
    "function": _function, "law": _law,
}  # fmt: skip


class DerivedField(DeclaredField):
    """A number, an array or a record for the compiled functions, which `derive` computes from the parameters."""

    def __init__(self, text: str, unit: str, size: Count, columns: Count, record: Any) -> None:
        super().__init__(text, unit)
        self.size, self.columns, self.record = size, columns, record

    @property
    def counts(self) -> tuple[str, ...]:
        """Names of its sizes that only the array tells."""
        return tuple(count for count in (self.size, self.columns) if isinstance(count, str))


class CoordinatesField(DeclaredField):
    """Coordinates that belong to the element."""

    def __init__(self, count: Count, unit: str, text: str, order: int, condensed: bool, typical: float) -> None:
        super().__init__(text, unit)
        self.count, self.order, self.condensed, self.typical = count, order, condensed, typical

    @property
    def start_arguments(self) -> dict[str, str]:
        """Arguments with start values, and their units: itself and, if it has a mass, its rate; none if it is condensed."""
        rate = {f"{self.name}_rate": f"{self.unit or 1}/s"} if self.order == 2 else {}
        return {} if self.condensed else {self.name: self.unit} | rate

    def read_start(self, value: Any, unit: str, what: Subject) -> Any:
        """Start values that a user gave: one number, or as many as there are coordinates."""
        made = array(value if isinstance(value, (list, tuple, np.ndarray)) else [value], unit or "number", what=what)
        if isinstance(self.count, int) and len(made) != self.count:
            raise ModelError(f"{what}: expected {self.count} start values, got {len(made)}", about=what)
        return made

    @property
    def count_name(self) -> str:
        """Name of their number in the record `x`."""
        return self.count if isinstance(self.count, str) else f"n_{self.name}"


class RoomField(DeclaredField):
    """Memory or scratch: a number, a vector, a matrix, or an array."""

    def __init__(self, size: Count, columns: Count, text: str, start: float = 0.0) -> None:
        super().__init__(text)
        self.size, self.columns, self.start = size, columns, start


class MemoryField(RoomField):
    """Kept from step to step; written in `accept` alone."""


class ScratchField(RoomField):
    """Kept within one step."""


class SignalField(DeclaredField):
    """What `report` gives for every sample."""

    def __init__(self, unit: str, text: str, size: int) -> None:
        super().__init__(text, unit)
        self.size = size


# ---- what a declaration is written with; they return Any, because the field of an element is read as its value


def frame(text: str) -> Any:
    """A frame on a body: the user gives a body, the ground, a frame, or the name of a body, with a world point where it matters."""
    return FrameField(text)


def joint(text: str, coordinate: str = ANGLE) -> Any:
    """The angle or the displacement of a joint. `x` has the nodes of its two bodies, NAME_a and NAME_b, `s` its measure."""
    if coordinate not in (ANGLE, DISPLACEMENT):
        raise TypeError(f'joint: coordinate must be "{ANGLE}" or "{DISPLACEMENT}", got {coordinate!r}')
    return JointField(text, coordinate)


def number(
    unit: str,
    text: str,
    default: Any = REQUIRED,
    *,
    least: float | None = None,
    most: float | None = None,
    check: tuple[float, float] | None = None,
) -> Any:
    """A number in SI, or a text with a unit. least, most: limits; check: range from which checks of the element take values.

    A default of None says that `derive` finds the value if the user gives none.
    """
    return ParameterField("number", text, unit, default, limits=(least, most), check=check)


def vector_parameter(unit: str, text: str, default: Any = REQUIRED) -> Any:
    """Three numbers."""
    return ParameterField("vector", text, unit, default)


def integer(text: str, default: Any = REQUIRED, *, least: int | None = None, most: int | None = None) -> Any:
    """A whole number."""
    return ParameterField("integer", text, "", default, limits=(least, most))


def flag(text: str, default: Any = REQUIRED) -> Any:
    """True or False; 1 or 0 in compiled functions."""
    return ParameterField("flag", text, "", default)


def choice(options: tuple[str, ...], text: str, default: Any = REQUIRED) -> Any:
    """One of some words; in compiled functions its place among them, from 0."""
    return ParameterField("choice", text, "", default, options=tuple(options))


def numbers(count: Count, unit: str, text: str, default: Any = REQUIRED) -> Any:
    """A list of numbers: so many; or any number, under a name that lists of the same length share."""
    return ParameterField("numbers", text, unit, default, count=count)


def function(unit: str, text: str, default: Any = REQUIRED) -> Any:
    """A function of time: a number, a text with a unit, a Function or a callable t -> value. See `value_of`."""
    return ParameterField("function", text, unit, default)


def law(form: str, unit: str, default: Any = REQUIRED) -> Any:
    """A Python function of numbers, such as law("torque(t, angle, speed)", "N*m"); it is compiled. See `call_law`."""
    _, bracket, rest = form.partition("(")
    arguments = tuple(part.strip() for part in rest.rstrip(") ").split(",") if part.strip())
    if not bracket or not all(part.isidentifier() for part in arguments):
        raise TypeError(f'law: write its arguments, such as "torque(t, angle, speed)", got {form!r}')
    return ParameterField("law", form, unit, default, arguments=arguments)


def derived(text: str, unit: str = "", size: Count = 1, *, columns: Count = 0, record: Any = None) -> Any:
    """What `derive` computes: a number; a tuple of so many; or, under the name of its length, an array or a matrix.

    record: type of a record (`fields`), whose values `derive` gives by name, with the arrays behind it.
    """
    if columns and not isinstance(size, str):
        raise TypeError("derived: a matrix has a name for its number of rows")
    return DerivedField(text, unit, size, columns, record)


def coordinates(
    count: Count, unit: str, text: str, *, order: int = 2, condensed: bool = False, typical: float = 1.0
) -> Any:
    """Coordinates of the element's own, part of the state; the user may give start values, and rates as NAME_rate.

    count: how many, or the name of an integer field or of the length of a list. order 1: the row is y' - f = 0. condensed: the
    element eliminates them within a step. typical: their usual size, for tolerances.
    """
    if order not in (1, 2):
        raise TypeError(f"coordinates: order must be 1 or 2, got {order!r}")
    return CoordinatesField(count, unit, text, order, condensed, typical)


def memory(text: str, size: Count = 1, *, columns: Count = 0, start: float = 0.0) -> Any:
    """Memory: a number, a vector (size 3), a matrix (size 9), or an array of any other size, which may be a name. Written in
    `accept` alone."""
    return MemoryField(size, columns, text, start)


def scratch(text: str = "", size: Count = 1, *, columns: Count = 0) -> Any:
    """Scratch, of any content before `begin`: a number, a vector, a matrix or an array, as memory."""
    return ScratchField(size, columns, text)


def signal(unit: str, text: str, size: int = 1) -> Any:
    """A signal of results. size 3: a vector in world axes."""
    return SignalField(unit, text, size)
