"""Mesh stiffness and transmission error between zero load and one torque, from a table of loaded tooth contact."""

from __future__ import annotations

import math

import numpy as np

from ..solids.rotations import Array
from .computed_table import ComputedTable
from .functions import Table
from .meshes import Varying

__all__ = ["average_slope"]


def average_slope(table: ComputedTable, torque: float) -> tuple[Varying, Varying]:
    """Compute k(φ) = F/(u_T − u_0) [N/m] and x(φ) = −u_0 [m] over the mesh cycle, along the base circle.

    For a negative torque these are the values of the coast flanks. There x = +u_0, because the teeth approach in the
    opposite direction.
    """
    u, sign = table.approach, -1.0
    if torque < 0.0:
        phases = u.shape[1]
        u, sign = (u[:, -np.arange(phases)] if table.coast is None else table.coast), 1.0
    force = float(table.loads[-1])
    return _over_cycle(force / (u[-1] - u[0])), _over_cycle(sign * u[0])


def _over_cycle(values: Array) -> Varying:
    angles = np.linspace(0.0, 2.0 * math.pi, len(values) + 1)
    return Varying(Table(angles, np.append(values, values[0]), kind="cubic", periodic=True, over="angle"))
