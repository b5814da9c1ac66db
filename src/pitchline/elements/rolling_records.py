"""From the contact law of a bearing to the record of its kernel."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..bearings.balls import BallLaw
from ..bearings.law import ContactLaw
from ..bearings.rollers import RollerLaw

__all__ = ["rolling_record"]

_FAR = 1e300


def rolling_record(law: ContactLaw, damping: float, friction: Mapping[str, float]) -> dict[str, Any]:
    """Values of `RollingLaw`."""
    tilts = 0.0 if isinstance(law, RollerLaw) and law.aligning else 0.5 * law.lever**2
    flange = law.flange
    return {
        "rollers_roll": isinstance(law, RollerLaw),
        "times": law.times,
        "components": 6 if law.cage_ratio or friction else 5,
        "damped": damping > 0.0,
        "damping": damping,
        "tilt_damping": damping * tilts,
        "flange_stiffness": flange.stiffness,
        "flange_up": min(flange.gap_up, _FAR),
        "flange_down": min(flange.gap_down, _FAR),
        "friction": friction,
        **({"balls": _balls(law)} if isinstance(law, BallLaw) else {}),
        **({"rollers": _rollers(law)} if isinstance(law, RollerLaw) else {}),
    }


def _places(law: ContactLaw) -> np.ndarray:
    c, s = law.waves(np.zeros(6))
    return np.column_stack([c.ravel(), s.ravel()])


def _balls(law: BallLaw) -> Mapping[str, Any]:
    return {
        "distance": law.distance,
        "radial": law.radial,
        "axial": law.axial,
        "lever": law.lever,
        "one_sided": law.one_sided,
        "stiffness": law.both,
        "inner_stiffness": law.stiffness[0],
        "outer_stiffness": law.stiffness[1],
        "inner_length": law.lengths[0],
        "outer_length": law.lengths[1],
        "centrifugal": law.centrifugal,
        "cage_ratio": law.cage_ratio,
        "pressure": law.pressure,
        "rows": np.array([(row.direction, row.position) for row in law.rows]),
        "places": _places(law),
    }


def _rollers(law: RollerLaw) -> Mapping[str, Any]:
    directions, positions = np.array([(row.direction, row.position) for row in law.rows]).T
    points = np.column_stack([law.points, law.gaps, law.weights, 1.0 / law.lengths])
    if law.aligning:  # without tilt both halves of a roller have the same load: one of them represents both
        points = points[law.points > 0.0] * (1.0, 1.0, 2.0, 0.5)
    return {
        "cosine": math.cos(law.angle),
        "sine": math.sin(law.angle),
        "approach": law.approach,
        "half_length": 0.0 if law.aligning else 0.5 * float(law.lengths.sum()),
        "cage_ratio": law.cage_ratio,
        "pressure": max(law.pressure),
        "rows": np.column_stack([directions, law.levers(directions, positions)]),
        "places": _places(law),
        "points": points,
    }
