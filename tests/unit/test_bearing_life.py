"""Ratings, equivalent loads and lives of rolling bearings against the standards, closed forms and published
examples.
"""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from pitchline.errors import ModelError
from pitchline.parts.bearings.design import ball_static_rating, roller_dynamic_rating
from pitchline.parts.bearings.law import contact_modulus, point_contact
from pitchline.parts.bearings.life import (
    LoadBin,
    ball_reference_life,
    basic_life,
    dynamic_factors,
    dynamic_load,
    dynamic_loads,
    edge_stress,
    equivalent_spectrum_load,
    fatigue_load_limit,
    hours,
    life_factor,
    mean_speed,
    reference_viscosity,
    reliability_factor,
    roller_reference_life,
    spectrum_life,
    static_load,
)

DEG = math.pi / 180.0
RPM = math.pi / 30.0


@pytest.mark.parametrize(
    "gamma, f0", [(0.01, 14.9), (0.05, 15.7), (0.09, 16.5), (0.10, 16.4), (0.15, 15.2), (0.20, 14.0), (0.30, 11.6)]
)
def test_static_factor_of_balls_is_that_of_iso_76(gamma: float, f0: float) -> None:
    """f_0 = C_0 / (i Z D_w² cos α) from Hertz at 4200 MPa is the table of ISO 76; its maximum is where the deciding
    ring changes.
    """
    ball = 0.01
    assert ball_static_rating(7, ball, ball / gamma) / (7 * 10.0**2) == pytest.approx(f0, abs=0.06)


@pytest.mark.parametrize("gamma, f_c", [(0.01, 52.1), (0.05, 74.1), (0.10, 84.2), (0.20, 88.7), (0.30, 83.8)])
def test_dynamic_factor_of_rollers_is_that_of_iso_281(gamma: float, f_c: float) -> None:
    one = roller_dynamic_rating(1, 1e-3, 1e-3, 1e-3 / gamma, design=1.0)
    assert one == pytest.approx(f_c, abs=0.1)


@pytest.mark.parametrize("nominal, widening", [(5.0, 1.05), (10.0, 1.25), (15.0, 1.25)])
@pytest.mark.parametrize("relative", [0.172, 0.689, 1.38, 3.45])
def test_factors_of_balls_follow_from_the_contact_angle_under_load(
    nominal: float, widening: float, relative: float
) -> None:
    """ISO/TR 1281-1: e = ξ tan α', Y = 0.4 cot α' / η, X = 1 - 0.4 ξ/η with α' of the ring displaced by the axial
    load.
    """

    def excess(angle: float) -> float:
        return math.cos(nominal * DEG) / math.cos(angle) - 1.0 - 0.012534 * (relative / math.sin(angle)) ** (2.0 / 3.0)

    loaded = brentq(excess, nominal * DEG + 1e-6, 1.2)
    eta = 1.0 - math.sin(nominal * DEG) / 2.5
    angle = 0.0 if nominal == 5.0 else nominal * DEG
    found = dynamic_factors(1.0, 10.0, rolling="ball", contact_angle=angle, relative_axial_load=relative * 1e6)
    assert pytest.approx(1.0 - 0.4 * widening / eta, abs=0.006) == found.X
    assert pytest.approx(0.4 / eta / math.tan(loaded), rel=0.01) == found.Y
    assert found.e == pytest.approx(widening * math.tan(loaded), abs=0.012)


def test_equivalent_loads_by_hand() -> None:
    # 7218 B: 40°, e = 1.14, X = 0.35, Y = 0.57
    assert dynamic_load(2000.0, 6000.0, rolling="ball", contact_angle=40.0 * DEG) == pytest.approx(
        0.35 * 2000.0 + 0.57 * 6000.0
    )
    assert dynamic_load(2000.0, 2200.0, rolling="ball", contact_angle=40.0 * DEG) == 2000.0  # F_a / F_r < e
    alpha = math.atan(0.37 / 1.5)  # a tapered roller bearing with e = 0.37, Y = 1.62 in catalogues
    assert dynamic_factors(1.0, 1.0, rolling="roller", contact_angle=alpha)[1] == pytest.approx(1.62, abs=0.005)
    # a spherical roller bearing with e = 0.24 has Y1 = 2.8 and Y2 = 4.2, Y0 = 2.8
    alpha = math.atan(0.24 / 1.5)
    assert dynamic_load(10e3, 1e3, rolling="roller", contact_angle=alpha, rows=2) == pytest.approx(
        10e3 + 2.8e3, rel=3e-3
    )
    assert dynamic_load(1e3, 1e3, rolling="roller", contact_angle=alpha, rows=2) == pytest.approx(
        670.0 + 4.2e3, rel=3e-3
    )
    assert static_load(1e3, 1e3, rolling="roller", contact_angle=alpha, rows=2) == pytest.approx(3.75e3, rel=0.02)
    assert static_load(1e3, 0.2e3, rolling="ball") == 1e3  # 0.6 F_r + 0.5 F_a is less than F_r
    assert static_load(-1e3, 2e3, rolling="ball") == pytest.approx(1.6e3)
    with pytest.raises(ModelError, match="carries no axial load, got 50 N"):
        dynamic_load(1e3, 50.0, rolling="roller")


@pytest.mark.parametrize(
    "rolling, angle, rows",
    [
        ("ball", 0.0, 1),
        ("ball", 12.0, 1),
        ("ball", 40.0, 1),
        ("ball", 30.0, 2),
        ("roller", 14.0, 1),
        ("roller", 10.0, 2),
    ],
)
def test_many_loads_at_once(rolling: str, angle: float, rows: int) -> None:
    rng = np.random.default_rng(3)
    radial, axial = rng.uniform(0.0, 5e3, 200), rng.uniform(0.0, 5e3, 200)
    axial[:20] = 0.0
    relative = axial / 567e-6
    same = {"rolling": rolling, "contact_angle": angle * DEG, "rows": rows}
    one = [dynamic_load(r, a, **same, relative_axial_load=q) for r, a, q in zip(radial, axial, relative, strict=True)]
    np.testing.assert_allclose(dynamic_loads(radial, axial, **same, relative_axial_load=relative), one, rtol=1e-12)


def test_equivalent_loads_without_any_load_are_zero_and_silent() -> None:
    with np.errstate(all="raise"):
        assert dynamic_loads(np.zeros(2), np.zeros(2), rolling="roller", contact_angle=0.2) == pytest.approx([0.0, 0.0])


def test_life_of_the_example_of_the_skf_catalogue() -> None:
    """General catalogue: 6309, C = 52.7 kN, P = 10 kN, 3000 rpm: 146 million revolutions, 811 hours."""
    life = basic_life(52.7e3, 10e3, rolling="ball")
    assert life == pytest.approx(146.0, abs=0.5)
    assert hours(life, 3000.0 * RPM) == pytest.approx(811.0, abs=3.0)
    assert basic_life(52.7e3, 0.0, rolling="ball") == math.inf
    assert hours(10.0, 0.0) == math.inf


def test_constants_of_the_reference_life_are_load_integrals() -> None:
    """J_r / J_1 and J_r / J_2 of Stribeck's load distribution at half a loaded raceway: 0.407, 0.389 and 0.378,
    0.364.
    """

    cases = ((1.5, 3.0, 10.0 / 3.0, 0.407, 0.389, 2e-3), (10.0 / 9.0, 4.0, 4.5, 0.378, 0.364, 6e-3))

    def mean(power: float) -> float:
        return quad(lambda psi: math.cos(psi) ** power, -math.pi / 2, math.pi / 2)[0] / (2.0 * math.pi)

    for load, turning, standing, inner, outer, tolerance in cases:
        radial = mean(load + 1.0)
        assert radial / mean(load * turning) ** (1.0 / turning) == pytest.approx(inner, rel=tolerance)
        assert radial / mean(load * standing) ** (1.0 / standing) == pytest.approx(outer, rel=tolerance)


@pytest.mark.parametrize("angle", [0.0, 25.0 * DEG, 40.0 * DEG])
def test_half_loaded_balls_live_as_iso_281_says(angle: float) -> None:
    """Half of the raceway loaded is the state in which P = F_r: L10r must be (C/F_r)³ at every contact angle."""
    psi = 2.0 * math.pi * np.arange(4000) / 4000
    loads = 100.0 * np.maximum(np.cos(psi), 0.0) ** 1.5
    radial = float(np.sum(loads * np.cos(psi)) * math.cos(angle))
    ball = 0.022
    sizes = {
        "ball": ball,
        "pitch": 0.125,
        "inner_groove": 0.52 * ball,
        "outer_groove": 0.53 * ball,
        "contact_angle": angle,
    }
    rating = 5.0 * radial
    assert ball_reference_life(loads, rating, **sizes) == pytest.approx(5.0**3, rel=0.004)
    # two rows of which each carries half of it live as long: i^0.7 is what makes it so
    assert ball_reference_life([loads, loads], 2.0 * rating, **sizes) == pytest.approx(5.0**3, rel=0.004)


def test_half_loaded_rollers_and_the_concentration_at_their_ends() -> None:
    psi = 2.0 * math.pi * np.arange(4000) / 4000
    loads = np.maximum(np.cos(psi), 0.0)[:, None] ** (10.0 / 9.0) * np.ones(41)
    radial = float(np.sum(loads * np.cos(psi)[:, None]))
    life = roller_reference_life(loads, 5.0 * radial, roller=0.012, pitch=0.065)
    # Slices of equal load: (C/F_r)⁴ / 0.83⁴, less what the ends cost; 0.378 is 0.4 % above its integral, in the life
    # four times that.
    ends = np.mean(edge_stress(41) ** 4.5) ** (-8.0 / 9.0)
    assert life == pytest.approx((5.0 / 0.83) ** 4 * ends, rel=0.02)
    assert roller_reference_life([loads, loads], 10.0 * radial, roller=0.012, pitch=0.065) == pytest.approx(
        life, rel=1e-12
    )
    assert edge_stress(41)[20] == 1.0 and edge_stress(41)[0] == pytest.approx(1.0 - 0.01 / math.log(0.9925))
    tilted = loads * np.linspace(0.0, 2.0, 41)
    assert roller_reference_life(tilted, 5.0 * radial, roller=0.012, pitch=0.065) < 0.3 * life


# Seven balls of 11.5 mm on 43.5 mm, 0.52 / 0.53, without clearance, C = 23.4 kN: lives computed with MASTA, as
# published with the program https://github.com/minzhun/ISO16281.
SEVEN = {"ball": 0.0115, "pitch": 0.0435, "inner_groove": 0.52 * 0.0115, "outer_groove": 0.53 * 0.0115}


def test_reference_life_of_a_published_case_under_radial_load() -> None:
    angles = 2.0 * math.pi * np.arange(7) / 7
    # one ball under the load of 1 kN: Q is proportional to δ^1.5, δ = δ_r cos ψ
    shape = np.maximum(np.cos(angles), 0.0) ** 1.5
    loads = 1000.0 * shape / np.sum(shape * np.cos(angles))
    assert ball_reference_life(loads, 23.4e3, **SEVEN) == pytest.approx(13163.019, rel=1e-3)


def test_reference_life_of_a_published_case_under_axial_load() -> None:
    distance = (1.05 - 1.0) * 0.0115  # of the groove centres
    moved = 133.5381e-6  # published axial displacement
    angle = math.atan2(moved, distance)
    loads = np.full(7, 1000.0 / (7 * math.sin(angle)))
    assert ball_reference_life(loads, 23.4e3, **SEVEN) == pytest.approx(2222.7318, rel=1e-3)


def test_outer_ring_turning_and_no_load() -> None:
    loads = np.array([0.0, 0.0, 100.0, 200.0, 100.0, 0.0, 0.0])
    inner = ball_reference_life(loads, 23.4e3, **SEVEN)
    assert ball_reference_life(loads, 23.4e3, **SEVEN, turning_against_load="outer") < inner
    assert ball_reference_life(np.zeros(7), 23.4e3, **SEVEN) == math.inf
    assert roller_reference_life(np.zeros((12, 31)), 23.4e3, roller=0.01, pitch=0.05) == math.inf
    with pytest.raises(ModelError, match="must be finite and not negative"):
        ball_reference_life(-loads, 23.4e3, **SEVEN)
    with pytest.raises(ModelError, match="have shape"):
        roller_reference_life(loads, 23.4e3, roller=0.01, pitch=0.05)


def test_load_spectrum() -> None:
    """Miner's sum by revolutions, and the equivalent load of the same life: the textbook rule P = (Σ u_i
    P_i^p)^(1/p).
    """
    rating = 52.7e3
    loads, shares, speeds = (10e3, 5e3, 2e3), (0.1, 0.3, 0.6), (100.0, -200.0, 50.0)
    bins = [
        LoadBin(u, n, basic_life(rating, p, rolling="ball"), p) for u, n, p in zip(shares, speeds, loads, strict=True)
    ]
    turns = np.array([10.0, 60.0, 30.0])
    expected = (np.sum(turns / turns.sum() * np.array(loads) ** 3)) ** (1.0 / 3.0)
    assert equivalent_spectrum_load(bins, rolling="ball") == pytest.approx(expected)
    assert spectrum_life(bins) == pytest.approx(basic_life(rating, expected, rolling="ball"))
    assert mean_speed(bins) == pytest.approx(100.0)
    one = LoadBin(1.0, 100.0, 42.0, 3.0)
    assert spectrum_life([one]) == pytest.approx(42.0)
    assert spectrum_life([one, LoadBin(5.0, 0.0, 1e-9)]) == pytest.approx(42.0)  # standing costs no life
    assert spectrum_life([LoadBin(1.0, 1.0, math.inf)]) == math.inf
    for wrong in ([], [LoadBin(1.0, 0.0, 1.0)], [LoadBin(-1.0, 1.0, 1.0)]):
        with pytest.raises(ModelError, match="load spectrum"):
            spectrum_life(wrong)


def test_modified_life() -> None:
    # branches of the factor meet where the viscosity ratio passes 0.4 and 1
    for rolling in ("ball", "roller"):
        for kappa in (0.4, 1.0):
            below, above = (life_factor(kappa + d, 0.5, 0.2, rolling=rolling) for d in (-1e-9, 1e-9))
            assert below == pytest.approx(above, rel=1e-3)
        assert life_factor(10.0, 0.5, 0.2, rolling=rolling) == life_factor(4.0, 0.5, 0.2, rolling=rolling)
        assert life_factor(4.0, 1.0, 100.0, rolling=rolling) == 50.0
        assert life_factor(1.0, 0.0, 1.0, rolling=rolling) == pytest.approx(0.1)
    assert reference_viscosity(1500.0 * RPM, 0.065) == pytest.approx(1e-6 * 4500.0 / math.sqrt(1500.0 * 65.0))
    assert reference_viscosity(100.0 * RPM, 0.065) == pytest.approx(1e-6 * 45000.0 * 100.0**-0.83 / math.sqrt(65.0))
    assert fatigue_load_limit(31.5e3, 0.0725, rolling="ball") == pytest.approx(1.43e3, rel=2e-3)
    assert fatigue_load_limit(82e3, 0.2, rolling="roller") == pytest.approx(10e3 * 0.5**0.3)
    assert reliability_factor(0.99) == 0.25
    with pytest.raises(ModelError, match=r"at least 0\.1"):
        life_factor(0.05, 0.5, 0.2, rolling="ball")


def test_pressure_of_a_ball_at_its_static_rating() -> None:
    """ISO 76: the most loaded ball, 5 C_0 / Z, has 4200 MPa; here with E = 210 GPa instead of 207, p ~ E^(2/3)."""
    ball, pitch = 0.0127, 0.065
    gamma = ball / pitch
    contact = point_contact(ball, gamma / (1.0 - gamma), 0.52, contact_modulus("steel"))
    load = 5.0 * ball_static_rating(9, ball, pitch) / 9
    assert contact.pressure * load ** (1.0 / 3.0) == pytest.approx(4200e6 * (210.0 / 207.0) ** (2.0 / 3.0), rel=1e-6)
    # and that of Hertz for a sphere on a plane: p³ = 6 Q E*² / (π³ R²), E* = E'/2
    flat = point_contact(ball, 0.0, 50.0, contact_modulus("steel"))  # nearly
    expected = (6.0 * (0.5 * contact_modulus("steel")) ** 2 / (math.pi**3 * (0.5 * ball) ** 2)) ** (1.0 / 3.0)
    assert flat.pressure == pytest.approx(expected, rel=0.01)
