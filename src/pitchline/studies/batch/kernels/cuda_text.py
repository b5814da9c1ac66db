"""Kernels for CUDA: the same text, compiled by numba-cuda. Imported only if a GPU is requested."""

from __future__ import annotations

import functools
import hashlib
import linecache
import math
from typing import Any

import numpy as np

from ....errors import PitchlineError

__all__ = ["CudaError", "cuda_kernel", "cuda_module", "ptx"]

INSTALL = (
    'python -m pip install "pitchline[cuda13]" for drivers of CUDA 13, or "pitchline[cuda12]" for drivers of CUDA 12'
)


class CudaError(PitchlineError):
    """A GPU was requested, but it cannot be used."""


def cuda_module() -> Any:
    """numba.cuda of the package numba-cuda."""
    try:
        import numba_cuda
        from numba import cuda
    except ImportError as error:
        raise CudaError(f"batches on a GPU need the package numba-cuda ({error}). Install it with {INSTALL}") from error
    except AttributeError as error:  # numba-cuda up to 0.30 uses functions that numpy 2.5 does not have
        raise CudaError(
            f"numba-cuda {_version('numba-cuda')} does not work with numpy {np.__version__} ({error}). Install an earlier numpy: "
            'python -m pip install "numpy<2.5"'
        ) from error
    del numba_cuda
    return cuda


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@functools.lru_cache(maxsize=64)
def cuda_kernel(text: str) -> Any:
    """The function `run` of a text as a kernel."""
    return cuda_module().jit(_defined(text))


def _defined(text: str) -> Any:
    cuda = cuda_module()
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    file = f"<kernel of a batch {key}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": f"batch_kernel_{key}", "math": math, "np": np, "cuda": cuda}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return space["run"]


def ptx(text: str, uniform: int, capability: tuple[int, int] = (9, 0)) -> tuple[str, str]:
    """Assembler text of a kernel for a GPU with this compute capability, and the name of its function. uniform: count of numbers
    that are the same for all lanes."""
    from numba import types

    cuda = cuda_module()
    rows, row = types.float64[:, ::1], types.float64[::1]
    fixed = types.UniTuple(types.int64, 7), types.UniTuple(types.float64, 3)
    signature = types.void(*fixed, rows, rows, rows, rows, rows, types.UniTuple(types.float64, uniform), row, row, row)
    found = cuda.compile(_defined(text), signature, device=False, abi="numba", cc=capability)
    assembler = found[0]
    name = assembler.split(".visible .entry ", 1)[1].split("(", 1)[0].strip()
    return assembler, name
