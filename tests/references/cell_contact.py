"""Contact of given cells, for tests of the active set: strips of cells, and smooth compliance by hats."""

import numpy as np

from pitchline.contact.active_set import CellSolver, HatShares
from pitchline.contact.compliance import SHARES


def solve_strips(
    laws: np.ndarray, smooth: np.ndarray, gaps: np.ndarray, force: float, active: np.ndarray
) -> tuple[float, float, int, int, np.ndarray]:
    """x, dF/dx, rounds, status and loads of cells in strips with the laws (strips, count), and a hat of `smooth` for each cell.

    The compliance is that of the strips, block by block, and `smooth` (cells, cells), half of it in either gear.
    """
    strips, count = laws.shape
    n = strips * count
    entries, weights = np.zeros((n, SHARES), dtype=np.int64), np.zeros((n, SHARES))
    entries[:, 0], weights[:, 0] = np.arange(n), 1.0
    gear = HatShares(np.ascontiguousarray(0.5 * smooth), entries, weights)
    found = CellSolver()(np.ascontiguousarray(laws), gear, gear, np.ascontiguousarray(gaps), force, active)
    return found.approach, found.stiffness, found.rounds, found.status, found.loads
