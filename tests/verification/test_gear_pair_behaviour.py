"""What gear pairs do in models: drive either way, ride on carriers, run out, tilt, play, rub; each against a closed form.

Kinematics is solved to the last digits (1e-9); dynamics is of order 2 in the step.
"""

import math
from typing import Any

import numpy as np
import pytest
from references.base_helix import base_helix_cosine
from references.observed_order import largest

import pitchline as pl
from pitchline.gears import cone_angles

ALPHA = math.radians(20)
EXACT = 1e-9
ANY_MASS: dict[str, Any] = {"mass": 1.0, "inertia": (0.01, 0.01, 0.01)}


def gear(teeth: int, **options: Any) -> pl.Gear:
    return pl.Gear(teeth=teeth, normal_module="4 mm", face_width="20 mm", **options)


def against_ground(mesh: pl.Elastic | pl.Rigid, *, angle: Any = None, speed: Any = None, teeth: int = 20) -> pl.Model:
    """Wheel A turned by a motor against a wheel that stands still: u = c ψ, c = m_n z/2."""
    m = pl.Model("against ground")
    a = m.gear_body("a", gear(teeth), position=(0, 0, 0), axis="z", **ANY_MASS)
    b = m.wheel("b", m.ground, gear(30), mesh_with=a, towards=(1, 0, 0))
    hinge = m.revolute("hinge", m.ground, a)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", hinge, angle=angle, speed=speed)
    return m


# --- who drives, and which way ----------------------------------------------------------------------------------------

DELTA = cone_angles(20, 30, math.pi / 2)
DRIVEN = {
    "spur": (gear(20), gear(30)),
    "helical": (gear(20, helix_angle=0.3), gear(30, helix_angle=-0.3)),
    "internal": (gear(20), gear(60, internal=True, rim_diameter="280 mm")),
    "bevel": (gear(20, cone_angle=DELTA[0]), gear(30, cone_angle=DELTA[1])),
}


@pytest.mark.parametrize("direction", (1.0, -1.0))
@pytest.mark.parametrize("driver", ("a", "b"))
@pytest.mark.parametrize("kind", DRIVEN)
@pytest.mark.parametrize("mesh", (pl.Rigid(backlash=2e-5), pl.Elastic(5e8, backlash=2e-5)), ids=("rigid", "elastic"))
def test_either_wheel_drives_either_way(kind: str, driver: str, direction: float, mesh: Any) -> None:
    """F_n = T/(r cos β cos α). The teeth touch on the drive flank where A drives forwards or B drives backwards, seen from A,
    on the coast flank otherwise; the driver is half a backlash ahead. Torques are in the ratio of the teeth."""
    gear_a, gear_b = DRIVEN[kind]
    m = pl.Model("driven")
    a = m.gear_body("a", gear_a, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear_b, mesh_with=a, towards=(1, 0, 0))
    pair = m.gear_pair("mesh", a, b, mesh=mesh).pair
    m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
    speeds = {"a": direction * 10.0, "b": direction * 10.0 * pair.speed_ratio}
    loaded = "b" if driver == "a" else "a"
    m.drive("motor", f"hinge {driver}", speed=speeds[driver])
    m.torque("load", f"hinge {loaded}", -math.copysign(50.0, speeds[loaded]))
    result = pl.kinematics(m, times=[0.0, 0.1, 0.2])
    p = pair.pitch
    arms = {"a": p.normal_module * p.teeth_a / 2, "b": p.normal_module * p.teeth_b / 2}
    force = 50.0 / (arms[loaded] * math.cos(p.pressure_angle))
    flank = direction * p.axis_sign_a * (1.0 if driver == "a" else -1.0)
    np.testing.assert_allclose(result["mesh.normal_force"], force, rtol=EXACT)
    np.testing.assert_allclose(result["mesh.signed_force"], flank * force, rtol=EXACT)
    np.testing.assert_allclose(result["mesh.contact"], flank)
    given = 0.0 if isinstance(mesh, pl.Rigid) else force * base_helix_cosine(gear_a) / 5e8
    np.testing.assert_allclose(result["mesh.transmission_error"], given, rtol=1e-6, atol=1e-11)
    np.testing.assert_allclose(result["mesh.approach"], flank * (1e-5 + given), rtol=1e-6)
    power = 50.0 * abs(speeds[loaded]) * (1.0 if driver == "a" else -1.0)
    for name in ("power", "power_b"):
        np.testing.assert_allclose(result[f"mesh.{name}"], power, rtol=1e-6)
    np.testing.assert_allclose(result[f"hinge {loaded}.angular_speed"], speeds[loaded], rtol=EXACT)
    ratio = 50.0 * arms[driver] / arms[loaded]
    np.testing.assert_allclose(result["motor.torque"], math.copysign(ratio, speeds[driver]), rtol=EXACT)
    # the flanks push the wheels apart
    apart = result["mesh.force_b"].values @ np.array([1.0, 0, 0])
    assert np.all(apart > 0) or kind == "bevel"


def test_lost_motion() -> None:
    """Wheel A swings by ±5 mrad with a backlash of 50 um, wheel B follows on the flank that its load chooses: with the load
    turned round it stands b/(c cos α) back."""
    angles = []
    for load in (1.0, -1.0):
        m = pl.Model("lost motion")
        a = m.gear_body("a", gear(20), position=(0, 0, 0), axis="z")
        b = m.gear_body("b", gear(30), mesh_with=a, towards=(1, 0, 0))
        hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=5e-5))
        m.drive("motor", hinge_a, angle=pl.Harmonic(5e-3, 1.0))
        m.torque("load", hinge_b, load)
        result = pl.kinematics(m, duration=1.0, step=0.05)
        angles.append(result["hinge b.angle"].values)
        assert set(result["mesh.contact"].values) == {load}
    np.testing.assert_allclose(angles[0] - angles[1], 5e-5 / (0.06 * math.cos(ALPHA)), rtol=1e-8)
    np.testing.assert_allclose(np.diff(angles[0]), -np.diff(result["hinge a.angle"].values) * 2 / 3, atol=1e-12)


# --- carriers ---------------------------------------------------------------------------------------------------------


def planetary(planets: int, mesh: Any, *, torque: float = 20.0, load: float = 0.0, first: Any = None) -> pl.Model:
    """Sun 24, planets 36, ring 96 held; a torque on the sun, another on the carrier. first: mesh of the sun with planet 0."""
    m = pl.Model("planetary")
    common: dict[str, Any] = {"normal_module": "2 mm", "face_width": "20 mm"}
    sun = m.gear_body("sun", pl.Gear(teeth=24, **common), position=(0, 0, 0), axis="z")
    ring = m.wheel("ring", m.ground, pl.Gear(teeth=96, internal=True, **common), at=(0, 0, 0), axis="z")
    carrier = m.body("carrier", mass=3.0, inertia=(0.02, 0.02, 0.03))
    sun_bearing = m.revolute("sun bearing", m.ground, sun)
    carrier_bearing = m.revolute("carrier bearing", m.ground, carrier, axis="z")
    for i in range(planets):
        angle = 2 * math.pi * i / planets
        towards = (math.cos(angle), math.sin(angle), 0)
        planet = m.gear_body(f"planet {i}", pl.Gear(teeth=36, **common), mesh_with=sun, towards=towards)
        m.revolute(f"pin {i}", carrier, planet, axis="z")
        m.gear_pair(f"sun {i}", sun, planet, mesh=first if first is not None and i == 0 else mesh)
        m.gear_pair(f"ring {i}", planet, ring, mesh=mesh)
    m.torque("drive", sun_bearing, torque)
    m.torque("load", carrier_bearing, load)
    return m


@pytest.mark.parametrize("options", ({}, {"reduce": False}), ids=str)
@pytest.mark.parametrize("planets", (1, 3))
def test_planetary_train_runs_up(planets: int, options: dict[str, Any]) -> None:
    """Rigid teeth and constant torques T_s on the sun, T_c on the carrier: Willis at every speed, at the acceleration

        ω_s' = (T_s + T_c/i) / (J_s + (J_c + N m_p a²)/i² + N J_p/9),   i = 1 + z_r/z_s = 5,   ω_p = -ω_s/3.

    Nothing is special about a mesh whose frame turns. Two of three planets are redundant; all bear alike. In a step of 0.1 ms
    the planets turn by up to 0.03 rad, (h ω)²/12 = 1e-4.
    """
    model = planetary(planets, pl.Rigid(backlash=0), load=-40.0)
    result = pl.dynamics(model, duration=0.1, step=1e-4, output_step=5e-3, **options)
    J = {name: float(model.bodies[name].inertia[2, 2]) for name in ("sun", "carrier", "planet 0")}
    arm = J["carrier"] + planets * model.bodies["planet 0"].mass * 0.06**2
    acceleration = (20.0 - 40.0 / 5) / (J["sun"] + arm / 25 + planets * J["planet 0"] / 9)
    t, atol = result.time, 1e-4 * acceleration * 0.1
    np.testing.assert_allclose(result["sun bearing.angular_speed"], acceleration * t, atol=atol)
    np.testing.assert_allclose(result["carrier bearing.angular_speed"], acceleration * t / 5, atol=atol)
    np.testing.assert_allclose(result["sun bearing.angle"], acceleration * t**2 / 2, atol=atol)
    assert result["carrier bearing.angle"].final > 2 * math.pi
    # torque of the sun's teeth: what is left of 20 N m beyond its own inertia, shared by the planets
    force = (20.0 - J["sun"] * acceleration) / (planets * 0.024 * math.cos(ALPHA))
    for i in range(planets):
        spin = result[f"planet {i}.angular_velocity"].values[:, 2]
        np.testing.assert_allclose(spin, -acceleration * t / 3, atol=atol)
        np.testing.assert_allclose(result[f"sun {i}.approach"], 0.0, atol=1e-10)
        np.testing.assert_allclose(result[f"sun {i}.normal_force"].values[1:], force, rtol=2e-3)


@pytest.mark.parametrize("backlash", (0.0, 1e-5, 1.2e-4))
def test_planets_share_the_load_by_their_stiffness(backlash: float) -> None:
    """Sun held, 50 N m on the carrier. Sun and ring push a planet with the same force, F_i = K_i δ with K_i = 1/(1/k_s + 1/k_r)
    and the way δ that the carrier gives to all of them; Σ F_i = T_c/(i c_s cos α). One sun mesh is half as stiff: K = 1/3 against
    1/2. Planets that turn by 1e-4 rad shift the forces by as much."""
    k = 4e8
    soft = pl.Elastic(k / 2, backlash=backlash)
    m = planetary(3, pl.Elastic(k, backlash=backlash), torque=0.0, load=-50.0, first=soft)
    m.drive("brake", "sun bearing", angle=0.0)
    result = pl.statics(m)
    total = 10.0 / (0.024 * math.cos(ALPHA))
    for i, share in enumerate((1 / 4, 3 / 8, 3 / 8)):
        for mesh in ("sun", "ring"):
            assert abs(result[f"{mesh} {i}.normal_force"].final) == pytest.approx(share * total, rel=1e-3)
    assert result["brake.torque"].final == pytest.approx(10.0, rel=1e-6)
    # the sun is pushed aside by the difference: its bearing carries what its teeth do not balance
    on_sun = np.sum([result[f"sun {i}.force_a"].final for i in range(3)], axis=0)
    np.testing.assert_allclose(result["sun bearing.force"].final, -on_sun, atol=1e-6 * total)


# --- rigid teeth ------------------------------------------------------------------------------------------------------


def swinging(mesh: Any) -> pl.Model:
    """A wheel on a coil spring swings another one along, against a steady torque that keeps the teeth on one flank."""
    m = pl.Model("swinging")
    a = m.gear_body("a", gear(20), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 20))
    b = m.gear_body("b", gear(30), mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, -20 * 2 / 3))
    hinge_a, hinge_b = m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.torsion_spring("coil", hinge_a, stiffness=400.0)
    m.torque("load", hinge_b, 200.0)
    return m


def test_rigid_teeth_are_the_limit_of_stiff_ones() -> None:
    """One oscillator: I = I_A + (2/3)² I_B, spring 400 N m/rad, load 200·2/3 N m. Elastic teeth, starting as they are deflected
    in equilibrium, ride on it with errors of the order of their deflection, F/(k c) = 2e-5 rad at k = 4e9 N/m; the penalty is such
    a spring."""
    model = swinging(pl.Rigid(backlash=0))
    J = [float(model.bodies[name].inertia[2, 2]) for name in "ab"]
    inertia, load = J[0] + J[1] * 4 / 9, -200 * 2 / 3
    w = math.sqrt(400 / inertia)
    options: dict[str, Any] = {"duration": 2 * 2 * math.pi / w, "output_step": 2 * math.pi / w / 50}
    rigid = pl.dynamics(model, step=2 * math.pi / w / 2000, **options)
    t = rigid.time
    exact = load / 400 * (1 - np.cos(w * t)) + 20 / w * np.sin(w * t)
    # (2π/2000)²/12 over two periods: 1e-5
    assert largest(rigid["hinge a.angle"].values, exact) < 2e-5 * np.max(np.abs(exact))
    force = -(200.0 - J[1] * -2 / 3 * (load - 400 * exact) / inertia) / (0.06 * math.cos(ALPHA))
    assert largest(rigid["mesh.signed_force"].values, -force) < 1e-4 * np.max(np.abs(force))
    for mesh in (
        pl.Elastic(4e9, backlash=0, damping_ratio=0.1),
        pl.Rigid(backlash=0, method="penalty", penalty=4e9),
        pl.Rigid(backlash=0, method="penalty"),
    ):
        near = pl.dynamics(swinging(mesh), step=2 * math.pi / w / 20000, **options)
        given = np.max(np.abs(near["mesh.approach"].values)) / 0.04
        assert 0 < given < 1e-4
        assert largest(near["hinge a.angle"].values, exact) < 2 * given


class TestImpact:
    """Wheel A hits wheel B, equal and at rest, across the backlash: rigid teeth without rebound. Both then go on with half the
    speed, energy is halved, the momentum I (ω_A - ω_B) stays."""

    @staticmethod
    def model(backlash: float = 1e-4) -> pl.Model:
        m = pl.Model("impact")
        a = m.gear_body("a", gear(20), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 1.0))
        b = m.gear_body("b", gear(20), mesh_with=a, towards=(1, 0, 0))
        m.revolute("hinge a", m.ground, a), m.revolute("hinge b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=backlash))
        return m

    @pytest.mark.parametrize(
        "options",
        ({}, {"step": 1e-4}, {"step": 1e-4, "stabilised": True}, {"step": 1e-5}, {"step": 1e-4, "reduce": False}),
        ids=str,
    )
    def test_impact(self, options: dict[str, Any]) -> None:
        """Afterwards the teeth stay together, but for the chatter that the tolerance allows; the audit has what is lost."""
        result = pl.dynamics(self.model(), duration=0.02, **options)
        energy = result["energy.kinetic"].values
        assert np.all(energy <= energy[0] * (1 + 1e-6))
        assert energy[-1] == pytest.approx(0.5 * energy[0], rel=1e-6)
        assert result["energy.dissipated"].final == pytest.approx(0.5 * energy[0], rel=1e-6)
        assert result.statistics["impacts"] >= 1
        play = 0.5e-4 / math.cos(ALPHA)
        assert np.max(np.abs(result["mesh.approach"].values)) <= play * (1 + 1e-6)
        speeds = [result[f"hinge {w}.angular_speed"].values for w in "ab"]
        np.testing.assert_allclose(speeds[0] - speeds[1], 1.0, rtol=1e-6)
        met = result.time > 1.1 * play / 0.04
        np.testing.assert_allclose(speeds[0][met], 0.5, atol=1e-6)
        # until then: free flight
        free = result.time < 0.99 * play / 0.04
        np.testing.assert_allclose(speeds[1][free], 0.0, atol=1e-9)
        np.testing.assert_allclose(result["mesh.normal_force"].values[free], 0.0, atol=1e-9)


# --- errors and runout ------------------------------------------------------------------------------------------------


def driven_pair(mesh: Any, *, eccentricity: float = 0.0, gear_b: pl.Gear | None = None) -> pl.Model:
    """Wheel A, hinged beside its axis, turned through 2 revolutions in 1 s; wheel B follows."""
    m = pl.Model("driven")
    a = m.gear_body("a", gear(20), position=(eccentricity, 0, 0), axis="z")
    b = m.gear_body("b", gear_b or gear(30), mesh_with=a, towards=(1, 0, 0))
    hinge = m.revolute("hinge a", m.ground, a, at=(0, 0, 0), axis="z")
    m.revolute("hinge b", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=mesh)
    m.drive("motor", hinge, angle=pl.Ramp(0, 4 * math.pi, 0, 1.0))
    return m


def test_runout() -> None:
    """The centre of A circles the hinge at e, c = e (cos θ, sin θ), the line to the centre of B turns by φ(θ), and the wheels roll
    on each other as seen from that line: z_A (θ - φ) + z_B (θ_B - φ) = 0. Exact also where teeth are rigid and e is large."""
    e, d = 1e-3, 0.1
    result = pl.kinematics(driven_pair(pl.Rigid(backlash=0), eccentricity=e), duration=1.0, step=0.02)
    theta = result["hinge a.angle"].values
    phi = np.arctan2(-e * np.sin(theta), d + e - e * np.cos(theta))
    expected = -(theta - phi) * 20 / 30 + phi
    np.testing.assert_allclose(result["hinge b.angle"], expected, atol=1e-10)
    assert np.max(np.abs(expected + theta * 2 / 3)) > 1e-2  # it does run out
    # the pitch circles part and overlap by what the centre distance changes
    distance = np.hypot(d + e - e * np.cos(theta), e * np.sin(theta))
    np.testing.assert_allclose(result["mesh.misalignment"], np.abs(distance - d), atol=1e-10)


def test_runout_of_a_wheel_whose_body_turns_about_its_own_centre() -> None:
    """The wheel sits beside the axis of its shaft: the same as a hinge beside the axis of the wheel."""
    e = 1e-3
    m = pl.Model("shaft")
    shaft = m.body("shaft", **ANY_MASS)
    a = m.wheel("wheel a", shaft, gear(20), at=(e, 0, 0), axis="z")
    b = m.gear_body("b", gear(30), mesh_with=a, towards=(1, 0, 0))
    hinge = m.revolute("hinge a", m.ground, shaft, at=(0, 0, 0), axis="z")
    m.revolute("hinge b", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0))
    m.drive("motor", hinge, angle=pl.Ramp(0, 4 * math.pi, 0, 1.0))
    on_shaft = pl.kinematics(m, duration=1.0, step=0.02)
    hinged = pl.kinematics(driven_pair(pl.Rigid(backlash=0), eccentricity=e), duration=1.0, step=0.02)
    np.testing.assert_allclose(on_shaft["hinge b.angle"], hinged["hinge b.angle"], atol=1e-11)


@pytest.mark.parametrize("over, teeth", (("mesh cycle", 20.0), ("revolution of a", 1.0)))
@pytest.mark.parametrize("mesh", ("rigid", "elastic"))
def test_transmission_error(mesh: str, over: str, teeth: float) -> None:
    """Without load u + x = 0: θ_B = -(c_A θ_A + x/cos α)/c_B, x on the base circle, a function of z_A ψ_A or of ψ_A."""
    x = pl.Varying(pl.Fourier("360 deg", cos=[2e-5], sin=[1e-5], over="angle"), over)
    law = pl.Rigid(backlash=0, error=x) if mesh == "rigid" else pl.Elastic(1e8, backlash=0, error=x)
    result = pl.kinematics(driven_pair(law), duration=1.0, step=0.013)
    angle = result["mesh.psi_a"].values * teeth
    u = -(2e-5 * np.cos(angle) + 1e-5 * np.sin(angle))
    np.testing.assert_allclose(result["mesh.transmission_error"], u, atol=1e-12)
    turned = result["hinge a.angle"].values * 0.04 + result["hinge b.angle"].values * 0.06
    np.testing.assert_allclose(turned, u / math.cos(ALPHA), atol=1e-12)
    cycles = result["mesh.phase"].values - 10 * result["mesh.psi_a"].values / math.pi
    np.testing.assert_allclose(cycles, np.round(cycles), atol=1e-9)


def test_error_over_a_revolution_of_b() -> None:
    """An internal wheel turns with its pinion; its own error comes back after its own turn."""
    x = pl.Varying(pl.Fourier("360 deg", cos=[2e-5], over="angle"), "revolution of b")
    ring = gear(60, internal=True, rim_diameter="280 mm")
    result = pl.kinematics(driven_pair(pl.Rigid(backlash=0, error=x), gear_b=ring), duration=1.0, step=0.01)
    angle = result["mesh.psi_b"].values
    assert abs(np.ptp(angle) - 4 * math.pi / 3) < 1e-3
    np.testing.assert_allclose(result["mesh.transmission_error"], -2e-5 * np.cos(angle), atol=1e-12)
    assert result["hinge b.angle"].final == pytest.approx(4 * math.pi / 3, abs=1e-3)
