"""Joints: where their frames sit, their coordinates and their misfits."""

import math

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.model import KINDS, Body, Joint, Model, Rotation

ORDINARY = {"mass": 2.0, "inertia": (1.0, 1.0, 1.0)}
PLACED = [kind for kind in KINDS if kind not in ("screw", "universal", "distance")]


def machine() -> tuple[Model, Body, Body]:
    m = Model("machine")
    a = m.body("a", **ORDINARY, position=(1, 0, 0), orientation=Rotation("x", "90 deg"))
    b = m.body("b", **ORDINARY, position=(1, 2, 0), orientation=Rotation((1, 2, 3), 0.7))
    return m, a, b


@pytest.mark.parametrize("kind", PLACED)
def test_world_points_and_axes(kind: str) -> None:
    m, a, b = machine()
    joint = getattr(m, kind)("j", a, b, at=("500 mm", 1, 2), axis=(0, 3, 4))
    assert (joint.kind, joint.body_a, joint.body_b) == (kind, "a", "b")
    assert joint.coordinates == KINDS[kind]
    for frame in (joint.frame_a, joint.frame_b):
        x, r = m.placed(frame)
        np.testing.assert_allclose(x, [0.5, 1, 2], atol=1e-14)
        np.testing.assert_allclose(r[:, 2], [0, 0.6, 0.8], atol=1e-14)
    assert m.joint_coordinates(joint) == pytest.approx((0, 0), abs=1e-14)
    assert m.joints["j"] is joint
    m.check()


@pytest.mark.parametrize("kind", PLACED)
def test_defaults_are_the_frame_of_b(kind: str) -> None:
    m, a, b = machine()
    make = getattr(m, kind)
    for name, first, second, guide in (("j1", a, b, b), ("j2", m.ground, a, a), ("j3", b, m.ground, b)):
        joint = make(name, first, second)
        for frame in (joint.frame_a, joint.frame_b):
            x, r = m.placed(frame)
            np.testing.assert_allclose(x, guide.position, atol=1e-14)
            np.testing.assert_allclose(r, guide.orientation, atol=1e-14)
    m.check()


def test_one_frame_makes_the_other() -> None:
    m, a, b = machine()
    tip = a.frame("tip", position=(0.1, 0.2, 0.3), axis="x")
    first, second = m.revolute("first", tip, b), m.revolute("second", m.ground, tip)
    assert first.frame_a is tip and second.frame_b is tip
    for joint in (first, second):
        for one, two in zip(m.placed(joint.frame_a), m.placed(joint.frame_b), strict=True):
            np.testing.assert_allclose(one, two, atol=1e-14)


def test_names_work_in_place_of_bodies() -> None:
    m, _a, _b = machine()
    assert m.revolute("j", "ground", "a").body_b == "a"
    assert m.joint_coordinates("j") == pytest.approx((0, 0))
    with pytest.raises(ModelError, match='unknown body "aa"; did you mean "a"'):
        m.revolute("k", "ground", "aa")


def test_coordinates_of_two_frames() -> None:
    m, _a, b = machine()
    on_ground = m.ground.frame(axis="y")
    on_b = b.frame(
        position=b.to_body(np.array([0, 3.0, 0])),
        rotation=b.orientation.T @ on_ground.rotation @ Rotation("z", "30 deg").matrix,
    )
    joint = m.cylindrical("j", on_ground, on_b)
    assert m.joint_coordinates(joint) == pytest.approx((math.radians(30), 3.0))


def test_screw_lead() -> None:
    m, a, b = machine()
    assert m.screw("right", a, b, lead="5 mm").pitch == pytest.approx(0.005 / (2 * math.pi))
    assert m.screw("left", m.ground, b, lead="-5 mm", axis="x").pitch == pytest.approx(-0.005 / (2 * math.pi))


def test_distance_length() -> None:
    m, a, b = machine()
    assert m.distance("d", a, b).length == pytest.approx(2.0)
    assert m.distance("e", m.ground, b, at_a=(1, 1, 0), at_b=(1, 1, 3)).length == pytest.approx(3.0)
    assert m.distance("f", m.ground, b.frame(), at_a=(1, 1, 0), length="1000 mm").length == 1.0
    m.check()


def test_universal_axes() -> None:
    m, a, b = machine()
    joint = m.universal("u", a, b, at=(1, 1, 0), axis="x", axis_b=(0, 1, 1))
    np.testing.assert_allclose(m.placed(joint.frame_a)[1][:, 2], [1, 0, 0], atol=1e-14)
    np.testing.assert_allclose(m.placed(joint.frame_b)[1][:, 0], [0, math.sqrt(0.5), math.sqrt(0.5)], atol=1e-14)
    plain = m.universal("v", a, m.ground)
    np.testing.assert_allclose(m.placed(plain.frame_b)[1], a.orientation, atol=1e-14)
    m.check()


def test_gaps_are_found_by_the_check() -> None:
    m, _a, _b = machine()
    frames = {
        kind: (m.ground.frame(), m.body(f"body {kind}", **ORDINARY).frame(position=(0.3, 0, 0.4))) for kind in KINDS
    }
    for kind, (one, two) in frames.items():
        options = {"screw": {"lead": 0.1}, "distance": {"length": 0.9}}.get(kind, {})
        getattr(m, kind)(f"joint {kind}", one, two, **options)
    with pytest.raises(ModelError) as caught:
        m.check()
    found = {problem.split('"')[1].removeprefix("joint "): problem for problem in caught.value.problems}
    gaps = {
        "revolute": 0.5,
        "prismatic": 0.3,
        "cylindrical": 0.3,
        "spherical": 0.5,
        "universal": 0.5,
        "planar": 0.4,
        "fixed": 0.5,
        "screw": 0.3,
        "distance": 0.4,
        "point_on_line": 0.3,
        "point_on_plane": 0.4,
        "plane_on_plane": 0.4,
    }
    assert set(found) == set(gaps)
    for kind, gap in gaps.items():
        assert f"are {gap:g} m apart" in found[kind]


def test_small_gaps_are_left_to_the_assembly() -> None:
    m, _a, _b = machine()
    m.revolute("j", m.ground.frame(position=(1.0, 0, 0.05)), m.body("c", **ORDINARY, position=(1, 0, 0)).frame())
    m.check()


@pytest.mark.parametrize(
    "kind, axis, fits",
    [
        ("revolute", "x", False),
        ("revolute", "-z", False),
        ("revolute", (0.1, 0, 1), True),
        ("cylindrical", "x", False),
        ("prismatic", "x", False),
        ("fixed", "x", False),
        ("planar", "x", False),
        ("planar", "-z", True),
        ("plane_on_plane", "-z", True),
        ("parallel_axes", "-z", True),
        ("parallel_axes", "y", False),
        ("universal", "-x", False),  # takes x of this frame to the axis z of the other
        ("spherical", "x", True),
        ("point_on_line", "x", True),
    ],
)
def test_directions_that_do_not_fit(kind: str, axis: object, fits: bool) -> None:
    m = Model("m")
    frame = m.body("c", **ORDINARY).frame(axis=axis)
    if fits:
        getattr(m, kind)("j", m.ground.frame(), frame)
        m.check()
    else:
        with pytest.raises(ModelError, match=r'joint "j" .* deg in the initial pose'):
            getattr(m, kind)("j", m.ground.frame(), frame)
        assert "j" not in m.joints


def test_prismatic_and_fixed_see_a_turn_about_the_axis() -> None:
    m = Model("m")
    turned = m.body("c", **ORDINARY).frame(rotation=Rotation("z", "90 deg"))
    m.revolute("hinge", m.ground.frame(), turned)
    for kind in ("prismatic", "fixed"):
        with pytest.raises(ModelError, match="90 deg"):
            getattr(m, kind)("j", m.ground.frame(), turned)


def test_joints_made_by_hand_are_checked() -> None:
    m, a, b = machine()
    for arguments, message in (
        (("j", "hinge", a.frame(), b.frame()), "unknown kind"),
        (("j", "revolute", a, b), "expected a frame"),
        (("j", "revolute", a.frame(), a.frame()), "with itself"),
        (("j", "screw", a.frame(), b.frame()), "needs a lead"),
        (("j", "distance", a.frame(), b.frame()), "needs a length"),
    ):
        with pytest.raises(ModelError, match=message):
            Joint(*arguments)
    assert repr(m.fixed("weld", a, b)) == "Joint('weld', fixed, 'a' - 'b')"
