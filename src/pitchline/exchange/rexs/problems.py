"""Problems of a REXS file, with component, attribute and line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["RexsProblem", "Severity"]

Severity = Literal["error", "warning", "notice"]


@dataclass(frozen=True)
class RexsProblem:
    """One problem of a file.

    severity:  "error": the file breaks the standard and cannot be used as it is; "warning": it can be used; "notice": unknown item
    component: id of the component, or None
    attribute: name of the attribute, or None
    line:      line of the file, or 0
    """

    severity: Severity
    text: str
    component: int | None = None
    attribute: str | None = None
    line: int = 0
    file: str = ""

    def __str__(self) -> str:
        """file:line: severity: text."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.severity}: {self.text}" if place else f"{self.severity}: {self.text}"
