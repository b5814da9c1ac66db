"""Shared library of a model for FMI 2 and FMI 3, which needs no Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ....analyses.stepper import Stepper
from ....math import calling, gradient_laws
from ....math import laws as laws_of_elements
from ....progress import stage
from ....solvers import commanded_run
from ....solvers.commanded_records import CommandedInput
from ....solvers.run_record import Progress
from ...limits import ExchangeError
from .commanded_model import CommandedModel
from .limits import OTHER_WAY, refuse
from .linking import link, needed_c_library
from .machine_object import code_of, code_of_law, emit_object
from .memory_image import MemoryImage, UnknownAddress, arrays_of, collect
from .model_object import INPUT, NO_VARIABLE, TIME, NativeVariable, model_object

__all__ = ["NativeLibrary", "SharedVariable", "native_library"]

_ENTRIES = {
    "pl_command": commanded_run.command,
    "pl_begin_inputs": commanded_run.begin_inputs,
    "pl_tell": commanded_run.tell,
}


@dataclass(frozen=True)
class SharedVariable:
    """Variable of the library: its value reference and name in the FMU, and its source in the stepper.

    source:    name of an input or output of the stepper; empty: the time
    component: of an output that is a vector, counted from 0
    """

    reference: int
    name: str
    causality: str
    source: str = ""
    component: int = 0


@dataclass(frozen=True)
class NativeLibrary:
    """A shared library: its content, and the smallest version of the GNU C library that it needs."""

    content: bytes
    c_library: str


def native_library(stepper: Stepper, token: str, name: str, variables: Sequence[SharedVariable]) -> NativeLibrary:
    """Library of a stepper that has not moved.

    token: identification in the model description
    name:  file of the library
    """
    refuse(stepper)
    model = CommandedModel(stepper)
    with stage("machine code of the model"):
        functions = _functions()
        image = _image(model, functions)
        entries = {called: code_of(function, function.signature) for called, function in _ENTRIES.items()}
        symbols = {called: symbol for called, (symbol, _) in entries.items()}
        used = {symbol for _, symbol in image.functions}
        laws = dict(made for make in _laws().values() if (made := make())[0] in used)
        code = dict(made for make in functions.values() if (made := make())[0] in used - laws.keys())
        objects = {"kernels": emit_object([*code.items(), *entries.values()])}
        if laws:
            objects["laws"] = emit_object(laws.items())
        time = image.offset(int(model.integrator.motion.run["progress"])) + 8 * Progress.place("t")[0]
        objects["model"] = model_object(image, token, time, _variables(model, image, variables, time), symbols)
    with stage("linking the FMU"):
        content = link(objects, name)
    return NativeLibrary(content, needed_c_library(content))


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
    made = [law for law in laws_of_elements._kept.values()]
    made += [kept.kept[0] for kept in gradient_laws._kept.values() if kept.compiled]
    return {int(law.address): partial(code_of_law, law) for law in made}


def _image(model: CommandedModel, functions: dict[int, Callable[[], tuple[str, Any]]]) -> MemoryImage:
    changing = model.system.functions
    fixed = [a for a in arrays_of(model.system) if not np.shares_memory(a, changing)]

    def name_of(address: int) -> str | None:
        return functions[address]()[0] if address in functions else None

    try:
        return collect(model.record, arrays_of(*model.objects), fixed, name_of)
    except UnknownAddress as unknown:
        law = gradient_laws._functions.get(unknown.address)
        part = "a part of the model" if law is None else str(law[3])
        raise ExchangeError(
            f"{part} calls a function that runs in Python, which an FMU without Python does not have. {OTHER_WAY}"
        ) from None


def _variables(
    model: CommandedModel, image: MemoryImage, variables: Sequence[SharedVariable], time: int
) -> list[NativeVariable]:
    """Variables by their value references."""
    table = [NativeVariable("", NO_VARIABLE, 0)] * (1 + max(v.reference for v in variables))
    kind = CommandedInput
    first = image.offset(int(model.inputs.ctypes.data)) + 8 * kind.place("target")[0]
    inputs = {name: first + 8 * kind.size * k for k, name in enumerate(model.courses)}
    outputs = model.outputs()
    for v in variables:
        if v.causality == "input":
            made = NativeVariable(v.name, INPUT, inputs[v.source])
        elif v.causality == "output":
            one = outputs[v.source][v.component]
            side = image.offset(one.side) if one.side else 0
            made = NativeVariable(v.name, one.kind, image.offset(one.address), side, one.play)
        else:
            made = NativeVariable(v.name, TIME, time)
        table[v.reference] = made
    return table
