"""Files of study results: HDF5 that netCDF-4 readers open, with a seal at the end, as result files.

Dimensions, parameters and variables have the names of the result. Each parameter of a grid is the coordinate of its dimension.
All other data are JSON in the attribute `head`. pitchline reads the seal (`base.storage.stored_array`), which has a checksum of
every array.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.storage.free_names import StorageError, check_target
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal
from pitchline.errors import ModelError
from pitchline.results.export_file import missing_library
from pitchline.results.file_content import STUDY, NetcdfWriter, text_form
from pitchline.results.series import from_json, plain_data, to_json
from pitchline.results.status import ResultFileError
from pitchline.version import __version__

from .points.parameter_values import Points
from .study_result import StudyResult, StudyVariable

if TYPE_CHECKING:
    import pandas
    import xarray

    from .study_result import StudyResult

__all__ = [
    "status_attributes",
    "study_attributes",
    "study_to_pandas",
    "study_to_xarray",
    "variable_attributes",
    "is_study",
    "read_study",
    "write_study",
]


# ---- other forms

# Results of studies as objects of other libraries, if these are installed.


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


FORMAT = 1


def write_study(result: StudyResult, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write it to `path`, completely or not at all. ResultFileError if this is not possible."""
    text = text_form(to_json(plain_data(_head(result))))
    try:
        check_target(Path(path).expanduser(), overwrite=overwrite)
        with hdf5_image() as image:
            writer = NetcdfWriter(image)
            _fill(writer, result)
            writer.attributes(image.file, {**study_attributes(result), "pitchline_version": __version__, "head": text})
            return image.write(path, STUDY, {"head": text}, overwrite=overwrite)
    except StorageError as error:
        raise ResultFileError(str(error)) from error


def _head(result: StudyResult) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": result.name,
        "study": result.study,
        "points": _points_head(result.points),
        "variables": {
            name: {
                "unit": found.unit,
                "dims": list(found.dims),
                "description": found.description,
                "bool": found.values.dtype == bool,
            }
            for name, found in result.variables.items()
        },
        "coordinates": {
            dim: {"unit": unit, **({"labels": values.tolist()} if values.dtype.kind not in "iuf" else {})}
            for dim, (values, unit) in result.coordinates.items()
        },
        "status_names": list(result.status_names),
        "reasons": {str(i): reason for i, reason in result.reasons.items()},
        "warnings": list(result.warnings),
        "facts": dict(result.facts),
    }


def _points_head(points: Points) -> dict[str, Any]:
    """The points without their numbers, which are arrays of the file."""
    data = points.to_data()
    for name, axis in points.axes.items():
        data["axes"][name]["bool"] = axis.values.dtype == bool
        if not axis.are_texts:
            del data["axes"][name]["values"]
    return data


def _points(data: Any, arrays: Mapping[str, NDArray[Any]]) -> Points:
    """The points from their head and the arrays of the file."""
    for name, about in data["axes"].items():
        if "values" not in about:
            values = arrays[name if about["along"] == name else f"point/{name}"]
            about["values"] = (values.astype(bool) if about["bool"] else values).tolist()
    return Points.from_data(data)


def _fill(writer: NetcdfWriter, result: StudyResult) -> None:
    points, file = result.points, writer.image.file
    for dim, size in points.dims:
        axis = points.axes.get(dim)
        values: Any = np.arange(size) if axis is None else axis.values
        if axis is not None and axis.are_texts:
            values = [text_form(text) for text in values]
        else:
            values = _stored(values)
        writer.dimension(file, dim, values, variable_attributes(dim, axis.unit if axis else ""))
    for dim, (values, unit) in result.coordinates.items():
        along = values if values.dtype.kind in "iuf" else [text_form(str(label)) for label in values]
        writer.dimension(file, dim, along, variable_attributes(dim, unit))
    for dim, size in _free_dims(result).items():
        writer.dimension(file, dim, np.arange(size), {})
    for name, axis in points.axes.items():
        if name not in dict(points.dims):
            scales = [file[points.along[name]]]
            attributes = variable_attributes(name, axis.unit)
            if axis.are_texts:
                writer.texts(file, name, [text_form(text) for text in axis.values], scales, attributes)
            else:
                writer.variable(file, name, _stored(axis.values), scales, attributes, key=f"point/{name}")
    scales = [file[dim] for dim in result.dims]
    # The convention of CF: readers take parameters along "point" as coordinates.
    others = " ".join(name for name in points.names if name not in dict(points.dims) and " " not in name)
    aside = {"coordinates": others} if others else {}
    writer.variable(file, "status", result["status"], scales, {**status_attributes(result), **aside}, key="status")
    for name, found in result.variables.items():
        own = scales + [file[dim] for dim in found.dims]
        attributes = {**variable_attributes(name, found.unit, found.description), **aside}
        writer.variable(file, name.replace("/", "_"), _stored(result[name]), own, attributes, key=f"variable/{name}")


def _free_dims(result: StudyResult) -> dict[str, int]:
    """Dimensions of variables that have no coordinate."""
    free: dict[str, int] = {}
    for found in result.variables.values():
        for dim, size in zip(found.dims, found.values.shape[1:], strict=True):
            if dim not in result.coordinates:
                free[dim] = size
    return free


def _stored(values: NDArray[Any]) -> NDArray[Any]:
    """netCDF has no booleans: they are bytes, and the head records it."""
    return np.ascontiguousarray(values.astype(np.int8) if values.dtype == bool else values)


# --- reading -----------------------------------------------------------------------------------------


def is_study(path: str | os.PathLike[str]) -> bool:
    """Whether a file is the result of a study."""
    source = Path(path).expanduser()
    try:
        if not source.is_file() or not has_seal(source):
            return False
        with source.open("rb") as stream:
            return Sealed(stream, str(source)).kind == STUDY
    except (OSError, StorageError):
        return False  # the reader reports what is wrong with it


def read_study(path: str | os.PathLike[str]) -> StudyResult:
    """Read the result of a study. If the file or its content is wrong, the error is a ResultFileError that names it."""
    source = Path(path).expanduser()
    called = f'"{source}"'
    try:
        with source.open("rb") as stream:
            sealed = Sealed(stream, called)
            head = from_json(str(sealed.head["head"]))
            if head["format"] != FORMAT:
                raise ResultFileError(
                    f"{called} has format {head['format']!r:.40}, this version of pitchline reads {FORMAT}: update to read it"
                )
            return _result(head, {key: sealed.array(key) for key in sealed.entries})
    except OSError as error:
        raise ResultFileError(f"cannot read {called}: {error.strerror or error}") from error
    except ResultFileError:
        raise
    except StorageError as error:
        raise ResultFileError(str(error)) from error
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError, ModelError) as error:
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"{called} is damaged, or not as pitchline writes it: {reason}") from error


def _result(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> StudyResult:
    points = _points(head["points"], arrays)
    n = len(points)
    variables = {}
    for name, about in head["variables"].items():
        values = arrays[f"variable/{name}"]
        values = values.reshape(n, *values.shape[len(points.dims) :])
        variables[name] = StudyVariable(
            values.astype(bool) if about["bool"] else values, about["unit"], tuple(about["dims"]), about["description"]
        )
    return StudyResult(
        name=head["name"],
        points=points,
        variables=variables,
        status=arrays["status"].reshape(n),
        reasons={int(i): str(reason) for i, reason in head["reasons"].items()},
        status_names=tuple(head["status_names"]),
        coordinates={
            dim: (np.array(about["labels"], dtype=object) if "labels" in about else arrays[dim], about["unit"])
            for dim, about in head["coordinates"].items()
        },
        study=head["study"],
        warnings=tuple(head["warnings"]),
        facts=head["facts"],
    )
