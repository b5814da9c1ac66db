"""CalculiX as another opinion: writes a small input file, runs `ccx`, reads displacements and frequencies back.

CalculiX is run where it is installed (Debian: calculix-ccx). All in SI.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pitchline.fem.solid_grid import SolidGrid
from pitchline.parts.gears.geometry.inputs import Material

INSTALLED = shutil.which("ccx") is not None


def _grid_text(grid: SolidGrid, material: Material, element: str, fixed: np.ndarray) -> str:
    """Nodes, elements of the given CalculiX type, material, and nodes without displacement."""
    lines = ["*NODE, NSET=ALL"]
    # CalculiX reads twenty characters of a number
    lines += [f"{n + 1},{x:.13g},{y:.13g},{z:.13g}" for n, (x, y, z) in enumerate(grid.nodes)]
    lines.append(f"*ELEMENT, TYPE={element}, ELSET=BODY")
    for number, nodes in enumerate(grid.elements):
        words = [str(number + 1), *(str(n + 1) for n in nodes)]
        lines += [",".join(words[:11]) + ("," if len(words) > 11 else "")]
        if len(words) > 11:
            lines.append(",".join(words[11:]))
    lines += [
        "*MATERIAL, NAME=M",
        "*ELASTIC",
        f"{material.youngs_modulus:.17g},{material.poissons_ratio:.17g}",
        "*DENSITY",
        f"{material.density:.17g}",
        "*SOLID SECTION, ELSET=BODY, MATERIAL=M",
    ]
    if len(fixed):
        lines += ["*BOUNDARY", *(f"{n + 1},1,3,0" for n in fixed)]
    return "\n".join(lines) + "\n"


def _run(folder: Path, text: str) -> str:
    """The .dat file of a run."""
    (folder / "job.inp").write_text(text)
    settings = {**os.environ, "OMP_NUM_THREADS": "1", "CCX_NPROC_EQUATION_SOLVER": "1"}
    done = subprocess.run(
        ["ccx", "job"], cwd=folder, capture_output=True, text=True, env=settings, timeout=120, check=False
    )
    if done.returncode or "*ERROR" in done.stdout:
        raise RuntimeError("ccx failed:\n" + done.stdout[-2000:])
    return (folder / "job.dat").read_text()


def frequencies(
    folder: Path, grid: SolidGrid, material: Material, *, element: str, count: int, fixed: np.ndarray
) -> np.ndarray:
    """(count,) lowest natural frequencies [Hz] with the nodes `fixed` held.

    element: "C3D20", "C3D20R", "C3D8I", "C3D8". CalculiX prints them with seven digits.
    """
    text = _grid_text(grid, material, element, fixed)
    dat = _run(folder, text + f"*STEP\n*FREQUENCY\n{count}\n*END STEP\n")
    table = dat.split("E I G E N V A L U E   O U T P U T")[1].split("P A R T I C I P A T I O N")[0]
    rows = re.findall(r"^\s*\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", table, flags=re.MULTILINE)
    return np.array([float(row[2]) for row in rows])[:count]


def displacements(
    folder: Path,
    grid: SolidGrid,
    material: Material,
    *,
    element: str,
    fixed: np.ndarray,
    forces: Mapping[int, np.ndarray],
) -> np.ndarray:
    """(nodes, 3) displacements [m] under nodal forces {node: (3,) [N]} with the nodes `fixed` held."""
    loads = [f"{node + 1},{i + 1},{f:.17g}" for node, force in forces.items() for i, f in enumerate(force) if f != 0.0]
    text = _grid_text(grid, material, element, fixed)
    step = "*STEP\n*STATIC\n*CLOAD\n" + "\n".join(loads) + "\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n"
    dat = _run(folder, text + step)
    rows = re.findall(r"^\s*(\d+)\s+(-?\d\S+)\s+(-?\d\S+)\s+(-?\d\S+)\s*$", dat, flags=re.MULTILINE)
    u = np.zeros((len(grid.nodes), 3))
    for node, *values in rows:
        u[int(node) - 1] = [float(v) for v in values]
    return u
