"""The function that loads `pitchline.views`, registered by the top package.

Models and results can draw themselves, but their packages come before the views and cannot import them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["load_views", "register_views_loader"]

_registered: list[Callable[[], Any]] = []


def register_views_loader(function: Callable[[], Any]) -> None:
    """Register `function()`, which returns the package of views."""
    _registered[:] = [function]


def load_views() -> Any:
    """Return the package of views; None if no function is registered."""
    return _registered[0]() if _registered else None
