"""Where the second wheel belongs: pitch surfaces touch, teeth lie along each other, roll, and are in phase."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.gear_pairs import (
    KINDS,
    frame_at,
    pairs,
    parallel_pairs,
    phase_error,
    points,
    rotations,
    tooth_direction,
)

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack

FEW = settings(max_examples=40)


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(data=st.data())
def test_placed_wheels_mesh(kind: str, data: st.DataObject) -> None:
    """Contact, direction of the teeth, rolling, phase and distances, without the matrices of the pitch geometry."""
    pair = data.draw(pairs(kind))
    x_a, R_a, towards = data.draw(points), data.draw(rotations()), data.draw(points)
    across = towards - (towards @ R_a[:, 2]) * R_a[:, 2]
    if np.linalg.norm(across) < 1e-3:
        towards = R_a[:, 0] + R_a[:, 1]
    assert pair.kind == kind
    placed = pair.place(position=x_a, rotation=R_a, towards=towards)
    x_b, R_b = placed.position, placed.rotation
    np.testing.assert_allclose(R_b.T @ R_b, np.eye(3), atol=1e-13)
    assert np.linalg.det(R_b) == pytest.approx(1.0)
    size = pair.pitch.radius_a

    # The pitch point: r_A across the axis of A, on the side asked for, and r_B from the centre of B.
    radial = towards - (towards @ R_a[:, 2]) * R_a[:, 2]
    point = x_a + pair.pitch.radius_a * radial / np.linalg.norm(radial)
    if not isinstance(pair.b, Rack):
        arm = point - x_b
        assert abs(arm @ R_b[:, 2]) < 1e-12
        assert np.linalg.norm(arm) == pytest.approx(pair.pitch.radius_b, rel=1e-12)

    # Both pitch surfaces share their tangent plane; outward normals are opposite (alike where one wheel is internal).
    n_a, n_b = frame_at(pair.a, x_a, R_a, point)[2], frame_at(pair.b, x_b, R_b, point)[2]
    np.testing.assert_allclose(n_b, n_a if kind == "internal" else -n_a, atol=1e-12)

    # The teeth lie along each other: right-hand is positive on every wheel.
    beta_a, beta_b = pair.working_helix_angles
    t_a = tooth_direction(pair.a, beta_a, x_a, R_a, point)
    t_b = tooth_direction(pair.b, beta_b, x_b, R_b, point)
    np.testing.assert_allclose(np.cross(t_a, t_b), 0.0, atol=1e-7 if kind in ("hypoid", "worm") else 1e-10)

    # Rolling: material velocities at the pitch point differ along the teeth only.
    v_a = np.cross(R_a[:, 2], point - x_a)
    if isinstance(pair.b, Rack):
        v_b = pair.speed_ratio * R_b[:, 1]
    else:
        v_b = pair.speed_ratio * np.cross(R_b[:, 2], point - x_b)
    np.testing.assert_allclose(np.cross(v_a - v_b, t_a), 0.0, atol=1e-7 * size)
    assert np.linalg.norm(v_a - v_b) == pytest.approx(pair.pitch.sliding_ratio * size, abs=1e-10)

    # Phase: the middle of a tooth stands in the middle of a space.
    assert abs(phase_error(pair, (x_a, R_a, x_b, R_b), point)) < 1e-8

    # Axes: their angle and distance.
    if not isinstance(pair.b, Rack):
        z_a, z_b, d = R_a[:, 2], R_b[:, 2], x_b - x_a
        cross = np.cross(z_a, z_b)
        sine = np.linalg.norm(cross)
        angle = math.atan2(sine, abs(z_a @ z_b))
        assert angle == pytest.approx(min(pair.shaft_angle, math.pi - pair.shaft_angle), abs=1e-9)
        apart = abs(d @ cross) / sine if sine > 1e-6 else np.linalg.norm(d - (d @ z_a) * z_a)
        assert apart == pytest.approx(pair.centre_distance, abs=1e-9 * size)
    else:
        assert (x_a - x_b) @ R_b[:, 0] == pytest.approx(pair.centre_distance, rel=1e-12)


@pytest.mark.parametrize("kind", ["spur", "helical", "internal"])
@settings(max_examples=60)
@given(data=st.data())
def test_flanks_touch_on_the_line_of_action(kind: str, data: st.DataObject) -> None:
    """A point of the line of action that is on a flank of A is on a flank of B too, but for half of the backlash.

    This takes working pressure angle, centre distance, tooth thickness, backlash and phase together. A flank at the
    radius y has the angle ± s_y/d_y from the middle of its tooth. The gap is j_wt/2 on the pitch circle: an angle of
    j_wt/d_wB.
    """
    pair = data.draw(parallel_pairs(kind))
    a, b, path, alpha = pair.a, pair.b, pair.path_of_contact, pair.transverse_working_pressure_angle
    assert isinstance(b, Gear)
    rho = path.start + data.draw(st.floats(0.05, 0.95)) * path.length
    span = pair.centre_distance * math.sin(alpha)
    other = rho + span if b.internal else (rho - span if a.internal else span - rho)
    # At its base circle the angle of an involute loses half of its figures.
    assume(min(rho, other) > 0.05 * path.length)
    tangent = 0.5 * a.base_diameter * np.array([math.cos(alpha), math.sin(alpha), 0.0])
    P = tangent + rho * np.array([math.sin(alpha), -math.cos(alpha), 0.0])
    d_y = 2 * np.linalg.norm(P)
    # The flank whose normal is this line: behind the tooth of an external wheel, before that of an internal one.
    turn = math.atan2(P[1], P[0]) + a.sense * a.tooth_thickness_at(d_y) / d_y
    c, s = math.cos(turn), math.sin(turn)
    R_a = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    placed = pair.place(rotation=R_a, towards=(1, 0, 0))

    p = placed.rotation.T @ (P - placed.position)
    d_y = 2 * np.hypot(p[0], p[1])
    angle = math.remainder(math.atan2(p[1], p[0]), b.angular_pitch)
    gap = abs(abs(angle) - b.tooth_thickness_at(d_y) / d_y)
    assert gap == pytest.approx(abs(pair.circumferential_backlash) / pair.working_diameters[1], abs=1e-11)


@FEW
@given(pair=st.sampled_from(("spur", "helical", "internal")).flatmap(parallel_pairs), shift=st.floats(-0.01, 0.01))
def test_axial_shift_keeps_the_mesh(pair: GearPair, shift: float) -> None:
    """A wheel moved along its axis screws along its teeth: they still lie in their spaces in every plane."""
    placed = pair.place(axial_shift=shift)
    poses = (np.zeros(3), np.eye(3), placed.position, placed.rotation)
    for z in (0.0, 0.004):
        assert abs(phase_error(pair, poses, np.array([pair.pitch.radius_a, 0.0, z]))) < 1e-9


def test_the_second_wheel_of_the_design_page() -> None:
    """Two wheels of 25 teeth: 100 mm apart; the second is turned by half a pitch, a space to the tooth."""
    pinion = Gear(teeth=25, normal_module="4 mm")
    placed = GearPair(pinion, pinion).place()
    np.testing.assert_allclose(placed.position, (0.1, 0, 0), atol=1e-16)
    turn = math.degrees(math.atan2(placed.rotation[1, 0], placed.rotation[0, 0]))
    assert math.remainder(turn - 180.0 - 0.5 * 360 / 25, 360 / 25) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(placed.rotation[:, 2], (0, 0, 1))


def test_internal_wheels_have_parallel_axes() -> None:
    """Whichever of ring and pinion is placed: the axes have one direction, and both turn in the same sense."""
    ring = Gear(teeth=60, normal_module=0.002, internal=True)
    pinion = Gear(teeth=20, normal_module=0.002)
    for pair, x in ((GearPair(ring, pinion), 0.04), (GearPair(pinion, ring), -0.04)):
        placed = pair.place(towards=(1, 0, 0))
        np.testing.assert_allclose(placed.rotation[:, 2], (0, 0, 1), atol=1e-15)
        np.testing.assert_allclose(placed.position, (x, 0, 0), atol=1e-15)
        assert pair.speed_ratio == pytest.approx(pair.a.teeth / pair.b.teeth)


def test_bevel_of_cardona() -> None:
    """Example 7.1: wheel A on y, B on z at (0, 1, 5); both axes point to the apex, so the cone angles are negative."""
    a = Gear(teeth=50, normal_module=0.2, cone_angle=-math.atan(5))
    b = Gear(teeth=10, normal_module=0.2, cone_angle=-math.atan(0.2))
    pair = GearPair(a, b)
    R_a = np.column_stack([(0, 0, 1), (1, 0, 0), (0, 1, 0)])
    placed = pair.place(rotation=R_a, towards=(0, 0, 1))
    np.testing.assert_allclose(placed.position, (0, 1, 5), atol=1e-14)
    np.testing.assert_allclose(placed.rotation[:, 2], (0, 0, -1), atol=1e-14)


def test_rack_teeth_are_counted_from_its_middle() -> None:
    pair = GearPair(Gear(teeth=20, normal_module=0.002), Rack(teeth=11, normal_module=0.002))
    middle, next_ = pair.place(), pair.place(tooth=3)
    np.testing.assert_allclose(next_.position - middle.position, -3 * pair.b.transverse_pitch * middle.rotation[:, 1])


def test_what_is_refused() -> None:
    gear = Gear(teeth=20, normal_module=0.002)
    pair = GearPair(gear, gear, what='pair "p"')
    with pytest.raises(ModelError, match=r'pair "p".*along the axis of wheel A'):
        pair.place(towards=(0, 0, 1))
    with pytest.raises(ModelError, match=r"not a rotation"):
        pair.place(rotation=np.diag([1.0, 1.0, 2.0]))
    with pytest.raises(ModelError, match=r"no direction"):
        pair.place(towards=(0, 0, 0))
    crossed = GearPair(*[Gear(teeth=20, normal_module=0.002, helix_angle="45 deg")] * 2, shaft_angle="90 deg")
    with pytest.raises(ModelError, match=r"parallel axes"):
        crossed.place(axial_shift="1 mm")
