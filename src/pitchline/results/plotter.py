"""The place where whoever can draw results says so.

Results come before views and know nothing of them: `pitchline.views` hands its plotting function in here
when it is imported, and `Result.plot` uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitchline.errors import PitchlineError

Plotter = Callable[..., Any]

_registered: list[Plotter] = []


def register_plotter(function: Plotter) -> None:
    """Make `function(result, *names, path=None, **options)` the one behind `Result.plot`."""
    _registered[:] = [function]


def plotter() -> Plotter:
    """The function that draws results."""
    if not _registered:
        raise PitchlineError("nothing here can draw yet: import pitchline.views first")
    return _registered[0]
