"""Stability of a machine whose stiffness varies with its rotation."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.results.operating_state import OperatingState
from pitchline.results.plotter import plotter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Floquet"]

Array = NDArray[np.float64]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Floquet:
    """Floquet multipliers of small motions about a steady rotation: z(t + T) = μ z(t).

    Attributes
    ----------
    speeds : (m,) [rad/s] of the shaft
    ripples : (r,)
        Factors of the variation about the mean: 1 is the model as it is, 0 its mean stiffness.
    periods : (m,) T [s]
    multipliers : (m, r, n) complex, by falling magnitude; those of free rotation (μ = 1) left out
    operating_point : OperatingState or None
        State about which the model was linearised, and the loaded flanks.
    """

    kind: ClassVar[str] = "floquet"
    model_name: str
    shaft: str
    speeds: Array
    ripples: Array
    periods: Array
    multipliers: NDArray[np.complex128]
    warnings: tuple[str, ...] = field(default=())
    operating_point: OperatingState | None = None

    @property
    def largest(self) -> Array:
        """Largest magnitude of the multipliers (m, r)."""
        return np.abs(self.multipliers).max(axis=2, initial=0.0)

    @property
    def growth(self) -> Array:
        """Growth rate ln(largest) / T of the fastest motion [1/s] (m, r); negative: it decays."""
        return np.log(np.maximum(self.largest, 1e-300)) / self.periods[:, None]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether no motion grows (m, r): largest <= 1, to the accuracy of the numbers."""
        return self.largest <= 1.0 + 1e-7

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Multipliers over speed, or a map over speed and ripple; options as in `pitchline.views.plot_floquet`."""
        return plotter("Floquet")(self, path=path, **options)

    def __repr__(self) -> str:
        return (
            f"Floquet({self.model_name!r}: {len(self.speeds)} speeds x {len(self.ripples)} ripples, "
            f"{int((~self.stable).sum())} of {self.stable.size} unstable)"
        )
