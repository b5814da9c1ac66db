"""What a report is about: its results, its model as plain data, its findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitchline.errors import PitchlineError
from pitchline.results import Result, Status
from pitchline.results.plotter import can_be_drawn


@dataclass(frozen=True)
class ReportData:
    """results:  by name, in order; of any kind that can be drawn
    model:    description of the model, plain data; empty where none is known
    variants: name of a result -> description, of those that ran on another model than `model`
    figures:  findings: key, value, unit and words, and perhaps a closed form
    signals:  what to draw over time; empty: chosen for each result
    """

    name: str
    title: str
    results: dict[str, Any]
    model: dict[str, Any]
    variants: dict[str, dict[str, Any]]
    figures: tuple[Any, ...] = ()
    source: str = ""
    signals: tuple[str, ...] = ()

    @property
    def records(self) -> dict[str, Result]:
        """Results over time, and of statics."""
        return {name: result for name, result in self.results.items() if isinstance(result, Result)}

    @property
    def others(self) -> dict[str, Any]:
        """Modes, responses and whatever else has a picture."""
        return {name: result for name, result in self.results.items() if not isinstance(result, Result)}

    @property
    def worst(self) -> Status:
        """How the least fortunate analysis ended."""
        found = [record.status for record in self.records.values()]
        order = (Status.FAILED, Status.INTERRUPTED)
        return next((status for status in order if status in found), Status.COMPLETED)


def report_data(
    results: Any, *, model: Any, figures: Sequence[Any], title: str | None, source: object, signals: Sequence[str]
) -> ReportData:
    """Whatever the user gave, put in order."""
    named = dict(results) if isinstance(results, Mapping) else {_name_of(results): results}
    for name, result in named.items():
        if not can_be_drawn(result):
            raise PitchlineError(
                f'report: "{name}" is a {type(result).__name__}; give a Result, Modes, FrequencyResponse or Campbell, '
                "or a dict of such by name"
            )
    if model is not None and not isinstance(model, Mapping):
        model = model.describe()
    descriptions = {name: r.model for name, r in named.items() if isinstance(r, Result) and r.model}
    said = dict(model or (list(descriptions.values())[-1] if descriptions else {}))
    if not named and not said:
        raise PitchlineError("report: nothing to report: give a result, or a model")
    own = said.get("name") or next((r.model_name for r in named.values() if getattr(r, "model_name", "")), "")
    return ReportData(
        name=str(own), title=str(own or "Report") if title is None else str(title), results=named, model=said,
        variants={name: other for name, other in descriptions.items() if other != said},
        figures=tuple(figures), source="" if source is None else str(source), signals=tuple(signals),
    )  # fmt: skip


def _name_of(result: Any) -> str:
    return result.kind if isinstance(result, Result) else type(result).__name__
