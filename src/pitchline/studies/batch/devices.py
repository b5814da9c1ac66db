"""Choice of the device that runs a batch."""

from __future__ import annotations

from ...errors import ModelError, near_names, shown
from .kernels.cuda_text import CudaError, usable_cuda

__all__ = ["DEVICES", "chosen_device"]

DEVICES = ("auto", "cpu", "cuda")


def chosen_device(device: object) -> str:
    """ "cpu" or "cuda". "auto": a GPU if there is one that can be used."""
    if not isinstance(device, str) or device not in DEVICES:
        raise ModelError(f"batch: unknown device {shown(device)}; {near_names(str(device), DEVICES)}")
    if device == "cpu":
        return device
    try:
        usable_cuda()
    except CudaError:
        if device == "cuda":
            raise
        return "cpu"
    return "cuda"
