"""Tables made from the gears: a model with them does what loaded tooth contact says, at rest and in motion."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from references import elastic_pair
from references.loaded_pairs import gear, modified, pair
from references.loaded_tables import table_of

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.gears.surfaces import surface_teeth

HELIX = math.radians(12.0)
LARGEST = 100.0
"""[N m]"""
BETWEEN = 0.04
"""Between loads and phases tables know the lag to this part of it: kinks of the mesh cycle fall between phases."""
Pair = tuple[ElasticGear, ElasticGear]


def uneven(helix: float) -> Pair:
    """The pinion alone is relieved, and on its left flanks twisted: neither gears nor flanks nor ways round are alike."""
    a, b = pair(helix_angle=helix)
    relief = pl.TipRelief("12 um", length="2 mm")
    return a.with_teeth(pl.Teeth(a.teeth.gear, both=relief, left=[pl.HelixSlope("8 um"), pl.Bias("3 um")])), b


def rig(
    gears: Pair, mesh: Any, *, load: Any = LARGEST, phase: float = 0.0, speed: Any = None, play: float = 0.0
) -> pl.Model:
    """Both wheels in bearings, the first held (or turned) with its tooth 0 some pitches past the line of centres."""
    first, second = (one.teeth.gear for one in gears)
    m = pl.Model("rig")
    a = m.gear_body("a", first, orientation={"axis": "z", "angle": phase * first.angular_pitch})
    apart = {"centre_distance": pl.GearPair(first, second).centre_distance + play} if play else {}
    b = m.gear_body("b", second, mesh_with=a, towards="x", inertia=tuple(gears[1].inertia), mass=gears[1].mass, **apart)
    hinge_a, hinge_b = m.revolute("hinge_a", m.ground, a, axis="z"), m.revolute("hinge_b", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", hinge_a, **({"angle": 0} if speed is None else {"speed": speed}))
    m.torque("load", hinge_b, load)
    return m


def radius(gears: Pair) -> float:
    return gears[1].teeth.left.involute.base_radius


# ------------------------------------------------------------------------------------------------------------- at rest


@pytest.mark.parametrize("helix", [0.0, HELIX], ids=["spur", "helical"])
def test_equilibrium_has_the_loaded_transmission_error(helix: float) -> None:
    """At points of the table exactly, between them within the interpolation; on drive and coast flanks, past half the play."""
    gears, play = uneven(helix), 40e-6
    mesh = table_of(*gears, torque=LARGEST, loads=8, phases=32, backlash=play)
    assert mesh.coast is not None
    for torque, phase, within in (
        (LARGEST, 5 / 32, 1e-6), (LARGEST * (4 / 7) ** 2, 20 / 32, 1e-6), (-LARGEST * (3 / 7) ** 2, 9 / 32, 1e-6),
        (77.0, 0.237, BETWEEN), (24.0, 0.618, BETWEEN), (-50.0, 0.345, BETWEEN), (-11.0, 0.871, BETWEEN),
    ):  # fmt: skip
        contact = loaded_contact(*gears, torque=torque, positions=1, start=phase)
        rest = pl.statics(rig(gears, mesh, load=torque, phase=phase))
        lag = radius(gears) * abs(rest["hinge_b.angle"].final) - 0.5 * play
        assert rest["hinge_b.angle"].final * torque > 0.0
        assert lag == pytest.approx(contact.transmission_error[0, 0], rel=within)
        assert rest["mesh.transmission_error"].final == pytest.approx(contact.transmission_error[0, 0], rel=within)
        assert rest["mesh.phase"].final == pytest.approx(phase)


@pytest.mark.parametrize("helix", [0.0, HELIX], ids=["spur", "helical"])
def test_phase_and_sense_matter(helix: float) -> None:
    """The lag over the mesh cycle is that of the contact analysis, and neither its mirror image nor moved by a few phases."""
    gears = uneven(helix)
    mesh = table_of(*gears, torque=LARGEST, loads=4, phases=32)
    contact = loaded_contact(*gears, torque=LARGEST, positions=32, start=0.5 / 32)
    lag = contact.transmission_error[0]
    drive, _ = mesh.tables

    def off(phase: np.ndarray) -> float:
        return float(np.sqrt(np.mean((drive.approach(contact.force[0], phase) - lag) ** 2)))

    right = off(contact.phase)
    assert right < 0.02 * np.ptp(lag)
    for wrong in (-contact.phase, contact.phase + 2 / 32, contact.phase - 2 / 32, contact.phase + 0.5):
        assert off(wrong) > 5 * right


def test_forces_balance_the_torque() -> None:
    gears = uneven(HELIX)
    mesh = table_of(*gears, torque=LARGEST, loads=4, phases=8)
    rest = pl.statics(rig(gears, mesh, load=60.0, phase=0.3))
    normal = 60.0 / (radius(gears) * math.cos(gears[1].teeth.left.involute.base_helix_angle))
    assert rest["mesh.normal_force"].final == pytest.approx(normal, rel=1e-9)
    assert rest["mesh.table_load"].final == pytest.approx(0.6, rel=1e-9)
    # what the motor holds is that, but for the slope of the table over the phase, F ∂u/∂ψ
    assert abs(rest["motor.torque"].final) == pytest.approx(60.0 * 18 / 37, rel=5e-3)


def test_more_points_come_nearer() -> None:
    """Root mean square over the whole table, at loads and phases between its points."""
    gears = uneven(0.0)
    torques = [4.0, 30.0, 90.0]
    contact = loaded_contact(*gears, torque=torques, positions=37, start=0.01)

    def off(loads: int, phases: int) -> float:
        drive, _ = table_of(*gears, torque=LARGEST, loads=loads, phases=phases, coast=False).tables
        return float(
            np.sqrt(np.mean((drive.approach(contact.force[:, None], contact.phase) - contact.transmission_error) ** 2))
        )

    coarse, middle, fine = off(5, 12), off(9, 36), off(17, 108)
    assert coarse > 2.0 * middle > 4.0 * fine
    assert fine < 5e-8


@pytest.mark.parametrize("load", [60.0, -60.0])
def test_a_ring_and_its_pinion(load: float) -> None:
    """They turn the same way: a load forwards on the ring presses on the coast flanks of the pinion."""
    gears = modified(gear(18), pl.TipRelief("12 um", length="2 mm")), gear(60, internal=True, rim_diameter="136 mm")
    mesh = table_of(*gears, torque=LARGEST, loads=3, phases=16, backlash=0)
    m = rig(gears, mesh, load=load, phase=3 / 16)
    rest = pl.statics(m)
    side = -math.copysign(1.0, load)
    assert rest["mesh.contact"].final == side
    table = mesh.tables[0 if side > 0 else 1]
    lag = math.copysign(table.approach(60.0 / radius(gears), 3 / 16), load)
    assert radius(gears) * rest["hinge_b.angle"].final == pytest.approx(lag, rel=1e-6)
    contact = loaded_contact(*gears, torque=60.0 * side, positions=1, start=3 / 16)
    assert abs(lag) == pytest.approx(contact.transmission_error[0, 0], rel=BETWEEN)


def test_first_touch_is_the_error_without_load() -> None:
    """Where material is missing everywhere the teeth touch late, where it stands out early; perfect ones at zero."""
    a, b = pair()
    options: dict[str, Any] = {"torque": 20.0, "loads": 3, "phases": 8}
    assert table_of(a, b, **options).approach[0] == pytest.approx(0.0, abs=1e-9)
    for amount in (-6e-6, 6e-6):
        mesh = table_of(modified(a, pl.PitchDeviation(amount)), b, **options)
        assert mesh.approach[0] == pytest.approx(-amount, rel=1e-3)
        assert mesh.coast is None


# ----------------------------------------------------------------------------------------------------- imported involutes


def as_surfaces(gears: Pair) -> Pair:
    """The same elements, with spline surfaces in place of the flanks in closed form."""
    a, b = (replace(one, teeth=surface_teeth(one.teeth)) for one in gears)
    return a, b


@pytest.mark.parametrize("kind", ["spur", "helical", "internal"])
def test_surfaces_have_the_table_of_the_closed_form(kind: str) -> None:
    gears = uneven(HELIX if kind == "helical" else 0.0)
    if kind == "internal":  # with relieved tips, because surfaces end just above the base circle
        ring = gear(60, internal=True, rim_diameter="136 mm")
        gears = gears[0], modified(ring, pl.TipRelief("25 um", length="1.5 mm"))
    options: dict[str, Any] = {"torque": [25.0, LARGEST], "phases": 4, "coast": True}
    closed, found = table_of(*gears, **options), table_of(*as_surfaces(gears), **options)
    for exact, near in ((closed.approach, found.approach), (closed.coast, found.coast)):
        assert np.abs(near - exact).max() < 1e-8
        # the force at the approach of the other, with the stiffness between both loads
        stiffness = (closed.loads[2] - closed.loads[1]) / (exact[2] - exact[1])
        assert np.abs(stiffness * (near - exact)[1:] / closed.loads[1:, None]).max() < 2e-3
        assert np.abs(stiffness * (near - exact)[2] / closed.loads[2]).max() < 1e-3
    assert closed.face_load_factor is not None
    assert found.face_load_factor == pytest.approx(closed.face_load_factor, rel=5e-3)


def test_tilts_of_surfaces_are_those_of_the_closed_form() -> None:
    gears = uneven(0.0)
    options: dict[str, Any] = {"torque": [LARGEST], "phases": 4, "tilts": [-5e-4, 0.0, 5e-4], "coast": False}
    closed, found = table_of(*gears, **options), table_of(*as_surfaces(gears), **options)
    assert found.approach.shape == (3, 2, 4) and np.abs(found.approach[0] - found.approach[2]).max() > 1e-6
    assert np.abs(found.approach - closed.approach).max() < 1e-8


# ------------------------------------------------------------------------------------------------------- coast flanks


@pytest.mark.parametrize("helix", [0.0, HELIX], ids=["spur", "helical"])
def test_flanks_alike_need_one_table(helix: float) -> None:
    """Turned half a turn about the line of centres the coast flanks are the drive flanks: their table is that seen at −φ."""
    a, b = pair(helix_angle=helix)
    a = a.with_teeth(pl.Teeth(a.teeth.gear, both=pl.TipRelief("12 um", length="2 mm"), left=pl.HelixSlope("8 um"),
                              right=pl.HelixSlope("-8 um")))  # fmt: skip
    options: dict[str, Any] = {"torque": LARGEST, "loads": 4, "phases": 12}
    assert table_of(a, b, **options).coast is None
    both = table_of(a, b, coast=True, **options)
    assert both.coast is not None
    assert both.coast == pytest.approx(both.approach[:, -np.arange(12)], rel=2e-3, abs=1e-9)


def test_axes_out_of_line_stand_so_for_both_flanks() -> None:
    """A misalignment in the plane of action of the drive flanks, less its part in the plane of the axes, is a deviation."""
    a, b = pair()
    alpha = pl.GearPair(a.teeth.gear, b.teeth.gear).transverse_working_pressure_angle
    tilt = 5e-4
    options: dict[str, Any] = {"loads": 3, "phases": 6}
    found = table_of(a, b, torque=LARGEST, deviation=-tilt * math.cos(alpha), **options)
    straight = table_of(a, b, torque=LARGEST, coast=True, **options)
    assert isinstance(found.coast, np.ndarray) and isinstance(straight.coast, np.ndarray)
    one = loaded_contact(a, b, torque=LARGEST, positions=6, misalignment=tilt, inclination=tilt * math.sin(alpha))
    other = loaded_contact(a, b, torque=-LARGEST, positions=6, deviation=-tilt * math.cos(alpha))
    assert found.approach[-1] == pytest.approx(one.transmission_error[0], rel=1e-6)
    assert found.coast[-1] == pytest.approx(other.transmission_error[0], rel=1e-6)
    for mine, plain in ((found.approach, straight.approach), (found.coast, straight.coast)):
        assert np.abs(mine - plain).max() > 1e-6


def test_backlash_lies_before_the_table() -> None:
    """Wheels further apart: the play of the geometry, half of it to either flank, then the lag at that centre distance."""
    gears = pair()
    apart = pl.GearPair(*(one.teeth.gear for one in gears)).centre_distance + 1e-4
    mesh = table_of(*gears, torque=LARGEST, loads=3, phases=8, centre_distance=apart)
    geometry = pl.GearPair(*(one.teeth.gear for one in gears), centre_distance=apart)
    play = geometry.circumferential_backlash * math.cos(geometry.transverse_working_pressure_angle)
    for torque in (LARGEST, -LARGEST):
        contact = loaded_contact(*gears, torque=torque, positions=1, start=0.25, centre_distance=apart)
        rest = pl.statics(rig(gears, mesh, load=torque, phase=0.25, play=1e-4))
        lag = contact.transmission_error[0, 0] + 0.5 * play
        assert radius(gears) * abs(rest["hinge_b.angle"].final) == pytest.approx(lag, rel=2e-3)


# ------------------------------------------------------------------------------------------------------------ in motion


def test_the_wheel_rings_on_the_tangent_stiffness() -> None:
    """ω² = k r_b²/I of the second wheel, the first one held."""
    gears = pair()
    mesh = table_of(*gears, torque=LARGEST, loads=12, phases=32)
    for torque, phase in ((80.0, 0.1), (20.0, 0.7)):
        m = rig(gears, mesh, load=torque, phase=phase)
        (found,) = pl.modes(m, about=pl.statics(m)).frequencies
        k = loaded_contact(*gears, torque=torque, positions=1, start=phase).tangent_stiffness[0, 0]
        expected = math.sqrt(k * radius(gears) ** 2 / gears[1].inertia[2]) / (2 * math.pi)
        assert found == pytest.approx(expected, rel=5e-3)


def test_slow_wheels_follow_the_loaded_transmission_error() -> None:
    """Mesh frequency 29 Hz, the wheel's own 5 kHz: in motion as at rest, position by position."""
    gears = uneven(HELIX)
    mesh = table_of(*gears, torque=LARGEST, loads=4, phases=32, damping_ratio=0.1, backlash=0)
    m = rig(gears, mesh, load=80.0, speed="10 rad/s")
    loaded = pl.statics(rig(gears, mesh, load=80.0))
    run = pl.dynamics(m, duration="40 ms", step="5 us", output_step="0.5 ms", start=loaded)
    lag = radius(gears) * (run["hinge_b.angle"].values + run["hinge_a.angle"].values * 18 / 37)
    quiet = run.time > 5e-3
    drive, _ = mesh.tables
    still = drive.approach(80.0 / radius(gears), run["mesh.phase"].values)
    assert np.ptp(still[quiet]) > 1e-6
    assert np.abs(lag - still)[quiet].max() < 0.02 * np.ptp(still[quiet])


def test_the_law_with_moving_flanks_says_the_same() -> None:
    """The same free gears as elastic flanks in motion: mean force of the torque, ripple of the same size.

    The flanks in motion are strips without the finer cells of the contact analysis, and bring the inertia of elastic bodies.
    """
    gears = elastic_pair.elastic()
    teeth = elastic_pair.TEETH
    speed, torque, drag = 50.0, 40.0, 0.3
    speed_b = -speed * teeth[0] / teeth[1]
    flank = pl.Flank(
        modes=elastic_pair.LIMIT, elements_a=elastic_pair.COARSE, elements_b=elastic_pair.COARSE, damping_ratio=0.02
    )
    table = table_of(*gears, torque=1.5 * torque, phases=256)
    found = []
    for mesh, name in ((flank, "contact_force"), (table, "normal_force")):
        m = rig(gears, mesh, load=pl.Ramp(drag * speed_b, torque + drag * speed_b, 0, "2 ms"), speed=speed)
        m.torsion_spring("drag", "hinge_b", damping=drag, free_angle=0)
        run = pl.dynamics(m, duration="30 ms", step="2.5 us", output_step="25 us", rho=0.95)
        found.append(run[f"mesh.{name}"].values[run.time > 0.4 * run.time[-1]])
    elastic, lumped = found
    assert lumped.mean() == pytest.approx(torque / radius(gears), rel=2e-3)
    assert lumped.mean() == pytest.approx(elastic.mean(), rel=2e-3)
    assert lumped.std() == pytest.approx(elastic.std(), rel=0.35)
    assert np.ptp(lumped) == pytest.approx(np.ptp(elastic), rel=0.35)
