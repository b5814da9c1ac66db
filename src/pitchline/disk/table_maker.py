"""Registered function that computes tables of loaded tooth contact.

A gear pair needs it when its force law is first used and no table is stored on disk. The contact of elastic gears
itself needs
the description of gear pairs. Dependencies go in one direction only. The top package therefore registers the function
here on
import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["register_table_maker", "table_maker"]

Maker = Callable[..., Any]

_registered: list[Maker] = []


def register_table_maker(function: Maker) -> None:
    """Register `function(request, what=...)`, which returns a `ComputedTable`, for computed tables."""
    _registered[:] = [function]


def table_maker() -> Maker:
    """The registered function; the import of the package registers it."""
    return _registered[0]
