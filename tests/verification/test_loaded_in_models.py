"""Loaded() and Elastic("loaded") compute their tables from the gears of the model, as they stand there."""

import math
from typing import Any

import numpy as np
import pytest
from references.loaded_pairs import COARSE, gear, pair
from references.loaded_tables import table_of

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear

HELIX = math.radians(12.0)
ELEMENTS: dict[str, Any] = {"elements_a": dict(COARSE), "elements_b": dict(COARSE)}
LARGEST = 100.0
"""[N m]"""
UNEVEN = pl.FlankModifications(pl.TipRelief("12 um", length="2 mm"), left=[pl.HelixSlope("8 um"), pl.Bias("3 um")])
"""Neither gears nor flanks nor ways round are alike."""
Pair = tuple[ElasticGear, ElasticGear]


def gears(helix: float = 0.0, modifications: Any = UNEVEN) -> Pair:
    a, b = pair(helix_angle=helix)
    return a.with_teeth(pl.Teeth(a.teeth.gear.with_(modifications=modifications))), b


def rig(
    made: Pair, mesh: Any, *, load: float = LARGEST, phase: float = 0.0, offset: float = 0.0, play: float = 0.0,
    tilt: tuple[float, float] = (0.0, 0.0),
) -> pl.Model:  # fmt: skip
    """Both wheels in bearings, the first held; phase: turn of A in pitches; tilt: of the axis of B, towards y and x."""
    first, second = (one.teeth.gear for one in made)
    m = pl.Model("rig")
    a = m.gear_body("a", first, orientation={"axis": "z", "angle": phase * first.angular_pitch})
    apart = {"centre_distance": pl.GearPair(first, second).centre_distance + play} if play else {}
    where = pl.GearPair(first, second, **apart).place(
        rotation=a.orientation, towards=(1.0, 0.0, 0.0), axial_shift=offset
    )
    turn = pl.Rotation((-tilt[0], tilt[1], 0.0), math.hypot(*tilt)).matrix if any(tilt) else np.eye(3)
    b = m.gear_body("b", second, position=where.position, orientation=turn @ where.rotation)
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_b", m.ground, b, at=where.position, axis=tuple(turn[:, 2]))
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", "hinge_a", angle=0)
    m.torque("load", "hinge_b", load)
    return m


def radius(made: Pair) -> float:
    return made[1].teeth.left.involute.base_radius


@pytest.mark.parametrize("helix", [0.0, HELIX], ids=["spur", "helical"])
def test_the_table_is_that_of_the_elastic_gears(helix: float) -> None:
    made = gears(helix)
    found = rig(made, pl.Loaded(torque=LARGEST, loads=4, phases=6, **ELEMENTS)).gear_pairs["mesh"].loaded
    expected = table_of(*made, torque=LARGEST, loads=4, phases=6)
    assert isinstance(found.coast, np.ndarray)
    for mine, theirs in (
        (found.loads, expected.loads),
        (found.approach, expected.approach),
        (found.coast, expected.coast),
    ):
        assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-15)


CASES: dict[str, dict[str, Any]] = {
    "spur, offset faces": {"offset": 3e-3},
    "helical, offset faces": {"helix": HELIX, "offset": -4e-3},
    "helical, apart": {"helix": HELIX, "play": 1e-4},
    "spur, misaligned": {"tilt": (1e-3, 0.4e-3)},
    "helical, misaligned": {"helix": HELIX, "tilt": (-0.8e-3, 0.0)},
    "helical, inclined": {"helix": HELIX, "tilt": (0.0, 0.9e-3)},
    "helical, offset and misaligned": {"helix": HELIX, "offset": 3e-3, "tilt": (0.7e-3, -0.6e-3)},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["drive", "coast"])
def test_equilibrium_is_that_of_loaded_contact_where_the_wheels_stand(case: str, sign: float) -> None:
    """At a point of the table: the phase of the table is counted where the faces meet, the angle of gear A from its x axis."""
    said = {"helix": 0.0, "offset": 0.0, "tilt": (0.0, 0.0), "play": 0.0} | CASES[case]
    made = gears(said.pop("helix"))
    mesh = pl.Loaded(torque=LARGEST, loads=3, phases=8, backlash=0, **ELEMENTS)
    at = rig(made, mesh, **said).gear_pairs["mesh"].request
    assert at is not None
    turn = at.start / made[0].teeth.gear.angular_pitch + 3 / 8
    m = rig(made, mesh, load=sign * LARGEST, phase=turn, **said)
    rest = pl.statics(m)
    assert abs(math.remainder(rest["mesh.phase"].final - 3 / 8, 1.0)) < 1e-4
    contact = pl.loaded_contact(
        *made, torque=sign * LARGEST, positions=1, start=turn, face_offset=said["offset"], deviation=said["tilt"][0],
        inclination=said["tilt"][1], centre_distance=m.gear_pairs["mesh"].pair.centre_distance,
    )  # fmt: skip
    lag = radius(made) * abs(rest["hinge_b.angle"].final)
    second_order = 2.0 * radius(made) * sum(part**2 for part in said["tilt"])
    assert lag == pytest.approx(contact.transmission_error[0, 0], rel=2e-5, abs=second_order)


def test_offset_faces_and_misaligned_axes_matter() -> None:
    made = gears(HELIX)
    mesh = pl.Loaded(torque=LARGEST, loads=3, phases=4, **ELEMENTS)
    straight, *others = (
        rig(made, mesh, **said).gear_pairs["mesh"].loaded for said in ({}, {"offset": -4e-3}, {"tilt": (1e-3, 0.0)})
    )
    for other in others:
        assert np.abs(other.approach - straight.approach).max() > 1e-6


@pytest.mark.parametrize(
    "said", [{"offset": -4e-3}, {"tilt": (1e-3, 0.0)}, {"tilt": (0.0, 1e-3)}], ids=["offset", "out", "in"]
)
def test_elastic_flanks_stand_as_the_wheels_do(said: dict[str, Any]) -> None:
    """The same free gears, by strips with Hertz's law: five in all, which know the ends of oblique lines of contact to 3 %."""
    made = gears(HELIX)
    table = pl.Loaded(torque=LARGEST, loads=3, phases=16, backlash=0, bore="free", **ELEMENTS)
    flank = pl.Flank(modes=0, backlash=0, **ELEMENTS)
    for phase in (0.1, 0.45):
        one, other = (
            pl.statics(rig(made, mesh, phase=phase, **said))["hinge_b.angle"].final for mesh in (table, flank)
        )
        assert other == pytest.approx(one, rel=0.03)


def test_contact_of_a_model_has_the_transmission_error_of_its_mesh() -> None:
    """Misaligned and offset: counted at the pitch point, as the mesh does."""
    made = gears(HELIX)
    m = rig(made, pl.Elastic("loaded", torque=60.0, backlash=0), load=60.0, offset=2e-3, tilt=(0.8e-3, 0.0))
    found = pl.statics(m)
    contact = pl.loaded_contact(m, "mesh", torque=60.0, positions=1, start=float(found["mesh.phase"].final))
    assert found["mesh.transmission_error"].final == pytest.approx(contact.transmission_error[0, 0], rel=2e-3)


# ------------------------------------------------------------------------------------------------------ Elastic("loaded")


@pytest.mark.parametrize("torque", [60.0, -60.0], ids=["drive", "coast"])
def test_the_loaded_stiffness_gives_the_loaded_transmission_error(torque: float) -> None:
    """At its torque and without load exactly, at the points of the table; in between the average slope."""
    made = gears(HELIX)
    mesh = pl.Elastic("loaded", torque=torque, backlash=0)
    for phase in (0.0, 36 / 128):
        m = rig(made, mesh, load=torque, phase=phase)
        contact = pl.loaded_contact(m, "mesh", torque=torque, positions=1, start=phase)
        lag = radius(made) * abs(pl.statics(m)["hinge_b.angle"].final)
        assert lag == pytest.approx(contact.transmission_error[0, 0], rel=1e-5)
        light = pl.statics(rig(made, mesh, load=1e-3 * torque, phase=phase))
        average = contact.no_load_error[0] + 1e-3 * (contact.transmission_error[0, 0] - contact.no_load_error[0])
        lag = math.copysign(radius(made), torque) * light["hinge_b.angle"].final
        assert lag == pytest.approx(average, rel=1e-4)


def test_contact_of_a_model_is_that_of_its_gears() -> None:
    """Pair by name, a GearPair and two gears are one thing where the wheels stand as the gears want."""
    made = gears()
    m = rig(made, pl.Rigid())
    one, two = (wheel.gear for wheel in m.wheels.values())
    assert isinstance(one, pl.Gear) and isinstance(two, pl.Gear)
    for analysis, options in ((pl.loaded_contact, {"torque": 40.0}), (pl.rigid_contact, {"strips": 5})):
        results = [
            analysis(*given, positions=2, **options)  # type: ignore[operator]
            for given in ((m, "mesh"), (pl.GearPair(one, two),), (one, two), (pl.Teeth(one), pl.Teeth(two)))
        ]
        for other in results[1:]:
            assert other.transmission_error == pytest.approx(results[0].transmission_error, rel=1e-9, abs=1e-15)


def test_rigid_contact_of_a_model_stands_as_the_wheels_do() -> None:
    """First touch of the misaligned and offset wheels: the first row of the table."""
    made = gears(HELIX)
    mesh = pl.Loaded(torque=20.0, loads=3, phases=4, **ELEMENTS)
    m = rig(made, mesh, offset=2e-3, tilt=(1e-3, 0.0))
    found = pl.rigid_contact(m, "mesh", positions=4, strips=41)
    assert found.transmission_error == pytest.approx(m.gear_pairs["mesh"].loaded.approach[0], abs=5e-8)


# ------------------------------------------------------------------------------------------------------------ which loads


@pytest.mark.parametrize(
    "modifications, approach, stiffness",
    [(None, 6e-3, 0.03), ([pl.TipRelief("12 um", length="2 mm"), pl.LeadCrowning("6 um")], 0.02, 0.3)],
    ids=["involutes", "modified"],
)
def test_loads_by_themselves_are_dense_where_light(modifications: Any, approach: float, stiffness: float) -> None:
    """Ten loads against contact itself at 2, 10 and 60 % of the range. Where a further pair of relieved teeth comes into contact
    the stiffness jumps with the load, and the table rounds that off."""
    made = gears(0.0, modifications)
    found = rig(made, pl.Loaded(phases=8, **ELEMENTS)).gear_pairs["mesh"]
    assert found.request is not None
    drive, _ = found.loaded.tables
    phases = np.arange(8) / 8
    for part in (0.02, 0.1, 0.6):
        contact = pl.loaded_contact(*made, torque=part * found.request.torques[-1], positions=8)
        F = contact.force[0]
        assert drive.approach(F, phases) == pytest.approx(contact.transmission_error[0], rel=approach)
        assert drive.stiffness(F, phases) == pytest.approx(contact.tangent_stiffness[0], rel=stiffness)


@pytest.mark.parametrize("helix, internal", [(0.0, False), (HELIX, False), (0.0, True)])
def test_the_range_by_itself_is_a_pressure_of_hertz(helix: float, internal: bool) -> None:
    """1500 MPa at the pitch point on the shared face, one pair of teeth carrying all."""
    one = gear(18, helix_angle=helix).teeth.gear
    two = (
        gear(60, internal=True, rim_diameter="136 mm").teeth.gear
        if internal
        else gear(37, helix_angle=-helix).teeth.gear
    )
    m = pl.Model("range")
    a = m.gear_body("a", one)
    b = m.gear_body("b", two, mesh_with=a, towards="x")
    request = m.gear_pair("mesh", a, b, mesh=pl.Loaded()).request
    assert request is not None and len(request.torques) == 9
    assert request.torques[0] == pytest.approx(request.torques[-1] / 81)
    alpha = pl.GearPair(one, two).transverse_working_pressure_angle
    beta_b = math.asin(math.sin(helix) * math.cos(math.radians(20.0)))
    rho = [0.5 * g.base_diameter * math.tan(alpha) / math.cos(beta_b) for g in (one, two)]
    relative = 1.0 / (1.0 / rho[0] + (-1.0 if internal else 1.0) / rho[1])
    modulus = 2.1e11 / (2.0 * (1.0 - 0.3**2))
    force = request.torques[-1] / (0.5 * two.base_diameter * math.cos(beta_b))
    pressure = math.sqrt(force / (10e-3 / math.cos(beta_b)) * modulus / (math.pi * relative))
    assert pressure == pytest.approx(1.5e9, rel=5e-3)
