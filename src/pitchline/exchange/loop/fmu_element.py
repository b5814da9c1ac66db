"""`fmu`: an FMU for co-simulation as an element of a model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ...arguments import names_wrong_arguments
from ...declared_elements.program_in_loop import ProgramSignal, program_class, signal_name
from ...errors import ModelError, near_names, shown
from ...extend import Element
from ...model.names import check_name
from ...units import quantity
from .fmu_description import INTEGERS, REALS, FmuDescription, FmuVariable
from .fmu_program import FmuPort, FmuProgram, read_archive
from .fmu_units import FmuUnit, unit_by_name
from .read_signals import check_signal_unit, read_signal

__all__ = ["fmu"]


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
