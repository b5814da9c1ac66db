"""The function that computes tables of loaded teeth, registered where gears in contact are known.

A gear pair needs it when its law is first read and no table is kept on disk; and the contact of elastic gears itself needs
the description of gear pairs. Dependencies run one way only, so the top package registers the function here when it is
imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["register_table_maker", "table_maker"]

Maker = Callable[..., Any]

_registered: list[Maker] = []


def register_table_maker(function: Maker) -> None:
    """Make `function(request, what=...)`, which returns a `ComputedTable`, the one behind computed tables."""
    _registered[:] = [function]


def table_maker() -> Maker:
    """The registered function; the import of the package has registered one."""
    return _registered[0]
