"""Profiles of generated teeth: what joins what, what is found wrong, what the arguments do."""

import itertools
import math

import numpy as np
import pytest
from references.teeth_cases import random_gears

from pitchline.errors import ModelError
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth, basic_rack, double_helical, outline, tooth_section

GEAR = Gear(teeth=18, normal_module="2 mm", face_width="10 mm")


@pytest.mark.parametrize("internal, conical, seed", [(False, False, 1), (True, False, 2), (False, True, 3)])
def test_root_fillet_involute_and_tip_join(internal, conical, seed):
    for teeth in random_gears(60, seed, internal=internal, conical=conical):
        m = teeth.gear.normal_module
        z = np.linspace(-0.5, 0.5, 3) * teeth.gear.face_width
        for flank in (teeth.left, teeth.right):
            form, tip, end = flank.form_roll_length(z), flank.tip_roll_length(z), flank.fillet.limits(z)[1]
            one = np.ones_like(z)
            pairs = [
                (flank.root.point(one, z), flank.fillet.point(0 * one, z)),
                (flank.fillet.point(end, z), flank.involute.point(form, z)),
                (teeth.tip.point(flank.involute.side * one, z), flank.involute.point(tip, z)),
            ]
            for a, b in pairs:
                assert np.abs(a - b).max() < 1e-12 * m
            assert np.allclose(np.sum(flank.root.normal(one, z) * flank.fillet.normal(0 * one, z), -1), 1.0, atol=1e-12)
            smooth = np.sum(flank.fillet.normal(end, z) * flank.involute.normal(form, z), -1)
            if not teeth.undercut:
                assert np.allclose(smooth, 1.0, atol=1e-12)


def test_undercut_is_found_and_its_crossing_is_sharp():
    found = 0
    for z in range(6, 18):
        gear = Gear(teeth=z, normal_module="2 mm", face_width="10 mm", tip_alteration=-0.05)
        teeth = Teeth(gear)
        # the rule of the basic rack says the same
        assert teeth.undercut == gear.undercut
        if teeth.undercut:
            found += 1
            L = teeth.left.form_roll_length(0.0)
            gap = teeth.left.fillet.section(teeth.left.fillet.limits(0.0)[1], 0.0) - teeth.left.involute.section(L, 0.0)
            assert abs(gap) < 1e-14 * gear.normal_module * z
            assert teeth.root_form_diameter > gear.base_diameter
            assert teeth.warnings[0].startswith("undercut")
        else:
            assert teeth.root_form_diameter == pytest.approx(gear.root_form_diameter, rel=1e-14)
    assert found >= 8


def test_slight_undercut():
    """From none to a hundredth of the module: fillet and involute meet to 1e-9 of it, mostly to its last figures."""
    base = Gear(teeth=17, normal_module="2 mm", face_width="10 mm")
    least = base.minimum_profile_shift
    for less in (0.0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2):
        teeth = Teeth(base.with_(profile_shift=least - less))
        flank = teeth.left
        L = float(flank.form_roll_length(0.0))
        gap = abs(flank.fillet.section(flank.fillet.limits(0.0)[1], 0.0) - flank.involute.section(L, 0.0))
        assert gap < (1e-9 if less < 1e-4 else 1e-13) * 2e-3
        assert 0.0 <= L < 20 * less * 2e-3 + 1e-9


def test_form_radii_of_do_ziegler_eberhard():
    """Table 1 of the paper with ρ_fP = 0.25 mm: the pinion is slightly undercut."""
    pinion = Teeth(GEAR.with_(root_radius_factor=0.125))
    wheel = Teeth(GEAR.with_(root_radius_factor=0.125, teeth=37))
    assert pinion.undercut and not wheel.undercut
    assert 500.0 * pinion.root_form_diameter == pytest.approx(16.9176, abs=5e-5)
    assert 500.0 * wheel.root_form_diameter == pytest.approx(35.2534, abs=5e-5)


@pytest.mark.parametrize(
    "profile, depth, radius", [("A", 1.25, 0.38), ("b", 1.25, 0.3), ("C", 1.25, 0.25), ("D", 1.4, 0.39)]
)
def test_iso_53(profile, depth, radius):
    gear = Gear(teeth=30, normal_module="2 mm", **basic_rack(profile))
    assert gear.dedendum_factor == depth and gear.root_radius_factor == radius
    teeth = Teeth(gear)
    assert teeth.rack.radius == pytest.approx(2e-3 * radius)
    assert abs(teeth.left.root.section(0.3, 0.0)) == pytest.approx(0.5 * gear.root_diameter, rel=1e-15)


def test_full_radius():
    alpha = math.radians(20)
    largest = (0.25 * math.pi - 1.25 * math.tan(alpha)) * math.cos(alpha) / (1 - math.sin(alpha))
    teeth = Teeth(GEAR.with_(teeth=30, root_radius_factor=largest))
    assert teeth.rack.full_radius
    a, b = teeth.left.root.section([0.0, 1.0], 0.0)
    assert abs(a - b) < 1e-14


def test_protuberance_cuts_below_the_flank():
    plain, undercut = Teeth(GEAR.with_(teeth=30)), Teeth(GEAR.with_(teeth=30), protuberance="0.05 mm")
    assert undercut.undercut and not undercut.warnings
    assert undercut.root_form_diameter > plain.root_form_diameter
    # the rounded tip stands out by that much over the flank of the rack: the fillet goes that deep behind the involute
    flank = undercut.left
    P = flank.fillet.section(np.linspace(0.3, float(flank.fillet.limits(0.0)[1]), 400), 0.0)
    P = P[np.abs(P) > flank.involute.base_radius]
    behind = (flank.involute.half_angle(np.abs(P), 0.0) - np.angle(P)) * flank.involute.base_radius
    assert 0.6 * 5e-5 < behind.max() < 5e-5
    with pytest.raises(ModelError, match="closer to the pressure angle, or a larger"):
        Teeth(GEAR, protuberance="0.01 mm", protuberance_angle="5 deg")
    with pytest.raises(ModelError, match="undercuts its own protuberance flank"):
        low = Gear(
            teeth=65, normal_module="2 mm", normal_pressure_angle=0.20987, helix_angle=0.1618, profile_shift=0.71638,
            addendum_factor=1.2, dedendum_factor=1.56547, root_radius_factor=0.37598,
        )  # fmt: skip
        Teeth(low, protuberance=2e-3 * 0.03888)
    with pytest.raises(ModelError, match="protuberance_angle"):
        Teeth(GEAR, protuberance="0.05 mm", protuberance_angle="21 deg")


def test_shaper_cutter():
    ring = Gear(teeth=60, normal_module="2 mm", internal=True, face_width="20 mm")
    teeth = Teeth(ring)
    assert teeth.cutter.teeth == 30 and not teeth.cutter.trims
    assert teeth.cutter.centre_distance + teeth.cutter.tip_radius == pytest.approx(0.5 * ring.root_diameter, rel=1e-15)
    # no profile shift: the cutter runs on the reference circles
    assert teeth.cutter.working_pressure_angle == pytest.approx(math.radians(20), rel=1e-12)
    # a smaller cutter leaves a smaller form diameter
    assert Teeth(ring, cutter_teeth=20).root_form_diameter != teeth.root_form_diameter
    assert Teeth(ring, cutter_teeth=58).warnings[0].startswith("a cutter of 58 teeth trims")
    sharp = Teeth(ring, cutter_tip_rounding=0.0)
    assert sharp.root_form_diameter > teeth.root_form_diameter
    with pytest.raises(ModelError, match="does not fit into an internal gear"):
        Teeth(ring, cutter_teeth=60)
    with pytest.raises(ModelError, match="does not fit on the tip"):
        Teeth(ring, cutter_tip_rounding="3 mm")


def test_conical_gear_is_a_cylinder_gear_in_each_section():
    """Straight teeth: the section ζ is that of a spur gear of pressure angle atan(tan α_n cos θ) and shift x + ζ tan θ/m."""
    theta, m = math.radians(10), 2e-3
    gear = Gear(teeth=19, normal_module=m, face_width="20 mm", dedendum_factor=1.2, root_radius_factor=0.125)
    teeth = Teeth(gear, profile_shift_angle=theta)
    alpha = math.atan(math.tan(math.radians(20)) * math.cos(theta))
    for z in (-0.006, 0.0, 0.007):
        spur = Gear(
            teeth=19, normal_module=m, normal_pressure_angle=alpha, profile_shift=z * math.tan(theta) / m,
            dedendum_factor=1.2, tip_alteration=-0.1,
        )  # fmt: skip
        d = np.array([0.99, 1.0, 1.04]) * gear.reference_diameter
        expected = [spur.tooth_thickness_at(x) for x in d]
        assert np.allclose(teeth.tooth_thickness(d, z), expected, rtol=1e-13)
        root = 0.5 * gear.reference_diameter + z * math.tan(theta) - 1.2 * m / math.cos(theta)
        assert abs(teeth.left.root.section(0.2, z)) == pytest.approx(root, rel=1e-14)


def test_double_helical_halves_meet_in_the_middle():
    gear = Gear(teeth=24, normal_module="3 mm", helix_angle="28 deg", face_width="40 mm")
    lower, upper = double_helical(gear, gap="6 mm")
    assert (lower.shift, upper.shift) == pytest.approx((-0.013, 0.013))
    L = 0.008
    ends = []
    for half, end in ((lower, 1.0), (upper, -1.0)):
        z = -half.shift  # in the axes of the half: the plane z = 0 of the gear
        ends.append(half.to_gear(half.teeth.left.involute.point(L, z)))
        tip = half.to_gear(half.teeth.left.involute.point(L, end * 0.01))
        assert abs(tip[2]) == pytest.approx(0.003)
        n = half.direction_to_gear(half.teeth.left.involute.normal(L, z))
        assert np.linalg.norm(n) == pytest.approx(1.0)
    assert np.allclose(ends[0], ends[1], atol=1e-16)
    assert np.allclose(ends[0] * [1, 1, -1], ends[1], atol=1e-16)
    with pytest.raises(ModelError, match="spur gear"):
        double_helical(GEAR)


@pytest.mark.parametrize("internal", [False, True])
def test_outline_is_closed_and_simple(internal):
    gear = Gear(teeth=45, normal_module="2 mm", internal=internal, face_width="10 mm", profile_shift=0.1)
    teeth = Teeth(gear)
    line = outline(teeth, points=60)
    assert np.allclose(line[0], line[-1], atol=1e-15)
    area = 0.5 * np.sum(line[:-1, 0] * line[1:, 1] - line[1:, 0] * line[:-1, 1])
    # half way between the circles of tip and root, about
    d = sorted((gear.tip_diameter, gear.root_diameter))
    assert 0.25 * math.pi * d[0] ** 2 < area < 0.25 * math.pi * d[1] ** 2
    angle = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    assert angle[-1] - angle[0] == pytest.approx(2 * math.pi)
    parts = list(tooth_section(teeth).values())
    for a, b in itertools.pairwise(parts):
        assert np.allclose(a[-1], b[0], atol=1e-15)


def test_messages():
    with pytest.raises(ModelError, match="expected a Gear"):
        Teeth("gear")
    with pytest.raises(ModelError, match="bevel"):
        Teeth(Gear(teeth=20, normal_module="2 mm", cone_angle="45 deg"))
    with pytest.raises(ModelError, match="pointed below the tip"):
        Teeth(Gear(teeth=19, normal_module="2 mm", face_width="40 mm"), profile_shift_angle="15 deg")
    with pytest.raises(ModelError, match="face_width"):
        Teeth(Gear(teeth=19, normal_module="2 mm"), profile_shift_angle="5 deg")
    with pytest.raises(ModelError, match="external ones by a Hob"):
        Teeth(GEAR, cutter_teeth=20)
    with pytest.raises(ModelError, match="internal teeth are cut by a Shaper"):
        Teeth(Gear(teeth=60, normal_module="2 mm", internal=True), protuberance="0.1 mm")
    with pytest.raises(ModelError, match='"left" or "right"'):
        Teeth(GEAR).flank("top")
    with pytest.raises(ModelError, match=r"removes the whole involute|there is no involute"):
        Teeth(Gear(teeth=5, normal_module="2 mm", profile_shift=-0.5, addendum_factor=0.4))
    with pytest.raises(ModelError, match="ISO 53 has the profiles"):
        basic_rack("E")
