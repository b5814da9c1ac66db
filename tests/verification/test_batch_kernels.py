"""Kernels of batches: closed forms, integration by scipy with events, orders of convergence, energy."""

from dataclasses import replace

import numpy as np
import pytest
from references.lane_equations import Lane
from references.lane_kernels import kernel_of, starts
from references.lane_trains import TURN, loaded_tables, pair, rich_pair

from pitchline.studies.batch.kernels.lane_kernel import LaneKernel, LaneStatus
from pitchline.studies.batch.lane_train import ALWAYS, IN_CONTACT, LIMITED, NEVER_PULLING, LaneTrain

SPEEDS = np.array([0.7, 0.95, 1.6])


def exact(train: LaneTrain, start: np.ndarray, cycles: int) -> np.ndarray:
    """States by scipy."""
    return np.array([Lane(train, i).integrate(start[:, i], cycles * TURN) for i in range(start.shape[1])]).T


def errors(kernel: LaneKernel, start: np.ndarray, cycles: int, end: np.ndarray, steps: tuple[int, ...]) -> np.ndarray:
    """Largest error of the states for each number of steps."""
    runs = [kernel.run(start, settle=cycles, record=0, steps=n) for n in steps]
    assert all((run.status == LaneStatus.FINE).all() for run in runs)
    return np.array([np.abs(run.states - end).max() for run in runs])


def order(found: np.ndarray, factor: float) -> float:
    """Observed order between the first and the last number of steps."""
    return float(np.log(found[0] / found[-1]) / np.log(factor))


# ---- closed forms


def test_forced_response_of_a_linear_pair() -> None:
    """u'' + c u' + u = load - e sin(ωt) - c e ω cos(ωt): amplitudes, phases, mean, and peaks between the samples."""
    e, c, load = 0.03, 0.2, 0.1
    train = pair(omega=SPEEDS, damping=0.5 * c, ripple=0.0, load=load, backlash=0.0, error=e)
    result = kernel_of(train).run(np.zeros((4, 3)), settle=60, record=2, steps=200)
    damped = 1j * c * SPEEDS
    response = -e * np.exp(-0.5j * np.pi) * (1.0 + damped) / (1.0 - SPEEDS**2 + damped)  # of u = Re(response exp(iωt))
    error = result.signals[1]
    np.testing.assert_allclose(error.amplitudes[0], np.abs(response), rtol=1e-6)  # (h/T)⁴/120, T = 1/(2π)
    np.testing.assert_allclose(np.exp(1j * error.phases[0]), response / np.abs(response), atol=1e-6)
    # F = load - u''
    np.testing.assert_allclose(result.signals[0].amplitudes[0], np.abs(SPEEDS**2 * response), rtol=1e-6)
    assert error.mean == pytest.approx(load, abs=1e-9)
    assert error.rms == pytest.approx(np.sqrt(load**2 + 0.5 * np.abs(response) ** 2), rel=1e-6)
    # samples alone are low by up to (π/200)²/2 = 1e-4 of the amplitude
    assert error.max == pytest.approx(load + np.abs(response), abs=2e-6 * np.abs(response).max())
    assert error.min == pytest.approx(load - np.abs(response), abs=2e-6 * np.abs(response).max())
    assert result.signals[0].amplitudes[1] == pytest.approx(0.0, abs=1e-9)
    assert (result.contact_loss == 0.0).all() and (result.closure < 1e-6).all()


def test_free_vibration_of_a_linear_pair() -> None:
    zeta, start = 0.05, 0.2
    train = pair(omega=SPEEDS, damping=zeta, ripple=0.0, load=0.0, backlash=0.0)
    states = np.zeros((4, 3))
    states[:2] = 0.5 * start
    found = kernel_of(train).run(states, settle=2, record=0, steps=400).states
    t, d = 2.0 * TURN / SPEEDS, np.sqrt(1.0 - zeta**2)
    expected = start * np.exp(-zeta * t) * (np.cos(d * t) + zeta / d * np.sin(d * t))
    assert found[0] + found[1] == pytest.approx(expected, abs=1e-8)
    assert found[0] - found[1] == pytest.approx(0.0, abs=1e-15)


# ---- steps that are cut where teeth touch and part


@pytest.mark.parametrize("mode", [ALWAYS, IN_CONTACT, NEVER_PULLING, LIMITED])
def test_cut_steps_are_of_order_four_with_contact_loss(mode: int) -> None:
    train = pair(mode, omega=SPEEDS)
    start = starts(train, 3)
    followed = [Lane(train, i).followed(start[:, i], 3 * TURN) for i in range(3)]
    end, apart = np.array([state for state, _ in followed]).T, np.array([time for _, time in followed])
    found = errors(kernel_of(train), start, 3, end, (100, 200, 400))
    assert order(found, 4.0) > 3.6
    assert found[0] < 1e-5
    loss = kernel_of(train).run(start, settle=0, record=3, steps=100).contact_loss[0]
    assert (apart > 0.0).all()
    assert loss == pytest.approx(apart * SPEEDS / (3 * TURN), abs=1e-5)


def test_plain_steps_are_of_order_two_with_contact_loss() -> None:
    """The reason for cutting steps; plain steps converge to the same motion."""
    train = pair(omega=SPEEDS)
    start = starts(train, 3)
    end = kernel_of(train).run(start, settle=3, record=0, steps=12800).states
    plain = errors(kernel_of(train, cut=False), start, 3, end, (100, 400, 1600))
    cut = errors(kernel_of(train), start, 3, end, (100, 400, 1600))
    assert order(plain, 16.0) < 3.0
    assert (plain > 20.0 * cut).all()


def test_energy_of_free_wheels_is_conserved() -> None:
    """Stiffness and errors over the angle of wheel A, teeth that part: no energy is lost or gained over 50 cycles."""
    omega = np.array([0.7, 0.9, 1.1])
    train = pair(IN_CONTACT, omega=omega, damping=0.0, load=0.0, error=0.03, teeth=1.0, ripple=0.3)
    start = starts(train, 3)

    def energy(states: np.ndarray, cycles: int) -> np.ndarray:
        out = []
        for i in range(3):
            speeds = states[2:, i] + omega[i] * np.array([1.0, -1.0])
            lane = Lane(train, i)
            x = lane.full(states[:2, i])
            teeth = lane.law(train.meshes[0], cycles * TURN / omega[i], x, np.zeros(2))[3]
            out.append(float(speeds @ speeds) + teeth)
        return np.array(out)

    drift = []
    for steps in (50, 100, 200):
        run = kernel_of(train).run(start, settle=25, record=25, steps=steps)
        assert (run.contact_loss[0] > 0.05).all()
        drift.append(np.abs(energy(run.states, 50) - energy(start, 0)).max())
    assert drift[1] < 1e-4
    assert order(np.array(drift), 4.0) > 3.5


# ---- all parts of the law


def lanes_of(train: LaneTrain, lanes: int = 3) -> np.ndarray:
    return np.random.default_rng(1).normal(0.0, 0.3, (2 * len(train.free), lanes))


RICH = np.array([0.7, 0.9, 1.3])


@pytest.mark.slow
def test_springs_in_series_tables_and_several_phases() -> None:
    """Also phases that repeat only after three base cycles, and a run that is continued."""
    train = rich_pair(RICH)
    start, kernel = lanes_of(train), LaneKernel(train, threads=1)
    found = errors(kernel, start, 4, exact(train, start, 4), (50, 100, 200))
    assert order(found, 4.0) > 3.6
    assert found[1] < 5e-6
    whole = kernel.run(start, settle=4, record=0, steps=50).states
    first = kernel.run(start, settle=1, record=0, steps=50).states
    assert np.array_equal(kernel.run(first, settle=3, record=0, steps=50, first_cycle=1).states, whole)


@pytest.mark.slow
def test_rounded_dead_zone() -> None:
    train = rich_pair(RICH, smoothing="smooth")
    start = lanes_of(train)
    found = errors(LaneKernel(train, threads=1), start, 3, exact(train, start, 3), (50, 100, 200))
    assert order(found, 4.0) > 3.6
    assert found[1] < 1e-5


@pytest.mark.slow
def test_loaded_teeth() -> None:
    """Force over approach by tables of both flanks, cut at first contact, which varies over the cycle."""
    single = rich_pair(RICH)
    phases, none = single.meshes[0].phases[:1], ()
    train = rich_pair(RICH, loaded=loaded_tables(), stiffness=none, compliance="", errors=none, phases=phases)
    start = lanes_of(train)
    start[:3] += 0.4  # beyond the last knot at times
    found = errors(LaneKernel(train, threads=1), start, 3, exact(train, start, 3), (50, 100, 200))
    assert order(found, 4.0) > 3.3  # the slope of the compliance changes at each knot
    assert found[1] < 1e-5


def test_phases_far_from_their_tables() -> None:
    """A phase that changes by many radians in a cycle, and a large static one: as with sine and cosine at every stage."""
    train = pair(omega=np.linspace(0.6, 1.6, 6), teeth=np.array([0.0, 2.0, 5.0, 10.0, 20.0, 60.0]), error=0.01)
    start = starts(train, 6)
    start[1] = -20.0
    start[0] = 20.2
    kernels = [kernel_of(train, phase=phase, cut=False) for phase in ("near", "state")]
    near, state = (kernel.run(start, settle=0, record=2, steps=200) for kernel in kernels)
    assert near.states == pytest.approx(state.states, abs=1e-9)
    assert near.signals[0].max == pytest.approx(state.signals[0].max, abs=1e-9)


def test_ramps_of_speed_and_torque() -> None:
    train = pair(omega=np.array([0.9, 1.4, 0.8, 0.5]), teeth=1.0, error=0.02)
    slopes = {"slope": np.array([0.02, -0.03, 0.0, -0.05]), "rate": 0.004}
    rotors = train.rotors[0], replace(train.rotors[1], torque_rate="rate")
    ramp = replace(train, rotors=rotors, acceleration="slope", values={**train.values, **slopes})
    start, kernel = starts(ramp, 4), kernel_of(ramp)
    end = exact(replace(ramp, values={k: v[:3] if np.ndim(v) else v for k, v in ramp.values.items()}), start[:, :3], 3)
    runs = [kernel.run(start, settle=1, record=2, steps=steps) for steps in (100, 400)]
    found = np.array([np.abs(run.states[:, :3] - end).max() for run in runs])
    assert order(found, 4.0) > 3.5
    assert found[0] < 1e-5
    # the last lane needs θ = ω²/(2 slope) = 0.4 cycles to stop
    assert runs[0].status.tolist() == [LaneStatus.FINE] * 3 + [LaneStatus.STOPPED]
    assert runs[0].cycles.tolist() == [3, 3, 3, 0]
    assert np.isnan(runs[0].signals[0].max[3]) and np.isnan(runs[0].closure[3])
    assert np.array_equal(runs[0].states[:, 3], start[:, 3])
