"""Run the entries of a paper and write its page of the documentation."""

import textwrap
from pathlib import Path

from references.papers import cardona, comsol, do_ziegler_eberhard, van_der_linden, vlasenko_kasper
from references.papers.entry import EQUATION, FIGURE, NO, PARTLY, SECTION, TABLE, YES, Entry, Number, Paper

__all__ = ["FOLDER", "PAPERS", "number_row", "page", "page_path"]

FOLDER = Path(__file__).parents[3] / "docs" / "papers"
PAPERS: tuple[Paper, ...] = tuple(
    module.PAPER for module in (cardona, vlasenko_kasper, van_der_linden, do_ziegler_eberhard, comsol)
)
KINDS = (EQUATION, FIGURE, TABLE, SECTION)
ANSWERS = {YES: "reproduced", PARTLY: "in part", NO: "not reproduced"}
STYLE = "<style>table.docutils td:nth-child(n+3) { white-space: nowrap }</style>"


def page_path(paper: Paper) -> Path:
    return FOLDER / f"{paper.name}.md"


def shown(value: float | str) -> str:
    """Five significant digits."""
    return value if isinstance(value, str) else f"{value:.5g}"


def number_row(number: Number) -> tuple[str, str, str]:
    """Quantity, the paper, pitchline."""
    name = f"{number.quantity} [{number.unit}]" if number.unit else number.quantity
    return name, shown(number.paper), shown(number.ours)


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _rows(entry: Entry, numbers: list[Number]) -> list[str]:
    here = f"{entry.here} {entry.why}".strip()
    lines = [f"| **{entry.place}** {entry.says} | {here} | | |"]
    return lines + [f"| | {' | '.join(number_row(number))} |" for number in numbers]


def page(paper: Paper, computed: dict[str, list[Number]]) -> str:
    """computed: numbers by the place of their entry."""
    counts = {answer: sum(entry.reproduced == answer for entry in paper.entries) for answer in ANSWERS}
    lines = [
        f"# {paper.title}",
        "",
        wrapped(paper.cited),
        "",
        "`make papers` writes this page: it runs the models and inserts their numbers. Do not edit the page.",
        "",
        wrapped(paper.about),
        "",
        "```{raw} html",
        STYLE,
        "```",
        "",
        "| | number of entries |",
        "| --- | ---: |",
        *(f"| {word} | {counts[answer]} |" for answer, word in ANSWERS.items()),
        "",
    ]
    for kind in KINDS:
        entries = [entry for entry in paper.entries if entry.kind == kind]
        if not entries:
            continue
        lines += [
            f"## {kind}",
            "",
            "| what the paper states | pitchline | paper | computed |",
            "| --- | --- | ---: | ---: |",
        ]
        for entry in entries:
            lines += _rows(entry, computed.get(entry.place, []))
        lines.append("")
    missing = [entry for entry in paper.entries if entry.reproduced != YES]
    lines += ["## Not or only partly reproduced", ""]
    lines += [
        textwrap.fill(
            f"- **{entry.place}** ({ANSWERS[entry.reproduced]}): {entry.why}",
            120,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for entry in missing
    ] or ["Nothing."]
    return "\n".join(lines) + "\n"
