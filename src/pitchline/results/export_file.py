"""Results as files of other programs: CSV, Parquet, MAT and NumPy archives, chosen by the ending of the file.

Every file has one column for each component, named as in pandas, and the column `time`. Units and descriptions are in the headers
(CSV), the metadata of the fields (Parquet) or tables of texts (MAT, NPZ). Signals of lazy results are read in blocks or one after
the other.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.storage.free_names import StorageError, atomic_file
from pitchline.errors import PitchlineError, near_names

from .file_content import dimension_names, global_attributes, signal_attributes
from .signal import Signal
from .status import ResultFileError

if TYPE_CHECKING:
    import pandas
    import xarray

    from .result import Result

__all__ = ["ENDINGS", "ExportColumn", "columns_of", "export", "matlab_name", "write_mat", "write_parquet"]


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
    pass

    write_parquet(result, columns, draft)


def _mat(result: Result, columns: list[ExportColumn], draft: Path) -> None:
    pass

    write_mat(result, columns, draft)


ENDINGS: dict[str, Callable[[Result, list[ExportColumn], Path], None]] = {
    ".csv": _csv, ".parquet": _parquet, ".mat": _mat, ".npz": _npz,
}  # fmt: skip
"""Writers by the ending of the file."""


# ---- mat file

# Results as MAT files of version 5: one struct for each part, with its signals as fields; units in a struct of the
# same form.
#
# In MATLAB: s = load("run.mat"); plot(s.time, s.mesh.normal_force); s.units.mesh.normal_force

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


# ---- other libraries

# Results as objects of other libraries, if these are installed.


def to_xarray(result: Result) -> xarray.Dataset:
    """An xarray Dataset with the same names, dimensions and attributes as the saved file."""
    try:
        import xarray as xr
    except ImportError:
        raise missing_library("xarray", "to_xarray()") from None
    dimensions = dimension_names(result)
    coordinates: dict[str, Any] = {"time": ("time", result.time, {"units": "s", "long_name": "time"})}
    for labels, dimension in dimensions.items():
        coordinates[dimension] = (dimension, list(labels), {"long_name": "component"})
    variables = {
        name: (
            ("time", dimensions[signal.components]) if signal.components else ("time",),
            signal.values,
            signal_attributes(signal),
        )
        for name, signal in result.signals.items()
    }
    dataset: xarray.Dataset = xr.Dataset(variables, coordinates, global_attributes(result))
    return dataset


def to_pandas(result: Result, *names: str) -> pandas.DataFrame:
    """A pandas DataFrame over time, one column a component; its `attrs["units"]` has the units."""
    try:
        import pandas as pd
    except ImportError:
        raise missing_library("pandas", "to_pandas()") from None
    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    for signal in result.select(*names):
        parts = [signal.component(label) for label in signal.components] if signal.components else [signal]
        for part in parts:
            columns[part.name], units[part.name] = part.values, part.unit
    frame: pandas.DataFrame = pd.DataFrame(columns, index=pd.Index(result.time, name="time"))
    frame.attrs["units"] = units
    return frame


def missing_library(name: str, user: str) -> PitchlineError:
    return PitchlineError(f"{user} needs {name}, which is not installed; install it with: pip install {name}")


# ---- parquet file

# Results as Parquet files, with units and descriptions in the metadata of the fields.


def write_parquet(result: Result, columns: list[ExportColumn], path: Path) -> None:
    """Write one row group for each block of samples. Fields have the metadata `unit` and `description`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_library("pyarrow", "writing Parquet files") from None
    pa: Any = pyarrow
    fields = [pa.field("time", pa.float64(), nullable=False, metadata={"unit": "s", "description": "time"})]
    for column in columns:
        about = {key: text for key, text in (("unit", column.unit), ("description", column.description)) if text}
        fields.append(pa.field(column.name, pa.float64(), metadata=about))
    # pandas shows the units of the whole table as DataFrame.attrs
    schema = pa.schema(fields, metadata=metadata_of(result))
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for start, stop in blocks(result.samples):
            arrays = [result.time[start:stop], *(column.rows(start, stop) for column in columns)]
            made = [pa.array(np.ascontiguousarray(one)) for one in arrays]
            writer.write_table(pa.Table.from_arrays(made, schema=schema), row_group_size=BLOCK)
