"""Problems that are found while a REXS file is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..limits import ExchangeError
from .component import RexsComponent
from .problems import RexsProblem

__all__ = ["Findings"]

MOST_PROBLEMS = 200
"""A file with more problems than this is not read further."""
_VERSION = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){1,2}")
_INTEGER = re.compile(r"([+-]?[0-9]{1,18})(\.0+)?")


@dataclass
class Findings:
    """Problems found while a file is read."""

    file: str
    problems: list[RexsProblem] = field(default_factory=list)

    def error(self, text: str, *, line: int = 0, component: int | None = None, attribute: str | None = None) -> None:
        """Add an error."""
        self.problems.append(RexsProblem("error", text, component, attribute, line, self.file))
        if len(self.problems) >= MOST_PROBLEMS:
            raise ExchangeError(self.text())

    def number(self, text: object, what: str, line: int) -> int | None:
        """Integer of a text, or None with an error."""
        short = str(text).strip() if text is not None else ""
        whole = _INTEGER.fullmatch(short)
        if whole:
            return int(whole[1])
        self.error(
            f"{what}: the id is missing" if not short else f'{what}: "{short[:40]}" is not an integer', line=line
        )
        return None

    def version(self, text: object, line: int) -> str:
        """Version of the standard, or "" with an error."""
        version = str(text).strip() if text is not None else ""
        if not version:
            self.error('model: the version is missing. Specify it, for example version="1.7"', line=line)
        elif not _VERSION.fullmatch(version):
            self.error(
                f'model: "{version[:40]}" is not a version of REXS. Expected for example "1.7" or "2.0.0"', line=line
            )
        return version

    def add_component(self, components: dict[int, RexsComponent], component: RexsComponent) -> None:
        """Add a component, unless its id is there."""
        first = components.setdefault(component.id, component)
        if first is not component:
            self.error(
                f"{component.label}: the id {component.id} is used twice, first in line {first.line} ({first.type})",
                line=component.line, component=component.id,
            )  # fmt: skip

    def text(self) -> str:
        """All problems as the text of an error."""
        lines = [
            f"{problem.file}{f', line {problem.line}' if problem.line else ''}: {problem.text}"
            for problem in self.problems
        ]
        if len(lines) == 1:
            return lines[0]
        shown = lines if len(lines) <= 20 else [*lines[:20], f"{len(lines) - 20} more"]
        return f"{self.file} breaks the REXS standard ({len(lines)} problems):" + "".join(
            f"\n  - {line}" for line in shown
        )
