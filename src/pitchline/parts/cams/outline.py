"""Cams defined by points of their outline: spline, pitch curve of a roller, support function, and point files."""

from __future__ import annotations

import math
import os
from itertools import pairwise
from pathlib import Path

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.units.quantity import quantity

from .law import ClosedCurve, curve_through

__all__ = ["pitch_of_outline", "read_outline", "read_points", "support_of_outline"]

_FINER = 4
"""Number of points of a pitch curve for each point of the outline."""
_MOST = 50_000_000
"""Largest size of a point file in bytes."""


def read_outline(value: object, what: Subject) -> FloatArray:
    """Read points (n, 2) of a closed outline [m], counter-clockwise about the origin, without a repeated first point."""
    if isinstance(value, (list, tuple)):
        rows = [_point(item, what / i) for i, item in enumerate(value)]
        points = np.array(rows, dtype=float).reshape(-1, 2)
    else:
        points = np.array(value, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or not np.all(np.isfinite(points)):
        raise ModelError(
            f"{what}: expected points (x, y), such as [[0.03, 0], [0.02, 0.02], ...], got {shown(value)}", about=what
        )
    size = float(np.abs(points).max(initial=0.0))
    if len(points) and np.allclose(points[0], points[-1], rtol=0.0, atol=1e-9 * size):
        points = points[:-1]
    if len(points) < 12:
        raise ModelError(f"{what}: {len(points)} points; specify at least 12 points around the cam", about=what)
    if float(np.hypot(*(points - np.roll(points, 1, axis=0)).T).min()) < 1e-9 * size:
        raise ModelError(f"{what}: two consecutive points are equal; remove one of them", about=what)
    angles = np.unwrap(np.arctan2(points[:, 1], points[:, 0]))
    if angles[-1] < angles[0]:
        points, angles = points[::-1], angles[::-1]
    around = np.diff(np.append(angles, angles[0] + 2.0 * math.pi))
    bad = np.flatnonzero(around <= 0.0)
    if bad.size:
        at = math.degrees(angles[int(bad[0])]) % 360.0
        raise ModelError(
            f"{what}: the outline is not star-shaped about the cam axis, or does not go around it once: it turns back at "
            f"{at:.4g} deg; specify points in order around the axis",
            about=what,
        )
    return points


def _point(item: object, what: Subject) -> tuple[float, float]:
    if not isinstance(item, (list, tuple, np.ndarray)) or len(item) != 2:
        raise ModelError(f'{what}: expected a point (x, y), such as ("30 mm", 0), got {shown(item)}', about=what)
    return quantity(item[0], "length", what=what), quantity(item[1], "length", what=what)


def read_points(path: str | os.PathLike[str], unit: str, what: Subject) -> FloatArray:
    """Read points [m] from a text file with two numbers in each line. A heading and lines that begin with # are ignored."""
    file = Path(path)
    scale = quantity(f"1 {unit}", "length", what=what.at("length_unit"))
    try:
        if file.stat().st_size > _MOST:
            raise ModelError(
                f'{what}: "{file}" has more than {_MOST} bytes; it is probably not a list of points', about=what
            )
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f'{what}: "{file}" cannot be read: {error}', about=what) from error
    points: list[tuple[float, float]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        separator = next((sign for sign in (";", "\t", ",") if sign in text), None)
        cells = text.split(separator)
        try:
            x, y = (float(cell if separator in (",", None) else cell.replace(",", ".")) for cell in cells)
        except ValueError:
            if not points:  # a heading
                continue
            raise ModelError(
                f'{what}: "{file}", line {number}: expected two numbers, got {shown(text)}', about=what
            ) from None
        points.append((scale * x, scale * y))
    if not points:
        raise ModelError(f'{what}: "{file}" has no line with two numbers', about=what)
    return np.array(points)


def _spline(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Point, first and second derivative on a finer grid of a closed cubic spline over the chord length, complex."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    z = points[:, 0] + 1j * points[:, 1]
    z = np.append(z, z[0])
    length = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(z)))])
    spline = CubicSpline(length, z, bc_type="periodic")
    fine = np.concatenate([a + (b - a) * np.arange(_FINER) / _FINER for a, b in pairwise(length)])
    return spline(fine), spline(fine, 1), spline(fine, 2)


def pitch_of_outline(points: FloatArray, roller_radius: float, what: Subject) -> ClosedCurve:
    """rho(psi) of the centre of a roller on the outline."""
    z, d, dd = _spline(points)
    bend = (np.conj(d) * dd).imag / np.abs(d) ** 3
    if np.any(1.0 + roller_radius * bend <= 0.0):
        worst = int(np.argmin(bend))
        raise ModelError(
            f"{what}: a roller of radius {1e3 * roller_radius:.4g} mm does not fit in the concave radius of "
            f"{-1e3 / bend[worst]:.4g} mm at {math.degrees(np.angle(z[worst])) % 360.0:.4g} deg; specify a smaller roller",
            about=what,
        )
    c = z - 1j * roller_radius * d / np.abs(d)
    angles = np.unwrap(np.angle(c))
    if not np.all(np.diff(np.append(angles, angles[0] + 2.0 * math.pi)) > 0.0):
        raise ModelError(f"{what}: the path of the roller centre is not star-shaped about the cam axis", about=what)
    return curve_through(angles, np.abs(c))


def support_of_outline(points: FloatArray, what: Subject) -> ClosedCurve:
    """p(psi) of an outline, which must be convex."""
    z, d, _ = _spline(points)
    normal = -1j * d / np.abs(d)
    angles = np.unwrap(np.angle(normal))
    turn = np.diff(np.append(angles, angles[0] + 2.0 * math.pi))
    if not np.all(turn > 0.0):
        at = math.degrees(np.angle(z[int(np.argmin(turn))])) % 360.0
        raise ModelError(
            f"{what}: a flat follower needs a convex cam, but the outline is concave at {at:.4g} deg", about=what
        )
    return curve_through(angles, (np.conj(normal) * z).real)
