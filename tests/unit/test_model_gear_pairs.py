"""Gear pairs of every kind: placement, measurement of the initial pose, phase."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.gear_pairs import KINDS, pairs, phase_error, points, rotations
from references.small_gears import LARGE, RACK, RING, SPUR, UNIT

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair
from pitchline.model import Elastic, GearMesh, Model, Rigid
from pitchline.parts.gears.geometry.placement import axial_rotation

COSINE = math.cos(math.radians(20))

EPS = np.finfo(float).eps


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
    assert mesh.law.backlash == pytest.approx(mesh.length_factor * max(0.0, pair.backlash), abs=rounding(m))
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
    assert mesh.law.backlash == mesh.length_factor * pair.backlash and mesh.pair.backlash == pair.backlash
    assert mesh.pair.centre_distance == pair.centre_distance


def test_parallel_wheels_run_where_they_stand() -> None:
    """a cos α_wt = a_d cos α_t; the backlash follows."""
    m = Model("m")
    m.gear_body("a", SPUR)
    m.gear_body("b", LARGE, position=("120.3 mm", 0, 0))
    mesh = m.gear_pair("mesh", "a", "b")
    assert isinstance(mesh.mesh, Rigid) and mesh.law.rigid
    assert mesh.pair.centre_distance == pytest.approx(0.1203, rel=1e-15)
    assert math.cos(mesh.pair.normal_working_pressure_angle) == pytest.approx(
        120 / 120.3 * math.cos(math.radians(20)), rel=1e-12
    )
    assert mesh.law.backlash == pytest.approx(GearPair(SPUR, LARGE, centre_distance="120.3 mm").normal_backlash)
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
        assert outer.law.effective_mass == pytest.approx(planet.inertia[2, 2] / (0.06 * COSINE) ** 2)
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
    assert law.effective_mass == pytest.approx(inertia / (0.04 * COSINE) ** 2, rel=1e-13)


def test_a_rack_counts_by_its_mass() -> None:
    m = Model("m")
    m.gear_body("pinion", SPUR)
    rack = m.gear_body("rack", RACK, mesh_with="pinion")
    law = m.gear_pair("mesh", "pinion", "rack", mesh=Elastic(1e8, damping_ratio=0.1)).law
    assert law.effective_mass == pytest.approx(1 / (0.04**2 / SPUR.blank.inertia[2] + 1 / rack.mass) / COSINE**2)


def test_kubo_rig_as_a_model() -> None:
    """Units as printed (lbf, in, s): m_e = I/(2 r²), c = 2 ζ sqrt(k m_e); Cardona 1997, section 7.3."""
    m = Model("kubo")
    gear = Gear(teeth=25, normal_module=2 * 1.9685 / 25)
    rotor = {"mass": 0.00536, "inertia": (0.0102, 0.0102, 0.0102)}
    a = m.gear_body("a", gear, **rotor)
    b = m.gear_body("b", gear, mesh_with=a, **rotor)
    law = m.gear_pair("mesh", a, b, mesh=Elastic(14.77e6, damping_ratio=0.1, along="hoop")).law.along_hoop(COSINE)
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
    with pytest.raises(ModelError, match='body "shaft" has 2 wheels; specify one of them: "wheel", "second"'):
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
    assert text.startswith('gear pair "mesh": as placed, the teeth overlap by 5.90426') and 'phase="fit"' in text
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
