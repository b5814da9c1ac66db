"""Friction that sticks, compared with closed forms and with an independent solution with events."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pitchline as pl

G = 9.81


def wheel(speed: float = 0.0, inertia: float = 0.5, **options: object) -> tuple[pl.Model, pl.Joint]:
    m = pl.Model("wheel", **options)
    body = m.body("wheel", mass=1, inertia=(1, 1, inertia), angular_velocity=(0, 0, speed))
    return m, m.revolute("hinge", m.ground, body, axis="z")


def oscillator(friction: float) -> pl.Model:
    m, hinge = wheel()
    m.torsion_spring("spring", hinge, stiffness="8 N*m/rad", free_angle="1 rad")
    m.friction("pad", hinge, coulomb=friction)
    return m


def rest_of(friction: float, amplitude: float = 1.0, stiffness: float = 8.0) -> float:
    """Position at which a spring with Coulomb friction comes to rest: every half cycle takes 2 F/k from the amplitude."""
    x, d = -amplitude, friction / stiffness
    while abs(x) > d:
        x = -(x - math.copysign(2 * d, x))
    return amplitude + x


@pytest.mark.parametrize("friction", [0.55, 0.3, 2.5])
def test_an_oscillator_stops_where_the_closed_form_says(friction: float) -> None:
    m = oscillator(friction)
    errors = []
    for step in (2e-2, 1e-2, 5e-3):
        run = pl.dynamics(m, duration=12, step=step)
        errors.append(abs(run["hinge.angle"].values[-1] - rest_of(friction)))
        assert run["pad.state"].values[-1] == 0
        assert np.ptp(run["hinge.angle"].values[run.time > 11.0]) < 1e-14
    assert errors[-1] < 1e-6
    assert all(a / b > 3.7 for a, b in pairwise(errors))
    run = pl.dynamics(m, duration=12, tolerance=1e-8)
    assert abs(run["hinge.angle"].values[-1] - rest_of(friction)) < 1e-6
    balance = run["energy.balance_error"].values
    assert np.abs(balance).max() < 1e-5


def belt(speed: float, static: float, kinetic: float, stiffness: float, mass: float) -> pl.Model:
    m = pl.Model("belt")
    moving = m.body("belt", mass=5, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    block = m.body("block", mass=mass, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    m.drive("drive", m.prismatic("track", m.ground, moving, axis="x"), speed=speed)
    slide = m.prismatic("slide", moving, block, axis="x")
    m.spring("spring", m.ground, block, stiffness=stiffness, free_length=1, at_a=(-1, 0, 0))
    weight = mass * G
    m.friction("contact", slide, coulomb=kinetic * weight, static=static * weight)
    return m


def belt_motion(t: float, speed: float, static: float, kinetic: float, stiffness: float, mass: float) -> float:
    """Position of the block: it sticks up to the static friction, then slips on a harmonic motion about the kinetic one until
    it has the speed of the belt again."""
    omega, Fs, Fk = math.sqrt(stiffness / mass), static * mass * G, kinetic * mass * G
    x0 = (Fs - Fk) / stiffness
    slip = (math.pi + 2 * math.atan(speed / (omega * x0))) / omega
    period = slip + 2 * x0 / speed
    first = Fs / stiffness / speed
    if t < first:
        return speed * t
    after = (t - first) % period
    if after < slip:
        return Fk / stiffness + x0 * math.cos(omega * after) + speed / omega * math.sin(omega * after)
    return Fk / stiffness - x0 + speed * (after - slip)


def test_stick_slip_on_a_belt_has_its_closed_form() -> None:
    data = (0.1, 0.4, 0.25, 50.0, 1.0)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        run = pl.dynamics(belt(*data), duration=6, step=step, output_step=0.04)
        exact = [belt_motion(t, *data) for t in run.time]
        errors.append(np.abs(run["block.position"].values[:, 0] - exact).max())
    assert errors[-1] < 1e-5
    assert errors[0] / errors[-1] > 10.0  # order 2 through ten events
    run = pl.dynamics(belt(*data), duration=6, tolerance=1e-9, output_step=0.04)
    exact = [belt_motion(t, *data) for t in run.time]
    assert np.abs(run["block.position"].values[:, 0] - exact).max() < 1e-5
    assert set(run["contact.state"].values) == {0.0, -1.0}
    assert np.abs(run["energy.balance_error"].values).max() < 1e-6
    assert run.statistics["events"] >= 10


def test_a_brake_stops_two_masses_at_the_predicted_times() -> None:
    """A clutch first brings two wheels to one speed, then a brake stops both."""
    m = pl.Model("two")
    speeds, inertias = (12.0, 2.0), (0.5, 1.5)
    hinges = []
    for i in (0, 1):
        body = m.body(f"w{i}", mass=1, inertia=(1, 1, inertias[i]), angular_velocity=(0, 0, speeds[i]))
        hinges.append(m.revolute(f"h{i}", m.ground, body, axis="z"))
    m.clutch("clutch", hinges[0], hinges[1], capacity="3 N*m")
    m.brake("brake", hinges[1], pl.Table([0, 2.999, 3.0, 10], [0, 0, 2.0, 2.0]))
    same = (speeds[0] - speeds[1]) / (3 / inertias[0] + 3 / inertias[1])
    common = speeds[0] - 3 / inertias[0] * same
    stop = 3.0 + (common - 2 / 2 * 0.0005) / (2.0 / sum(inertias)) * 1.0
    run = pl.dynamics(m, duration=10, step=1e-3, output_step=1e-3)
    slip, speed = run["clutch.slip_speed"].values, run["h1.angular_speed"].values
    assert abs(run.time[np.argmax(slip < 1e-9)] - same) < 1.1e-3
    assert abs(speed[np.searchsorted(run.time, 2.5)] - common) < 1e-9
    assert abs(run.time[np.argmax(np.abs(speed) < 1e-9)] - stop) < 1.2e-3
    lost = 0.5 * (inertias[0] * speeds[0] ** 2 + inertias[1] * speeds[1] ** 2)
    assert run["energy.dissipated"].values[-1] == pytest.approx(lost, rel=1e-6)


def reference_clutches(
    capacities: list[Callable[[float], float]],
    load: Callable[[float], float],
    inertia: list[float],
    v0: list[float],
    end: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Speeds and angles of wheels in a row with clutches between them, by solve_ivp, restarted at every event."""
    n = len(inertia)

    def solved(t: float, mode: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and torques: stuck clutches are constraints."""
        stuck = [i for i in range(n - 1) if mode[i] == 0]
        A = np.zeros((n + len(stuck),) * 2)
        b = np.zeros(n + len(stuck))
        A[:n, :n] = np.diag(inertia)
        b[0] = load(t)
        torque = np.zeros(n - 1)
        for i in range(n - 1):
            if mode[i]:
                torque[i] = mode[i] * capacities[i](t)
                b[i] -= torque[i]
                b[i + 1] += torque[i]
        for k, i in enumerate(stuck):
            A[i, n + k], A[i + 1, n + k] = 1.0, -1.0
            A[n + k, i], A[n + k, i + 1] = 1.0, -1.0
        x = np.linalg.solve(A, b)
        torque[stuck] = x[n:]
        return x[:n], torque

    def consistent(t: float, mode: list[int], v: np.ndarray) -> list[int]:
        mode = list(mode)
        for _ in range(20):
            a, torque = solved(t, mode)
            changed = False
            for i in range(n - 1):
                rest = abs(v[i] - v[i + 1]) < 1e-9
                if mode[i] == 0 and abs(torque[i]) > capacities[i](t) * (1 + 1e-9):
                    mode[i], changed = int(np.sign(torque[i])), True
                elif mode[i] and rest and mode[i] * (a[i] - a[i + 1]) < -1e-12:
                    mode[i], changed = 0, True
            if not changed:
                return mode
        raise AssertionError("no consistent modes")

    def event_of(i: int, mode: list[int], began: float) -> Callable[[float, np.ndarray], float]:
        def stops(t: float, y: np.ndarray) -> float:
            return mode[i] * (y[n + i] - y[n + i + 1]) + (1e-10 if t <= began + 1e-9 else 0.0)

        def breaks_away(t: float, y: np.ndarray) -> float:
            return capacities[i](t) - abs(solved(t, mode)[1][i]) + 1e-12

        found = stops if mode[i] else breaks_away
        found.terminal, found.direction = True, -1  # type: ignore[attr-defined]
        return found

    def rates(mode: list[int]) -> Callable[[float, np.ndarray], np.ndarray]:
        return lambda t, y: np.concatenate([y[n:], solved(t, mode)[0]])

    t, y = 0.0, np.concatenate([np.zeros(n), v0])
    mode = consistent(0.0, [int(np.sign(v0[i] - v0[i + 1])) for i in range(n - 1)], y[n:])
    while t < end - 1e-12:
        events = [event_of(i, mode, t) for i in range(n - 1)]
        out = solve_ivp(rates(mode), (t, end), y, events=events, rtol=1e-12, atol=1e-13, max_step=0.01)
        t, y = float(out.t[-1]), out.y[:, -1]
        for i, hit in enumerate(out.t_events):
            if hit.size and mode[i]:
                y[n + i : n + i + 2] = np.average(y[n + i : n + i + 2], weights=inertia[i : i + 2])
                mode[i] = 0
            elif hit.size:
                mode[i] = int(np.sign(solved(t, mode)[1][i]))
        mode = consistent(t, mode, y[n:])
    return y[n:], y[:n]


def test_coupled_clutches_agree_with_an_independent_solution() -> None:
    """Four inertias with three clutches whose normal forces rise one after the other, under an alternating torque."""
    inertia, v0, end = [1.0, 1.0, 1.0, 1.0], [10.0, 0.0, 0.0, 0.0], 1.5
    knots = [([0, 1, 1.5], [0, 8, 8]), ([0, 0.4, 0.9, 1.5], [0, 0, 10, 10]), ([0, 0.9, 1.2, 1.5], [0, 0, 12, 12])]
    m = pl.Model("clutches")
    hinges = []
    for i, J in enumerate(inertia):
        body = m.body(f"J{i}", mass=1, inertia=(1, 1, J), angular_velocity=(0, 0, v0[i]))
        hinges.append(m.revolute(f"r{i}", m.ground, body, axis="z"))
    for i, (t, c) in enumerate(knots):
        m.clutch(f"c{i}", hinges[i], hinges[i + 1], capacity=pl.Table(t, c))
    m.torque("load", hinges[0], pl.Harmonic(amplitude=10, frequency=1))
    v, angle = reference_clutches(
        [lambda t, k=k: float(np.interp(t, *k)) for k in knots],
        lambda t: 10 * math.sin(2 * math.pi * t), inertia, v0, end,
    )  # fmt: skip
    for options, allowed in (({"step": 2e-4}, 1e-6), ({"tolerance": 1e-11, "output_step": 0.1}, 1e-6)):
        run = pl.dynamics(m, duration=end, **options)
        got = [run[f"r{i}.angular_speed"].values[-1] for i in range(4)]
        turned = [run[f"r{i}.angle"].values[-1] for i in range(4)]
        np.testing.assert_allclose(got, v, rtol=0, atol=allowed)
        np.testing.assert_allclose(turned, angle, rtol=0, atol=allowed)
        assert np.abs(run["energy.balance_error"].values).max() < 1e-5


def test_nothing_creeps() -> None:
    """A pendulum is held for a million steps under an alternating load: its position is that of the start, except for rounding."""
    m = pl.Model("held", gravity=(0, 0, -G))
    rod = m.body("rod", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, rod, axis="y", at=(0, 0, 0))
    m.friction("pad", hinge, coulomb="20 N*m")
    m.torque("shake", hinge, pl.Harmonic(amplitude=9, frequency=50))
    run = pl.dynamics(m, duration=1000, step=1e-3)
    assert run.statistics["steps"] == 1_000_000
    assert np.abs(run["hinge.angle"].values).max() < 1e-14
    assert run["pad.torque"].values[0] == pytest.approx(-G, abs=1e-9)


def test_a_block_on_an_incline_holds_and_slides() -> None:
    for slope in (0.19, 0.32):
        m = pl.Model("incline", gravity=(G * math.sin(slope), 0, -G * math.cos(slope)))
        block = m.body("block", mass=2, inertia=(1, 1, 1))
        slide = m.prismatic("slide", m.ground, block, axis="x")
        m.friction("contact", slide, coefficient=0.2, normal_force=2 * G * math.cos(slope))
        run = pl.dynamics(m, duration=1, step=1e-2)
        expected = max(0.0, 0.5 * G * (math.sin(slope) - 0.2 * math.cos(slope)))
        assert run["slide.displacement"].values[-1] == pytest.approx(expected, abs=1e-9)


def test_stribeck_friction_drops_with_the_speed() -> None:
    m, hinge = wheel()
    m.friction("seal", hinge, coulomb=1.0, static=1.5, stribeck_speed=0.2, viscous=0.05)
    m.drive("drive", hinge, speed=pl.Table([0, 1, 2], [0.0, 1.0, 1.0]))
    run = pl.dynamics(m, duration=2, step=1e-3)
    v = run["hinge.angular_speed"].values
    moving = run["seal.state"].values == 1
    law = -(1.0 + 0.5 * np.exp(-((v / 0.2) ** 2)) + 0.05 * v)
    np.testing.assert_allclose(run["seal.torque"].values[moving], law[moving], atol=1e-12)
    assert moving.sum() > 900


def test_a_load_that_jumps_breaks_away_at_the_jump() -> None:
    m, hinge = wheel()
    m.friction("pad", hinge, coulomb=1.0, static=1.5)
    m.torque("load", hinge, lambda t: 0.0 if t < 0.505 else 2.0)
    for options in ({"step": 1e-2}, {"tolerance": 1e-7}):
        run = pl.dynamics(m, duration=1, **options)
        assert run["hinge.angular_speed"].values[-1] == pytest.approx(2 * 0.495, abs=1e-6)


def test_several_frictions_on_one_joint_add_up() -> None:
    """They hold the sum of their limits; the rest of the motion follows T - 3 N*m."""
    m, hinge = wheel()
    m.friction("a", hinge, coulomb=1.0)
    m.friction("b", hinge, coulomb=2.0)
    m.torque("load", hinge, pl.Table([0, 1, 2], [0, 2.5, 4.0]))
    run = pl.dynamics(m, duration=1.5, step=1e-3)
    still = run.time < 4 / 3 - 1e-3
    assert np.abs(run["hinge.angle"].values[still]).max() < 1e-9
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(1.5 * (1.5 - 4 / 3) ** 2, abs=1e-6)
    total = run["a.torque"].values + run["b.torque"].values
    load = np.interp(run.time[still], [0, 1, 2], [0, 2.5, 4.0])
    np.testing.assert_allclose(total[still], -load, atol=1e-6)


def test_a_one_way_clutch_only_opens_forward() -> None:
    """Driven by a torque sin(pi t): each positive half wave accelerates the wheel, which is not braked below zero speed."""
    m, hinge = wheel()
    m.one_way_clutch("freewheel", hinge)
    m.torque("load", hinge, pl.Harmonic(amplitude=-1, frequency=0.5))
    run = pl.dynamics(m, duration=3, step=5e-3)
    v, t = run["hinge.angular_speed"].values, run.time
    assert v.min() > -1e-9
    assert np.abs(run["hinge.angle"].values[t <= 1.0]).max() < 1e-12  # locked against the first half wave
    np.testing.assert_allclose(run["freewheel.torque"].values[t < 0.999], np.sin(np.pi * t[t < 0.999]), atol=1e-6)
    after = t >= 1.0
    np.testing.assert_allclose(v[after], 2 / np.pi * (1 + np.cos(np.pi * t[after])), atol=1e-4)


def test_a_one_way_clutch_on_a_stiff_spring_rests() -> None:
    """Without loads the clutch transmits the rounding of the angle times the stiffness, also in its free direction: this is
    rest."""
    spring = 1e7
    for k in range(8):
        rng = np.random.default_rng(k)
        axis, place = rng.normal(size=(2, 3))
        m = pl.Model("clutch")
        body = m.body("wheel", mass=1.0, inertia=(1, 1, 1), position=place)
        hinge = m.revolute("hinge", m.ground, body, at=place, axis=axis)
        m.torsion_spring("spring", hinge, stiffness=spring)
        m.one_way_clutch("clutch", hinge)
        assert abs(pl.statics(m)["clutch.torque"].values[0]) < 1e-14 * spring
        held = m.replaced()
        held.torque("load", "hinge", -1e-3)
        assert pl.statics(held)["clutch.torque"].values[0] == pytest.approx(1e-3, abs=1e-14 * spring)


def test_a_torque_limiter_slips_above_its_torque() -> None:
    m = pl.Model("limiter")
    hinges = []
    for i in (0, 1):
        body = m.body(f"w{i}", mass=1, inertia=(1, 1, 1))
        hinges.append(m.revolute(f"h{i}", m.ground, body, axis="z"))
    m.torque_limiter("limiter", hinges[0], hinges[1], torque="2 N*m", slip_torque="1 N*m")
    m.torque("load", hinges[0], pl.Table([0, 4, 8], [0, 8, 8]))  # the limiter carries half of it
    run = pl.dynamics(m, duration=4, step=1e-3)
    slipping = run.time > 2.002
    assert np.abs(run["limiter.slip_speed"].values[run.time < 1.999]).max() < 1e-9
    np.testing.assert_allclose(run["limiter.torque"].values[slipping], 1.0, atol=1e-9)
    assert run["h1.angular_speed"].values[-1] == pytest.approx(0.5 * 2 * 2**2 / 2 + 2.0, abs=1e-5)


@pytest.mark.parametrize("reduce", [True, False])
def test_friction_in_a_planar_model_and_without_reduction(reduce: bool) -> None:
    for plane in (None, "xy"):
        m, hinge = wheel(5.0, plane=plane)
        m.friction("pad", hinge, coulomb=0.5)
        run = pl.dynamics(m, duration=6, step=1e-2, reduce=reduce)
        assert run["hinge.angle"].values[-1] == pytest.approx(12.5, abs=1e-9)
        assert run["pad.state"].values[-1] == 0


def chain(links: int, friction: float) -> pl.Model:
    """Links on a chain of joints with friction, falling from the horizontal."""
    m = pl.Model("chain", gravity=(0, 0, -G))
    before = m.ground
    for i in range(links):
        link = m.body(f"b{i}", mass=1, inertia=(0.1, 0.1, 0.1), position=(0.5 + i, 0, 0))
        joint = m.revolute(f"j{i}", before, link, at=(float(i), 0, 0), axis="y")
        m.friction(f"f{i}", joint, coulomb=friction, static=1.2 * friction)
        before = link
    return m


@pytest.mark.parametrize(("links", "friction", "time"), [(3, 1.0, 4.0), (12, 1.5, 1.0)])
def test_chains_with_many_events_agree_between_methods(links: int, friction: float, time: float) -> None:
    """With joint coordinates and with all constraints, dense and sparse, with fixed steps and error control."""
    m = chain(links, friction)
    runs = [
        pl.dynamics(m, duration=time, step=1e-3),
        pl.dynamics(m, duration=time, step=5e-4, reduce=False),
        pl.dynamics(m, duration=time, tolerance=1e-8, output_step=0.1),
    ]
    ends = [run[f"b{links - 1}.position"].values[-1] for run in runs]
    assert runs[0].statistics["events"] >= 8
    for run, end in zip(runs, ends, strict=True):
        np.testing.assert_allclose(end, ends[2], atol=1e-4)
        assert [run[f"f{i}.state"].final for i in range(links)] == [runs[2][f"f{i}.state"].final for i in range(links)]
        assert np.abs(run["energy.balance_error"].values).max() < 2e-3


def test_teeth_that_close_hit_a_wheel_that_friction_holds() -> None:
    """Rigid teeth with backlash: friction has no impulse. It holds the wheel after the impact."""
    m = pl.Model("gears")
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 40)]
    wheels, joints = [], []
    for i, gear in enumerate(gears):
        place = (0.06 * i, 0, 0)
        body = m.body(f"b{i}", mass=1, inertia=(4e-3, 4e-3, 1e-3 * 4**i), position=place)
        joints.append(m.revolute(f"j{i}", m.ground, body, axis="z", at=place))
        wheels.append(m.wheel(f"w{i}", body, gear))
    m.gear_pair("pair", *wheels, mesh=pl.Rigid(backlash="50 um"))
    m.friction("pad", joints[1], coulomb=3.0)
    m.torque("load", joints[0], 1.0)
    run = pl.dynamics(m, duration=0.1, step=1e-4)
    assert run.statistics["impacts"] >= 1
    assert run["pad.state"].final == 0.0
    assert run["pad.torque"].final == pytest.approx(2.0)
    assert abs(run["j0.angular_speed"].final) < 1e-9
