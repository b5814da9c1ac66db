"""Elastic shafts that spin, in time: vibrations of a micron under error control, Newton's matrix while nodes turn, energy."""

import numpy as np
import pytest
from references.observed_order import largest
from references.unbalanced_rotor import DISC, ECCENTRICITY, SPIN, rotor

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model

FINE = {"duration": 0.05, "output_step": 1e-3}


@pytest.fixture(scope="module")
def path() -> np.ndarray:
    """Way of the disc from the centred start, 1.3 um wide; error of order 2: some 1e-4 at this step."""
    return pl.dynamics(rotor(), step=5e-6, **FINE)["shaft disc.position"].values[:, :2]


def test_a_micron_is_right_under_error_control(path) -> None:
    """A transient of 11 periods at 220 Hz: its phase is right to some percent with the tolerance that models with shafts have."""
    result = pl.dynamics(rotor(), **FINE)
    assert result.options["tolerance"] == 1e-9
    assert 1e-6 < np.abs(path).max() < 2e-6
    assert largest(result["shaft disc.position"].values[:, :2], path) < 0.03 * np.abs(path).max()
    n = result.statistics
    assert n["newton_failures"] <= 0.01 * n["steps"] and n["iterations"] < 3.3 * n["steps"]


def test_steady_whirl_is_that_of_the_frequency_response() -> None:
    """An eccentric mass pulls with m e w^2 and adds nothing else at this size; the transient dies out in the supports."""
    damped = {"support_damping": 3e5, "damping": 3e-4}
    result = pl.dynamics(rotor(**damped), duration=0.08, output_step=1e-3)
    radius = np.linalg.norm(result["shaft disc.position"].values[-20:, :2], axis=1)
    turning = rotor(eccentricity=0.0, **damped)
    response = pl.frequency_response(
        turning, ["shaft disc.force.x", "shaft disc.force.y"], "shaft disc.position.x", frequencies=SPIN / (2 * np.pi)
    ).response[0, 0]
    expected = abs(response[0] - 1j * response[1]) * DISC * ECCENTRICITY * SPIN**2
    assert radius == pytest.approx(np.full(20, expected), rel=0.01)


@pytest.mark.parametrize("step", [1e-4, 2.5e-4])
def test_the_matrix_serves_while_nodes_turn(step) -> None:
    """0.03 and 0.075 rad a step, whole turns in all: in resting axes the matrix of a round shaft is constant."""
    n = pl.dynamics(rotor(), duration=0.05, step=step).statistics
    assert n["factorisations"] <= 3 and n["newton_failures"] == 0 and n["iterations"] < 3.0 * n["steps"]


def test_a_tolerance_may_be_a_length() -> None:
    """The same steps as with the part of the model's length that it is."""
    length = compile_model(rotor())[0].length
    runs = [pl.dynamics(rotor(), duration=0.005, tolerance=t) for t in ("1 nm", 1e-9 / length)]
    assert runs[0].options["tolerance"] == "1e-09 m"
    assert np.array_equal(runs[0].time, runs[1].time)


def test_energy_of_a_spinning_shaft() -> None:
    """Work of damped supports and of the damping in the shaft, against the loss of energy: the balance closes with h^2."""
    m = rotor(eccentricity=2e-4, support_damping=1e5, damping=1e-5)
    errors, given = [], 0.0
    for step in (1e-4, 5e-5, 2.5e-5):
        result = pl.dynamics(m, duration=0.02, step=step)
        errors.append(np.abs(result["energy.balance_error"].values).max())
        given = result["energy.dissipated"].final
    assert given > 100 * errors[-1] > 0.0
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.25) and errors[1] / errors[2] == pytest.approx(
        4.0, rel=0.25
    )


def test_a_run_begins_at_speed_and_under_load() -> None:
    """A motor turns a shaft that bends under a constant force: from elastic kinematics on nothing moves but the spin."""
    m = pl.Model("loaded")
    motor = m.body("motor", mass=5.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.1))
    hinge = m.revolute("hinge", m.ground, motor, axis="z")
    m.drive("speed", hinge, speed=SPIN)
    places = {"left": "20 mm", "load": "150 mm", "right": "280 mm"}
    s = m.shaft("shaft", [pl.ShaftSection("300 mm", outer="20 mm")], stations=places, speed=SPIN)
    m.bushing("coupling", motor, s["start"], at=(0, 0, 0), axis="z", stiffness=np.diag([0, 0, 0, 0, 0, 1e4]))
    for end in ("left", "right"):
        m.bushing(end, m.ground, s[end], at=s[end].position, axis="z", stiffness=np.diag([1e8] * 3 + [0] * 3))
    m.force("load", s["load"], (0.0, -1000.0, 0.0))
    m.torque("brake", s["end"], (0.0, 0.0, -20.0))
    start = pl.kinematics(m, times=[0.0], elastic=True)
    bent = start["shaft load.position"].final
    assert bent[1] < -1e-4
    assert start["shaft load.angular_velocity"].final[2] == pytest.approx(SPIN, rel=1e-6)
    run = pl.dynamics(m, start=start, duration=0.05, step=1e-4)
    assert largest(run["shaft load.position"].values, bent) < 1e-6 * abs(bent[1])
    assert run["left.force"].values[:, 1] == pytest.approx(np.full(len(run.time), 500.0), rel=1e-5)
    # rigid, by default: the same forces of the supports, no deflection between them
    rigid = pl.kinematics(m, times=[0.0])
    assert (
        rigid["left.force"].final[1] == pytest.approx(500.0, rel=1e-6) and rigid["shaft load.position"].final[1] > -1e-5
    )


def test_a_resumed_run_has_the_same_bits(tmp_path) -> None:
    """Factors that were kept over the interruption are turned on as if there had been none."""
    options = {"duration": 0.02, "step": 1e-5, "output_step": 1e-3}
    whole = pl.dynamics(rotor(), **options)

    def stop(now: float, end: float) -> None:
        if now > 0.3 * end:
            raise KeyboardInterrupt

    part = pl.dynamics(rotor(), checkpoint=tmp_path / "run", progress=stop, **options)
    assert part.status is pl.Status.INTERRUPTED and 0.0 < part.time[-1] < 0.02
    resumed = pl.resume(rotor(), tmp_path / "run")
    for name in ("shaft disc.position", "shaft disc.orientation", "support start.force"):
        assert np.array_equal(resumed[name].values, whole[name].values)
