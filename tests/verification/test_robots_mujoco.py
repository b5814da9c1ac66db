"""Robots from files compared with MuJoCo: forward kinematics, mass matrix, equations of motion and free motion."""

from pathlib import Path

import numpy as np
import pytest
from references.robot_data import robot_file
from references.robot_files import ARM_URDF, TREE_MJCF

import pitchline as pl

mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")

from references.mujoco_robots import Compared, differences, free_motion, load_urdf, mimics, urdf_text  # noqa: E402


@pytest.fixture(autouse=True)
def folder_for_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo writes its warnings to a file in the current folder."""
    monkeypatch.chdir(tmp_path)


ROBOTS = {
    "double_pendulum": "double_pendulum_description/urdf/double_pendulum.urdf",
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "kinova": "kinova_description/robots/kinova.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "talos": "talos_data/robots/talos_full_v2.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
    "centauro": "centauro_description/urdf/centauro.urdf",
    "tiago_pro": "tiago_pro_description/robots/tiago_pro.urdf",
}


def independent(model: pl.Model, follows: list[tuple[str, str, float, float]]) -> list[str]:
    """Joints with a coordinate that do not follow another one."""
    followers = {joint for joint, *_ in follows}
    return [name for name, joint in model.joints.items() if joint.coordinates and name not in followers]


@pytest.mark.parametrize("name", ROBOTS)
def test_kinematics_and_mass_matrix_of_real_robots(name: str) -> None:
    """Rounding of both programs is 1e-14 for arms of metres."""
    path = robot_file(ROBOTS[name])
    model = pl.from_urdf(path, shapes=False, frames=False)
    text = urdf_text(path)
    follows = mimics(text)
    other = Compared(load_urdf(text), independent(model, follows), follows)
    place, mass = differences(model, other)
    assert place < 1e-9 and mass < 1e-9


@pytest.mark.parametrize("name", ["pr2", "romeo"])
def test_robots_with_inertias_that_mujoco_refuses(name: str, tmp_path: Path) -> None:
    """MuJoCo does not accept moments that break A + B >= C, and no links without mass: both programs read a corrected file."""
    path = robot_file(
        {"pr2": "pr2_description/urdf/pr2.urdf", "romeo": "romeo_description/urdf/romeo_small.urdf"}[name]
    )
    text = corrected(urdf_text(path))
    (tmp_path / "robot.urdf").write_text(text)
    model = pl.from_urdf(tmp_path / "robot.urdf", frames=False)
    follows = mimics(text)
    other = Compared(load_urdf(text), independent(model, follows), follows)
    place, mass = differences(model, other)
    assert place < 1e-9 and mass < 1e-9


def corrected(text: str) -> str:
    """Every inertia tensor replaced by a valid one of the same size."""
    import re

    def one(match: "re.Match[str]") -> str:
        given = {key: abs(float(value)) for key, value in re.findall(r'(i\w\w)\s*=\s*"([^"]*)"', match.group(0))}
        size = max(max(given.values()), 1e-6)
        return f'<inertia ixx="{size}" ixy="{0.1 * size}" ixz="0" iyy="{1.1 * size}" iyz="{0.05 * size}" izz="{0.9 * size}"/>'

    return re.sub(r"<inertia\b[^>]*/>", one, text)


def test_the_arm_moves_as_in_mujoco(tmp_path: Path) -> None:
    """Free motion with damping, from rest; MuJoCo with its Runge-Kutta method of fourth order at 50 us."""
    text = ARM_URDF.replace('friction="0.05"', "").replace(
        '<mimic joint="left_finger" multiplier="1.5" offset="0.002"/>', ""
    )
    (tmp_path / "arm.urdf").write_text(text)
    q = {"shoulder": 0.4, "elbow": -1.1, "left_finger": 0.01, "right_finger": 0.02}
    model = pl.from_urdf(tmp_path / "arm.urdf", positions=q)
    # a damper of the file is a part of the joint in both programs
    end = free_motion(load_urdf(urdf_text(tmp_path / "arm.urdf")), q, 0.3)
    run = pl.dynamics(model, duration=0.3, step=1e-4, output_step=0.3)
    for name in q:
        kind = "displacement" if "finger" in name else "angle"
        assert abs(run[f"{name}.{kind}"].final - end[name]) < 1e-6


def test_ball_and_free_joints_armatures_and_springs_move_as_in_mujoco(tmp_path: Path) -> None:
    (tmp_path / "tree.xml").write_text(TREE_MJCF)
    model = pl.from_mjcf(tmp_path / "tree.xml")
    end = free_motion(mujoco.MjModel.from_xml_string(TREE_MJCF), {}, 0.3)
    run = pl.dynamics(model, duration=0.3, step=1e-4, output_step=0.3)
    for name in ("pan", "lift", "bend"):
        assert abs(run[f"{name}.angle"].final - end[name]) < 1e-6
    for name in ("left_slide", "right_slide"):
        assert abs(run[f"{name}.displacement"].final - end[name]) < 1e-6
    np.testing.assert_allclose(run["wrist.position"].final, end["wrist"], atol=1e-6)
    np.testing.assert_allclose(run["ball_link.position"].final, end["ball"], atol=1e-6)


@pytest.mark.slow
def test_the_panda_falls_as_in_mujoco() -> None:
    """Free fall of the seven axes with the damping of the file."""
    path = robot_file(ROBOTS["panda"])
    text = urdf_text(path)
    q = {f"panda_joint{n}": v for n, v in enumerate((0.1, -0.4, 0.3, -1.6, 0.2, 1.4, 0.5), 1)}
    fingers = ["panda_finger_joint1", "panda_finger_joint2"]
    model = pl.from_urdf(path, shapes=False, frames=False, friction=False, positions=q, locked=fingers)
    text = text.replace('type="prismatic"', 'type="fixed"')
    text = text.replace('<mimic joint="panda_finger_joint1"/>', "").replace('<mimic joint="panda_finger_joint1" />', "")
    end = free_motion(load_urdf(text), q, 0.2)
    run = pl.dynamics(model, duration=0.2, step=1e-4, output_step=0.2)
    assert max(abs(run[f"{name}.angle"].final - end[name]) for name in q) < 1e-6
    assert max(abs(run[f"{name}.angle"].final - q[name]) for name in q) > 0.05


def test_inverse_dynamics_of_a_humanoid() -> None:
    """Torques of 32 axes against the recursive method of MuJoCo, with gravity, Coriolis and centrifugal terms."""
    path = robot_file("talos_data/robots/talos_reduced.urdf")
    model = pl.from_urdf(path, shapes=False, frames=False, friction=False)
    mj = load_urdf(urdf_text(path))
    mj.dof_damping[:] = 0.0
    mj.dof_frictionloss[:] = 0.0
    mj.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    names = independent(model, [])
    dampers = [name for name in model.loads if name.endswith("_damper")]
    space = pl.JointSpace(model, names, without=dampers)
    other = Compared(mj, names)
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-0.5, 0.5, (3, len(names)))
    order = [other.dof[name] for name in names]
    other.data.qvel[order], other.data.qacc[order] = qd, qdd
    other.place(q)
    other.data.qacc[order] = qdd
    mujoco.mj_inverse(mj, other.data)
    forces = space.inverse_dynamics(q, qd, qdd)
    assert forces.method == "tree"
    expected = other.data.qfrc_inverse[order]
    np.testing.assert_allclose(forces.values[0], expected, atol=1e-9 * np.abs(expected).max())
