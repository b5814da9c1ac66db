"""Linear models and frequency responses, and the files of modes, Campbell diagrams and responses.

Files of modes, Campbell diagrams and frequency responses: HDF5 with a seal at the end, as result files.

The seal (`base.storage.stored_array`) has a checksum of every array and of the head; pitchline reads the seal. Other programs
read the HDF5: arrays under the names of the attributes of the class, complex arrays with a last axis (real part, imaginary
part), and all other data as JSON in the attribute `head`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import StorageError, check_target
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.facades import plotter

from .file_content import text_form
from .modes import Campbell, Crossing, Modes, OperatingPose
from .part_quantities import OperatingState
from .result import Result
from .series import from_json, plain_data, to_json
from .status import ResultFileError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FrequencyResponse",
    "LinearModel",
    "LinearFinding",
    "is_linear",
    "load_found",
    "read_linear",
    "write_linear",
]


# ---- linear

# Linear models and their frequency response.

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

    A: FloatArray  # (n, n)
    B: FloatArray  # (n, inputs)
    C: FloatArray  # (outputs, n)
    D: FloatArray  # (outputs, inputs)
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

    def peaks(self, output: str | int = 0, input: str | int = 0) -> FloatArray:
        """Angular frequencies [rad/s] of the oscillating poles that this input excites and this output sees, rising."""
        return _oscillating(self.minimal(output, input)[0])

    def dips(self, output: str | int = 0, input: str | int = 0) -> FloatArray:
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


def _zeros(A: FloatArray, b: FloatArray, c: FloatArray, d: float) -> Complex:
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
    rows: list[FloatArray] = []
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


def _oscillating(values: Complex) -> FloatArray:
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
    frequency: FloatArray
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

    def magnitude(self, output: str | int = 0, input: str | int = 0) -> FloatArray:
        """abs(H), in units of the output per unit of the input (m,)."""
        return np.abs(self.between(output, input))

    def decibels(self, output: str | int = 0, input: str | int = 0) -> FloatArray:
        """20 lg abs(H) in those units (m,)."""
        return 20.0 * np.log10(np.maximum(self.magnitude(output, input), 1e-300))

    def phase(self, output: str | int = 0, input: str | int = 0) -> FloatArray:
        """arg H, continuous over frequency [deg] (m,)."""
        H = self.between(output, input)
        # without damping H is real: an output opposite to its input lags by 180 degrees; rounding must not change the sign
        opposed = (H.real < 0.0) & (np.abs(H.imag) <= 1e-9 * np.abs(H.real))
        return np.degrees(np.unwrap(np.where(opposed, -np.pi, np.angle(H))))

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write one file, which `pitchline.load` reads. It is written completely or not at all. Errors are a
        `ResultFileError`.
        """
        pass

        return write_linear(self, path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Bode plot: magnitude and phase over frequency; options as in `pitchline.views.plot_bode`."""
        return plotter("FrequencyResponse")(self, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the Bode plot and the motion of all bodies in the viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def __repr__(self) -> str:
        f = self.frequency
        return (
            f"FrequencyResponse({self.model_name!r}: {', '.join(self.inputs)} -> {', '.join(self.outputs)}; "
            f"{f[0]:.6g} to {f[-1]:.6g} Hz, {len(f)} points)"
        )


LinearFinding = Modes | Campbell | FrequencyResponse
KIND = "pitchline linear analysis"
FORMAT = 1
_Arrays = dict[str, NDArray[Any]]


# --- writing -----------------------------------------------------------------------------------------


def write_linear(found: LinearFinding, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write it to `path`, completely or not at all."""
    head, arrays = _content(found)
    head = {
        "format": FORMAT,
        "kind": found.kind,
        "model_name": found.model_name,
        "warnings": list(found.warnings),
        "operating_point": None if found.operating_point is None else found.operating_point.plain(),
    } | head
    if found.pose is not None:
        head |= {"model": found.pose.model, "bodies": list(found.pose.bodies), "surfaces": list(found.pose.surfaces)}
        arrays |= {
            "positions": found.pose.positions,
            "orientations": found.pose.orientations,
            "centres": found.pose.centres,
        }
        for k, (points, triangles) in enumerate(found.pose.surfaces.values()):
            arrays |= {f"surface_{k}_points": points, f"surface_{k}_triangles": triangles}
    text = text_form(to_json(plain_data(head)))
    try:
        check_target(Path(path).expanduser(), overwrite=overwrite)
        with hdf5_image() as image:
            import h5py

            raw = text.encode()
            image.file.attrs.create("head", np.array(raw), dtype=h5py.string_dtype("utf-8", len(raw)))
            for key, values in arrays.items():
                plain = np.ascontiguousarray(_parts(values) if np.iscomplexobj(values) else values)
                # netCDF knows a length of zero only for a dimension that may grow
                empty = {
                    "maxshape": tuple(n or None for n in plain.shape),
                    "chunks": tuple(n or 1 for n in plain.shape),
                }
                image.array(image.file, key, plain, key=key, **({} if plain.size else empty))
            return image.write(path, KIND, {"head": text}, overwrite=overwrite)
    except StorageError as error:
        raise ResultFileError(str(error)) from error


def _parts(values: NDArray[Any]) -> NDArray[Any]:
    """Real and imaginary parts along a last axis."""
    return np.stack([values.real, values.imag], axis=-1)


def _content(found: LinearFinding) -> tuple[dict[str, Any], _Arrays]:
    """Content of one of them except name, warnings and pose."""
    if isinstance(found, Modes):
        head: dict[str, Any] = {
            "mode_bodies": found.bodies, "kinds": found.kinds, "descriptions": found.descriptions, "rigid": found.rigid,
            "strain_names": list(found.strain), "own_names": list(found.own),
        }  # fmt: skip
        n = len(found)
        head["moving_surfaces"] = list(found.surfaces)
        return head, {f"surface_{k}_motion": motion for k, motion in enumerate(found.surfaces.values())} | {
            "eigenvalues": found.eigenvalues, "shapes": found.shapes, "kinetic": found.kinetic,
            "multiplicity": found.multiplicity, "decaying": found.decaying, "growing": found.growing,
            "strain": np.array(list(found.strain.values())).reshape(-1, n),
            "own": np.array(list(found.own.values())).reshape(-1, n),
        }  # fmt: skip
    if isinstance(found, Campbell):
        head = {
            "shaft": found.shaft, "orders": found.orders, "crossings": [list(c) for c in found.crossings], "kinds": found.kinds,
        }  # fmt: skip
        names = (
            "speeds", "frequencies", "damping_ratios", "whirl", "critical_forward", "critical_backward", "shapes", "shapes_at",
        )  # fmt: skip
        return head, {name: getattr(found, name) for name in names}
    linear = found.linear
    head = {name: getattr(linear, name) for name in ("inputs", "outputs", "input_units", "output_units", "imposed")}
    arrays = {name: getattr(found, name) for name in ("frequency", "response", "shapes", "shapes_at")}
    return head, arrays | {name: getattr(linear, name) for name in "ABCD"}


# --- reading -----------------------------------------------------------------------------------------


def is_linear(path: str | Path) -> bool:
    """Whether a file is one of modes, of a Campbell diagram or of a frequency response."""
    source = Path(path).expanduser()
    try:
        if not source.is_file() or not has_seal(source):
            return False
        with source.open("rb") as stream:
            return Sealed(stream, str(source)).kind == KIND
    except (OSError, StorageError):
        return False  # the reader reports what is wrong with it


def load_found(path: str | Path, **options: Any) -> Result | LinearFinding:
    """Read the result of any analysis from a file. options: of `Result.load`."""
    return read_linear(path) if is_linear(path) else Result.load(path, **options)


def read_linear(path: str | Path) -> LinearFinding:
    """Read modes, a Campbell diagram or a frequency response. If the file or its content is wrong, the error is a
    ResultFileError that names it.
    """
    source = Path(path).expanduser()
    called = f'"{source}"'
    try:
        with source.open("rb") as stream:
            return _of_seal(Sealed(stream, called), called)
    except OSError as error:
        raise ResultFileError(f"cannot read {called}: {error.strerror or error}") from error
    except ResultFileError:
        raise
    except StorageError as error:
        raise ResultFileError(str(error)) from error
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"{called} is damaged, or not as pitchline writes it: {reason}") from error


def _of_seal(sealed: Sealed, called: str) -> LinearFinding:
    if sealed.kind != KIND:
        raise ResultFileError(
            f"{called} is not a file of modes, Campbell diagrams or frequency responses: it is a {sealed.kind:.40}"
        )
    head = from_json(_text(sealed.head["head"], "head"))
    if head["format"] != FORMAT:
        raise ResultFileError(
            f"{called} has format {head['format']!r:.40}, this version of pitchline reads format {FORMAT}: update to read it"
        )
    if head["kind"] not in _READERS:
        raise ValueError(f"it holds {head['kind']!r:.40}, which is not known")
    return _READERS[head["kind"]](head, {key: sealed.array(key) for key in sealed.entries})


class _LinearArrays:
    """Arrays of a file with the shapes that they must have."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    def real(self, key: str, *shape: int, kind: type = np.float64) -> NDArray[Any]:
        """-1: any length."""
        array = self.arrays[key]
        fits = array.ndim == len(shape) and all(n in (-1, m) for n, m in zip(shape, array.shape, strict=True))
        if array.dtype != kind or not fits:
            raise ValueError(f'"{key}" has type {array.dtype} and shape {array.shape}')
        return array

    def complex(self, key: str, *shape: int, kind: type = np.float64) -> NDArray[Any]:
        parts = self.real(key, *shape, 2, kind=kind)
        found = np.empty(parts.shape[:-1], np.complex64 if kind is np.float32 else np.complex128)
        found.real, found.imag = parts[..., 0], parts[..., 1]
        return found


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f'"{name}" is not a text')
    return value


def _texts(head: Mapping[str, Any], key: str, count: int | None = None) -> tuple[str, ...]:
    texts = tuple(_text(item, key) for item in head[key])
    if count is not None and len(texts) != count:
        raise ValueError(f'"{key}" has {len(texts)} entries, not {count}')
    return texts


def _pose(head: Mapping[str, Any], read: _LinearArrays) -> OperatingPose | None:
    if "model" not in head:
        return None
    if not isinstance(head["model"], dict):
        raise ValueError('"model" is not a table')
    bodies = _texts(head, "bodies")
    b = len(bodies)
    surfaces = {}
    for k, name in enumerate(_texts(head, "surfaces")):
        points, triangles = (
            read.real(f"surface_{k}_points", -1, 3),
            read.real(f"surface_{k}_triangles", -1, 3, kind=np.int64),
        )
        if triangles.size and (triangles.min() < 0 or triangles.max() >= len(points)):
            raise ValueError(f'triangles of "{name}" count beyond its points')
        surfaces[name] = (points, triangles)
    return OperatingPose(
        head["model"],
        bodies,
        read.real("positions", b, 3),
        read.real("orientations", b, 4),
        read.real("centres", b, 3),
        surfaces,
    )


def _modes(head: dict[str, Any], arrays: _Arrays) -> Modes:
    read = _LinearArrays(arrays)
    values = read.complex("eigenvalues", -1)
    n, bodies = len(values), _texts(head, "mode_bodies")
    strain, own = _texts(head, "strain_names"), _texts(head, "own_names")
    pose = _pose(head, read)
    surfaces = {
        name: read.complex(f"surface_{k}_motion", -1, len(pose.surfaces[name][0]) if pose else -1, 3, kind=np.float32)
        for k, name in enumerate(_texts(head, "moving_surfaces"))
    }
    return Modes(
        model_name=_text(head["model_name"], "model_name"),
        bodies=bodies,
        eigenvalues=values,
        shapes=read.complex("shapes", n, len(bodies), 6),
        kinetic=read.real("kinetic", n, len(bodies), 3),
        strain=dict(zip(strain, read.real("strain", len(strain), n), strict=True)),
        multiplicity=read.real("multiplicity", n, kind=np.int64),
        kinds=_texts(head, "kinds", n),
        descriptions=_texts(head, "descriptions", n),
        rigid=int(head["rigid"]),
        decaying=read.real("decaying", -1),
        warnings=_texts(head, "warnings"),
        growing=read.complex("growing", -1),
        own=dict(zip(own, read.real("own", len(own), n), strict=True)),
        pose=pose,
        surfaces=surfaces,
        operating_point=OperatingState.read(head.get("operating_point")),
    )


def _campbell(head: dict[str, Any], arrays: _Arrays) -> Campbell:
    read, pose = _LinearArrays(arrays), _pose(head, _LinearArrays(arrays))
    speeds = read.real("speeds", -1)
    m, kinds = len(speeds), _texts(head, "kinds")
    n, at = len(kinds), read.real("shapes_at", -1, kind=np.int64)
    return Campbell(
        model_name=_text(head["model_name"], "model_name"),
        shaft=_text(head["shaft"], "shaft"),
        speeds=speeds,
        frequencies=read.real("frequencies", m, n),
        damping_ratios=read.real("damping_ratios", m, n),
        orders={str(name): float(order) for name, order in head["orders"].items()},
        crossings=tuple(
            Crossing(_text(order, "order"), int(mode), float(speed), float(frequency), float(whirl))
            for order, mode, speed, frequency, whirl in head["crossings"]
        ),
        kinds=kinds,
        whirl=read.real("whirl", m, n),
        critical_forward=read.real("critical_forward", -1),
        critical_backward=read.real("critical_backward", -1),
        warnings=_texts(head, "warnings"),
        pose=pose,
        shapes=_shapes(read, at, n, m, pose),
        shapes_at=at,
        operating_point=OperatingState.read(head.get("operating_point")),
    )


def _shapes(
    read: _LinearArrays, at: NDArray[np.int64], columns: int, rows: int, pose: OperatingPose | None
) -> NDArray[np.complex64]:
    """Shapes at some of `rows` speeds or frequencies."""
    if at.size and (at.min() < 0 or at.max() >= rows):
        raise ValueError('"shapes_at" counts beyond what is there')
    if not at.size:
        return read.complex("shapes", 0, -1, -1, 6, kind=np.float32)
    return read.complex("shapes", len(at), columns, len(pose.bodies) if pose else -1, 6, kind=np.float32)


def _response(head: dict[str, Any], arrays: _Arrays) -> FrequencyResponse:
    read, pose = _LinearArrays(arrays), _pose(head, _LinearArrays(arrays))
    inputs, outputs = _texts(head, "inputs"), _texts(head, "outputs")
    i, o = len(inputs), len(outputs)
    A = read.real("A", -1, -1)
    states = len(A)
    frequency, at = read.real("frequency", -1), read.real("shapes_at", -1, kind=np.int64)
    linear = LinearModel(
        A=read.real("A", states, states), B=read.real("B", states, i), C=read.real("C", o, states), D=read.real("D", o, i),
        inputs=inputs, outputs=outputs, input_units=_texts(head, "input_units", i), output_units=_texts(head, "output_units", o),
        imposed=tuple(bool(item) for item in head["imposed"]), operating_point=OperatingState.read(head.get("operating_point")),
    )  # fmt: skip
    return FrequencyResponse(
        model_name=_text(head["model_name"], "model_name"),
        frequency=frequency,
        response=read.complex("response", len(frequency), o, i),
        linear=linear,
        warnings=_texts(head, "warnings"),
        pose=pose,
        shapes=_shapes(read, at, i, len(frequency), pose),
        shapes_at=at,
    )


_READERS: dict[str, Callable[[dict[str, Any], _Arrays], LinearFinding]] = {
    Modes.kind: _modes, Campbell.kind: _campbell, FrequencyResponse.kind: _response,
}  # fmt: skip
