"""GearModes: natural modes of one gear, each a wave with a number of nodal diameters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.results.plotter import plotter
from pitchline.results.report import text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["GearModes"]

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class GearModes:
    """Modes of an elastic gear below a frequency, without its rigid motions.

    Attributes
    ----------
    name : str
        Of the gear.
    teeth : int
        z; of a rack the number of teeth after which its motion repeats, 16 at least.
    bore : str
        "fixed", "free" or "shaft".
    nodal_diameters : (m,)
        n = 0 … z/2, one entry for a pair of modes n and −n.
    wave_frequencies : (m,)
        Theirs [Hz], ascending.
    frequencies : (k,)
        Of every mode for itself [Hz], ascending: those of pairs twice.
    limit : float
        All modes below this frequency [Hz] are there.
    mass, exact_mass : float
        Of the finite elements, and of the volume inside the exact teeth [kg]; that of surfaces is not known (nan).
    """

    kind: ClassVar[str] = "gear modes"
    name: str
    teeth: int
    bore: str
    nodal_diameters: IntArray
    wave_frequencies: Array
    frequencies: Array
    limit: float
    mass: float
    exact_mass: float
    warnings: tuple[str, ...] = ()

    def table(self) -> str:
        """Table with one line for each wave: nodal diameters, frequency [kHz], number of modes."""
        single = (self.nodal_diameters == 0) | (2 * self.nodal_diameters == self.teeth)
        rows = [
            [f"{n}", f"{1e-3 * f:.4f}", "1" if one else "2"]
            for n, f, one in zip(self.nodal_diameters, self.wave_frequencies, single, strict=True)
        ]
        return text_table(["nodal diameters", "frequency/kHz", "modes"], rows)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot frequencies over nodal diameters; options as in `pitchline.views.plot_gear_modes`."""
        return plotter("GearModes")(self, path=path, **options)

    def __str__(self) -> str:
        head = f"{len(self.frequencies)} modes of {self.name} ({self.teeth} teeth, bore {self.bore}) below {self.limit:g} Hz"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"GearModes({self.name}: {len(self.frequencies)} modes below {self.limit:g} Hz)"
