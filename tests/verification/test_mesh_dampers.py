"""Dampers of teeth: no flank ever pulls, energy is accounted for, errors are felt by their rates; laws of publications by name."""

import math
from typing import Any

import numpy as np
import pytest
from references.rattling_pairs import ERRORS, MESHES, K, pair, wave
from references.settled import complex_amplitude

import pitchline as pl

MASS = 1e-3 / (0.04 * math.cos(math.radians(20))) ** 2
"""Of the wheel of `driven`, along the line of action [kg]."""


def push(result: pl.Result) -> np.ndarray:
    """Force of the flank in contact: negative if it pulls."""
    return result["mesh.signed_force"].values * result["mesh.contact"].values


CASES = [(name, {}) for name in MESHES] + [
    ("elastic", {"supported": True}),
    ("varying backlash", {"supported": True}),
    ("loaded", {"supported": True}),
    ("elastic", {"rack": True}),
]


@pytest.mark.parametrize(("name", "where"), CASES, ids=str)
def test_teeth_never_pull_and_the_energy_closes(name: str, where: dict[str, bool]) -> None:
    """Teeth hammer on both flanks, with errors over angles and time: O(h²), also where the force of a flank is held at zero."""
    found = []
    for step in (2e-5, 5e-6):
        result = pl.dynamics(
            pair(MESHES[name](damping_ratio=0.2), **where), duration=0.02, step=step, newton_tolerance=1e-10
        )
        turnover = max(np.ptp(result[f"energy.{n}"].values) for n in ("kinetic", "potential", "work", "dissipated"))
        found.append(np.max(np.abs(result["energy.balance_error"].values)) / turnover)
    force, contact = push(result), result["mesh.contact"].values
    assert force.min() >= 0.0
    assert {1.0, -1.0} <= set(contact)
    if name != "rounded":
        assert np.mean(force[contact != 0.0] == 0.0) > 0.01  # the damper alone would pull
        assert 0.0 in contact
    assert result["mesh.loss"].values.min() >= 0.0
    assert found[0] < 4e-3
    assert found[1] < 0.15 * found[0]


OLD = [
    ("elastic", "in contact", False, 0.0, -1211.25826721337, 0.8048054228260929),
    ("elastic", "always", False, -88.32907749878628, -1211.25826721337, 0.8128972986994725),
    ("elastic", "limited", False, 0.0, 0.0, 0.8005196657904349),
    ("loaded", "in contact", True, 248.09252636988506, -706.0951399604915, 1.7830503559623092),
    ("varying backlash", "in contact", False, -339.67553826710423, -1100.5766135282615, 0.7897160114674854),
]  # fmt: skip
"""Mesh, law, on supports; force at the end, largest pull and dissipated energy, as before dampers acted on the deflection."""


@pytest.mark.parametrize(("name", "acts", "supported", "last", "least", "dissipated"), OLD, ids=str)
def test_laws_of_publications_by_name(
    name: str, acts: str, supported: bool, last: float, least: float, dissipated: float
) -> None:
    mesh = MESHES[name](damping_ratio=0.2, damping_acts=acts, damping_rate="approach")
    result = pl.dynamics(pair(mesh, supported=supported), duration=0.005, step=1e-5)
    assert result["mesh.signed_force"].final == pytest.approx(last, rel=1e-7)
    assert push(result).min() == pytest.approx(least, rel=1e-7, abs=1e-9)
    assert result["energy.dissipated"].final == pytest.approx(dissipated, rel=1e-7)


def driven(mesh: Any, speed: float) -> pl.Model:
    """A at constant speed, a torque on B that keeps the teeth on their drive flank."""
    m = pl.Model("driven")
    size: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    a = m.gear_body("a", pl.Gear(teeth=20, **size), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
    wheel = pl.Gear(teeth=20, **size)
    b = m.gear_body(
        "b", wheel, mesh_with=a, towards="x", angular_velocity=(0, 0, -speed), mass=1.0, inertia=(1e-3,) * 3
    )
    m.drive("motor", m.revolute("hinge a", m.ground, a), speed=speed)
    m.torque("load", m.revolute("hinge b", m.ground, b), 50.0)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


@pytest.mark.parametrize("eta", (0.5, 1.0, 2.0))
def test_errors_are_felt_by_their_rates(eta: float) -> None:
    """Kahraman and Singh: m δ'' + c δ' + k δ = F + m e'' of the deflection δ = x + e. With η = ω/ω_n the hoop force has the
    amplitude m ω² |x|, x = -e (1 + 2iζη)/(1 - η² + 2iζη); without the second term, -e/(..), if the damper acts on x' alone."""
    zeta, e = 0.1, 1e-6
    natural = math.sqrt(K / MASS)
    speed = eta * natural / 20
    period = 2 * math.pi / (eta * natural)
    for rate, felt in (("deflection", 1.0 + 2j * zeta * eta), ("approach", 1.0)):
        mesh = pl.Elastic(
            K, error=wave(0.0, e), backlash="50 um", damping_ratio=zeta, effective_mass=MASS, damping_rate=rate
        )
        model = driven(mesh, speed)
        start = pl.statics(model)
        run = pl.dynamics(
            model, duration=(math.ceil(20 * eta) + 4) * period, step=period / 200, start=start, newton_tolerance=1e-10
        )
        expected = MASS * (eta * natural) ** 2 * e * abs(felt / (1 - eta**2 + 2j * zeta * eta))
        found = abs(complex_amplitude(run["mesh.normal_force"], 1 / period, 4))
        assert found == pytest.approx(expected, rel=2e-3), rate


def test_loaded_teeth_feel_the_rate_of_their_unloaded_error() -> None:
    """A table of linear teeth whose first contact varies is a spring with that error."""
    loads, phase = np.array([0.0, 4000.0]), 2 * np.pi * np.arange(128) / 128
    rows = np.array([5e-6 * (1 - np.cos(phase)) + load / K for load in loads])
    table = pl.Loaded(loads, rows, along="line of action", backlash="50 um", damping_ratio=0.2)
    spring = pl.Elastic(K, error=wave(-5e-6, 5e-6), backlash="50 um", damping_ratio=0.2)
    runs = [pl.dynamics(driven(mesh, 150.0), duration="10 ms", step="10 us") for mesh in (table, spring)]
    force, expected = (run["mesh.normal_force"].values for run in runs)
    np.testing.assert_allclose(force, expected, rtol=0, atol=2e-5 * np.abs(expected).max())
    lost = [run["energy.dissipated"].final for run in runs]
    assert lost[0] == pytest.approx(lost[1], rel=1e-5)


def test_linear_analyses_have_the_whole_damper() -> None:
    """At a loaded flank all laws are the same."""
    found = []
    for acts in ("never pulling", "in contact", "always", "limited"):
        model = driven(pl.Elastic(K, backlash="50 um", damping_ratio=0.1, effective_mass=MASS, damping_acts=acts), 0.0)
        modes = pl.modes(model, about=pl.statics(model))
        found.append(modes.damping_ratios[-1])
    assert found[0] == pytest.approx(0.1, rel=1e-6)
    assert found == pytest.approx([found[0]] * 4, rel=1e-12)


def test_without_backlash_the_damper_is_linear_and_flanks_push() -> None:
    """A force of either sign pushes on one of both flanks, and the gears apart."""
    meshes = [
        pl.Elastic(K, backlash=0, error=ERRORS[0], damping_ratio=0.3, **law) for law in ({}, {"damping_acts": "always"})
    ]
    one, other = (pl.dynamics(pair(mesh), duration=0.01, step=1e-5) for mesh in meshes)
    force = other["mesh.signed_force"].values
    np.testing.assert_allclose(one["mesh.signed_force"].values, force, rtol=0, atol=1e-9 * np.abs(force).max())
    assert force.min() < 0.0 < force.max()
    assert push(one).min() >= 0.0 > push(other).min()
    assert one["mesh.radial_force"].values.min() >= 0.0


def test_trains_have_the_same_law() -> None:
    mesh = pl.Elastic(wave(K, 0.3 * K), backlash="50 um", error=ERRORS[:2], damping_ratio=0.2)
    scalar, spatial = (pl.dynamics(pair(mesh), duration=0.01, step=2e-6, reduce=reduce) for reduce in (True, False))
    assert scalar.statistics["evaluator"].startswith("train")
    assert push(scalar).min() >= 0.0
    for name in ("hinge b.angle", "energy.dissipated"):
        a, b = scalar[name].values, spatial[name].values
        np.testing.assert_allclose(a, b, rtol=0, atol=2e-3 * np.abs(b).max())
