"""Which points of contact carry load: λ >= 0, gap >= 0, λ gap = 0, with a given sum of the forces, compiled.

    gap = g − x 1 + A λ ,     1ᵀ λ = F ,

for the forces λ [N], with the gaps g [m] before any load, the symmetric positive definite compliance A [m/N] and the
approach x [m] of the two bodies. On the set that is taken to touch, gap = 0: with A y = 1 and A z = g,

    x = (F + 1ᵀz) / 1ᵀy ,    λ = x y − z ,    dF/dx = 1ᵀy ,

so that the tangent stiffness is exact and comes along. Then points that pull leave the set, points that overlap enter
it (a primal-dual active set, which is a semismooth Newton method: Hintermüller, Ito & Kunisch 2002). From a near set
it takes one to three rounds. Should it go round in circles, points leave at once but enter only when none pulls, and
one at a time (as in Kalker 1990, the NORM algorithm).
"""

from ..math.compiled import A1, A2, F8, I1, I8, V4, entry
from .cholesky import factorise, solve_rows

__all__ = ["CONVERGED", "CYCLED", "INDEFINITE", "solve_contact"]

CONVERGED, CYCLED, INDEFINITE = 0.0, 1.0, 2.0

_ROUNDS = 25
_CAREFUL_ROUNDS = 400


@entry
def solve_contact(A: A2, gaps: A1, n: I8, force: F8, active: I1, load: A1, touching: I1, U: A2, work: A2) -> V4:
    """Loads of n points from the set `active` on, which is changed; returns x [m], dF/dx [N/m], rounds, status.

    Only the upper half of A is read. touching (n,), U (n, n) and work (2, n) are overwritten. Status: CONVERGED, CYCLED or
    INDEFINITE.
    """
    x = 0.0
    stiffness = 0.0
    for rounds in range(_ROUNDS + _CAREFUL_ROUNDS):
        # the touching points, in U their compliance
        m = 0
        for i in range(n):
            if active[i] != 0:
                touching[m] = i
                m += 1
        if m == 0:  # the nearest point touches first
            nearest = 0
            for i in range(n):
                if gaps[i] < gaps[nearest]:
                    nearest = i
            active[nearest] = 1
            touching[0] = nearest
            m = 1
        for p in range(m):
            i = touching[p]
            for q in range(p, m):
                U[p, q] = A[i, touching[q]]
        if not factorise(U, m):
            return x, stiffness, float(rounds), INDEFINITE
        # A y = 1 and A z = g
        for p in range(m):
            work[0, p] = 1.0
            work[1, p] = gaps[touching[p]]
        solve_rows(U, m, work, 0, 2)
        stiffness = 0.0
        x = force
        for p in range(m):
            stiffness += work[0, p]
            x += work[1, p]
        x /= stiffness
        for i in range(n):
            load[i] = 0.0
        pulling = 0
        for p in range(m):
            value = x * work[0, p] - work[1, p]
            i = touching[p]
            load[i] = value
            if value <= 0.0:
                active[i] = 0
                pulling += 1
        # sinking A λ of all points, in work[0]
        for i in range(n):
            work[0, i] = gaps[i] - x
        for p in range(m):
            i = touching[p]
            f = load[i]
            for j in range(i, n):
                work[0, j] += f * A[i, j]
        first = 0
        for i in range(n):
            while first < m and touching[first] <= i:
                first += 1
            total = 0.0
            for p in range(first, m):
                total += A[i, touching[p]] * load[touching[p]]
            work[0, i] += total
        tolerance = -1e-9 * (abs(x) + abs(force / stiffness))
        overlapping = 0
        worst = -1
        for i in range(n):
            if load[i] == 0.0 and active[i] == 0 and work[0, i] < tolerance:
                overlapping += 1
                if worst < 0 or work[0, i] < work[0, worst]:
                    worst = i
        if pulling == 0 and overlapping == 0:
            return x, stiffness, float(rounds + 1), CONVERGED
        if rounds < _ROUNDS:
            for i in range(n):
                if load[i] == 0.0 and work[0, i] < tolerance:
                    active[i] = 1
        elif pulling == 0:
            active[worst] = 1
    return x, stiffness, float(_ROUNDS + _CAREFUL_ROUNDS), CYCLED
