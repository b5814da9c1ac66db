"""Change parameter values in the text of a model file. The rest of the text, including comments, does not change."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import PitchlineError
from .document import Document, read_text
from .toml_text import inline

__all__ = ["with_parameters"]

_VALUE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,}#\]]+)""")
"""TOML value on one line: a text, or a number."""


def with_parameters(text: str, values: Mapping[str, Any], included: Mapping[str, Any] | None = None) -> str:
    """Return the text of a file with other parameter values: numbers, texts with a unit, or plain texts.

    included: parameters of included files, with their declarations. Values in the including file take precedence, so it
    gets its
    own entry. PitchlineError if the value is not found because of the way it is written.
    """
    for name, value in values.items():
        text = _changed(read_text(text, "the model file"), name, value, dict(included or {}))
    return text


def _changed(document: Document, name: str, value: Any, included: Mapping[str, Any]) -> str:
    own = document.data.get("parameters", {})
    wanted = copy.deepcopy(document.data)
    said = own.get(name, included.get(name))
    entry = {**said, "value": value} if isinstance(said, dict) else value
    wanted.setdefault("parameters", {})[name] = entry
    for text in _candidates(document, name, entry, value):
        try:
            if tomllib.loads(text) == wanted:
                return text
        except tomllib.TOMLDecodeError:
            continue
    raise PitchlineError(
        f'the value of the parameter "{name}" was not found in the text of the model file. Change it there by hand'
    )


def _candidates(document: Document, name: str, entry: Any, value: Any) -> Iterator[str]:
    """Texts in which the value may have been replaced. The caller compares their contents."""
    lines = document.text.split("\n")
    path = ("parameters", name)
    if name not in document.data.get("parameters", {}):
        header = document.lines.get(("parameters",))
        if header is None:
            yield document.text.rstrip("\n") + f"\n\n[parameters]\n{name} = {inline(entry)}\n"
        else:
            yield _with_line(lines, header, f"{name} = {inline(entry)}")
        return
    if not isinstance(entry, dict):
        yield from _replaced(lines, document.line(path), name, value)
    elif (*path, "value") in document.lines:
        yield from _replaced(lines, document.line((*path, "value")), "value", value)
    else:  # the first of its choices
        line = document.line(path)
        yield from (
            _with_text(
                lines, line, lines[line - 1][: at.end()] + f" value = {inline(value)}," + lines[line - 1][at.end() :]
            )
            for at in re.finditer(r"\{", lines[line - 1])
        )
        yield _with_line(lines, line, f"value = {inline(value)}")


def _replaced(lines: list[str], line: int, key: str, value: Any) -> Iterator[str]:
    """Values after this key on a line, one after the other."""
    whole = lines[line - 1]
    for at in re.finditer(rf"""["']?{re.escape(key)}["']?\s*=\s*""", whole):
        found = _VALUE.match(whole, at.end())
        if found:
            yield _with_text(lines, line, whole[: found.start()] + inline(value) + whole[found.end() :])


def _with_text(lines: list[str], line: int, text: str) -> str:
    return "\n".join([*lines[: line - 1], text, *lines[line:]])


def _with_line(lines: list[str], after: int, text: str) -> str:
    return "\n".join([*lines[:after], text, *lines[after:]])
