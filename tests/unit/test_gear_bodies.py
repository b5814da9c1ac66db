"""Bodies of gears: masses of teeth and webs against closed forms, finite elements and surfaces; blanks as solids."""

import math
from dataclasses import fields

import numpy as np
import pytest

import pitchline as pl
from pitchline.fem.sector_grid import inner_cone
from pitchline.fem.sector_surfaces import mass_and_inertia
from pitchline.fem.solid_grid import gear_volume
from pitchline.gears import iso_stiffness
from pitchline.parts.gears.solid_surface import spiral_bevel_surface
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.parts.gears.surfaces.patch import FlankSurfaces
from pitchline.parts.gears.teeth import BevelTeeth, outline
from pitchline.parts.gears.teeth.bevel import SphericalMoments, gauss_rule, plain_section_moments, section_moments
from pitchline.parts.gears.triangles import SurfaceFineness

BODY = pl.GearBody(bore="30 mm", rim_thickness="8 mm", web_thickness="10 mm", hub_diameter="50 mm")
GEAR = pl.Gear(teeth=57, normal_module="3 mm", face_width="40 mm", body=BODY, density=7800)


def ring(inner: float, outer: float, length: float) -> tuple[float, float, float]:
    """m, I_zz and I_xx of a hollow cylinder of 7800 kg/m³ about its centre."""
    m = 7800 * math.pi * (outer**2 - inner**2) * length
    return m, m * (outer**2 + inner**2) / 2, m * (3 * (outer**2 + inner**2) + length**2) / 12


@pytest.mark.parametrize("hub", [0.05, None])
def test_a_web_lacks_its_grooves(hub: float | None) -> None:
    gear = GEAR.with_(body=BODY.with_(hub_diameter=hub))
    solid = GEAR.with_(body=pl.GearBody(bore="30 mm")).blank
    inside = 0.5 * gear.root_diameter - 0.008
    inner = 0.5 * hub if hub else 0.015
    parts = zip(ring(inner, inside, 0.04), ring(inner, inside, 0.01), strict=True)
    mass, axial, across = (whole - web for whole, web in parts)
    assert gear.blank.mass == pytest.approx(solid.mass - mass, rel=1e-13)
    less = np.array(solid.inertia) - (across, across, axial)
    assert gear.blank.inertia == pytest.approx(less, rel=1e-13)
    assert np.allclose(gear.blank.centre_of_mass, 0.0, atol=1e-17)
    assert gear.inside_of_rim == pytest.approx(2 * inside, rel=1e-14)


@pytest.mark.parametrize("degrees", [0.0, 4.0])
def test_finite_elements_and_surfaces_have_the_same_web(degrees: float) -> None:
    """The exact volume of teeth and body."""
    gear = GEAR.with_(profile_shift_angle=f"{degrees} deg")
    teeth = pl.Teeth(gear)
    exact = gear.density * gear_volume(teeth)
    grid = pl.sector_grid(teeth, size="4 mm", flank_edge="1 mm")
    mass, moments, centre = mass_and_inertia(grid, gear.material)
    assert mass == pytest.approx(exact, rel=2e-5)
    surface = pl.gear_surface(gear, profile_points=24)
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    assert gear.density * float((a * np.cross(b, c)).sum()) / 6 == pytest.approx(exact, rel=2e-3)
    assert gear.solid.mass == pytest.approx(exact, rel=1e-9)
    assert np.allclose(np.diag(gear.solid.inertia), moments, rtol=2e-5)
    assert gear.solid.centre_of_mass[2] == pytest.approx(centre, rel=1e-4, abs=1e-12)


def test_options_of_the_grid_go_before_the_body() -> None:
    teeth = pl.Teeth(GEAR)
    coarse = {"size": "6 mm", "flank_edge": "1.5 mm", "order": 1}
    plain = pl.Teeth(GEAR.with_(body=pl.GearBody(bore="30 mm")))
    same = pl.sector_grid(plain, rim_thickness="8 mm", web_thickness="10 mm", hub_diameter="50 mm", **coarse)
    assert np.array_equal(pl.sector_grid(teeth, **coarse).solid.nodes, same.solid.nodes)
    thicker = pl.sector_grid(teeth, web_thickness="14 mm", **coarse).solid.nodes[:, 2]
    assert np.isclose(np.abs(same.solid.nodes[:, 2]), 0.005).any() and not np.isclose(np.abs(thicker), 0.005).any()
    assert np.isclose(np.abs(thicker), 0.007).any()


def test_a_blank_on_a_shaft() -> None:
    shaft = pl.tube("15 mm", "5 mm", "200 mm", density=7830)
    both = shaft + GEAR.solid.moved((0, 0, "50 mm"))
    m = pl.Model("shaft")
    body = m.body("shaft", solid=both)
    m.wheel("wheel", body, GEAR, at=(0, 0, "50 mm"))
    assert body.mass == pytest.approx(shaft.mass + GEAR.blank.mass, rel=1e-14)
    lever = 0.05 * GEAR.blank.mass / body.mass
    assert body.centre_of_mass[2] == pytest.approx(lever, rel=1e-13)
    assert body.inertia[2, 2] == pytest.approx(shaft.inertia[2, 2] + GEAR.blank.inertia[2], rel=1e-14)
    about = shaft.mass * lever**2 + GEAR.blank.mass * (0.05 - lever) ** 2
    assert body.inertia[0, 0] == pytest.approx(shaft.inertia[0, 0] + GEAR.blank.inertia[0] + about, rel=1e-13)
    turned = GEAR.solid.turned({"axis": "y", "angle": "90 deg"})
    assert turned.inertia[0, 0] == pytest.approx(GEAR.blank.inertia[2], rel=1e-14)
    alone = m.gear_body("alone", GEAR, position=("1 m", 0, 0))
    assert alone.mass == GEAR.blank.mass and np.array_equal(np.diag(alone.inertia), GEAR.blank.inertia)


SHARED = {"normal_module": "3 mm", "face_width": "30 mm"}
WITH_TEETH = {
    "profile shift": pl.Gear(teeth=20, profile_shift=0.5, bore="20 mm", **SHARED),
    "helical": pl.Gear(teeth=23, profile_shift=-0.2, helix_angle="25 deg", bore="20 mm", **SHARED),
    "undercut": pl.Gear(teeth=10, bore="10 mm", **SHARED),
    "protuberance": pl.Gear(teeth=29, bore="30 mm", tool=pl.Hob(protuberance="0.06 mm"), **SHARED),
    "ring": pl.Gear(teeth=80, profile_shift=0.3, internal=True, rim_diameter="280 mm", helix_angle="10 deg", **SHARED),
    "beveloid": pl.Gear(teeth=20, profile_shift_angle="8 deg", helix_angle="10 deg", bore="20 mm", **SHARED),
    "rack": pl.Rack(teeth=10, depth="12 mm", **SHARED),
    "helical rack": pl.Rack(teeth=11, depth="12 mm", helix_angle="20 deg", **SHARED),
}


def assert_same(found: pl.MassProperties, expected: pl.MassProperties, rel: float) -> None:
    assert found.mass == pytest.approx(expected.mass, rel=rel)
    size = float(np.diag(expected.inertia).max())
    assert np.allclose(found.centre_of_mass, expected.centre_of_mass, atol=rel * math.sqrt(size / expected.mass))
    assert np.allclose(found.inertia, expected.inertia, atol=rel * size)


@pytest.mark.parametrize("kind", WITH_TEETH)
def test_the_mass_has_the_outline_of_the_teeth(kind: str) -> None:
    """That of finite elements between the exact surfaces."""
    gear = WITH_TEETH[kind]
    assert_same(gear.solid, pl.toothed_solid(gear), 1e-5)


def test_profile_shift_and_pitch_surface() -> None:
    """z 20, x 0.5 is 7.6 % heavier than its pitch cylinder, with 17 % more inertia; without shift teeth fill their spaces."""
    shifted = WITH_TEETH["profile shift"].with_(bore=0.0)
    cylinder = pl.cylinder(0.5 * shifted.reference_diameter, shifted.face_width, density=shifted.density)
    assert cylinder.mass / shifted.blank.mass == pytest.approx(1 - 0.076, abs=0.01)
    assert cylinder.inertia[2, 2] / shifted.blank.inertia[2] == pytest.approx(1 - 0.17, abs=0.01)


@pytest.mark.parametrize("kind", ["helical", "undercut", "beveloid", "rack"])
def test_masses_scale_with_the_unit_of_length(kind: str) -> None:
    gear, k = WITH_TEETH[kind], 1024.0
    lengths = {"normal_module": k * gear.normal_module, "face_width": k * gear.face_width}
    if isinstance(gear, pl.Rack):
        large = pl.Rack(teeth=10, depth=k * gear.depth, **lengths)
    else:
        large = gear.with_(bore=k * gear.bore, **lengths)
    assert large.blank.mass == pytest.approx(k**3 * gear.blank.mass, rel=1e-12)
    assert large.blank.inertia == pytest.approx(k**5 * np.array(gear.blank.inertia), rel=1e-11)


@pytest.mark.parametrize("starts", [1, 3])
def test_the_mass_of_a_worm(starts: int) -> None:
    """By a fine polygon of its section; the moments of a worm with one thread are the mean over a rotation."""
    worm = pl.Gear(starts=starts, lead_angle="5 deg", normal_module="3 mm", face_width="60 mm", bore="6 mm")
    p = outline(pl.Teeth(worm), points=400)
    a, b = p[:-1], p[1:]
    turned = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = 0.5 * turned.sum() - math.pi * 0.003**2
    polar = (turned * ((a * a).sum(axis=1) + (a * b).sum(axis=1) + (b * b).sum(axis=1))).sum() / 12
    polar -= 0.5 * math.pi * 0.003**4
    m = worm.density * 0.06 * area
    assert worm.blank.mass == pytest.approx(m, rel=3e-5)
    assert worm.blank.inertia[2] == pytest.approx(worm.density * 0.06 * polar, rel=5e-5)
    assert worm.blank.inertia[0] == pytest.approx(0.5 * worm.blank.inertia[2] + m * 0.06**2 / 12, rel=5e-5)


@pytest.mark.parametrize("degrees", [30.0, -63.0])
def test_the_teeth_of_a_straight_bevel_gear(degrees: float) -> None:
    """Finite elements have a rim between two spheres; their body is exchanged for that of the gear."""
    gear = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle=f"{degrees} deg", bore="15 mm")
    teeth, grid = BevelTeeth(gear), pl.toothed_solid(gear)
    (r1, r2), away = teeth.cone_distances, math.copysign(1.0, degrees)
    rim = SphericalMoments.of_cone(teeth.root_cone), SphericalMoments.of_cone(inner_cone(gear, teeth.root_cone))
    volume, sunk, _, square = (a - b for a, b in zip(*rim, strict=True))
    first = volume - sunk
    mass = grid.mass - gear.density * volume * (r2**3 - r1**3) / 3
    place = grid.mass * away * (grid.centre_of_mass[2] - teeth.apex) - gear.density * first * (r2**4 - r1**4) / 4
    polar = grid.inertia[2, 2] - gear.density * square * (r2**5 - r1**5) / 5

    # the body: frustum of the root cone, and the cap of the outer sphere behind it, by 4000 discs
    ends = r1 * math.cos(teeth.root_cone), r2 * math.cos(teeth.root_cone), r2 * math.cos(teeth.back_cone)
    for low, high, radius in (
        (ends[0], ends[1], lambda z: z * math.tan(teeth.root_cone)),
        (ends[1], ends[2], lambda z: np.sqrt(r2**2 - z**2)),
    ):
        z = low + (high - low) * (np.arange(4000) + 0.5) / 4000
        r = radius(z)
        dm = gear.density * math.pi * (r**2 - 0.0075**2) * (high - low) / 4000
        mass, place = mass + dm.sum(), place + dm @ z
        polar += 0.5 * dm @ (r**2 + 0.0075**2)
    assert gear.blank.mass == pytest.approx(mass, rel=1e-5)
    assert gear.blank.centre_of_mass[2] == pytest.approx(teeth.apex + away * place / mass, abs=1e-8)
    assert gear.blank.inertia[2] == pytest.approx(polar, rel=1e-5)


def test_the_mass_of_a_spiral_bevel_gear_is_that_of_its_picture() -> None:
    gear = pl.Gear(
        teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="30 deg", helix_angle="35 deg", bore="15 mm"
    )
    picture = spiral_bevel_surface(gear, SurfaceFineness(points=30, turn=math.radians(2)))
    assert gear.density * picture.volume == pytest.approx(gear.blank.mass, rel=2e-3)


@pytest.mark.parametrize("kind", ["helical", "ring", "bevel", "rack"])
def test_imported_flanks_have_their_own_mass(kind: str) -> None:
    """Flanks of teeth that are thinner by 0.2 mm, on the nominal gear."""
    bevel = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="-30 deg", bore="15 mm")
    nominal = WITH_TEETH.get(kind, bevel)
    values = {item.name: getattr(nominal, item.name) for item in fields(nominal)}
    thin = type(nominal)(**values | {"backlash_allowance": "0.2 mm"})
    surfaces = surface_teeth(thin)
    same = surface_teeth(nominal)
    imported = type(nominal)(**values | {"flanks": FlankSurfaces(surfaces.left, surfaces.right)})
    copied = type(nominal)(**values | {"flanks": FlankSurfaces(same.left, same.right)})
    assert abs(thin.blank.mass / nominal.blank.mass - 1) > 3e-3
    assert_same(imported.solid, thin.solid, 1e-3 if kind == "rack" else 2e-4)
    assert_same(copied.solid, nominal.solid, 2e-6)


def test_masses_that_are_not_defined_are_refused() -> None:
    rack = pl.Rack(teeth=10, normal_module="2 mm", face_width="20 mm", depth="2 mm")
    with pytest.raises(pl.ModelError, match=r"depth 2 mm must be more than the dedendum of 2\.5 mm"):
        pl.Model("m").gear_body("rack", rack)
    ring = pl.Gear(teeth=40, normal_module="2 mm", face_width="20 mm", internal=True)
    with pytest.raises(pl.ModelError, match="Specify rim_diameter"):
        pl.Model("m").gear_body("ring", ring)
    crown = pl.Gear(teeth=40, normal_module="2 mm", face_width="10 mm", cone_angle="90 deg")
    with pytest.raises(pl.ModelError, match="crown wheel is flat and has no mass"):
        pl.Model("m").gear_body("crown", crown)


@pytest.mark.parametrize(
    "changes",
    [
        {"teeth": 30, "helix_angle": "20 deg", "profile_shift": 0.3},
        {"teeth": 60, "internal": True, "rim_diameter": "250 mm"},
        {"teeth": 30, "profile_shift_angle": "3 deg"},
    ],
)
def test_teeth_that_no_tool_can_cut_have_no_fillets(changes: dict[str, object]) -> None:
    """Close to the exact outline where there is one; defined where there is none."""
    gear = pl.Gear(**{**SHARED, "dedendum_factor": 1.25, **changes})
    z = 0.015 * gauss_rule(8)[0]
    for plain, exact in zip(plain_section_moments(gear, z), section_moments(pl.Teeth(gear), z), strict=True):
        assert np.allclose(plain, exact, rtol=1.5e-2)
    ring = pl.Gear(teeth=10, internal=True, rim_diameter="60 mm", **SHARED)
    with pytest.raises(pl.ModelError, match="cutter"):
        pl.Teeth(ring)
    hole = math.pi / 4 * np.array([ring.tip_diameter, ring.root_diameter]) ** 2
    heavy, light = ring.density * 0.03 * (math.pi / 4 * 0.06**2 - hole)
    assert light < ring.blank.mass < heavy


def test_a_sharp_fillet_of_a_bevel_gear_has_a_mass() -> None:
    gear = pl.Gear(teeth=20, normal_module="3 mm", face_width="15 mm", cone_angle="30 deg", root_radius_factor=0.0)
    round_ = gear.with_(root_radius_factor=0.01)
    assert gear.blank.mass == pytest.approx(round_.blank.mass, rel=1e-4) and gear.blank.mass < round_.blank.mass


def test_racks_have_solids_too() -> None:
    rack = pl.Rack(teeth=10, normal_module="2 mm", face_width="20 mm", depth="10 mm")
    assert rack.solid.mass == rack.blank.mass
    leaning = WITH_TEETH["helical rack"]
    body = pl.Model("m").gear_body("rack", leaning)
    assert body.inertia[1, 2] == pytest.approx(leaning.blank.product) and body.inertia[1, 2] < 0.0


def test_a_web_makes_the_mesh_softer() -> None:
    """ISO 6336-1: C_R = 1 + ln(b_s/b) / (5 exp(s_R/(5 m_n))), here b_s/b = 1/4 and s_R/m_n = 8/3."""
    solid = GEAR.with_(body=pl.GearBody(bore="30 mm"))
    factor = 1 + math.log(0.25) / (5 * math.exp(8 / 15))
    plain = iso_stiffness(pl.GearPair(solid, solid))
    assert factor == pytest.approx(0.8373, abs=1e-4)
    assert iso_stiffness(pl.GearPair(GEAR, GEAR)).single == pytest.approx(factor * plain.single, rel=1e-14)
    assert iso_stiffness(pl.GearPair(GEAR, solid)).single == pytest.approx(0.5 * (1 + factor) * plain.single, rel=1e-14)
    assert iso_stiffness(pl.GearPair(GEAR, GEAR), blank_factor=1.0) == plain
    thin = GEAR.with_(body=BODY.with_(web_thickness="1 mm", rim_thickness="1 mm"))
    least = 1 + math.log(0.2) / (5 * math.exp(0.2))
    assert iso_stiffness(pl.GearPair(thin, thin)).single == pytest.approx(least * plain.single, rel=1e-14)
