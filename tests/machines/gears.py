"""Machines of gear pairs of all kinds: chains on the ground, idlers, several at one gear, carriers, elastic supports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from machines.designs import PARALLEL, Pair, pair
from machines.draws import Rng, body, function, log_uniform, pick, rotation
from machines.machine import Machine, Part, build
from machines.mechanisms import friction
from machines.meshes import mesh
from machines.options import draw, unit_vector
from machines.values import Arrow, Call, Matrix6, Name, Number, On, Point, Turn

import pitchline as pl

WEIGHTS = {
    "spur": 5.0, "helical": 5.0, "internal": 2.0, "helical internal": 1.0, "bevel": 2.0, "spiral bevel": 1.0, "hypoid": 1.0,
    "worm": 2.0, "crossed": 1.0, "rack": 1.0, "helical rack": 1.0, "beveloid": 0.5,
}  # fmt: skip
"""Kinds of pairs and how often they are drawn."""
LAST = ("internal", "helical internal", "rack", "helical rack", "beveloid")
"""Kinds whose second gear has no further mate."""
CONES = ("bevel", "spiral bevel", "hypoid", "beveloid")
ALONG_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Axes of a frame with z along y of its body."""
HERE = (0.0, 0.0, 0.0)


def accepted(number: int, seed: int, make: Callable[[Rng], Machine], tries: int = 12) -> Machine:
    """The first machine that is accepted. A share of the refused ones is kept: a refusal must not depend on the place either."""
    for k in range(tries):
        try:
            machine = make(np.random.default_rng([seed, number, k]))
        except pl.PitchlineError:  # a design that cannot be
            continue
        try:
            build(machine)
        except pl.PitchlineError:
            if k < tries - 1 and np.random.default_rng([seed, number, k, 7]).random() > 0.05:
                continue
        return machine
    raise RuntimeError(f"no machine with the seed {seed}")


def gears(seed: int) -> Machine:
    """One to four gear pairs."""
    return accepted(2, seed, lambda rng: _gears(rng, seed))


class Chain:
    """Parts of a machine of gears, which grows by one pair at a time."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.parts: list[Part] = []
        self.designs: dict[str, Call] = {}
        self.kinds: dict[str, str] = {}
        self.on: dict[str, str] = {}
        """Body of each wheel."""
        self.speeds: dict[str, float] = {}
        """Speed of each body about its axis, or along it."""
        self.joints: list[tuple[str, str]] = []
        self.racks: set[str] = set()
        self.meshes: list[Part] = []

    def first(self, design: Call, kind: str) -> str:
        """The first gear, at a random place."""
        given = {
            "gear": design,
            "position": Point(tuple(self.rng.normal(size=3))),
            "orientation": Turn(rotation(self.rng)),
        }
        if self.rng.random() < 0.2:
            given["phase"] = Number(float(self.rng.uniform(-3, 3)), "rad")
        return self._body(given, design, kind, log_uniform(self.rng, 0.5, 100.0) if self.rng.random() < 0.7 else 0.0)

    def _body(self, given: dict[str, Any], design: Call, kind: str, speed: float) -> str:
        name = f"gear {len(self.designs)}"
        if self.rng.random() < 0.2 and "solid" not in given and kind not in ("rack", "helical rack"):
            given["mass"] = Number(log_uniform(self.rng, 0.2, 20), "kg")
        self.parts.append(Part("gear_body", name, given))
        self._wheel(name, name, design, kind)
        self.speeds[name] = speed
        return name

    def _wheel(self, name: str, on: str, design: Call, kind: str) -> None:
        self.designs[name], self.kinds[name], self.on[name] = design, kind, on

    def second_on(self, on: str, design: Call, kind: str) -> str:
        """A further wheel on a body, beside the first one."""
        name = f"wheel {len(self.designs)}"
        width = design.given["face_width"].value
        frame = On(on, (0.0, 0.0, float(self.rng.uniform(2, 4)) * width), np.eye(3))
        given: dict[str, Any] = {"body": frame, "gear": design}
        if self.rng.random() < 0.3:
            given["phase"] = Number(float(self.rng.uniform(0, 1)), "rad")
        self.parts.append(Part("wheel", name, given))
        self._wheel(name, on, design, kind)
        return name

    def pose(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Position and axes of a body, as placed."""
        m = build(Machine("gears", 0, tuple(self.parts), (0.0, 0.0, 0.0)))
        placed = m.bodies[name]
        turn = placed.orientation
        return np.asarray(placed.position, float), np.asarray(getattr(turn, "matrix", turn), float)

    def mate(self, of: str, two: Pair, *, options: float, symmetric: bool) -> str:
        """A gear in mesh with one that exists."""
        rng = self.rng
        _, turn = self.pose(self.on[of])
        angle = float(rng.uniform(-np.pi, np.pi))
        towards = turn @ np.array([np.cos(angle), np.sin(angle), 0.0])
        given = {"gear": two.b, "mesh_with": Name(of), "towards": Arrow(tuple(towards)), **two.placing}
        name = self._body(given, two.b, two.kind, self.speeds[self.on[of]] / two.ratio)
        if "rack" in two.kind:
            self.racks.add(name)
        given = {"a": Name(of), "b": Name(name)} if rng.random() < 0.5 else {"a": Name(name), "b": Name(of)}
        given["mesh"] = mesh(rng, two.kind, share=options, symmetric=symmetric)
        if rng.random() < 0.2:
            given["phase"] = pick(rng, ("fit", "as placed"))
        kind = "rack" if "rack" in two.kind else "mesh"
        self.meshes.append(Part("gear_pair", f"{kind} {len(self.meshes)}", given))
        return name

    def support(self, name: str, base: str) -> None:
        """A joint or an elastic bearing of a body with gears."""
        rng = self.rng
        frame = On(name, HERE, ALONG_Y if name in self.racks else np.eye(3))
        ends = {"a": Name(base), "b": frame}
        kind = pick(rng, ("revolute",) * 6 + ("bushing", "cylindrical"))
        if name in self.racks:
            kind = "prismatic"
        stiff = np.zeros(6)
        if kind == "bushing":
            stiff[:3] = log_uniform(rng, 1e6, 1e8)
            stiff[3:5] = log_uniform(rng, 1e3, 1e5)
        else:
            self.parts.append(Part(kind, f"bearing of {name}", ends, kept=True))
            self.joints.append((f"bearing of {name}", kind))
        if kind == "cylindrical":
            stiff[2] = log_uniform(rng, 1e5, 1e7)
        if np.any(stiff):
            matrix = np.diag(stiff)
            self.parts.append(Part("bushing", f"support of {name}", ends | {
                "stiffness": Matrix6(tuple(map(tuple, matrix)), "N/m"),
                "damping": Matrix6(tuple(map(tuple, 1e-4 * matrix)), "N*s/m")}))  # fmt: skip

    def moving(self) -> None:
        """Initial speeds that fit the ratios."""
        try:
            m = build(
                Machine("gears", 0, tuple(p for p in self.parts if p.maker in ("body", "gear_body", "wheel")), HERE)
            )
        except pl.PitchlineError:
            return
        for i, part in enumerate(self.parts):
            speed = self.speeds.get(part.name, 0.0)
            if part.maker != "gear_body" or not speed:
                continue
            turn = m.bodies[part.name].orientation
            axes = np.asarray(getattr(turn, "matrix", turn), float)
            if part.name in self.racks:
                given = {"velocity": Arrow(tuple(speed * axes[:, 1]), "m/s", moves=True)}
            else:
                given = {"angular_velocity": Arrow(tuple(speed * axes[:, 2]), "rad/s", axial=True)}
            self.parts[i] = replace(part, given={**part.given, **given})


def _gears(rng: Rng, seed: int) -> Machine:
    chain = Chain(rng)
    kinds, weights = zip(*WEIGHTS.items(), strict=True)
    chances = np.array(weights) / sum(weights)
    options = float(rng.choice([0.03, 0.12, 0.3]))
    module = None
    ends: list[str] = []
    any_cones = False
    for k in range(int(rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1]))):
        kind = str(rng.choice(kinds, p=chances))
        cones = kind in CONES
        any_cones |= cones
        if k == 0:
            two = pair(rng, kind)
            of = chain.first(two.a, kind)
        else:
            of = pick(rng, ends)
            again = kind in (*PARALLEL, "rack", "helical rack") and chain.kinds[of] in ("spur", "helical")
            if again and rng.random() < 0.6:
                plain = "helix_angle" not in chain.designs[of].given
                kind = ("" if plain else "helical ") + kind.removeprefix("helical ") if kind not in ("spur", "helical") else (
                    "spur" if plain else "helical")  # fmt: skip
                two = pair(rng, kind, first=chain.designs[of])
            else:
                two = pair(rng, kind)
                of = chain.second_on(chain.on[of], two.a, kind)
        module = module or two.a.given["normal_module"].value
        name = chain.mate(of, two, options=options, symmetric=cones and rng.random() < 0.8)
        ends += [end for end in (of, name) if end not in ends and (end == of or kind not in LAST)]
    _supports(chain)
    if rng.random() < 0.7:
        chain.moving()
    parts = chain.parts + chain.meshes + joint_loads(rng, chain)
    traits = {"no mirror"} if any_cones and (chain.racks or _asymmetric(chain)) else set()
    if any("material" not in design.given for design in chain.designs.values()):
        traits.add("real units")
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.5 else HERE
    step = log_uniform(rng, 2e-5, 5e-4)
    return Machine("gears", seed, tuple(parts), gravity, step=step, traits=frozenset(traits))


def _asymmetric(chain: Chain) -> bool:
    text = repr([part.given["mesh"] for part in chain.meshes])
    return any(word in text for word in ("error", "backlash_side", "line_of_action", "cos", "Varying", "coast"))


def _supports(chain: Chain) -> None:
    rng = chain.rng
    bodies = [part.name for part in chain.parts if part.maker == "gear_body"]
    base = {name: "ground" for name in bodies}
    if rng.random() < 0.15:
        moving = body(rng, "housing", moving=False)
        chain.parts.insert(0, moving)
        base = {name: "housing" for name in bodies}
        stiff = np.diag([1e6, 2e6, 1.5e6, 1e5, 1e5, 2e5])
        chain.parts.append(Part("bushing", "feet", {
            "a": Name("ground"), "b": On("housing", HERE, rotation(rng)), "stiffness": Matrix6(tuple(map(tuple, stiff)), "N/m"),
            "damping": Matrix6(tuple(map(tuple, 1e-3 * stiff)), "N*s/m")}))  # fmt: skip
    elif rng.random() < 0.15 and len(bodies) > 1 and bodies[1] not in chain.racks:
        position, turn = chain.pose(bodies[0])
        chain.parts.insert(0, body(rng, "carrier", moving=False, at=position))
        ends = {"a": Name("ground"), "b": Name("carrier"), "at": Point(tuple(position))}
        axis = Arrow(tuple(turn[:, 2]), axial=True)
        chain.parts.append(Part("revolute", "carrier bearing", {**ends, "axis": axis}))
        chain.joints.append(("carrier bearing", "revolute"))
        base[bodies[1]] = "carrier"
    for name in bodies:
        chain.support(name, base[name])


def joint_loads(rng: Rng, chain: Chain) -> list[Part]:
    """Torques, friction, springs and at most one drive."""
    parts: list[Part] = []
    turning = [name for name, kind in chain.joints if kind in ("revolute", "cylindrical")]
    for name, kind in chain.joints:
        if kind == "prismatic":  # the axis of its frame turns round in a mirror image
            if rng.random() < 0.6:
                parts.append(
                    Part("force", f"pull on {name}", {"on": Name(name), "value": function(rng, "N", 200.0, odd=True)})
                )
            continue
        if rng.random() < 0.6:
            value = function(rng, "N*m", log_uniform(rng, 1, 200))
            parts.append(Part("torque", f"load on {name}", {"on": Name(name), "value": value}))
        if rng.random() < 0.15:
            extra = {"coordinate": "angle"} if kind == "cylindrical" else {}
            parts.append(
                Part("friction", f"friction in {name}", {"joint": Name(name), **friction(rng, angle=True), **extra})
            )
        if rng.random() < 0.2:
            given = {"joint": Name(name), "stiffness": Number(log_uniform(rng, 50, 5e4), "N*m/rad")}
            parts.append(Part("torsion_spring", f"spring of {name}", draw(rng, "torsion_spring", given)))
    first = "bearing of gear 0"
    if first in turning and rng.random() < 0.4:
        speed = chain.speeds["gear 0"]
        if rng.random() < 0.6:
            ramp = Call("pl.Ramp", {"start": Number(speed, "rad/s"), "end": Number(1.3 * speed + 1.0, "rad/s"),
                                    "t0": Number(0.0, "s"), "t1": Number(0.02, "s")})  # fmt: skip
            given = {"joint": Name(first), "speed": ramp if rng.random() < 0.6 else Number(speed, "rad/s")}
        else:
            given = {
                "joint": Name(first),
                "angle": Call("pl.Polynomial", {}, ([Number(0.0, "rad"), Number(speed, "rad/s")],)),
            }
        if chain.joints[0][1] == "cylindrical" and "speed" in given:
            given["coordinate"] = "angle"
        parts.append(Part("drive", "drive", given))
    return parts
