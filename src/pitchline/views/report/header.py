"""The head of the report: title, what it is about, how it ended, and what the reader must know before reading on."""

from __future__ import annotations

from datetime import datetime

from pitchline.results import Result, Status
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.report_data import ReportData

CHIPS = {Status.COMPLETED: "good", Status.INTERRUPTED: "warn", Status.FAILED: "bad"}


def head(data: ReportData, version: str, contents: Html) -> Html:
    """Title, facts, list of contents."""
    facts = [("Model", data.name), ("File", data.source), ("Written", f"{datetime.now():%Y-%m-%d %H:%M}")]
    facts += [("pitchline", version)]
    meta = join(tag("span", f"{key} ", tag("b", value)) for key, value in facts if value)
    ran = [
        f"{name} ({result.kind})" if isinstance(result, Result) and result.kind != name else name
        for name, result in data.results.items()
    ]
    below = (
        f"{'Analysis' if len(ran) == 1 else 'Analyses'}: {', '.join(ran)}" if ran else "The model; no analysis was run"
    )
    return tag(
        "header",
        tag("h1", data.title, chip(data.worst) if data.records else ""),
        tag("p", below, class_="subtitle"),
        tag("div", meta, class_="meta"),
        tag("nav", contents, aria_label="contents"),
    )


def chip(status: Status) -> Html:
    """How an analysis ended, as a small label."""
    return tag("span", str(status), class_=f"chip {CHIPS[status]}")


def alerts(data: ReportData) -> Html:
    """Failures first, then warnings, each said once with the analyses it concerns."""
    boxes = []
    for name, record in data.records.items():
        if record.status is not Status.COMPLETED:
            words = [record.message, record.status.advice]
            box = [tag("p", sentence) for sentence in words if sentence]
            bad = "note bad" if record.status is Status.FAILED else "note"
            boxes.append(tag("div", tag("h3", f"{name}: {record.kind} {record.status}"), *box, class_=bad))
    where: dict[str, list[str]] = {}
    for name, result in data.results.items():
        for warning in getattr(result, "warnings", ()):
            where.setdefault(warning, []).append(name)
    if where:
        every = len(data.results)
        items = []
        for warning, names in where.items():
            place = "" if len(names) == every else tag("span", " (", join(map(code, names), ", "), ")", class_="where")
            items.append(tag("li", _sentence(warning), place))
        heading = "Warning" if len(where) == 1 else f"{len(where)} warnings"
        boxes.append(tag("div", tag("h3", heading), tag("ul", *items), class_="note"))
    return tag("section", *boxes, id="warnings") if boxes else Html("")


def _sentence(words: str) -> str:
    words = words.strip()
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."
