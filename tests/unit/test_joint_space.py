"""JointSpace and its short forms: choice of coordinates, states, inputs, messages."""

from collections.abc import Callable

import numpy as np
import pytest
from references.planar_arm import arm, mass, weight

import pitchline as pl

NAMES = ["shoulder", "elbow"]


def test_default_coordinates_are_independent() -> None:
    m = arm(rotors=True)
    assert pl.JointSpace(m).coordinates == ("shoulder", "elbow")
    m.drive("d", "motor_2", angle=0.0)
    assert pl.JointSpace(m).coordinates == ("motor_2", "shoulder")
    assert repr(pl.JointSpace(arm())) == "JointSpace('2R': shoulder, elbow)"


def test_states_by_positions_results_and_times() -> None:
    m = arm()
    by_name = pl.mass_matrix(m, state={"shoulder": "10 deg", "elbow.angle": 0.4})
    assert np.allclose(by_name.positions, [np.pi / 18, 0.4]) and np.allclose(by_name.values, mass(by_name.positions))
    assert np.allclose(pl.mass_matrix(m, state={"elbow": 0.4}).positions, [0.0, 0.4])
    far = pl.mass_matrix(m, state={"elbow": 0.4 + 20 * np.pi})
    assert np.allclose(far.positions, [0.0, 0.4 + 20 * np.pi]) and np.allclose(far.values, mass(far.positions))
    run = pl.dynamics(m, duration="0.2 s", step="1 ms", output_step="50 ms")
    for at, k in ((None, -1), (0.1, 2), ("150 ms", 3)):
        d = pl.joint_dynamics(m, state=run, at=at)
        assert np.allclose(d.positions, [run[f"{n}.angle"].values[k] for n in NAMES], atol=1e-9)
        assert np.allclose(d.speeds, [run[f"{n}.angular_speed"].values[k] for n in NAMES], atol=1e-4)
        assert d.time == run.time[k]
    moving = pl.joint_dynamics(m, state=run, speeds={"shoulder": "60 rpm"})
    assert moving.speeds[0] == pytest.approx(2 * np.pi)


def test_inputs_of_a_motion() -> None:
    m = arm()
    space = pl.JointSpace(m)
    one = space.inverse_dynamics([0.3, 0.2])
    assert np.allclose(one.values, weight(np.array([0.3, 0.2]))) and len(one) == 1
    same = space.inverse_dynamics({"elbow": 0.2, "shoulder": [0.3, 0.3, "0.3 rad"]})
    assert same.values.shape == (3, 2) and np.allclose(same.values, one.values)
    t = np.linspace(0, 1, 4)
    smooth = {"shoulder": pl.Harmonic(0.5, "1 Hz"), "elbow": 0.2}
    moved = space.inverse_dynamics(smooth, times=t)
    w = 2 * np.pi
    q, qd, qdd = 0.5 * np.sin(w * t), 0.5 * w * np.cos(w * t), -0.5 * w * w * np.sin(w * t)
    assert np.allclose(moved.positions[:, 0], q, atol=1e-12)
    by_array = space.inverse_dynamics(*(np.stack([x, y + 0 * t], axis=1) for x, y in ((q, 0.2), (qd, 0.0), (qdd, 0.0))))
    assert np.allclose(moved.values, by_array.values, atol=1e-9)
    assert np.allclose(moved.power, moved.values * moved.speeds)
    signal = moved["elbow"]
    assert signal.name == "elbow.torque" and signal.unit == "N*m" and np.array_equal(np.asarray(moved), moved.values)
    assert [s.name for s in moved] == ["shoulder.torque", "elbow.torque"]
    empty = pl.JointSpace(m, state={"elbow": 1.0})
    assert np.allclose(empty.dynamics().gravity, weight(np.array([0.0, 1.0])))


def test_results_print_names_and_units() -> None:
    d = pl.joint_dynamics(arm())
    assert "shoulder" in str(d) and "N*m" in str(d) and "elbow [rad]" in str(d.mass_matrix)
    assert d.mass_matrix["shoulder", "elbow"] == d.mass_matrix["elbow", "shoulder"] == d.mass_matrix[0, 1]
    assert "angular velocity z [rad/s]" in str(pl.jacobian(arm(), "lower"))
    assert "rms" in str(pl.inverse_dynamics(arm(), [0.0, 0.0]))


def spherical() -> pl.Model:
    m = pl.Model("ball")
    m.spherical("s", m.ground, m.body("b", mass=1, inertia=(1, 1, 1)))
    m.cylindrical("c", m.ground, m.body("d", mass=1, inertia=(1, 1, 1)))
    return m


def with_function() -> pl.Model:
    m = arm()
    m.torque("load", "elbow", lambda t: t**3)
    return m


def elastic() -> pl.Model:
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear)
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.revolute("ja", m.ground, a)
    m.revolute("jb", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("2.6e8 N/m"))
    return m


@pytest.mark.parametrize(
    "action, message",
    [
        (lambda: pl.mass_matrix(arm(), "elbw"), 'no joint "elbw"; did you mean "elbow"'),
        (lambda: pl.mass_matrix(arm(), []), "specify one or more joints"),
        (lambda: pl.mass_matrix(arm(), 3), "must be names of joints, got 3"),
        (lambda: pl.mass_matrix(arm(), ["elbow", 3]), "must be names of joints, got 3"),
        (lambda: pl.mass_matrix(arm(), ["elbow", "elbow"]), '"elbow" is given twice'),
        (lambda: pl.mass_matrix(arm(), "elbow"), 'has 2 degrees of freedom, but 1 coordinate is given. Add "shoulder"'),
        (lambda: pl.mass_matrix(arm(rotors=True), ["shoulder", "elbow", "motor_1"]), '"motor_1" follows from'),
        (lambda: pl.mass_matrix(elastic(), "ja"), 'Teeth of gear pair "mesh" are elastic'),
        (lambda: pl.mass_matrix(spherical(), "s"), '"b.angular_velocity.x"'),
        (lambda: pl.mass_matrix(spherical(), "c"), 'Specify "c.angle" or "c.displacement"'),
        (lambda: pl.mass_matrix(arm(), state={"elbo": 1}), '"elbo" is not one of the coordinates'),
        (lambda: pl.mass_matrix(arm(), state={"elbow": "1 m"}), "elbow"),
        (lambda: pl.mass_matrix(arm(), state=3), "state must be a Result"),
        (lambda: pl.mass_matrix(arm(), at=1.0), "specify the Result as state="),
        (lambda: pl.mass_matrix(3), "expected a Model"),
        (lambda: pl.mass_matrix(arm())["x", "elbow"], 'no coordinate "x"'),
        (lambda: pl.jacobian(arm(), "lowr"), 'no body "lowr"'),
        (lambda: pl.jacobian(arm(), 3), "expected a frame, a body"),
        (lambda: pl.jacobian(arm(), "lower", axes="body"), 'must be "world" or "frame"'),
        (lambda: pl.inverse_dynamics(arm(), [0.0, 0.0], [1.0, 1.0]), "qdd is missing"),
        (lambda: pl.inverse_dynamics(arm(), [0.0, 0.0, 1.0]), "expected the shape (samples, 2) or (2,)"),
        (lambda: pl.inverse_dynamics(arm(), [0.0, np.nan]), "finite"),
        (lambda: pl.inverse_dynamics(arm(), "x"), "expected numbers"),
        (lambda: pl.inverse_dynamics(arm(), {"elbow": 1.0}), '"shoulder" is missing'),
        (lambda: pl.inverse_dynamics(arm(), [[0.0, 0.0]] * 3, times=[0.0, 1.0]), "there are 2 times, but 3 samples"),
        (lambda: pl.inverse_dynamics(arm(), {"elbow": pl.Ramp(0, 1), "shoulder": 0.0}), "Specify times"),
        (
            lambda: pl.inverse_dynamics(arm(), {"elbow": np.sin, "shoulder": 0.0}, times=[0.0, 1.0]),
            "second derivative is not exact",
        ),
        (
            lambda: pl.inverse_dynamics(
                arm(), {"elbow": pl.Ramp(0, 1, 0.2, 0.5, smooth=False), "shoulder": 0.0}, times=[0.0, 1.0]
            ),
            'the speed of "elbow" jumps at t = 0.2 s',
        ),
        (lambda: pl.JointSpace(with_function()).inverse_dynamics([0.0, 0.0], times=2.0), "Specify until=2"),
        (lambda: pl.joint_dynamics(arm(), without="no"), "no part 'no' to remove"),
        (lambda: pl.JointSpace(spherical(), state={"c.angle": 1.0}), "is a velocity and has no position"),
    ],
)
def test_messages(action: Callable[[], object], message: str) -> None:
    with pytest.raises(pl.PitchlineError) as error:
        action()
    assert message in str(error.value)


def test_python_functions_of_loads_are_sampled_for_the_times() -> None:
    t = [0.0, 1.0, 2.0]
    tau = pl.inverse_dynamics(with_function(), [[0.0, 0.0]] * 3, times=t)
    assert np.allclose(tau.values[:, 1] + np.array(t) ** 3, weight(np.zeros(2))[1], atol=1e-7)


def test_elastic_teeth_have_coordinates_on_both_sides() -> None:
    m = elastic()
    space = pl.JointSpace(m)
    assert space.coordinates == ("ja", "jb")
    e = 1e-6  # rotation [rad] of one wheel: a spring along the line of action
    tau = space.inverse_dynamics([[e, 0.0], [0.0, 0.0]])
    assert tau.method == "general" and abs(tau.values[1]).max() < 1e-6
    base = 0.05 * np.cos(np.radians(20))
    assert np.allclose(np.abs(tau.values[0]), 2.6e8 * base**2 * e, rtol=1e-3)


def test_unreachable_positions_of_a_linkage() -> None:
    m = pl.Model("rocker")
    bar = {"mass": 1, "inertia": (0.1, 0.1, 0.1)}
    a = m.body("a", **bar)
    b = m.body("b", position=(0, 1, 0), **bar)
    c = m.body("c", position=(2, 0, 0), **bar)
    m.revolute("j1", m.ground, a, axis="z")
    m.revolute("j2", a, b, at=(0, 1, 0), axis="z")
    m.revolute("j3", b, c, at=(2, 1, 0), axis="z")
    m.revolute("j4", m.ground, c, at=(2, 0, 0), axis="z")
    space = pl.JointSpace(m, "j1")
    assert np.allclose(
        space.mass_matrix([0.3]).values, 0.1 + 0.1 + 1.0
    )  # a parallelogram: b only translates, at one radius
    short = pl.Model("short")
    a = short.body("a", **bar)
    b = short.body("b", position=(0, 1, 0), **bar)
    short.revolute("j1", short.ground, a, axis="z")
    short.revolute("j2", a, b, at=(0, 1, 0), axis="z")
    short.distance("rod", b, short.ground, at_a=(0.5, 1, 0), at_b=(0.5, 0.6, 0))
    with pytest.raises(pl.SolveError, match=r"cannot reach|dead centre"):
        pl.JointSpace(short, "j1").mass_matrix([2.5])


@pytest.mark.parametrize("way", [0.3, 30.0, -2000.0])
def test_slides_reach_positions_of_many_model_lengths(way: float) -> None:
    """The mass matrix of two slides in series does not depend on the position: [m1 + m2, m2 cos; m2 cos, m2]."""
    m = pl.Model("slides")
    m.body("a", mass=2, inertia=(0.1, 0.1, 0.1))
    m.body("b", mass=3, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0))
    m.prismatic("first", m.ground, "a", axis="x")
    m.prismatic("second", "a", "b", axis=(0.6, 0.8, 0))
    m.spring("damper", m.ground, "b", at_a=(-1, -1, 0), at_b=(1, 0, 0), stiffness=0, damping=5)
    found = pl.mass_matrix(m, state={"first": way, "second": 0.5 * way})
    assert found.values == pytest.approx(np.array([[5.0, 1.8], [1.8, 3.0]]), rel=1e-12)
