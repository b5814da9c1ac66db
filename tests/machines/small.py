"""Small machines with teeth, rolling bearings or an elastic shaft, for the invariances that need these parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from machines.draws import Rng, inertia, log_uniform, pick, rotation, signed
from machines.machine import Machine, Part
from machines.options import draw
from machines.values import Arrow, Call, Hand, Matrix6, Name, Number, On, OwnArrow, Point, Turn

OWN = frozenset({"no mirror", "real units"})
"""They stand in the world as drawn: mirror images and other units are tried with larger machines."""


def simple_pair(seed: int) -> Machine:
    """Two wheels on hinges, with a load, and with a spring that holds the second one."""
    rng = np.random.default_rng([seed, 2])
    turn = rotation(rng)
    module, width = log_uniform(rng, 1.5e-3, 6e-3), log_uniform(rng, 10e-3, 60e-3)
    teeth = int(rng.integers(17, 40)), int(rng.integers(17, 90))
    helix = signed(rng, 0.05, 0.45) if rng.random() < 0.5 else 0.0
    gears = [_gear(module, width, z, sign * helix, rng) for z, sign in zip(teeth, (1.0, -1.0), strict=True)]
    speed = signed(rng, 1.0, 50.0) if rng.random() < 0.5 else 0.0
    axis = turn[:, 2]
    pinion: dict[str, Any] = {
        "gear": gears[0],
        "position": Point(tuple(rng.normal(size=3))),
        "orientation": Turn(turn),
    }
    wheel: dict[str, Any] = {
        "gear": gears[1], "mesh_with": Name("pinion"), "towards": Arrow(tuple(turn[:, 0])),
    }  # fmt: skip
    if speed:
        pinion["angular_velocity"] = Arrow(tuple(speed * axis), "rad/s", axial=True)
        wheel["angular_velocity"] = Arrow(tuple(-speed * teeth[0] / teeth[1] * axis), "rad/s", axial=True)
    mesh, stiffness = _mesh(rng)
    parts = [
        Part("gear_body", "pinion", pinion, kept=True),
        Part("gear_body", "wheel", wheel, kept=True),
        Part("revolute", "first", {"a": Name("ground"), "b": Name("pinion")}),
        Part("revolute", "second", {"a": Name("ground"), "b": Name("wheel")}),
        Part("gear_pair", "mesh", {"a": Name("pinion"), "b": Name("wheel"), "mesh": mesh}),
        Part("torque", "load", {"on": Name("first"), "value": Number(signed(rng, 1.0, 200.0), "N*m")}),
    ]
    if rng.random() < 0.7:
        given = {"joint": Name("second"), "stiffness": Number(log_uniform(rng, 1e3, 1e5), "N*m/rad")}
        if rng.random() < 0.5:
            given["damping"] = Number(log_uniform(rng, 0.1, 10.0), "N*m*s/rad")
        parts.append(Part("torsion_spring", "hold", given))
    mass = 7800.0 * np.pi / 4 * (teeth[0] * module) ** 2 * width
    step = float(f"{0.5 / np.sqrt(2.0 * stiffness / mass):.2g}")
    gravity = tuple(9.81 * turn[:, int(rng.integers(3))]) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    return Machine("simple pair", seed, tuple(parts), gravity, step=step, steps=20, traits=OWN)


def _gear(module: float, width: float, teeth: int, helix: float, rng: Rng) -> Call:
    given: dict[str, Any] = {
        "teeth": teeth, "normal_module": Number(module, "m"), "face_width": Number(width, "m"),
    }  # fmt: skip
    if helix:
        given["helix_angle"] = Number(helix, "rad", odd=True)
    if rng.random() < 0.3:
        given["backlash_allowance"] = Number(module * float(rng.uniform(0.01, 0.05)), "m")
    return Call("pl.Gear", given)


def _mesh(rng: Rng) -> tuple[Call, float]:
    """Teeth, and about their stiffness."""
    kind = pick(rng, ("Elastic", "Elastic", "Elastic", "Rigid", "Rolling"))
    given: dict[str, Any] = {}
    if kind != "Elastic":
        return Call(f"pl.{kind}", given), 1e8
    stiffness = log_uniform(rng, 1e6, 1e9)
    if rng.random() < 0.6:
        given["stiffness"] = Number(stiffness, "N/m")
    if rng.random() < 0.5:
        given["damping"] = Number(2.0 * 0.1 * float(np.sqrt(stiffness)), "N*s/m")
    if rng.random() < 0.4:
        given["backlash"] = Number(log_uniform(rng, 1e-6, 1e-4), "m")
    return Call("pl.Elastic", given), stiffness


def simple_rotor(seed: int) -> Machine:
    """A body on two rolling bearings, held against rotation by a spring."""
    rng = np.random.default_rng([seed, 3])
    turn = rotation(rng)
    centre, axis = rng.normal(size=3), turn[:, 2]
    half = float(rng.uniform(0.03, 0.12))
    mass = log_uniform(rng, 1.0, 8.0)
    parts = [
        Part(
            "body",
            "rotor",
            {
                "mass": Number(mass, "kg"),
                "inertia": inertia(rng, mass, 0.1),
                "position": Point(tuple(centre)),
                "orientation": Turn(turn),
            },
            kept=True,
        )
    ]
    kind = pick(rng, tuple(BEARINGS))
    for k, side in enumerate((-1.0, 1.0)):
        given: dict[str, Any] = {
            "a": On("ground", tuple(centre + side * half * axis), turn), "b": On("rotor", (0.0, 0.0, side * half), np.eye(3)),
            "design": BEARINGS[kind](rng), "cage": pick(rng, ("rest", "smooth", "turning")),
        }  # fmt: skip
        if kind in ONE_WAY:
            given["flipped"] = Hand(k == 1, k == 0)  # type: ignore[arg-type]
            given["preload"] = Number(log_uniform(rng, 100.0, 500.0), "N")
        parts.append(Part("bearing", f"B{k}", given))
    hold = np.diag([0.0, 0.0, 1e4 if kind in NO_AXIAL else 0.0, 0.0, 0.0, log_uniform(rng, 1e2, 1e4)])
    parts.append(
        Part(
            "bushing",
            "hold",
            {
                "a": On("ground", tuple(centre), turn),
                "b": On("rotor", (0.0, 0.0, 0.0), np.eye(3)),
                "stiffness": Matrix6(tuple(map(tuple, hold)), "N/m"),
                "damping": Matrix6(tuple(map(tuple, 1e-3 * hold)), "N*s/m"),
            },
        )
    )
    own = np.random.default_rng([seed, 33])
    if own.random() < 0.3:
        frames = {"a": On("ground", tuple(centre), turn), "b": On("rotor", (0.0, 0.0, 0.0), np.eye(3))}
        parts.append(Part("axial_support", "shoulder", draw(own, "axial_support", frames, share=0.7)))
    size = log_uniform(rng, 300.0, 3000.0)
    force = turn @ (size * np.array([*rng.normal(size=2), 0.0 if kind in NO_AXIAL else 0.2 * rng.normal()]))
    place = Point(tuple(centre + float(rng.uniform(-half, half)) * axis))
    parts.append(Part("force", "load", {"on": Name("rotor"), "value": Arrow(tuple(force), "N"), "at": place}))
    gravity = tuple(9.81 * turn[:, 0]) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    return Machine("simple rotor", seed, tuple(parts), gravity, step=5e-5, steps=20, traits=OWN)


def _ball(rng: Rng, **more: Any) -> dict[str, Any]:
    ball = log_uniform(rng, 6e-3, 15e-3)
    balls = int(rng.integers(7, 13))
    given = {
        "balls": balls,
        "ball": Number(ball, "m"),
        "pitch": Number(ball * balls * float(rng.uniform(0.42, 0.5)), "m"),
    }
    return {**given, "rating": Number(log_uniform(rng, 1e4, 4e4), "N"), **more}


def _roller(rng: Rng, **more: Any) -> dict[str, Any]:
    roller = log_uniform(rng, 5e-3, 12e-3)
    rollers = int(rng.integers(10, 18))
    length = Number(roller * float(rng.uniform(1.0, 1.8)), "m")
    pitch = Number(roller * rollers * float(rng.uniform(0.4, 0.5)), "m")
    given = {"rollers": rollers, "roller": Number(roller, "m"), "length": length, "pitch": pitch}
    return {**given, "rating": Number(log_uniform(rng, 2e4, 8e4), "N"), **more}


def _clearance(rng: Rng) -> dict[str, Any]:
    return {"clearance": Number(log_uniform(rng, 1e-6, 3e-5), "m")} if rng.random() < 0.5 else {}


def _angle(rng: Rng, low: float, high: float) -> Number:
    return Number(float(rng.uniform(low, high)), "rad")


BEARINGS: dict[str, Any] = {
    "DeepGrooveBall": lambda rng: Call("pl.DeepGrooveBall", _ball(rng, **_clearance(rng))),
    "AngularContactBall": lambda rng: Call("pl.AngularContactBall", _ball(rng, contact_angle=_angle(rng, 0.3, 0.6))),
    "CylindricalRoller": lambda rng: Call("pl.CylindricalRoller", _roller(rng, **_clearance(rng))),
    "NeedleRoller": lambda rng: Call("pl.NeedleRoller", _roller(rng, **_clearance(rng))),
    "TaperedRoller": lambda rng: Call("pl.TaperedRoller", _roller(rng, contact_angle=_angle(rng, 0.2, 0.4))),
    "SphericalRoller": lambda rng: Call("pl.SphericalRoller", _roller(rng, contact_angle=_angle(rng, 0.12, 0.25))),
}
"""A random design of each type."""
ONE_WAY = ("AngularContactBall", "TaperedRoller")
"""Types that carry axial loads one way."""
NO_AXIAL = ("CylindricalRoller", "NeedleRoller")
"""Types without axial stiffness."""


def simple_shaft(seed: int) -> Machine:
    """An elastic shaft of some sections on two springs, with loads at its stations."""
    rng = np.random.default_rng([seed, 4])
    turn = rotation(rng)
    origin, axis = rng.normal(size=3), turn[:, 2]
    lengths = rng.uniform(0.03, 0.12, int(rng.integers(1, 4)))
    total = float(np.sum(lengths))
    sections = [_section(rng, float(length)) for length in lengths]
    places = np.sort(rng.uniform(0.05, 0.95, 3)) * total
    names = ("left", "middle", "right")
    stations = {name: Number(float(z), "m") for name, z in zip(names, places, strict=True)}
    given: dict[str, Any] = {
        "sections": sections, "position": Point(tuple(origin)), "orientation": Turn(turn), "stations": stations,
    }  # fmt: skip
    if rng.random() < 0.3:
        given["elements"] = int(rng.integers(4, 9))
    if rng.random() < 0.4:
        given["damping"] = Number(log_uniform(rng, 1e-6, 1e-5), "s")
    parts = [Part("shaft", "shaft", given, kept=True)]
    for k, name in enumerate(("left", "right")):
        k_r, k_t = log_uniform(rng, 1e6, 1e8), log_uniform(rng, 1e2, 1e4)
        k_a = 1e7 if k == 0 else 0.0
        stiffness = np.diag([k_r, k_r * 0.7, k_a, k_t, k_t, 1e4 if k == 0 else 0.0])
        ends = {
            "a": On("ground", tuple(origin + stations[name].value * axis), turn),
            "b": On(f"shaft {name}", (0.0, 0.0, 0.0), np.eye(3)),
            "stiffness": Matrix6(tuple(map(tuple, stiffness)), "N/m"),
            "damping": Matrix6(tuple(map(tuple, 1e-5 * stiffness)), "N*s/m"),
        }
        parts.append(Part("bushing", f"support {name}", ends))
    force = Arrow(tuple(log_uniform(rng, 50.0, 5000.0) * rng.normal(size=3)), "N")
    parts.append(Part("force", "load", {"on": Name("shaft middle"), "value": force}))
    if rng.random() < 0.5:
        moment = Arrow(tuple(log_uniform(rng, 5.0, 200.0) * rng.normal(size=3)), "N*m", axial=True)
        parts.append(Part("torque", "moment", {"on": Name("shaft end"), "value": moment}))
    if rng.random() < 0.3:
        off = OwnArrow(tuple(0.02 * rng.normal(size=3)))
        mass = {"on": Name("shaft middle"), "mass": Number(log_uniform(rng, 0.2, 3.0), "kg"), "centre_of_mass": off}
        parts.append(Part("attached_mass", "disk", mass))
    gravity = tuple(9.81 * turn[:, int(rng.integers(3))]) if rng.random() < 0.6 else (0.0, 0.0, 0.0)
    return Machine("simple shaft", seed, tuple(parts), gravity, step=1e-5, steps=20, traits=OWN)


def _section(rng: Rng, length: float) -> Call:
    outer = float(rng.uniform(0.02, 0.05))
    given: dict[str, Any] = {"length": Number(length, "m"), "outer": Number(outer, "m")}
    if rng.random() < 0.3:
        given["inner"] = Number(0.4 * outer, "m")
    return Call("pl.ShaftSection", given)
