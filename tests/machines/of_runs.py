"""Invariances of the analyses: the same motion by other options, in steps, from a checkpoint, about an equilibrium."""

from __future__ import annotations

import contextlib
import itertools
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from machines import compare
from machines.cases import Case, Outcome, Skip, Violation, attempt
from machines.machine import Machine, build
from machines.values import Change

import pitchline as pl

SMOOTH_OUT = {
    "friction", "brake", "clutch", "one_way_clutch", "torque_limiter", "stop", "string", "gear_pair", "planetary", "cam",
    "belt_drive", "chain_drive", "pl.Relay", "pl.SampledPID", "pl.SampledLaw", "pl.SampledTransferFunction", "pl.Delay",
    "pl.Limiter", "pl.Deadband", "pl.RateLimiter", "bearing", "membrane", "axial_support",
}  # fmt: skip
"""Parts whose forces have kinks or memory."""


POSITIONS = (".position", ".angle", ".displacement")


def _smooth(case: Case) -> bool:
    """Whether all forces are smooth functions of the state and time."""
    if case.machine.makers & SMOOTH_OUT:
        return False
    text = repr(case.machine.parts)
    return not any(
        word in text for word in ("pl.Table", "pl.Ramp", "'table'", "tension_only", "efficiency", "backlash")
    )


def _same_run(case: Case, what: str, function: Any, *, relative: float = compare.RELATIVE, exact: bool = False) -> None:
    base = case.wanted("motion")
    there = attempt(function)
    if there.refusal is not None:
        if case.amplified("motion") is None:
            return
        raise Violation(f"{what} refused: {there.refusal}")
    left = case._indeterminate("motion")
    difference = compare.worst(base, there.value, case.machine, without=left, relative=0.0 if exact else relative)
    if difference is not None and difference.ratio > 1.0:
        effect = None if exact else case.amplified("motion")
        difference = compare.worst(
            base, there.value, case.machine, without=left, relative=0.0 if exact else relative, amplified=effect
        )
    if difference is not None and difference.ratio > 1.0:
        if not exact and any(run.statistics.get("newton_failures", 0) for run in (base, there.value)):
            raise Skip("long steps across corners of a law have several solutions")
        raise Violation(f"{what}: {difference}")


def not_reduced(case: Case) -> None:
    """Six coordinates and multipliers in place of joint coordinates."""
    base, options = case.wanted("motion"), {**case.machine.options, "reduce": False}
    there = attempt(lambda: pl.dynamics(case.model, **case.machine.time(), **options))
    cut = any(run.statistics.get("cut_steps", 0) for run in (base, there.value) if run is not None)
    # with multipliers, the speed of a drive has the error of the steps; other coordinates cut steps at other angles, and at
    # events that rounding decides: friction without load and without limit holds or slips
    if "drive" in case.machine.makers or cut:
        _falls(case, "motion not reduced", {"reduce": True}, {"reduce": False})
        return
    _same_run(case, "motion not reduced", lambda: _value(there), relative=2e-5)


def _value(outcome: Outcome) -> Any:
    if outcome.refusal is not None:
        raise outcome.refusal
    return outcome.value


def scaled_constraints(case: Case) -> None:
    """Other scales of the multipliers and other penalties of the constraints."""
    time, options = case.machine.time(), {**case.machine.options, "reduce": False}
    if attempt(lambda: pl.dynamics(case.model, **{**time, "step": time["step"] / 8}, **options)).refusal is not None:
        raise Skip("no motion without joint coordinates")  # which `not reduced` compares
    scale = float(10.0 ** case.rng.uniform(-3, 3))
    penalty = float(case.rng.uniform(0.1, 10.0)) * scale
    _falls(
        case,
        f"motion with constraint_scale={scale}, constraint_penalty={penalty}",
        {"reduce": False},
        {"reduce": False, "constraint_scale": scale, "constraint_penalty": penalty},
    )


def stabilised(case: Case) -> None:
    """Constraints on speeds, with positions projected: the difference from constraints on positions falls with the step."""
    _falls(case, "motion stabilised", {"stabilised": False}, {"stabilised": True})


def _falls(case: Case, what: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """The positions and speeds of runs with two sets of options are equal, or their difference falls with the step."""
    base = case.wanted("motion")
    names = [name for name in base.signals if name.endswith((*POSITIONS, ".velocity", "_speed"))]
    time, gaps = case.machine.time(), []
    # steps in which a body turns by radians are cut; Newton converges from there in some coordinates only
    first_part = 8 if base.statistics.get("cut_steps", 0) else 1
    for part in (first_part, 8 * first_part, 64 * first_part):
        runs = []
        for choice in (first, second):
            options = {**time, "step": time["step"] / part, "output_step": time["duration"], **case.machine.options}
            run = attempt(lambda options=options, choice=choice: pl.dynamics(case.model, **options, **choice))
            if run.refusal is not None:
                # rigid contacts choose the speeds of impacts: with stabilised=False, short steps at events amplify rounding
                if case.amplified("motion") is None or "Leave out stabilised=False" in str(run.refusal):
                    return
                raise Violation(f"{what} {choice} refused: {run.refusal}")
            runs.append(run.value)
        gaps.append(
            {n: float(np.max(np.abs(runs[0].signals[n].values[-1] - runs[1].signals[n].values[-1]))) for n in names}
        )
        sizes = {n: max(float(np.max(np.abs(base.signals[n].values))), 0.1) for n in names}
        if all(gaps[-1][n] <= compare.RELATIVE * sizes[n] for n in names):
            return
        # steps that do not resolve the fastest mode have no order: the difference falls with shorter ones
        if len(gaps) > 1 and all(gaps[-1][n] <= max(0.4 * gaps[-2][n], compare.RELATIVE * sizes[n]) for n in names):
            return
    if any(run.statistics.get("newton_failures", 0) for run in runs):
        raise Skip("long steps across corners of a law have several solutions")
    if _breaks_away(case.machine, base):
        raise Skip("the convention of shares of parts that hold the same motion decides when one breaks away")
    effect = case.amplified("motion") or {}
    for name in names:
        allowed = max(0.4 * gaps[-2][name], compare.RELATIVE * sizes[name])
        if gaps[-1][name] > allowed + compare.AMPLIFIED * effect.get(name, np.inf):
            told = ", ".join(f"{gap[name]:.3g}" for gap in gaps)
            raise Violation(f"{what}: {name} differs by {told} with steps that fall by an eighth each")


def _breaks_away(machine: Machine, run: Any) -> bool:
    """Whether a part whose limit at rest is above that in motion breaks away while losses may hold the same motion."""
    lossy = any("efficiency" in repr(part.given) for part in machine.parts)
    for part in machine.of("brake", "clutch", "friction"):
        steeper = {"static_ratio", "static"} & set(part.given)
        state = run.signals.get(f"{part.name}.state")
        if lossy and steeper and state is not None:
            held = np.asarray(state.values) == 0.0
            if np.any(held[:-1] & ~held[1:]):
                return True
    return False


def stepper(case: Case) -> None:
    """Steps one by one with the Stepper."""
    base = case.wanted("motion")

    def steps() -> dict[str, float]:
        machine = case.machine
        options = {key: value for key, value in machine.options.items()}
        outputs = [
            name for name, signal in base.signals.items() if signal.values.ndim == 1 and not name.startswith("energy")
        ]
        if not outputs:
            raise Skip("no scalar signal")
        run = pl.Stepper(case.model, step=machine.step, outputs=outputs, until=machine.steps * machine.step, **options)
        for k in range(machine.steps):
            run.advance_to((k + 1) * machine.step)
        return run.values()

    there = attempt(steps)
    if there.refusal is not None:
        raise Violation(f"stepper refused: {there.refusal}")
    left = case._indeterminate("motion")
    for name, value in there.value.items():
        if any(part in name for part in left):
            continue
        here = compare.of_one_sample(name, float(base.signals[name].values[-1]))
        value = compare.of_one_sample(name, value)
        size = float(np.max(np.abs(base.signals[name].values)))
        if not abs(value - here) <= 1e-9 * size + 1e-12:
            effect = (case.amplified("motion") or {}).get(name, float("inf"))
            if abs(value - here) > 1e-9 * size + compare.AMPLIFIED * effect + 1e-13 * case.machine.stiffest:
                raise Violation(f"stepper: {name} is {value:.9g}, in the run {here:.9g}")


def checkpoint(case: Case) -> None:
    """Half of a run of many steps, a checkpoint, and the rest from the checkpoint: equal to the last bit."""
    case.wanted("motion")
    machine = case.machine
    options = {"duration": machine.time()["duration"], "step": machine.step / 100, "output_step": machine.step}
    plain = attempt(lambda: pl.dynamics(case.model, **options))
    if plain.refusal is not None:
        raise Skip("no run with small steps")

    def stop(done: float, end: float) -> None:
        if done > 0.3 * end:
            raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "half.checkpoint"

        def resumed() -> Any:
            with contextlib.suppress(KeyboardInterrupt):
                pl.dynamics(case.model, **options, checkpoint=path, checkpoint_seconds=0, progress=stop)
            if not path.exists():
                raise Skip("the run ended before its first checkpoint")
            return pl.resume(case.model, path)

        again = attempt(resumed)
    if again.refusal is not None:
        raise Violation(f"resumed motion refused: {again.refusal}")
    for name, signal in plain.value.signals.items():
        if not np.array_equal(signal.values, again.value.signals[name].values, equal_nan=True):
            raise Violation(f"resumed motion: {name} is not the same to the last bit")


def error_control(case: Case) -> None:
    """Error control against very small steps."""
    if not _smooth(case):
        raise Skip("not smooth")
    case.wanted("motion")
    duration = case.machine.time()["duration"]
    fine = attempt(
        lambda: pl.dynamics(case.model, duration=duration, step=case.machine.step / 64, output_step=duration)
    )
    rough = attempt(
        lambda: pl.dynamics(case.model, duration=duration, step=case.machine.step / 32, output_step=duration)
    )
    free = attempt(lambda: pl.dynamics(case.model, duration=duration, tolerance=1e-8, output_step=duration))
    for outcome, what in ((fine, "fine"), (rough, "rough"), (free, "error control")):
        if outcome.refusal is not None:
            raise Violation(f"{what} run refused: {outcome.refusal}")
    fine, rough, free = fine.value, rough.value, free.value
    for name, signal in fine.signals.items():
        if not name.endswith(POSITIONS):
            continue
        a, b, c = (np.asarray(run.signals[name].values[-1], float) for run in (fine, rough, free))
        gap, error = float(np.max(np.abs(c - a))), float(np.max(np.abs(b - a)))
        size = max(float(np.max(np.abs(signal.values))), 1.0)
        if gap > 1e-5 * size + 5.0 * error:
            raise Violation(f"error control: {name} differs by {gap:.3g} from small steps, whose error is {error:.3g}")


def halved_steps(case: Case) -> None:
    """The error of the positions falls by four if the step is halved."""
    if not _smooth(case):
        raise Skip("not smooth")
    case.wanted("motion")
    duration = case.machine.time()["duration"]
    runs = []
    for k in (1, 2, 4, 8):
        outcome = attempt(
            lambda k=k: pl.dynamics(case.model, duration=duration, step=case.machine.step / k, output_step=duration)
        )
        if outcome.refusal is not None:
            raise Violation(f"run with step / {k} refused: {outcome.refusal}")
        runs.append(outcome.value)
    for name in runs[0].signals:
        if not name.endswith(POSITIONS):
            continue
        at = [np.asarray(run.signals[name].values[-1], float) for run in runs]
        size = max(float(np.max(np.abs(at[-1]))), 1.0)
        gaps = [float(np.max(np.abs(a - b))) for a, b in itertools.pairwise(at)]
        if gaps[2] > 1e-8 * size and gaps[2] > 0.5 * gaps[1] and gaps[1] > 0.5 * gaps[0] and _resolved(case, 4):
            raise Violation(f"steps halved: {name} changes by {gaps[0]:.3g}, {gaps[1]:.3g}, {gaps[2]:.3g}")


def _resolved(case: Case, part: int) -> bool:
    """Whether a part of the step resolves the fastest mode: the order of a method shows in such steps alone."""
    modes = case.result("modes")
    fastest = float(np.max(np.abs(modes.value.eigenvalues), initial=0.0)) if modes.refusal is None else 0.0
    return fastest * case.machine.step / part < 0.5


def at_rest(case: Case) -> None:
    """A run that starts from statics stays at rest."""
    machine = case.machine
    text = repr(machine.parts)
    if any(word in text for word in ("pl.Harmonic", "pl.Ramp", "pl.Table", "pl.Polynomial", "pl.Fourier", "pl.Sum")):
        raise Skip("loads vary with time")
    if machine.makers & {"drive"} or "never at rest" in machine.traits:
        raise Skip("driven")
    rest = case.wanted("statics")
    if rest.warnings:
        raise Skip("statics has a warning")
    outcome = attempt(lambda: pl.dynamics(case.model, start=rest, **machine.time(), **machine.options))
    if outcome.refusal is not None:
        raise Violation(f"motion from statics refused: {outcome.refusal}")
    time = machine.time()["duration"]
    for name, signal in outcome.value.signals.items():
        if name.endswith(".position") and signal.components:
            moved = float(np.max(np.abs(signal.values - signal.values[0])))
            if moved > 1e-7 * max(1.0, float(np.max(np.abs(signal.values)))) + 1e-9:
                raise Violation(f"motion from statics: {name} moves by {moved:.3g} m in {time:g} s")


def later(case: Case) -> None:
    """All functions of time start later, and so does the run."""
    machine = case.machine
    base = case.wanted("motion")
    text = repr(machine.parts)
    sampling = {float(number) for number in re.findall(r"'sample_time': Number\(value=([^,]+),", text)}
    if len(sampling) > 1:
        raise Skip("several sampling times")
    # samples are taken at multiples of the sampling time
    shift = round(0.75 / min(sampling)) * min(sampling) if sampling else 0.75
    if any(word in text for word in ("pl.Polynomial", "pl.Fourier", "pl.Sum")):
        raise Skip("functions that are not shifted")
    moved = attempt(lambda: build(machine, Change(later=shift)))
    if moved.refusal is not None:
        raise Violation(f"model refused: {moved.refusal}")
    outputs = [
        name for name, signal in base.signals.items() if signal.values.ndim == 1 and not name.startswith("energy")
    ]
    if not outputs:
        raise Skip("no scalar signal")

    def steps() -> dict[str, float]:
        run = pl.Stepper(
            moved.value, step=machine.step, start_time=shift, outputs=outputs, until=shift + machine.steps * machine.step,
            **machine.options,
        )  # fmt: skip
        for k in range(machine.steps):
            run.advance_to(shift + (k + 1) * machine.step)
        return run.values()

    there = attempt(steps)
    if there.refusal is not None:
        raise Violation(f"later run refused: {there.refusal}")
    left = case._indeterminate("motion")
    effect = case.amplified("motion") or {}
    for name, value in there.value.items():
        here, size = float(base.signals[name].values[-1]), float(np.max(np.abs(base.signals[name].values)))
        here, value = compare.of_one_sample(name, here), compare.of_one_sample(name, value)
        tolerance = 1e-6 * size + compare.AMPLIFIED * effect.get(name, np.inf) + 1e-13 * machine.stiffest
        if not any(part in name for part in left) and not abs(value - here) <= tolerance:
            raise Violation(f"later: {name} is {value:.9g}, in the run {here:.9g}")
