"""Points of a flank in any order, resampled to a grid.

In the coordinates of the teeth a flank is a function a(h, w). A polynomial of low degree is taken off, the rest is
interpolated by radial basis functions (r³, with the nearest points only), and evaluated on a grid between the smallest and
largest heights and places along the face that the points cover.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...errors import ModelError, Subject
from ..arrays import FloatArray
from ..inputs import in_mm
from .point_grid import unwrapped
from .tooth_coordinates import ToothCoordinates

__all__ = ["resampled"]

_FEWEST = 30
_DEGREE = 5
_NEIGHBOURS = 40
_ROWS, _LINES = (12, 60), (8, 60)
"""Least and greatest size of the grid."""
_ONE_SURFACE = 0.02
"""Distance of the points from a smooth surface, in modules, beyond which they are not one flank."""
_SAME = 1e-7
"""Distance of points, in parts of depth and width, up to which they are one."""


def resampled(points: FloatArray, coordinates: ToothCoordinates, what: Subject) -> FloatArray:
    """A grid (rows, lines, 3) [m] of points (n, 3) in any order."""
    from scipy.interpolate import RBFInterpolator

    places = coordinates.of(points)
    angle = unwrapped(places.angle, coordinates)
    h, w = places.height / coordinates.depth, places.along / coordinates.width
    _, first, of = np.unique(
        np.round(np.stack([h, w], axis=-1) / _SAME), axis=0, return_index=True, return_inverse=True
    )
    _check_one_surface(angle - angle[first][of.ravel()], coordinates, what)
    h, w, angle = h[first], w[first], angle[first]
    if len(h) < _FEWEST:
        raise ModelError(
            f"{what}: {len(h)} different points in any order. Use at least {_FEWEST}, or a grid of points", about=what
        )
    low, high = _limits(h, w)
    degree = min(_DEGREE, int(np.sqrt(len(h) / 3.0)) - 1)

    def terms(a: FloatArray, b: FloatArray) -> FloatArray:
        x, y = (2.0 * (a - low[0]) / (high[0] - low[0]) - 1.0), (2.0 * (b - low[1]) / (high[1] - low[1]) - 1.0)
        legendre = np.polynomial.legendre.legvander2d(x, y, [degree, degree])
        return np.asarray(legendre)

    polynomial = np.linalg.lstsq(terms(h, w), angle, rcond=None)[0]
    rest = angle - terms(h, w) @ polynomial
    _check_one_surface(rest, coordinates, what)
    smooth = RBFInterpolator(
        np.stack([h, w], axis=-1), rest, neighbors=min(_NEIGHBOURS, len(h)), kernel="cubic", degree=1
    )
    count = np.sqrt(len(h))
    rows, lines = (int(np.clip(count, *limits)) for limits in (_ROWS, _LINES))
    a, b = np.meshgrid(np.linspace(low[0], high[0], rows), np.linspace(low[1], high[1], lines), indexing="ij")
    flat = np.stack([a.ravel(), b.ravel()], axis=-1)
    found = (terms(flat[:, 0], flat[:, 1]) @ polynomial + smooth(flat)).reshape(a.shape)
    return coordinates.points(a * coordinates.depth, b * coordinates.width, found)


def _check_one_surface(apart: FloatArray, coordinates: ToothCoordinates, what: Subject) -> None:
    """An error if angles differ from those of one smooth surface by too much."""
    distance = float(np.sqrt((apart**2).mean())) * coordinates.lever
    if distance > _ONE_SURFACE * coordinates.gear.normal_module:
        raise ModelError(
            f"{what}: the points are not those of one flank: they are {in_mm(distance)} (root mean square) away from one surface. "
            "Use only the points of one flank, without fillet and tip",
            about=what,
        )


def _limits(h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Corners of the largest rectangle (h, w) that the points cover at all its edges.

    The ends of the face: extremes of w. The ends of the profile: in ten slices of the face the least and the greatest h, of
    which the innermost ones count, so that nothing is extrapolated by much.
    """
    ends = np.linspace(w.min(), w.max(), 11)
    slices = [h[(w >= a) & (w <= b)] for a, b in pairwise(ends)]
    full = [part for part in slices if len(part) >= 2 and np.ptp(part) > 0.5 * np.ptp(h)]
    bottom = max((float(part.min()) for part in full), default=float(h.min()))
    top = min((float(part.max()) for part in full), default=float(h.max()))
    return np.array([bottom, w.min()]), np.array([top, w.max()])
