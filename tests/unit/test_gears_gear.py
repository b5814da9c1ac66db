"""One wheel: what may be said of it, and what follows from it by ISO 21771."""

import math
from inspect import signature
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.gear_pairs import angles

from pitchline.errors import ModelError
from pitchline.gears import STEEL, Gear, Material, involute


@st.composite
def wheels(draw: st.DrawFn) -> Gear:
    """External and internal wheels, spur and helical, profile shifted."""
    try:
        return Gear(
            teeth=draw(st.integers(15, 150)),
            normal_module=draw(st.floats(1e-4, 0.02)),
            normal_pressure_angle=draw(angles(14, 28)),
            helix_angle=draw(angles(-45, 45)),
            profile_shift=draw(st.floats(-0.3, 0.5)),
            internal=draw(st.booleans()),
        )
    except ModelError:  # a tip beyond the point where the flanks meet
        return Gear(teeth=20, normal_module=1e-3)


@given(wheels())
def test_identities(g: Gear) -> None:
    """Relations between the angles and pitches of the three sections."""
    a_n, a_t, b, b_b = g.normal_pressure_angle, g.transverse_pressure_angle, g.helix_angle, g.base_helix_angle
    assert math.tan(b_b) == pytest.approx(math.tan(b) * math.cos(a_t), abs=1e-14)
    assert math.sin(a_n) == pytest.approx(math.sin(a_t) * math.cos(b_b), rel=1e-13)
    assert math.cos(b) * math.cos(a_n) == pytest.approx(math.cos(a_t) * math.cos(b_b), rel=1e-13)
    assert g.transverse_base_pitch == pytest.approx(math.pi * g.base_diameter / g.teeth, rel=1e-13)
    assert g.normal_base_pitch == pytest.approx(g.transverse_base_pitch * math.cos(b_b), rel=1e-13)
    assert g.transverse_pitch == pytest.approx(g.angular_pitch * g.reference_diameter / 2, rel=1e-13)
    assert g.tooth_depth == pytest.approx(g.sense * (g.tip_diameter - g.root_diameter) / 2, rel=1e-12)
    if b:
        assert g.lead == pytest.approx(math.pi * g.reference_diameter / math.tan(abs(b)), rel=1e-12)
        assert g.axial_pitch * math.tan(abs(b)) == pytest.approx(g.transverse_pitch, rel=1e-12)
    assert g.lead_angle == pytest.approx(math.copysign(math.pi / 2 - abs(b), b or 1.0))


@given(wheels(), st.floats(0.0, 1.0))
def test_thickness(g: Gear, where: float) -> None:
    """The reference circle has s_t; on any other, the angle of the flank turns by the difference of the involutes."""
    assert g.tooth_thickness_at(g.reference_diameter) == pytest.approx(g.transverse_tooth_thickness, rel=1e-12)
    low, high = max(g.base_diameter, min(g.tip_diameter, g.root_diameter)), max(g.tip_diameter, g.root_diameter)
    y = low + where * (high - low)
    turn = involute(g.pressure_angle_at(y)) - involute(g.transverse_pressure_angle)
    half = g.tooth_thickness_at(y) / y
    assert half + g.sense * turn == pytest.approx(g.transverse_tooth_thickness / g.reference_diameter, abs=1e-14)
    if not g.internal:
        point = g.pointed_diameter
        assert g.tooth_thickness_at(point) == pytest.approx(0.0, abs=1e-12 * point)
        assert g.tip_diameter <= point


@given(wheels())
def test_other_ways_to_say_it(g: Gear) -> None:
    """Diameters in place of factors, starts and lead angle in place of teeth and helix angle."""
    same = g.with_(tip_diameter=g.tip_diameter, root_diameter=g.root_diameter)
    assert same.tip_alteration == pytest.approx(g.tip_alteration, abs=1e-9)
    assert same.dedendum_factor == pytest.approx(g.dedendum_factor, rel=1e-9)
    assert g.with_() == g and hash(g.with_()) == hash(g)
    if g.helix_angle:
        assert g.with_(lead_angle=g.lead_angle).helix_angle == pytest.approx(g.helix_angle, abs=1e-15)


def test_undercut_limit() -> None:
    """The textbook wheel: 2/sin² 20° = 17.097 teeth; x_min = 1 − z/17.097 for a rack with a sharp, h_FfP = m tip."""
    g = Gear(
        teeth=17, normal_module=1e-3, dedendum_factor=1.25, root_radius_factor=0.25 / (1 - math.sin(math.radians(20)))
    )
    limit = 2 / math.sin(math.radians(20)) ** 2
    assert g.minimum_profile_shift == pytest.approx(1 - 17 / limit)
    assert g.undercut and not g.with_(teeth=18).undercut
    assert not g.with_(profile_shift=g.minimum_profile_shift).undercut
    at_limit = g.with_(teeth=12, profile_shift=1 - 12 / limit)
    assert at_limit.root_form_diameter == pytest.approx(at_limit.base_diameter, rel=1e-12)
    assert g.with_(teeth=40).root_form_diameter > g.with_(teeth=40).base_diameter
    assert any("undercut" in text and "0.298" in text for text in g.with_(teeth=12).warnings)
    assert g.with_(teeth=30).warnings == ()


def test_thin_and_pointed_tips() -> None:
    few = Gear(teeth=8, normal_module="2 mm", profile_shift=0.55)
    assert any("thin tips" in text for text in few.warnings)
    with pytest.raises(
        ModelError, match=r"pointed at the diameter .* mm, below the tip diameter .* tip_alteration=-0\.\d+"
    ):
        Gear(teeth=8, normal_module="2 mm", profile_shift=0.8)


def test_internal_tip_inside_the_base_circle() -> None:
    ring = Gear(teeth=30, normal_module="2 mm", internal=True)
    assert ring.tip_diameter < ring.base_diameter
    assert any("inside the base circle" in text for text in ring.warnings)


def test_worm_by_axial_module() -> None:
    """m_x = 4 mm, two starts on 40 mm: tan γ = 0.2; the wheel of 40 teeth has d = 40 m_x."""
    worm = Gear.from_axial_module(starts=2, axial_module="4 mm", reference_diameter="40 mm")
    assert worm.worm and worm.teeth == 2
    assert worm.axial_module == pytest.approx(0.004)
    assert worm.reference_diameter == pytest.approx(0.04)
    assert math.tan(worm.lead_angle) == pytest.approx(0.2)
    assert worm.lead == pytest.approx(2 * math.pi * 0.004)
    left = Gear.from_axial_module(starts=2, axial_module="4 mm", reference_diameter="40 mm", hand="left")
    assert left.helix_angle == pytest.approx(-worm.helix_angle)
    wheel = Gear(teeth=40, normal_module=worm.normal_module, helix_angle=worm.lead_angle)
    assert wheel.reference_diameter == pytest.approx(0.16)


def test_bevel_by_outer_module() -> None:
    """d_e = z m_et, d_m = d_e − b sin δ."""
    g = Gear.from_outer_module(
        teeth=30, outer_module="4 mm", cone_angle="60 deg", face_width="20 mm", helix_angle="35 deg"
    )
    assert g.outer_diameter == pytest.approx(0.12)
    assert g.outer_transverse_module == pytest.approx(0.004)
    assert g.reference_diameter == pytest.approx(0.12 - 0.02 * math.sin(math.radians(60)))
    assert g.mean_cone_distance == pytest.approx(0.5 * g.reference_diameter / math.sin(math.radians(60)))
    assert g.equivalent_cylinder.teeth == pytest.approx(60.0)
    assert g.tip_diameter == pytest.approx(g.reference_diameter + 2 * g.normal_module * 0.5)
    assert Gear(teeth=20, normal_module=1e-3).equivalent_cylinder == Gear(teeth=20, normal_module=1e-3)


def test_root_radius() -> None:
    """0.38 as in ISO 53 A; less where pressure angle or clearance leave no room."""
    assert Gear(teeth=20, normal_module=1e-3).root_radius == pytest.approx(0.38e-3, rel=1e-3)
    assert Gear(teeth=20, normal_module=1e-3, root_radius_factor=0.2).root_radius == pytest.approx(0.2e-3)
    narrow = Gear(teeth=20, normal_module=1e-3, dedendum_factor=1.1)
    assert narrow.root_radius == pytest.approx(0.1e-3 / (1 - math.sin(math.radians(20))))
    assert Gear(teeth=20, normal_module=1e-3, dedendum_factor=1.0).root_radius == 0.0
    steep = Gear(teeth=30, normal_module=1.0, normal_pressure_angle="28 deg", dedendum_factor=1.35)
    a = math.radians(28)
    assert steep.root_radius == pytest.approx((math.pi / 4 - 1.35 * math.tan(a)) * math.cos(a) / (1 - math.sin(a)))


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(teeth=None), "number of teeth is missing"),
        (dict(teeth=20.5), "gear: teeth: expected a whole number, got 20.5"),
        (dict(teeth="20"), "expected a whole number"),
        (dict(teeth=True), "expected a whole number"),
        (dict(teeth=0), "from 1 to 50000, got 0"),
        (dict(starts=2), "teeth and starts, not both"),
        (dict(normal_module="2 deg"), "gear: normal_module: expected length"),
        (dict(teeth=10**400), "from 1 to 50000"),
        (dict(teeth=math.nan), "expected a whole number"),
        (dict(normal_module="2000 km"), "2e+06 m is not a reasonable value"),
        (dict(normal_module=-1), "normal_module: must be greater than zero"),
        (dict(normal_pressure_angle=20), 'Write "20 deg" for degrees'),
        (dict(normal_pressure_angle="0 deg"), "between 1 and 60 deg"),
        (dict(helix_angle="90 deg"), "helix_angle: must be between -89.9 and 89.9 deg"),
        (dict(helix_angle="10 deg", lead_angle="80 deg"), "helix_angle and lead_angle, not both"),
        (dict(lead_angle=0.0), "lead_angle must not be zero"),
        (dict(cone_angle="100 deg"), "cone_angle: must be from -90 to 90 deg"),
        (dict(cone_angle="30 deg", internal=True), "internal bevel gears are not supported"),
        (dict(internal="yes"), "expected True or False"),
        (dict(worm=True), "requires a lead_angle"),
        (dict(worm=True, helix_angle="80 deg", cone_angle="5 deg"), "worm is an external cylindrical gear"),
        (dict(addendum_factor=0), "addendum_factor: must be greater"),
        (dict(dedendum_factor=0), "dedendum_factor: must be greater"),
        (dict(dedendum_factor=1.2, root_diameter="30 mm"), "dedendum_factor and root_diameter, not both"),
        (dict(tip_alteration=0.1, tip_diameter="44 mm"), "tip_alteration and tip_diameter, not both"),
        (dict(tip_alteration=-3), "is not outside the root"),
        (dict(dedendum_factor=3), "flanks of the space meet before the root"),
        (
            dict(root_radius_factor=0.9),
            "root_radius_factor 0.9 does not fit into the space. The largest possible value is 0.47",
        ),
        (dict(teeth=2), "there is no material inside the teeth"),
        (dict(backlash_allowance="4 mm"), "tooth thickness is not positive"),
        (dict(profile_shift=-3, dedendum_factor=0.5), "tooth thickness is not positive"),
        (dict(profile_shift=3, internal=True), "there is no space"),
        (dict(backlash_allowance="-1 um"), "must not be negative"),
        (dict(face_width=0), "face_width: must be greater"),
        (dict(bore="40 mm"), "the bore (40 mm) must be smaller than the root diameter (35 mm)"),
        (dict(rim_diameter="60 mm"), "is for internal gears"),
        (dict(internal=True, bore="1 mm"), "has no bore. Specify its outer diameter"),
        (
            dict(internal=True, rim_diameter="40 mm"),
            "rim_diameter (40 mm) must be greater than the root diameter (45 mm)",
        ),
        (dict(cone_angle="45 deg", face_width="60 mm"), "reach inside the apex"),
        (dict(cone_angle="90 deg", tip_diameter="44 mm"), "has no meaning for a crown wheel"),
        (dict(material="iron"), "material must be a Material"),
        (dict(density="7.8 kg"), "gear: density: expected density"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        Gear(**dict(teeth=20, normal_module="2 mm") | changes)
    assert message in str(caught.value)


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(("2 mm", "20 deg", "-3 N", 1e-3, 40)),
)


@given(
    st.dictionaries(
        st.sampled_from(sorted(set(signature(Gear).parameters) - {"normal_module", "material"})), anything, max_size=5
    ),
    anything,
)
def test_anything_else_is_a_model_error(arguments: dict[str, Any], module: Any) -> None:
    """Whatever is given: a gear whose quantities can be computed, or a message."""
    try:
        gear = Gear(**dict(teeth=20) | arguments, normal_module=module)
        assert gear.tip_diameter > 0.0 and gear.root_diameter > 0.0
        assert isinstance(gear.warnings, tuple)
        assert gear.blank.mass > 0.0
    except ModelError as error:
        assert len(str(error)) > 10


def test_what_needs_more() -> None:
    g = Gear(teeth=20, normal_module="2 mm")
    with pytest.raises(ModelError, match=r"mass requires the face width"):
        _ = g.blank
    with pytest.raises(ModelError, match=r"inside the base circle of 37.587"):
        g.pressure_angle_at(0.03)
    bevel = g.with_(cone_angle="45 deg")
    with pytest.raises(ModelError, match=r"no base cylinder. Use its equivalent_cylinder"):
        _ = bevel.base_diameter
    with pytest.raises(ModelError, match=r"is a rack"):
        _ = g.with_(cone_angle="90 deg").equivalent_cylinder
    with pytest.raises(ModelError, match=r"hand must be"):
        Gear.from_axial_module(starts=1, axial_module=1e-3, reference_diameter=0.02, hand="both")
    with pytest.raises(ModelError, match=r"more than twice the cone distance"):
        Gear.from_outer_module(teeth=10, outer_module=1e-3, cone_angle="45 deg", face_width=0.02)


def test_units_that_look_wrong() -> None:
    assert any('write "2 mm"' in text for text in Gear(teeth=20, normal_module=2).warnings)


def test_material() -> None:
    assert STEEL.density == 7830.0
    bronze = Material("bronze", density="8.8 g/cm^3", youngs_modulus="105 GPa", poissons_ratio=0.34)
    g = Gear(teeth=20, normal_module=1e-3, material=bronze, density=8000.0)
    assert g.density == 8000.0 and g.material.youngs_modulus == 105e9 and g.material.name == "bronze"
    with pytest.raises(ModelError, match=r"poissons_ratio must be from 0"):
        Material("jelly", density=1000, youngs_modulus=1e6, poissons_ratio=0.5)
