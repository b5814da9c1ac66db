"""Finite elements of a whole gear in explicit steps: central differences with lumped masses.

A gear is one sector repeated (`fem.cyclic_symmetry`). Displacements u (unknowns, sectors) are in the axes of each sector. The
stiffness K of one sector acts on all of them at once, as a matrix on many vectors,

    M a = f - K u - M R (R^T M R)^-1 R^T f ,        v += h/2 a,   u += h v,   a(u),   v += h/2 a .

Rigid motions R are taken out: they are the motion of the wheel, on its joint. K stays in the cache of the processor, because it is
that of one sector.
"""

import math

from pitchline.numerics.fields import INTEGER, elsewhere, embedded, fields, inline, reference
from pitchline.numerics.machine_code.calling import caller_of
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I1, I8, U1, block, vector_entry

from ..contact.kernel import touch_nodes
from ..meshes.kernel_flank_steps import WHEELS, PenaltyRun, move_wheels, prescribe, remember_nodes, show_forces

RIGID = 6

ElementGear = fields(
    "Element gear",
    sectors=INTEGER,
    width=INTEGER,  # of rows: sectors, filled up
    interior=INTEGER,  # unknowns: interior, low side; and copies of the next low side
    size=INTEGER,
    unknowns=INTEGER,
    u=elsewhere("unknowns", "width"),
    v=elsewhere("unknowns", "width"),
    a=elsewhere("unknowns", "width"),
    f=elsewhere("unknowns", "width"),  # forces of contact
    inner=elsewhere("unknowns", "width"),  # K u
    starts_count=INTEGER,
    starts=elsewhere("starts_count", of="integer"),  # K in blocks of 3 x 3: first block of each row of blocks
    block_count=INTEGER,
    columns=elsewhere("block_count", of="index"),
    blocks=elsewhere("block_count", 9),
    mass=elsewhere("size"),  # lumped [kg]
    rigid=elsewhere("size", RIGID),
    cosine=elsewhere("width"),  # of the angles of the sectors
    sine=elsewhere("width"),
    inverse=inline(RIGID * RIGID),  # of R^T M R of the gear
    shares=elsewhere(RIGID, "width"),
)
ExplicitRun = fields(
    "Explicit run",
    pair=reference(PenaltyRun),
    product=INTEGER,  # addresses of the compiled products
    advance=INTEGER,
    accelerate=INTEGER,
    a=embedded(ElementGear),
    b=embedded(ElementGear),
)


@vector_entry
def stiffness_product(starts: I1, columns: U1, blocks: A2, u: A2, to: A2) -> I8:
    """K u for many vectors, K in blocks of 3 x 3."""
    width = u.shape[1]
    for row in range(starts.size - 1):
        r0 = to[3 * row]
        r1 = to[3 * row + 1]
        r2 = to[3 * row + 2]
        for s in range(width):
            r0[s] = 0.0
            r1[s] = 0.0
            r2[s] = 0.0
        for n in range(starts[row], starts[row + 1]):
            c = 3 * columns[n]
            x = u[c]
            y = u[c + 1]
            z = u[c + 2]
            k0 = blocks[n, 0]
            k1 = blocks[n, 1]
            k2 = blocks[n, 2]
            k3 = blocks[n, 3]
            k4 = blocks[n, 4]
            k5 = blocks[n, 5]
            k6 = blocks[n, 6]
            k7 = blocks[n, 7]
            k8 = blocks[n, 8]
            for s in range(width):
                p = x[s]
                q = y[s]
                t = z[s]
                r0[s] += k0 * p + k1 * q + k2 * t
                r1[s] += k3 * p + k4 * q + k5 * t
                r2[s] += k6 * p + k7 * q + k8 * t
    return 0


@vector_entry
def advance_nodes(size: I8, h: F8, u: A2, v: A2, a: A2, f: A2) -> I8:
    """Half a step of the rates, a step of the displacements; forces of contact become zero."""
    for r in range(size):
        ur = u[r]
        vr = v[r]
        ar = a[r]
        fr = f[r]
        for s in range(u.shape[1]):
            vr[s] += 0.5 * h * ar[s]
            ur[s] += h * vr[s]
            fr[s] = 0.0
    return 0


@vector_entry
def accelerate_nodes(size: I8, h: F8, mass: A1, rigid: A2, shares: A2, f: A2, inner: A2, v: A2, a: A2) -> I8:
    """Accelerations, and the second half of the step of the rates."""
    for r in range(size):
        ar = a[r]
        fr = f[r]
        ir = inner[r]
        vr = v[r]
        mobility = 1.0 / mass[r]
        g0 = rigid[r, 0]
        g1 = rigid[r, 1]
        g2 = rigid[r, 2]
        g3 = rigid[r, 3]
        g4 = rigid[r, 4]
        g5 = rigid[r, 5]
        for s in range(a.shape[1]):
            one = (fr[s] - ir[s]) * mobility
            one -= g0 * shares[0, s] + g1 * shares[1, s] + g2 * shares[2, s]
            one -= g3 * shares[3, s] + g4 * shares[4, s] + g5 * shares[5, s]
            ar[s] = one
            vr[s] += 0.5 * h * one
    return 0


_product = caller_of(stiffness_product.signature)
_advance = caller_of(advance_nodes.signature)
_accelerate = caller_of(accelerate_nodes.signature)


@block
def _join(g: ElementGear):
    """Copy the displacements of the low sides to the high sides of the sectors before."""
    u = g.u
    z = g.sectors
    for r in range(g.unknowns - g.size):
        low = u[g.interior + r]
        high = u[g.size + r]
        for s in range(z - 1):
            high[s] = low[s + 1]
        high[z - 1] = low[0]


@block
def _fold(g: ElementGear):
    """Add the forces on the high sides to those on the low sides of the next sectors."""
    f = g.inner
    z = g.sectors
    for r in range(g.unknowns - g.size):
        low = f[g.interior + r]
        high = f[g.size + r]
        for s in range(z - 1):
            low[s + 1] += high[s]
        low[0] += high[z - 1]


@block
def _share(g: ElementGear, touched: I8):
    """(R^T M R)^-1 R^T f in the axes of all sectors, for the forces of contact."""
    shares = g.shares
    z = g.sectors
    for k in range(RIGID):
        for s in range(g.width):
            shares[k, s] = 0.0
    if touched == 0:
        return
    for r in range(g.size):
        fr = g.f[r]
        for k in range(RIGID):
            R = g.rigid[r, k]
            for s in range(z):
                shares[k, s] += R * fr[s]
    # into the axes of the gear, summed over sectors
    t0, t1, t2, t3, t4, t5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in range(z):
        c = g.cosine[s]
        d = g.sine[s]
        t0 += c * shares[0, s] - d * shares[1, s]
        t1 += d * shares[0, s] + c * shares[1, s]
        t2 += shares[2, s]
        t3 += c * shares[3, s] - d * shares[4, s]
        t4 += d * shares[3, s] + c * shares[4, s]
        t5 += shares[5, s]
    W = g.inverse
    w0 = W[0] * t0 + W[1] * t1 + W[2] * t2 + W[3] * t3 + W[4] * t4 + W[5] * t5
    w1 = W[6] * t0 + W[7] * t1 + W[8] * t2 + W[9] * t3 + W[10] * t4 + W[11] * t5
    w2 = W[12] * t0 + W[13] * t1 + W[14] * t2 + W[15] * t3 + W[16] * t4 + W[17] * t5
    w3 = W[18] * t0 + W[19] * t1 + W[20] * t2 + W[21] * t3 + W[22] * t4 + W[23] * t5
    w4 = W[24] * t0 + W[25] * t1 + W[26] * t2 + W[27] * t3 + W[28] * t4 + W[29] * t5
    w5 = W[30] * t0 + W[31] * t1 + W[32] * t2 + W[33] * t3 + W[34] * t4 + W[35] * t5
    for s in range(z):
        c = g.cosine[s]
        d = g.sine[s]
        shares[0, s] = c * w0 + d * w1
        shares[1, s] = c * w1 - d * w0
        shares[2, s] = w2
        shares[3, s] = c * w3 + d * w4
        shares[4, s] = c * w4 - d * w3
        shares[5, s] = w5


@block
def _inner(run: ExplicitRun, g: ElementGear):
    _join(g)
    _product(run.product, g.starts, g.columns, g.blocks, g.u, g.inner)
    _fold(g)


@block
def explicit_forces(run: ExplicitRun, t: F8, h: F8):
    """Accelerations of wheels and nodes in the present state; the rates move on by half a step h."""
    pair = run.pair
    nodes = pair.nodes
    touch_nodes(nodes, pair.x[0], pair.x[1], pair.x, WHEELS, WHEELS, pair.a)
    show_forces(pair)
    touched = 1 if nodes.touching > 0.0 else 0
    for k in range(2):
        g = run.a if k == 0 else run.b
        _inner(run, g)
        _share(g, touched)
        _accelerate(run.accelerate, g.size, h, g.mass, g.rigid, g.shares, g.f, g.inner, g.v, g.a)
    pair.a[0] = nodes.torque_a
    pair.a[1] = nodes.torque_b
    move_wheels(pair, t, pair.x, pair.v, pair.a)


@block
def explicit_step(run: ExplicitRun, t: F8, h: F8):
    """One step of central differences from the time t."""
    pair = run.pair
    power_in = pair.power_in
    power_out = pair.power_out
    for i in range(WHEELS):
        pair.v[i] += 0.5 * h * pair.a[i]
        pair.x[i] += h * pair.v[i]
    prescribe(pair, t + h, pair.x, pair.v)
    for k in range(2):
        g = run.a if k == 0 else run.b
        _advance(run.advance, g.size, h, g.u, g.v, g.a, g.f)
    explicit_forces(run, t + h, h)
    for i in range(WHEELS):
        if pair.wheels[i].drive < 0:
            pair.v[i] += 0.5 * h * pair.a[i]
    pair.work_in += 0.5 * h * (power_in + pair.power_in)
    pair.work_out += 0.5 * h * (power_out + pair.power_out)


@block
def _energies(g: ElementGear, kinetic: I8) -> F8:
    """Kinetic (1) or elastic (0) energy of the nodes."""
    total = 0.0
    for r in range(g.size):
        m = g.mass[r]
        ur = g.u[r]
        vr = g.v[r]
        fr = g.inner[r]
        for s in range(g.sectors):
            total += m * vr[s] * vr[s] if kinetic == 1 else ur[s] * fr[s]
    return 0.5 * total


@block
def remember_elements(run: ExplicitRun):
    """State in the form of the memory of `parts.meshes.kernel_flank_law`, for the report."""
    m = run.pair.memory
    remember_nodes(run.pair)
    m.kinetic = _energies(run.a, 1) + _energies(run.b, 1)
    m.stored += _energies(run.a, 0) + _energies(run.b, 0)
    m.lost = 0.0
    if not math.isfinite(m.kinetic):
        run.pair.a[0] = math.inf
