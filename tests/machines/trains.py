"""Machines of drive trains: shafts on bearings with ratios, motors, clutches, belts, couplings, converters, controllers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from machines.controls import controlled
from machines.coupling_designs import coupling_design
from machines.draws import Rng, function, inertia, log_uniform, pick, rotation
from machines.gears import HERE, accepted
from machines.machine import Machine, Part
from machines.mechanisms import friction, on_joint
from machines.options import draw, unit_vector
from machines.stages import stage
from machines.values import Arrow, Call, Matrix6, Name, Number, On, OwnArrow, Point, Turn


def train(seed: int) -> Machine:
    """A drive train of two to five shafts, or with a planetary stage."""
    return accepted(3, seed, lambda rng: _train(rng, seed))


class Shafts:
    """Bodies on bearings of a common housing, on parallel axes or on one axis."""

    def __init__(self, rng: Rng, count: int) -> None:
        self.rng = rng
        self.frame = rotation(rng)
        self.centre = rng.normal(size=3)
        self.axis = self.frame[:, 2]
        self.housing = "housing" if rng.random() < 0.2 else "ground"
        self.one_axis = rng.random() < 0.45
        self.places: list[np.ndarray] = []
        self.speeds = [float(rng.choice([-1, 1])) * log_uniform(rng, 0.5, 60) if rng.random() < 0.7 else 0.0
                       for _ in range(count)]  # fmt: skip
        self.bound: set[int] = set()
        """Shafts whose speed is not free."""
        for k in range(count):
            way = (
                0.15 * k * self.axis
                if self.one_axis
                else 0.4 * k * self.frame[:, 0] + 0.1 * rng.normal() * self.frame[:, 1]
            )
            self.places.append(self.centre + way)

    def parts(self) -> list[Part]:
        """Housing, bodies and their joints."""
        rng = self.rng
        parts: list[Part] = []
        if self.housing != "ground":
            parts.append(Part("body", "housing", {
                "mass": Number(20.0, "kg"), "inertia": inertia(rng, 20.0, 0.5), "position": Point(tuple(self.centre)),
                "orientation": Turn(rotation(rng))}, kept=True))  # fmt: skip
            stiff = np.diag([1e6, 2e6, 1.5e6, 1e5, 1e5, 2e5])
            parts.append(Part("bushing", "feet", {
                "a": Name("ground"), "b": On("housing", HERE, rotation(rng)), "damping": matrix(1e-3 * stiff, "N*s/m"),
                "stiffness": matrix(stiff, "N/m")}))  # fmt: skip
        for k, place in enumerate(self.places):
            mass = log_uniform(rng, 0.3, 10.0)
            given: dict[str, Any] = {
                "mass": Number(mass, "kg"), "inertia": inertia(rng, mass, 0.1), "position": Point(tuple(place)),
                "orientation": Turn(self.frame),
            }  # fmt: skip
            if rng.random() < 0.2:
                given["centre_of_mass"] = OwnArrow(tuple(0.01 * rng.normal(size=3)))
            if self.speeds[k]:
                given["angular_velocity"] = Arrow(tuple(self.speeds[k] * self.axis), "rad/s", axial=True)
            parts.append(Part("body", f"b{k}", given, kept=True))
        for k in range(len(self.places)):
            parts.append(
                Part("revolute", f"j{k}", {"a": Name(self.housing), "b": On(f"b{k}", HERE, np.eye(3))}, kept=True)
            )
        return parts

    def bind(self, k: int, speed: float) -> bool:
        """Set the speed of a shaft; whether it was free."""
        if k in self.bound:
            return False
        self.bound.add(k)
        self.speeds[k] = speed
        return True


def matrix(value: np.ndarray, unit: str) -> Matrix6:
    """Matrix of six coordinates."""
    return Matrix6(tuple(map(tuple, value)), unit)


def _train(rng: Rng, seed: int) -> Machine:
    traits: set[str] = {"real units"}
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.5 else HERE
    with_stage = rng.random() < 0.2
    parts: list[Part]
    if with_stage:
        parts, joints = stage(rng)
        traits |= {"round"}
        gravity = HERE
    else:
        shafts = Shafts(rng, int(rng.integers(2, 6)))
        between = _couplings(rng, shafts)
        joints = [f"j{k}" for k in range(len(shafts.places))]
        parts = shafts.parts() + between
    for k in range(int(rng.integers(1, 5))):
        joint = pick(rng, joints)
        maker = pick(rng, tuple(ON_JOINT))
        parts.append(Part(*ON_JOINT[maker](rng, maker, f"{maker} {k}", joint)))
    if rng.random() < 0.35:
        parts += controlled(rng, pick(rng, joints), 0)
    if not with_stage and rng.random() < 0.2:
        free = [k for k in range(len(shafts.places)) if k not in shafts.bound]
        if free:
            speed = shafts.speeds[free[0]]
            ramp = Call("pl.Ramp", {"start": Number(speed, "rad/s"), "end": Number(1.5 * speed, "rad/s"),
                                    "t0": Number(0.0, "s"), "t1": Number(0.02, "s")})  # fmt: skip
            parts.append(
                Part(
                    "drive", "drive", {"joint": Name(f"j{free[0]}"), "speed": pick(rng, (ramp, Number(speed, "rad/s")))}
                )
            )
    step = log_uniform(rng, 1e-4, 2e-3)
    return Machine("train", seed, tuple(parts), gravity, step=step, traits=frozenset(traits))


def _couplings(rng: Rng, shafts: Shafts) -> list[Part]:
    """What transmits torque from shaft to shaft."""
    parts: list[Part] = []
    count = len(shafts.places)
    for k in range(1, count):
        i = int(rng.integers(k))
        options = ["ratio"] * 3 + ["elastic ratio"] * 2 + [
            "clutch", "one_way_clutch", "torque_limiter", "torsion", "rolling",
        ]  # fmt: skip
        options += (
            ["coupling"] * 3 + ["torque_converter"] if shafts.one_axis else ["belt_drive"] * 2 + ["chain_drive"] * 2
        )
        if count > k + 1 and rng.random() < 0.15:
            options = ["planetary_ratio"]
        maker = pick(rng, options)
        part = BETWEEN[maker](rng, maker, f"{maker} {k}", shafts, i, k)
        if part is not None:
            parts.append(part)
    return parts


def _ratio(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    ratio = pick(rng, (2.0, -3.0, 2.5, -0.4, 50.0, -1.0))
    given: dict[str, Any] = {"a": Name(f"j{i}"), "b": Name(f"j{k}"), "ratio": Number(ratio)}
    if maker == "elastic ratio":
        given["stiffness"] = Number(log_uniform(rng, 10, 1e5), "N*m/rad")
        if rng.random() < 0.7:
            given["damping"] = Number(log_uniform(rng, 0.01, 5), "N*m*s/rad")
        if rng.random() < 0.4:
            given["backlash"] = Number(log_uniform(rng, 1e-4, 1e-2), "rad")
        return Part("ratio", name, given)
    if not shafts.bind(k, shafts.speeds[i] / ratio):
        return None
    shafts.bound.add(i)
    if rng.random() < 0.4:
        eta = float(rng.uniform(0.5, 0.99))
        given["efficiency"] = (
            Number(eta) if rng.random() < 0.6 else (Number(eta), Number(float(rng.uniform(-0.1, eta))))
        )
    return Part("ratio", name, given)


def _rolling(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    """Bodies without gears: on one axis a gearbox, on parallel axes rolling wheels."""
    del maker
    ratio = pick(rng, (2.0, 4.0, 0.5))
    given: dict[str, Any] = {"ratio": Number(ratio)}
    if shafts.one_axis:
        speed = shafts.speeds[i] / ratio
        if rng.random() < 0.4:
            given["efficiency"] = Number(float(rng.uniform(0.7, 0.99)))
    elif rng.random() < 0.5:
        given["internal"] = True
        speed = shafts.speeds[i] / ratio
    else:
        speed = -shafts.speeds[i] / ratio
    if not shafts.bind(k, speed):
        return None
    shafts.bound.add(i)
    return Part("gear_pair", name, {"a": Name(f"b{i}"), "b": Name(f"b{k}"), "mesh": Call("pl.Rolling", given)})


def _planetary_ratio(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    z = pick(rng, (1.0, 2.0, 3.5))
    if k + 1 >= len(shafts.places) or k in shafts.bound or k + 1 in shafts.bound:
        return None
    shafts.bound |= {i, k}
    shafts.bind(k + 1, (shafts.speeds[i] + z * shafts.speeds[k]) / (1.0 + z))
    given = {"sun": Name(f"j{i}"), "ring": Name(f"j{k}"), "carrier": Name(f"j{k + 1}"), "ratio": Number(z)}
    return Part(maker, name, given)


def _slipping(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    del shafts
    given: dict[str, Any] = {"joint": Name(f"j{i}"), "other": Name(f"j{k}")}
    size = log_uniform(rng, 0.5, 50)
    if maker == "clutch":
        given["capacity"] = _capacity(rng, size)
    elif maker == "torque_limiter":
        given |= {"torque": Number(size, "N*m")} | (
            {"slip_torque": Number(0.8 * size, "N*m")} if rng.random() < 0.5 else {}
        )
    elif rng.random() < 0.4:
        given["capacity"] = _capacity(rng, size)
    return Part(maker, name, draw(rng, maker, given))


def _capacity(rng: Rng, size: float) -> Any:
    if rng.random() < 0.6:
        return Number(size, "N*m")
    times = {"t0": Number(0.0, "s"), "t1": Number(0.02, "s")}
    return Call("pl.Ramp", {"start": Number(0.0, "N*m"), "end": Number(size, "N*m"), **times})


def _torsion(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    del maker, i, shafts
    given = {"joint": Name(f"j{k}"), "stiffness": Number(log_uniform(rng, 10, 1e4), "N*m/rad")}
    return Part("torsion_spring", name, draw(rng, "torsion_spring", given))


def _belt(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    distance = float(np.linalg.norm(shafts.places[k] - shafts.places[i]))
    given: dict[str, Any] = {
        "a": Name(f"b{i}"), "b": Name(f"b{k}"), "axis": Arrow(tuple(shafts.axis), axial=True),
        "tensile_stiffness": Number(log_uniform(rng, 1e4, 1e6), "N"), "pretension": Number(log_uniform(rng, 20, 1e3), "N"),
        "at_a": Point(tuple(shafts.places[i])), "at_b": Point(tuple(shafts.places[k])),
    }  # fmt: skip
    if rng.random() < 0.8:
        given["damping"] = Number(log_uniform(rng, 1, 100), "N*s/m")
    if maker == "belt_drive":
        given |= {f"radius_{x}": Number(float(rng.uniform(0.1, 0.4)) * distance, "m") for x in "ab"}
        if rng.random() < 0.3:
            given["crossed"] = True
        if rng.random() < 0.5:
            given["friction"] = Number(float(rng.uniform(0.1, 0.8)))
            given["creep_speed"] = Number(log_uniform(rng, 1e-3, 1e-2), "m/s")
        ratio = given["radius_b"].value / given["radius_a"].value * (-1.0 if given.get("crossed") else 1.0)
    else:
        teeth = int(rng.integers(13, 25)), int(rng.integers(13, 40))
        pitch = float(rng.uniform(0.3, 0.7)) * distance * 2 * np.pi / sum(teeth)
        given |= {"teeth_a": teeth[0], "teeth_b": teeth[1], "pitch": Number(pitch, "m")}
        if rng.random() < 0.4:
            given["polygon"] = True
            given |= {"phase_a": Number(0.3), "phase_b": Number(0.1)} if rng.random() < 0.5 else {}
        if rng.random() < 0.3:
            given["slack"] = Number(0.001 * distance, "m")
            given["pretension"] = Number(0.0, "N")
        ratio = teeth[1] / teeth[0]
    if k not in shafts.bound and rng.random() < 0.9:
        shafts.bind(k, shafts.speeds[i] / ratio)
        shafts.bound.add(i)
    return Part(maker, name, given)


def _coupling(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    design = pick(rng, ("pl.ElasticCoupling", "pl.GearCoupling", "pl.Spline", "pl.CardanJoint"))
    shafts.bind(k, shafts.speeds[i])
    at = 0.5 * (shafts.places[i] + shafts.places[k])
    given: dict[str, Any] = {
        "a": Name(f"b{i}"), "b": Name(f"b{k}"), "design": coupling_design(rng, design), "at": Point(tuple(at)),
        "axis": Arrow(tuple(shafts.axis), axial=True),
    }  # fmt: skip
    if rng.random() < 0.2 and design in ("pl.ElasticCoupling",):
        given["initial_twist"] = Number(0.01, "rad")
    return Part(maker, name, given)


def _converter(rng: Rng, maker: str, name: str, shafts: Shafts, i: int, k: int) -> Part | None:
    given = {
        "housing": Name(shafts.housing), "pump": Name(f"b{i}"), "turbine": Name(f"b{k}"),
        "speed_ratios": (0.0, 0.4, 0.8, 0.95), "torque_ratios": (2.2, 1.6, 1.05, 1.0),
        "capacities": Number((2e-3, 1.9e-3, 1.4e-3, 0.5e-3), "N*m*s^2/rad^2"), "axis": Arrow(tuple(shafts.axis), axial=True),
    }  # fmt: skip
    return Part(maker, name, draw(rng, maker, given))


BETWEEN: dict[str, Callable[..., Part | None]] = {
    "ratio": _ratio, "elastic ratio": _ratio, "rolling": _rolling, "planetary_ratio": _planetary_ratio, "clutch": _slipping,
    "one_way_clutch": _slipping, "torque_limiter": _slipping, "torsion": _torsion, "belt_drive": _belt, "chain_drive": _belt,
    "coupling": _coupling, "torque_converter": _converter,
}  # fmt: skip
"""Parts between two shafts."""


def _plain(rng: Rng, maker: str, name: str, joint: str) -> tuple[str, str, dict[str, Any]]:
    """Motors and loads whose arguments are numbers."""
    given: dict[str, Any] = {"on": Name(joint)}
    if maker == "fan_load":
        given |= {
            "rated_torque": Number(log_uniform(rng, 1, 20), "N*m"),
            "rated_speed": Number(log_uniform(rng, 5, 100), "rad/s"),
        }
        if rng.random() < 0.5:
            given["constant_torque"] = Number(0.2 * given["rated_torque"].value, "N*m")
        return maker, name, draw(rng, maker, given, never=("constant_torque",))
    if maker == "induction_motor":
        given |= {
            "voltage": Number(50.0, "V"), "angular_frequency": Number(60.0, "rad/s"), "stator_resistance": Number(0.5, "ohm"),
            "rotor_resistance": Number(0.5, "ohm"), "stator_leakage": Number(2e-3, "H"), "rotor_leakage": Number(2e-3, "H"),
            "magnetizing_inductance": Number(0.1, "H"),
        }  # fmt: skip
    return maker, name, draw(rng, maker, given)


def _tables(rng: Rng, maker: str, name: str, joint: str) -> tuple[str, str, dict[str, Any]]:
    top = log_uniform(rng, 2, 50)
    given: dict[str, Any] = {"on": Name(joint), "speeds": Number((-50.0, 0.0, 60.0, 120.0), "rad/s")}
    given["torques"] = Number((1.1 * top, top, 0.7 * top, 0.3 * top), "N*m")
    if maker == "speed_load":
        given |= {"speeds": Number((0.0, 40.0, 100.0), "rad/s"), "torques": Number((0.0, 0.3 * top, top), "N*m")}
        return maker, name, given
    if rng.random() < 0.4:
        given["zero_torques"] = Number((0.2 * top, 0.0, -0.1 * top, -0.3 * top), "N*m")
    if maker == "combustion_engine":
        count = 24
        wave = top * np.maximum(np.sin(2 * np.pi * np.arange(count) / count), -0.3)
        given["gas_torque"] = Number(tuple(map(float, wave)), "N*m")
        given["firing_angles"] = Number((0.0, 3.0, 6.0), "rad")
        if rng.random() < 0.4:
            given["zero_gas_torque"] = Number(tuple(map(float, 0.2 * wave)), "N*m")
    return maker, name, draw(rng, maker, given)


def _brake(rng: Rng, maker: str, name: str, joint: str) -> tuple[str, str, dict[str, Any]]:
    given: dict[str, Any] = {"joint": Name(joint)}
    if maker == "brake":
        given["capacity"] = _capacity(rng, log_uniform(rng, 0.5, 20))
    elif maker == "friction":
        return maker, name, given | friction(rng, angle=True)
    elif maker == "one_way_clutch" and rng.random() < 0.4:
        given["capacity"] = _capacity(rng, log_uniform(rng, 0.5, 20))
    return maker, name, draw(rng, maker, given)


def _other(rng: Rng, maker: str, name: str, joint: str) -> tuple[str, str, dict[str, Any]]:
    part = on_joint(rng, maker, name, [(joint, "revolute")])
    assert part is not None
    return part.maker, name, dict(part.given)


def _torque(rng: Rng, maker: str, name: str, joint: str) -> tuple[str, str, dict[str, Any]]:
    return maker, name, {"on": Name(joint), "value": function(rng, "N*m", log_uniform(rng, 1, 30))}


ON_JOINT: dict[str, Callable[..., tuple[str, str, dict[str, Any]]]] = {
    "dc_motor": _plain, "induction_motor": _plain, "kloss_motor": _plain, "fan_load": _plain, "road_load": _plain,
    "motor_map": _tables, "combustion_engine": _tables, "speed_load": _tables, "brake": _brake, "friction": _brake,
    "one_way_clutch": _brake, "torsion_spring": _other, "stop": _other, "torque": _torque,
}  # fmt: skip
"""Parts on one joint."""
