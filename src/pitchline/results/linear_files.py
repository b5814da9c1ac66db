"""Files of modes, Campbell diagrams and frequency responses: HDF5 with a seal at the end, as result files.

The seal (`disk.seal`) has a checksum of every array and of the head; pitchline reads the seal. Other programs read the
HDF5: arrays under the names of the attributes of the class, complex arrays with a last axis (real part, imaginary part),
and all other data as JSON in the attribute `head`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.atomic import check_target
from pitchline.disk.errors import StorageError
from pitchline.disk.hdf5_image import hdf5_image
from pitchline.disk.seal import Sealed, has_seal
from pitchline.results.campbell import Campbell, Crossing
from pitchline.results.errors import ResultFileError
from pitchline.results.file_content import text_form
from pitchline.results.linear import FrequencyResponse, LinearModel
from pitchline.results.modes import Modes
from pitchline.results.operating_pose import OperatingPose
from pitchline.results.operating_state import OperatingState
from pitchline.results.plain_data import from_json, plain_data, to_json
from pitchline.results.result import Result

__all__ = ["LinearFinding", "is_linear", "load_found", "read_linear", "write_linear"]

LinearFinding = Modes | Campbell | FrequencyResponse
KIND = "pitchline linear analysis"
FORMAT = 1
_Arrays = dict[str, NDArray[Any]]


# --- writing -----------------------------------------------------------------------------------------


def write_linear(found: LinearFinding, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write it to `path`, completely or not at all."""
    head, arrays = _content(found)
    head = {
        "format": FORMAT,
        "kind": found.kind,
        "model_name": found.model_name,
        "warnings": list(found.warnings),
        "operating_point": None if found.operating_point is None else found.operating_point.plain(),
    } | head
    if found.pose is not None:
        head |= {"model": found.pose.model, "bodies": list(found.pose.bodies), "surfaces": list(found.pose.surfaces)}
        arrays |= {
            "positions": found.pose.positions,
            "orientations": found.pose.orientations,
            "centres": found.pose.centres,
        }
        for k, (points, triangles) in enumerate(found.pose.surfaces.values()):
            arrays |= {f"surface_{k}_points": points, f"surface_{k}_triangles": triangles}
    text = text_form(to_json(plain_data(head)))
    try:
        check_target(Path(path).expanduser(), overwrite=overwrite)
        with hdf5_image() as image:
            import h5py

            raw = text.encode()
            image.file.attrs.create("head", np.array(raw), dtype=h5py.string_dtype("utf-8", len(raw)))
            for key, values in arrays.items():
                plain = np.ascontiguousarray(_parts(values) if np.iscomplexobj(values) else values)
                # netCDF knows a length of zero only for a dimension that may grow
                empty = {
                    "maxshape": tuple(n or None for n in plain.shape),
                    "chunks": tuple(n or 1 for n in plain.shape),
                }
                image.array(image.file, key, plain, key=key, **({} if plain.size else empty))
            return image.write(path, KIND, {"head": text}, overwrite=overwrite)
    except StorageError as error:
        raise ResultFileError(str(error)) from error


def _parts(values: NDArray[Any]) -> NDArray[Any]:
    """Real and imaginary parts along a last axis."""
    return np.stack([values.real, values.imag], axis=-1)


def _content(found: LinearFinding) -> tuple[dict[str, Any], _Arrays]:
    """Content of one of them except name, warnings and pose."""
    if isinstance(found, Modes):
        head: dict[str, Any] = {
            "mode_bodies": found.bodies, "kinds": found.kinds, "descriptions": found.descriptions, "rigid": found.rigid,
            "strain_names": list(found.strain), "own_names": list(found.own),
        }  # fmt: skip
        n = len(found)
        head["moving_surfaces"] = list(found.surfaces)
        return head, {f"surface_{k}_motion": motion for k, motion in enumerate(found.surfaces.values())} | {
            "eigenvalues": found.eigenvalues, "shapes": found.shapes, "kinetic": found.kinetic,
            "multiplicity": found.multiplicity, "decaying": found.decaying, "growing": found.growing,
            "strain": np.array(list(found.strain.values())).reshape(-1, n),
            "own": np.array(list(found.own.values())).reshape(-1, n),
        }  # fmt: skip
    if isinstance(found, Campbell):
        head = {
            "shaft": found.shaft, "orders": found.orders, "crossings": [list(c) for c in found.crossings], "kinds": found.kinds,
        }  # fmt: skip
        names = (
            "speeds", "frequencies", "damping_ratios", "whirl", "critical_forward", "critical_backward", "shapes", "shapes_at",
        )  # fmt: skip
        return head, {name: getattr(found, name) for name in names}
    linear = found.linear
    head = {name: getattr(linear, name) for name in ("inputs", "outputs", "input_units", "output_units", "imposed")}
    arrays = {name: getattr(found, name) for name in ("frequency", "response", "shapes", "shapes_at")}
    return head, arrays | {name: getattr(linear, name) for name in "ABCD"}


# --- reading -----------------------------------------------------------------------------------------


def is_linear(path: str | Path) -> bool:
    """Whether a file is one of modes, of a Campbell diagram or of a frequency response."""
    source = Path(path).expanduser()
    try:
        if not source.is_file() or not has_seal(source):
            return False
        with source.open("rb") as stream:
            return Sealed(stream, str(source)).kind == KIND
    except (OSError, StorageError):
        return False  # the reader reports what is wrong with it


def load_found(path: str | Path, **options: Any) -> Result | LinearFinding:
    """Read the result of any analysis from a file. options: of `Result.load`."""
    return read_linear(path) if is_linear(path) else Result.load(path, **options)


def read_linear(path: str | Path) -> LinearFinding:
    """Read modes, a Campbell diagram or a frequency response. If the file or its content is wrong, the error is a
    ResultFileError that names it.
    """
    source = Path(path).expanduser()
    called = f'"{source}"'
    try:
        with source.open("rb") as stream:
            return _of_seal(Sealed(stream, called), called)
    except OSError as error:
        raise ResultFileError(f"cannot read {called}: {error.strerror or error}") from error
    except ResultFileError:
        raise
    except StorageError as error:
        raise ResultFileError(str(error)) from error
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"{called} is damaged, or not as pitchline writes it: {reason}") from error


def _of_seal(sealed: Sealed, called: str) -> LinearFinding:
    if sealed.kind != KIND:
        raise ResultFileError(
            f"{called} is not a file of modes, Campbell diagrams or frequency responses: it is a {sealed.kind:.40}"
        )
    head = from_json(_text(sealed.head["head"], "head"))
    if head["format"] != FORMAT:
        raise ResultFileError(
            f"{called} has format {head['format']!r:.40}, this version of pitchline reads format {FORMAT}: update to read it"
        )
    if head["kind"] not in _READERS:
        raise ValueError(f"it holds {head['kind']!r:.40}, which is not known")
    return _READERS[head["kind"]](head, {key: sealed.array(key) for key in sealed.entries})


class _LinearArrays:
    """Arrays of a file with the shapes that they must have."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    def real(self, key: str, *shape: int, kind: type = np.float64) -> NDArray[Any]:
        """-1: any length."""
        array = self.arrays[key]
        fits = array.ndim == len(shape) and all(n in (-1, m) for n, m in zip(shape, array.shape, strict=True))
        if array.dtype != kind or not fits:
            raise ValueError(f'"{key}" has type {array.dtype} and shape {array.shape}')
        return array

    def complex(self, key: str, *shape: int, kind: type = np.float64) -> NDArray[Any]:
        parts = self.real(key, *shape, 2, kind=kind)
        found = np.empty(parts.shape[:-1], np.complex64 if kind is np.float32 else np.complex128)
        found.real, found.imag = parts[..., 0], parts[..., 1]
        return found


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f'"{name}" is not a text')
    return value


def _texts(head: Mapping[str, Any], key: str, count: int | None = None) -> tuple[str, ...]:
    texts = tuple(_text(item, key) for item in head[key])
    if count is not None and len(texts) != count:
        raise ValueError(f'"{key}" has {len(texts)} entries, not {count}')
    return texts


def _pose(head: Mapping[str, Any], read: _LinearArrays) -> OperatingPose | None:
    if "model" not in head:
        return None
    if not isinstance(head["model"], dict):
        raise ValueError('"model" is not a table')
    bodies = _texts(head, "bodies")
    b = len(bodies)
    surfaces = {}
    for k, name in enumerate(_texts(head, "surfaces")):
        points, triangles = (
            read.real(f"surface_{k}_points", -1, 3),
            read.real(f"surface_{k}_triangles", -1, 3, kind=np.int64),
        )
        if triangles.size and (triangles.min() < 0 or triangles.max() >= len(points)):
            raise ValueError(f'triangles of "{name}" count beyond its points')
        surfaces[name] = (points, triangles)
    return OperatingPose(
        head["model"],
        bodies,
        read.real("positions", b, 3),
        read.real("orientations", b, 4),
        read.real("centres", b, 3),
        surfaces,
    )


def _modes(head: dict[str, Any], arrays: _Arrays) -> Modes:
    read = _LinearArrays(arrays)
    values = read.complex("eigenvalues", -1)
    n, bodies = len(values), _texts(head, "mode_bodies")
    strain, own = _texts(head, "strain_names"), _texts(head, "own_names")
    pose = _pose(head, read)
    surfaces = {
        name: read.complex(f"surface_{k}_motion", -1, len(pose.surfaces[name][0]) if pose else -1, 3, kind=np.float32)
        for k, name in enumerate(_texts(head, "moving_surfaces"))
    }
    return Modes(
        model_name=_text(head["model_name"], "model_name"),
        bodies=bodies,
        eigenvalues=values,
        shapes=read.complex("shapes", n, len(bodies), 6),
        kinetic=read.real("kinetic", n, len(bodies), 3),
        strain=dict(zip(strain, read.real("strain", len(strain), n), strict=True)),
        multiplicity=read.real("multiplicity", n, kind=np.int64),
        kinds=_texts(head, "kinds", n),
        descriptions=_texts(head, "descriptions", n),
        rigid=int(head["rigid"]),
        decaying=read.real("decaying", -1),
        warnings=_texts(head, "warnings"),
        growing=read.complex("growing", -1),
        own=dict(zip(own, read.real("own", len(own), n), strict=True)),
        pose=pose,
        surfaces=surfaces,
        operating_point=OperatingState.read(head.get("operating_point")),
    )


def _campbell(head: dict[str, Any], arrays: _Arrays) -> Campbell:
    read, pose = _LinearArrays(arrays), _pose(head, _LinearArrays(arrays))
    speeds = read.real("speeds", -1)
    m, kinds = len(speeds), _texts(head, "kinds")
    n, at = len(kinds), read.real("shapes_at", -1, kind=np.int64)
    return Campbell(
        model_name=_text(head["model_name"], "model_name"),
        shaft=_text(head["shaft"], "shaft"),
        speeds=speeds,
        frequencies=read.real("frequencies", m, n),
        damping_ratios=read.real("damping_ratios", m, n),
        orders={str(name): float(order) for name, order in head["orders"].items()},
        crossings=tuple(
            Crossing(_text(order, "order"), int(mode), float(speed), float(frequency), float(whirl))
            for order, mode, speed, frequency, whirl in head["crossings"]
        ),
        kinds=kinds,
        whirl=read.real("whirl", m, n),
        critical_forward=read.real("critical_forward", -1),
        critical_backward=read.real("critical_backward", -1),
        warnings=_texts(head, "warnings"),
        pose=pose,
        shapes=_shapes(read, at, n, m, pose),
        shapes_at=at,
        operating_point=OperatingState.read(head.get("operating_point")),
    )


def _shapes(
    read: _LinearArrays, at: NDArray[np.int64], columns: int, rows: int, pose: OperatingPose | None
) -> NDArray[np.complex64]:
    """Shapes at some of `rows` speeds or frequencies."""
    if at.size and (at.min() < 0 or at.max() >= rows):
        raise ValueError('"shapes_at" counts beyond what is there')
    if not at.size:
        return read.complex("shapes", 0, -1, -1, 6, kind=np.float32)
    return read.complex("shapes", len(at), columns, len(pose.bodies) if pose else -1, 6, kind=np.float32)


def _response(head: dict[str, Any], arrays: _Arrays) -> FrequencyResponse:
    read, pose = _LinearArrays(arrays), _pose(head, _LinearArrays(arrays))
    inputs, outputs = _texts(head, "inputs"), _texts(head, "outputs")
    i, o = len(inputs), len(outputs)
    A = read.real("A", -1, -1)
    states = len(A)
    frequency, at = read.real("frequency", -1), read.real("shapes_at", -1, kind=np.int64)
    linear = LinearModel(
        A=read.real("A", states, states), B=read.real("B", states, i), C=read.real("C", o, states), D=read.real("D", o, i),
        inputs=inputs, outputs=outputs, input_units=_texts(head, "input_units", i), output_units=_texts(head, "output_units", o),
        imposed=tuple(bool(item) for item in head["imposed"]), operating_point=OperatingState.read(head.get("operating_point")),
    )  # fmt: skip
    return FrequencyResponse(
        model_name=_text(head["model_name"], "model_name"),
        frequency=frequency,
        response=read.complex("response", len(frequency), o, i),
        linear=linear,
        warnings=_texts(head, "warnings"),
        pose=pose,
        shapes=_shapes(read, at, i, len(frequency), pose),
        shapes_at=at,
    )


_READERS: dict[str, Callable[[dict[str, Any], _Arrays], LinearFinding]] = {
    Modes.kind: _modes, Campbell.kind: _campbell, FrequencyResponse.kind: _response,
}  # fmt: skip
