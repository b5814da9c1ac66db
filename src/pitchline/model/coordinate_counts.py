"""Number of coordinates of an element in a model that is not compiled yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declared_element import DeclaredElement
from .element_fields import CoordinatesField, DerivedField, FrameField, ParameterField

__all__ = ["coordinate_count"]


def coordinate_count(element: DeclaredElement, field: CoordinatesField) -> int:
    """Number of coordinates of a field; 0 if it follows only from the position of frames."""
    if isinstance(field.count, int):
        return field.count
    for name, p in element.fields_of(ParameterField).items():
        if name == field.count and p.kind == "integer":
            return int(element.values[name])
        if p.count == field.count and p.kind == "numbers" and element.values[name] is not None:
            return len(element.values[name])
    derive = vars(type(element)).get("derive")
    if derive is None or element.fields_of(FrameField):
        return 0
    found: dict[str, Any] = getattr(derive, "__func__", derive)(dict(element.values))
    for name, derived in element.fields_of(DerivedField).items():
        if field.count in derived.counts:
            return int(np.shape(found[name])[derived.counts.index(field.count)])
    return 0
