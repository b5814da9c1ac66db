"""The machine in three dimensions, in motion: the page of the viewer in a frame of the report."""

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
"""Bytes of a page up to which it holds the signals too, and beyond which a report is better without it."""


def scene(data: ReportData) -> Html:
    """The frame; words where nothing can be drawn, and nothing at all where there is nothing to draw."""
    try:
        shown = _page(data, signals=True)
        if shown is not None and len(shown) > _WITH_SIGNALS:
            shown = _page(data, signals=False)
    except PitchlineError as error:
        return tag("p", f"There is no view of this machine: {error}.", class_="where")
    if shown is None:
        return Html("")
    if len(shown) > _MOST:
        words = f"The view of this machine takes {size_text(len(shown))}; pitchline view shows it from its result file."
        return tag("p", words, class_="where")
    frame = tag(
        "iframe", title=f"{data.title} in three dimensions", class_="view", sandbox="allow-scripts allow-downloads",
        allow="fullscreen", loading="lazy", srcdoc=shown,
    )  # fmt: skip
    words = "Drag to turn the view, with the right button to move it; click into it, then the wheel zooms. Space plays and stops."
    return join([frame, tag("p", words, class_="where")], "\n")


def _page(data: ReportData, *, signals: bool) -> str | None:
    """The page of all results that can be viewed; the last one that moves comes first."""
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
