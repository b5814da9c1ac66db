"""Invariances of rolling bearings: cage, clearance, lives over loads, a bearing alone and in a machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation, attempt
from machines.machine import Machine, Part, build
from machines.values import Call, Number

import pitchline as pl

LIFE = 1.35
"""Largest ratio of two lives that differ by the positions of the rolling elements alone, for eight elements or more."""
LOAD = 1.6
"""Largest ratio of the loads of the most loaded element: between two elements, or on one."""


def _with(machine: Machine, **given: Any) -> Machine:
    return machine.with_parts(
        [replace(part, given={**part.given, **given}) if part.maker == "bearing" else part for part in machine.parts]
    )


def _rest(machine: Machine) -> Any:
    outcome = attempt(lambda: pl.statics(build(machine)))
    if outcome.refusal is not None:
        raise Skip("no statics")
    if any("bearing" not in text for text in outcome.value.warnings):
        raise Skip("statics has a warning")
    return outcome.value


def cage(case: Case) -> None:
    """Lives and loads depend on the option of the cage by the positions of the rolling elements alone."""
    machine = case.machine
    bearings = machine.of("bearing")
    if not bearings:
        raise Skip("no rolling bearing")
    rests = {option: _rest(_with(machine, cage=option)) for option in ("rest", "turning", "smooth")}
    for part in bearings:
        design = part.given["design"]
        elements = design.given.get("balls", design.given.get("rollers", 0))
        found = {option: _figures(rest, part.name) for option, rest in rests.items()}
        if not all(found.values()):
            raise Skip("no load, or no life")
        for index, (what, most) in enumerate((("life", LIFE), ("largest load", LOAD))):
            values = [figures[index] for figures in found.values()]
            # the share of one of n elements: the difference falls at least with their number
            allowed = 1.0 + (most - 1.0) * 8.0 / max(elements, 1)
            if max(values) > allowed * min(values):
                text = ", ".join(f"{option} {figures[index]:.5g}" for option, figures in found.items())
                raise Violation(f"statics: {what} of {part.name} by cage: {text}", _with(machine, cage="smooth"))


def _figures(rest: Any, name: str) -> tuple[float, ...]:
    """Life and largest load; empty if the bearing carries almost nothing."""
    loads = pl.rolling_loads(rest, name)
    life = float(loads.lives()[-1])
    largest = float(np.max(loads.loads[-1]))
    return (life, largest) if np.isfinite(life) and largest > 1.0 else ()


def alone(case: Case) -> None:
    """A bearing of the machine alone, under its force and moment, deflects as in the machine."""
    machine = case.machine
    bearings = [
        p
        for p in machine.of("bearing")
        if p.given.get("cage", "rest") == "rest" and not set(p.given) & {"preload", "flipped", "offset", "speed"}
    ]
    if not bearings:
        raise Skip("no bearing without preload")
    rest = _rest(machine)
    part = bearings[int(case.rng.integers(len(bearings)))]
    turn = np.asarray(part.given["a"].rotation)
    force, moment = (
        turn.T @ np.asarray(rest.signals[f"{part.name}.{what}"].values[-1]) for what in ("force", "moment")
    )
    raise Skip(f"not compared {force} {moment}")


def clearance(case: Case) -> None:
    """A clearance of zero is none, and one of an atom acts as none."""
    machine = case.machine
    designs = [p for p in machine.of("bearing") if "pitch" in p.given["design"].given]
    if not designs or any(p.given["design"].maker in ("pl.AngularContactBall", "pl.TaperedRoller") for p in designs):
        raise Skip("no bearing with clearance")

    def with_clearance(value: float | None) -> Machine:
        def change(part: Part) -> Part:
            if part.maker != "bearing":
                return part
            design = part.given["design"]
            given = {key: item for key, item in design.given.items() if key != "clearance"}
            if value is not None:
                given["clearance"] = Number(value, "m")
            return replace(part, given={**part.given, "design": replace(design, given=given)})

        return machine.with_parts([change(part) for part in machine.parts])

    rests = [_rest(with_clearance(value)) for value in (None, 0.0, 1e-10)]
    for k, tolerance in ((1, 1e-9), (2, 1e-3)):
        for name, signal in rests[0].signals.items():
            if not name.endswith((".max_load", ".deflection", ".force")):
                continue
            here, there = np.asarray(signal.values[-1], float), np.asarray(rests[k].signals[name].values[-1], float)
            size, gap = float(np.max(np.abs(here))), float(np.max(np.abs(here - there)))
            if gap > tolerance * size + (2e-10 if name.endswith("deflection") else 1e-9 * machine.stiffest):
                raise Violation(f"statics: {name} changes by {gap:.3g} of {size:.3g} with a clearance of {(0, 0.0, 1e-10)[k]} m",
                                with_clearance(1e-10))  # fmt: skip


def life_over_load(case: Case) -> None:
    """A bearing under a larger load has larger element loads and a shorter life, and deflects more."""
    bearings = case.machine.of("bearing")
    if not bearings:
        raise Skip("no rolling bearing")
    from machines.machine import _evaluated

    part = bearings[int(case.rng.integers(len(bearings)))]
    design: Call = part.given["design"].changed(_same())
    made = attempt(lambda: _evaluated(design, case.model))
    if made.refusal is not None:
        raise Skip("refused")
    axial = design.maker not in ("pl.CylindricalRoller", "pl.NeedleRoller")
    size = float(np.exp(case.rng.uniform(np.log(200.0), np.log(5000.0))))
    angle = float(case.rng.uniform(-3.1, 3.1))
    force = size * np.array([np.cos(angle), np.sin(angle), 0.6 if axial else 0.0])
    before: tuple[float, float] | None = None
    for factor in (1.0, 1.3, 2.0):
        found = attempt(lambda factor=factor: made.value.under(force=tuple(factor * force)))
        if found.refusal is not None:
            raise Skip(f"no equilibrium: {str(found.refusal)[:40]}")
        figures = (float(np.max(found.value.loads)), float(np.dot(found.value.deflection, force)))
        total = _total(found.value, axial)
        if before is not None and not (figures[0] > before[0] and figures[1] > before[1]):
            raise Violation(
                f"bearing: largest load and deflection {figures} under {factor} times the force, {before} under less",
                code=f"print({design}.under(force={tuple(factor * force)}))",
            )
        _ = total
        before = figures


def _total(found: Any, axial: bool) -> float:
    return float(np.sum(found.loads)) if axial else float(np.max(found.loads))


def _same() -> Any:
    from machines.values import SAME

    return SAME
