"""Coordinates of elements, open ones of order 2 and 1, in every analysis, against closed forms and the matrix exponential."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from references.own_elements import added, elastic_pair, inner_mass, relaxing, speed_control
from scipy.linalg import expm

import pitchline as pl

MASS, INNER, HELD, SOFT = 2.0, 0.5, 800.0, 300.0
JZ, WANTED, P, I = 0.1, 10.0, 0.5, 20.0


def sliding(force: float = 0.0, *, held: float = HELD) -> pl.Model:
    """A block that slides along x on a spring."""
    m = pl.Model("block", gravity=(0, 0, 0))
    block = m.body("block", mass=MASS, inertia=(1, 1, 1))
    m.prismatic("guide", m.ground, block, axis="x")
    if held:
        m.bushing("held", m.ground, block, stiffness=(held, 0, 0, 0, 0, 0))
    if force:
        m.force("push", block, (force, 0, 0))
    return m


def rotor() -> pl.Model:
    m = pl.Model("rotor", gravity=(0, 0, 0))
    m.revolute("hinge", m.ground, m.body("rotor", mass=1.0, inertia=(JZ, JZ, JZ)), axis="z")
    return m


CONTROL = speed_control("pi", "rotor", wanted=WANTED, proportional=P, integral=I)
CONTROLLED = np.array([[-P / JZ, I / JZ], [-1.0, 0.0]])
"""Of (speed, integral)."""
INSIDE = inner_mass("inside", "block", mass=INNER, stiffness=SOFT, damping=0.8)
CREEPS = relaxing("creeps", "block", stiffness=900.0, parallel=250.0, damping=30.0)


def controlled(t: float) -> np.ndarray:
    """(speed, integral) from rest."""
    end = np.array([WANTED, 0.0])
    return np.asarray(end + expm(CONTROLLED * t) @ -end)


# --------------------------------------------------------------------------------------------------------- a mass inside a body


def two_masses() -> np.ndarray:
    """States (x, u, x', u')."""
    M = np.array([[MASS + INNER, INNER], [INNER, INNER]])
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2:, :2], A[2:, 2:] = -np.linalg.solve(M, np.diag([HELD, SOFT])), -np.linalg.solve(M, np.diag([0.0, 0.8]))
    return A


def test_frequencies_of_a_mass_inside() -> None:
    with added(INSIDE):
        found = pl.modes(sliding())
    s = np.linalg.eigvals(two_masses())
    s = s[s.imag > 0]
    assert found.eigenvalues == pytest.approx(s[np.argsort(np.abs(s))], rel=1e-10)
    assert found.own["inside.u"].shape == (2,)
    assert any("mass inside of inside" in text for text in found.descriptions)
    assert set(found.strain) == {"held", "inside"}


def test_equilibrium_of_a_mass_inside() -> None:
    with added(inner_mass("inside", "block", mass=INNER, stiffness=SOFT, gravity=9.81)):
        rest = pl.statics(sliding(3.0))
    assert rest["inside.u"].values[-1] == pytest.approx(INNER * 9.81 / SOFT, rel=1e-12)
    assert rest["guide.displacement"].values[-1] == pytest.approx((3.0 + INNER * 9.81) / HELD, rel=1e-12)
    assert rest["inside.u"].unit == "m" and rest["inside.u_rate"].values[-1] == 0.0
    assert "inside.orientation" not in rest
    assert not rest.warnings


def orders(run: Callable[[float], np.ndarray], exact: np.ndarray, h: float) -> tuple[float, np.ndarray]:
    """(order observed, error of the longer step)."""
    errors = [np.abs(run(step) - exact) for step in (h, 0.5 * h)]
    return float(np.min(np.log2(errors[0] / errors[1]))), errors[0]


def test_motion_of_a_mass_inside_is_of_second_order() -> None:
    force = 5.0
    A = two_masses()
    M = np.array([[MASS + INNER, INNER], [INNER, INNER]])
    end = np.linalg.solve(np.diag([HELD, SOFT]), [force, 0.0])
    start = np.concatenate([-end, [0.0, 0.0]])
    exact = (expm(A * 0.2) @ start)[:2] + end
    assert np.all(np.linalg.eigvalsh(M) > 0)

    def run(h: float) -> np.ndarray:
        with added(INSIDE):
            found = pl.dynamics(sliding(force), duration=0.2, step=h)
        assert abs(found["energy.balance_error"].values[-1]) < 1e-3
        return np.array([found["guide.displacement"].values[-1], found["inside.u"].values[-1]])

    order, error = orders(run, exact, 1e-3)
    assert order > 1.9 and np.all(error < 1e-4 * np.abs(end).max())


# ------------------------------------------------------------------------------------------------- a controller with a state


def test_modes_of_a_controlled_rotor() -> None:
    """The rotor turns freely; speed and integral swing about each other."""
    with added(CONTROL):
        found = pl.modes(rotor())
    s = np.linalg.eigvals(CONTROLLED)
    assert found.rigid == 1 and len(found) == 2
    assert found.eigenvalues[1] == pytest.approx(s[s.imag > 0][0], rel=1e-10)


def test_eigenvalues_without_oscillation() -> None:
    """A strong controller does not swing; an unstable one is said to grow."""
    strong = speed_control("pi", "rotor", wanted=WANTED, proportional=20.0, integral=I)
    with added(strong):
        found = pl.modes(rotor())
    s = np.linalg.eigvals(np.array([[-20.0 / JZ, I / JZ], [-1.0, 0.0]]))
    assert found.decaying == pytest.approx(np.sort(s.real), rel=1e-9)
    wrong = speed_control("pi", "rotor", wanted=WANTED, proportional=20.0, integral=-I)
    with added(wrong):
        found = pl.modes(rotor())
    assert not found.stable and any("not stable" in text for text in found.warnings)


def test_a_controlled_rotor_speeds_up() -> None:
    """Second order, from a start with the rate and the change of rate of the integral."""
    exact = controlled(0.3)

    def run(h: float, **options: Any) -> np.ndarray:
        with added(CONTROL):
            found = pl.dynamics(rotor(), duration=0.3, step=h, **options)
        assert found["pi.torque"].values[0] == pytest.approx(P * WANTED)
        return np.array([found["hinge.angular_speed"].values[-1], found["pi.integral"].values[-1]])

    for options in ({}, {"rho": 0.5}, {"rho": 0.99}, {"hht": -0.1}):
        order, error = orders(lambda h, o=options: run(h, **o), exact, 1e-3)
        assert order > 1.9 and np.all(error < [1e-3, 3e-5])


def test_stiff_feedback_is_stable() -> None:
    """Rates of 1e5 1/s in steps of a millisecond."""
    with added(speed_control("pi", "rotor", wanted=WANTED, proportional=1e4, integral=I)):
        found = pl.dynamics(rotor(), duration=0.2, step=1e-3)
    assert found["hinge.angular_speed"].values[-1] == pytest.approx(WANTED, rel=1e-3)


def test_error_control_sees_the_states_of_controllers() -> None:
    """The error goes with the tolerance, and steps do not follow what has no mass into nothing."""
    errors, steps = [], []
    for tolerance in (1e-5, 1e-7):
        with added(CONTROL):
            found = pl.dynamics(rotor(), duration=0.3, tolerance=tolerance)
        ends = np.array([found["hinge.angular_speed"].values[-1], found["pi.integral"].values[-1]])
        errors.append(np.abs(ends - controlled(0.3)) / [WANTED, 0.1])
        steps.append(found.statistics["steps"])
    assert np.all(errors[1] < 0.12 * errors[0]) and np.all(errors[0] < 3e-3)
    assert 3.0 < steps[1] / steps[0] < 7.0  # the third root of the tolerance
    alone = relaxing("creeps", "block", stiffness=1e-6, parallel=1.0, damping=0.05)
    alone_started = lambda node: _started(alone(node), creep=1e-3)  # noqa: E731
    with added(alone_started):  # the block stands still: what decays is the state of the element
        found = pl.dynamics(sliding(), duration=0.2, tolerance=1e-6)
    assert found["creeps.creep"].values[-1] == pytest.approx(1e-3 * math.exp(-0.2 * 20.0), rel=1e-3)


def _started(element: Any, **start: float) -> Any:
    element.start = start
    return element


def test_response_of_a_controlled_rotor() -> None:
    outputs = ["hinge.angular_speed", "pi.torque", "pi.integral"]
    frequencies = np.array([0.3, 2.0, 20.0])
    with added(CONTROL):
        found = pl.frequency_response(rotor(), "hinge.torque", outputs, frequencies=frequencies)
        linear = pl.linear_model(rotor(), "hinge.torque", outputs)
    for k, f in enumerate(frequencies):
        s = 2j * math.pi * f
        speed = s / (JZ * s * s + P * s + I)
        expected = [speed, -(P + I / s) * speed, -speed / s]
        assert found.response[k, :, 0] == pytest.approx(expected, rel=1e-8)
        states = linear.C @ np.linalg.solve(s * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
        assert states[:, 0] == pytest.approx(expected, rel=1e-8)


def test_campbell_and_floquet_of_a_controlled_rotor() -> None:
    """Nothing varies: frequencies are constant over the speed, multipliers exponentials of the eigenvalues."""
    s = np.linalg.eigvals(CONTROLLED)
    with added(CONTROL):
        diagram = pl.campbell(rotor(), "hinge", [0.0, 5.0, 50.0], orders={"one": 1.0})
        found = pl.floquet(rotor(), "hinge", [50.0], cycle="revolution", steps=8, samples=4)
    assert diagram.frequencies == pytest.approx(np.full((3, 1), np.abs(s[0]) / (2 * math.pi)), rel=1e-9)
    T = float(found.periods[0])
    expected = np.exp(s * T)
    assert np.sort_complex(found.multipliers[0, 0][:2]) == pytest.approx(np.sort_complex(expected), rel=1e-8)


def test_a_speed_controller_has_no_equilibrium_at_rest() -> None:
    """Its integral would grow."""
    with added(CONTROL), pytest.raises(pl.SolveError, match="no equilibrium"):
        pl.statics(rotor())


# --------------------------------------------------------------------------------------------------- a state with equilibrium


def creeping() -> np.ndarray:
    """States (x, x', y)."""
    k, p, c = 900.0, 250.0, 30.0
    return np.array([[0, 1, 0], [-(HELD + k) / MASS, 0, k / MASS], [k / c, 0, -(k + p) / c]])


def test_equilibrium_and_motion_with_a_state() -> None:
    force, k, p = 6.0, 900.0, 250.0
    stiffness = HELD + 1.0 / (1.0 / k + 1.0 / p)
    with added(CREEPS):
        rest = pl.statics(sliding(force))
    x = force / stiffness
    assert rest["guide.displacement"].values[-1] == pytest.approx(x, rel=1e-10)
    assert rest["creeps.creep"].values[-1] == pytest.approx(x * k / (k + p), rel=1e-10)
    assert not rest.warnings
    A = creeping()
    end = -np.linalg.solve(A, [0.0, force / MASS, 0.0])
    exact = end - expm(A * 0.1) @ end

    def run(h: float) -> np.ndarray:
        with added(CREEPS):
            found = pl.dynamics(sliding(force), duration=0.1, step=h)
        assert abs(found["energy.balance_error"].values[-1]) < 1e-3
        return np.array([found["guide.displacement"].values[-1], found["creeps.creep"].values[-1]])

    order, error = orders(run, exact[[0, 2]], 1e-3)
    assert order > 1.9 and np.all(error < 1e-3 * x)


def test_modes_with_a_state() -> None:
    with added(CREEPS):
        found = pl.modes(sliding())
    s = np.linalg.eigvals(creeping())
    assert found.eigenvalues == pytest.approx(s[s.imag > 0], rel=1e-10)
    assert found.decaying == pytest.approx(s[np.abs(s.imag) < 1e-9].real, rel=1e-10)


def test_kinematics_with_a_state() -> None:
    """Where a drive holds the block its state has settled."""
    m = sliding(held=0.0)
    m.drive("way", "guide", displacement=pl.Polynomial([0.0, 0.1]))
    with added(CREEPS):
        found = pl.kinematics(m, duration=1.0, step=0.5)
    assert found["creeps.creep"].values == pytest.approx(0.1 * found.time * 900.0 / 1150.0, rel=1e-9, abs=1e-15)


# ------------------------------------------------------------------------------------------------------ from run to run


def test_a_run_goes_on_where_another_ended() -> None:
    """Open coordinates and rates are part of what a result hands on, by name."""
    with added(INSIDE, CREEPS):
        whole = pl.dynamics(sliding(5.0), duration=0.2, step=5e-4)
        first = pl.dynamics(sliding(5.0), duration=0.1, step=5e-4)
        second = pl.dynamics(sliding(5.0), duration=0.1, step=5e-4, start=first)
    for name in ("inside.u", "inside.u_rate", "creeps.creep", "guide.displacement"):
        expected = whole[name].values
        assert second[name].values[0] == first[name].values[-1]
        assert second[name].values[-1] == pytest.approx(expected[-1], rel=1e-3, abs=1e-3 * np.abs(expected).max())


def test_a_checkpoint_keeps_coordinates_of_elements(tmp_path: Any) -> None:
    """Open and condensed ones: the run goes on to the same bits."""
    m = sliding(5.0)
    m.prismatic("second guide", m.ground, m.body("other", mass=1.0, inertia=(1, 1, 1)), axis="x")
    m.bushing("second held", m.ground, "other", stiffness=(500.0, 0, 0, 0, 0, 0))
    omega, phi = np.array([150.0, 400.0]), np.array([0.6, 0.9])
    pair = elastic_pair("pair", "block", "other", stiffness=2e3, omega=omega, phi=phi, zeta=0.01)
    options: dict[str, Any] = {"duration": 20.0, "step": 1e-3, "output_step": 1e-2}

    def stop(now: float, end: float) -> None:
        if now > 0.2 * end:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    with added(INSIDE, CREEPS, pair):
        part = pl.dynamics(m, progress=stop, checkpoint=file, **options)
        assert part.status == "interrupted" and 0 < part.time[-1] < 20.0
        whole, straight = pl.resume(m, file), pl.dynamics(m, **options)
    for name in ("inside.u", "inside.u_rate", "creeps.creep", "pair.contact", "energy.balance_error"):
        assert np.array_equal(whole[name].values, straight[name].values), name
