"""Relocatable machine code of compiled functions, for processors that need not be this one.

The files of compiled functions have their LLVM code (see `math.machine_code`). It is linked into one module, functions that
nobody calls are removed, and LLVM generates an object file for a processor that is compatible with all others of its kind.
Functions call each other through addresses in records, or directly; of the C library they use the mathematical functions and
those that fill and copy memory.
"""

from collections.abc import Iterable
from typing import Any

from llvmlite import binding as llvm

from ....math.compiled import compile_for

__all__ = ["PROCESSORS", "code_of", "emit_object", "symbol_of"]

PROCESSORS = {"x86_64": "x86-64", "aarch64": "generic", "arm64": "apple-m1"}
"""Processors whose code runs on every machine of an architecture."""


def symbol_of(dispatcher: Any, args: Any) -> str:
    """Name of a compiled function in its machine code."""
    return str(dispatcher.overloads[args].fndesc.llvm_func_name)


def code_of(dispatcher: Any, signature: Any) -> tuple[str, Any]:
    """Name and LLVM code of a compiled function."""
    compile_for(dispatcher, signature)
    result = dispatcher.overloads[signature.args]
    return str(result.fndesc.llvm_func_name), result.library._get_module_for_linking()


def emit_object(functions: Iterable[tuple[str, Any]]) -> bytes:
    """Object file with these functions, given by name and LLVM code."""
    whole, names = None, set()
    for name, module in functions:
        names.add(name)
        one = llvm.parse_bitcode(module.as_bitcode())
        one.get_function(name).linkage = "external"  # LLVM links no others unless they are called
        if whole is None:
            whole = one
        else:
            whole.link_in(one)
    assert whole is not None
    for one in (*whole.functions, *whole.global_variables):
        if not one.is_declaration and one.name not in names:
            one.linkage = "internal"
    machine = target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(whole, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return bytes(machine.emit_object(whole))


def target_machine() -> Any:
    """Code generator for every machine with the architecture and the operating system of this one."""
    triple = llvm.get_process_triple()
    processor = PROCESSORS[triple.partition("-")[0]]
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=processor, features="", opt=3, reloc="pic", codemodel="small"
    )
