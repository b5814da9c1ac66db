"""Files of study results: HDF5 that netCDF-4 readers open, with a seal at the end, as result files.

Dimensions, parameters and variables have the names of the result. Each parameter of a grid is the coordinate of its dimension.
All other data are JSON in the attribute `head`. pitchline reads the seal (`disk.seal`), which has a checksum of every array.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..disk.atomic import check_target
from ..disk.errors import StorageError
from ..disk.hdf5_image import hdf5_image
from ..disk.seal import Sealed, has_seal
from ..errors import ModelError
from ..results.errors import ResultFileError
from ..results.file_content import text_form
from ..results.netcdf_writer import NetcdfWriter
from ..results.plain_data import from_json, plain_data, to_json
from ..results.storage import STUDY
from ..version import __version__
from .other_forms import status_attributes, study_attributes, variable_attributes
from .points import Points
from .study_result import StudyResult, StudyVariable

__all__ = ["is_study", "read_study", "write_study"]

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
