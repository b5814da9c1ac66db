"""Models far from the origin: pictures use single precision, which then becomes visible."""

from __future__ import annotations

import numpy as np

from .poses import motion_of
from .scene_size import rest_size
from .source import SceneSource

__all__ = ["far_away"]

EPSILON = float(np.finfo(np.float32).eps)
VISIBLE = 2e-4  # share of the model's size by which parts may be misplaced without being seen


def far_away(source: SceneSource) -> list[str]:
    """Notes on bodies that are too far from the origin to be drawn accurately; empty otherwise."""
    size = rest_size(source.model)
    names = list(source.model["bodies"])
    if not names or size <= 0.0:
        return []
    away = max(
        (float(np.abs(np.nan_to_num(motion_of(source, name)[0])).max(initial=0.0)) for name in names), default=0.0
    )
    if away * EPSILON <= VISIBLE * size:
        return []
    return [
        f"bodies are up to {away:.3g} m from the origin: the picture places them to {away * EPSILON:.1g} m only, so teeth may "
        "seem to overlap; values and curves are not affected. Put the origin near the model to see it right"
    ]
