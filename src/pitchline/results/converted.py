"""Results in other libraries and in files of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    import pandas
    import xarray

__all__ = ["ConvertedResult"]


@names_wrong_arguments
class ConvertedResult:
    """Conversions of a `Result`."""

    @property
    def _whole(self) -> Any:
        """The result itself."""
        return self

    def to_xarray(self) -> xarray.Dataset:
        """Convert to an xarray Dataset with the same names, dimensions and attributes as the file."""
        from pitchline.results.other_libraries import to_xarray

        return to_xarray(self._whole)

    def to_pandas(self, *names: str) -> pandas.DataFrame:
        """Convert to a pandas DataFrame over time, one column for each component; `attrs["units"]` has the units."""
        from pitchline.results.other_libraries import to_pandas

        return to_pandas(self._whole, *names)

    def export(self, path: str | Path, *names: str, overwrite: bool = False) -> Path:
        """Write signals for other programs: CSV, Parquet, MAT or NPZ by the ending of `path`, with names, units and time.

        names: signals or patterns, by default all. The file is written completely or not at all, and an existing file is
        replaced only if `overwrite` is true. Parquet needs pyarrow. Lazy results are written in blocks.
        """
        from pitchline.results.export_file import export

        return export(self._whole, path, names, overwrite=overwrite)
