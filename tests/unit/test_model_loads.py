"""Drives and loads: what they keep and how they are placed."""

import json
import math

import numpy as np
import pytest

from pitchline.errors import ModelError
from pitchline.model import (
    Body,
    Bushing,
    Force,
    Joint,
    JointLoad,
    Model,
    Ramp,
    Rotation,
    Sampled,
    Torque,
)

ORDINARY = {"mass": 2.0, "inertia": (1.0, 1.0, 1.0)}


def machine() -> tuple[Model, Body, Joint, Joint, Joint]:
    m = Model("machine", gravity=(0, 0, -9.81))
    a = m.body("a", **ORDINARY, position=(1, 0, 0), orientation=Rotation("x", "90 deg"))
    b = m.body("b", **ORDINARY)
    c = m.body("c", **ORDINARY)
    return (
        m,
        a,
        m.revolute("hinge", m.ground, a),
        m.prismatic("slide", m.ground, b),
        m.cylindrical("both", m.ground, c),
    )


def test_drives() -> None:
    m, _, hinge, _slide, both = machine()
    d = m.drive("motor", hinge, speed="60 rpm")
    assert (d.joint_name, d.coordinate, d.given) == ("hinge", "angle", "speed")
    assert d.function(0.0) == pytest.approx(2 * math.pi)
    d = m.drive("cylinder", "slide", displacement=lambda t: t)
    assert (d.coordinate, d.given) == ("displacement", "position") and isinstance(d.function, Sampled)
    d = m.drive("turn", both, angle=Ramp(0, "90 deg"))
    assert d.function(2.0) == pytest.approx(math.pi / 2)
    d = m.drive("push", both, speed="2 mm/s", coordinate="displacement")
    assert (d.coordinate, d.given, d.function(0)) == ("displacement", "speed", 0.002)
    assert list(m.drives) == ["motor", "cylinder", "turn", "push"]
    m.check()


def test_two_drives_on_one_coordinate() -> None:
    m, _, hinge, _, _ = machine()
    m.drive("motor", hinge, speed=1)
    with pytest.raises(ModelError, match='drive "second": joint "hinge" is already driven by "motor"'):
        m.drive("second", hinge, angle=1)
    screw = m.screw("thread", m.bodies["a"], m.bodies["b"], lead=0.01)
    m.drive("third", screw, angle=1)
    with pytest.raises(ModelError, match='already driven by "third"'):
        m.drive("fourth", screw, displacement=1)


def test_forces() -> None:
    m, a, _, slide, _ = machine()
    f = m.force("pull", a, (0, "1 kN", lambda t: t), at=(1, 0, 3), reaction="b")
    assert isinstance(f, Force) and f.axes == "world" and f.reaction == "b"
    np.testing.assert_allclose(m.placed(f.frame)[0], [1, 0, 3], atol=1e-15)
    np.testing.assert_allclose(f.frame.position, [0, 3, 0], atol=1e-15)
    assert [g(2.0) for g in f.components] == [0.0, 1000.0, 2.0]
    tip = a.frame("tip", position=(0, 0, 1))
    f = m.force("follow", tip, np.array([1.0, 2, 3]), axes="body", reaction=m.ground)
    assert isinstance(f, Force) and f.frame is tip and f.axes == "body"
    on_joint = m.force("press", slide, "-3 kN")
    assert isinstance(on_joint, JointLoad)
    assert (on_joint.joint_name, on_joint.coordinate, on_joint.function(0)) == (
        "slide",
        "displacement",
        -3000,
    )


def test_torques() -> None:
    m, a, hinge, _, _both = machine()
    t = m.torque("twist", a, (0, 0, "5 N*m"), axes="body", reaction="b")
    assert isinstance(t, Torque) and (t.body_name, t.axes, t.reaction) == ("a", "body", "b")
    load = m.torque("load", hinge, "-100 N*m")
    assert isinstance(load, JointLoad) and (load.coordinate, load.function(0)) == ("angle", -100)
    by_name = m.torque("more", "both", 1.0, coordinate="angle")
    assert isinstance(by_name, JointLoad) and by_name.joint_name == "both"


def test_springs() -> None:
    m, a, *_ = machine()
    s = m.spring("s", m.ground, a, stiffness="2 N/mm", damping="3 N*s/m")
    assert (s.free_length, s.stiffness, s.damping, s.tension_only) == (1.0, 2000.0, 3.0, False)
    s = m.string("rope", m.ground, a, at_a=(0, 0, 1), at_b=(0, 0, 3), stiffness=5, free_length="50 cm")
    assert s.tension_only and s.free_length == 0.5
    np.testing.assert_allclose(m.placed(s.frame_b)[0], [0, 0, 3], atol=1e-15)
    s = m.spring("t", m.ground, a, table=((-1, 0, "10 mm"), (-1, 0, "1 kN")), free_length=1)
    assert s.table is not None and s.stiffness == 0.0
    np.testing.assert_array_equal(s.table[0], [-1, 0, 0.01])
    np.testing.assert_array_equal(s.table[1], [-1, 0, 1000])
    m.spring("damper", m.ground, a, damping=1)


def test_torsion_springs_and_stops() -> None:
    m, a, hinge, slide, both = machine()
    t = m.torsion_spring("t", hinge, stiffness="1 N*m/deg", damping="2 N*m*s/rad", free_angle="10 deg")
    assert t.stiffness == pytest.approx(180 / math.pi) and t.free_angle == pytest.approx(math.radians(10))
    turned = a.frame(rotation=Rotation("z", 0.5))
    late = m.revolute("late", m.bodies["b"].frame(position=(1, 0, 0), axis="-y"), turned)
    assert m.torsion_spring("u", late, stiffness=1).free_angle == pytest.approx(m.joint_coordinates(late)[0])
    s = m.stop("stop", hinge, lower="-90 deg", upper="90 deg", stiffness="100 N*m/rad", damping=1)
    assert (s.coordinate, s.lower, s.upper) == ("angle", -math.pi / 2, math.pi / 2)
    s = m.stop("buffer", both, coordinate="displacement", upper="3 mm", stiffness="1 kN/mm")
    assert (s.coordinate, s.lower, s.upper, s.stiffness) == ("displacement", None, 0.003, 1e6)
    m.stop("other", slide, lower=0, stiffness=1)


def test_bushings() -> None:
    m, a, *_ = machine()
    b = m.bushing(
        "soft", m.ground, a, stiffness=("1 kN/mm", 1, 1, "1 N*m/deg", 1, 0), damping=np.full(6, 2.0), axis="x"
    )
    assert isinstance(b, Bushing)
    np.testing.assert_allclose(np.diag(b.stiffness), [1e6, 1, 1, 180 / math.pi, 1, 0])
    np.testing.assert_array_equal(b.damping, 2 * np.eye(6))
    np.testing.assert_allclose(m.placed(b.frame_a)[1][:, 2], [1, 0, 0], atol=1e-15)
    full = np.diag([1e9, 1e9, 1.0, 1e-3, 1e-3, 1e-3])
    full[0, 4] = full[4, 0] = 0.9e3  # positive: |k_04| < sqrt(k_00 k_44)
    np.testing.assert_array_equal(m.bushing("full", m.ground, a, stiffness=full).stiffness, full)
    full[0, 4] = full[4, 0] = 1.1e3
    with pytest.raises(ModelError, match='bushing "worse": stiffness is not positive semidefinite'):
        m.bushing("worse", m.ground, a, stiffness=full)


def test_description_and_summary() -> None:
    m, a, hinge, slide, _both = machine()
    m.drive("motor", hinge, speed=Ramp(0, "60 rpm"))
    m.force("pull", a, (0, 1, lambda t: t), at=(0, 0, 1), reaction=m.ground)
    m.torque("twist", a, (0, 0, 1))
    m.torque("load", hinge, 3)
    m.spring("spring", m.ground, a, table=((0, 1), (0, 5)))
    m.torsion_spring("torsion", hinge, stiffness=1)
    m.bushing("bushing", m.ground, a, stiffness=[1] * 6)
    m.stop("stop", slide, lower=0, stiffness=1)
    data = json.loads(json.dumps(m.describe(), allow_nan=False))
    assert set(data) == {"name", "gravity", "bodies", "joints", "drives", "loads"}
    assert data["joints"]["hinge"]["kind"] == "revolute"
    assert data["loads"]["pull"]["components"][2]["function"] == "callable"
    assert data["loads"]["spring"]["type"] == "Spring"
    assert data["drives"]["motor"]["function"]["end"] == pytest.approx(2 * math.pi)
    text = m.summary()
    for name in (*m.bodies, *m.joints, *m.drives, *m.loads):
        assert name in text
    assert text.startswith('Model "machine": 3 bodies, 3 joints, 1 drive, 7 loads')
    assert Model("empty").summary().startswith('Model "empty": 0 bodies')
    assert repr(m) == "Model('machine': 3 bodies, 3 joints)"


def test_all_problems_are_listed_at_once() -> None:
    m = Model("m")
    with pytest.raises(ModelError, match="has no bodies"):
        m.check()
    nothing = {"mass": 0, "inertia": (0, 0, 0)}
    m.body("ghost", **nothing)
    m.body("point", mass=1, inertia=(0, 0, 0))
    held = m.body("held", **nothing)
    cushioned = m.body("cushioned", mass=1, inertia=(0, 0, 0))
    m.fixed("weld", m.ground, held)
    m.bushing("cushion", m.ground, cushioned, stiffness=[1] * 6)
    m.spherical("ball", m.ground.frame(), m.body("far", **ORDINARY, position=(1, 0, 0)).frame())
    with pytest.raises(ModelError) as caught:
        m.check()
    assert len(caught.value.problems) == 3
    ghost, point, ball = caught.value.problems
    assert 'body "ghost": zero mass on a free body' in ghost
    assert 'body "point": zero inertia on a free body' in point
    assert 'joint "ball"' in ball and "1 m" in ball
    assert str(caught.value).startswith('model "m" has problems (3):')
