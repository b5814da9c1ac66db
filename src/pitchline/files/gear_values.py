"""Gears of a file: flank modifications, tool and body, measured flanks from data files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ..errors import shown
from ..gears import Gear, Rack
from ..gears.modifications import FlankModifications
from ..gears.teeth import basic_rack
from . import catalogue
from .problems import Path

if TYPE_CHECKING:
    from .values import Values

__all__ = ["GearValues"]

DataFile = Callable[[str], FilePath | str]
"""Path of a file that a table names, or a text with the reason why it is not available."""
_TOOTH = re.compile(r"\s*(\d{1,9})\s*(left|right)?\s*\Z")
_BY_FLANK = tuple(catalogue.FLANK_MODIFICATIONS.arguments)


class GearValues:
    """Creates gears from tables. `data_file(path, name)` finds the files that tables name."""

    def __init__(self, values: Values, data_file: Callable[[Path, str], FilePath | str]) -> None:
        self.values, self.data_file = values, data_file
        self.parts = {
            "material": values.material, "modifications": self.modifications, "tool": self.tool, "body": self.body,
            "wheel": values.gear, "flanks": self.flanks,
        }  # fmt: skip

    def gear(self, table: Mapping[str, Any], path: Path) -> Gear | Rack:
        """Gear or rack, with its normal, outer or axial module."""
        v = self.values
        kind = v.kind(table, path, catalogue.GEARS, "gear", "gear")
        entry = catalogue.GEARS[kind]
        if "basic_rack" in table and kind in ("gear", "rack"):
            table = self._by_basic_rack(table, path)
        if kind == "gear" and "normal_module" not in table:
            entry = next((other for key, other in catalogue.MODULES.items() if key in table), entry)
        made: Gear | Rack = v.make(entry, table, path, self.parts, also=("kind",))
        return made

    def _by_basic_rack(self, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
        """Table with the factors of a basic rack of ISO 53 instead of its letter."""
        v, rest = self.values, {key: value for key, value in table.items() if key != "basic_rack"}
        factors = v.call(basic_rack, {}, (*path, "basic_rack"), {}, table["basic_rack"])
        for key in factors:
            if key in rest:
                raise v.tell(
                    (*path, key), f'the basic rack "{table["basic_rack"]}" already specifies {key}. Remove one of them'
                )
        return {**rest, **factors}

    def tool(self, value: Any, path: Path) -> Any:
        """Hob or shaper."""
        kind = self.values.kind(value, path, catalogue.TOOLS, "tool")
        return self.values.make(catalogue.TOOLS[kind], value, path, {}, also=("kind",))

    def body(self, value: Any, path: Path) -> Any:
        """Bore, rim, web and hub."""
        return self.values.make(catalogue.GEAR_SHAPE, value, path, {})

    # ---- imported flanks

    def flanks(self, value: Any, path: Path) -> dict[str, Any]:
        """Arguments of `Teeth.from_points`: files, points or splines of flanks."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(
                path, f'must be a table such as {{ left = "left.csv", right = "right.csv" }}, got {shown(value)}'
            )
        parts = {"left": self.flank, "right": self.flank, "per_tooth": self.single_flanks}
        return v.arguments(catalogue.IMPORTED_FLANKS, value, path, parts)

    def flank(self, value: Any, path: Path) -> Any:
        """File with its path; points and splines as they are."""
        return self.file(value, path) if isinstance(value, str) else value

    def single_flanks(self, value: Any, path: Path) -> dict[tuple[int, str], Any]:
        """Flanks of single teeth, with keys such as "3 left"."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(path, f'must be a table of flanks by tooth, with keys such as "3 left", got {shown(value)}')
        found = {}
        for key, item in value.items():
            match = _TOOTH.match(key)
            if match is None or match[2] is None:
                raise v.tell((*path, key), f'the key must be a tooth and a side, e.g. "3 left", got {shown(key)}')
            found[int(match[1]), match[2]] = self.flank(item, (*path, key))
        return found

    # ---- modifications

    def modifications(self, value: Any, path: Path) -> FlankModifications:
        """One modification or a list for all flanks; or a table with both, left, right, per_tooth."""
        v = self.values
        if isinstance(value, list) or (isinstance(value, dict) and "kind" in value):
            value, parts = {"both": value}, {"both": lambda item, _: self.several(item, path)}
        else:
            parts = dict.fromkeys(("both", "left", "right"), self.several) | {"per_tooth": self.per_tooth}
        if not isinstance(value, dict):
            raise v.tell(
                path,
                'must be a list of modifications, e.g. [{ kind = "tip_relief", amount = "20 um", length = "2 mm" }], or a '
                f"table with the keys {', '.join(_BY_FLANK)}; got {shown(value)}",
            )
        made: FlankModifications = v.make(catalogue.FLANK_MODIFICATIONS, value, path, parts)
        return made

    def several(self, value: Any, path: Path) -> Any:
        """One modification, or a list of them."""
        if isinstance(value, list):
            return [self.modification(item, (*path, n)) for n, item in enumerate(value)]
        return self.modification(value, path)

    def modification(self, value: Any, path: Path) -> Any:
        """Modification of a flank from a table; a measured flank from its numbers, or from a file."""
        v = self.values
        kind = v.kind(value, path, catalogue.MODIFICATIONS, "modification")
        if kind == "deviation_grid" and "file" in value:
            return v.make(catalogue.GRID_FILE, value, path, {"file": self.file}, also=("kind",))
        return v.make(catalogue.MODIFICATIONS[kind], value, path, {}, also=("kind",))

    def file(self, value: Any, path: Path) -> FilePath:
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.values.tell(path, found)
        return found

    def per_tooth(self, value: Any, path: Path) -> dict[tuple[int, str], Any]:
        """Modifications of single teeth, with keys such as "3" and "3 left"."""
        v = self.values
        if not isinstance(value, dict):
            raise v.tell(
                path,
                f'must be a table of modifications by tooth, with keys "3" or "3 left", got {shown(value)}',
            )
        found: dict[tuple[int, str], Any] = {}
        for key, item in value.items():
            match = _TOOTH.match(key)
            if match is None:
                raise v.tell((*path, key), f'the key must be a tooth number, e.g. "3" or "3 left", got {shown(key)}')
            place = int(match[1]), match[2] or "both"
            if place in found:
                raise v.tell(
                    (*path, key),
                    f"tooth {place[0]} ({place[1]}) is already specified. Specify all its modifications in one list",
                )
            found[place] = self.several(item, (*path, key))
        return found
