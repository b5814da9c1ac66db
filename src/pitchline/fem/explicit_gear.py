"""Finite elements of a whole gear for explicit steps: stiffness of one sector, lumped masses, and the longest stable step.

Elements have 8 nodes, with incompatible modes so that teeth bend as they should. The highest frequency of the assembled elements is
not above the highest frequency of a single one (B. Irons 1970), so that the step follows from the elements, each for itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..errors import ModelError
from ..gears.material import Material
from ..gears.teeth.arrays import FloatArray, IntArray
from .cyclic_symmetry import CyclicSector
from .elasticity import mass_matrix
from .element_matrices import element_masses, element_stiffnesses, formulation_for
from .sector_grid import SectorGrid

__all__ = ["ExplicitGear", "explicit_gear", "highest_element_frequency"]

_CHUNK = 256
LANES = 4


@dataclass(frozen=True, eq=False)
class ExplicitGear:
    """A gear for explicit steps.

    Attributes
    ----------
    sector : CyclicSector
    stiffness : sparse, blocks of 3 × 3
    mass : (size,)
        Lumped masses of the unknowns inside and on the low side [kg].
    rigid : (size, 6)
    inverse : (6, 6)
        Of RᵀMR of the whole gear.
    places : (nodes,)
        First unknown of every node of the sector.
    frequency : float
        Upper bound of the natural frequencies [Hz].
    nodes : int
        Of the whole gear.
    """

    sector: CyclicSector
    stiffness: sp.bsr_matrix
    mass: FloatArray
    rigid: FloatArray
    inverse: FloatArray
    places: IntArray
    frequency: float
    nodes: int

    @property
    def width(self) -> int:
        """Sectors, filled up to a multiple of four."""
        return -(-self.sector.count // LANES) * LANES


def explicit_gear(grid: SectorGrid, material: Material, *, formulation: str | None = None) -> ExplicitGear:
    """The finite elements of a gear with a free bore."""
    if grid.solid.order != 1:
        raise ModelError("explicit steps need a grid of 8-node elements. Specify order = 1")
    kind = formulation_for(8, formulation)
    sector = CyclicSector.of(grid, material, bore="free", formulation=kind)
    lumped = mass_matrix(grid.solid, material, lumped=True).diagonal()
    # nodes in the order of the unknowns: inside, low side, high side
    low, high = np.asarray(grid.low_side), np.asarray(grid.high_side)
    inside = np.setdiff1d(np.arange(len(grid.solid.nodes)), np.concatenate([low, high]))
    numbers = np.concatenate([inside, low, high])
    places = np.empty(len(numbers), dtype=np.int64)
    places[numbers] = 3 * np.arange(len(numbers))
    each = lumped[::3][numbers]
    nodes = len(inside) + len(low)
    mass = each[:nodes].copy()
    mass[len(inside) :] += each[nodes:]
    mass = np.repeat(mass, 3)
    rigid = np.ascontiguousarray(sector.rigid[: sector.size])
    gram = np.zeros((6, 6))
    own = rigid.T @ (mass[:, None] * rigid)
    for k in range(sector.count):
        angle = 2.0 * math.pi * k / sector.count
        c, s = math.cos(angle), math.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        both = np.block([[turn, np.zeros((3, 3))], [np.zeros((3, 3)), turn]])
        gram += both @ own @ both.T
    return ExplicitGear(
        sector, sp.bsr_matrix(sector.K, blocksize=(3, 3)), mass, rigid, np.asarray(np.linalg.inv(gram), np.float64), places,
        highest_element_frequency(grid, material, kind), sector.count * nodes,
    )  # fmt: skip


def highest_element_frequency(grid: SectorGrid, material: Material, formulation: str) -> float:
    """The highest natural frequency of a single element with lumped masses [Hz]."""
    highest = 0.0
    solid = grid.solid
    for start in range(0, len(solid.elements), _CHUNK):
        at = np.asarray(solid.nodes, dtype=np.float64)[solid.elements[start : start + _CHUNK]]
        K = element_stiffnesses(
            at, youngs_modulus=material.youngs_modulus, poissons_ratio=material.poissons_ratio, formulation=formulation,
            first=start,
        )  # fmt: skip
        M = element_masses(at, density=material.density, first=start)
        diagonal = np.einsum("eaa->ea", M)
        diagonal = diagonal * (M.sum(axis=(1, 2)) / diagonal.sum(axis=1))[:, None]
        root = 1.0 / np.sqrt(np.repeat(diagonal, 3, axis=1))
        scaled = K * root[:, :, None] * root[:, None, :]
        highest = max(highest, float(np.linalg.eigvalsh(scaled)[:, -1].max()))
    return math.sqrt(highest) / (2.0 * math.pi)
