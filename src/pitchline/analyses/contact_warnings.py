"""Warnings of contact analyses: gears that jam, and loads for which the deflection of the teeth is not small."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..gears.inputs import in_mm
from .surface_gears import SurfaceGears

__all__ = ["deflection_warning", "jam_warning"]

FloatArray = npt.NDArray[np.float64]

_POSITIONS = 8
"""In a pitch of gear A."""
_OVERLAP = 0.5e-6
"""[m] Points of flanks are less exact than this, so that gears without backlash may overlap by it."""
_SMALL = 0.05
"""Deflection of teeth by the normal module up to which it has no effect on their geometry."""


def jam_warning(gears: SurfaceGears) -> tuple[str, ...]:
    """A text if left and right flanks overlap together; contact of one side takes no account of the other."""
    pairs = [gears.contact(side) for side in ("left", "right")]
    phase = np.arange(_POSITIONS) / _POSITIONS
    angle = phase * pairs[0].a.step.angle
    gaps = (pair.least_of_teeth(angle[:, None], pair.teeth_a).gap.min(axis=1) for pair in pairs)
    backlash = gears.lever * sum(gaps)
    worst = int(np.argmin(backlash))
    if not backlash[worst] < -_OVERLAP:
        return ()
    return (
        f"the teeth overlap by {_rounded(-backlash[worst])} along the path of contact at the phase {phase[worst]:.4g}: the "
        "gears jam. The results are those of one flank, without the other. Increase the distance of the axes or the backlash",
    )


def deflection_warning(torques: FloatArray, lag: FloatArray, module: float, unit: str = "N m") -> tuple[str, ...]:
    """A text if the teeth deflect too much. lag: (torques, positions) under load, less that without load [m]."""
    deflection = np.abs(lag).max(axis=1)
    worst = int(np.argmax(deflection))
    if deflection[worst] <= _SMALL * module:
        return ()
    return (
        f"the teeth deflect by {_rounded(deflection[worst])} at {torques[worst]:.5g} {unit}, {deflection[worst] / module:.2g} "
        "modules: the method is for small deflections. Reduce the load, or check the units of torque and module",
    )


def _rounded(length: np.float64) -> str:
    """Length [m] in mm, with three digits."""
    return in_mm(float(f"{length:.3g}"))
