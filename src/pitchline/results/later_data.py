"""Plain data of a result that are made at first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitchline.results.plain_data import plain_data

__all__ = ["LaterData"]


class LaterData:
    """Data that few users of a result read. make: function without arguments; what it reads must not change any more."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def made(self) -> Any:
        """The data, as plain data."""
        return plain_data(self._make())
