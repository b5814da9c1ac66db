"""Object files of an FMU without Python: memory of compiled records, machine code, compiler and linker.

Memory of compiled records as one relocatable block of bytes.

Records for compiled code contain addresses: of other records, of arrays and of compiled functions. From the address of the
first record, all arrays that it reaches are collected into one block, in which addresses are offsets. A process that loads the
block adds its start to the integers at `relocations`, and writes the addresses of functions to those at `functions`.

An address is an integer of eight bytes that lies within an array that one of the given objects keeps. Integers that lie in
mapped memory of the process, but in none of these arrays, are addresses that cannot be moved: they are refused.
"""

import bisect
import contextlib
import hashlib
import importlib.metadata
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import llvmlite
import numpy as np
from llvmlite import binding as llvm

from pitchline.numerics.machine_code.code_cache import UNUSED_DAYS
from pitchline.numerics.machine_code.compiled import cache_directory, compile_for

from ..safe_xml import ExchangeError

__all__ = [
    "SOURCES",
    "compiler_command",
    "link",
    "needed_c_library",
    "PROCESSORS",
    "code_of",
    "code_of_law",
    "emit_object",
    "MemoryImage",
    "MovedBlock",
    "UnknownAddress",
    "arrays_of",
    "collect",
]


# ---- linking

# Linking: object files and our C sources into one shared library that needs the C library and its mathematics only.

SOURCES = pathlib.Path(__file__).with_name("c")
_OPTIONS = ["-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off"]
_LINKER = ["-Wl,-z,defs", "-Wl,--as-needed", "-Wl,-z,noexecstack", "-s"]
LONGEST = 300.0
"""Time after which a compiler that does not end is stopped [s]."""


def compiler_command() -> list[str]:
    """The C compiler of this machine: $CC, cc, or that of the package ziglang."""
    given = os.environ.get("CC", "").split()
    if given and shutil.which(given[0]):
        return given
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if _has_zig():
        return [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu.2.17"]
    raise ExchangeError(
        "an FMU without Python is linked by a C compiler, and this machine has none: install one (package gcc or clang of the "
        'system), or pip install "pitchline[fmu-build]"'
    )


def _has_zig() -> bool:
    try:
        return bool(importlib.metadata.version("ziglang"))
    except importlib.metadata.PackageNotFoundError:
        return False


def link(objects: dict[str, bytes], name: str) -> bytes:
    """Shared library from object files by name, and the C sources of this package. name: file of the library."""
    command = compiler_command()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        files = []
        for called, content in objects.items():
            files.append(str(place / f"{called}.o"))
            (place / f"{called}.o").write_bytes(content)
        made, exported = place / name, place / "exported"
        exported.write_text(
            "{ global: fmi2*; fmi3*; local: *; };\n"
        )  # so that FMUs in one process do not share functions
        sources = sorted(str(file) for file in SOURCES.glob("*.c"))
        run = [*command, *_OPTIONS, "-o", str(made), *sources, *files, *_LINKER, f"-Wl,--version-script={exported}",
               f"-Wl,-soname,{name}", "-lm"]  # fmt: skip
        try:
            done = subprocess.run(run, capture_output=True, text=True, timeout=LONGEST, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ExchangeError(f"the C compiler {command[0]} could not be run: {error}") from None
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise ExchangeError(f"the C compiler {command[0]} failed to link the FMU: {' '.join(lines[:3])[:600]}")
        return made.read_bytes()


def needed_c_library(library: bytes) -> str:
    """Smallest version of the GNU C library that a shared library needs, such as "2.29"; empty if it names none."""
    found = {tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBC_(\d+(?:\.\d+)+)\0", library)}
    return ".".join(map(str, max(found))) if found else ""


# ---- machine object

# Relocatable machine code of compiled functions, for processors that need not be this one.
#
# The files of compiled functions have their LLVM code (see `numerics.machine_code.machine_code`). It is linked into one module,
# functions that nobody calls are removed, and LLVM generates an object file for a processor that is compatible with
# all others of its kind. Functions call each other through addresses in records, or directly; of the C library they
# use the mathematical functions and those that fill and copy memory.

PROCESSORS = {"x86_64": "x86-64", "aarch64": "generic", "arm64": "apple-m1"}
"""Processors whose code runs on every machine of an architecture."""


_MATHEMATICS = (
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmod frexp hypot ldexp "
    "lgamma log log10 log1p log2 lround nearbyint pow remainder rint round sin sincos sinh sqrt tan tanh tgamma trunc"
)
AVAILABLE = {*_MATHEMATICS.split(" "), "memcpy", "memmove", "memset", "numba_frexp", "numba_ldexp"}
"""Functions of the C library and of c/numbers.c."""
_HASHED = re.compile(r"17v[0-9a-f]{16}")
"""Hash of its content in the name of a compiled function (see `numerics.machine_code.code_cache.named_by_content`)."""


def code_of(dispatcher: Any, signature: Any) -> tuple[str, Any]:
    """Name and LLVM code of a compiled function."""
    compile_for(dispatcher, signature)
    result = dispatcher.overloads[signature.args]
    return str(result.fndesc.llvm_func_name), result.library._get_module_for_linking()


def code_of_law(law: Any) -> tuple[str, Any]:
    """Name and LLVM code of a law, which is compiled as a C function."""
    return str(law._wrapper_name), law._library._get_module_for_linking()


def emit_object(functions: Iterable[tuple[str, Any]]) -> bytes:
    """Object file with these functions, given by name and LLVM code. It is kept in the user's cache: the names of functions
    contain hashes of their content."""
    code = dict(functions)
    key = hashlib.sha256(
        repr([sorted(code), llvm.llvm_version_info, llvmlite.__version__, _target()]).encode()
    ).hexdigest()
    file = cache_directory().with_name("objects") / f"{key[:32]}.o"
    named = all(_HASHED.search(name) for name in code)
    if named and (kept := _kept(file)) is not None:
        return kept
    made = _emitted(code)
    if named:
        _keep(file, made)
    return made


def _emitted(code: Mapping[str, Any]) -> bytes:
    whole = None
    for name, module in code.items():
        one = llvm.parse_bitcode(module.as_bitcode())
        one.get_function(name).linkage = "external"  # LLVM links no others unless they are called
        if whole is None:
            whole = one
        else:
            whole.link_in(one)
    assert whole is not None
    for one in (*whole.functions, *whole.global_variables):
        if not one.is_declaration and one.name not in code:
            one.linkage = "internal"
    machine = target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(whole, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    called = {one.name for one in whole.functions if one.is_declaration and not one.name.startswith("llvm.")}
    if called - AVAILABLE:
        raise ExchangeError(
            f"the machine code of the model calls {', '.join(sorted(called - AVAILABLE))}, which an FMU without Python does not "
            "have"
        )
    return bytes(machine.emit_object(whole))


def _kept(file: pathlib.Path) -> bytes | None:
    """Object file from the cache, if it is complete."""
    try:
        content = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    return content[32:] if hashlib.sha256(content[32:]).digest() == content[:32] else None


def _keep(file: pathlib.Path, content: bytes) -> None:
    """Write an object file to the cache, and remove those that were not used for a month."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{secrets.token_hex(6)}.tmp")
        draft.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(draft, file)
        for other in file.parent.iterdir():
            if other.stat().st_mtime < time.time() - UNUSED_DAYS * 86400.0:
                other.unlink()


def _target() -> tuple[str, str]:
    triple = llvm.get_process_triple()
    return triple, PROCESSORS[triple.partition("-")[0]]


def target_machine() -> Any:
    """Code generator for every machine with the architecture and the operating system of this one."""
    triple, processor = _target()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=processor, features="", opt=3, reloc="pic", codemodel="small"
    )


class UnknownAddress(LookupError):
    """An address of something that cannot be moved to another process."""

    def __init__(self, address: int) -> None:
        super().__init__(f"unknown address {address:#x}")
        self.address = address


ALIGNMENT = 64
_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class MovedBlock:
    """Part of the image: an array of the process, and where it is in the image."""

    address: int
    size: int
    offset: int


@dataclass(frozen=True)
class MemoryImage:
    """Content of a memory block, with the places of addresses in it [bytes from its start].

    root:        place of the first record
    fixed:       size of the first part, which a run never changes
    relocations: places of offsets within the image
    functions:   places of addresses of functions, and their names
    """

    content: bytes
    root: int
    fixed: int
    relocations: np.ndarray
    functions: tuple[tuple[int, str], ...]
    blocks: tuple[MovedBlock, ...]

    def offset(self, address: int) -> int:
        """Place in the image of an address of this process."""
        starts = [b.address for b in self.blocks]
        i = bisect.bisect_right(starts, address) - 1
        block = self.blocks[i]
        if i < 0 or address > block.address + block.size:
            raise ValueError(f"address {address:#x} is not in the image")
        return block.offset + address - block.address


def arrays_of(*roots: Any) -> Iterator[np.ndarray]:
    """All numpy arrays that objects of this package keep, directly or through others; an array instead of its views."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            while isinstance(one.base, np.ndarray):
                one = one.base
            yield one
        elif isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += one
        elif type(one).__module__.partition(".")[0] == _PACKAGE:
            waiting += getattr(one, "__dict__", {}).values()
            for cls in type(one).__mro__:
                names = cls.__dict__.get("__slots__", ())
                waiting += [getattr(one, n, None) for n in ((names,) if isinstance(names, str) else names)]


def collect(
    root: np.ndarray,
    arrays: Iterable[np.ndarray],
    fixed: Iterable[np.ndarray],
    function_name: Callable[[int], str | None],
) -> MemoryImage:
    """Image of all arrays that are reached from a record.

    arrays:        arrays to which addresses may refer
    fixed:         those that a run does not change
    function_name: name of the compiled function at an address; None: there is none
    """
    known = _Blocks([root, *arrays])
    unchanged = {known.find(_start(a)) for a in fixed}
    reached, mapped = _reach(known, root, function_name)
    order = sorted(reached, key=lambda i: (i not in unchanged, known.start[i]))
    offsets, at, first_changing = {}, 0, None
    for i in order:
        if first_changing is None and i not in unchanged:
            first_changing = at
        offsets[i] = at
        at += -(-max(known.size[i], 8) // ALIGNMENT) * ALIGNMENT
    content = np.zeros(at // 8, np.int64)
    relocations: list[int] = []
    functions: list[tuple[int, str]] = []
    for i in order:
        part = np.zeros(-(-known.size[i] // 8) * 8, np.uint8)
        part[: known.size[i]] = np.frombuffer(known.content(i), np.uint8)
        words, first = part.view(np.int64), offsets[i] // 8
        content[first : first + words.size] = words
        for k, target in mapped[i]:
            if isinstance(target, str):
                functions.append((8 * (first + k), target))
                content[first + k] = 0
            else:
                to, distance = target
                relocations.append(8 * (first + k))
                content[first + k] = offsets[to] + distance
    blocks = tuple(
        MovedBlock(known.start[i], known.size[i], offsets[i]) for i in sorted(reached, key=lambda i: known.start[i])
    )
    start = known.find(_start(root))
    assert start is not None
    return MemoryImage(
        content.tobytes(),
        offsets[start] + _start(root) - known.start[start],
        at if first_changing is None else first_changing,
        np.array(sorted(relocations), np.int64),
        tuple(sorted(functions)),
        blocks,
    )


Target = str | tuple[int, int]
"""Name of a function, or an array and the distance from its start."""


def _reach(
    known: "_Blocks", root: np.ndarray, function_name: Callable[[int], str | None]
) -> tuple[set[int], dict[int, list[tuple[int, Target]]]]:
    """Arrays that are reached, and the addresses in each of them."""
    regions = mapped_memory()
    first = known.find(_start(root))
    assert first is not None
    waiting, reached = [first], {first}
    found: dict[int, list[tuple[int, Target]]] = {}
    while waiting:
        i = waiting.pop()
        found[i] = []
        for k, word in known.words(i):
            if not regions.holds(word):
                continue
            place = known.find(word)
            if place is not None:
                found[i].append((k, (place, word - known.start[place])))
                if place not in reached:
                    reached.add(place)
                    waiting.append(place)
            elif (name := function_name(word)) is not None:
                found[i].append((k, name))
            else:
                raise UnknownAddress(word)
    return reached, found


class _Blocks:
    """Arrays by their addresses."""

    def __init__(self, arrays: Iterable[np.ndarray]) -> None:
        owners: dict[int, np.ndarray] = {}
        for array in arrays:
            start = _start(array)
            if start not in owners or array.nbytes > owners[start].nbytes:
                owners[start] = array
        self.start: list[int] = sorted(owners)
        self._arrays = [owners[s] for s in self.start]
        self.size = [a.nbytes for a in self._arrays]

    def find(self, address: int) -> int | None:
        """The array that contains an address, or ends there: the address of an empty part at its end."""
        i = bisect.bisect_right(self.start, address) - 1
        return i if i >= 0 and address <= self.start[i] + self.size[i] else None

    def content(self, i: int) -> bytes:
        return self._arrays[i].tobytes()

    def words(self, i: int) -> Iterator[tuple[int, int]]:
        """Integers of an array that may be addresses, with their places."""
        array = self._arrays[i]
        if array.dtype.itemsize % 8 or array.dtype.kind not in "ifuV" or not array.nbytes:
            return
        words = np.frombuffer(array.tobytes(), np.int64)
        for k in np.flatnonzero((words > 4096) & (words < (1 << 47))).tolist():
            yield k, int(words[k])


class MappedMemory:
    """Regions of the memory of this process."""

    def __init__(self, regions: list[tuple[int, int]]) -> None:
        self._starts, self._ends = [a for a, _ in regions], [b for _, b in regions]

    def holds(self, address: int) -> bool:
        i = bisect.bisect_right(self._starts, address) - 1
        return i >= 0 and address < self._ends[i]


def mapped_memory() -> MappedMemory:
    """Regions of this process, from the operating system."""
    regions = []
    with open("/proc/self/maps") as lines:
        for line in lines:
            first, _, last = line.split(" ", 1)[0].partition("-")
            regions.append((int(first, 16), int(last, 16)))
    return MappedMemory(sorted(regions))


def _start(array: np.ndarray) -> int:
    return int(array.ctypes.data)
