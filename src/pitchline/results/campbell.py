"""Campbell diagram: eigenfrequencies over the speed of a shaft, and what excites them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError
from pitchline.results.operating_pose import OperatingPose
from pitchline.results.plotter import plotter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Campbell", "Crossing"]

Array = NDArray[np.float64]


class Crossing(NamedTuple):
    """Where an order meets a mode."""

    order: str
    mode: int
    speed: float  # [rad/s]
    frequency: float  # [Hz]
    whirl: float = 0.0
    """Of the mode there: above 0 with the shaft, below 0 against it, 0 neither."""


@dataclass(frozen=True, eq=False)
class Campbell:
    """Eigenfrequencies while a shaft turns steadily.

    Attributes
    ----------
    speeds : (m,) [rad/s]
    frequencies : (m, n) [Hz]
        Column k follows one mode from speed to speed, by the likeness of its shape.
    damping_ratios : (m, n)
    orders : name -> order
        Excitations per revolution of the shaft: an order n excites with n Ω/2π.
    crossings : where an order meets a mode, by rising speed.
    kinds : (n,) what the modes are at the first speed.
    whirl : (m, n)
        Which way the bodies go round: 1 with their rotation on circles, -1 against it, 0 neither (planes, torsion); nan at rest.
    critical_forward, critical_backward : [rad/s]
        Speeds that are the frequency of a mode that whirls forward, or backward, rising. Unbalance excites the forward ones, and
        the backward ones where bearings differ across.
    pose : OperatingPose or None
        The model and where its bodies stand, for pictures of the shapes.
    shapes : (k, n, bodies, 6) complex64
        Of every mode at speeds[shapes_at]: translation of the centres of mass and rotation of the bodies, as `Modes.shapes`; nan
        from where a mode stops oscillating. At all speeds, or at fewer where they would take more than 64 MB.
    shapes_at : (k,) int
        Numbers of the speeds at which shapes are known.
    """

    kind: ClassVar[str] = "campbell"
    model_name: str
    shaft: str
    speeds: Array
    frequencies: Array
    damping_ratios: Array
    orders: dict[str, float]
    crossings: tuple[Crossing, ...]
    kinds: tuple[str, ...]
    whirl: Array
    critical_forward: Array
    critical_backward: Array
    warnings: tuple[str, ...] = field(default=())
    pose: OperatingPose | None = None
    shapes: NDArray[np.complex64] = field(default_factory=lambda: np.zeros((0, 0, 0, 6), np.complex64))
    shapes_at: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def critical_speeds(self) -> Array:
        """Speeds [rad/s] at which an order meets a mode, rising."""
        return np.array([crossing.speed for crossing in self.crossings])

    @property
    def critical_frequencies(self) -> Array:
        """Frequencies [Hz] at which they meet, as `critical_speeds`."""
        return np.array([crossing.frequency for crossing in self.crossings])

    def speeds_of(self, order: str, mode: int | None = None) -> Array:
        """Speeds [rad/s] at which an order meets modes, or one of them (from 1), rising."""
        if order not in self.orders:
            raise PitchlineError(f'no order "{order}"; this diagram has {", ".join(self.orders)}')
        return np.array([c.speed for c in self.crossings if c.order == order and mode in (None, c.mode + 1)])

    def table(self) -> str:
        """The crossings, one a line."""
        lines = [f"{'order':<24}  {'mode':>4}  {'speed':>14}  {'':>12}  {'frequency':>14}  whirl", "-" * 86]
        for c in self.crossings:
            rpm = c.speed * 30.0 / np.pi
            lines.append(
                f"{c.order:<24}  {c.mode + 1:>4}  {c.speed:>8.5g} rad/s  {rpm:>8.5g} rpm  {c.frequency:>11.6g} Hz"
                f"  {_direction(c.whirl)}".rstrip()
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        warned = [f"warning: {text}" for text in self.warnings]
        return "\n".join(
            [f'Campbell diagram of model "{self.model_name}", speed of "{self.shaft}"', self.table(), *warned]
        )

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` reads again; it appears complete or not at all. What goes wrong is a
        `ResultFileError`.
        """
        from pitchline.results.linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Frequencies over speed, with orders and crossings; options as in `pitchline.views.plot_campbell`."""
        return plotter("Campbell")(self, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the diagram, and the modes at every speed, in a page that moves, a `View`; options as in `pitchline.view`."""
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __repr__(self) -> str:
        return (
            f"Campbell({self.model_name!r}: {self.frequencies.shape[1]} modes over {self.speeds[0]:g} to {self.speeds[-1]:g} rad/s "
            f"of {self.shaft!r}, {len(self.crossings)} crossings)"
        )


def _direction(whirl: float) -> str:
    """In words; nothing where a mode does not whirl."""
    return "forward" if whirl > 1e-3 else "backward" if whirl < -1e-3 else ""
