"""Machines of bodies on all kinds of joints, with springs, loads and drives."""

from __future__ import annotations

from typing import Any

import numpy as np
from machines.draws import Rng, axis, body, end, function, log_uniform, pick, rotation, signed
from machines.machine import Machine, Part
from machines.motions import set_in_motion
from machines.options import draw, unit_vector
from machines.ranges import CHOICES
from machines.values import Along, Arrow, Call, Limits, Matrix6, Name, Number, On, OwnArrow, Point

FREE = {
    "revolute": 1, "prismatic": 1, "cylindrical": 2, "spherical": 3, "universal": 2, "planar": 3, "fixed": 0, "screw": 1,
    "distance": 5, "point_on_line": 4, "point_on_plane": 5, "plane_on_plane": 3, "parallel_axes": 4,
}  # fmt: skip
ANGLES = ("revolute", "cylindrical", "screw")
DISPLACEMENTS = ("prismatic", "cylindrical", "screw")
LOADS = (
    "force", "torque", "spring", "string", "bushing", "attached_mass", "sensor", "torsion_spring", "stop", "friction",
    "joint_load", "rotor", "propeller", "road_resistance",
)  # fmt: skip


def joint(rng: Rng, name: str, kind: str, a: str, b: str, at: Any = None) -> Part:
    """A joint at a random point. The axis of a rotation is axial, that of a translation is not."""
    point = Point(tuple(rng.normal(size=3) if at is None else at))
    if kind == "distance":
        given: dict[str, Any] = {"a": Name(a), "b": Name(b), "at_a": Point(tuple(rng.normal(size=3))), "at_b": point}
        return Part("distance", name, given)
    direction = axis(rng, axial=kind in (*ANGLES, "universal"))
    given = {"a": Name(a), "b": Name(b), "at": point, "axis": direction}
    if kind == "universal":
        across = np.cross(direction.value, unit_vector(rng))
        given["axis_b"] = Arrow(tuple(across / np.linalg.norm(across)), axial=True)
    if kind not in ("universal", "screw") and rng.random() < 0.2:
        frame, other = (b, a) if b != "ground" else (a, b)
        given = {"a" if frame == a else "b": On(frame, tuple(0.3 * rng.normal(size=3)), rotation(rng), along=kind == "prismatic"),
                 "b" if frame == a else "a": Name(other)}  # fmt: skip
    return Part(kind, name, given if "axis" not in given else draw(rng, kind, given))


def mechanism(seed: int) -> Machine:
    """A tree of joints from the ground, or a floating one, with random springs, loads and a drive."""
    rng = np.random.default_rng([seed, 1])
    floating = rng.random() < 0.3
    count = int(rng.integers(1, 5))
    parts = [body(rng, f"body {i}", moving=False) for i in range(count)]
    names = [part.name for part in parts]
    joints: list[tuple[str, str]] = []
    kinds = list(FREE)
    for i, name in enumerate(names):
        before = names[:i] if floating else ["ground", *names[:i]]
        if not before or rng.random() < 0.15:
            continue
        a, b = (pick(rng, before), name) if rng.random() < 0.5 else (name, pick(rng, before))
        kind = pick(rng, kinds)
        parts.append(joint(rng, f"joint {i}", kind, a, b))
        joints.append((f"joint {i}", parts[-1].maker))
    for k in range(int(rng.integers(1, 6))):
        maker = pick(rng, LOADS)
        part = load(rng, maker, f"{maker} {k}", names, joints, floating=floating)
        if part is not None:
            parts.append(part)
    if joints and rng.random() < 0.3:
        parts += _drive(rng, joints)
    if not floating and rng.random() < 0.6:
        for name in names:
            ends = {"a": Name("ground"), "b": On(name, tuple(0.3 * rng.normal(size=3)), rotation(rng))}
            parts.append(Part("bushing", f"mount of {name}", ends | bushing(rng, stiff=3.0)))
    if rng.random() < 0.8:
        parts = set_in_motion(rng, parts)
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.7 else (0.0, 0.0, 0.0)
    return Machine("mechanism", seed, tuple(parts), gravity, traits=frozenset({"floating"} if floating else ()))


def _drive(rng: Rng, joints: list[tuple[str, str]]) -> list[Part]:
    name, kind = pick(rng, joints)
    options = [c for c, kinds in (("angle", ANGLES), ("displacement", DISPLACEMENTS)) if kind in kinds]
    if not options:
        return []
    coordinate = pick(rng, options)
    odd = coordinate == "displacement" and kind != "prismatic"
    unit = "rad" if coordinate == "angle" else "m"
    if rng.random() < 0.5:
        given: dict[str, Any] = {"speed": function(rng, f"{unit}/s", 1.0, odd=odd)}
        if kind in ("cylindrical", "screw"):
            given["coordinate"] = coordinate
    else:
        given = {coordinate: _from_zero(rng, unit, odd)}
    return [Part("drive", "drive", {"joint": Name(name), **given})]


def _from_zero(rng: Rng, unit: str, odd: bool) -> Call:
    """A smooth motion that starts at zero, with any speed."""
    size = signed(rng, 0.02, 0.3)
    if rng.random() < 0.5:
        return Call(
            "pl.Harmonic", {"amplitude": Number(size, unit, odd), "frequency": Number(log_uniform(rng, 1, 10), "Hz")}
        )
    rates = [Number(0.0, unit, odd), Number(size * 5, f"{unit}/s", odd), Number(size * 20, f"{unit}/s^2", odd)]
    return Call("pl.Polynomial", {}, (rates,))


def load(
    rng: Rng, maker: str, name: str, bodies: list[str], joints: list[tuple[str, str]], *, floating: bool
) -> Part | None:
    """A spring, load, sensor or mass; None if it fits no body or joint of the machine."""
    on = pick(rng, bodies)
    others = [other for other in bodies if other != on] + ([] if floating else ["ground"])
    if maker in ("torsion_spring", "stop", "friction", "joint_load"):
        return on_joint(rng, maker, name, joints)
    if maker in ("force", "torque"):
        return _vector_load(rng, maker, name, on, others)
    if maker in ("spring", "string", "bushing"):
        return _between(rng, maker, name, on, others) if others else None
    if maker == "sensor":
        given: dict[str, Any] = {"on": end(rng, on)}
        if isinstance(given["on"], Name) and rng.random() < 0.6:
            given["at"] = Point(tuple(rng.normal(size=3)))
        if others and rng.random() < 0.5:
            given["relative_to"] = Name(pick(rng, others))
            if rng.random() < 0.5:
                given["at_reference"] = Point(tuple(rng.normal(size=3)))
        return Part(maker, name, given)
    if maker == "attached_mass":
        given = {"on": end(rng, on), "mass": Number(log_uniform(rng, 0.1, 2), "kg")}
        if rng.random() < 0.5:
            given["centre_of_mass"] = OwnArrow(tuple(0.2 * rng.normal(size=3)))
        if isinstance(given["on"], Name):
            given["at"] = Point(tuple(rng.normal(size=3)))
            given.pop("centre_of_mass", None)
        return Part(maker, name, given)
    if maker == "rotor":
        given = {
            "on": Name(on),
            "axis": axis(rng, axial=True),
            "inertia": Number(log_uniform(rng, 1e-3, 0.1), "kg*m^2"),
        }
        return Part(maker, name, draw(rng, maker, given))
    return _flow(rng, maker, name, on, others)


def _flow(rng: Rng, maker: str, name: str, on: str, others: list[str]) -> Part | None:
    """Propeller and road resistance act relative to the world."""
    if "ground" not in others:
        return None
    if maker == "propeller":
        ratios = (0.0, 0.4, 0.8, 1.2)
        given: dict[str, Any] = {
            "on": Name(on), "axis": axis(rng, axial=False), "diameter": Number(log_uniform(rng, 0.2, 0.6), "m"),
            "density": Number(log_uniform(rng, 1, 1000), "kg/m^3"), "advance_ratios": ratios,
            "thrust_coefficients": tuple(np.linspace(0.4, -0.05, 4) * rng.uniform(0.8, 1.2)),
            "torque_coefficients": tuple(np.linspace(0.05, 0.0, 4) * rng.uniform(0.8, 1.2)),
            "hand": pick(rng, CHOICES["propeller.hand"]),
        }  # fmt: skip
        return Part(maker, name, draw(rng, maker, given))
    given = {
        "on": Name(on), "vehicle_mass": Number(log_uniform(rng, 1, 50), "kg"), "air_density": Number(1.2, "kg/m^3"),
        "smoothing_speed": Number(0.1, "m/s"), "gravitational_acceleration": Number(9.81, "m/s^2"),
    }  # fmt: skip
    return Part(maker, name, draw(rng, maker, given, never=("slope", "wind")))


def on_joint(rng: Rng, maker: str, name: str, joints: list[tuple[str, str]]) -> Part | None:
    """A spring, stop, friction or load on a coordinate of a joint."""
    options = [
        (j, kind, c)
        for j, kind in joints
        for c, kinds in (("angle", ANGLES), ("displacement", DISPLACEMENTS))
        if kind in kinds
    ]
    if maker == "torsion_spring":
        options = [option for option in options if option[2] == "angle"]
    if not options:
        return None
    on, kind, coordinate = pick(rng, options)
    angle = coordinate == "angle"
    odd = not angle and kind != "prismatic"
    both = kind in ("cylindrical", "screw")
    given: dict[str, Any] = {"joint": Name(on)}
    if maker == "torsion_spring":
        given["stiffness"] = Number(log_uniform(rng, 5, 500), "N*m/rad")
        return Part(maker, name, draw(rng, maker, given))
    if maker == "joint_load":
        unit, size = ("N*m", 3.0) if angle else ("N", 20.0)
        given = {"on": Name(on), "value": function(rng, unit, size, odd=odd)}
        return Part("torque" if angle else "force", name, given)
    if both:
        given["coordinate"] = coordinate
    if maker == "stop":
        return Part(maker, name, given | _stop(rng, angle=angle, odd=odd))
    return Part(maker, name, given | friction(rng, angle=angle))


def _stop(rng: Rng, *, angle: bool, odd: bool) -> dict[str, Any]:
    unit = "rad" if angle else "m"
    lower, upper = -log_uniform(rng, 1e-3, 0.2), log_uniform(rng, 1e-3, 0.2)
    missing = rng.random()
    low, high = (None if missing < 0.2 else lower), (None if missing > 0.8 else upper)
    if odd and (low is None or high is None):
        low, high = lower, upper
    given: dict[str, Any] = {"lower": Limits(low, high, unit, odd), "upper": Limits(high, low, unit, odd)}
    if rng.random() < 0.3:
        return given | {"restitution": Number(float(rng.uniform(0, 0.95)))}
    stiffness = "N*m/rad" if angle else "N/m"
    given["stiffness"] = Number(log_uniform(rng, 100, 1e4), stiffness)
    if rng.random() < 0.6:
        given["damping"] = Number(log_uniform(rng, 0.1, 20), "N*m*s/rad" if angle else "N*s/m")
        if rng.random() < 0.4:
            given["damping_limit"] = Number(float(rng.uniform(0.1, 0.9)))
    return given


def friction(rng: Rng, *, angle: bool) -> dict[str, Any]:
    """Options of friction on a coordinate."""
    unit, rate = ("N*m", "rad/s") if angle else ("N", "m/s")
    size = log_uniform(rng, 0.05, 5.0) * (1.0 if angle else 10.0)
    given: dict[str, Any]
    if rng.random() < 0.75:
        given = {"coulomb": Number(size, unit)}
    else:
        given = {"coefficient": Number(float(rng.uniform(0.05, 0.5))), "normal_force": Number(10 * size, "N")}
        if angle:
            given["radius"] = Number(log_uniform(rng, 0.02, 0.3), "m")
    if "coulomb" in given and rng.random() < 0.5:
        given["static"] = Number(size * float(rng.uniform(1.0, 1.6)), unit)
        if rng.random() < 0.5:
            given["stribeck_speed"] = Number(log_uniform(rng, 0.05, 1.0), rate)
    if rng.random() < 0.4:
        given["viscous"] = Number(log_uniform(rng, 0.01, 1.0), "N*m*s/rad" if angle else "N*s/m")
    return given


def _vector_load(rng: Rng, maker: str, name: str, on: str, others: list[str]) -> Part:
    unit, size, axial = ("N", 30.0, False) if maker == "force" else ("N*m", 5.0, True)
    vector = tuple(size * rng.normal(size=3))
    given: dict[str, Any] = {"on": Name(on)}
    if rng.random() < 0.4:
        given |= {"value": OwnArrow(vector, unit, axial), "axes": "body"}
    elif rng.random() < 0.5:
        given["value"] = Along(Arrow(vector, unit, axial), function(rng, "", 1.0, constant=0.0))
    else:
        given["value"] = Arrow(vector, unit, axial)
    if maker == "force" and rng.random() < 0.6:
        given["at"] = Point(tuple(rng.normal(size=3)))
    if others and rng.random() < 0.4:
        given["reaction"] = Name(pick(rng, others))
    return Part(maker, name, given)


def _between(rng: Rng, maker: str, name: str, on: str, others: list[str]) -> Part:
    other = pick(rng, others)
    a, b = (on, other) if rng.random() < 0.5 else (other, on)
    if maker == "bushing":
        frame = a if b == "ground" else b
        ends = {"a": Name(a), "b": Name(b)}
        ends["a" if frame == a else "b"] = On(frame, tuple(0.3 * rng.normal(size=3)), rotation(rng))
        return Part(maker, name, ends | bushing(rng))
    given: dict[str, Any] = {
        "a": Name(a), "b": Name(b), "at_a": Point(tuple(rng.normal(size=3))), "at_b": Point(tuple(2 + rng.normal(size=3)))
    }  # fmt: skip
    if maker == "spring" and rng.random() < 0.25:
        stretch = tuple(np.sort(rng.uniform(-3, 3, 4)))
        given["table"] = (Number(stretch, "m"), Number(tuple(np.sort(rng.normal(size=4) * 100)), "N"))
        given["tension_only"] = False
    else:
        given["stiffness"] = Number(log_uniform(rng, 20, 2e3), "N/m")
    if rng.random() < 0.6:
        given["damping"] = Number(log_uniform(rng, 0.5, 30), "N*s/m")
    if rng.random() < 0.5:
        given["free_length"] = Number(log_uniform(rng, 0.2, 3), "m")
    if maker == "spring" and "table" not in given and rng.random() < 0.3:
        given["tension_only"] = True
    return Part(maker, name, given)


def bushing(rng: Rng, *, stiff: float = 1.0) -> dict[str, Any]:
    """Stiffness and damping of six coordinates, some with coupling."""
    root = rng.normal(size=(6, 6)) * 0.3 + np.diag(rng.uniform(0.5, 2, 6))
    size = np.array([70.0] * 3 + [8.0] * 3) * np.sqrt(stiff)
    full = np.outer(size, size) * (root @ root.T)
    if rng.random() < 0.6:
        full = np.diag(np.diag(full))
    given: dict[str, Any] = {"stiffness": Matrix6(tuple(map(tuple, full)), "N/m")}
    if rng.random() < 0.7:
        given["damping"] = Matrix6(tuple(map(tuple, full * log_uniform(rng, 5e-4, 5e-3))), "N*s/m")
    return given
