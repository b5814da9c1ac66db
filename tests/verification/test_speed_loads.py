"""Loads over speed, propellers and torque converters against closed forms."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

J = 0.2


def wheel(speed: float = 0.0, inertia: float = J) -> pl.Model:
    m = pl.Model("wheel")
    body = m.body("wheel", mass=1.0, inertia=(inertia, inertia, inertia), angular_velocity=(0, 0, speed))
    m.revolute("hinge", m.ground, body, axis="z")
    return m


# -------------------------------------------------------------------------------------------------------------- fan and table


@pytest.mark.parametrize("speed", [100.0, -100.0])
def test_a_fan_slows_down(speed: float) -> None:
    """w = w0 / (1 + k w0 t / J), in both directions; the energy goes to the losses."""
    m = wheel(speed)
    m.fan_load("fan", "hinge", rated_torque="20 N*m", rated_speed="100 rad/s")
    run = pl.dynamics(m, duration=1.0, step=1e-3)
    k = 20.0 / 100.0**2
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(speed / (1.0 + k * 100.0 / J), rel=1e-6)
    assert run["fan.torque"].values[0] == pytest.approx(-0.2 * speed, rel=1e-12)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * run["energy.dissipated"].values[-1]


def test_constant_part_of_a_pump() -> None:
    m = wheel(50.0)
    m.fan_load("pump", "hinge", rated_torque=20.0, rated_speed=100.0, constant_torque=4.0)
    run = pl.dynamics(m, duration=1e-3, step=1e-3)
    assert run["pump.torque"].values[0] == pytest.approx(-(4.0 + 16.0 * 0.25), rel=1e-12)
    m = wheel(0.0)
    m.fan_load("pump", "hinge", rated_torque=20.0, rated_speed=100.0, constant_torque=4.0)
    assert pl.modes(m).decaying == pytest.approx([-4.0 / 0.1 / J], rel=1e-9)


def test_steady_speed_of_motor_and_fan() -> None:
    """k (V - k w)/R = T_r (w/w_r)^2."""
    m = wheel()
    m.dc_motor("motor", "hinge", voltage=24.0, resistance=0.1, constant=0.2)
    m.fan_load("fan", "hinge", rated_torque=30.0, rated_speed=100.0)
    run = pl.dynamics(m, duration=10.0, step=1e-2)
    a, b, c = 30.0 / 1e4, 0.2**2 / 0.1, -0.2 * 24.0 / 0.1
    exact = (-b + math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)
    assert run["hinge.angular_speed"].values[-1] == pytest.approx(exact, rel=1e-9)
    found = pl.modes(m, about=run)
    assert found.decaying == pytest.approx([-(b + 2.0 * a * exact) / J], rel=1e-9)


def test_a_table_is_used_in_both_directions() -> None:
    for speed in (30.0, -30.0):
        m = wheel(speed)
        m.speed_load("load", "hinge", speeds=[0, 10, 30, 60], torques=[0, 5, 8, 20])
        run = pl.dynamics(m, duration=1e-4, step=1e-4)
        assert run["load.torque"].values[0] == pytest.approx(-math.copysign(8.0, speed), rel=1e-12)
    m = wheel(-20.0)
    m.speed_load("load", "hinge", speeds=[-20, 0, 20], torques=[-1, 0, 9])
    assert pl.dynamics(m, duration=1e-4, step=1e-4)["load.torque"].values[0] == pytest.approx(1.0, rel=1e-12)


def test_loads_do_not_act_at_rest() -> None:
    m = wheel(50.0)
    m.torsion_spring("spring", "hinge", stiffness=10.0)
    m.fan_load("fan", "hinge", rated_torque=20.0, rated_speed=100.0, constant_torque=4.0)
    m.speed_load("load", "hinge", speeds=[0, 10], torques=[0, 5])
    assert pl.statics(m)["hinge.angle"].values[-1] == pytest.approx(0.0, abs=1e-12)


# ------------------------------------------------------------------------------------------------------------------- vehicles

CAR: dict[str, Any] = {
    "vehicle_mass": "1500 kg",
    "rolling_coefficient": 0.01,
    "drag_area": "0.6 m^2",
    "air_density": 1.2,
}


def car_force(v: float, slope: float = 0.0, wind: float = 0.0) -> float:
    air = v + wind
    return 1500 * 9.81 * (0.01 * math.cos(slope) * math.copysign(1, v) + math.sin(slope)) + 0.36 * air * abs(air)


@pytest.mark.parametrize(
    "v, slope, wind", [(30.0, 0.0, 0.0), (-10.0, 0.0, 0.0), (20.0, 0.05, -25.0), (15.0, -0.1, 5.0)]
)
def test_road_load_on_a_wheel_and_on_a_body(v: float, slope: float, wind: float) -> None:
    m = wheel(v / 0.3)
    m.road_load("road", "hinge", radius="0.3 m", slope=slope, wind=wind, **CAR)
    run = pl.dynamics(m, duration=1e-6, step=1e-6)
    assert run["road.torque"].values[0] == pytest.approx(-0.3 * car_force(v, slope, wind), rel=1e-9)
    assert run["road.speed"].values[0] == pytest.approx(v, rel=1e-12)
    m = pl.Model("car")
    car = m.body("car", mass="1500 kg", inertia=(1000, 2000, 2000), velocity=(v, 0, 0))
    m.road_resistance("road", car, slope=slope, wind=wind, **CAR)
    run = pl.dynamics(m, duration=1e-6, step=1e-6)
    assert run["road.force"].values[0] == pytest.approx(car_force(v, slope, wind), rel=1e-9)
    assert run["car.acceleration"].values[0, 0] == pytest.approx(-car_force(v, slope, wind) / 1500, rel=1e-9)


def test_coast_down_of_a_vehicle() -> None:
    """m v' = -a - b v^2: v = sqrt(a/b) tan(atan(v0 sqrt(b/a)) - sqrt(a b) t / m)."""
    m = pl.Model("car")
    car = m.body("car", mass="1500 kg", inertia=(1000, 2000, 2000), velocity=(30, 0, 0))
    m.prismatic("road", m.ground, car, axis="x")
    m.road_resistance("resistance", car, **CAR)
    run = pl.dynamics(m, duration=20.0, step=2e-2)
    a, b = 1500 * 9.81 * 0.01, 0.36
    exact = math.sqrt(a / b) * math.tan(math.atan(30 * math.sqrt(b / a)) - math.sqrt(a * b) * 20.0 / 1500)
    assert run["car.velocity"].values[-1, 0] == pytest.approx(exact, rel=1e-6)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * run["energy.dissipated"].values[-1]


def test_a_vehicle_rolls_to_rest_without_chatter() -> None:
    m = wheel(1.0, inertia=1500 * 0.09)
    m.road_load("road", "hinge", radius=0.3, **CAR)
    run = pl.dynamics(m, duration=20.0, step=2e-2)
    assert run["hinge.angular_speed"].values.min() >= 0.0 and run["hinge.angular_speed"].values[-1] < 1e-6


# ------------------------------------------------------------------------------------------------------------------ propellers

SCREW: dict[str, Any] = {
    "diameter": "0.5 m", "density": 1000.0, "advance_ratios": [0.0, 0.4, 0.8, 1.0],
    "thrust_coefficients": [0.4, 0.25, 0.08, -0.02], "torque_coefficients": [0.06, 0.042, 0.018, 0.004],
}  # fmt: skip


def screw(v: float, w: float, **more: Any) -> pl.Result:
    m = pl.Model("screw")
    body = m.body("screw", mass=10.0, inertia=(1, 1, 1), velocity=(v, 0, 0), angular_velocity=(w, 0, 0))
    m.propeller("propeller", body, axis="x", **{**SCREW, **more})
    return pl.dynamics(m, duration=1e-6, step=1e-6)


@pytest.mark.parametrize("hand", [1.0, -1.0])
def test_thrust_and_torque_at_points_of_the_table(hand: float) -> None:
    n, D = 20.0, 0.5
    for J_, KT, KQ in zip(
        SCREW["advance_ratios"], SCREW["thrust_coefficients"], SCREW["torque_coefficients"], strict=True
    ):
        run = screw(J_ * n * D, hand * 2 * math.pi * n, hand="right" if hand > 0 else "left")
        thrust, torque = 1000 * n**2 * D**4 * KT, 1000 * n**2 * D**5 * KQ
        assert run["propeller.thrust"].values[0] == pytest.approx(thrust, rel=1e-9)
        assert run["propeller.torque"].values[0] == pytest.approx(torque, rel=1e-9)
        assert run["screw.acceleration"].values[0] == pytest.approx([thrust / 10, 0, 0], rel=1e-9, abs=1e-9)
        assert run["screw.angular_acceleration"].values[0] == pytest.approx([-hand * torque, 0, 0], rel=1e-9, abs=1e-9)
        if KT > 0 and J_ > 0:
            assert run["propeller.efficiency"].values[0] == pytest.approx(J_ * KT / (2 * math.pi * KQ), rel=1e-9)


def test_a_propeller_in_reverse_and_at_rest() -> None:
    forward, back = screw(3.0, 100.0), screw(-3.0, -100.0)
    assert back["propeller.thrust"].values[0] == pytest.approx(-forward["propeller.thrust"].values[0], rel=1e-12)
    assert screw(3.0, 0.0)["propeller.thrust"].values[0] == 0.0
    assert abs(screw(3.0, 1e-6)["propeller.thrust"].values[0]) < 1e-3


# ----------------------------------------------------------------------------------------------------------- torque converters

RATIOS, CAPACITY, MU = [0.0, 0.4, 0.8, 0.9], [2.0e-3, 1.9e-3, 1.4e-3, 0.9e-3], [2.2, 1.6, 1.05, 1.0]


def converter(w_p: float, w_t: float, **more: Any) -> pl.Model:
    m = pl.Model("converter")
    housing = m.body("housing", mass=1, inertia=(1, 1, 1))
    m.fixed("mount", m.ground, housing)
    for name, w in (("pump", w_p), ("turbine", w_t)):
        m.body(name, mass=1, inertia=(0.1, 0.1, 0.1), angular_velocity=(0, 0, w))
        m.revolute(f"{name} shaft", housing, name, axis="z")
    given = {"speed_ratios": RATIOS, "capacities": CAPACITY, "torque_ratios": MU}
    m.torque_converter("tc", housing, "pump", "turbine", **{**given, **more})
    return m


def torques(w_p: float, w_t: float, **more: Any) -> tuple[float, float]:
    run = pl.dynamics(converter(w_p, w_t, **more), duration=1e-6, step=1e-6)
    stator = float(run["mount.moment"].values[0, 2])
    pump, turbine = (float(run[f"tc.{name}_torque"].values[0]) for name in ("pump", "turbine"))
    assert run["tc.stator_torque"].values[0] == pytest.approx(pump - turbine, abs=1e-9)
    assert stator == pytest.approx(turbine - pump, rel=1e-6, abs=1e-6)
    return pump, turbine


def test_points_of_the_table_of_a_converter() -> None:
    for nu, C, mu in zip(RATIOS, CAPACITY, MU, strict=True):
        pump, turbine = torques(200.0, nu * 200.0)
        assert (pump, turbine) == pytest.approx((C * 4e4, mu * C * 4e4), rel=1e-9)
        assert torques(-200.0, -nu * 200.0) == pytest.approx((-pump, -turbine), rel=1e-9)
    assert torques(200.0, 200.0) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert torques(0.0, 0.0) == (0.0, 0.0)


def test_coasting_drives_the_pump() -> None:
    pump, turbine = torques(80.0, 200.0, coast_factor=0.5)
    assert pump == pytest.approx(-0.5 * 1.9e-3 * 4e4, rel=1e-9) and turbine == pytest.approx(pump, rel=1e-12)


def test_torques_of_a_converter_are_continuous() -> None:
    """Also where the faster wheel or a direction changes; the losses are never negative."""
    for angle in np.arange(8) * math.pi / 4.0:
        near = [
            torques(200.0 * math.cos(x), 200.0 * math.sin(x), coast_factor=0.4) for x in (angle - 1e-7, angle + 1e-7)
        ]
        assert near[0] == pytest.approx(near[1], abs=1e-3)
        assert near[0][0] * math.cos(angle) - near[0][1] * math.sin(angle) > -1e-4


def test_converter_at_stall_and_drag() -> None:
    m = converter(0.0, 0.0, drag=0.05)
    m.drive("held", "turbine shaft", angle=0)
    m.torque("engine", "pump shaft", 80.0)
    run = pl.dynamics(m, duration=2.0, step=1e-3)
    assert run["tc.pump_speed"].values[-1] == pytest.approx(math.sqrt(80.0 / 2.0e-3), rel=1e-6)
    assert run["held.torque"].values[-1] == pytest.approx(-2.2 * 80.0, rel=1e-6)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5 * run["energy.dissipated"].values[-1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: converter(0, 0, torque_ratios=[2, 1.6, 1.4, 1]), "efficiency of 1.12, more than 1"),
        (lambda: converter(0, 0, speed_ratios=[0, 0.5, 0.9, 1]), "no torque without slip"),
        (
            lambda: wheel().speed_load("l", "hinge", speeds=[0, 1], torques=[1, 2]),
            "would jump at the change of direction",
        ),
        (lambda: wheel().fan_load("l", "hinge", rated_torque=1, rated_speed=0), "rated_speed must be positive"),
        (
            lambda: wheel().fan_load("l", "hinge", rated_torque=1, rated_speed=1, constant_torque=2),
            "must not be more than",
        ),
        (lambda: wheel().road_load("l", "hinge", radius=0, vehicle_mass=1), "radius must be positive"),
        (lambda: wheel().propeller("l", "wheel", **{**SCREW, "diameter": 0}), "diameter must be positive"),
        (lambda: wheel().propeller("l", "wheel", **{**SCREW, "hand": "both"}), "unknown option 'both'"),
    ],
)
def test_wrong_loads_are_refused(make: Any, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        make()
