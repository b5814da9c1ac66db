"""Shares of a cell among hats: they keep force and moment, with and without a window along the face."""

import numpy as np
import pytest

from pitchline.contact.compliance import SHARES, HatGrid, cell_compliances, local_laws, share_among_hats
from pitchline.numerics.fields import packed

LINES, HATS, BASE = 7, 5, 20e-3


def grid(zeta: np.ndarray, window: np.ndarray, widths: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """Hats on equal arcs on all face lines."""
    arcs = {"first": np.full(LINES, 1e-4), "spacing": np.full(LINES, 0.3e-3)}
    return packed(
        HatGrid,
        {"hats": HATS, "base_radius": BASE, "scale": scale, "zeta": zeta, "widths": widths, "window": window, **arcs},
    )


def shares(face: np.ndarray, length: np.ndarray, zeta: np.ndarray, window: np.ndarray) -> np.ndarray:
    """(cells, hats, lines)"""
    n = len(face)
    entries, weights = np.zeros((n, SHARES), dtype=np.int64), np.zeros((n, SHARES))
    share_among_hats(grid(zeta, window, np.ones(LINES)), length, face, entries, weights)
    found = np.zeros((n, HATS * LINES))
    for e in range(SHARES):
        np.add.at(found, (np.arange(n), entries[:, e]), weights[:, e])
    return found.reshape(n, HATS, LINES)


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("part", [0.0, 0.4, 1.0])
def test_shares_keep_force_and_moment(graded: bool, part: float) -> None:
    rng = np.random.default_rng(1)
    zeta = np.linspace(-9e-3, 9e-3, LINES)
    if graded:
        zeta = np.sort(zeta + rng.uniform(-1e-3, 1e-3, LINES))
    apart = np.diff(zeta)
    window = part * np.minimum(np.concatenate([apart[:1], apart]), np.concatenate([apart, apart[-1:]]))
    face = np.concatenate([rng.uniform(zeta[0], zeta[-1], 400), zeta])
    arc = rng.uniform(1e-4, 1e-4 + 4 * 0.3e-3, len(face))
    P = shares(face, np.sqrt(2.0 * BASE * arc), zeta, window)
    assert P.min() >= -1e-15
    assert P.sum(axis=(1, 2)) == pytest.approx(1.0, abs=1e-12)
    assert P.sum(axis=1) @ zeta == pytest.approx(face, abs=1e-15)
    assert P.sum(axis=2) @ (1e-4 + 0.3e-3 * np.arange(HATS)) == pytest.approx(arc, abs=1e-15)


def test_a_full_window_makes_quadratic_splines() -> None:
    """On a line 1/8, 3/4, 1/8; half way between two of them a half each."""
    zeta = np.linspace(-9e-3, 9e-3, LINES)
    P = shares(np.array([zeta[3], 0.5 * (zeta[2] + zeta[3])]), np.full(2, 5e-3), zeta, np.full(LINES, 3e-3)).sum(axis=1)
    assert P[0] == pytest.approx([0.0, 0.0, 0.125, 0.75, 0.125, 0.0, 0.0], abs=1e-12)
    assert P[1] == pytest.approx([0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0], abs=1e-12)


def test_narrow_slices_with_one_line_load_answer_as_one() -> None:
    """A slice of a third of the width, with a third of the force, sinks as the whole one does."""
    height, count, width = 2e-5, 5, 1.5e-3
    zeta, widths = np.linspace(-9e-3, 9e-3, LINES), np.full(LINES, width)
    a, b = (grid(zeta, np.zeros(LINES), widths, scale) for scale in (1.0, 0.5))
    laws, face = np.zeros((1, count)), np.zeros(1)
    local_laws(np.array([height]), np.array([width / 3.0]), a, face, b, face, np.zeros(count), laws)
    assert laws[0] / 3.0 == pytest.approx(cell_compliances(height, width, count, scale=1.5), rel=1e-12)
