"""Rigid contact on the surfaces: ideal gears run without transmission error, modified ones by what their flanks lack.

The computation knows no line of action: it compares points of two surfaces. On the line of action, at the roll lengths
L_A and L_B of the flanks, deviations δ move the driven wheel by

    e = max over all points in contact of (δ_A + δ_B) / cos β_b ,

to first order; the contact leaves that line, which adds up to ρ (dδ/ds)²/2, with ρ = L_A L_B/(L_A + L_B) and the arc of
the flank ds = (L/r_b) dL.
"""

import math

import numpy as np
import pytest

import pitchline.parts.gears.teeth as t
from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair

M = 2e-3
SPUR = Gear(teeth=18, normal_module=M, face_width="10 mm")
WHEEL = SPUR.with_(teeth=37)
HELICAL, HELICAL_WHEEL = SPUR.with_(helix_angle="20 deg"), WHEEL.with_(helix_angle="-20 deg")


def ideal_pairs(count: int = 6):
    rng = np.random.default_rng(5)
    for kind in ("spur", "helical", "internal", "conical"):
        for _ in range(count):
            m = 1e-3 * rng.uniform(1.0, 6.0)
            beta = 0.0 if kind == "spur" else rng.uniform(-28.0, 28.0)
            shift = 0.0 if kind == "conical" else rng.uniform(-0.1, 0.3)
            small = Gear(
                teeth=int(rng.integers(19, 30)), normal_module=m, helix_angle=f"{beta} deg",
                normal_pressure_angle=f"{rng.uniform(18, 24)} deg", profile_shift=shift, face_width=4 * m,
                backlash_allowance=rng.choice([0.0, 0.02]) * m, tip_alteration=-0.05,
            )  # fmt: skip
            inside = kind == "internal"
            large = small.with_(
                teeth=int(rng.integers(64, 90)), internal=inside, helix_angle=f"{beta if inside else -beta} deg",
                profile_shift=0.0 if kind == "conical" else rng.uniform(-0.1, 0.3),
            )  # fmt: skip
            tilt = [f"{rng.uniform(1.0, 8.0)} deg" if kind == "conical" else 0.0 for _ in range(2)]
            a, b = (t.Teeth(gear, profile_shift_angle=theta) for gear, theta in zip((small, large), tilt, strict=True))
            distance = None
            if kind in ("spur", "helical") and rng.random() < 0.5:
                distance = GearPair(small, large).centre_distance + 0.1 * m
            yield kind, a, b, distance, str(rng.choice(["left", "right"]))


def test_ideal_gears_have_no_transmission_error():
    """Zero to 1e-12 of the module over the mesh cycle: spur, helical, internal, and conical at their shaft angle."""
    kinds = []
    for kind, a, b, distance, side in ideal_pairs():
        if kind == "internal" and len(kinds) % 2:
            a, b = b, a
        run = t.rigid_contact(a, b, centre_distance=distance, side=side, positions=9, strips=7)
        assert np.abs(run.transmission_error).max() < 1e-12 * a.gear.normal_module, (kind, a, b)
        kinds.append(kind)
    assert len(kinds) == 24


def test_beveloid_pair_of_do_ziegler_eberhard():
    """Table 3 of the paper: z 19/38, θ = 10° each, shaft angle 20°; point contact in the middle of the face."""
    gear = Gear(teeth=19, normal_module=M, face_width="20 mm", dedendum_factor=1.2, root_radius_factor=0.125)
    a, b = (t.Teeth(gear.with_(teeth=z), profile_shift_angle="10 deg") for z in (19, 38))
    pose, play = t.place_teeth(a, b)
    assert math.degrees(math.acos(pose.rotation[2, 2])) == pytest.approx(20.0) and play == 0.0
    run = t.rigid_contact(a, b)
    assert np.abs(run.transmission_error).max() < 1e-12 * M
    assert np.abs(run.face).max() < 0.5e-3


@pytest.mark.parametrize("pair", [(SPUR, WHEEL), (HELICAL, HELICAL_WHEEL)])
def test_path_of_contact(pair):
    """Strips of ideal flanks touch between T_A A and T_A E, and nowhere else; ε_α pairs of them on average."""
    path = GearPair(*pair).path_of_contact
    run = t.rigid_contact(t.Teeth(pair[0]), t.Teeth(pair[1]), positions=60, strips=5)
    touch = run.strip_gap < 1e-12
    L = run.strip_roll_length[touch]
    step = GearPair(*pair).a.transverse_base_pitch / 60
    assert path.start - 1e-9 < L.min() < path.start + step and path.end - step < L.max() < path.end + 1e-9
    assert touch.sum(axis=1).mean() == pytest.approx(path.contact_ratio, abs=0.02)


def expected_error(a, b, run, a_teeth, b_teeth):
    """−max of (δ_A + δ_B)/cos β_b over the contact line of each position, spur and helical, to first order."""
    pair = GearPair(a_teeth.gear, b_teeth.gear)
    span = pair.centre_distance * math.sin(pair.running.pressure_angle)
    path, p_bt, gear = pair.path_of_contact, a_teeth.gear.transverse_base_pitch, a_teeth.gear
    r_b = 0.5 * gear.base_diameter
    beta_b = gear.base_helix_angle
    z = np.linspace(-0.5, 0.5, 2001) * gear.face_width
    # the left flank of tooth 0: touched where its base tangent has turned into the line of action
    touch = a_teeth.left.involute
    out = []
    for phase in run.phase:
        values = []
        for k in range(-6, 7):
            # the normal of the flank, e_t(τ), along the line of action: τ + φ = −α_wt
            L = r_b * (touch.base_angle + pair.running.pressure_angle) + (phase + k) * p_bt + z * math.tan(beta_b)
            inside = (path.start <= L) & (path.end >= L)
            if inside.any():
                L_b = span - L[inside]
                values.append(np.max(a.deviation(L[inside], z[inside]) + b.deviation(L_b, z[inside])))
        out.append(-max(values) / math.cos(beta_b))
    return np.array(out)


@pytest.mark.parametrize("pair", [(SPUR, WHEEL), (HELICAL, HELICAL_WHEEL)], ids=["spur", "helical"])
def test_modified_gears_follow_the_deviations_on_their_contact_lines(pair):
    """The rest falls with the square of the amount, as contact leaves the line of action."""
    rest = []
    for scale in (1.0, 0.5, 0.25):
        relief = t.TipRelief(4e-6 * scale, length="1.5 mm", shape="parabolic") + t.ProfileCrowning(2e-6 * scale)
        a, b = t.Teeth(pair[0], both=relief), t.Teeth(pair[1], both=relief)
        run = t.rigid_contact(a, b, positions=12, strips=15)
        rest.append(run.transmission_error - expected_error(a.left, b.left, run, a, b))
        assert run.transmission_error.min() >= 0.0
    sizes = [np.abs(r).max() for r in rest]
    slope = 2 * 4e-6 / 1.5e-3
    assert sizes[0] < 3e-3 * slope**2  # ρ = 3 mm: more than either flank has at the tip
    assert np.log2(sizes[0] / sizes[1]) == pytest.approx(2.0, abs=0.15)
    assert np.log2(sizes[1] / sizes[2]) == pytest.approx(2.0, abs=0.15)


def test_tip_relief_of_a_spur_pair():
    """The error is the least relief among the pairs in contact: zero wherever one of them touches unrelieved flanks."""
    amount, length = 1e-6, 2.5e-3
    relief = t.TipRelief(amount, length=length)
    a, b = t.Teeth(SPUR, both=relief), t.Teeth(WHEEL, both=relief)
    run = t.rigid_contact(a, b, positions=40, strips=3)
    pair = GearPair(SPUR, WHEEL)
    path, p = pair.path_of_contact, SPUR.transverse_base_pitch
    span = pair.centre_distance * math.sin(pair.running.pressure_angle)
    assert 2 * length > path.length - p  # so long that at times all pairs in contact are relieved
    flank = a.left.involute
    L0 = 0.5 * SPUR.base_diameter * (flank.base_angle + pair.running.pressure_angle)
    for phase, e in zip(run.phase, run.transmission_error, strict=True):
        L = L0 + (phase + np.arange(-4, 5)) * p
        L = L[(path.start < L) & (path.end > L)]
        a_relief = np.maximum(L - (path.end - length), 0.0) / length
        b_relief = np.maximum((path.start + length) - L, 0.0) / length
        least = amount * np.min(np.maximum(a_relief, b_relief))
        steepest = amount / length * max(0.5 * WHEEL.base_diameter / (span - path.end), 0.5 * SPUR.base_diameter / 4e-3)
        assert least + 1e-15 >= e > least - 0.5 * 0.25 * span * steepest**2
    assert run.peak_to_peak > 0.1 * amount


def test_lead_modifications_of_a_spur_pair():
    """Crowned: touches in the middle, without error. Sloped: at one end, where the flank stands out by f/2."""
    wheel = t.Teeth(WHEEL)
    run = t.rigid_contact(t.Teeth(SPUR, both=t.LeadCrowning("5 um")), wheel, positions=8)
    assert np.abs(run.transmission_error).max() < 1e-15 and np.abs(run.face).max() < 1e-6
    run = t.rigid_contact(t.Teeth(SPUR, both=t.HelixSlope("6 um")), wheel, positions=8)
    assert run.transmission_error == pytest.approx(-3e-6, abs=1e-12) and run.face == pytest.approx(5e-3)
    # the end of the gap pattern: 6 µm apart at the other end
    gap = np.nanmin(run.strip_gap, axis=(0, 1))
    assert gap[0] == pytest.approx(6e-6, rel=1e-6) and gap[-1] == pytest.approx(0.0, abs=1e-15)
    _, z, apart = run.pattern(3e-6)
    assert z.min() == pytest.approx(0.0, abs=1e-3) and apart.max() <= 3e-6


def test_gap_of_a_crowned_helical_pair():
    """Along each contact line the flanks are apart by the crowning: nothing turns the normals in a transverse section."""
    crown = 5e-6
    a = t.Teeth(HELICAL, both=t.LeadCrowning(crown))
    run = t.rigid_contact(a, t.Teeth(HELICAL_WHEEL), positions=6, strips=11)
    pair = GearPair(HELICAL, HELICAL_WHEEL)
    path, p_bt, beta_b = pair.path_of_contact, HELICAL.transverse_base_pitch, HELICAL.base_helix_angle
    first = 0.5 * HELICAL.base_diameter * (a.left.involute.base_angle + pair.running.pressure_angle)
    seen = 0
    for k, phase in enumerate(run.phase):
        for j, tooth in enumerate((run.teeth[k] + 9) % 18 - 9):
            L = first + (phase + tooth) * p_bt + run.faces * math.tan(beta_b)
            on = (path.start + 1e-4 < L) & (path.end - 1e-4 > L)
            seen += on.sum()
            assert np.allclose(run.strip_roll_length[k, j][on], L[on], rtol=0.0, atol=1e-8)
            lift = crown * (run.faces[on] / 5e-3) ** 2
            assert np.allclose(run.strip_gap[k, j][on], lift, rtol=0.0, atol=1e-12)
    assert seen > 60


def test_pitch_errors_and_a_damaged_tooth():
    """Teeth that stand back are passed over while others carry; one that stands out is taken up at once."""
    f = 3e-6
    a = t.Teeth(SPUR, per_tooth={0: t.PitchDeviation(f)})
    run = t.rigid_contact(a, t.Teeth(WHEEL), positions=20, pitches=3, start=-1.0, strips=3)
    high = run.tooth_a == 0
    path = GearPair(SPUR, WHEEL).path_of_contact
    on_path = high & (run.roll_length > path.start + 1e-6) & (run.roll_length < path.end - 1e-6)
    assert run.transmission_error[on_path] == pytest.approx(-f, abs=1e-12)
    # before and after it its corners touch: it comes in early and goes out late
    assert np.all(run.transmission_error[high] < 0.0) and on_path.sum() >= high.sum() - 2
    assert run.transmission_error[~high] == pytest.approx(0.0, abs=1e-12)
    # ε_α = 1.614 pitches long
    assert high.sum() / 20 == pytest.approx(GearPair(SPUR, WHEEL).transverse_contact_ratio, abs=0.06)
    b = t.Teeth(WHEEL, per_tooth={0: t.PitchDeviation(-f)})
    run = t.rigid_contact(t.Teeth(SPUR), b, positions=20, pitches=37, strips=3)
    low = run.transmission_error > 0.5 * f
    # alone in contact for 2 − ε_α of a pitch, once in a turn of the wheel
    assert low.sum() / 20 == pytest.approx(2.0 - GearPair(SPUR, WHEEL).transverse_contact_ratio, abs=0.06)
    assert run.transmission_error.max() == pytest.approx(f, abs=1e-12)
    assert set(run.tooth_b[run.transmission_error > 0.999 * f]) == {0}


def test_pressure_angle_error_sign():
    """More material at the tip of A pushes B ahead at the end of contact."""
    a = t.Teeth(SPUR, both=t.PressureAngleSlope("4 um"))
    run = t.rigid_contact(a, t.Teeth(WHEEL), positions=24, strips=3)
    assert run.transmission_error.min() < 0.0 and run.peak_to_peak < 4e-6
    assert np.all(np.diff(run.roll_length[np.argsort(-run.transmission_error)][[0, -1]]) > 0.0)


def test_messages():
    a, b = t.Teeth(SPUR), t.Teeth(WHEEL)
    with pytest.raises(ModelError, match='"left" or "right"'):
        t.rigid_contact(a, b, side="top")
    with pytest.raises(ModelError, match="requires the face width"):
        t.rigid_contact(t.Teeth(Gear(teeth=20, normal_module=M)), b)
    cone = t.Teeth(SPUR, profile_shift_angle="5 deg")
    with pytest.raises(ModelError, match="Leave centre_distance out"):
        t.rigid_contact(cone, b, centre_distance="55 mm")
    with pytest.raises(ModelError, match="must be opposite"):
        t.rigid_contact(cone, t.Teeth(HELICAL_WHEEL))
    with pytest.raises(ModelError, match="internal"):
        t.rigid_contact(cone, t.Teeth(Gear(teeth=60, normal_module=M, internal=True, face_width=0.01)))
    with pytest.raises(ModelError, match="differ in normal_module"):
        t.rigid_contact(cone, t.Teeth(Gear(teeth=60, normal_module=3e-3, face_width=0.01)))
