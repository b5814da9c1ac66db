"""Builder of a new REXS document: components with values in SI units, and relations between them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...version import __version__
from .attribute import RexsAttribute, Shape
from .component import RexsComponent
from .database import known_attribute
from .document import RexsDocument, RexsRef, RexsRelation
from .units import rexs_unit

__all__ = ["RexsBuilder", "attribute_of", "number_text"]

LANGUAGE = "en"


def number_text(value: float) -> str:
    """Text of a number, without the rounding errors of a conversion of units (15 digits)."""
    return repr(float(f"{value:.15g}") + 0.0)


def attribute_of(component_type: str, name: str, value: Any) -> RexsAttribute:
    """Attribute of the standard from a value in SI units: number, flag, text, or array."""
    known = known_attribute(component_type, name)
    if known is None:
        raise KeyError(f"{name} is not in the table of attributes")
    unit = None if known.direction else rexs_unit(known.unit)
    shape: Shape = "scalar"
    text: Any
    if isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = value
    elif isinstance(value, (int, np.integer)) and known.value_type != "floating_point":
        text = str(int(value))
    elif isinstance(value, (Sequence, np.ndarray)):
        array = np.asarray(value)
        shape = "array" if array.ndim == 1 else "matrix"
        texts = [
            _converted(item, unit) if array.dtype != bool else str(item).lower() for item in array.ravel().tolist()
        ]
        text = (
            texts
            if array.ndim == 1
            else [texts[row * array.shape[1] : (row + 1) * array.shape[1]] for row in range(len(array))]
        )
    else:
        text = _converted(float(value), unit)
    return RexsAttribute(name, text, known.unit, shape, value_type=known.value_type)


def _converted(value: float, unit: Any) -> str:
    return number_text(value if unit is None else unit.from_si(value))


class RexsBuilder:
    """Document under construction. Ids count from 1."""

    def __init__(self) -> None:
        date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")
        self.document = RexsDocument("1.7", "pitchline", __version__, date, LANGUAGE)

    def add(self, component_type: str, name: str | None = None, values: Mapping[str, Any] | None = None) -> int:
        """Add a component; values without a value (None) are left out. Returns its id."""
        number = max(self.document.components, default=0) + 1
        component = RexsComponent(number, component_type, name)
        self.document.components[number] = component
        self.put(number, values or {})
        return number

    def put(self, number: int, values: Mapping[str, Any]) -> None:
        """Set attributes of a component, in SI units."""
        component = self.document.components[number]
        for name, value in values.items():
            if value is not None:
                component.attributes[name] = attribute_of(component.new_type, name, value)

    def relate(self, relation_type: str, *, order: int | None = None, **roles: int) -> None:
        """Add a relation."""
        number = len(self.document.relations) + 1
        refs = [RexsRef(target, role, self.document.components[target].type) for role, target in roles.items()]
        self.document.relations.append(RexsRelation(number, relation_type, order, refs))

    def position(self, number: int, origin: np.ndarray, axes: np.ndarray, reference: int) -> None:
        """Position of a component from its axes in pitchline: u = z, w = x."""
        values = {
            "reference_component_for_position": reference, "support_vector": tidy(origin), "u_axis_vector": tidy(axes[:, 2]),
            "w_axis_vector": tidy(axes[:, 0]),
        }  # fmt: skip
        self.put(number, values)


def tidy(vector: np.ndarray) -> np.ndarray:
    """Vector without the rounding errors of rotations."""
    found: np.ndarray = np.where(np.abs(vector) < 1e-15, 0.0, vector)
    return found
