"""Evaluation of elements, and assembly of residual and tangent.

Rows and columns are scaled so that the matrix does not depend on the step size (Bottasso et al. 2008): equations of
motion by s (beta h^2 in dynamics, 1 in statics), constraint rows by l, multipliers lambda = (l/s) lambda-bar. The kernels
receive the coefficients c_M, c_D, c_K already times s, so that only the entries of B carry l.
"""

from typing import NamedTuple

import numpy as np

from ..elements.contract import LOSS_RATE, POWER_IN, POWER_OUT, POWER_TEETH, TANGENT, TEETH_RATE, WORK_RATE, call_kernel
from ..math.compiled import A1, A2, A3, B1, F8, I1, I2, I8, U2, block, entry, leaf
from .nodes import DOF0, FREE, NDOF

# columns of the table of elements
KERNEL, NNODE, NODE, NLAM, LAM0, PAR0, PAR1, MEM0, MEM1, INERTIA, REDUCED, PTR0, PTR1 = (
    0,
    1,
    2,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
)
ELEMENT_COLUMNS = 16
# columns of the scatter list: entry (LOCAL_I, LOCAL_J) of the element's tangent adds to PLACE of the matrix values
LOCAL_I, LOCAL_J, PLACE = 0, 1, 2


class Layout(NamedTuple):
    """Constant arrays of a system, as compiled code reads them."""

    nodes: np.ndarray  # (nodes, 3), see `nodes`
    T: np.ndarray  # (nodes, 6, 6) maps
    elements: np.ndarray  # (elements, 16), active ones first
    active: int  # number of active elements
    par: np.ndarray  # parameters of all elements
    functions: np.ndarray
    equation: np.ndarray  # row of each multiplier in the equations, -1: redundant, -2: idle in the plane; both left out
    lam_scale: np.ndarray
    scatter: np.ndarray  # (entries, 3)
    scatter_scale: np.ndarray
    Ap: np.ndarray  # matrix in compressed columns; dense, column by column, if this has one entry
    Ai: np.ndarray
    weight: np.ndarray  # of each unknown: 1 for an angle, 1/length of the model for a length
    constraints: np.ndarray  # active elements with multipliers
    commits: np.ndarray  # elements that keep memory
    opening: np.ndarray  # multipliers of rows that open and close (teeth with backlash that do not give)
    driven: np.ndarray  # elements that hold an angle or a displacement at a function of time


class Local(NamedTuple):
    """Scratch of one element evaluation."""

    P: np.ndarray
    V: np.ndarray
    A: np.ndarray
    lam: np.ndarray
    r: np.ndarray
    J: np.ndarray


@leaf
def _call_element(
    e: I8, mode: I8, clear: I8, c: A1, lam: A1, mem: A1, K: A2, elements: I2, par: A1, functions: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Evaluate element e in any mode: `clear` numbers of lr are set to zero before, and lJ if mode is TANGENT."""
    for k in range(elements[e, NNODE]):
        g = elements[e, NODE + k]
        for i in range(12):
            lP[k, i] = K[g, i]
        for i in range(6):
            lV[k, i] = K[g, 12 + i]
            lA[k, i] = K[g, 18 + i]
    l0 = elements[e, LAM0]
    for i in range(elements[e, NLAM]):
        ll[i] = lam[l0 + i]
    for i in range(clear):
        lr[i] = 0.0
    if mode == TANGENT:
        for i in range(clear):
            for j in range(clear):
                lJ[i, j] = 0.0
    call_kernel(
        elements[e, KERNEL], par[elements[e, PAR0] : elements[e, PAR1]], mem[elements[e, MEM0] : elements[e, MEM1]], functions,
        lP, lV, lA, ll, c, mode, lr, lJ,
    )  # fmt: skip


@entry
def call_element(
    e: I8, mode: I8, clear: I8, c: A1, lam: A1, mem: A1, K: A2, elements: I2, par: A1, functions: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """The same, not compiled into its caller."""
    _call_element(e, mode, clear, c, lam, mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)


@block
def reduce_tangent(T: A3, nodes: I2, elements: I2, e: I8, m: I8, J: A2):
    """J <- T^T J T at local places 6k+j (j < nd)."""
    for k in range(elements[e, NNODE]):
        g = elements[e, NODE + k]
        nd = nodes[g, NDOF]
        if nd == 6:
            continue
        o = 6 * k
        for i in range(m):
            b0 = J[i, o]
            b1 = J[i, o + 1]
            b2 = J[i, o + 2]
            b3 = J[i, o + 3]
            b4 = J[i, o + 4]
            b5 = J[i, o + 5]
            for j in range(nd):
                J[i, o + j] = (
                    b0 * T[g, 0, j]
                    + b1 * T[g, 1, j]
                    + b2 * T[g, 2, j]
                    + b3 * T[g, 3, j]
                    + b4 * T[g, 4, j]
                    + b5 * T[g, 5, j]
                )
        for i in range(m):
            b0 = J[o, i]
            b1 = J[o + 1, i]
            b2 = J[o + 2, i]
            b3 = J[o + 3, i]
            b4 = J[o + 4, i]
            b5 = J[o + 5, i]
            for j in range(nd):
                J[o + j, i] = (
                    b0 * T[g, 0, j]
                    + b1 * T[g, 1, j]
                    + b2 * T[g, 2, j]
                    + b3 * T[g, 3, j]
                    + b4 * T[g, 4, j]
                    + b5 * T[g, 5, j]
                )


@block
def turn_columns(E: A2, nodes: I2, elements: I2, e: I8, m: I8, J: A2):
    """J <- J T(theta) in the rotation columns of freely rotating nodes."""
    for k in range(elements[e, NNODE]):
        g = elements[e, NODE + k]
        if nodes[g, FREE] >= 0:
            o = 6 * k + 3
            for i in range(m):
                a = J[i, o]
                b = J[i, o + 1]
                c = J[i, o + 2]
                J[i, o] = a * E[g, 0] + b * E[g, 3] + c * E[g, 6]
                J[i, o + 1] = a * E[g, 1] + b * E[g, 4] + c * E[g, 7]
                J[i, o + 2] = a * E[g, 2] + b * E[g, 5] + c * E[g, 8]


@entry
def assemble(
    mode: I8, turn: B1, c: A1, s: F8, lam: A1, mem: A1, K: A2, E: A2, r: A1, Ax: A1,
    nodes: I2, T: A3, elements: I2, active: I8, par: A1, functions: A1, equation: I1, lam_scale: A1, scatter: U2, scatter_scale: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
) -> F8:  # fmt: skip
    """Scaled residual r (and matrix values Ax, if mode is TANGENT). Returns the largest violation of left-out rows; c[WORK_RATE]
    and c[LOSS_RATE] are the power put in and dissipated.

    turn: rotation columns are turned by E, the tangent operators of the increments, so that the matrix belongs to the
    increments themselves (inertia, which acts on accelerations, excepted)."""
    for i in range(r.size):
        r[i] = 0.0
    tangent = mode == TANGENT
    if tangent:
        for i in range(Ax.size):
            Ax[i] = 0.0
    loose = 0.0
    put_in = 0.0
    lost = 0.0
    by_teeth = 0.0
    lr[POWER_IN] = 0.0
    lr[POWER_OUT] = 0.0
    lr[POWER_TEETH] = 0.0
    for e in range(active):
        nn = elements[e, NNODE]
        nl = elements[e, NLAM]
        l0 = elements[e, LAM0]
        m = 6 * nn + nl
        _call_element(e, mode, m, c, lam, mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
        put_in += lr[POWER_IN]
        lost += lr[POWER_OUT]
        by_teeth += lr[POWER_TEETH]
        lr[POWER_IN] = 0.0
        lr[POWER_OUT] = 0.0
        lr[POWER_TEETH] = 0.0
        for k in range(nn):
            g = elements[e, NODE + k]
            i0 = nodes[g, DOF0]
            nd = nodes[g, NDOF]
            if nd == 6:
                for i in range(6):
                    r[i0 + i] += s * lr[6 * k + i]
            else:
                for j in range(nd):
                    t = 0.0
                    for i in range(6):
                        t += T[g, i, j] * lr[6 * k + i]
                    r[i0 + j] += s * t
        for i in range(nl):
            q = equation[l0 + i]
            if q >= 0:
                r[q] += lam_scale[l0 + i] * lr[6 * nn + i]
            elif q == -1:
                loose = max(loose, abs(lr[6 * nn + i]))
        if tangent:
            if turn and elements[e, INERTIA] == 0:
                turn_columns(E, nodes, elements, e, m, lJ)
            if elements[e, REDUCED] != 0:
                reduce_tangent(T, nodes, elements, e, m, lJ)
            for q in range(elements[e, PTR0], elements[e, PTR1]):
                Ax[scatter[q, PLACE]] += lJ[scatter[q, LOCAL_I], scatter[q, LOCAL_J]] * scatter_scale[q]
    c[WORK_RATE] = put_in
    c[LOSS_RATE] = lost
    c[TEETH_RATE] = by_teeth
    return loose


@entry
def constraint_rows(
    mode: I8, c: A1, lam: A1, mem: A1, K: A2, r: A1, constraints: I1, elements: I2, par: A1, functions: A1,
    equation: I1, lam_scale: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Scaled Phi (mode RESIDUAL) or dPhi/dt (mode RATE) in the constraint rows of r; zero elsewhere."""
    for i in range(r.size):
        r[i] = 0.0
    for n in range(constraints.size):
        e = constraints[n]
        m = 6 * elements[e, NNODE]
        call_element(e, mode, m + elements[e, NLAM], c, lam, mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
        for i in range(elements[e, NLAM]):
            l = elements[e, LAM0] + i
            if equation[l] >= 0:
                r[equation[l]] += lam_scale[l] * lr[m + i]
