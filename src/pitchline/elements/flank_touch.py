"""Which strips touch, and how hard: an active set, and Newton's method for the logarithm of local contact."""

import math

from ..math.compiled import A1, F8, I8, block, leaf
from .flank_layout import (
    C_ACTIVE,
    C_BASE,
    C_FREE,
    C_GAP,
    C_LAMBDA,
    C_LEVER,
    C_NOW,
    C_RADIUS,
    C_RESIDUAL,
    C_SIDE,
    C_SLOPE,
    C_STEP,
    C_WIDTH,
    CANDIDATES,
    FACTORS,
    KAPPA,
    KEY_PSI,
    KEY_U,
    KEY_Y,
    MATRIX,
    MODULUS,
    PENALTY,
    ROOM,
    SCRATCH,
)

MOST_ITERATIONS = 60


@leaf
def local_distance(p: A1, base: I8, force: F8, width: F8, radius: F8) -> F8:
    """Distance x = 0.303 b at which a line load acts as Hertz's pressure does on its middle: ln x is the mean ln(b/2) - 1/2."""
    f = max(force, 1e-9 * p[base + MODULUS] * width * width)
    return 0.5 * math.exp(-0.5) * math.sqrt(4.0 * f * radius / (math.pi * p[base + MODULUS] * width))


@leaf
def local_approach(x: F8, width: F8) -> F8:
    """Approach of a strip over kappa lambda/w."""
    q = x / width
    return 2.0 * (math.asinh(1.0 / q) - math.sqrt(1.0 + q * q) + q)


@leaf
def local_tangent(x: F8, width: F8) -> F8:
    """Its derivative by the force: the distance x grows as the square root of it."""
    q = x / width
    return local_approach(x, width) + q - math.sqrt(1.0 + q * q)


@leaf
def local_energy(x: F8, width: F8) -> F8:
    """Energy stored over kappa lambda^2/w: the approach less (2/x^4) times the integral of x^3 approach."""
    q = x / width
    r2 = 1.0 + q * q
    r = math.sqrt(r2)
    integral = 0.25 * q * q * q * q * math.asinh(1.0 / q) + 0.25 * (r2 * r / 3.0 - r + 2.0 / 3.0)
    integral -= r2 * r2 * r / 5.0 - r2 * r / 3.0 + 2.0 / 15.0
    integral += q * q * q * q * q / 5.0
    return local_approach(x, width) - 4.0 * integral / (q * q * q * q)


@block
def factorise(p: A1, mat: I8, room: I8, n: I8) -> I8:
    """Factors U^T U of the leading n x n block, of which the upper triangle is given, in place; 0 if it is not positive."""
    for k in range(n):
        ok = mat + k * room
        pivot = p[ok + k]
        if not pivot > 0.0:
            return 0
        pivot = 1.0 / math.sqrt(pivot)
        line = p[ok : ok + n]
        for j in range(k, n):
            line[j] *= pivot
        for i in range(k + 1, n):
            f = line[i]
            to = p[mat + i * room + i : mat + i * room + n]
            by = p[ok + i : ok + n]
            for j in range(to.size):
                to[j] -= f * by[j]
    return 1


@block
def substitute(p: A1, mat: I8, room: I8, n: I8, x: I8):
    """x <- (U^T U)^-1 x."""
    for i in range(n):
        o = mat + i * room
        s = p[x + i] / p[o + i]
        p[x + i] = s
        for k in range(i + 1, n):
            p[x + k] -= s * p[o + k]
    for i in range(n - 1, -1, -1):
        o = mat + i * room
        s = p[x + i]
        for k in range(i + 1, n):
            s -= p[o + k] * p[x + k]
        p[x + i] = s / p[o + i]


@block
def _active_matrix(p: A1, base: I8, count: I8, added: F8):
    """Compliance of the strips in contact, local tangents included, into the place of the factors. added: to their tangents."""
    room = int(p[base + ROOM])
    cand = int(p[base + CANDIDATES])
    mat = int(p[base + MATRIX])
    fac = int(p[base + FACTORS])
    active = cand + C_ACTIVE * room
    lam = cand + C_LAMBDA * room
    width = cand + C_WIDTH * room
    i = 0
    for c in range(count):
        if p[active + c] == 0.0:
            continue
        o = mat + c * room
        j = i
        for d in range(c, count):
            if p[active + d] != 0.0:
                p[fac + i * room + j] = p[o + d]
                j += 1
        if p[base + PENALTY] == 0.0:
            x = local_distance(p, base, p[lam + c], p[width + c], p[cand + C_RADIUS * room + c])
            slope = local_tangent(x, p[width + c]) if p[lam + c] > 0.0 else local_approach(x, p[width + c])
            p[fac + i * room + i] += p[base + KAPPA] / p[width + c] * (slope + added)
        i += 1


@block
def touch(p: A1, base: I8, count: I8, u: F8, y: F8, psi: F8) -> I8:
    """Forces of the candidates for the approach u, centres y closer and psi_A. Returns the number of iterations, 0: failed."""
    room = int(p[base + ROOM])
    keys = int(p[base + SCRATCH])
    cand = int(p[base + CANDIDATES])
    mat = int(p[base + MATRIX])
    fac = int(p[base + FACTORS])
    lam = cand + C_LAMBDA * room
    active = cand + C_ACTIVE * room
    step = cand + C_STEP * room
    gap = cand + C_GAP * room
    res = cand + C_RESIDUAL * room
    now = cand + C_NOW * room
    width = cand + C_WIDTH * room
    radius = cand + C_RADIUS * room
    penalty = p[base + PENALTY] > 0.0
    deepest = 0.0
    for c in range(count):
        sign = 1.0 - 2.0 * p[cand + C_SIDE * room + c]
        moved = p[cand + C_SLOPE * room + c] * (psi - p[keys + KEY_PSI]) - sign * (u - p[keys + KEY_U]) - (y - p[keys + KEY_Y])
        p[gap + c] = p[cand + C_BASE * room + c] + p[cand + C_LEVER * room + c] * moved + p[cand + C_FREE * room + c]
        deepest = max(deepest, -p[gap + c])
        p[active + c] = 1.0 if p[lam + c] > 0.0 else 0.0
    tolerance = 1e-9 * deepest + 1e-15
    for iteration in range(MOST_ITERATIONS):
        # gaps with the forces at hand
        for c in range(count):
            p[now + c] = p[gap + c]
        for d in range(count):
            f = p[lam + d]
            if f > 0.0:
                to = p[now : now + count]
                by = p[mat + d * room : mat + d * room + count]
                for c in range(count):
                    to[c] += f * by[c]
        # those that would overlap come in
        changed = False
        n = 0
        for c in range(count):
            if p[active + c] == 0.0 and p[now + c] < -tolerance:
                p[active + c] = 1.0
                changed = True
            if p[active + c] != 0.0:
                r = p[now + c]
                if not penalty:
                    x = local_distance(p, base, p[lam + c], p[width + c], p[radius + c])
                    r += p[base + KAPPA] / p[width + c] * p[lam + c] * local_approach(x, p[width + c])
                p[res + n] = -r
                n += 1
        if n == 0:
            return 1
        # where contact is nearly as wide as its strip the tangent may lose its sign: a stiffer matrix leads to the same end
        added = 0.0
        while True:
            _active_matrix(p, base, count, added)
            if factorise(p, fac, room, n) != 0:
                break
            added = 2.0 * added + 1.0
            if added > 100.0:
                return 0
        for i in range(n):
            p[step + i] = p[res + i]
        substitute(p, fac, room, n, step)
        i = 0
        largest = 0.0
        greatest = 0.0
        for c in range(count):
            if p[active + c] == 0.0:
                continue
            d = p[step + i]
            i += 1
            new = p[lam + c] + d
            if new <= 0.0:
                p[active + c] = 0.0
                new = 0.0
                changed = True
            largest = max(largest, abs(new - p[lam + c]))
            greatest = max(greatest, new)
            p[lam + c] = new
        if not changed and largest <= 1e-9 * greatest + 1e-12:
            return iteration + 1
    return 0
