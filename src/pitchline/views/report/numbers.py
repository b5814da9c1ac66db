"""Numbers of the report as text, its data, and the section of studies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.facades import PLOTTERS
from pitchline.results.result import Result
from pitchline.results.status import Status

from ..style import scaled_unit, unit_text
from .html import Html, Pictures, join, tag

__all__ = ["STUDIES", "studies"]


# ---- numbers

# Numbers as engineers write them: four digits, a unit with its prefix, a minus sign.

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MINUS = "\N{MINUS SIGN}"
_THIN = "\N{NARROW NO-BREAK SPACE}"


def number(value: Any, digits: int = 4) -> str:
    """A number with a count of significant digits; a power of ten replaces long rows of zeros."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}".replace(",", _THIN).replace("-", _MINUS)
    try:
        x = float(value)
    except (TypeError, ValueError):
        return str(value)
    if not math.isfinite(x):
        return "–" if math.isnan(x) else f"{_MINUS if x < 0 else ''}∞"
    if x == 0.0:
        return "0"
    size = math.floor(math.log10(abs(x)))
    if size < -3 or size >= max(6, digits):
        mantissa, _, power = f"{x:.{digits - 1}e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        raised = f"10{str(int(power)).translate(_RAISED)}"
        shown = raised if mantissa == "1" else f"-{raised}" if mantissa == "-1" else f"{mantissa}·{raised}"
    else:
        shown = f"{x:.{digits}g}" if size < digits else f"{x:.0f}"
    return shown.replace("-", _MINUS)


def quantity(value: Any, unit: str, digits: int = 4) -> str:
    """A number with its unit: 2203.4 N as "2203 N", 0.00012 m as "0.12 mm"."""
    x = float(value)
    factor, shown = scaled_unit(unit, abs(x)) if math.isfinite(x) else (1.0, unit_text(unit))
    return f"{number(factor * x, digits)} {shown}".rstrip()


def percent(fraction: float, digits: int = 3) -> str:
    """A fraction in percent; below a thousandth of a percent only that it is smaller."""
    if not math.isfinite(fraction):
        return "–"
    if fraction == 0.0:
        return "0 %"
    if abs(fraction) < 1e-5:
        return "< 0.001 %"
    return f"{number(100.0 * fraction, digits)} %"


def seconds(value: float) -> str:
    """A computing time."""
    if value >= 120.0:
        return f"{int(value // 60)} min {value % 60:.0f} s"
    return quantity(value, "s", 3)


def length(value: float, digits: int = 5) -> str:
    """A length [m] in millimetres."""
    return f"{number(1e3 * value, digits)} mm"


def angle(value: float, digits: int = 5) -> str:
    """An angle [rad] in degrees."""
    return f"{number(math.degrees(value), digits)}°"


def vector(values: Any, digits: int = 4, factor: float = 1.0) -> str:
    """Three numbers; a component that is rounding compared with the largest is 0."""
    parts = [factor * float(value) for value in values]
    least = 1e-9 * max((abs(part) for part in parts), default=0.0)
    return ", ".join(number(0.0 if abs(part) <= least else part, digits) for part in parts)


def counted(count: int, one: str, many: str | None = None) -> str:
    """ "1 body", "3 bodies"."""
    return f"{count} {one}" if count == 1 else f"{count} {many or one + 's'}"


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
        if not (hasattr(result, "plot") or type(result).__name__ in PLOTTERS):
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


# ---- studies

# Studies in a report: the picture of each, the number of its points, and what failed.

STUDIES = ("study", "continuation", "optimum")
"""Kinds of results of studies."""
MOST_REASONS = 5


def studies(data: ReportData, pictures: Pictures) -> Html:
    """All studies of a report."""
    found = {name: one for name, one in data.results.items() if getattr(one, "kind", "") in STUDIES}
    return join((_study(name, one, data, pictures) for name, one in found.items()), "\n")


def _study(name: str, found: Any, data: ReportData, pictures: Pictures) -> Html:
    parts = [tag("h3", name), tag("p", _line(found))]
    drawn = data.plots.get(name)
    try:
        figure = found.plot(title="") if drawn is None else drawn()
        parts.append(pictures.embed(figure, f"{name}: picture of the study"))
    except PitchlineError as error:
        parts.append(tag("p", f"No picture: {error}."))
    failed = getattr(getattr(found, "evaluations", found), "failed", {})
    for point, reason in list(failed.items())[:MOST_REASONS]:
        parts.append(tag("p", f"Point {point}: {reason}", class_="where"))
    return join(parts, "\n")


def _line(found: Any) -> str:
    if found.kind == "continuation":
        return f"{counted(len(found), 'periodic motion')} over {found.over}. End of the branch: {found.ended}."
    if found.kind == "optimum":
        return f"{counted(found.count, 'evaluation')}. End of the search: {found.stopped}."
    failed = len(found.failed)
    what = f", {failed} of them without a valid value" if failed else ""
    return f"{found.study.capitalize()} with {counted(len(found), 'point')}{what}."
