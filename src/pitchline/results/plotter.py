"""Registry of functions that draw results.

The package `results` does not import `views`. When `pitchline.views` is imported, it registers its plotting functions
here, and the `plot` methods of results, spectra and other objects use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitchline.arguments import names_wrong_arguments
from pitchline.disk.views_loader import load_views
from pitchline.errors import PitchlineError

Plotter = Callable[..., Any]

_registered: dict[str, Plotter] = {}


def register_plotter(function: Plotter, kind: str = "Result") -> None:
    """Register `function(thing, ..., path=None, **options)` as the plot function of the class named `kind`."""
    _registered[kind] = names_wrong_arguments(function)


def plotter(kind: str = "Result") -> Plotter:
    """The function that draws objects of the class named `kind`."""
    if kind not in _registered:
        load_views()
    if kind not in _registered:
        raise PitchlineError("nothing here can draw yet: import pitchline.views first")
    return _registered[kind]


def can_be_drawn(thing: object) -> bool:
    """Whether an object can be drawn: by a method `plot`, or by a function registered for its class."""
    return hasattr(thing, "plot") or type(thing).__name__ in _registered
