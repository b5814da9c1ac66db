"""Bodies of gears: masses of webs against closed forms, finite elements and surfaces; blanks as solids."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.fem.gear_properties import mass_and_inertia
from pitchline.fem.sector_volume import gear_volume
from pitchline.gears import iso_stiffness

BODY = pl.GearBody(bore="30 mm", rim_thickness="8 mm", web_thickness="10 mm", hub_diameter="50 mm")
GEAR = pl.Gear(teeth=57, normal_module="3 mm", face_width="40 mm", body=BODY, density=7800)


def ring(inner: float, outer: float, length: float) -> tuple[float, float, float]:
    """m, I_zz and I_xx of a hollow cylinder of 7800 kg/m³ about its centre."""
    m = 7800 * math.pi * (outer**2 - inner**2) * length
    return m, m * (outer**2 + inner**2) / 2, m * (3 * (outer**2 + inner**2) + length**2) / 12


@pytest.mark.parametrize("hub", [0.05, None])
def test_a_web_is_three_rings(hub: float | None) -> None:
    gear = GEAR.with_(body=BODY.with_(hub_diameter=hub))
    inside = 0.5 * gear.root_diameter - 0.008
    inner = 0.5 * hub if hub else 0.015
    parts = [ring(inside, 0.5 * gear.reference_diameter, 0.04), ring(inner, inside, 0.01)]
    parts += [ring(0.015, inner, 0.04)] if hub else []
    mass, axial, across = (sum(values) for values in zip(*parts, strict=True))
    assert gear.blank.mass == pytest.approx(mass, rel=1e-13)
    assert gear.blank.inertia == pytest.approx((across, across, axial), rel=1e-13)
    assert np.allclose(gear.blank.centre_of_mass, 0.0, atol=1e-17)
    assert gear.inside_of_rim == pytest.approx(2 * inside, rel=1e-14)


@pytest.mark.parametrize("degrees", [0.0, 4.0])
def test_finite_elements_and_surfaces_have_the_same_web(degrees: float) -> None:
    """The exact volume of teeth and body; the blank is filled up to the pitch surface, a percent more."""
    gear = GEAR.with_(profile_shift_angle=f"{degrees} deg")
    teeth = pl.Teeth(gear)
    exact = gear.density * gear_volume(teeth)
    grid = pl.sector_grid(teeth, size="4 mm", flank_edge="1 mm")
    mass, moments, centre = mass_and_inertia(grid, gear.material)
    assert mass == pytest.approx(exact, rel=2e-5)
    surface = pl.gear_surface(gear, profile_points=24)
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    assert gear.density * float((a * np.cross(b, c)).sum()) / 6 == pytest.approx(exact, rel=2e-3)
    assert gear.solid.mass == pytest.approx(mass, rel=0.012)
    assert np.allclose(np.diag(gear.solid.inertia), moments, rtol=0.012)
    assert gear.solid.centre_of_mass[2] == pytest.approx(centre, rel=0.03, abs=1e-12)


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


def test_racks_have_solids_too() -> None:
    rack = pl.Rack(teeth=10, normal_module="2 mm", face_width="20 mm", depth="10 mm")
    assert rack.solid.mass == rack.blank.mass


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
