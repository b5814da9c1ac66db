"""Superelements of model files: from a finite-element file, or from a shape and its dimensions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pitchline.errors import shown
from pitchline.files import catalogue
from pitchline.files.key_lines import Path

if TYPE_CHECKING:
    from pitchline.files.values import Values

__all__ = ["SuperelementValues"]


class SuperelementValues:
    """Creates superelements from tables. `data_file(path, name)` finds the files that tables name."""

    def __init__(self, values: Values, data_file: Callable[[Path, str], FilePath | str]) -> None:
        self.values, self.data_file = values, data_file

    def superelement(self, value: Any, path: Path) -> Any:
        """A table with `file` or with `shape`."""
        v = self.values
        if not isinstance(value, dict) or ("file" in value) == ("shape" in value):
            raise v.tell(
                path,
                'must be a table with a file, { file = "housing.inp", units = "mm", ... }, or with a shape, '
                '{ shape = { kind = "block", '
                f"... }}, ... }}, got {shown(value)}",
            )
        entry = catalogue.SUPERELEMENTS["file" if "file" in value else "shape"]
        return v.make(entry, value, path, {"file": self._file, "mesh": self._file, "material": v.material})

    def _file(self, value: Any, path: Path) -> FilePath:
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.values.tell(path, found)
        return found
