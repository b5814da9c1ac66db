"""Results of studies as objects of other libraries, if these are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.other_libraries import missing_library

if TYPE_CHECKING:
    import pandas
    import xarray

    from .study_result import StudyResult

__all__ = ["status_attributes", "study_attributes", "study_to_pandas", "study_to_xarray", "variable_attributes"]


def study_attributes(result: StudyResult) -> dict[str, Any]:
    """Attributes of the whole result in files and in xarray."""
    failed = len(result.failed)
    return {
        "title": f"{result.name}: {result.study}",
        "study": result.study,
        "model_name": result.name,
        "failed": np.int32(failed),
    }


def variable_attributes(name: str, unit: str, description: str = "") -> dict[str, str]:
    """units, long_name and description; empty ones left out."""
    attributes = {"units": unit, "long_name": name.replace(".", " ").replace("_", " "), "description": description}
    return {key: value for key, value in attributes.items() if value}


def status_attributes(result: StudyResult) -> dict[str, Any]:
    """Meaning of the numbers of the status, by the convention of CF."""
    meanings = " ".join(name.replace(" ", "_") for name in result.status_names)
    return {
        "long_name": "status",
        "flag_values": np.arange(len(result.status_names), dtype=np.int8),
        "flag_meanings": meanings,
    }


def study_to_xarray(result: StudyResult) -> xarray.Dataset:
    """Dataset over the dimensions of the points."""
    try:
        import xarray as xr
    except ImportError:
        raise missing_library("xarray", "to_xarray()") from None
    points, dims = result.points, result.dims
    coordinates: dict[str, Any] = {
        name: (points.along[name], axis.values, variable_attributes(name, axis.unit))
        for name, axis in points.axes.items()
    }
    for dim, size in points.dims:
        coordinates.setdefault(dim, (dim, np.arange(size)))
    for dim, (values, unit) in result.coordinates.items():
        coordinates[dim] = (dim, values, variable_attributes(dim, unit))
    variables: dict[str, Any] = {
        name: ((*dims, *found.dims), result[name], variable_attributes(name, found.unit, found.description))
        for name, found in result.variables.items()
    }
    variables["status"] = (dims, result["status"], status_attributes(result))
    dataset: xarray.Dataset = xr.Dataset(variables, coordinates, study_attributes(result))
    return dataset


def study_to_pandas(result: StudyResult) -> pandas.DataFrame:
    """One row for each point; `attrs["units"]` has the units."""
    try:
        import pandas as pd
    except ImportError:
        raise missing_library("pandas", "to_pandas()") from None
    plain = {name: found for name, found in result.variables.items() if not found.dims}
    columns: dict[str, Any] = {**result.points.columns, **{name: found.values for name, found in plain.items()}}
    columns["status"] = [result.status_names[k] for k in result.status]
    columns["reason"] = [result.reasons.get(i, "") for i in range(len(result))]
    frame: pandas.DataFrame = pd.DataFrame(columns)
    frame.index.name = "point"
    frame.attrs["units"] = {**result.points.units, **{name: found.unit for name, found in plain.items()}}
    return frame
