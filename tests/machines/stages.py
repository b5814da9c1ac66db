"""Random planetary stages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from machines.designs import material
from machines.draws import Rng, log_uniform, pick
from machines.machine import Part
from machines.meshes import mesh
from machines.values import Call, Number, Point


def _gear(common: dict[str, Any], teeth: int, beta: float = 0.0, **own: Any) -> Call:
    given = {**common, "teeth": teeth, **own}
    if beta:
        given["helix_angle"] = Number(beta, "rad", odd=True)
    return Call("pl.Gear", given)


def stage(rng: Rng, name: str = "stage") -> tuple[list[Part], list[str]]:
    """A planetary stage and the names of the joints of its members."""
    module = log_uniform(rng, 1e-3, 5e-3)
    common = {"normal_module": Number(module, "m"), "face_width": Number(10 * module, "m"), "material": material(rng)}
    beta = float(rng.uniform(0.1, 0.4)) * float(rng.choice([-1, 1])) if rng.random() < 0.3 else 0.0
    arrangement = pick(rng, ("simple",) * 4 + ("stepped", "meshed"))
    planets = 3
    sun, planet = pick(rng, ((24, 36), (30, 30), (18, 27), (27, 36)))
    ring = sun + 2 * planet
    given: dict[str, Any] = {}
    rim = Number(module * (ring / math.cos(beta) + 10), "m")
    inner = {"internal": True, "addendum_factor": Number(0.8), "rim_diameter": rim}
    if arrangement == "simple":
        given["planet"] = _gear(common, planet, -beta, bore=Number(0.3 * module * planet, "m"))
        if rng.random() < 0.3 and (sun + ring) % 4 == 0:
            planets = 4
    elif arrangement == "stepped":
        second = planet - 6
        ring = sun + planet + second
        inner["rim_diameter"] = Number(module * (ring / math.cos(beta) + 10), "m")
        given["planet"] = (_gear(common, planet, -beta), _gear(common, second, -beta))
        given |= {"arrangement": "stepped", "step": Number(15 * module, "m", odd=True)}
    else:
        ring, small = sun + 54, 18
        inner["rim_diameter"] = Number(module * (ring / math.cos(beta) + 10), "m")
        given["planet"] = (_gear(common, small, -beta), _gear(common, small, beta))
        given |= {"arrangement": "meshed"}
        ring = _ring_of_pairs(sun, small)
        if rng.random() < 0.5:
            given["outer_ahead"] = bool(rng.integers(2))
    given |= {"sun": _gear(common, sun, beta, bore=Number(0.3 * module * sun, "m")),
              "ring": _gear(common, ring, beta if arrangement == "meshed" else -beta, **inner)}  # fmt: skip
    if planets != 3 or rng.random() < 0.3:
        given["planets"] = planets
    elastic = rng.random() < 0.7
    for key in ("mesh_sun", "mesh_ring", *(("mesh_planets",) if arrangement == "meshed" else ())):
        if elastic:
            given[key] = _elastic(rng, "internal" if key == "mesh_ring" else "spur", planets)
        elif rng.random() < 0.5:
            given[key] = Call("pl.Rolling", {})
    if rng.random() < 0.7:
        given["fixed"] = pick(rng, ("ring", "ring", "sun", "carrier"))
    if given.get("fixed") != "carrier":
        density = Number(7800.0, "kg/m^3")
        arm = {"density": density}
        size = Number(module * (sun + planet) * 0.4, "m"), Number(8 * module, "m")
        given["masses"] = {"carrier": Call("pl.cylinder", arm, size)}
    _supports(rng, given, elastic=elastic, module=module, planets=planets)
    if rng.random() < 0.3:
        given["position"] = Point(tuple(rng.normal(size=3)))
    if not elastic or rng.random() < 0.3:
        given["phase"] = "fit"
    joints = [f"{name} {member} bearing" for member in ("sun", "ring", "carrier")
              if member != given.get("fixed") and given.get("bearings", {}).get(member) is None]  # fmt: skip
    return [Part("planetary", name, given)], joints


def _ring_of_pairs(sun: int, planet: int) -> int:
    """Teeth of the ring for which pairs of planets fit three times."""
    ring = sun + 3 * planet
    return ring + (-(ring - sun)) % 3


def _elastic(rng: Rng, kind: str, planets: int) -> Any:
    one = mesh(rng, kind, share=0.1)
    while one.maker != "pl.Elastic":
        one = mesh(rng, kind, share=0.1)
    if rng.random() < 0.15:
        return [one] * planets
    return one


def _supports(rng: Rng, given: dict[str, Any], *, elastic: bool, module: float, planets: int) -> None:
    if not elastic:
        return
    k = Number(log_uniform(rng, 1e6, 1e8), "N/m")
    free = [member for member in ("sun", "ring", "carrier") if member != given.get("fixed")]
    if rng.random() < 0.4:
        support = Call("pl.Support", {"stiffness": k, "torsion": Number(1e4, "N*m/rad")})
        if rng.random() < 0.5:
            support.given.update({"damping": Number(1e3, "N*s/m"), "torsion_damping": Number(1.0, "N*m*s/rad")})  # type: ignore[attr-defined]
        given["bearings"] = {pick(rng, free): pick(rng, (support, k, support))}
    if rng.random() < 0.3:
        given["pin_stiffness"] = k
        if rng.random() < 0.5:
            given["pin_damping"] = Number(1e3, "N*s/m")
    for key in ("radial_errors", "tangential_errors"):
        if rng.random() < 0.2:
            given[key] = [Number(float(x), "m") for x in 1e-3 * module * rng.normal(size=planets)]
    if rng.random() < 0.1:
        given["angles"] = [Number(float(x), "rad") for x in np.arange(planets) * 2 * math.pi / planets]
