"""TOML text from plain data: tables, lists over several lines, and inline tables if they are short."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["key", "table", "value"]

_WIDTH = 116
_SHORT_TABLE = 100
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_SIGNS = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def key(name: str) -> str:
    """Key, in quotes if necessary."""
    return name if _BARE.match(name) else text(name)


def text(said: str) -> str:
    """Text in quotes."""
    return (
        '"'
        + "".join(_SIGNS.get(sign) or (sign if sign.isprintable() else f"\\U{ord(sign):08x}") for sign in said)
        + '"'
    )


def number(said: float) -> str:
    """Number that reads back exactly; integers without decimal point."""
    if abs(said) < 1e15 and said == int(said) and not (said == 0.0 and str(said).startswith("-")):
        return str(int(said))
    return repr(said)


def inline(said: Any) -> str:
    """Value on one line."""
    if isinstance(said, bool):
        return "true" if said else "false"
    if isinstance(said, int):
        return str(said)
    if isinstance(said, float):
        return number(float(said))
    if isinstance(said, str):
        return text(said)
    if isinstance(said, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {inline(v)}" for k, v in said.items()) + " }" if said else "{}"
    if isinstance(said, (list, tuple)):
        return "[" + ", ".join(inline(item) for item in said) + "]"
    raise TypeError(f"{said!r} ({type(said).__name__}) cannot be written as TOML")


def value(said: Any, taken: int = 0) -> str:
    """Value; a long list goes over several lines."""
    line = inline(said)
    if len(line) + taken <= _WIDTH or not isinstance(said, (list, tuple)):
        return line
    lines, now = ["["], "   "
    for item in said:
        part = f" {value(item, 4) if isinstance(item, (list, tuple)) else inline(item)},"
        if len(now) + len(part) > _WIDTH and now.strip():
            lines.append(now)
            now = "   "
        now += part
    return "\n".join([*lines, now, "]"])


def table(path: tuple[str, ...], said: Mapping[str, Any], *, listed: bool = False) -> str:
    """Table under its header; long tables in it follow as separate tables."""
    name = ".".join(key(part) for part in path)
    lines = [f"[[{name}]]" if listed else f"[{name}]"]
    later = []
    for k, v in said.items():
        if isinstance(v, Mapping) and len(inline(v)) > _SHORT_TABLE:
            later.append(table((*path, k), v))
        else:
            start = f"{key(k)} = "
            lines.append(start + value(v, len(start)))
    return "\n".join(lines) + "\n" + "".join("\n" + part for part in later)
