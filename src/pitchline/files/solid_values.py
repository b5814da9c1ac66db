"""Solids and shapes of model files: from tables by their kind, moved and rotated, or several combined."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ..errors import near_names, shown
from ..gears import Gear, Rack
from ..model import MassProperties, Shape
from . import catalogue
from .problems import Path

if TYPE_CHECKING:
    from .values import Values

__all__ = ["SolidValues"]


class SolidValues:
    """Creates solids and shapes from tables. `data_file(path, name)` finds the files that tables name."""

    def __init__(self, values: Values, data_file: Callable[[Path, str], FilePath | str]) -> None:
        self.values, self.data_file = values, data_file

    def shape(self, value: Any, path: Path) -> Any:
        """Shape of an element: a table, or a list of tables."""
        if isinstance(value, list):
            return [self.solid(item, (*path, n)) for n, item in enumerate(value)]
        return self.solid(value, path)

    def solid(self, value: Any, path: Path) -> MassProperties | Shape:
        """Solid, moved and rotated; or a sum of several solids. Without mass and density it is a shape."""
        v = self.values
        also = ("kind", "moved", "turned", "colour")
        kind = v.kind(value, path, {**catalogue.SOLIDS, "sum": None, "gear": None}, "solid")
        made: MassProperties | Shape
        if kind == "sum":
            made = self._summed(value, path)
        elif kind == "gear":
            made = self._blank(value, path)
        else:
            made = v.make(catalogue.SOLIDS[kind], value, path, {"file": self._file}, also=also)
        for key, change in (("turned", "turned"), ("moved", "moved"), ("colour", "coloured")):
            if key in value:
                v.check_whole(value[key])
                made = v.call(getattr(made, change), {}, (*path, key), {}, value[key])
        return made

    def _file(self, value: Any, path: Path) -> FilePath:
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.values.tell(path, found)
        return found

    def _blank(self, value: Mapping[str, Any], path: Path) -> MassProperties:
        """Blank of a gear, or the gear with its teeth."""
        v = self.values
        for key in set(value) - {"kind", "gear", "from", "moved", "turned", "colour"}:
            raise v.tell(
                (*path, key), f'unknown key "{key}"; the solid of a gear has the keys gear, from, moved and turned'
            )
        if "gear" not in value:
            raise v.tell(path, '"gear" is missing. Specify the gear')
        source = value.get("from", catalogue.GEAR_SOLIDS[0])
        if source not in catalogue.GEAR_SOLIDS:
            raise v.tell(
                (*path, "from"), f"{shown(source)} is unknown; {near_names(str(source), catalogue.GEAR_SOLIDS)}"
            )
        gear = v.gear(value["gear"], (*path, "gear"))
        make = (lambda: gear.solid) if source == "blank" else (lambda: _with_teeth(gear))
        made: MassProperties = v.call(make, {}, path, {})
        return made

    def _summed(self, value: Mapping[str, Any], path: Path) -> MassProperties | Shape:
        v = self.values
        for key in set(value) - {"kind", "parts", "moved", "turned", "colour"}:
            raise v.tell(
                (*path, key), f'unknown key "{key}"; a sum of solids has the keys parts, moved, turned and colour'
            )
        parts = value.get("parts")
        if not isinstance(parts, list) or not parts:
            raise v.tell(path, f"a sum of solids needs the key parts with a list of solids, got {shown(parts)}")
        made = self.solid(parts[0], (*path, "parts", 0))
        for n, part in enumerate(parts[1:], 1):
            made = v.call(operator.add, {}, (*path, "parts", n), {}, made, self.solid(part, (*path, "parts", n)))
        return made


def _with_teeth(gear: Gear | Rack) -> MassProperties:
    from ..fem.gear_properties import toothed_solid  # imports the compiled elements

    return toothed_solid(gear)
