"""The compliance of the cells of contact strips as an operator, compiled: nothing as large as cells × cells is formed.

    A = K + P_Aᵀ C_A P_A + P_Bᵀ C_B P_B ,      C = S − S_half-space  of one gear,

K has a block for each strip, whose cells are equally high: a Toeplitz matrix, told by its first row. P has six entries a
cell, C is as large as there are hats in reach. Equations with A are solved by conjugate gradients, preconditioned by the
blocks D of the touching cells: what is left is smooth, eigenvalues of D⁻¹A other than 1 are few, and some fifteen steps are
enough, whatever the number of strips. Two right sides are carried together. Vectors hold the touching cells alone, one after
the other.
"""

from ..math.compiled import A1, A2, A3, B1, F8, I1, I2, I8, block
from .cholesky import factorise

__all__ = ["factorise_strips", "sinking", "solve_two"]

_STEPS = 100
"""More than conjugate gradients ever take, but for the number of cells."""


@block
def factorise_strips(laws: A2, active: I1, touching: I1, firsts: I1, U: A2, inverses: A3) -> I8:
    """Inverse blocks of the touching cells of all strips; returns how many cells touch, −1 where a block is not positive.

    touching: the cells, strip by strip, those of strip k from firsts[k] to firsts[k + 1].
    """
    strips, count = laws.shape
    m = 0
    for k in range(strips):
        firsts[k] = m
        for i in range(k * count, (k + 1) * count):
            if active[i] != 0:
                touching[m] = i
                m += 1
        size = m - firsts[k]
        if size == 0:
            continue
        for p in range(size):
            for q in range(p, size):
                U[p, q] = laws[k, touching[firsts[k] + q] - touching[firsts[k] + p]]
        if not factorise(U, size):
            return -1
        # rows of U⁻¹ by substitution, then U⁻¹ U⁻ᵀ
        for p in range(size):
            for q in range(p, size):
                value = 1.0 if q == p else 0.0
                for r in range(p, q):
                    value -= U[r, q] * inverses[k, p, r]
                inverses[k, p, q] = value / U[q, q]
        for p in range(size):
            for q in range(p, size):
                value = 0.0
                for r in range(q, size):
                    value += inverses[k, p, r] * inverses[k, q, r]
                U[p, q] = value
        for p in range(size):
            for q in range(p, size):
                inverses[k, p, q] = U[p, q]
                inverses[k, q, p] = U[p, q]
    firsts[strips] = m
    return m


@block
def _precondition(inverses: A3, firsts: I1, strips: I8, r: A2, z: A2) -> None:
    """z = D⁻¹ r of both vectors."""
    for k in range(strips):
        start = firsts[k]
        size = firsts[k + 1] - start
        for p in range(start, start + size):
            z[0, p] = 0.0
            z[1, p] = 0.0
        for q in range(size):
            r_0 = r[0, start + q]
            r_1 = r[1, start + q]
            for p in range(size):
                z[0, start + p] += inverses[k, q, p] * r_0
                z[1, start + p] += inverses[k, q, p] * r_1


@block
def _own(laws: A2, touching: I1, firsts: I1, x: A2, out: A2) -> None:
    """out = D x of both vectors."""
    for k in range(laws.shape[0]):
        for p in range(firsts[k], firsts[k + 1]):
            out_0 = 0.0
            out_1 = 0.0
            for q in range(firsts[k], firsts[k + 1]):
                f = laws[k, abs(touching[q] - touching[p])]
                out_0 += f * x[0, q]
                out_1 += f * x[1, q]
            out[0, p] = out_0
            out[1, p] = out_1


@block
def _answers(C: A2, entries: I2, weights: A2, touching: I1, m: I8, x: A2, hats: A2) -> None:
    """hats[2:] = C P x of both vectors, of one gear."""
    size = C.shape[0]
    for h in range(size):
        hats[0, h] = 0.0
        hats[1, h] = 0.0
        hats[2, h] = 0.0
        hats[3, h] = 0.0
    for p in range(m):
        i = touching[p]
        for e in range(6):
            w = weights[i, e]
            g = entries[i, e]
            hats[0, g] += w * x[0, p]
            hats[1, g] += w * x[1, p]
    for g in range(size):
        f_0 = hats[0, g]
        f_1 = hats[1, g]
        for h in range(size):
            hats[2, h] += f_0 * C[g, h]
            hats[3, h] += f_1 * C[g, h]


@block
def _add_smooth(C: A2, entries: I2, weights: A2, touching: I1, m: I8, x: A2, hats: A2, out: A2) -> None:
    """out += Pᵀ C P x of both vectors, of one gear."""
    _answers(C, entries, weights, touching, m, x, hats)
    for p in range(m):
        i = touching[p]
        for e in range(6):
            w = weights[i, e]
            g = entries[i, e]
            out[0, p] += w * hats[2, g]
            out[1, p] += w * hats[3, g]


@block
def sinking(
    laws: A2, C_a: A2, entries_a: I2, weights_a: A2, C_b: A2, entries_b: I2, weights_b: A2, touching: I1, firsts: I1,
    x: A2, hats: A2, out: A1,
) -> None:  # fmt: skip
    """Adds A x of the first vector to `out` on all cells, those that do not touch too."""
    strips, count = laws.shape
    for k in range(strips):
        for i in range(k * count, (k + 1) * count):
            for q in range(firsts[k], firsts[k + 1]):
                out[i] += laws[k, abs(touching[q] - i)] * x[0, q]
    m = firsts[strips]
    _answers(C_a, entries_a, weights_a, touching, m, x, hats)
    for i in range(strips * count):
        for e in range(6):
            out[i] += weights_a[i, e] * hats[2, entries_a[i, e]]
    _answers(C_b, entries_b, weights_b, touching, m, x, hats)
    for i in range(strips * count):
        for e in range(6):
            out[i] += weights_b[i, e] * hats[2, entries_b[i, e]]


@block
def _product(m: I8, a: A2, b: A2, row: I8) -> F8:
    total = 0.0
    for p in range(m):
        total += a[row, p] * b[row, p]
    return total


@block
def solve_two(
    laws: A2, C_a: A2, entries_a: I2, weights_a: A2, C_b: A2, entries_b: I2, weights_b: A2, touching: I1, firsts: I1,
    inverses: A3, tolerance: F8, right: A2, x: A2, r: A2, z: A2, p: A2, d: A2, q: A2, hats: A2,
) -> B1:  # fmt: skip
    """A x = right for two right sides, from x on; False where A is not positive definite.

    right, x: (2, cells), and work arrays: r, z, p, d, q (2, cells), hats (4, hats). tolerance: of the residual, by the right
    side, both in the norm of D⁻¹.
    """
    strips = laws.shape[0]
    m = firsts[strips]
    _precondition(inverses, firsts, strips, right, z)
    wanted_0 = tolerance**2 * _product(m, right, z, 0)
    wanted_1 = tolerance**2 * _product(m, right, z, 1)
    _own(laws, touching, firsts, x, q)
    _add_smooth(C_a, entries_a, weights_a, touching, m, x, hats, q)
    _add_smooth(C_b, entries_b, weights_b, touching, m, x, hats, q)
    for row in range(2):
        for k in range(m):
            r[row, k] = right[row, k] - q[row, k]
            p[row, k] = 0.0
            d[row, k] = 0.0
    rz_0 = 0.0
    rz_1 = 0.0
    for step in range(_STEPS + 4 * m):
        _precondition(inverses, firsts, strips, r, z)
        after_0 = _product(m, r, z, 0)
        after_1 = _product(m, r, z, 1)
        busy_0 = after_0 > wanted_0
        busy_1 = after_1 > wanted_1
        if not (busy_0 or busy_1):
            return True
        beta_0 = after_0 / rz_0 if step > 0 and rz_0 > 0.0 else 0.0
        beta_1 = after_1 / rz_1 if step > 0 and rz_1 > 0.0 else 0.0
        # p = z + β p, and with it D p = r + β D p
        for k in range(m):
            p[0, k] = z[0, k] + beta_0 * p[0, k]
            d[0, k] = r[0, k] + beta_0 * d[0, k]
            q[0, k] = d[0, k]
        for k in range(m):
            p[1, k] = z[1, k] + beta_1 * p[1, k]
            d[1, k] = r[1, k] + beta_1 * d[1, k]
            q[1, k] = d[1, k]
        _add_smooth(C_a, entries_a, weights_a, touching, m, p, hats, q)
        _add_smooth(C_b, entries_b, weights_b, touching, m, p, hats, q)
        pq_0 = _product(m, p, q, 0)
        pq_1 = _product(m, p, q, 1)
        if (busy_0 and not pq_0 > 0.0) or (busy_1 and not pq_1 > 0.0):
            return False
        alpha_0 = after_0 / pq_0 if busy_0 else 0.0
        alpha_1 = after_1 / pq_1 if busy_1 else 0.0
        for k in range(m):
            x[0, k] += alpha_0 * p[0, k]
            r[0, k] -= alpha_0 * q[0, k]
        for k in range(m):
            x[1, k] += alpha_1 * p[1, k]
            r[1, k] -= alpha_1 * q[1, k]
        rz_0 = after_0
        rz_1 = after_1
    return True  # as far as rounding allows
