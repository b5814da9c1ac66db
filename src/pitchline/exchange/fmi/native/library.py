"""Shared library of a model for FMI 2 and FMI 3, which needs no Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ....analyses.stepper import Stepper
from ....math import calling, gradient_laws
from ....progress import stage
from ....solvers import commanded_run
from ....solvers.run_record import Progress
from ...limits import ExchangeError
from .commanded_model import CommandedModel, OutputPlace
from .limits import refuse
from .linking import link, needed_c_library
from .machine_object import code_of, code_of_law, emit_object
from .memory_image import MemoryImage, arrays_of, collect
from .model_object import INPUT, TIME, NativeVariable, model_object

__all__ = ["NativeLibrary", "native_library"]

_ENTRIES = {
    "pl_command": commanded_run.command,
    "pl_begin_inputs": commanded_run.begin_inputs,
    "pl_tell": commanded_run.tell,
}


@dataclass(frozen=True)
class NativeLibrary:
    """A shared library: its content, its variables by value reference, and the C library that it needs."""

    content: bytes
    variables: tuple[str, ...]
    c_library: str


def native_library(stepper: Stepper, token: str, name: str, names_of: Callable[[str, int], list[str]]) -> NativeLibrary:
    """Library of a stepper that has not moved. Value references: the time, inputs, outputs, in their order.

    token:    identification in the model description
    name:     file of the library
    names_of: names of the numbers of an output
    """
    refuse(stepper)
    model = CommandedModel(stepper)
    with stage("machine code of the model"):
        functions = _functions()
        image = _image(model, functions)
        entries = {called: code_of(function, function.signature) for called, function in _ENTRIES.items()}
        used = {symbol for _, symbol in image.functions}
        code = dict(made for make in functions.values() if (made := make())[0] in used)
        laws = {made[0]: made[1] for law in _laws().values() if (made := law())[0] in used}
        objects = {"kernels": emit_object([(n, m) for n, m in code.items() if n not in laws] + list(entries.values()))}
        if laws:
            objects["laws"] = emit_object(laws.items())
        progress = image.offset(int(model.integrator.motion.run["progress"]))
        time = progress + 8 * Progress.place("t")[0]
        variables = [NativeVariable("time", TIME, time), *_inputs(model, image), *_outputs(model, image, names_of)]
        data = model_object(image, token, time, variables, {called: symbol for called, (symbol, _) in entries.items()})
    with stage("linking the FMU"):
        content = link(objects | {"model": data}, name)
    return NativeLibrary(content, tuple(v.name for v in variables), needed_c_library(content))


@dataclass(frozen=True)
class _Signature:
    args: Any


def _functions() -> dict[int, Callable[[], tuple[str, Any]]]:
    """Names and LLVM code of all compiled functions, by their addresses."""
    found: dict[int, Callable[[], tuple[str, Any]]] = {
        a: partial(code_of, dispatcher, _Signature(args)) for (dispatcher, args), a in calling._addresses.items()
    }
    return found | _laws()


def _laws() -> dict[int, Callable[[], tuple[str, Any]]]:
    """The same of laws, which users specify."""
    return {
        kept.address: partial(code_of_law, kept.kept[0]) for kept in gradient_laws._kept.values() if kept.compiled
    }


def _image(model: CommandedModel, functions: dict[int, Callable[[], tuple[str, Any]]]) -> MemoryImage:
    changing = model.system.functions
    fixed = [a for a in arrays_of(model.system) if not np.shares_memory(a, changing)]

    def name_of(address: int) -> str | None:
        return functions[address]()[0] if address in functions else None

    try:
        return collect(model.record, arrays_of(*model.objects), fixed, name_of)
    except LookupError:
        raise ExchangeError(
            "a part of the model calls code that is not compiled by this program, which an FMU without Python cannot contain"
        ) from None


def _inputs(model: CommandedModel, image: MemoryImage) -> list[NativeVariable]:
    first = image.offset(int(model.inputs.ctypes.data))
    kind = commanded_run.CommandedInput
    target = 8 * kind.place("target")[0]
    return [NativeVariable(n, INPUT, first + 8 * kind.size * k + target) for k, n in enumerate(model.courses)]


def _outputs(
    model: CommandedModel, image: MemoryImage, names_of: Callable[[str, int], list[str]]
) -> list[NativeVariable]:
    found = []
    for name, places in model.outputs().items():
        for called, one in zip(names_of(name, len(places)), places, strict=True):
            found.append(_variable(called, one, image))
    return found


def _variable(name: str, one: OutputPlace, image: MemoryImage) -> NativeVariable:
    side = image.offset(one.side) if one.side else 0
    return NativeVariable(name, one.kind, image.offset(one.address), side, one.play)
