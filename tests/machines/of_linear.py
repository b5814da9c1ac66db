"""Invariances of the linear analyses: against runs with small amplitudes, against each other, by other methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from machines import compare
from machines.cases import Case, Skip, Violation, attempt, nearly
from machines.machine import Machine, Part, build
from machines.of_runs import SMOOTH_OUT
from machines.values import Arrow, Change, Name, Number

import pitchline as pl

SMALL = 1e-7
"""Amplitude of a small motion [m, rad]."""
TOLERANCE = 2e-3
"""Of a small motion, relative to its largest value. A larger difference must fall with amplitude and step: bearings have
many contacts that begin and end, and fast modes need small steps."""
FALLS = 0.2
"""A difference falls at least by this factor, if the amplitude falls by a hundred and the step by sixteen."""
KINKS = (SMOOTH_OUT - {"gear_pair", "planetary", "bearing"}) | {"ratio lossy"}


def _operating_point(machine: Machine) -> tuple[pl.Model, Any]:
    """Model and its rest, if it is a point at which the machine is linear."""
    text = repr(machine.parts)
    words = ("pl.Harmonic", "pl.Ramp", "pl.Table", "pl.Polynomial", "pl.Fourier", "pl.Sum", "tension_only", "'table'",
             "efficiency", "friction", "sticks")  # fmt: skip
    if machine.makers & (KINKS | {"drive"}) or any(word in text for word in words) or "never at rest" in machine.traits:
        raise Skip("not smooth, or never at rest")
    model = attempt(lambda: build(machine))
    if model.refusal is not None:
        raise Skip(f"refused: {model.refusal}")
    rest = attempt(lambda: pl.statics(model.value))
    if rest.refusal is not None or rest.value.warnings:
        raise Skip("no statics without warnings")
    return model.value, rest.value


def _probed(case: Case) -> tuple[Callable[[float], Machine], str]:
    """The machine with one more load of any size, and the name of the load as an input."""
    machine = case.machine
    hinges = [p for p in machine.of("revolute", "prismatic") if "on" not in p.given]
    bodies = [p for p in machine.of("body", "gear_body")]
    stations = [f"{p.name} {name}" for p in machine.of("shaft") for name in p.given.get("stations", {})]
    if hinges and (not bodies or case.rng.random() < 0.7):
        hinge = hinges[int(case.rng.integers(len(hinges)))]
        maker, unit = ("torque", "N*m") if hinge.maker == "revolute" else ("force", "N")

        def on_hinge(size: float) -> Part:
            return Part(maker, "probe", {"on": Name(hinge.name), "value": Number(size, unit)})

        return (lambda size: machine.with_parts([*machine.parts, on_hinge(size)])), "probe"
    names = [*stations, *(p.name for p in bodies)]
    if not names:
        raise Skip("no body to load")
    on, axis = names[int(case.rng.integers(len(names)))], int(case.rng.integers(3))

    def on_body(size: float) -> Part:
        value = Arrow(tuple(size if i == axis else 0.0 for i in range(3)), "N*m", axial=True)
        return Part("torque", "probe", {"on": Name(on), "value": value})

    return (lambda size: machine.with_parts([*machine.parts, on_body(size)])), f"probe.{'xyz'[axis]}"


def _outputs(rest: Any) -> list[str]:
    """Scalar coordinates, and components of positions."""
    names = []
    for name, signal in rest.signals.items():
        if name.endswith((".angle", ".displacement")) and signal.values.ndim == 1:
            names.append(name)
        elif name.endswith(".position") and signal.components:
            names += [f"{name}.{axis}" for axis in "xyz"]
    return names[:24]


def _at(run: Any, name: str) -> np.ndarray:
    if name in run.signals:
        return np.asarray(run.signals[name].values, float)
    signal, _, axis = name.rpartition(".")
    return np.asarray(run.signals[signal].values, float)[:, "xyz".index(axis)]


def small_motions(case: Case) -> None:
    """A small step of a load from rest: the run is that of the linear model about the rest."""
    probed, probe = _probed(case)
    unloaded = probed(0.0)
    model, rest = _operating_point(unloaded)
    outputs = _outputs(rest)
    linear = attempt(lambda: pl.linear_model(model, probe, outputs, about=rest))
    if "which flank is loaded" in str(linear.refusal):
        raise Skip("teeth without load, at a kink of their force")
    if linear.refusal is not None:
        raise Violation(f"linear model refused: {linear.refusal}", unloaded)
    if not outputs or not linear.value.A.size or linear.value.warnings:
        raise Skip("no linear model without warnings")
    time = case.machine.time()
    expected = _step_response(linear.value, np.linspace(0.0, time["duration"], case.machine.steps + 1))
    top = float(np.max(np.abs(expected)))
    if not 1e-14 < top < 1e6 or np.max(np.real(np.linalg.eigvals(linear.value.A))) > 1e3 / time["duration"]:
        raise Skip("the load moves nothing, or it grows")
    gaps = []
    # the slices of rollers begin to carry one by one, at some machines within nanometres of the rest
    for part, smaller in ((4, 1.0), (16, 0.1), (64, 0.01), (64, 1e-4)):
        if smaller < 0.01 and ("bearing" not in case.machine.makers or gaps[2] <= FALLS * gaps[0]):
            break
        size = smaller * SMALL / top
        found = _moved(probed, size, rest=rest, outputs=outputs, step=time["step"], part=part)
        gaps.append(float(np.max(np.abs(found / size - expected))) / top)
        if gaps[-1] < TOLERANCE:
            return
    if gaps[2] > FALLS * gaps[0]:
        found = found / size
        worst = outputs[int(np.argmax(np.max(np.abs(found - expected), axis=0)))]
        shares = ", ".join(f"{gap:.3g}" for gap in gaps)
        text = f"small motion: {worst} differs from the linear model by {shares}, with less step and load"
        raise Violation(text, unloaded)


def _moved(
    probed: Callable[[float], Machine], size: float, *, rest: Any, outputs: list[str], step: float, part: int
) -> np.ndarray:
    """Half the difference of two runs with opposite loads."""
    runs = []
    for sign in (1.0, -1.0):
        machine = probed(sign * size)
        options = {"duration": machine.time()["duration"], "step": step / part, "output_step": step}
        run = attempt(lambda machine=machine, options=options: pl.dynamics(
            build(machine), start=rest, newton_tolerance=1e-12, **options))  # fmt: skip
        if run.refusal is not None:
            raise Violation(f"small motion refused: {run.refusal}", machine)
        runs.append(np.stack([_at(run.value, name) - _at(rest, name)[-1] for name in outputs], axis=1))
    half: np.ndarray = 0.5 * (runs[0] - runs[1])
    return half


def _step_response(linear: Any, times: np.ndarray) -> np.ndarray:
    """Outputs after a unit step of the input, at equal intervals."""
    A, B, C, D = (np.asarray(x, float) for x in (linear.A, linear.B, linear.C, linear.D))
    n = len(A)
    joint = np.zeros((n + 1, n + 1))
    joint[:n, :n], joint[:n, n:] = A, B
    over = _exponential(joint * (times[1] - times[0]))
    x = np.zeros(n + 1)
    x[n] = 1.0
    rows = []
    for _ in times:
        rows.append(C @ x[:n] + D[:, 0])
        x = over @ x
    return np.array(rows)


def _exponential(matrix: np.ndarray) -> np.ndarray:
    from scipy.linalg import expm

    value: np.ndarray = expm(matrix)
    return value


def response(case: Case) -> None:
    """The frequency response is that of the state-space matrices; their poles are those of modes."""
    probed, probe = _probed(case)
    loaded = probed(0.0)
    model, rest = _operating_point(loaded)
    outputs = _outputs(rest)
    linear = attempt(lambda: pl.linear_model(model, probe, outputs, about=rest))
    if linear.refusal is not None or not outputs or not linear.value.A.size:
        raise Skip("no linear model")
    linear = linear.value
    frequencies = np.exp(case.rng.uniform(np.log(0.1), np.log(2000.0), 4))
    found = attempt(lambda: pl.frequency_response(model, probe, outputs, about=rest, frequencies=np.sort(frequencies)))
    if found.refusal is not None:
        raise Violation(f"response refused: {found.refusal}", loaded)
    A, B, C, D = (np.asarray(x, float) for x in (linear.A, linear.B, linear.C, linear.D))
    for w, row in zip(2.0 * np.pi * found.value.frequency, np.asarray(found.value.response)[:, :, 0], strict=True):
        motion = np.linalg.solve(1j * w * np.eye(len(A)) - A, B)
        expected = (C @ motion + D)[:, 0]
        top = float(np.max(np.abs(expected)))
        largest = float(np.max(np.abs(motion))) / max(1.0, w)
        # rounding of positions in the matrices: inertia w^2 against stiffness
        gap = float(np.max(np.abs(row - expected)))
        if gap <= ROUNDED * largest:
            continue
        if gap > 1e-6 * top * max(1.0, _condition(A, w)) and gap > AMPLIFIED * _rounded(loaded, probe, outputs, w, row):
            at = int(np.argmax(np.abs(row - expected)))
            raise Violation(
                f"response: {outputs[at]} at {w / 2 / np.pi:.4g} Hz is {row[at]:.9g}, by the matrices {expected[at]:.9g}",
                loaded,
            )
    modes = attempt(lambda: pl.modes(model, about=rest))
    if modes.refusal is not None:
        raise Violation(f"modes refused: {modes.refusal}", loaded)
    poles = np.linalg.eigvals(A)
    both = compare.spectrum(modes.value)
    difference = compare.eigenvalues_differ(
        both, np.concatenate([poles, both[np.abs(both) < 1e-6 * np.max(np.abs(both), initial=0.0)]])
    )
    if difference is not None and difference.ratio > 1.0 and case._modes_hold(modes.value):
        raise Violation(f"modes: {difference} from the matrices", loaded)


ROUNDED = 1e-12
"""Rounding of a response over the largest motion of the machine: an output at rest has only this."""
AMPLIFIED = 3.0
"""Differences of responses are compared with this multiple of the effect of a change of the input by rounding: the matrices are
those of masses and stiffnesses, divided by each other, with the rounding of both."""


def _rounded(machine: Machine, probe: str, outputs: list[str], w: float, row: Any) -> float:
    """Largest change of a response if the input is changed by rounding."""
    effect = 0.0
    for variant in (1, 2):
        by = nearly(variant)

        def again(by: Change = by) -> Any:
            model = build(machine, by)
            return pl.frequency_response(model, probe, outputs, about=pl.statics(model), frequencies=[w / 2 / np.pi])

        found = attempt(again)
        if found.refusal is not None:
            return np.inf
        effect = max(effect, float(np.max(np.abs(np.asarray(found.value.response)[0, :, 0] - row))))
    return effect


def _condition(A: np.ndarray, w: float) -> float:
    """Amplification of rounding near a resonance."""
    matrix = 1j * w * np.eye(len(A)) - A
    scale = 1.0 / np.maximum(np.max(np.abs(matrix), axis=1), 1e-300)
    return 1e-9 * float(np.linalg.cond(scale[:, None] * matrix))


def modes_otherwise(case: Case) -> None:
    """Modes in six coordinates for each body, and by the dense method, are the same."""
    base = case.wanted("modes")
    for options in ({"reduce": False}, {"dense": True}):
        there = attempt(lambda options=options: pl.modes(case.model, **options))
        if there.refusal is not None:
            raise Violation(f"modes {options} refused: {there.refusal}")
        difference = compare.eigenvalues_differ(compare.spectrum(base), compare.spectrum(there.value))
        if difference is not None and difference.ratio > 1.0 and case._modes_hold(base):
            raise Violation(f"modes {options}: {difference}", code=f"print(pl.modes(m, **{options}).eigenvalues)")


def few_modes(case: Case) -> None:
    """A few modes are the first of all modes."""
    base = case.wanted("modes")
    values = np.asarray(base.eigenvalues)
    if values.size < 4:
        raise Skip("few modes")
    count = int(case.rng.integers(2, values.size))
    there = attempt(lambda: pl.modes(case.model, count=count))
    if there.refusal is not None:
        raise Violation(f"modes count={count} refused: {there.refusal}")
    some = np.asarray(there.value.eigenvalues)
    size = float(np.max(np.abs(values)))
    for value in some:
        if np.min(np.abs(values - value)) > 1e-5 * abs(value) + 1e-5 * size and case._modes_hold(base):
            raise Violation(f"modes count={count}: {value:.9g} is not among all modes")
