"""The builder of planetary trains: its parts, the assembly condition, phases, and what it does not accept."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from references.epicyclic import CARRIER, MODULE, TRAINS, gear, ring_gear

import pitchline as pl

SIMPLE = TRAINS["simple"]


def build(model: pl.Model | None = None, **options: Any) -> pl.Planetary:
    given = SIMPLE | {"masses": CARRIER, "fixed": "ring"} | options
    return pl.planetary(model or pl.Model("m"), "stage", **given)


# --- parts --------------------------------------------------------------------------------------------------------------


def test_parts_of_a_simple_train() -> None:
    m = pl.Model("m")
    train = build(m)
    planets = [f"stage planet {i}" for i in (1, 2, 3)]
    assert list(m.bodies) == ["stage sun", "stage carrier", *planets]
    assert list(m.joints) == ["stage sun bearing", "stage carrier bearing", *(f"stage pin {i}" for i in (1, 2, 3))]
    assert list(m.gear_pairs) == [f"stage {part} mesh {i}" for part in ("sun", "ring") for i in (1, 2, 3)]
    assert train.ring is m.ground
    assert train.sun is m.bodies["stage sun"]
    assert [b.name for b in train.planets] == planets
    assert train.bearings["sun"] is m.joints["stage sun bearing"]
    assert train.wheels["ring"].body_name == "ground"
    assert train.sun_meshes[1] is m.gear_pairs["stage sun mesh 2"]
    assert repr(train) == "Planetary('stage': simple, 3 planets, i_0 = -4)"
    radii = [float(np.linalg.norm(b.position)) for b in train.planets]
    np.testing.assert_allclose(radii, 60 * MODULE / 2, rtol=1e-12)
    assert all(abs(pair.alignment.tooth_offset) < 1e-12 for pair in m.gear_pairs.values())


@pytest.mark.parametrize("kind", TRAINS)
@pytest.mark.parametrize("plane", [None, "xy"])
def test_all_teeth_fit(kind: str, plane: str | None) -> None:
    m = pl.Model("m", plane=plane)
    train = pl.planetary(m, "stage", **TRAINS[kind], planets=2, masses=CARRIER)
    assert train.arrangement == kind
    assert len(m.gear_pairs) == (6 if kind == "meshed" else 4)
    assert all(abs(pair.alignment.tooth_offset) < 1e-9 * MODULE for pair in m.gear_pairs.values())
    assert not any("overlap" in text for pair in m.gear_pairs.values() for text in pair.warnings)


def test_anywhere_in_space() -> None:
    m = pl.Model("m")
    train = build(m, position=(1.0, 2.0, 3.0), axis=(0, 1, 1), angles=[0.0, math.radians(60), math.radians(180)])
    out = np.array([b.position - (1.0, 2.0, 3.0) for b in train.planets])
    np.testing.assert_allclose(out @ (0, 1, 1), 0.0, atol=1e-12)
    np.testing.assert_allclose(out[0] @ out[1], 0.06**2 / 2, rtol=1e-9)


def test_masses() -> None:
    m = pl.Model("m", plane="xy")
    train = build(
        m, masses={"carrier": (2.0, 0.5), "planet": (1.0, 0.25), "sun": pl.cylinder("10 mm", "20 mm", density=7850.0)}
    )
    assert train.carrier.inertia[2, 2] == 0.5
    assert [b.mass for b in train.planets] == [1.0] * 3
    assert train.sun.mass == pytest.approx(7850 * math.pi * 0.01**2 * 0.02)
    stepped = pl.planetary(pl.Model("s"), "s", **TRAINS["stepped"], step="25 mm", masses=CARRIER)
    first, second = TRAINS["stepped"]["planet"]
    assert stepped.planets[0].mass == pytest.approx(first.blank.mass + second.blank.mass)
    assert stepped.planets[0].centre_of_mass[2] == pytest.approx(0.025 * second.blank.mass / stepped.planets[0].mass)
    assert stepped.wheels["ring"].frame.position[2] == 0.0  # of its own body, which is moved
    assert stepped.ring.position[2] == pytest.approx(0.025)


def test_supports() -> None:
    m = pl.Model("m", plane="xy")
    bearings = {"sun": pl.Support("1e8 N/m", torsion="1e5 N*m/rad"), "carrier": 2e8, "ring": "free"}
    train = build(m, fixed=None, bearings=bearings, pin_stiffness="1e8 N/m", pin_damping=100.0)
    assert not m.joints
    sun = m.loads["stage sun bearing"]
    assert train.bearings == {"sun": sun, "ring": None, "carrier": m.loads["stage carrier bearing"]}
    np.testing.assert_array_equal(np.diag(sun.stiffness), (1e8, 1e8, 0, 0, 0, 1e5))
    np.testing.assert_array_equal(np.diag(m.loads["stage pin 1"].damping), (100.0, 100.0, 0, 0, 0, 0))
    space = pl.Model("space")
    build(space, fixed=None, bearings=bearings, pin_stiffness=1e8)
    assert {j.kind for j in space.joints.values()} == {"planar"}
    assert "stage ring bearing guide" in space.joints


# --- assembly -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planets", [1, 2, 3, 4, 5, 6])
def test_equal_steps(planets: int) -> None:
    """(24 + 96)/N is whole up to 6."""
    m = pl.Model("m")
    build(m, planets=planets)
    found = [m.bodies[f"stage planet {i}"].position for i in range(1, planets + 1)]
    angles = np.unwrap([math.atan2(x[1], x[0]) for x in found])
    np.testing.assert_allclose(angles - angles[0], 2 * math.pi * np.arange(planets) / planets, atol=1e-12)


def test_what_cannot_be_assembled() -> None:
    m = pl.Model("m")
    with pytest.raises(pl.ModelError) as info:
        build(m, planets=7)
    text = str(info.value)
    assert 'planetary "stage": planet 2 cannot be assembled: it is 51.4286 deg from planet 1' in text
    assert "teeth fit at multiples of 3 deg, such as 51 or 54 deg" in text
    assert "7 equally spaced planets need a whole (z_ring + z_sun)/7, but it is 120/7 = 17.1429" in text
    assert "angles=(0, 51, 102, 153, 207, 258, 309) degrees" in text
    assert 'phase="fit"' in text
    assert not m.bodies
    assert not m.wheels
    build(m, planets=7, angles=np.radians([0, 51, 102, 153, 207, 258, 309]))


def test_fit_takes_teeth_as_they_are() -> None:
    train = build(planets=7, phase="fit")
    assert all(abs(pair.alignment.tooth_offset) < 1e-9 * MODULE for pair in train.ring_meshes)
    with pytest.raises(pl.ModelError, match="position errors have no effect"):
        build(phase="fit", radial_errors=[1e-5, 0, 0])


def test_stepped_planets_choose_their_tooth() -> None:
    """40 - 20/32 - 92 (g = 4): multiples of 2 pi 4/(40*32 + 92*20) = 2 pi/780: 2, 3, 4, 5 and 6 equal steps fit, 7 do not."""
    for n in (2, 3, 4, 5, 6):
        train = pl.planetary(pl.Model("m"), "s", **TRAINS["stepped"], planets=n, masses=CARRIER)
        assert all(abs(pair.alignment.tooth_offset) < 1e-9 * MODULE for pair in train.ring_meshes)
    with pytest.raises(pl.ModelError, match=f"multiples of {360 / 780:.6g} deg"):
        pl.planetary(pl.Model("m"), "s", **TRAINS["stepped"], planets=7, masses=CARRIER)


def test_pairs_of_planets() -> None:
    """(96 - 30)/N is whole for 2, 3 and 6; the outer planets stand ahead or behind."""
    for n in (2, 3):
        pl.planetary(pl.Model("m"), "s", **TRAINS["meshed"], planets=n, masses=CARRIER)
    with pytest.raises(pl.ModelError, match=r"need a whole \(z_ring - z_sun\)/4, but it is 66/4 = 16.5"):
        pl.planetary(pl.Model("m"), "s", **TRAINS["meshed"], planets=4, masses=CARRIER)
    y = [
        pl.planetary(pl.Model("m"), "s", **TRAINS["meshed"], outer_ahead=ahead, masses=CARRIER)
        .outer_planets[0]
        .position[1]
        for ahead in (True, False)
    ]
    assert y[0] == pytest.approx(-y[1])
    assert y[0] > 0.0


# --- phases -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sun", "planet", "planets", "kind"),
    [
        (24, 36, 3, "in phase"),
        (28, 32, 4, "in phase"),
        (25, 35, 3, "sequential"),
        (22, 38, 4, "sequential"),
        (26, 37, 6, "sequential"),
    ],
)
def test_mesh_phases(sun: int, planet: int, planets: int, kind: str) -> None:
    """At equal steps gamma_i = -z_s i/N, and at the ring + z_r i/N, modulo 1, which is the same: (z_s + z_r)/N is whole."""
    train = build(sun=gear(sun), planet=gear(planet), ring=ring_gear(sun + 2 * planet), planets=planets)
    expected = (-sun * np.arange(planets) / planets) % 1.0
    np.testing.assert_allclose(train.phasing.sun, expected, atol=1e-9)
    np.testing.assert_allclose(train.phasing.ring, expected, atol=1e-9)
    assert train.phasing.kind == kind


def test_phases_are_those_of_the_signals() -> None:
    train = build(m := pl.Model("m"), sun=gear(25), planet=gear(35), ring=ring_gear(95))
    m.drive("hold", train.bearings["sun"], angle=0.3)  # type: ignore[arg-type]
    result = pl.kinematics(m, duration=1.0, step=1.0)
    # the signal counts turns of A: planets turn against the sun
    for meshes, phases, sense in (
        (train.sun_meshes, train.phasing.sun, 1.0),
        (train.ring_meshes, train.phasing.ring, -1.0),
    ):
        seen = sense * np.array([float(result[f"{mesh.name}.phase"].final) for mesh in meshes])
        off = (seen - seen[0] - phases + 0.5) % 1.0 - 0.5
        np.testing.assert_allclose(off, 0.0, atol=1e-8)


def test_shares_of_nothing() -> None:
    train = build()
    signals = {
        f"{mesh.name}.signed_force": SimpleNamespace(
            time=np.arange(2.0), values=np.array([0.0, 2.0 if i == 0 else 1.0])
        )
        for group in (train.sun_meshes, train.ring_meshes)
        for i, mesh in enumerate(group)
    }
    shares = train.load_sharing(signals)
    assert np.isnan(shares.sun[0]).all()
    np.testing.assert_allclose(shares.ring[1], (1.5, 0.75, 0.75))
    assert shares.k_gamma == 1.5
    # a planet that bears on the other flank pushes back
    signals[f"{train.sun_meshes[2].name}.signed_force"].values[1] = -1.0
    np.testing.assert_allclose(train.load_sharing(signals).sun[1], (3.0, 1.5, -1.5))


def test_unequal_steps_are_mixed() -> None:
    assert build(angles=np.radians([0, 117, 240])).phasing.kind == "mixed"


# --- Willis ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "ratio"), [("simple", -4.0), ("stepped", -92 / 40 * 20 / 32), ("meshed", 3.2)])
def test_speeds(kind: str, ratio: float) -> None:
    train = pl.planetary(pl.Model("m"), "s", **TRAINS[kind], masses=CARRIER)
    assert train.ratio == pytest.approx(ratio)
    found = train.speeds(sun=100.0, ring=7.0)
    assert found["sun"] - found["carrier"] == pytest.approx(ratio * (7.0 - found["carrier"]))
    for left in ("sun", "ring", "carrier"):
        known = {key: found[key] for key in ("sun", "ring", "carrier") if key != left}
        assert train.speeds(**known) == pytest.approx(found)


# --- what is not accepted ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ring": gear(96)}, "the ring must be internal, sun and planets external"),
        ({"sun": 24}, "sun must be a Gear, got 24"),
        ({"planet": (gear(36), gear(30))}, 'arrangement, of planets of two gears, must be "simple" or "stepped" or "meshed"'),
        ({"arrangement": "stepped"}, 'arrangement "stepped" needs two gears'),
        ({"planets": 0}, "planets must be a whole number from 1 to 1000, got 0"),
        ({"angles": [0.0]}, "3 planets but 1 angles"),
        ({"radial_errors": [0.0]}, "3 planets but 1 radial_errors"),
        ({"fixed": "planet"}, 'fixed must be "sun" or "ring" or "carrier"'),
        ({"on": {"ring": "ground"}}, 'the ring is both fixed and on "ground"'),
        ({"on": {"moon": "ground"}}, "on: unknown member 'moon'"),
        ({"bearings": {"ring": 1e8}}, "bearings: unknown member 'ring'; a member that is fixed or on a body has no bearing; sun"),
        ({"masses": {"planet": 3.0}}, r"masses of planet 1: expected a solid .* or \(mass, inertia\), got 3.0"),
        ({"masses": {}, "pin_stiffness": 1e8}, "needs a mass; specify masses="),
        ({"pin_stiffness": 0.0}, "pin_stiffness must be greater than zero, got 0"),
        ({"mesh_sun": [pl.Rigid()]}, "3 planets but 1 meshes in mesh_sun"),
        ({"mesh_planets": pl.Rigid()}, "mesh_planets is for planets that mesh with each other"),
        ({"planet": gear(30)}, "need a centre distance of 54 mm, planet and ring 66 mm"),
        ({"phase": "any"}, 'phase must be "as placed" or "fit"'),
    ],
)  # fmt: skip
def test_what_is_not_accepted(options: dict[str, Any], message: str) -> None:
    m = pl.Model("m")
    with pytest.raises(pl.ModelError, match=message):
        build(m, **options)
    assert not m.bodies
    assert not m.wheels
    assert not m.joints


def test_two_trains_in_one_model_need_two_names() -> None:
    m = pl.Model("m")
    build(m)
    with pytest.raises(pl.ModelError, match='"stage sun": the name is already used'):
        build(m)
    assert len(m.bodies) == 5


# --- members on shafts --------------------------------------------------------------------------------------------------


def on_shafts(carrier: float, sun: float) -> tuple[pl.Model, pl.Planetary]:
    """Ring held, carrier and sun on stations of turning shafts, planets on rolling bearings of the model."""
    m = pl.Model("m")
    turns = {"carrier": carrier, "sun": sun}
    on = {}
    for key, speed in turns.items():
        section = pl.ShaftSection("100 mm", outer="20 mm")
        on[key] = m.shaft(key, [section], position=(0, 0, -0.05), stations={"seat": "50 mm"}, speed=speed)["seat"]
    train = build(m, masses=None, on=on, bearings={"planet": "none"})
    return m, train


def test_planets_without_pins_start_as_their_members_turn() -> None:
    m, train = on_shafts(10.0, 50.0)
    assert train.pins == () and not m.joints and not m.loads
    speeds = train.speeds(carrier=10.0, ring=0.0)
    assert speeds["sun"] == pytest.approx(50.0)
    for planet in train.planets:
        np.testing.assert_allclose(planet.angular_velocity, (0, 0, speeds["planet"]), rtol=1e-12)
        np.testing.assert_allclose(planet.velocity, np.cross((0, 0, 10.0), planet.position), rtol=1e-12, atol=1e-15)
        roller = pl.NeedleRoller(rollers=12, roller="3 mm", length="10 mm", pitch="16 mm")
        m.bearing(f"{planet.name} bearing", planet, train.carrier, roller, at=planet.position)
    # teeth that touch roll on each other: nothing changes their approach
    start = pl.kinematics(m, times=[0])
    for mesh in (*train.sun_meshes, *train.ring_meshes):
        assert abs(float(start[f"{mesh.name}.approach"].values[0])) < 1e-9


def test_speeds_of_members_must_agree() -> None:
    with pytest.raises(
        pl.ModelError, match=r"the initial speed of the carrier is 10 rad/s, but the other members require 9.8 rad/s"
    ):
        on_shafts(10.0, 49.0)


@pytest.mark.parametrize("said, more", [("free", {}), ("none", {"pin_stiffness": 1e8})])
def test_planets_have_pins_or_none(said: str, more: dict[str, Any]) -> None:
    with pytest.raises(pl.ModelError, match='bearings of the planet must be "none", without pin_stiffness'):
        build(bearings={"planet": said}, **more)
