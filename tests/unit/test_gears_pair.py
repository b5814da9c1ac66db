"""Two wheels in mesh: working geometry, contact ratios, clearances and backlash, with their limits and symmetries."""

import math
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.gear_pairs import KINDS, angles, pairs, parallel_pairs

from pitchline.errors import ModelError
from pitchline.gears import (
    Gear,
    GearPair,
    Rack,
    centre_distance,
    cone_angles,
    efficiency,
    hypoid_pinion,
    involute,
    iso_stiffness,
    profile_shift_sum,
    self_locking_friction,
)
from pitchline.parts.gears.geometry.pair import tips_collide

any_parallel = st.sampled_from(("spur", "helical", "internal")).flatmap(parallel_pairs)


def swapped(pair: GearPair) -> GearPair:
    distance = pair.centre_distance if pair.kind.parallel or pair.kind == "hypoid" else None
    return GearPair(pair.b, pair.a, centre_distance=distance, shaft_angle=pair.shaft_angle)


@given(any_parallel)
def test_profile_shift_and_centre_distance_are_inverse(pair: GearPair) -> None:
    free = centre_distance(pair.a, pair.b)
    total = pair.a.profile_shift + pair.b.profile_shift
    assert profile_shift_sum(pair.a, pair.b, free) == pytest.approx(total, abs=1e-11)
    x = profile_shift_sum(pair.a, pair.b, pair.centre_distance)
    again = centre_distance(pair.a, pair.b.with_(profile_shift=x - pair.a.profile_shift, tip_alteration=-0.5))
    assert again == pytest.approx(pair.centre_distance, rel=1e-13)


@given(any_parallel)
def test_working_geometry(pair: GearPair) -> None:
    """Pitch circles touch, roll and share the base pitch; inv α_wt for the distance without backlash."""
    a, b = pair.a, pair.b
    d_a, d_b = pair.working_diameters
    assert abs(a.sense * d_a + b.sense * d_b) / 2 == pytest.approx(pair.centre_distance, rel=1e-13)
    assert d_a / a.teeth == pytest.approx(d_b / b.teeth, rel=1e-13)
    cosine = math.cos(pair.transverse_working_pressure_angle)
    assert d_a * cosine == pytest.approx(a.base_diameter, rel=1e-12)
    assert d_b * cosine == pytest.approx(b.base_diameter, rel=1e-12)
    beta = pair.working_helix_angles[0]
    assert math.sin(a.base_helix_angle) == pytest.approx(
        math.sin(beta) * math.cos(pair.normal_working_pressure_angle), abs=1e-13
    )
    assert pair.pitch.normal_module == pytest.approx(d_a * math.cos(beta) / a.teeth, rel=1e-13)
    free = GearPair(a, b)
    signed = a.sense * a.teeth + b.sense * b.teeth
    shift = 2 * math.tan(a.normal_pressure_angle) * (a.profile_shift + b.profile_shift) / signed
    assert involute(free.transverse_working_pressure_angle) == pytest.approx(
        involute(a.transverse_pressure_angle) + shift, abs=1e-14
    )
    # Without shift of the distance only the allowances are left as backlash.
    allowances = (a.backlash_allowance + b.backlash_allowance) / math.cos(a.helix_angle)
    assert free.circumferential_backlash == pytest.approx(
        allowances * free.working_diameters[0] / a.reference_diameter, abs=1e-15
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rack and pinion"])
@given(data=st.data())
def test_symmetric_in_both_wheels(kind: str, data: st.DataObject) -> None:
    pair = data.draw(pairs(kind))
    other = swapped(pair)
    assert other.kind == pair.kind == kind
    assert other.ratio * pair.ratio == pytest.approx(1.0)
    assert other.speed_ratio * pair.speed_ratio == pytest.approx(1.0)
    assert other.centre_distance == pytest.approx(pair.centre_distance, abs=1e-12)
    assert other.shaft_angle == pytest.approx(pair.shaft_angle, abs=1e-9)
    assert other.working_diameters == pytest.approx(pair.working_diameters[::-1])
    assert other.working_helix_angles == pytest.approx(pair.working_helix_angles[::-1], abs=1e-12)
    assert other.tip_clearances == pytest.approx(pair.tip_clearances[::-1], abs=1e-12)
    assert other.backlash == pytest.approx(pair.backlash, abs=1e-15)
    assert len(other.warnings) == len(pair.warnings)
    if kind != "hypoid":
        assert other.transverse_contact_ratio == pytest.approx(pair.transverse_contact_ratio, rel=1e-9)
    if pair.kind.parallel:
        assert other.path_of_contact.length == pytest.approx(pair.path_of_contact.length, rel=1e-9)
        assert iso_stiffness(other).mesh_alpha == pytest.approx(iso_stiffness(pair).mesh_alpha, rel=1e-9) or (
            pair.a.teeth == pair.b.teeth
        )


@given(angles(16, 25), st.integers(18, 60), st.integers(18, 90))
def test_contact_ratio_closed_form(alpha: float, z_a: int, z_b: int) -> None:
    """ε_α = (z_A (tan α_aA − tan α_w) + z_B (tan α_aB − tan α_w)) / 2π, and through the equal halves of the path."""
    a, b = (Gear(teeth=z, normal_module=0.003, normal_pressure_angle=alpha) for z in (z_a, z_b))
    pair = GearPair(a, b)
    tips = [math.tan(g.pressure_angle_at(g.tip_diameter)) - math.tan(alpha) for g in (a, b)]
    assert pair.transverse_contact_ratio == pytest.approx((z_a * tips[0] + z_b * tips[1]) / (2 * math.pi), rel=1e-12)
    path = pair.path_of_contact
    assert path.inner_single + path.base_pitch == pytest.approx(path.end)
    assert path.outer_single - path.base_pitch == pytest.approx(path.start)
    assert path.start < path.pitch_point < path.end


@given(any_parallel)
def test_overlap_and_total(pair: GearPair) -> None:
    beta = abs(pair.a.helix_angle)
    assert pair.overlap_ratio == pytest.approx(0.03 * math.tan(beta) / pair.a.transverse_pitch, rel=1e-13, abs=1e-15)
    assert pair.total_contact_ratio == pair.transverse_contact_ratio + pair.overlap_ratio


def test_limits() -> None:
    """A very large wheel is a rack, a very flat bevel a spur wheel; axes crossed at no angle are parallel."""
    pinion = Gear(teeth=20, normal_module=0.002, helix_angle=0.2)
    rack = GearPair(pinion, Rack(teeth=20, normal_module=0.002, helix_angle=-0.2))
    for internal, helix in ((False, -0.2), (True, 0.2)):
        wheel = Gear(teeth=50_000, normal_module=0.002, helix_angle=helix, internal=internal)
        large, half = GearPair(pinion, wheel), GearPair(pinion, wheel.with_(teeth=25_000))
        ratio = large.transverse_contact_ratio
        assert ratio == pytest.approx(rack.transverse_contact_ratio, rel=1e-4)
        # the difference is c/z: without it, of the order 1/z²
        limit = 2.0 * ratio - half.transverse_contact_ratio
        assert limit == pytest.approx(rack.transverse_contact_ratio, rel=1e-7)
        assert large.tip_clearances == pytest.approx(rack.tip_clearances, abs=1e-9)
    a, b = Gear(teeth=20, normal_module=0.002), Gear(teeth=40, normal_module=0.002)
    spur = GearPair(a, b)
    d_a, d_b = cone_angles(20, 40, 1e-4)
    bevel = GearPair(a.with_(cone_angle=d_a), b.with_(cone_angle=d_b))
    assert bevel.transverse_contact_ratio == pytest.approx(spur.transverse_contact_ratio, rel=1e-7)
    crossed = GearPair(a.with_(helix_angle=2e-4), b, shaft_angle=2e-4)
    assert crossed.transverse_contact_ratio == pytest.approx(spur.transverse_contact_ratio, rel=1e-5)
    skew = GearPair(a, Rack(teeth=20, normal_module=0.002, helix_angle=2e-4), shaft_angle=2e-4)
    straight = GearPair(a, Rack(teeth=20, normal_module=0.002))
    assert skew.transverse_contact_ratio == pytest.approx(straight.transverse_contact_ratio, rel=1e-5)
    crown = b.with_(cone_angle="90 deg")
    on_crown = GearPair(a.with_(cone_angle="30 deg"), crown)
    nearly = cone_angles(20, 40, math.radians(119.99))
    near = GearPair(a.with_(cone_angle=nearly[0]), b.with_(cone_angle=nearly[1]))
    assert on_crown.transverse_contact_ratio == pytest.approx(near.transverse_contact_ratio, rel=1e-3)
    assert swapped(on_crown).transverse_contact_ratio == pytest.approx(on_crown.transverse_contact_ratio)
    assert on_crown.warnings == ()


@given(st.floats(0.0, 0.4), st.floats(0.0, 0.4))
def test_shortened_tips_restore_the_clearance(x_a: float, x_b: float) -> None:
    """k = (a − a_d)/m − Σx: the clearance of the basic rack, 0.25 m, on both wheels."""
    a = Gear(teeth=20, normal_module=0.002, profile_shift=x_a)
    pair = GearPair(a, a.with_(teeth=40, profile_shift=x_b)).shortened()
    assert pair.tip_clearances == pytest.approx((0.0005, 0.0005), rel=1e-10)
    assert pair.a.tip_alteration <= 1e-12
    inside = GearPair(a, a.with_(teeth=60, internal=True))
    assert inside.shortened() is inside


@given(any_parallel, st.floats(1.0, 1.004))
def test_backlash_grows_with_the_distance(pair: GearPair, factor: float) -> None:
    """To first order dj_wt = 2 da tan α_wt; all three measures of it are related by the angles of the pitch point."""
    if pair.kind == "internal":
        factor = 2.0 - factor
    try:
        wider = GearPair(pair.a, pair.b, centre_distance=factor * pair.centre_distance)
    except ModelError:
        return
    more = wider.centre_distance - pair.centre_distance
    growth = 2 * abs(more) * math.tan(pair.transverse_working_pressure_angle)
    assert wider.circumferential_backlash >= pair.circumferential_backlash - 1e-12
    assert wider.circumferential_backlash - pair.circumferential_backlash == pytest.approx(growth, rel=0.1, abs=1e-12)
    assert wider.normal_backlash == pytest.approx(
        wider.circumferential_backlash
        * math.cos(wider.transverse_working_pressure_angle)
        * math.cos(wider.a.base_helix_angle),
        abs=1e-16,
    )


def test_rack_and_pinion() -> None:
    pinion = Gear(teeth=20, normal_module=0.002, profile_shift=0.3, backlash_allowance="20 um", helix_angle="10 deg")
    pair = GearPair(pinion, Rack(teeth=30, normal_module=0.002, helix_angle="-10 deg", backlash_allowance="30 um"))
    assert pair.ratio == math.inf
    assert pair.centre_distance == pytest.approx(pinion.reference_diameter / 2 + 0.0006)
    assert pair.reference_centre_distance == pytest.approx(pinion.reference_diameter / 2)
    assert abs(pair.speed_ratio) == pytest.approx(pinion.reference_diameter / 2)
    assert pair.backlash == pytest.approx(50e-6)
    assert pair.tip_clearances == pytest.approx((0.0005, 0.0005))
    assert pair.shaft_angle == pytest.approx(0.0, abs=1e-15)


@given(pairs("hypoid"))
def test_hypoid(pair: GearPair) -> None:
    """The pinion found has the shaft angle and the offset asked for, and the module of the wheel on its pitch cone."""
    p = pair.pitch
    for radius, beta, teeth in ((p.radius_a, p.beta_a, p.teeth_a), (p.radius_b, p.beta_b, p.teeth_b)):
        assert radius * math.cos(beta) == pytest.approx(p.normal_module * teeth / 2, rel=1e-12)
    with pytest.raises(ModelError, match=r"requires the flanks"):
        _ = pair.transverse_contact_ratio
    with pytest.raises(ModelError, match=r"no path of contact"):
        _ = pair.path_of_contact
    assert pair.overlap_ratio == 0.0


def test_hypoid_offset_zero_is_the_bevel() -> None:
    wheel = Gear(teeth=40, normal_module=0.004, helix_angle="30 deg", cone_angle=cone_angles(40, 10, math.pi / 2)[0])
    pinion = hypoid_pinion(wheel, teeth=10, offset=1e-9, face_width="20 mm")
    assert pinion.cone_angle == pytest.approx(math.pi / 2 - wheel.cone_angle, abs=1e-6)
    assert pinion.helix_angle == pytest.approx(-wheel.helix_angle, abs=1e-6)
    larger = hypoid_pinion(wheel, teeth=10, offset="25 mm")
    smaller = hypoid_pinion(wheel, teeth=10, offset="25 mm", below=False)
    assert abs(larger.helix_angle) > abs(wheel.helix_angle) > abs(smaller.helix_angle)
    with pytest.raises(ModelError, match=r"no pinion of 10 teeth meshes.*300 mm.*90 deg"):
        hypoid_pinion(wheel, teeth=10, offset="300 mm")
    with pytest.raises(ModelError, match=r"the wheel is a cylindrical gear"):
        hypoid_pinion(wheel.with_(cone_angle=0.0), teeth=10, offset="10 mm")


@given(pairs("crossed helical"), st.floats(0.0, 0.15))
def test_efficiency_of_crossed_axes(pair: GearPair, friction: float) -> None:
    """Without friction nothing is lost, with it some, whoever drives; at the limit of locking all."""
    assert efficiency(pair, 0.0) == 1.0
    for driver in ("a", "b"):
        assert efficiency(pair, friction, driver=driver) <= 1.0
        limit = self_locking_friction(pair, driver=driver)
        if limit < 1e6:
            assert efficiency(pair, limit, driver=driver) == pytest.approx(0.0, abs=1e-12)


def test_efficiency_without_sliding() -> None:
    gear = Gear(teeth=20, normal_module=0.002)
    pair = GearPair(gear, gear)
    assert efficiency(pair, 0.1) == 1.0 and self_locking_friction(pair) == math.inf
    with pytest.raises(ModelError, match=r"driver must be"):
        efficiency(GearPair(*[gear.with_(helix_angle=0.3)] * 2, shaft_angle=0.6), 0.1, driver="pinion")


def test_interference() -> None:
    """Tips that meet fillets, run beyond the base circle, have no clearance, or collide beside an internal mesh."""
    a, b = Gear(teeth=10, normal_module=0.002), Gear(teeth=100, normal_module=0.002)
    texts = " ".join(GearPair(a, b).warnings)
    assert "beyond the base circle of A" in texts and "undercut" in texts
    assert " ".join(GearPair(b, a).warnings).count("beyond the base circle of B") == 1
    round_roots = a.with_(teeth=20, dedendum_factor=1.2, root_radius_factor=0.49)
    assert "touch the fillets of A" in " ".join(GearPair(round_roots, b).warnings)
    assert GearPair(a.with_(teeth=25), b).warnings == ()
    close = GearPair(a.with_(teeth=40), a.with_(teeth=43, internal=True))
    assert any("collide outside the mesh" in text for text in close.warnings)
    wide = GearPair(a.with_(teeth=25), a.with_(teeth=75, internal=True))
    assert not any("collide outside the mesh" in text for text in wide.warnings)
    tight = GearPair(a.with_(teeth=30, dedendum_factor=1.05), b)
    assert any("clearance between the tips of B and the roots of A is 0.1 mm" in text for text in tight.warnings)
    short = GearPair(a.with_(teeth=30, tip_alteration=-0.7), a.with_(teeth=30, tip_alteration=-0.7))
    assert any("contact ratio is 0." in text for text in short.warnings)
    slightly = GearPair(a.with_(teeth=30), a.with_(teeth=30), centre_distance=0.05999)
    assert any("the teeth overlap by" in text for text in slightly.warnings)


SOME: list[Any] = [
    Gear(teeth=z, normal_module=0.002, helix_angle=h, cone_angle=c, internal=i, profile_shift=x, face_width=0.01)
    for z, h, c, i, x in (
        (20, 0, 0, False, 0.0),
        (30, 0, 0, False, 0.4),
        (90, 0, 0, True, 0.1),
        (40, 0.3, 0, False, 0.0),
        (40, -0.3, 0, False, 0.0),
        (50, 0.3, 0, True, 0.0),
        (20, 0.6, math.pi / 4, False, 0.0),
        (20, -0.6, -math.pi / 4, False, 0.0),
        (20, -0.3, math.pi / 4, False, 0.0),
        (40, 0, math.pi / 2, False, 0.0),
    )
]
SOME += [Gear(starts=2, normal_module=0.002, lead_angle=0.3), Rack(teeth=30, normal_module=0.002, helix_angle=0.3)]


@settings(max_examples=400)
@given(
    st.sampled_from(SOME),
    st.sampled_from(SOME),
    st.none() | st.floats(0, 0.2) | st.just("0.0403 m"),
    st.none() | st.floats(-1, 4) | st.sampled_from((0.6, math.pi / 2)),
)
def test_any_two_gears(a: Gear, b: Gear | Rack, distance: object, angle: object) -> None:
    """Whatever is put together: a pair whose quantities can be computed, or a message."""
    try:
        pair = GearPair(a, b, centre_distance=distance, shaft_angle=angle)
    except ModelError as error:
        assert str(error).startswith("gear pair: ")
        return
    assert pair.centre_distance >= 0.0 and 0.0 <= pair.shaft_angle <= math.pi
    assert isinstance(pair.warnings, tuple) and len(pair.tip_clearances) == 2
    placed = pair.place()
    assert abs(pair.align((0, 0, 0), None, placed.position, placed.rotation).tooth_offset) < 1e-9
    if pair.kind != "hypoid":
        assert pair.transverse_contact_ratio > 0.0


def test_stiffness_is_for_parallel_axes() -> None:
    bevels = [Gear(teeth=20, normal_module=0.002, cone_angle="45 deg")] * 2
    with pytest.raises(ModelError, match=r"not of a straight bevel pair"):
        iso_stiffness(GearPair(*bevels))


def test_a_ring_within_the_tip_circle_of_its_pinion_collides() -> None:
    """38 teeth of tip radius 40 mm, 1 mm beside the middle of a ring whose tips stand at 37 mm."""
    pinion, ring = Gear(teeth=38, normal_module=2e-3), Gear(teeth=39, normal_module=2e-3, internal=True)
    at = SimpleNamespace(centre_distance=1e-3, pressure_angle=0.35)
    assert tips_collide(pinion, ring, cast(Any, at))
    assert not tips_collide(pinion, Gear(teeth=60, normal_module=2e-3, internal=True), cast(Any, at))
