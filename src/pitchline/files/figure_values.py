"""finding: the value of a named figure, taken from the results of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import PitchlineError
from ..results import Modes, Result, Signal
from ..results.figures import Figure
from ..units.parser import parse_unit
from .figure_specs import FigureSpec

__all__ = ["finding"]


def finding(spec: FigureSpec, run: Mapping[str, Any]) -> Figure:
    """The value of a finding; PitchlineError where the results do not have it."""
    if spec.analysis not in run:
        raise PitchlineError(f'figure "{spec.key}": the analysis "{spec.analysis}" was not carried out')
    result = run[spec.analysis]
    if isinstance(result, Modes):
        return _of_modes(spec, result)
    if not isinstance(result, Result):
        raise PitchlineError(f'figure "{spec.key}": "{spec.analysis}" has no signals')
    signal = result[spec.signal]
    if spec.after is not None or spec.before is not None:
        first = -np.inf if spec.after is None else spec.after
        last = np.inf if spec.before is None else spec.before
        slack = 1e-9 * (signal.time[-1] - signal.time[0]) if len(signal) else 0.0
        signal = signal.between(first - slack, last + slack)
    value: Any
    if spec.of == "amplitude":
        value = _amplitude(spec, signal, result)
    elif spec.of == "value":
        value = signal.at(spec.at)  # type: ignore[arg-type]
    else:
        taken = getattr(signal, spec.of)
        value = taken if spec.of in ("final", "initial") else taken()
    unit = "" if signal.unit == "1" else signal.unit
    if spec.unit and spec.unit != unit:
        value = np.asarray(value) * _factor(unit, spec.unit, spec)
        unit = spec.unit
    value = float(value) if np.ndim(value) == 0 else [float(x) for x in np.asarray(value)]
    text = spec.description or f"{spec.signal}, {spec.of.replace('_', ' ')}"
    return Figure(spec.key, value, unit, text, spec.expected)


def _of_modes(spec: FigureSpec, modes: Modes) -> Figure:
    assert spec.mode is not None
    if spec.mode > len(modes):
        raise PitchlineError(f'figure "{spec.key}": "{spec.analysis}" has {len(modes)} modes, not {spec.mode}')
    if spec.of == "frequency":
        value, unit = float(modes.frequencies[spec.mode - 1]), "Hz"
    else:
        value, unit = float(modes.damping_ratios[spec.mode - 1]), ""
    text = spec.description or f"mode {spec.mode}, {spec.of.replace('_', ' ')}"
    return Figure(spec.key, value, unit, text, spec.expected)


def _factor(unit: str, wanted: str, spec: FigureSpec) -> float:
    a, b = parse_unit(unit), parse_unit(wanted)
    if a.powers[:4] != b.powers[:4]:
        raise PitchlineError(f'figure "{spec.key}": {spec.signal} is in {unit or "1"}, which is not a matter of {wanted}')
    return a.factor / b.factor


def _amplitude(spec: FigureSpec, signal: Signal, result: Result) -> Any:
    """A = (2/X) |∫ y exp(-2πi x/p) dx| over the last whole periods p of the record, x being time, or an angle over 2π/order."""
    if spec.frequency is not None:
        x, period, what = signal.time, 1.0 / spec.frequency, f"{spec.frequency:g} Hz"
    else:
        assert spec.order is not None and spec.angle is not None
        angle = result[spec.angle].between(signal.time[0], signal.time[-1])
        x, period, what = np.abs(angle.values - angle.values[0]), 2.0 * np.pi / spec.order, f"order {spec.order:g}"
        if np.any(np.diff(x) < 0.0):
            raise PitchlineError(f'figure "{spec.key}": {spec.angle} turns to and fro; orders need one that turns one way')
    count = int(np.floor((x[-1] - x[0]) / period * (1.0 + 1e-9) + 1e-9)) if len(x) else 0
    if count < 1:
        raise PitchlineError(f'figure "{spec.key}": the record holds less than one period of {what}; make it longer')
    start = max(x[-1] - count * period, x[0])
    inner = x > start
    values = signal.values
    first = [np.interp(start, x, column) for column in np.atleast_2d(values.T)]
    y = np.column_stack([np.concatenate([[f], column[inner]]) for f, column in zip(first, np.atleast_2d(values.T), strict=True)])
    x = np.concatenate([[start], x[inner]])
    if len(x) < 2 * count + 1:
        raise PitchlineError(f'figure "{spec.key}": fewer than two samples a period of {what}; ask for a shorter output_step')
    wave = np.exp(-2j * np.pi * x / period)[:, None]
    found = 2.0 * np.abs(np.trapezoid(y * wave, x, axis=0)) / (x[-1] - x[0])
    return found[0] if values.ndim == 1 else found
