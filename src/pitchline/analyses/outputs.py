"""Outputs of a linear model: signals of a result as linear functions of small motions.

    y = Q x + V x' + A x'' + L lam + U u + Ud u'

by central differences of the signals of the elements: one sample for each coordinate, rate, acceleration, multiplier and input,
varied up and down. Signals are linear in accelerations, multipliers and inputs, and at most quadratic in rates. Signs of gear pairs
are those of the loaded flank at the operating point. Otherwise, for unloaded teeth without backlash, the two samples would refer to
different flanks and their difference would be zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..errors import ModelError, near_names
from ..model import Model
from ..results.signal import Signal
from ..solvers.consistent import displace
from ..system.system import State, System
from .inputs import VariedInput
from .operating_point import OperatingPoint
from .signals import build_signals, flanks_of, parts_of, samples_of

POSITION_STEPS = (1e-8, 1e-5)
"""Steps of coordinates [rad, or fractions of the model's length or of the typical size of internal coordinates]. The first is far
below tooth deflections. The second has less round-off and is used if it gives the same result."""


@dataclass
class OutputMap:
    """Matrices (outputs, ...) of the chosen signals, for x in fixed axes and multipliers in units of the system's scales."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    Q: np.ndarray
    V: np.ndarray
    A: np.ndarray
    L: np.ndarray
    U: np.ndarray
    Ud: np.ndarray


def check_outputs(point: OperatingPoint, names: tuple[str, ...]) -> None:
    """Check that all names are signals or components of signals."""
    _picked(build_signals(point.system, samples_of([point.state.copy()]), point.rank, inertial=True), names)


def output_map(point: OperatingPoint, names: tuple[str, ...], inputs: list[VariedInput], model: Model) -> OutputMap:
    """Return the linear map of the requested signals."""
    s, state = point.system, point.state
    n = s.n_q
    live = np.flatnonzero(s.layout.equation >= 0)
    lengths = s.sizes
    rate_step = 1e-5 * (1.0 + float(np.max(np.abs(state.v), initial=0.0)))
    moved = np.concatenate([POSITION_STEPS[0] * lengths, POSITION_STEPS[1] * lengths])
    steps = np.concatenate([moved, np.full(n, rate_step), np.ones(n), s.layout.lam_scale[live]])
    states = []
    for k, step in enumerate(steps):
        for sign in (1.0, -1.0):
            states.append(_varied(s, state, k if k < n else k - n, sign * step, live))
    flanks = flanks_of(s, state)
    parts = parts_of(s, names)
    picked, units = _picked(
        build_signals(s, samples_of(states), point.rank, inertial=True, flanks=flanks, parts=parts), names
    )
    G = (picked[0::2] - picked[1::2]) / (2.0 * np.concatenate([steps[: 4 * n], np.ones(live.size)]))[:, None]
    small, large, Gv, Ga, Gl = (part.T for part in np.split(G, [n, 2 * n, 3 * n, 4 * n]))
    rounding = 4.0 * np.finfo(float).eps * np.abs(picked).max(axis=0)[:, None] / moved[:n]
    Gq = np.where(np.abs(large - small) <= rounding + 1e-6 * np.abs(large), large, small)
    axes = point.motion.axes
    order = np.argsort(s.layout.equation[live])
    return OutputMap(
        names, units, Gq @ axes.T, Gv @ axes.T - Ga @ axes.T @ point.motion.spin, Ga @ axes.T, Gl[:, order],
        _by_inputs(point, names, inputs, model, flanks), _by_inputs(point, names, inputs, model, flanks, rates=True),
    )  # fmt: skip


def _varied(s: System, state: State, k: int, step: float, live: np.ndarray) -> State:
    n = s.n_q
    other = state.copy()
    if k < n:
        dq = np.zeros(n)
        dq[k] = step
        displace(s, other, dq)
    elif k < 2 * n:
        other.v[k - n] += step
    elif k < 3 * n:
        other.vd[k - 2 * n] += step
    else:
        other.lam[live[k - 3 * n]] += step
    return other


def _by_inputs(
    point: OperatingPoint,
    names: tuple[str, ...],
    inputs: list[VariedInput],
    model: Model,
    flanks: dict[str, float],
    *,
    rates: bool = False,
) -> np.ndarray:
    """What inputs, or their rates, do at once, (outputs, inputs)."""
    U = np.zeros((len(names), len(inputs)))
    for j, given in enumerate(inputs):
        vary = partial(_with_rate, given, point.state.t) if rates and given.vary_rate else None if rates else given.vary
        if vary is None:
            continue
        sides = []
        for sign in (1.0, -1.0):
            other = point.compiled(vary(model, sign * given.step))
            signals = build_signals(
                other,
                samples_of([point.state.copy()]),
                point.rank,
                inertial=True,
                flanks=flanks,
                parts=parts_of(other, names),
            )
            sides.append(_picked(signals, names)[0][0])
        U[:, j] = (sides[0] - sides[1]) / (2.0 * given.step)
    return U


def _with_rate(given: VariedInput, time: float, model: Model, rate: float) -> Model:
    assert given.vary_rate is not None
    return given.vary_rate(model, rate, time)


def _picked(signals: dict[str, Signal], names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Values (samples, outputs) and units of signals, or of components of them."""
    columns, units = [], []
    for name in names:
        signal = signals.get(name)
        if signal is None:
            owner, _, label = name.rpartition(".")
            whole = signals.get(owner)
            if whole is None or label not in whole.components:
                raise ModelError(f'output "{name}" is not a signal of this model; {near_names(name, list(signals))}')
            signal = whole.component(label)
        if signal.ndim > 1:
            choice = " or ".join(f'"{name}.{c}"' for c in signal.components)
            raise ModelError(f'output "{name}" has several components. Specify one: {choice}')
        columns.append(np.asarray(signal.values, float))
        units.append(signal.unit)
    return np.stack(columns, axis=1), tuple(units)
