"""Loaded teeth from the gears alone: what finite elements, tables and their second use take, beside what is wanted.

Two pairs, 19/63 teeth with m_n 3 mm, b 45 mm and 17/57 teeth with m_n 4.5 mm, b 70 mm, spur and helical (20°): the compliance
of each wheel with default options, and a table of 128 phases at 6 loads. Cold is without any cache of gears and tables, compiled
code is loaded; warm is what a second process does. Time of the processors stands beside that of the clock: where a machine has
other work to do, the clock says little.

Wanted on two processors: a wheel in 5 s, a table in 2 s, a second use in 0.2 s.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

import pitchline as pl
from pitchline.contact.loaded_tables import compute_table
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.numerics.machine_code.helper import processors
from pitchline.parts.meshes import computed_table as table_cache
from pitchline.parts.meshes.computed_table import TableRequest

T = TypeVar("T")
PAIRS = {"19/63": ((19, 63), 3.0, 45.0, (25.0, 60.0), 800.0), "17/57": ((17, 57), 4.5, 70.0, (30.0, 80.0), 3000.0)}
"""Teeth, normal module, face width and bores in mm, largest torque in N m."""
WHEEL, TABLE, AGAIN = 5.0, 2.0, 0.2
"""Wanted [s]."""
LOADS, PHASES = 6, 128


def bench(repeats: int = 1) -> None:
    """One line a piece of work; once each, whatever the repeats: the second time is another work."""
    print(f"\nLoaded teeth from the gears, {processors()} processors")
    print(f"{'pair':<10}{'teeth':<10}{'work':<26}{'wall':>9}{'processors':>12}{'wanted':>9}")
    for name in PAIRS:
        for helix in (0.0, 20.0):
            with tempfile.TemporaryDirectory() as folder:
                _pair(name, helix, Path(folder))


def _pair(name: str, helix: float, folder: Path) -> None:
    teeth, module, width, bores, torque = PAIRS[name]
    gears = [
        pl.Gear(
            teeth=z,
            normal_module=1e-3 * module,
            face_width=1e-3 * width,
            bore=1e-3 * bore,
            helix_angle=turn * np.radians(helix),
        )
        for z, bore, turn in zip(teeth, bores, (1.0, -1.0), strict=True)
    ]
    pair = pl.GearPair(*gears)
    request = TableRequest(
        gear_a=gears[0], gear_b=gears[1], centre_distance=pair.centre_distance, face_offset=0.0, deviation=0.0, inclination=0.0,
        start=0.0, torques=tuple(float(t) for t in torque * (np.arange(1, LOADS + 1) / LOADS) ** 2), phases=PHASES, tilts=(),
        pitch_point=0.0, coast=None, bore="fixed", elements_a={}, elements_b={}, resolution=4.0, cells=15,
    )  # fmt: skip
    kind = "helical" if helix else "spur"

    def told(work: str, wanted: float, do: Callable[[], T]) -> T:
        began = time.perf_counter(), time.process_time()
        found = do()
        wall, spent = time.perf_counter() - began[0], time.process_time() - began[1]
        print(f"{name:<10}{kind:<10}{work:<26}{wall:>7.2f} s{spent:>10.2f} s{wanted:>7.1f} s", flush=True)
        return found

    before = os.environ.get("PITCHLINE_CACHE_DIR")
    os.environ["PITCHLINE_CACHE_DIR"] = str(folder)
    try:
        wheels = [(f"wheel, {gear.teeth} teeth", partial(elastic_gear, pl.Teeth(gear))) for gear in gears]
        a, b = (told(work, WHEEL, do) for work, do in wheels)
        for work, do in wheels:
            told(f"{work}, again", AGAIN, do)
        compute_table(_few(request), a, b)  # loads the machine code
        table = told(f"table {PHASES} x {LOADS}", TABLE, lambda: compute_table(request, a, b))
        table_cache.TableEntry.of(request).store(table)
        table_cache._known.clear()  # as in another process
        told("table, again", AGAIN, lambda: table_cache.TableEntry.of(request).load())
    finally:
        if before is None:
            del os.environ["PITCHLINE_CACHE_DIR"]
        else:
            os.environ["PITCHLINE_CACHE_DIR"] = before


def _few(request: TableRequest) -> TableRequest:
    return replace(request, phases=4, torques=request.torques[-1:])


if __name__ == "__main__":
    bench()
