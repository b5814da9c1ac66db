"""Registered function that finds elements of the package by their keys.

`Model.bearing` and similar methods create elements of `pitchline.declared_elements`, which itself needs models.
Dependencies go
in one direction only. The top package therefore registers the function here on import, and the model uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["element_of_package", "register_element_finder"]

_registered: list[Callable[[str], Any]] = []


def register_element_finder(function: Callable[[str], Any]) -> None:
    """Register `function(key)`, which returns a class of elements, for the methods of models."""
    _registered[:] = [function]


def element_of_package(key: str) -> Any:
    """The class of elements with this key in model files, e.g. "bearing"."""
    return _registered[0](key)
