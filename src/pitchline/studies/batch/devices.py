"""Choice of the device that runs a batch."""

from __future__ import annotations

from ...errors import ModelError, near_names, shown

__all__ = ["DEVICES", "chosen_device"]

DEVICES = ("auto", "cpu", "cuda")


def chosen_device(device: object) -> str:
    """ "cpu" or "cuda". "auto": a GPU if there is one that can be used."""
    if not isinstance(device, str) or device not in DEVICES:
        raise ModelError(f"batch: unknown device {shown(device)}; {near_names(str(device), DEVICES)}")
    if device == "cpu":
        return device
    reason = no_gpu()
    if reason and device == "cuda":
        raise ModelError(f'batch: device "cuda" is not available: {reason}. Use device="cpu"')
    return "cpu" if reason else "cuda"


def no_gpu() -> str:
    """Why no GPU can be used; empty if one can."""
    return "this version has no kernels for a GPU"
