"""Preprocessing of elastic gears: one sector and its cyclic symmetry against the whole gear, same elements, same machine.

The pair of Do, Ziegler and Eberhard (18 and 37 teeth, m_n 2 mm, b 10 mm), whose preprocessing took them 20 h: all modes up to
200 kHz and the static compliance of all flanks, neighbours included. Beside it, for the pinion held at its bore and its modes
up to 80 kHz alone: the same by pitchline, by the eigenvalues of the whole gear (the same finite elements and factorisation,
ARPACK's Lanczos method), and by CalculiX on the same grid, where it is installed.

One thread each. The ratio is the time over that of pitchline for the same work.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from pitchline import gallery
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.fem.elasticity import stiffness_and_mass
from pitchline.fem.sector_grid import SectorGrid, sector_grid, whole_gear
from pitchline.fem.sparse_solver import factorise, one_blas_thread
from pitchline.gears import Gear

T = TypeVar("T")
_WHEELS = gallery.model("table1-modes").build().wheels
GEARS = {name: wheel.gear for name, wheel in _WHEELS.items() if isinstance(wheel.gear, Gear)}
GRID: dict[str, Any] = {
    "flank_elements": 5, "fillet_elements": 2, "root_elements": 2, "across_elements": 4, "body_elements": 7, "face_elements": 3
}  # fmt: skip
"""That of the file table1-modes."""
STEEL = GEARS["pinion"].material
PAIR_LIMIT, LIMIT = 200e3, 80e3  # Hz
PUBLISHED = 20 * 3600.0  # s, both gears


def bench(repeats: int) -> None:
    """The pair, and the pinion against its peers."""
    print("\nElastic gears, 18 and 37 teeth: modes to 200 kHz and flank compliance, bores free, no cache")
    print(f"{'gear':<10}{'grid of a sector':<36}{'modes':>7}{'time':>12}")
    grids: list[tuple[str, dict[str, Any], str | None]] = [("default", {}, None), ("coarse, reduced", GRID, "reduced")]
    for title, options, formulation in grids:
        total = 0.0
        for name, gear in GEARS.items():
            grid = sector_grid(gear, **options)
            wall, count = _best(partial(_pair_member, grid, formulation), repeats)
            total += wall
            print(f"{name:<10}{f'{title}, {len(grid.solid.nodes):,} nodes':<36}{count:>7}{wall:>10.2f} s", flush=True)
        print(f"{'both':<46}{'':>7}{total:>10.2f} s   published: {PUBLISHED / 3600:.0f} h")

    grid = sector_grid(GEARS["pinion"], **GRID)
    whole = whole_gear(grid)
    print(f"\nPinion held at its bore, all modes to 80 kHz; whole gear: {len(whole.nodes):,} nodes")
    entrants: dict[str, Callable[[], np.ndarray]] = {"pitchline, one sector": lambda: _sector(grid)}
    exact = _sector(grid)
    entrants["whole gear, ARPACK"] = lambda: _whole(grid, len(exact))
    if shutil.which("ccx"):
        entrants["CalculiX, whole gear"] = lambda: _calculix(grid, len(exact))
    first = 0.0
    for name, solve in entrants.items():
        wall, found = _best(solve, repeats)
        first = first or wall
        apart = float(np.abs(found / exact - 1.0).max())
        print(f"{name:<26}{len(found):>4} modes{wall:>10.2f} s{wall / first:>9.1f} ×   apart {apart:.0e}", flush=True)


def _best(work: Callable[[], T], repeats: int) -> tuple[float, T]:
    """The shortest time, and what the work gives."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - began)
    return min(times), found


def _pair_member(grid: SectorGrid, formulation: str | None) -> int:
    gear = elastic_gear(grid.teeth, bore="free", up_to=PAIR_LIMIT, grid=grid, formulation=formulation, cache=False)
    return len(gear.all_frequencies)


def _sector(grid: SectorGrid) -> np.ndarray:
    return elastic_gear(
        grid.teeth, bore="fixed", up_to=LIMIT, grid=grid, formulation="full", cache=False
    ).all_frequencies


def _whole(grid: SectorGrid, count: int) -> np.ndarray:
    """The lowest modes of the whole gear [Hz]."""
    with one_blas_thread():
        whole = whole_gear(grid)
        K, M = stiffness_and_mass(whole, STEEL, formulation="full")
        held = (3 * whole.node_set("bore")[:, None] + np.arange(3)).ravel()
        free = np.setdiff1d(np.arange(K.shape[0]), held)
        K, M = K[free][:, free], M[free][:, free]
        inverse = LinearOperator(K.shape, matvec=factorise(K.tocsc()).solve, dtype=np.float64)
        values = eigsh(K, count, M, sigma=0.0, OPinv=inverse, return_eigenvectors=False)
    return np.sqrt(np.sort(values)) / (2 * np.pi)


def _calculix(grid: SectorGrid, count: int) -> np.ndarray:
    """The same by `ccx` [Hz]: in mm, as it reads numbers of 20 characters."""
    whole = whole_gear(grid)
    nodes = np.where(np.abs(whole.nodes) < 1e-12, 0.0, 1e3 * whole.nodes)
    lines = ["*NODE, NSET=ALL", *(f"{i + 1},{x:.15f},{y:.15f},{z:.15f}" for i, (x, y, z) in enumerate(nodes))]
    lines.append("*ELEMENT, TYPE=C3D20, ELSET=BODY")
    for i, element in enumerate(whole.elements):
        words = [str(i + 1), *(str(n + 1) for n in element)]
        lines += [",".join(words[:11]) + ",", ",".join(words[11:])]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", f"{STEEL.youngs_modulus:g},{STEEL.poissons_ratio:g}"]
    lines += ["*DENSITY", f"{STEEL.density:g}", "*SOLID SECTION, ELSET=BODY, MATERIAL=M"]
    lines += ["*BOUNDARY", *(f"{n + 1},1,3,0" for n in whole.node_set("bore"))]
    lines += ["*STEP", "*FREQUENCY", str(count), "*END STEP", ""]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "gear.inp").write_text("\n".join(lines))
        settings = {**os.environ, "OMP_NUM_THREADS": "1", "CCX_NPROC_EQUATION_SOLVER": "1"}
        subprocess.run(["ccx", "gear"], cwd=folder, env=settings, capture_output=True, check=True)
        table = Path(folder, "gear.dat").read_text().split("P A R T I C I P A T I O N")[0]
    rows = [line.split() for line in table.splitlines() if len(line.split()) == 5 and line.split()[0].isdigit()]
    return 1e3 * np.array([float(row[3]) for row in rows])


if __name__ == "__main__":
    bench(1)
