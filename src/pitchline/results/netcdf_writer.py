"""NetcdfWriter: dimensions and variables of an HDF5 file that netCDF-4 readers (xarray, MATLAB, Panoply, ncdump) open.

What makes an HDF5 file readable as netCDF-4 is done here by hand: dimensions are HDF5 dimension scales numbered by
`_Netcdf4Dimid`, names keep their order of creation, text attributes are UTF-8 of fixed length, no type is one netCDF lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.hdf5_image import Hdf5Image
from pitchline.disk.stored_array import StoredArray
from pitchline.results.file_content import STATE, text_form

__all__ = ["NetcdfWriter"]

_DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable.%10d"


class NetcdfWriter:
    """Writes dimensions and variables the netCDF-4 way; counts the dimensions of the file."""

    def __init__(self, image: Hdf5Image, *, compress: bool = False) -> None:
        self.image = image
        self.filters = {"compression": "gzip", "compression_opts": 4, "shuffle": True} if compress else {}
        self.dimensions = 0

    def attributes(self, place: Any, attributes: Mapping[str, Any]) -> None:
        import h5py

        for key, value in attributes.items():
            if isinstance(value, str):
                # Fixed length: netCDF then sees plain text (NC_CHAR), which also old readers know.
                text = text_form(value).encode()
                place.attrs.create(key, np.array(text), dtype=h5py.string_dtype("utf-8", len(text)))
            else:
                place.attrs[key] = value

    def dimension(self, group: Any, name: str, values: Any, attributes: Mapping[str, Any]) -> None:
        """A dimension with its coordinate values: floats or labels."""
        import h5py

        if isinstance(values, list):
            scale = group.create_dataset(name, data=values, dtype=h5py.string_dtype(), track_order=True)
        else:
            scale = self._dataset(group, name, values, name)
        self._number(scale, name)
        self.attributes(scale, attributes)

    def variable(
        self,
        group: Any,
        name: str,
        values: NDArray[Any] | StoredArray | None,
        scales: list[Any],
        attributes: Mapping[str, Any],
        *,
        key: str,
    ) -> None:
        self._attached(self._dataset(group, name, values, key), scales, attributes)

    def texts(self, group: Any, name: str, values: list[str], scales: list[Any], attributes: Mapping[str, Any]) -> None:
        """A variable that holds texts."""
        import h5py

        made = group.create_dataset(name, data=values, dtype=h5py.string_dtype(), track_order=True)
        self._attached(made, scales, attributes)

    def _attached(self, dataset: Any, scales: list[Any], attributes: Mapping[str, Any]) -> None:
        for axis, scale in enumerate(scales):
            dataset.dims[axis].attach_scale(scale)
        if scales:
            ids = [int(scale.attrs["_Netcdf4Dimid"]) for scale in scales]
            dataset.attrs["_Netcdf4Coordinates"] = np.array(ids, dtype=np.int32)
        self.attributes(dataset, attributes)

    def state(self, group: Any, name: str, array: NDArray[Any], mark: str) -> None:
        """A state of any shape; its dimensions have no meaning of their own, only an axis and a length."""
        scales = [self._axis(group, axis, length) for axis, length in enumerate(array.shape)]
        self.variable(group, name, array, scales, {"dtype": mark} if mark else {}, key=STATE + name)

    def _axis(self, group: Any, axis: int, length: int) -> Any:
        name = f"axis{axis}_{length}"
        if name not in group:
            zeros = np.zeros(length, np.float32)
            self._number(self._dataset(group, name, zeros, None), _DIMENSION_ONLY % length)
        return group[name]

    def _number(self, scale: Any, label: str) -> None:
        scale.make_scale(label)
        scale.attrs["_Netcdf4Dimid"] = np.int32(self.dimensions)
        self.dimensions += 1

    def _dataset(self, group: Any, name: str, values: Any, key: str | None) -> Any:
        options: dict[str, Any] = {}
        if 0 in values.shape:
            # netCDF knows a length of zero only for a dimension that may grow.
            options["maxshape"] = tuple(length or None for length in values.shape)
            options["chunks"] = tuple(length or 1 for length in values.shape)
        elif values.size > 1000:
            options.update(self.filters)
        return self.image.array(group, name, values, key=key, **options)
