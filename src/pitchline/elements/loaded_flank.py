"""Signs of a gear pair by the flank that bears: what users read, whichever wheel drives.

A mesh counts from the drive flank: forces of the coast flank are negative, and its transmission error holds the backlash. Turned to
the flank that bears, forces and deflection are positive, and the transmission error is how far the driven wheel lags:

    drive flank:   e = (u - offset) cos(alpha) ,       coast flank:   e = -(u - offset + b) cos(alpha) .

With backlash each sample counts by the flank that bears in it. In the gap it is the nearer one, so that e < 0 is how far the teeth
are from touching, and no state before this one is asked for.

Without backlash both flanks touch all the time, and the force passes from one to the other without a gap: an oscillation must not
become its magnitude. All samples count by the flank that bears on average; by the drive flank where neither clearly does.
"""

import numpy as np

from .contract import Element
from .mesh_law import ROUNDING
from .mesh_records import MeshParameters
from .mesh_report import MESH_SIGNALS

FLANK, FORCE, ERROR = "contact", "signed_force", "transmission_error"
TURNED = ("normal_force", "tangential_force", "tangential_force_b", "deflection", "pair_forces")
"""Signals that change sign with the flank."""

CLEARLY = 0.05
"""Without backlash: part of the largest force that the mean must reach for the coast flank to count."""
UNFELT = 1e-6
"""Acceleration of the effective mass by a force of rigid teeth that is none [m/s^2]."""


def is_gear_pair(element: Element) -> bool:
    """Whether an element has the signals of a gear pair."""
    return element.kind.signals[: len(MESH_SIGNALS)] == MESH_SIGNALS


def sides(element: Element, reported: dict[str, np.ndarray]) -> np.ndarray:
    """Of every sample, the flank by which it counts: 1 drive, -1 coast."""
    pair = _pair(element)
    flank, force, error = reported[FLANK], reported[FORCE], reported[ERROR]
    small = ROUNDING * pair["geometry"]["pitch"]
    if pair["law"]["backlash"] > small:
        nearer = np.where(error + 0.5 * _play(pair) >= 0.0, 1.0, -1.0)
        return np.where(flank == 0.0, nearer, np.sign(flank))
    known = force[np.isfinite(force)]
    if not known.size:
        return np.ones(force.size)
    rounding = max(small * pair["law"]["mean_stiffness"], UNFELT * pair["law"]["mass"])
    coast = np.mean(known) < -max(CLEARLY * np.max(np.abs(known)), rounding)
    return np.full(force.size, -1.0 if coast else 1.0)


def turned(element: Element, reported: dict[str, np.ndarray], side: np.ndarray) -> dict[str, np.ndarray]:
    """The signals of `reported` that change with the flank, turned to that of `side`."""
    found = {name: (reported[name].T * side).T + 0.0 for name in TURNED if name in reported}  # + 0.0: no -0
    error = reported[ERROR]
    return found | {ERROR: np.where(side > 0.0, error, -(error + _play(_pair(element)))) + 0.0}


def _pair(element: Element) -> np.void:
    """Parameters of the pair: records of elastic flanks begin with those of every pair."""
    found: np.void = element.parameters[: MeshParameters.size].view(MeshParameters.dtype)[0]
    return found


def _play(pair: np.void) -> float:
    """Backlash along the line of action."""
    return float(pair["law"]["backlash"] * pair["geometry"]["cos_alpha"])
