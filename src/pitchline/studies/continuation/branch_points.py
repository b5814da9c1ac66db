"""Points of a branch, and the special ones among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["BranchPoint", "DOUBLING", "FOLD", "INTERSECTION", "SpecialPoint", "TORUS"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

FOLD, DOUBLING, TORUS, INTERSECTION = "fold", "period doubling", "torus", "intersection"


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """Periodic motion on a branch.

    state : (n,) its start. by_state : (n, n) monodromy matrix. tangent : (n + 1,) direction of the branch in scaled unknowns.
    """

    state: Array
    parameter: float
    by_state: Array
    by_parameter: Array
    multipliers: Complex
    figures: Mapping[str, float]
    tangent: Array


@dataclass(frozen=True, eq=False)
class SpecialPoint:
    """Periodic motion at which stability changes: the solution of an equation, not the nearest sample.

    Attributes
    ----------
    kind : "fold" (the branch turns back, multiplier 1), "period doubling" (multiplier -1), "torus" (a complex pair of magnitude 1,
        Neimark-Sacker), "intersection" (multiplier 1, another branch passes through)
    parameter : value of the parameter, in SI units
    index : place of this point in the arrays of the branch
    state : (n,) start of the motion
    multipliers : (n,) complex
    multiplier : the one on the unit circle
    direction : (n,) eigenvector of this multiplier (real part)
    tangent : (n + 1,) direction of the branch, states and parameter
    sweep : for folds, the direction of a sweep that jumps there, "up" or "down"
    error : estimated error of the parameter by the time steps (folds) or by the search; 0 if there is no estimate
    grazing : the fold is a corner of the branch: teeth begin to touch there, and the multipliers jump
    figures : reductions over the motion, by name
    """

    kind: str
    parameter: float
    index: int
    state: Array
    multipliers: Complex
    multiplier: complex
    direction: Array
    tangent: Array
    sweep: str = ""
    error: float = 0.0
    figures: Mapping[str, float] = field(default_factory=dict)
    grazing: bool = False

    @property
    def angle(self) -> float:
        """Angle of the multiplier on the unit circle [rad]: 0, π, or that of a torus per period."""
        return float(abs(np.angle(self.multiplier)))

    def __repr__(self) -> str:
        side = (f", sweep {self.sweep}" if self.sweep else "") + (", grazing" if self.grazing else "")
        return f"SpecialPoint({self.kind} at {self.parameter:.8g}{side}, point {self.index})"
