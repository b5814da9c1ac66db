"""Drawing of gears: the function is registered by `pitchline.views`, which this package must not import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import PitchlineError

__all__ = ["drawn", "register_drawing"]

_drawing: list[Callable[..., Any]] = []


def register_drawing(draw: Callable[..., Any]) -> None:
    """Let gears be drawn by `draw(gear, **options)`."""
    _drawing[:] = [draw]


def drawn(gear: object, **options: Any) -> Any:
    """The drawing of a gear."""
    if not _drawing:
        raise PitchlineError("the package that draws gears is not loaded. Import pitchline.views first")
    return _drawing[0](gear, **options)
