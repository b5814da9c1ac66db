"""Strips in contact and their forces: an active set, and Newton's method for the logarithm of local contact."""

import math

from ..math.compiled import A1, A2, F8, I8, block, leaf
from .flank_records import Flanks, StripScratch, candidate

MOST_ITERATIONS = 60


@leaf
def local_distance(s: Flanks, force: F8, width: F8, radius: F8) -> F8:
    """Distance x = 0.303 b at which a line load has the same effect as the Hertzian pressure on its middle: ln x is the
    mean ln(b/2) - 1/2."""
    f = max(force, 1e-9 * s.modulus * width * width)
    return 0.5 * math.exp(-0.5) * math.sqrt(4.0 * f * radius / (math.pi * s.modulus * width))


@leaf
def local_approach(x: F8, width: F8) -> F8:
    """Approach of a strip divided by kappa lambda/w."""
    q = x / width
    return 2.0 * (math.asinh(1.0 / q) - math.sqrt(1.0 + q * q) + q)


@leaf
def local_tangent(x: F8, width: F8) -> F8:
    """Its derivative with respect to the force: the distance x is proportional to its square root."""
    q = x / width
    return local_approach(x, width) + q - math.sqrt(1.0 + q * q)


@leaf
def local_energy(x: F8, width: F8) -> F8:
    """Stored energy divided by kappa lambda^2/w: the approach minus (2/x^4) times the integral of x^3 approach."""
    q = x / width
    r2 = 1.0 + q * q
    r = math.sqrt(r2)
    integral = 0.25 * q * q * q * q * math.asinh(1.0 / q) + 0.25 * (r2 * r / 3.0 - r + 2.0 / 3.0)
    integral -= r2 * r2 * r / 5.0 - r2 * r / 3.0 + 2.0 / 15.0
    integral += q * q * q * q * q / 5.0
    return local_approach(x, width) - 4.0 * integral / (q * q * q * q)


@leaf
def _less(to: A1, f: F8, by: A1):
    for j in range(to.size):
        to[j] -= f * by[j]


@block
def factorise(A: A2, n: I8) -> I8:
    """Factors U^T U of the leading n x n block, of which the upper triangle is given, in place; 0 if it is not positive."""
    for k in range(n):
        pivot = A[k, k]
        if not pivot > 0.0:
            return 0
        pivot = 1.0 / math.sqrt(pivot)
        line = A[k, :n]
        for j in range(k, n):
            line[j] *= pivot
        for i in range(k + 1, n):
            _less(A[i, i:n], line[i], line[i:])
    return 1


@block
def substitute_forward(A: A2, n: I8, x: A1):
    """x <- U^-T x."""
    for i in range(n):
        s = x[i] / A[i, i]
        x[i] = s
        for k in range(i + 1, n):
            x[k] -= s * A[i, k]


@block
def substitute(A: A2, n: I8, x: A1):
    """x <- (U^T U)^-1 x."""
    substitute_forward(A, n, x)
    for i in range(n - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, n):
            s -= A[i, k] * x[k]
        x[i] = s / A[i, i]


@block
def _active_matrix(s: Flanks, w: StripScratch, added: F8):
    """Compliance of the strips in contact, local tangents included, into the place of the factors. added: to their tangents."""
    count = w.count
    matrix = w.matrix
    factors = w.factors
    i = 0
    for n in range(count):
        c = candidate(w, n)
        if c.active == 0:
            continue
        j = i
        for k in range(n, count):
            if candidate(w, k).active != 0:
                factors[i, j] = matrix[n, k]
                j += 1
        if s.penalty == 0.0:
            x = local_distance(s, c.force, c.width, c.radius)
            slope = local_tangent(x, c.width) if c.force > 0.0 else local_approach(x, c.width)
            factors[i, i] += s.kappa / c.width * (slope + added)
        i += 1


@leaf
def _more(to: A1, f: F8, by: A1):
    for c in range(to.size):
        to[c] += f * by[c]


@block
def touch(s: Flanks, w: StripScratch, u: F8, y: F8, psi: F8) -> I8:
    """Forces of the candidates for the approach u, centres closer by y, psi_A and the shifts in w. Return the number of
    iterations, 0: failed."""
    count = w.count
    matrix = w.matrix
    factors = w.factors
    now = w.now[:count]
    step = w.residual
    penalty = s.penalty > 0.0
    deepest = 0.0
    for n in range(count):
        c = candidate(w, n)
        sign = 1.0 - 2.0 * c.side
        moved = c.slope * (psi - w.psi) - sign * (u - w.u) - (y - w.y)
        for q in range(s.shifts):
            moved -= w.level[n, q] * (w.shift[q] - w.from_shift[q])
        c.gap = c.base + c.lever * moved + c.free
        deepest = max(deepest, -c.gap)
        c.active = 1 if c.force > 0.0 else 0
    tolerance = 1e-9 * deepest + 1e-15
    for iteration in range(MOST_ITERATIONS):
        # gaps with the current forces
        for n in range(count):
            now[n] = candidate(w, n).gap
        for n in range(count):
            f = candidate(w, n).force
            if f > 0.0:
                _more(now, f, matrix[n, :count])
        # strips that would overlap are added
        changed = False
        active = 0
        for n in range(count):
            c = candidate(w, n)
            if c.active == 0 and now[n] < -tolerance:
                c.active = 1
                changed = True
            if c.active != 0:
                r = now[n]
                if not penalty:
                    x = local_distance(s, c.force, c.width, c.radius)
                    r += s.kappa / c.width * c.force * local_approach(x, c.width)
                step[active] = -r
                active += 1
        if active == 0:
            return 1
        # if contact is nearly as wide as its strip, the tangent may lose its sign: a stiffer matrix leads to the same result
        added = 0.0
        while True:
            _active_matrix(s, w, added)
            if factorise(factors, active) != 0:
                break
            added = 2.0 * added + 1.0
            if added > 100.0:
                return 0
        substitute(factors, active, step)
        i = 0
        largest = 0.0
        greatest = 0.0
        for n in range(count):
            c = candidate(w, n)
            if c.active == 0:
                continue
            new = c.force + step[i]
            i += 1
            if new <= 0.0:
                c.active = 0
                new = 0.0
                changed = True
            largest = max(largest, abs(new - c.force))
            greatest = max(greatest, new)
            c.force = new
        if not changed and largest <= 1e-9 * greatest + 1e-12:
            return iteration + 1
    return 0
