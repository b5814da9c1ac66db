"""Registered function that shows models and results in a browser.

`Result.view`, `Model.view` and the `view` of other results need `pitchline.viewer`, which itself needs all these
classes.
Dependencies go in one direction only. The top package therefore registers the function here on import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["register_thing_viewer", "thing_viewer"]

ThingViewer = Callable[..., Any]

_registered: list[ThingViewer] = []


def register_thing_viewer(function: ThingViewer) -> None:
    """Register `function(*objects, **options)`, which returns a `View`, for every `view`."""
    _registered[:] = [function]


def thing_viewer() -> ThingViewer:
    """The registered function; the import of the package registers it."""
    return _registered[0]
