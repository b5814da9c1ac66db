"""Random parts that several kinds of machines have: bodies, functions of time, joints."""

from __future__ import annotations

from typing import Any

import numpy as np
from machines.machine import Part
from machines.options import unit_vector
from machines.values import Arrow, Call, Name, Number, On, OwnArrow, Point, Tensor, Turn

Rng = np.random.Generator


def pick(rng: Rng, options: Any) -> Any:
    """One of several values."""
    return options[int(rng.integers(len(options)))]


def log_uniform(rng: Rng, low: float, high: float) -> float:
    """Random number between two limits, uniform in its logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def signed(rng: Rng, low: float, high: float) -> float:
    """Random number of either sign."""
    return float(rng.choice([-1.0, 1.0])) * log_uniform(rng, low, high)


def rotation(rng: Rng) -> np.ndarray:
    """Random orientation."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else q @ np.diag([1.0, 1.0, -1.0])


def inertia(rng: Rng, mass: float, size: float) -> Tensor:
    """Inertia of a real body."""
    frame = rotation(rng)
    second = np.diag(rng.uniform(0.1, 1.0, 3)) * mass * size**2
    moments = np.trace(second) * np.eye(3) - second
    value = frame @ moments @ frame.T
    return Tensor(tuple(map(tuple, 0.5 * (value + value.T))))


def body(rng: Rng, name: str, *, size: float = 0.3, moving: bool = True, at: Any = None, centred: bool = False) -> Part:
    """A body with a random position, orientation, mass and motion."""
    mass = log_uniform(rng, 0.3, 5.0)
    given: dict[str, Any] = {
        "mass": Number(mass, "kg"), "inertia": inertia(rng, mass, size),
        "position": Point(tuple(rng.normal(size=3) if at is None else at)),
    }  # fmt: skip
    if rng.random() < 0.7:
        given["orientation"] = Turn(rotation(rng))
    if not centred and rng.random() < 0.6:
        given["centre_of_mass"] = OwnArrow(tuple(size * 0.5 * rng.normal(size=3)))
    if moving and rng.random() < 0.7:
        given["velocity"] = Arrow(tuple(0.5 * rng.normal(size=3)), "m/s", moves=True)
    if moving and rng.random() < 0.7:
        given["angular_velocity"] = Arrow(tuple(rng.normal(size=3)), "rad/s", axial=True)
    return Part("body", name, given, kept=True)


def function(
    rng: Rng, unit: str, size: float, *, odd: bool = False, constant: float = 0.4, smooth: bool = False
) -> Any:
    """A value over time: a constant, or a function."""

    def value(scale: float = 1.0) -> Number:
        return Number(scale * size * float(rng.normal()), unit, odd)

    if rng.random() < constant:
        return value()
    kind = pick(rng, ("Harmonic", "Ramp", "Table", "Polynomial", "Fourier", "Sum"))
    if kind == "Sum":
        return Call("pl.Sum", {}, ([_harmonic(rng, value), _ramp(rng, value, smooth=True)],))
    if kind == "Ramp":
        return _ramp(rng, value, smooth=smooth or bool(rng.integers(2)))
    if kind == "Table":
        return _table(rng, unit, size, odd, smooth=smooth)
    if kind == "Polynomial":
        given = [value(), Number(value().value * 10, f"{unit}/s" if unit else "1/s", odd)]
        return Call("pl.Polynomial", {}, (given,))
    if kind == "Fourier":
        given = {"mean": value(), "cos": [value(0.5)], "sin": [value(0.5), value(0.2)]}
        return Call("pl.Fourier", {"period": Number(log_uniform(rng, 0.02, 0.2), "s"), **given})
    return _harmonic(rng, value)


def _harmonic(rng: Rng, value: Any) -> Call:
    given = {"amplitude": value(), "frequency": Number(log_uniform(rng, 2.0, 40.0), "Hz")}
    if rng.random() < 0.6:
        given["phase"] = Number(float(rng.uniform(-3, 3)), "rad")
    if rng.random() < 0.6:
        given["offset"] = value()
    return Call("pl.Harmonic", given)


def _ramp(rng: Rng, value: Any, *, smooth: bool) -> Call:
    start = float(rng.uniform(-0.01, 0.01))
    given = {
        "start": value(),
        "end": value(),
        "t0": Number(start, "s"),
        "t1": Number(start + float(rng.uniform(0.01, 0.05)), "s"),
    }
    if not smooth:
        given["smooth"] = False
    return Call("pl.Ramp", given)


def _table(rng: Rng, unit: str, size: float, odd: bool, *, smooth: bool) -> Call:
    count = int(rng.integers(3, 6))
    times = tuple(np.cumsum(rng.uniform(0.003, 0.02, count)) - 0.01)
    values = tuple(size * rng.normal(size=count))
    given: dict[str, Any] = {"t": Number(times, "s"), "values": Number(values, unit, odd)}
    if smooth or rng.random() < 0.5:
        given["kind"] = "cubic"
    if rng.random() < 0.3:
        given["outside"] = "continue"
    return Call("pl.Table", given)


def end(rng: Rng, name: str, *, turns: bool = True) -> Any:
    """A body as the end of a part: its name, or a frame on it."""
    if rng.random() < 0.75 or name == "ground":
        return Name(name)
    return On(name, tuple(0.3 * rng.normal(size=3)), rotation(rng) if turns else np.eye(3))


def axis(rng: Rng, *, axial: bool) -> Arrow:
    """Random direction."""
    return Arrow(tuple(unit_vector(rng)), axial=axial)
