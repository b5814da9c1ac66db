"""The elastic half-space under bilinear hats: the local part of what finite elements answer for the same hats.

Hats are cut into cells, between which Love's integral is exact: with ∂⁴G/∂x²∂y² = 1/ρ the mean of 1/ρ over two cells h × v
is a second difference of G in both directions, over h² v²,

    G(x, y) = x² y/2 asinh(y/x) + x y²/2 asinh(x/y) − ρ³/6 ,     ρ² = x² + y² .

Hats are regular, so that compliances depend on differences of places only.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["antiderivative", "half_space_hats", "strip_coupling"]

FloatArray = npt.NDArray[np.float64]

_PROFILE_PARTS, _FACE_PARTS = 6, 4
"""Cells in a spacing of hats, along the profile and along the face."""


def antiderivative(x: FloatArray, y: FloatArray) -> FloatArray:
    """G(x, y) for x, y >= 0."""
    rho = np.hypot(x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        mixed = 0.5 * x * y * (x * np.arcsinh(y / x) + y * np.arcsinh(x / y))
    return np.asarray(np.where((x > 0.0) & (y > 0.0), mixed, 0.0) - rho**3 / 6.0)


def _cells(h: float, v: float, across: int, along: int) -> FloatArray:
    """Mean of 1/ρ [1/m] between cells h × v that are (i, j) cells apart; (across, along)."""
    x, y = np.abs(np.arange(-1, across + 1)) * h, np.abs(np.arange(-1, along + 1)) * v
    G = antiderivative(x[:, None], y[None, :])
    return np.asarray(np.diff(np.diff(G, 2, axis=0), 2, axis=1) / (h * h * v * v))


def _weights(hats: int, parts: int) -> FloatArray:
    """Share of each cell in the force of each hat; (hats, cells)."""
    cells = parts * (hats - 1)
    at = (np.arange(cells) + 0.5) / parts
    weights = np.maximum(0.0, 1.0 - np.abs(at - np.arange(hats)[:, None]))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def half_space_hats(spacing: float, distance: float, shape: tuple[int, int], *, scale: float) -> FloatArray:
    """Mean sinking of hats per unit force on hats [m/N], (rows · lines)², hat g = i · lines + j.

    spacing, distance: of rows (across the line of contact) and of lines (along it) [m]; scale: (1 − ν²)/(π E) [1/Pa].
    """
    rows, lines = shape
    W, V = _weights(rows, _PROFILE_PARTS), _weights(lines, _FACE_PARTS)
    table = scale * _cells(spacing / _PROFILE_PARTS, distance / _FACE_PARTS, W.shape[1], V.shape[1])
    apart = np.abs(np.subtract.outer(np.arange(W.shape[1]), np.arange(W.shape[1])))
    # along the profile for every distance along the face, then along the face
    by_distance = np.stack([W @ column[apart] @ W.T for column in table.T])
    shares = np.zeros((V.shape[1], lines, lines))
    for d in range(V.shape[1]):
        pairs = V[:, : V.shape[1] - d] @ V[:, d:].T
        shares[d] = pairs if d == 0 else pairs + pairs.T
    found = np.einsum("djk,dil->ijlk", shares, by_distance, optimize=True)
    return np.ascontiguousarray(found.reshape(rows * lines, rows * lines))


def strip_coupling(widths: FloatArray, distances: FloatArray) -> FloatArray:
    """Mean of 1/sqrt(y² + x²) [1/m] over two strips side by side along one line, for loads at distances x [m] from the line;
    (distances, strips, strips), 0 on the diagonals.

    With Φ(y) = y asinh(y/x) − sqrt(x² + y²):  (Φ(b₂ − a₁) − Φ(a₂ − a₁) − Φ(b₂ − b₁) + Φ(a₂ − b₁))/(w₁ w₂) for strips a₁b₁ and
    a₂b₂. Contact that is wide sinks its neighbours less than a line load would: taken as one, strips narrower than the contact
    would be loaded by turns.
    """
    edges = np.concatenate([[0.0], np.cumsum(widths)])
    first, last = edges[:-1], edges[1:]
    x = np.maximum(np.asarray(distances, dtype=np.float64), 1e-9 * edges[-1])[:, None, None]

    def phi(y: FloatArray) -> FloatArray:
        return np.asarray(y * np.arcsinh(y / x) - np.hypot(x, y))

    mean = (
        phi(last - first[:, None])
        - phi(first - first[:, None])
        - phi(last - last[:, None])
        + phi(first - last[:, None])
    ) / np.outer(widths, widths)
    mean[:, np.arange(len(widths)), np.arange(len(widths))] = 0.0
    return np.asarray(mean)
