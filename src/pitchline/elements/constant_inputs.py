"""Checks of functions of time that are constant, before a run."""

from collections.abc import Mapping
from typing import Any

from ..errors import ModelError

_USUAL = (50.0, 60.0)
"""Supply frequencies in Hz that are easily written without a unit."""


def _is_constant(value: Any) -> bool:
    """Whether an input is a number."""
    return bool(getattr(value, "is_constant", False))


def check_throttle(values: Mapping[str, Any]) -> None:
    """Raise an error if a constant throttle is not between 0 and 1."""
    throttle = values["throttle"]
    if _is_constant(throttle) and not 0.0 <= float(throttle(0.0)) <= 1.0:
        raise ModelError(f"throttle must be between 0 and 1, got {float(throttle(0.0)):g}; 1 is full throttle")


def frequency_warnings(values: Mapping[str, Any]) -> list[str]:
    """A warning if a frequency seems to be a number in Hz without its unit."""
    frequency = values["angular_frequency"]
    if _is_constant(frequency) and abs(float(frequency(0.0))) in _USUAL:
        w = float(frequency(0.0))
        return [
            f'angular_frequency is {w:g} rad/s, which is {w / 6.283185307179586:.3g} Hz; write "{w:g} Hz" if this was meant'
        ]
    return []
