"""Head of the report: title, model, date, version and source, status of the analyses, and warnings."""

from __future__ import annotations

from datetime import datetime

from pitchline.results import Result, Status
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.numbers import counted
from pitchline.views.report.report_data import ReportData

CHIPS = {Status.COMPLETED: "good", Status.INTERRUPTED: "warn", Status.FAILED: "bad"}


def head(data: ReportData, version: str, contents: Html) -> Html:
    """Title block and table of contents."""
    facts = [("Model", data.name), ("Source", data.source), ("Date", f"{datetime.now():%Y-%m-%d %H:%M}")]
    facts += [("pitchline", version)]
    meta = join(tag("span", f"{key} ", tag("b", value)) for key, value in facts if value)
    ran = [
        f"{name} ({result.kind})" if isinstance(result, Result) and result.kind != name else name
        for name, result in data.results.items()
    ]
    below = f"{'Analysis' if len(ran) == 1 else 'Analyses'}: {', '.join(ran)}" if ran else "Model without analysis"
    return tag(
        "header",
        tag("h1", data.title, chip(data.worst) if data.records else ""),
        tag("p", below, class_="subtitle"),
        tag("div", meta, class_="meta"),
        tag("nav", contents, aria_label="contents"),
    )


def chip(status: Status) -> Html:
    """Status of an analysis as a small label."""
    return tag("span", str(status), class_=f"chip {CHIPS[status]}")


def alerts(data: ReportData) -> Html:
    """Analyses that did not complete, and how many warnings there are: what a reader must know first."""
    boxes = []
    for name, record in data.records.items():
        if record.status is not Status.COMPLETED:
            words = [record.message, record.status.advice]
            box = [tag("p", sentence) for sentence in words if sentence]
            bad = "note bad" if record.status is Status.FAILED else "note"
            boxes.append(tag("div", tag("h3", f"{name}: {record.kind} {record.status}"), *box, class_=bad))
    count = len(_warnings(data))
    if count:
        link = tag("a", counted(count, "warning"), href="#warnings")
        boxes.append(tag("p", "This report has ", link, ".", class_="where"))
    return tag("section", *boxes, id="status") if boxes else Html("")


def warnings(data: ReportData) -> Html:
    """All warnings, each once, with the analyses that it concerns."""
    found = _warnings(data)
    items = []
    for warning, names in found.items():
        every = len(names) == len(data.results)
        place = "" if every else tag("span", " (", join(map(code, names), ", "), ")", class_="where")
        items.append(tag("li", _sentence(warning), place))
    return tag("div", tag("ul", *items), class_="note") if items else Html("")


def _warnings(data: ReportData) -> dict[str, list[str]]:
    where: dict[str, list[str]] = {}
    for name, result in data.results.items():
        for warning in getattr(result, "warnings", ()):
            where.setdefault(warning, []).append(name)
    return where


def _sentence(words: str) -> str:
    words = words.strip()
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."
