"""Rigid contact of flanks of any shape: conjugate pairs, closed forms, the same results as the analytic involute."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.contact.surface_strips import SurfacePair
from pitchline.parts.contact.rigid_contact import rigid_surfaces
from pitchline.parts.gears.analysis_contact import surface_gears
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces import surface_teeth

SIZE = {"normal_module": "2 mm", "face_width": "12 mm"}
BEVEL = math.atan(20 / 31)
OPTIONS = {"positions": 4, "pitches": 1, "strips": 5}
NANOMETRE = 1e-9


def gear(z, beta="0 deg", **more):
    return pl.Gear(teeth=z, helix_angle=beta, **(SIZE | more))


def crossed(beta_a="30 deg", beta_b="40 deg", sigma="70 deg"):
    return pl.GearPair(gear(17, beta_a), gear(23, beta_b), shaft_angle=sigma)


def bevel(sign=1.0):
    return pl.GearPair(
        pl.Gear(teeth=20, cone_angle=sign * BEVEL, **SIZE), pl.Gear(teeth=31, cone_angle=math.pi / 2 - BEVEL, **SIZE)
    )


MODIFIED = {
    "reliefs": (gear(23), gear(37), pl.TipRelief("20 um", length="2 mm"), None),
    "crowned": (gear(23, "15 deg"), gear(37, "-15 deg"), pl.LeadCrowning("10 um"), None),
    "sloped": (gear(23, "15 deg"), gear(37, "-15 deg"), pl.HelixSlope("8 um"), "68 mm"),
    "internal": (gear(19, "12 deg"), gear(67, "12 deg", internal=True), pl.ProfileCrowning("6 um"), None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODIFIED)
def test_involutes_as_surfaces_have_the_transmission_error_of_the_closed_form(name):
    a, b, change, distance = MODIFIED[name]
    if name == "sloped":
        distance = 1e-3 * 63.0  # with backlash
    teeth = pl.Teeth(a, both=change), pl.Teeth(b)
    for side in ("left", "right"):
        exact = pl.rigid_contact(*teeth, centre_distance=distance, side=side, **OPTIONS)
        gears = surface_gears(*teeth, "contact", centre_distance=distance)
        found = rigid_surfaces(gears, side=side, start=0.0, **OPTIONS)
        assert np.abs(found.transmission_error - exact.transmission_error).max() < 0.1 * NANOMETRE
        assert found.measured == "roll length"
        np.testing.assert_allclose(
            found.flank_limits, exact.flank_limits, atol=25e-6
        )  # the radius contains the deviation


CONJUGATE = {
    "crossed": crossed,
    "crossed, shaft angle 10 deg": lambda: crossed("20 deg", "-10 deg", "10 deg"),
    "left-hand": lambda: crossed("-30 deg", "-40 deg"),
    "bevel": bevel,
    "bevel, z to the apex": lambda: bevel(-1.0),
    "rack": lambda: pl.GearPair(gear(17, "20 deg"), pl.Rack(teeth=9, helix_angle="-20 deg", **SIZE)),
    "worm of one thread": lambda: pl.GearPair(
        gear(1, "85 deg", face_width="30 mm"), gear(40, "5 deg"), shaft_angle="90 deg"
    ),
    "module 20 mm": lambda: pl.GearPair(
        gear(9, "45 deg", normal_module="20 mm", face_width="0.2 m"),
        gear(200, "45 deg", normal_module="20 mm", face_width="0.2 m"),
        shaft_angle="90 deg",
    ),
    "module 0.1 mm": lambda: pl.GearPair(
        gear(9, "45 deg", normal_module="0.1 mm", face_width="1 mm"),
        gear(12, "45 deg", normal_module="0.1 mm", face_width="1 mm"),
        shaft_angle="90 deg",
    ),
}


@pytest.mark.parametrize("name", CONJUGATE)
@pytest.mark.parametrize("side", ["left", "right"])
def test_conjugate_flanks_have_no_transmission_error(name, side):
    run = pl.rigid_contact(CONJUGATE[name](), side=side, **OPTIONS)
    assert np.abs(run.transmission_error).max() < 0.1 * NANOMETRE
    assert np.linalg.norm(run.normal, axis=1) == pytest.approx(1.0)


def test_crossed_involutes_are_conjugate_at_any_distance_and_angle():
    errors = pl.AssemblyErrors(offset="0.2 mm", shaft_angle="1 deg", axial_a="1 mm", axial_b="-0.5 mm")
    pair = crossed()
    runs = [pl.rigid_contact(pair, side=side, errors=errors, **OPTIONS) for side in ("left", "right")]
    for run in runs:
        assert run.peak_to_peak < 0.1 * NANOMETRE
    # only the backlash changes: more than zero with more distance
    assert sum(run.transmission_error[0] for run in runs) > 50e-6


def test_contact_points_of_crossed_involutes_lie_on_the_common_tangent_of_the_base_cylinders():
    """The line of action touches both base cylinders, at the angle 90° − β_b to their axes, and it has one direction."""
    pair = crossed()
    gears = surface_gears(pair, None, "contact")
    run = pl.rigid_contact(pair, **OPTIONS)
    n = run.normal
    assert np.abs(n - n[0]).max() < 1e-9
    between = run.point - run.point[0]
    assert np.abs(np.cross(between, n[0])).max() < 1e-9  # all on one line along the normal
    for wheel, place in ((pair.a, None), (pair.b, gears.placement)):
        p, d = run.point, n
        if place is not None:
            p, d = (p - place.position) @ place.rotation, n @ place.rotation
        assert abs(d[0, 2]) == pytest.approx(math.sin(abs(wheel.base_helix_angle)), abs=1e-9)
        across = d[:, :2] / np.linalg.norm(d[:, :2], axis=1)[:, None]
        distance = np.abs(p[:, 0] * across[:, 1] - p[:, 1] * across[:, 0])
        np.testing.assert_allclose(distance, 0.5 * wheel.base_diameter, atol=1e-9)


def test_rack_moved_away_lags_by_the_sine_of_the_pressure_angle():
    pair = pl.GearPair(gear(17), pl.Rack(teeth=9, **SIZE))
    for side in ("left", "right"):
        run = pl.rigid_contact(pair, errors={"offset": "0.1 mm"}, side=side, **OPTIONS)
        # along the line of action e = Δ sin α
        np.testing.assert_allclose(run.transmission_error, 1e-4 * math.sin(math.radians(20)), atol=1e-12)


def test_gears_that_jam_are_named_with_their_overlap():
    """A rack without backlash that is moved towards the pinion by d overlaps by d sin α on both flanks."""
    pair = pl.GearPair(gear(23), pl.Rack(teeth=9, **SIZE))
    run = pl.rigid_contact(pair, errors=pl.AssemblyErrors(offset="-0.1 mm"), **OPTIONS)
    overlap = 0.2 * math.sin(math.radians(20))
    assert [text.split(" along")[0] for text in run.warnings] == [f"the teeth overlap by {overlap:.3g} mm"]
    assert "warning: the teeth overlap" in str(run)
    assert pl.rigid_contact(pair, errors=pl.AssemblyErrors(offset="0.1 mm"), **OPTIONS).warnings == ()


def test_backlash_allowances_are_not_part_of_the_transmission_error():
    cone = {"cone_angle": BEVEL, "backlash_allowance": "30 um", **SIZE}
    other = {"cone_angle": math.pi / 2 - BEVEL, "backlash_allowance": "50 um", **SIZE}
    run = pl.rigid_contact(pl.GearPair(pl.Gear(teeth=20, **cone), pl.Gear(teeth=31, **other)), **OPTIONS)
    assert np.abs(run.transmission_error).max() < 0.1 * NANOMETRE


def test_mismatch_of_crossed_gears_gives_a_known_transmission_error():
    """A deviation δ of the profile of A, outwards positive, advances B by δ along the normal, which has the lever r_bB cos β_bB.

    Ideal flanks touch at L_0. The crowned flank touches at L_1, less curved away: with a gap that is quadratic about L_0 and δ
    that is nearly linear between the two, e, along the normal, lies in the middle of −δ(L_0) and −δ(L_1).
    """
    pair = crossed()
    crown = pair.a.with_(modifications=pl.ProfileCrowning("5 um"))
    ideal = pl.rigid_contact(pair, positions=12, strips=3)
    run = pl.rigid_contact(pl.GearPair(crown, pair.b, shaft_angle="70 deg"), positions=12, strips=3)
    same = ideal.tooth_a == run.tooth_a
    flank, tooth = pl.Teeth(crown).left, np.zeros(12, dtype=int)
    delta = [flank.deviation(one.roll_length, one.face, tooth) for one in (ideal, run)]
    expected = -0.5 * (delta[0] + delta[1])
    assert np.ptp(expected[same]) > 0.5e-6
    np.testing.assert_allclose(run.transmission_error[same], expected[same], atol=5 * NANOMETRE)


def test_contact_does_not_depend_on_the_axes_of_the_model():
    pair = bevel()
    axis = np.array([0.3, -0.5, 0.81])
    axis /= np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + math.sin(0.7) * K + (1 - math.cos(0.7)) * K @ K
    found = []
    for turn, shift in ((np.eye(3), np.zeros(3)), (R, np.array([0.2, -0.1, 0.4]))):
        model = pl.Model("bevel")
        a = model.gear_body("a", pair.a, position=shift, orientation=turn)
        b = model.gear_body("b", pair.b, mesh_with=a)
        model.gear_pair("mesh", a, b, mesh=pl.Rigid())
        found.append(pl.rigid_contact(model, "mesh", errors={"axial_a": "50 um"}, **OPTIONS))
    np.testing.assert_allclose(found[0].transmission_error, found[1].transmission_error, atol=1e-12)
    assert found[0].peak_to_peak > 1e-7


def test_exchange_of_both_gears_gives_the_same_lag():
    """With A at φ and B at rest, or B at its angle and A at rest: the same two flanks touch, at the same point."""
    pair = bevel()
    pose = pl.AssemblyErrors(axial_a="40 um", shaft_angle="0.05 deg").applied(pair.place())
    a, b = surface_teeth(pair.a), surface_teeth(pair.b)
    ratio = pair.pitch.speed_ratio
    forth = SurfacePair(a, b, pose, "left", ratio=ratio)
    there = Placement(-pose.rotation.T @ pose.position, pose.rotation.T)
    back = SurfacePair(b, a, there, forth.side_b, ratio=1.0 / ratio)
    assert back.side_b == "left"
    phi = 0.03
    touch = forth.least_of_teeth(phi, forth.teeth_a)
    gap = touch.gap.min()
    sign = 1.0 if forth.side_b == "left" else -1.0
    # B turned by its gap touches: seen from B there is no gap either
    other = back.least_of_teeth(ratio * phi + sign * gap, back.teeth_a, angle_b=phi)
    assert abs(other.gap.min()) < 1e-8
    p = touch.at["point"][np.argmin(touch.gap)]
    q = other.at["point"][np.argmin(other.gap)]
    np.testing.assert_allclose(
        (p - pose.position) @ pose.rotation, q, atol=15e-6
    )  # ends of the face count 0.1 % beyond


def test_gears_that_do_not_reach_each_other_are_refused():
    with pytest.raises(pl.ModelError, match="no teeth touch in 4 of 4 positions"):
        pl.rigid_contact(crossed(), errors={"offset": "20 mm"}, **OPTIONS)
    with pytest.raises(pl.ModelError, match="a rack ends after its last tooth"):
        pl.rigid_contact(pl.GearPair(gear(17), pl.Rack(teeth=3, **SIZE)), start=6.0, **OPTIONS)
    with pytest.raises(pl.ModelError, match="there is no error 'tilt'"):
        pl.rigid_contact(crossed(), errors={"tilt": "1 deg"})
    with pytest.raises(pl.ModelError, match=r"errors must be AssemblyErrors\(\.\.\.\)"):
        pl.rigid_contact(crossed(), errors=3)
    with pytest.raises(pl.ModelError, match="spiral bevel"):
        pl.rigid_contact(
            pl.GearPair(
                pl.Gear(teeth=20, cone_angle=BEVEL, helix_angle="30 deg", **SIZE),
                pl.Gear(teeth=31, cone_angle=math.pi / 2 - BEVEL, helix_angle="-30 deg", **SIZE),
            )
        )
    with pytest.raises(pl.ModelError, match="Specify the pinion first and the rack second"):
        pl.rigid_contact(pl.Rack(teeth=3, **SIZE), gear(17))
    with pytest.raises(pl.ModelError, match="side must be"):
        pl.rigid_contact(crossed(), side="upper")


def test_patterns_of_general_flanks_can_be_drawn(tmp_path):
    run = pl.rigid_contact(bevel(), **OPTIONS)
    assert run.measured == "height"
    pl.views.plot_contact_pattern(run, path=tmp_path / "pattern.png")
    pl.views.plot_transmission_error(run, path=tmp_path / "error.png")
    L, z, gap = run.pattern(1e-6)
    assert len(L) and (gap <= 1e-6).all() and (np.abs(z) <= 6.01e-3).all()
