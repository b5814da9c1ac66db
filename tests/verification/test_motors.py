"""Motors against closed forms: step response, poles, stall, breakdown, transients, tables, gas torque."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import pitchline as pl

J, R, L, K, V = 0.01, 0.5, 2e-3, 0.08, 24.0
INERTIA = 1e-3
CIRCUIT: dict[str, Any] = {
    "stator_resistance": 0.435, "rotor_resistance": 0.816, "stator_leakage": 2.0e-3, "rotor_leakage": 2.0e-3,
    "magnetizing_inductance": 69.31e-3, "pole_pairs": 2,
}  # fmt: skip
"""A motor of 2.2 kW (3 hp)."""
PHASE, SUPPLY = 220.0 / math.sqrt(3.0), 2.0 * math.pi * 60.0


def wheel(inertia: float = J, speed: float = 0.0) -> pl.Model:
    m = pl.Model("wheel")
    body = m.body("wheel", mass=1.0, inertia=(1.0 + inertia, 1.0 + inertia, inertia), angular_velocity=(0, 0, speed))
    m.revolute("hinge", m.ground, body, axis="z")
    return m


def dc(ratio: float = 3.0, **more: Any) -> pl.Model:
    m = wheel()
    given = {
        "voltage": "24 V",
        "resistance": "0.5 ohm",
        "constant": "0.08 N*m/A",
        "inductance": "2 mH",
        "inertia": INERTIA,
    }
    m.dc_motor("motor", "hinge", ratio=ratio, **{**given, **more})
    return m


def poles(ratio: float, inductance: float = L) -> np.ndarray:
    """State matrix of (speed, current)."""
    whole, k = J + INERTIA * ratio**2, K * ratio
    return np.array([[0.0, k / whole], [-k / inductance, -R / inductance]])


# ------------------------------------------------------------------------------------------------------------------ DC motor


@pytest.mark.parametrize("ratio", [3.0, -2.0])
def test_step_response_of_a_dc_motor(ratio: float) -> None:
    end = np.array([V / (K * ratio), 0.0])
    exact = end + expm(poles(ratio) * 0.05) @ -end
    run = pl.dynamics(dc(ratio), duration=0.05, step=1e-5)
    found = [run["hinge.angular_speed"].values[-1], run["motor.current"].values[-1]]
    assert found == pytest.approx(exact, rel=1e-7)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-6 * run["energy.work"].values[-1]
    assert run["motor.armature_current"].values[-1] == found[1]


def test_energy_of_the_source_is_heat_motion_and_field() -> None:
    run = pl.dynamics(dc(), duration=0.02, step=1e-5)
    i, t = run["motor.current"].values, run.time
    supplied = np.trapezoid(run["motor.electrical_power"].values, t)
    assert supplied == pytest.approx(np.trapezoid(V * i, t), rel=1e-6)
    assert run["energy.work"].values[-1] == pytest.approx(supplied, rel=1e-6)
    assert run["energy.potential"].values[-1] == pytest.approx(0.5 * L * i[-1] ** 2, rel=1e-12)


def test_poles_of_a_dc_motor() -> None:
    assert pl.modes(dc()).decaying == pytest.approx(np.sort(np.linalg.eigvals(poles(3.0)).real), rel=1e-9)
    s = np.linalg.eigvals(poles(3.0, 0.2))
    found = pl.modes(dc(inductance="200 mH"))
    assert found.eigenvalues[-1] == pytest.approx(s[s.imag > 0][0], rel=1e-9)


def test_stall_and_no_load() -> None:
    m = dc()
    m.torsion_spring("spring", "hinge", stiffness="10 N*m/rad")
    rest = pl.statics(m)
    stall = 3.0 * K * V / R
    assert rest["motor.torque"].values[-1] == pytest.approx(stall, rel=1e-12)
    assert rest["hinge.angle"].values[-1] == pytest.approx(stall / 10.0, rel=1e-12)
    assert rest["motor.current"].values[-1] == pytest.approx(V / R, rel=1e-12)
    run = pl.dynamics(dc(), duration=5.0, step=1e-3)
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(V / (3.0 * K), rel=1e-9)


def test_a_motor_without_inductance_has_no_state() -> None:
    m = dc(inductance=0)
    whole, k = J + INERTIA * 9.0, 3.0 * K
    run = pl.dynamics(m, duration=0.05, step=5e-5)
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(
        V / k * -math.expm1(-k * k / R / whole * 0.05), rel=1e-7
    )
    assert "motor.armature_current" not in run and "motor.armature_current" not in pl.signals_of(m)
    assert "motor.armature_current" in pl.signals_of(dc())


def test_a_run_continues_with_the_current() -> None:
    m = dc()
    first = pl.dynamics(m, duration=0.01, step=1e-5)
    second = pl.dynamics(m, duration=0.01, step=1e-5, start=first)
    whole = pl.dynamics(m, duration=0.02, step=1e-5)
    assert second["motor.current"].values[-1] == pytest.approx(whole["motor.current"].values[-1], rel=1e-7)


def test_frequency_response_of_the_speed_to_a_torque() -> None:
    """(R + i w L) / ((R + i w L) i w J + k^2)."""
    m = dc(1.0)
    m.torque("load", "hinge", 1.0)
    found = pl.frequency_response(m, "load", "hinge.angular_speed", frequencies=[5.0, 50.0])
    w = 2j * math.pi * np.array([5.0, 50.0])
    exact = (R + w * L) / ((R + w * L) * w * (J + INERTIA) + K * K)
    assert found.between() == pytest.approx(exact, rel=1e-9)


def test_rotor_of_a_geared_motor_on_a_turning_carrier() -> None:
    """Free bodies: the angular momentum of carrier, wheel and rotor is kept, and the rotor counts with its absolute spin."""
    m = pl.Model("carried")
    m.body("carrier", mass=1.0, inertia=(0.2, 0.2, 0.3))
    m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.05))
    m.revolute("column", m.ground, "carrier", axis="z")
    m.revolute("hinge", "carrier", "wheel", axis="z")
    n, I = 5.0, 0.02
    m.dc_motor("motor", "hinge", voltage=10.0, resistance=1.0, constant=0.1, ratio=n, inertia=I)
    run = pl.dynamics(m, duration=0.5, step=1e-3)
    column, relative = (run[f"{name}.angular_speed"].values for name in ("column", "hinge"))
    momentum = 0.3 * column + 0.05 * (column + relative) + I * (column + n * relative)
    assert np.abs(relative[-1]) > 1.0
    assert np.abs(momentum).max() < 1e-9 * 0.05 * relative[-1]
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * run["energy.work"].values[-1]


def test_gyroscopic_moment_of_a_rotor_on_a_swivelling_carrier() -> None:
    """A rotor about x on a carrier that turns about z: the bearing of the column takes I spin times yaw rate."""
    m = pl.Model("swivel")
    m.body("carrier", mass=1.0, inertia=(0.3, 0.2, 0.2))
    m.body("wheel", mass=1.0, inertia=(1e-9, 1e-9, 1e-9))
    m.revolute("column", m.ground, "carrier", axis="z")
    m.revolute("hinge", "carrier", "wheel", axis="x")
    m.drive("yaw", "column", speed="2 rad/s")
    m.drive("spin", "hinge", speed="30 rad/s")
    m.dc_motor("motor", "hinge", voltage=0.0, resistance=1.0, constant=0.1, ratio=4.0, inertia=0.01)
    run = pl.dynamics(m, duration=0.01, step=1e-3)
    assert np.linalg.norm(run["column.moment"].values[-1][:2]) == pytest.approx(0.01 * 120.0 * 2.0, rel=1e-6)


# ---------------------------------------------------------------------------------------------------------- induction motors


def induction(inertia: float = 0.089, speed: float = 0.0, **more: Any) -> pl.Model:
    m = wheel(inertia, speed)
    m.induction_motor("motor", "hinge", **{"voltage": PHASE, "angular_frequency": "60 Hz", **CIRCUIT, **more})
    return m


def steady_torque(slip: float) -> float:
    """By Thevenin's equivalent circuit, independent of the flux equations."""
    c = CIRCUIT
    x1, x2, xm = (SUPPLY * c[name] for name in ("stator_leakage", "rotor_leakage", "magnetizing_inductance"))
    zm = 1j * xm
    z1 = c["stator_resistance"] + 1j * x1
    v, z = PHASE * zm / (z1 + zm), zm * z1 / (z1 + zm)
    i = v / (z + c["rotor_resistance"] / slip + 1j * x2)
    return 3.0 * abs(i) ** 2 * c["rotor_resistance"] / slip * c["pole_pairs"] / SUPPLY


@pytest.mark.parametrize("slip", [1.0, 0.3, 0.03, -0.05, 1.5])
@pytest.mark.parametrize("transients", [True, False])
def test_torque_at_constant_speed(slip: float, transients: bool) -> None:
    m = induction(transients=transients)
    m.drive("speed", "hinge", speed=(1.0 - slip) * SUPPLY / 2.0)
    run = pl.dynamics(m, duration=6.0, step=1e-3, output_step=1.0)
    assert run["motor.torque"].values[-1] == pytest.approx(steady_torque(slip), rel=1e-6)


def test_locked_rotor_torque_is_that_of_statics() -> None:
    for transients in (True, False):
        m = induction(transients=transients)
        m.drive("lock", "hinge", angle=0)
        assert pl.statics(m)["motor.torque"].values[-1] == pytest.approx(steady_torque(1.0), rel=1e-9)


def test_start_of_an_induction_motor_against_an_independent_integration() -> None:
    """Free acceleration, with equations in stator axes (here: axes of the supply), by a Runge-Kutta method."""
    c, inertia, end = CIRCUIT, 0.089, 0.1
    ls, lr = (c["magnetizing_inductance"] + c[name] for name in ("stator_leakage", "rotor_leakage"))
    inverse = np.linalg.inv([[ls, c["magnetizing_inductance"]], [c["magnetizing_inductance"], lr]])

    def change(t: float, y: np.ndarray) -> list[float]:
        psi = np.array([y[0] + 1j * y[1], y[2] + 1j * y[3]])
        i = inverse @ psi
        v = math.sqrt(2.0) * PHASE * np.exp(1j * SUPPLY * t)
        d_s = v - c["stator_resistance"] * i[0]
        d_r = 2j * y[4] * psi[1] - c["rotor_resistance"] * i[1]
        torque = 3.0 * (np.conj(psi[0]) * i[0]).imag
        return [d_s.real, d_s.imag, d_r.real, d_r.imag, torque / inertia]

    exact = solve_ivp(change, (0.0, end), np.zeros(5), method="DOP853", rtol=1e-11, atol=1e-12)
    run = pl.dynamics(induction(), duration=end, step=2e-6, output_step=1e-3)
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(exact.y[4, -1], rel=1e-6)
    torque = run["motor.torque"].values
    assert torque.max() > 1.5 * steady_torque(1.0) and torque.min() < 0.0  # oscillates with the supply
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * run["energy.work"].values[-1]


def test_breakdown_of_a_kloss_motor() -> None:
    """T(s_b) = T_b, T(1) = 2 T_b/(s_b + 1/s_b); with half the frequency the same slip speed gives the same torque."""

    def torque(speed: float, frequency: str = "50 Hz", ratio: float = 1.0) -> float:
        m = wheel()
        m.kloss_motor(
            "motor",
            "hinge",
            angular_frequency=frequency,
            pole_pairs=2,
            breakdown_torque=80.0,
            breakdown_slip=0.2,
            ratio=ratio,
        )
        m.drive("speed", "hinge", speed=speed)
        return float(pl.dynamics(m, duration=1e-3, step=1e-3)["motor.torque"].values[-1])

    synchronous = 50.0 * math.pi
    assert torque(0.8 * synchronous) == pytest.approx(80.0, rel=1e-12)
    assert torque(1.2 * synchronous) == pytest.approx(-80.0, rel=1e-12)
    assert torque(0.0) == pytest.approx(160.0 / (0.2 + 5.0), rel=1e-12)
    assert torque(synchronous) == pytest.approx(0.0, abs=1e-9)
    assert torque(0.5 * synchronous - 10.0, "25 Hz") == pytest.approx(torque(synchronous - 10.0), rel=1e-12)
    assert torque(-0.4 * synchronous, ratio=-2.0) == pytest.approx(-160.0, rel=1e-12)


# ------------------------------------------------------------------------------------------------------------------- engines


def test_motor_by_a_table_with_throttle_and_lag() -> None:
    """T = y T_full with a straight table: w' = y (a - b w)/J; the throttle follows with exp(-t/lag)."""
    m = wheel()
    m.motor_map(
        "motor",
        "hinge",
        speeds=[0, 50, 100],
        torques=[10, 10, 10],
        zero_torques=[-2, -2, -2],
        throttle=0.5,
        lag="20 ms",
    )
    run = pl.dynamics(m, duration=0.1, step=1e-4)
    y = 0.5 * -math.expm1(-0.1 / 0.02)
    assert run["motor.delayed"].values[-1] == pytest.approx(y, rel=1e-6)
    mean = 0.5 * (0.1 - 0.02 * -math.expm1(-0.1 / 0.02))  # integral of y
    assert run["hinge.angular_speed"].values[-1] == pytest.approx((12.0 * mean - 2.0 * 0.1) / J, rel=1e-6)
    assert pl.statics(held(m))["motor.torque"].values[-1] == pytest.approx(0.5 * 10 - 0.5 * 2, rel=1e-12)


def held(m: pl.Model) -> pl.Model:
    m.torsion_spring("spring", "hinge", stiffness="100 N*m/rad")
    return m


def test_table_is_passed_and_continued_straight() -> None:
    m = wheel(1e6)
    m.motor_map("motor", "hinge", speeds=["0 rpm", "1000 rpm"], torques=["100 N*m", "50 N*m"])
    m.drive("speed", "hinge", speed="2000 rpm")
    assert pl.dynamics(m, duration=1e-3, step=1e-3)["motor.torque"].values[-1] == pytest.approx(0.0, abs=1e-9)


def gas(angle: np.ndarray) -> np.ndarray:
    return 100.0 + 80.0 * np.cos(0.5 * angle) + 60.0 * np.sin(2.0 * angle) - 30.0 * np.cos(4.0 * angle)


def test_gas_torque_of_four_cylinders_has_only_even_orders() -> None:
    """Orders 0.5 of the cylinders cancel; orders 2 and 4 are four times those of one cylinder."""
    m = wheel(1e9)
    grid = np.arange(72) * 4.0 * math.pi / 72
    m.combustion_engine(
        "engine", "hinge", speeds=[0, 1000], torques=[200, 200], gas_torque=gas(grid),
        firing_angles=["0 deg", "540 deg", "180 deg", "360 deg"], crank_angle="30 deg",
    )  # fmt: skip
    m.drive("speed", "hinge", speed="10 rad/s")
    run = pl.dynamics(m, duration=1.0, step=5e-3)
    angle = run["hinge.angle"].values + math.radians(30)
    exact = 200.0 + 4.0 * (60.0 * np.sin(2.0 * angle) - 30.0 * np.cos(4.0 * angle))
    np.testing.assert_allclose(run["engine.torque"].values, exact, atol=1e-8)
    np.testing.assert_allclose(run["engine.mean_torque"].values, 200.0, rtol=1e-12)


def test_gas_torque_of_one_cylinder_follows_its_table() -> None:
    m = wheel(1e9)
    grid = np.arange(72) * 4.0 * math.pi / 72
    m.combustion_engine(
        "engine", "hinge", speeds=[0, 1000], torques=[0, 0], gas_torque=gas(grid), firing_angles=["90 deg"], throttle=0.5,
        zero_gas_torque=gas(-grid),
    )  # fmt: skip
    m.drive("speed", "hinge", speed="10 rad/s")
    run = pl.dynamics(m, duration=1.2, step=5e-3)
    angle = run["hinge.angle"].values - 0.5 * math.pi
    np.testing.assert_allclose(run["engine.torque"].values, 0.5 * (gas(angle) + gas(-angle)) - 100.0, atol=1e-8)


@pytest.mark.parametrize(
    ("method", "given", "message"),
    [
        ("dc_motor", {"voltage": 1, "resistance": 0, "constant": 1}, "resistance must be positive"),
        ("dc_motor", {"voltage": 1, "resistance": 1, "constant": 1, "ratio": 0}, "ratio must not be 0"),
        ("dc_motor", {"voltage": "1 A", "resistance": 1, "constant": 1}, "expected voltage"),
        ("dc_motor", {"voltage": 1, "resistance": 1, "constant": 1, "armature_current": 2}, "Specify inductance, or leave out"),
        ("induction_motor", {"voltage": 1, "angular_frequency": 1, **CIRCUIT, "rotor_leakage": 0}, "rotor_leakage must be"),
        ("kloss_motor", {"angular_frequency": 1, "pole_pairs": 1, "breakdown_torque": 1, "breakdown_slip": 0}, "breakdown_slip"),
        ("motor_map", {"speeds": [0, 2], "torques": [1, 1], "throttle": 50}, "throttle must be between 0 and 1, got 50"),
        ("motor_map", {"speeds": [0, 2, 1], "torques": [1, 1, 1]}, "values must increase, but 1 rad/s follows 2 rad/s"),
        ("motor_map", {"speeds": [0, 2], "torques": [1, 1, 1]}, "specify the same number of values"),
        (
            "combustion_engine",
            {"speeds": [0, 2], "torques": [1, 1], "gas_torque": [1, 2], "firing_angles": [0], "strokes": 3},
            "strokes must be 4 or 2",
        ),
        (
            "combustion_engine",
            {"speeds": [0, 2], "torques": [1, 1], "gas_torque": [1], "firing_angles": [0]},
            "gas_torque must have at least 2 values",
        ),
    ],
)  # fmt: skip
def test_wrong_motors_are_refused(method: str, given: dict[str, Any], message: str) -> None:
    m = wheel()
    with pytest.raises(pl.ModelError, match=message):
        getattr(m, method)("motor", "hinge", **given)
        pl.statics(m)


def test_a_frequency_without_unit_is_warned_of() -> None:
    m = induction(angular_frequency=60)
    assert any('angular_frequency is 60 rad/s, which is 9.55 Hz; write "60 Hz"' in text for text in m.warnings)
    assert not induction().warnings
