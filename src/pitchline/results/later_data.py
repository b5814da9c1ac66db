"""Plain data of a result that are made at first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pitchline.results.plain_data import plain_data

__all__ = ["LaterData", "ModelAtFirstUse"]


class LaterData:
    """Data that few users of a result read. make: function without arguments; what it reads must not change any more."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def made(self) -> Any:
        """The data, as plain data."""
        return plain_data(self._make())


class ModelAtFirstUse:
    """An object with an attribute `model`, which may be `LaterData` at first."""

    def _put_model_off(self, later: LaterData) -> None:
        """Make the model when it is first read."""
        self.__dict__.pop("model", None)
        self.__dict__["_later_model"] = later

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The model, if it was not read yet. Python asks only for attributes that do not exist."""
            mine = self.__dict__
            later = mine.get("_later_model")
            if name != "model" or (later is None and "model" not in mine):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if "model" not in mine:
                mine.setdefault("model", later.made())  # another thread may have been faster
                mine.pop("_later_model", None)
            return mine["model"]

    def __getstate__(self) -> dict[str, Any]:
        """Content for a copy or for another process, with the model."""
        model: Any = self.model  # type: ignore[attr-defined]
        return {key: value for key, value in {**self.__dict__, "model": model}.items() if key != "_later_model"}
