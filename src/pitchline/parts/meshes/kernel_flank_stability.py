"""Elastic flanks within a step: motion of the modes, strips in contact, forces and stiffness."""

import math

from pitchline.numerics.fields import record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, block, entry, leaf

from .kernel_flank_records import (
    COUPLINGS,
    PROPAGATOR,
    Candidate,
    ContactMemory,
    ElasticGearData,
    Flanks,
    GearScratch,
    StripScratch,
    candidate,
    side_of,
)
from .kernel_flank_search import find_candidates, modulo, place_traces

# ---- flank modes

# Modal motion of elastic gears over one step, exact for forces that change linearly.
#
# Each coordinate obeys c'' + 2 zeta w c' + w^2 c = f(t) with f = f0 + (f1 - f0) t/h over a step h. A particular
# solution is x = f/w^2 - 2 zeta (f1 - f0)/(h w^3), the rest is free decay, so that
#
# c1 = P0 c0 + P1 v0 + P2 f0 + P3 f1 , v1 = P4 c0 + P5 v0 + P6 f0 + P7 f1 .
#
# P3 is the compliance of the mode within the step: (h^2/6 for h -> 0). At rest (represented by h = 0) P3 = 1/w^2 and
# all others are 0.


@block
def make_propagators(P: A2, omega: A1, zeta: F8, h: F8):
    """P0 .. P7 of modes with the circular frequencies omega, one row each."""
    for m in range(omega.size):
        w = omega[m]
        p = P[m]
        a = 1.0 / (w * w)
        for i in range(PROPAGATOR):
            p[i] = 0.0
        p[3] = a
        if h == 0.0:
            continue
        decay = math.exp(-zeta * w * h)
        wd = w * math.sqrt(1.0 - zeta * zeta)
        s = decay * math.sin(wd * h) / wd
        c = decay * math.cos(wd * h)
        g = 2.0 * zeta * a / (w * h)
        q = a / h
        p[0] = c + zeta * w * s
        p[1] = s
        p[2] = -p[0] * (a + g) + s * q + g
        p[3] = p[0] * g - s * q + a - g
        p[4] = -w * w * s
        p[5] = c - zeta * w * s
        p[6] = -p[4] * (a + g) + p[5] * q - q
        p[7] = p[4] * g - p[5] * q + q


@block
def free_motion(w: GearScratch, c: A1, rate: A1, force: A1):
    """Coordinates and rates at the end of the step without a force there, from those at its start and the force at the start."""
    modes = w.modes
    P = w.propagators
    free = w.free
    free_rate = w.free_rate
    for i in range(w.coordinates):
        p = P[i if i < modes else i - modes]
        free[i] = p[0] * c[i] + p[1] * rate[i] + p[2] * force[i]
        free_rate[i] = p[4] * c[i] + p[5] * rate[i] + p[6] * force[i]


@block
def end_motion(w: GearScratch, c: A1, rate: A1, force: A1):
    """Free motion plus the effect of the force at the end of the step. The force is stored."""
    modes = w.modes
    P = w.propagators
    free = w.free
    free_rate = w.free_rate
    found = w.force
    for i in range(w.coordinates):
        p = P[i if i < modes else i - modes]
        c[i] = free[i] + p[3] * found[i]
        rate[i] = free_rate[i] + p[7] * found[i]
        force[i] = found[i]


@block
def modal_energy(s: ElasticGearData, c: A1, rate: A1, which: I8) -> F8:
    """Kinetic (0) or elastic (1) energy of the modes; (2): sum of w |v|^2; the power loss is 2 zeta times this sum."""
    modes = s.modes
    omega = s.omega
    e = 0.0
    for i in range(modes + s.paired):
        w = omega[i if i < modes else i - modes]
        if which == 0:
            e += 0.5 * rate[i] * rate[i]
        elif which == 1:
            e += 0.5 * w * w * c[i] * c[i]
        else:
            e += w * rate[i] * rate[i]
    return e


MOST_ITERATIONS = 60
MEANS = 3
"""Number of times that the squares of the contact widths are replaced by their means over a strip and both its neighbours."""
FROM_GAP = 5
"""Iterations for the force of a strip by itself, from its gap."""


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


NARROW, REAL = 0.1, 0.18
"""Up to the first fraction of the strip width, contact counts as a line (0.303 b / w); from the second on its real width counts."""


@leaf
def _wide(c: Candidate) -> F8:
    """Share with which a strip has the contact width of the last step, with its neighbours: 0 for narrow contact, 1 for wide
    contact. If strips are narrower than the contact, its width varies little from strip to strip. With a width that depends on
    the force of the strip only, strips would be loaded alternately."""
    return min(max((c.distance / c.width - NARROW) / (REAL - NARROW), 0.0), 1.0)


@leaf
def _approach_of(s: Flanks, c: Candidate) -> F8:
    """Local approach of a strip divided by kappa lambda/w."""
    share = _wide(c)
    found = share * local_approach(c.distance, c.width) if share > 0.0 else 0.0
    if share < 1.0:
        found += (1.0 - share) * local_approach(local_distance(s, c.force, c.width, c.radius), c.width)
    return found


@leaf
def _tangent_of(s: Flanks, c: Candidate) -> F8:
    """Its derivative with respect to the force."""
    share = _wide(c)
    found = share * local_approach(c.distance, c.width) if share > 0.0 else 0.0
    if share < 1.0:
        x = local_distance(s, c.force, c.width, c.radius)
        found += (1.0 - share) * (local_tangent(x, c.width) if c.force > 0.0 else local_approach(x, c.width))
    return found


@leaf
def energy_of(s: Flanks, c: Candidate) -> F8:
    """Its stored energy divided by kappa lambda^2/w."""
    share = _wide(c)
    found = 0.5 * share * local_approach(c.distance, c.width) if share > 0.0 else 0.0
    if share < 1.0:
        found += (1.0 - share) * local_energy(local_distance(s, c.force, c.width, c.radius), c.width)
    return found


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
            factors[i, i] += s.kappa / c.width * (_tangent_of(s, c) + added)
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
                    r += s.kappa / c.width * c.force * _approach_of(s, c)
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


# ---- flank compliance

# Compliance of strips in contact within a step: residual compliance, modes, and the half-space between strips of a
# tooth.


@leaf
def _between(S: A2, o: I8, g: I8, wg: F8, h: I8, wh: F8, stride: I8) -> F8:
    """Compliance between two points that lie between two hats each, in the block of S whose first row is o."""
    s0 = S[o + g]
    s1 = S[o + g + stride]
    return (1.0 - wg) * ((1.0 - wh) * s0[h] + wh * s0[h + stride]) + wg * ((1.0 - wh) * s1[h] + wh * s1[h + stride])


@block
def _on_faces(S: A2, o: I8, g: I8, wg: F8, eg: F8, h: I8, wh: F8, eh: F8, stride: I8) -> F8:
    """The same between points that lie between two lines of hats, by eg and eh of their distance."""
    if eg == 0.0 and eh == 0.0:
        return _between(S, o, g, wg, h, wh, stride)
    value = (1.0 - eg) * (1.0 - eh) * _between(S, o, g, wg, h, wh, stride)
    if eg > 0.0:
        value += eg * (1.0 - eh) * _between(S, o, g + 1, wg, h, wh, stride)
        if eh > 0.0:
            value += eg * eh * _between(S, o, g + 1, wg, h + 1, wh, stride)
    if eh > 0.0:
        value += (1.0 - eg) * eh * _between(S, o, g, wg, h + 1, wh, stride)
    return value


@block
def _residual(s: Flanks, c: Candidate, d: Candidate) -> F8:
    """Residual compliance of both gears between two candidates of one side."""
    side = side_of(s, c.side)
    offsets = s.offsets
    o = c.tooth - d.tooth
    if o < -offsets or o > offsets:
        return 0.0
    on_a = side.a
    place = (o + offsets) * on_a.hats
    if s.a.own != 0:
        place += modulo(d.tooth, s.a.teeth) * (2 * offsets + 1) * on_a.hats
    value = _on_faces(
        on_a.compliance, place, c.hat_a, c.weight_a, c.face_weight_a, d.hat_a, d.weight_a, d.face_weight_a, s.a.faces
    )
    on_b = side.b
    place = (o * s.sense + offsets) * on_b.hats
    if s.b.own != 0:
        place += modulo(d.tooth_b, s.b.teeth) * (2 * offsets + 1) * on_b.hats
    return value + _on_faces(
        on_b.compliance, place, c.hat_b, c.weight_b, c.face_weight, d.hat_b, d.weight_b, d.face_weight, s.b.faces
    )


@leaf
def _coupling(s: Flanks, c: Candidate, d: Candidate) -> F8:
    """Effect of a force on strip d of a tooth pair on its strip c through the half-space: as a line load, which makes contact
    conservative, and less if the contact is so wide that strips would be loaded alternately."""
    strips = s.strips
    x = math.sqrt(c.distance * d.distance)
    x *= min(max((x / math.sqrt(c.width * d.width) - NARROW) / (REAL - NARROW), 0.0), 1.0)
    x /= s.coupling_step
    i = min(int(x), COUPLINGS - 2)
    t = min(x - i, 1.0)
    row = i * strips + c.strip
    return (1.0 - t) * s.coupling[row, d.strip] + t * s.coupling[row + strips, d.strip]


@block
def wide_contact(s: Flanks, w: StripScratch) -> I8:
    """Whether the current forces cause a contact that is wider than a line."""
    for n in range(w.count):
        c = candidate(w, n)
        if local_distance(s, c.force, c.width, c.radius) > NARROW * c.width:
            return 1
    return 0


@block
def widest(s: Flanks, w: StripScratch):
    """Forces that would close the gaps of the strips if only they deformed locally: an upper limit, in place of the forces."""
    for n in range(w.count):
        c = candidate(w, n)
        c.force = 0.0
        for _ in range(FROM_GAP):
            x = local_distance(s, c.force, c.width, c.radius)
            c.force = max(-c.gap, 0.0) * c.width / (s.kappa * local_approach(x, c.width))


@block
def _distances(s: Flanks, w: StripScratch):
    """Half widths of contact with the current forces: their squares are means over neighbouring strips. They end where the
    table of the coupling ends."""
    square = w.residual
    for n in range(w.count):
        c = candidate(w, n)
        own = local_distance(s, c.force, c.width, c.radius)
        square[n] = own * own
    for _ in range(MEANS):
        last = 0.0
        for n in range(w.count):
            c = candidate(w, n)
            own = square[n]
            before = last if n > 0 and _next_to(candidate(w, n - 1), c) != 0 else own
            after = square[n + 1] if n + 1 < w.count and _next_to(c, candidate(w, n + 1)) != 0 else own
            square[n] = 0.5 * own + 0.25 * (before + after)
            last = own
    most = s.coupling_step * (COUPLINGS - 1)
    for n in range(w.count):
        candidate(w, n).distance = min(math.sqrt(square[n]), most)


@leaf
def _next_to(c: Candidate, d: Candidate) -> I8:
    """Whether d is the next strip of the same teeth."""
    return 1 if c.side == d.side and c.tooth == d.tooth and c.strip + 1 == d.strip else 0


@leaf
def _add_pair(to: A1, x: A1, y: A1, re: F8, im: F8):
    for d in range(to.size):
        to[d] += re * x[d] + im * y[d]


@block
def _add_modes(s: ElasticGearData, w: GearScratch, c: I8, to: A1):
    """Add the compliance of the modes of a gear between candidate c and those up to it."""
    modes = s.modes
    paired = s.paired
    phi = w.phi
    P = w.propagators
    for m in range(paired):
        within = P[m, 3]
        # slices, whose indices cannot be negative, are summed several at once
        x = phi[m, : c + 1]
        y = phi[modes + m, : c + 1]
        _add_pair(to, x, y, within * x[c], within * y[c])
    for m in range(paired, modes):
        x = phi[m, : c + 1]
        re = P[m, 3] * x[c]
        for d in range(to.size):
            to[d] += re * x[d]


@block
def step_compliance(s: Flanks, w: StripScratch):
    """The matrix of all candidates: residual compliance and modes within the step, with the contact widths of the forces of the
    last step."""
    _distances(s, w)
    compliance(s, w)


@block
def compliance(s: Flanks, w: StripScratch):
    """The same with the present contact widths."""
    count = w.count
    matrix = w.matrix
    for n in range(count):
        c = candidate(w, n)
        row = matrix[n, : n + 1]
        for k in range(n + 1):
            d = candidate(w, k)
            value = 0.0
            if s.penalty > 0.0:
                if n == k:
                    value = 1.0 / s.penalty
            elif c.side == d.side:
                value = _residual(s, c, d)
                if n != k and c.tooth == d.tooth:
                    value += _coupling(s, c, d)
            row[k] = value
        _add_modes(s.a, w.a, n, row)
        _add_modes(s.b, w.b, n, row)
    for n in range(count):
        for k in range(n):
            matrix[k, n] = matrix[n, k]


# ---- flank stability

# Stability of contact and modes of elastic gears for a given step size.
#
# Modes are propagated exactly, with forces that are linear within a step; contact requires gaps at its end. Such a
# method becomes unstable for motion that changes its sign from step to step (as linear acceleration does at w h = 2
# sqrt 3). For this motion, a mode moves by H times its force: x1 = -x0 = E x0 + P2 f0 + P3 f1 with f1 = -f0. Without
# damping
#
# H = (1 - tan(w h/2)/(w h/2)) / w^2 ,
#
# negative: against the force. Contact is stable if the compliance of the strips, residual compliance or penalty, is
# larger: if S + Phi H Phi^T is positive. All strips that may be in contact together are included; any subset of them
# is then also stable.

_flanks, _memory, _scratch = record_over(Flanks), record_over(ContactMemory), record_over(StripScratch)


@block
def _alternate(s: ElasticGearData, zeta: F8, step: F8, w: GearScratch):
    """H of all modes of a gear in the place of their compliance within the step; no free motion."""
    for i in range(w.coordinates):
        w.free[i] = 0.0
    make_propagators(w.propagators, s.omega, zeta, step)
    for m in range(s.modes):
        p = w.propagators[m]
        # (1 + E) x0 = (P3 - P2) f0
        e00 = 1.0 + p[0]
        e11 = 1.0 + p[5]
        b0 = p[3] - p[2]
        b1 = p[7] - p[6]
        p[3] = (b0 * e11 - p[1] * b1) / (e00 * e11 - p[1] * p[4])


@entry
def alternating_compliance(flanks: A1, memory: A1, scratch: A1, u: F8, psi: F8, step: F8, out: A2) -> I8:
    """S + Phi H Phi^T of all strips near contact at the approach u and psi_A, into out. Returns how many they are.

    The arrays hold the records of an element, without forces and motion in its memory; its scratch is used."""
    s = _flanks(flanks, 0)
    w = _scratch(scratch, 0)
    w.made_for = -1.0  # no step: the propagators are changed here
    _alternate(s.a, s.damping_ratio, step, w.a)
    _alternate(s.b, s.damping_ratio, step, w.b)
    count = find_candidates(s, _memory(memory, 0), w, u, 0.0, psi)
    if count == 0:
        return 0
    count = place_traces(s, w, count)
    w.count = count
    step_compliance(s, w)
    for n in range(count):
        for k in range(count):
            out[n, k] = w.matrix[n, k]
        if s.penalty == 0.0:  # local compliance where contact is as wide as a line load may be
            width = candidate(w, n).width
            out[n, n] += s.kappa / width * local_tangent(NARROW * width, width)
    return count
