"""Arguments and attributes in docstrings as lists: what autodoc shows below a signature.

Docstrings describe arguments in three ways: in a section "Parameters" as "name : meaning" or as "name" with an indented
text, and in lines "name: meaning". All become one list; a text that follows a section stays a text of its own.
"""

import inspect
import re
import textwrap
from typing import Any

_TITLES = {"Parameters": "Arguments", "Attributes": "Attributes"}
_ENTRY = re.compile(r"^([*\w]+(?:, [*\w]+)*)(?: : (.*))?$")
_LINE = re.compile(r"^(\w+(?:, \w+)*): ")


def list_arguments(_app: Any, what: str, _name: str, target: Any, _options: Any, lines: list[str]) -> None:
    """Handler of autodoc-process-docstring."""
    if what not in ("class", "exception", "function", "method"):
        return
    known = set(inspect.signature(target).parameters) if what in ("function", "method") else set()
    shown: list[str] = []
    place = 0
    while place < len(lines):
        title = _TITLES.get(lines[place])
        if title and place + 1 < len(lines) and lines[place + 1].startswith("---"):
            place = _section(lines, place + 2, title, shown)
        else:
            place = _text(lines, place, known, shown)
    lines[:] = shown


def _section(lines: list[str], place: int, title: str, shown: list[str]) -> int:
    """Entries of a section as a list; the line after it is returned."""
    shown += [f"**{title}**", ""]
    while place < len(lines):
        head = lines[place]
        while head.endswith(",") and place + 1 < len(lines):  # names over several lines
            place += 1
            head = f"{head} {lines[place]}"
        found = _ENTRY.match(head)
        if found is None or (not found[2] and not _indented(lines, place + 1)):
            break
        place += 1
        text = []
        while place < len(lines) and (_indented(lines, place) or not lines[place].strip()):
            text.append(lines[place])
            place += 1
        text = textwrap.dedent("\n".join(text)).splitlines()
        while text and not text[-1]:
            text.pop()
        kind = found[2] or ""
        if title == "Attributes" and kind and text:
            shown.append(f"- **{found[1]}** (*{kind}*): {text[0]}")
            rest = text[1:]
        else:
            first, *rest = [kind, *text] if kind else text
            shown.append(f"- **{found[1]}**: {first}")
        shown += [f"  {line}" if line else "" for line in rest]
        if place < len(lines) and not _ENTRY.match(lines[place]):
            break
    shown.append("")
    return place


def _indented(lines: list[str], place: int) -> bool:
    return place < len(lines) and lines[place].startswith(" ")


def _text(lines: list[str], place: int, known: set[str], shown: list[str]) -> int:
    """One line of text, or one argument with its continuation lines."""
    found = _LINE.match(lines[place])
    if found is None or not known.issuperset(found[1].split(", ")):
        shown.append(lines[place])
        return place + 1
    if shown and shown[-1] and not shown[-1].startswith(("- ", "  ")):
        shown.append("")
    shown.append(f"- **{found[1]}**: {lines[place][found.end() :]}")
    place += 1
    while place < len(lines) and lines[place].strip() and not _LINE.match(lines[place]):
        shown.append(f"  {lines[place].strip()}")
        place += 1
    return place
