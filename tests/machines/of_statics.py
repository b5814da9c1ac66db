"""Invariances of rest: virtual work, other coordinates, stiffness and deflection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation, attempt
from machines.compare import AMPLIFIED, FLANKS, RELATIVE, floor
from machines.machine import Machine, Part, build
from machines.values import Along, Arrow, Call, Matrix6, Name, Number

import pitchline as pl

MOVED = {"angle": 1e-3, "displacement": 1e-4}
"""Displacement of a joint from the rest, to both sides [rad, m]."""
NO_WORK = {
    "friction", "brake", "clutch", "one_way_clutch", "torque_limiter", "propeller", "road_resistance", "belt_drive",
    "chain_drive", "dc_motor", "induction_motor", "kloss_motor", "motor_map", "combustion_engine", "fan_load", "speed_load",
    "road_load", "torque_converter", "string", "axial_support",
}  # fmt: skip
"""Parts whose work in a displacement is not that of a potential, or has kinks."""


def virtual_work(case: Case) -> None:
    """A joint is moved from the rest by a drive: the work of the drive is the change of the potentials less that of the loads."""
    machine = case.machine
    if machine.makers & (NO_WORK | {"drive"}) or not _conservative(machine):
        raise Skip("loads without a potential")
    hinges = machine.of("revolute", "prismatic")
    if not hinges:
        raise Skip("no joint of one coordinate")
    rest = case.wanted("statics")
    if rest.warnings:
        raise Skip("statics has a warning")
    hinge = hinges[int(case.rng.integers(len(hinges)))]
    coordinate = "angle" if hinge.maker == "revolute" else "displacement"
    at = float(rest.signals[f"{hinge.name}.{coordinate}"].values[-1])
    step = MOVED[coordinate]
    gaps, sizes = [], []
    for part in (1.0, 0.25):
        energies, efforts = [], []
        for move in (-1.0, 0.0, 1.0):
            driven = _driven(machine, hinge.name, coordinate, at + move * part * step)
            outcome = attempt(lambda driven=driven: pl.statics(build(driven), start=rest))
            if outcome.refusal is not None or outcome.value.warnings:
                raise Skip("no rest beside the rest")
            energies.append(_potential(driven, outcome.value))
            effort = outcome.value.signals["probe.torque" if coordinate == "angle" else "probe.force"]
            efforts.append(float(effort.values[-1]))
        # Simpson: the error of the work falls by 1024 with a quarter of the way, that of a kink by 16
        work = part * step * (efforts[0] + 4.0 * efforts[1] + efforts[2]) / 3.0
        change = energies[2] - energies[0]
        gaps.append(abs(work - change))
        rounding = 1e-13 * max(abs(energy) for energy in energies) + 1e-10 * part * step * max(map(abs, efforts))
        sizes.append(1e-6 * part * step * (max(efforts) - min(efforts)) + 10.0 * rounding)
        if gaps[-1] <= sizes[-1]:
            return
    if gaps[1] > max(0.1 * gaps[0], sizes[1]):
        text = (
            f"statics: work of a drive on {hinge.name} differs from the change of energy by {gaps[0]:.4g} J, "
            f"and by {gaps[1]:.4g} J with a quarter of the way; the work is {work:.6g} J"
        )
        raise Violation(text, _driven(machine, hinge.name, coordinate, at + step))


def _driven(machine: Machine, hinge: str, coordinate: str, value: float) -> Machine:
    unit = "rad" if coordinate == "angle" else "m"
    drive = Part("drive", "probe", {"joint": Name(hinge), coordinate: Number(value, unit)})
    return machine.with_parts([*machine.parts, drive])


def _conservative(machine: Machine) -> bool:
    """Whether all loads are constant forces in world axes, or loads on joints."""
    for part in machine.of("force", "torque"):
        value = part.given["value"]
        on_joint = isinstance(value, Number)
        constant = isinstance(value, Arrow) and part.maker == "force" and "reaction" not in part.given
        if not (on_joint or constant) or isinstance(value, (Along, Call)):
            return False
    text = repr(machine.parts)
    return not any(word in text for word in ("friction", "efficiency", "sticks", "pl.Harmonic", "pl.Ramp", "pl.Fourier",
                                             "pl.Polynomial", "pl.Sum", "pl.PID", "pl.Relay"))  # fmt: skip


def _potential(machine: Machine, rest: Any) -> float:
    """Potential of weight and springs, less the work of the loads."""
    model = build(machine)
    energy = float(pl.energies(model, rest).potential().values[-1])
    for part in machine.of("force", "torque"):
        value = part.given["value"]
        on = part.given["on"].value
        if isinstance(value, Number):
            coordinate = "angle" if part.maker == "torque" else "displacement"
            energy -= value.value * float(rest.signals[f"{on}.{coordinate}"].values[-1])
        else:
            energy -= float(np.dot(value.value, _place(part, on, model, rest)))
    return energy


def _place(part: Part, on: str, model: pl.Model, rest: Any) -> np.ndarray:
    """Where a force acts in the rest."""
    body = model.bodies[on]
    position = np.asarray(rest.signals[f"{on}.position"].values[-1], float)
    if "at" not in part.given:
        own = np.zeros(3) if f"{on}.deflection" in rest.signals else np.asarray(body.centre_of_mass, float)
    else:
        own = np.asarray(body.orientation, float).T @ (
            np.asarray(part.given["at"].value) - np.asarray(body.position, float)
        )
    return position + _turned(rest.signals[f"{on}.orientation"].values[-1]) @ own


def _turned(q: Any) -> np.ndarray:
    from machines.compare import _matrices

    return _matrices(np.asarray(q, float))


def not_reduced(case: Case) -> None:
    """Rest in six coordinates for each body is the same."""
    from machines import compare

    base = case.wanted("statics")
    if base.warnings:
        raise Skip("statics has a warning")
    there = attempt(lambda: pl.statics(case.model, reduce=False))
    if there.refusal is not None:
        raise Violation(f"statics not reduced refused: {there.refusal}")
    if case._another_equilibrium(there.value):
        return  # at the edge of a backlash without force, rounding decides whether the equilibrium is reported as neutral
    left = case._indeterminate("statics")
    difference = compare.worst(base, there.value, case.machine, without=left, relative=5.0 * RELATIVE)
    if difference is not None and difference.ratio > 1.0:
        effect = case.amplified("statics")
        difference = compare.worst(
            base, there.value, case.machine, without=left, relative=5.0 * RELATIVE, amplified=effect
        )
        if effect is not None and difference is not None and difference.ratio > 1.0:
            raise Violation(f"statics not reduced: {difference}")


def start_from_rest(case: Case) -> None:
    """Rest found from the rest is the same."""
    from machines import compare

    base = case.wanted("statics")
    if base.warnings:
        raise Skip("statics has a warning")
    there = attempt(lambda: pl.statics(case.model, start=base))
    if there.refusal is not None:
        raise Violation(f"statics from statics refused: {there.refusal}")
    # a contact at its limit of friction holds and slips with the same forces
    left = [*case._indeterminate("statics"), ".state"]
    difference = compare.worst(base, there.value, case.machine, without=left)
    if difference is not None and difference.ratio > 1.0:
        effect = case.amplified("statics")
        difference = compare.worst(base, there.value, case.machine, without=left, amplified=effect)
        if effect is not None and difference is not None and difference.ratio > 1.0:
            raise Violation(f"statics from statics: {difference}")


def stiffer(case: Case) -> None:
    """With stiffer springs a load moves its point less: the static response falls."""
    machine = case.machine
    loads = [p for p in machine.of("force") if isinstance(p.given.get("value"), Arrow) and "at" not in p.given]
    springs = machine.of("bushing")
    if machine.kind != "simple shaft" or not loads or not springs:
        raise Skip("no elastic machine with small rotations")
    # Rayleigh: the sum over all loads of load times displacement falls, so that only forces are left
    plain = replace(
        machine.with_parts([p for p in machine.parts if p.maker in ("shaft", "bushing") or p in loads]),
        gravity=(0.0, 0.0, 0.0),
    )
    spring = springs[int(case.rng.integers(len(springs)))]
    matrix = np.asarray(spring.given["stiffness"].value)
    stiff = replace(spring, given={**spring.given, "stiffness": Matrix6(tuple(map(tuple, 2.0 * matrix)), "N/m")})
    other = plain.with_parts([stiff if part.name == spring.name else part for part in plain.parts])
    works = []
    for one in (plain, other):
        found = attempt(lambda one=one: pl.statics(build(one)))
        if found.refusal is not None:
            raise Violation(f"statics refused: {found.refusal}", one)
        works.append(_work(one, found.value))
    if not works[1] <= works[0] + 1e-9 * abs(works[0]):
        raise Violation(
            f"statics: the loads do {works[0]:.9g} J, and {works[1]:.9g} J with a stiffer {spring.name}", other
        )


def _work(machine: Machine, rest: Any) -> float:
    """Sum of all forces times the displacements from the drawn position."""
    model = build(machine)
    total = 0.0
    for part in machine.of("force"):
        on = part.given["on"].value
        moved = np.asarray(rest.signals[f"{on}.position"].values[-1]) - np.asarray(model.bodies[on].position)
        total += float(np.dot(part.given["value"].value, moved))
    return total


def dissipation(case: Case) -> None:
    """Dissipated energy never decreases."""
    run = case.wanted("motion")
    lost = np.asarray(run.signals["energy.dissipated"].values, float)
    less = float(np.max(np.maximum.accumulate(lost) - lost))
    size = float(np.max(np.abs(lost)))
    energy = float(np.max(np.abs(run.signals["energy.kinetic"].values)))
    if less > 1e-9 * size + 1e-13 * energy:
        raise Violation(f"motion: energy.dissipated falls by {less:.3g} J of {size:.3g} J")


def outputs(case: Case) -> None:
    """Every second sample is the same. (Wheels and shafts count revolutions at samples, which changes their rounding.)"""
    base = case.wanted("motion")
    machine = case.machine
    if machine.steps % 2:
        raise Skip("odd number of steps")
    time = {**machine.time(), "output_step": 2.0 * machine.step}
    there = attempt(lambda: pl.dynamics(case.model, **time, **machine.options))
    if there.refusal is not None:
        raise Violation(f"motion with fewer outputs refused: {there.refusal}")
    effect: dict[str, float] | None = None
    for name, signal in base.signals.items():
        here, found = signal.values[::2], there.value.signals[name].values
        if name.endswith(
            ".orientation"
        ):  # a quaternion keeps the sign from sample to sample, which depends on the samples
            here, found = _turned(here), _turned(found)
        if np.array_equal(here, found, equal_nan=True) or name.endswith(tuple(FLANKS)):
            continue
        gap, size = float(np.max(np.abs(here - found))), float(np.max(np.abs(here)))
        if gap > 1e-9 * size + floor(signal.unit, machine):
            effect = (case.amplified("motion") or {}) if effect is None else effect
            if gap > 1e-9 * size + AMPLIFIED * effect.get(name, np.inf):
                raise Violation(f"motion with fewer outputs: {name} differs by {gap:.3g} of {size:.3g}")
