"""Programs in the loop of a model: FMUs for co-simulation, and controllers in Python."""

from __future__ import annotations

import inspect
import json
import math
import numbers
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import check_name
from pitchline.declare.signal_expression import SignalExpression
from pitchline.errors import ModelError, UnitError, near_names, shown
from pitchline.extend import Element
from pitchline.parts.control.kernel import ProgramInstance
from pitchline.parts.control.program import ProgramSignal, program_class, signal_name
from pitchline.units.parser import UnitSyntax, parse_unit
from pitchline.units.quantity import dimension_name, dimension_of, quantity

from .description import INTEGERS, REALS, FmuDescription, FmuUnit, FmuVariable, si_text, unit_by_name
from .instance import FmuPort, FmuProgram, read_archive

__all__ = ["check_signal_unit", "read_signal", "fmu", "PythonProgram", "python_controller"]


# ---- read signals

# Signals that a program in the loop reads: names of signals, expressions, numbers with units, functions of time.

_UNITS = {
    "angle": ("rad",),
    "angular_speed": ("rad/s",),
    "displacement": ("m",),
    "speed": ("m/s", "rad/s"),
    "position": ("m",),
    "velocity": ("m/s",),
    "angular_velocity": ("rad/s",),
}
"""Units of signals by the second part of their names."""
_NUMBER = re.compile(r"\s*[+-]?(\d|\.\d)")


def read_signal(value: Any, what: str) -> Any:
    """Value of an input. A text that is not a number with a unit is an expression over signals."""
    if not isinstance(value, str):
        return value
    if not _NUMBER.match(value):
        return SignalExpression(value, what=what)
    try:
        dimension_of(value)
    except UnitError:
        try:
            made = SignalExpression(value, what=what)
        except ModelError:
            return value  # the error about its unit is clearer
        return made if made.signals else value
    return value


def check_signal_unit(value: Any, unit: str, what: str) -> None:
    """ModelError if the value is the name of a signal whose unit does not fit. Units of other expressions are not checked."""
    if not isinstance(value, SignalExpression) or len(value.signals) != 1 or value.text.strip() != value.signals[0]:
        return
    units = _UNITS.get(value.signals[0].split(".")[1])
    wanted = parse_unit(unit).powers
    if units is None or not unit or any(parse_unit(one).powers[:-1] == wanted[:-1] for one in units):
        return
    raise ModelError(
        f'{what}: the variable of the program is a {dimension_name(wanted)} ({unit}), but the signal "{value.text.strip()}" is in '
        f"{' or '.join(units)}"
    )


@names_wrong_arguments
def fmu(
    name: str,
    file: str | os.PathLike[str],
    *,
    step: float | str,
    inputs: Mapping[str, Any] | None = None,
    outputs: Iterable[str] | Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    units: Mapping[str, str] | None = None,
    between: str = "hold",
) -> Element:
    """FMU for co-simulation (FMI 2 or 3) in the loop, as a controller or a load. Add it with `Model.add`.

    At each communication point the FMU gets its inputs and computes its outputs at the end of the step. The model is then
    integrated over this step. The FMU is a program: it runs in this process with all rights of the user.

    Parameters
    ----------
    name
        Name of the element. Its outputs are the signals NAME.OUTPUT.
    file
        FMU with a program for this platform.
    step
        Communication step [s].
    inputs
        Signals by the name of the variable of the FMU: the name of a signal such as "axis.angular_speed", an expression, a number
        or text with a unit, a function of time. Inputs that are not connected keep their start values.
    outputs
        Names of variables of the FMU; or names of signals and their variables, {"torque": "motor.tau"}. Default: all outputs.
    parameters
        Values of parameters by name: numbers in SI, texts with units, truth values, texts. They are set before the start.
    units
        Units of variables for which the FMU declares none, e.g. {"speed": "rpm"}. If it declares one, both must be equal.
    between
        "hold": inputs and outputs are constant in a communication step, as with a digital controller (order 1). "linear": the
        inputs are extrapolated and the outputs are on straight lines (order 2, for continuous systems).

    Returns
    -------
    Element
        The element, with one argument for each input.
    """
    check_name(name, "fmu")
    what = f'FMU "{name}"'
    archive = read_archive(file)
    archive.library()
    said = archive.description
    stated = _stated_units(said, units or {}, what)
    given = {variable: read_signal(value, f'{what}: input "{variable}"') for variable, value in (inputs or {}).items()}
    ports_in, signals_in = _ports(said, {signal_name(v): v for v in given}, "input", stated, what)
    for port, signal in zip(ports_in, signals_in, strict=True):
        check_signal_unit(given[port.variable], signal.unit, f'{what}: input "{port.variable}"')
    ports_out, signals_out = _ports(said, _chosen_outputs(said, outputs, what), "output", stated, what)
    if not ports_out:
        raise ModelError(f"{what}: it has no output. Specify outputs: names of variables of the FMU")
    settings = tuple(_setting(said, key, value, stated, what) for key, value in (parameters or {}).items())
    program = FmuProgram(
        str(archive.path), name, archive.digest, ports_in, ports_out, settings, tuple((units or {}).items()),
        _unconnected(said, given),
    )  # fmt: skip
    cls = program_class("fmu", {"fmu": FmuProgram}, signals_in, signals_out)
    values = {signal.name: given[port.variable] for port, signal in zip(ports_in, signals_in, strict=True)}
    return cls(name, program=program, step=step, between=between, **values)


def _stated_units(said: FmuDescription, units: Mapping[str, str], what: str) -> dict[str, FmuUnit]:
    """Units that the user states. They must not contradict those of the FMU."""
    found: dict[str, FmuUnit] = {}
    for name, text in units.items():
        variable = _variable(said, name, what)
        unit = unit_by_name(text) if isinstance(text, str) else None
        if unit is None:
            raise ModelError(f'{what}: units: {shown(text)} of "{name}" is not a unit; write e.g. "N*m", "rpm"')
        own = said.unit_of(variable) if variable.unit else None
        if own is not None and (own.powers[:-1] != unit.powers[:-1] or abs(own.factor / unit.factor - 1.0) > 1e-9):
            raise ModelError(f'{what}: the FMU declares the unit "{variable.unit}" of "{name}", not {shown(text)}')
        found[name] = unit
    return found


def _variable(said: FmuDescription, name: Any, what: str, causality: str = "") -> FmuVariable:
    names = [one.name for one in said.variables.values() if not causality or one.causality == causality]
    if not isinstance(name, str) or name not in said.variables:
        kind = f"{causality} " if causality else "variable "
        listed = near_names(str(name), names) if names else f"it has no {causality}s"
        raise ModelError(f"{what}: the FMU has no {kind}{shown(name)}; {listed}")
    variable = said.variables[name]
    if causality and variable.causality != causality:
        listed = near_names(name, names) if names else f"it has no {causality}s"
        raise ModelError(f'{what}: "{name}" is not an {causality} of the FMU but a {variable.causality}; {listed}')
    return variable


def _unit(said: FmuDescription, variable: FmuVariable, stated: Mapping[str, FmuUnit], what: str) -> FmuUnit:
    if variable.name in stated:
        return stated[variable.name]
    unit = said.unit_of(variable)
    if unit is None:
        raise ModelError(
            f'{what}: the unit "{variable.unit}" of "{variable.name}" has no definition in base units of mechanics. Specify it: '
            f'units={{"{variable.name}": "N*m"}}'
        )
    return unit


def _ports(
    said: FmuDescription, chosen: Mapping[str, str], causality: str, stated: Mapping[str, FmuUnit], what: str
) -> tuple[tuple[FmuPort, ...], tuple[ProgramSignal, ...]]:
    ports, signals = [], []
    for signal, name in chosen.items():
        variable = _variable(said, name, what, causality if causality == "input" else "")
        if causality == "output" and variable.causality not in ("output", "local", "calculatedParameter"):
            raise ModelError(f'{what}: "{name}" is a variable of the kind "{variable.causality}", not an output')
        if not variable.number:
            kind = "an array" if variable.array else f"of the type {variable.kind}"
            raise ModelError(f'{what}: {causality} "{name}" is {kind}. Only single numbers can be exchanged')
        unit = _unit(said, variable, stated, what)
        ports.append(FmuPort(signal, name, variable.reference, variable.kind, unit.factor, unit.offset))
        signals.append(ProgramSignal(signal, unit.si, f"{causality} {name} of the FMU"))
    return tuple(ports), tuple(signals)


def _chosen_outputs(said: FmuDescription, outputs: Any, what: str) -> dict[str, str]:
    """Variables by the names of their signals."""
    if outputs is None:
        return {signal_name(v.name): v.name for v in said.variables.values() if v.causality == "output" and v.number}
    if isinstance(outputs, Mapping):
        for signal in outputs:
            if signal_name(str(signal)) != signal:
                raise ModelError(
                    f"{what}: outputs: {shown(signal)} cannot be the name of a signal. Use letters, digits and _, e.g. "
                    f"{signal_name(str(signal))}"
                )
        return dict(outputs)
    names = [outputs] if isinstance(outputs, str) else list(outputs)
    for name in names:
        _variable(said, name, what)
    found = {signal_name(name): name for name in names}
    if len(found) != len(names):
        raise ModelError(
            f"{what}: outputs: two outputs have the same name. Specify names: {{'first': 'a.x', 'second': 'a_x'}}"
        )
    return found


def _setting(
    said: FmuDescription, name: str, value: Any, stated: Mapping[str, FmuUnit], what: str
) -> tuple[FmuPort, Any, Any]:
    """Port, value in the unit of the FMU and value as specified, of a parameter."""
    variable = _variable(said, name, what, "parameter")
    where = f'{what}: parameter "{name}"'
    if variable.array:
        raise ModelError(f"{where} is an array. Only single values can be set")
    unit = FmuUnit("", 1.0, 0.0, (0, 0, 0, 0, 0, 0))
    if variable.kind in REALS:
        unit = _unit(said, variable, stated, what)
        plain = variable.unit == "" and name not in stated
        number = quantity(value, None if plain else unit.si or "number", what=where)
        made: Any = (number - unit.offset) / unit.factor
    elif variable.kind in INTEGERS:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ModelError(f"{where}: expected a whole number, got {shown(value)}")
        made = value
    elif variable.kind == "Boolean":
        if not isinstance(value, bool):
            raise ModelError(f"{where}: expected true or false, got {shown(value)}")
        made = value
    elif variable.kind == "String":
        if not isinstance(value, str):
            raise ModelError(f"{where}: expected a text, got {shown(value)}")
        made = value
    else:
        raise ModelError(f"{where}: values of the type {variable.kind} cannot be set")
    return FmuPort(name, name, variable.reference, variable.kind, unit.factor, unit.offset), made, value


def _unconnected(said: FmuDescription, given: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(v.name for v in said.variables.values() if v.causality == "input" and v.name not in given)


# ---- python program

# `python_controller`: a Python function or class in the loop, called at communication points as an FMU is.


@dataclass(frozen=True)
class PythonProgram:
    """Function or class in a model.

    factors: SI value of the unit of each output
    """

    function: Callable[..., Any]
    element: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    factors: tuple[float, ...]

    @property
    def words(self) -> str:
        """One line."""
        return f"Python {'class' if isinstance(self.function, type) else 'function'} {_name(self.function)}"

    @property
    def unsaved(self) -> str:
        """Why the state cannot be stored; empty: the attributes of the object are stored."""
        return ""

    def described(self) -> dict[str, Any]:
        """Plain data."""
        return {"type": "PythonProgram", "function": _name(self.function), "outputs": list(self.outputs)}

    def open(self, name: str) -> ProgramInstance:
        """Function for one run; a class makes a new object."""
        return _PythonInstance(self, self.function() if isinstance(self.function, type) else self.function)


class _PythonInstance:
    def __init__(self, program: PythonProgram, called: Callable[..., Any]) -> None:
        self.program, self._called = program, called

    def begin(self, t: float, inputs: list[float]) -> list[float]:
        return [0.0] * len(self.program.outputs)

    def advance(self, t: float, h: float, inputs: list[float], slopes: list[float] | None) -> list[float]:
        if slopes is not None:
            t, inputs = t + h, [u + h * du for u, du in zip(inputs, slopes, strict=True)]
        found = self._called(t, **dict(zip(self.program.inputs, inputs, strict=True)))
        return self._read(found, t)

    def _read(self, found: Any, t: float) -> list[float]:
        names = self.program.outputs
        where = f'"{self.program.element}": {_name(self.program.function)} at t = {t:.9g} s'
        if isinstance(found, Mapping):
            if set(found) != set(names):
                raise ModelError(f"{where} returned {shown(found)}, expected the keys {', '.join(names)}")
            found = [found[name] for name in names]
        elif isinstance(found, numbers.Real) or getattr(found, "ndim", None) == 0:
            found = [found]
        values = list(found) if isinstance(found, Iterable) and not isinstance(found, str) else []
        if len(values) != len(names) or not all(isinstance(v, numbers.Real) for v in values):
            expected = "a number" if len(names) == 1 else f"{len(names)} numbers ({', '.join(names)})"
            raise ModelError(f"{where} returned {shown(found)}, expected {expected}")
        return [factor * float(value) for factor, value in zip(self.program.factors, values, strict=True)]

    def state(self) -> bytes:
        if not isinstance(self.program.function, type):
            return b""
        try:
            return json.dumps(vars(self._called)).encode()
        except (TypeError, ValueError) as error:
            raise ModelError(
                f'"{self.program.element}": the attributes of {_name(self.program.function)} are its state, but they are not all '
                f"numbers, texts, lists and dictionaries: {error}"
            ) from error

    def set_state(self, t: float, state: bytes) -> None:
        if isinstance(self.program.function, type):
            try:
                vars(self._called).update(json.loads(state))
            except (TypeError, ValueError) as error:
                raise ModelError(f'"{self.program.element}": its stored state is damaged: {error}') from error

    def close(self) -> None:
        self._called = _ended


def _ended(t: float, **inputs: float) -> list[float]:
    return [math.nan]


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


@names_wrong_arguments
def python_controller(
    name: str,
    function: Callable[..., Any],
    *,
    step: float | str,
    inputs: Mapping[str, Any] | None = None,
    outputs: Iterable[str] | Mapping[str, str] = ("output",),
    between: str = "hold",
) -> Element:
    """Python function or class in the loop, called once at every communication point. Add it with `Model.add`.

    The function may use any Python object. It is not compiled. A class is for controllers with states: every run makes a
    new object and calls it as the function. Its attributes (numbers, texts, lists) are stored in results and checkpoints.

    Parameters
    ----------
    name
        Name of the element. Its outputs are the signals NAME.OUTPUT.
    function
        Function ``f(t, **inputs)`` that returns one number, several numbers or a dict of the outputs; or a class without arguments
        whose objects are such functions.
    step
        Communication step [s].
    inputs
        Signals by the name of the argument: the name of a signal such as "axis.angular_speed", an expression, a number or text
        with a unit, a function of time. The function gets SI values.
    outputs
        Names of the outputs; or the unit of each output by name, {"torque": "N*m"}.
    between
        "hold": the outputs are constant until the next point (order 1). "linear": the function is evaluated at the end of the
        step with extrapolated inputs, and the outputs are on straight lines (order 2).

    Returns
    -------
    Element
        The element, with one argument for each input.
    """
    check_name(name, "python_controller")
    what = f'python_controller "{name}"'
    if not callable(function):
        raise ModelError(f"{what}: expected a function (t, **inputs) or a class, got {shown(function)}")
    given = {key: read_signal(value, f'{what}: input "{key}"') for key, value in (inputs or {}).items()}
    for key in given:
        if signal_name(key) != key:
            raise ModelError(f"{what}: the input cannot have the name {shown(key)}; use e.g. {signal_name(key)}")
    _check_arguments(function, given, what)
    units = (
        dict(outputs)
        if isinstance(outputs, Mapping)
        else dict.fromkeys([outputs] if isinstance(outputs, str) else outputs, "")
    )
    if not units:
        raise ModelError(f"{what}: specify at least one output")
    signals, factors = [], []
    for key, text in units.items():
        if signal_name(str(key)) != key:
            raise ModelError(f"{what}: the output cannot have the name {shown(key)}; use e.g. {signal_name(str(key))}")
        try:
            unit = parse_unit(text)
        except (UnitSyntax, TypeError, AttributeError) as error:
            raise ModelError(f'{what}: output "{key}": {shown(text)} is not a unit: {error}') from None
        signals.append(ProgramSignal(key, si_text(unit.powers), f"output {key} of {_name(function)}"))
        factors.append(unit.factor)
    program = PythonProgram(function, name, tuple(given), tuple(units), tuple(factors))
    read = tuple(ProgramSignal(key, "", f"input {key} of {_name(function)}") for key in given)
    cls = program_class("python", {"python": PythonProgram}, read, tuple(signals))
    return cls(name, program=program, step=step, between=between, **given)


def _check_arguments(function: Any, given: Mapping[str, Any], what: str) -> None:
    """ModelError if the function cannot be called with the inputs."""
    called = function.__call__ if isinstance(function, type) else function
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return
    first = (None,) if isinstance(function, type) else ()
    try:
        signature.bind(*first, 0.0, **dict.fromkeys(given, 0.0))
    except TypeError as error:
        raise ModelError(
            f"{what}: {_name(function)}{signature} cannot be called with (t, {', '.join(given)}): {error}"
        ) from None
