"""Relocatable machine code of compiled functions, for processors that need not be this one.

The files of compiled functions have their LLVM code (see `math.machine_code`). It is linked into one module, functions that
nobody calls are removed, and LLVM generates an object file for a processor that is compatible with all others of its kind.
Functions call each other through addresses in records, or directly; of the C library they use the mathematical functions and
those that fill and copy memory.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any

import llvmlite
from llvmlite import binding as llvm

from ....math.code_cache import UNUSED_DAYS
from ....math.compiled import cache_directory, compile_for
from ...limits import ExchangeError

__all__ = ["PROCESSORS", "code_of", "code_of_law", "emit_object"]

PROCESSORS = {"x86_64": "x86-64", "aarch64": "generic", "arm64": "apple-m1"}
"""Processors whose code runs on every machine of an architecture."""


_MATHEMATICS = (
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmod frexp hypot ldexp "
    "lgamma log log10 log1p log2 lround nearbyint pow remainder rint round sin sincos sinh sqrt tan tanh tgamma trunc"
)
AVAILABLE = {*_MATHEMATICS.split(" "), "memcpy", "memmove", "memset", "numba_frexp", "numba_ldexp"}
"""Functions of the C library and of c/numbers.c."""
_HASHED = re.compile(r"17v[0-9a-f]{16}")
"""Hash of its content in the name of a compiled function (see `math.code_cache.named_by_content`)."""


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
