"""Machines of elastic shafts: sections, bearings of all types, gears, beams, couplings, sheets, flexible bodies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.bearings import AXIAL, KINDS_OF_BEARINGS, design, options
from machines.coupling_designs import coupling_design
from machines.designs import material, pair
from machines.draws import Rng, body, log_uniform, pick, rotation
from machines.gears import HERE, accepted
from machines.machine import Machine, Part
from machines.meshes import mesh
from machines.options import unit_vector
from machines.trains import matrix
from machines.values import Arrow, Call, Name, Number, On, Point, Turn


def shaft(seed: int) -> Machine:
    """One or two shafts with what they carry, or beams, sheets and flexible bodies."""
    return accepted(4, seed, lambda rng: _shaft(rng, seed) if rng.random() < 0.75 else _structure(rng, seed))


class Line:
    """A shaft: where it is, its seats and its sections."""

    def __init__(self, rng: Rng, name: str, place: np.ndarray, frame: np.ndarray, speed: float) -> None:
        self.rng, self.name, self.place, self.frame, self.speed = rng, name, place, frame, speed
        self.diameter = log_uniform(rng, 0.015, 0.06)
        self.length = self.diameter * float(rng.uniform(6, 12))
        self.stations = {"left": 0.1, "seat": float(rng.uniform(0.3, 0.7)), "right": 0.9}

    def part(self) -> Part:
        """The shaft."""
        rng, d = self.rng, self.diameter
        inner = Number(0.3 * d, "m") if rng.random() < 0.3 else None
        sections = []
        for share, size in ((0.25, 1.0), (0.5, float(rng.uniform(1.0, 1.4))), (0.25, 1.0)):
            given: dict[str, Any] = {"length": Number(share * self.length, "m"), "outer": Number(size * d, "m")}
            if inner is not None:
                given["inner"] = inner
            if rng.random() < 0.2 and share == 0.5:
                given["outer_end"] = Number(1.05 * size * d, "m")
                if inner is not None:
                    given["inner_end"] = Number(0.4 * d, "m")
            if rng.random() < 0.2:
                given["notch_factor"] = Number(1.5)
            if rng.random() < 0.1:
                given["material"] = material(rng)
            sections.append(Call("pl.ShaftSection", given))
        given = {
            "sections": sections, "material": material(rng), "position": Point(tuple(self.place)),
            "orientation": Turn(self.frame, along=True),
            "stations": {key: Number(share * self.length, "m") for key, share in self.stations.items()},
        }  # fmt: skip
        if rng.random() < 0.6:
            given["damping"] = Number(log_uniform(rng, 1e-7, 1e-5), "s")
            if rng.random() < 0.3:
                given["damping"] = {
                    "bending": Number(1e-6, "s"),
                    "torsion": Number(2e-6, "s"),
                    "axial": Number(1e-6, "s"),
                }
        if rng.random() < 0.4:
            given["elements"] = int(rng.integers(1, 5))
        if rng.random() < 0.2:
            given["mass"] = pick(rng, ("tuned", "consistent", "lumped"))
        if rng.random() < 0.15:
            given["frequency"] = Number(1000.0, "Hz")
            given.pop("elements", None)
        if rng.random() < 0.2:
            given["step_angle"] = Number(0.8, "rad")
        if rng.random() < 0.15:
            given["hubs"] = {"seat": (Number(1.5 * d, "m"), Number(0.8 * d, "m"))}
        if self.speed:
            given["speed"] = Number(self.speed, "rad/s", odd=True)
        return Part("shaft", self.name, given, kept=True)

    def at(self, station: str) -> np.ndarray:
        """Position of a station."""
        share = {"start": 0.0, "end": 1.0}.get(station, self.stations.get(station, 0.0))
        return self.place + share * self.length * self.frame[:, 2]

    def frame_of(self, base: str, station: str, housing: tuple[np.ndarray, np.ndarray]) -> On:
        """A frame at a station, on the ground or on the housing."""
        if base == "ground":
            return On("ground", tuple(self.at(station)), self.frame, along=True)
        place, turn = housing
        return On(base, tuple(turn.T @ (self.at(station) - place)), turn.T @ self.frame, along=True)


def _shaft(rng: Rng, seed: int) -> Machine:
    frame, place = rotation(rng), rng.normal(size=3)
    speed = log_uniform(rng, 1, 200) if rng.random() < 0.6 else 0.0
    lines = [Line(rng, "s0", place, frame, speed)]
    parts = [lines[0].part()]
    housing = (place, rotation(rng))
    base = "ground"
    if rng.random() < 0.25:
        base = "housing"
        made = body(rng, base, moving=False, at=place)
        made.given["orientation"] = Turn(housing[1])  # type: ignore[index]
        parts.insert(0, made)
        stiff = np.diag([1e8, 2e8, 1.5e8, 1e6, 1e6, 2e6])
        parts.append(Part("bushing", "feet", {
            "a": Name("ground"), "b": On(base, HERE, rotation(rng)), "stiffness": matrix(stiff, "N/m"),
            "damping": matrix(1e-4 * stiff, "N*s/m")}))  # fmt: skip
    if rng.random() < 0.25:
        first = lines[0]
        lines.append(Line(rng, "s1", first.at("end") + 0.2 * first.length * frame[:, 2], frame, speed))
        parts.append(lines[1].part())
        name = pick(rng, ("pl.ElasticCoupling", "pl.GearCoupling", "pl.Spline"))
        ends = {
            "a": Name("s0 end"),
            "b": Name("s1 start"),
            "at": Point(tuple(0.5 * (first.at("end") + lines[1].at("start")))),
        }
        parts.append(
            Part(
                "coupling", "coupling", ends | {"design": coupling_design(rng, name), "axis": Arrow(tuple(frame[:, 2]))}
            )
        )
    symmetric = True
    for line in lines:
        parts += _bearings(rng, line, base, housing)
        held = np.diag([0.0] * 5 + [log_uniform(rng, 1e3, 1e5)])
        if line is lines[0] and rng.random() < 0.6 and not speed:
            parts.append(Part("bushing", "held", {
                "a": line.frame_of(base, "start", housing), "b": Name("s0 start"), "stiffness": matrix(held, "N/m"),
                "damping": matrix(1e-4 * held, "N*s/m")}))  # fmt: skip
    if rng.random() < 0.45:
        more, symmetric = _with_gear(rng, lines[0])
        parts += more
    parts += _loads(rng, lines)
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.7 else HERE
    traits = {"real units", "along"} | (set() if symmetric else {"no mirror"})
    return Machine(
        "shaft", seed, tuple(parts), gravity, step=log_uniform(rng, 2e-6, 1e-4), steps=10, traits=frozenset(traits)
    )


def _bearings(rng: Rng, line: Line, base: str, housing: tuple[np.ndarray, np.ndarray]) -> list[Part]:
    parts = []
    rolling = rng.random() < 0.75
    for side in ("left", "right"):
        ends = {"a": line.frame_of(base, side, housing), "b": Name(f"{line.name} {side}")}
        if rolling:
            kind = pick(rng, KINDS_OF_BEARINGS)
            given = options(rng, kind)
            if kind in AXIAL and side == "right":
                given["flipped"] = True
            parts.append(
                Part("bearing", f"{side} of {line.name}", ends | {"design": design(rng, kind, line.diameter)} | given)
            )
        if not rolling or side == "left":  # something holds the shaft along its axis
            k = log_uniform(rng, 1e7, 5e8)
            stiff = np.diag([0.0 if rolling else k, 0.0 if rolling else k, k if side == "left" else 0.0, 0.0, 0.0, 0.0])
            parts.append(Part("bushing", f"{side} support of {line.name}", ends | {
                "stiffness": matrix(stiff, "N/m"), "damping": matrix(1e-5 * stiff, "N*s/m")}))  # fmt: skip
    return parts


def _with_gear(rng: Rng, line: Line) -> tuple[list[Part], bool]:
    """A gear on the seat and its mate on a joint; and whether both flanks are alike."""
    kind = pick(rng, ("spur", "helical", "bevel", "worm", "spur", "helical"))
    module = 1.6 * line.diameter / 17
    two = pair(rng, kind, module=module)
    two = replace(two, a=_along(two.a), b=_along(two.b))
    given = {"body": Name(f"{line.name} seat"), "gear": two.a}
    if rng.random() < 0.3:
        given["with_mass"] = bool(rng.integers(2))
    parts = [Part("wheel", "wheel", given)]
    angle = float(rng.uniform(-np.pi, np.pi))
    towards = line.frame @ np.array([np.cos(angle), np.sin(angle), 0.0])
    placing = {k: v for k, v in two.placing.items() if k != "axial_shift"}
    mate = {"gear": two.b, "mesh_with": Name("wheel"), "towards": Arrow(tuple(towards)), **placing}
    parts.append(Part("gear_body", "mate", mate, kept=True))
    parts.append(Part("revolute", "out", {"a": Name("ground"), "b": Name("mate")}))
    symmetric = rng.random() < 0.7
    law = mesh(rng, kind, share=0.1, symmetric=symmetric, shaft=True)
    parts.append(Part("gear_pair", "mesh", {"a": Name("wheel"), "b": Name("mate"), "mesh": law}))
    parts.append(Part("torsion_spring", "brake", {"joint": Name("out"), "stiffness": Number(1e4, "N*m/rad")}))
    text = repr(law)
    return parts, not any(
        word in text for word in ("error", "backlash_side", "line_of_action", "cos", "Varying", "coast")
    )


def _along(gear: Call) -> Call:
    """A cone whose axis is that of a shaft keeps its sign in a mirror image."""
    cones = {key: replace(gear.given[key], odd=False) for key in ("cone_angle",) if key in gear.given}
    return replace(gear, given={**gear.given, **cones})


def _loads(rng: Rng, lines: list[Line]) -> list[Part]:
    parts: list[Part] = []
    for k in range(int(rng.integers(1, 4))):
        line = pick(rng, lines)
        station = f"{line.name} {pick(rng, ('start', 'left', 'seat', 'right', 'end'))}"
        maker = pick(rng, ("force", "torque", "attached_mass", "sensor", "force"))
        given: dict[str, Any] = {"on": Name(station)}
        if maker == "force":
            given["value"] = Arrow(tuple(log_uniform(rng, 50, 2e3) * unit_vector(rng)), "N")
        elif maker == "torque":
            along = log_uniform(rng, 1, 50) * line.frame[:, 2] + rng.normal(size=3)
            given["value"] = Arrow(tuple(along), "N*m", axial=True)
        elif maker == "attached_mass":
            given |= {"mass": Number(log_uniform(rng, 0.05, 1), "kg"), "at": Point(tuple(line.at("seat")))}
        parts.append(Part(maker, f"{maker} {k}", given))
    return parts


def _structure(rng: Rng, seed: int) -> Machine:
    """Beams, a sheet or a flexible body with a body on springs."""
    kind = pick(rng, ("beams", "beams", "membrane", "flexible"))
    parts, traits = {"beams": _beams, "membrane": _sheet, "flexible": _plate}[kind](rng)
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.7 else HERE
    return Machine("shaft", seed, tuple(parts), gravity, step=log_uniform(rng, 1e-5, 1e-4), steps=10,
                   traits=frozenset({"real units", *traits}))  # fmt: skip


def _section(rng: Rng) -> Call:
    size = log_uniform(rng, 0.01, 0.05)
    form = pick(rng, ("circle", "tube", "rectangle", "properties"))
    given: dict[str, Any] = {"material": material(rng)}
    if form == "circle":
        return Call("pl.BeamSection.circle", given, (Number(size, "m"),))
    if form == "tube":
        return Call("pl.BeamSection.tube", given, (Number(size, "m"), Number(0.2 * size, "m")))
    if form == "rectangle":
        return Call("pl.BeamSection.rectangle", given, (Number(size, "m"), Number(1.4 * size, "m")))
    places = (
        Number(size**2, "m^2"),
        (Number(size**4 / 10, "m^4"), Number(size**4 / 14, "m^4")),
        Number(size**4 / 8, "m^4"),
    )
    return Call("pl.BeamSection.from_properties", given, places)


def _beams(rng: Rng) -> tuple[list[Part], set[str]]:
    frame, place = rotation(rng), rng.normal(size=3)

    def point(x: float, y: float, z: float) -> np.ndarray:
        return place + frame @ np.array([x, y, z])

    count = int(rng.integers(1, 4))
    corners = [point(0, 0, 0), point(0, 0, 0.6), point(0.5, 0, 0.6), point(0.5, 0.4, 0.6)]
    parts: list[Part] = []
    for k in range(count):
        start = On("ground", tuple(corners[0]), np.eye(3)) if k == 0 else Name(f"beam{k - 1} end")
        across = (
            frame @ np.array([0.6, 0.8, 0.0])
            if k == 0
            else frame @ np.array([0.0, 0.6, 0.8] if k == 1 else [1.0, 0.0, 0.0])
        )
        given: dict[str, Any] = {
            "a": start, "b": Point(tuple(corners[k + 1])), "section": _section(rng), "up": Arrow(tuple(across)),
        }  # fmt: skip
        if rng.random() < 0.5:
            given["elements"] = int(rng.integers(1, 4))
        if rng.random() < 0.5:
            given["damping"] = Number(log_uniform(rng, 1e-6, 1e-4), "s")
        if rng.random() < 0.3:
            given["stations"] = {"middle": Number(0.2, "m")}
        if rng.random() < 0.2:
            given["mass"] = pick(rng, ("tuned", "consistent", "lumped"))
        if rng.random() < 0.15:
            given["points"] = [Point(tuple(0.5 * (corners[k] + corners[k + 1]) + 0.05 * across))]
        parts.append(Part("beam", f"beam{k}", given, kept=True))
    end = f"beam{count - 1} end"
    for k in range(int(rng.integers(1, 3))):
        if rng.random() < 0.6:
            parts.append(
                Part("force", f"force {k}", {"on": Name(end), "value": Arrow(tuple(rng.normal(size=3) * 50), "N")})
            )
        else:
            value = Arrow(tuple(rng.normal(size=3) * 5), "N*m", axial=True)
            parts.append(Part("torque", f"torque {k}", {"on": Name(end), "value": value}))
    if rng.random() < 0.4:
        mass = {"mass": Number(1.0, "kg"), "inertia": Number((0.01, 0.01, 0.01), "kg*m^2")}
        parts.append(Part("attached_mass", "load", {"on": Name(end), **mass, "at": Point(tuple(corners[count]))}))
    return parts, {"along"}


def _sheet(rng: Rng) -> tuple[list[Part], set[str]]:
    frame, place = rotation(rng), rng.normal(size=3)
    corners = [place + frame @ np.array(c) for c in ((0, 0, 0), (0.2, 0, 0), (0.2, 0.15, 0), (0, 0.15, 0))]
    hand = body(rng, "hand", moving=False, at=corners[2], size=0.05)
    places = ([Point(tuple(c)) for c in corners], [int(rng.integers(1, 3)), int(rng.integers(1, 3))])
    more = {"triangles": True} if rng.random() < 0.4 else {}
    given: dict[str, Any] = {
        "mesh": Call("pl.MembraneMesh.patch", more, places), "thickness": Number(log_uniform(rng, 5e-4, 3e-3), "m"),
        "attached": {Name("ground"): "side 4", Name("hand"): "side 2"}, "material": material(rng),
    }  # fmt: skip
    if rng.random() < 0.6:
        given["damping"] = Number(log_uniform(rng, 1e-7, 1e-5), "s")
    if rng.random() < 0.4:
        given["prestress"] = Number(1e6, "N/m^2")
    if rng.random() < 0.3:
        given["axis"] = Arrow(tuple(frame[:, 0]))
    parts = [hand, Part("membrane", "sheet", given)]
    pull = 100 * frame[:, 0] + 10 * rng.normal(size=3)
    parts.append(Part("force", "pull", {"on": Name("hand"), "value": Arrow(tuple(pull), "N")}))
    stiff = np.diag([1e4, 1e4, 1e4, 100.0, 100.0, 100.0])
    parts.append(Part("bushing", "arm", {
        "a": Name("ground"), "b": On("hand", HERE, rotation(rng)), "stiffness": matrix(stiff, "N/m"),
        "damping": matrix(1e-3 * stiff, "N*s/m")}))  # fmt: skip
    return parts, set()


PLATE: dict[str, Any] = {
    "kind": "plate", "size": ("260 mm", "160 mm", "25 mm"), "element": "40 mm",
    "seats": {"one": {"at": ("75 mm", "80 mm"), "diameter": "62 mm"}, "two": {"at": ("175 mm", "80 mm"), "diameter": "72 mm"}},
}  # fmt: skip


def _plate(rng: Rng) -> tuple[list[Part], set[str]]:
    """A bearing plate of finite elements."""
    steel = Call("pl.Material", {"density": 7800.0, "youngs_modulus": 2e11, "poissons_ratio": 0.3}, ("steel",))
    reduced = {"interfaces": {"one": "one", "two": "two", "foot": "y-"}, "modes_to": "8 kHz"}
    element = Call("pl.Superelement.from_shape", reduced, (PLATE, steel))
    given: dict[str, Any] = {
        "superelement": element,
        "position": Point(tuple(rng.normal(size=3))),
        "orientation": Turn(rotation(rng)),
    }
    if rng.random() < 0.6:
        given["damping"] = Number(log_uniform(rng, 1e-7, 1e-5), "s")
    if rng.random() < 0.5:
        given["modal_damping"] = Number(0.02)
    parts = [Part("flexible_body", "plate", given, kept=True)]
    if rng.random() < 0.7:
        parts.append(Part("fixed", "bolts", {"a": Name("ground"), "b": Name("plate foot")}))
    else:
        stiff = np.diag([1e8, 2e8, 1e8, 1e6, 1e6, 1e6])
        parts.append(Part("bushing", "feet", {
            "a": Name("ground"), "b": Name("plate foot"), "stiffness": matrix(stiff, "N/m"),
            "damping": matrix(1e-5 * stiff, "N*s/m")}))  # fmt: skip
    for seat in ("one", "two"):
        value = Arrow(tuple(rng.normal(size=3) * 500), "N")
        parts.append(Part("force", f"load {seat}", {"on": Name(f"plate {seat}"), "value": value}))
    return parts, {"no mirror"}
