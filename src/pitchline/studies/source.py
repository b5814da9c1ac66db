"""Source: a model with parameters, which a study builds for many parameter values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError, UnitError, near_names, shown
from ..model import Model
from ..units import dimension_name, dimension_of
from ..units.table import NONE
from .points import ParameterValues, Points
from .points.parameter_values import scale_of

__all__ = ["Source", "SourceParameter"]


@dataclass(frozen=True)
class SourceParameter:
    """Parameter of a source.

    default : number in `unit`, or a text; None if a function has no default
    unit : SI unit (Hz for a frequency in Hz); "" for a plain number or a text
    shown_unit : unit in the file
    choices : allowed texts; empty for a number
    """

    default: Any
    unit: str = ""
    shown_unit: str = ""
    choices: tuple[str, ...] = ()


class Source(ABC):
    """Model with parameters, which can be built for any parameter values, in any process."""

    name: str
    """Name of the model."""
    called: str
    """Name in messages, e.g. the name of the file."""

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Parameters by name."""

    @abstractmethod
    def build(self, values: Mapping[str, Any]) -> Model:
        """The model with other parameter values: numbers in SI units, texts with units, or texts."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """Plain data that identify the source, for the plan of a study."""

    def check(self, names: Iterable[str]) -> None:
        """ModelError if the source does not have one of these parameters."""
        for name in names:
            if name not in self.parameters:
                raise ModelError(f'{self.called} has no parameter "{name}"; {near_names(name, self.parameters)}')

    def fitted(self, points: Points) -> Points:
        """The points with numbers in the units of the parameters; ModelError if they do not fit the parameters."""
        self.check(points.names)
        axes = {name: self._fitted(name, axis) for name, axis in points.axes.items()}
        return Points(points.dims, axes, points.along, points.design)

    def _fitted(self, name: str, axis: ParameterValues) -> ParameterValues:
        parameter = self.parameters[name]
        what = f"{self.called}: {name}"
        if parameter.choices:
            for value in axis.values.tolist():
                if value not in parameter.choices:
                    text = near_names(str(value), parameter.choices)
                    raise ModelError(f"{what}: {shown(value)} is not one of the choices; {text}")
            return axis
        if axis.are_texts:
            if isinstance(parameter.default, (int, float)):
                example = f' with a unit, e.g. "{parameter.default:g} {parameter.unit}"' if parameter.unit else ""
                raise ModelError(f"{what}: {shown(axis.values[0])} is not a number. Specify numbers{example}")
            return axis
        whole = (
            isinstance(parameter.default, int)
            and not isinstance(parameter.default, bool)
            and axis.values.dtype.kind == "f"
        )
        if whole and not axis.unit and (axis.values == np.round(axis.values)).all():  # numbers of teeth from linspace
            return ParameterValues(axis.values.astype(np.int64))
        if not parameter.unit or not axis.unit:
            shown_unit = axis.shown_unit if axis.unit else parameter.shown_unit
            return ParameterValues(axis.values, axis.unit or parameter.unit, shown_unit)
        scale = scale_of(axis.unit, parameter.unit)
        if scale is None:
            got, expected = (dimension_name(dimension_of(f"1 {unit}") or NONE) for unit in (axis.unit, parameter.unit))
            raise UnitError(
                f"{what}: got {got} ({axis.shown_unit}), expected {expected}, e.g. in {parameter.shown_unit}"
            )
        return ParameterValues(axis.values * scale if scale != 1.0 else axis.values, parameter.unit, axis.shown_unit)
