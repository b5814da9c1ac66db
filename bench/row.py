"""Wheels in a row: M equal wheels on fixed axes, each rolling on the next one; the price of a step with the ratio exact.

The first wheel is driven by a torque 1 + sin(2π t) N m and the row turns as one; in closed form, with M moments of inertia J,

    θ_1 = (t²/2 + t/2π − sin(2π t)/4π²) / (M J) ,   θ_i = (−1)^(i+1) θ_1 .

pitchline: wheels on hinges, rolling pairs. Exudyn: rotors (`ObjectRotationalMass1D`) and a `CoordinateConstraint` for each pair,
the least it needs for an exact ratio; the load is a user function, as it varies in time. Same step, same class of method;
contestants take turns; the time is that of the time loop alone, the best of several runs. What comes before the first step
(building, compiling the model, assembling; machine code is there already) is given beside it.
"""

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SIZES = (2, 10, 100, 1000)
STEP, DURATION = 1e-3, 1.0  # s
INERTIA, RADIUS = 0.01, 0.05  # kg m², m
GROWTH_FROM = 10


@dataclass(frozen=True)
class Run:
    """Time of the loop and of what comes before it [s], steps, and the error of the last wheel's angle [rad]."""

    wall_time: float
    start_up: float
    steps: int
    error: float


def exact(wheels: int, t: float) -> float:
    """Angle of the last wheel [rad]."""
    first = (t**2 / 2 + t / (2 * math.pi) - math.sin(2 * math.pi * t) / (4 * math.pi**2)) / (wheels * INERTIA)
    return first if wheels % 2 else -first


def pitchline(wheels: int) -> Run:
    """Bodies on hinges that roll on each other."""
    import pitchline as pl

    began = time.perf_counter()
    m = pl.Model("row")
    for i in range(wheels):
        m.body(f"w{i}", mass=1.0, inertia=(INERTIA,) * 3, position=(2 * RADIUS * i, 0, 0))
        m.revolute(f"h{i}", m.ground, f"w{i}", at=(2 * RADIUS * i, 0, 0), axis="z")
        if i:
            m.gear_pair(f"g{i}", m.bodies[f"w{i - 1}"].frame(), m.bodies[f"w{i}"].frame(), mesh=pl.Rolling(ratio=1))
    m.torque("motor", "h0", pl.Harmonic(1.0, 1.0, offset=1.0))
    run = pl.dynamics(m, duration=DURATION, step=STEP, output_step=DURATION)
    wall = float(run.statistics["wall_time"])
    angle = float(run[f"h{wheels - 1}.angle"].final)
    return Run(wall, time.perf_counter() - began - wall, run.statistics["steps"], abs(angle - exact(wheels, DURATION)))


def exudyn(wheels: int) -> Run:
    """Rotors on angles, one constraint a pair."""
    from exudyn_models import DEFAULT, exu, timed_loop  # first: chooses the fast module

    from exudyn.itemInterface import (  # isort: skip
        LoadCoordinate,
        MarkerNodeCoordinate,
        Node1D,
        ObjectConnectorCoordinate,
        ObjectRotationalMass1D,
    )

    began = time.perf_counter()
    mbs = exu.SystemContainer().AddSystem()
    nodes = [mbs.AddNode(Node1D(referenceCoordinates=[0.0])) for _ in range(wheels)]
    for node in nodes:
        mbs.AddObject(ObjectRotationalMass1D(nodeNumber=node, physicsInertia=INERTIA))
    markers = [mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0)) for node in nodes]
    for a, b in itertools.pairwise(markers):
        mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[a, b], factorValue1=-1.0))

    def torque(mbs, t, load):  # type: ignore[no-untyped-def]
        return 1.0 + math.sin(2 * math.pi * t)

    mbs.AddLoad(LoadCoordinate(markerNumber=markers[0], load=1.0, loadUserFunction=torque))
    wall, solver = timed_loop(mbs, DURATION, step=STEP, tolerance=DEFAULT, dense=wheels <= 10)
    before = time.perf_counter() - began - wall
    angle = float(mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Coordinates))
    return Run(wall, before, solver.it.currentStepIndex - 1, abs(angle - exact(wheels, DURATION)))


def bench(codes: list[str], repeats: int) -> None:
    """One block of lines for each number of wheels, and how the price of a step grows."""
    entrants: dict[str, Callable[[int], Run]] = {"pitchline": pitchline, "exudyn": exudyn}
    entrants = {name: entrants[name] for name in codes}
    for simulate in entrants.values():
        simulate(2)  # machine code and modules are loaded before anything counts
    print(f"\nM wheels in a row, rolling, {DURATION:g} s at h = {STEP * 1e3:g} ms, no output")
    header = f"{'wheels':>7}  {'code':<12}{'a step':>12}{'start-up':>12}{'error':>14}"
    print(header)
    print("-" * len(header))
    prices: dict[str, list[float]] = {name: [] for name in entrants}
    for wheels in SIZES:
        runs: dict[str, list[Run]] = {name: [] for name in entrants}
        for _ in range(repeats):
            for name, simulate in entrants.items():
                runs[name].append(simulate(wheels))
        for name, done in runs.items():
            best = min(done, key=lambda run: run.wall_time)
            start = min(run.start_up for run in done)
            prices[name].append(best.wall_time / best.steps)
            print(
                f"{wheels:>7}  {name:<12}{prices[name][-1] * 1e3:>9.4f} ms{start:>10.2f} s{best.error:>10.1e} rad",
                flush=True,
            )
    chosen = [i for i, wheels in enumerate(SIZES) if wheels >= GROWTH_FROM]
    for name, price in prices.items():
        exponent = np.polyfit(np.log([SIZES[i] for i in chosen]), np.log([price[i] for i in chosen]), 1)[0]
        print(f"growth exponent from {GROWTH_FROM} to {SIZES[-1]}: {exponent:.2f}  {name}")
