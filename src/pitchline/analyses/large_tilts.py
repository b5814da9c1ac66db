"""Warnings for bushings whose frames tilt too far for their stiffness."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pitchline.declare.names import Frame
from pitchline.model.model import Model
from pitchline.parts.springs.part import Bushing
from pitchline.results.signal import Signal

from .part_warnings import matrices_of

__all__ = ["large_tilts"]

SMALL = 0.3
"""Tilt up to which the moment k sin(2 theta)/2 is that of a linear spring [rad], within 6 %."""


def large_tilts(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each bushing with a stiffness or damping of tilts whose axis tilts far. Its signal `rotation` has the sine of the
    tilt, which is zero again at 180 deg."""
    found = []
    for name, part in model.loads.items():
        if not isinstance(part, Bushing) or not (part.stiffness[3:5].any() or part.damping[3:5].any()):
            continue
        tilt = _largest_tilt(part, signals)
        if tilt > SMALL:
            found.append(
                f'bushing "{name}": its axis tilts by {np.degrees(tilt):.3g} deg. Its moment is k sin(2 tilt)/2, that of a linear '
                f"spring up to about {np.degrees(SMALL):.0f} deg. It falls beyond 45 deg, and at 180 deg is a second rest, where "
                "its twist is not defined. Check the loads and the stiffness, or use a joint with springs"
            )
    return found


def _largest_tilt(part: Bushing, signals: Mapping[str, Signal]) -> float:
    """Largest angle between the z axes of both frames [rad]; 0 if their orientations are not in the result."""
    a, b = (_axis(frame, signals) for frame in (part.frame_a, part.frame_b))
    if a is None or b is None:
        return 0.0
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return float(np.max(np.arctan2(across, np.sum(a * b, axis=-1)), initial=0.0))


def _axis(frame: Frame, signals: Mapping[str, Signal]) -> np.ndarray | None:
    """z of a frame in the world at the samples, (n, 3) or (3,)."""
    z = frame.rotation[:, 2]
    if frame.body_name == "ground":
        return z
    turned = signals.get(f"{frame.body_name}.orientation")
    return None if turned is None else np.asarray(matrices_of(np.asarray(turned.values)) @ z)
