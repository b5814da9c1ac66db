"""Random gears: pairs of designs of every kind that can mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from machines.draws import Rng, log_uniform
from machines.options import draw
from machines.values import Call, Number

import pitchline as pl
from pitchline.gears import hypoid_pinion

KINDS_OF_PAIRS = (
    "spur", "helical", "internal", "helical internal", "bevel", "spiral bevel", "hypoid", "worm", "crossed", "rack",
    "helical rack", "beveloid",
)  # fmt: skip
PARALLEL = ("spur", "helical", "internal", "helical internal")
_NEVER = (
    "teeth", "starts", "normal_module", "normal_pressure_angle", "helix_angle", "lead_angle", "profile_shift", "cone_angle",
    "internal", "worm", "profile_shift_angle", "face_width", "material", "flanks", "depth", "body", "rim_diameter", "bore",
    "tool", "modifications", "tip_diameter", "root_diameter",
)  # fmt: skip
"""Arguments that belong to the pair, or that are drawn here."""


@dataclass(frozen=True)
class Pair:
    """Two designs, and how the second gear is placed at the first."""

    kind: str
    a: Call
    b: Call
    placing: dict[str, Any]
    ratio: float
    """Speed of the first gear over that of the second about their axes, or over the speed of the rack."""


def material(rng: Rng) -> Call:
    """A material with all values, so that units can change."""
    given = {
        "density": Number(log_uniform(rng, 2000, 9000), "kg/m^3"),
        "youngs_modulus": Number(log_uniform(rng, 5e10, 4e11), "N/m^2"),
        "poissons_ratio": Number(float(rng.uniform(0.2, 0.4))),
    }
    return Call("pl.Material", given, ("metal",))


def gear(rng: Rng, common: dict[str, Any], *, maker: str = "pl.Gear", share: float = 0.15, **own: Any) -> Call:
    """One design with a share of its options."""
    given = {**common, **{key: value for key, value in own.items() if value is not None}}
    module = given["normal_module"].value
    plain = not own.get("internal") and "cone_angle" not in own and maker == "pl.Gear" and "starts" not in own
    given = draw(rng, maker, given, share=share, never=_NEVER)
    if "tip_alteration" in given:
        given["tip_alteration"] = Number(float(rng.uniform(-0.1, 0.05)))
    if "backlash_allowance" in given:
        given["backlash_allowance"] = Number(module * float(rng.uniform(0.0, 0.03)), "m")
    teeth = own.get("teeth", 0)
    beta = abs(own["helix_angle"].value) if own.get("helix_angle") is not None else 0.0
    size = module * teeth / math.cos(beta)
    if own.get("internal") and rng.random() < 0.97:
        given["rim_diameter"] = Number(size + 8.0 * module, "m")
    if plain and rng.random() < 0.5:
        bore = Number(float(rng.uniform(0.1, 0.4)) * size, "m")
        if rng.random() < 0.3:
            given["body"] = Call("pl.GearBody", _body(rng, bore, size, given["face_width"].value))
        else:
            given["bore"] = bore
    if plain and rng.random() < share and "tip_alteration" not in given:
        given["tip_diameter"] = Number(size + module * float(rng.uniform(1.6, 2.0)) + 2.0 * _shift(given) * module, "m")
    elif plain and rng.random() < share and "dedendum_factor" not in given:
        given["root_diameter"] = Number(
            size - module * float(rng.uniform(2.4, 2.6)) + 2.0 * _shift(given) * module, "m"
        )
    if plain and rng.random() < share:
        relief = Number(log_uniform(rng, 1e-6, 3e-5), "m")
        given["modifications"] = [
            Call("pl.TipRelief", {"amount": relief, "length": Number(0.5 * module, "m")}),
            Call("pl.LeadCrowning", {"amount": Number(log_uniform(rng, 1e-6, 2e-5), "m")}),
        ][: int(rng.integers(1, 3))]
    if plain and rng.random() < share:
        given["tool"] = Call("pl.Hob", {"protuberance": Number(float(rng.uniform(0, 0.02)) * module, "m")})
    if own.get("internal") and rng.random() < share:
        given["tool"] = Call("pl.Shaper", {"teeth": 20})
    return Call(maker, given)


def _shift(given: dict[str, Any]) -> float:
    value = given.get("profile_shift")
    return float(value.value) if value is not None else 0.0


def _body(rng: Rng, bore: Number, size: float, width: float) -> dict[str, Any]:
    given = {"bore": bore}
    if rng.random() < 0.5:
        hub = bore.value + 0.3 * (size - bore.value)
        given |= {"web_thickness": Number(float(rng.uniform(0.2, 0.6)) * width, "m"), "hub_diameter": Number(hub, "m")}
        given["rim_thickness"] = Number(0.15 * (size - hub), "m")
    return given


def _common(rng: Rng, module: float) -> dict[str, Any]:
    given: dict[str, Any] = {
        "normal_module": Number(module, "m"), "face_width": Number(module * float(rng.uniform(6, 12)), "m"),
    }  # fmt: skip
    if rng.random() < 0.8:
        given["material"] = material(rng)
    if rng.random() < 0.2:
        given["normal_pressure_angle"] = Number(math.radians(float(rng.choice([17.5, 22.5, 25.0]))), "rad")
    return given


def _helix(angle: float) -> Number | None:
    return Number(angle, "rad", odd=True) if angle else None


def pair(rng: Rng, kind: str, *, module: float | None = None, first: Call | None = None) -> Pair:
    """Two designs of this kind. first: the design that exists already (spur, helical)."""
    m = log_uniform(rng, 1e-3, 8e-3) if module is None else module
    common = _common(rng, m)
    z1, z2 = int(rng.integers(17, 31)), int(rng.integers(24, 61))
    placing: dict[str, Any] = {}
    if kind in PARALLEL or kind in ("rack", "helical rack"):
        return _parallel(rng, kind, m, common, z1, z2, first)
    if kind == "beveloid":
        sigma = math.radians(float(rng.uniform(4, 12)))
        share = float(rng.uniform(0.2, 0.8))
        shifts = (Number(share * sigma, "rad", odd=True), Number((1 - share) * sigma, "rad", odd=True))
        a, b = (gear(rng, common, share=0.0, teeth=z, profile_shift_angle=t)
                for z, t in zip((z1, z2), shifts, strict=True))  # fmt: skip
        return Pair(kind, a, b, {"shaft_angle": Number(sigma, "rad")}, -z2 / z1)
    if kind in ("bevel", "spiral bevel"):
        sigma = math.pi / 2 if rng.random() < 0.6 else float(rng.uniform(1.0, 1.9))
        d1 = math.atan2(math.sin(sigma), z2 / z1 + math.cos(sigma))
        beta = 0.0 if kind == "bevel" else float(rng.uniform(0.3, 0.6)) * float(rng.choice([-1, 1]))
        cones = (Number(d1, "rad", odd=True), Number(sigma - d1, "rad", odd=True))
        a, b = (gear(rng, common, teeth=z, cone_angle=c, helix_angle=_helix(h))
                for z, c, h in zip((z1, z2), cones, (beta, -beta), strict=True))  # fmt: skip
        return Pair(kind, a, b, placing, -z2 / z1)
    if kind == "hypoid":
        return _hypoid(rng, m, common)
    sign = float(rng.choice([-1, 1]))
    if kind == "worm":
        starts, lead = int(rng.integers(1, 5)), float(rng.uniform(0.05, 0.5))
        worm = gear(rng, common, starts=starts, lead_angle=Number(sign * lead, "rad", odd=True))
        rim = gear(rng, common, teeth=z2, helix_angle=_helix(sign * lead))
        return Pair(kind, worm, rim, placing, -z2 / starts)
    b1, b2 = sign * float(rng.uniform(0.2, 0.8)), sign * float(rng.uniform(0.2, 0.6))
    a, b = (gear(rng, common, teeth=z, helix_angle=_helix(h)) for z, h in ((z1, b1), (z2, b2)))
    return Pair(kind, a, b, {"shaft_angle": Number(abs(b1 + b2), "rad")}, -z2 / z1)


def _parallel(
    rng: Rng, kind: str, m: float, common: dict[str, Any], z1: int, z2: int, first: Call | None
) -> Pair:  # fmt: skip
    if first is not None:
        given = first.given
        common = {
            key: given[key]
            for key in ("normal_module", "face_width", "material", "normal_pressure_angle")
            if key in given
        }
        z1, beta = given["teeth"], given["helix_angle"].value if "helix_angle" in given else 0.0
        x1 = _shift(dict(given))
        a = first
    else:
        beta = float(rng.uniform(0.1, 0.5)) * float(rng.choice([-1, 1])) if kind.startswith("helical") else 0.0
        x1 = float(rng.uniform(-0.1, 0.4)) if rng.random() < 0.4 else 0.0
        a = gear(rng, common, teeth=z1, helix_angle=_helix(beta), profile_shift=Number(x1) if x1 else None)
    placing: dict[str, Any] = {}
    if "rack" in kind:
        given = {k: v for k, v in common.items() if k != "material"}
        b = gear(rng, given, maker="pl.Rack", teeth=int(rng.integers(20, 41)), helix_angle=_helix(-beta))
        b = Call("pl.Rack", {**b.given, **({"material": common["material"]} if "material" in common else {}),
                             **({"depth": Number(4.0 * m, "m")} if rng.random() < 0.97 else {})})  # fmt: skip
        radius = 0.5 * m * z1 / math.cos(beta)
        return Pair(kind, a, b, placing, -1.0 / radius)
    x2 = float(rng.uniform(-0.1, 0.4)) if rng.random() < 0.4 else 0.0
    if kind.endswith("internal"):
        z2 = z1 + int(rng.integers(25, 60))
        b = gear(
            rng, common, teeth=z2, internal=True, helix_angle=_helix(beta), profile_shift=Number(x2) if x2 else None
        )
        ratio = z2 / z1
    else:
        b = gear(rng, common, teeth=z2, helix_angle=_helix(-beta), profile_shift=Number(x2) if x2 else None)
        ratio = -z2 / z1
    if rng.random() < 0.3:
        placing["axial_shift"] = Number(float(rng.uniform(-0.3, 0.3)) * common["face_width"].value, "m", odd=True)
    return Pair(kind, a, b, placing, ratio)


def _hypoid(rng: Rng, m: float, common: dict[str, Any]) -> Pair:
    """A pinion for a wheel: its cone and spiral angle for a given offset."""
    z1, z2, sigma = int(rng.integers(9, 14)), int(rng.integers(35, 46)), float(rng.uniform(1.3, 1.7))
    delta, beta = (
        math.radians(float(rng.uniform(70, 76))),
        float(rng.choice([-1, 1])) * math.radians(float(rng.uniform(28, 36))),
    )
    offset = m * float(rng.uniform(3, 8))
    wheel = pl.Gear(
        teeth=z2, normal_module=m, cone_angle=delta, helix_angle=beta, face_width=common["face_width"].value
    )
    pinion = hypoid_pinion(wheel, teeth=z1, offset=offset, shaft_angle=sigma, below=bool(rng.integers(2)))
    a, b = (gear(rng, common, teeth=z, cone_angle=Number(d, "rad", odd=True), helix_angle=_helix(h))
            for z, d, h in ((z1, pinion.cone_angle, pinion.helix_angle), (z2, delta, beta)))  # fmt: skip
    return Pair("hypoid", a, b, {"centre_distance": Number(offset, "m"), "shaft_angle": Number(sigma, "rad")}, -z2 / z1)
