"""Result files without a seal: of earlier versions, or changed by another program. A separate process reads them as HDF5.

The HDF5 library trusts its input: a damaged or crafted file can make it read other files, use all memory, run without end
or crash. Therefore it runs in a process with limits, and everything that pitchline does not write is refused: links,
external and virtual storage, filters other than deflate, types that are not plain numbers, sizes larger than the file. The
content comes back sealed, as a result file, and is read in the same way.
"""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.storage.free_names import StorageError
from pitchline.base.storage.stored_array import Sealed, array_digest, seal_bytes, text_digest, write_arrays

from .file_content import RATE, STATE, check_format
from .series import from_json
from .status import ResultFileError

__all__ = ["read_apart", "read_hdf5"]

KIND = "pitchline import"
LEAST_SECONDS = 30.0
"""Time that reading may take, with one second more for every 10 MB [s]."""
_MEMORY = 4 << 30
_MOST_NAMES = 200_000
_MOST_TEXT = 1 << 30
_INFLATION = 1040
_REFUSED = 3
_FILTERS = {1, 2, 3}  # deflate, shuffle, fletcher32
_HOLDING = ("state", "rate")
_TEXTS = (
    "title", "kind", "model_name", "status", "message", "warnings", "statistics", "options", "model", "source",
    "pitchline_version",
)  # fmt: skip

Content = tuple[dict[str, Any], dict[str, NDArray[Any]], list[str]]
"""Head, arrays, warnings."""


# --- the process that asks ---------------------------------------------------------------------------


def read_apart(source: Path, called: str) -> Content:
    """Content of the file, read by another process within a time limit."""
    if getattr(sys, "frozen", False) or not sys.executable:
        raise ResultFileError(
            f"{called} has no seal of pitchline, and this program cannot start Python to read it apart"
        )
    seconds = LEAST_SECONDS + source.stat().st_size / 1e7
    # the same package as here, whatever the working folder; no filters from elsewhere
    paths = [str(Path(__file__).parents[2]), *sys.path]
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in paths if p), "HDF5_PLUGIN_PRELOAD": "::"}
    surroundings["HDF5_USE_FILE_LOCKING"] = "FALSE"  # nothing is written, and some disks have no locks
    command = [sys.executable, "-P", "-m", "pitchline.results.unsealed_hdf5", str(source.resolve())]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=seconds, env=surroundings, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        raise ResultFileError(
            f"{called} is damaged: reading it did not end within {seconds:.0f} s, and was given up"
        ) from None
    words = done.stderr.decode(errors="replace").strip()
    if done.returncode == _REFUSED:
        raise ResultFileError(f"{called} {words}")
    if done.returncode != 0:
        reason = words.splitlines()[-1] if words else f"status {done.returncode}"
        raise ResultFileError(
            f"{called} is damaged or was cut short: the process that read it as HDF5 ended early ({reason:.200})"
        )
    sealed = Sealed(BytesIO(done.stdout), called)
    return sealed.head["head"], {key: sealed.array(key) for key in sealed.entries}, sealed.head["warnings"]


# --- the process that reads --------------------------------------------------------------------------


def main() -> int:
    """Write the content of the file named by the first argument, sealed, to the standard output."""
    source = Path(sys.argv[1])
    _limit_memory(source.stat().st_size)
    try:
        head, arrays, warnings = read_hdf5(source)
    except StorageError as error:
        print(error, file=sys.stderr)
        return _REFUSED
    except MemoryError:
        print("is damaged, or larger than the memory that reading may take", file=sys.stderr)
        return _REFUSED
    digests = {key: array_digest(array) for key, array in arrays.items()}
    whole = BytesIO()
    places = write_arrays(whole, arrays)
    sys.stdout.buffer.write(whole.getbuffer())
    sys.stdout.buffer.write(seal_bytes(KIND, {"head": head, "warnings": warnings}, arrays, places, digests))
    sys.stdout.buffer.flush()
    return 0


def _limit_memory(size: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY + 64 * size, resource.RLIM_INFINITY))


def read_hdf5(source: Path) -> Content:
    """Read the content of a result file as HDF5. Error messages describe the file as "it"."""
    import h5py

    try:
        with h5py.File(source, "r") as file:
            return _content(_Hdf5Reader(file, source.stat().st_size))
    except StorageError:
        raise
    except (OSError, LookupError, ValueError, TypeError, AttributeError, RuntimeError, RecursionError) as error:
        # The library of HDF5 reports a file that was cut short or overwritten in any of these ways.
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"is damaged or was cut short: {reason}") from error


class _Hdf5Reader:
    """Looks at everything before it is read."""

    def __init__(self, file: Any, size: int) -> None:
        self.file, self.size = file, size

    def names(self, group: Any) -> list[str]:
        """The names in a group, in their order; none is a link elsewhere."""
        import h5py

        if len(group) > _MOST_NAMES:
            raise ResultFileError(f"holds {len(group)} data sets, more than a result does")
        names = list(group)
        for name in names:
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                raise ResultFileError(
                    f'holds a link ("{name:.60}") where data should be; files with links are not read'
                )
        return names

    def group(self, name: str) -> Any:
        import h5py

        item = self.file[name] if name in self.names(self.file) else None
        if item is not None and not isinstance(item, h5py.Group):
            raise ResultFileError(f'is damaged: "{name}" is not a group')
        return item

    def array(self, group: Any, name: str) -> NDArray[Any]:
        """A data set of plain numbers."""
        data = self.dataset(group, name)
        if data.dtype.kind not in "biuf" or data.dtype.itemsize > 8 or data.dtype == np.float16:
            raise ResultFileError(
                f'holds "{name:.60}" of type {data.dtype!s:.60}, which is not a plain number; it is not read'
            )
        array = np.asarray(data[()])
        if array.dtype.kind == "b":
            raise ResultFileError(f'holds "{name:.60}" of type bool, which is not a plain number; it is not read')
        return array

    def labels(self, data: Any, name: str) -> tuple[str, ...]:
        """Labels of the columns of a data set."""
        if data.ndim != 2:
            return ()
        scale = data.dims[1][0]
        self.check(scale, name)
        if scale.shape != data.shape[1:] or scale.dtype.kind not in "OS":
            raise ResultFileError(f'is damaged: "{name:.60}" has no labels for its components')
        return tuple(str(label) for label in scale.asstr()[()])

    def dataset(self, group: Any, name: str) -> Any:
        import h5py

        data = group[name]
        if not isinstance(data, h5py.Dataset):
            raise ResultFileError(f'is damaged: "{name:.60}" is not a data set')
        self.check(data, name)
        return data

    def check(self, data: Any, name: str) -> None:
        """Refuse what reads other files, and sizes that this one cannot hold."""
        import h5py

        plan = data.id.get_create_plist()
        if plan.get_external_count():
            raise ResultFileError(f'keeps "{name:.60}" in another file; files with external storage are not read')
        layout = plan.get_layout()
        if layout == h5py.h5d.VIRTUAL:
            raise ResultFileError(f'takes "{name:.60}" from other files; virtual data sets are not read')
        filters = {plan.get_filter(i)[0] for i in range(plan.get_nfilters())}
        if filters - _FILTERS:
            raise ResultFileError(
                f'has "{name:.60}" passed through filter {max(filters - _FILTERS)}, which is not read'
            )
        length = math.prod(data.shape) * data.dtype.itemsize if data.shape is not None else -1
        packed = layout == h5py.h5d.CHUNKED and 1 in filters
        most = self.size * (_INFLATION if packed else 1)
        stored = data.id.get_storage_size()
        if (
            length < 0
            or length > most
            or (layout == h5py.h5d.CONTIGUOUS and length > stored)
            or (length and not stored)
        ):
            raise ResultFileError(
                f'is damaged: "{name:.60}" has the shape {data.shape!s:.60}, which a file of {self.size} bytes cannot hold'
            )

    def text(self, item: Any, key: str) -> str:
        """A text attribute; empty where there is none."""
        import h5py

        if key not in item.attrs:
            return ""
        about = item.attrs.get_id(key)
        if (
            about.get_type().get_class() != h5py.h5t.STRING
            or math.prod(about.shape) != 1
            or about.get_storage_size() > _MOST_TEXT
        ):
            raise ResultFileError(f'is damaged: its attribute "{key}" is not a text')
        value = item.attrs[key]
        if isinstance(value, np.ndarray):
            value = value.reshape(-1)[0]
        return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _content(reader: _Hdf5Reader) -> Content:
    file = reader.file
    if "head" in file.attrs and "pitchline_result_format" not in file.attrs:
        raise ResultFileError(
            "is damaged or was changed by another program: the seal at its end, by which it is read, is gone"
        )
    if "pitchline_result_format" not in file.attrs:
        raise ResultFileError("is not a pitchline result: it was written by something else")
    writer = reader.text(file, "pitchline_version")
    try:
        version = check_format(file.attrs["pitchline_result_format"], writer, "it")
    except ResultFileError as error:
        raise ResultFileError(str(error).removeprefix("it ")) from None
    attributes: dict[str, Any] = {key: text for key in _TEXTS if (text := reader.text(file, key))}
    attributes["pitchline_result_format"] = version
    head: dict[str, Any] = {"attributes": attributes, "signals": {}, "states": {}}
    arrays: dict[str, NDArray[Any]] = {}
    names = reader.names(file)
    if "time" not in names:
        raise ResultFileError('is damaged: "time" is missing')
    checksums: dict[str, Any] | None = None
    if version > 1:
        checksums = from_json(reader.text(file, "checksums") or "null")
        if not isinstance(checksums, dict) or not isinstance(checksums.get("arrays"), dict):
            raise ResultFileError("is damaged: its checksums are missing")
    known = None if checksums is None else set(checksums["arrays"])
    added = []
    arrays["time"] = reader.array(file, "time")
    for name in names:
        if name == "time" or name in _HOLDING or _is_scale(reader.dataset(file, name)):
            continue
        if known is not None and name not in known:
            added.append(name)
            continue
        _signal(reader, name, head, arrays)
    _states(reader, head, arrays, known, added)
    if checksums is None:
        # Files of the first format carry no checksums: they are taken as they are.
        return head, arrays, [
            f"loaded from a file of pitchline {writer} that has no checksums: damage to that file would have gone unnoticed"
        ]  # fmt: skip
    _compare(checksums, head, arrays)
    return head, arrays, [
        f'"{name}" in the file was not written by pitchline, and is left out' for name in added[:5]
    ]  # fmt: skip


def _signal(reader: _Hdf5Reader, name: str, head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    data = reader.dataset(reader.file, name)
    arrays[name] = reader.array(reader.file, name)
    rate = reader.text(data, "rate").removeprefix("/")
    head["signals"][name] = {
        "unit": reader.text(data, "units"),
        "description": reader.text(data, "description"),
        "components": list(reader.labels(data, name)),
        "rate": rate,
    }
    if rate == RATE + name:
        group = reader.group("rate")
        if group is None or name not in reader.names(group):
            raise ResultFileError(f'is damaged: the rate of "{name:.60}" is missing')
        arrays[rate] = reader.array(group, name)


def _states(
    reader: _Hdf5Reader, head: dict[str, Any], arrays: dict[str, NDArray[Any]], known: set[str] | None, added: list[str]
) -> None:
    group = reader.group("state")
    for name in [] if group is None else reader.names(group):
        data = reader.dataset(group, name)
        if _is_scale(data):
            continue
        if known is not None and STATE + name not in known:
            added.append(STATE + name)
            continue
        arrays[STATE + name] = reader.array(group, name)
        head["states"][name] = reader.text(data, "dtype")


def _is_scale(data: Any) -> bool:
    return bool(data.attrs.get("CLASS") == b"DIMENSION_SCALE")


def _compare(checksums: dict[str, Any], head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Everything is as it was written."""
    changed = "was damaged, or changed by another program, after pitchline wrote it"
    for key, digest in checksums["arrays"].items():
        if key not in arrays:
            raise ResultFileError(f'{changed}: "{key:.60}" is missing')
        if array_digest(arrays[key]) != digest:
            raise ResultFileError(f'{changed}: the checksum of "{key:.60}" does not fit')
    if text_digest(head) != checksums.get("head"):
        raise ResultFileError(f"{changed}: the checksum of its texts does not fit")


if __name__ == "__main__":
    sys.exit(main())
