"""Descriptions of arguments from the docstrings of the API, for editors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

__all__ = ["argument_texts", "first_line"]

_HEAD = re.compile(r"^(\w+(?:, \w+)*)(?: : (.*))?$")


def first_line(call: Callable[..., Any]) -> str:
    """First line of the docstring of a callable."""
    lines = (inspect.getdoc(call) or "").splitlines()
    return lines[0].strip() if lines else ""


def argument_texts(call: Callable[..., Any]) -> dict[str, str]:
    """Arguments and their descriptions in the section "Parameters"."""
    lines = (inspect.getdoc(call) or "").splitlines()
    if "Parameters" not in lines:
        return {}
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2 :]:
        if line.startswith("---") or line in ("Attributes", "Raises", "Returns"):
            break
        head = _HEAD.match(line)
        if head is not None:
            names = head.group(1).split(", ")
            found.update(dict.fromkeys(names, (head.group(2) or "").strip()))
        elif line.startswith(" ") and names:
            for name in names:
                found[name] = f"{found[name]} {line.strip()}".strip()
        elif line.strip():
            names = []
    return {name: _plain(text) for name, text in found.items() if text}


def _plain(text: str) -> str:
    """Text without markup."""
    return re.sub(r"\*\*|`", "", text)
