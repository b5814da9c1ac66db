"""Find the place in a file for an error of the Python API: the argument with the error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import Place
from .problems import Path

__all__ = ["argument_place"]


def argument_place(path: Path, table: Mapping[str, Any], place: Place, renamed: Mapping[str, str]) -> Path:
    """Place in a file of the argument that an error is about, if the table at `path` contains it.

    renamed: keys of the table with another name in Python. An error about another object, which the call created
    internally, belongs
    to the table as a whole.
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
