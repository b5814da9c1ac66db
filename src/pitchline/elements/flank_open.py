"""Flanks with open modes, for linear analyses: contact while the modes stand where they are, and how both change each other.

With the modes c as coordinates of their own the strips in contact obey  (S_res + local') dlambda = b dq - Phi dc , b the derivatives
of the gaps by u, psi_A and y. With the factors U^T U of the matrix on the left and X = U^-T Phi, z = U^-T b, the forces on the modes
change by  -Phi^T dlambda = X^T X dc - X^T z dq , the forces of the teeth by  z^T z dq - z^T X dc .
"""

from ..math.compiled import A1, F8, I8, block, leaf
from .flank_law import collect, contact_totals
from .flank_records import Flanks, GearScratch, Memory, Scratch, Seen, candidate
from .flank_touch import substitute_forward, touch


@leaf
def _hold(w: GearScratch, c: A1):
    """The modes stand at c: no compliance of their own."""
    for m in range(w.modes):
        w.propagators[m, 3] = 0.0
    for i in range(w.coordinates):
        w.free[i] = c[i]


@block
def solve_open(s: Flanks, m: Memory, x: Seen, w: Scratch, u: F8, y: F8, psi: F8) -> I8:
    """Contact with the modes as they are, into `w.contact`. 0: not solved."""
    w.made_for = -1.0  # no step: the propagators are changed here
    _hold(w.a, x.c_a)
    _hold(w.b, x.c_b)
    collect(s, m, w, u, y, psi)
    if touch(s, w, u, y, psi) == 0:
        return 0
    contact_totals(s, w, 0.0, 0.0)
    return 1


@block
def modal_forces(w: Scratch, g: GearScratch):
    """Phi^T lambda of a gear, into its scratch."""
    force = g.force
    phi = g.phi
    for i in range(g.coordinates):
        total = 0.0
        for n in range(w.count):
            total += phi[i, n] * candidate(w, n).force
        force[i] = total


@block
def _solve_traces(w: Scratch, g: GearScratch, n: I8):
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
def solve_traces(w: Scratch) -> I8:
    """X of both gears in place of Phi, z in place of the derivatives b. Returns the number of strips in contact."""
    n = 0
    for c in range(w.count):
        if candidate(w, c).active != 0:
            n += 1
    _solve_traces(w, w.a, n)
    _solve_traces(w, w.b, n)
    substitute_forward(w.factors, n, w.by_u)
    substitute_forward(w.factors, n, w.by_psi)
    substitute_forward(w.factors, n, w.by_y)
    return n
