"""Factors of the matrix that can be kept while bodies rotate.

Rotations are in the axes of their nodes. The matrix of a rotating shaft then rotates with it, although it is constant in fixed
axes. Factors of a few steps before mix bending in one plane with shear in the other; with stiff shafts Newton then diverges.
Therefore the axes in which the matrix was factorised are stored, and each solution is transformed: moments to those axes,
rotations back.

Rows are moments in node axes at the end of the step. Columns are increments, which represent rotations R T(theta) d(theta) in
fixed axes. T rotates back by half the increment, so that their axes are those in the middle of the step.
"""

from ..math.compiled import B1, block, leaf
from ..math.rotations import matrix_of, turned
from ..math.vectors import mm, mtv, mul, mv, set_vec, tr, vec
from ..system.nodes import rotation
from .linear import call_solve
from .run_record import Run

NOT_TURNED, TURNED = 0, 1
"""State of a run's factors: those of this step, or of an earlier one."""


@block
def keep_axes(run: Run):
    """Store the axes of the nodes at which the matrix was assembled and factorised."""
    sys = run.system
    for k in range(1, sys.n_nodes):
        node = sys.nodes[k]
        if node.elastic >= 0:
            axes = run.factored[k]
            axes.rows = sys.bodies[k].R
            axes.columns = matrix_of(turned(sys.pose0[k].q, mul(0.5, rotation(node, sys.dq))))
    run.factors_turned = NOT_TURNED


@block
def turn_axes(run: Run):
    """Compute the rotation of the nodes since then, at the first iterate of a step."""
    sys = run.system
    for k in range(1, sys.n_nodes):
        node = sys.nodes[k]
        if node.elastic >= 0:
            axes = run.factored[k]
            axes.turn_rows = mm(tr(axes.rows), sys.bodies[k].R)
            middle = matrix_of(turned(sys.pose0[k].q, mul(0.5, rotation(node, sys.dq))))
            axes.turn_columns = mm(tr(axes.columns), middle)
    run.factors_turned = TURNED


@leaf
def _turn_back(run: Run):
    """Transform the increments of the solution to the axes of this step."""
    sys = run.system
    x = run.x
    for k in range(1, sys.n_nodes):
        i = sys.nodes[k].elastic
        if i >= 0:
            set_vec(x, i, mtv(run.factored[k].turn_columns, vec(x, i)))


@leaf
def add_penalty_forces(run: Run):
    """With the penalty p in the matrix, its solution for a multiplier lacks p times the violation of the constraint."""
    sys = run.system
    for j in range(run.n_lam):
        p = sys.lam_penalty[j]
        if p != 0.0:
            k = sys.equation[j]
            if k >= 0:
                run.x[k] += p / (sys.lam_scale[j] * sys.lam_scale[j]) * sys.r[k]


@block
def solve_kept(run: Run, check: B1) -> B1:
    """run.x = A^-1 r with the available factors; r is transformed as well. If requested, check the solution."""
    sys = run.system
    r = sys.r
    if run.factors_turned == TURNED:
        for k in range(1, sys.n_nodes):
            i = sys.nodes[k].elastic
            if i >= 0:
                set_vec(r, i, mv(run.factored[k].turn_rows, vec(r, i)))
    good = call_solve(run.solve, run.factors, check, sys.Ax, r, run.x, run.b)
    add_penalty_forces(run)
    if run.factors_turned == TURNED:
        _turn_back(run)
    return good
