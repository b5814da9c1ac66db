"""Flanks with open modes, for linear analyses: contact with fixed modes, and their interaction.

With the modes c as separate coordinates, the strips in contact fulfil  (S_res + local') dlambda = b dq - Phi dc , b the
derivatives of the gaps by u, psi_A, y and the shifts. With the factors U^T U of the matrix on the left, X = U^-T Phi and
z = U^-T b, the forces on the modes change by  -Phi^T dlambda = X^T X dc - X^T z dq , the forces of the teeth by
z^T z dq - z^T X dc .
"""

from ..math.compiled import A1, A2, F8, I8, block, leaf
from ..math.vectors import mtv
from .contract import Ask
from .flank_law import collect, contact_totals, product
from .flank_records import (
    PSI,
    SHIFT,
    ContactMemory,
    ElasticFlankPair,
    ElasticGearData,
    Flanks,
    FlankScratch,
    GearScratch,
    Seen,
    StripScratch,
    U,
    Y,
    candidate,
)
from .flank_touch import substitute_forward, touch

NODES = 12
"""Rows of the two nodes, before those of the modes."""


@leaf
def _hold(w: GearScratch, c: A1):
    """The modes are fixed at c: they have no compliance."""
    for m in range(w.modes):
        w.propagators[m, 3] = 0.0
    for i in range(w.coordinates):
        w.free[i] = c[i]


@block
def solve_held(s: Flanks, m: ContactMemory, x: Seen, w: StripScratch, u: F8, y: F8, psi: F8) -> I8:
    """Contact with fixed modes, in `w.contact`. 0: not converged."""
    w.made_for = -1.0  # no step: the propagators are changed here
    _hold(w.a, x.c_a)
    _hold(w.b, x.c_b)
    collect(s, m, w, u, y, psi)
    if touch(s, w, u, y, psi) == 0:
        return 0
    contact_totals(s, w, 0.0, 0.0)
    return 1


@block
def modal_forces(w: StripScratch, g: GearScratch):
    """Phi^T lambda of a gear, into its scratch."""
    force = g.force
    phi = g.phi
    for i in range(g.coordinates):
        total = 0.0
        for n in range(w.count):
            total += phi[i, n] * candidate(w, n).force
        force[i] = total


@block
def _solve_traces(w: StripScratch, g: GearScratch, n: I8):
    """X of a gear in place of Phi, strips in contact only."""
    for i in range(g.coordinates):
        row = g.phi[i]
        k = 0
        for c in range(w.count):
            if candidate(w, c).active != 0:
                row[k] = row[c]
                k += 1
        substitute_forward(w.factors, n, row)


@block
def solve_traces(w: StripScratch) -> I8:
    """X of both gears in place of Phi, z in place of the derivatives b. Returns the number of strips in contact."""
    n = 0
    for c in range(w.count):
        if candidate(w, c).active != 0:
            n += 1
    _solve_traces(w, w.a, n)
    _solve_traces(w, w.b, n)
    for k in range(w.kinds):
        substitute_forward(w.factors, n, w.by[k])
    return n


@block
def modal_residual(s: ElasticGearData, zeta: F8, w: GearScratch, c: A1, rate: A1, acceleration: A1, r: A1):
    """c'' + 2 zeta w c' + w^2 c - Phi^T lambda of a gear, into r."""
    modes = s.modes
    omega = s.omega
    force = w.force
    for i in range(w.coordinates):
        o = omega[i if i < modes else i - modes]
        r[i] = acceleration[i] + o * (2.0 * zeta * rate[i] + o * c[i]) - force[i]


@block
def _by_themselves(s: ElasticGearData, zeta: F8, first: I8, ask: Ask, J: A2):
    """Adds the tangent of the modes of a gear without contact."""
    modes = s.modes
    omega = s.omega
    for i in range(modes + s.paired):
        o = omega[i if i < modes else i - modes]
        J[first + i, first + i] += ask.M + 2.0 * ask.D * zeta * o + ask.K * o * o


@block
def _through_contact(n: I8, K: F8, i0: I8, x: A2, j0: I8, y: A2, J: A2):
    """Adds K x y^T, of n strips in contact, from the row i0 and the column j0 on."""
    for i in range(x.shape[0]):
        row = J[i0 + i]
        for j in range(y.shape[0]):
            row[j0 + j] += K * product(n, x[i], y[j])


@block
def _with_nodes(s: ElasticFlankPair, w: FlankScratch, n: I8, K: F8, x: A2, first: I8, J: A2):
    """Add the interaction of the modes of a gear and the nodes, rotations in world axes."""
    by = w.flanks.by
    g = w.mesh.gradients
    psi_a = g.psi_a
    psi_b = g.psi_b
    closer = g.closer
    by_force = w.mesh.wrench.by_force
    cA = s.pair.geometry.lever_a
    cB = s.pair.geometry.lever_b
    t = s.pair.geometry.radial
    for i in range(x.shape[0]):
        row = J[first + i]
        force = -K * product(n, x[i], by[U])
        on_a = cA * force - K * product(n, x[i], by[PSI])
        on_b = cB * force
        radial = -K * t * product(n, x[i], by[Y])
        for k in range(NODES):
            both = psi_a[k] * on_a + psi_b[k] * on_b
            if t > 0.0:
                both += closer[k] * radial
            row[k] += both
            J[k, first + i] += both + by_force[k] * force


@block
def _with_shifts(s: ElasticFlankPair, w: FlankScratch, n: I8, K: F8, x: A2, first: I8, J: A2):
    """Add the same of the shifts."""
    by = w.flanks.by
    for q in range(s.flanks.shifts):
        one = w.shifts[q]
        for i in range(x.shape[0]):
            moment = -K * product(n, x[i], by[SHIFT + q])
            for k in range(NODES):
                J[first + i, k] += one[k] * moment
                J[k, first + i] += one[k] * moment


@block
def modal_tangent(s: ElasticFlankPair, x: Seen, w: FlankScratch, ask: Ask, J: A2):
    """Add the rows and columns of the modes, after the tangent of the nodes, whose gradients are needed."""
    n = solve_traces(w.flanks)
    K = ask.K
    zeta = ask.damp * s.flanks.damping_ratio
    x_a = w.flanks.a.phi
    x_b = w.flanks.b.phi
    second = NODES + x_a.shape[0]
    _by_themselves(s.flanks.a, zeta, NODES, ask, J)
    _by_themselves(s.flanks.b, zeta, second, ask, J)
    _through_contact(n, K, NODES, x_a, NODES, x_a, J)
    _through_contact(n, K, NODES, x_a, second, x_b, J)
    _through_contact(n, K, second, x_b, NODES, x_a, J)
    _through_contact(n, K, second, x_b, second, x_b, J)
    _with_nodes(s, w, n, K, x_a, NODES, J)
    _with_nodes(s, w, n, K, x_b, second, J)
    _with_shifts(s, w, n, K, x_a, NODES, J)
    _with_shifts(s, w, n, K, x_b, second, J)
    for node in range(2):
        R = x.a.R if node == 0 else x.b.R
        o = 6 * node + 3
        for i in range(NODES, J.shape[0]):
            by_node = mtv(R, (J[i, o], J[i, o + 1], J[i, o + 2]))
            by_mode = mtv(R, (J[o, i], J[o + 1, i], J[o + 2, i]))
            for k in range(3):
                J[i, o + k] = by_node[k]
                J[o + k, i] = by_mode[k]
