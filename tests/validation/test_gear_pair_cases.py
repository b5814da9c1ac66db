"""Gear pairs in simulation against published examples and textbook formulas: forces, ratios, sliding, efficiencies.

Statics and kinematics are solved by Newton to the last digits, 1e-9 of the largest force; runs at constant speed with
rigid teeth are steady from the first step on and as exact as Newton in a step, 1e-8.
"""

import math

import numpy as np
import pytest
from references.steady_pairs import ANY_MASS, EXACT, STEADY, final

import pitchline as pl
from pitchline.parts.gears.geometry.involute import involute

# --- helical pair of Project Chrono -----------------------------------------------------------------------------------


class TestChronoHelicalPair:
    """projectchrono/chrono, src/tests/unit_tests/physics/utest_CH_gears.cpp: r_A = 4, r_B = 2, β = 10°, α_n = 20°,
    wheel A held, a torque T_B = 1000 on wheel B, teeth with k = 1e6 along their normal.

        P_t = T_B/r_B,   P_r = P_t tan α_n / cos β,   P_a = P_t tan β,   P_n = P_t / (cos α_n cos β),
        tangential deformation  P_n / (k cos α_n cos β),   slip of B: that over r_B.
    """

    ALPHA, BETA, TORQUE, K = math.radians(20), math.radians(10), 1000.0, 1e6
    P_T, P_R, P_A, P_N = 500.0, 184.79253090409537, 88.1634903542325, 540.2972149746673

    def loaded(self, sense: float = 1.0, mesh: pl.Elastic | None = None) -> pl.Result:
        m = pl.Model("helical pair")
        module = 2 * 4.0 * math.cos(self.BETA) / 40
        gear = pl.Gear(teeth=40, normal_module=module, normal_pressure_angle=self.ALPHA, helix_angle=self.BETA)
        other = gear.with_(teeth=20, helix_angle=-self.BETA)
        a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", **ANY_MASS)
        b = m.gear_body("b", other, mesh_with=a, towards=(1, 0, 0), **ANY_MASS)
        m.fixed("hold", m.ground, a)
        hinge = m.revolute("hinge", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=mesh or pl.Elastic(self.K, along="normal", backlash=0.0))
        m.torque("load", hinge, sense * self.TORQUE)
        return pl.statics(m)

    @pytest.mark.parametrize("sense", (1.0, -1.0))
    def test_forces(self, sense: float) -> None:
        """Forces are positive, and radial ones push the wheels apart, on either flank; thrust changes with the flank."""
        result = self.loaded(sense)
        assert final(result, "mesh.tangential_force") == pytest.approx(self.P_T, rel=EXACT)
        assert final(result, "mesh.radial_force") == pytest.approx(self.P_R, rel=EXACT)
        assert final(result, "mesh.axial_force") == pytest.approx(sense * self.P_A, rel=EXACT)
        assert final(result, "mesh.axial_force_b") == pytest.approx(-sense * self.P_A, rel=EXACT)
        assert final(result, "mesh.normal_force") == pytest.approx(self.P_N, rel=EXACT)
        assert final(result, "mesh.contact") == sense

    def test_what_holds_the_wheels(self) -> None:
        """Joints carry the force of the teeth at the pitch radius: P_t r about the axis, P_a r about the tangent."""
        result = self.loaded()
        on_b = [self.P_R, self.P_T, -self.P_A]
        for name, force in (("hinge.force", -1), ("hold.force", 1), ("mesh.force_a", -1), ("mesh.force_b", 1)):
            np.testing.assert_allclose(final(result, name), np.multiply(force, on_b), atol=EXACT * self.P_N)
        np.testing.assert_allclose(final(result, "mesh.moment_b"), [0, -2 * self.P_A, -1000], atol=EXACT * 1e3)
        np.testing.assert_allclose(final(result, "hinge.moment"), [0, 2 * self.P_A, 0], atol=EXACT * 1e3)
        np.testing.assert_allclose(final(result, "hold.moment"), [0, 4 * self.P_A, 2000], atol=EXACT * 1e3)

    @pytest.mark.parametrize("sense", (1.0, -1.0))
    def test_deformation(self, sense: float) -> None:
        result = self.loaded(sense)
        slip = float(final(result, "hinge.angle"))
        assert math.degrees(slip) == pytest.approx(sense * 0.0167258458640863, rel=EXACT)
        assert 2.0 * slip == pytest.approx(sense * 0.0005838421610187638, rel=EXACT)
        slope = math.sqrt(1.0 - (math.sin(self.BETA) * math.cos(self.ALPHA)) ** 2)  # of the normal to the base circle
        assert final(result, "mesh.deflection") * slope == pytest.approx(self.P_N / self.K, rel=EXACT)

    def test_the_same_mesh_along_the_hoop(self) -> None:
        """k cos² α_n in the hoop direction."""
        hoop = pl.Elastic(self.K * math.cos(self.ALPHA) ** 2, along="hoop", backlash=0.0)
        slips = [final(self.loaded(mesh=mesh), "hinge.angle") for mesh in (None, hoop)]
        assert slips[1] == pytest.approx(slips[0], rel=EXACT)


# --- Willis ---------------------------------------------------------------------------------------------------------


def planets_between(sun: int, ring: int, planet: int, module: float) -> tuple[pl.Gear, pl.Gear, pl.Gear, float]:
    """Gears and centre distance, without backlash, also where 2 z_p is not z_r - z_s: profile shifts make up for it.

    cos α_w = a cos α / a_w,    Σx = Σz (inv α_w - inv α) / (2 tan α),    Σz = z_s + z_p and z_p - z_r.
    """
    alpha = math.radians(20)
    distance = module * (ring + sun) / 4

    def shifts(teeth: float) -> float:
        working = math.acos(0.5 * module * abs(teeth) * math.cos(alpha) / distance)
        return teeth * (involute(working) - involute(alpha)) / (2 * math.tan(alpha))

    both, inner = shifts(sun + planet), shifts(planet - ring)
    common = {"normal_module": module, "normal_pressure_angle": alpha, "face_width": 10 * module}
    x = 0.5 * both
    return (
        pl.Gear(teeth=sun, profile_shift=both - x, **common),
        pl.Gear(teeth=planet, profile_shift=x, **common),
        pl.Gear(teeth=ring, profile_shift=inner - x, internal=True, **common),
        distance,
    )


def train(sun: int, ring: int, planet: int, held: str, driven: str, load: float = 0.0) -> pl.Result:
    """Sun, ring and three planets on a carrier, all rigid; one of them held, one driven at 1 rad/s, the carrier loaded.

    Three planets are more than rigid teeth need: their loads are shared evenly.
    """
    gear_s, gear_p, gear_r, distance = planets_between(sun, ring, planet, 2e-3)
    m = pl.Model("planetary train")
    bodies = {
        "sun": m.gear_body("sun", gear_s, position=(0, 0, 0), axis="z"),
        "ring": m.gear_body("ring", gear_r, position=(0, 0, 0), axis="z", **ANY_MASS),
        "carrier": m.body("carrier", **ANY_MASS),
    }
    joints = {name: m.revolute(f"{name} bearing", m.ground, body, axis="z") for name, body in bodies.items()}
    m.drive("brake", joints[held], angle=0.0)
    m.drive("motor", joints[driven], speed=1.0)
    for i in range(3):
        angle = 2 * math.pi * i / 3
        towards = (math.cos(angle), math.sin(angle), 0)
        one = m.gear_body(f"planet {i}", gear_p, mesh_with="sun", towards=towards, centre_distance=distance)
        m.revolute(f"pin {i}", "carrier", one, axis="z")
        m.gear_pair(f"sun {i}", "sun", one, mesh=pl.Rigid(backlash=0.0))
        m.gear_pair(f"ring {i}", one, "ring", mesh=pl.Rigid(backlash=0.0))
    if load:
        m.torque("load", joints["carrier"], load)
    return pl.kinematics(m, duration=2.0, step=0.25)


def speed(result: pl.Result, name: str) -> float:
    return float(final(result, f"{name}.angular_velocity")[2])


WILLIS = [
    (24, 96, 36, "ring", "sun", "carrier", 0.2, -1 / 3),
    (24, 96, 36, "carrier", "sun", "ring", -0.25, -2 / 3),
    (24, 96, 36, "sun", "ring", "carrier", 0.8, 4 / 3),
    (18, 93, 37, "ring", "sun", "carrier", 0.16216216216216214, None),
    (18, 93, 37, "carrier", "sun", "ring", -0.1935483870967742, None),
    (18, 93, 37, "sun", "ring", "carrier", 0.8378378378378378, None),
    (19, 56, 18, "ring", "sun", "carrier", 0.25333333333333335, None),
    (19, 56, 18, "carrier", "sun", "ring", -0.3392857142857143, None),
    (19, 56, 18, "sun", "ring", "carrier", 0.7466666666666667, None),
]


@pytest.mark.parametrize("sun, ring, planet, held, driven, taken, ratio, spin", WILLIS)
def test_willis_speeds(
    sun: int, ring: int, planet: int, held: str, driven: str, taken: str, ratio: float, spin: float | None
) -> None:
    """ω_s - i_0 ω_r - (1 - i_0) ω_c = 0 with i_0 = -z_r/z_s;  ω_p = ω_c - (ω_s - ω_c) z_s/z_p.

    Trains whose planets cannot sit in the middle, 2 z_p ≠ z_r - z_s, have profile-shifted teeth: the ratio is the same.
    """
    result = train(sun, ring, planet, held, driven)
    assert speed(result, taken) == pytest.approx(ratio, rel=EXACT)
    assert final(result, f"{taken} bearing.angle") == pytest.approx(2.0 * ratio, rel=EXACT)
    w_s, w_c = speed(result, "sun"), speed(result, "carrier")
    for i in range(3):
        assert speed(result, f"planet {i}") == pytest.approx(w_c - (w_s - w_c) * sun / planet, rel=EXACT)
        if spin is not None:
            assert speed(result, f"planet {i}") == pytest.approx(spin, rel=EXACT)


@pytest.mark.parametrize(
    "sun, ring, planet, torque, carrier, on_ring, within",
    [(18, 93, 37, 162105.5, 999650.881, 837545.3, 1.5), (19, 56, 18, 999650.9, 3945990.316, None, 5.0)],
)
def test_willis_torques(
    sun: int, ring: int, planet: int, torque: float, carrier: float, on_ring: float | None, within: float
) -> None:
    """T_c = T_s (1 + z_r/z_s), T_r = T_s z_r/z_s; as KISSsoft prints them for the stages of a wind turbine
    (gfsReboucas/Drivetrain), in N m, and as rounded. The load is put on the carrier, the sun drives."""
    load = torque * (1 + ring / sun)
    result = train(sun, ring, planet, "ring", "sun", load=-load)
    assert load == pytest.approx(carrier, abs=within)
    assert final(result, "motor.torque") == pytest.approx(torque, rel=EXACT)
    assert final(result, "brake.torque") == pytest.approx(torque * ring / sun, rel=EXACT)
    if on_ring is not None:
        assert final(result, "brake.torque") == pytest.approx(on_ring, abs=within)
    # three planets bear alike, with the same force in both meshes: F = T_s/(3 c_s), c_s the arm of the base circle
    arm = 0.5 * 2e-3 * sun * math.cos(math.radians(20))
    for mesh in ("sun", "ring"):
        for i in range(3):
            assert final(result, f"{mesh} {i}.normal_force") == pytest.approx(torque / (3 * arm), rel=1e-8)
    # the forces on sun and carrier cancel, and each planet is in balance
    for name in ("sun bearing.force", "carrier bearing.force"):
        np.testing.assert_allclose(final(result, name), 0.0, atol=1e-8 * torque / arm)
    for i in range(3):
        on_planet = [final(result, name) for name in (f"sun {i}.force_b", f"ring {i}.force_a", f"pin {i}.force")]
        np.testing.assert_allclose(np.sum(on_planet, axis=0), 0.0, atol=1e-8 * torque / arm)


# --- worms ------------------------------------------------------------------------------------------------------------

WORMS = [
    (1, 5.7106, 20.0, 0.05, 0.6492309496711216, 0.46543522533179027),
    (2, 11.3099, 20.0, 0.04, 0.8174942484477085, 0.7805189504632519),
    (1, 4.0, 20.0, 0.08, 0.4482784903244905, -0.2161890837335118),
    (4, 24.0, 20.0, 0.03, 0.9198291427409545, 0.9152846044652095),
    (1, 3.3665, 14.5, 0.1, 0.36065185617398604, -0.7513448282744788),
]
"""Starts, lead angle [deg], α_n [deg], μ, η where the worm drives, η' where the wheel drives."""


def run_worm(case: tuple[float, ...], drives: str, direction: float) -> float:
    """Power out over power in. A motor keeps the worm at its speed, a torque on the wheel brakes it or pushes it on."""
    starts, lead, alpha, mu, _, _ = case
    common = {"normal_module": "4 mm", "normal_pressure_angle": math.radians(alpha)}
    worm = pl.Gear(starts=int(starts), lead_angle=math.radians(lead), face_width="80 mm", **common)
    wheel = pl.Gear(teeth=40, helix_angle=math.radians(lead), face_width="30 mm", **common)
    m = pl.Model("worm")
    ratio = pl.GearPair(worm, wheel).speed_ratio
    a = m.gear_body("worm", worm, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, 100.0 * direction))
    b = m.gear_body("wheel", wheel, mesh_with=a, towards=(1, 0, 0))
    worm_bearing, wheel_bearing = m.revolute("worm bearing", m.ground, a), m.revolute("wheel bearing", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(friction=mu, friction_speed="10 um/s"))
    m.drive("motor", worm_bearing, speed=100.0 * direction)
    m.torque("load", wheel_bearing, math.copysign(50.0, ratio * direction) * (-1.0 if drives == "worm" else 1.0))
    result = pl.dynamics(m, duration="20 ms", step="1 ms", newton_tolerance=1e-10)
    at_worm = float(final(result, "motor.power"))
    at_wheel = float(final(result, "load.torque")) * float(final(result, "wheel bearing.angular_speed"))
    assert at_worm + at_wheel == pytest.approx(final(result, "mesh.friction_loss"), rel=1e-7)
    return -at_wheel / at_worm if drives == "worm" else -at_worm / at_wheel


@pytest.mark.parametrize("direction", (1.0, -1.0))
@pytest.mark.parametrize("case", WORMS, ids=str)
def test_worm_efficiency(case: tuple[float, ...], direction: float) -> None:
    """η = (cos α - μ tan γ)/(cos α + μ cot γ), the wheel driving η' = (cos α - μ cot γ)/(cos α + μ tan γ).

    μ >= cos α tan γ locks the worm, η' < 0: the motor must help it on although the wheel pushes. The rounded corner of
    the friction law, v_0 = 10 um/s against a sliding speed v > 2 m/s, costs (v_0/v)²/2 = 1e-11.
    """
    assert run_worm(case, "worm", direction) == pytest.approx(case[4], rel=STEADY)
    assert run_worm(case, "wheel", direction) == pytest.approx(case[5], rel=STEADY)


# --- crossed helical wheels -------------------------------------------------------------------------------------------

CROSSED = [
    (20, 40, 30.0, 60.0, 2.0, 23.09401076758503, 79.99999999999999, 2.0),
    (12, 36, 50.0, 20.0, 3.0, 28.00302888348742, 57.465599713699255, 1.0),
    (1, 40, 87.1376, 2.8624, 4.0, 40.05004185057675, 80.09993721269626, 1.0012492151587034),
    (15, 15, 45.0, 45.0, 2.5, 26.51650429449553, 26.51650429449553, 1.414213562373095),
]
"""Teeth, helix angles [deg], normal module [mm], pitch radii [mm], sliding speed over ω_1 r_1."""


@pytest.mark.parametrize("hand", (1.0, -1.0))
@pytest.mark.parametrize("case", CROSSED, ids=str)
def test_crossed_helical_ratio_and_sliding(case: tuple[float, ...], hand: float) -> None:
    """ω_1/ω_2 = z_2/z_1 = r_2 cos β_2/(r_1 cos β_1); the teeth slide along each other at the pitch point with
    |sin Σ| / cos β_2 times the speed ω_1 r_1, Σ = β_1 + β_2. Either hand, either sense, over two turns."""
    z_1, z_2, beta_1, beta_2, module, r_1, r_2, sliding = case
    a, b = (
        pl.Gear(teeth=int(z), helix_angle=hand * math.radians(beta), normal_module=1e-3 * module)
        for z, beta in ((z_1, beta_1), (z_2, beta_2))
    )
    m = pl.Model("crossed helical")
    one = m.gear_body("a", a, position=(0, 0, 0), axis="z", **ANY_MASS)
    two = m.gear_body("b", b, mesh_with=one, towards=(0, 1, 0), shaft_angle=math.radians(beta_1 + beta_2), **ANY_MASS)
    hinge_a, _ = m.revolute("hinge a", m.ground, one), m.revolute("hinge b", m.ground, two)
    m.gear_pair("mesh", one, two, mesh=pl.Rigid())
    m.drive("motor", hinge_a, speed=pl.Harmonic(2 * math.pi, 0.25))
    result = pl.kinematics(m, duration=4.0, step=0.125)
    speed_a, speed_b = (np.array(result[f"hinge {w}.angular_speed"].values) for w in "ab")
    assert np.linalg.norm(two.position - one.position) == pytest.approx(1e-3 * (r_1 + r_2), rel=1e-12)
    np.testing.assert_allclose(np.abs(speed_b), np.abs(speed_a) * z_1 / z_2, atol=EXACT * 2 * math.pi)
    np.testing.assert_allclose(
        result["mesh.sliding_speed"], np.abs(speed_a) * 1e-3 * r_1 * sliding, atol=EXACT * sliding
    )
    np.testing.assert_allclose(
        np.abs(result["hinge b.angle"]), np.abs(result["hinge a.angle"]) * z_1 / z_2, atol=EXACT * 2 * math.pi
    )
