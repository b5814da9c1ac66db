"""Results as MAT files of version 5: one struct for each part, with its signals as fields; units in a struct of the same form.

In MATLAB: s = load("run.mat"); plot(s.time, s.mesh.normal_force); s.units.mesh.normal_force
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.results.errors import ResultFileError
from pitchline.results.export_file import ExportColumn, metadata_of

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["matlab_name", "write_mat"]

MOST_BYTES = 2**31 - 2**20
"""Largest size of one variable of a MAT file of version 5."""
LONGEST_NAME = 63


def matlab_name(text: str) -> str:
    """Name of a field in MATLAB: letters, digits and underscores, a letter first, at most 63 characters."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", text)
    made = made if made[:1].isalpha() else f"x{made}"
    return (f"{made}_" if keyword.iskeyword(made) else made)[:LONGEST_NAME]


def write_mat(result: Result, columns: list[ExportColumn], path: Path) -> None:
    """Write time, one struct for each part, units, descriptions, names and data about the result."""
    from scipy.io import savemat

    size = 8 * result.samples * (1 + len(columns))
    tree: dict[str, Any] = {}
    units: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    for part, group in _by_part(columns).items():
        bytes_of_part = 8 * result.samples * len(group)
        if bytes_of_part > MOST_BYTES:
            raise ResultFileError(
                f'export: the signals of "{part}" have {bytes_of_part / 2**30:.1f} GB; MAT files of version 5 are limited to 2 GB '
                "for each variable. Choose fewer signals, or use .parquet, or save() (.nc is HDF5, which MATLAB reads with h5read)"
            )
        names = _unique(group)
        key = _free(matlab_name(part), {"time", "units", "descriptions", "names", "about", *tree})
        if len(group) == 1 and not names[0]:
            tree[key], units[key], texts[key] = group[0].rows(0, result.samples), group[0].unit, group[0].description
            continue
        tree[key] = {n or "value": c.rows(0, result.samples) for n, c in zip(names, group, strict=True)}
        units[key] = {n or "value": c.unit for n, c in zip(names, group, strict=True)}
        texts[key] = {n or "value": c.description for n, c in zip(names, group, strict=True)}
    data: dict[str, Any] = {
        "time": result.time,
        **tree,
        "units": {"time": "s", **units},
        "descriptions": texts,
        "names": np.array([column.name for column in columns], dtype=object),
        "about": {key: text for key, text in metadata_of(result).items() if key != "model"},
    }
    if size > 4 * MOST_BYTES:
        raise ResultFileError(
            f"export: {size / 2**30:.1f} GB are too much for a MAT file of version 5. Choose fewer signals, or use .parquet"
        )
    savemat(path, data, appendmat=False, oned_as="column", long_field_names=True, do_compression=False)


def _by_part(columns: list[ExportColumn]) -> dict[str, list[ExportColumn]]:
    found: dict[str, list[ExportColumn]] = {}
    for column in columns:
        found.setdefault(column.name.partition(".")[0], []).append(column)
    return found


def _unique(group: list[ExportColumn]) -> list[str]:
    """Names of fields; signals whose names would be equal get numbers."""
    taken: set[str] = set()
    found = []
    for column in group:
        rest = column.name.partition(".")[2]
        name = _free(matlab_name(rest), taken) if rest else ""
        taken.add(name)
        found.append(name)
    return found


def _free(name: str, taken: set[str]) -> str:
    made, number = name, 2
    while made in taken:
        made, number = f"{name[: LONGEST_NAME - 5]}_{number}", number + 1
    return made
