"""The place where whoever can draw results says so.

Results come before views and know nothing of them: `pitchline.views` hands its plotting functions in here
when it is imported, and `plot` of a result, of a spectrum and of what else can be drawn uses them.
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
    """Make `function(thing, ..., path=None, **options)` the one behind `plot` of the class named `kind`."""
    _registered[kind] = names_wrong_arguments(function)


def plotter(kind: str = "Result") -> Plotter:
    """The function that draws things of the class named `kind`."""
    if kind not in _registered:
        load_views()
    if kind not in _registered:
        raise PitchlineError("nothing here can draw yet: import pitchline.views first")
    return _registered[kind]


def can_be_drawn(thing: object) -> bool:
    """Whether something has a picture: a method `plot`, or a function that draws things of its class."""
    return hasattr(thing, "plot") or type(thing).__name__ in _registered
