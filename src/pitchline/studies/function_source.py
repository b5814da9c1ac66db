"""FunctionSource and ProgramSource: a Python function, or a program of the gallery, as the source of a study."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ..disk.model_finder import model_finder
from ..errors import ModelError, UnitError, shown
from ..model import Model
from ..progress import note
from ..units import canonical_unit
from .dependencies import function_parts
from .points import ParameterValues
from .points.parameter_values import read_quantity, scale_of
from .source import Source, SourceParameter

__all__ = ["FunctionSource", "ProgramSource"]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""In texts of objects; it is another one in each process."""


@dataclass(frozen=True, eq=False)
class FunctionSource(Source):
    """Python function that builds the model. It gets SI numbers (or texts, for values that are not quantities) by name.

    function : its arguments are the parameters
    """

    function: Callable[..., Any]

    def __post_init__(self) -> None:
        for name, argument in self._arguments.items():
            if argument.kind is argument.POSITIONAL_ONLY:
                raise ModelError(
                    f"{self.called}: the argument {name} cannot be given by name. Remove the / from its definition, or use "
                    f"lambda {name}: {self.name}({name})"
                )

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the function."""
        function = self.function.func if isinstance(self.function, partial) else self.function
        return str(getattr(function, "__name__", type(function).__name__))

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return f"function {self.name}"

    @cached_property
    def _arguments(self) -> Mapping[str, inspect.Parameter]:
        try:
            return inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return {}

    @cached_property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Arguments of the function."""
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return {
            name: _of_default(None if argument.default is argument.empty else argument.default, name)
            for name, argument in self._arguments.items()
            if argument.kind in named
        }

    def check(self, names: Iterable[str]) -> None:
        """ModelError if the function does not have one of these arguments, or others without default."""
        wanted = list(names)
        if not any(argument.kind is argument.VAR_KEYWORD for argument in self._arguments.values()) and self._arguments:
            super().check(wanted)
        for name, argument in self._arguments.items():
            variable = argument.kind in (argument.VAR_KEYWORD, argument.VAR_POSITIONAL)
            if argument.default is argument.empty and not variable and name not in wanted:
                raise ModelError(
                    f"{self.called}: the argument {name} has no value. Add it to the points, or give it a default"
                )

    def _fitted(self, name: str, axis: ParameterValues) -> ParameterValues:
        if name not in self.parameters:
            return axis
        if axis.unit == "Hz" and not self.parameters[name].unit:
            note(
                f"{self.called}: {name} is the number of Hz: {float(axis.values[0]):g} for "
                f'"{float(axis.values[0]):g} Hz". For a speed in rad/s, specify rpm or rad/s, or give it a default with a unit, '
                f'e.g. {name}="3000 rpm"'
            )
        return super()._fitted(name, axis)

    def call(self, values: Mapping[str, Any]) -> Any:
        """What the function returns for parameter values."""
        return self.function(**{name: self.number(name, value) for name, value in values.items()})

    def number(self, name: str, value: Any) -> Any:
        """A text with a unit as a number in the unit of the default; other values as they are."""
        if not isinstance(value, str):
            return value
        try:
            number, unit, _ = read_quantity(value, name)
        except UnitError:
            return value
        own = self.parameters[name].unit if name in self.parameters else ""
        scale = scale_of(unit, own) if own else 1.0
        if scale is None:
            raise UnitError(f"{self.called}: {name}: {shown(value)} does not have the dimension of {own}")
        return number * scale if scale != 1.0 else number

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model that the function returns."""
        model = self.call(values)
        model = getattr(model, "model", model)  # a ModelFile
        if not isinstance(model, Model):
            raise ModelError(f"{self.called} must return a Model, got {shown(model)}")
        return model

    def __getstate__(self) -> dict[str, Any]:
        return {"function": self.function}

    def to_data(self) -> dict[str, Any]:
        """Name and fixed values of the function, and checksums of everything that it depends on."""
        function, fixed = self.function, dict[str, Any]()
        while isinstance(function, partial):
            fixed = {**{f"argument {k}": value for k, value in enumerate(function.args)}, **function.keywords, **fixed}
            function = function.func
        function = inspect.unwrap(function)
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        for name, cell in zip(names, getattr(function, "__closure__", None) or (), strict=False):
            fixed[f"variable {name}"] = cell.cell_contents
        if not names and not inspect.isroutine(function):  # an object that can be called
            fixed |= {f"attribute {name}": value for name, value in getattr(function, "__dict__", {}).items()}
        values = {name: _ADDRESS.sub("", repr(value)) for name, value in fixed.items()}
        return {"kind": "function", "name": self.name, "values": values, "parts": function_parts(self.function)}


def _of_default(default: Any, name: str) -> SourceParameter:
    if isinstance(default, str):
        try:
            number, unit, written = read_quantity(default, name)
        except UnitError:
            return SourceParameter(default)
        return SourceParameter(number, unit, written)
    return SourceParameter(default)


@dataclass(frozen=True, eq=False)
class ProgramSource(Source):
    """Model of the gallery that is a program.

    name : in the gallery
    """

    name: str

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return self.name

    @property
    def program(self) -> Any:
        """The `GalleryModel`."""
        return model_finder().gallery(self.name)

    @property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Parameters of the program."""
        return {
            name: SourceParameter(about.default, _unit(about.dimension), _unit(about.dimension))
            for name, about in self.program.parameters.items()
        }

    def with_values(self, values: Mapping[str, Any]) -> Any:
        """The `GalleryModel` with other parameter values."""
        return self.program.with_settings(values)

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model with other parameter values."""
        model: Model = self.with_values(values).build()
        return model

    def to_data(self) -> dict[str, Any]:
        """Name of the program."""
        return {"kind": "program", "name": self.name}


def _unit(dimension: str | None) -> str:
    return read_quantity(f"1 {canonical_unit(dimension)}", "unit")[1] if dimension else ""
