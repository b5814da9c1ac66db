"""Loaded contact as mechanics: equilibrium, complementarity, symmetries, closed forms and limits."""

import math

import numpy as np
import pytest
from references.loaded_pairs import FINER, STEEL, gear, modified, on_springs, pair

import pitchline as pl
from pitchline.contact.compliance import contact_modulus, hertz_half_width, hertz_pressure
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.gears.geometry.pair import GearPair

HELIX = math.radians(12.0)


@pytest.mark.parametrize("helix", [0.0, HELIX])
def test_loads_balance_the_torque_and_push(helix: float) -> None:
    a, b = pair(helix_angle=helix)
    r = loaded_contact(a, b, torque=["100 N*m", "20 N*m"], positions=6)
    cosine = math.cos(r.base_helix_angle)
    for t, T in enumerate((100.0, 20.0)):
        normal = T / (b.teeth.left.involute.base_radius * cosine)
        assert r.pair_load[t].sum(axis=1) == pytest.approx(normal, rel=1e-9)
        for i in range(6):
            now = r.flank_load(t, i)
            width = np.array([r.widths[np.argmin(np.abs(r.faces - z))] for z in now.face])
            assert (now.line_load * width).sum() == pytest.approx(normal, rel=1e-9)
            assert ((now.pressure * now.height[:, None]).sum(axis=1)) == pytest.approx(now.line_load, rel=1e-9)
            assert now.pressure.min() >= 0.0
    assert np.array(r.load_sharing.sum(axis=2)) == pytest.approx(1.0)


@pytest.mark.parametrize("helix", [0.0, HELIX])
def test_tangent_stiffness_is_the_slope_of_force_over_error(helix: float) -> None:
    a, b = pair(helix_angle=helix)
    step = 1e-4
    r = loaded_contact(a, b, torque=[80.0 * (1 - step), 80.0 * (1 + step)], positions=4, start=0.03, resolution=3)
    slope = (r.force[1] - r.force[0]) / (r.transmission_error[1] - r.transmission_error[0])
    # cells scale with the load: two grids, whose difference is in the slope as well
    assert slope == pytest.approx(r.tangent_stiffness.mean(axis=0), rel=0.03)


def test_stiffness_grows_with_load_as_hertz_lets_it() -> None:
    """Without modifications a greater load makes the contact wider and the mesh stiffer: tangent over secant."""
    r = loaded_contact(*pair(), torque=[10.0, 100.0, 300.0], positions=4)
    assert (np.diff(r.mean_stiffness) > 0.0).all()
    assert (r.tangent_stiffness > r.secant_stiffness).all()


def test_action_is_reaction() -> None:
    """Seen from gear B, at the same load, the same error: the strips then lie on the other flanks.

    Where a tip edge touches beside the path of contact the two flanks have different normals: there 0.5 %.
    """
    a, b = pair()
    # half a pitch apart: a tooth of A in a space of B, and the other way round
    r = loaded_contact(a, b, torque=60.0, positions=8)
    s = loaded_contact(b, a, torque=60.0 * 18 / 37, positions=8, start=0.5)
    lag, seen = r.transmission_error[0], s.transmission_error[0]
    assert np.sort(seen) == pytest.approx(np.sort(lag), rel=5e-3)
    assert np.median(np.abs(np.sort(seen) / np.sort(lag) - 1.0)) < 1e-4
    assert s.force == pytest.approx(r.force)


def pitch_point_phase(a: ElasticGear, b: ElasticGear) -> float:
    """φ_A in pitches where the left flanks of one pair touch in the pitch point, in the middle of the face."""
    gears, flank = GearPair(a.teeth.gear, b.teeth.gear), a.teeth.left.involute
    angle = gears.path_of_contact.pitch_point / flank.base_radius - flank.base_angle
    return (angle - gears.transverse_working_pressure_angle) / a.teeth.gear.angular_pitch


def test_equal_gears_approach_and_recede_alike() -> None:
    """Two equal gears: as far before the pitch point as after it, errors are equal and pairs have swapped their shares."""
    one = gear(21)
    r = loaded_contact(one, one, torque=60.0, positions=12, start=pitch_point_phase(one, one))
    error = r.transmission_error[0]
    assert error[1:] == pytest.approx(error[:0:-1], rel=1e-2)  # an edge of B is met along the normal of B, not of A
    assert np.median(np.abs(error[1:] / error[:0:-1] - 1.0)) < 1e-3
    assert np.ptp(error) > 0.2 * np.abs(error).max()
    share = np.sort(r.load_sharing[0], axis=1)
    assert share[1:] == pytest.approx(share[:0:-1], abs=1e-2)


def test_flanks_mirror() -> None:
    """Right flanks of opposite helices turned backwards do what left ones do turned forwards."""
    r = loaded_contact(*pair(helix_angle=HELIX), torque=50.0, positions=5)
    m = loaded_contact(*pair(helix_angle=-HELIX), torque=-50.0, positions=5)
    backwards = np.roll(m.transmission_error[0][::-1], 1)
    assert backwards == pytest.approx(r.transmission_error[0], rel=1e-6)


def test_without_load_the_contact_is_the_rigid_one() -> None:
    a = modified(gear(18), pl.TipRelief("18 um", length="3 mm"))
    b = modified(gear(37), pl.TipRelief("18 um", length="3 mm"), pl.LeadCrowning("5 um"))
    r = loaded_contact(a, b, torque=[1e-4], positions=9)
    rigid = pl.rigid_contact(a.teeth, b.teeth, positions=9, strips=5)
    assert np.ptp(rigid.transmission_error) > 5e-6
    assert r.no_load_error == pytest.approx(rigid.transmission_error, abs=2e-8)
    assert r.transmission_error[0] == pytest.approx(rigid.transmission_error, abs=3e-8)


def test_cells_and_mesh_hardly_matter() -> None:
    """Half as high cells: the error stays within 0.2 %; hats and elements half as large: within 2.5 %."""
    a, b = pair()
    r = loaded_contact(a, b, torque=[20.0, 100.0], positions=3)
    fine = loaded_contact(a, b, torque=[20.0, 100.0], positions=3, resolution=8, cells=29)
    assert fine.transmission_error == pytest.approx(r.transmission_error, rel=2e-3)
    finer = loaded_contact(*pair(FINER), torque=[20.0, 100.0], positions=3)
    assert finer.transmission_error == pytest.approx(r.transmission_error, rel=2.5e-2)


@pytest.mark.parametrize("torque", [20.0, 100.0])
def test_hertz_at_the_pitch_point(torque: float) -> None:
    """In the middle of the face, one pair in contact: peak pressure and width of cylinders with the flanks' curvatures.

    A tooth is no half-space: its peak is some percent higher, the more so the wider the contact.
    """
    a, b = pair(FINER)
    gears = GearPair(a.teeth.gear, b.teeth.gear)
    path, alpha = gears.path_of_contact, gears.transverse_working_pressure_angle
    r = loaded_contact(a, b, torque=torque, positions=1, start=pitch_point_phase(a, b), resolution=12, cells=41)
    assert len(r.pairs) == 1
    now = r.flank_load()
    middle = int(np.argmin(np.abs(now.face)))
    other = gears.centre_distance * math.sin(alpha) - path.pitch_point
    radius = 1.0 / (1.0 / path.pitch_point + 1.0 / other)
    modulus = contact_modulus(STEEL, STEEL)
    load = float(now.line_load[middle])
    assert load == pytest.approx(r.force[0] / 10e-3, rel=0.03)
    assert now.pressure[middle].max() == pytest.approx(hertz_pressure(load, radius, modulus), rel=0.04)
    half = hertz_half_width(load, radius, modulus)
    width = 0.5 * np.count_nonzero(now.pressure[middle]) * now.height[middle]
    assert width == pytest.approx(half, rel=0.08)
    arc = now.roll_length_a[middle] ** 2 / (2.0 * a.teeth.left.involute.base_radius)
    centre = (arc * now.pressure[middle]).sum() / now.pressure[middle].sum()
    assert centre == pytest.approx(path.pitch_point**2 / (2.0 * a.teeth.left.involute.base_radius), abs=0.05 * half)


def test_a_slope_on_springs_makes_a_triangle_of_load() -> None:
    """Slices on soft springs of compliance c per line load, a helix slope θ: w = (x − θ(ζ + b/2))/c where positive."""
    slope, soft = 20e-6, 5e-9
    a = on_springs(gear(18), soft)
    b = on_springs(modified(gear(37), pl.HelixSlope("20 um")), soft)
    r = loaded_contact(a, b, torque=0.2, positions=1, start=pitch_point_phase(a, b))
    gap = -b.teeth.left.deviation(b.teeth.left.range.middle, r.faces)
    assert np.ptp(gap) == pytest.approx(slope)
    x = r.transmission_error[0, 0]
    carrying = x > gap
    assert 2 <= np.count_nonzero(carrying) < len(gap)
    now = r.flank_load()
    found = np.zeros(len(gap))
    np.add.at(found, np.searchsorted(r.faces, now.face), now.line_load)
    assert found == pytest.approx(np.maximum(x - gap, 0.0) / (2.0 * soft), rel=0.01, abs=0.005 * found.max())
    assert r.tangent_stiffness[0, 0] == pytest.approx((r.widths * carrying).sum() / (2.0 * soft), rel=0.01)


def test_misaligned_axes_are_a_helix_slope() -> None:
    """In the plane of action an angle γ between the axes is a slope of γ b on one flank; across it almost nothing."""
    a, b = pair()
    angle, torque = 1e-3, 40.0
    tilted = loaded_contact(a, b, torque=torque, positions=3, misalignment=angle)
    upper = modified(b, pl.HelixSlope("10 um"))
    assert np.diff(upper.teeth.left.deviation(upper.teeth.left.range.middle, [-5e-3, 5e-3])) == pytest.approx(1e-5)
    sloping = loaded_contact(a, upper, torque=torque, positions=3)
    shift = sloping.no_load_error - tilted.no_load_error  # a slope and a turn need not have the same zero
    assert np.ptp(shift) < 1e-8
    assert tilted.transmission_error + shift == pytest.approx(sloping.transmission_error, rel=2e-3)
    loads = [one.flank_load(0, 1).line_load for one in (sloping, tilted)]
    assert loads[1] == pytest.approx(loads[0], rel=0.01, abs=0.003 * loads[0].max())
    face = tilted.flank_load(0, 1).face
    assert loads[1][np.argmax(face)] > 2.0 * loads[1][np.argmin(face)]  # closes the gap towards +z
    alpha = GearPair(a.teeth.gear, b.teeth.gear).transverse_working_pressure_angle
    out = loaded_contact(
        a, b, torque=torque, positions=3, inclination=angle * math.cos(alpha), deviation=-angle * math.sin(alpha)
    )
    aligned = loaded_contact(a, b, torque=torque, positions=3)
    assert out.transmission_error == pytest.approx(aligned.transmission_error, rel=5e-3)


def test_tip_relief_evens_the_transmission_error_at_its_load() -> None:
    a, b = pair()
    plain = loaded_contact(a, b, torque=100.0, positions=16)
    relief = pl.TipRelief("17 um", length="3 mm")
    relieved = loaded_contact(modified(a, relief), modified(b, relief), torque=[10.0, 100.0], positions=16)
    assert relieved.peak_to_peak[1] < 0.35 * plain.peak_to_peak[0]
    assert relieved.peak_to_peak[0] > plain.peak_to_peak[0] * 0.3  # at another load it is too much
    assert relieved.loaded_contact_ratio[0] < relieved.loaded_contact_ratio[1] < plain.loaded_contact_ratio[0]


def test_a_pitch_error_takes_load() -> None:
    """A tooth that stands out by 6 µm carries more, its neighbours less; without load it shows as it is."""
    a, b = pair()
    ideal = loaded_contact(a, b, torque=50.0, positions=6)
    tooth = int(ideal.contacts[0][0].strips["tooth_b"][0])
    wrong = modified(b, per_tooth={tooth: pl.PitchDeviation("6 um")})
    r = loaded_contact(a, wrong, torque=50.0, positions=6, pitches=6, start=-3.0)
    seen = [bool((one.strips["tooth_b"] == tooth).any()) for one in r.contacts[0]]
    assert any(seen) and not all(seen)
    assert r.no_load_error.min() == pytest.approx(-6e-6, abs=1e-8)  # pushed ahead
    assert r.no_load_error[~np.array(seen)] == pytest.approx(0.0, abs=1e-9)
    assert r.transmission_error[0].min() < ideal.transmission_error[0].min() - 1e-6


def test_internal_gears_run_and_mirror() -> None:
    pinion, ring = gear(20), gear(60, internal=True, rim_diameter="0.15 m")
    r = loaded_contact(pinion, ring, torque=40.0, positions=4)
    m = loaded_contact(pinion, ring, torque=-40.0, positions=4)
    assert np.roll(m.transmission_error[0][::-1], 1) == pytest.approx(r.transmission_error[0], rel=1e-6)
    assert (r.deflection > 0.0).all()
    external = loaded_contact(*pair(), torque=40.0, positions=4)
    # flatter flanks against each other, no teeth bent at a root of a pinion on both sides: stiffer
    assert r.mean_stiffness[0] > external.mean_stiffness[0]


def test_a_wide_gear_reaches_over_a_narrow_one() -> None:
    """Only opposite slices carry; moved by an offset the load moves with it."""
    a, b = pair()
    r = loaded_contact(a, b, torque=30.0, positions=1, start=0.7, face_offset="4 mm")
    now = r.flank_load()
    assert now.face[now.line_load > 0.0].min() >= -1.1e-3
    middle = loaded_contact(a, b, torque=30.0, positions=1, start=0.7)
    assert r.deflection[0, 0] > 1.2 * middle.deflection[0, 0]


def test_play_is_taken_up() -> None:
    """At a greater centre distance ideal gears still run without error before load."""
    r = loaded_contact(*pair(), torque=30.0, positions=4, centre_distance="55.2 mm")
    assert r.no_load_error == pytest.approx(0.0, abs=1e-10)
    assert (r.deflection > 1e-6).all()
