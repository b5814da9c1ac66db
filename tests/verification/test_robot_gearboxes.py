"""Gear trains behind the joints of robots: inertia, velocities, ratio, backlash, control, files and messages."""

from pathlib import Path

import numpy as np
import pytest
from references.robot_data import robot_file
from references.robot_files import ARM_URDF, GEARBOX_TOML, GEARED_MJCF
from references.robot_gearboxes import two_stages

import pitchline as pl
from pitchline.cli import main
from pitchline.exchange.safe_xml import ExchangeError

PLAY = 40e-6 / (0.4e-3 * np.cos(np.radians(20))) * (1 / 86 + 16 / 86 / 85)
"""Play of the output of `two_stages` with the input held [rad]: of the last stage, and of the first one through the last."""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    (tmp_path / "arm.urdf").write_text(ARM_URDF)
    (tmp_path / "box.toml").write_text(GEARBOX_TOML)
    return tmp_path / "arm.urdf"


def rigid_box(ratio: float = -50.0, inertia: float = 2e-5) -> pl.Model:
    """A rotor with only an inertia about its axis, and a rigid ratio to an output without mass."""
    m = pl.Model("box")
    m.rotor("input", m.ground, inertia=inertia, at=(0.0, 0.05, 0.0), axis="z")
    m.body("shaft", mass=0, inertia=(0, 0, 0), any_inertia=True)
    m.revolute("output", m.ground, "shaft", axis="z")
    m.ratio("train", "input", "output", ratio=ratio)
    return m


def test_the_rotor_adds_its_inertia_times_the_square_of_the_ratio(arm: Path) -> None:
    """At the shoulder, whose parent is fixed: J i^2, and the inertia of the flange about the axis."""
    names = ["shoulder", "elbow", "left_finger"]
    plain = pl.mass_matrix(pl.from_urdf(arm), names).values
    rigid = pl.from_urdf(arm, gearboxes={"shoulder": rigid_box()})
    added = pl.mass_matrix(rigid, names).values - plain
    np.testing.assert_allclose(added, np.diag([2e-5 * 2500, 0, 0]), atol=1e-12)


def test_a_rotor_on_a_moving_link_spins_with_the_link(arm: Path) -> None:
    """At the elbow the spin of the rotor is n . omega_upper + i q2': M grows by J s s^T with the row s of the spin."""
    q = {"shoulder": 0.6, "elbow": -0.4}
    names = ["shoulder", "elbow", "left_finger"]
    plain = pl.from_urdf(arm, positions=q)
    geared = pl.from_urdf(arm, positions=q, gearboxes={"elbow": rigid_box(30.0, 1e-4)})
    space = pl.JointSpace(plain, names)
    joint = plain.joints["elbow"]
    axis = plain.placed(joint.frame_a)[1][:, 2]
    spin = axis @ space.jacobian("upper").values[3:] + np.array([0.0, 30.0, 0.0])
    added = pl.mass_matrix(geared, names).values - space.mass_matrix().values
    np.testing.assert_allclose(added, 1e-4 * np.outer(spin, spin), atol=1e-12)
    assert geared.elements["elbow_input rotor_inertia"].key == "spin_inertia"


def test_parts_start_with_the_speeds_of_the_gears(arm: Path) -> None:
    m = pl.from_urdf(
        arm, gearboxes={"shoulder": arm.parent / "box.toml"}, positions={"shoulder": 1.0}, speeds={"shoulder": 0.7}
    )
    run = pl.dynamics(m, duration="1 ms", step="0.1 ms")
    assert run["shoulder.angle"].initial == pytest.approx(1.0)
    assert run["shoulder_input.angular_speed"].initial == pytest.approx(-35.0)
    assert run["shoulder_train.twist"].initial == pytest.approx(0.0, abs=1e-12)
    assert m.elements["shoulder_seal"].values["on"] == "shoulder_input"


def test_the_play_of_the_output_is_that_of_the_teeth(arm: Path) -> None:
    """The motor is held, and the arm moves from one flank to the other under a small torque."""
    m = pl.from_urdf(
        arm, gravity=(0, 0, 0), gearboxes={"elbow": two_stages(friction=0.0)}, locked=["shoulder", "left_finger"],
        check_ratios=False, friction=False,
    )  # fmt: skip
    m.drive("hold", "elbow_input", angle=0.0)
    ends = []
    for torque in (0.01, -0.01):
        loaded = m.replaced()
        loaded.torque("push", "elbow", torque)
        ends.append(pl.statics(loaded)["elbow.angle"].final)
    assert ends[0] - ends[1] == pytest.approx(PLAY, rel=5e-3)


@pytest.mark.slow
def test_a_panda_with_gears_follows_its_motors_within_the_backlash(tmp_path: Path) -> None:
    """Two axes of a real robot with two stages of teeth each, under control at the motors: the axes differ from the motors by
    half of the play and the deflection of the teeth, and the energy balance holds."""
    path = robot_file("panda_description/urdf/panda.urdf")
    axes = {"panda_joint2": -0.2, "panda_joint4": -1.5}
    others = [f"panda_joint{n}" for n in (1, 3, 5, 6, 7)]
    m = pl.from_urdf(
        path, shapes=False, frames=["panda_hand"], positions=axes, locked=[*others, "panda_finger_joint1"],
        gearboxes={name: two_stages() for name in axes},
    )  # fmt: skip
    ratio = 26.875
    for name in axes:
        m.add(
            pl.PID(
                f"{name}_control",
                setpoint=pl.Harmonic(0.3 * ratio, "2 Hz"),
                measured=pl.expression(f"{name}_input.angle"),
                measured_rate=pl.expression(f"{name}_input.speed"),
                proportional=5.0,
                derivative=0.1,
            )
        )
        m.torque(f"{name}_motor", f"{name}_input", pl.expression(f"{name}_control.output"))
    run = pl.dynamics(m, duration="0.5 s", step="50 us", output_step="1 ms")
    for name, start in axes.items():
        moved = run[f"{name}.angle"].values - start
        lost = run[f"{name}_input.angle"].values / ratio - moved
        assert np.ptp(moved) > 0.3
        assert 0.5 * PLAY < np.abs(lost).max() < 1.5 * PLAY  # the deflection of the teeth is below the play
    # the arm changes flanks: the fast motion accelerates it in both directions
    lost = run["panda_joint4_input.angle"].values / ratio - (run["panda_joint4.angle"].values + 1.5)
    assert lost.max() > 0.4 * PLAY and lost.min() < -0.4 * PLAY
    exchanged = np.abs(run["panda_joint2_motor.torque"].values * run["panda_joint2_input.angular_speed"].values).max()
    assert np.abs(run["energy.balance_error"].values).max() < 1e-3 * exchanged
    m.to_toml(tmp_path / "panda.toml")
    again = pl.load(tmp_path / "panda.toml").model
    assert list(again.gear_pairs) == list(m.gear_pairs)
    assert again.mass == pytest.approx(m.mass, rel=1e-12)


def test_torques_of_actuators_act_at_the_motor(tmp_path: Path) -> None:
    (tmp_path / "geared.xml").write_text(GEARED_MJCF)
    m = pl.from_mjcf(tmp_path / "geared.xml", gearboxes={"ja": rigid_box(-20.0, 1e-4)}, controls={"push": 1.0})
    assert m.loads["push_torque"].joint_name == "ja_input"
    run = pl.dynamics(m, duration="1 ms", step="0.1 ms")
    assert run["push_torque.torque"].initial == pytest.approx(-3.0 / 20.0)


def test_the_command_writes_a_robot_with_a_gearbox(
    arm: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(arm.parent)
    assert main(["import", "arm.urdf", "-o", "robot.toml", "--gearbox", "shoulder=box.toml"]) == 0
    assert 'gearbox of joint "shoulder": box.toml, ratio -50' in capsys.readouterr().out
    m = pl.load("robot.toml").model
    assert m.elements["shoulder_train"].values["backlash"] == 2e-3


def test_messages(arm: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ExchangeError, match=r"has the ratio -20, but the transmission in .* has 50. Correct one of them"
    ):
        pl.from_urdf(arm, gearboxes={"shoulder": rigid_box(-20.0)})
    report = pl.ImportReport()
    pl.from_urdf(arm, gearboxes={"shoulder": rigid_box(-20.0)}, check_ratios=False, report=report)
    assert any("has the ratio -20" in text for text in report.of("assumed"))
    with pytest.raises(ExchangeError, match="its output joint is revolute, but the joint of the robot is prismatic"):
        pl.from_urdf(arm, gearboxes={"left_finger": rigid_box()})
    with pytest.raises(ExchangeError, match=r'has no joint "input"\. The input shaft of a gearbox needs a joint'):
        pl.from_urdf(arm, gearboxes={"shoulder": pl.Model("empty")})
    with pytest.raises(ExchangeError, match="the gearbox cannot be read"):
        pl.from_urdf(arm, gearboxes={"shoulder": tmp_path / "nothing.toml"})
    with pytest.raises(ExchangeError, match="expected the path of a model file or a Model, got 3"):
        pl.from_urdf(arm, gearboxes={"shoulder": 3})
    with pytest.raises(ExchangeError, match="expected a file, a model, or"):
        pl.from_urdf(arm, gearboxes={"shoulder": {"ratio": 3}})
    turned = pl.Model("turned")
    for name in ("a", "b"):
        turned.body(name, mass=1, inertia=(1, 1, 1))
    turned.revolute("input", turned.ground, "a")
    turned.revolute("output", "b", turned.ground)
    with pytest.raises(ExchangeError, match=r'joint "output" must connect the ground .* with the output shaft'):
        pl.from_urdf(arm, gearboxes={"shoulder": turned})


def test_other_names_and_left_out_loads(arm: Path) -> None:
    box = pl.Model("box")
    for name, inertia in (("rotor", 1e-4), ("flange", 1e-3)):
        box.body(name, mass=0.1, inertia=(inertia, inertia, inertia))
        box.revolute(f"{name} bearing", box.ground, name, axis="z")
    box.ratio("train", "rotor bearing", "flange bearing", ratio=50)
    box.torque("test", "rotor bearing", 1.0)
    box.drive("brake", "flange bearing", angle=0.0)
    report = pl.ImportReport()
    given = {"model": box, "input": "rotor bearing", "output": "flange bearing"}
    m = pl.from_urdf(arm, gearboxes={"shoulder": given}, report=report)
    assert "shoulder_rotor bearing" in m.joints and not m.drives and "shoulder_test" not in m.loads
    left = [text for text in report.of("ignored") if "is left out" in text]
    assert len(left) == 2
