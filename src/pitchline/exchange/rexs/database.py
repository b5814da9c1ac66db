"""Attributes of the standard that pitchline reads or writes: unit, type and versions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from .attribute_table import ATTRIBUTES
from .renames import new_name

__all__ = ["KnownAttribute", "all_attributes", "known_attribute", "value_type_of"]


@dataclass(frozen=True)
class KnownAttribute:
    """Attribute of the standard.

    unit:       unit in version 1.7
    value_type: "floating_point", "integer", "boolean", "enum", "string", "reference_component", and arrays of these
    since:      first version
    direction:  direction vector; its unit has no meaning
    """

    id: str
    unit: str
    value_type: str
    since: str
    direction: bool = False


@cache
def all_attributes() -> dict[str, KnownAttribute]:
    """All attributes of the table by their newest name."""
    found = {}
    for line in ATTRIBUTES.strip().splitlines():
        names, unit, value_type, since = (part.strip() for part in line.split("|"))
        for name in names.split():
            direction = name in ("u_axis_vector", "w_axis_vector")
            found[name] = KnownAttribute(name, unit, value_type, since, direction)
    return found


def known_attribute(component_type: str, attribute: str) -> KnownAttribute | None:
    """Attribute of the standard by its newest name, or None if pitchline does not use it.

    The table has one line for a name: names that several components share have the same unit in the standard.
    """
    return all_attributes().get(attribute)


@lru_cache(maxsize=20_000)
def value_type_of(component_type: str, attribute: str) -> str | None:
    """Type of an attribute by its name in the file (old or new), or None if it is unknown."""
    known = known_attribute(component_type, new_name(component_type, attribute))
    return known.value_type if known is not None else None
