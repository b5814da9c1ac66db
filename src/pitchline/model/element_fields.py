"""Fields for the declaration of elements (see `declared_element`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ModelError, Subject, near_names, shown
from ..units import array, quantity, vector
from .functions import Function, as_function
from .signal_expression import SignalExpression
from .signal_values import as_signal

__all__ = [
    "REQUIRED", "CoordinatesField", "DeclaredField", "DerivedField", "FrameField", "JointField", "ParameterField", "RoomField",
    "OutputField", "SignalField",
]  # fmt: skip

REQUIRED: Any = object()
"""Used in place of a default: the user must specify a value."""
Count = int | str
"""A number, or the name of the field that contains the number."""


class DeclaredField:
    """Field of a declared element. On an element it reads as its value. It cannot be assigned."""

    name: str

    def __init__(self, text: str, unit: str = "") -> None:
        self.text, self.unit = text, unit

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, element: Any, owner: type | None = None) -> Any:
        return self if element is None else element.values.get(self.name)

    def __set__(self, element: Any, value: object) -> None:
        raise AttributeError(
            f"{element.words}.{self.name} cannot be changed; make a new element with replaced({self.name}=...)"
        )

    @property
    def described(self) -> str:
        """Description with unit."""
        return f"{self.text} [{self.unit}]" if self.unit else self.text


class FrameField(DeclaredField):
    """Frame on a body. `x` contains its node, `s` its position in node axes. default: name of a body, None if required."""

    def __init__(self, text: str, default: str | None = None) -> None:
        super().__init__(text)
        self.default = default


class JointField(DeclaredField):
    """Angle or displacement of a joint. coordinate None: the only coordinate of the joint."""

    def __init__(self, text: str, coordinate: str | None) -> None:
        super().__init__(text)
        self.coordinate = coordinate


class ParameterField(DeclaredField):
    """Value that the user specifies."""

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
        increasing: bool = False,
        any_unit: bool = False,
    ) -> None:
        super().__init__(text, unit)
        self.kind, self.default, self.limits, self.options = kind, default, limits, options
        self.check, self.count, self.arguments, self.increasing = check, count, arguments, increasing
        self.dimension = None if any_unit else unit or "number"
        """Dimension of values with units; None: any, converted to SI."""

    @property
    def annotation(self) -> str:
        """Type of the argument in the signature."""
        optional = " | None" if self.default is None else ""
        return _ANNOTATIONS.get(self.kind, "object") + optional

    @property
    def described(self) -> str:
        return f"{super().described} ({', '.join(self.options)})" if self.options else super().described

    def read(self, value: Any, what: Subject) -> Any:
        """Read and check a value that the user specified.

        Parameters
        ----------
        value
            Value: a number in SI or a text with a unit.
        what
            Name of the argument in messages.
        """
        if value is None and self.default is None:
            return None
        made = _READERS[self.kind](self, value, what)
        low, high = self.limits
        for limit, bad, word in ((low, np.less, "less"), (high, np.greater, "more")):
            if limit is not None and np.any(bad(made, limit)):
                raise ModelError(
                    f"{what}: must not be {word} than {_with(limit, self.unit)}, got {shown(value)}", about=what
                )
        if self.increasing and np.any(np.diff(made) <= 0.0):
            at = int(np.argmax(np.diff(made) <= 0.0))
            raise ModelError(
                f"{what}: values must increase, but {_with(float(made[at + 1]), self.unit)} follows "
                f"{_with(float(made[at]), self.unit)}; sort the table",
                about=what,
            )
        return made


def _with(value: float, unit: str) -> str:
    return f"{value:g} {unit}".strip()


def _number(field: ParameterField, value: Any, what: Subject) -> float:
    return quantity(value, field.dimension, what=what)


def _vector(field: ParameterField, value: Any, what: Subject) -> Any:
    return vector(value, field.unit or "number", what=what)


def _numbers(field: ParameterField, value: Any, what: Subject) -> Any:
    if isinstance(field.count, int):
        return vector(value, field.unit or "number", what=what, size=field.count)
    return array(value, field.dimension, what=what)


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
        raise ModelError(f"{what}: unknown option {shown(value)}; {near_names(str(value), field.options)}", about=what)
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


def _input(field: ParameterField, value: Any, what: Subject) -> Function | SignalExpression:
    """Signal that an element reads: an expression over signals, or a function of time."""
    return as_signal(value, field.unit or None, what=what)


_READERS: dict[str, Callable[[ParameterField, Any, Subject], Any]] = {
    "number": _number, "vector": _vector, "numbers": _numbers, "integer": _integer, "flag": _flag, "choice": _choice,
    "function": _function, "law": _law, "input": _input,
}  # fmt: skip


_ANNOTATIONS = {
    "number": "float | str", "vector": "Sequence[float | str]", "numbers": "Sequence[float | str]", "integer": "int",
    "flag": "bool", "choice": "str", "function": "float | str | Function | Callable[[float], float]",
    "input": "float | str | Function | SignalExpression", "law": "Callable[..., float]",
}  # fmt: skip


class DerivedField(DeclaredField):
    """Number, array or record for the compiled functions that `derive` computes from the parameters."""

    def __init__(self, text: str, unit: str, size: Count, columns: Count, record: Any) -> None:
        super().__init__(text, unit)
        self.size, self.columns, self.record = size, columns, record

    @property
    def counts(self) -> tuple[str, ...]:
        """Names of sizes that follow only from the array."""
        return tuple(count for count in (self.size, self.columns) if isinstance(count, str))


class CoordinatesField(DeclaredField):
    """Coordinates that belong to the element."""

    def __init__(self, count: Count, unit: str, text: str, order: int, condensed: bool, typical: float) -> None:
        super().__init__(text, unit)
        self.count, self.order, self.condensed, self.typical = count, order, condensed, typical

    @property
    def start_arguments(self) -> dict[str, str]:
        """Arguments for initial values, with units: the coordinate and, if it has a mass, its rate. None if it is condensed."""
        rate = {f"{self.name}_rate": f"{self.unit or 1}/s"} if self.order == 2 else {}
        return {} if self.condensed else {self.name: self.unit} | rate

    def read_start(self, value: Any, unit: str, what: Subject) -> Any:
        """Read initial values: one number, or one for each coordinate."""
        made = array(value if isinstance(value, (list, tuple, np.ndarray)) else [value], unit or "number", what=what)
        if isinstance(self.count, int) and len(made) != self.count:
            raise ModelError(f"{what}: expected {self.count} initial values, got {len(made)}", about=what)
        return made

    @property
    def count_name(self) -> str:
        """Name of the number of coordinates in the record `x`."""
        return self.count if isinstance(self.count, str) else f"n_{self.name}"


class RoomField(DeclaredField):
    """Memory or scratch: a number, a vector, a matrix or an array."""

    def __init__(self, size: Count, columns: Count, text: str, start: float = 0.0) -> None:
        super().__init__(text)
        self.size, self.columns, self.start = size, columns, start


class MemoryField(RoomField):
    """Values that are kept from step to step. Only `accept` writes them."""

    kept: str = ""
    """Signal from which a run that starts from a result takes the value."""


class ScratchField(RoomField):
    """Values that are kept within one step."""


class SignalField(DeclaredField):
    """Value that `report` computes for every sample."""

    def __init__(self, unit: str, text: str, size: int) -> None:
        super().__init__(text, unit)
        self.size = size


class OutputField(SignalField):
    """Signal that `respond` computes from own coordinates and inputs. Other elements can read it."""
