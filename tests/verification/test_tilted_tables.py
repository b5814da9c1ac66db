"""Tables over the tilt that are computed from the gears: what loaded contact says of misaligned gears, and one energy."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from references.elastic_pair import elastic
from references.flank_runs import flank, pair_model
from references.loaded_pairs import COARSE, modified, pair
from references.loaded_tables import table_of

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.contact.loaded_contact import loaded_contact

HELIX = math.radians(15.0)
ELEMENTS: dict[str, Any] = {"elements_a": dict(COARSE), "elements_b": dict(COARSE)}
LARGEST = 100.0
"""[N m]"""
TILT = 2e-3
Pair = tuple[ElasticGear, ElasticGear]


def gears(helix: float, *changes: pl.Modification) -> Pair:
    a, b = pair(helix_angle=helix)
    return modified(a, *(changes or (pl.LeadCrowning("4 um"), pl.HelixSlope("3 um")))), b


def rig(made: Pair, mesh: Any, *, load: float, turn: float, tilt: float, offset: float) -> pl.Model:
    """Both wheels in bearings, the first held, turned by some pitches; B tilted in the plane of action of the loaded flank."""
    first, second = (one.teeth.gear for one in made)
    geometry = pl.GearPair(first, second)
    alpha, side = geometry.transverse_working_pressure_angle, math.copysign(1.0, load)
    m = pl.Model("rig")
    a = m.gear_body("a", first, orientation={"axis": "z", "angle": turn * first.angular_pitch})
    where = geometry.place(rotation=a.orientation, towards=(1.0, 0.0, 0.0), axial_shift=offset)
    R = pl.Rotation((side * math.cos(alpha), -math.sin(alpha), 0.0), tilt).matrix if tilt else np.eye(3)
    b = m.gear_body("b", second, position=where.position, orientation=R @ where.rotation)
    m.revolute("hinge_a", m.ground, a, axis="z")
    m.revolute("hinge_b", m.ground, b, at=where.position, axis=tuple(R[:, 2]))
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", "hinge_a", angle=0)
    m.torque("load", "hinge_b", load)
    return m


@pytest.mark.parametrize(
    ("helix", "offset"), [(0.0, 0.0), (HELIX, 0.0), (-HELIX, 3e-3)], ids=["spur", "helical", "offset faces"]
)
@pytest.mark.parametrize("sign", [1.0, -1.0], ids=["drive", "coast"])
def test_equilibrium_is_that_of_misaligned_gears(helix: float, offset: float, sign: float) -> None:
    """How far the wheel turns at points of the table, but for the square of the tilt: 1e-8 m. The table holds the approach at the
    pitch point, and the tilt itself turns the wheel where teeth are helical or faces offset."""
    made, standing = gears(helix), {"load": sign * LARGEST, "offset": offset}
    mesh = pl.Loaded(torque=LARGEST, loads=3, phases=4, tilts=[-TILT, -1e-3, 0, 1.2e-3, TILT], backlash=0, **ELEMENTS)
    request = rig(made, mesh, turn=0.0, tilt=1e-3, **standing).gear_pairs["mesh"].request
    assert request is not None
    assert (request.deviation, request.inclination) == (0.0, 0.0)
    turn = request.start / made[0].teeth.gear.angular_pitch + 1 / 4
    for tilt in (-1e-3, 1.2e-3):
        contact = loaded_contact(
            *made, torque=sign * LARGEST, positions=1, start=turn, misalignment=tilt, face_offset=offset
        )
        rest = pl.statics(rig(made, mesh, turn=turn, tilt=tilt, **standing))
        lag = made[1].teeth.left.involute.base_radius * abs(rest["hinge_b.angle"].final)
        assert lag == pytest.approx(contact.transmission_error[0, 0], abs=1e-8)
        assert rest["mesh.tilt"].final == pytest.approx(tilt, rel=1e-5)
        assert rest["mesh.face_load_factor"].final == pytest.approx(contact.face_load_factor[0, 0], rel=2e-3)


@pytest.mark.parametrize(("load", "error"), [(0.1, 2e-7), (1.0, 5e-8)])
def test_tilts_between_those_of_the_table(load: float, error: float) -> None:
    """Straight flanks, whose first contact has a kink without tilt. A tilt closes the gaps of both flanks: with backlash."""
    made = gears(HELIX, pl.LeadCrowning("0.1 um"))
    mesh = pl.Loaded(torque=LARGEST, loads=6, phases=4, tilts="1 mrad", backlash="60 um", **ELEMENTS)
    torque, tilt = load * LARGEST, 0.46e-3
    request = rig(made, mesh, load=torque, turn=0.0, tilt=tilt, offset=0.0).gear_pairs["mesh"].request
    assert request is not None
    turn = request.start / made[0].teeth.gear.angular_pitch + 1 / 4
    contact = loaded_contact(*made, torque=torque, positions=1, start=turn, misalignment=tilt)
    rest = pl.statics(rig(made, mesh, load=torque, turn=turn, tilt=tilt, offset=0.0))
    lag = made[1].teeth.left.involute.base_radius * abs(rest["hinge_b.angle"].final)
    assert lag - 30e-6 == pytest.approx(contact.transmission_error[0, 0], abs=error)  # less half of the backlash


def conjugate_moment(made: Pair, torque: float, phase: float, tilt: float) -> tuple[float, float]:
    """From the forces on the flanks, with their levers about the pitch point along the contact lines; and the normal force."""
    contact = loaded_contact(*made, torque=torque, positions=1, start=phase, misalignment=tilt).contacts[0][0]
    involute = made[0].teeth.left.involute
    alpha = pl.GearPair(*(one.teeth.gear for one in made)).transverse_working_pressure_angle
    along = contact.cells["length_a"] - involute.base_radius * math.tan(alpha)
    beta = involute.base_helix_angle
    levers = contact.cells["face_a"] * math.cos(beta) + along * math.sin(beta)
    return float(contact.loads @ levers), float(contact.loads.sum())


def complementary(table: Any, force: float, tilt: float, phase: float) -> float:
    """V*: the integral of the approach over the force, by many points."""
    F = np.linspace(0.0, force, 4001)
    u = table.at(tilt).approach(F, phase)
    return float(np.sum(0.5 * (u[1:] + u[:-1])) * (F[1] - F[0]))


@pytest.mark.parametrize("helix", [0.0, HELIX], ids=["spur", "helical"])
def test_the_moment_is_that_of_the_forces_on_the_flanks(helix: float) -> None:
    """-dV*/df between the tilts of the table, where nothing of the moments went in: to 1.5 % of F b/2."""
    made = gears(helix)
    mesh = table_of(*made, torque=LARGEST, loads=8, phases=4, tilts=np.linspace(-TILT, TILT, 9), coast=False)
    drive, d = mesh.tables[0], 1e-6
    for torque, tilt in ((100.0, 0.25e-3), (70.0, -1.3e-3), (90.0, 1.85e-3)):
        expected, normal = conjugate_moment(made, torque, 0.25, tilt)
        force = torque / made[1].teeth.left.involute.base_radius
        found = -(complementary(drive, force, tilt + d, 0.25) - complementary(drive, force, tilt - d, 0.25)) / (2 * d)
        assert abs(found - expected) < 0.015 * normal * 5e-3


def test_straight_teeth_need_half_of_the_tilts() -> None:
    """Tilts to both sides are mirror images, to rounding of the finite elements; with a helix slope they are not."""
    options: dict[str, Any] = {"torque": LARGEST, "loads": 3, "phases": 4}
    even = gears(0.0, pl.LeadCrowning("4 um"))
    halved = table_of(*even, tilts=[-1e-3, 0.0, 1e-3], **options)
    whole = table_of(*even, tilts=[-1e-3, 0.0, 1.5e-3], **options)
    assert np.array_equal(halved.approach[0], halved.approach[2])
    assert halved.approach[0] == pytest.approx(whole.approach[0], rel=1e-6)
    assert halved.face_load_factor[0] == pytest.approx(whole.face_load_factor[0], rel=1e-6)
    sloped = table_of(*gears(0.0), tilts=[-1e-3, 0.0, 1e-3], **options)
    assert np.abs(sloped.approach[0] - sloped.approach[2]).max() > 1e-7


def test_loaded_contact_has_the_face_load_factor() -> None:
    """Aligned straight teeth bear almost evenly, misaligned ones on one end; the mean is that of the whole face."""
    a, b = pair()
    aligned, tilted = (loaded_contact(a, b, torque=LARGEST, positions=2, misalignment=f) for f in (0.0, TILT))
    assert aligned.face_load_factor.shape == (1, 2)
    assert np.all(aligned.face_load_factor >= 1.0)
    assert np.all(aligned.face_load_factor < 1.25)
    assert np.all(tilted.face_load_factor > 1.6)
    flank = tilted.flank_load(0, 0)
    slices = tilted.contacts[0][0].strips["slice"]
    load = np.bincount(slices, flank.line_load, len(tilted.widths))
    assert tilted.face_load_factor[0, 0] == pytest.approx(load.max() * tilted.widths.sum() / (load @ tilted.widths))


def test_elastic_flanks_have_a_face_load_factor() -> None:
    """Straight teeth bear almost evenly, with a helix slope on one end: as loaded contact of the same compliance says."""
    factors = []
    a, b = (replace(one, bore="fixed") for one in elastic(0.0))
    for change in ([], [pl.HelixSlope("6 um")]):
        rest = pl.statics(
            pair_model(flank(), phase=0.25, drive={"angle": 0}, torque=20.0, modifications=change or None)
        )
        contact = loaded_contact(modified(a, *change), b, torque=20.0, positions=1, start=0.25)
        factors.append(float(rest["mesh.face_load_factor"].final))
        assert factors[-1] == pytest.approx(contact.face_load_factor[0, 0], rel=0.05)
    assert 1.0 <= factors[0] < 1.3
    assert factors[1] > factors[0] + 0.1
