"""Options of an import from REXS."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import ModelError, shown

__all__ = ["BEARINGS", "MESHES", "SHAFTS", "RexsOptions"]

MESHES = ("elastic", "rolling", "rigid", "loaded")
SHAFTS = ("elastic", "rigid")
BEARINGS = ("geometry", "stiffness")
DAMPING_RATIO = 0.05
"""Damping ratio of elastic meshes; REXS has no damping."""


@dataclass(frozen=True)
class RexsOptions:
    """Options of an import.

    mesh:       law of the gear pairs: "elastic", "rolling", "rigid" or "loaded"
    shafts:     "elastic" beams or "rigid" bodies
    bearings:   "geometry": rolling bearings by their internal geometry or catalogue data, if the file has them; "stiffness": all
                bearings by their stiffness
    gear_shift: number of the gear for switchable couplings, from 1; None: as in the file
    """

    mesh: str = "elastic"
    shafts: str = "elastic"
    bearings: str = "geometry"
    gear_shift: int | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("mesh", MESHES), ("shafts", SHAFTS), ("bearings", BEARINGS)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                words = ", ".join(f'"{word}"' for word in allowed)
                raise ModelError(f"from_rexs: {name} must be one of {words}, got {shown(value)}")
        if self.gear_shift is not None and (
            isinstance(self.gear_shift, bool) or not isinstance(self.gear_shift, int) or self.gear_shift < 1
        ):
            raise ModelError(f"from_rexs: gear_shift must be an integer from 1, got {shown(self.gear_shift)}")
