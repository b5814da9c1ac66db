"""Conversion of a compiled function to bytes, and back.

This is similar to numba's own files, with three differences, which reduce the start time of a process to a third. Bitcode is
read only if a new function that calls this one is compiled. numba's own compiled functions in it do not import their modules.
And numba's registries, which only its compiler needs, are not filled. The names of the C functions that the code calls are
stored with it, because LLVM ends the process if one of them is missing.

This uses numba's internal interface of compiled functions. It is limited to this file, and tests check it.
"""

import functools
import json
import pathlib
import pickle
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numba
from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.environment import Environment, lookup_environment
from numba.core.serialize import dumps

from pitchline.base.progress.display import note

__all__ = [
    "BASELINES",
    "Baseline",
    "baseline",
    "missing_features",
    "Unusable",
    "pack",
    "unpack",
    "FILE",
    "find",
    "present",
    "tell_misfit",
    "write",
]


# ---- baseline

# Processors whose machine code runs on all current machines of their kind. (numba reads its settings when it is
# imported: this file does not import it.)


@dataclass(frozen=True)
class Baseline:
    """Processor whose code runs on all processors with its features."""

    name: str
    features: tuple[str, ...]

    @property
    def target(self) -> tuple[str, str, str]:
        """Identification of numba's code generator when it compiles for this processor."""
        return llvm.get_process_triple(), self.name, ""

    @property
    def settings(self) -> dict[str, str]:
        """Environment of a process that compiles for it: without Intel's vector functions, which other machines may not have."""
        return {"NUMBA_CPU_NAME": self.name, "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}


_X86 = "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 sahf avx avx2 bmi bmi2 f16c fma lzcnt movbe"
BASELINES = {
    "x86_64": Baseline("x86-64-v3", tuple(_X86.split())),
    "arm64": Baseline("apple-m1", ()),
    "aarch64": Baseline("generic", ()),
}


def baseline() -> Baseline | None:
    """Baseline of machines like this one, also if this one does not have all of its features."""
    return BASELINES.get(llvm.get_process_triple().partition("-")[0])


def missing_features() -> list[str]:
    """Features of the baseline that this processor does not have."""
    have, wanted = llvm.get_host_cpu_features(), baseline()
    return [] if wanted is None else [name for name in wanted.features if not have.get(name)]


class Unusable(Exception):
    """Complete, but not usable here: a dependency is missing."""


class _Library(JITCodeLibrary):
    """Machine code whose bitcode is read when a new caller is compiled."""

    bitcode: bytes | None = None
    _parsed: Any = None

    @property
    def _shared_module(self) -> Any:
        if self._parsed is None and self.bitcode is not None:
            self._parsed = llvm.parse_bitcode(self.bitcode)
        return self._parsed

    @_shared_module.setter
    def _shared_module(self, module: Any) -> None:
        self._parsed = module


def pack(result: Any) -> bytes:
    """The compiled function as bytes."""
    library = result.library
    name, _, (machine_code, bitcode) = library.serialize_using_object_code()
    module = library._get_module_for_linking()
    defined = [one.name for one in _symbols(module) if not one.is_declaration]
    called = [one.name for one in _symbols(module) if one.is_declaration and llvm.address_of_symbol(one.name)]
    result.fndesc.typemap = result.fndesc.calltypes = None
    environments = [_plain(one) for one in (result.environment, *result._find_referenced_environments())]
    rest = (result.fndesc, result.signature, result.reload_init)
    return dumps((name, machine_code, bitcode, defined, called, environments, rest))


def unpack(context: Any, packed: bytes) -> Any:
    """The compiled function in this process."""
    try:
        name, machine_code, bitcode, defined, called, environments, rest = pickle.loads(packed)
        fndesc, signature, reload_init = rest
    except Exception as error:  # a type or module that it names does not exist any more
        raise Unusable(str(error)) from None
    for run in reload_init:
        run()
    _check_present(called, context)
    codegen = context.codegen()
    library = _Library(codegen, name)
    library.bitcode = bitcode
    library.enable_object_caching()
    library._set_compiled_object(machine_code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.update(defined)
    environment, *others = (_environment(*one) for one in environments)
    make: Any = CompileResult
    result = make(
        target_context=context,
        typing_context=context.typing_context,
        library=library,
        environment=environment,
        entry_point=context.get_executable(library, fndesc, environment),
        fndesc=fndesc,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=others,
    )
    for one in others:
        codegen.set_env(one.env_name, one)
    return result


def _check_present(symbols: list[str], context: Any) -> None:
    """Check that all C functions exist; if necessary after numba has loaded everything that its compiler may use."""
    if not all(map(llvm.address_of_symbol, symbols)):
        context.refresh()
        missing = [name for name in symbols if not llvm.address_of_symbol(name)]
        if missing:
            raise Unusable(f"no function {', '.join(missing)}")


def _symbols(module: Any) -> Iterator[Any]:
    for one in (*module.functions, *module.global_variables):
        if not one.name.startswith(("llvm.", RuntimeLinker.PREFIX)):
            yield one


def _plain(environment: Any) -> tuple[str, str, list[Any]]:
    return environment.env_name, environment.globals["__name__"], list(environment.consts)


def _environment(name: str, module: str, constants: list[Any]) -> Any:
    """Constants of a function. Its globals are only read by numba's interpreter mode: their name is sufficient."""
    known = lookup_environment(name)
    if known is not None:
        return known
    made: Any = Environment({"__name__": module})
    made.consts[:] = constants
    made.env_name = name
    Environment._memo[name] = made
    return made


# ---- shipped

# Machine code of the package: one file in this folder, written when a wheel is built, never changed afterwards.
#
# It is for a processor that is compatible with every current machine (see `baseline`), so that a first run compiles
# nothing. Entries are found by the same keys as the user's files (see `code_cache`). A source tree has no such file.
# If the file does not fit the machine, or the versions of Python, numba and numpy, the functions are compiled for
# this machine, and one line gives the reason.
#
# The file: a first line, the length of a table, the table (JSON: its target, and position and length of each entry),
# the entries.

FILE = pathlib.Path(__file__).with_name("shipped.code")
_MAGIC = b"pitchline shipped code 1\n"
_LENGTH = struct.Struct("<Q")


def write(file: pathlib.Path, entries: dict[str, bytes], versions: dict[str, str]) -> None:
    """Make the file from entries by key, compiled for the baseline with these versions."""
    wanted = baseline()
    if wanted is None:
        raise OSError(f"there is no baseline for {llvm.get_process_triple()}")
    places, at = {}, 0
    for key, entry in sorted(entries.items()):
        places[key] = [at, len(entry)]
        at += len(entry)
    table = json.dumps({"versions": versions, "target": wanted.target, "entries": places}).encode()
    file.write_bytes(_MAGIC + _LENGTH.pack(len(table)) + table + b"".join(entries[key] for key in places))


@functools.cache
def _table(file: pathlib.Path) -> tuple[int, dict[str, Any]] | None:
    """Start of the entries, and the table; None if there is no such file or it is damaged."""
    try:
        with file.open("rb") as source:
            if source.read(len(_MAGIC)) != _MAGIC:
                return None
            (length,) = _LENGTH.unpack(source.read(_LENGTH.size))
            return len(_MAGIC) + _LENGTH.size + length, json.loads(source.read(length))
    except (OSError, ValueError, struct.error):
        return None


def present() -> bool:
    """Whether there is such a file, and the user did not choose a processor to compile for."""
    config: Any = numba.config
    return _table(FILE) is not None and config.CPU_NAME is None and config.CPU_FEATURES is None


def find(key: str, versions: dict[str, str]) -> bytes | None:
    """The entry of this key, if the file has one that runs here."""
    found = _table(FILE)
    if found is None or _misfit(FILE, tuple(versions.items())):
        return None
    start, table = found
    if key not in table["entries"]:
        return None
    at, length = table["entries"][key]
    try:
        with FILE.open("rb") as source:
            source.seek(start + at)
            return source.read(length)
    except OSError:
        return None


@functools.cache
def _misfit(file: pathlib.Path, versions: tuple[tuple[str, str], ...]) -> str:
    """Reason why the code of a file does not run here; empty if it does, or if there is none."""
    found, wanted = _table(file), baseline()
    if found is None:
        return ""
    table = found[1]
    if wanted is None or tuple(table["target"]) != wanted.target:
        return f"it is for {' '.join(table['target'])}"
    if lacking := missing_features():
        return f"this processor does not support {', '.join(lacking)}"
    here = dict(versions)
    others = [
        f"{name} {built}, here {here.get(name)}" for name, built in table["versions"].items() if here.get(name) != built
    ]
    return f"it is for {'; '.join(others)}" if others else ""


_told: set[pathlib.Path] = set()


def tell_misfit(versions: dict[str, str]) -> None:
    """Report once why the file is not used, if there is one."""
    why = _misfit(FILE, tuple(versions.items())) if present() else ""
    if why and FILE not in _told:
        _told.add(FILE)
        note(f"the machine code of the package is not used ({why}): it is compiled for this machine, once")
