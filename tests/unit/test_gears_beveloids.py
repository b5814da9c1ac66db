"""Pairs of conical involute gears: placed as their teeth mesh, rolling on cones; refused where nothing knows their flanks."""

import math

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.gears import GearPair, Rack
from pitchline.parts.gears.teeth import place_teeth

SHARED = {"normal_module": "4 mm", "face_width": "20 mm", "tip_alteration": -0.2}


def gears(beta: float, theta_a: float, theta_b: float, **more: object) -> tuple[pl.Gear, pl.Gear]:
    return (
        pl.Gear(teeth=19, helix_angle=f"{beta} deg", profile_shift_angle=f"{theta_a} deg", **SHARED, **more),
        pl.Gear(teeth=38, helix_angle=f"{-beta} deg", profile_shift_angle=f"{theta_b} deg", **SHARED, **more),
    )


@pytest.mark.parametrize(
    ("beta", "theta_a", "theta_b"),
    [(0, 10, 10), (15, 6, 9), (0, 10, -10), (12, 5, -5), (0, -8, 3), (0, -8, -3), (10, 8, 0)],
)
def test_pairs_stand_where_their_common_rack_puts_them(beta: float, theta_a: float, theta_b: float) -> None:
    a, b = gears(beta, theta_a, theta_b)
    pair = GearPair(a, b)
    place = pair.place()
    teeth, play = place_teeth(pl.Teeth(a), pl.Teeth(b))
    assert pair.kind == "beveloid" and play == 0.0
    assert pair.shaft_angle == pytest.approx(math.radians(abs(theta_a + theta_b)), abs=1e-14)
    assert np.allclose(place.position, teeth.position, atol=1e-15)
    assert np.allclose(place.rotation[:, 2], teeth.rotation[:, 2], atol=1e-14)
    turn = place.rotation.T @ teeth.rotation
    pitches = math.atan2(turn[1, 0], turn[0, 0]) / b.angular_pitch
    assert pitches == pytest.approx(round(pitches), abs=1e-12)
    assert abs(pair.align((0, 0, 0), np.eye(3), place.position, place.rotation).tooth_offset) < 1e-15
    assert pair.warnings == () or all("undercut" in text for text in pair.warnings)


def test_numbers_that_need_the_flanks_are_refused() -> None:
    pair = GearPair(*gears(0, 10, 10))
    with pytest.raises(ModelError, match="contact ratio of a beveloid pair"):
        _ = pair.transverse_contact_ratio
    with pytest.raises(ModelError, match="no path of contact"):
        _ = pair.path_of_contact
    with pytest.raises(ModelError, match="There is no single working pressure angle"):
        _ = pair.normal_working_pressure_angle
    assert {row.symbol for row in pl.gears.data_sheet(pair)} == {"a", "a_d", "Σ", "j_wn", "j_wt", "j_bn"}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda a, b: GearPair(a, b.with_(helix_angle="3 deg")), "must be opposite"),
        (lambda a, b: GearPair(a, b.with_(profile_shift=0.1)), "Leave the profile shifts out"),
        (lambda a, b: GearPair(a, b, shaft_angle="10 deg"), "profile shift angles add to 20 deg"),
        (lambda a, b: GearPair(a, Rack(teeth=9, normal_module="4 mm")), "meshes with another one, or with an external"),
        (
            lambda a, b: GearPair(a, pl.Gear(teeth=60, normal_module="4 mm", internal=True)),
            "meshes with another one, or with an external",
        ),
    ],
)
def test_pairs_that_do_not_fit(change, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        change(*gears(0, 10, 10))


def model(mesh: object, theta_b: float = 10.0) -> pl.Model:
    a, b = gears(0, 10, theta_b)
    m = pl.Model("cones")
    first = m.gear_body("a", a)
    second = m.gear_body("b", b, mesh_with=first)
    m.revolute("in", m.ground, first)
    m.revolute("out", m.ground, second)
    m.gear_pair("mesh", first, second, mesh=mesh)  # type: ignore[arg-type]
    return m


@pytest.mark.parametrize("mesh", [pl.Rigid(), pl.Elastic("1 GN/m"), None])
def test_meshes_that_do_not_know_their_flanks_say_so(mesh: object) -> None:
    with pytest.raises(ModelError, match=r"does not support conical involute gears.*Rolling\(\).*Flank"):
        model(mesh)


@pytest.mark.parametrize("theta_b", [10.0, -10.0])
def test_they_roll(theta_b: float) -> None:
    m = model(pl.Rolling(), theta_b)
    m.drive("motor", "in", speed="10 rad/s")
    run = pl.kinematics(m, duration="0.1 s", step="0.05 s")
    assert run["out.angular_speed"].final == pytest.approx(-5.0, rel=1e-9)
    again = pl.files.read(m.to_toml()).model
    assert again.gear_pairs["mesh"].pair == m.gear_pairs["mesh"].pair


def test_a_wheel_beside_its_place_is_refused() -> None:
    a, b = gears(0, 10, -10)
    m = pl.Model("beside")
    first = m.gear_body("a", a)
    second = m.gear_body("b", b, mesh_with=first, axial_shift="3 mm")
    with pytest.raises(ModelError, match="middles of the faces of conical involute gears must be opposite"):
        m.gear_pair("mesh", first, second, mesh=pl.Rolling())
