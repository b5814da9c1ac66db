"""Unstable motions about an operating point: which ones exceed round-off, and their cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..solvers.growth import Growing, growing
from .self_excitation import why_growing

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = ["Growing", "growing", "growth_warnings"]

ALONG_THE_PHASE = 1e-6
"""x^T K x over |x|^T |K| |x| with the mean mesh stiffness, for a motion that is only rolling of the wheels."""


def growth_warnings(point: OperatingPoint, grows: Growing) -> list[str]:
    """Warnings for these motions."""
    rolling = [(s, x) for s, x in grows if abs(s.imag) <= 1e-12 * abs(s) and _rolls(point, x.real)]
    others = [(s, x) for s, x in grows if not any(x is y for _, y in rolling)]
    return [_on_the_way(point, *one) for one in rolling[:1]] + _unstable(point, others)


def _unstable(point: OperatingPoint, grows: Growing) -> list[str]:
    if not grows:
        return []
    names = [
        f"{abs(s) / (2 * np.pi):.4g} Hz" if abs(s.imag) > 1e-12 * abs(s) else f"{s.real:.4g} 1/s" for s, _ in grows
    ]
    why = why_growing(point, np.array([s for s, _ in grows]), np.stack([x for _, x in grows], axis=1))
    return [f"the operating point is not stable: motions grow at {', '.join(names[:4])}{why}"]


def _rolls(point: OperatingPoint, x: np.ndarray) -> bool:
    """Whether a motion would stretch nothing if teeth had their mean stiffness and no errors: wheels roll on along the phase."""
    from .steady_motion import even_point

    if not point.model.gear_pairs:
        return False
    K = even_point(point).small.K
    return bool(abs(x @ (K @ x)) <= ALONG_THE_PHASE * (np.abs(x) @ (abs(K) @ np.abs(x))))


def _on_the_way(point: OperatingPoint, s: complex, x: np.ndarray) -> str:
    turns = np.linalg.norm(point.body_motion(x[:, None].real)[:, 3:, 0], axis=1)
    body = point.system.nodes[int(np.argmax(turns))].body.name
    return (
        f"at this phase of the mesh cycle the teeth drive the wheels: a rotation of the machine (mainly of "
        f'"{body}") grows at {s.real:.3g} 1/s. It is not a vibration. The energy of the teeth varies with the phase, '
        "and a running machine "
        "passes through this phase. Use mean_stiffness=True, or linearise about a stable equilibrium"
    )
