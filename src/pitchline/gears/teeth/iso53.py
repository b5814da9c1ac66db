"""The basic rack profiles of ISO 53."""

from __future__ import annotations

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown

__all__ = ["basic_rack"]

_PROFILES = {"A": (1.25, 0.38), "B": (1.25, 0.30), "C": (1.25, 0.25), "D": (1.40, 0.39)}


@names_wrong_arguments
def basic_rack(profile: str) -> dict[str, object]:
    """Return the arguments of a `Gear` for a basic rack of ISO 53:1998, such as ``Gear(..., **basic_rack("D"))``.

    α_n = 20°, h*_aP = 1; A for high torques (h*_fP 1.25, ρ*_fP 0.38), B and C for normal use (ρ*_fP 0.30, 0.25), D
    with almost a full root radius (h*_fP 1.40, ρ*_fP 0.39).
    """
    key = str(profile).upper()
    if key not in _PROFILES:
        raise ModelError(f'basic_rack: ISO 53 has the profiles "A", "B", "C" and "D", got {shown(profile)}')
    depth, radius = _PROFILES[key]
    return {
        "normal_pressure_angle": "20 deg",
        "addendum_factor": 1.0,
        "dedendum_factor": depth,
        "root_radius_factor": radius,
    }
