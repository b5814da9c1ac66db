"""Parquet files: columns of numbers, with units in the metadata of the fields or in the names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..limits import ExchangeError
from .channels import RawChannel, RawRecord

__all__ = ["read_parquet"]

MOST_BYTES = 8 * 1024**3


def read_parquet(path: Path, name: str) -> RawRecord:
    """Channels of a Parquet file. Columns that are not numbers are left out."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise ExchangeError('reading Parquet files needs pyarrow: pip install "pitchline[data]"') from error
    pa: Any = pyarrow
    try:
        with parquet.ParquetFile(path) as file:
            rows, schema = file.metadata.num_rows, file.schema_arrow
            numeric = [f.name for f in schema if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)]
            if rows < 0 or rows * len(numeric) * 8 > MOST_BYTES:
                raise ExchangeError(f"{name}: {rows} rows of {len(numeric)} columns are too large")
            table = file.read(columns=numeric)
        channels = []
        for field, column in zip(table.schema, table.columns, strict=True):
            about = {
                k.decode("utf-8", "replace"): v.decode("utf-8", "replace") for k, v in (field.metadata or {}).items()
            }
            values = np.asarray(column.to_numpy(), np.float64)
            channels.append(RawChannel(field.name, values, about.get("unit", ""), about.get("description", "")))
    except ExchangeError:
        raise
    except MemoryError as error:
        raise ExchangeError(f"{name}: its columns do not fit in memory") from error
    except Exception as error:  # pyarrow raises ArrowInvalid, OSError and others for a damaged file
        raise ExchangeError(f"{name}: not a valid Parquet file: {type(error).__name__}: {str(error)[:200]}") from error
    if not channels:
        raise ExchangeError(f"{name}: there are no columns of numbers")
    return RawRecord(channels)
