"""Two gears that stand somewhere: how they mesh, and what is said where they cannot."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.gear_pairs import KINDS, angles, pairs, phase_error, points, rotations

from pitchline.errors import ModelError
from pitchline.gears import Alignment, Gear, GearPair, Rack


def about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def about_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def pitch_point(found: Alignment, x_a: np.ndarray, R_a: np.ndarray) -> np.ndarray:
    return x_a + R_a @ found.point_a + found.pitch.radius_a * found.mesh[:, 1]


def check_consistent(found: Alignment, x_a: np.ndarray, R_a: np.ndarray, x_b: np.ndarray, R_b: np.ndarray) -> None:
    """[μ] = R_A M0 Rot1(ψ_A)ᵀ, [ξ] = [μ] Z = R_B X0 Rot1(ψ_B)ᵀ, and one pitch point on both wheels."""
    p = found.pitch
    point = pitch_point(found, x_a, R_a)
    np.testing.assert_allclose(R_a @ found.triad_a @ about_x(found.psi_a).T, found.mesh, atol=1e-9)
    xi = found.mesh @ p.Z
    if p.is_rack:
        np.testing.assert_allclose(R_b @ found.triad_b, xi, atol=1e-9)
        np.testing.assert_allclose(x_b + R_b @ found.point_b + found.psi_b * xi[:, 2], point, atol=1e-9)
    else:
        np.testing.assert_allclose(R_b @ found.triad_b @ about_x(found.psi_b).T, xi, atol=1e-9)
        np.testing.assert_allclose(x_b + R_b @ found.point_b + p.radius_b * xi[:, 1], point, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data())
def test_placed_wheels_are_aligned(kind: str, data: st.DataObject) -> None:
    """What `place` gives is in phase; turned away by any angle, offset and turn back are the closed form."""
    pair = data.draw(pairs(kind))
    x_a, R_a = data.draw(points), data.draw(rotations())
    placed = pair.place(position=x_a, rotation=R_a)
    x_b, R_b = placed.position, placed.rotation
    found = pair.align(x_a, R_a, x_b, R_b)
    check_consistent(found, x_a, R_a, x_b, R_b)
    assert abs(found.tooth_offset) < 1e-9 * pair.pitch.normal_module
    np.testing.assert_allclose(found.point_a, 0.0, atol=1e-12)

    away = data.draw(st.floats(-0.45, 0.45))  # of a pitch
    if isinstance(pair.b, Rack):
        x_b = x_b + away * pair.b.transverse_pitch * R_b[:, 1]
        assert pair.align(x_a, R_a, x_b, R_b).turn_b == pytest.approx(-away * pair.b.transverse_pitch, abs=1e-9)
        return
    R_b = R_b @ about_z(away * pair.b.angular_pitch)
    found = pair.align(x_a, R_a, x_b, R_b)
    assert abs(found.tooth_offset) == pytest.approx(abs(away) * math.pi * pair.pitch.normal_module, abs=1e-9)
    assert found.turn_b == pytest.approx(-away * pair.b.angular_pitch, abs=1e-9)


@pytest.mark.parametrize("kind", ["spur", "helical", "internal", "crossed helical", "worm", "rack and pinion"])
@settings(max_examples=40)
@given(data=st.data())
def test_cylinders_may_stand_elsewhere(kind: str, data: st.DataObject) -> None:
    """Moved along its axis, turned, and the opposite direction: the phase found is that of the teeth."""
    pair = data.draw(pairs(kind))
    placed = pair.place()
    x_a, R_a, x_b, R_b = np.zeros(3), np.eye(3), placed.position, placed.rotation
    if data.draw(st.booleans()):
        R_a = R_a @ about_x(math.pi)
    if data.draw(st.booleans()) and not isinstance(pair.b, Rack):
        R_b = R_b @ about_x(math.pi)
    R_a = R_a @ about_z(data.draw(angles(-180, 180)))
    if not isinstance(pair.b, Rack):
        R_b = R_b @ about_z(data.draw(angles(-180, 180)))
    x_a = x_a + data.draw(st.floats(-0.01, 0.01)) * R_a[:, 2]
    x_b = x_b + data.draw(st.floats(-0.01, 0.01)) * R_b[:, 2]
    found = pair.align(x_a, R_a, x_b, R_b)
    check_consistent(found, x_a, R_a, x_b, R_b)
    point = pitch_point(found, x_a, R_a)
    expected = phase_error(pair, (x_a, R_a, x_b, R_b), point)
    assert abs(math.remainder(found.tooth_offset / (math.pi * pair.pitch.normal_module), 1.0)) == pytest.approx(
        abs(expected), abs=1e-7
    )
    # Turned back by what it says, the teeth are in phase.
    if isinstance(pair.b, Rack):
        x_b = x_b + found.turn_b * R_b[:, 1]
    else:
        R_b = R_b @ about_z(found.turn_b)
    assert abs(phase_error(pair, (x_a, R_a, x_b, R_b), point)) < 1e-7


def test_faces_share_their_middle() -> None:
    """A wheel of 10 mm on a pinion of 40 mm: 12 mm up the contact has its middle there, 18 mm up at (13 + 20)/2."""
    a = Gear(teeth=20, normal_module=0.002, face_width="40 mm", helix_angle="15 deg")
    pair = GearPair(a, a.with_(face_width="10 mm", helix_angle="-15 deg"))
    x = pair.centre_distance
    for height, middle in ((0.012, 0.012), (0.018, 0.0165)):
        found = pair.align((0, 0, 0), None, (x, 0, height), None)
        assert found.point_a[2] == pytest.approx(middle)
        assert found.point_b[2] == pytest.approx(middle - height)
    with pytest.raises(ModelError, match=r"faces do not overlap.*40 mm and 10 mm.*26 mm apart"):
        pair.align((0, 0, 0), None, (x, 0, 0.026), None)


SPUR = GearPair(*[Gear(teeth=20, normal_module=0.002, face_width=0.02)] * 2, what='pair "p"')
CROSSED = GearPair(
    *[Gear(teeth=20, normal_module=0.002, helix_angle="30 deg", face_width=0.02)] * 2, shaft_angle="60 deg"
)
BEVEL = GearPair(*[Gear(teeth=20, normal_module=0.002, cone_angle="45 deg")] * 2)
RACK = GearPair(Gear(teeth=20, normal_module=0.002), Rack(teeth=10, normal_module=0.002))


def test_what_parallel_axes_are_told() -> None:
    with pytest.raises(
        ModelError, match=r'pair "p": the axes are 40.5 mm apart, but the pitch geometry requires 40 mm'
    ):
        SPUR.align((0, 0, 0), None, (0.0405, 0, 0), None)
    with pytest.raises(ModelError, match=r"the axes are at 5 deg.*0 deg"):
        SPUR.align((0, 0, 0), None, (0.04, 0, 0), about_x(math.radians(5)))


def test_what_crossed_axes_are_told() -> None:
    placed = CROSSED.place()
    x, R = placed.position, placed.rotation
    with pytest.raises(ModelError, match=r"the axes are at 0 deg.*require 60 deg"):
        CROSSED.align((0, 0, 0), None, x, None)
    with pytest.raises(ModelError, match=r"the opposite direction.*-60 deg.*60 deg"):
        CROSSED.align((0, 0, 0), None, x, about_x(2 * math.atan2(R[1, 2], R[2, 2])) @ R)
    with pytest.raises(ModelError, match=r"mm apart, but the pitch geometry requires 46.18"):
        CROSSED.align((0, 0, 0), None, 1.1 * x, R)
    with pytest.raises(ModelError, match=r"wheel B, outside its face of 20 mm"):
        CROSSED.align((0, 0, 0), None, x + 0.02 * R[:, 2], R)


def test_what_bevels_are_told() -> None:
    placed = BEVEL.place()
    x, R = placed.position, placed.rotation
    assert abs(BEVEL.align((0, 0, 0), None, x, R).tooth_offset) < 1e-15
    with pytest.raises(
        ModelError, match=r"z axis of wheel B points to the apex, but its cone angle 45 deg requires away from"
    ):
        BEVEL.align((0, 0, 0), None, x, R @ about_x(math.pi))
    with pytest.raises(ModelError, match=r"z axis of wheel A points to the apex"):
        BEVEL.align((0, 0, 0), about_x(math.pi), x, R)
    with pytest.raises(ModelError, match=r"centre of wheel B is at .* mm away.*20 mm and 20 mm from the apex"):
        BEVEL.align((0, 0, 0), None, x + np.array([0.001, 0, 0]), R)
    tilted = R @ np.array([[math.cos(0.1), 0, math.sin(0.1)], [0, 1, 0], [-math.sin(0.1), 0, math.cos(0.1)]])
    with pytest.raises(ModelError, match=r"the axes.*give 90 deg"):
        BEVEL.align((0, 0, 0), None, x, tilted)
    with pytest.raises(ModelError, match=r"axis of wheel B points along \(0.99.*requires \(1, .*2.86"):
        BEVEL.align((0, 0, 0), None, x, about_z(0.05) @ R)


def test_crown_wheel() -> None:
    """A pinion of 30 deg on a crown wheel of twice its teeth."""
    crown = Gear(teeth=40, normal_module=0.002, cone_angle="90 deg")
    pair = GearPair(crown, Gear(teeth=20, normal_module=0.002, cone_angle="30 deg"))
    assert math.degrees(pair.shaft_angle) == pytest.approx(120)
    placed = pair.place(towards=(1, 1, 0))
    assert abs(pair.align((0, 0, 0), None, placed.position, placed.rotation).tooth_offset) < 1e-15
    pair = GearPair(pair.b, crown)
    placed = pair.place(towards=(1, 1, 0))
    assert abs(pair.align((0, 0, 0), None, placed.position, placed.rotation).tooth_offset) < 1e-15


def test_what_racks_are_told() -> None:
    placed = RACK.place()
    x, R = placed.position, placed.rotation
    with pytest.raises(ModelError, match=r"20.5 mm apart.*requires 20 mm"):
        RACK.align((0, 0, 0), None, x - 0.0005 * R[:, 0], R)
    with pytest.raises(ModelError, match=r"10 deg to the z axis of the rack, but the helix angles require 0 deg"):
        RACK.align((0, 0, 0), None, x, R @ about_x(math.radians(10)))
    with pytest.raises(ModelError, match=r"5 deg to the reference plane"):
        RACK.align((0, 0, 0), None, x, about_y(math.radians(5)) @ R)
    with pytest.raises(ModelError, match=r"beyond its 10 teeth"):
        RACK.align((0, 0, 0), None, x + 0.05 * R[:, 1], R)


def about_y(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
