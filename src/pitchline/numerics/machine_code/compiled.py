"""Compilation of functions: three decorators, and one location for compiled code.

`leaf` and `entry` compile a function exactly for the types of its annotations. Without a signature numba would compile it
again for every literal index or constant in its calls. `kernel` is for the kernels of elements.

Compile time depends on: entry points from Python; depth, because the code of a function is optimised again inside each of its
callers (therefore large functions call each other by address, see `calling`); and arguments: a named tuple of thirty arrays is
unpacked and reference-counted at every call (therefore few, pooled arrays, passed separately).

The machine code is stored in files named after the content of the function and of all functions that it calls (see
`code_cache`): numba itself detects a change in the file of a function, but not in a leaf from another file.
"""

import functools
import os
import pathlib
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import types
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu_options import FastMathOptions

from pitchline.base.progress.display import current, stage

from .code_cache import CodeCache, named_by_content
from .helper import compiled_for

if TYPE_CHECKING:
    F8 = float
    I8 = int
    V2 = tuple[float, float]
    V3 = tuple[float, float, float]
    V4 = tuple[float, float, float, float]
    M9 = tuple[float, float, float, float, float, float, float, float, float]
    A1 = np.ndarray
    A2 = np.ndarray
    A3 = np.ndarray
    I1 = np.ndarray
    I2 = np.ndarray
    U1 = np.ndarray
    U2 = np.ndarray
    B1 = bool
else:
    F8 = types.float64
    I8 = types.int64
    V2 = types.UniTuple(F8, 2)
    V3 = types.UniTuple(F8, 3)
    """A 3-vector. Tuples are kept in registers: a cross product takes 2 ns, with arrays 20 ns."""
    V4 = types.UniTuple(F8, 4)
    """A unit quaternion (w, x, y, z)."""
    M9 = types.UniTuple(F8, 9)
    """A 3x3 matrix, row-major."""
    A1 = F8[::1]
    A2 = F8[:, ::1]
    A3 = F8[:, :, ::1]
    I1 = types.int64[::1]
    I2 = types.int64[:, ::1]
    U1 = types.uint32[::1]
    """Indices in hot loops: half the memory, and no check for negative values."""
    U2 = types.uint32[:, ::1]
    B1 = types.boolean

COMPILED_PACKAGES = ("numerics", "fem", "contact", "engine", "parts")


def cache_directory() -> pathlib.Path:
    """Folder of the compiled code: $PITCHLINE_CACHE_DIR, or `pitchline` in the user's cache folder."""
    given = os.environ.get("PITCHLINE_CACHE_DIR")
    if given:
        base = pathlib.Path(given)
    else:
        base = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "pitchline"
    return base / "code"


_CACHE = cache_directory().absolute()
FUNCTIONS: weakref.WeakSet[Any] = weakref.WeakSet()
"""All compiled functions of the imported modules. Those with a `signature` can be compiled before their use."""


class VectorCompiler(Compiler):
    """numba's compiler for loops that become vectors: array arguments do not overlap in memory, and a product and a sum may
    become one operation with one rounding. The key of the code includes the name of this class."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags.noalias = True
        self.state.flags.fastmath = FastMathOptions({"contract"})


def _compile(
    function: Callable[..., Any],
    *,
    from_python: bool,
    inline: bool = False,
    unlocked: bool = False,
    vectors: bool = False,
) -> Any:
    """numba's njit with the files of compiled code of this package."""
    njit: Any = numba.njit
    ways_in: dict[str, Any] = {"no_cpython_wrapper": not from_python, "no_cfunc_wrapper": True, "nogil": unlocked}
    if vectors:
        ways_in |= {"pipeline_class": VectorCompiler}
    dispatcher = njit(error_model="numpy", _nrt=False, forceinline=inline, **ways_in)(function)
    if hasattr(dispatcher, "compile"):  # with NUMBA_DISABLE_JIT the function itself is returned
        dispatcher._cache = CodeCache(dispatcher, _CACHE)
        FUNCTIONS.add(dispatcher)
        ours = function.__module__.partition(".")[0] == __name__.partition(".")[0]
        dispatcher._compiler.compile = _told(named_by_content(dispatcher), ours)
    return dispatcher


_depth = 0
"""Depth of functions that are compiled because others call them; protected by numba's lock."""
_began = 0.0
"""Start time of the first of them."""
_count = 0
"""Number of functions that this process has compiled."""
COMPILING = "compiling the engine for this machine, once"
"""Title of the stage."""


def _told(compiler: Callable[..., Any], ours: bool) -> Callable[..., Any]:
    """numba's compiler of a function, as a stage of the run. It is not used if the code is loaded from a file.

    ours: function of this package, which another process can help to compile.
    """

    def compiled(*args: Any) -> Any:
        global _depth, _began, _count
        _count += 1
        if _depth:
            if current().repeated:
                current().detail = f"function {_count}"
            if ours:
                compiled_for(time.perf_counter() - _began, _CACHE, still=True)
            return compiler(*args)
        _depth, _began = 1, time.perf_counter()
        try:
            if current().title == COMPILING:  # the whole engine is compiled: the caller reports the progress
                return compiler(*args)
            with stage(COMPILING, implied=True, repeated=True):
                return compiler(*args)
        finally:
            _depth = 0
            if ours:
                compiled_for(time.perf_counter() - _began, _CACHE)

    return compiled


def compile_for(dispatcher: Any, signature: Any) -> None:
    """Compile the function, or load it from its file, if necessary. One thread at a time; the others wait."""
    if signature.args in dispatcher.overloads:
        return
    with global_compiler_lock:
        if signature.args not in dispatcher.overloads:
            dispatcher.compile(signature)


def _annotated(
    function: Callable[..., Any],
    *,
    from_python: bool,
    inline: bool = False,
    unlocked: bool = False,
    vectors: bool = False,
) -> Any:
    """Compile only for the annotated types, when the first compiled caller needs it.

    Callers from the cache already contain their leaves: then nothing is compiled or loaded.
    """
    annotations = dict(function.__annotations__)
    returned = annotations.pop("return", None)
    signature = (types.void if returned is None else returned)(*annotations.values())
    dispatcher = _compile(function, from_python=from_python, inline=inline, unlocked=unlocked, vectors=vectors)
    template_for = dispatcher.get_call_template

    def compile_once() -> None:
        compile_for(dispatcher, signature)
        dispatcher.disable_compile()  # other types are an error, not another compilation

    def template(args: Any, kws: Any) -> Any:
        compile_once()
        return template_for(args, kws)

    def first_call(*args: Any, **kws: Any) -> Any:
        compile_once()
        return dispatcher  # numba calls the result again, so that the types of the arguments are checked

    dispatcher.get_call_template = template
    dispatcher._compile_for_args = first_call
    dispatcher.signature = signature
    return functools.wraps(function)(dispatcher)


def leaf(function: Callable[..., Any]) -> Any:
    """Small function, compiled into each of its callers (a call with matrices and arrays takes longer than the leaf)."""
    return _annotated(function, from_python=False, inline=True)


def block(function: Callable[..., Any]) -> Any:
    """Larger function for compiled callers only (an entry point from Python would double its compile time)."""
    return _annotated(function, from_python=False)


def entry(function: Callable[..., Any]) -> Any:
    """Compiled for the annotated types, for callers in compiled code and in Python."""
    return _annotated(function, from_python=True)


def unlocked_entry(function: Callable[..., Any]) -> Any:
    """As `entry`, without Python's lock while it runs: threads run in parallel in it, each with its own arrays."""
    return _annotated(function, from_python=True, unlocked=True)


def vector_entry(function: Callable[..., Any]) -> Any:
    """As `unlocked_entry`, for loops that become vectors; see `VectorCompiler`."""
    return _annotated(function, from_python=True, unlocked=True, vectors=True)


def vector_block(function: Callable[..., Any]) -> Any:
    """As `block`, for callers that are a `vector_entry`."""
    return _annotated(function, from_python=False, unlocked=True, vectors=True)


def kernel(function: Callable[..., Any]) -> Any:
    """Kernel of an element: compiled for the one signature of kernels, called by address."""
    return _compile(function, from_python=False)
