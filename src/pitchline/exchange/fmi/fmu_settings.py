"""Settings of an FMU: what the file pitchline_fmu.json in its resources contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ...version import __version__

__all__ = ["SETTINGS", "FmuSettings", "SettingsVariable"]

SETTINGS = "pitchline_fmu.json"


@dataclass(frozen=True)
class SettingsVariable:
    """Variable of an FMU, and the item of the model that it is.

    reference: value reference
    kind:      "input", "output" or "parameter"
    name:      of the input, signal or parameter in the model
    component: index of a component of a vector; None for a number
    unit:      of a parameter, as in the model file; empty for a plain number or a text
    start:     value at the start; None for outputs
    whole:     the model file has a whole number, for example a number of teeth
    """

    reference: int
    kind: str
    name: str
    component: int | None = None
    unit: str = ""
    start: float | int | str | None = None
    whole: bool = False


@dataclass(frozen=True)
class FmuSettings:
    """Settings of an FMU.

    model:      path of the model file, relative to the resources
    overrides:  parameter values that differ from those of the file
    allow:      modules with user-defined elements
    inputs:     names, with their course between two settings
    outputs:    names of signals
    step:       fixed step [s]; None: error control
    options:    other options of the stepper
    start:      analysis, "statics" or file of a result from which the motion starts; empty: initial conditions of the model
    token:      identification in the model description
    """

    model: str
    variables: tuple[SettingsVariable, ...]
    inputs: dict[str, str] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    overrides: dict[str, Any] = field(default_factory=dict)
    allow: list[str] = field(default_factory=list)
    step: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    start: str = ""
    start_is_file: bool = False
    start_time: float = 0.0
    token: str = ""
    made_with: str = __version__

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @staticmethod
    def of(data: Mapping[str, Any]) -> FmuSettings:
        """Settings from plain data."""
        variables = tuple(SettingsVariable(**variable) for variable in data["variables"])
        return FmuSettings(**{**data, "variables": variables})
