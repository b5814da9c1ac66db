"""Where an error of the Python API belongs in a file: at the argument that its message speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import shown
from .problems import Path

__all__ = ["argument_place"]


def argument_place(path: Path, table: Mapping[str, Any], message: str) -> Path:
    """The place of the argument that a message of the API speaks of, where it can be told."""
    best, at = path, len(message)
    for key in table:
        match = re.search(rf"(?:: |=){re.escape(str(key))}(?![\w])", message)
        if match is not None and match.start() < at:
            best, at = (*path, key), match.start()
    unknown = re.search(r'unknown \w+ "([^"]*)"', message)
    if best == path and unknown is not None:
        best = next(((*path, key) for key, value in table.items() if value == unknown.group(1)), path)
    if best == path:
        best = next(((*path, key) for key, value in table.items() if f": {shown(value)}" in message), path)
    return best
