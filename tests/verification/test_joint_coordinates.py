"""Mass matrix, inverse dynamics and Jacobians in joint coordinates against closed forms and against the engine."""

import numpy as np
import pytest
from references import planar_arm
from references.planar_arm import L1, L2, RATIO, ROTOR, arm

import pitchline as pl
from pitchline.analyses.robots import JointSpace

Q, QD, QDD = np.array([0.7, -1.2]), np.array([2.0, -3.0]), np.array([5.0, 7.0])


def without_tree(space: JointSpace) -> JointSpace:
    space._tree = None
    return space


@pytest.mark.parametrize("plane", [None, "xy"])
def test_two_links_have_their_closed_form(plane: str | None) -> None:
    d = pl.JointSpace(arm(plane=plane)).dynamics(Q, QD)
    assert d.coordinates == ("shoulder", "elbow") and d.units == ("rad", "rad")
    assert np.allclose(d.mass_matrix.values, planar_arm.mass(Q), rtol=0, atol=1e-13)
    assert np.allclose(d.bias, planar_arm.bias(Q, QD), rtol=0, atol=1e-12)
    assert np.allclose(d.gravity, planar_arm.weight(Q), rtol=0, atol=1e-12)
    assert np.array_equal(d.applied, [0.0, 0.0])


def test_rotors_add_their_inertia_with_the_square_of_the_ratio() -> None:
    m = arm(rotors=True)
    plain = arm()
    for name, x in (("rotor_1", 0.0), ("rotor_2", L1)):  # the same machine, its rotors fixed on their carriers
        body = plain.body(name, mass=0.2, inertia=(2e-4, 2e-4, ROTOR), position=(x, 0.11, 0))
        plain.fixed(f"{name}_bolts", plain.ground if x == 0.0 else "upper", body)
    q = {"shoulder": 0.7, "elbow": -1.2}
    names = ["shoulder", "elbow"]
    change = pl.mass_matrix(m, names, state=q).values - pl.mass_matrix(plain, names, state=q).values
    # rotor 1 turns by -10 q1, rotor 2 by q1 - 10 q2
    assert np.allclose(change, ROTOR * np.array([[RATIO**2, -RATIO], [-RATIO, RATIO**2]]), atol=1e-14)
    seen_from_motor = pl.mass_matrix(m, ["motor_1", "motor_2"], state={"motor_1": -7.0, "motor_2": 12.0})
    assert np.allclose(seen_from_motor.values * RATIO**2, pl.mass_matrix(m, names, state=q).values, rtol=1e-12)


def test_inverse_dynamics_of_two_links() -> None:
    expected = planar_arm.mass(Q) @ QDD + planar_arm.bias(Q, QD) + planar_arm.weight(Q)
    fast = pl.inverse_dynamics(arm(), Q, QD, QDD)
    assert fast.method == "tree" and np.allclose(fast.values[0], expected, rtol=0, atol=1e-12)
    slow = without_tree(pl.JointSpace(arm())).inverse_dynamics(Q, QD, QDD)
    assert slow.method == "general" and np.allclose(slow.values[0], expected, rtol=0, atol=1e-10)


def test_pendulum_with_spring_damper_and_load() -> None:
    m = pl.Model("pendulum", gravity=(0, -9.81, 0))
    rod = m.body("rod", mass=2, inertia=(0.01, 0.1, 0.1), centre_of_mass=(0.5, 0, 0))
    m.revolute("hinge", m.ground, rod, axis="z")
    m.torsion_spring("spring", "hinge", stiffness=3.0, damping=0.4)
    m.torque("load", "hinge", pl.Polynomial([0.0, 2.0]))
    t = np.linspace(0.0, 1.0, 5)
    q, qd, qdd = 7.0 + np.sin(t), np.cos(t), -np.sin(t)
    tau = pl.inverse_dynamics(m, q, qd, qdd, times=t).values[:, 0]
    assert np.allclose(tau, 0.6 * qdd + 9.81 * np.cos(q) + 3.0 * q + 0.4 * qd - 2.0 * t, rtol=0, atol=1e-12)
    d = pl.joint_dynamics(m, state={"hinge": 1.0}, speeds={"hinge": 2.0})
    assert np.allclose(d.applied, -3.0 * 1.0 - 0.4 * 2.0) and np.allclose(d.gravity, 9.81 * np.cos(1.0))
    unloaded = pl.inverse_dynamics(m, [7.0], times="1 s", without=["load", "spring"])
    assert np.allclose(unloaded.values, 9.81 * np.cos(7.0))


def slider_crank(speed: float = 0.0, angle: float = 0.0) -> pl.Model:
    m = pl.Model("slider-crank", gravity=(0, -9.81, 0))
    r, l = 0.1, 0.3
    beta = -np.arcsin(r / l * np.sin(angle))
    pin = np.array([r * np.cos(angle), r * np.sin(angle), 0.0])
    end = pin + l * np.array([np.cos(beta), np.sin(beta), 0.0])

    def turned(phi: float) -> pl.Rotation:
        return pl.Rotation("z", phi)

    crank = m.body(
        "crank", mass=1, inertia=(0.01, 0.02, 0.02), centre_of_mass=(0.05, 0, 0), orientation=turned(angle),
        angular_velocity=(0, 0, speed),
    )  # fmt: skip
    rod = m.body(
        "rod",
        mass=0.5,
        inertia=(0.001, 0.01, 0.01),
        centre_of_mass=(0.15, 0, 0),
        position=pin,
        orientation=turned(beta),
    )
    piston = m.body("piston", mass=0.7, inertia=(0.001, 0.001, 0.001), position=end)
    m.revolute("main", m.ground, crank, axis="z")
    m.revolute("pin", crank, rod, at=pin, axis="z")
    m.revolute("small", rod, piston, at=end, axis="z")
    m.prismatic("bore", m.ground, piston, axis="x")
    return m


def test_a_closed_loop_is_reduced_to_its_coordinate() -> None:
    space = pl.JointSpace(slider_crank(angle=0.4), "main")
    angle, r, l = np.pi / 3, 0.1, 0.3
    q = angle - 0.4  # angles count from the initial pose
    J = space.jacobian("piston", {"main": q})
    sine = r * np.sin(angle) / l
    expected = -r * np.sin(angle) - r * np.cos(angle) * sine / np.sqrt(1 - sine**2)
    assert np.allclose(J.values[:, 0], [expected, 0, 0, 0, 0, 0], atol=1e-14)
    tau = space.inverse_dynamics([[q]], [[30.0]], [[5.0]])
    d = space.dynamics([q], [30.0])
    assert tau.method == "general" and np.allclose(tau.values[0], d.torques([5.0]), rtol=1e-9)


def test_accelerations_are_those_of_the_engine() -> None:
    m = slider_crank(speed=20.0, angle=0.8)
    run = pl.dynamics(m, duration="1 us", step="1 us")
    first = run["crank.angular_acceleration"].values[0, 2]
    assert np.allclose(pl.joint_dynamics(m, "main").accelerations(), first, rtol=1e-9)
    assert np.allclose(pl.joint_dynamics(m, "main", state=run, at=0.0).accelerations(), first, rtol=1e-9)
    bore = pl.joint_dynamics(m, "bore")
    assert np.allclose(bore.accelerations(), run["piston.acceleration"].values[0, 0], rtol=1e-8)


def test_spatial_joints_agree_with_the_engine() -> None:
    """A screw on a cylindrical joint on a slide: three kinds of joints, angle and displacement coordinates."""
    m = pl.Model("axes", gravity=(1.0, -2.0, -9.81))
    a = m.body("a", mass=3, inertia=(0.1, 0.2, 0.25), centre_of_mass=(0.1, 0.05, 0), velocity=(0.4, 0, 0))
    b = m.body("b", mass=2, inertia=(0.1, 0.12, 0.2), centre_of_mass=(0, 0.1, 0.1), position=(0.2, 0, 0.3))
    c = m.body("c", mass=1, inertia=(0.03, 0.05, 0.06), centre_of_mass=(0.1, 0, 0.2), position=(0.2, 0.4, 0.3))
    m.prismatic("slide", m.ground, a, axis="x")
    m.cylindrical("pin", a, b, axis=(1, 1, 0))
    m.screw("thread", b, c, axis="z", lead=0.02)
    names = ["slide", "pin.angle", "pin.displacement", "thread"]
    q, qd, qdd = (np.random.default_rng(k).uniform(-1, 1, 4) for k in range(3))
    space = pl.JointSpace(m, names)
    assert space.units == ("m", "rad", "m", "rad")
    tau = space.inverse_dynamics(q, qd, qdd)
    d = space.dynamics(q, qd)
    assert np.allclose(d.torques(qdd), tau.values[0], rtol=0, atol=1e-9)
    assert np.allclose(d.accelerations(tau.values[0]), qdd, rtol=0, atol=1e-9)
    energy = 0.5 * qd @ d.mass_matrix.values @ qd
    bodies = [(m.bodies[n], space.jacobian(n, q, qd, point=m.bodies[n].centre_of_mass)) for n in "abc"]
    kinetic = sum(
        0.5 * body.mass * np.sum((J.linear @ qd) ** 2)
        + 0.5 * (J.angular @ qd) @ (J.orientation @ body.inertia @ J.orientation.T) @ (J.angular @ qd)
        for body, J in bodies
    )
    assert np.isclose(energy, kinetic, rtol=1e-12)
    assert d.mass_matrix.unit("slide", "thread") == "kg*m"


def test_other_drives_keep_their_motion() -> None:
    """A pendulum on a slide that a drive moves: its inertia force, and the velocity of the tip without a rate."""
    m = pl.Model("moved", gravity=(0, -9.81, 0))
    base = m.body("base", mass=5, inertia=(1, 1, 1))
    rod = m.body("rod", mass=2, inertia=(0.01, 0.1, 0.1), centre_of_mass=(0.5, 0, 0))
    m.prismatic("slide", m.ground, base, axis="x")
    m.revolute("hinge", base, rod, axis="z")
    m.drive("motion", "slide", displacement=pl.Polynomial([0.0, 3.0, 2.0]))
    angle, qd, qdd = 0.6, 1.5, -2.0
    tau = pl.inverse_dynamics(m, [[angle]], [[qd]], [[qdd]], coordinates="hinge")
    assert np.allclose(tau.values, 0.6 * qdd + 9.81 * np.cos(angle) - np.sin(angle) * 4.0, rtol=0, atol=1e-10)
    J = pl.jacobian(m, rod, "hinge", state={"hinge": angle}, speeds={"hinge": qd}, point=(1.0, 0, 0))
    assert np.allclose(J.drift, [3.0, 0, 0, 0, 0, 0], atol=1e-12)
    assert np.allclose(J.bias[:2], [4.0 - qd**2 * np.cos(angle), -(qd**2) * np.sin(angle)], atol=1e-9)
    both = pl.joint_dynamics(m)
    assert both.coordinates == ("slide", "hinge")  # the driven joint first, without its drive


def test_jacobian_of_two_links() -> None:
    space = pl.JointSpace(arm())
    J = space.jacobian("lower", Q, QD, point=(L2, 0, 0))
    assert np.allclose(J.linear[:2], planar_arm.tip(Q), atol=1e-14) and np.allclose(J.angular[2], 1.0)
    h = 1e-6
    change = (planar_arm.tip(Q + h * QD) - planar_arm.tip(Q - h * QD)) / (2 * h) @ QD
    assert np.allclose(J.bias[:2], change, atol=1e-8)
    own = space.jacobian(space.model.bodies["lower"].frame(position=(L2, 0, 0)), Q, QD, axes="frame")
    assert np.allclose(J.orientation @ own.linear, J.linear) and np.allclose(J.orientation @ own.bias[:3], J.bias[:3])
    assert np.allclose(J.position[:2], [L1 * np.cos(0.7) + L2 * np.cos(-0.5), L1 * np.sin(0.7) + L2 * np.sin(-0.5)])


def test_jacobian_times_rates_is_the_velocity_of_a_sensor() -> None:
    m = arm()
    m.sensor("tip", "lower", at=(L1 + L2, 0, 0))
    run = pl.dynamics(m, duration="0.3 s", step="1 ms", output_step="50 ms")
    for k in (2, 5):
        space = pl.JointSpace(m, state=run, at=float(run.time[k]))
        J = space.jacobian("tip")
        measured = np.r_[run["tip.velocity"][k], run["tip.angular_velocity"][k]]
        # velocities of a run with a fixed step satisfy the constraints to the order of the method
        assert np.allclose(J.values @ space.speeds, measured, atol=2e-5)
        d = space.dynamics()
        acceleration = J.values @ d.accelerations() + J.bias
        assert np.allclose(acceleration[:3], run["tip.acceleration"][k], atol=1e-4)


def test_free_body_has_its_velocities_as_coordinates() -> None:
    m = pl.Model("free", gravity=(0, 0, -9.81))
    m.body("b", mass=2, inertia=(1, 2, 2.5), angular_velocity=(1, 2, 3))
    d = pl.joint_dynamics(m)
    assert d.coordinates[0] == "b.velocity.x" and d.coordinates[-1] == "b.angular_velocity.z"
    assert np.allclose(d.mass_matrix.values, np.diag([2, 2, 2, 1, 2, 2.5]))
    assert np.allclose(d.bias[3:], np.cross([1, 2, 3], [1, 4, 7.5])) and np.allclose(d.gravity[:3], [0, 0, 19.62])


def test_torques_of_a_drive_are_those_of_inverse_dynamics() -> None:
    """A gear stage with friction of rigid teeth: the drive of a run, and the general method."""
    m = pl.Model("stage", gravity=(0, -9.81, 0))
    link = m.body("link", mass=3, inertia=(0.1, 0.2, 0.2), centre_of_mass=(0.5, 0, 0))
    rotor = m.body("rotor", mass=0.2, inertia=(1e-4, 1e-4, 2e-4), position=(0, 0.11, 0))
    m.revolute("joint", m.ground, link, axis="z")
    m.revolute("motor", m.ground, rotor, axis="z")
    small, large = (pl.Gear(teeth=z, normal_module="1 mm", face_width="10 mm") for z in (20, 200))
    m.gear_pair("mesh", m.wheel("wa", rotor, small), m.wheel("wb", link, large), mesh=pl.Rigid(efficiency=0.9))
    m.drive("drive", "motor", angle=pl.Polynomial([0.0, 1.0, 2.0]))
    run = pl.dynamics(m, duration="20 ms", step="1 ms", output_step="5 ms")
    t = run.time[1:]
    tau = pl.inverse_dynamics(m, {"motor": pl.Polynomial([0.0, 1.0, 2.0])}, coordinates="motor", times=t)
    assert tau.method == "general"
    assert np.allclose(tau.values[:, 0], run["drive.torque"].values[1:], rtol=1e-6)


def test_six_axis_arm_needs_the_torques_of_its_controller() -> None:
    """43 bodies, 95 joints, 20 gear joints: rotor torques that a controller computed by virtual work."""
    from pitchline.gallery import robot_arm
    from pitchline.gallery import robot_arm as robot_control

    m = robot_arm.build()
    move = robot_control.move_of(robot_control.SPEED)
    t, torques = robot_arm._torques(move)
    t, torques = t[::100], torques[::100]
    q, qd, qdd = robot_control.trajectory(t, move)
    axes, motors = [f"axis_{i}" for i in range(1, 7)], [f"motor_{i}" for i in range(1, 7)]
    space = pl.JointSpace(m, axes, without=motors)
    tau = space.inverse_dynamics(q, qd, qdd, times=t)
    assert tau.method == "tree"
    ratio = np.array([[121, 0, 0, 0, 0, 0], [0, 141, 0, 0, 0, 0], [0, 0, 101, 0, 0, 0], [0, 0, 0, -66, 0, 0],
                      [0, 0, 0, -1.5, 73.125, 0], [0, 0, 0, -1.5, 1.5, -36.25]])  # fmt: skip
    assert np.allclose(tau.values, torques @ ratio, rtol=0, atol=1e-9 * np.abs(tau.values).max())
    d = space.dynamics(q[7], qd[7])
    assert np.allclose(d.torques(qdd[7]), tau.values[7], rtol=0, atol=1e-9)
