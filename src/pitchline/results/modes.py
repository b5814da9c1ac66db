"""Modes: natural frequencies and shapes of a model about an operating point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.results.operating_pose import OperatingPose
from pitchline.results.operating_state import OperatingState, reported
from pitchline.results.plotter import plotter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Modes"]

Array = NDArray[np.float64]
TWO_PI = 2.0 * np.pi

_NO_DAMPING = 1e-9
"""Damping ratio at and below which a table writes 0."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Modes:
    """Small vibrations x = Re(X exp(s t)) about an operating point: rigid-body motions first, then by increasing frequency.

    Attributes
    ----------
    eigenvalues : (n,) complex
        s = −ζ ω ± i ω sqrt(1 − ζ²) [1/s]; of each pair the one with Im s > 0.
    shapes : (n, bodies, 6) complex
        Translation of the centre of mass and rotation of every body, in world axes, with unit modal mass Xᴴ M X = 1
        [kg^-1/2, rad kg^-1/2 m^-1]. The phase makes the largest entry of X real.
    kinetic : (n, bodies, 3)
        Fractions of the kinetic energy: translation, rotation about the axis of the body (of its gear or its revolute
        joint), other rotation. Together with `own` the sum over a mode is 1.
    own : name -> (n,)
        Fractions of the kinetic energy in coordinates of elements, such as the modes of elastic gears.
    strain : name -> (n,)
        Fractions of the strain energy in gear pairs, springs and bushings: the participation of a mesh in a mode.
    multiplicity : (n,) int
        Number of modes with this frequency.
    kinds : (n,) str
        "rigid body". In models with planets "rotational", "translational" or "planet" (after Lin and Parker, 1999): central
        gears only rotate, only translate, or do not move. In others "torsional", "translational", "tilting" or "mixed".
        "elastic": coordinates of elements have most of the kinetic energy.
    decaying : (m,)
        Eigenvalues without oscillation [1/s]; positive ones grow.
    growing : (g,) complex
        Eigenvalues of motions that grow by more than rounding [1/s].
    operating_point : OperatingState or None
        State about which the model was linearised, and the loaded flanks.
    surfaces : name -> (k, points, 3) complex64
        Motion of the surface points of flexible bodies in the first k modes, in world axes, as `shapes`. All modes, or fewer if
        they would take more than 16 MB. They are computed at first use.
    pose : OperatingPose or None
        The model and the positions of its bodies at the operating point, for pictures of the shapes.
    """

    kind: ClassVar[str] = "modes"
    model_name: str
    bodies: tuple[str, ...]
    eigenvalues: NDArray[np.complex128]
    shapes: NDArray[np.complex128]
    kinetic: Array
    strain: dict[str, Array]
    multiplicity: NDArray[np.int64]
    kinds: tuple[str, ...]
    descriptions: tuple[str, ...]
    rigid: int
    decaying: Array
    warnings: tuple[str, ...] = field(default=())
    growing: NDArray[np.complex128] = field(default_factory=lambda: np.zeros(0, complex))
    own: dict[str, Array] = field(default_factory=dict)
    pose: OperatingPose | None = None
    surfaces: Mapping[str, NDArray[np.complex64]] = field(default_factory=dict)
    operating_point: OperatingState | None = None

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @property
    def frequencies(self) -> Array:
        """abs(s) / 2π [Hz], natural frequency without damping."""
        return np.abs(self.eigenvalues) / TWO_PI

    @property
    def damped_frequencies(self) -> Array:
        """Im s / 2π [Hz], damped natural frequency."""
        return self.eigenvalues.imag / TWO_PI

    @property
    def damping_ratios(self) -> Array:
        """ζ = −Re s / abs(s); 0 for rigid-body motions."""
        size, real = np.abs(self.eigenvalues), self.eigenvalues.real
        damped = np.abs(real) > 1e-13 * size  # less is rounding
        return np.where(damped, -real / np.where(damped, size, 1.0), 0.0)

    @property
    def stable(self) -> bool:
        """Whether no motion grows."""
        return not self.growing.size

    def of_kind(self, kind: str) -> Array:
        """Frequencies [Hz] of the modes of a kind; a multiple frequency once."""
        found = [f for f, k in zip(self.frequencies, self.kinds, strict=True) if k == kind]
        return np.array([f for i, f in enumerate(found) if i == 0 or abs(f - found[i - 1]) > 1e-6 * f])

    def table(self) -> str:
        """Table with one line for each frequency: damping, multiplicity and motion."""
        lines = [f"{'mode':>4}  {'frequency':>14}  {'damping':>10}  times  what moves", "-" * 78]
        shown = 0
        for i, f in enumerate(self.frequencies):
            if i and self.multiplicity[i] > 1 and abs(f - self.frequencies[i - 1]) <= 1e-6 * max(f, 1e-300):
                continue
            shown += 1
            ratio = self.damping_ratios[i]
            damping = f"{100 * ratio if abs(ratio) > _NO_DAMPING else 0:8.3g} %" if i >= self.rigid else ""
            f = f if i >= self.rigid else 0.0  # of a rigid-body motion only rounding
            lines.append(f"{i + 1:>4}  {f:>11.6g} Hz  {damping:>10}  {self.multiplicity[i]:>5}  {self.descriptions[i]}")
        if self.decaying.size:
            lines.append(f"without oscillation: {', '.join(f'{s:.4g}' for s in self.decaying)} 1/s")
        return "\n".join(lines)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` reads. It is written completely or not at all. Errors are a
        `ResultFileError`.
        """
        from pitchline.results.linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot a chart of kinetic and strain energy in every mode; options as in `pitchline.views.plot_modes`."""
        return plotter("Modes")(self, path=path, **options)

    def plot_shape(self, number: int, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Draw the machine in the deflected state of a mode, numbered from 1; options as in `pitchline.views.plot_shape`."""
        return plotter("mode shape")(self, number, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the mode shapes in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __str__(self) -> str:
        head = f'modes of model "{self.model_name}"'
        return "\n".join(
            [head, *reported(self.operating_point), self.table(), *(f"warning: {text}" for text in self.warnings)]
        )

    def __repr__(self) -> str:
        low = self.frequencies[self.rigid :]
        span = f"{low[0]:.6g} to {low[-1]:.6g} Hz" if low.size else "none that oscillates"
        return f"Modes({self.model_name!r}: {len(self)} modes, {self.rigid} of them rigid-body motions; {span})"
