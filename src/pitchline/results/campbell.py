"""Campbell diagram: natural frequencies over the speed of a shaft, and orders that excite them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.operating_pose import OperatingPose
from pitchline.results.operating_state import OperatingState, reported
from pitchline.results.plotter import plotter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Campbell", "Crossing"]

Array = NDArray[np.float64]


class Crossing(NamedTuple):
    """Crossing of an order line and a mode."""

    order: str
    mode: int
    speed: float  # [rad/s]
    frequency: float  # [Hz]
    whirl: float = 0.0
    """Whirl of the mode: above 0 forward, below 0 backward, 0 none."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Campbell:
    """Natural frequencies while a shaft rotates at constant speed.

    Attributes
    ----------
    speeds : (m,) [rad/s]
    frequencies : (m, n) [Hz]
        Column k follows one mode from speed to speed, by the similarity of its shape.
    damping_ratios : (m, n)
    orders : name -> order
        Excitations per revolution of the shaft: order n has the frequency n Ω/2π.
    crossings : crossings of orders and modes, by increasing speed.
    kinds : (n,) kinds of the modes at the first speed.
    whirl : (m, n)
        Direction of the whirl: 1 forward on circles, -1 backward, 0 none (motion in a plane, torsion); nan at rest.
    critical_forward, critical_backward : [rad/s]
        Speeds equal to the frequency of a mode with forward, or backward, whirl, increasing. Unbalance excites the
        forward modes, and also the backward modes if the bearings are not isotropic.
    operating_point : OperatingState or None
        State about which the model was linearised, and the loaded flanks.
    pose : OperatingPose or None
        The model and the positions of its bodies, for pictures of the shapes.
    shapes : (k, n, bodies, 6) complex64
        Shapes of all modes at speeds[shapes_at]: translation of the centres of mass and rotation of the bodies, as
        `Modes.shapes`; nan if a mode does not oscillate. At all speeds, or at fewer if they would take more than 64 MB.
    shapes_at : (k,) int
        Indices of the speeds with shapes.
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
    operating_point: OperatingState | None = None

    @property
    def critical_speeds(self) -> Array:
        """Speeds [rad/s] of all crossings, increasing."""
        return np.array([crossing.speed for crossing in self.crossings])

    @property
    def critical_frequencies(self) -> Array:
        """Frequencies [Hz] of all crossings, in the order of `critical_speeds`."""
        return np.array([crossing.frequency for crossing in self.crossings])

    def speeds_of(self, order: str, mode: int | None = None) -> Array:
        """Speeds [rad/s] at which an order crosses all modes, or one mode (counted from 1), increasing."""
        if order not in self.orders:
            raise PitchlineError(f'no order "{order}"; this diagram has {", ".join(self.orders)}')
        return np.array([c.speed for c in self.crossings if c.order == order and mode in (None, c.mode + 1)])

    def table(self) -> str:
        """Table of the crossings, one line each."""
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
            [
                f'Campbell diagram of model "{self.model_name}", speed of "{self.shaft}"',
                *reported(self.operating_point),
                self.table(),
                *warned,
            ]
        )

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` reads. It is written completely or not at all. Errors are a
        `ResultFileError`.
        """
        from pitchline.results.linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot frequencies over speed with orders and crossings; options as in `pitchline.views.plot_campbell`."""
        return plotter("Campbell")(self, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the diagram and the modes at every speed in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __repr__(self) -> str:
        return (
            f"Campbell({self.model_name!r}: {self.frequencies.shape[1]} modes over {self.speeds[0]:g} to {self.speeds[-1]:g} rad/s "
            f"of {self.shaft!r}, {len(self.crossings)} crossings)"
        )


def _direction(whirl: float) -> str:
    """Text for the direction of the whirl; empty without whirl."""
    return "forward" if whirl > 1e-3 else "backward" if whirl < -1e-3 else ""
