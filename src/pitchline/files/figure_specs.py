"""Figures: the named values that a file declares for its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.errors import ModelError, near_names, shown
from pitchline.units.parser import NONE, UnitSyntax, parse_unit
from pitchline.units.quantity import quantity

from .amounts import AmountError, is_expression
from .analysis_steps import Step
from .figure_numbers import Numbers
from .figure_scope import FigureScope, FileParts, ToldAlready, figure_value, unknown_signal
from .key_lines import Path
from .parameters import Broken
from .schema_types import WITH_SIGNALS
from .sources import Sources

__all__ = ["EXPRESSIONS", "KEYS", "OF", "OF_MODES", "FigureSpec", "read_figures"]

OF = ("final", "initial", "mean", "rms", "min", "max", "peak_to_peak", "amplitude", "value")
"""Evaluations of a signal."""
OF_MODES = ("frequency", "damping_ratio")
KEYS = (
    "value", "signal", "of", "analysis", "after", "before", "frequency", "order", "angle", "at", "mode", "unit", "description",
    "expected", "digits", "show",
)  # fmt: skip
EXPRESSIONS = ("value", "expected")
"""Keys whose expressions are evaluated after the run and can use its results."""
_OF_SIGNAL = ("signal", "of", "frequency", "order", "angle", "at", "mode")
_TIMES = ("after", "before", "at")


@dataclass(frozen=True)
class FigureSpec:
    """One figure.

    value:         an expression "= ..." over signals, properties, parameters and earlier figures, or a list of these;
    or
    signal:        "item.signal", or "item.signal.x" for a component; empty for modes
    of:            evaluation of the signal, see `OF`; for modes "frequency" or "damping_ratio"
    analysis:      name of the analysis; default: the last one that has the signal
    after, before: limits of the time range [s]
    frequency:     [Hz] of an amplitude; or
    order, angle:  order of an amplitude over the revolutions of an angle, a signal, e.g. "hinge.angle"
    at:            time of a value [s]
    mode:          number of a mode, from 1
    unit:          unit of the figure; default: that of the signal
    expected:      reference value, in that unit; or an expression
    digits:        number of digits in tables
    show:          whether it is listed; figures that are not listed serve other figures
    needed:        names of all analyses that it uses
    """

    key: str
    signal: str
    of: str
    analysis: str
    after: float | None = None
    before: float | None = None
    frequency: float | None = None
    order: float | None = None
    angle: str | None = None
    at: float | None = None
    mode: int | None = None
    unit: str = ""
    description: str = ""
    expected: Any = None
    value: Any = None
    digits: int = 6
    show: bool = True
    needed: tuple[str, ...] = ()


def read_figures(
    data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...], parts: FileParts | None = None
) -> tuple[FigureSpec, ...]:
    """The figures of a file. parts: names available to its expressions, None if the model is not complete.

    Errors are added to the problems.
    """
    given = data.get("figures", {})
    if not isinstance(given, dict):
        sources.problems.append(
            sources.problem(("figures",), f"must be a table of figures by name, got {shown(given)}")
        )
        return ()
    found = []
    earlier = _Earlier()
    for key, table in given.items():
        spec = _FigureReader(sources, ("figures", key), steps, parts, earlier).figure(key, table)
        if spec is None:
            earlier.failed.add(key)
        else:
            found.append(spec)
    return tuple(found)


@dataclass
class _Earlier:
    """Figures read so far: their values, the analyses they need, and those with errors."""

    values: dict[str, Numbers] = field(default_factory=dict)
    needed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)


class _FigureReader:
    def __init__(
        self, sources: Sources, path: Path, steps: tuple[Step, ...], parts: FileParts | None, earlier: _Earlier
    ) -> None:
        self.sources, self.path, self.steps, self.parts, self.earlier = sources, path, steps, parts, earlier
        self.bad = False

    def tell(self, key: str, message: str) -> None:
        self.bad = True
        path = (*self.path, key) if key else self.path
        self.sources.problems.append(self.sources.problem(path, message))

    def figure(self, key: str, table: Any) -> FigureSpec | None:
        if not isinstance(table, dict):
            self.tell("", f'must be a table, e.g. {{ signal = "mesh.normal_force", of = "mean" }}, got {shown(table)}')
            return None
        for name, value in table.items():
            if name not in KEYS:
                self.tell(name, f'unknown key "{name}"; {near_names(name, KEYS)}')
            if isinstance(value, Broken):
                self.bad = True
        if self.bad:
            return None
        return self._expression(key, table) if "value" in table else self._of_signal(key, table)

    def _common(self, table: Mapping[str, Any]) -> dict[str, Any]:
        said: dict[str, Any] = {name: self._number(table, name, "time") for name in _TIMES}
        for name in ("unit", "description"):
            said[name] = self._text(table, name)
        self._factor(said["unit"])
        said["digits"], said["show"] = table.get("digits", 6), table.get("show", True)
        if isinstance(said["digits"], bool) or not isinstance(said["digits"], int) or not 1 <= said["digits"] <= 17:
            self.tell("digits", f"must be an integer from 1 to 17, got {shown(said['digits'])}")
        if not isinstance(said["show"], bool):
            self.tell("show", f"must be true or false, got {shown(said['show'])}")
        return said

    def _of_signal(self, key: str, table: Mapping[str, Any]) -> FigureSpec | None:
        """Figure that is specified by the keys signal, of, ..."""
        step = self._step(table)
        modal = step is not None and step.kind == "modes"
        of = table.get("of", "frequency" if modal else "final")
        options = OF_MODES if modal else OF
        if not isinstance(of, str) or of not in options:
            self.tell("of", f"there is no evaluation {shown(of)}; {near_names(str(of), options)}")
        said = self._common(table)
        said["frequency"] = self._number(table, "frequency", "frequency")
        said["order"] = self._number(table, "order", "number")
        said["angle"] = self._text(table, "angle")
        said["mode"] = table.get("mode")
        self._check_choice(of, said, modal)
        signal = "" if modal else self._signal(table.get("signal"), "signal", step)
        if said["angle"] is not None:
            self._signal(said["angle"], "angle", step)
        if self.bad or step is None:
            return None
        unit = self._signal_unit(signal, of, modal)
        said["expected"] = self._expected(table.get("expected"), said["unit"], step.name, said)
        spec = FigureSpec(key, signal, of, step.name, needed=(step.name,), **said)
        if self.parts is not None and unit is not None:
            self.earlier.values[key] = unit
            self.earlier.needed[key] = (step.name,)
        return None if self.bad else spec

    def _signal_unit(self, signal: str, of: Any, modal: bool) -> Numbers | None:
        """Value of a figure that is specified by its signal, as far as it is known before the run."""
        if self.parts is None:
            return None
        if modal:
            return Numbers.of_unit(1.0, "Hz" if of == "frequency" else "", known=False)
        found = FigureScope.spec_of(signal, self.parts.signals)
        if found is None:
            return None
        return Numbers.of_unit(np.ones(() if found[1] == 1 else found[1]), found[0].unit, known=False)

    def _expression(self, key: str, table: Mapping[str, Any]) -> FigureSpec | None:
        """Figure that is specified by an expression."""
        for name in _OF_SIGNAL:
            if name in table:
                self.tell(
                    name, f'a figure with a value has no "{name}". Include it in the expression, or remove the value'
                )
        said = self._common(table)
        if said["at"] is not None:
            return None
        step = self._step(table, needed=False)
        analysis = "" if step is None else step.name
        if self.bad:
            return None
        needed: set[str] = set()
        found = self._checked(table["value"], "value", analysis, said, needed)
        if found is None:
            return None
        if said["unit"] and self.parts is not None:
            try:
                found.converted(said["unit"])
            except AmountError as error:
                self.tell("unit", f"the figure {error}")
        said["expected"] = self._expected(table.get("expected"), said["unit"] or found.default_unit(), analysis, said)
        self.earlier.values[key] = found
        self.earlier.needed[key] = tuple(sorted(needed))
        spec = FigureSpec(key, "", "", analysis, value=table["value"], needed=self.earlier.needed[key], **said)
        return None if self.bad else spec

    def _checked(
        self, value: Any, key: str, analysis: str, said: Mapping[str, Any], needed: set[str]
    ) -> Numbers | None:
        """Evaluate an expression without results. Returns None after reporting an error."""
        if self.parts is None:
            return Numbers(np.asarray(1.0), known=False, shaped=False)
        scope = FigureScope(
            self.parts, self.earlier.values, analysis, said["after"], said["before"], None, needed, self.earlier.needed,
            self.earlier.failed,
        )  # fmt: skip
        try:
            return figure_value(value, scope, signals=key == "value" and not said["show"])
        except ToldAlready:
            self.bad = True
        except (AmountError, ModelError) as error:
            self.tell(key, str(error))
        return None

    def _factor(self, unit: Any) -> float:
        """Size of the unit of the figure in SI units."""
        if not isinstance(unit, str) or not unit:
            return 1.0
        try:
            return parse_unit(unit[:200]).factor
        except UnitSyntax as error:
            self.tell("unit", f"{shown(unit)}: {error}")
            return 1.0

    def _expected(self, value: Any, unit: Any, analysis: str, said: Mapping[str, Any]) -> Any:
        """Reference value: a number in the unit of the figure, a text with a unit, an expression; or a list."""
        if value is None or self.bad:
            return None
        if any(is_expression(text) for text in _texts(value)):
            if self.parts is None:
                return value
            closed = self._checked(value, "expected", analysis, said, set())
            if closed is not None and unit and closed.powers != NONE:
                try:
                    closed.converted(unit)
                except AmountError as error:
                    self.tell("expected", f"the expected value {error}")
            return value
        factor = self._factor(unit)
        if isinstance(value, list):
            return [self._expected(item, unit, analysis, said) for item in value]
        if isinstance(value, bool):
            return value
        number = self._number({"expected": value}, "expected", None)
        return number / factor if number is not None and isinstance(value, str) else number

    def _step(self, table: Mapping[str, Any], *, needed: bool = True) -> Step | None:
        name = table.get("analysis")
        if name is None:
            wanted = [step for step in self.steps if step.kind in WITH_SIGNALS and not step.skipped]
            if not wanted and needed:
                wanted = [step for step in self.steps if step.kind == "modes"]
            if not wanted:
                if needed:
                    self.tell("", "the file has no analysis that provides this figure. Add [[analyses]]")
                return None
            return wanted[-1]
        for step in self.steps:
            if step.name == name:
                if step.kind not in (*WITH_SIGNALS, "modes"):
                    self.tell(
                        "analysis", f'"{name}" ({step.kind}) has no signals and no modes. Specify another analysis'
                    )
                return step
        names = [step.name for step in self.steps]
        self.tell("analysis", f"there is no analysis {shown(name)}; {near_names(str(name), names)}")
        return None

    def _number(self, table: Mapping[str, Any], name: str, dimension: str | None) -> float | None:
        if name not in table:
            return None
        try:
            return quantity(table[name], dimension, what=name)
        except ModelError as error:
            self.tell(name, str(error))
            return None

    def _text(self, table: Mapping[str, Any], name: str) -> Any:
        value = table.get(name, None if name == "angle" else "")
        if value is not None and not isinstance(value, str):
            self.tell(name, f"must be a text, got {shown(value)}")
        return value

    def _check_choice(self, of: Any, said: Mapping[str, Any], modal: bool) -> None:
        mode = said["mode"]
        if modal and (isinstance(mode, bool) or not isinstance(mode, int) or mode < 1):
            self.tell("mode", f"must be a mode number, counted from 1, got {shown(mode)}")
        if not modal and mode is not None:
            self.tell("mode", "applies only to analyses of kind modes. Remove it")
        if of == "amplitude" and (said["frequency"] is None) == (said["order"] is None):
            self.tell("", "an amplitude needs a frequency, or an order with an angle. Specify one of them")
        if (said["order"] is None) != (said["angle"] is None):
            self.tell(
                "", 'an order refers to the revolutions of an angle. Specify both, order and angle, e.g. "hinge.angle"'
            )
        for name in ("frequency", "order"):
            if said[name] is not None and not said[name] > 0.0:
                self.tell(name, f"must be greater than zero, got {said[name]:g}")
            if said[name] is not None and of != "amplitude":
                self.tell(
                    name, f'applies only to of = "amplitude". Remove it, or use "amplitude" instead of {shown(of)}'
                )
        if (of == "value") != (said["at"] is not None):
            self.tell("at", 'a value needs a time. Specify of = "value" and at = "0.1 s"')

    def _signal(self, value: Any, key: str, step: Step | None) -> str:
        if not isinstance(value, str) or "." not in value:
            self.tell(key if value is not None else "", f'needs a {key}, e.g. "mesh.normal_force", got {shown(value)}')
            return ""
        if self.parts is not None and step is not None:
            known = self.parts.signals_of_step(step)
            if FigureScope.spec_of(value, known) is None:
                self.tell(key, unknown_signal(value, known))
        return value


def _texts(value: Any) -> list[str]:
    """Texts in a value, or in a list of them."""
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [value] if isinstance(value, str) else []
