"""Findings: the named values that a file wants of its results, as it asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ModelError, near_names, shown
from ..units import quantity
from ..units.parser import UnitSyntax, parse_unit
from .analysis_steps import WITH_STATES, Step
from .parameters import Broken
from .problems import Path
from .sources import Sources

__all__ = ["KEYS", "OF", "OF_MODES", "FigureSpec", "read_figures"]

OF = ("final", "initial", "mean", "rms", "min", "max", "peak_to_peak", "amplitude", "value")
"""What may be taken of a signal."""
OF_MODES = ("frequency", "damping_ratio")
KEYS = (
    "signal", "of", "analysis", "after", "before", "frequency", "order", "angle", "at", "mode", "unit", "description", "expected",
)  # fmt: skip
_TIMES = ("after", "before", "at")


@dataclass(frozen=True)
class FigureSpec:
    """One finding.

    signal:        "item.signal", or "item.signal.x" for a component; of modes empty
    of:            what is taken of it: see `OF`; of modes "frequency" or "damping_ratio"
    analysis:      name of the analysis; the last one that has it without
    after, before: the part of the record that counts [s]
    frequency:     [Hz] of an amplitude; or
    order, angle:  order of an amplitude over the turns of an angle, a signal such as "hinge.angle"
    at:            time of a value [s]
    mode:          number of a mode, from 1
    unit:          in which it is given; that of the signal without
    expected:      a closed form to hold it against, in that unit
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
    expected: float | list[float] | None = None


def read_figures(
    data: Mapping[str, Any], sources: Sources, steps: tuple[Step, ...], items: tuple[str, ...]
) -> tuple[FigureSpec, ...]:
    """The findings of a file; items: names of parts that have signals. What is wrong goes to the problems."""
    given = data.get("figures", {})
    if not isinstance(given, dict):
        sources.problems.append(sources.problem(("figures",), f"must be a table of findings by name, got {shown(given)}"))
        return ()
    found = [_FigureReader(sources, ("figures", key), steps, items).figure(key, table) for key, table in given.items()]
    return tuple(spec for spec in found if spec is not None)


class _FigureReader:
    def __init__(self, sources: Sources, path: Path, steps: tuple[Step, ...], items: tuple[str, ...]) -> None:
        self.sources, self.path, self.steps, self.items = sources, path, steps, items
        self.bad = False

    def tell(self, key: str, message: str) -> None:
        self.bad = True
        path = (*self.path, key) if key else self.path
        self.sources.problems.append(self.sources.problem(path, message))

    def figure(self, key: str, table: Any) -> FigureSpec | None:
        if not isinstance(table, dict):
            self.tell("", f'must be a table, such as {{ signal = "mesh.normal_force", of = "mean" }}, got {shown(table)}')
            return None
        for name, value in table.items():
            if name not in KEYS:
                self.tell(name, f'unknown key "{name}"; {near_names(name, KEYS)}')
            if isinstance(value, Broken):
                self.bad = True
        if self.bad:
            return None
        step = self._step(table)
        modal = step is not None and step.kind == "modes"
        of = table.get("of", "frequency" if modal else "final")
        options = OF_MODES if modal else OF
        if not isinstance(of, str) or of not in options:
            self.tell("of", f"cannot take {shown(of)}; {near_names(str(of), options)}")
        said: dict[str, Any] = {name: self._number(table, name, "time") for name in _TIMES}
        said["frequency"] = self._number(table, "frequency", "frequency")
        said["order"] = self._number(table, "order", "number")
        for name in ("unit", "description", "angle"):
            said[name] = self._text(table, name)
        said["mode"] = table.get("mode")
        self._check_choice(of, said, modal)
        signal = "" if modal else self._signal(table.get("signal"), "signal")
        if said["angle"] is not None:
            self._signal(said["angle"], "angle")
        said["expected"] = self._expected(table.get("expected"), self._factor(said["unit"]))
        if self.bad or step is None:
            return None
        return FigureSpec(key, signal, of, step.name, **said)

    def _factor(self, unit: Any) -> float:
        """Of the unit in which the finding is given, against SI."""
        if not isinstance(unit, str) or not unit:
            return 1.0
        try:
            return parse_unit(unit[:200]).factor
        except UnitSyntax as error:
            self.tell("unit", f"{shown(unit)}: {error}")
            return 1.0

    def _expected(self, value: Any, factor: float) -> Any:
        """A closed form to hold it against: a number in the unit of the finding, or a text with its own; or a list of such."""
        if isinstance(value, list):
            return [self._expected(item, factor) for item in value]
        if value is None:
            return None
        number = self._number({"expected": value}, "expected", None)
        return number / factor if number is not None and isinstance(value, str) else number

    def _step(self, table: Mapping[str, Any]) -> Step | None:
        name = table.get("analysis")
        if name is None:
            wanted = [step for step in self.steps if step.kind in WITH_STATES] or list(self.steps)
            if not wanted:
                self.tell("", "the file has no analysis to take it from; add [[analyses]]")
                return None
            return wanted[-1]
        for step in self.steps:
            if step.name == name:
                if step.kind not in (*WITH_STATES, "modes"):
                    self.tell("analysis", f'"{name}" ({step.kind}) has no signals and no modes; name another analysis')
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
            self.tell("mode", f"must be the number of a mode, from 1, got {shown(mode)}")
        if not modal and mode is not None:
            self.tell("mode", "is for an analysis of the kind modes; leave it out")
        if of == "amplitude" and (said["frequency"] is None) == (said["order"] is None):
            self.tell("", "an amplitude needs a frequency, or an order with an angle; give one of them")
        if (said["order"] is None) != (said["angle"] is None):
            self.tell("", 'an order is one of the turns of an angle; give both, order and angle, such as "hinge.angle"')
        for name in ("frequency", "order"):
            if said[name] is not None and not said[name] > 0.0:
                self.tell(name, f"must be greater than zero, got {said[name]:g}")
            if said[name] is not None and of != "amplitude":
                self.tell(name, f'is for of = "amplitude"; leave it out, or take that in place of {shown(of)}')
        if (of == "value") != (said["at"] is not None):
            self.tell("at", 'a value needs its time: of = "value" and at = "0.1 s"')

    def _signal(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or "." not in value:
            self.tell(key if value is not None else "", f'needs a {key}, such as "mesh.normal_force", got {shown(value)}')
            return ""
        item = value.partition(".")[0]
        if item not in self.items:
            self.tell(key, f"{shown(value)}: there is no part {shown(item)}; {near_names(item, self.items)}")
        return value
