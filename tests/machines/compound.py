"""Planetary trains of two or three stages: in series, on common members, on inclined axes, and Ravigneaux trains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.draws import Rng, log_uniform, pick, rotation
from machines.gears import HERE, accepted
from machines.machine import Machine, Part
from machines.stages import stage
from machines.trains import ON_JOINT
from machines.values import Arrow, Call, Name, Number, Point

import pitchline as pl

MEMBERS = ("sun", "ring", "carrier")
LINKS = (
    {"sun": "carrier"}, {"sun": "carrier"}, {"ring": "carrier"}, {"carrier": "ring"}, {"sun": "sun", "ring": "carrier"},
    {"sun": "sun", "carrier": "ring"}, {"carrier": "carrier"}, {"sun": "ring"},
)  # fmt: skip
"""Members of a stage that are on members of the stage before it: series, Simpson, common carrier and others."""


def compound(seed: int) -> Machine:
    """A train of planetary stages with common members."""
    return accepted(24, seed, lambda rng: _compound(rng, seed))


def _compound(rng: Rng, seed: int) -> Machine:
    axis = rotation(rng)[:, 2]
    place = rng.normal(size=3)
    tilted = rng.random() < 0.6
    parts: list[Part] = []
    joints: list[str] = []
    count = int(rng.choice([1, 2, 3], p=[0.35, 0.55, 0.1]))
    rolling = count > 1 and rng.random() < 0.7
    before: Part | None = None
    for k in range(count):
        name = ("first", "second", "third")[k]
        (made,), _ = stage(rng, name)
        given = dict(made.given)
        if rolling:
            _roll(given)
        along = axis if tilted else np.array([0.0, 0.0, 1.0])
        given["axis"] = Arrow(tuple(along), axial=True)
        given["position"] = Point(tuple(place + 0.3 * k * along))
        if before is not None:
            _link(rng, given, before)
        made = replace(made, given=given)
        parts.append(made)
        joints += [f"{name} {member} bearing" for member in MEMBERS if _on_hinge(given, member)]
        if given.get("arrangement") == "meshed" and "pin_stiffness" not in given and rng.random() < 0.6:
            parts += _ravigneaux(rng, made)
            joints.append(f"large sun of {name} bearing")
        before = made
    if not joints:
        raise pl.ModelError("no member on a hinge")
    if rng.random() < 0.8:
        stiff = Number(log_uniform(rng, 1e3, 1e6), "N*m/rad")
        parts.append(Part("torsion_spring", "hold", {"joint": Name(joints[-1]), "stiffness": stiff}))
    for k in range(int(rng.integers(1, 4))):
        joint = pick(rng, joints)
        maker = pick(rng, tuple(ON_JOINT)) if rng.random() < 0.4 else "torque"
        parts.append(Part(*ON_JOINT[maker](rng, maker, f"{maker} {k}", joint)))
    if rng.random() < 0.3:
        speed = log_uniform(rng, 1.0, 100.0)
        ramp = Call("pl.Ramp", {"start": Number(0.0, "rad/s"), "end": Number(speed, "rad/s"), "t0": Number(0.0, "s"),
                                "t1": Number(0.02, "s")})  # fmt: skip
        parts.append(Part("drive", "drive", {"joint": Name(joints[0]), "speed": ramp}))
    traits = frozenset({"real units", "round"})
    return Machine("compound", seed, tuple(parts), HERE, step=log_uniform(rng, 1e-5, 3e-4), traits=traits)


def _roll(given: dict[str, Any]) -> None:
    """Wheels that roll, on rigid bearings: statics of many elastic teeth takes seconds."""
    for key in ("pin_stiffness", "pin_damping", "bearings", "radial_errors", "tangential_errors"):
        given.pop(key, None)
    for key in ("mesh_sun", "mesh_ring", *(("mesh_planets",) if given.get("arrangement") == "meshed" else ())):
        given[key] = Call("pl.Rolling", {})
    given["phase"] = "fit"


def _on_hinge(given: dict[str, Any], member: str) -> bool:
    return (
        member != given.get("fixed") and member not in given.get("on", {}) and member not in given.get("bearings", {})
    )


def _link(rng: Rng, given: dict[str, Any], before: Part) -> None:
    """Members of this stage on members of the stage before it, which have a body."""
    links = [link for link in LINKS if before.given.get("fixed") not in link.values()]
    link = pick(rng, links)
    given["on"] = {member: Name(f"{before.name} {other}") for member, other in link.items()}
    if given.get("fixed") in link or (len(link) == 2 and "fixed" in given):
        del given["fixed"]
    if "fixed" not in given and len(link) == 1 and rng.random() < 0.7:
        given["fixed"] = pick(rng, [member for member in MEMBERS if member not in link])
    bearings = {
        key: value for key, value in given.get("bearings", {}).items() if key not in link and key != given.get("fixed")
    }
    given.pop("bearings", None)
    if bearings:
        given["bearings"] = bearings
    if "carrier" in link or given.get("fixed") == "carrier":
        given.pop("masses", None)
    elif "masses" not in given:
        size = Number(0.05, "m"), Number(0.01, "m")
        given["masses"] = {"carrier": Call("pl.cylinder", {"density": Number(7800.0, "kg/m^3")}, size)}


def _ravigneaux(rng: Rng, made: Part) -> list[Part]:
    """A second sun, which meshes with the outer planets."""
    given = made.given
    outer, ring = given["planet"][1], given["ring"]
    teeth = ring.given["teeth"] - 2 * outer.given["teeth"]
    name = f"large sun of {made.name}"
    gear = {key: value for key, value in outer.given.items() if key not in ("teeth", "helix_angle", "bore")}
    if "helix_angle" in outer.given:
        beta = outer.given["helix_angle"]
        gear["helix_angle"] = replace(beta, value=-beta.value)
    axis = given["axis"]
    body = {"gear": Call("pl.Gear", {**gear, "teeth": teeth}), "position": given["position"], "axis": axis}
    parts = [Part("gear_body", name, body)]
    hinge = {"a": Name("ground"), "b": Name(name), "at": given["position"], "axis": axis}
    parts.append(Part("revolute", f"{name} bearing", hinge))
    count = given.get("planets", 3)
    if "mesh_sun" in given:
        mesh = given["mesh_sun"]
    else:
        mesh = None
    for i in range(1, count + 1):
        pair: dict[str, Any] = {"a": Name(name), "b": Name(f"{made.name} outer planet {i}"), "phase": "fit"}
        one = mesh[i - 1] if isinstance(mesh, list) else mesh
        if one is not None:
            pair["mesh"] = one
        parts.append(Part("gear_pair", f"{name} mesh {i}", pair))
    return parts
