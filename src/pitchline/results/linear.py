"""Linear models and their frequency response."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.operating_pose import OperatingPose
from pitchline.results.operating_state import OperatingState
from pitchline.results.plotter import plotter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FrequencyResponse", "LinearModel"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
TWO_PI = 2.0 * np.pi
CANCELS = 1e-6
"""Distance of a pole and a zero, relative to their size, at which they cancel."""
STANDS = 1e-7
"""Size of a pole or zero, relative to the largest, that counts as 0; a double pole is known only to the root of rounding."""

UNSEEN = 1e-10
"""Fraction of the effect of an input that an output and its derivatives do not observe."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class LinearModel:
    """Linear model x′ = A x + B u,  y = C x + D u, as arrays for scipy.signal, python-control and others.

    The states are free coordinates of the model and their rates. An input that prescribes a motion (a drive) is its
    acceleration; this motion and its rate are the last states.
    """

    A: Array  # (n, n)
    B: Array  # (n, inputs)
    C: Array  # (outputs, n)
    D: Array  # (outputs, inputs)
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    imposed: tuple[bool, ...] = ()
    """Whether each input is a prescribed acceleration."""
    warnings: tuple[str, ...] = ()
    """Warnings about the operating point, and about elements that do not act in a linear model."""
    operating_point: OperatingState | None = None
    """State about which the model was linearised, and the loaded flanks."""

    def poles(self) -> Complex:
        """Eigenvalues of A [1/s]."""
        return np.asarray(np.linalg.eigvals(self.A), complex)

    def at(self, frequencies: ArrayLike) -> Complex:
        """Transfer matrices (frequencies, outputs, inputs) at frequencies [Hz]: C (2 pi i f - A)^-1 B + D."""
        f = np.asarray(frequencies, float).ravel()
        eye = np.eye(len(self.A))
        parts = [self.C @ np.linalg.solve(2j * np.pi * x * eye - self.A, self.B) + self.D for x in f]
        return np.asarray(parts, complex).reshape(f.size, len(self.outputs), len(self.inputs))

    def to_scipy(self) -> Any:
        """Return the model as a scipy.signal.StateSpace."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    def zeros(self, output: str | int = 0, input: str | int = 0) -> Complex:
        """Transmission zeros from one input to one output [1/s]: det [A − s, B; C, D] = 0, hidden poles included."""
        i, j = self._index(output, self.outputs, "output"), self._index(input, self.inputs, "input")
        return _zeros(self.A, self.B[:, j], self.C[i], float(self.D[i, j]))

    def minimal(self, output: str | int = 0, input: str | int = 0) -> tuple[Complex, Complex]:
        """(poles, zeros) from one input to one output, without pairs that cancel each other."""
        return _cancelled(list(self.poles()), list(self.zeros(output, input)))

    def peaks(self, output: str | int = 0, input: str | int = 0) -> Array:
        """Angular frequencies [rad/s] of the oscillating poles that this input excites and this output sees, rising."""
        return _oscillating(self.minimal(output, input)[0])

    def dips(self, output: str | int = 0, input: str | int = 0) -> Array:
        """Angular frequencies [rad/s] of the oscillating zeros, rising."""
        return _oscillating(self.minimal(output, input)[1])

    @staticmethod
    def _index(which: str | int, names: tuple[str, ...], what: str) -> int:
        if isinstance(which, str):
            if which not in names:
                raise PitchlineError(f'no {what} "{which}"; this model has {", ".join(names)}')
            return names.index(which)
        if not 0 <= which < len(names):
            raise PitchlineError(f"no {what} {which}; this model has {len(names)}, counted from 0")
        return which


def _zeros(A: Array, b: Array, c: Array, d: float) -> Complex:
    """s at which x' = A x + b u, y = c x + d u has no output, by as many derivatives of y as it takes to see u.

    With h = c A^(r-1) b the first of d, c b, c A b, ... that is not zero, u = -c A^r x/h keeps y = 0 on {c x = c A x = ... = 0};
    zeros are the eigenvalues there. A pencil of all states would have r + 1 more at infinity, in one block that rounding tears
    apart.
    """
    import scipy.linalg as la

    T, (scale, _) = la.matrix_balance(A, permute=False, separate=True)
    size = float(np.abs(T).max(initial=0.0))
    b, c = b / scale, c * scale
    if not size or not np.any(b) or not np.any(c):
        return np.zeros(0, complex)
    T, d = T / size, d / float(size * np.linalg.norm(b) * np.linalg.norm(c))
    b, c = b / np.linalg.norm(b), c / np.linalg.norm(c)
    if abs(d) > UNSEEN:
        return np.sort_complex(size * np.linalg.eigvals(T - np.outer(b, c) / d))
    rows: list[Array] = []
    while len(rows) < len(T):
        rows.append(c)
        h, c = float(c @ b), c @ T
        if abs(h) > UNSEEN:
            Q = la.null_space(np.array(rows)) if len(rows) < len(T) else np.zeros((len(T), 0))
            return np.sort_complex(size * np.linalg.eigvals(Q.T @ (T - np.outer(b, c) / h) @ Q))
        length = float(np.linalg.norm(c))
        if length <= UNSEEN:
            break
        c = c / length
    return np.zeros(0, complex)


def _cancelled(poles: list[complex], zeros: list[complex]) -> tuple[Complex, Complex]:
    largest = max((abs(p) for p in poles), default=1.0)
    left = []
    for z in zeros:
        near = min(range(len(poles)), key=lambda k: abs(poles[k] - z), default=None)
        if near is not None and abs(poles[near] - z) <= CANCELS * max(abs(z), 1e-3 * largest):
            poles.pop(near)
        else:
            left.append(z)
    return np.array(poles, complex), np.array(left, complex)


def _oscillating(values: Complex) -> Array:
    size = np.abs(values)
    keep = (values.imag > 1e-6 * size) & (values.imag > STANDS * size.max(initial=0.0))
    return np.sort(size[keep])


def _ratio(above: str, below: str) -> str:
    """Text of one unit per another: rad and N*m give rad/(N*m), rad/s and N*m give rad/(s*N*m)."""
    if above == below:
        return ""
    if below in ("", "1"):
        return above
    top, _, under = (above or "1").partition("/")
    parts = [part.strip("()") for part in (under, below) if part]
    if "/" in below:
        return f"({above or '1'})/({below})"
    under = "*".join(parts)
    return f"{top}/({under})" if "*" in under else f"{top}/{under}"


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class FrequencyResponse:
    """Frequency response: outputs for each input, y = H(iω) u.

    Attributes
    ----------
    frequency : (m,) [Hz]
    response : (m, outputs, inputs) complex
        Output over input; for a drive the input is its motion, not its acceleration.
    linear : LinearModel
        The linear model: poles, zeros, matrices.
    pose : OperatingPose or None
        The model and the positions of its bodies at the operating point, for pictures of the shapes.
    shapes : (k, inputs, bodies, 6) complex64
        Operational deflection shapes at frequency[shapes_at] for one unit of each input: translation of the centres of mass [m]
        and rotation [rad], in world axes. At all frequencies, or at fewer if they would take more than 64 MB.
    shapes_at : (k,) int
        Indices of the frequencies with shapes.
    """

    kind: ClassVar[str] = "frequency response"
    model_name: str
    frequency: Array
    response: Complex
    linear: LinearModel
    warnings: tuple[str, ...] = field(default=())
    pose: OperatingPose | None = None
    shapes: NDArray[np.complex64] = field(default_factory=lambda: np.zeros((0, 0, 0, 6), np.complex64))
    shapes_at: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    @property
    def operating_point(self) -> OperatingState | None:
        """State about which the model was linearised, and the loaded flanks."""
        return self.linear.operating_point

    @property
    def inputs(self) -> tuple[str, ...]:
        return self.linear.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        return self.linear.outputs

    def between(self, output: str | int = 0, input: str | int = 0) -> Complex:
        """H from one input to one output (m,)."""
        index = self.linear._index
        return self.response[:, index(output, self.outputs, "output"), index(input, self.inputs, "input")]

    def unit(self, output: str | int = 0, input: str | int = 0) -> str:
        """Unit of H: of the output per unit of the input, such as "rad/(N*m)"; empty if they are equal."""
        linear = self.linear
        i, j = linear._index(output, self.outputs, "output"), linear._index(input, self.inputs, "input")
        above, below = linear.output_units[i], linear.input_units[j]
        if linear.imposed and linear.imposed[j]:  # H counts a drive by its motion
            below = below.removesuffix("/s^2")
        return _ratio(above, below)

    def magnitude(self, output: str | int = 0, input: str | int = 0) -> Array:
        """abs(H), in units of the output per unit of the input (m,)."""
        return np.abs(self.between(output, input))

    def decibels(self, output: str | int = 0, input: str | int = 0) -> Array:
        """20 lg abs(H) in those units (m,)."""
        return 20.0 * np.log10(np.maximum(self.magnitude(output, input), 1e-300))

    def phase(self, output: str | int = 0, input: str | int = 0) -> Array:
        """arg H, continuous over frequency [deg] (m,)."""
        H = self.between(output, input)
        # without damping H is real: an output opposite to its input lags by 180 degrees; rounding must not change the sign
        opposed = (H.real < 0.0) & (np.abs(H.imag) <= 1e-9 * np.abs(H.real))
        return np.degrees(np.unwrap(np.where(opposed, -np.pi, np.angle(H))))

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` reads. It is written completely or not at all. Errors are a
        `ResultFileError`.
        """
        from pitchline.results.linear_files import write_linear

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Bode plot: magnitude and phase over frequency; options as in `pitchline.views.plot_bode`."""
        return plotter("FrequencyResponse")(self, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the Bode plot and the motion of all bodies in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.disk.thing_viewer import thing_viewer

        return thing_viewer()(self, **options)

    def __repr__(self) -> str:
        f = self.frequency
        return (
            f"FrequencyResponse({self.model_name!r}: {', '.join(self.inputs)} -> {', '.join(self.outputs)}; "
            f"{f[0]:.6g} to {f[-1]:.6g} Hz, {len(f)} points)"
        )
