"""Results as Parquet files, with units and descriptions in the metadata of the fields."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.results.export_file import BLOCK, ExportColumn, blocks, metadata_of
from pitchline.results.other_libraries import missing_library

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["write_parquet"]


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
