"""Registered functions that read model files and find models of the gallery.

Studies run models of files and of the gallery, whose packages use the results of studies. Dependencies go in one
direction only. The top package therefore registers the functions here on import, and the studies use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["ModelFinder", "model_finder", "register_model_finder"]


class ModelFinder(NamedTuple):
    """Functions that find models.

    read : as `pitchline.files.read`
    gallery : `gallery(name)` returns a model of the gallery; ModelError if there is none with this name
    """

    read: Callable[..., Any]
    gallery: Callable[[str], Any]


_registered: list[ModelFinder] = []


def register_model_finder(finder: ModelFinder) -> None:
    """Register the functions for studies."""
    _registered[:] = [finder]


def model_finder() -> ModelFinder:
    """The registered functions; the import of the package registers them."""
    return _registered[0]
