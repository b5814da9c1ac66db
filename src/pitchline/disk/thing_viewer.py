"""The function that shows models and results in a browser, registered where all of them are known.

`Result.view`, `Model.view` and the `view` of other findings need `pitchline.viewer`, which itself needs all these classes.
Dependencies run one way only, so the top package registers the function here when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["register_thing_viewer", "thing_viewer"]

ThingViewer = Callable[..., Any]

_registered: list[ThingViewer] = []


def register_thing_viewer(function: ThingViewer) -> None:
    """Make `function(*things, **options)`, which returns a `View`, the one behind every `view`."""
    _registered[:] = [function]


def thing_viewer() -> ThingViewer:
    """The registered function; the import of the package has registered one."""
    return _registered[0]
