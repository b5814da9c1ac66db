"""Which points of contact carry load: λ >= 0, gap >= 0, λ gap = 0, with a given sum of the forces, compiled.

    gap = g − x 1 + A λ ,     1ᵀ λ = F ,

for the forces λ [N], with the gaps g [m] before any load, the symmetric positive definite compliance A [m/N] and the
approach x [m] of the two bodies. On the set that is taken to touch, gap = 0: with A y = 1 and A z = g,

    x = (F + 1ᵀz) / 1ᵀy ,    λ = x y − z ,    dF/dx = 1ᵀy ,

so that the tangent stiffness comes along. Then points that pull leave the set, points that overlap enter it (a primal-dual
active set, which is a semismooth Newton method: Hintermüller, Ito & Kunisch 2002). From a near set it takes one to three
rounds. Should it go round in circles, points leave at once but enter only when none pulls, and one at a time (as in Kalker
1990, the NORM algorithm). A is that of the cells of strips, see `strip_compliance`.
"""

from ..math.compiled import A1, A2, A3, F8, I1, I2, V4, entry
from .strip_compliance import factorise_strips, sinking, solve_two

__all__ = ["CONVERGED", "CYCLED", "INDEFINITE", "solve_contact"]

CONVERGED, CYCLED, INDEFINITE = 0.0, 1.0, 2.0

_ACCURACY = 1e-10
"""Of the loads."""
_ROUNDS = 25
_CAREFUL_ROUNDS = 400


@entry
def solve_contact(
    laws: A2, C_a: A2, entries_a: I2, weights_a: A2, C_b: A2, entries_b: I2, weights_b: A2, gaps: A1, force: F8,
    active: I1, load: A1, touching: I1, firsts: I1, U: A2, inverses: A3, right: A2, yz: A2, r: A2, z: A2, p: A2, d: A2,
    q: A2, known: A2, hats: A2,
) -> V4:  # fmt: skip
    """Loads of n cells from the set `active` on, which is changed; returns x [m], dF/dx [N/m], rounds, status.

    Parameters
    ----------
    laws
        (strips, count) [m/N]: the answer of a strip's cells to a load on one, by their distance in cells; n = strips · count.
    C_a, entries_a, weights_a, C_b, entries_b, weights_b
        Of both gears: compliance of hats [m/N], and (n, 6) hats and their shares of each cell.
    gaps, active, load
        (n,)

    The others are overwritten: touching (n,), firsts (strips + 1,), U (count, count), inverses (strips, count, count), right,
    yz, r, z, p, d, q, known (2, n), hats (4, hats of either gear at most). Status: CONVERGED, CYCLED or INDEFINITE.
    """
    n = gaps.size
    x = 0.0
    stiffness = 0.0
    for i in range(n):  # y and z of all cells, from which the next round starts
        known[0, i] = 0.0
        known[1, i] = 0.0
    for rounds in range(_ROUNDS + _CAREFUL_ROUNDS):
        m = factorise_strips(laws, active, touching, firsts, U, inverses)
        if m == 0:  # the nearest point touches first
            nearest = 0
            for i in range(n):
                if gaps[i] < gaps[nearest]:
                    nearest = i
            active[nearest] = 1
            m = factorise_strips(laws, active, touching, firsts, U, inverses)
        for k in range(m):
            right[0, k] = 1.0
            right[1, k] = gaps[touching[k]]
            yz[0, k] = known[0, touching[k]]
            yz[1, k] = known[1, touching[k]]
        if m < 0 or not solve_two(
            laws, C_a, entries_a, weights_a, C_b, entries_b, weights_b, touching, firsts, inverses, _ACCURACY, right, yz,
            r, z, p, d, q, hats,
        ):  # fmt: skip
            return x, stiffness, float(rounds), INDEFINITE
        stiffness = 0.0
        x = force
        for k in range(m):
            stiffness += yz[0, k]
            x += yz[1, k]
        x /= stiffness
        for i in range(n):
            load[i] = 0.0
            known[0, i] = 0.0
            known[1, i] = 0.0
            right[0, i] = gaps[i] - x
        pulling = 0
        for k in range(m):
            i = touching[k]
            load[i] = x * yz[0, k] - yz[1, k]
            r[0, k] = load[i]
            r[1, k] = 0.0
            if load[i] <= 0.0:
                active[i] = 0
                pulling += 1
            else:
                known[0, i] = yz[0, k]
                known[1, i] = yz[1, k]
        # gaps under load
        sinking(laws, C_a, entries_a, weights_a, C_b, entries_b, weights_b, touching, firsts, r, hats, right[0])
        tolerance = -1e-9 * (abs(x) + abs(force / stiffness))
        overlapping = 0
        worst = -1
        for i in range(n):
            if load[i] == 0.0 and active[i] == 0 and right[0, i] < tolerance:
                overlapping += 1
                if worst < 0 or right[0, i] < right[0, worst]:
                    worst = i
        if pulling == 0 and overlapping == 0:
            return x, stiffness, float(rounds + 1), CONVERGED
        if rounds < _ROUNDS:
            for i in range(n):
                if load[i] == 0.0 and right[0, i] < tolerance:
                    active[i] = 1
        elif pulling == 0:
            active[worst] = 1
    return x, stiffness, float(_ROUNDS + _CAREFUL_ROUNDS), CYCLED
