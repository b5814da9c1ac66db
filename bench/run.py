"""Speed and scaling of pitchline, side by side with its peers: `make bench`.

Same mechanisms, same class of method, same step, one thread. Contestants take turns, so that a busy machine
hurts all of them alike, and the shortest time of each counts. The time is that of the time loop alone. The
error is that of the worst body against a reference in minimal coordinates (reference.py). The gear rig of Kubo has
a table and curves of its own (kubo_bench.py), as have the row of wheels (row.py), the robot arm (robot.py), and elastic gears:
their preparation (elastic_gears.py), their contact at rest (loaded_contact.py), tables of it (loaded_tables.py) and in motion
(flank_motion.py). Elastic shafts: a whirling one beside Exudyn's beams (shafts.py), a Campbell diagram beside ROSS
(stepped_rotor.py), and a whole gearbox against real time (wind_gearbox.py). Long result files, opened and looked at
(long_results.py). The cost of a call without its steps (call_cost.py). Sweeps over processes and a Dask cluster (sweeps.py).
The Jacobian matrix of gear joints by Euler parameters and by velocities (transformed_jacobian.py).
Kernels of batches in plain and in cut steps (batch_speed.py), on a GPU by gpu_batch.py.
"""

import argparse
import functools
import importlib
import os
from collections.abc import Callable
from pathlib import Path

# Before numpy is imported anywhere.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import cases
import numpy as np
import reference
import table

Contestant = Callable[[int], cases.Run]
SUBJECT = "pitchline"
GROWTH_FROM = 50
ELASTIC = {
    "elastic-gears": "elastic_gears",
    "loaded-contact": "loaded_contact",
    "loaded-tables": "loaded_tables",
    "flank-motion": "flank_motion",
}
"""Benches of elastic gears and their modules."""


def contestants(codes: list[str], mechanism: str) -> dict[str, Contestant]:
    """The codes that take part, each as a function of the size of the mechanism."""
    found: dict[str, Contestant] = {}
    if "pitchline" in codes:
        import pitchline_models

        found[SUBJECT] = getattr(pitchline_models, mechanism)
    if "exudyn" in codes:
        import exudyn_models

        run = getattr(exudyn_models, mechanism)
        found["Exudyn"] = run
        loose = exudyn_models.LOOSE
        found[f"Exudyn, Newton to {loose:.0e}"] = functools.partial(run, tolerance=loose)
    return found


def measure(entrants: dict[str, Contestant], size: int, exact: np.ndarray, repeats: int) -> list[table.Measurement]:
    """The best run of each entrant, all taking turns."""
    runs: dict[str, list[cases.Run]] = {name: [] for name in entrants}
    for _ in range(repeats):
        for name, simulate in entrants.items():
            runs[name].append(simulate(size))
    rows = []
    for name, done in runs.items():
        best = min(done, key=lambda run: run.wall_time)
        error = float(np.linalg.norm(best.positions - exact, axis=1).max())
        rows.append(table.Measurement(name, size, best.wall_time, best.steps, best.iterations, error))
    return rows


def bench_chain(codes: list[str], sizes: list[int], repeats: int) -> None:
    print(f"\nChain of N bodies on revolute joints in space, {cases.CHAIN_DURATION:g} s")
    table.print_header()
    entrants = contestants(codes, "chain")
    rows: list[table.Measurement] = []
    for n in sizes:
        # Short runs are repeated more often: a moment's disturbance is a larger part of them.
        times = repeats * (5 if n <= 10 else 1)
        found = measure(entrants, n, reference.chain_positions(n), times)
        table.print_rows(found, SUBJECT)
        rows += found
    for name in entrants:
        exponent = table.growth_exponent(rows, name, GROWTH_FROM)
        if exponent is not None:
            print(f"growth exponent from {GROWTH_FROM} to {max(sizes)}: {exponent:.2f}  {name}")


def bench_four_bar(codes: list[str], windows: int, repeats: int) -> None:
    exact = reference.four_bar_positions(windows)
    for mechanism, title in (
        ("four_bar_planar", "each code in its planar form"),
        ("four_bar_spatial", "bodies in space"),
    ):
        print(f"\nN-four-bar (IFToMM A02), {cases.FOUR_BAR_DURATION:g} s, {title}")
        table.print_header()
        table.print_rows(measure(contestants(codes, mechanism), windows, exact, repeats), SUBJECT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    codes = ["pitchline", "exudyn"]
    mechanisms = [
        "chain",
        "four-bar",
        "kubo",
        "row",
        "robot",
        "transformed-jacobian",
        "controlled_axis",
        "shafts",
        "stepped-rotor",
        "wind-gearbox",
        "long-results",
        "batch",
        "sweeps",
        "call-cost",
        *ELASTIC,
    ]
    parser.add_argument("--codes", nargs="+", default=codes, choices=codes)
    parser.add_argument("--mechanisms", nargs="+", default=mechanisms, choices=mechanisms)
    parser.add_argument("--sizes", nargs="+", type=int, default=list(cases.CHAIN_SIZES), help="bodies of the chain")
    parser.add_argument("--windows", type=int, default=cases.WINDOWS, help="windows of the N-four-bar")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each, of which the fastest counts")
    parser.add_argument("--picture", type=Path, help="file for the work-precision curves of the gear rig (kubo)")
    options = parser.parse_args()

    print(table.machine())
    if {"chain", "four-bar"} & set(options.mechanisms):
        print(
            f"generalized-alpha (rho_inf = {cases.SPECTRAL_RADIUS:g}), index 3, modified Newton, "
            f"h = {cases.STEP * 1e3:g} ms, one thread; time loop alone, best of several runs\n"
            f"error: largest distance of a body from where it should be; ratio: time over that of {SUBJECT}"
        )
    if "chain" in options.mechanisms:
        bench_chain(options.codes, options.sizes, options.repeats)
    if "four-bar" in options.mechanisms:
        bench_four_bar(options.codes, options.windows, options.repeats)
    if "kubo" in options.mechanisms:
        import kubo_bench

        kubo_bench.bench(options.codes, options.repeats, options.picture)
    if "row" in options.mechanisms:
        import row

        row.bench(options.codes, options.repeats)
    if "robot" in options.mechanisms and "pitchline" in options.codes:
        import robot

        robot.bench(options.repeats)
    if "transformed-jacobian" in options.mechanisms and "pitchline" in options.codes:
        import transformed_jacobian

        transformed_jacobian.bench(options.repeats)
    if "controlled_axis" in options.mechanisms and "pitchline" in options.codes:
        import controlled_axis

        controlled_axis.bench(options.repeats)
    if "wind-gearbox" in options.mechanisms and "pitchline" in options.codes:
        import wind_gearbox

        wind_gearbox.bench(options.repeats)
    if "long-results" in options.mechanisms and "pitchline" in options.codes:
        import long_results

        long_results.bench(options.repeats)
    if "batch" in options.mechanisms and "pitchline" in options.codes:
        import batch_speed

        batch_speed.bench(options.repeats)
    if "sweeps" in options.mechanisms and "pitchline" in options.codes:
        import sweeps

        sweeps.bench(options.repeats)
    if "call-cost" in options.mechanisms and "pitchline" in options.codes:
        import call_cost

        call_cost.bench(options.repeats)
    if "shafts" in options.mechanisms and "pitchline" in options.codes:
        import shafts

        shafts.bench(options.codes, options.repeats)
    if "stepped-rotor" in options.mechanisms and "pitchline" in options.codes:
        import stepped_rotor

        stepped_rotor.bench(options.repeats)
    for mechanism, module in ELASTIC.items():
        if mechanism in options.mechanisms and "pitchline" in options.codes:
            importlib.import_module(module).bench(options.repeats)


if __name__ == "__main__":
    main()
