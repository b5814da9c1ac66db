"""Description of the model of a result."""

from __future__ import annotations

from typing import Any

from ..model import Flank, Loaded, Model
from ..model.replaced import with_shared_parts
from ..results.later_data import LaterData

__all__ = ["description"]


def description(model: Model) -> Any:
    """Description of a model as it is now.

    It is made when it is first read, from the parts of the model, which cannot change. Models with matrices and tables are
    described at once, so that the result does not keep these in memory."""
    tables = any(isinstance(pair.mesh, (Flank, Loaded)) for pair in model.gear_pairs.values())
    if tables or model.structures or model.elements:
        return model.describe()
    return LaterData(with_shared_parts(model).describe)
