"""Data of a report: results, the model as plain data, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitchline.errors import PitchlineError
from pitchline.results import Result, Status
from pitchline.results.plotter import can_be_drawn


@dataclass(frozen=True)
class ReportData:
    """Content of a report.

    results:  by name, in order; of any kind that can be drawn
    model:    description of the model, plain data; empty if none is known
    variants: name of a result -> description, for results of another model than `model`
    figures:  key results: key, value, unit and description, and optionally a closed form
    signals:  signals to draw over time; empty: chosen for each result
    plots:    name of a result -> function that returns its picture, in place of the usual one
    """

    name: str
    title: str
    results: dict[str, Any]
    model: dict[str, Any]
    variants: dict[str, dict[str, Any]]
    figures: tuple[Any, ...] = ()
    source: str = ""
    signals: tuple[str, ...] = ()
    plots: Mapping[str, Callable[[], Any]] = field(default_factory=dict)

    @property
    def records(self) -> dict[str, Result]:
        """Results of statics, kinematics and dynamics."""
        return {name: result for name, result in self.results.items() if isinstance(result, Result)}

    @property
    def others(self) -> dict[str, Any]:
        """Modes, responses and other results with a picture, except studies."""
        return {
            name: result
            for name, result in self.results.items()
            if not isinstance(result, Result)
            and getattr(result, "kind", "") not in ("study", "continuation", "optimum")
        }

    def model_of(self, name: str) -> dict[str, Any]:
        """Description of the model that a result belongs to."""
        return self.variants.get(name, self.model)

    @property
    def worst(self) -> Status:
        """Worst status of all analyses."""
        found = [record.status for record in self.records.values()]
        order = (Status.FAILED, Status.INTERRUPTED)
        return next((status for status in order if status in found), Status.COMPLETED)


def report_data(
    results: Any, *, model: Any, figures: Sequence[Any], title: str | None, source: object, signals: Sequence[str],
    plots: Mapping[str, Callable[[], Any]] | None = None,
) -> ReportData:  # fmt: skip
    """Put the arguments of the user in order."""
    named = dict(results) if isinstance(results, Mapping) else {_name_of(results): results}
    for name, result in named.items():
        if not can_be_drawn(result):
            raise PitchlineError(
                f'report: "{name}" is a {type(result).__name__}; give a Result, Modes, FrequencyResponse or Campbell, '
                "or a dict of these by name"
            )
    if model is not None and not isinstance(model, Mapping):
        model = model.describe()
    descriptions = {name: r.model for name, r in named.items() if isinstance(r, Result) and r.model}
    poses = [r.pose.model for r in named.values() if getattr(r, "pose", None) is not None]  # of linear analyses
    said = dict(model or next(reversed([*poses, *descriptions.values()]), {}))
    if not named and not said:
        raise PitchlineError("report: nothing to report. Give a result or a model")
    own = said.get("name") or next((r.model_name for r in named.values() if getattr(r, "model_name", "")), "")
    return ReportData(
        name=str(own), title=str(own or "Report") if title is None else str(title), results=named, model=said,
        variants={name: other for name, other in descriptions.items() if other != said},
        figures=tuple(figures), source="" if source is None else str(source), signals=tuple(signals),
        plots=dict(plots or {}),
    )  # fmt: skip


def _name_of(result: Any) -> str:
    return result.kind if isinstance(result, Result) else type(result).__name__
