"""HDF5 files created in memory: HDF5 writes the structure, and the bytes of large arrays are inserted afterwards.

The HDF5 library does not survive a failed write: closing the file on a full disk ends the process with a segmentation
fault.
Therefore it never writes to a disk here. It fills an image in memory with everything except the contents of plain
arrays, for
which space is reserved. Then image, arrays and seal are written as plain bytes, and a failure is an ordinary OSError.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .free_names import atomic_file
from .stored_array import Chunks, StoredArray, array_digest, seal_bytes, stored_form

__all__ = ["Hdf5Image", "hdf5_image"]

_PAGE = 1 << 16


class _Pages(io.RawIOBase):
    """File in memory. Regions that were not written take no memory."""

    def __init__(self) -> None:
        self.pages: dict[int, bytearray] = {}
        self.length = self.position = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.length}[whence]
        self.position = base + offset
        return self.position

    def tell(self) -> int:
        return self.position

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        for page, first, start, stop in self._parts(len(view)):
            self.pages.setdefault(page, bytearray(_PAGE))[first : first + stop - start] = view[start:stop]
        self.position += len(view)
        self.length = max(self.length, self.position)
        return len(view)

    def readinto(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        count = max(min(len(view), self.length - self.position), 0)
        for page, first, start, stop in self._parts(count):
            found = self.pages.get(page)
            view[start:stop] = bytes(stop - start) if found is None else found[first : first + stop - start]
        self.position += count
        return count

    def truncate(self, size: int | None = None) -> int:
        self.length = self.position if size is None else size
        return self.length

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def _parts(self, count: int) -> Iterator[tuple[int, int, int, int]]:
        """(page, first byte in it, start, stop) of the next `count` bytes."""
        done = 0
        while done < count:
            page, first = divmod(self.position + done, _PAGE)
            stop = min(done + _PAGE - first, count)
            yield page, first, done, stop
            done = stop


class Hdf5Image:
    """HDF5 file under construction, with a seal.

    file:     the `h5py.File`, for groups and attributes; arrays are added with `array`
    digests:  key -> checksum of the arrays so far
    """

    def __init__(self) -> None:
        import h5py

        self.pages = _Pages()
        # Format of HDF5 1.8: every netCDF-4 library reads it, and attributes may exceed 64 kB (the model).
        self.file = h5py.File(self.pages, "w", libver=("v108", "v108"), track_order=True)
        self.arrays: dict[str, NDArray[Any] | StoredArray] = {}
        self.digests: dict[str, str] = {}
        self._sets: dict[str, Any] = {}
        self._places: dict[str, int | Chunks | None] = {}

    def array(
        self, group: Any, name: str, values: NDArray[Any] | StoredArray, *, key: str | None = None, **options: Any
    ) -> Any:
        """Data set in a group; with `key`, one that the seal lists. `options`: of `create_dataset`, for chunks and
        filters.

        Arrays in another file are read one at a time, when they are written.
        """
        import h5py

        if options or values.size == 0 or values.ndim == 0 or key is None:
            made = group.create_dataset(name, data=stored_form(values), track_order=True, **options)
        else:
            plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plan.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            plan.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            little = values.dtype.newbyteorder("<")
            made = group.create_dataset(name, shape=values.shape, dtype=little, dcpl=plan, track_order=True)
        if key is not None:
            # No copy: a result that fills half the memory can still be saved.
            self.arrays[key], self.digests[key], self._sets[key] = values, array_digest(values), made
        return made

    def _close(self) -> None:
        self.file.flush()
        for key, made in self._sets.items():
            plain = made.chunks is None
            self._places[key] = (made.id.get_offset() if plain else _chunks(made)) if made.size else None
        self.file.close()

    def write(self, path: str | Path, kind: str, head: Mapping[str, Any], *, overwrite: bool) -> Path:
        """Close the file and write it to `path`, completely or not at all."""
        self._close()
        seal = seal_bytes(kind, head, self.arrays, self._places, self.digests)
        size = self.pages.length + len(seal)
        with atomic_file(path, overwrite=overwrite, size=size) as (draft, target), draft.open("rb+") as stream:
            self._fill(stream, seal)
        return target

    def _fill(self, stream: BinaryIO, seal: bytes) -> None:
        stream.truncate(self.pages.length)
        for page, data in sorted(self.pages.pages.items()):
            stream.seek(page * _PAGE)
            stream.write(data[: max(self.pages.length - page * _PAGE, 0)])
        for key, place in self._places.items():
            if isinstance(place, int):
                stream.seek(place)
                stream.write(stored_form(self.arrays[key]).reshape(-1).view(np.uint8).data)
        stream.seek(self.pages.length)
        stream.write(seal)


def _chunks(made: Any) -> Chunks:
    found = [made.id.get_chunk_info(i) for i in range(made.id.get_num_chunks())]
    return Chunks(made.chunks, [(tuple(c.chunk_offset), c.filter_mask, c.byte_offset, c.size) for c in found])


@contextmanager
def hdf5_image() -> Iterator[Hdf5Image]:
    """Image that is always closed."""
    image = Hdf5Image()
    try:
        yield image
    finally:
        if image.file.id.valid:
            image.file.close()
