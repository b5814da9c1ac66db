"""Kernels for CUDA, and small pieces of text: sums, products, signs.

Kernels for CUDA: the text of `LaneFrame`, compiled by numba. numba.cuda is imported only if a GPU is requested.

numba stores the code of functions that are in files. Therefore the text is a file in the folder of compiled code, with a name from
its content, and another process loads the code.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import linecache
import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.storage.free_names import StorageError, write_text
from pitchline.errors import ModelError, PitchlineError, near_names
from pitchline.numerics.machine_code.compiled import (
    A1,
    A2,
    F8,
    I1,
    I8,
    cache_directory,
    compile_for,
    vector_block,
    vector_entry,
)

__all__ = [
    "compiled",
    "load",
    "CUBIC_NAMES",
    "ESTIMATE",
    "KEEP",
    "ROOT",
    "CudaError",
    "cuda_kernel",
    "cuda_module",
    "ptx",
    "usable_cuda",
    "MESH",
    "MESH_SIGNALS",
    "ROTOR",
    "ROTOR_SIGNALS",
    "TURNED",
    "LaneSignal",
    "indented",
    "minus",
    "product",
    "total",
]


# ---- compiled text

# Functions of generated source text, compiled once: the machine code is in the folder of compiled code of pitchline.
#
# The key of machine code is the content of its function (`numerics.machine_code.content`). Therefore another process that generates
# the same text loads the code, and the text needs no file. Tracebacks and messages of the compiler find its lines by
# `linecache`.

_lock = threading.Lock()
_known: dict[str, Any] = {}


def compiled(text: str) -> Any:
    """The function `run` of a text, for calls from Python; other functions in the text are for `run` only."""
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    with _lock:
        if key not in _known:
            _known[key] = _defined(text, key)
        return _known[key]


def load(function: Any) -> None:
    """Compile a function, or load its code."""
    compile_for(function, function.signature)


def _defined(text: str, key: str) -> Any:
    file = f"<kernel of a batch {key}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": f"batch_kernel_{key}", "math": math, "np": np}
    space |= {"A1": A1, "A2": A2, "I1": I1, "I8": I8, "F8": F8, "inner": vector_block}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return vector_entry(space["run"])


# ---- cubic zero

# First zero of a cubic in 0 .. 1 from its values `left`, `right` and slopes `rise`, `fall` at both ends: text.
#
# `left` is not negative; the residual of an earlier zero counts as zero. There is a zero if the cubic is negative at
# the end, or at a minimum on the way to it. ESTIMATE gives x, nearly this zero (2 without one), so that the first of
# several events can be chosen. KEEP keeps its cubic, and ROOT then computes its zero `soonest`.

ITERATIONS = 60
"""Five are enough, except where bisection is necessary."""

_PARTS = ("left", "rise", "bend", "twist", "high")
CUBIC_NAMES = ("soonest", "x", "right", "fall", *_PARTS, *(f"{name}_of_first" for name in _PARTS))
"""Variables of these texts that need a value before."""

_VALUE, _SLOPE = "(left + {0}*(rise + {0}*(bend + {0}*twist)))", "(rise + {0}*(2.0*bend + 3.0*{0}*twist))"
ESTIMATE = [
    "x = 2.0",
    "if right < 0.0 or (rise < 0.0 and fall > 0.0):",
    "    bend = 3.0*(right - left) - 2.0*rise - fall",
    "    twist = rise + fall - 2.0*(right - left)",
    "    high = 1.0",
    "    low = 0.0",
    "    if rise < 0.0 and bend*bend > 3.0*twist*rise:",
    "        turn = bend + math.sqrt(bend*bend - 3.0*twist*rise)",
    "        if turn > -rise:",  # a minimum inside
    f"            low = {_VALUE.format('(-rise/turn)')}",
    "            high = -rise/turn if low < 0.0 else 1.0",
    "    if low < 0.0:",
    "        x = high*(1.0 - math.sqrt(low/(low - left)))",
    "    elif right < 0.0:",
    "        x = left/(left - right)",
    "        if rise > 0.0:",  # from the right: `left` itself may be a zero, that of an earlier event
    "            x = max(1.0 - right/fall, 0.5) if fall < 0.0 else 0.5",
    f"        better = x - {_VALUE.format('x')}/{_SLOPE.format('x')}",
    "        x = better if better > 0.0 and better < 1.0 else x",
]
KEEP = [f"{name}_of_first = {name}" for name in _PARTS]
ROOT = [
    *(f"{name} = {name}_of_first" for name in _PARTS),
    "low = 0.0",
    "if left == 0.0 and rise <= 0.0:",
    "    soonest = 0.0",
    "else:",
    f"    for iteration in range({ITERATIONS}):",
    f"        value = {_VALUE.format('soonest')}",
    "        if value < 0.0:",
    "            high = soonest",
    "        else:",
    "            low = soonest",
    f"        change = value/{_SLOPE.format('soonest')}",
    "        x = soonest - change",
    "        if abs(change) < 1e-7:",  # the error is now the square of it
    "            soonest = x",
    "            break",
    "        soonest = x if x > low and x < high else 0.5*(low + high)",
]


HEAD = "import math\n\nimport numpy as np\nfrom numba import cuda\n\n\n"
INSTALL = 'python -m pip install "pitchline[cuda]", or "pitchline[cuda12]" for drivers of CUDA 12'


class CudaError(PitchlineError):
    """A GPU was requested, but it cannot be used."""


def cuda_module() -> Any:
    """numba.cuda: that of the package numba-cuda, if it is installed."""
    try:
        from numba import cuda
    except ImportError as error:
        raise CudaError(f"batches on a GPU need the package numba-cuda ({error}). Install it: {INSTALL}") from error
    except AttributeError as error:  # numba-cuda up to 0.30 uses functions that numpy 2.5 does not have
        raise CudaError(
            f"numba.cuda does not work with numpy {np.__version__} ({error}). Install an earlier numpy: "
            'python -m pip install "numpy<2.5"'
        ) from error
    return cuda


def usable_cuda() -> Any:
    """numba.cuda with a GPU. CudaError, with the reason, if there is none."""
    cuda = cuda_module()
    if not cuda.is_available():
        reason = getattr(cuda, "cuda_error", lambda: None)()
        raise CudaError(
            f"no GPU is found for batches{f' ({_line(reason)})' if reason else ''}. A GPU of NVIDIA, its driver and the package "
            f'numba-cuda are needed: {INSTALL}. Otherwise use device="cpu"'
        )
    return cuda


def _line(reason: object) -> str:
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return " ".join(lines)[:200]


@functools.lru_cache(maxsize=64)
def cuda_kernel(text: str) -> Any:
    """The function `run` of a text as a kernel."""
    cuda = cuda_module()
    try:
        return cuda.jit(cache=True)(_imported(text))
    except (OSError, RuntimeError, StorageError):  # a folder that cannot be written: compiled in every process
        return cuda.jit(_defined_cuda_text(text))


def _name(text: str) -> str:
    return f"batch_kernel_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _imported(text: str) -> Any:
    """The function of a text, from a file in the folder of compiled code."""
    name = _name(text)
    path = cache_directory() / "cuda" / f"{name}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, HEAD + text, overwrite=True)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OSError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run


def _defined_cuda_text(text: str) -> Any:
    name = _name(text)
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": name, "math": math, "np": np, "cuda": cuda_module()}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return space["run"]


def ptx(text: str, uniform: int, capability: tuple[int, int] = (9, 0)) -> tuple[str, str]:
    """Assembler text of a kernel for a GPU of this compute capability, and the name of its function. This needs the compiler of
    CUDA, but not a GPU. uniform: count of the numbers that are the same for all lanes."""
    from numba import types

    cuda = cuda_module()
    rows, row = types.float64[:, ::1], types.float64[::1]
    fixed = types.UniTuple(types.int64, 7), types.UniTuple(types.float64, 3)
    numbers = types.UniTuple(types.float64, max(uniform, 1))
    signature = types.void(*fixed, rows, rows, rows, rows, rows, numbers, row, row, row)
    found = cuda.compile(_defined_cuda_text(text), signature, device=False, abi="numba", cc=capability)
    assembler = str(found[0])
    name = assembler.split(".visible .entry ", 1)[1].split("(", 1)[0].strip()
    return assembler, name


# ---- lane signal

# LaneSignal: a signal of a batch that is reduced, and how.

MESH, ROTOR = "mesh", "rotor"
TURNED = ("normal_force", "transmission_error", "deflection")
"""Signals of a mesh that refer to the loaded flank."""
MESH_SIGNALS = ("signed_force", *TURNED, "approach", "contact")
ROTOR_SIGNALS = ("angle", "speed")


@dataclass(frozen=True)
class LaneSignal:
    """Signal that is reduced: of a mesh or of a rotor.

    kind : "mesh" or "rotor". index : which one. name : of the signal. orders : multiples of the base cycle whose amplitude and
    phase are computed. extremes, mean, rms : whether they are.

    Signals of a mesh are those of `pl.dynamics`, `approach` without the offset of the law. Signals of a rotor are its deviation
    from steady rolling (angle) and the rate of it (speed).
    """

    kind: str
    index: int
    name: str
    orders: tuple[int, ...] = ()
    extremes: bool = True
    mean: bool = True
    rms: bool = True

    def __post_init__(self) -> None:
        names = {MESH: MESH_SIGNALS, ROTOR: ROTOR_SIGNALS}
        if self.kind not in names:
            raise ModelError(f'signal of a batch: kind must be "mesh" or "rotor", got "{self.kind}"')
        if self.name not in names[self.kind]:
            near = near_names(self.name, names[self.kind])
            raise ModelError(f'signal of a {self.kind} of a batch: unknown name "{self.name}"; {near}')
        if any(h < 1 or h != int(h) for h in self.orders):
            raise ModelError(f"signal {self.name} of a batch: orders must be whole numbers from 1, got {self.orders}")


# ---- text

# Parts of source text: products, sums and indented lines. An empty text stands for zero.


def product(*factors: str) -> str:
    """Product; empty if a factor is."""
    if not all(factors):
        return ""
    return "*".join(f"({factor})" if " + " in factor or " - " in factor else factor for factor in factors)


def total(terms: Iterable[str], otherwise: str = "") -> str:
    """Sum of the terms that are not empty."""
    return " + ".join(term for term in terms if term) or otherwise


def minus(term: str) -> str:
    """The negative of a product."""
    return f"-{term}" if term else ""


def indented(lines: Iterable[str], depth: int) -> list[str]:
    """Lines at a depth."""
    return ["    " * depth + line for line in lines]
