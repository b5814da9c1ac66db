"""Signs of a gear pair by the flank that bears: what users read, whichever wheel drives.

A mesh counts from the drive flank: forces of the coast flank are negative, and its transmission error holds the backlash. Turned to
the flank that bears, forces and deflection are positive on both flanks, and the transmission error is how far the driven wheel lags:

    drive flank:   e = (u - offset) cos(alpha) ,       coast flank:   e = -(u - offset + b) cos(alpha) .

In the gap the nearer flank counts, so that e < 0 is how far the teeth are from touching, and no state before this one is asked for.
"""

import numpy as np

from .contract import Element
from .mesh_records import MeshParameters
from .mesh_report import MESH_SIGNALS

FLANK = "contact"
"""Signal that tells which flank bears."""
ERROR = "transmission_error"
TURNED = ("normal_force", "tangential_force", "tangential_force_b", "deflection", "pair_forces")
"""Signals that change sign with the flank."""


def is_gear_pair(element: Element) -> bool:
    """Whether an element has the signals of a gear pair."""
    return element.kind.signals[: len(MESH_SIGNALS)] == MESH_SIGNALS


def sides(element: Element, reported: dict[str, np.ndarray]) -> np.ndarray:
    """Of every sample, the flank by which it counts: 1 drive, -1 coast."""
    flank, error = reported[FLANK], reported[ERROR]
    nearer = np.where(error + 0.5 * _play(element) >= 0.0, 1.0, -1.0)
    return np.where(flank == 0.0, nearer, np.sign(flank))


def turned(element: Element, reported: dict[str, np.ndarray], side: np.ndarray) -> dict[str, np.ndarray]:
    """The signals of `reported` that change with the flank, turned to that of `side`."""
    found = {name: (reported[name].T * side).T + 0.0 for name in TURNED if name in reported}  # + 0.0: no -0
    error = reported[ERROR]
    return found | {ERROR: np.where(side > 0.0, error, -(error + _play(element)))}


def _play(element: Element) -> float:
    """Backlash along the line of action."""
    # records of elastic flanks begin with those of every pair
    pair = element.parameters[: MeshParameters.size].view(MeshParameters.dtype)[0]
    return float(pair["law"]["backlash"] * pair["geometry"]["cos_alpha"])
