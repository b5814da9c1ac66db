"""One direction for lengths, stiffness and damping of meshes: the base circle, as in ISO 6336-1. Forces are along the normal."""

import math
from typing import Any

import pytest
from references.base_helix import base_helix_cosine

import pitchline as pl
from pitchline.gears import cone_angles, iso_stiffness
from pitchline.parts.gears.teeth import place_teeth
from pitchline.parts.meshes.compile import more_play

HELIX = math.radians(24.0)
TORQUE, WIDTH = 200.0, 0.03
SIDES = [(hand, load, swap) for hand in (1, -1) for load in (1, -1) for swap in (False, True)]


def gears(hand: int = 1, *, internal: bool = False) -> tuple[pl.Gear, pl.Gear]:
    shared: dict[str, Any] = {"normal_module": "3 mm", "face_width": WIDTH, "backlash_allowance": "20 um"}
    ring = {"internal": True, "rim_diameter": "300 mm"} if internal else {}
    return (
        pl.Gear(teeth=24, helix_angle=hand * HELIX, profile_shift=0.2, **shared),
        pl.Gear(teeth=77 if internal else 37, helix_angle=hand * HELIX * (1 if internal else -1), **shared, **ring),
    )


def build(mesh: Any, hand: int = 1, *, swap: bool = False, internal: bool = False, held: bool = True) -> pl.Model:
    """A helical pair on fixed hinges, 0.1 mm farther apart than nominal; the pinion is held, or both wheels are free."""
    a, b = gears(hand, internal=internal)
    m = pl.Model("pair")
    pinion = m.gear_body("pinion", a, axis="z")
    apart = pl.GearPair(a, b).centre_distance + 1e-4
    wheel = m.gear_body("wheel", b, mesh_with=pinion, towards="x", centre_distance=apart)
    first, m_second = m.revolute("first", m.ground, pinion), m.revolute("second", m.ground, wheel)
    m.gear_pair("mesh", *((wheel, pinion) if swap else (pinion, wheel)), mesh=mesh)
    if held:
        m.drive("hold", first, angle=0.0)
        m.torque("load", m_second, TORQUE)
    return m


@pytest.mark.parametrize("internal", [False, True], ids=["external", "internal"])
@pytest.mark.parametrize("hand, load, swap", SIDES)
def test_iso_stiffness_is_that_of_the_base_circle(hand: int, load: int, swap: bool, internal: bool) -> None:
    """Under a torque T the wheel lags by T/(r_b² b c_γα); transmission error, deflection and stiffness are on the base circle."""
    mesh = pl.Elastic(backlash=0)
    m = build(mesh, hand, swap=swap, internal=internal)
    m.torque("sign", "wheel", (0, 0, (load - 1) * TORQUE))
    rest, pair = pl.statics(m), m.gear_pairs["mesh"]
    wheel = m.gear_pairs["mesh"].pair.a if swap else m.gear_pairs["mesh"].pair.b
    k, radius = WIDTH * iso_stiffness(pair.pair).mesh_alpha, 0.5 * wheel.base_diameter
    force = TORQUE / radius
    lag = radius * abs(float(rest["second.angle"].final))
    assert lag == pytest.approx(force / k, rel=1e-9)
    for name in ("transmission_error", "deflection"):
        assert rest[f"mesh.{name}"].final == pytest.approx(lag, rel=1e-6), name
    assert abs(rest["mesh.approach"].final) == pytest.approx(lag, rel=1e-6)
    assert rest["mesh.stiffness"].final == pytest.approx(k, rel=1e-12) == pair.law.mean_stiffness
    # the force is along the normal; one energy: k_b δ_b²/2 = F_n δ_n/2 with δ_n = δ_b cos β_b
    slope = math.cos(wheel.base_helix_angle)
    assert rest["mesh.normal_force"].final == pytest.approx(force / slope, rel=1e-9)
    energy = pl.dynamics(m, duration="1 us", step="1 us", start=rest)["energy.potential"].values[0]
    assert energy == pytest.approx(0.5 * k * lag**2, rel=1e-6)
    assert energy == pytest.approx(0.5 * (force / slope) * (lag * slope), rel=1e-6)
    # given along the normal: k_n = k_b / cos² β_b
    other = build(pl.Elastic(k / slope**2, along="normal", backlash=0), hand, swap=swap, internal=internal)
    assert pl.statics(other)["second.angle"].final == pytest.approx(load * rest["second.angle"].final, rel=1e-9)


@pytest.mark.parametrize("hand, swap", [(1, False), (-1, True)])
def test_resonance_speed_of_iso_6336(hand: int, swap: bool) -> None:
    """N_E1 = 30000/(π z_1) sqrt(c_γα/m_red) with m_red = J_1 J_2/(J_1 r_b2² + J_2 r_b1²): 1/min, N/(mm µm), kg/mm."""
    m = build(pl.Elastic(backlash=0, line_of_action="clockwise"), hand, swap=swap, held=False)
    pinion, wheel = gears(hand)
    found = pl.modes(m).frequencies
    per_width = [m.bodies[name].inertia[2, 2] * 1e6 / (1e3 * WIDTH) for name in ("pinion", "wheel")]  # kg mm² per mm
    radii = [1e3 * 0.5 * gear.base_diameter for gear in (pinion, wheel)]
    reduced = per_width[0] * per_width[1] / (per_width[0] * radii[1] ** 2 + per_width[1] * radii[0] ** 2)
    stiffness = iso_stiffness(m.gear_pairs["mesh"].pair).mesh_alpha / 1e9
    resonance = 30000.0 / (math.pi * pinion.teeth) * math.sqrt(stiffness / reduced)
    assert found[-1] * 60.0 / pinion.teeth == pytest.approx(resonance, rel=1e-9)
    assert m.gear_pairs["mesh"].law.effective_mass == pytest.approx(reduced * 1e3 * WIDTH, rel=1e-12)


@pytest.mark.parametrize("load", [1, -1])
@pytest.mark.parametrize("hand", [1, -1])
def test_errors_and_backlash_are_on_the_base_circle(hand: int, load: int) -> None:
    """Rigid and elastic teeth: the wheel turns by (b/2 ± x)/r_b until its teeth touch, and by no more with rigid teeth."""
    error, backlash = 7e-6, 60e-6
    radius = 0.5 * gears(hand)[1].base_diameter
    for mesh in (pl.Rigid(error=error, backlash=backlash), pl.Elastic(1e12, error=error, backlash=backlash)):
        m = build(mesh, hand)
        m.torque("less", "wheel", (0, 0, load * 1e-3 - TORQUE))
        turned = radius * float(pl.statics(m)["second.angle"].final)
        assert turned == pytest.approx(load * 0.5 * backlash - error, abs=1e-10)


@pytest.mark.parametrize("internal", [False, True], ids=["external", "internal"])
def test_backlash_of_true_flanks(internal: bool) -> None:
    """`Flank`: the wheel can turn by b/(2 r_b) to either side."""
    part = build(pl.Flank(backlash="60 um"), internal=internal).gear_pairs["mesh"]
    teeth = pl.Teeth(part.pair.a), pl.Teeth(part.pair.b)
    play = place_teeth(*teeth, part.pair.centre_distance)[1]
    turn = play + more_play(part, *teeth)
    assert turn * 0.5 * part.pair.b.base_diameter == pytest.approx(30e-6, rel=1e-9)
    assert part.law.backlash == 60e-6


def test_damping_is_on_the_base_circle() -> None:
    """Power of a damper c at a rate of u = r_b dψ: c (r_b ω)², and the force along the normal is c r_b ω / cos β_b."""
    c, speed = 500.0, 0.1
    m = build(pl.Elastic(1e6, backlash=0, damping=c, damping_acts="always"), held=False)
    m.drive("hold", "first", angle=0.0), m.drive("turn", "second", speed=speed)
    run = pl.dynamics(m, duration="2 us", step="1 us")
    radius, slope = 0.5 * gears()[1].base_diameter, math.cos(gears()[1].base_helix_angle)
    assert run["mesh.loss"].values[0] == pytest.approx(c * (radius * speed) ** 2, rel=1e-9)
    assert abs(run["mesh.normal_force"].values[0]) == pytest.approx(c * radius * speed / slope, rel=1e-9)


BEVEL = [
    pl.Gear(teeth=z, normal_module="4 mm", face_width="20 mm", cone_angle=delta, helix_angle=sign * 0.6)
    for z, delta, sign in zip((20, 30), cone_angles(20, 30, math.pi / 2), (1, -1), strict=True)
]
CROSSED = [
    pl.Gear(teeth=z, normal_module="4 mm", face_width="20 mm", helix_angle=angle) for z, angle in ((20, 0.5), (30, 0.4))
]
KINDS: dict[str, tuple[list[pl.Gear], dict[str, Any], float]] = {
    "spiral bevel": (BEVEL, {}, base_helix_cosine(BEVEL[0])),
    "crossed helical": (CROSSED, {"shaft_angle": 0.9}, 1.0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_axes(kind: str) -> None:
    """Bevel gears: on the base circles of their virtual cylindrical gears; crossed axes: along the normal."""
    (a, b), placing, slope = KINDS[kind]
    m, k = pl.Model(kind), 3e8
    first = m.gear_body("a", a, axis="z")
    second = m.gear_body("b", b, mesh_with=first, **placing)
    m.drive("hold", m.revolute("first", m.ground, first), angle=0.0)
    m.torque("load", m.revolute("second", m.ground, second, axis=second.orientation[:, 2]), TORQUE)
    pair = m.gear_pair("mesh", first, second, mesh=pl.Elastic(k, backlash=0), **placing)
    rest = pl.statics(m)
    lever = 0.5 * b.normal_module * b.teeth * math.cos(math.radians(20)) / slope  # of lengths, about the axis of B
    assert abs(rest["second.angle"].final) == pytest.approx(TORQUE / (k * lever**2), rel=1e-6)
    assert rest["mesh.transmission_error"].final == pytest.approx(TORQUE / (k * lever), rel=1e-6)
    assert rest["mesh.normal_force"].final == pytest.approx(TORQUE / lever / slope, rel=1e-9)
    assert pair.along == ("base circle" if slope < 1.0 else "normal")


@pytest.mark.parametrize("hand, torque", [(1, TORQUE), (-1, -TORQUE)])
def test_planetary_stage(hand: int, torque: float) -> None:
    """Sun and ring meshes of a helical stage: each deflects on its base circle by F_n cos β_b/(b c_γα), whatever the direction."""
    shared: dict[str, Any] = {"normal_module": "2 mm", "face_width": WIDTH, "backlash_allowance": "20 um"}
    helix = hand * math.radians(20.0)
    sun = pl.Gear(teeth=24, helix_angle=helix, **shared)
    planet = pl.Gear(teeth=36, helix_angle=-helix, **shared)
    ring = pl.Gear(teeth=96, helix_angle=-helix, internal=True, addendum_factor=0.8, rim_diameter="250 mm", **shared)
    m = pl.Model("stage")
    mesh = pl.Elastic()
    stage = pl.planetary(m, "stage", sun=sun, planet=planet, ring=ring, fixed="ring", mesh_sun=mesh, mesh_ring=mesh)
    m.torque("load", stage.bearings["carrier"], torque)
    m.drive("hold", stage.bearings["sun"], angle=0)
    rest = pl.statics(m)
    assert len(m.gear_pairs) == 6
    for name, pair in m.gear_pairs.items():
        force, lag, k = (float(rest[f"{name}.{s}"].final) for s in ("normal_force", "transmission_error", "stiffness"))
        assert k == pytest.approx(WIDTH * iso_stiffness(pair.pair).mesh_alpha, rel=1e-12)
        assert force * math.cos(sun.base_helix_angle) == pytest.approx(k * lag, rel=1e-6), name
        if name.startswith("stage sun"):
            share = abs(torque) / 3 / (1 + 96 / 24) / (0.5 * sun.base_diameter)
            assert force * math.cos(sun.base_helix_angle) == pytest.approx(share, rel=1e-3)
