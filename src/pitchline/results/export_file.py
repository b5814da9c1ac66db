"""Results as files of other programs: CSV, Parquet, MAT and NumPy archives, chosen by the ending of the file.

Every file has one column for each component, named as in pandas, and the column `time`. Units and descriptions are in the headers
(CSV), the metadata of the fields (Parquet) or tables of texts (MAT, NPZ). Signals of lazy results are read in blocks or one after
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.atomic import atomic_file
from pitchline.disk.errors import StorageError
from pitchline.errors import near_names
from pitchline.results.errors import ResultFileError
from pitchline.results.netcdf_names import global_attributes
from pitchline.results.signal import Signal

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["ENDINGS", "ExportColumn", "columns_of", "export"]

BLOCK = 200_000
"""Samples that are written at once."""


@dataclass(frozen=True)
class ExportColumn:
    """One component of a signal: name, unit and meaning of the column."""

    name: str
    unit: str
    description: str
    signal: Signal
    place: int | None

    def rows(self, start: int, stop: int) -> NDArray[np.float64]:
        """Samples start <= i < stop."""
        values = self.signal._rows("values", start, stop)
        return values if self.place is None else values[:, self.place]


def columns_of(result: Result, names: tuple[str, ...]) -> list[ExportColumn]:
    """Columns of the chosen signals, without the time."""
    found = []
    for signal in result.select(*names):
        if not signal.components:
            found.append(ExportColumn(signal.name, signal.unit, signal.description, signal, None))
        for place, label in enumerate(signal.components):
            text = f"{signal.description}, component {label}" if signal.description else ""
            found.append(ExportColumn(f"{signal.name}.{label}", signal.unit, text, signal, place))
    return found


def export(result: Result, path: str | Path, names: tuple[str, ...], *, overwrite: bool = False) -> Path:
    """Write signals of a result to a file of another program."""
    target = Path(path).expanduser()
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        other = " A result of pitchline is written with save()." if ending in (".nc", ".h5", ".hdf5") else ""
        near = near_names(ending, list(ENDINGS)) if ending else f"use {', '.join(ENDINGS)}"
        raise ResultFileError(f'export: the ending of "{target.name}" does not name a format; {near}.{other}')
    columns = columns_of(result, names)
    try:
        with atomic_file(target, overwrite=overwrite) as (draft, final):
            ENDINGS[ending](result, columns, draft)
    except StorageError as error:
        raise ResultFileError(str(error)) from error
    return final


def blocks(count: int) -> Iterator[tuple[int, int]]:
    """Ranges of samples."""
    for start in range(0, count, BLOCK):
        yield start, min(start + BLOCK, count)


def metadata_of(result: Result) -> dict[str, str]:
    """Texts about the result: model, analysis, status, warnings, options and description of the model as JSON."""
    return {key: str(value) for key, value in global_attributes(result).items()}


def _csv(result: Result, columns: list[ExportColumn], draft: Path) -> None:
    """UTF-8, comma, decimal point, 17 digits: reading gives the same numbers. The first line has names and units."""
    heads = ["time [s]", *(f"{column.name} [{column.unit or '1'}]" for column in columns)]
    quoted = [f'"{head.replace(chr(34), chr(34) * 2)}"' if set(head) & set(',"') else head for head in heads]
    with draft.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(",".join(quoted) + "\n")
        for start, stop in blocks(result.samples):
            table = np.column_stack([result.time[start:stop], *(column.rows(start, stop) for column in columns)])
            stream.writelines(",".join(map(repr, row)) + "\n" for row in table.tolist())


def _npz(result: Result, columns: list[ExportColumn], draft: Path) -> None:
    arrays: dict[str, Any] = {"time": result.time}
    for column in columns:
        arrays[column.name] = column.rows(0, result.samples)
    arrays["units"] = np.array([f"{column.name}: {column.unit}" for column in columns])
    arrays["about"] = np.array([f"{key}: {text}" for key, text in metadata_of(result).items() if key != "model"])
    with draft.open("wb") as stream:
        np.savez(stream, **arrays)


def _parquet(result: Result, columns: list[ExportColumn], draft: Path) -> None:
    from pitchline.results.parquet_file import write_parquet

    write_parquet(result, columns, draft)


def _mat(result: Result, columns: list[ExportColumn], draft: Path) -> None:
    from pitchline.results.mat_file import write_mat

    write_mat(result, columns, draft)


ENDINGS: dict[str, Callable[[Result, list[ExportColumn], Path], None]] = {
    ".csv": _csv, ".parquet": _parquet, ".mat": _mat, ".npz": _npz,
}  # fmt: skip
"""Writers by the ending of the file."""
