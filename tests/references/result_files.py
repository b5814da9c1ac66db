"""A small result, and its file as earlier versions and other programs leave it."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from pitchline.base.storage.stored_array import MAGIC
from pitchline.results import Result, Signal

TIME = np.linspace(0.0, 1.0, 12)


def make() -> Result:
    velocity = Signal("cart.velocity", np.sin(np.arange(36.0)).reshape(12, 3), TIME, "m/s", "velocity, world axes")
    position = Signal("cart.position", velocity.values**2, TIME, "m", "position", rate=velocity.values)
    angle = Signal("crank.angle", TIME**2, TIME, "rad", rate=2 * TIME)
    return Result(
        kind="dynamics",
        model_name="cart",
        time=TIME,
        signals={signal.name: signal for signal in (velocity, position, angle)},
        warnings=["step too large"],
        statistics={"steps": 12},
        states={"q": np.linspace(0.0, 1.0, 7), "closed": np.array([True, False])},
        model={"name": "cart", "gravity": (0.0, 0.0, -9.81)},
    )


def of_hdf5_alone(data: bytes) -> bytes:
    """The HDF5 file without its seal, as other programs leave it."""
    at = len(data) - len(MAGIC) - 40
    return data[: at - int.from_bytes(data[at : at + 8], "little")]


def of_first_format(path: Path) -> Path:
    """As earlier versions wrote it: no checksums, no seal."""
    with h5py.File(path, "a") as hdf:
        del hdf.attrs["checksums"]
        hdf.attrs["pitchline_result_format"] = np.int32(1)
    return path
