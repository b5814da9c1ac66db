"""Kernels for CUDA: the text of `lane_frame`, compiled by numba. numba.cuda is imported only if a GPU is requested.

numba stores the code of functions that are in files. Therefore the text is a file in the folder of compiled code, with a name from
its content, and another process loads the code.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import linecache
import math
from typing import Any

import numpy as np

from ....disk.atomic import write_text
from ....disk.errors import StorageError
from ....errors import PitchlineError
from ....math.compiled import cache_directory

__all__ = ["CudaError", "cuda_kernel", "cuda_module", "ptx", "usable_cuda"]

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
        return cuda.jit(_defined(text))


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


def _defined(text: str) -> Any:
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
    found = cuda.compile(_defined(text), signature, device=False, abi="numba", cc=capability)
    assembler = str(found[0])
    name = assembler.split(".visible .entry ", 1)[1].split("(", 1)[0].strip()
    return assembler, name
