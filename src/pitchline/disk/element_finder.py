"""The function that finds elements of the package by their keys, registered where models and elements are both known.

`Model.bearing` and the like make elements of `pitchline.declared_elements`, which itself needs models. Dependencies run one way
only, so the top package registers the function here when it is imported, and the model asks for it when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["element_of_package", "register_element_finder"]

_registered: list[Callable[[str], Any]] = []


def register_element_finder(function: Callable[[str], Any]) -> None:
    """Make `function(key)`, which returns a class of elements, the one behind the methods of models."""
    _registered[:] = [function]


def element_of_package(key: str) -> Any:
    """The class of elements with a key in model files, such as "bearing"."""
    return _registered[0](key)
