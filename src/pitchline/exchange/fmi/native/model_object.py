"""Object file with the data of a model: its memory image, variables and tables of addresses (see c/model.h).

It is written by LLVM as constants, so that no file is read when the FMU is loaded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir

from .machine_object import target_machine
from .memory_image import MemoryImage

__all__ = ["INPUT", "NO_VARIABLE", "PLAIN", "TIME", "TURNED_ERROR", "TURNED_VALUE", "NativeVariable", "model_object"]

NO_VARIABLE, TIME, INPUT, PLAIN, TURNED_VALUE, TURNED_ERROR = range(-1, 5)
"""Kinds of variables."""

_WORD, _BYTE, _DOUBLE = ir.IntType(64), ir.IntType(8), ir.DoubleType()
_POINTER = _BYTE.as_pointer()
_VARIABLE = ir.LiteralStructType([_WORD] * 3 + [_DOUBLE, _POINTER])


@dataclass(frozen=True)
class NativeVariable:
    """Variable of an FMU. Its value reference is its index.

    place: in the image [bytes]
    side:  signals of a gear pair relative to its loaded flank: place of the flank
    play:  and backlash in the direction of the transmission error
    """

    name: str
    kind: int
    place: int
    side: int = 0
    play: float = 0.0


def model_object(
    image: MemoryImage,
    token: str,
    time_place: int,
    variables: Sequence[NativeVariable],
    entries: Mapping[str, str],
) -> bytes:
    """Object file. entries: symbols of the compiled functions by their names in C (pl_command, ...)."""
    module = ir.Module("model")
    module.triple = llvm.get_process_triple()
    data = _Constants(module)
    data.text("pl_token", token)
    data.bytes("pl_image", image.content)
    data.number("pl_image_size", len(image.content))
    data.number("pl_fixed_size", image.fixed)
    data.number("pl_root", image.root)
    data.number("pl_time_place", time_place)
    data.numbers("pl_relocations", image.relocations)
    data.number("pl_relocation_count", len(image.relocations))
    data.numbers("pl_function_places", [place for place, _ in image.functions])
    data.number("pl_function_count", len(image.functions))
    data.addresses("pl_functions", [name for _, name in image.functions])
    data.variables("pl_variables", variables)
    data.number("pl_variable_count", len(variables))
    for name, symbol in entries.items():
        data.address(name, symbol)
    return bytes(target_machine().emit_object(llvm.parse_assembly(str(module))))


class _Constants:
    """Constants of a module of LLVM."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._functions: dict[str, ir.Function] = {}

    def _add(self, name: str, value: ir.Constant, *, inside: bool = False) -> ir.GlobalVariable:
        one = ir.GlobalVariable(self._module, value.type, name)
        one.initializer, one.global_constant, one.align = value, True, 64
        if inside:
            one.linkage = "internal"
        return one

    def bytes(self, name: str, content: bytes, *, inside: bool = False) -> ir.GlobalVariable:
        kind = ir.ArrayType(_BYTE, len(content))
        return self._add(name, ir.Constant(kind, bytearray(content)), inside=inside)

    def text(self, name: str, content: str, *, inside: bool = False) -> ir.GlobalVariable:
        return self.bytes(name, content.encode() + b"\0", inside=inside)

    def number(self, name: str, value: int) -> None:
        self._add(name, ir.Constant(_WORD, int(value)))

    def numbers(self, name: str, values: Iterable[int]) -> None:
        self.bytes(name, np.array([*values, 0], np.int64).tobytes())

    def _function(self, symbol: str) -> ir.Constant:
        if symbol not in self._functions:
            self._functions[symbol] = ir.Function(self._module, ir.FunctionType(ir.VoidType(), []), symbol)
        return self._functions[symbol].bitcast(_POINTER)

    def address(self, name: str, symbol: str) -> None:
        self._add(name, self._function(symbol))

    def addresses(self, name: str, symbols: Sequence[str]) -> None:
        values = [*map(self._function, symbols), ir.Constant(_POINTER, None)]
        self._add(name, ir.Constant(ir.ArrayType(_POINTER, len(values)), values))

    def variables(self, name: str, variables: Sequence[NativeVariable]) -> None:
        rows = []
        for i, v in enumerate(variables):
            words = [ir.Constant(_WORD, n) for n in (v.kind, v.place, v.side)]
            called = self.text(f"name {i}", v.name, inside=True).bitcast(_POINTER)
            rows.append(ir.Constant(_VARIABLE, [*words, ir.Constant(_DOUBLE, v.play), called]))
        self._add(name, ir.Constant(ir.ArrayType(_VARIABLE, len(rows)), rows))
