"""Where an error of the Python API belongs in a file: at the argument that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import Place
from .problems import Path

__all__ = ["argument_place"]


def argument_place(path: Path, table: Mapping[str, Any], place: Place, renamed: Mapping[str, str]) -> Path:
    """The place in a file of what an error is about, as far as the table at `path` says it.

    renamed: keys of the table that are called otherwise in Python. An error about another part, one that the call made on
    its way, belongs to the table as a whole.
    """
    if place.part and place.part[-1] not in path:
        return path
    keys = {there: here for here, there in renamed.items()}
    value: Any = table
    for n, key in enumerate(place.argument):
        key = keys.get(key, key) if n == 0 and isinstance(key, str) else key
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            break
        path = (*path, key)
    return path
