"""3D view of the machine in motion: the viewer page inside the report."""

from __future__ import annotations

from typing import Any

from pitchline.disk.errors import size_text
from pitchline.errors import PitchlineError
from pitchline.results import Result
from pitchline.viewer.page import page_html
from pitchline.viewer.records import NotViewable, ViewRecord, record_of
from pitchline.views.report.html import Html, join, tag
from pitchline.views.report.report_data import ReportData

_WITH_SIGNALS, _MOST = 6_000_000, 25_000_000
"""Size of a page in bytes up to which it includes the signals, and above which the report leaves the view out."""


def scene(data: ReportData) -> Html:
    """The view, or a sentence why there is none; empty if no result can be viewed."""
    try:
        shown = _page(data, signals=True)
        if shown is not None and len(shown) > _WITH_SIGNALS:
            shown = _page(data, signals=False)
    except PitchlineError as error:
        return tag("p", f"The 3D view is not available: {error}.", class_="where")
    if shown is None:
        return Html("")
    if len(shown) > _MOST:
        words = f"The 3D view takes {size_text(len(shown))} and is left out. Use the command pitchline view with the result file."
        return tag("p", words, class_="where")
    frame = tag(
        "iframe", title=f"{data.title} in three dimensions", class_="view", sandbox="allow-scripts allow-downloads",
        allow="fullscreen", loading="lazy", srcdoc=shown,
    )  # fmt: skip
    words = (
        "Drag to rotate the view, or with the right button to move it. Click into the view to zoom with the mouse wheel. "
        "Press space to play and stop."
    )
    return join([frame, tag("p", words, class_="where")], "\n")


def _page(data: ReportData, *, signals: bool) -> str | None:
    """Page of all results that can be viewed; the last one with motion comes first."""
    order = sorted(data.results.items(), key=lambda item: _moves(item[1]))
    order = [*order[-1:], *(item for item in data.results.items() if item[0] != order[-1][0])] if order else []
    records: list[ViewRecord] = []
    for name, result in order:
        try:
            records.append(record_of(result, name, signals=signals))
        except NotViewable:
            continue
    return page_html(records, data.title) if records else None


def _moves(result: Any) -> bool:
    return isinstance(result, Result) and result.samples > 1 and bool(result.model)
