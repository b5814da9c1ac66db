"""Run the reference cases and write the table of the documentation."""

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from references.cases import (
    dynamics,
    frequencies,
    geometry,
    kinematics,
    machine_elements,
    machines,
    statics,
    stiffness,
    studies,
)
from references.cases.case import Case, Subject, Value
from references.cases.not_supported import NOT_SUPPORTED

__all__ = ["ROUNDING", "SUBJECTS", "TABLE", "Computed", "compute", "head", "page", "rows"]

SUBJECTS: list[Subject] = [
    module.SUBJECT
    for module in (geometry, kinematics, statics, stiffness, frequencies, machine_elements, dynamics, machines, studies)
]
TABLE = Path(__file__).parents[3] / "docs" / "validation" / "table.md"
ROUNDING = 1e-6
"""Relative difference up to which no reason is given."""
STYLE = "<style>table.docutils td:not(:first-child) { white-space: nowrap }</style>"
LIMITS = (
    (ROUNDING, "below 0.0001 %"),
    (1e-3, "below 0.1 %"),
    (1e-2, "below 1 %"),
    (5e-2, "below 5 %"),
    (math.inf, "5 % or more"),
)


@dataclass(frozen=True)
class Computed:
    """Case with its values and the seconds it took."""

    case: Case
    values: list[Value]
    seconds: float

    @property
    def worst(self) -> Value:
        return max(self.values, key=lambda value: value.difference)


def compute(case: Case) -> Computed:
    start = time.perf_counter()
    values = case.compute()
    if not all(math.isfinite(value.ours) for value in values):
        raise ArithmeticError(f"{case.key}: a value is not finite")
    return Computed(case, values, time.perf_counter() - start)


def number(value: float) -> str:
    """Six significant digits."""
    return f"{value:.6g}"


def ours(value: Value) -> str:
    """The number of pitchline; rounding errors of a number that should be zero are not shown."""
    return "0" if value.reference == 0 and value.difference <= ROUNDING else number(value.ours)


def difference(value: Value) -> str:
    """In percent, absolute if the reference is zero."""
    if value.reference == 0:
        return "< 1e-6" if value.difference <= ROUNDING else f"{value.difference:.1g} (absolute)"
    return "< 0.0001 %" if value.difference <= ROUNDING else f"{100 * value.difference:.2g} %"


def chosen(computed: Computed) -> list[Value]:
    """Values of the table: those that the case names, or evenly spread over all of them."""
    values = computed.values
    if computed.case.only:
        return [value for value in values if value.quantity in computed.case.only]
    if len(values) <= computed.case.shown:
        return values
    places = {round(float(x)) for x in np.linspace(0, len(values) - 1, computed.case.shown)}
    return [value for i, value in enumerate(values) if i in places]


def rows(computed: Computed) -> list[tuple[str, ...]]:
    """Rows of a case: quantity, reference, pitchline, difference."""
    shown = [
        (f"{v.quantity} [{v.unit}]" if v.unit else v.quantity, number(v.reference), ours(v), difference(v))
        for v in chosen(computed)
    ]
    worst, count = computed.worst, len(computed.values)
    if count > len(shown) and worst.difference <= ROUNDING:
        shown.append((f"all {count} values", "", "", "< 0.0001 %"))
    elif count > len(shown):
        name = f"largest of all {count} differences: {worst.quantity}"
        shown.append((name, number(worst.reference), ours(worst), difference(worst)))
    return shown


def head(computed: Computed) -> str:
    """First row of a case: key, model, source, kind of the reference, and the reason of the differences."""
    case = computed.case
    reason = case.reason if computed.worst.difference > ROUNDING else "Rounding."
    return f"**{case.key}: {case.title}.** {case.source} ({case.kind}). Difference: {reason[0].lower()}{reason[1:]}"


def page(subjects: Iterable[tuple[Subject, list[Computed]]]) -> str:
    """The page with all tables."""
    subjects = list(subjects)
    every = [computed for _, found in subjects for computed in found]
    values = [value for computed in every for value in computed.values]
    lines = [
        "# Table of all cases",
        "",
        "`make validation` writes this page. It runs every case. Do not edit the page. [Validation](index.md) explains it.",
        "",
        "```{raw} html",
        STYLE,
        "```",
        "",
        f"{len(every)} cases with {len(values)} numbers. A case counts with its largest difference.",
        "",
        "| difference | cases | numbers |",
        "| --- | ---: | ---: |",
    ]
    low = -1.0
    for limit, name in LIMITS:
        counts = [
            sum(low < one.difference <= limit for one in group)
            for group in ([computed.worst for computed in every], values)
        ]
        lines.append(f"| {name} | {counts[0]} | {counts[1]} |")
        low = limit
    lines += ["", f"Not supported yet, or not in the table: {len(NOT_SUPPORTED)} cases.", ""]
    for subject, found in subjects:
        lines += [f"## {subject.title}", "", "| case and quantity | reference | pitchline | difference |"]
        lines.append("| --- | ---: | ---: | ---: |")
        for computed in found:
            lines.append(f"| {head(computed)} | | | |")
            lines += [f"| {' | '.join(row)} |" for row in rows(computed)]
        lines.append("")
    lines += ["## Not supported yet, or not in the table", "", "| case | source | reason |", "| --- | --- | --- |"]
    lines += [f"| {case} | {source} | {why} |" for case, source, why in NOT_SUPPORTED]
    return "\n".join(lines) + "\n"
