"""Contact of given cells, for tests of the active set: strips of cells, and smooth compliance by hats."""

import numpy as np

from pitchline.contact.active_set import solve_contact


def solve_strips(
    laws: np.ndarray, smooth: np.ndarray, gaps: np.ndarray, force: float, active: np.ndarray
) -> tuple[float, float, float, float, np.ndarray]:
    """x, dF/dx, rounds, status and loads of cells in strips with the laws (strips, count), and a hat of `smooth` for each cell.

    The compliance is that of the strips, block by block, and `smooth` (cells, cells), half of it in either gear.
    """
    strips, count = laws.shape
    n = strips * count
    entries, weights = np.zeros((n, 6), dtype=np.int64), np.zeros((n, 6))
    entries[:, 0], weights[:, 0] = np.arange(n), 1.0
    gear = np.ascontiguousarray(0.5 * smooth), entries, weights
    loads = np.zeros(n)
    answer = solve_contact(
        np.ascontiguousarray(laws), *gear, *gear, np.ascontiguousarray(gaps), force, active, loads, np.zeros(n, dtype=np.int64),
        np.zeros(strips + 1, dtype=np.int64), np.zeros((count, count)), np.zeros((strips, count, count)),
        *np.zeros((8, 2, n)), np.zeros((4, n)),
    )  # fmt: skip
    return (*answer, loads)
