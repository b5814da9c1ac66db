"""Elastic gears in contact on their true flanks: the force law of a mesh with its own motion.

Both gears have modal coordinates (`kernel_flank_stability`). The static compliance that their modes do not contain is kept as
residual compliance, so that statics is exact for any number of modes. Contact is along strips of the face: strip j of a tooth
pair has one force lambda_j >= 0, at the point where the flanks are closest (`contact.strip_gaps`), and a gap

    g_j = W_j (G_j(phase) - u) + u_A + u_B ,     lambda_j >= 0 ,  g_j >= 0 ,  lambda_j g_j = 0 ,

u is the approach of the teeth along the hoop, u_A and u_B are the elastic displacements into the materials. Flanks that respond to
the relative position of the axes have u + sum level_jk d_k in place of u (`compile.Shifts`); sum W level_jk lambda is the force
that is conjugate to the shift d_k. Within a step

    u_A + u_B = free motion of the modes + (S_res + Phi P3 Phi^T) lambda + local(lambda) ,

S_res is without its local part, which is replaced by strips of width w with Hertzian pressure on half-spaces (Johnson, Contact
Mechanics, 1985, ch. 4 and 5; the displacement in the middle of the contact, averaged over the strip):

    local(lambda) = kappa lambda/w f(x) ,     f = 2 (asinh(w/x) - sqrt(1 + x^2/w^2) + x/w) ,     x = 0.303 b ,
    b = sqrt(4 lambda R/(pi E* w)) ,     kappa = sum of (1 - nu^2)/(pi E) ;

f = 2 ln(4 w/b) - 1 for narrow contact. Neighbouring strips also deform each other (`contact.strip_gaps`). There is no
penalty. The problem is solved by an active set with Newton's method for the logarithm. Force along the hoop f = sum W lambda.
The force conjugate to psi_A is -sum W G' lambda, which makes contact conservative also on tips and reliefs. Friction of each
strip, mu lambda against its own sliding, has the roll lengths as levers about both axes.

Values that are constant in the iterations of a step are computed once: `begin_step`. `solve_step` then computes the forces in
a pose. Only `accept_contact` writes memory and modal coordinates.
"""

import math

import numpy as np

from pitchline.numerics.fields import Fields, record_over
from pitchline.numerics.machine_code.compiled import A1, F8, I8, block, entry, kernel, leaf

from .kernel_flank_records import (
    KINDS,
    MOST_SHIFTS,
    PSI,
    SHIFT,
    SLOTS,
    Candidate,
    ContactForces,
    ContactMemory,
    Flanks,
    GearScratch,
    Seen,
    StripScratch,
    U,
    Y,
    candidate,
)
from .kernel_flank_search import CLEAR, find_candidates, modulo, place_traces
from .kernel_flank_stability import (
    compliance,
    end_motion,
    energy_of,
    free_motion,
    make_propagators,
    modal_energy,
    step_compliance,
    substitute,
    touch,
    wide_contact,
    widest,
)

AT_REST, SETTLED = 40, 1e-10
"""Iterations in which contact at rest finds its width, and change of the forces at which it is found, relative."""
TURN, PRESSED = 1e-3, 0.5 * CLEAR
"""Largest distance of a pose from that in which candidates were collected: in pitches, and as a fraction of `near`. Gaps are
linear in between, and omitted strips stay apart."""


@leaf
def product(n: I8, a: A1, b: A1) -> F8:
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@block
def _derivatives(s: Flanks, w: StripScratch, to: ContactForces):
    """Derivatives of force, conjugate force, separating force and the forces conjugate to the shifts, with the factors of the last
    iteration, which are those of the strips in contact. With b the derivatives of the gaps by u, psi_A, y and the shifts they are
    b^T S^-1 b, besides the change of the levels with psi_A."""
    by = w.by
    solved = w.residual
    second = to.second
    shifts = s.shifts
    n = 0
    for k in range(w.count):
        c = candidate(w, k)
        if c.active != 0:
            by[U, n] = (1.0 - 2.0 * c.side) * c.lever
            by[PSI, n] = -c.lever * c.slope
            by[Y, n] = c.lever
            for q in range(shifts):
                by[SHIFT + q, n] = c.lever * w.level[k, q]
            n += 1
    for k in range(SHIFT + shifts):
        for i in range(n):
            solved[i] = by[k, i]
        substitute(w.factors, n, solved)
        for l in range(k, SHIFT + shifts):
            second[k, l] = product(n, by[l], solved)
    for q in range(shifts):
        rise = 0.0
        for k in range(w.count):
            c = candidate(w, k)
            rise += c.lever * w.rise[k, q] * c.force
        second[PSI, SHIFT + q] += rise
    for k in range(SHIFT + shifts):
        for l in range(k):
            second[k, l] = second[l, k]


@block
def contact_totals(s: Flanks, w: StripScratch, rate_a: F8, rate_b: F8):
    """Forces, their derivatives, and friction at the rates of psi_A and psi_B."""
    count = w.count
    to = w.contact
    force = 0.0
    conjugate = 0.0
    both = 0.0
    for q in range(s.shifts):
        moment = 0.0
        for n in range(count):
            c = candidate(w, n)
            moment += c.lever * w.level[n, q] * c.force
        to.shifts[q] = moment
        to.rubbing[q] = 0.0
    for n in range(count):
        c = candidate(w, n)
        sign = 1.0 - 2.0 * c.side
        force += sign * c.lever * c.force
        conjugate -= c.lever * c.slope * c.force
        both += c.lever * c.force
    to.force = force
    to.conjugate = conjugate
    to.both = both
    _derivatives(s, w, to)
    mu = s.friction
    moment_a = 0.0
    moment_b = 0.0
    loss = 0.0
    if mu > 0.0:
        v0 = s.friction_speed
        for n in range(count):
            c = candidate(w, n)
            sliding = c.roll_a * rate_a + c.roll_b * rate_b
            for q in range(s.shifts):
                sliding += w.slide[n, q] * w.shift_rate[q]
            f = mu * c.force * sliding / math.sqrt(sliding * sliding + v0 * v0)
            moment_a += f * c.roll_a
            moment_b += f * c.roll_b
            loss += f * sliding
            for q in range(s.shifts):
                to.rubbing[q] += f * w.slide[n, q]
    to.friction_a = moment_a
    to.friction_b = moment_b
    to.friction_loss = loss


@block
def collect(s: Flanks, m: ContactMemory, w: StripScratch, u: F8, y: F8, psi: F8, held: I8):
    """Candidates near a pose, their traces and their compliance. held: with the contact widths of the accepted state."""
    w.u = u
    w.y = y
    w.psi = psi
    for q in range(s.shifts):
        w.from_shift[q] = w.shift[q]
    w.count = find_candidates(s, m, w, u, y, psi)
    if w.count > 0:
        w.count = place_traces(s, w, w.count)
        if held == 1:
            compliance(s, w)
        else:
            step_compliance(s, w)


@leaf
def _rounded(h: F8) -> F8:
    """Round to ten digits: steps are differences of times, whose last digits must not cause new propagators."""
    m, e = math.frexp(h)
    return math.ldexp(round(m * 8589934592.0) / 8589934592.0, e)


@block
def propagate(s: Flanks, w: StripScratch, h: F8):
    """Propagators of all modes over a step h, 0: at rest."""
    if w.made_for != h:
        make_propagators(w.a.propagators, s.a.omega, s.damping_ratio, h)
        make_propagators(w.b.propagators, s.b.omega, s.damping_ratio, h)
        w.made_for = h


@block
def begin_step(s: Flanks, m: ContactMemory, x: Seen, w: StripScratch, h: F8):
    """Propagators and free motion of a step h. `collect` follows, in a pose near the expected end of the step; otherwise
    `solve_step` calls it in the first pose."""
    propagate(s, w, _rounded(h))
    free_motion(w.a, x.c_a, x.c_a_rate, m.modal_a)
    free_motion(w.b, x.c_b, x.c_b_rate, m.modal_b)
    w.psi = math.inf


@block
def _shifted(s: Flanks, w: StripScratch) -> F8:
    """Largest approach of a strip by the shifts since candidates were collected."""
    most = 0.0
    for q in range(s.shifts):
        most += s.farthest[q] * abs(w.shift[q] - w.from_shift[q])
    return most


@block
def solve_step(s: Flanks, m: ContactMemory, w: StripScratch, u: F8, y: F8, psi: F8, rate_a: F8, rate_b: F8) -> I8:
    """Contact at the end of the current step, in `w.contact`. rate_a, rate_b: of psi_A and psi_B, for friction. 0: not
    converged."""
    turned = abs(psi - w.psi) * s.a.teeth > TURN * 2.0 * math.pi
    if turned or abs(u - w.u) + abs(y - w.y) + _shifted(s, w) > PRESSED * s.near:
        collect(s, m, w, u, y, psi, 0)
    if touch(s, w, u, y, psi) == 0:
        return 0
    contact_totals(s, w, rate_a, rate_b)
    return 1


@leaf
def _still(w: GearScratch):
    for i in range(w.coordinates):
        w.free[i] = 0.0
        w.free_rate[i] = 0.0


@block
def solve_rest(s: Flanks, m: ContactMemory, w: StripScratch, u: F8, y: F8, psi: F8) -> I8:
    """Contact in equilibrium with the approach u, without elastic motion, in `w.contact`. 0: not converged."""
    propagate(s, w, 0.0)
    _still(w.a)
    _still(w.b)
    collect(s, m, w, u, y, psi, 0)
    found = touch(s, w, u, y, psi)
    if s.penalty > 0.0:
        if found == 0:
            return 0
    elif found == 0 or wide_contact(s, w) != 0:
        # the width of wide contact is that of the last step, or at rest that of the current forces. Narrow strips can be loaded
        # alternately if they begin without a width: they begin with an upper limit
        widest(s, w)
        for _ in range(AT_REST):
            before = w.by[U]
            for n in range(w.count):
                before[n] = candidate(w, n).force
            step_compliance(s, w)
            if touch(s, w, u, y, psi) == 0:
                return 0
            greatest = 0.0
            changed = 0.0
            for n in range(w.count):
                c = candidate(w, n)
                greatest = max(greatest, c.force)
                changed = max(changed, abs(c.force - before[n]))
            if changed <= SETTLED * greatest:
                break
    contact_totals(s, w, 0.0, 0.0)
    return 1


@block
def _remember(to: ContactForces, found: ContactForces):
    to.force = found.force
    to.conjugate = found.conjugate
    to.both = found.both
    for k in range(KINDS):
        for l in range(KINDS):
            to.second[k, l] = found.second[k, l]
    for k in range(MOST_SHIFTS):
        to.shifts[k] = found.shifts[k]
        to.rubbing[k] = found.rubbing[k]
    to.friction_a = found.friction_a
    to.friction_b = found.friction_b
    to.friction_loss = found.friction_loss


@leaf
def _push(w: GearScratch, c: I8, f: F8):
    """Add the effect of the force of candidate c on the modes of a gear."""
    for i in range(w.coordinates):
        w.force[i] += f * w.phi[i, c]


@block
def _without_modes(w: GearScratch, stored: F8) -> F8:
    """Energy of the compliance matrix without that of the modes of a gear within the step, which is counted with the modes."""
    modes = w.modes
    for i in range(modes):
        square = w.force[i] * w.force[i]
        if modes + i < w.coordinates:
            square += w.force[modes + i] * w.force[modes + i]
        stored -= 0.5 * w.propagators[i, 3] * square
    return stored


@kernel
def sum_strips(s, w, out):
    """Strips in contact, their total forces and those of each tooth pair, the largest pressure: in the memory, or the scratch."""
    pairs = out.pairs
    for i in range(SLOTS):
        pairs[i] = 0.0
    touching = 0.0
    normal = 0.0
    pressure = 0.0
    for n in range(w.count):
        c = candidate(w, n)
        f = c.force
        if f > 0.0:
            touching += 1.0
            normal += f
            pairs[modulo(c.tooth, SLOTS)] += f * (1.0 - 2.0 * c.side)
            pressure = max(pressure, math.sqrt(f / c.width * s.modulus / (math.pi * c.radius)))
    out.pressure = pressure
    out.touching = touching
    out.normal = normal


@block
def accept_contact(s: Flanks, m: ContactMemory, x: Seen, w: StripScratch):
    """The solved contact becomes the current state: modal motion, forces by strip and tooth pair, energies."""
    strips = s.strips
    count = w.count
    forces = m.forces
    distances = m.distances
    for i in range(w.a.coordinates):
        w.a.force[i] = 0.0
    for i in range(w.b.coordinates):
        w.b.force[i] = 0.0
    for i in range(forces.size):
        forces[i] = 0.0
        distances[i] = 0.0
    stored = 0.0
    for n in range(count):
        c = candidate(w, n)
        f = c.force
        to = (c.side * SLOTS + modulo(c.tooth, SLOTS)) * strips + c.strip
        distances[to] = c.distance
        if f <= 0.0:
            continue
        forces[to] = f
        for k in range(count):
            stored += 0.5 * f * w.matrix[n, k] * candidate(w, k).force
        if s.penalty == 0.0:
            stored += s.kappa / c.width * f * f * energy_of(s, c)
        _push(w.a, n, f)
        _push(w.b, n, f)
    stored = _without_modes(w.b, _without_modes(w.a, stored))
    zeta = s.damping_ratio
    end_motion(w.a, x.c_a, x.c_a_rate, m.modal_a)
    end_motion(w.b, x.c_b, x.c_b_rate, m.modal_b)
    _remember(m.contact, w.contact)
    m.kinetic = modal_energy(s.a, x.c_a, x.c_a_rate, 0) + modal_energy(s.b, x.c_b, x.c_b_rate, 0)
    m.stored = stored + modal_energy(s.a, x.c_a, x.c_a_rate, 1) + modal_energy(s.b, x.c_b, x.c_b_rate, 1)
    m.lost = 2.0 * zeta * modal_energy(s.a, x.c_a, x.c_a_rate, 2) + 2.0 * zeta * modal_energy(s.b, x.c_b, x.c_b_rate, 2)
    sum_strips(s, w, m)


# ---- flank alone

# Contact law of elastic flanks without a model, called from Python: from approach and angle to forces and energies.

_flanks, _memory, _scratch, _seen = (
    record_over(Flanks),
    record_over(ContactMemory),
    record_over(StripScratch),
    record_over(Seen),
)


@entry
def _rest(s: A1, m: A1, x: A1, w: A1, u: F8, psi: F8) -> I8:
    return solve_rest(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi)


@entry
def _begin(s: A1, m: A1, x: A1, w: A1, h: F8, u: F8, psi: F8):
    begin_step(_flanks(s, 0), _memory(m, 0), _seen(x, 0), _scratch(w, 0), h)
    collect(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi, 0)


@entry
def _solve(s: A1, m: A1, x: A1, w: A1, u: F8, psi: F8) -> I8:
    return solve_step(_flanks(s, 0), _memory(m, 0), _scratch(w, 0), u, 0.0, psi, 0.0, 0.0)


@entry
def _accept(s: A1, m: A1, x: A1, w: A1):
    accept_contact(_flanks(s, 0), _memory(m, 0), _seen(x, 0), _scratch(w, 0))


class FlankAlone:
    """Elastic flanks with their own arrays: records of parameters, memory and scratch, and the motion of the modes."""

    def __init__(self, s: np.ndarray, m: np.ndarray, w: np.ndarray, coordinates: tuple[int, int]) -> None:
        self.s, self.m, self.w = s.copy(), m.copy(), w.copy()
        self._start = self.m.copy()
        self.motion = {gear: np.zeros((3, n)) for gear, n in zip("ab", coordinates, strict=True)}
        """Coordinates, rates and accelerations of the modes."""
        self._x = np.zeros(1, Seen.dtype)
        for gear, rows in self.motion.items():
            self._x[f"modes_{gear}"] = rows.shape[1]
            for row, part in zip(rows, ("", "_rate", "_acceleration"), strict=True):
                self._x[f"c_{gear}{part}"] = row.ctypes.data

    @property
    def records(self) -> tuple[np.ndarray, ...]:
        """Parameters, memory, what is seen, scratch."""
        return self.s, self.m, self._x.view("f8"), self.w

    @property
    def parameters(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.s, Flanks)

    @property
    def memory(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.m, ContactMemory)

    @property
    def scratch(self) -> np.void:
        """By name; without the arrays."""
        return _named(self.w, StripScratch)

    def frequencies(self) -> np.ndarray:
        """Circular frequencies of all modes of both gears [rad/s]."""
        found = []
        for gear in "ab":
            start = Flanks.place(gear)[0]
            one = self.parameters[gear]
            found.append(self.s[start + int(one["omega"]) :][: int(one["modes"])])
        return np.concatenate(found)

    @property
    def candidates(self) -> np.ndarray:
        """Strips near contact, by name."""
        w = self.scratch
        start, size = int(w["candidates"]), int(w["count"]) * Candidate.size
        return self.w[start : start + size].view(Candidate.dtype)

    def forget(self) -> None:
        """Reset to the initial memory."""
        self.m[:] = self._start

    def rest(self, u: float, psi: float) -> bool:
        """Contact in equilibrium with an approach u [m] at an angle psi of wheel A. False: not converged."""
        solved = bool(_rest(*self.records, u, psi))
        if solved:
            _accept(*self.records)
        return solved

    def begin(self, h: float, u: float, psi: float) -> None:
        """Begin a step h [s] that is expected to end near u and psi."""
        _begin(*self.records, h, u, psi)

    def solve(self, u: float, psi: float) -> bool:
        """Contact at the end of the step. False: not converged."""
        return bool(_solve(*self.records, u, psi))

    def accept(self) -> None:
        """The solution becomes the current state."""
        _accept(*self.records)


def _named(values: np.ndarray, record: Fields) -> np.void:
    named: np.void = values[: record.size].view(record.dtype)[0]
    return named
