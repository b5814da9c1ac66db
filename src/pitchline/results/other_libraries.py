"""Results as objects of other libraries, if these are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitchline.errors import PitchlineError
from pitchline.results.netcdf_names import dimension_names, global_attributes, signal_attributes

if TYPE_CHECKING:
    import pandas
    import xarray

    from pitchline.results.result import Result


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
