"""Spline surfaces in compiled code: point and derivatives of a patch of piecewise polynomials over (u, v) in [0, 1]².

Between its knots a tensor-product spline of degrees p and q is a polynomial. In the cell (i, j), with the local coordinates
s and t from 0 to 1,

    p(u, v) = Σ_ab  c_ab sᵃ tᵇ ,    s = (u − u_i)/(u_{i+1} − u_i) ,  t = (v − v_j)/(v_{j+1} − v_j) ,

which Horner's rule evaluates together with all first and second derivatives, without memory of its own. Outside [0, 1]² the
polynomials of the cells at the edge continue, so that a search may overstep the edge.
"""

from typing import TYPE_CHECKING

from numba import types

from .fields import INTEGER, NUMBER, behind, fields, record_over
from .machine_code.compiled import A1, A2, F8, I8, V3, block, entry, leaf

__all__ = [
    "PatchRecord",
    "PatchTerms",
    "patch_at",
    "patch_point",
    "patch_points_at",
    "patch_terms",
    "patch_terms_at",
    "project_onto_patch",
]

if TYPE_CHECKING:
    PatchTerms = tuple[float, ...]
else:
    PatchTerms = types.UniTuple(types.float64, 18)
    """p, p_u, p_v, p_uu, p_uv, p_vv: six vectors one after the other."""

PatchRecord = fields(
    "PatchRecord",
    facing=NUMBER,  # sign of p_u × p_v that points out of the material
    degree_u=INTEGER,
    degree_v=INTEGER,
    ends_u=INTEGER,  # number of cells along u, and one more
    ends_v=INTEGER,
    breaks_u=behind("ends_u"),
    breaks_v=behind("ends_v"),
    rows=INTEGER,  # cells along u × cells along v × (degree_u + 1) × (degree_v + 1), in this order
    coefficients=behind("rows", 3),
)
"""A patch."""

patch_at = record_over(PatchRecord)
"""patch_at(array, place): the record in an array of numbers, for compiled code."""


@leaf
def cell_of(breaks: A1, ends: I8, u: F8) -> I8:
    """Number of the cell of u; the first or last one outside [0, 1]."""
    cells = ends - 1
    i = min(max(int(u * cells), 0), cells - 1)
    while i > 0 and u < breaks[i]:
        i -= 1
    while i < cells - 1 and u >= breaks[i + 1]:
        i += 1
    return i


@block
def patch_point(s: PatchRecord, u: F8, v: F8) -> V3:
    """p(u, v) [m]."""
    breaks_u, breaks_v, c = s.breaks_u, s.breaks_v, s.coefficients
    i, j = cell_of(breaks_u, s.ends_u, u), cell_of(breaks_v, s.ends_v, v)
    a = (u - breaks_u[i]) / (breaks_u[i + 1] - breaks_u[i])
    b = (v - breaks_v[j]) / (breaks_v[j + 1] - breaks_v[j])
    rows, columns = s.degree_u + 1, s.degree_v + 1
    first = (i * (s.ends_v - 1) + j) * rows * columns
    x = y = z = 0.0
    for m in range(rows - 1, -1, -1):
        f = g = h = 0.0
        for n in range(first + m * columns + columns - 1, first + m * columns - 1, -1):
            f = f * b + c[n, 0]
            g = g * b + c[n, 1]
            h = h * b + c[n, 2]
        x = x * a + f
        y = y * a + g
        z = z * a + h
    return x, y, z


@block
def patch_terms(s: PatchRecord, u: F8, v: F8) -> PatchTerms:
    """p, p_u, p_v, p_uu, p_uv, p_vv [m] at (u, v)."""
    breaks_u, breaks_v, c = s.breaks_u, s.breaks_v, s.coefficients
    i, j = cell_of(breaks_u, s.ends_u, u), cell_of(breaks_v, s.ends_v, v)
    k_u, k_v = 1.0 / (breaks_u[i + 1] - breaks_u[i]), 1.0 / (breaks_v[j + 1] - breaks_v[j])
    a, b = (u - breaks_u[i]) * k_u, (v - breaks_v[j]) * k_v
    rows, columns = s.degree_u + 1, s.degree_v + 1
    first = (i * (s.ends_v - 1) + j) * rows * columns
    x = y = z = xu = yu = zu = xuu = yuu = zuu = 0.0
    xv = yv = zv = xuv = yuv = zuv = xvv = yvv = zvv = 0.0
    for m in range(rows - 1, -1, -1):
        f0 = g0 = h0 = f1 = g1 = h1 = f2 = g2 = h2 = 0.0
        for n in range(first + m * columns + columns - 1, first + m * columns - 1, -1):
            f2, g2, h2 = f2 * b + f1, g2 * b + g1, h2 * b + h1
            f1, g1, h1 = f1 * b + f0, g1 * b + g0, h1 * b + h0
            f0, g0, h0 = f0 * b + c[n, 0], g0 * b + c[n, 1], h0 * b + c[n, 2]
        xuu, yuu, zuu = xuu * a + xu, yuu * a + yu, zuu * a + zu
        xu, yu, zu = xu * a + x, yu * a + y, zu * a + z
        x, y, z = x * a + f0, y * a + g0, z * a + h0
        xuv, yuv, zuv = xuv * a + xv, yuv * a + yv, zuv * a + zv
        xv, yv, zv = xv * a + f1, yv * a + g1, zv * a + h1
        xvv, yvv, zvv = xvv * a + f2, yvv * a + g2, zvv * a + h2
    uu, uv, vv = 2.0 * k_u * k_u, k_u * k_v, 2.0 * k_v * k_v
    return (
        x, y, z, k_u * xu, k_u * yu, k_u * zu, k_v * xv, k_v * yv, k_v * zv,
        uu * xuu, uu * yuu, uu * zuu, uv * xuv, uv * yuv, uv * zuv, vv * xvv, vv * yvv, vv * zvv,
    )  # fmt: skip


@entry
def patch_points_at(record: A1, u: A1, v: A1, out: A2) -> None:
    """Points (n, 3) of a patch."""
    s = patch_at(record, 0)
    for k in range(u.size):
        x, y, z = patch_point(s, u[k], v[k])
        out[k, 0], out[k, 1], out[k, 2] = x, y, z


@entry
def patch_terms_at(record: A1, u: A1, v: A1, out: A2) -> None:
    """Points and derivatives (n, 18) of a patch."""
    s = patch_at(record, 0)
    for k in range(u.size):
        terms = patch_terms(s, u[k], v[k])
        for n in range(18):
            out[k, n] = terms[n]


@entry
def project_onto_patch(record: A1, points: A2, places: A2, beyond: F8, iterations: I8) -> None:
    """Newton's method for the places (u, v) whose normals go through points (n, 3); `places` (n, 2) contains first guesses.

    The equations are (p − q)·p_u = 0 and (p − q)·p_v = 0. Where their matrix is not positive definite, the terms of second
    order are left out, so that every step goes towards a nearer point. Places stay within `beyond` of [0, 1]².
    """
    s = patch_at(record, 0)
    for k in range(points.shape[0]):
        u, v = places[k, 0], places[k, 1]
        for _ in range(iterations):
            t = patch_terms(s, u, v)
            d0, d1, d2 = t[0] - points[k, 0], t[1] - points[k, 1], t[2] - points[k, 2]
            r_u = d0 * t[3] + d1 * t[4] + d2 * t[5]
            r_v = d0 * t[6] + d1 * t[7] + d2 * t[8]
            e = t[3] * t[3] + t[4] * t[4] + t[5] * t[5]
            f = t[3] * t[6] + t[4] * t[7] + t[5] * t[8]
            g = t[6] * t[6] + t[7] * t[7] + t[8] * t[8]
            a = e + d0 * t[9] + d1 * t[10] + d2 * t[11]
            b = f + d0 * t[12] + d1 * t[13] + d2 * t[14]
            c = g + d0 * t[15] + d1 * t[16] + d2 * t[17]
            if not (a > 0.1 * e and a * c - b * b > 0.1 * (e * g - f * f)):
                a, b, c = e, f, g
            det = a * c - b * b
            if not det > 0.0:
                break
            du = min(max((b * r_v - c * r_u) / det, -0.25), 0.25)
            dv = min(max((b * r_u - a * r_v) / det, -0.25), 0.25)
            new_u = min(max(u + du, -beyond), 1.0 + beyond)
            new_v = min(max(v + dv, -beyond), 1.0 + beyond)
            if new_u != u + du and r_v != 0.0:  # at an edge: only along it
                new_v = min(max(v + (-r_v - b * (new_u - u)) / c, -beyond), 1.0 + beyond)
            elif new_v != v + dv and r_u != 0.0:
                new_u = min(max(u + (-r_u - b * (new_v - v)) / a, -beyond), 1.0 + beyond)
            change = abs(new_u - u) + abs(new_v - v)
            u, v = new_u, new_v
            if change < 1e-14:
                break
        places[k, 0], places[k, 1] = u, v
