"""Files of tooth loads: tables, and load cards for Abaqus, CalculiX and Nastran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import shown
from pitchline.fem.solid_grid import SolidGrid
from pitchline.files.grid_file import write_inp
from pitchline.parts.gears.geometry.inputs import STEEL, Material

from .safe_xml import ExchangeError

__all__ = ["write_loads", "ToothLoads"]


LENGTH = {"mm": 1e3, "m": 1.0}
MOST_LINES = 5_000_000
STYLES = ("steps", "amplitude")
SMALL = 1e-12
"""Force of a node, relative to the largest one, that is left out."""
_UNITS = {"time": "s", "fx": "N", "fy": "N", "fz": "N", "mx": "N*m", "my": "N*m", "mz": "N*m", "x": "m", "y": "m", "z": "m",
          "pressure": "Pa"}  # fmt: skip


def write_loads(loads: ToothLoads, path: str | Path, *, units: str, style: str, material: Any, overwrite: bool) -> Path:
    """Write loads in the format of the ending of the file."""
    end = Path(path).suffix.lower()
    if units not in LENGTH:
        raise ExchangeError(f'tooth loads: units must be "mm" (mm, t, s) or "m" (m, kg, s), got {shown(units)}')
    if style not in STYLES:
        raise ExchangeError(f'tooth loads: style must be "steps" or "amplitude", got {shown(style)}')
    if style == "amplitude" and len(loads.time) < 2:
        raise ExchangeError('tooth loads: an amplitude needs two times at least. Specify style="steps"')
    if material is not None and not isinstance(material, Material):
        raise ExchangeError(f"tooth loads: material must be a Material, got {shown(material)}")
    lines = int(np.count_nonzero(np.abs(loads.forces) > _small(loads)))
    if end in (".inp", ".bdf", ".dat") and lines > MOST_LINES:
        raise ExchangeError(
            f"tooth loads: {lines} forces at nodes and times, the limit is {MOST_LINES}. Specify fewer times, or a coarser grid"
        )
    if end == ".csv":
        return _write_csv(loads, path, overwrite)
    if end == ".parquet":
        return _write_parquet(loads, path, overwrite)
    if end == ".inp":
        cards = "".join(_inp_cards(loads, style))
        return write_inp(path, loads.grid, material=material or STEEL, units=units, steps=cards, overwrite=overwrite)
    if end in (".bdf", ".dat"):
        with atomic_file(path, overwrite=overwrite) as (draft, target):
            with draft.open("w", encoding="ascii", errors="replace", newline="\n") as out:
                _write_nastran(out, loads, style, units)
            written = target
        return written
    raise ExchangeError(f'tooth loads: "{Path(path).name}" must end in .csv, .parquet, .inp, .bdf or .dat')


def _small(loads: ToothLoads) -> float:
    return SMALL * float(np.abs(loads.forces).max(initial=0.0))


def _write_csv(loads: ToothLoads, path: str | Path, overwrite: bool) -> Path:
    table = loads.table()
    titles = [f"{name} [{_UNITS[name]}]" if name in _UNITS else name for name in table]
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("w", encoding="utf-8", newline="\n") as out:
            out.write(",".join(titles) + "\n")
            for row in zip(*(column.tolist() for column in table.values()), strict=True):
                out.write(",".join(repr(value) for value in row) + "\n")
        written = target
    return written


def _write_parquet(loads: ToothLoads, path: str | Path, overwrite: bool) -> Path:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExchangeError('writing Parquet files needs pyarrow: pip install "pitchline[data]"') from None
    table = loads.table()
    fields = [
        pyarrow.field(name, pyarrow.from_numpy_dtype(column.dtype), metadata={"unit": _UNITS.get(name, "")})
        for name, column in table.items()
    ]
    made = pyarrow.table(list(table.values()), schema=pyarrow.schema(fields))
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        pyarrow.parquet.write_table(made, draft)
        written = target
    return written


def _inp_cards(loads: ToothLoads, style: str) -> Iterator[str]:
    """Fixed bore, and steps with concentrated forces in the axes of the gear."""
    small = _small(loads)
    yield f"** tooth loads of {loads.gear} in the gear pair {loads.pair}, axes of the gear\n*BOUNDARY\nBORE, 1, 3, 0.\n"
    if style == "steps":
        for t, forces in zip(loads.time.tolist(), loads.forces, strict=True):
            yield f"** time {t:.9g} s\n*STEP\n*STATIC\n*CLOAD, OP=NEW\n"
            where = np.argwhere(np.abs(forces) > small).tolist()
            if not where:
                yield f"{int(loads.nodes[0]) + 1}, 1, 0.\n"
            yield from (f"{int(loads.nodes[k]) + 1}, {c + 1}, {forces[k, c]:.12e}\n" for k, c in where)
            yield "*NODE PRINT, NSET=BORE, TOTALS=ONLY\nRF\n*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n"
        return
    start = float(loads.time[0])
    used = np.argwhere((np.abs(loads.forces) > small).any(axis=0)).tolist()
    for k, c in used:
        yield f"*AMPLITUDE, NAME=F{int(loads.nodes[k]) + 1}_{c + 1}\n"
        for t, value in zip((loads.time - start).tolist(), loads.forces[:, k, c].tolist(), strict=True):
            yield f"{t:.12e}, {value:.12e}\n"
    span = float(loads.time[-1] - start)
    step = span / (len(loads.time) - 1)
    yield f"*STEP, INC={100 * len(loads.time)}\n*STATIC, DIRECT\n{step:.9e}, {span:.9e}\n"
    for k, c in used:
        node = int(loads.nodes[k]) + 1
        yield f"*CLOAD, AMPLITUDE=F{node}_{c + 1}\n{node}, {c + 1}, 1.\n"
    yield "*NODE PRINT, NSET=BORE, TOTALS=ONLY\nRF\n*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n"


def _write_nastran(out: TextIO, loads: ToothLoads, style: str, units: str) -> None:
    """GRID of the loaded nodes as comments, and FORCE (a set for each time) or DAREA, TLOAD1 and TABLED1."""
    small, scale = _small(loads), LENGTH[units]
    out.write(f"$ tooth loads of {loads.gear} in the gear pair {loads.pair}, axes of the gear, units {units}, N, s\n")
    out.write("$ node numbers are those of the grid that pitchline writes; loaded nodes:\n")
    for node in loads.nodes.tolist():
        x, y, z = (scale * loads.grid.nodes[node]).tolist()
        out.write(f"$ {node + 1} {x:.9g} {y:.9g} {z:.9g}\n")
    if style == "steps":
        for number, (t, forces) in enumerate(zip(loads.time.tolist(), loads.forces, strict=True), 1):
            out.write(f"$ set {number}: time {t:.9g} s\n")
            for k in np.flatnonzero((np.abs(forces) > small).any(axis=1)).tolist():
                fx, fy, fz = (f"{value:.9E}" for value in forces[k].tolist())
                out.write(
                    f"FORCE*  {number:>16d}{int(loads.nodes[k]) + 1:>16d}{0:>16d}{'1.0':>16s}*\n"
                    f"*       {fx:>16s}{fy:>16s}{fz:>16s}\n"
                )
        return
    used = np.argwhere((np.abs(loads.forces) > small).any(axis=0)).tolist()
    for number, (k, c) in enumerate(used, 1):
        node = int(loads.nodes[k]) + 1
        out.write(f"DAREA*  {number:>16d}{node:>16d}{c + 1:>16d}{'1.0':>16s}*\n*\n")
        out.write(f"TLOAD1  {number:>8d}{number:>8d}{'':8s}{0:>8d}{number:>8d}\n")
        out.write(f"TABLED1*{number:>16d}{'':48s}*\n*\n")
        values = [f"{t:.9E}" for t in (loads.time - loads.time[0]).tolist()]
        pairs = [f"{a:>16s}{f'{b:.9E}':>16s}" for a, b in zip(values, loads.forces[:, k, c].tolist(), strict=True)]
        pairs.append(f"{'ENDT':>16s}")
        for at in range(0, len(pairs), 2):
            out.write("*       " + "".join(pairs[at : at + 2]) + ("*\n" if at + 2 < len(pairs) else "\n"))
    for start in range(0, len(used), 1000):
        members = range(start + 1, min(start + 1000, len(used)) + 1)
        _write_dload(out, 1_000_000 + start // 1000, list(members))


def _write_dload(out: TextIO, number: int, members: list[int]) -> None:
    """DLOAD: the sum of the loads of a set."""
    fields = [f"{'1.0':>8s}{member:>8d}" for member in members]
    line = f"DLOAD   {number:>8d}{'1.0':>8s}" + "".join(fields[:3])
    out.write(line + "\n")
    for at in range(3, len(fields), 4):
        out.write("        " + "".join(fields[at : at + 4]) + "\n")


# ---- load results

# ToothLoads: forces on the teeth of one gear over time.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class ToothLoads:
    """Forces on the teeth of one gear, in its own axes: z its axis, x through the middle of tooth 0.

    Attributes
    ----------
    gear, pair : str
        Names of the wheel and the gear pair.
    time : (n,)
        [s]
    grid : SolidGrid
        Whole gear, whose nodes are loaded; its bore is fixed.
    nodes : (k,)
        Nodes with forces, numbers of the grid from 0.
    forces : (n, k, 3)
        [N]
    rows : dict of arrays
        One row for each time and loaded tooth: see `table`.
    correction : (n,)
        Change of the nodal forces for equilibrium with the model, relative to the tooth force.
    """

    gear: str
    pair: str
    time: FloatArray
    grid: SolidGrid
    nodes: IntArray
    forces: FloatArray
    rows: dict[str, npt.NDArray[Any]]
    correction: FloatArray

    @property
    def total_force(self) -> FloatArray:
        """Sum of the forces of all teeth [N], axes of the gear; (n, 3)."""
        return self.forces.sum(axis=1)

    @property
    def total_moment(self) -> FloatArray:
        """Moment of all forces about the centre of the gear [N m], axes of the gear; (n, 3)."""
        return np.cross(self.grid.nodes[self.nodes], self.forces).sum(axis=1)

    def table(self) -> dict[str, npt.NDArray[Any]]:
        """Columns, one row for each time and loaded tooth.

        time [s], tooth, mate (number of the tooth of the other gear), fx, fy, fz [N], mx, my, mz [N m] about the centre of the
        gear, x, y, z [m] point of action, pressure [Pa] largest contact pressure of the static contact at this load.
        """
        return dict(self.rows)

    def write(
        self,
        path: str | Path,
        *,
        units: str = "mm",
        style: str = "steps",
        material: Any = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the loads; returns the path.

        Parameters
        ----------
        path
            .csv or .parquet: the table. .inp: grid and loads for Abaqus and CalculiX. .bdf or .dat: loads for Nastran.
        units
            Of .inp and .bdf files: "mm" (mm, t, s, N) or "m".
        style
            "steps": one static step or load set for each time. "amplitude": one step in which the forces follow the time.
        material
            Of the gear, for .inp files. Default: steel.
        overwrite
            Whether to replace an existing file.
        """
        pass

        return write_loads(self, path, units=units, style=style, material=material, overwrite=overwrite)
