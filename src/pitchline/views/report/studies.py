"""Studies in a report: the picture of each, the number of its points, and what failed."""

from __future__ import annotations

from typing import Any

from pitchline.errors import PitchlineError
from pitchline.views.report.html import Html, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import counted
from pitchline.views.report.report_data import ReportData

__all__ = ["STUDIES", "studies"]

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
