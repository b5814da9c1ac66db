"""Random mesh models with their options."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from machines.draws import Rng, log_uniform, pick
from machines.options import draw
from machines.values import Call, Number

TURN = Number(2.0 * math.pi, "rad")


def over_mesh_cycle(rng: Rng, unit: str, mean: float, size: float) -> Call:
    """A value that varies over the mesh cycle."""
    given: dict[str, Any] = {"period": TURN, "mean": Number(mean, unit), "cos": [Number(size, unit)], "over": "angle"}
    if rng.random() < 0.4:
        given["sin"] = [Number(0.3 * size, unit)]
    return Call("pl.Fourier", given)


def varying(rng: Rng, unit: str, mean: float, size: float, *, rack: bool, time: bool = True) -> Any:
    """A value that varies over the mesh cycle, a revolution, or time."""
    options = (
        ["mesh cycle", "plain"] + ([] if rack else ["revolution of a", "revolution of b"]) + (["time"] if time else [])
    )
    over = pick(rng, options)
    if over == "time":
        function = Call("pl.Harmonic", {
            "amplitude": Number(size, unit), "frequency": Number(log_uniform(rng, 20, 200), "Hz"), "offset": Number(mean, unit),
        })  # fmt: skip
        return Call("pl.Varying", {"over": "time"}, (function,))
    function = over_mesh_cycle(rng, unit, mean, size)
    return function if over == "plain" else Call("pl.Varying", {"over": over}, (function,))


def _friction(rng: Rng) -> Any:
    mu = float(rng.uniform(0.02, 0.15))
    kind = pick(rng, ("number", "number", "stribeck", "table", "over load"))
    if kind == "stribeck":
        given = {"static": Number(1.5 * mu), "kinetic": Number(mu), "speed": Number(log_uniform(rng, 0.01, 0.5), "m/s")}
        if rng.random() < 0.4:
            given["viscous"] = Number(0.01, "s/m")
        return Call("pl.Stribeck", given)
    speeds = (Number(0.0, "m/s"), Number(0.2, "m/s"), Number(2.0, "m/s"))
    if kind == "table":
        return (speeds, (1.4 * mu, mu, 0.9 * mu))
    if kind == "over load":
        forces = (Number(0.0, "N"), Number(1000.0, "N"))
        rows = ((1.3 * mu, mu, 0.8 * mu), (1.2 * mu, 0.9 * mu, 0.7 * mu))
        return Call("pl.FrictionTable", {}, (speeds, forces, rows))
    return Number(mu)


def _shared(rng: Rng, given: dict[str, Any], share: float, *, rack: bool, slides: bool, symmetric: bool) -> None:
    """Backlash, errors and losses."""
    if rng.random() < 2 * share:
        play = log_uniform(rng, 5e-6, 2e-4)
        given["backlash"] = pick(rng, (Number(0.0, "m"), Number(play, "m"), Number(play, "m")))
        if rng.random() < share and not symmetric:
            given["backlash"] = varying(rng, "m", play, 0.4 * play, rack=rack)
    if rng.random() < share and not symmetric:
        given["error"] = varying(rng, "m", 0.0, log_uniform(rng, 1e-6, 2e-5), rack=rack)
        if rng.random() < 0.2:
            given["error"] = [given["error"], Number(3e-6, "m")]
    lossy = rng.random()
    if lossy < share:
        given["friction"] = _friction(rng)
        given["friction_speed"] = Number(log_uniform(rng, 1e-3, 0.1), "m/s")
        if not slides:
            given["sliding"] = "path of contact"
    elif lossy < 2 * share:
        eta = float(rng.uniform(0.8, 0.99))
        given["efficiency"] = Number(eta) if rng.random() < 0.6 else (Number(eta), Number(eta - 0.1))
        given["efficiency_speed"] = Number(log_uniform(rng, 1e-3, 1.0), "rad/s")
    if lossy < 2 * share and rng.random() < 0.25:
        given["sticks"] = True


_OWN = (
    "stiffness", "backlash", "error", "friction", "friction_speed", "efficiency", "efficiency_speed", "sticks", "sliding",
    "damping", "damping_ratio", "effective_mass", "torque", "tooth_stiffness", "contact_ratio", "tooth_variation", "smoothing",
    "penalty", "method", "restitution", "backlash_side", "contact", "tilt", "along", "line_of_action", "loads", "approach",
    "tilts", "face_load_factor", "coast", "coast_face_load_factor", "phases", "bore", "elements_a", "elements_b",
    "resolution", "cells", "damping_acts", "ratio", "internal", "radius", "energy_consistent",
)  # fmt: skip
"""Arguments that are drawn here; the others by their type."""


def mesh(rng: Rng, kind: str, *, share: float = 0.2, symmetric: bool = False, shaft: bool = False) -> Call:
    """A mesh model for a kind of pair. symmetric: both flanks are alike. shaft: a gear is on an elastic shaft."""
    rolls = kind in ("spur", "helical", "internal", "helical internal", "bevel", "rack", "helical rack", "beveloid")
    options = ["Elastic"] * 5 + ["Rigid"] * 3 + ["Rolling"] * (2 if rolls else 0) + ["Loaded"]
    if kind == "beveloid":
        options = ["Rolling"]
    maker = pick(rng, options)
    rack, slides = "rack" in kind, kind in ("worm", "hypoid", "crossed")
    if maker == "Rolling":
        return Call("pl.Rolling", {})
    given = {}
    _shared(rng, given, share, rack=rack, slides=slides, symmetric=symmetric)
    parallel = kind in ("spur", "helical", "internal", "helical internal")
    if maker == "Rigid":
        _rigid(rng, given, share, symmetric=symmetric)
    elif maker == "Elastic":
        _elastic(rng, given, share, rack=rack, parallel=parallel, shaft=shaft, symmetric=symmetric)
    else:
        _loaded(rng, given, share, symmetric=symmetric)
    if maker != "Loaded" and rng.random() < share:
        given["along"] = "hoop"
    if maker != "Loaded" and rng.random() < 0.5 * share and (parallel or kind == "bevel") and "tilt" not in given:
        given["contact"] = "line"
    if rng.random() < 0.5 * share and not symmetric:
        given["line_of_action"] = pick(rng, ("clockwise", "counter-clockwise"))
    if rng.random() < share and "backlash" in given and not symmetric:
        given["backlash_side"] = pick(rng, ("drive", "coast"))
    if rng.random() < share and "error" in given:
        given["energy_consistent"] = False
    return Call(f"pl.{maker}", draw(rng, f"pl.{maker}", given, share=0.5 * share, never=_OWN))


def _rigid(rng: Rng, given: dict[str, Any], share: float, *, symmetric: bool) -> None:
    del symmetric
    if rng.random() < share:
        given["method"] = "penalty"
        given["penalty"] = Number(log_uniform(rng, 1e7, 1e9), "N/m")
    elif "backlash" in given and rng.random() < 0.5:
        given["restitution"] = Number(float(rng.uniform(0, 0.9)))


def _elastic(
    rng: Rng, given: dict[str, Any], share: float, *, rack: bool, parallel: bool, shaft: bool, symmetric: bool
) -> None:  # fmt: skip
    k = log_uniform(rng, 1e6, 4e8)
    form = rng.random()
    if form < share and not symmetric:
        given["stiffness"] = varying(rng, "N/m", k, 0.3 * k, rack=rack, time=False)
    elif form < 1.6 * share and parallel:
        given["tooth_stiffness"] = Number(k, "N/m") if rng.random() < 0.6 else (Number(k, "N/m"), Number(2 * k, "N/m"))
        if rng.random() < 0.5:
            given["contact_ratio"] = Number(float(rng.uniform(1.1, 1.9)))
        # over the mesh cycle it is that of the drive flank, also while the coast flank is loaded
        if rng.random() < 0.5 or symmetric:
            given["tooth_variation"] = "constant"
    elif form < 2.0 * share:
        given["stiffness"] = (Number(k, "N/m"), Number(3 * k, "N/m"))
    else:
        given["stiffness"] = Number(k, "N/m")
    damping_of(rng, given, k)
    if parallel and rng.random() < share * (3 if shaft else 0.7):
        given["tilt"] = bool(rng.integers(2))
    elif rng.random() < 0.5 * share:
        given["smoothing"] = Number(log_uniform(rng, 1e-7, 3e-6), "m")


def damping_of(rng: Rng, given: dict[str, Any], k: float) -> None:
    form = rng.random()
    if form < 0.4:
        given["damping_ratio"] = Number(float(rng.uniform(0.01, 0.2)))
        if rng.random() < 0.3:
            given["effective_mass"] = Number(log_uniform(rng, 0.05, 2.0), "kg")
    elif form < 0.8:
        c = 0.05 * math.sqrt(k)
        given["damping"] = Number(c, "N*s/m")
        if form < 0.5:
            given["damping"] = over_mesh_cycle(rng, "N*s/m", c, 0.3 * c)
    if form < 0.8 and rng.random() < 0.3:
        given["damping_acts"] = pick(rng, ("always", "never pulling", "in contact"))


def _loaded(rng: Rng, given: dict[str, Any], share: float, *, symmetric: bool) -> None:
    """A table of the approach over load and phase."""
    del symmetric
    top, k, phases = log_uniform(rng, 1e3, 1e5), log_uniform(rng, 1e7, 4e8), 16
    loads = np.linspace(0.0, 1.0, 6) ** 1.5 * top
    wave = 1.0 + 0.15 * np.cos(2 * math.pi * np.arange(phases) / phases)
    rows = np.outer(loads / k + 0.2 * top / k * (loads / top) ** 0.7, wave) + 2e-6 * (1.0 - wave)[None, :]
    given["loads"] = Number(tuple(map(float, loads)), "N")
    given["approach"] = Number(tuple(tuple(map(float, row)) for row in rows), "m")
    if rng.random() < share:
        given["coast"] = Number(tuple(tuple(map(float, 1.2 * row)) for row in rows), "m")
    damping_of(rng, given, k)
