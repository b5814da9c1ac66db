"""Library of an FMU without Python: its variables, and where the outputs of a run are in its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir

from pitchline.analyses.signals import parts_of, published_by
from pitchline.analyses.stepper import Stepper
from pitchline.base.progress.display import stage
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.reporting import MOST_HELD, Reporter
from pitchline.engine.compile.station_signals import ORIENTATION, component_names
from pitchline.engine.compile.system import System
from pitchline.engine.elements.contract import Element
from pitchline.engine.solvers import commanded_run, general_steps
from pitchline.engine.solvers import commanded_run as commanded_inputs
from pitchline.engine.solvers import integrator as train_steps
from pitchline.engine.solvers.commanded_run import CommandedInput, CommandedRun, Followed, PairFlank
from pitchline.engine.solvers.linear import Samples, new_samples
from pitchline.engine.solvers.run_record import Progress, Work
from pitchline.numerics import gradient_laws
from pitchline.numerics import laws as laws_of_elements
from pitchline.numerics.fields import address, new_record
from pitchline.numerics.machine_code import calling
from pitchline.numerics.slow_laws import SlowFunction
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.meshes.kernel_engagement import ERROR, FLANK, FORCE, TURNED, is_gear_pair, play_of

from ..safe_xml import ExchangeError
from .native_object import (
    MemoryImage,
    UnknownAddress,
    arrays_of,
    code_of,
    code_of_law,
    collect,
    emit_object,
    link,
    needed_c_library,
    target_machine,
)

__all__ = [
    "OTHER_WAY",
    "refuse",
    "INPUT",
    "NO_VARIABLE",
    "PLAIN",
    "TIME",
    "TURNED_ERROR",
    "TURNED_VALUE",
    "NativeVariable",
    "model_object",
    "OutputPlace",
    "OutputPlaces",
    "CommandedModel",
    "NativeLibrary",
    "SharedVariable",
    "native_library",
]


# ---- limits

# What an FMU without Python cannot do: refused at export.

OTHER_WAY = "Export the FMU with Python inside, or change the model"


def refuse(stepper: Stepper) -> None:
    """Raise ExchangeError for models whose runs need Python, and name the part."""
    if stepper._limited:
        raise ExchangeError(
            "a load or drive of the model is a Python function of time, which an FMU without Python cannot call. Specify a "
            f"table instead. {OTHER_WAY}"
        )
    for element in stepper.model.elements.values():
        for name, value in element.values.items():
            if name == "program" or isinstance(value, SlowFunction):
                raise ExchangeError(
                    f'"{element.name}" calls a program or a function that runs in Python, which an FMU without Python does not '
                    f"have. {OTHER_WAY}"
                )
    for name, one in stepper.inputs.items():
        if one.quantity == "speed" and one.hold != "ramp":
            raise ExchangeError(
                f'input "{name}" is a speed that jumps, which changes speeds instantaneously as an impact does. Impacts are '
                'computed in Python: use "ramp" for this input, or export the FMU with Python inside'
            )
    system = stepper._run.integrator.system
    for row in system.layout.opening:
        raise ExchangeError(
            f'"{system.row_owner(int(row)).name}": its rigid parts open and close, and impacts are computed in Python. Specify '
            f"elastic teeth or a stiffness. {OTHER_WAY}"
        )


# ---- model object

# Object file with the data of a model: its memory image, variables and tables of addresses (see c/model.h).
#
# It is written by LLVM as constants, so that no file is read when the FMU is loaded.

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


@dataclass(frozen=True)
class OutputPlace:
    """Address of one number of an output, and how it is read (see `model_object.NativeVariable`)."""

    kind: int
    address: int
    side: int = 0
    play: float = 0.0


class OutputPlaces:
    """Report of the chosen signals of a system, with the records that `commanded_run.tell` needs in addition."""

    def __init__(self, system: System, names: Iterable[str], samples: Samples) -> None:
        self._system, self._names, self._samples = system, list(names), samples
        self.reporter = Reporter(system, parts_of(system, self._names))
        self.report = self.reporter.live(samples)
        self.followed = self._followed_records()
        self.sides = self._side_records()

    def _followed_records(self) -> np.ndarray:
        """Records of the orientations of bodies that are outputs."""
        wanted = {name.partition(f".{ORIENTATION.name}")[0] for name in self._names if ORIENTATION.name in name}
        bodies = [e for e in self._system.elements if e.kind is BODY and e.signals is None and e.name in wanted]
        self._row_of = {element.name: k for k, element in enumerate(bodies)}
        table = np.zeros(len(bodies), Followed.dtype)
        for row, element in zip(table, bodies, strict=True):
            row["n"], row["source"] = 4, address(self._samples.pose) + 8 * (7 * element.nodes[0] + 3)
        return table

    def _side_records(self) -> np.ndarray:
        """Records of the flanks of gear pairs that are reported."""
        elements, first_row = self._system.elements, address(self.report.signals)
        pairs = [e for e, one in enumerate(elements) if self.reporter.asked[e] and is_gear_pair(one)]
        self._side_of = {elements[e].name: k for k, e in enumerate(pairs)}
        table = np.zeros(len(pairs), PairFlank.dtype)
        for row, e in zip(table, pairs, strict=True):
            at = {spec.name: int(self.reporter.first[e]) + first for spec, first, _ in elements[e].kind.columns}
            row["n"] = 1
            for field, name in (("flank", FLANK), ("force", FORCE), ("error", ERROR)):
                row[field] = first_row + 8 * at[name]
            row["play"], row["has_backlash"], row["unfelt"] = play_of(elements[e])
        return table

    def find(self, rank: Rank, balance_error: int) -> dict[str, list[OutputPlace]]:
        """Places of the numbers of all outputs, by name. balance_error: address of the error of the energies.

        ExchangeError for signals that are computed in Python."""
        shared = {self._system.row_owner(int(l)).name for group in rank.groups for l in group}
        made = dict(self._elements()) | dict(self._own()) | dict(self._energies(balance_error))
        found: dict[str, list[OutputPlace]] = {}
        for name in self._names:
            whole, _, component = name.rpartition(".")
            owner = (name if name in made else whole).rpartition(".")[0]
            if any(e.name == owner and e.rows for e in self._system.elements) and owner in shared:
                raise ExchangeError(
                    f'output "{name}": redundant joints share the load of "{owner}", and its distribution is computed in Python, '
                    "which this FMU does not have. Remove the redundant constraint, or choose another output"
                )
            if name in made:
                found[name] = made[name]
            elif whole in made:
                found[name] = [made[whole][component_names(len(made[whole])).index(component)]]
            else:
                raise ExchangeError(
                    f'output "{name}" is computed in Python from the signals of several elements, which an FMU without Python '
                    "does not have. Choose another output"
                )
        return found

    def _elements(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Signals of the elements that are reported."""
        columns, row = self.reporter.first.tolist(), address(self.report.signals)
        for e, element in enumerate(self._system.elements):
            if not self.reporter.asked[e]:
                continue
            at = row + 8 * columns[e]
            turned = self._turned(element, columns[e]) if is_gear_pair(element) else {}
            for what, spec, first, last in published_by(element):
                plain = [OutputPlace(PLAIN, at + 8 * k) for k in range(first, last)]
                yield f"{element.name}.{spec.name}", turned.get(what, plain)
            if element.name in self._row_of and element.kind is BODY:
                record = address(self.followed) + 8 * Followed.size * self._row_of[element.name]
                last_value = record + 8 * Followed.place("last")[0]
                yield f"{element.name}.{ORIENTATION.name}", [OutputPlace(PLAIN, last_value + 8 * k) for k in range(4)]

    def _turned(self, element: Element, column: int) -> dict[str, list[OutputPlace]]:
        """Signals of a gear pair relative to its loaded flank."""
        row = address(self.report.signals)
        places = {spec.name: (column + first, column + last) for spec, first, last in element.kind.columns}
        record = address(self.sides) + 8 * PairFlank.size * self._side_of[element.name]
        side, play = record + 8 * PairFlank.place("side")[0], play_of(element)[0]
        found = {
            name: [OutputPlace(TURNED_VALUE, row + 8 * k, side, play) for k in range(*places[name])]
            for name in TURNED
            if name in places
        }
        return found | {ERROR: [OutputPlace(TURNED_ERROR, row + 8 * places[ERROR][0], side, play)]}

    def _own(self) -> Iterator[tuple[str, list[OutputPlace]]]:
        """Own coordinates of elements, unless the element has a signal of that name."""
        own, known = self._system.own, dict(self._elements())
        for g in own.open:
            name = f"{self._system.elements[g.element].name}.{g.what.name}"
            parts = [(name, self._samples.own, 0)]
            if g.what.order == 2:
                parts.append((f"{name}_rate", self._samples.v, own.first))
            for called, values, first in parts:
                if called not in known:
                    at = address(values) + 8 * (first + g.first)
                    yield called, [OutputPlace(PLAIN, at + 8 * k) for k in range(g.count)]

    def _energies(self, balance_error: int) -> Iterator[tuple[str, list[OutputPlace]]]:
        energies, work = address(self.report.energies), address(self._samples.work)
        places = {"kinetic": energies, "potential": energies + 8, "balance_error": balance_error}
        for name, field in (("work", "put_in"), ("dissipated", "dissipated"), ("teeth", "by_teeth")):
            places[name] = work + 8 * Work.place(field)[0]
        for name, at in places.items():
            yield f"energy.{name}", [OutputPlace(PLAIN, at)]


# ---- commanded model

# Records of a commanded run (`engine.solvers.commanded_run`) from a stepper that has not moved yet.

_QUANTITIES = {"value": commanded_inputs.LOAD, "speed": commanded_inputs.SPEED, "position": commanded_inputs.POSITION}
_HOLDS = {"hold": commanded_inputs.HOLD, "extrapolate": commanded_inputs.EXTRAPOLATE, "ramp": commanded_inputs.RAMP}
_STATE = ("target", "t", "c0", "c1", "c2", "c3", "end_value", "end_slope", "before_t", "before_value")
"""Fields of an input, in the order of `InputCourse.state`."""


class CommandedModel:
    """Records of a stepper for compiled code, with the arrays that they refer to. The stepper must not be used afterwards."""

    def __init__(self, stepper: Stepper) -> None:
        begun = stepper._run
        self.integrator, self.system = begun.integrator, begun.integrator.system
        self.courses = begun.courses
        self._direct, self._rows_of_drives = begun._jump._direct, begun._jump._places
        self.integrator.motion.options["small_step"] = (
            0.0  # the form of the constraints does not change in compiled code
        )
        self._samples = begun.sample.open = new_samples(1, self.system)
        self.integrator.motion.progress["samples"] = 0
        begun.sample.add(self.integrator)
        self._outputs = OutputPlaces(self.system, stepper.outputs, self._samples)
        self.inputs, self._places = self._input_records()
        self._arrays = self._scratch()
        self.record = self._run_record()
        self._place_evaluators()

    @property
    def objects(self) -> tuple[Any, ...]:
        """All objects that keep arrays of the records."""
        return self.integrator, self._outputs, self._samples, self.record, self._arrays

    def outputs(self) -> dict[str, list[OutputPlace]]:
        """Places of the numbers of all outputs, by name."""
        balance_error = address(self.record) + 8 * CommandedRun.place("balance_error")[0]
        return self._outputs.find(self.integrator.rank, balance_error)

    def _input_records(self) -> tuple[np.ndarray, np.ndarray]:
        """Records of the inputs, in their order, and the places of their functions."""
        table = np.zeros(len(self.courses), CommandedInput.dtype)
        places: list[int] = []
        for row, course in zip(table, self.courses.values(), strict=True):
            row["quantity"], row["hold"] = _QUANTITIES[course.spec.quantity], _HOLDS[course.spec.hold]
            row["first"], row["last"] = len(places), len(places) + len(course.places)
            places += course.places
            for name, value in zip(_STATE, course.state(), strict=True):
                row[name] = value
        return table, np.array(places, np.int64)

    def _scratch(self) -> dict[str, np.ndarray]:
        """Arrays of the record."""
        s, places = self.system, self._places
        drives = [(self._rows_of_drives[p], k) for k, p in enumerate(places.tolist()) if p in self._rows_of_drives]
        matrix = self.integrator.motion.work.Ax.size if s.own.first_order.size else 1
        return {
            "inputs": self.inputs, "places": places, "jumps": np.zeros(places.size), "curvatures": np.zeros(places.size),
            "rows": np.array([row for row, _ in drives], np.int64),
            "place_of_row": np.array([k for _, k in drives], np.int64), "row_curvatures": np.zeros(len(drives)),
            "before": np.zeros(s.n), "matrix": np.zeros(matrix), "B": np.zeros((MOST_HELD, 6)),
            "G": np.zeros((MOST_HELD, MOST_HELD)), "b": np.zeros(MOST_HELD), "followed": self._outputs.followed,
            "sides": self._outputs.sides,
        }  # fmt: skip

    def _run_record(self) -> np.ndarray:
        s, motion, outputs, arrays = self.system, self.integrator.motion, self._outputs, self._arrays
        counted = (("inputs", "inputs"), ("places", "places"), ("rows", "rows"), ("matrix", "matrix"),
                   ("followed", "followed"), ("sides", "sides"))  # fmt: skip
        counts = {f"n_{name}": len(arrays[array]) for name, array in counted}
        record = new_record(CommandedRun, arrays | counts | {
            "run_address": motion.address, "run": motion.address, "report_address": outputs.report._address,
            "report": outputs.report._address, "direct": int(self._direct), "massless": int(s.own.first_order.size > 0),
            "is_train": int(self.integrator.train is not None), "n": s.n, "n_held": MOST_HELD,
            "recovers": int(outputs.reporter.held.size > 0), "opens": int(s.own.condensed_count > 0),
        })  # fmt: skip
        named = CommandedRun.named(record)
        named["step"] = motion.options["step"]
        commanded_run.tell(address(record))
        energies, work = outputs.report.energies[0], self._samples.work[0]
        named["start_energy"] = energies[0] + energies[1]
        named["start_work"], named["start_losses"] = work[0], work[1]
        return record

    def _place_evaluators(self) -> None:
        """Addresses of the functions of both evaluators. A train that fails continues as a general system."""
        integrator, run = self.integrator, self.integrator.motion.run
        general = general_steps.addresses(self.system.dense, bool(integrator.motion.options["stabilised"]))
        named = CommandedRun.named(self.record)
        named["take_steps"], named["show"] = general["take_steps"], general["show"]
        train = train_steps.addresses() if integrator.train is not None else general
        named["train_take_steps"], named["train_show"] = train["take_steps"], train["show"]
        for name, value in general.items():
            if name not in ("take_steps", "show"):
                run[name] = value
        if not self.system.dense and not integrator._take_pivots():
            raise ExchangeError("the matrix of the system is singular at the start, so that no pivots can be chosen")


# ---- library

# Shared library of a model for FMI 2 and FMI 3, which needs no Python.

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
