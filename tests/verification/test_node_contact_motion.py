"""Contact of nodes with surfaces, by modes and Runge-Kutta steps: order, energy, momentum, stability, limits, and refusals."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from references.pair_in_motion import pair, pressed, thrown

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.parts.contact.node_contact import node_contact_motion

PENALTY = 5e7
INERTIA_A = 1.2e-5
BASE_A = 17e-3 * math.cos(math.radians(20.0))


@pytest.fixture(scope="module")
def swinging() -> dict[float, pl.Result]:
    """Steps [µs] -> 8 µs of the pressed pair, in which the same nodes touch."""
    m = pressed()
    return {
        h: node_contact_motion(m, duration="8 us", penalty=PENALTY, modes="60 kHz", step=h * 1e-6, output_step="1 us")
        for h in (1, 0.5, 0.25, 0.03125)
    }


def test_order_four_while_the_same_nodes_touch(swinging: dict[float, pl.Result]) -> None:
    nodes = swinging[0.03125]["mesh.strips_in_contact"].values
    assert np.all(nodes == nodes[0]) and nodes[0] >= 4
    for signal in ("in.angle", "in.angular_speed"):
        exact = swinging[0.03125][signal].values
        errors = [np.abs(swinging[h][signal].values - exact).max() for h in (1, 0.5, 0.25)]
        assert all(3.5 < math.log2(a / b) < 4.6 for a, b in itertools.pairwise(errors))


def test_energy_is_in_balance_to_the_order(swinging: dict[float, pl.Result]) -> None:
    work = np.ptp(swinging[1]["energy.work"].values)
    errors = [np.abs(swinging[h]["energy.balance_error"].values).max() for h in (1, 0.5, 0.25)]
    assert work > 0.0 and errors[-1] < 1e-6 * work
    assert errors[0] > errors[1] > errors[2]


def short(run: pl.Result) -> tuple[float, float]:
    """Largest contact force, and final speed of the pinion."""
    return float(run["mesh.contact_force"].values.max()), float(run["in.angular_speed"].values[-1])


@pytest.fixture(scope="module")
def impacts() -> dict[Any, pl.Result]:
    """An impact by modes up to some frequencies [kHz], with nodes of one or both gears; and by strips, which need no penalty."""
    options: dict[str, Any] = {"duration": "0.13 ms", "output_step": "0.5 us"}
    found: dict[Any, pl.Result] = {
        limit: node_contact_motion(thrown(), modes=f"{limit} kHz", penalty=PENALTY, **options)
        for limit in (40, 160, 320)
    }
    for slave in ("a", "b"):
        found[slave] = node_contact_motion(thrown(), modes="160 kHz", penalty=PENALTY, slave=slave, **options)
    found["strips"] = pl.dynamics(thrown(), step="0.5 us", rho=0.95, **options)
    return found


@pytest.mark.slow
def test_impacts_conserve_energy_and_angular_momentum(impacts: dict[Any, pl.Result]) -> None:
    """The impulse of the teeth on the pinion, along the normals of flanks that are polygons: to 0.5 %."""
    for name, run in impacts.items():
        if name == "strips":
            continue
        energy = run["energy.kinetic"].values + run["energy.potential"].values
        assert np.abs(energy / energy[0] - 1.0).max() < 1e-3
        lost = INERTIA_A * (run["in.angular_speed"].values[0] - run["in.angular_speed"].values[-1])
        impulse = BASE_A * np.trapezoid(run["mesh.contact_force"].values, run.time)
        assert impulse == pytest.approx(lost, rel=5e-3)


@pytest.mark.slow
def test_forces_approach_those_of_strips_with_more_modes(impacts: dict[Any, pl.Result]) -> None:
    """Gears of few modes are too stiff. Nodes of one gear or of both give the same force within the effect of the faces."""
    peaks = {name: short(run)[0] for name, run in impacts.items()}
    above = [peaks[limit] / peaks["strips"] - 1.0 for limit in (40, 160, 320)]
    assert above == sorted(above, reverse=True) and above[0] > 0.5 and abs(above[2]) < 0.1
    for slave in ("a", "b"):
        assert peaks[slave] == pytest.approx(peaks[160], rel=0.15)  # edges of 0.2 mm
    assert short(impacts[320])[1] == pytest.approx(short(impacts["strips"])[1], rel=0.02)


@pytest.mark.slow
def test_the_force_in_equilibrium_is_that_of_the_torque_whatever_penalty_and_modes() -> None:
    for penalty, modes in ((1e7, [20, 20]), (1e8, "80 kHz")):
        m = pressed(torque=20.0, damping_ratio=0.7)
        m.torsion_spring("drag", m.joints["in"], stiffness=0.0, damping=0.3, free_angle=0)
        run = node_contact_motion(m, duration="1.5 ms", penalty=penalty, modes=modes)
        force = run["mesh.contact_force"].values[-200:]
        assert np.ptp(force) < 1e-3 * force.mean()
        assert force.mean() == pytest.approx(20.0 / BASE_A, rel=2e-3)


@pytest.mark.slow
def test_steps_that_are_too_long_are_cut_and_stay_stable() -> None:
    m = pressed(phase=0.0, torque=285.0)
    options: dict[str, Any] = {"duration": "0.1 ms", "penalty": 5e8, "modes": "60 kHz"}
    run = node_contact_motion(m, step="5 us", **options)
    assert any("was cut to" in text for text in run.warnings)
    limit = run.statistics["largest_stable_step"]
    assert run.options["step"] <= 0.5 * limit * (1 + 1e-9)
    # the frequency is an upper bound: at the limit itself energy does not grow
    at_limit = node_contact_motion(m, step=0.999 * limit, **options)
    supplied = np.ptp(at_limit["energy.work"].values) + at_limit["energy.potential"].values[0]
    assert at_limit["energy.balance_error"].values.max() < 1e-2 * supplied


@pytest.mark.parametrize(
    "options, words",
    [
        ({"penalty": 0}, "penalty must be greater than zero"),
        ({"penalty": -1e8}, "penalty must be greater than zero"),
        ({"modes": [200]}, r"numbers of modes of both gears, such as \[200, 500\]"),
        ({"modes": [0, 5]}, "numbers of modes of both gears"),
        ({"modes": [2.5, 5]}, "numbers of modes of both gears"),
        ({"modes": 0}, "numbers of modes of both gears"),
        ({"modes": [10**7, 5]}, "at most half of its"),
        ({"slave": "c"}, 'slave must be "a", "b" or "both"'),
        ({"elements_a": 3}, "elements_a must be options of the grid"),
        ({"output_step": 1.0}, "output_step .* must not be greater than the duration"),
        ({"step": 0}, "step"),
    ],
)
def test_what_is_not_understood_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        node_contact_motion(pair(), **({"duration": "10 us", "modes": "60 kHz"} | options))


def test_imported_flanks_are_refused() -> None:
    m = pair()
    wheel = m.gear_pairs["mesh"].wheel_a
    object.__setattr__(wheel.gear, "flanks", object())
    try:
        with pytest.raises(ModelError, match="imported flanks, which contact of nodes does not support"):
            node_contact_motion(m, duration="10 us")
    finally:
        object.__setattr__(wheel.gear, "flanks", None)
