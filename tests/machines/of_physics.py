"""Balances: reactions, energy, momentum; linear analyses against motions."""

from __future__ import annotations

from typing import Any

import numpy as np
from machines.cases import Case, Skip, Violation, attempt
from machines.values import Change

import pitchline as pl

FAR_DEFLECTED = 0.5
"""Deflection of elastic flanks in modules above which the energy is not compared: its error is 0.1 % at
0.3, and 2.5 % at 0.9 modules."""


def moving_frame(case: Case) -> None:
    """A machine that is not on the ground in uniform motion."""
    machine = case.machine
    if "floating" not in machine.traits or machine.local or machine.placed:
        raise Skip("on the ground")
    case.agree(
        machine, Change(velocity=case.rng.normal(size=3)), analyses=("motion",),
        without=("energy.", ".position", ".momentum", ".work", ".power"),
    )  # fmt: skip


def energy(case: Case) -> None:
    """Kinetic and potential energy change by the work less the dissipation."""
    run = case.wanted("motion")
    if any("the method is for small deflections" in warning for warning in run.warnings):
        _far_deflected(case, run)
    error = float(np.max(np.abs(run.signals["energy.balance_error"].values)))
    terms = ("kinetic", "potential", "work", "dissipated")
    size = sum(float(np.ptp(run.signals[f"energy.{term}"].values)) for term in terms)
    size = max(size, 1e-3 * float(np.max(run.signals["energy.kinetic"].values)))
    if error <= 0.02 * size + 1e-9:
        return
    fine = attempt(
        lambda: pl.dynamics(case.model, duration=case.machine.time()["duration"], step=case.machine.step / 8)
    )
    if fine.refusal is not None:
        raise Skip("no run with small steps")
    less = float(np.max(np.abs(fine.value.signals["energy.balance_error"].values)))
    if less > 0.4 * error:  # an error of the step of order 1 at least falls by eight
        raise Violation(f"energy: balance error {error:.3g} J of {size:.3g} J, {less:.3g} J with steps of an eighth")


def _far_deflected(case: Case, run: Any) -> None:
    """The method of elastic flanks is for small deflections: its error in the energy does not fall with the step."""
    for name, pair in case.model.gear_pairs.items():
        deflection = run.signals.get(f"{name}.deflection")
        if isinstance(pair.mesh, pl.Flank) and deflection is not None:
            most = float(np.max(np.abs(deflection.values)))
            if most > FAR_DEFLECTED * pair.pair.pitch.normal_module:
                raise Skip("teeth deflect by more than half a module, which a warning states")


def momentum(case: Case) -> None:
    """Momentum and angular momentum of a machine without ground and weight are constant, with inner forces only."""
    machine = case.machine
    if "floating" not in machine.traits:
        raise Skip("on the ground")
    if machine.of("propeller", "road_resistance") or any("reaction" not in p.given for p in machine.of("force", "torque")
                                                         if getattr(p.given["on"], "value", "").startswith("body")):  # fmt: skip
        raise Skip("loads from outside")
    run = case.wanted("motion")
    first = _changes(case, run)
    if max(first) <= 1e-6:
        return
    fine = attempt(lambda: pl.dynamics(case.model, duration=machine.time()["duration"], step=machine.step / 8))
    if fine.refusal is not None:
        raise Skip("no run with small steps")
    less = _changes(case, fine.value)
    for what, before, after in zip(("momentum", "angular momentum"), first, less, strict=True):
        if after > max(1e-6, 0.3 * before):  # the error of a smooth motion falls by 64
            raise Violation(f"{what} changes by {before:.3g}, by {after:.3g} with steps of an eighth, without a load")


def _changes(case: Case, run: Any) -> tuple[float, float]:
    """Relative changes of the momentum less that of the weight, and of the angular momentum about the centre of mass."""
    value = pl.momentum(case.model, run, about=(0.0, 0.0, 0.0))
    mass, weight = case.model.mass, np.asarray(case.machine.gravity)
    t = np.asarray(run.time)[:, None]
    p, L, c = (np.asarray(x.values, float) for x in (value.linear, value.angular, value.centre_of_mass))
    gap = float(np.max(np.abs(p - p[0] - mass * weight * t)))
    spin = L - np.cross(c, p)
    size = float(np.max(np.abs(L))) + float(np.max(np.abs(np.cross(c, p)))) + mass
    return gap / (float(np.max(np.abs(p))) + mass), float(np.max(np.abs(spin - spin[0]))) / size


def reactions(case: Case) -> None:
    """In statics the forces on the ground are weight and outer loads."""
    machine = case.machine
    if "floating" in machine.traits or machine.of("propeller", "road_resistance"):
        raise Skip("no ground, or loads from outside")
    rest = case.wanted("statics")
    table = attempt(lambda: rest.reactions())
    if table.refusal is not None:
        raise Violation(f"reactions refused: {table.refusal}")
    rows = {row.name: row for row in table.value.parts}
    total = np.zeros(3)
    if "total" in rows:
        total = np.array([rows["total"].values["value"][f"force_{axis}"] for axis in "xyz"])
    weight = case.model.mass * np.asarray(machine.gravity)
    outer = np.zeros(3)
    for part in machine.of("force"):
        signal = rest.signals.get(f"{part.name}.force")
        if "reaction" not in part.given and signal is not None and signal.components:
            outer = outer + np.asarray(signal.values[-1], float)
    gap = float(np.max(np.abs(total - weight - outer)))
    size = float(np.max(np.abs(weight)) + np.max(np.abs(outer)))
    # what statics leaves of each body is missing in the sum: rounding of positions times the stiffness of beams, without a load
    left = rest.statistics["imbalance"] * len(case.model.bodies)
    if gap > 1e-6 * size + 1e-9 * machine.stiffest + left:
        raise Violation(f"statics: reactions on the ground {total}, weight and loads {weight + outer}")
