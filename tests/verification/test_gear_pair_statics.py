"""Statics of stiff teeth on soft supports: every kind of pair, either torque, with and without backlash.

The mesh is 50 times as stiff as the supports and 5000 times as stiff as the shaft that holds wheel A; the load turns the
wheels by up to 0.1 rad in one step. Newton must get there in at most 8 iterations, because the tooth force is an unknown
of its own: with the force as a function of the approach, a small error of the positions would be a huge force.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.base_helix import base_helix_cosine

import pitchline as pl
from pitchline.gears import cone_angles, hypoid_pinion

STIFFNESS = 1e9
LIMIT = 8


def gear(teeth: int, **options: Any) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module="4 mm", face_width="20 mm", **options)


def bevels(spiral: float) -> tuple[pl.Gear, pl.Gear]:
    delta_a, delta_b = cone_angles(20, 30, math.pi / 2)
    return gear(20, cone_angle=delta_a, helix_angle=spiral), gear(30, cone_angle=delta_b, helix_angle=-spiral)


def hypoid() -> tuple[pl.Gear, pl.Gear, dict[str, Any]]:
    _, delta = cone_angles(13, 40, math.pi / 2)
    wheel = gear(40, cone_angle=delta, helix_angle=-0.5)
    offset = 0.12 * wheel.reference_diameter
    pinion = hypoid_pinion(wheel, teeth=13, offset=offset, shaft_angle=math.pi / 2)
    return pinion.with_(face_width=0.03), wheel, {"centre_distance": offset, "shaft_angle": math.pi / 2}


RING = gear(60, internal=True, rim_diameter="280 mm")
WORM = pl.Gear(starts=2, lead_angle=math.atan(0.2), normal_module="4 mm", face_width="60 mm")
PAIRS: dict[str, tuple[pl.Gear, pl.Gear | pl.Rack, dict[str, Any]]] = {
    "spur": (gear(20), gear(30), {}),
    "helical": (gear(20, helix_angle=0.3), gear(30, helix_angle=-0.3), {}),
    "internal": (gear(20), RING, {}),
    "internal, ring first": (RING, gear(20), {}),
    "crossed helical": (gear(20, helix_angle=0.5), gear(30, helix_angle=0.4), {"shaft_angle": 0.9}),
    "worm": (WORM, gear(40, helix_angle=math.atan(0.2)), {"shaft_angle": math.pi / 2}),
    "worm, wheel first": (gear(40, helix_angle=math.atan(0.2)), WORM, {"shaft_angle": math.pi / 2}),
    "straight bevel": (*bevels(0.0), {}),
    "spiral bevel": (*bevels(0.6), {}),
    "hypoid": hypoid(),
    "rack and pinion": (gear(20), pl.Rack(teeth=40, normal_module="4 mm", face_width="20 mm"), {}),
    "helical rack": (gear(20, helix_angle=0.3), pl.Rack(teeth=40, normal_module="4 mm", helix_angle=-0.3), {}),
}


def supported(kind: str, turn: float, mesh: pl.Elastic | pl.Rigid, stiffness: float = STIFFNESS) -> pl.Model:
    """Both wheels on soft supports, A on a torsion spring too; a load on B turns the faster of them by about `turn` [rad]."""
    gear_a, gear_b, placing = PAIRS[kind]
    m = pl.Model(kind)
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z")
    rack = {"mass": 2.0, "inertia": (0.01, 0.01, 0.01)} if isinstance(gear_b, pl.Rack) else {}
    b = m.gear_body("b", gear_b, mesh_with=a, **placing, **rack)
    pitch = m.gear_pair("mesh", a, b, mesh=mesh, **placing).pair.pitch
    arm = pitch.radius_a * math.cos(pitch.beta_a)
    k, shaft = stiffness / 50, stiffness * arm**2 / 5000
    m.bushing("support a", m.ground, a, stiffness=(k, k, k, 20 * shaft, 20 * shaft, shaft))
    across = b.orientation
    if rack:  # free along its y but for a trifle
        m.bushing("support b", m.ground, b, stiffness=(k, 1.0, k, 20 * shaft, 20 * shaft, 20 * shaft))
        m.force("load", b, tuple(shaft * turn / arm * across[:, 1]))
    else:
        m.bushing("support b", m.ground, b, stiffness=(k, k, k, 20 * shaft, 20 * shaft, 1.0))
        ratio = pitch.teeth_b / pitch.teeth_a
        m.torque("load", b, tuple(shaft * min(1.0, ratio) * turn * ratio * across[:, 2]))
    return m


def tilt(kind: str) -> float:
    """Length along the normal over that in signals."""
    return base_helix_cosine(PAIRS[kind][0], crossed=kind.startswith(("crossed", "worm", "hypoid")))


def check_equilibrium(result: pl.Result, kind: str, mesh: pl.Elastic) -> None:
    """The wheels are in balance, the teeth obey their law, and the shaft has turned as far as the load says.

    The torque on wheel A about its axis is that of the load times the ratio; tilt and shift of the wheels on their supports
    change it by as much as they are, under 10 %, more on a worm, whose thrust tilts the wheel.
    """
    forces = np.array([result["mesh.force_a"].final, result["support a.force"].final])
    size = float(result["mesh.normal_force"].final)
    np.testing.assert_allclose(forces.sum(axis=0), 0.0, atol=1e-8 * size)
    np.testing.assert_allclose(
        np.array(result["mesh.force_a"].final) + np.array(result["mesh.force_b"].final), 0.0, atol=1e-9 * size
    )
    deflection = float(result["mesh.deflection"].final)
    assert result["mesh.normal_force"].final * tilt(kind) == pytest.approx(STIFFNESS * deflection, rel=1e-9)
    assert result["mesh.stiffness"].final == pytest.approx(STIFFNESS, rel=1e-9)
    assert deflection > 0.0
    flank = float(result["mesh.contact"].final)
    assert result["mesh.signed_force"].final == flank * size
    if mesh.follow_centres:
        return  # u also makes up for the centres
    # u itself is known to the tolerance of the positions, some 1e-11 of the size of the wheels
    assert result["mesh.transmission_error"].final == pytest.approx(deflection, abs=1e-11)


@pytest.mark.parametrize("backlash", (0.0, 1e-4))
@pytest.mark.parametrize(
    "turn, follow", ((0.02, False), (-0.02, False), (0.1, False), (-0.1, False), (0.02, True), (-0.1, True))
)
@pytest.mark.parametrize("kind", PAIRS)
def test_few_iterations(kind: str, turn: float, follow: bool, backlash: float) -> None:
    """As many whether the teeth follow their centres or not, but for a worm turned far, whose centres part by millimetres."""
    mesh = pl.Elastic(STIFFNESS, backlash=backlash, follow_centres=follow)
    result = pl.statics(supported(kind, turn, mesh))
    assert result.statistics["iterations"] <= (2 * LIMIT if kind == "worm" and follow else LIMIT)
    assert result.statistics["load_steps"] == 1
    assert not result.warnings or all("neutral" not in w for w in result.warnings)
    check_equilibrium(result, kind, mesh)


@pytest.mark.parametrize("backlash", (0.0, 1e-4))
@pytest.mark.parametrize("kind", PAIRS)
def test_rigid_teeth(kind: str, backlash: float) -> None:
    """As few iterations, teeth that touch without deflection; wheel A turned as with elastic teeth but for what those give."""
    turn = -0.1
    result = pl.statics(supported(kind, turn, pl.Rigid(backlash=backlash)))
    assert result.statistics["iterations"] <= LIMIT
    assert result["mesh.transmission_error"].final == pytest.approx(0.0, abs=1e-11)
    assert result["mesh.normal_force"].final > 0.0
    # the raw measure has the flank's sign and half the backlash
    raw = math.copysign(0.5 * backlash, result["mesh.contact"].final)
    assert result["mesh.approach"].final == pytest.approx(raw, abs=1e-11)
    forces = np.array([result["mesh.force_a"].final, result["support a.force"].final])
    np.testing.assert_allclose(forces.sum(axis=0), 0.0, atol=1e-8 * np.abs(forces).max())
    elastic = pl.statics(supported(kind, turn, pl.Elastic(STIFFNESS, backlash=backlash, follow_centres=False)))
    arm = 0.5 * PAIRS[kind][0].normal_module * PAIRS[kind][0].teeth
    given = 2 * abs(float(elastic["mesh.deflection"].final)) / arm
    assert result["mesh.psi_a"].final == pytest.approx(elastic["mesh.psi_a"].final, abs=given)


VARYING = pl.Varying(pl.Fourier("360 deg", STIFFNESS, cos=[0.2 * STIFFNESS], sin=[0.1 * STIFFNESS], over="angle"))
ERRORS = [
    pl.Varying(pl.Fourier("360 deg", cos=[5e-6], sin=[3e-6], over="angle")),
    pl.Varying(pl.Fourier("360 deg", cos=[1e-5], over="angle"), over="revolution of a"),
]


@pytest.mark.parametrize("consistent", (True, False))
@pytest.mark.parametrize("turn", (0.02, -0.1))
@pytest.mark.parametrize("kind", ("helical", "internal", "worm", "hypoid", "helical rack"))
def test_force_as_an_unknown_or_as_a_function(kind: str, turn: float, consistent: bool) -> None:
    """Corners rounded over d = 1 nm make statics take the force as a function of the approach: the same equilibrium.

    Rounding changes the force by k d²/(4 s), s being the deflection: 1e-3 N at s = 0.2 um.
    """
    options: dict[str, Any] = {"error": ERRORS, "backlash": 1e-4, "energy_consistent": consistent}
    options["follow_centres"] = kind != "worm" or turn > 0.0  # whose centres part by millimetres at a large turn
    sharp = pl.statics(supported(kind, turn, pl.Elastic(VARYING, **options)))
    rounded = pl.statics(supported(kind, turn, pl.Elastic(VARYING, smoothing=1e-9, **options)))
    assert sharp.statistics["iterations"] <= LIMIT
    for name, bound in (("mesh.normal_force", 1e-6), ("mesh.psi_a", 1e-7), ("mesh.deflection", 1e-4)):
        assert sharp[name].final == pytest.approx(rounded[name].final, rel=bound)
    np.testing.assert_allclose(sharp["b.position"].final, rounded["b.position"].final, atol=1e-10)


@pytest.mark.parametrize("backlash", (0.0, 1e-4))
@pytest.mark.parametrize("kind", ("spur", "worm", "spiral bevel", "rack and pinion"))
def test_the_equilibrium_does_not_depend_on_the_way(kind: str, backlash: float) -> None:
    """From the opposite load, through the backlash, to the same end."""
    mesh = pl.Elastic(STIFFNESS, backlash=backlash)
    other_flank = pl.statics(supported(kind, 0.02, mesh))
    after = pl.statics(supported(kind, -0.02, mesh), start=other_flank)
    at_once = pl.statics(supported(kind, -0.02, mesh))
    for name in ("mesh.normal_force", "mesh.approach", "mesh.psi_a"):
        assert after[name].final == pytest.approx(at_once[name].final, rel=1e-9)
    assert after["mesh.contact"].final == -other_flank["mesh.contact"].final


@pytest.mark.parametrize("sign", (1.0, -1.0))
@pytest.mark.parametrize("side, offset", (("centred", 0.5), ("drive", 0.0), ("coast", 1.0)))
def test_hinged_wheel_with_play(side: str, offset: float, sign: float) -> None:
    """A wheel against one that stands still: ψ = (F/k ± play)/(c cos α), the play to the flank being the part of the backlash
    that its side leaves on that flank. Lengths on the base circle; c = m_n z/2; F_n = T/(c cos α)."""
    gear_a, backlash, k, torque = gear(20), 3e-5, 2e8, 40.0
    m = pl.Model("play")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z")
    b = m.wheel("b", m.ground, gear(30), mesh_with=a)
    hinge = m.revolute("hinge", m.ground, a)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(k, backlash=backlash, backlash_side=side))
    m.torque("load", hinge, sign * torque)
    result = pl.statics(m)
    arm = 0.5 * gear_a.normal_module * gear_a.teeth * math.cos(gear_a.normal_pressure_angle)
    force = torque / arm
    play = offset * backlash if sign > 0 else (1 - offset) * backlash
    assert result["hinge.angle"].final == pytest.approx(sign * (force / k + play) / arm, rel=1e-9)
    assert result["mesh.normal_force"].final == pytest.approx(force, rel=1e-9)
    assert result["mesh.transmission_error"].final == pytest.approx(force / k, rel=1e-6)  # without the play
    assert result["mesh.contact"].final == sign


def test_unloaded_teeth_in_the_play_do_not_bear() -> None:
    """No load: the wheels stay where they are, in the middle of the play."""
    result = pl.statics(supported("helical", 0.0, pl.Elastic(STIFFNESS, backlash=1e-4)))
    assert result["mesh.contact"].final == 0.0
    assert result["mesh.normal_force"].final == 0.0
    assert result["mesh.approach"].final == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kind", ("spur", "helical", "internal", "worm", "spiral bevel"))
def test_wheels_held_in_the_gap(kind: str) -> None:
    """Teeth that stand in their play and cannot move bear nothing."""
    gear_a, gear_b, placing = PAIRS[kind]
    m = pl.Model(kind)
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear_b, mesh_with=a, **placing)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFFNESS, backlash="50 um"), **placing)
    for body in (a, b):
        hinge = m.revolute(f"hinge {body.name}", m.ground, body, axis=body.orientation[:, 2])
        m.drive(f"hold {body.name}", hinge, angle=0.0)
    result = pl.statics(m)
    assert result["mesh.normal_force"].final == 0.0
    assert result["mesh.contact"].final == 0.0
    assert result["mesh.stiffness"].final == 0.0


def test_friction_is_no_force_of_kinematics() -> None:
    """Neither in the balance nor in what is reported: the drive sees the ratio, the teeth slide all the same."""
    gear_a, gear_b, placing = PAIRS["worm"]
    m = pl.Model("worm")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear_b, mesh_with=a, **placing)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFFNESS, backlash=0, friction=0.05), **placing)
    hinge = m.revolute("hinge a", m.ground, a)
    m.torque("load", m.revolute("hinge b", m.ground, b, axis=b.orientation[:, 2]), 100.0)
    m.drive("motor", hinge, speed=10.0)
    result = pl.kinematics(m, duration=0.1)
    assert abs(result["motor.torque"].final) == pytest.approx(100.0 * 2 / 40, rel=1e-6)
    assert abs(result["mesh.moment_a"].final[2]) == pytest.approx(100.0 * 2 / 40, rel=1e-6)
    assert result["mesh.friction_loss"].final == 0.0
    assert result["mesh.sliding_speed"].final > 0.1
