"""Bodies, frames and orientations."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.model import Body, Model, Rotation, bar
from pitchline.solids.rotations import direction, misalignment, read_rotation, rotation_angle, z_to

ORDINARY = {"mass": 2.0, "inertia": (1.0, 1.0, 1.0)}


def test_a_body_keeps_what_was_said() -> None:
    m = Model("machine", gravity=(0, 0, "-9.81 m/s^2"))
    b = m.body(
        "link",
        mass="2 kg",
        inertia=("100 kg*mm^2", 2e-4, 2.5e-4),
        centre_of_mass=("10 mm", 0, 0),
        position=("1 m", 0, 0),
        orientation={"axis": (0, 0, 2), "angle": "90 deg"},
        velocity=("1 m/s", 0, 0),
        angular_velocity=(0, 0, "60 rpm"),
    )
    assert m.bodies == {"link": b}
    assert b.mass == 2.0
    np.testing.assert_allclose(np.diag(b.inertia), [1e-4, 2e-4, 2.5e-4])
    np.testing.assert_allclose(b.centre_of_mass, [0.01, 0, 0])
    np.testing.assert_allclose(b.orientation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_allclose(b.angular_velocity, [0, 0, 2 * math.pi])
    np.testing.assert_allclose(b.to_world(np.array([1.0, 0, 0])), [1, 1, 0], atol=1e-15)
    np.testing.assert_allclose(b.to_body(np.array([1.0, 1, 0])), [1, 0, 0], atol=1e-15)
    np.testing.assert_array_equal(m.gravity, [0, 0, -9.81])
    m.gravity = (0, "-9.81 m/s^2", 0)
    np.testing.assert_array_equal(m.gravity, [0, -9.81, 0])
    with pytest.raises(ModelError, match="gravity"):
        m.gravity = 9.81
    with pytest.raises(AttributeError):
        m.name = "other"  # type: ignore[misc]


def test_ground() -> None:
    m = Model("machine")
    assert m.ground.is_ground and m.ground.name == "ground" and m.ground.mass == 0.0
    assert "ground" not in m.bodies
    np.testing.assert_array_equal(m.ground.orientation, np.eye(3))
    assert not m.body("a", **ORDINARY).is_ground


def test_solids_give_mass_and_inertia() -> None:
    solid = bar(1, 0.1, 0.1, mass=2).moved((0.5, 0, 0))
    b = Model("m").body("link", solid=solid, centre_of_mass=(0, 0, 0.25))
    assert b.mass == 2.0
    np.testing.assert_array_equal(b.inertia, solid.inertia)
    np.testing.assert_array_equal(b.centre_of_mass, [0.5, 0, 0.25])


def test_everything_is_frozen() -> None:
    m = Model("m")
    b = m.body("link", **ORDINARY)
    for field in dataclasses.fields(b):
        value = getattr(b, field.name)
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable, field.name
    with pytest.raises(dataclasses.FrozenInstanceError):
        b.mass = 3.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        m.bodies["other"] = b  # type: ignore[index]


def test_a_refused_body_leaves_no_trace() -> None:
    m = Model("m")
    with pytest.raises(ModelError):
        m.body("link", mass=-1, inertia=(1, 1, 1))
    assert not m.bodies
    m.body("link", **ORDINARY)


def test_full_inertia_is_made_symmetric() -> None:
    inertia = [[2.0, 0.1, 0.0], [0.1 + 1e-12, 2.0, 0.0], [0.0, 0.0, 2.0]]
    b = Model("m").body("a", mass=1, inertia=inertia)
    np.testing.assert_array_equal(b.inertia, b.inertia.T)
    Model("m").body("plate", mass=1, inertia=(1.0, 2.0, 3.0))  # thin: the largest is the sum of the others
    Model("m").body("rod", mass=1, inertia=(0.0, 1.0, 1.0))


def test_frames() -> None:
    b = Model("m").body("a", **ORDINARY, position=(1, 0, 0), orientation=Rotation("x", "90 deg"))
    f = b.frame("tip", position=("5 mm", 0, 0), axis="x")
    assert (f.body_name, f.name, f.owner) == ("a", "tip", b)
    np.testing.assert_allclose(f.rotation[:, 2], [1, 0, 0], atol=1e-15)
    np.testing.assert_array_equal(b.frame().rotation, np.eye(3))
    np.testing.assert_allclose(
        b.frame(rotation=(math.sqrt(0.5), 0, 0, math.sqrt(0.5))).rotation[:, 0], [0, 1, 0], atol=1e-15
    )
    with pytest.raises(ModelError, match="not both"):
        b.frame("tip", axis="x", rotation=np.eye(3))


def test_models_can_be_copied_and_pickled() -> None:
    m = Model("m")
    a = m.body("a", **ORDINARY)
    tip = a.frame("tip")
    m.revolute("hinge", m.ground, tip)
    for twin in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert twin.describe() == m.describe()
        twin.body("b", **ORDINARY)
        twin.spherical("ball", twin.bodies["a"], twin.bodies["b"])
        twin.revolute("second", twin.ground, twin.joints["hinge"].frame_b)
        assert "b" not in m.bodies
        with pytest.raises(ModelError, match="another model"):
            twin.spherical("other", a, twin.ground)


units = st.floats(-1, 1).filter(lambda x: abs(x) > 1e-3)


@given(st.tuples(units, units, units), st.floats(-10, 10))
def test_rotations_agree_in_all_forms(axis: tuple[float, float, float], angle: float) -> None:
    r = Rotation(axis, angle).matrix
    n = np.array(axis) / np.linalg.norm(axis)
    np.testing.assert_allclose(r @ r.T, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(r @ n, n, atol=1e-14)
    quaternion = (math.cos(angle / 2), *(math.sin(angle / 2) * n))
    for form in (
        r,
        r.tolist(),
        quaternion,
        np.array(quaternion),
        {"axis": axis, "angle": angle},
        Rotation(axis, angle),
    ):
        np.testing.assert_allclose(read_rotation(form, what="x"), r, atol=1e-14)
    assert rotation_angle(r) == pytest.approx(abs(math.remainder(angle, 2 * math.pi)), abs=1e-7)


@given(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1)).filter(lambda v: any(v)))
def test_z_is_taken_to_any_axis(v: tuple[float, float, float]) -> None:
    axis = direction(v, what="axis")
    r = z_to(axis)
    np.testing.assert_allclose(r[:, 2], axis, atol=1e-12)
    np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-12)
    assert np.linalg.det(r) > 0


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-9, 1e-7, 1e-4, 0.04, 0.05])
def test_z_is_taken_close_to_minus_z(tilt: float) -> None:
    axis = direction((tilt, -2 * tilt, -1), what="axis")
    r = z_to(axis)
    np.testing.assert_allclose(r[:, 2], axis, atol=1e-13)
    np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-13)
    assert np.linalg.det(r) > 0


def test_directions() -> None:
    np.testing.assert_array_equal(direction("-y", what="a"), [0, -1, 0])
    np.testing.assert_array_equal(direction((0, 0, 1e99), what="a"), [0, 0, 1])
    np.testing.assert_array_equal(direction((1e-200, 0, 0), what="a"), [1, 0, 0])
    assert misalignment(np.array([1.0, 0, 0]), np.array([-1.0, 0, 0])) == pytest.approx(math.pi)


def test_bodies_print_well() -> None:
    assert repr(Body("link", 2, (1, 1, 1))) == "Body('link', mass=2)"
    assert repr(Model("m").ground) == "Body('ground')"
    assert "tip" in repr(Body("link", 2, (1, 1, 1)).frame("tip"))
