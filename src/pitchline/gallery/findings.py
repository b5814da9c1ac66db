"""Findings: the few numbers of a run that a reader wants, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..results.report import text_table

__all__ = ["Finding", "findings_table"]


@dataclass(frozen=True)
class Finding:
    """One number with its unit, and the closed form it can be held against, if there is one."""

    name: str
    value: float
    unit: str
    expected: float | None = None
    digits: int = 5


def findings_table(findings: Sequence[Finding]) -> str:
    """Rows of findings; a column with the closed forms where any has one."""
    heads, rows = ["finding", "value", "unit"], [[f.name, _number(f, f.value), f.unit or "-"] for f in findings]
    if any(f.expected is not None for f in findings):
        heads.append("closed form")
        for row, f in zip(rows, findings, strict=True):
            row.append("" if f.expected is None else _number(f, f.expected))
    return text_table(heads, rows)


def _number(finding: Finding, value: float) -> str:
    if abs(value) < 1e-12:
        return "0"
    return f"{value:.{finding.digits}g}"
