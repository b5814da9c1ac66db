"""`python_controller`: a Python function or class in the loop, called at communication points as an FMU is."""

from __future__ import annotations

import inspect
import json
import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...arguments import names_wrong_arguments
from ...declared_elements.program_in_loop import ProgramSignal, program_class, signal_name
from ...elements.outside_program import ProgramInstance
from ...errors import ModelError, shown
from ...extend import Element
from ...model.names import check_name
from ...units.parser import UnitSyntax, parse_unit
from .fmu_units import si_text
from .read_signals import read_signal

__all__ = ["PythonProgram", "python_controller"]


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
