"""Registered function that reads flanks from CAD files.

Gears can have flanks from a STEP file. Its reader is in `pitchline.exchange`, which itself needs gears. Dependencies go in one
direction only. The top package therefore registers the function here on import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["flank_reader", "register_flank_reader"]

Reader = Callable[..., Any]

_registered: list[Reader] = []


def register_flank_reader(function: Reader) -> None:
    """Register `function(path)`, which returns points (n, 3) [m] on each face of a file."""
    _registered[:] = [function]


def flank_reader() -> Reader:
    """The registered function; the import of the package registers it."""
    return _registered[0]
