"""Invariances of teeth: two meshes side by side, limits of stiffness and backlash, batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from machines.cases import Case, Outcome, Skip, Violation, attempt
from machines.compare import RELATIVE, floor
from machines.machine import Machine, Part, build
from machines.of_parts import half_of
from machines.values import Call, Number

import pitchline as pl

TINY = 1e-12
"""A backlash far below the deflection of loaded teeth [m]."""
SHARED = ("damping", "stiffness")
LOSSY = ("friction", "efficiency", "restitution", "contact", "sticks")


def _pairs(machine: Machine, *kinds: str) -> list[Part]:
    """Gear pairs with these kinds of teeth."""
    return [
        p for p in machine.of("gear_pair") if isinstance(p.given.get("mesh"), Call) and p.given["mesh"].maker in kinds
    ]


def _meshed(machine: Machine, change: Callable[[Call], Call], *kinds: str) -> Machine:
    """The machine with other teeth."""
    chosen = {part.name for part in _pairs(machine, *kinds)}
    return machine.with_parts(
        [
            replace(part, given={**part.given, "mesh": change(part.given["mesh"])}) if part.name in chosen else part
            for part in machine.parts
        ]
    )


def _without_allowance(machine: Machine) -> Machine:
    """The machine with gears whose teeth have no allowance for backlash."""

    def less(part: Part) -> Part:
        gear = part.given.get("gear")
        if not isinstance(gear, Call):
            return part
        given = {key: value for key, value in gear.given.items() if key != "backlash_allowance"}
        return replace(part, given={**part.given, "gear": replace(gear, given=given)})

    return machine.with_parts([less(part) for part in machine.parts])


NOT_RIGID = {
    "bushing",
    "cylindrical",
    "prismatic",
    "spherical",
    "planar",
    "bearing",
    "shaft",
    "beam",
    "friction",
    "rotor",
}
"""Parts with which radial and axial forces of teeth, which rolling wheels do not have, change the motion."""


def _on_hinges(machine: Machine) -> None:
    if machine.makers & NOT_RIGID:
        raise Skip("radial and axial forces change the motion")


def _own_stiffness(part: Part) -> bool:
    given = part.given["mesh"].given
    return isinstance(given.get("stiffness"), Number) and not set(given) & {"damping_ratio", "effective_mass", *LOSSY}


def halves(case: Case) -> None:
    """Each mesh with a stiffness of its own as two meshes of half the stiffness and damping."""
    machine = case.machine
    names = {part.name for part in _pairs(machine, "pl.Elastic") if _own_stiffness(part)}
    if not names:
        raise Skip("no teeth with a stiffness of their own")
    parts: list[Part] = []
    for part in machine.parts:
        if part.name not in names:
            parts.append(part)
            continue
        given = dict(part.given["mesh"].given)
        for key in SHARED:
            if key in given:
                given[key] = half_of(given[key])
        half = {**part.given, "mesh": Call("pl.Elastic", given)}
        parts += [replace(part, given=half), replace(part, name=f"{part.name} again", given=half)]
    left = [f"{name}." for name in names] + [f"{name} again" for name in names]
    case.agree(machine.with_parts(parts), without=left)


def no_backlash(case: Case) -> None:
    """A backlash of zero is none, and one far below the deflection acts as none."""
    kinds = ("pl.Elastic", "pl.Loaded")
    machine = _without_allowance(case.machine)
    if not _pairs(machine, *kinds):
        raise Skip("no elastic teeth")

    def with_backlash(value: float | None) -> Callable[[Call], Call]:
        def change(mesh: Call) -> Call:
            given = {
                key: item for key, item in mesh.given.items() if key not in ("backlash", "smoothing", "separating")
            }
            return replace(mesh, given=given if value is None else {**given, "backlash": Number(value, "m")})

        return change

    none = _meshed(machine, with_backlash(None), *kinds)
    zero = _meshed(machine, with_backlash(0.0), *kinds)
    tiny = _meshed(machine, with_backlash(TINY), *kinds)
    base = attempt(lambda: pl.statics(build(none)))
    if base.refusal is not None or base.value.warnings:
        raise Skip("no statics without backlash")
    least = min(
        abs(float(base.value.signals[f"{pair.name}.deflection"].values[-1])) for pair in _pairs(machine, *kinds)
    )
    if least < 10.0 * TINY:
        raise Skip("teeth without load")  # their deflection is not greater than the backlash
    for other, tolerance in ((zero, RELATIVE), (tiny, 1e-5)):
        found = attempt(lambda other=other: pl.statics(build(other)))
        if found.refusal is not None:
            raise Violation(f"statics refused: {found.refusal}", other)
        for name, signal in base.value.signals.items():
            if name.endswith((".angle", ".normal_force", ".transmission_error")):
                here, there = float(signal.values[-1]), float(found.value.signals[name].values[-1])
                if abs(here - there) > tolerance * abs(here) + 2e-11 + floor(signal.unit, machine):
                    raise Violation(f"statics: {name} is {there:.9g}, without backlash {here:.9g}", other)


def rolling(case: Case) -> None:
    """Stiff teeth move as rolling wheels: the difference falls with the compliance."""
    machine = _without_allowance(case.machine)
    if not _pairs(machine, "pl.Elastic", "pl.Rigid", "pl.Rolling") or _pairs(machine, "pl.Loaded", "pl.Flank"):
        raise Skip("no elastic, rigid or rolling teeth")
    _on_hinges(machine)
    kinds = ("pl.Elastic", "pl.Rigid", "pl.Rolling")

    def of(mesh: Call) -> Callable[[Call], Call]:
        return lambda _: mesh

    exact = _meshed(machine, of(Call("pl.Rolling", {})), *kinds)
    base = attempt(lambda: pl.statics(build(exact)))
    if base.refusal is not None or base.value.warnings:
        raise Skip("no statics with rolling wheels")
    stiff = [
        _meshed(machine, of(Call("pl.Elastic", {"stiffness": Number(k, "N/m")})), *kinds) for k in (1e9, 1e11)
    ]  # fmt: skip
    rigid = _meshed(machine, of(Call("pl.Rigid", {})), *kinds)
    found = [attempt(lambda one=one: pl.statics(build(one))) for one in (*stiff, rigid)]
    names = [name for name in base.value.signals if name.endswith((".angle", ".displacement"))]
    for outcome, one in zip(found, (*stiff, rigid), strict=True):
        if isinstance(outcome.refusal, pl.ModelError):
            raise Skip("teeth that can roll only")
        if outcome.refusal is not None:
            raise Violation(f"statics refused: {outcome.refusal}", one)
    gaps = [_gaps(base.value, outcome, names) for outcome in found]
    for name in names:
        size = 1e-9 * abs(float(base.value.signals[name].values[-1])) + 1e-11
        if gaps[1][name] > 0.015 * gaps[0][name] + size:
            raise Violation(
                f"statics: {name} differs from rolling by {gaps[0][name]:.3g}, with teeth 100 times stiffer by {gaps[1][name]:.3g}",
                stiff[1],
            )
        if gaps[2][name] > size:
            raise Violation(f"statics: {name} differs by {gaps[2][name]:.3g} with rigid and with rolling teeth", rigid)


def _gaps(base: Any, outcome: Outcome, names: list[str]) -> dict[str, float]:
    return {n: float(abs(base.signals[n].values[-1] - outcome.value.signals[n].values[-1])) for n in names}


def rigid_or_rolling(case: Case) -> None:
    """Rigid teeth and rolling wheels move in the same way."""
    machine = _without_allowance(case.machine)
    if not _pairs(machine, "pl.Rigid", "pl.Rolling"):
        raise Skip("no rigid teeth")
    _on_hinges(machine)
    if any(
        set(p.given["mesh"].given) & {"backlash", "error", *LOSSY} for p in _pairs(machine, "pl.Rigid", "pl.Rolling")
    ):
        raise Skip("backlash, errors or losses")
    meshes = [
        _meshed(machine, lambda _, kind=kind: Call(kind, {}), "pl.Rigid", "pl.Rolling")
        for kind in ("pl.Rigid", "pl.Rolling")
    ]
    runs = [attempt(lambda one=one: pl.dynamics(build(one), **one.time(), **one.options)) for one in meshes]
    if all(run.refusal is not None for run in runs) or any(isinstance(run.refusal, pl.ModelError) for run in runs):
        raise Skip("no motion")  # crossed pairs do not roll
    for run, one in zip(runs, meshes, strict=True):
        if run.refusal is not None:
            raise Violation(f"motion refused: {run.refusal}", one)
    first, second = (run.value.signals for run in runs)
    for name, signal in first.items():
        if not name.endswith((".angle", ".angular_speed", ".displacement")):
            continue
        size = float(np.max(np.abs(signal.values)))
        gap = float(np.max(np.abs(signal.values - second[name].values)))
        if gap > 1e-7 * size + 1e-11:
            raise Violation(f"motion: {name} differs by {gap:.3g} with rigid and with rolling teeth", meshes[1])
