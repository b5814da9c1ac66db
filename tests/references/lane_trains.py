"""Trains of a batch that several tests share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from pitchline.studies.batch.lane_train import (
    ALWAYS,
    IN_CONTACT,
    FourierSum,
    LaneMesh,
    LanePhase,
    LaneSpring,
    LaneTable,
    LaneTrain,
    LoadedTables,
    Rotor,
)  # fmt: skip

Numbers = float | np.ndarray
TURN = 2.0 * math.pi


def pair(
    mode: int = ALWAYS,
    *,
    omega: Numbers = 1.0,
    damping: Numbers = 0.03,
    ripple: Numbers = 0.2,
    load: Numbers = 0.1,
    backlash: Numbers = 0.4,
    error: Numbers = 0.0,
    teeth: Numbers = 0.0,
    order: float = 1.0,
    consistent: bool = True,
) -> LaneTrain:
    """Two wheels of inertia 2 and lever 1: u'' + 2 damping u' + (1 + ripple cos φ) g(u + error sin φ) = load for the approach u,
    with φ = ωt without teeth. All numbers are arrays, so that all tests of a mode have the same kernel."""
    values: dict[str, Numbers] = {
        "omega": omega, "T": load, "b": backlash, "c": 2.0 * np.asarray(damping), "k": ripple, "x": error, "z": teeth,
    }  # fmt: skip
    shape = np.broadcast_shapes((1,), *(np.shape(value) for value in values.values()))
    values = {name: np.array(np.broadcast_to(value, shape), float) for name, value in values.items()}
    values |= {"J": 2.0, "one": 1.0, "0": 0.0}
    mesh = LaneMesh(
        "mesh", {0: "one", 1: "one"}, "0", (LanePhase(order, "0", {0: "z"}),), "b", "c", mode,
        stiffness=(FourierSum(0, "one", ("k",), ()),), errors=(FourierSum(0, "0", (), ("x",)),), consistent=consistent,
    )  # fmt: skip
    return LaneTrain(
        "pair", (Rotor("wheel_a", 1.0, "J", "T"), Rotor("wheel_b", -1.0, "J", "T")), (mesh,), values=values
    )


def cubics(values: np.ndarray) -> np.ndarray:
    """(n, ..., 4) cubics of the periodic spline through values (n, ...) at equal distances."""
    n = len(values)
    spline = CubicSpline(np.arange(n + 1), np.concatenate([values, values[:1]]), bc_type="periodic")
    return np.moveaxis(spline.c[::-1], 0, -1)


def loaded_tables(phase: int = 0, intervals: int = 16, knots: int = 6) -> LoadedTables:
    """Teeth whose compliance decreases with the load and varies over the mesh cycle; the coast flank differs."""
    phi = TURN * np.arange(intervals) / intervals
    loads = np.array([2.0 * np.linspace(0.0, 1.0, knots) ** 1.5, 3.0 * np.linspace(0.0, 1.0, knots) ** 1.5])
    tables: dict[str, list[np.ndarray]] = {"U": [], "c": [], "A": []}
    for flank, shift in enumerate((0.0, 0.7)):
        F = loads[flank]
        c = (1.0 + 0.15 * np.cos(phi + shift))[:, None] * (0.8 + 0.6 * np.exp(-2.0 * F))
        h = np.diff(F)
        U = np.zeros_like(c)
        A = np.zeros_like(c)
        U[:, 0] = 0.05 * np.sin(phi - shift)
        for m in range(knots - 1):
            U[:, m + 1] = U[:, m] + 0.5 * (c[:, m] + c[:, m + 1]) * h[m]
            A[:, m + 1] = A[:, m] + U[:, m] * h[m] + (2.0 * c[:, m] + c[:, m + 1]) * h[m] ** 2 / 6.0
        for name, values in (("U", U), ("c", c), ("A", A)):
            tables[name].append(cubics(values))
    return LoadedTables(phase, loads, *(np.array(tables[name]) for name in "UcA"))


def rich_pair(omega: Numbers = 0.8, **changes: Any) -> LaneTrain:
    """Held disk, pinion, wheel and load: springs in series that vary over the cycle and over a revolution, errors by a table and by
    Fourier sums, the energy-consistent law with teeth on both free wheels, springs with offsets."""
    values: dict[str, Numbers] = {
        "omega": omega, "0": 0.0, "J1": 2.0, "J2": 3.0, "J3": 5.0, "T3": 0.15, "l1": 1.0, "l2": 0.9, "z1": 1.3, "z2": -0.4,
        "angle": 0.4, "wheel": -1.1, "k": 2.5, "kc": 0.5, "ks": 0.3, "k2": -0.2, "d": 4.0, "dc": 0.6, "compliance": 0.2,
        "x": 0.05, "xs": 0.03, "scale": 0.8, "u": 0.02, "b": 0.25, "c": 0.08, "one": 1.0, "minus": -1.0, "shaft": 0.9, "sc": 0.05,
        "offset": -0.1, "smooth": 0.05,
    }  # fmt: skip
    bumps = np.array([0.0, 0.02, 0.05, 0.03, -0.01, -0.04, -0.02, 0.01])
    teeth = {1: "z1", 0: "z2"}
    mesh = LaneMesh(
        "mesh", {1: "l1", 2: "l2"}, "u",
        (LanePhase(2.0, "angle", teeth), LanePhase(2.0 / 3.0, "wheel", {2: "z2"}), LanePhase(2.0, "0", teeth)),
        "b", "c", IN_CONTACT, compliance="compliance",
        stiffness=(FourierSum(0, "k", ("kc", "k2"), ("ks",)), FourierSum(1, "d", ("dc",), ("0",))),
        error="x",
        errors=(LaneTable(1, cubics(bumps), "scale"), FourierSum(0, "0", (), ("xs",)), LaneTable(2, cubics(bumps), "xs")),
    )  # fmt: skip
    mesh = replace(mesh, **changes)
    rotors = (
        Rotor("motor", 1.0, "J1", "0", held=True), Rotor("pinion", 1.0, "J1", "0"), Rotor("wheel", -0.9, "J2", "0"),
        Rotor("load", -0.9, "J3", "T3"),
    )  # fmt: skip
    springs = (
        LaneSpring("input", {0: "one", 1: "minus"}, "shaft", "sc", "offset"),
        LaneSpring("output", {2: "one", 3: "minus"}, "shaft", "sc", "0"),
        LaneSpring("brake", {3: "one"}, "sc", "sc", "0"),
    )
    return LaneTrain("rich", rotors, (mesh,), springs, values=values)
