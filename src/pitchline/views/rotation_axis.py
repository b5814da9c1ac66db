"""Speed of a shaft along the lower axis, in rpm."""

from __future__ import annotations

from math import pi

RPM = 30.0 / pi
"""rpm of 1 rad/s."""


def rotation_label(shaft: str) -> str:
    """Label of an axis with the speed of a shaft, given by its name or by the name of its angle."""
    name = shaft.removesuffix(".angle").removesuffix(".angular_speed")
    return f"speed of {name} (rpm)" if name else "speed (rpm)"
