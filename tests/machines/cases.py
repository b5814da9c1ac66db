"""A machine under trial: its results, and the comparison with the results of another machine."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from machines import compare
from machines.compare import Difference
from machines.machine import Machine, build
from machines.values import SAME, Change

import pitchline as pl
from pitchline.solids.rotations import quaternion_of, rotation_of_quaternion

FINER = 16
"""Smaller steps of a run whose steps have several solutions."""
FINEST = 2e-7
"""Steps that are not divided further [s]."""


TIGHT = 1e-14
"""Tolerance of Newton with which runs are compared again: that of the machine allows errors of speeds of the tolerance times the
size of the machine over the step."""
FEW, MANY = 2, 10
"""Numbers of roundings with which the effect of rounding is measured."""


class Skip(Exception):
    """The invariance does not apply to the machine."""


class Violation(Exception):
    """An equality does not hold."""

    def __init__(self, text: str, other: Machine | None = None, by: Change = SAME, code: str = "") -> None:
        super().__init__(text)
        self.other, self.by, self.code = other, by, code


@dataclass
class Outcome:
    """Result of an analysis: a value, or the refusal by name."""

    value: Any = None
    refusal: pl.PitchlineError | None = None

    @property
    def stopped(self) -> bool:
        """Whether the analysis began and could not be completed."""
        return isinstance(self.refusal, pl.SolveError)


ANALYSES: dict[str, Callable[[pl.Model, Machine, Change], Any]] = {
    "motion": lambda model, machine, by: pl.dynamics(model, **machine.time(by), **machine.options),
    "statics": lambda model, machine, by: pl.statics(model),
    "modes": lambda model, machine, by: pl.modes(model),
}


def nearly(seed: int) -> Change:
    """A change of the input by rounding."""
    rng = np.random.default_rng(seed)
    w = compare.ROUNDED * rng.normal(size=3)
    turn = np.eye(3) + np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    units = tuple(1.0 + compare.ROUNDED * rng.normal(size=4))
    return Change(matrix=turn, shift=compare.ROUNDED * rng.normal(size=3), units=units)


def attempt(function: Callable[[], Any]) -> Outcome:
    """Result or named refusal. Every other exception, and a warning of numpy, is an error of the program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return Outcome(function())
    except pl.PitchlineError as refusal:
        return Outcome(refusal=refusal)


@dataclass
class Case:
    """One machine, with the results of its analyses."""

    machine: Machine
    rng: np.random.Generator
    results: dict[tuple[str, int], Outcome] = field(default_factory=dict)

    @property
    def model(self) -> pl.Model:
        """Model of the machine, as drawn."""
        outcome = self.result("model")
        if outcome.refusal is not None:
            raise Skip(f"refused: {outcome.refusal}")
        return outcome.value

    def nearly(self, variant: int) -> Change:
        """The change of the input by rounding. Other units would need other finite elements of the teeth."""
        if variant == 0:
            return SAME
        by = nearly(variant)
        return replace(by, units=SAME.units) if "computed teeth" in self.machine.traits else by

    def result(self, analysis: str, variant: int = 0) -> Outcome:
        """Result of an analysis of the machine as drawn (variant 0), or with its input changed by rounding."""
        key = (analysis, variant)
        if key not in self.results:
            by = self.nearly(variant)
            if analysis == "model":
                self.results[key] = attempt(lambda: build(self.machine, by))
            else:
                model = self.result("model", variant)
                outcome = model
                if model.refusal is None:
                    outcome = attempt(lambda: ANALYSES[analysis](model.value, self.machine, by))
                self.results[key] = outcome
        return self.results[key]

    def wanted(self, analysis: str) -> Any:
        """Result of an analysis; the invariance is skipped if there is none."""
        outcome = self.result(analysis)
        if outcome.refusal is not None:
            raise Skip(f"{analysis}: {type(outcome.refusal).__name__}")
        return outcome.value

    def amplified(self, analysis: str, variants: int = FEW) -> dict[str, float] | None:
        """Effect of rounding on each signal; None if the analysis ends otherwise after rounding."""
        base = self.result(analysis).value
        effect: dict[str, float] = {}
        for variant in range(1, variants + 1):
            again = self.result(analysis, variant)
            if again.refusal is not None:
                return None
            for name, size in compare.amplification(base, again.value, self.machine, self.nearly(variant)).items():
                effect[name] = max(effect.get(name, 0.0), size)
        return effect

    def agree(
        self,
        other: Machine,
        by: Change = SAME,
        *,
        analyses: Collection[str] = ("motion", "statics", "modes"),
        without: Collection[str] = (),
        magnitudes: bool = False,
        relative: float = compare.RELATIVE,
        names: Mapping[str, str] | None = None,
        model: pl.Model | None = None,
    ) -> None:
        """Compare the results of the machine with those of another machine, which is the same after a change.

        model: that of the other machine, if it is not built from its parts.
        """
        _ = self.model
        outcome = attempt(lambda: build(other, by)) if model is None else Outcome(model)
        if outcome.refusal is not None:
            raise Violation(f"model refused: {outcome.refusal}", other, by)
        compared = False
        for analysis in analyses:
            base = self.result(analysis)
            if base.refusal is not None:
                continue
            there = attempt(lambda analysis=analysis: ANALYSES[analysis](outcome.value, other, by))
            compared = True
            self._compare(
                analysis, base.value, there, other, by, without, magnitudes, relative, names, rebuilt=model is None,
            )  # fmt: skip
        if not compared:
            raise Skip("no analysis of the machine is possible")

    def _compare(
        self, analysis: str, base: Any, there: Outcome, other: Machine, by: Change, without: Collection[str],
        magnitudes: bool, relative: float, names: Mapping[str, str] | None, *, rebuilt: bool = True,
    ) -> None:  # fmt: skip
        """rebuilt: the other model is built from the parts of its machine."""
        if there.refusal is not None:
            if self._refused_by_rounding(analysis):
                return
            raise Violation(f"{analysis} refused: {there.refusal}", other, by)
        if analysis == "modes":
            time = by.factor("s")
            difference = compare.eigenvalues_differ(compare.spectrum(base), compare.spectrum(there.value) * time)
            if difference is not None and difference.ratio > 1.0 and self._modes_hold(base):
                raise Violation(f"modes: {difference}", other, by)
            return
        left = [*without, *self._indeterminate(analysis)]

        def worst(effect: dict[str, float] | None, found: Any = there.value) -> Difference | None:
            return compare.worst(
                base,
                found,
                self.machine,
                by,
                names=names,
                without=left,
                amplified=effect,
                relative=relative,
                magnitudes=magnitudes,
            )

        difference = worst(None)
        if difference is None or difference.ratio <= 1.0:
            return
        # at the edge of a backlash without force, rounding decides whether the equilibrium is reported as neutral
        if analysis == "statics" and any(map(self._another_equilibrium, (base, there.value))):
            return
        for variants in (FEW, MANY):  # where a machine starts at a corner of a law, few roundings end on the other side
            effect = self.amplified(analysis, variants)
            difference = worst(effect) if effect is not None else None
            if difference is None or difference.ratio <= 1.0:
                return
        if analysis == "statics" and self._rests_there(base, there.value, other, by, worst=worst):
            return
        cut = any(one.statistics.get(key, 0) for one in (base, there.value) for key in ("newton_failures", "cut_steps"))
        if analysis == "motion" and cut and self.machine.step > FINEST:
            # long steps across corners of a law can have several solutions, small ones have one; steps in which a body would
            # turn too far are cut, which depends on its coordinates
            fine = replace(self.machine, step=self.machine.step / FINER, steps=min(FINER * self.machine.steps, 100))
            again = Case(fine, self.rng)
            with contextlib.suppress(Skip):
                again.agree(
                    replace(other, step=fine.step, steps=fine.steps), by, analyses=("motion",), without=without,
                    magnitudes=magnitudes, relative=relative, names=names,
                )  # fmt: skip
            return
        if rebuilt and analysis == "motion" and self.machine.options.get("newton_tolerance", 0.0) > TIGHT:
            options = {"newton_tolerance": TIGHT}
            tight = Case(replace(self.machine, options={**self.machine.options, **options}), self.rng)
            if tight.result("motion").refusal is None:
                tight.agree(
                    replace(other, options={**other.options, **options}), by, analyses=("motion",), without=without,
                    magnitudes=magnitudes, relative=relative, names=names,
                )  # fmt: skip
                return
        raise Violation(f"{analysis}: {difference}", other, by)

    def converges(self, other: Machine, *, signals: tuple[str, ...]) -> None:
        """Compare with a machine whose steps have another error: the difference is small, or falls with the steps."""
        base = self.wanted("motion")
        gaps: list[dict[str, float]] = []
        sizes: dict[str, float] = {}
        for part in (1, 8, 64):
            time = {**self.machine.time(), "step": self.machine.step / part}
            runs = []
            for machine in (self.machine, other):
                outcome = attempt(
                    lambda machine=machine, time=time: pl.dynamics(build(machine), **time, **machine.options)
                )
                if outcome.refusal is not None:
                    if self.amplified("motion") is None:
                        return
                    raise Violation(f"motion refused: {outcome.refusal}", other)
                runs.append(outcome.value)
            names = [name for name in base.signals if name.endswith(signals)]
            gaps.append(
                {n: float(np.max(np.abs(runs[0].signals[n].values[-1] - runs[1].signals[n].values[-1]))) for n in names}
            )
            sizes = {n: max(float(np.max(np.abs(base.signals[n].values))), 0.1) for n in names}
            if all(gaps[-1][n] <= compare.RELATIVE * sizes[n] for n in names):
                return
            # steps that do not resolve the fastest mode have no order: the difference falls with shorter ones
            if len(gaps) > 1 and all(gaps[-1][n] <= max(0.4 * gaps[-2][n], compare.RELATIVE * sizes[n]) for n in names):
                return
        effect = self.amplified("motion")
        for name, gap in gaps[-1].items():
            allowed = max(0.4 * gaps[-2][name], compare.RELATIVE * sizes[name])
            if effect is not None and gap > allowed + compare.AMPLIFIED * effect.get(name, 0.0):
                told = ", ".join(f"{one[name]:.3g}" for one in gaps)
                raise Violation(f"motion: {name} differs by {told} with steps that fall by an eighth each", other)

    def _refused_by_rounding(self, analysis: str) -> bool:
        """Whether the machine itself is refused after a change of its input by rounding."""
        return any(self.result(analysis, variant).refusal is not None for variant in range(1, MANY + 1))

    def _indeterminate(self, analysis: str) -> list[str]:
        """Signals that redundant constraints leave open."""
        result = self.result(analysis).value
        text = " ".join(result.warnings)
        return (
            [
                ".force",
                ".moment",
                ".torque",
                "_force",
                "reaction",
                *([".state"] if "hold the same motion" in text else []),
            ]
            if "redundant" in text or "statically" in text
            else []
        )

    def _another_equilibrium(self, base: Any) -> bool:
        """Whether the equilibrium is reported as one of several; a sheet under compression wrinkles in one of several ways."""
        return any(word in " ".join(base.warnings) for word in ("unstable", "neutral", "wrinkle"))

    def _rests_there(
        self, base: Any, found: Any, other: Machine, by: Change, *, worst: Callable[[Any, Any], Difference | None]
    ) -> bool:
        """Whether the machine has several equilibria: the rest of the machine as drawn, moved as a whole, is also a rest of the
        other machine. The search limits components of its steps, so that it can lead to either of them."""
        if by.mirrors or by.factor("m") != 1.0 or by.factor("s") != 1.0 or by.factor("kg") != 1.0:
            return False
        signals = dict(base.signals)
        for name in (name for name in signals if name.endswith(".position") and f"{name[:-9]}.orientation" in signals):
            signals[name] = replace(signals[name], values=compare.expected(name, signals[name], by, self.machine)[0])
            turned = f"{name[:-9]}.orientation"
            poses = [quaternion_of(by.matrix @ rotation_of_quaternion(q, turned)) for q in signals[turned].values]
            signals[turned] = replace(signals[turned], values=np.array(poses))
        again = attempt(lambda: pl.statics(build(other, by), start=replace(base, signals=signals)))
        if again.refusal is not None:
            return False
        difference = worst(None, again.value)
        return difference is None or difference.ratio <= 1.0

    def _modes_hold(self, base: Any) -> bool:
        """Whether the eigenvalues do not depend on rounding."""
        for variant in (1, 2):
            again = self.result("modes", variant)
            if again.refusal is not None:
                return False
            difference = compare.eigenvalues_differ(compare.spectrum(base), compare.spectrum(again.value))
            if difference is not None and difference.ratio > 0.01:
                return False
        return True
