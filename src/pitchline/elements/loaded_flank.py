"""Signs of a gear pair relative to the loaded flank, as in results, for both directions of power.

Internally a mesh refers to the drive flank: forces of the coast flank are negative, and its transmission error includes the
backlash. Relative to the loaded flank, forces and deflection are positive, and the transmission error is the lag of the driven
wheel:

    drive flank:   e = K (u - offset) ,       coast flank:   e = -K (u - offset + b) ,

with the ratio K of lengths on the base circle to those along the hoop (`gears.directions`).

With backlash each sample refers to its loaded flank. In the gap it is the closer one, so that -e is the distance of the teeth
from contact, and no earlier state is needed.

Without backlash both flanks are always in contact, and the force passes from one to the other without a gap: an oscillation
must not be rectified. All samples refer to the flank that is loaded on average; to the drive flank if there is no clear mean.
"""

from functools import lru_cache

import numpy as np

from .contract import Element, ElementKind
from .mesh_law import ROUNDING
from .mesh_records import MeshParameters
from .mesh_report import MESH_SIGNALS

FLANK, FORCE, ERROR = "contact", "signed_force", "transmission_error"
TURNED = ("normal_force", "tangential_force", "tangential_force_b", "deflection", "pair_forces")
"""Signals that change sign with the flank."""

CLEARLY = 0.05
"""Without backlash: fraction of the largest force that the mean must reach for the coast flank to be used."""
UNFELT = 1e-6
"""Acceleration of the effective mass by a force of rigid teeth that counts as zero [m/s^2]."""


def is_gear_pair(element: Element) -> bool:
    """Whether an element has the signals of a gear pair."""
    return _has_mesh_signals(element.kind)


@lru_cache(maxsize=256)
def _has_mesh_signals(kind: ElementKind) -> bool:
    return kind.signals[: len(MESH_SIGNALS)] == MESH_SIGNALS


def sides(element: Element, reported: dict[str, np.ndarray]) -> np.ndarray:
    """For every sample, the flank to which it refers: 1 drive, -1 coast."""
    pair = _pair(element)
    flank, force, error = reported[FLANK], reported[FORCE], reported[ERROR]
    small = ROUNDING * pair["geometry"]["pitch"]
    if pair["law"]["backlash"] > small:
        nearer = np.where(error + 0.5 * _play(pair) >= 0.0, 1.0, -1.0)
        return np.where(flank == 0.0, nearer, np.sign(flank))
    known = force[np.isfinite(force)]
    if not known.size:
        return np.ones(force.size)
    coast = np.mean(known) < -max(CLEARLY * np.max(np.abs(known)), _unfelt(pair, small))
    return np.full(force.size, -1.0 if coast else 1.0)


def turned(element: Element, reported: dict[str, np.ndarray], side: np.ndarray) -> dict[str, np.ndarray]:
    """Signals of `reported` that change with the flank, relative to that of `side`."""
    found = {name: (reported[name].T * side).T + 0.0 for name in TURNED if name in reported}  # + 0.0: no -0
    error = reported[ERROR]
    return found | {ERROR: np.where(side > 0.0, error, -(error + _play(_pair(element)))) + 0.0}


def _pair(element: Element) -> np.void:
    """Parameters of the pair: records of elastic flanks begin with those of every pair."""
    return MeshParameters.named(element.parameters)


def _play(pair: np.void) -> float:
    """Backlash in the direction of the transmission error."""
    return float(pair["law"]["backlash"] * pair["geometry"]["length"])


def play_of(element: Element) -> tuple[float, bool, float]:
    """Backlash of a pair in the direction of the transmission error, whether it is more than rounding, and the force that counts
    as zero."""
    pair = _pair(element)
    small = ROUNDING * pair["geometry"]["pitch"]
    return _play(pair), bool(pair["law"]["backlash"] > small), _unfelt(pair, small)


def _unfelt(pair: np.void, small: float) -> float:
    """Force that counts as zero."""
    return float(max(small * pair["law"]["mean_stiffness"], UNFELT * pair["law"]["mass"]))
