"""Scene of a description that may come from an unknown file. Errors are reported in plain text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import PitchlineError
from ..block import Block
from .compose import scene
from .source import SceneSource

__all__ = ["checked_scene"]


def checked_scene(
    source: SceneSource, block: Block, called: str, *, magnify_corrections: float = 1.0
) -> dict[str, Any]:
    """Make the scene. A result without a description has no bodies. Data that is not a description is an error."""
    if not source.model:
        nothing = scene(replace(source, model={"bodies": {}}), block)
        return nothing | {"notes": ["The result does not describe its model: there are signals only."]}
    try:
        return scene(source, block, magnify_corrections=magnify_corrections)
    except PitchlineError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PitchlineError(
            f'the model that "{called}" describes cannot be drawn ({reason:.200}); its file was written by another version of '
            "pitchline, or by another program: run the model again"
        ) from error
