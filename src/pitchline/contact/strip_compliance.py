"""The compliance of the cells of contact strips as an operator, compiled: nothing as large as cells × cells is formed.

    A = K + P_Aᵀ C_A P_A + P_Bᵀ C_B P_B ,      C = S − S_half-space  of one gear,

K has a block for each strip, whose cells are equally high: a Toeplitz matrix, defined by its first row. P has six entries a
cell, C is as large as there are hats in reach. Equations with A are solved by conjugate gradients, preconditioned by the
blocks D of the touching cells: what is left is smooth, eigenvalues of D⁻¹A other than 1 are few, and some fifteen steps are
enough, whatever the number of strips. Two right sides are carried together. Vectors contain only the cells in contact, one after
the other.
"""

from pitchline.numerics.fields import INTEGER, elsewhere, embedded, fields
from pitchline.numerics.machine_code.compiled import A1, A2, B1, F8, I1, I8, block

from .cholesky import factorise
from .compliance import SHARES

__all__ = ["Compliance", "Hats", "Vectors", "factorise_strips", "sinking", "solve_two"]

_STEPS = 100
"""More than conjugate gradients ever take, but for the number of cells."""

Hats = fields(
    "Hats",
    size=INTEGER,
    C=elsewhere("size", "size"),  # [m/N]
    cells=INTEGER,
    entries=elsewhere("cells", SHARES, of="integer"),  # P: hats and
    weights=elsewhere("cells", SHARES),  # their shares of each cell
)
"""Of one gear, those that the cells touch."""

Compliance = fields(
    "Compliance",
    cells=INTEGER,
    strips=INTEGER,
    count=INTEGER,  # cells in a strip: cells = strips · count
    laws=elsewhere(
        "strips", "count"
    ),  # K [m/N]: the answer of a strip's cells to a load on one, by their distance in cells
    a=embedded(Hats),
    b=embedded(Hats),
    # overwritten: cells that touch, strip by strip, those of strip k from firsts[k] to firsts[k + 1], and the inverse blocks
    # D⁻¹, that of strip k from its first cell on
    touching=elsewhere("cells", of="integer"),
    ends=INTEGER,
    firsts=elsewhere("ends", of="integer"),
    U=elsewhere("count", "count"),
    inverses=elsewhere("cells", "count"),
    inverted=elsewhere("cells", of="integer"),  # which cells touched when the inverse block of their strip was made
)
"""A of all cells."""

Vectors = fields(
    "Vectors",
    cells=INTEGER,
    right=elsewhere(2, "cells"),
    x=elsewhere(2, "cells"),
    r=elsewhere(2, "cells"),
    z=elsewhere(2, "cells"),
    p=elsewhere(2, "cells"),
    d=elsewhere(2, "cells"),
    q=elsewhere(2, "cells"),
    hats=INTEGER,  # of either gear, at most
    forces=elsewhere(2, "hats"),
    answers=elsewhere(2, "hats"),
)
"""Right sides and answers of two equations A x = right, and what conjugate gradients need."""


@block
def factorise_strips(c: Compliance, active: I1, fresh: B1) -> I8:
    """Inverse blocks of the touching cells of all strips; returns how many cells touch, −1 where a block is not positive.

    fresh: no block of the last call is of use; otherwise those of strips in which the same cells touch stay.
    """
    strips, count = c.strips, c.count
    laws, touching, firsts, U, inverses, inverted = c.laws, c.touching, c.firsts, c.U, c.inverses, c.inverted
    m = 0
    for k in range(strips):
        block_k = k * count
        firsts[k] = m
        for i in range(block_k, block_k + count):
            if active[i] != 0:
                touching[m] = i
                m += 1
        size = m - firsts[k]
        known = not fresh
        for i in range(block_k, block_k + count):
            known = known and inverted[i] == active[i]
            inverted[i] = active[i]
        if size == 0 or known:
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
                    value -= U[r, q] * inverses[block_k + p, r]
                inverses[block_k + p, q] = value / U[q, q]
        for p in range(size):
            for q in range(p, size):
                value = 0.0
                for r in range(q, size):
                    value += inverses[block_k + p, r] * inverses[block_k + q, r]
                U[p, q] = value
        for p in range(size):
            for q in range(p, size):
                inverses[block_k + p, q] = U[p, q]
                inverses[block_k + q, p] = U[p, q]
    firsts[strips] = m
    return m


@block
def _precondition(c: Compliance, r: A2, z: A2) -> None:
    """z = D⁻¹ r of both vectors."""
    count, firsts, inverses = c.count, c.firsts, c.inverses
    for k in range(c.strips):
        start = firsts[k]
        size = firsts[k + 1] - start
        for p in range(start, start + size):
            z[0, p] = 0.0
            z[1, p] = 0.0
        for q in range(size):
            r_0 = r[0, start + q]
            r_1 = r[1, start + q]
            for p in range(size):
                z[0, start + p] += inverses[k * count + q, p] * r_0
                z[1, start + p] += inverses[k * count + q, p] * r_1


@block
def _own(c: Compliance, x: A2, out: A2) -> None:
    """out = D x of both vectors."""
    laws, touching, firsts = c.laws, c.touching, c.firsts
    for k in range(c.strips):
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
def _answer(gear: Hats, touching: I1, m: I8, x: A2, forces: A2, answers: A2) -> None:
    """answers = C P x of both vectors, of one gear."""
    size, C, entries, weights = gear.size, gear.C, gear.entries, gear.weights
    for h in range(size):
        forces[0, h] = 0.0
        forces[1, h] = 0.0
        answers[0, h] = 0.0
        answers[1, h] = 0.0
    for p in range(m):
        i = touching[p]
        for e in range(SHARES):
            w = weights[i, e]
            g = entries[i, e]
            forces[0, g] += w * x[0, p]
            forces[1, g] += w * x[1, p]
    whole = size - size % 4
    for g in range(0, whole, 4):  # four rows at a time: a third of the traffic with the answers
        for row in range(2):
            f_0 = forces[row, g]
            f_1 = forces[row, g + 1]
            f_2 = forces[row, g + 2]
            f_3 = forces[row, g + 3]
            for h in range(size):
                answers[row, h] += f_0 * C[g, h] + f_1 * C[g + 1, h] + f_2 * C[g + 2, h] + f_3 * C[g + 3, h]
    for g in range(whole, size):
        for row in range(2):
            f_0 = forces[row, g]
            for h in range(size):
                answers[row, h] += f_0 * C[g, h]


@block
def _add_smooth(c: Compliance, gear: Hats, v: Vectors, x: A2, out: A2) -> None:
    """out += Pᵀ C P x of both vectors, of one gear."""
    touching, entries, weights, answers = c.touching, gear.entries, gear.weights, v.answers
    m = c.firsts[c.strips]
    _answer(gear, touching, m, x, v.forces, answers)
    for p in range(m):
        i = touching[p]
        for e in range(SHARES):
            w = weights[i, e]
            g = entries[i, e]
            out[0, p] += w * answers[0, g]
            out[1, p] += w * answers[1, g]


@block
def _add_to_all(c: Compliance, gear: Hats, v: Vectors, x: A2, out: A1) -> None:
    """out += Pᵀ C P x of the first vector on all cells, of one gear."""
    entries, weights, answers = gear.entries, gear.weights, v.answers
    _answer(gear, c.touching, c.firsts[c.strips], x, v.forces, answers)
    for i in range(c.cells):
        for e in range(SHARES):
            out[i] += weights[i, e] * answers[0, entries[i, e]]


@block
def sinking(c: Compliance, v: Vectors, x: A2, out: A1) -> None:
    """Adds A x of the first vector to `out` on all cells, those that do not touch too."""
    count, laws, touching, firsts = c.count, c.laws, c.touching, c.firsts
    for k in range(c.strips):
        for i in range(k * count, (k + 1) * count):
            for q in range(firsts[k], firsts[k + 1]):
                out[i] += laws[k, abs(touching[q] - i)] * x[0, q]
    _add_to_all(c, c.a, v, x, out)
    _add_to_all(c, c.b, v, x, out)


@block
def _product(m: I8, a: A2, b: A2, row: I8) -> F8:
    total = 0.0
    for p in range(m):
        total += a[row, p] * b[row, p]
    return total


@block
def solve_two(c: Compliance, v: Vectors, tolerance: F8) -> B1:
    """A x = right for two right sides, from x on; False where A is not positive definite.

    tolerance: of the residual, by the right side, both in the norm of D⁻¹.
    """
    right, x, r, z, p, d, q = v.right, v.x, v.r, v.z, v.p, v.d, v.q
    m = c.firsts[c.strips]
    _precondition(c, right, z)
    wanted_0 = tolerance**2 * _product(m, right, z, 0)
    wanted_1 = tolerance**2 * _product(m, right, z, 1)
    _own(c, x, q)
    _add_smooth(c, c.a, v, x, q)
    _add_smooth(c, c.b, v, x, q)
    for row in range(2):
        for k in range(m):
            r[row, k] = right[row, k] - q[row, k]
            p[row, k] = 0.0
            d[row, k] = 0.0
    rz_0 = 0.0
    rz_1 = 0.0
    for step in range(_STEPS + 4 * m):
        _precondition(c, r, z)
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
        _add_smooth(c, c.a, v, p, q)
        _add_smooth(c, c.b, v, p, q)
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
