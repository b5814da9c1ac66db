"""Signs of the signals of a gear pair: by the flank that bears, whichever wheel drives; powers in the mesh frame.

`test_gear_pair_behaviour` has both wheels driving both ways for every kind of pair; here is what is particular.
"""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

ALPHA = math.radians(20)
COMMON: dict[str, Any] = {"normal_module": "2 mm", "face_width": "20 mm"}
PLAY = 40e-6
"""Backlash on the base circle [m]."""
STIFF = 2e8
R_A, R_B = 0.02, 0.03


def hinged(mesh: Any, helix: float = 0.0) -> pl.Model:
    m = pl.Model("pair")
    a = m.gear_body("a", pl.Gear(teeth=20, helix_angle=helix, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, helix_angle=-helix, **COMMON), mesh_with=a, towards=(1, 0, 0))
    m.revolute("input", m.ground, a), m.revolute("output", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def integral(run: pl.Result, values: np.ndarray) -> float:
    return float(np.trapezoid(values, run.time))


# ---- transmission error


def held_apart(turn: float, **more: Any) -> pl.Result:
    """Wheel B turned against wheel A, both held."""
    m = hinged(pl.Elastic(STIFF, backlash=PLAY, **more))
    m.drive("hold a", "input", angle=0.0), m.drive("hold b", "output", angle=turn)
    return pl.statics(m)


@pytest.mark.parametrize("part", (-1.2, -1.0, -0.7, -0.1, 0.0, 0.1, 0.7, 1.0, 1.2))
@pytest.mark.parametrize("side, middle", (("centred", 0.0), ("drive", -0.5), ("coast", 0.5)))
def test_in_the_gap_it_is_the_distance_from_touching(part: float, side: str, middle: float) -> None:
    """u = part of half the backlash from its middle: |u| - b/2, positive where the teeth are pressed together, on either flank."""
    u = (part * 0.5 + middle) * PLAY
    rest = held_apart(u / (R_B * math.cos(ALPHA)), backlash_side=side)
    assert rest["mesh.approach"].final == pytest.approx(u, abs=1e-12)
    lag = 0.5 * PLAY * (abs(part) - 1.0)
    assert rest["mesh.transmission_error"].final == pytest.approx(lag, abs=1e-12)
    assert rest["mesh.normal_force"].final == pytest.approx(STIFF * max(lag, 0.0), abs=1e-6 * STIFF * PLAY)
    assert rest["mesh.deflection"].final == pytest.approx(max(lag, 0.0), abs=1e-12)
    if abs(part) > 1.1:
        assert rest["mesh.contact"].final == np.sign(part)


def test_rigid_teeth_with_an_error_on_either_flank() -> None:
    """More material pushes the driven wheel ahead on the drive flank, and lets it lag on the coast flank."""
    for torque in (10.0, -10.0):
        m = hinged(pl.Rigid(backlash=PLAY, error="3 um"))
        m.drive("hold", "input", angle=0.0)
        m.torque("load", "output", torque)
        rest = pl.statics(m)
        assert rest["mesh.contact"].final == math.copysign(1.0, torque)
        assert rest["mesh.transmission_error"].final == pytest.approx(-math.copysign(3e-6, torque), abs=1e-11)
        assert rest["mesh.normal_force"].final == pytest.approx(10.0 / (R_B * math.cos(ALPHA)), rel=1e-9)


def test_no_negative_zeros() -> None:
    m = hinged(pl.Rolling())
    m.drive("hold", "input", angle=0.0)
    m.torque("load", "output", -10.0)
    rest = pl.statics(m)
    assert rest["mesh.tangential_force"].final == pytest.approx(10.0 / R_B, rel=1e-9)
    assert rest["mesh.contact"].final == -1.0
    assert not np.signbit(pl.statics(hinged(pl.Elastic(STIFF, backlash=PLAY)))["mesh.normal_force"].final)


# ---- without backlash


def swinging(mean: float) -> pl.Result:
    """Wheel A held, 10 N m swing on wheel B about a mean."""
    m = hinged(pl.Elastic(STIFF, backlash=0, damping_ratio=0.1))
    m.drive("hold", "input", angle=0.0)
    m.torque("load", "output", pl.Harmonic("10 N*m", "100 Hz", offset=mean))
    return pl.dynamics(m, duration="20 ms", step="10 us", output_step="0.1 ms", start=pl.statics(m))


@pytest.mark.parametrize("mean", (3.0, -3.0))
def test_without_backlash_a_swing_stays_a_swing(mean: float) -> None:
    """The sign is that of the mean, and the other flank is negative: no magnitude is made of an oscillation."""
    run = swinging(mean)
    force, signed = run["mesh.normal_force"].values, run["mesh.signed_force"].values
    np.testing.assert_array_equal(force, math.copysign(1.0, mean) * signed)
    np.testing.assert_array_equal(np.sign(signed), run["mesh.contact"].values)
    size = R_B * math.cos(ALPHA)
    assert force[:-1].mean() == pytest.approx(3.0 / size, rel=0.02)
    assert force.min() == pytest.approx(-7.0 / size, rel=0.02)
    np.testing.assert_allclose(
        run["mesh.transmission_error"], math.copysign(1.0, mean) * run["mesh.approach"].values, atol=1e-15
    )


def test_a_swing_about_nothing_counts_by_the_drive_flank() -> None:
    run = swinging(0.0)
    np.testing.assert_array_equal(run["mesh.normal_force"], run["mesh.signed_force"])


@pytest.mark.parametrize("mesh", (pl.Elastic(STIFF, backlash=0), pl.Rolling(), pl.Rigid(backlash=0)), ids=repr)
def test_linear_response_of_unloaded_teeth(mesh: Any) -> None:
    """About a state without load the force follows the torque, instead of the mean of its two magnitudes: nothing."""
    m = hinged(mesh)
    m.drive("hold", "input", angle=0.0)
    found = pl.frequency_response(m, "output.torque", ["mesh.normal_force", "mesh.tangential_force"], frequencies=0.0)
    cosine = 1.0 if isinstance(mesh, pl.Rolling) else math.cos(ALPHA)
    for name, arm in (("mesh.normal_force", R_B * cosine), ("mesh.tangential_force", R_B)):
        assert found.between(name)[0].real == pytest.approx(1.0 / arm, rel=1e-6)


def test_linear_response_on_the_coast_flank() -> None:
    """More load is more force and more lag there too."""
    m = hinged(pl.Elastic(STIFF, backlash=PLAY))
    m.drive("hold", "input", angle=0.0)
    m.torque("load", "output", -20.0)
    found = pl.frequency_response(
        m, "load", ["mesh.normal_force", "mesh.transmission_error"], frequencies=0.0, about=pl.statics(m)
    )
    assert found.between("mesh.normal_force")[0].real == pytest.approx(-1.0 / (R_B * math.cos(ALPHA)), rel=1e-6)
    assert found.between("mesh.transmission_error")[0].real == pytest.approx(
        -1.0 / (R_B * math.cos(ALPHA) * STIFF), rel=1e-6
    )


# ---- forces


@pytest.mark.parametrize("torque", (20.0, -20.0))
@pytest.mark.parametrize("flipped", (False, True))
def test_thrust_is_along_the_own_axis_of_each_wheel(torque: float, flipped: bool) -> None:
    """Wheel B may stand the other way round than wheel A."""
    m = pl.Model("helical")
    gear = pl.Gear(teeth=20, helix_angle="20 deg", **COMMON)
    other = pl.Gear(teeth=30, helix_angle="-20 deg", **COMMON)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    arm = pl.GearPair(gear, other).centre_distance
    b = m.gear_body("b", other, position=(arm, 0, 0), axis=(0, 0, -1 if flipped else 1))
    m.revolute("output", m.ground, b, axis="z")
    m.fixed("hold", m.ground, a)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFF, backlash=0))
    m.torque("load", b, (0, 0, torque))
    rest = pl.statics(m)
    on_a, on_b = (np.asarray(rest[f"mesh.force_{w}"].final) for w in "ab")
    z_b = -1.0 if flipped else 1.0
    assert rest["mesh.axial_force"].final == pytest.approx(on_a[2], rel=1e-12)
    assert rest["mesh.axial_force_b"].final == pytest.approx(z_b * on_b[2], rel=1e-12)
    assert rest["mesh.tangential_force"].final == pytest.approx(abs(on_a[1]), rel=1e-9)
    assert rest["mesh.radial_force"].final == pytest.approx(on_b[0], rel=1e-9)
    assert rest["mesh.radial_force"].final > 0.0
    assert abs(on_a[2]) == pytest.approx(abs(on_a[1]) * math.tan(math.radians(20)), rel=1e-9)


def test_components_on_both_wheels_where_they_differ() -> None:
    """Of a bevel pair at 90 degrees the radial force on one wheel is the axial force on the other, both off the mate."""
    a_gear = pl.Gear(teeth=20, cone_angle=math.atan2(20, 30), **COMMON)
    b_gear = pl.Gear(teeth=30, cone_angle=math.atan2(30, 20), **COMMON)
    m = pl.Model("bevel")
    a = m.gear_body("a", a_gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", b_gear, mesh_with=a)
    m.fixed("hold", m.ground, a)
    m.revolute("output", m.ground, b, axis=b.orientation[:, 2])
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFF, backlash=0))
    m.torque("load", m.joints["output"], 20.0)
    rest = {name: float(pl.statics(m)[f"mesh.{name}"].final) for name in (
        "tangential_force", "tangential_force_b", "radial_force", "radial_force_b", "axial_force", "axial_force_b",
    )}  # fmt: skip
    assert rest["tangential_force"] == pytest.approx(rest["tangential_force_b"], rel=1e-9)
    assert rest["radial_force"] > 0.0 and rest["radial_force_b"] > 0.0
    assert rest["radial_force"] == pytest.approx(abs(rest["axial_force_b"]), rel=1e-9)
    assert rest["radial_force_b"] == pytest.approx(abs(rest["axial_force"]), rel=1e-9)
    assert "mesh.radial_force_b" not in pl.statics(hinged(pl.Elastic(STIFF))).signals


def test_contact_moment_is_the_couple_beside_the_force() -> None:
    """Of line contact on a tilted wheel: force_a at contact_point and contact_moment are all that acts on wheel A."""
    m = pl.Model("tilted")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0))
    m.fixed("hold", m.ground, a)
    m.bushing("bearing", m.ground, b, axis="z", stiffness=(1e9, 1e9, 1e9, 2e4, 2e4, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(STIFF, backlash=0, contact="line"))
    m.torque("load", b, (1.0, 0, 20.0))
    rest = pl.statics(m)
    force, point, couple = (np.asarray(rest[f"mesh.{x}"].final) for x in ("force_a", "contact_point", "contact_moment"))
    np.testing.assert_allclose(couple + np.cross(point, force), rest["mesh.moment_a"].final, atol=1e-9)
    np.testing.assert_allclose(couple + np.cross(point, force), -np.asarray(rest["hold.moment"].final), atol=1e-6)
    assert 0.1 < abs(couple[0]) < 1.0  # the bearing takes the rest of 1 N m


# ---- powers


def loaded(driver: str, mesh: Any, helix: float = 0.0) -> pl.Result:
    """One wheel driven, the other loaded, from rest at once: it vibrates, with h w = 0.04 (h the step, w the angular frequency)."""
    m = hinged(mesh, helix)
    other = "output" if driver == "input" else "input"
    speed = 100.0
    m.drive("motor", driver, speed=speed)
    m.torque("load", other, 10.0)  # they turn against each other
    start = pl.kinematics(m, times=[1e-6], start=pl.statics(m))
    return pl.dynamics(m, duration="10 ms", step="1 us", output_step="1 us", start=start)


VARYING = pl.Fourier("360 deg", STIFF, cos=[0.1 * STIFF], over="angle")
MESHES = {
    "elastic": pl.Elastic(VARYING, backlash=PLAY, damping_ratio=0.1),
    "losses": pl.Elastic(VARYING, backlash=0, damping_ratio=0.1, efficiency=0.97),
    "loaded": pl.Loaded([0, 1e3, 4e3], [[0, 1e-6], [6e-6, 7e-6], [20e-6, 22e-6]], damping_ratio=0.1, backlash=PLAY),
}


@pytest.mark.parametrize("driver", ("input", "output"))
@pytest.mark.parametrize("mesh", MESHES)
def test_power_in_less_power_out_is_lost_or_stored(mesh: str, driver: str) -> None:
    """On fixed centres power - power_b = loss + d(energy of the teeth)/dt; the sign tells who drives. The method and the
    trapezoidal rule have errors of about (h w)^2/12 = 1e-4 of the stored energy."""
    run = loaded(driver, MESHES[mesh], 0.2)
    given, taken, lost = (run[f"mesh.{name}"].values for name in ("power", "power_b", "loss"))
    assert np.all(lost >= 0.0)
    stored = np.ptp(run["energy.potential"].values)
    change = run["energy.potential"].final - run["energy.potential"].initial
    assert integral(run, given - taken - lost) == pytest.approx(change, abs=2e-4 * stored + 1e-4 * integral(run, lost))
    sense = 1.0 if driver == "input" else -1.0
    assert np.all(sense * given > 0.0) and np.all(sense * taken > 0.0)
    assert np.all(sense * given - sense * taken > -0.05 * np.abs(given).max())
    # what the hinges see
    torque = run["motor.torque"].values
    at_motor = given if driver == "input" else -taken
    np.testing.assert_allclose(torque * 100.0, at_motor, atol=1e-6 * np.abs(given).max())
    np.testing.assert_allclose(np.sign(run["mesh.contact"].values * run["mesh.mesh_velocity"].values), sense)


def test_mesh_velocity() -> None:
    run = loaded("input", MESHES["elastic"])
    np.testing.assert_allclose(run["mesh.mesh_velocity"], 100.0 * R_A, rtol=2e-4)  # in the middle of both wheels
    back = hinged(pl.Rolling())
    back.drive("motor", "input", speed=-50.0)
    np.testing.assert_allclose(pl.kinematics(back, times=[0.1])["mesh.mesh_velocity"], -50.0 * R_A, rtol=1e-9)


@pytest.mark.parametrize("load", (30.0, -30.0))
def test_rack_and_pinion(load: float) -> None:
    m = pl.Model("rack")
    pinion = m.gear_body("pinion", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    rack = m.gear_body("rack", pl.Rack(teeth=60, depth="20 mm", **COMMON), mesh_with=pinion, towards=(0, -1, 0))
    m.revolute("input", m.ground, pinion)
    guide = m.prismatic("guide", m.ground, rack, axis=rack.orientation[:, 1])
    m.gear_pair("mesh", pinion, rack, mesh=pl.Elastic(STIFF, backlash=PLAY))
    m.drive("motor", "input", speed=10.0)
    m.force("load", guide, load)
    run = pl.kinematics(m, times=[0.0, 1e-3, 2e-3])
    speed = run["guide.speed"].values
    np.testing.assert_allclose(run["mesh.mesh_velocity"], 10.0 * R_A, rtol=1e-9)
    for name in ("power", "power_b"):
        np.testing.assert_allclose(run[f"mesh.{name}"], -load * speed, rtol=1e-6)
    np.testing.assert_allclose(run["mesh.power"], run["motor.power"], rtol=1e-6)
    np.testing.assert_allclose(run["mesh.tangential_force"], 30.0, rtol=1e-9)
    np.testing.assert_allclose(run["mesh.radial_force"], 30.0 * math.tan(ALPHA), rtol=1e-6)
    np.testing.assert_allclose(run["mesh.transmission_error"], run["mesh.deflection"], atol=1e-12)


def test_power_in_a_planetary_train_is_that_against_the_carrier() -> None:
    """Sun torque times speed of the sun against the carrier: less than the power of the sun, whose rest goes as coupling power."""
    m = pl.Model("planetary")
    ring = pl.Gear(teeth=96, internal=True, addendum_factor=0.8, rim_diameter="0.24 m", **COMMON)
    sun, planet = (pl.Gear(teeth=z, **COMMON) for z in (24, 36))
    teeth = pl.Elastic(STIFF, backlash=PLAY)
    train = pl.planetary(m, "t", sun=sun, planet=planet, ring=ring, fixed="ring", mesh_sun=teeth, mesh_ring=teeth)
    m.drive("motor", train.bearings["sun"], speed=100.0)
    m.torque("load", train.bearings["carrier"], -50.0)
    run = pl.kinematics(m, times=[0.0, 1e-3], start=pl.statics(m))
    for mesh in train.sun_meshes:
        np.testing.assert_allclose(run[f"{mesh.name}.power"], (100.0 - 20.0) * 10.0 / 3, rtol=1e-3)
        np.testing.assert_allclose(run[f"{mesh.name}.mesh_velocity"], (100.0 - 20.0) * 0.024, rtol=1e-6)
    for mesh in (*train.sun_meshes, *train.ring_meshes):
        given, taken = (run[f"{mesh.name}.{x}"].values for x in ("power", "power_b"))
        np.testing.assert_allclose(taken, given, rtol=1e-6)
        assert np.all(run[f"{mesh.name}.radial_force"].values > 0.0)
        assert np.all(run[f"{mesh.name}.normal_force"].values > 0.0)
        assert np.all(run[f"{mesh.name}.transmission_error"].values > 0.0)
