"""Several parts that hold at rest on one motion: friction, brakes, lossy gearboxes, worms; and random machines of them."""

from typing import Any

import numpy as np
import pytest
from references.machines_at_rest import checked, machine
from references.worm_hoist import WormHoist

import pitchline as pl
from pitchline.engine.solvers.integrator import Integrator

OPTIONS = ({"step": 1e-3}, {"tolerance": 1e-6, "output_step": 1e-2})
every_option = pytest.mark.parametrize("options", OPTIONS, ids=("step", "tolerance"))


def gearbox(speed: float, friction: float, **more: Any) -> pl.Model:
    """Two shafts with a lossy ratio of 10; friction on the first."""
    m = pl.Model("gearbox")
    for name, J, x, w in (("a", 0.01, 0.0, speed), ("b", 2.0, 1.0, speed / 10)):
        m.body(name, mass=1.0, inertia=(J,) * 3, position=(x, 0, 0), angular_velocity=(0, 0, w))
        m.revolute(f"joint {name}", m.ground, name, axis="z")
    m.ratio("gear", "joint a", "joint b", ratio=10, efficiency=0.9)
    m.friction("bearing", "joint a", coulomb=friction)
    for name, torque in more.items():
        m.torque(name, "joint a", torque)
    return m


@every_option
def test_runs_down_and_rests(options: dict[str, float]) -> None:
    """Both losses stop the shafts at one instant. Then nothing acts: no force, no event, no step more than necessary.

    While it slows down, b drives: (J_a + 0.9 J_b/100) dw/dt = -C."""
    run = pl.dynamics(gearbox(20.0, 1.0), duration=2, **options)
    stop = 20.0 * (0.01 + 0.9 * 2.0 / 100)
    assert run.statistics["events"] == 1 and run.statistics["steps"] < 2100
    assert np.all(np.diff(run.time) > 0.0)
    angle = run["joint a.angle"]
    assert angle.final == pytest.approx(0.5 * 20.0 * stop, rel=1e-6)
    rests = run.time > stop + 0.02
    assert np.ptp(angle.values[rests]) < 1e-13
    late = run.time > 1.5
    for name in ("bearing.torque", "gear.torque_a", "gear.torque_b"):
        assert np.all(np.abs(run[name].values[late]) < 1e-12)
        assert np.all((run[name].values[late] == 0.0) | (np.abs(run[name].values[late]) > 1e-40))
    assert np.all(run["bearing.state"].values[rests] == 0.0) and np.all(run["gear.state"].values[rests] == 0.0)
    assert run["energy.dissipated"].final == pytest.approx(0.5 * (0.01 + 0.02) * 20.0**2, rel=1e-5)


@every_option
def test_a_lossy_gearbox_and_a_bearing_hold_together(options: dict[str, float]) -> None:
    """A torque on b that grows, and friction on a: it starts when eta T_b/10 reaches the friction."""
    m = gearbox(0.0, 1.5)
    m.torque("load", "joint b", pl.Table([0, 1], [0, 40]))
    run = pl.dynamics(m, duration=1.0, **options)
    start = 10 * 1.5 / 0.9 / 40
    moves = np.abs(run["joint a.angular_speed"].values) > 1e-3
    assert run.statistics["events"] <= 2
    assert not moves[run.time < start].any() and moves[run.time > start + 0.02].all()
    J = 2.0 + 100 * 0.01 / 0.9  # of b, as b drives
    expected = 20.0 * (1.0 - start) ** 2 / J
    assert run["joint b.angular_speed"].final == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("load", (0.0, 12.0))
def test_statics_names_shares_that_are_not_unique(load: float) -> None:
    """A gearbox with losses and friction hold the same load: the torques together balance it, and a warning names both."""
    m = gearbox(0.0, 1.5)
    m.torque("load", "joint b", load)
    rest = pl.statics(m)
    found = [text for text in rest.warnings if "hold the same motion" in text]
    assert len(found) == (1 if load else 0) and all('"gear"' in text and '"bearing"' in text for text in found)
    held = float(rest["gear.torque_a"].final) + float(rest["bearing.torque"].final)
    assert held == pytest.approx(0.0, abs=1e-9) and float(rest["gear.torque_b"].final) == pytest.approx(-load, abs=1e-9)


def test_they_share_by_their_limits() -> None:
    """Two brakes on both shafts of a gearbox without losses: both use the same part of their limit, whatever the order."""
    for order in (1, -1):
        m = pl.Model("brakes")
        for name, J, x in (("a", 0.01, 0.0), ("b", 2.0, 1.0)):
            m.body(name, mass=1.0, inertia=(J,) * 3, position=(x, 0, 0))
            m.revolute(f"joint {name}", m.ground, name, axis="z")
        m.ratio("gear", "joint a", "joint b", ratio=10)
        for name, limit in (("a", 2.0), ("b", 10.0))[::order]:
            m.friction(f"brake {name}", f"joint {name}", coulomb=limit)
        m.torque("load", "joint a", pl.Table([0, 1, 2], [0, 2.9, -2.9]))
        run = pl.dynamics(m, duration=2.0, step=1e-2)
        assert run.statistics["events"] == 0
        load = np.interp(run.time, [0, 1, 2], [0, 2.9, -2.9])
        used = -load / (2.0 + 10.0 / 10)
        np.testing.assert_allclose(run["brake a.torque"].values, 2.0 * used, atol=1e-6)
        np.testing.assert_allclose(run["brake b.torque"].values, 10.0 * used, atol=1e-5)
        assert np.ptp(run["joint a.angle"].values) < 1e-10


@every_option
def test_a_worm_and_its_bearings_under_a_load_that_turns(options: dict[str, float]) -> None:
    """mu = 0.06 holds the load alone, with a bearing on the worm. A motor lifts; then it is off, and the worm stops and holds a
    load that reverses: two events."""
    hoist = WormHoist(friction=0.06)
    m = hoist.model(
        load=pl.Table([0, 0.3, 0.4, 1], [100, 100, -100, -100]), motor=pl.Table([0, 0.2, 0.5, 1], [0, 5, 0, 0])
    )
    m.friction("bearing", "input", coulomb=0.1)
    run = pl.dynamics(m, duration=1.0, **options)
    assert run.statistics["events"] == 2 and run.statistics["steps"] < 1100
    rests = run.time > 0.78
    assert np.all(run["mesh.friction_state"].values[rests] == 0.0)
    assert np.ptp(run["input.angle"].values[rests]) < 1e-12
    assert np.max(np.abs(run["energy.balance_error"].values)) < 1e-4 * run["energy.dissipated"].final


@every_option
def test_a_braked_flywheel_with_lossy_rolling(options: dict[str, float]) -> None:
    """The brake on the slow shaft and friction on the fast one stop both at once; the energy is that of the start."""
    m = pl.Model("flywheel")
    for name, J, w in (("a", 0.1, 10.0), ("b", 1.0, 1.0)):
        m.body(name, mass=1, inertia=(J,) * 3, angular_velocity=(0, 0, w))
        m.revolute(f"axis {name}", m.ground, name, axis="z")
    m.gear_pair("box", "a", "b", mesh=pl.Rolling(ratio=10, efficiency=(0.8, 0.5)))
    m.brake("brake", "axis b", pl.Table([0, 0.2, 0.3, 5], [0, 0, 3, 3]))
    m.friction("seal", "axis a", coulomb=0.3)
    run = pl.dynamics(m, duration=5.0, **options)
    assert run.statistics["events"] == 1
    assert run["energy.dissipated"].final == pytest.approx(5.5, rel=1e-5)
    assert abs(run["axis a.angular_speed"].final) < 1e-12


def test_too_many_events_end_with_the_parts_and_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run names the parts, and keeps what was computed. Here 2000 events are taken to have occurred before the first."""
    begin = Integrator.begin

    def after_many(*given: Any) -> Integrator:
        found = begin(*given)
        found.motion.progress["events_before"] = -2000
        return found

    monkeypatch.setattr(Integrator, "begin", staticmethod(after_many))
    m = gearbox(0.0, 1.0, motor=pl.Table([0, 0.001, 1], [0, 3, 3]))
    with pytest.raises(pl.SolveError, match=r"between rest and slip without end \(1 events so far\)") as caught:
        pl.dynamics(m, duration=1.0, step=1e-3)
    assert '"bearing"' in str(caught.value) and "stribeck_speed" in str(caught.value)
    assert caught.value.result is not None and 0.0 < caught.value.time < 2e-3


@every_option
def test_a_locked_freewheel_holds_with_friction(options: dict[str, float]) -> None:
    """A motor drives two shafts through a locked freewheel, with friction on both: (J_a + J_b) dw/dt = T - C_a - C_b.

    The freewheel neither creeps nor releases, and Newton's method needs few iterations."""
    m = pl.Model("freewheel")
    for name, J, friction in (("a", 0.05, 2.0), ("b", 0.02, 0.5)):
        m.body(name, mass=1.0, inertia=(J,) * 3)
        m.revolute(f"joint {name}", m.ground, name, axis="z")
        m.friction(f"bearing {name}", f"joint {name}", coulomb=friction)
    m.one_way_clutch("freewheel", "joint a", "joint b", free="forward")
    m.torque("motor", "joint a", pl.Table([0, 0.1, 2], [0, -10, -10]))
    run = pl.dynamics(m, duration=1.0, **options)
    start = 0.1 * 2.5 / 10
    impulse = 50 * (0.1**2 - start**2) - 2.5 * (0.1 - start) + 7.5 * 0.9
    assert run["joint a.angular_speed"].final == pytest.approx(-impulse / 0.07, rel=1e-5)
    assert run["freewheel.torque"].final == pytest.approx(-(0.5 + 0.02 * 7.5 / 0.07), rel=1e-9)
    assert np.max(np.abs(run["freewheel.slip_speed"].values)) < 1e-8
    assert np.all(run["freewheel.state"].values == 0.0)
    assert run.statistics["newton_failures"] == 0
    assert run.statistics["iterations"] < 1.5 * run.statistics["steps"]


@every_option
def test_a_brake_that_closes_under_load_takes_its_part(options: dict[str, float]) -> None:
    """Friction holds a load that grows; then a brake closes. Both hold 1.6 of their 1.4 + 0.3 N m, each by its limit from the
    end of the step in which the brake closes."""
    m = pl.Model("brake under load")
    m.body("a", mass=1.0, inertia=(0.1,) * 3)
    m.revolute("joint", m.ground, "a", axis="z")
    m.friction("bearing", "joint", coulomb=1.0, static=1.4)
    m.brake("brake", "joint", pl.Table([0, 0.4, 0.5, 2], [0, 0, 0.3, 0.3]))
    m.torque("load", "joint", pl.Table([0, 1], [0, 1.6]))
    run = pl.dynamics(m, duration=1.0, **options)
    assert run.statistics["events"] == 1
    assert np.ptp(run["joint.angle"].values) < 1e-10
    load = np.interp(run.time, [0, 1], [0, 1.6])
    brake = np.interp(run.time, [0, 0.4, 0.5, 2], [0, 0, 0.3, 0.3])
    shared = (run.time < 0.4 + 1e-9) | (run.time > 0.41 + 1e-9)
    for name, limit in (("brake", brake), ("bearing", 1.4)):
        used = (load * limit / (1.4 + brake))[shared]
        np.testing.assert_allclose(run[f"{name}.torque"].values[shared], -used, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(run["brake.torque"].values + run["bearing.torque"].values, -load, atol=1e-6)


def test_losses_that_share_a_load_need_no_short_steps() -> None:
    """A clutch, a gearbox with losses and two bearings hold an alternating load: every step has the requested length."""
    run = pl.dynamics(machine(3).model(), duration=0.3, tolerance=1e-7, output_step=1e-3)
    assert run.statistics["steps"] <= 305 and run.statistics["newton_failures"] <= 3


@pytest.mark.parametrize("seed", (0, 2, 5, 16, 33, 41, 45, 58, 61, 109, 402, 413, 431, 448, 484, 522, 746))
def test_random_machines(seed: int) -> None:
    """Runs end, energy closes, every part obeys its law at every sample; fixed steps agree with error control."""
    assert checked(machine(seed)) == []


def test_the_order_of_the_parts_does_not_matter() -> None:
    for seed in (8, 21):
        assert checked(machine(seed), thorough=True) == []
