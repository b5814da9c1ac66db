"""Registered function that makes elements of FMUs.

Model files can name an FMU. Its reader is in `pitchline.exchange`, which itself needs model files. Dependencies go in one
direction only. The top package therefore registers the function here on import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["program_maker", "register_program_maker"]

Maker = Callable[..., Any]

_registered: list[Maker] = []


def register_program_maker(function: Maker) -> None:
    """Register `function(name, file, **arguments)`, which returns an element."""
    _registered[:] = [function]


def program_maker() -> Maker:
    """The registered function; the import of the package registers it."""
    return _registered[0]
