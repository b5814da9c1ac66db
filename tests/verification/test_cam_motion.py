"""Cams in motion against closed forms: lift, normal force, torque, inertia, lift-off, energy."""

import math

import numpy as np
import pytest
from references.cam_rigs import BASE, FALL, MASS, RISE, ROLLER, H, lift, profile, rig, turned
from references.gallery_runs import figures_of

import pitchline as pl

TILTED = turned((1.0, 2.0, 0.5), 1.1)


@pytest.mark.parametrize(
    "offset, speed, R",
    [(0.0, "600 rpm", None), (0.009, "600 rpm", TILTED), (-0.012, "-600 rpm", None), (0.0, "-600 rpm", TILTED)],
)
def test_lift_force_and_torque_of_a_guided_roller(offset: float, speed: str, R: np.ndarray | None) -> None:
    """Without inertia, with the cam's axis anywhere, offset either way, forwards and backwards: N = F/cos(alpha),
    tan(alpha) = (h' + e)/(s_0 + h), torque F h'."""
    m = rig(offset=offset, speed=speed, R=R, origin=(0.2, -0.1, 0.4), bilateral=True)
    run = pl.kinematics(m, duration="0.11 s", step="2.5 ms")
    angle = run["hinge.angle"].values
    h, h1 = lift(angle), lift(angle, 1)
    np.testing.assert_allclose(run["guide.displacement"].values, h, atol=1e-9 * H)
    tangent = (h1 + offset) / (math.sqrt((BASE + ROLLER) ** 2 - offset**2) + h)
    np.testing.assert_allclose(run["cam.pressure_angle"].values, np.arctan(tangent), atol=1e-7)
    np.testing.assert_allclose(run["cam.normal_force"].values, 500.0 * np.sqrt(1 + tangent**2), rtol=1e-7)
    np.testing.assert_allclose(run["cam.torque"].values, -500.0 * h1, atol=1e-6)
    np.testing.assert_allclose(run["motor.torque"].values, 500.0 * h1, atol=1e-6)
    away = run["cam.contact_point"].values - run["follower.position"].values
    np.testing.assert_allclose(np.linalg.norm(away, axis=1), ROLLER, rtol=1e-9)
    np.testing.assert_allclose(
        np.linalg.norm(run["cam.force"].values, axis=1), run["cam.normal_force"].values, rtol=1e-12
    )


def test_a_flat_follower() -> None:
    """N = F; the contact point is h' beside the axis; Hertzian pressure on the radius p + p''."""
    run = pl.kinematics(rig(flat=True, bilateral=True, width="12 mm"), duration="0.1 s", step="2.5 ms")
    angle = run["hinge.angle"].values
    np.testing.assert_allclose(run["guide.displacement"].values, lift(angle), atol=1e-9 * H)
    np.testing.assert_allclose(run["cam.normal_force"].values, 500.0, rtol=1e-9)
    np.testing.assert_allclose(run["cam.torque"].values, -500.0 * lift(angle, 1), atol=1e-6)
    # the follower moves along y; the face touches at -h' along x, where the torque has its arm
    np.testing.assert_allclose(run["cam.contact_point"].values[:, 0], lift(angle, 1), atol=1e-8)
    radius = 0.06 + lift(angle) + lift(angle, 2)
    pressure = np.sqrt(500.0 * 115.4e9 / (math.pi * 0.012 * radius))
    np.testing.assert_allclose(run["cam.contact_pressure"].values, pressure, rtol=1e-5)
    assert "cam.pressure_angle" not in run.signals


@pytest.mark.parametrize("side, sign", [("left", -1.0), ("right", 1.0)])
def test_a_swinging_follower_swings_by_the_law(side: str, sign: float) -> None:
    """As a model of its own: pivot on x, arm to the roller centre; the moment that balances it is N times its arm."""
    d, arm = 0.1, 0.09
    cam = profile(lift="12 deg", pivot_distance=d, arm=arm, side=side)
    lowest = math.acos((d**2 + arm**2 - (BASE + ROLLER) ** 2) / (2 * d * arm))
    roller = np.array([d - arm * math.cos(lowest), -sign * arm * math.sin(lowest), 0.0])
    m = pl.Model("swing")
    disc = m.body("disc", mass=1, inertia=(1e-3,) * 3)
    lever = m.body("lever", mass=0.3, inertia=(1e-3,) * 3, position=(d, 0, 0))
    m.revolute("hinge", m.ground, disc, axis="z")
    m.revolute("pivot", m.ground, lever, axis="z")
    m.drive("motor", "hinge", speed="10 rad/s")
    m.torque("load", "pivot", -sign * 20.0)
    m.cam("cam", disc, lever, cam, at_b=roller, roller_radius=ROLLER, bilateral=True)
    run = pl.kinematics(m, duration=2 * math.pi / 10, step="16 ms")
    angle, scale = run["hinge.angle"].values, math.radians(12.0) / H
    np.testing.assert_allclose(run["pivot.angle"].values, sign * scale * lift(angle), atol=1e-9)
    np.testing.assert_allclose(run["motor.torque"].values, 20.0 * scale * lift(angle, 1), atol=1e-5)
    np.testing.assert_allclose(
        run["cam.normal_force"].values * arm * np.cos(run["cam.pressure_angle"].values), 20.0, rtol=1e-6
    )


def test_inertia_adds_to_the_force_to_second_order() -> None:
    """N cos(alpha) = F + m omega^2 h'' away from the ends of rise and fall, where the jerk jumps."""
    errors, balances = [], []
    for step in (1e-4, 5e-5):
        run = pl.dynamics(rig(bilateral=True), duration="0.1 s", step=step)
        angle = run["hinge.angle"].values
        smooth = np.ones(angle.size, bool)
        for end in (0.0, RISE, RISE + math.radians(60), RISE + math.radians(60) + FALL):
            smooth &= (angle < end) | (angle > end + 0.3)
        tangent = lift(angle, 1) / (BASE + ROLLER + lift(angle))
        expected = (500.0 + MASS * (20 * math.pi) ** 2 * lift(angle, 2)) * np.sqrt(1 + tangent**2)
        errors.append(np.abs(run["cam.normal_force"].values - expected)[smooth].max() / 500.0)
        balances.append(np.abs(run["energy.balance_error"].values).max() / run["energy.work"].values.max())
    assert balances[1] < 2e-4 and balances[0] / balances[1] > 3.0
    assert errors[1] < 1e-5 and 3.5 < errors[0] / errors[1] < 4.5


def test_many_turns_cost_no_digits() -> None:
    """A thousand turns of the cam, with fifty steps in each."""
    run = pl.dynamics(rig(bilateral=True, speed="60000 rpm"), duration="1 s", step="20 us", output_step="9.98 ms")
    angle = run["hinge.angle"].values
    assert angle[-1] > 990 * 2 * math.pi
    np.testing.assert_allclose(run["guide.displacement"].values, lift(angle), atol=1e-8 * H)


@pytest.fixture(scope="module")
def pressed() -> pl.Result:
    m = rig(force=100.0, spring=6e3, stiffness="50 N/um", damping="500 N*s/m")
    return pl.dynamics(m, start=pl.statics(m), duration="0.2 s", step="20 us", output_step="0.2 ms")


def test_contact_with_a_spring_follows_and_balances_energy(pressed: pl.Result) -> None:
    angle = pressed["hinge.angle"].values
    force = 100.0 + 6e3 * lift(angle) + MASS * (20 * math.pi) ** 2 * lift(angle, 2)
    normal = force * np.sqrt(1 + (lift(angle, 1) / (BASE + ROLLER + lift(angle))) ** 2)
    assert normal.min() > 0.0
    np.testing.assert_allclose(pressed["cam.normal_force"].values, normal, atol=0.03 * normal.max())
    np.testing.assert_allclose(pressed["guide.displacement"].values, lift(angle), atol=5e-6)
    assert np.abs(pressed["energy.balance_error"].values).max() < 1e-4 * pressed["energy.kinetic"].values.max()
    np.testing.assert_allclose(pressed["cam.gap"].values, -pressed["cam.normal_force"].values / 50e6, atol=1e-7)


def test_above_the_lift_off_speed_the_roller_flies_and_is_never_pulled() -> None:
    """omega^2 = min (F_0 + k h)/(-m h'')."""
    angle = np.linspace(0.0, 2 * math.pi, 20001)
    limit = math.sqrt(1.0 / (-MASS * lift(angle, 2) / (100.0 + 6e3 * lift(angle))).max())
    for factor, flies in ((0.97, False), (1.05, True)):
        m = rig(force=100.0, spring=6e3, stiffness="200 N/um", damping="2000 N*s/m", speed=factor * limit)
        run = pl.dynamics(m, start=pl.statics(m), duration=1.5 * 2 * math.pi / limit, step="10 us", output_step="50 us")
        late = run.time > 0.5 * 2 * math.pi / limit
        gap, normal = run["cam.gap"].values[late], run["cam.normal_force"].values
        assert (gap.max() > 1e-6) == flies
        assert normal.min() >= 0.0 and np.all(run["cam.normal_force"].values[run["cam.gap"].values > 0.0] == 0.0)


def test_a_follower_that_nothing_presses_on_its_cam_is_told() -> None:
    """It stays where the cam pushed it."""
    run = pl.kinematics(rig(force=0.0, stiffness="50 N/um"), duration="0.1 s", step="5 ms")
    assert run["guide.displacement"].final == pytest.approx(H, rel=1e-3)
    assert 'cam "cam": its follower is not in contact with the cam. The gap is 12 mm' in "".join(run.warnings)
    assert not pl.kinematics(rig(stiffness="50 N/um"), duration="0.1 s", step="5 ms").warnings


def test_modes_see_the_contact() -> None:
    """On the base circle the follower swings on the contact alone."""
    m = rig(force=100.0, stiffness="50 N/um")
    rest = pl.statics(m)
    assert rest["cam.normal_force"].values[-1] == pytest.approx(100.0, rel=1e-9)
    assert pl.modes(m, about=rest).frequencies[-1] == pytest.approx(math.sqrt(50e6 / MASS) / (2 * math.pi), rel=1e-6)


def test_the_gallery_shows_lift_force_and_lift_off() -> None:
    found = {key: figure.value for key, figure in figures_of("cam-follower").items()}
    assert found["lift.error"] < 1e-9 and found["force.error"] < 1e-9 and found["torque.error"] < 1e-9
    assert found["gap.pressed"] < 0.0 < found["gap.fast"] and found["lift_off.speed"] == pytest.approx(845.43, abs=0.01)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"bilateral": True, "stiffness": 1e6}, "a bilateral cam is a constraint and has no stiffness"),
        ({}, '"stiffness" is missing'),
        ({"bilateral": True, "axis": "x"}, r"its body rotates about \(0, 0, 1\).*the cam axis.*is \(1, 0, 0\)"),
        ({"bilateral": True, "cam_angle": "120 deg"}, "inside the cam in the initial pose"),
        ({"bilateral": True, "direction": (0, 0, 1)}, "perpendicular to the cam axis"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(pl.ModelError, match=words):
        rig(**options)


@pytest.mark.parametrize("contact", [{"stiffness": "50 N/um"}, {"bilateral": True}])
def test_a_knife_edge_has_no_contact_pressure(contact: dict[str, object]) -> None:
    m = pl.Model("edge")
    disc = m.body("disc", mass=1.0, inertia=(1e-3,) * 3)
    m.body("follower", mass=1.0, inertia=(1e-3,) * 3, position=(0, BASE, 0))
    with pytest.raises(pl.ModelError, match="knife edge"):
        m.cam("cam", disc, "follower", profile(), roller_radius=0, width="10 mm", **contact)
        m.check()
