"""Description of the model of a result."""

from __future__ import annotations

from typing import Any

from ..model import Flank, Loaded, Model
from ..model.replaced import with_shared_parts
from ..results.later_data import LaterData

__all__ = ["description", "is_small"]


def is_small(model: Model) -> bool:
    """Whether the parts of a model need little memory, so that a result can keep them: none has matrices or tables."""
    tables = any(isinstance(pair.mesh, (Flank, Loaded)) for pair in model.gear_pairs.values())
    return not (tables or model.structures or model.elements)


def description(model: Model) -> Any:
    """Description of a model as it is now. For a small model it is made when it is first read, from the parts of the model,
    which cannot change."""
    return LaterData(with_shared_parts(model).describe) if is_small(model) else model.describe()
