"""A signal over the mesh cycle: all cycles of a record in one diagram."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.plotter import plotter
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import scalar

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

#: Largest fraction of a cycle between two samples; at larger steps the number of cycles is not known.
_COARSEST = 0.25

#: Fraction of a cycle by which a phase may step back by rounding.
_ROUNDING = 1e-9


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Folded:
    """The signal `name` over one cycle.

    phase:     (m,), fraction of the cycle, 0 to 1
    mean:      (m,), over all cycles, in `unit`
    low, high: (m,), lowest and highest value of all cycles
    cycles:    number of whole cycles used
    over:      name of the phase
    """

    kind: ClassVar[str] = "folded"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    phase: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    cycles: int
    over: str
    unit: str = ""

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot mean and range of all cycles; options as in `pitchline.views.plot_cycle`."""
        return plotter("Folded")(self, path=path, **options)


@names_wrong_arguments
def fold(signal: Signal, phase: Signal, *, points: int = 201) -> Folded:
    """Fold a record over its cycles: mean, lowest and highest value at every phase.

    phase: fraction of the cycle, 0 to 1, with the samples of the signal, such as `run["mesh.phase"]`. It must increase or
    decrease throughout, with four samples per cycle or more. Only whole cycles from the start of the record are used.
    """
    what = f'fold of "{signal.name}"'
    scalar(signal, what)
    scalar(phase, what)
    if phase.unit not in ("", "1"):
        raise SignalError(f'{what}: "{phase.name}" is in {phase.unit}; give a phase from 0 to 1, such as "mesh.phase"')
    if not np.array_equal(signal.time, phase.time):
        raise SignalError(f'{what}: "{phase.name}" is not sampled at the same times; take both from one result')
    if points < 2:
        raise SignalError(f"{what}: points must be 2 or more, got {points}")
    sense, way = _way(phase, what)
    count = int(np.floor(way[-1] - way[0] + _ROUNDING))
    if count < 1:
        raise SignalError(
            f'{what}: "{phase.name}" passes {way[-1] - way[0]:.3g} cycles in the record, but one whole cycle is needed'
        )
    grid = np.linspace(0.0, 1.0, points)
    # where each phase comes first, and again in every further cycle
    first = sense * grid + np.ceil(way[0] - sense * grid - _ROUNDING)
    values = np.interp(first + np.arange(count)[:, None], way, signal.values)
    return Folded(
        signal.name, grid, values.mean(axis=0), values.min(axis=0), values.max(axis=0), count, phase.name, signal.unit
    )


def _way(phase: Signal, what: str) -> tuple[float, FloatArray]:
    """Direction of the phase, +1 or -1, and direction · phase in cycles, which always increases."""
    if len(phase) < 2:
        raise SignalError(f"{what}: needs two samples or more, has {len(phase)}")
    way = np.unwrap(phase.values, period=1.0)
    sense = -1.0 if way[-1] < way[0] else 1.0
    way = sense * way
    steps = np.diff(way)
    widest = float(np.max(np.abs(steps)))
    if widest > _COARSEST:
        k = int(np.argmax(np.abs(steps)))
        raise SignalError(
            f'{what}: "{phase.name}" moves by {widest:.2g} cycles between two samples, at t = {phase.time[k]:.6g} s; '
            "ask the analysis for output at least four times a cycle (output_step)"
        )
    if np.any(steps < -_ROUNDING):
        k = int(np.argmax(steps < -_ROUNDING))
        raise SignalError(
            f'{what}: "{phase.name}" turns back at t = {phase.time[k]:.6g} s; cut the record there with '
            "signal.between(start, end)"
        )
    return sense, np.asarray(np.maximum.accumulate(way))
