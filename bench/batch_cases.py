"""Trains for the benchmarks of batches: a pair with backlash, and a planetary train of seven rotors and six meshes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pitchline.studies.batch.kernels.small_text import LaneSignal
from pitchline.studies.batch.lane_train import (
    ALWAYS,
    FourierSum,
    LaneMesh,
    LanePhase,
    LaneSpring,
    LaneTrain,
    Rotor,
)  # fmt: skip

SIGNALS = (LaneSignal("mesh", 0, "signed_force", orders=(1,)),)
Numbers = dict[str, float | np.ndarray]
RATTLING = 0.72, 0.89
"""Speeds of the pair, divided by its natural frequency, between its folds: from a large start its teeth lose contact."""


def pair(omega: np.ndarray, ripple: np.ndarray) -> LaneTrain:
    """Two wheels of inertia 2 and lever 1, so that the approach has the natural frequency 1; damping ratio 0.03."""
    values: Numbers = {
        "omega": omega,
        "J": 2.0,
        "load": 0.1,
        "1": 1.0,
        "0": 0.0,
        "backlash": 0.4,
        "damping": 0.06,
        "ripple": ripple,
    }
    mesh = LaneMesh(
        "mesh", {0: "1", 1: "1"}, "0", (LanePhase(1.0, "0", {}),), "backlash", "damping", ALWAYS,
        stiffness=(FourierSum(0, "1", ("ripple",), ()),),
    )  # fmt: skip
    return LaneTrain("pair", (Rotor("a", 1.0, "J", "load"), Rotor("b", -1.0, "J", "load")), (mesh,), values=values)


def planetary(omega: np.ndarray, ripple: np.ndarray, planets: int = 3) -> LaneTrain:
    """Sun, ring and planets with a held carrier, a disk of the input and one of the output on shafts."""
    k = 4e8
    values: Numbers = {
        "omega": omega, "0": 0.0, "1": 1.0, "-1": -1.0, "sun.J": 2e-4, "ring.J": 3e-2, "planet.J": 1e-3, "input.J": 5e-3,
        "output.J": 5e-2, "input.T": 50.0, "output.T": 200.0, "backlash": 1e-4, "damping": 300.0, "k": k, "k1": k * ripple,
        "k2": 0.045 * k, "error": 2e-6, "sun.r": 0.0226, "ring.r": 0.0904, "planet.r": 0.0339, "-planet.r": -0.0339, "sun.z": 24.0,
        "ring.z": 96.0, "shaft.k": 1e5, "ground.k": 1e3, "shaft.c": 2.0,
    }  # fmt: skip
    rotors = [Rotor("sun", 1.0, "sun.J", "0"), Rotor("ring", -0.25, "ring.J", "0")]
    rotors += [Rotor(f"planet_{p}", -0.667, "planet.J", "0") for p in range(planets)]
    rotors += [Rotor("input", 1.0, "input.J", "input.T"), Rotor("output", -0.25, "output.J", "output.T")]
    meshes = []
    for p in range(planets):
        values[f"angle_{p}"] = 2.0 * np.pi * p / planets
        for wheel, name, lever in ((0, "sun", "planet.r"), (1, "ring", "-planet.r")):
            phase = LanePhase(1.0, f"angle_{p}", {wheel: f"{name}.z"})
            levers = {wheel: f"{name}.r", 2 + p: lever}
            stiffness, error = FourierSum(0, "k", ("k1", "k2"), ()), FourierSum(0, "0", ("error",), ())
            mesh = LaneMesh(f"{name}_{p}", levers, "0", (phase,), "backlash", "damping", ALWAYS)
            meshes.append(replace(mesh, stiffness=(stiffness,), errors=(error,)))
    first, last = planets + 2, planets + 3
    springs = (
        LaneSpring("input_shaft", {first: "1", 0: "-1"}, "shaft.k", "shaft.c", "0"),
        LaneSpring("output_shaft", {last: "1", 1: "-1"}, "shaft.k", "shaft.c", "0"),
        LaneSpring("ground", {last: "1"}, "ground.k", "shaft.c", "0"),
    )
    return LaneTrain("planetary", tuple(rotors), tuple(meshes), springs, values=values)


def spread(lanes: int, name: str) -> tuple[LaneTrain, np.ndarray]:
    """A train with speeds and ripples over the lanes, and starts of its states."""
    ripple = np.random.default_rng(0).uniform(0.2, 1.0, lanes)
    if name == "planetary":
        return planetary(4800.0 * np.linspace(0.6, 2.0, lanes), 0.15 * ripple), np.zeros((14, lanes))
    if name == "rattling pair":
        start = np.zeros((4, lanes))
        start[:2] = 0.4
        return pair(np.linspace(*RATTLING, lanes), np.full(lanes, 0.2)), start
    start = np.zeros((4, lanes))
    start[:2] = 0.05
    return pair(np.linspace(0.6, 2.0, lanes), 0.2 * ripple), start
