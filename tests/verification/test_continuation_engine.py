"""Branches of models: time steps of the engine and lanes of a batch, against each other, SciPy, Floquet and runs over time."""

import numpy as np
import pytest
from references.backlash_flow import BacklashFlow
from references.branch_models import (
    CUBIC,
    DAMPING,
    FORCE,
    TEETH,
    backlash_pair,
    crank_drive,
    disk_behind_rigid_teeth,
    duffing,
    free_pair,
    hanging_arm,
)
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import pitchline as pl
from pitchline.studies.continuation.batch_flow import BatchFlow
from pitchline.studies.continuation.engine_flow import EngineFlow
from pitchline.studies.sources import source_of

UP, DOWN = 0.89812791, 0.69527348


# ---- lanes of a batch


@pytest.fixture(scope="module")
def batch():
    return pl.continuation(backlash_pair, over="w", start=1.4, end=0.6, flow="batch", steps=400)


def test_folds_by_lanes(batch):
    """The same equations, the same method, other code: the same folds."""
    assert [fold.parameter for fold in batch.folds] == pytest.approx([DOWN, UP], abs=1e-8)
    assert [fold.sweep for fold in batch.folds] == ["down", "up"]
    for fold in batch.folds:
        assert fold.multiplier == pytest.approx(1.0, abs=1e-6)


def test_derivatives_by_lanes_are_those_of_the_steps():
    exact, lanes = BacklashFlow(), BatchFlow(source_of(backlash_pair), "w", "", 1.4, 0.6, steps=400)
    for y, w in (([0.12, 0.0], 1.3), ([-0.2, 0.15], 0.8)):
        state = np.array(y)
        lanes.scales(state, w, 1)
        a, b = exact.shoot(state, w, 1), lanes.shoot(state, w, 1)
        np.testing.assert_allclose(b.end, a.end, atol=1e-12)
        np.testing.assert_allclose(b.by_state, a.by_state, atol=1e-7)
        np.testing.assert_allclose(b.by_parameter, a.by_parameter, atol=1e-6)


def test_motion_of_a_point_by_dynamics(batch):
    """Signals of `dynamics` from the start that the lanes found: they repeat, and have the same reductions."""
    k = int(batch.at(0.9)[0])
    motion = batch.motion(k)
    te = motion["mesh.transmission_error"]
    assert motion.period == pytest.approx(2 * np.pi / batch.parameter[k])
    assert te[-1] == pytest.approx(te[0], abs=1e-5)
    assert np.ptp(te) == pytest.approx(batch["mesh.transmission_error.peak_to_peak"][k], rel=1e-3)
    assert np.mean(motion["mesh.contact"][:-1] == 0.0) == pytest.approx(batch["mesh.contact_loss"][k], abs=2e-3)


def test_kubos_rig():
    """Case C of the gallery: contact is lost for 39.0 % of the cycle; vibrations of the shafts decay by 0.13 and 0.28 % a cycle."""
    branch = pl.continuation("kubo-c", start="12000 rpm", end="11500 rpm", steps=1000)
    mu = np.abs(branch.multipliers[0])
    np.testing.assert_allclose(mu[:4], [0.9987, 0.9987, 0.9972, 0.9972], atol=5e-5)
    np.testing.assert_allclose(mu[4:], [0.55, 0.03], atol=0.015)
    assert branch["mesh.contact_loss"][0] == pytest.approx(0.390, abs=1e-3)
    assert branch.complete and branch.stable.all()


# ---- time steps of the engine


@pytest.mark.slow
def test_engine_and_batch_agree(batch):
    """From the same start: folds to 1e-5 with steps of second order, multipliers of a calm motion to 1e-5."""
    for fold, end in ((batch.folds[1], 0.95), (batch.folds[0], 0.6)):
        side = 3 if fold.sweep == "up" else -3  # a stable motion near the fold
        k = fold.index + side
        found = pl.continuation(
            backlash_pair, over="w", start=float(batch.parameter[k]), end=end, flow="engine", steps=3000, settle=0,
            state=batch.states[k], max_step=0.1, max_points=12,
        )  # fmt: skip
        assert found.folds[0].parameter == pytest.approx(fold.parameter, abs=1e-5)
        assert found.folds[0].sweep == fold.sweep
    flow, k = found.study.flow, int(batch.at(1.2)[0])
    shot = flow.shoot(batch.states[k], float(batch.parameter[k]), 1)
    np.testing.assert_allclose(np.linalg.eigvals(shot.by_state), batch.multipliers[k], atol=1e-5)


def exact_fold(state, w):
    """Fold of Duffing's oscillator by SciPy: periodic, and det(M - 1) = 0."""

    def equations(u):
        x0, v0, w = u

        def rate(t, z):
            x, v, a, b, c, d = z
            k = -(1 + 3 * CUBIC * x * x)
            return [
                v, -2 * DAMPING * v - x - CUBIC * x**3 + FORCE * np.cos(w * t), c, d, k * a - 2 * DAMPING * c,
                k * b - 2 * DAMPING * d,
            ]  # fmt: skip

        end = solve_ivp(rate, (0, 2 * np.pi / w), [x0, v0, 1, 0, 0, 1], method="DOP853", rtol=1e-11, atol=1e-12).y[
            :, -1
        ]
        return [end[0] - x0, end[1] - v0, (end[2] - 1) * (end[5] - 1) - end[3] * end[4]]

    return fsolve(equations, [*state, w], xtol=1e-10)[2]


@pytest.mark.slow
def test_folds_of_duffings_oscillator():
    """The folds differ from those of SciPy by the error that they state."""
    branch = pl.continuation(duffing, over="w", start=1.2, end=2.2, steps=300, settle=60, max_step=0.1)
    up, down = branch.folds
    assert (up.sweep, down.sweep) == ("up", "down")
    for fold in branch.folds:
        error = exact_fold(fold.state, fold.parameter) - fold.parameter
        assert abs(error) < 1e-4
        assert 0.5 < fold.error / abs(error) < 2.0
    assert branch["slide.displacement.peak_to_peak"][up.index] == pytest.approx(3.444, abs=2e-3)
    assert not branch.stable[up.index + 1 : down.index].any()


@pytest.mark.parametrize("w", [1.2, 1.9])
def test_multipliers_against_floquet(w):
    """Small motions of the pair about contact: of second order in the steps, to those of `pl.floquet`."""
    exact = pl.floquet(backlash_pair(w, backlash=0.0), "shaft", [w / TEETH]).multipliers[0, 0]
    errors = []
    for steps in (100, 200):
        flow = EngineFlow(lambda p: backlash_pair(p, backlash=0.0), w, w + 0.1, steps=steps)
        state = flow.settle(flow.first(w), w, 1)
        flow.scales(state, w, 1)
        mu = np.linalg.eigvals(flow.shoot(state, w, 1).by_state)
        errors.append(np.abs(np.sort_complex(mu) - np.sort_complex(exact)).max())
    assert errors[1] < 4e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


def both_derivatives(flow, state, p, cycles=1):
    """Of the end by the start, scaled: those of the time steps, and differences of motions."""
    lap = flow.lap(p, cycles)
    sizes = flow.scales(state, p, cycles)
    last, samples = lap.run(lap.start(state), flow.steps, samples=True)
    exact = lap.by_state(state, flow.steps, last, samples)
    steps = np.diag(1e-6 * sizes)
    found = np.array(
        [(lap.end(state + s, flow.steps) - lap.end(state - s, flow.steps)) / (2 * s.sum()) for s in steps]
    ).T
    return exact * sizes / sizes[:, None], found * sizes / sizes[:, None]


def test_derivatives_of_time_steps():
    """Of a hinged pair, of wheels with six coordinates on elastic supports, and of arms with constraints that turn."""
    pair = EngineFlow(backlash_pair, 1.4, 0.6, steps=200)
    rig = source_of("kubo-d")
    wheels = EngineFlow(lambda p: rig.build({"speed": p}), 1256.0, 1200.0, steps=100)
    arms = EngineFlow(hanging_arm, 4.0, 5.0, steps=100)
    cases = [(pair, np.array([0.2, 0.1]), 0.8), (arms, np.array([0.2, -0.3, 0.5, 0.4]), 4.0)]
    cases.append((wheels, wheels.settle(wheels.first(1256.0), 1256.0, 3), 1256.0))
    assert not arms.lap(4.0, 1).constant_rows and len(wheels.names) == 26
    for flow, state, p in cases:
        exact, found = both_derivatives(flow, state, p)
        np.testing.assert_allclose(exact, found, atol=3e-5 * np.abs(found).max())


def test_arms_with_turning_constraints():
    """The periodic motion of two arms is the one that a long run ends with, and repeats over the run of its signals."""
    branch = pl.continuation(hanging_arm, over="w", start=4.0, end=4.4, steps=200, settle=30, max_step=0.5)
    assert branch.complete and branch.stable.all()
    T = 2 * np.pi / 4.0
    run = pl.dynamics(hanging_arm(4.0), duration=60 * T, step=T / 200, output_step=T / 50, rho=0.9)
    motion = branch.motion(0)
    for name in ("hip.angle", "knee.angle"):
        np.testing.assert_allclose(motion[name][::4], run[name].values[-51:], atol=2e-4)
        assert np.ptp(motion[name]) == pytest.approx(branch[f"{name}.peak_to_peak"][0], rel=1e-3)


def test_disk_behind_rigid_teeth():
    """A linear oscillator on rotating wheels: its amplitude, and its multipliers exp(-c T / 2 J)."""
    branch = pl.continuation(
        disk_behind_rigid_teeth,
        over="w",
        start=3.0,
        end=5.0,
        period=lambda w: 2 * np.pi / w,
        steps=400,
        settle=10,
        max_step=0.5,
    )
    assert branch.state_names == ("disk", "disk.rate") and branch.complete
    T = 2 * np.pi / branch.parameter
    np.testing.assert_allclose(np.abs(branch.multipliers[:, 0]), np.exp(-0.05 * T / 0.4), rtol=5e-4)
    angle = branch.motion(0)["end.angle"]
    turned = angle - np.linspace(0.0, angle[-1] - angle[0], len(angle))
    assert np.ptp(turned) == pytest.approx(2 * abs(0.5 / (20 - 0.2 * 9 + 0.05j * 3)), rel=1e-3)


@pytest.mark.slow
def test_mechanism_after_a_revolution():
    """The rod of a crank has no constant ratio of speeds; after a revolution all parts are where they were."""
    branch = pl.continuation(
        crank_drive,
        over="w",
        start=20.0,
        end=20.5,
        steps=200,
        settle=20,
        max_step=1.0,
        reduce="slide.displacement.peak_to_peak",
    )
    assert branch.complete and branch.stable.all() and branch.state_names == ("mass", "mass.rate")
    T = 2 * np.pi / 20.0
    run = pl.dynamics(crank_drive(20.0), duration=25 * T, step=T / 200, output_step=T / 200, rho=0.9, stabilised=False)
    last = run["slide.displacement"].values[-201:]
    assert branch["slide.displacement.peak_to_peak"][0] == pytest.approx(np.ptp(last), rel=1e-3)


def test_free_train_has_neutral_multipliers():
    """No drive holds the pair: two multipliers are 1, and do not affect the stability. Both flows find the same motions."""
    lanes = pl.continuation(free_pair, over="w", start=1.4, end=1.35, flow="batch")
    steps = pl.continuation(free_pair, over="w", start=1.4, end=1.35, flow="engine", steps=800, settle=5, max_step=1.0)
    for branch in (lanes, steps):
        assert branch.free == 1 and branch.complete and branch.stable.all()
        assert np.sum(np.abs(branch.multipliers - 1.0) < 1e-3, axis=1).min() == 2
    a, b = lanes["mesh.transmission_error.peak_to_peak"], steps["mesh.transmission_error.peak_to_peak"]
    assert b[0] == pytest.approx(a[0], rel=1e-3) and b[-1] == pytest.approx(a[-1], rel=1e-3)


def test_loads_that_are_not_in_balance():
    with pytest.raises(pl.SolveError, match="the loads are not in balance"):
        pl.continuation(
            lambda w=1.4: free_pair(w, motor=0.11), over="w", start=1.4, end=1.2, flow="engine", settle=1, steps=50
        )
    with pytest.raises(pl.ModelError, match="not in balance, and no drive holds it"):
        pl.continuation(lambda w=1.4: free_pair(w, motor=0.11), over="w", start=1.4, end=1.2, flow="batch")
