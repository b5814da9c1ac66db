"""The half-space against quadrature, its own far field and Hertz."""

import numpy as np
import pytest
from references.cell_contact import solve_strips

from pitchline.contact.active_set import CONVERGED
from pitchline.contact.compliance import cell_compliances, hat_compliance, hertz_half_width, hertz_pressure

HEIGHT, WIDTH = 0.02, 0.9


@pytest.mark.parametrize("apart", [2, 5, 30])
def test_cells_apart_against_quadrature(apart: int) -> None:
    """⟨1/ρ⟩ over two rectangles: Gauss points, across the height few, along the width many."""
    x, w = np.polynomial.legendre.leggauss(6)
    y, v = np.polynomial.legendre.leggauss(150)
    dx = apart * HEIGHT + 0.5 * HEIGHT * (x[:, None] - x)
    dy = 0.5 * WIDTH * (y[:, None] - y)
    kernel = 1.0 / np.hypot(dx[:, :, None, None], dy)
    mean = np.einsum("a,b,c,d,abcd->", w, w, v, v, kernel, optimize=True) / 16.0
    assert cell_compliances(HEIGHT, WIDTH, apart + 1, scale=1.0)[apart] == pytest.approx(mean, rel=2e-4)


def test_a_square_on_itself() -> None:
    """⟨1/ρ⟩ = (4/a) (asinh 1 + (1 − √2)/3) over a square of side a."""
    exact = 4.0 / 0.3 * (np.arcsinh(1.0) + (1.0 - np.sqrt(2.0)) / 3.0)
    assert cell_compliances(0.3, 0.3, 1, scale=1.0)[0] == pytest.approx(exact, rel=1e-12)


def test_far_away_it_is_a_point_load() -> None:
    table = cell_compliances(HEIGHT, HEIGHT, 401, scale=2.0)
    assert table[400] == pytest.approx(2.0 / (400 * HEIGHT), rel=1e-5)


def test_hats_add_up_to_cells() -> None:
    """A uniform pressure is the sum of all hats, and of cells: the same mean sinking, and a symmetric answer."""
    hats, spacing = 9, 0.15
    S = hat_compliance(spacing, WIDTH, hats, scale=1.0)
    part = np.full(hats, 1.0)
    part[[0, -1]] = 0.5
    part /= part.sum()
    whole = cell_compliances((hats - 1) * spacing, WIDTH, 1, scale=1.0)[0]
    assert part @ S @ part == pytest.approx(whole, rel=1e-12)
    assert np.abs(S - S.T).max() <= 1e-14 * S.max()
    assert np.linalg.eigvalsh(S)[0] > 0.0


def hertz_errors(cells: int) -> tuple[float, float]:
    """Of peak pressure and half width of a long strip, with a half width of so many cells."""
    modulus, radius, width = 1.15e11, 4e-3, 1.0
    load = 3e5
    half, peak = hertz_half_width(load, radius, modulus), hertz_pressure(load, radius, modulus)
    height = half / cells
    n = 4 * cells + 1
    x = (np.arange(n) - n // 2) * height
    table = cell_compliances(height, width, n, scale=1.0 / (np.pi * modulus))
    active = (np.abs(x) < 0.5 * half).astype(np.int64)
    *_, status, loads = solve_strips(table[None, :], np.zeros((n, n)), x**2 / (2.0 * radius), load * width, active)
    assert status == CONVERGED
    pressure = loads / (height * width)
    exact = peak * np.sqrt(np.maximum(1.0 - (x / half) ** 2, 0.0))
    assert pressure.sum() * height == pytest.approx(load, rel=1e-12)
    return float(np.abs(pressure - exact).mean() / peak), float(abs(0.5 * active.sum() * height / half - 1.0))


def test_hertz_pressure_is_approached() -> None:
    """Piecewise constant pressure: the mean error falls with the height of the cells, first order at the edge."""
    coarse, fine = hertz_errors(6), hertz_errors(24)
    assert coarse[0] < 0.02
    assert fine[0] < coarse[0] / 3.0
    assert coarse[1] <= 1.0 / 6 and fine[1] <= 1.0 / 24
