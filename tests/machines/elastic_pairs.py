"""Machines of one gear pair, or two, whose teeth need finite elements: flanks in contact, and computed tables.

Finite elements and tables take some tenths of a second, and are kept in the cache of the user. Therefore the gears are taken
from a few designs with coarse grids; modifications of the flanks, which need no other finite elements, are drawn freely.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from machines.designs import Pair
from machines.draws import Rng, function, log_uniform, pick
from machines.gears import HERE, Chain, accepted, joint_loads
from machines.machine import Machine, Part
from machines.meshes import damping_of, over_mesh_cycle
from machines.options import unit_vector
from machines.values import Call, Name, Number

MODULE, WIDTH = 2e-3, 8e-3
SHARES = {
    "spur": 5.0, "helical": 4.0, "internal": 2.0, "helical internal": 1.0, "bevel": 1.0, "rack": 1.0, "helical rack": 1.0,
    "beveloid": 1.0, "crossed": 1.0, "worm": 1.0,
}  # fmt: skip
"""Kinds of pairs and how often they are drawn."""
PARALLEL = ("spur", "helical", "internal", "helical internal")
LINES = (*PARALLEL, "bevel", "rack", "helical rack")
"""Kinds with a default of the largest torque of their tables."""
TOOTH = {"flank_elements": 3, "fillet_elements": 1, "root_elements": 1, "across_elements": 2}
GRIDS: dict[str, dict[str, Any]] = {
    "cylinder": {**TOOTH, "body_elements": 2, "face_elements": 2}, "other": {**TOOTH, "body_elements": 2, "face_elements": 2},
    "rigid": {"body": "rigid"},
}  # fmt: skip
"""Grids of finite elements, coarse."""
COMPUTED = frozenset({"real units", "computed teeth"})
"""Defaults have units; and other units would need other finite elements."""


def flanks(seed: int) -> Machine:
    """A gear pair with contact on elastic flanks."""
    return accepted(21, seed, lambda rng: _machine(rng, seed, "flanks", _flank))


def tables(seed: int) -> Machine:
    """A gear pair with a table of loaded contact, computed from its gears or given, also over tilts."""
    return accepted(22, seed, lambda rng: _machine(rng, seed, "tables", _table))


def _gear(z: int, *, beta: float = 0.0, bore: float = 0.8e-3, **own: Any) -> Call:
    given: dict[str, Any] = {"teeth": z, "normal_module": Number(MODULE, "m"), "face_width": Number(WIDTH, "m"), **own}
    if beta:
        given["helix_angle"] = Number(beta, "rad", odd=True)
    if bore and not own.get("internal"):
        given["bore"] = Number(bore * z, "m")
    return Call("pl.Gear", given)


def fixed_pair(rng: Rng, kind: str) -> Pair:
    """Two gears of the few designs of a kind."""
    z1, z2 = pick(rng, ((18, 23), (20, 25)))
    hand = float(rng.choice([-1.0, 1.0]))
    beta = 0.3 * hand if kind.startswith("helical") else 0.0
    if kind in ("spur", "helical"):
        return Pair(kind, _gear(z1, beta=beta), _gear(z2, beta=-beta), {}, -z2 / z1)
    if kind in ("internal", "helical internal"):
        ring = _gear(60, beta=beta, internal=True, rim_diameter=Number(0.15, "m"), addendum_factor=Number(0.8))
        return Pair(kind, _gear(z1, beta=beta), ring, {}, 60 / z1)
    if kind in ("rack", "helical rack"):
        given = {
            "teeth": 20,
            "normal_module": Number(MODULE, "m"),
            "face_width": Number(WIDTH, "m"),
            "depth": Number(8e-3, "m"),
        }
        if beta:
            given["helix_angle"] = Number(-beta, "rad", odd=True)
        return Pair(kind, _gear(z1, beta=beta), Call("pl.Rack", given), {}, -2.0 * math.cos(beta) / (MODULE * z1))
    if kind == "bevel":
        d = math.atan2(z1, z2)
        a, b = (
            _gear(z, bore=0.0, cone_angle=Number(c, "rad", odd=True)) for z, c in ((z1, d), (z2, 0.5 * math.pi - d))
        )
        return Pair(kind, a, b, {}, -z2 / z1)
    if kind == "beveloid":
        half = Number(math.radians(4.0), "rad", odd=True)
        a, b = (_gear(z, profile_shift_angle=half) for z in (z1, z2))
        return Pair(kind, a, b, {"shaft_angle": Number(2.0 * half.value, "rad")}, -z2 / z1)
    if kind == "worm":
        lead = Number(0.2 * hand, "rad", odd=True)
        worm = Call("pl.Gear", {"starts": 2, "normal_module": Number(MODULE, "m"), "face_width": Number(4 * WIDTH, "m"),
                                "lead_angle": lead, "bore": Number(8e-3, "m")})  # fmt: skip
        wheel = _gear(30, helix_angle=lead)
        return Pair(kind, wheel, worm, {}, -2 / 30)
    return Pair(
        kind, _gear(z1, beta=0.4 * hand), _gear(z2, beta=0.4 * hand), {"shaft_angle": Number(0.8, "rad")}, -z2 / z1
    )


def _modified(rng: Rng, design: Call, kind: str, *, few: bool) -> Call:
    """A gear with modifications of its flanks. Tables are computed for each: their amounts are few."""
    if design.maker != "pl.Gear" or kind in ("worm", "bevel") or rng.random() < 0.4:
        return design
    if few:
        relief = Call("pl.TipRelief", {"amount": Number(1e-5, "m"), "length": Number(0.6 * MODULE, "m")})
        crowning = Call("pl.LeadCrowning", {"amount": Number(4e-6, "m")})
        return replace(design, given={**design.given, "modifications": [relief, crowning]})

    def amount(low: float, high: float) -> Number:
        return Number(log_uniform(rng, low, high), "m")

    parts = [
        Call("pl.TipRelief", {"amount": amount(2e-6, 3e-5), "length": Number(0.6 * MODULE, "m")}),
        Call("pl.LeadCrowning", {"amount": amount(1e-6, 1e-5)}), Call("pl.ProfileCrowning", {"amount": amount(1e-6, 1e-5)}),
        Call("pl.EndRelief", {"amount": amount(1e-6, 1e-5), "length": Number(0.2 * WIDTH, "m")}),
    ]  # fmt: skip
    chosen = [part for part in parts if rng.random() < 0.4]
    if not chosen:
        return design
    return replace(design, given={**design.given, "modifications": chosen})


def grids(kind: str, rng: Rng) -> dict[str, Any]:
    """Options of the finite elements of both gears."""
    rigid = rng.random() < 0.2
    one = dict(GRIDS["rigid"]) if rigid else _grid(kind)
    two = dict(GRIDS["rigid"]) if rigid or kind == "worm" else _grid(kind)
    return {"elements_a": one, "elements_b": two}


def _grid(kind: str) -> dict[str, Any]:
    return dict(GRIDS["cylinder" if kind in PARALLEL else "other"])


def _flank(rng: Rng, kind: str, machine: dict[str, Any]) -> Call:
    modes = pick(rng, (0.0, 3e4, 3e4))
    given: dict[str, Any] = {"modes": Number(modes, "Hz"), **grids(kind, rng)}
    if rng.random() < 0.3:
        given["bore"] = "shaft"
    if rng.random() < 0.7:
        given["damping_ratio"] = Number(log_uniform(rng, 1e-3, 0.1))
    if rng.random() < 0.3:
        given["backlash"] = Number(log_uniform(rng, 1e-6, 1e-4), "m")
    if rng.random() < 0.25:
        given["friction"] = Number(float(rng.uniform(0.02, 0.15)))
        given["friction_speed"] = Number(log_uniform(rng, 1e-3, 0.1), "m/s")
    if rng.random() < 0.1:
        given["penalty"] = Number(log_uniform(rng, 1e7, 1e8), "N/m")
    if rng.random() < 0.5:
        given["tilt"] = bool(rng.integers(2))
    _centres(rng, given)
    machine["step"] = log_uniform(rng, 1e-6, 4e-6)
    return Call("pl.Flank", given)


def _centres(rng: Rng, given: dict[str, Any]) -> None:
    if rng.random() < 0.15:
        given["separating"] = bool(rng.integers(2))
    if rng.random() < 0.3 and given.get("separating", True):
        given["follow_centres"] = bool(rng.integers(2))


def _table(rng: Rng, kind: str, machine: dict[str, Any]) -> Call:
    machine["step"] = log_uniform(rng, 2e-6, 2e-5)
    if kind in PARALLEL and rng.random() < 0.45:
        return _given_table(rng)
    given: dict[str, Any] = {
        "loads": 4, "phases": 12 if kind in PARALLEL else 8, "cells": 7, "resolution": Number(2.0), **grids(kind, rng)
    }  # fmt: skip
    if rng.random() < 0.3:
        given["bore"] = "free"
    force = 1e3
    radius = 1.0 if "rack" in kind else 0.025
    if kind not in LINES or rng.random() < 0.3:
        unit = "N" if "rack" in kind else "N*m"
        tops = (0.3 * force, 0.6 * force, force) if rng.random() < 0.3 else force
        if isinstance(tops, tuple):
            given.pop("loads")
            given["torque"] = [Number(top * radius, unit) for top in tops]
        else:
            given["torque"] = Number(tops * radius, unit)
    if kind in PARALLEL and rng.random() < 0.4:
        tilt = 2e-4
        given["tilts"] = (
            [Number(x * tilt, "rad") for x in (-1.0, 0.0, 0.4, 1.0)] if rng.random() < 0.5 else Number(tilt, "rad")
        )
        if isinstance(given["tilts"], Number):
            given["phases"] = 8
    if rng.random() < 0.2:
        given["coast"] = bool(rng.integers(2))
    _losses(rng, given)
    return Call("pl.Loaded", given)


def _given_table(rng: Rng) -> Call:
    """A table over loads, tilts of the axes and phases, with face load factors."""
    top, k, phases = log_uniform(rng, 1e3, 1e4), log_uniform(rng, 5e7, 3e8), 8
    loads = np.linspace(0.0, 1.0, 5) ** 1.5 * top
    wave = 1.0 + 0.1 * np.cos(2.0 * math.pi * np.arange(phases) / phases)
    given: dict[str, Any] = {"loads": Number(tuple(map(float, loads)), "N")}
    flat = np.outer(loads / k, wave) + 1e-6 * (1.0 - wave)[None, :]
    factors: Any
    if rng.random() < 0.7:
        tilts = log_uniform(rng, 1e-4, 1e-3) * np.array([-1.0, -0.4, 0.0, 0.5, 1.0])
        # one end of the face touches first, by the slope of the gap over half of the face; rounded at zero
        ahead = 0.5 * WIDTH * (np.sqrt(tilts**2 + 1e-8) - 1e-4)
        table = flat[None] - (ahead[:, None] * np.exp(-loads[None, :] / (0.2 * top)))[:, :, None]
        given["tilts"] = Number(tuple(map(float, tilts)), "rad")
        factors = 1.0 + np.abs(tilts)[:, None, None] * 1e3 * np.ones((len(tilts), len(loads) - 1, phases))
    else:
        table = flat
        factors = 1.2 + 0.0 * flat[1:]
    given["approach"] = Number(_rows(table), "m")
    own = rng.random() < 0.3
    if own:
        given["coast"] = Number(_rows(1.1 * table), "m")
    if rng.random() < 0.6:
        given["face_load_factor"] = Number(_rows(factors))
        if own:
            given["coast_face_load_factor"] = Number(_rows(1.1 * factors))
    if rng.random() < 0.5:
        given["along"] = pick(rng, ("normal", "hoop", "base circle"))
    _losses(rng, given)
    return Call("pl.Loaded", given)


def _rows(values: np.ndarray) -> Any:
    return tuple(map(_rows, values)) if values.ndim > 1 else tuple(map(float, values))


def _losses(rng: Rng, given: dict[str, Any]) -> None:
    damping_of(rng, given, 1e8)
    if rng.random() < 0.3:
        given["backlash"] = Number(log_uniform(rng, 1e-6, 1e-4), "m")
    if rng.random() < 0.15:
        given["error"] = over_mesh_cycle(rng, "m", 0.0, log_uniform(rng, 1e-6, 1e-5))
    lossy = rng.random()
    if lossy < 0.1:
        given["friction"] = Number(float(rng.uniform(0.02, 0.15)))
        given["friction_speed"] = Number(log_uniform(rng, 1e-3, 0.1), "m/s")
    elif lossy < 0.2:
        given["efficiency"] = Number(float(rng.uniform(0.8, 0.99)))
        given["efficiency_speed"] = Number(log_uniform(rng, 1e-3, 1.0), "rad/s")
    _centres(rng, given)


def _machine(rng: Rng, seed: int, name: str, mesh: Any) -> Machine:
    kinds, weights = zip(*SHARES.items(), strict=True)
    kind = str(rng.choice(kinds, p=np.array(weights) / sum(weights)))
    two = fixed_pair(rng, kind)
    few = mesh is _table
    two = replace(two, a=_modified(rng, two.a, kind, few=few), b=_modified(rng, two.b, kind, few=few))
    if kind in PARALLEL and rng.random() < 0.3:
        offset = Number(pick(rng, (-0.25, 0.25)) * WIDTH, "m", odd=True)
        two = replace(two, placing={**two.placing, "axial_shift": offset})
    chain = Chain(rng)
    chain.first(two.a, kind)
    wheel = chain.mate("gear 0", two, options=0.0, symmetric=True)
    machine: dict[str, Any] = {}
    given = {**chain.meshes[-1].given, "a": Name("gear 0"), "b": Name(wheel), "mesh": mesh(rng, kind, machine)}
    chain.meshes[-1] = replace(chain.meshes[-1], given=given)
    for body in ("gear 0", wheel):
        chain.support(body, "ground")
    if rng.random() < 0.5:
        chain.moving()
    parts = chain.parts + chain.meshes + joint_loads(rng, chain) + _held(rng, chain)
    gravity = tuple(9.81 * unit_vector(rng)) if rng.random() < 0.5 else HERE
    mirrors = kind in PARALLEL or kind in ("rack", "helical rack")
    # tilts are counted towards +z, which a mirror turns round
    mirrors = mirrors and "tilts" not in given["mesh"].given
    traits = COMPUTED if mirrors else COMPUTED | {"no mirror"}
    return Machine(name, seed, tuple(parts), gravity, step=machine["step"], traits=frozenset(traits))


def _held(rng: Rng, chain: Chain) -> list[Part]:
    """A spring that holds the second wheel, and a torque on the first, so that there is an equilibrium."""
    turning = [name for name, kind in chain.joints if kind in ("revolute", "cylindrical")]
    if len(turning) < 2 or rng.random() < 0.3:
        return []
    spring = {"joint": Name(turning[-1]), "stiffness": Number(log_uniform(rng, 1e3, 1e5), "N*m/rad")}
    if rng.random() < 0.5:
        spring["damping"] = Number(log_uniform(rng, 0.1, 10.0), "N*m*s/rad")
    torque = function(rng, "N*m", log_uniform(rng, 2, 50))
    return [
        Part("torsion_spring", "hold", spring), Part("torque", "input", {"on": Name(turning[0]), "value": torque})
    ]  # fmt: skip
