"""Input of analyses in joint coordinates: states, and motions as arrays or functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import ModelError, near_names, shown
from ..model import Model
from ..model.functions import Function
from ..model.functions.sampled import Sampled
from ..model.loads import Force, JointLoad, Torque
from ..results.result import Result
from ..system.snapshot import Snapshot
from ..units import quantity
from .joint_choice import JointCoordinate
from .starting_point import starting_point

__all__ = ["JointMotion", "chosen_state", "motion_of", "python_functions", "values_of"]

_DIMENSIONS = {
    ("q", "rad"): "angle", ("q", "m"): "length", ("qd", "rad"): "angular velocity", ("qd", "m"): "velocity",
    ("qdd", "rad"): "rad/s^2", ("qdd", "m"): "acceleration",
}  # fmt: skip


@dataclass
class JointMotion:
    """Positions, rates and accelerations (samples, coordinates) at times (samples,)."""

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def chosen_state(model: Model, state: Any, at: Any) -> tuple[Snapshot, Mapping[str, Any] | None]:
    """Snapshot from which the model is compiled, and positions of joints that are specified."""
    if state is None or isinstance(state, Mapping):
        if at is not None:
            raise ModelError("at is the time of a sample of a Result: specify the Result as state=")
        return starting_point(model, None), state
    if not isinstance(state, Result):
        raise ModelError(
            f"state must be a Result, positions by name of joint, or None for the initial pose, got {shown(state)}"
        )
    return starting_point(model, state if at is None else _sample(state, at)), None


def _sample(result: Result, at: Any) -> Result:
    """Result with one sample, the one at a time."""
    t = quantity(at, "time", what="at")
    if not result.time.size:
        raise ModelError(f'at: the {result.kind} result of model "{result.model_name}" has no sample')
    k = int(np.argmin(np.abs(result.time - t)))
    span = max(float(result.time[-1] - result.time[0]), abs(t))
    if abs(result.time[k] - t) > 1e-9 * max(span, 1e-12):
        raise ModelError(
            f"at: the result has no sample at t = {t:g} s; the nearest is at t = {float(result.time[k])!r} s"
        )
    time = np.array(result.time[k : k + 1])
    signals = {
        name: replace_signal(signal, k, time)
        for name, signal in result.signals.items()
    }  # fmt: skip
    return replace(result, time=time, signals=signals)


def replace_signal(signal: Any, k: int, time: np.ndarray) -> Any:
    """The same signal with one sample."""
    from ..results.signal import Signal

    rate = None if signal.rate is None else np.array(signal.rate[k : k + 1])
    return Signal(
        signal.name, np.array(signal.values[k : k + 1]), time, signal.unit, signal.description, signal.components, rate
    )


def values_of(coordinates: list[JointCoordinate], given: Any, what: str, default: Any = None) -> np.ndarray:
    """(n,) values: an array in the order of the coordinates, or by name. default: value(s) of names that are missing."""
    kind = "qd" if what in ("qd", "speeds") else "q"
    n = len(coordinates)
    if isinstance(given, Mapping):
        _check_names(coordinates, given, what)
        found = np.full(n, np.nan) if default is None else np.array(np.broadcast_to(default, (n,)), float)
        for i, c in enumerate(coordinates):
            value = _named(given, c)
            if value is not None:
                found[i] = quantity(value, _DIMENSIONS[kind, c.unit], what=f'{what}: "{c.name}"')
            elif default is None:
                raise ModelError(f'{what}: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
        return found
    return _array(given, (n,), what, coordinates)


def _named(given: Mapping[str, Any], c: JointCoordinate) -> Any:
    for name in _names(c):
        if name in given:
            return given[name]
    return None


def _names(c: JointCoordinate) -> tuple[str, ...]:
    return (c.name,) if c.joint is None else (c.name, f"{c.joint.name}.{c.coordinate}")


def _check_names(coordinates: list[JointCoordinate], given: Mapping[str, Any], what: str) -> None:
    known = {name for c in coordinates for name in _names(c)}
    for name in given:
        if name not in known:
            names = [c.name for c in coordinates]
            raise ModelError(
                f'{what}: "{name}" is not one of the coordinates; {near_names(str(name), names)}. They are {_listed(coordinates)}'
            )


def _listed(coordinates: list[JointCoordinate]) -> str:
    return ", ".join(f'"{c.name}"' for c in coordinates)


def _array(given: Any, shape: tuple[int, ...], what: str, coordinates: list[JointCoordinate]) -> np.ndarray:
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers (SI) or values by name of joint, got {shown(given)}") from None
    if found.ndim == 0 and shape == (1,):
        found = found.reshape(1)
    if found.shape != shape:
        raise ModelError(f"{what}: expected the shape {shape} for {_listed(coordinates)}, got {found.shape}")
    if not np.all(np.isfinite(found)):
        raise ModelError(f"{what}: all values must be finite numbers")
    return found


def motion_of(coordinates: list[JointCoordinate], q: Any, qd: Any, qdd: Any, times: Any, start: float) -> JointMotion:
    """Read a motion. start: time if none are given [s]."""
    for c in coordinates:
        if c.is_velocity:
            raise ModelError(
                f'inverse dynamics: "{c.name}" is a velocity and has no position. Choose coordinates of joints'
            )
    t = None if times is None else _times(times)
    if isinstance(q, Mapping) and any(isinstance(x, Function) or callable(x) for x in q.values()):
        return _from_functions(coordinates, q, qd, qdd, t)
    if q is None:
        raise ModelError(
            "inverse dynamics: q is missing. Specify the positions of the coordinates, by name or as a table"
        )
    parts = {"q": q, "qd": qd, "qdd": qdd}
    if (qd is None) != (qdd is None):
        missing = "qd" if qd is None else "qdd"
        raise ModelError(
            f"inverse dynamics: {missing} is missing. Specify q, qd and qdd, or only q for the torques that hold a position"
        )
    tables = {name: _table(coordinates, x, name) for name, x in parts.items() if x is not None}
    samples = max([len(x) for x in tables.values()] + ([len(t)] if t is not None else []))
    for name, x in tables.items():
        if len(x) not in (1, samples):
            raise ModelError(f"inverse dynamics: {name} has {len(x)} samples, others have {samples}")
    if t is not None and len(t) not in (1, samples):
        raise ModelError(f"inverse dynamics: there are {len(t)} times, but {samples} samples")
    shape = (samples, len(coordinates))
    full = {
        name: np.array(np.broadcast_to(tables.get(name, np.zeros((1, shape[1]))), shape), float, order="C")
        for name in parts
    }
    at = np.full(samples, start) if t is None else np.array(np.broadcast_to(t, (samples,)), float)
    return JointMotion(at, full["q"], full["qd"], full["qdd"])


def _times(times: Any) -> np.ndarray:
    if isinstance(times, (str, int, float)):
        return np.array([quantity(times, "time", what="times")])
    try:
        t = np.array([quantity(x, "time", what="times") for x in times], float)
    except TypeError:
        raise ModelError(f"times: expected numbers [s], got {shown(times)}") from None
    if not t.size:
        raise ModelError("times: specify one or more times [s]")
    return t


def _table(coordinates: list[JointCoordinate], given: Any, what: str) -> np.ndarray:
    """(samples, n) from an array, or from values by name."""
    n = len(coordinates)
    if isinstance(given, Mapping):
        _check_names(coordinates, given, what)
        columns = []
        for c in coordinates:
            value = _named(given, c)
            if value is None:
                if what == "q":
                    raise ModelError(f'q: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
                value = 0.0
            unit = _DIMENSIONS[what, c.unit]
            several = np.ndim(value) > 0 and not isinstance(value, str)
            columns.append([quantity(x, unit, what=f'{what}: "{c.name}"') for x in (value if several else [value])])
        samples = max(len(x) for x in columns)
        for c, x in zip(coordinates, columns, strict=True):
            if len(x) not in (1, samples):
                raise ModelError(f'{what}: "{c.name}" has {len(x)} samples, others have {samples}')
        return np.stack([np.broadcast_to(np.array(x, float), (samples,)) for x in columns], axis=1)
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers (SI) or values by name of joint, got {shown(given)}") from None
    if found.ndim == 0 and n == 1:
        found = found.reshape(1, 1)
    if found.ndim == 1 and n == 1 and found.shape != (1,):
        found = found[:, None]
    if found.ndim == 1:
        found = found[None, :]
    if found.ndim != 2 or found.shape[1] != n or not len(found):
        raise ModelError(
            f"{what}: expected the shape (samples, {n}) or ({n},) for {_listed(coordinates)}, got {np.shape(given)}"
        )
    if not np.all(np.isfinite(found)):
        raise ModelError(f"{what}: all values must be finite numbers")
    return found


def _from_functions(
    coordinates: list[JointCoordinate], q: Mapping[str, Any], qd: Any, qdd: Any, t: np.ndarray | None
) -> JointMotion:
    if t is None:
        raise ModelError("inverse dynamics: q contains functions of time. Specify times")
    if qd is not None or qdd is not None:
        raise ModelError("inverse dynamics: q contains functions, which define qd and qdd. Leave these out")
    _check_names(coordinates, q, "q")
    columns = []
    for c in coordinates:
        f = _named(q, c)
        if f is None:
            raise ModelError(f'q: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
        if isinstance(f, Sampled) or (callable(f) and not isinstance(f, Function)):
            raise ModelError(
                f'q: "{c.name}" is a Python function, whose second derivative is not exact. Specify arrays q, qd and qdd, or a '
                "Function such as Fourier, Polynomial or a cubic Table"
            )
        if not isinstance(f, Function):
            value = quantity(f, _DIMENSIONS["q", c.unit], what=f'q: "{c.name}"')
            columns.append(np.stack([np.full(len(t), value), np.zeros(len(t)), np.zeros(len(t))]))
            continue
        jumps = f.breakpoints(float(t.min()), float(t.max()), order=1)
        if jumps.size:
            raise ModelError(f'q: the speed of "{c.name}" jumps at t = {jumps[0]:g} s. Specify a smooth function')
        rate = f.derivative()
        columns.append(np.stack([f(t), rate(t), rate.derivative()(t)]))
    found = np.stack(columns, axis=2)
    return JointMotion(t, *(np.ascontiguousarray(x) for x in found))


def python_functions(model: Model) -> list[str]:
    """Loads, drives, meshes and elements with Python functions of time, which are sampled for the times of a run."""
    found = [d.name for d in model.drives.values() if isinstance(d.function, Sampled)]
    for load in model.loads.values():
        if any(isinstance(f, Sampled) for f in _functions(load)):
            found.append(load.name)
    for pair in model.gear_pairs.values():
        if any(isinstance(f, Sampled) for f in pair.functions_of_time.values()):
            found.append(pair.name)
    return found + [name for name, e in model.elements.items() if any(isinstance(f, Sampled) for f in e.functions)]


def _functions(load: Any) -> Iterator[Function]:
    if isinstance(load, JointLoad):
        yield from (f for f in (load.function,) if isinstance(f, Function))
    elif isinstance(load, (Force, Torque)):
        yield from (f for f in load.components if isinstance(f, Function))
