"""Sweeps: speed-up by processes, and the cost of sending blocks of points to processes and to a Dask cluster.

Points that wait 20 ms show the cost of sending by itself: their blocks take 0.2 s, and the time of the sweep is compared with that
of the waiting. Points of a gear pair (20,000 steps) show the speed-up on this machine. The processes are started before the time
is taken, as on a cluster: their start is printed by itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.base.progress import Stage
from pitchline.studies.sources import FunctionSource, Source, source_of
from pitchline.studies.sweep.payload import packed
from pitchline.studies.sweep.process_pool import BlockRunner, OwnProcess, ProcessPool
from pitchline.studies.sweep.store import PointBlock, SweepRequest
from pitchline.studies.sweep.sweep import DaskCluster, Dispatcher

WAIT, BLOCK, BLOCKS = 0.02, 10, 40
WORKERS = max(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2)
POINTS = 240
PAIR = """
name = "pair"
parameters = { speed = "3000 rpm" }
gears.g = { teeth = 25, normal_module = "4 mm", face_width = "15 mm" }
bodies.a = { gear = "g", position = [0, 0, 0], axis = "z" }
bodies.b = { gear = "g", mesh_with = "a", towards = "x" }
joints.first = { kind = "revolute", a = "ground", b = "a" }
joints.second = { kind = "revolute", a = "ground", b = "b" }
drives.motor = { joint = "first", speed = "= speed" }
loads.brake = { kind = "torque", on = "second", value = "100 N*m" }
[gear_pairs.mesh]
a = "a"
b = "b"
mesh = { kind = "elastic", stiffness = "2.6e8 N/m", error = "5 um", damping_ratio = 0.05, backlash = "50 um" }
[[analyses]]
kind = "dynamics"
duration = "20 ms"
step = "1 us"
[figures]
force = { signal = "mesh.normal_force", of = "max" }
"""
"""Model file whose run takes about 30 ms."""


def waiting(x: float) -> dict[str, float]:
    """A point that takes 20 ms and no processor time."""
    time.sleep(WAIT)
    return {"x": x}


def timed(runner: BlockRunner, points: pl.Points, size: int | None) -> tuple[float, list[PointBlock]]:
    """Time of a sweep after one block on each worker, and its blocks."""
    n = len(points)
    blocks: list[PointBlock] = []
    first = Dispatcher(points, [range(0, runner.slots)], blocks.append, Stage("first"))
    first.run(runner, size=1)
    rest = Dispatcher(points, [range(runner.slots, n)], blocks.append, Stage("rest"))
    rest.seconds = first.seconds
    began = time.perf_counter()
    rest.run(runner, size=size)
    seconds = time.perf_counter() - began
    if any(block.reasons for block in blocks):
        raise RuntimeError(next(reason for block in blocks for reason in block.reasons.values()))
    return seconds, blocks


def bench(repeats: int) -> None:
    """Print both tables."""
    from distributed import Client, LocalCluster

    print(f"\nSweeps, {WORKERS} workers")
    wait, work = FunctionSource(waiting), source_of(PAIR)
    began = time.perf_counter()
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        print(f"start of the Dask cluster {time.perf_counter() - began:.2f} s")
        runners: dict[str, Callable[[Any], BlockRunner]] = {
            "processes": lambda source: ProcessPool(WORKERS, packed(source, SweepRequest())),
            "Dask": lambda source: DaskCluster(client, packed(source, SweepRequest())),
        }
        _overhead(wait, runners, repeats)
        _speed_up(work, runners, repeats)


def _overhead(source: Source, runners: dict[str, Callable[[Any], BlockRunner]], repeats: int) -> None:
    points = pl.grid(x=np.arange(float(BLOCK * BLOCKS * WORKERS)))
    print(f"\nblocks of {WAIT * BLOCK:g} s that only wait, {BLOCKS} for each worker: time above that of waiting")
    for name, make in runners.items():
        costs = []
        for _ in range(repeats):
            runner = make(source)
            try:
                seconds, blocks = timed(runner, points, BLOCK)
            finally:
                runner.close()
            waited = sum(float(block.seconds.sum()) for block in blocks if len(block) > 1)
            costs.append(seconds / (waited / WORKERS) - 1.0)
        print(f"  {name:<12}{100.0 * min(costs):6.2f} %")


def _speed_up(source: Source, runners: dict[str, Callable[[Any], BlockRunner]], repeats: int) -> None:
    points = source.fitted(pl.grid(speed=pl.linspace("1000 rpm", "12000 rpm", POINTS)))
    print(f"\n{POINTS} points of a gear pair")
    own = min(timed(OwnProcess(source, SweepRequest()), points, None)[0] for _ in range(repeats))
    print(f"  {'one process':<12}{own:6.2f} s   {1e3 * own / POINTS:.1f} ms a point")
    for name, make in runners.items():
        found = []
        for _ in range(repeats):
            runner = make(source)
            try:
                found.append(timed(runner, points, None)[0])
            finally:
                runner.close()
        print(f"  {name:<12}{min(found):6.2f} s   {own / min(found):.2f} times as fast")


if __name__ == "__main__":
    bench(3)
