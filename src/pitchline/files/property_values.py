"""Values of properties of gears, pairs, bodies and results, for expressions of figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .amounts import AmountError
from .property_units import properties

__all__ = ["as_array", "known_properties", "property_of"]


def known_properties(of: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Properties of a class: their units, and the intermediate objects."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    if of == "GearMesh":  # it also has the properties of its geometry
        found = {name: (unit, ("pair",)) for name, unit in properties("GearPair").items()}
        found["contact_ratio"] = ("", ("pair", "total_contact_ratio"))
    return {**found, **{name: (unit, ()) for name, unit in properties(of).items()}}


def _iso_stiffness(mesh: Any) -> Any:
    from ..gears.stiffness import iso_stiffness

    return iso_stiffness(mesh.pair)


_EXTRA: dict[str, Callable[[Any], Any]] = {"iso_stiffness": _iso_stiffness}


def property_of(thing: Any, through: tuple[str, ...], step: str, given: tuple[Any, ...] | None, said: str) -> Any:
    for name in through:
        thing = getattr(thing, name)
    if through[-1:] and through[-1] != "pair":
        return thing
    if step in _EXTRA:
        return _EXTRA[step](thing)
    if not hasattr(thing, step):
        raise AmountError(f"{said}: {type(thing).__name__} has no such property")
    found = getattr(thing, step)
    return found if given is None else found(*given)


def as_array(value: Any, said: str) -> Any:
    if value is None:
        raise AmountError(f"{said} has no value")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise AmountError(f"{said} is not a number")
    return array
