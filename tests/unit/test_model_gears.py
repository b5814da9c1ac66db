"""Wheels on bodies and gear pairs: placement, measurement of the initial pose, phase, messages, descriptions."""

import copy
import json
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.gear_pairs import KINDS, pairs, phase_error, points, rotations

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack
from pitchline.gears.placement import axial_rotation
from pitchline.model import Body, Elastic, GearMesh, Model, Rigid, Rotation, Wheel, cylinder
from pitchline.model.rotations import z_to

EPS = np.finfo(float).eps
SPUR = Gear(teeth=20, normal_module="4 mm", face_width="20 mm")
LARGE = SPUR.with_(teeth=40)
RING = Gear(teeth=80, normal_module="4 mm", face_width="20 mm", internal=True, rim_diameter="360 mm")
RACK = Rack(teeth=21, normal_module="4 mm", face_width="20 mm", depth="10 mm")
UNIT = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}


def said_of(pair: GearPair) -> dict[str, float]:
    """What must be said to place the second gear of a pair: distances that may be chosen, angles of crossed axes."""
    said = {}
    if pair.kind.parallel or pair.kind == "hypoid":
        said["centre_distance"] = pair.centre_distance
    if pair.kind == "crossed helical" or (pair.kind == "rack and pinion" and pair.shaft_angle):
        said["shaft_angle"] = pair.shaft_angle
    return said


def poses(m: Model, mesh: GearMesh) -> tuple[np.ndarray, ...]:
    return (*m.placed(mesh.wheel_a.frame), *m.placed(mesh.wheel_b.frame))


def rounding(m: Model) -> float:
    """What rounding of positions and directions leaves of a length [m]."""
    return 256 * EPS * (m.size + 1.0)


# ------------------------------------------------------------------------------------------------ wheels on bodies


def test_a_gear_body_has_the_axes_and_the_blank_of_its_gear() -> None:
    m = Model("m")
    body = m.gear_body("pinion", SPUR, position=("10 mm", 0, 0), axis="x", phase="90 deg", angular_velocity=(1, 0, 0))
    blank = SPUR.blank
    assert body.mass == blank.mass
    np.testing.assert_allclose(np.diag(body.inertia), blank.inertia)
    np.testing.assert_array_equal(body.position, [0.01, 0, 0])
    np.testing.assert_allclose(body.orientation, z_to(np.array([1.0, 0, 0])) @ Rotation("z", math.pi / 2).matrix)
    np.testing.assert_array_equal(body.angular_velocity, [1, 0, 0])
    wheel = m.wheels["pinion"]
    assert m.bodies == {"pinion": body} and wheel.gear is SPUR and wheel.body_name == "pinion" and not wheel.is_rack
    for found, wanted in zip(m.placed(wheel.frame), (body.position, body.orientation), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert repr(wheel) == "Wheel('pinion': Gear of 20 teeth on 'pinion')"


def test_the_centre_of_mass_of_a_bevel_blank_is_off_its_mean_circle() -> None:
    bevel = Gear(teeth=20, normal_module="4 mm", face_width="20 mm", cone_angle="45 deg")
    body = Model("m").gear_body("bevel", bevel)
    np.testing.assert_allclose(body.centre_of_mass, bevel.blank.centre_of_mass)
    assert body.centre_of_mass[2] > 0.0
    moved = Model("m").gear_body("bevel", bevel, centre_of_mass=(0, 0, "1 mm"))
    np.testing.assert_array_equal(moved.centre_of_mass, [0, 0, 0.001])


def test_mass_and_inertia_may_be_said() -> None:
    m = Model("m")
    blank = SPUR.blank
    both = m.gear_body("both", SPUR, mass="2 kg", inertia=(1, 1, 1.5))
    assert both.mass == 2.0 and both.inertia[2, 2] == 1.5
    heavy = m.gear_body("heavy", SPUR, mass=2 * blank.mass)  # a mass alone scales the inertia
    np.testing.assert_allclose(np.diag(heavy.inertia), 2 * np.array(blank.inertia))
    other = m.gear_body("other", SPUR, inertia=(1, 1, 1.5))
    assert other.mass == blank.mass and other.inertia[2, 2] == 1.5
    solid = m.gear_body("solid", SPUR, solid=cylinder(1, 1, mass=3), centre_of_mass=(0, 0, 1))
    assert solid.mass == 3.0 and solid.centre_of_mass[2] == 1.0
    bare = SPUR.with_(face_width=None)
    assert m.gear_body("bare", bare, **UNIT).mass == 1.0
    assert m.gear_body("rack", RACK).mass == pytest.approx(RACK.blank.mass)


def test_a_wheel_on_a_body_or_on_the_ground() -> None:
    m = Model("m")
    shaft = m.body("shaft", **UNIT, position=(1, 0, 0), orientation={"axis": "y", "angle": "90 deg"})
    wheel = m.wheel("wheel", shaft, SPUR, at=(1.5, 0, 0), axis="x")
    x, R = m.placed(wheel.frame)
    np.testing.assert_allclose(x, [1.5, 0, 0], atol=1e-15)
    np.testing.assert_allclose(R, z_to(np.array([1.0, 0, 0])), atol=1e-15)
    np.testing.assert_allclose(wheel.frame.position, [0, 0, 0.5], atol=1e-15)
    plain = m.wheel("plain", "shaft", SPUR, phase="30 deg")
    np.testing.assert_allclose(m.placed(plain.frame)[0], shaft.position)
    np.testing.assert_allclose(
        m.placed(plain.frame)[1], shaft.orientation @ Rotation("z", math.pi / 6).matrix, atol=1e-15
    )
    framed = m.wheel("framed", shaft.frame(position=(0, 1, 0)), SPUR)
    np.testing.assert_allclose(m.placed(framed.frame)[0], shaft.to_world(np.array([0, 1, 0])))
    ring = m.wheel("ring", m.ground, RING, at=(0, 0, 1), orientation={"axis": "z", "angle": 0.1})
    assert ring.body_name == "ground" and ring.frame.position[2] == 1.0
    assert list(m.wheels) == ["wheel", "plain", "framed", "ring"] and list(m.bodies) == ["shaft"]
    with pytest.raises(TypeError):
        m.wheels["wheel"] = wheel  # type: ignore[index]


def test_models_with_gears_can_be_copied() -> None:
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, mesh_with="a")
    m.gear_pair("mesh", "a", "b", mesh=Elastic(1e8))
    again = copy.deepcopy(m)
    assert again.gear_pairs["mesh"].law.mean_stiffness == m.gear_pairs["mesh"].law.mean_stiffness


# ---------------------------------------------------------------------------------------------- pairs of every kind


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_wheel_made_to_mesh_is_in_phase(kind: str, data: st.DataObject) -> None:
    """u = 0 as placed, the pair is the one meant, and the teeth engage by a count that knows nothing of the triads."""
    pair, R = data.draw(pairs(kind)), data.draw(rotations())
    towards = data.draw(points)
    assume(np.linalg.norm(np.cross(towards, R[:, 2])) > 0.1 * np.linalg.norm(towards) > 1e-3)
    m = Model("m")
    a = m.gear_body("a", pair.a, position=data.draw(points), orientation=R, **UNIT)
    b = m.gear_body("b", pair.b, mesh_with=a, towards=towards, **said_of(pair), **UNIT)
    mesh = m.gear_pair("mesh", a, b, phase="as placed")
    assert mesh.pair.kind == pair.kind == kind
    assert mesh.pair.centre_distance == pytest.approx(pair.centre_distance, rel=1e-9)
    assert mesh.law.backlash == pytest.approx(max(0.0, pair.backlash), abs=rounding(m))
    assert abs(mesh.alignment.tooth_offset) < rounding(m)
    assert not any("overlap by" in text and "as placed" in text for text in mesh.warnings)
    pitch_point = a.position + pair.pitch.radius_a * mesh.alignment.mesh[:, 1]
    assert abs(phase_error(pair, poses(m, mesh), pitch_point)) < 1e-9


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_teeth_are_fitted_to_the_initial_pose(kind: str, data: st.DataObject) -> None:
    """B turned (a rack moved) by any amount: u = 0 after the fit, and triads and points are still those of the pose."""
    pair, R = data.draw(pairs(kind)), data.draw(rotations())
    place = pair.place(position=(x := data.draw(points)), rotation=R)
    turn = data.draw(st.floats(-3.0, 3.0))
    rack = kind == "rack and pinion"
    m = Model("m")
    a = m.gear_body("a", pair.a, position=x, orientation=R, **UNIT)
    moved = place.position + (0.01 * turn * place.rotation[:, 1] if rack else 0.0)
    b = m.gear_body("b", pair.b, position=moved, orientation=place.rotation, phase=0.0 if rack else turn, **UNIT)
    left = m.gear_pair("left", a, b, phase="as placed").alignment
    at = m.gear_pair("mesh", a, b).alignment
    p = at.pitch
    expected = 0.5 * p.normal_module * p.teeth_b * turn * p.axis_sign_b
    if rack:
        expected = 0.01 * turn * math.cos(p.beta_b)  # moving the rack along y moves its spaces along ξ3
    assert abs(math.remainder(left.tooth_offset - expected, math.pi * p.normal_module)) < 10 * rounding(m)
    assert abs(at.tooth_offset) < rounding(m)
    np.testing.assert_array_equal(at.point_a, left.point_a)
    np.testing.assert_array_equal(at.triad_a, left.triad_a)
    xi = at.mesh @ p.Z
    contact = a.position + a.orientation @ at.point_a + p.radius_a * at.mesh[:, 1]
    if rack:
        on_line = b.position + b.orientation @ at.point_b + at.psi_b * b.orientation @ at.triad_b[:, 2]
        np.testing.assert_allclose(on_line, contact, atol=10 * rounding(m))
        assert abs(at.psi_b - left.psi_b) <= 0.51 * math.pi * p.normal_module / math.cos(p.beta_b)
    else:
        np.testing.assert_allclose(b.orientation @ at.triad_b, xi @ axial_rotation(at.psi_b), atol=1e-12)
        assert abs(math.remainder(at.psi_b - left.psi_b, 2 * math.pi)) <= math.pi / p.teeth_b * 1.01
        assert -math.pi <= at.psi_b <= math.pi
    for array in (at.point_a, at.point_b, at.triad_a, at.triad_b, at.mesh, left.mesh):
        assert not array.flags.writeable


@settings(max_examples=40, deadline=None)
@given(pairs("helical"), rotations(), points, st.floats(-0.012, 0.012))
def test_wheels_beside_each_other_screw_along_their_teeth(
    pair: GearPair, R: np.ndarray, x: np.ndarray, shift: float
) -> None:
    m = Model("m")
    a = m.gear_body("a", pair.a, position=x, orientation=R, **UNIT)
    b = m.gear_body("b", pair.b, mesh_with=a, axial_shift=shift, centre_distance=pair.centre_distance, **UNIT)
    mesh = m.gear_pair("mesh", a, b, mesh=Elastic(1e8, contact="line"), phase="as placed")
    assert abs(mesh.alignment.tooth_offset) < 10 * rounding(m)
    assert mesh.law.line_width == pytest.approx(0.03 - abs(shift), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(pairs("internal") | pairs("helical"), rotations(), points)
def test_rounding_of_poses_makes_neither_play_nor_overlap(pair: GearPair, R: np.ndarray, x: np.ndarray) -> None:
    """Without a centre distance the wheels stand where they run without backlash; measured, that is exactly so."""
    pair = GearPair(pair.a.with_(backlash_allowance=0.0), pair.b)
    m = Model("m")
    m.gear_body("a", pair.a, position=1e3 * x, orientation=R, **UNIT)
    m.gear_body("b", pair.b, mesh_with="a", **UNIT)
    mesh = m.gear_pair("mesh", "a", "b")
    assert mesh.law.backlash == mesh.pair.backlash == pair.backlash
    assert mesh.pair.centre_distance == pair.centre_distance


def test_parallel_wheels_run_where_they_stand() -> None:
    """a cos α_wt = a_d cos α_t; the backlash follows, along the line of action or not."""
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, position=("120.3 mm", 0, 0))
    mesh = m.gear_pair("mesh", "a", "b")
    assert isinstance(mesh.mesh, Rigid) and mesh.law.rigid
    assert mesh.pair.centre_distance == pytest.approx(0.1203, rel=1e-15)
    assert math.cos(mesh.pair.normal_working_pressure_angle) == pytest.approx(
        120 / 120.3 * math.cos(math.radians(20)), rel=1e-12
    )
    assert mesh.law.backlash == pytest.approx(GearPair(SPUR, LARGE, centre_distance="120.3 mm").backlash)
    # said, the distance is not measured: the wheels then stand off their places
    off = m.gear_pair("nominal", "a", "b", centre_distance="120.25 mm", mesh=Rigid(backlash=0))
    assert off.pair.centre_distance == 0.12025


def test_shaft_angle_of_parallel_axes_may_be_said() -> None:
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, position=("120.3 mm", 0, 0))
    assert m.gear_pair("mesh", "a", "b", shaft_angle=0).pair.centre_distance == pytest.approx(0.1203)


def test_the_pinion_of_a_rack_is_a() -> None:
    m = Model("m")
    pinion = m.gear_body("pinion", SPUR)
    rack = m.gear_body("rack", RACK, mesh_with=pinion, towards="-y", tooth=3)
    # a tooth of the pinion points down, into space 3 of the rack: its middle tooth is three and a half pitches away
    aside = rack.position - [0, -0.04, 0]
    assert np.linalg.norm(aside) == pytest.approx(3.5 * RACK.transverse_pitch, rel=1e-12)
    assert aside @ rack.orientation[:, 1] < 0.0
    mesh = m.gear_pair("mesh", rack, pinion, phase="as placed")
    assert mesh.wheel_a.name == "pinion" and mesh.wheel_b.name == "rack" and mesh.pair.kind == "rack and pinion"
    assert abs(mesh.alignment.tooth_offset) < 1e-15


def test_planets_and_a_ring_on_the_ground() -> None:
    """Three planets between a sun and a ring that is fixed on the ground, (80 + 20)/3 not whole: all fitted."""
    m = Model("m")
    sun = m.gear_body("sun", SPUR)
    ring = m.wheel("ring", m.ground, RING)
    for k in range(3):
        direction = (math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3), 0)
        planet = m.gear_body(f"planet{k}", SPUR.with_(teeth=30), mesh_with=sun, towards=direction)
        inner = m.gear_pair(f"sun{k}", sun, planet, phase="as placed")
        outer = m.gear_pair(f"ring{k}", planet, ring, mesh=Elastic(1e8, damping_ratio=0.1))
        assert inner.alignment.tooth_offset == pytest.approx(0.0, abs=1e-15)
        assert outer.alignment.tooth_offset == pytest.approx(0.0, abs=1e-15)
        assert outer.pair.kind == "internal" and outer.law.backlash == 0.0
        assert outer.law.effective_mass == pytest.approx(planet.inertia[2, 2] / 0.06**2)
    assert len(m.gear_pairs) == 6


def test_inertia_about_the_axis_of_the_wheel() -> None:
    """z·J·z + m d²: d from the axis of the wheel to the centre of mass of its body, which is off it."""
    m = Model("m")
    body = m.body(
        "lever", mass=3.0, inertia=(2.0, 3.0, 4.0), centre_of_mass=(0.3, 0.4, 7.0),
        position=(1, 2, 3), orientation={"axis": (1, 1, 0), "angle": 0.7},
    )  # fmt: skip
    frame = body.frame(axis=(0, 1, 1))
    wheel = m.wheel("wheel", frame, SPUR)
    other = m.wheel("fixed", m.ground, LARGE, mesh_with=wheel)
    law = m.gear_pair("mesh", wheel, other, mesh=Elastic(1e8, damping_ratio=0.1)).law
    axis = np.array([0, 1, 1]) / math.sqrt(2)
    arm = np.array([0.3, 0.4, 7.0])
    inertia = axis @ np.diag([2.0, 3.0, 4.0]) @ axis + 3.0 * (arm @ arm - (arm @ axis) ** 2)
    assert law.effective_mass == pytest.approx(inertia / 0.04**2, rel=1e-13)


def test_a_rack_counts_by_its_mass() -> None:
    m = Model("m")
    m.gear_body("pinion", SPUR)
    rack = m.gear_body("rack", RACK, mesh_with="pinion")
    law = m.gear_pair("mesh", "pinion", "rack", mesh=Elastic(1e8, damping_ratio=0.1)).law
    assert law.effective_mass == pytest.approx(1 / (0.04**2 / SPUR.blank.inertia[2] + 1 / rack.mass))


def test_kubo_rig_as_a_model() -> None:
    """Units as printed (lbf, in, s): m_e = I/(2 r²), c = 2 ζ sqrt(k m_e); Cardona 1997, section 7.3."""
    m = Model("kubo")
    gear = Gear(teeth=25, normal_module=2 * 1.9685 / 25)
    rotor = {"mass": 0.00536, "inertia": (0.0102, 0.0102, 0.0102)}
    a = m.gear_body("a", gear, **rotor)
    b = m.gear_body("b", gear, mesh_with=a, **rotor)
    law = m.gear_pair("mesh", a, b, mesh=Elastic(14.77e6, damping_ratio=0.1, along="hoop")).law
    assert law.effective_mass == pytest.approx(0.0013161316645213938, rel=1e-9)
    assert law.damping == pytest.approx(27.88495270570204, rel=1e-9)


def test_wheels_are_found_by_themselves_their_bodies_and_their_names() -> None:
    m = Model("m")
    a = m.gear_body("a", SPUR)
    shaft = m.body("shaft", **UNIT, position=("120 mm", 0, 0))
    wheel = m.wheel("wheel", shaft, LARGE)
    for k, (first, second) in enumerate(((a, wheel), ("a", "wheel"), (m.wheels["a"], shaft), (a, "shaft"))):
        assert m.gear_pair(f"mesh{k}", first, second).wheel_b is wheel
    m.wheel("second", shaft, SPUR, at=("120 mm", 0, "50 mm"))
    with pytest.raises(ModelError, match='body "shaft" has 2 wheels; say which: "wheel", "second"'):
        m.gear_pair("mesh", a, shaft)
    # the wheel that came with its body has its name, and is meant even where there are others
    m.wheel("third", a, LARGE, at=(0, 0, "50 mm"))
    assert m.gear_pair("mesh", a, wheel).wheel_a.name == "a"


def test_teeth_that_overlap_as_placed_are_told() -> None:
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, position=("120 mm", 0, 0))  # tooth against tooth
    mesh = m.gear_pair("mesh", "a", "b", phase="as placed")
    assert abs(mesh.alignment.tooth_offset) == pytest.approx(0.5 * math.pi * 0.004)
    (text,) = [text for text in mesh.warnings if "as placed" in text]
    assert text.startswith('gear pair "mesh": as placed the teeth overlap by 6.28318') and 'phase="fit"' in text
    assert not m.gear_pair("fit", "a", "b").warnings
    # inside the play, on whichever side it lies, nothing overlaps
    for side, turn, good in (
        ("centred", 4e-4, True),
        ("drive", 4e-4, False),
        ("drive", -4e-4, True),
        ("coast", 4e-4, True),
    ):
        n = Model("n")
        n.gear_body("a", SPUR, phase=turn)
        n.gear_body("b", LARGE, position=("120 mm", 0, 0), phase=math.pi / 40)
        play = n.gear_pair("mesh", "a", "b", mesh=Rigid(backlash="50 um", backlash_side=side), phase="as placed")
        assert play.alignment.tooth_offset == pytest.approx(0.04 * turn, rel=1e-9)
        assert bool(play.warnings) != good


# -------------------------------------------------------------------------------------------------------- messages


def machine() -> Model:
    m = Model("machine")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, mesh_with="a")
    m.gear_body("rack", RACK, mesh_with="a", towards="-x")
    m.wheel("beside", "a", SPUR, at=(0, 0, "40 mm"))
    m.body("bare", **UNIT)
    m.wheel("fixed", m.ground, SPUR, at=(0, 1, 0))
    m.wheel("second", m.ground, SPUR, at=("80 mm", 1, 0))
    m.wheel("rail", m.ground, RACK, at=(0, 2, 0))
    return m


OTHER = Model("other")
STRANGER = OTHER.gear_body("a", SPUR)
GEAR_BODY: dict[str, Any] = {"gear": SPUR}


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"gear": "spur"}, "expected a Gear or a Rack, got 'spur'"),
        ({"position": (0, 0)}, "position: expected 3 values"),
        ({"position": "1 m"}, "position"),
        ({"axis": "w"}, "axis: 'w' is not a direction"),
        ({"axis": "z", "orientation": (1, 0, 0, 0)}, "give axis or orientation, not both"),
        ({"phase": "1 m"}, "phase: expected angle"),
        ({"gear": RACK, "phase": 0.1}, "phase turns a wheel about its axis, a rack has none"),
        ({"towards": "x"}, "mesh_with is missing; say which wheel, or leave out towards"),
        ({"centre_distance": 1, "axial_shift": 1}, "leave out axial_shift and centre_distance"),
        ({"mesh_with": "a", "position": (0, 0, 0)}, "mesh_with already says where and which way; leave out position"),
        ({"mesh_with": "a", "axis": "z", "phase": 1}, "leave out axis and phase"),
        ({"mesh_with": "c"}, 'mesh_with: unknown wheel "c"; known: "a", "b"'),
        ({"mesh_with": "bare"}, 'body "bare" has no gear; make it with gear_body(...)'),
        ({"mesh_with": STRANGER}, 'body "a" belongs to another model'),
        ({"mesh_with": OTHER.wheels["a"]}, 'wheel "a" belongs to another model'),
        ({"mesh_with": 3}, "expected a wheel, a body with a gear or the name of one, got 3"),
        ({"mesh_with": "rack"}, '"rack" is a rack, which does not say where along it the wheel shall stand'),
        ({"mesh_with": "a", "gear": RACK, "tooth": 0.5}, "tooth must be a whole number, got 0.5"),
        ({"mesh_with": "a", "tooth": 1}, "tooth says which space of a rack"),
        ({"mesh_with": "a", "towards": (0, 0, 1)}, "lies along the axis of wheel A"),
        ({"mesh_with": "a", "gear": SPUR.with_(normal_module="3 mm")}, '("a" is A, "new" is B): normal modules differ'),
        ({"mesh_with": "a", "gear": SPUR.with_(helix_angle="10 deg")}, "helix angles"),
        ({"gear": SPUR.with_(face_width=None)}, "needs the face width; give face_width"),
        ({"gear": SPUR.with_(face_width=None)}, "or give mass and inertia of the body, or solid"),
        ({"gear": Rack(teeth=5, normal_module="1 mm", face_width=1)}, "give depth"),
        ({"solid": cylinder(1, 1, mass=1), "mass": 1}, "give solid, or mass and inertia, not both"),
        ({"mass": -1}, "must not be negative"),
        ({"mass": "1 m"}, "mass: expected mass"),
        ({"inertia": (1, 1)}, "inertia"),
    ],
)
def test_gear_bodies_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    before = m.describe()
    with pytest.raises(ModelError) as error:
        m.gear_body("new", **{**GEAR_BODY, **arguments})
    assert message in str(error.value)
    assert '"new"' in str(error.value)
    assert m.describe() == before
    m.gear_body("new", **GEAR_BODY)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"gear": 1}, "expected a Gear or a Rack, got 1"),
        ({"body": "shaft"}, 'unknown body "shaft"'),
        ({"body": STRANGER}, "belongs to another model"),
        ({"at": "here"}, "at: expected 3 values"),
        ({"mesh_with": "a", "at": (0, 0, 0)}, "mesh_with already says where and which way; leave out at"),
        ({"mesh_with": "rack"}, "or place the wheel with at and orientation"),
    ],
)
def test_wheels_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    with pytest.raises(ModelError) as error:
        m.wheel("new", **{"body": "bare", "gear": SPUR, **arguments})
    assert message in str(error.value)
    assert str(error.value).startswith('wheel "new"')
    m.wheel("new", "bare", SPUR)
    with pytest.raises(ModelError, match="a frame already says where and which way; leave out at"):
        m.wheel("framed", m.bodies["bare"].frame(), SPUR, at=(0, 0, 0))
    with pytest.raises(ModelError, match="leave out mesh_with"):
        m.wheel("framed", m.bodies["bare"].frame(), SPUR, mesh_with="a")


def test_names_are_taken_once() -> None:
    m = machine()
    m.gear_pair("mesh", "a", "b")
    for make in (
        lambda name: m.gear_body(name, SPUR),
        lambda name: m.wheel(name, "bare", SPUR),
        lambda name: m.gear_pair(name, "a", "b"),
        lambda name: m.body(name, **UNIT),
        lambda name: m.revolute(name, "ground", "a"),
    ):
        for name, kind in (("a", "body"), ("fixed", "wheel"), ("mesh", "gear pair"), ("bare", "body")):
            with pytest.raises(ModelError, match=f'"{name}": the name is already taken by a {kind}'):
                make(name)
        for name in ("", "a.b", "ground", 3):
            with pytest.raises(ModelError, match="name"):
                make(name)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"a": "x"}, 'a: unknown wheel "x"'),
        ({"b": "bare"}, 'b: body "bare" has no gear'),
        ({"b": None}, "b: expected a wheel, a body with a gear or the name of one, got None"),
        ({"a": STRANGER}, "a: body"),
        ({"b": "beside"}, '"a" and "beside" are both on "a", and cannot turn against each other'),
        ({"b": "a"}, '"a" and "a" are both on "a"'),
        ({"a": "fixed", "b": "second"}, 'both on "ground"'),
        ({"a": "rack", "b": "rail"}, '"rack" and "rail" are both racks; one must be a pinion'),
        ({"phase": 0.1}, 'phase must be "fit" or "as placed", got 0.1'),
        ({"mesh": "rigid"}, "mesh must be Elastic(...), Loaded(...)"),
        ({"mesh": Elastic}, "mesh must be Elastic(...), Loaded(...)"),
        ({"b": "fixed"}, '("a" is A, "fixed" is B): at a centre distance of 1000 mm the teeth do not reach each other'),
        ({"centre_distance": "1 s"}, "centre_distance: expected length"),
        ({"centre_distance": "120.2 mm"}, "the axes are 120 mm apart, the pitch geometry needs 120.2 mm"),
        ({"shaft_angle": "90 deg"}, "shaft angle is 90 deg, but the helix angles 0 deg and 0 deg"),
        ({"shaft_angle": "1 m"}, "shaft_angle: expected angle"),
        ({"mesh": Elastic("ISO 6336"), "b": "rack"}, "stiffness: ISO 6336 gives that of cylindrical wheels"),
    ],
)
def test_pairs_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    m = machine()
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", **{"a": "a", "b": "b", **arguments})
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "mesh"')
    assert not m.gear_pairs
    m.gear_pair("mesh", "a", "b")


HELICAL = SPUR.with_(helix_angle="45 deg")
BEVEL = Gear(teeth=20, normal_module="4 mm", cone_angle="45 deg", face_width="10 mm")


@pytest.mark.parametrize(
    "a, b, position, axis, message",
    [
        (SPUR, LARGE.with_(normal_module="3 mm"), (0.12, 0, 0), "z", "normal modules differ: 4 mm and 3 mm"),
        (SPUR, LARGE, (0.12, 0, 0), "y", "the axes are at 90 deg, those of a spur pair are parallel"),
        (SPUR, LARGE, (0.12, 0, 0.03), "z", "the faces do not meet"),
        (SPUR, LARGE, (0.1, 0, 0), "z", "is too small: the base circles need at least"),
        (SPUR, LARGE, (0.119, 0, 0), "z", "the teeth overlap by"),
        (HELICAL, HELICAL, (0.113, 0, 0), "z", "helix angles 45 deg and 45 deg"),
        (HELICAL, HELICAL, (0.113, 0, 0), (0, 1, 1), "the shaft angle is 45 deg, but the helix angles"),
        (HELICAL, HELICAL, (0.2, 0, 0), "y", "the axes are 200 mm apart"),
        (SPUR, RING, (0.15, 0, 0), "z", "gear pair"),
        (BEVEL, BEVEL, (0.05, 0, 0), "x", "where the pitch cones touch"),
        (BEVEL, BEVEL.with_(helix_angle="10 deg"), (0.05, 0, 0), "x", "spiral angles"),
        (BEVEL, SPUR, (0.1, 0, 0), "z", "a bevel wheel meshes with a bevel wheel"),
        (
            BEVEL.with_(helix_angle="20 deg"),
            BEVEL,
            (0.05, 0.03, 0),
            "x",
            "the distance between the axes is given as 30 mm",
        ),
        (SPUR, RACK, (0.05, 0, 0), "z", "the axes are -50 mm apart"),
    ],
)
def test_wheels_that_do_not_fit_where_they_stand(a: Gear, b: Gear, position: Any, axis: Any, message: str) -> None:
    m = Model("m")
    m.gear_body("a", a, **UNIT)
    m.gear_body("b", b, position=position, axis=axis, **UNIT)
    with pytest.raises(ModelError) as error:
        m.gear_pair("mesh", "a", "b")
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "mesh" ("a" is A, "b" is B): ')


def test_a_wheel_needs_a_gear_and_a_frame() -> None:
    frame = Body("b", 1, (1, 1, 1)).frame()
    for arguments, message in (
        (("w", 1, frame), "expected a Gear or a Rack"),
        (("w", SPUR, None), "expected a frame on a body"),
        (("w.x", SPUR, frame), "must not contain"),
    ):
        with pytest.raises(ModelError, match=re.escape(message)):
            Wheel(*arguments)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------- descriptions


def test_a_model_with_gears_is_described_and_summed_up() -> None:
    m = Model("train")
    m.gear_body("pinion", SPUR)
    m.gear_body("wheel", LARGE, mesh_with="pinion")
    m.gear_body("rack", RACK, mesh_with="pinion", towards="-x")
    bevels = [m.gear_body("bevel", BEVEL, position=(0, 0, 1))]
    bevels.append(m.gear_body("other", BEVEL, mesh_with="bevel"))
    m.gear_pair("mesh", "pinion", "wheel", mesh=Elastic(lambda angle: 1e8 * (1 + 0.1 * math.cos(angle)), friction=0.1))
    m.gear_pair("travel", "rack", "pinion")
    m.gear_pair("corner", *bevels)
    said = json.loads(json.dumps(m.describe(), allow_nan=False))
    assert list(said["wheels"]) == ["pinion", "wheel", "rack", "bevel", "other"]
    assert said["wheels"]["pinion"]["gear"]["teeth"] == 20
    pair = said["gear_pairs"]["mesh"]
    assert (pair["wheel_a"], pair["wheel_b"], pair["kind"]) == ("pinion", "wheel", "spur")
    assert pair["mesh"]["type"] == "Elastic" and pair["mesh"]["friction"] == 0.1
    assert "lambda" in pair["mesh"]["stiffness"][0]["function"]["callable"]
    assert said["gear_pairs"]["travel"]["mesh"]["type"] == "Rigid"
    text = m.summary()
    assert "5 bodies, 0 joints, 0 drives, 0 loads, 5 wheels, 3 gear pairs" in text
    assert "  pinion  20 teeth, module 4 mm, on pinion" in text
    assert "  rack    rack, 21 teeth, module 4 mm, on rack" in text
    assert "  mesh    spur, pinion - wheel, 20:40, 120 mm, Elastic" in text
    assert "  travel  rack and pinion, pinion - rack, 20, 40 mm, Rigid" in text
    assert "  corner  straight bevel, bevel - other, 20:20, 90 deg, Rigid" in text
    assert repr(m) == "Model('train': 5 bodies, 0 joints, 3 gear pairs)"
    assert repr(m.gear_pairs["mesh"]) == "GearMesh('mesh': spur, 'pinion' - 'wheel')"
    m.check()


def test_models_without_gears_do_not_speak_of_them() -> None:
    m = Model("m")
    m.body("a", **UNIT)
    assert "gear" not in m.summary() and "wheel" not in m.summary() and "gear" not in repr(m)
    assert not {"wheels", "gear_pairs"} & set(m.describe())
