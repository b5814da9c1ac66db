"""Period of a model, the steady rotation of its shafts in it, and reductions of signals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.analyses.statics import statics
from pitchline.analyses.steady_motion import at_rest, check_shaft, rates, steady_motion
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.functions.sampled import Sampled
from pitchline.model.model import Model
from pitchline.parts.bodies.part import ANGLE
from pitchline.results.signal import Signal
from pitchline.units.quantity import quantity

from ..batch.function_terms import PieceTerm, function_terms
from ..batch.mesh_reading import last_change

__all__ = [
    "REVOLUTION",
    "PeriodRule",
    "is_time",
    "read_period",
    "SignalReduction",
    "default_reductions",
    "read_reductions",
]


REVOLUTION = "revolution"
SAME_PERIOD = 1e-9
CONSTANT_SPEED = 1e-9
STANDS = 1e-9
"""Speed of a wheel, relative to the others, that is zero."""


@dataclass(frozen=True, eq=False)
class PeriodRule:
    """Period of a model at any value of its parameter.

    shaft : joint that rotates steadily; "" if nothing rotates
    turn : (n,) motion of the coordinates of all nodes while the shaft rotates by 1 rad; None if they follow no constant ratio
    angle : rotation of the shaft in a period [rad], if the period follows from it; 0: `time` gives it
    time : function of model and parameter that gives the period [s]
    described : text for messages
    """

    shaft: str
    turn: FloatArray | None
    angle: float
    time: Callable[[Model, float], float] | None
    described: str

    def rolls_freely(self, model: Model) -> bool:
        """Whether the shaft rotates without a drive."""
        return bool(self.shaft) and _drive_of(model, self.shaft) is None

    def speed(self, model: Model, t: float, period: float | None = None) -> float:
        """Speed of the shaft at a time [rad/s]; its mean over a period, if this is given."""
        if not self.shaft:
            return 0.0
        drive = _drive_of(model, self.shaft)
        if drive is None:
            return _initial_speed(model, self.shaft)
        function = _speed_function(drive)
        if period is not None:
            whole = function.resolved(t, t + period).integral(0.0, t)
            return float(whole(t + period)) / period
        values = function.resolved(t, t + 1.0)(t + np.linspace(0.0, 1.0, 33))
        if np.ptp(values) > CONSTANT_SPEED * max(float(np.abs(values).max()), 1e-300):
            raise ModelError(
                f'continuation: the speed of drive "{drive.name}" varies with time, so that it does not determine the period. '
                'Specify the period, e.g. period="20 ms"'
            )
        return float(values[0])

    def of(self, model: Model, parameter: float) -> tuple[float, float, float]:
        """(time at which the period starts, period, speed of the shaft) at a value of the parameter."""
        begin = last_drive_change(model)
        if self.time is not None:
            period = self.time(model, parameter)
            speed = 0.0
        else:
            speed = self.speed(model, begin)
            if speed == 0.0:
                raise ModelError(
                    f'continuation: "{self.shaft}" is at rest at a parameter of {parameter:g}, so that {self.described} has no '
                    "end. Limit the range to speeds other than zero"
                )
            period = self.angle / abs(speed)
        if not (math.isfinite(period) and period > 0.0):
            raise ModelError(
                f"continuation: the period must be positive, got {period:g} s at a parameter of {parameter:g}"
            )
        # whole periods from t = 0 on, so that loads have the same phase at every value of the parameter
        begin = math.ceil(begin / period - 1e-9) * period
        if self.time is not None:
            speed = self.speed(model, begin, period)
        return begin, period, speed


def last_drive_change(model: Model) -> float:
    """Time after which drives and loads have no more ramps [s]."""
    latest = 0.0
    for function in functions_of(model).values():
        if not isinstance(function, Sampled):  # of a Python function the user states with the period that it repeats
            latest = max(latest, last_change(function.encode(), 0))
    return latest


def functions_of(model: Model) -> dict[str, Function]:
    """Functions of time of drives, loads and meshes, by the name of the part."""
    found: dict[str, Function] = {}
    for pair in model.gear_pairs.values():
        found |= pair.functions_of_time
    for part in (*model.drives.values(), *model.loads.values()):
        for value in vars(part).values():
            several = value if isinstance(value, (tuple, list)) else (value,)
            for k, one in enumerate(several):
                if isinstance(one, Function):
                    found[part.name if len(several) == 1 else f"{part.name}[{k}]"] = one
    return found


def read_period(model: Model, period: Any, shaft: Any) -> PeriodRule:
    """The rule for the period of a model.

    period : time, function of the parameter, gear pair, "revolution", or None: the mesh cycle of the only pair, or the period of
        loads and drives. shaft : joint that rotates, or None.
    """
    turning = _shaft(model, shaft)
    turn, point, x = None, None, None
    if turning:
        try:
            point, x = _rolling(model, turning)
            turn = point.increments(x)
        except PitchlineError as error:
            if not is_time(period) and period != REVOLUTION:
                raise ModelError(f"continuation: {error}") from None
    if callable(period):
        return PeriodRule(turning, turn, 0.0, _checked(period), "the period")
    if period is None:
        return _default(model, turning, turn, point, x)
    if isinstance(period, str) and period in model.gear_pairs:
        return _mesh_cycle(model, turning, turn, point, x, period)
    if period == REVOLUTION:
        if not turning:
            raise ModelError(
                'continuation: period="revolution", but nothing in the model rotates. Specify shaft="JOINT"'
            )
        return PeriodRule(turning, turn, 2 * math.pi, None, "a revolution")
    if isinstance(period, str) and not is_time(period):
        raise ModelError(
            f'continuation: period: {shown(period)} is neither a time such as "20 ms" nor a gear pair nor "revolution"; '
            f"{near_names(period, [*model.gear_pairs, REVOLUTION])}"
        )
    constant = quantity(period, "time", what="period")
    return PeriodRule(turning, turn, 0.0, lambda _model, _parameter: constant, "the period")


def _checked(period: Callable[[float], Any]) -> Callable[[Model, float], float]:
    """A function of the parameter, given by the user."""

    def time(_model: Model, parameter: float) -> float:
        try:
            return quantity(period(parameter), "time", what="period")
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ModelError(f"continuation: the function of the period failed at {parameter:g}: {error}") from error

    return time


def is_time(period: Any) -> bool:
    """Whether a period is a time, or a function that gives one."""
    if callable(period) or isinstance(period, (int, float, np.number)):
        return True
    try:
        quantity(period, "time", what="period")
    except (ModelError, TypeError, ValueError):
        return False
    return True


def _default(model: Model, shaft: str, turn: FloatArray | None, point: Any, x: FloatArray | None) -> PeriodRule:
    if shaft and model.gear_pairs and x is not None:
        cycles = {name: _cycles(point, x, name) for name in model.gear_pairs}
        first = next(iter(cycles.values()))
        if all(abs(c - first) < SAME_PERIOD * first for c in cycles.values()):
            return _mesh_cycle(model, shaft, turn, point, x, next(iter(cycles)))
        raise ModelError(
            f"continuation: the gear pairs have different mesh cycles: {', '.join(cycles)}. Specify with period= a gear pair whose "
            'mesh cycle is the period, or a time after which all of them repeat, or "revolution"'
        )
    if shaft:
        return PeriodRule(shaft, turn, 2 * math.pi, None, "a revolution")
    if _of_functions(model) is None:
        raise ModelError(
            f'continuation: model "{model.name}" has no drive that rotates and no load with a period. Specify period=, e.g. '
            '"20 ms" or a function of the parameter'
        )
    return PeriodRule("", None, 0.0, lambda now, _parameter: _of_functions(now) or 0.0, "the period of the excitation")


def _rolling(model: Model, shaft: str) -> tuple[Any, FloatArray]:
    """(operating point, velocities at 1 rad/s of the shaft). Teeth that do not touch in the initial position touch under load."""
    point = at_rest(model, None)
    x = steady_motion(point, shaft)
    speeds = rates(point, tuple(f"{name}.psi_a" for name in model.gear_pairs), x) if model.gear_pairs else np.ones(1)
    if np.abs(speeds).min() < STANDS * np.abs(speeds).max():
        point = at_rest(model, statics(model))
        x = steady_motion(point, shaft)
    return point, x


def _mesh_cycle(
    model: Model, shaft: str, turn: FloatArray | None, point: Any, x: FloatArray | None, pair: str
) -> PeriodRule:
    if not shaft or x is None:
        raise ModelError(f'continuation: the gears of "{pair}" do not rotate. Specify shaft= or a period')
    return PeriodRule(shaft, turn, 2 * math.pi / _cycles(point, x, pair), None, f'a mesh cycle of "{pair}"')


def _cycles(point: Any, x: FloatArray, pair: str) -> float:
    """Mesh cycles per revolution of the shaft."""
    teeth = point.model.gear_pairs[pair].pair.pitch.teeth_a
    found = abs(float(rates(point, (f"{pair}.psi_a",), x)[0])) * teeth
    if found < 1e-9:
        raise ModelError(f'continuation: the gears of "{pair}" do not rotate with the shaft. Specify another period')
    return found


# ---- what rotates


def _drive_of(model: Model, shaft: str) -> Any:
    return next((d for d in model.drives.values() if d.joint_name == shaft and d.coordinate == ANGLE), None)


def _speed_function(drive: Any) -> Function:
    if not isinstance(drive.function, Function):
        raise ModelError(
            f'continuation: drive "{drive.name}" follows signals, so that its speed is not known in advance. Specify the speed as '
            "a number"
        )
    return drive.function if drive.given == "speed" else drive.function.derivative()


def _shaft(model: Model, shaft: Any) -> str:
    """Joint that rotates steadily: the given one, the first driven one, or the first with an initial speed; "" without one."""
    if shaft is not None:
        check_shaft(model, shaft)
        return str(shaft)
    for drive in model.drives.values():
        if drive.coordinate == ANGLE and isinstance(drive.function, Function):
            t = last_drive_change(model)
            function = _speed_function(drive).resolved(t, t + 1.0)
            values = function(t + np.linspace(0.0, 1.0, 257))
            if abs(float(np.mean(values))) > 0.5 * float(np.ptp(values)):
                return drive.joint_name
    for name, joint in model.joints.items():
        if joint.kind == "revolute" and not model.drives and _initial_speed(model, name) != 0.0:
            return name
    return ""


def _initial_speed(model: Model, shaft: str) -> float:
    """Initial speed of a joint [rad/s]."""
    joint = model.joints[shaft]
    a, b = (model.bodies.get(name) for name in (joint.body_a, joint.body_b))
    axis = joint.frame_a.rotation[:, 2]
    if a is not None:
        axis = np.asarray(a.orientation) @ axis
    speeds = [np.zeros(3) if body is None else np.asarray(body.angular_velocity, float) for body in (a, b)]
    return float(axis @ (speeds[1] - speeds[0]))


# ---- periods of functions


def _of_functions(model: Model) -> float | None:
    """Common period of all functions of loads and drives that are periodic [s]."""
    periods: dict[str, float] = {}
    for name, function in functions_of(model).items():
        for one in [] if isinstance(function, Sampled) else _periods(function):
            periods[name] = max(periods.get(name, 0.0), one)
    if not periods:
        return None
    longest = max(periods.values())
    for name, one in periods.items():
        if abs(longest / one - round(longest / one)) > 1e-6:
            raise ModelError(
                f'continuation: "{name}" has a period of {one:g} s, which is not a whole part of {longest:g} s. Specify with '
                "period= a time after which all loads and drives repeat"
            )
    return longest


def _periods(function: Function) -> list[float]:
    """Periods of the terms of a function [s]."""
    found = []
    for term in function_terms(function.encode(), 0):
        if isinstance(term, PieceTerm):
            found += [term.period] if term.period > 0.0 else []
        elif term.omega and len(term.cos):  # also with amplitudes of zero, which may be the start of a range
            found.append(2 * math.pi / abs(term.omega))
    return found


# ---- signal reductions

# Reductions of sampled signals over whole periods: "PART.SIGNAL.REDUCTION" and "PAIR.contact_loss".

CONTACT_LOSS = "contact_loss"
_OF_SAMPLES: dict[str, Callable[[FloatArray], Any]] = {
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "rms": lambda x: np.sqrt(np.mean(x * x)),
    "peak_to_peak": np.ptp,
}
_ORDER = re.compile(r"(order|phase)_([1-9][0-9]*)\Z")


@dataclass(frozen=True)
class SignalReduction:
    """One number from a signal over whole periods.

    signal : name of the signal, of a component ("BODY.velocity.x") too. kind : "max", "order_1", ...
    """

    name: str
    signal: str
    kind: str

    def of(self, signals: Mapping[str, Signal], cycles: int) -> float:
        """Value from signals at equal steps, from the start to the end of `cycles` periods (both included)."""
        x = signal_of(signals, self.signal).values[:-1]
        if self.kind == CONTACT_LOSS:
            return float(np.mean(x == 0.0))
        order = _ORDER.match(self.kind)
        if order is None:
            return float(_OF_SAMPLES[self.kind](x))
        k = int(order[2]) * cycles
        part = 2.0 * np.mean(x * np.exp(-2j * np.pi * k * np.arange(len(x)) / len(x)))
        return float(np.abs(part) if order[1] == "order" else np.angle(part))

    def unit(self, signals: Mapping[str, Signal]) -> str:
        """Its SI unit."""
        if self.kind == CONTACT_LOSS:
            return ""
        return "rad" if self.kind.startswith("phase_") else signal_of(signals, self.signal).unit


def default_reductions(model: Model) -> tuple[str, ...]:
    """Reductions if none are requested: of all gear pairs, or the ranges of the joints that move."""
    if model.gear_pairs:
        return tuple(
            f"{pair}.{what}" for pair in model.gear_pairs for what in ("transmission_error.peak_to_peak", CONTACT_LOSS)
        )
    free = {joint for joint in model.joints} - {drive.joint_name for drive in model.drives.values()}
    names = [(joint, c) for joint in model.joints if joint in free for c in model.joints[joint].coordinates]
    return tuple(f"{joint}.{coordinate}.peak_to_peak" for joint, coordinate in names)


def read_reductions(names: Iterable[str], signals: Mapping[str, Signal]) -> tuple[SignalReduction, ...]:
    """Checked reductions. signals : all signals of the model."""
    found = []
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"continuation: reduce must be names such as {_example(signals)}, got {shown(name)}")
        signal, _, kind = name.rpartition(".")
        if kind == CONTACT_LOSS:
            signal = f"{signal}.contact"
        elif kind not in _OF_SAMPLES and not _ORDER.match(kind):
            known = [*_OF_SAMPLES, "order_1", "phase_1", CONTACT_LOSS]
            raise ModelError(
                f'continuation: "{name}": "{kind}" is not a reduction; {near_names(kind, known)}. Write e.g. {_example(signals)}'
            )
        if signal_of(signals, signal, missing=True) is None:
            raise ModelError(
                f'continuation: "{name}": the model has no signal "{signal}"; {near_names(signal, signals)}'
            )
        found.append(SignalReduction(name, signal, kind))
    return tuple(found)


def signal_of(signals: Mapping[str, Signal], name: str, *, missing: bool = False) -> Any:
    """A signal with one component, or a component of a signal; None if there is none and `missing`."""
    if name in signals and not signals[name].components:
        return signals[name]
    whole, _, label = name.rpartition(".")
    if whole in signals and label in signals[whole].components:
        return signals[whole].component(label)
    if missing:
        return None
    raise ModelError(f'the model has no signal "{name}"; {near_names(name, signals)}')


def _example(signals: Mapping[str, Signal]) -> str:
    first = next((name for name, signal in signals.items() if not signal.components), "mesh.normal_force")
    return f'"{first}.peak_to_peak"'
