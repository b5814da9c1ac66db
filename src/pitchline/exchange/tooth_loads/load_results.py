"""ToothLoads: forces on the teeth of one gear over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...fem.solid_grid import SolidGrid

__all__ = ["ToothLoads"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


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
        from .load_files import write_loads

        return write_loads(self, path, units=units, style=style, material=material, overwrite=overwrite)
