"""Conversion of a compiled function to bytes, and back.

This is similar to numba's own files, with three differences, which reduce the start time of a process to a third. Bitcode is
read only if a new function that calls this one is compiled. numba's own compiled functions in it do not import their modules.
And numba's registries, which only its compiler needs, are not filled. The names of the C functions that the code calls are
stored with it, because LLVM ends the process if one of them is missing.

This uses numba's internal interface of compiled functions. It is limited to this file, and tests check it.
"""

import pickle
from collections.abc import Iterator
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.environment import Environment, lookup_environment
from numba.core.serialize import dumps

__all__ = ["Unusable", "pack", "unpack"]


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
