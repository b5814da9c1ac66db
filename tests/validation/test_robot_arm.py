"""The robot arm of the gallery: what is counted in it, its gears, its energy, and mechanics in joint coordinates beside it.

Counts after D. Vlasenko and R. Kasper, Spatial kinematics of gears in absolute coordinates, 2009: 43 bodies and 95 joints,
among them 7 spur, 3 bevel and 10 internal gear joints.
"""

import dataclasses
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.gallery import robot_arm, robot_parts
from pitchline.gallery import robot_arm as robot_control
from pitchline.gallery import robot_parts as robot_gears
from pitchline.gallery.figures import Figure, Run

LIMITS = np.radians([[-185, 185], [-155, 35], [-130, 154], [-350, 350], [-130, 130], [-350, 350]])
"""Of the axes of a KR 16, from the ROS-Industrial package kuka_experimental."""
POSES = np.random.default_rng(15).uniform(LIMITS[:, 0], LIMITS[:, 1], (10, 6))


@lru_cache
def run() -> Run:
    return gallery.model("robot-arm").run()


@lru_cache
def figures() -> dict[str, Figure]:
    return {f.key: f for f in gallery.model("robot-arm").figures(run())}


def axes(result: pl.Result) -> np.ndarray:
    return np.stack([result[f"axis_{n}.angle"].values for n in range(1, 7)], axis=1)


# --- the model ---------------------------------------------------------------------------------------------


def test_counts_are_those_of_the_paper() -> None:
    for key, value in (("bodies", 43), ("joints", 95), ("gear_joints", 20), ("redundant_constraints", 47)):
        assert figures()[key].value == figures()[key].expected == value
    kinds = Counter(joint.kind for joint in robot_gears.GEAR_JOINTS)
    assert kinds == {"spur": 7, "bevel": 3, "internal": 10}
    assert set(robot_arm.build().gear_pairs) == {joint.name for joint in robot_gears.GEAR_JOINTS}


def test_masses_are_those_of_an_arm_of_its_size() -> None:
    masses = {name: body.mass for name, body in robot_arm.build().bodies.items()}
    assert sum(masses.values()) - masses["tool"] == pytest.approx(222, rel=1e-12)
    assert masses["tool"] == 15


def test_every_part_is_a_body_that_can_exist() -> None:
    """Principal moments of inertia are positive and no one exceeds the sum of the others."""
    for part in robot_parts.PARTS:
        moments = np.linalg.eigvalsh(part.solid.inertia)
        assert moments[0] > 0 and moments[2] <= moments[0] + moments[1] + 1e-15, part.name


def test_without_redundant_joints_nothing_is_redundant() -> None:
    assert pl.dynamics(robot_arm.build(redundant=False), duration=robot_arm.STEP, step=robot_arm.STEP).warnings == []


# --- the motion --------------------------------------------------------------------------------------------


def test_run_gives_all_figures() -> None:
    motion, one = run()["motion"], gallery.model("robot-arm")
    assert motion.status is pl.Status.COMPLETED and motion.model_name == "robot-arm"
    assert all(f.description and np.isfinite(f.value) for f in figures().values())
    assert motion.select(*one.plot_signals)


def test_wheels_keep_to_their_tooth_numbers() -> None:
    """Turns to the tolerance of Newton. Speeds, at a constraint in positions alone, to the order of the step: h² times the
    third derivative of a turn of the rotors, whose frequency is 2π/MOVE and whose speed is some 100 rad/s."""
    assert figures()["gear_error.position.max"].value < 1e-9
    omega = 2 * np.pi / robot_control.MOVE
    assert figures()["gear_error.velocity.max"].value < 100 * (omega * robot_arm.STEP) ** 2


def test_all_wheels_are_looked_at() -> None:
    turn, speed = robot_arm.gear_errors(run()["motion"])
    assert turn.shape == speed.shape == (len(run()["motion"].time), 25)


def test_a_missing_tooth_would_be_seen() -> None:
    """The measure of the errors is not blind: one tooth of the smallest pinion is a third of a radian."""
    motion = run()["motion"]
    angle = motion["rotor_1_hinge.angle"]
    signals = dict(motion.signals) | {angle.name: dataclasses.replace(angle, values=angle.values + 2 * np.pi / 18)}
    wrong = pl.Result(kind="dynamics", model_name="x", time=motion.time, signals=signals, status=pl.Status.COMPLETED)
    assert np.max(np.abs(robot_arm.gear_errors(wrong)[0])) == pytest.approx(2 * np.pi / 18)


def test_work_of_the_motors_is_found_in_the_arm() -> None:
    assert figures()["energy_balance.error"].value < 1e-6


def test_the_arm_follows_the_torques_computed_for_its_way_with_the_order_of_the_integrator() -> None:
    """Torques from joint coordinates, motion from 43 bodies with their joints; nothing else holds the arm on its way."""
    errors = []
    for step in (2e-3, 1e-3):
        result = pl.dynamics(robot_arm.build(feedback=False), duration=0.8, step=step, output_step=0.1)
        errors.append(np.max(np.linalg.norm(robot_arm.tracking_error(result), axis=1)))
    assert errors[1] < 1e-5
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


def test_the_controllers_hold_a_payload_that_they_do_not_expect() -> None:
    """At the end of the motion the arm is at rest: the feedback carries the weight of the payload, P x = torque of its weight."""
    arm = robot_arm.build(payload=5.0)
    duration = robot_control.duration_of(robot_arm.MOVE)
    run = pl.dynamics(arm, duration=duration, step=2e-3, output_step=duration)
    error = robot_arm.tracking_error(run)[-1] @ robot_control.MOTOR_TURNS.T
    torques = robot_control.motor_inertias() * robot_control.BANDWIDTH**2 * -error
    # torques of the weight by virtual work, with the Jacobian of the flange
    q = robot_control.trajectory(duration)[0]
    at = next(part for part in robot_parts.PARTS if part.name == "flange").origin
    there = robot_control.body_motions(q)["flange"]
    J = there.J_v[0] + np.cross(there.J_omega[0], (there.point(at)[0] - there.x[0])[:, None], axis=0)
    needed = np.linalg.solve(robot_control.MOTOR_TURNS.T, -J.T @ (5.0 * robot_control.GRAVITY))
    np.testing.assert_allclose(torques, needed, atol=0.02 * np.abs(needed).max())
    assert np.abs(robot_arm.tracking_error(run)).max() < 1e-3


def test_redundant_joints_change_nothing() -> None:
    options: dict[str, Any] = {"duration": 0.6, "step": robot_arm.STEP, "output_step": 0.05, "newton_tolerance": 1e-10}
    as_cad, lean = (pl.dynamics(robot_arm.build(redundant=full), **options) for full in (True, False))
    np.testing.assert_allclose(axes(as_cad), axes(lean), rtol=0, atol=1e-9)
    tool = "tool.position"
    np.testing.assert_allclose(as_cad[tool].values, lean[tool].values, rtol=0, atol=1e-9)


# --- standing still ----------------------------------------------------------------------------------------


def check_motors(held: pl.Result, q: np.ndarray) -> None:
    """Torques of the drives at the start against virtual work in joint coordinates."""
    expected = robot_control.motor_torques(q)[0]
    found = [held[f"motor_{n}.torque"].values[0] for n in range(1, 7)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.max(np.abs(expected)))


@pytest.mark.parametrize("redundant", [True, False])
def test_motors_hold_the_arm_with_the_torques_of_joint_coordinates(redundant: bool) -> None:
    """Ten poses anywhere within the limits of the axes. The arm is at rest and its drives keep it so: what the motors exert
    at the start of a motion is what they need to hold it."""
    for q in POSES:
        model = robot_arm.build(redundant=redundant, hold=q)
        check_motors(pl.dynamics(model, duration=robot_arm.STEP, step=robot_arm.STEP), q)


def test_statics_says_the_same() -> None:
    for q in POSES[:2]:
        check_motors(pl.statics(robot_arm.build(hold=q)), q)


def test_joint_coordinates_place_the_bodies_as_joints_and_gears_do() -> None:
    """The arm on its way, against the poses that the tooth numbers give for its axes where they are."""
    motion = run()["motion"]
    placed = robot_control.body_motions(axes(motion))
    for part in robot_parts.PARTS:
        found, expected = motion[f"{part.name}.position"].values, placed[part.name].point(part.origin)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9, err_msg=part.name)


def test_torques_of_a_motion_do_its_work() -> None:
    """Closed form in joint coordinates: power of the motors = rate of the energy, by differences of order 4."""
    dt = 1e-3
    t = 0.9 + dt * np.arange(-2, 3)
    q, qd, qdd = robot_control.trajectory(t)
    bodies = robot_control.body_motions(q, qd)
    energy = np.zeros(len(t))
    for part in robot_parts.PARTS:
        b, solid = bodies[part.name], part.solid
        v = np.einsum("nij,nj->ni", b.J_v, qd)
        omega = np.einsum("nij,nj->ni", b.J_omega, qd)
        spin = np.einsum("nji,nj->ni", b.R, omega)
        energy += 0.5 * solid.mass * np.sum(v**2, axis=1) + 0.5 * np.einsum("ni,ij,nj->n", spin, solid.inertia, spin)
        energy -= solid.mass * b.x @ robot_control.GRAVITY
    rate = (energy[0] - 8 * energy[1] + 8 * energy[3] - energy[4]) / (12 * dt)
    power = robot_control.motor_torques(q, qd, qdd)[2] @ robot_control.MOTOR_TURNS @ qd[2]
    assert power == pytest.approx(rate, rel=1e-8)
