"""Results of linear analyses: modes, Campbell diagrams, Floquet multipliers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.facades import plotter

from .part_quantities import OperatingState, reported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Floquet", "OperatingPose", "kept_places", "Campbell", "Crossing", "Modes"]


# ---- floquet

# Stability of a machine whose stiffness varies with its rotation.


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
    speeds: FloatArray
    ripples: FloatArray
    periods: FloatArray
    multipliers: NDArray[np.complex128]
    warnings: tuple[str, ...] = field(default=())
    operating_point: OperatingState | None = None

    @property
    def largest(self) -> FloatArray:
        """Largest magnitude of the multipliers (m, r)."""
        return np.abs(self.multipliers).max(axis=2, initial=0.0)

    @property
    def growth(self) -> FloatArray:
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


# ---- operating pose

# Positions of the bodies of a model at the operating point of a linear analysis.

MOST_BYTES = 64_000_000
"""Memory limit of the shapes that a Campbell diagram or a frequency response stores."""


@dataclass(frozen=True, eq=False)
class OperatingPose:
    """The model and its bodies at rest, from which their small motions start.

    Attributes
    ----------
    model : dict
        Description of the model as plain data, as `Result.model`.
    bodies : (b,) str
        Names of the bodies, in the order of the shapes; stations of shafts, beams and flexible bodies among them.
    positions : (b, 3)
        Origins of their axes, in world axes [m].
    orientations : (b, 4)
        Unit quaternions (w, x, y, z) that turn components in body axes into world axes.
    centres : (b, 3)
        From the origins to the centres of mass, in world axes [m].
    surfaces : name -> ((p, 3), (t, 3))
        Of flexible bodies that have one: points in the world [m], and triangles by the numbers of their points.
    """

    model: dict[str, Any]
    bodies: tuple[str, ...]
    positions: FloatArray
    orientations: FloatArray
    centres: FloatArray
    surfaces: dict[str, tuple[FloatArray, NDArray[np.int64]]] = field(default_factory=dict)

    def of_origins(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """(..., b, 6): translation of the origins of the bodies, and rotation; from that of their centres of mass, and rotation."""
        moved = shapes.copy()
        moved[..., :3] -= np.cross(shapes[..., 3:], self.centres)
        return moved


def kept_places(count: int, bytes_of_one: int) -> NDArray[np.int64]:
    """Indices of the stored shapes out of `count`: all, or equal steps if the memory limit requires it."""
    most = MOST_BYTES // max(bytes_of_one, 1)
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64)) if most else np.zeros(0, np.int64)


# ---- campbell

# Campbell diagram: natural frequencies over the speed of a shaft, and orders that excite them.


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
    speeds: FloatArray
    frequencies: FloatArray
    damping_ratios: FloatArray
    orders: dict[str, float]
    crossings: tuple[Crossing, ...]
    kinds: tuple[str, ...]
    whirl: FloatArray
    critical_forward: FloatArray
    critical_backward: FloatArray
    warnings: tuple[str, ...] = field(default=())
    pose: OperatingPose | None = None
    shapes: NDArray[np.complex64] = field(default_factory=lambda: np.zeros((0, 0, 0, 6), np.complex64))
    shapes_at: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    operating_point: OperatingState | None = None

    @property
    def critical_speeds(self) -> FloatArray:
        """Speeds [rad/s] of all crossings, increasing."""
        return np.array([crossing.speed for crossing in self.crossings])

    @property
    def critical_frequencies(self) -> FloatArray:
        """Frequencies [Hz] of all crossings, in the order of `critical_speeds`."""
        return np.array([crossing.frequency for crossing in self.crossings])

    def speeds_of(self, order: str, mode: int | None = None) -> FloatArray:
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
        from .linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot frequencies over speed with orders and crossings; options as in `pitchline.views.plot_campbell`."""
        return plotter("Campbell")(self, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the diagram and the modes at every speed in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def __repr__(self) -> str:
        return (
            f"Campbell({self.model_name!r}: {self.frequencies.shape[1]} modes over {self.speeds[0]:g} to {self.speeds[-1]:g} rad/s "
            f"of {self.shaft!r}, {len(self.crossings)} crossings)"
        )


def _direction(whirl: float) -> str:
    """Text for the direction of the whirl; empty without whirl."""
    return "forward" if whirl > 1e-3 else "backward" if whirl < -1e-3 else ""


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
    kinetic: FloatArray
    strain: dict[str, FloatArray]
    multiplicity: NDArray[np.int64]
    kinds: tuple[str, ...]
    descriptions: tuple[str, ...]
    rigid: int
    decaying: FloatArray
    warnings: tuple[str, ...] = field(default=())
    growing: NDArray[np.complex128] = field(default_factory=lambda: np.zeros(0, complex))
    own: dict[str, FloatArray] = field(default_factory=dict)
    pose: OperatingPose | None = None
    surfaces: Mapping[str, NDArray[np.complex64]] = field(default_factory=dict)
    operating_point: OperatingState | None = None

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @property
    def frequencies(self) -> FloatArray:
        """abs(s) / 2π [Hz], natural frequency without damping."""
        return np.abs(self.eigenvalues) / TWO_PI

    @property
    def damped_frequencies(self) -> FloatArray:
        """Im s / 2π [Hz], damped natural frequency."""
        return self.eigenvalues.imag / TWO_PI

    @property
    def damping_ratios(self) -> FloatArray:
        """ζ = −Re s / abs(s); 0 for rigid-body motions."""
        size, real = np.abs(self.eigenvalues), self.eigenvalues.real
        damped = np.abs(real) > 1e-13 * size  # less is rounding
        return np.where(damped, -real / np.where(damped, size, 1.0), 0.0)

    @property
    def stable(self) -> bool:
        """Whether no motion grows."""
        return not self.growing.size

    def of_kind(self, kind: str) -> FloatArray:
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
        from .linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot a chart of kinetic and strain energy in every mode; options as in `pitchline.views.plot_modes`."""
        return plotter("Modes")(self, path=path, **options)

    def plot_shape(self, number: int, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Draw the machine in the deflected state of a mode, numbered from 1; options as in `pitchline.views.plot_shape`."""
        return plotter("mode shape")(self, number, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the mode shapes in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def __str__(self) -> str:
        head = f'modes of model "{self.model_name}"'
        return "\n".join(
            [head, *reported(self.operating_point), self.table(), *(f"warning: {text}" for text in self.warnings)]
        )

    def __repr__(self) -> str:
        low = self.frequencies[self.rigid :]
        span = f"{low[0]:.6g} to {low[-1]:.6g} Hz" if low.size else "none that oscillates"
        return f"Modes({self.model_name!r}: {len(self)} modes, {self.rigid} of them rigid-body motions; {span})"
