"""The same grids in CalculiX: displacements and natural frequencies."""

from pathlib import Path

import numpy as np
import pytest
from references import calculix
from references.hex_grids import annulus, distorted, dofs, nodes_where
from references.natural_frequencies import natural_frequencies

from pitchline.fem.elasticity import AssemblyPattern, stiffness_and_mass
from pitchline.fem.element_matrices import element_masses
from pitchline.fem.solid_grid import SolidGrid
from pitchline.fem.sparse_solver import factorise
from pitchline.parts.gears.geometry.inputs import STEEL

pytestmark = pytest.mark.skipif(not calculix.INSTALLED, reason="CalculiX (ccx) is not installed")

PRINTED = 1e-6
"""CalculiX prints seven digits."""


def curved(order: int, counts: tuple[int, int, int] = (2, 3, 2)) -> SolidGrid:
    """A curved block, its inner nodes shifted where edges may be straight."""
    grid = annulus(0.02, 0.04, 0.01, counts, order=order, angle=1.0)
    return distorted(grid, 0.15) if order == 1 else grid


def foot(grid: SolidGrid) -> np.ndarray:
    return nodes_where(grid, lambda x, y, z: np.abs(y) < 1e-9)


ELEMENTS = [(2, "full", "C3D20"), (2, "reduced", "C3D20R"), (1, "full", "C3D8"), (1, "incompatible", "C3D8I")]


@pytest.mark.parametrize(("order", "formulation", "element"), ELEMENTS)
def test_displacements(tmp_path: Path, order: int, formulation: str, element: str) -> None:
    """C3D8I has other internal modes than ours: alike on this coarse grid, not the same."""
    grid = curved(order)
    node, force = int(np.argmax(grid.nodes[:, 1])), np.array([100.0, -200.0, 300.0])
    theirs = calculix.displacements(tmp_path, grid, STEEL, element=element, fixed=foot(grid), forces={node: force})
    K, _ = stiffness_and_mass(grid, STEEL, formulation=formulation)
    free = np.setdiff1d(np.arange(K.shape[0]), dofs(foot(grid)))
    u = np.zeros(K.shape[0])
    u[3 * node : 3 * node + 3] = force
    u[free] = factorise(K[free][:, free]).solve(u[free])
    difference = abs(u.reshape(-1, 3) - theirs).max() / abs(theirs).max()
    assert difference < (0.02 if element == "C3D8I" else PRINTED)


@pytest.mark.parametrize(("order", "formulation", "element"), ELEMENTS[:3])
def test_frequencies(tmp_path: Path, order: int, formulation: str, element: str) -> None:
    """CalculiX integrates the mass of C3D20R at the same 2 x 2 x 2 points as the stiffness; so does this test, then."""
    grid = curved(order)
    theirs = calculix.frequencies(tmp_path, grid, STEEL, element=element, count=8, fixed=foot(grid))
    K, M = stiffness_and_mass(grid, STEEL, formulation=formulation)
    if formulation == "reduced":
        pattern = AssemblyPattern.of(grid.elements, len(grid.nodes))
        masses = element_masses(grid.nodes[grid.elements], density=STEEL.density, points_per_direction=2)
        scalar = np.bincount(pattern.slots.ravel(), masses.ravel())
        for i in range(3):
            M[i::3, i::3] = type(M)((scalar, pattern.indices, pattern.indptr))
    ours = natural_frequencies(K, M, 8, fixed=dofs(foot(grid)))
    np.testing.assert_allclose(ours, theirs, rtol=PRINTED)


def test_incompatible_modes_of_both_go_to_the_same_limit(tmp_path: Path) -> None:
    """Ours and C3D8I err by h² each, with different constants: the lowest three modes against those of 20 nodes."""
    fine = curved(2, (3, 5, 3))
    limit = natural_frequencies(*stiffness_and_mass(fine, STEEL), 3, fixed=dofs(foot(fine)))
    errors = []
    for counts in ((2, 3, 2), (4, 6, 4)):
        grid = curved(1, counts)
        theirs = calculix.frequencies(tmp_path, grid, STEEL, element="C3D8I", count=3, fixed=foot(grid))
        ours = natural_frequencies(*stiffness_and_mass(grid, STEEL), 3, fixed=dofs(foot(grid)))
        errors.append((abs(ours / limit - 1).max(), abs(theirs / limit - 1).max(), abs(ours / theirs - 1).max()))
    coarse, half = np.array(errors)
    assert (coarse < 0.13).all()
    assert (half < 0.45 * coarse).all()
