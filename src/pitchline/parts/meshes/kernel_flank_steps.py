"""Two wheels with elastic flanks in explicit steps: Runge-Kutta method of order 4, contact by a penalty.

The method of Do, Ziegler and Eberhard (Simulation of elastic gears with non-standard flank profiles, section 2), for comparison
with the law of `kernel_flank_law`. Unknowns are the rotations q of two wheels about fixed axes and the modal coordinates c of both,

    I_i q_i'' + b_i w_i = a_i (loads - springs) ,      c'' + 2 zeta w c' + w^2 c = sum over strips of conj(trace) lambda ,
    lambda = c_p max(0, -g) ,     g = W (G(phase) - u) + u_A + u_B ,

b_i = psi_i' / q_i', a_i = (angle of the joint)' / q_i' (both +1 or -1); w is conjugate to psi as in `kernel_flank_law`. The only
compliances are those of the modes and of the penalty. Every stage of a step searches for contact again.

The method is stable if the highest frequency of the gears in contact, including the penalty, times the step is below 2.83
(Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.1; on the imaginary axis R(iy) <= 1 up to 2 sqrt 2).
"""

import math

from pitchline.numerics.fields import INTEGER, NUMBER, behind, elsewhere, fields, inline, record_over, reference, table
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, block, entry

from ..contact.kernel import touch_nodes
from ..contact.kernel_records import NodeContact
from .kernel_flank_records import SLOTS, ContactMemory, ElasticGearData, Flanks, GearScratch, StripScratch, candidate
from .kernel_flank_search import find_candidates, modulo, place_traces

WHEELS = 2
PenaltyWheel = fields(
    "Penalty wheel",
    inertia=NUMBER,  # I [kg m^2]
    turn=NUMBER,  # b
    lever=NUMBER,  # approach over psi [m]
    joint=NUMBER,  # a
    angle=NUMBER,  # of the joint at q = 0
    psi=NUMBER,  # at q = 0
    drive=INTEGER,  # place of the function of its drive, -1: free
)
PenaltyLoad = fields("Penalty load", wheel=INTEGER, function=INTEGER)
PenaltySpring = fields("Penalty spring", wheel=INTEGER, stiffness=NUMBER, damping=NUMBER, free_angle=NUMBER)
PenaltyRun = fields(
    "Penalty run",
    flanks=reference(Flanks),
    memory=reference(ContactMemory),  # without forces of strips
    scratch=reference(StripScratch),
    by_nodes=INTEGER,  # 1: contact of nodes with surfaces (`node_contact`), instead of strips
    nodes=reference(NodeContact),
    n_functions=INTEGER,
    functions=elsewhere("n_functions"),
    wheels=table(PenaltyWheel),
    n_loads=INTEGER,
    loads=table(PenaltyLoad),
    n_springs=INTEGER,
    springs=table(PenaltySpring),
    approach=NUMBER,  # u at q = 0
    strips=INTEGER,  # near contact
    power_in=NUMBER,
    power_out=NUMBER,
    effort=inline(WHEELS),  # load of the drive on each joint
    work_in=NUMBER,  # supplied and dissipated energy since the start
    work_out=NUMBER,
    n=INTEGER,
    x=behind("n"),  # coordinates: rotations of the wheels, modes of A, modes of B; rates, accelerations
    v=behind("n"),
    a=behind("n"),
    x_stage=behind("n"),
    v_stage=behind("n"),
    a_stage=behind("n"),
    x_sum=behind("n"),
    v_sum=behind("n"),
)
_run = record_over(PenaltyRun)


@block
def _strips(s: Flanks, m: ContactMemory, w: StripScratch, u: F8, psi: F8, x: A1, a: A1) -> I8:
    """Strips near contact with the coordinates x, their forces, and the effect on the modes, in a. m: no forces of strips."""
    own_a = w.a.coordinates
    own_b = w.b.coordinates
    for i in range(own_a):
        w.a.free[i] = x[WHEELS + i]
    for i in range(own_b):
        w.b.free[i] = x[WHEELS + own_a + i]
    for i in range(WHEELS, a.size):
        a[i] = 0.0
    count = find_candidates(s, m, w, u, 0.0, psi)
    if count == 0:
        return 0
    count = place_traces(s, w, count)
    for n in range(count):
        c = candidate(w, n)
        f = s.penalty * max(0.0, -(c.base + c.free))
        c.force = f
        if f > 0.0:
            for i in range(own_a):
                a[WHEELS + i] += f * w.a.phi[i, n]
            for i in range(own_b):
                a[WHEELS + own_a + i] += f * w.b.phi[i, n]
    return count


@block
def _modes(s: ElasticGearData, zeta: F8, first: I8, x: A1, v: A1, a: A1) -> F8:
    """Add the free accelerations of the modes of a gear; return the sum of w v^2."""
    lost = 0.0
    for i in range(s.modes + s.paired):
        w = s.omega[i if i < s.modes else i - s.modes]
        rate = v[first + i]
        a[first + i] -= w * (w * x[first + i] + 2.0 * zeta * rate)
        lost += w * rate * rate
    return lost


@block
def prescribe(run: PenaltyRun, t: F8, x: A1, v: A1) -> F8:
    """Set driven wheels to their prescribed positions and rates; return the approach."""
    u = run.approach
    for i in range(WHEELS):
        wheel = run.wheels[i]
        if wheel.drive >= 0:
            f = value_of(run.functions, wheel.drive, t)
            x[i] = wheel.joint * (f[0] - wheel.angle)
            v[i] = wheel.joint * f[1]
        u += wheel.lever * wheel.turn * x[i]
    return u


@block
def move_wheels(run: PenaltyRun, t: F8, x: A1, v: A1, a: A1):
    """From the forces of the teeth on the wheels, in a[:2], to their accelerations: loads, springs and drives added."""
    F = run.functions
    power_in = 0.0
    power_out = 0.0
    for k in range(run.n_loads):
        load = run.loads[k]
        i = load.wheel
        torque = run.wheels[i].joint * value_of(F, load.function, t)[0]
        a[i] += torque
        power_in += torque * v[i]
    for k in range(run.n_springs):
        spring = run.springs[k]
        i = spring.wheel
        joint = run.wheels[i].joint
        stretch = run.wheels[i].angle + joint * x[i] - spring.free_angle
        a[i] -= joint * spring.stiffness * stretch + spring.damping * v[i]
        power_out += spring.damping * v[i] * v[i]
    for i in range(WHEELS):
        wheel = run.wheels[i]
        run.effort[i] = 0.0
        if wheel.drive >= 0:
            wanted = wheel.joint * value_of(F, wheel.drive, t)[2]
            effort = wheel.inertia * wanted - a[i]
            run.effort[i] = wheel.joint * effort
            power_in += effort * v[i]
            a[i] = wanted
        else:
            a[i] /= wheel.inertia
    run.power_in = power_in
    run.power_out = power_out


@block
def show_forces(run: PenaltyRun):
    """Forces of nodes in the form of the memory of `kernel_flank_law`: an equivalent hoop force of wheel A."""
    first = run.wheels[0]
    run.memory.contact.force = -run.nodes.torque_a / (first.turn * first.lever)
    run.memory.contact.conjugate = 0.0


@block
def accelerations(run: PenaltyRun, t: F8, x: A1, v: A1, a: A1):
    """From coordinates and rates to accelerations. Driven wheels are set to their prescribed positions."""
    s = run.flanks
    m = run.memory
    w = run.scratch
    zeta = s.damping_ratio
    u = prescribe(run, t, x, v)
    first = run.wheels[0]
    second = run.wheels[1]
    if run.by_nodes == 1:
        nodes = run.nodes
        of_b = WHEELS + nodes.a.coordinates
        for i in range(WHEELS, run.n):
            a[i] = 0.0
        touch_nodes(nodes, x[0], x[1], x, WHEELS, of_b, a)
        show_forces(run)
        a[0] = nodes.torque_a
        a[1] = nodes.torque_b
        lost = _modes(nodes.a.data, zeta, WHEELS, x, v, a)
        lost += _modes(nodes.b.data, zeta, of_b, x, v, a)
        run.strips = 0
    else:
        count = _strips(s, m, w, u, first.psi + first.turn * x[0], x, a)
        force = 0.0
        conjugate = 0.0
        for n in range(count):
            c = candidate(w, n)
            f = c.force * c.lever
            force += f * (1.0 - 2.0 * c.side)
            conjugate -= f * c.slope
        m.contact.force = force
        m.contact.conjugate = conjugate
        a[0] = -first.turn * (force * first.lever + conjugate)
        a[1] = -second.turn * force * second.lever
        lost = _modes(s.a, zeta, WHEELS, x, v, a)
        lost += _modes(s.b, zeta, WHEELS + w.a.coordinates, x, v, a)
        run.strips = count
    move_wheels(run, t, x, v, a)
    lost *= 2.0 * zeta
    m.lost = lost
    run.power_out += lost


@block
def _modal_energy(s: ElasticGearData, first: I8, x: A1, v: A1, kinetic: I8) -> F8:
    """Kinetic (1) or elastic (0) energy of the modes of a gear."""
    total = 0.0
    for i in range(s.modes + s.paired):
        omega = s.omega[i if i < s.modes else i - s.modes]
        part = v[first + i] if kinetic == 1 else omega * x[first + i]
        total += 0.5 * part * part
    return total


@block
def remember_nodes(run: PenaltyRun):
    """Results of contact of nodes in the memory, without the energies of the gears."""
    m = run.memory
    c = run.nodes
    for i in range(SLOTS):
        m.pairs[i] = c.pairs[i]
    m.contact.both = abs(m.contact.force)
    m.stored = c.stored
    m.pressure = c.pressure
    m.touching = c.touching
    m.normal = c.normal


@block
def remember(run: PenaltyRun):
    """State in the form of the memory of `kernel_flank_law`, for the report: forces by tooth pair, energies."""
    s = run.flanks
    m = run.memory
    w = run.scratch
    x = run.x
    v = run.v
    if run.by_nodes == 1:
        nodes = run.nodes
        remember_nodes(run)
        of_b = WHEELS + nodes.a.coordinates
        m.kinetic = _modal_energy(nodes.a.data, WHEELS, x, v, 1) + _modal_energy(nodes.b.data, of_b, x, v, 1)
        m.stored += _modal_energy(nodes.a.data, WHEELS, x, v, 0) + _modal_energy(nodes.b.data, of_b, x, v, 0)
        return
    for i in range(SLOTS):
        m.pairs[i] = 0.0
    normal = 0.0
    both = 0.0
    touching = 0.0
    pressure = 0.0
    stored = 0.0
    for n in range(run.strips):
        c = candidate(w, n)
        f = c.force
        if f <= 0.0:
            continue
        touching += 1.0
        normal += f
        both += c.lever * f
        stored += 0.5 * f * f / s.penalty
        m.pairs[modulo(c.tooth, SLOTS)] += f * (1.0 - 2.0 * c.side)
        pressure = max(pressure, math.sqrt(f * s.modulus / (math.pi * c.width * c.radius)))
    of_b = WHEELS + w.a.coordinates
    m.contact.both = both
    m.kinetic = _modal_energy(s.a, WHEELS, x, v, 1) + _modal_energy(s.b, of_b, x, v, 1)
    m.stored = stored + _modal_energy(s.a, WHEELS, x, v, 0) + _modal_energy(s.b, of_b, x, v, 0)
    m.pressure = pressure
    m.touching = touching
    m.normal = normal


@block
def rk4_step(run: PenaltyRun, t: F8, h: F8):
    """One step of the Runge-Kutta method from the time t."""
    n = run.n
    x = run.x
    v = run.v
    a = run.a
    x_stage = run.x_stage
    v_stage = run.v_stage
    a_stage = run.a_stage
    x_sum = run.x_sum
    v_sum = run.v_sum
    put_in = run.power_in
    lost = run.power_out
    for i in range(n):
        x_sum[i] = v[i]
        v_sum[i] = a[i]
        v_stage[i] = v[i]
        a_stage[i] = a[i]
    for stage in range(3):
        ahead = h if stage == 2 else 0.5 * h
        weight = 1.0 if stage == 2 else 2.0
        for i in range(n):
            x_stage[i] = x[i] + ahead * v_stage[i]
            v_stage[i] = v[i] + ahead * a_stage[i]
        accelerations(run, t + ahead, x_stage, v_stage, a_stage)
        for i in range(n):
            x_sum[i] += weight * v_stage[i]
            v_sum[i] += weight * a_stage[i]
        put_in += weight * run.power_in
        lost += weight * run.power_out
    for i in range(n):
        x[i] += h / 6.0 * x_sum[i]
        v[i] += h / 6.0 * v_sum[i]
    run.work_in += h / 6.0 * put_in
    run.work_out += h / 6.0 * lost


@block
def _put_traces(w: GearScratch, n: I8, to: A1, first: I8):
    for i in range(w.coordinates):
        to[first + i] = w.phi[i, n]


@entry
def strips_near(record: A1, u: F8, psi: F8, rows: A2) -> I8:
    """For all strips near contact at an approach u without elastic motion: accelerations of all coordinates by a unit force of
    each, times the square root of their masses, in rows. The stiffness of the gears by a penalty c_p is c_p times the sum of
    their squares. Return their number, at most rows.shape[0]."""
    run = _run(record, 0)
    w = run.scratch
    for i in range(run.n):
        run.x_stage[i] = 0.0
    count = min(_strips(run.flanks, run.memory, w, u, psi, run.x_stage, run.a_stage), rows.shape[0])
    for n in range(count):
        c = candidate(w, n)
        sign = 1.0 - 2.0 * c.side
        for i in range(WHEELS):
            wheel = run.wheels[i]
            lever = sign * wheel.lever
            if i == 0:
                lever -= c.slope
            rows[n, i] = -c.lever * lever / math.sqrt(wheel.inertia) if wheel.drive < 0 else 0.0
        _put_traces(w.a, n, rows[n], WHEELS)
        _put_traces(w.b, n, rows[n], WHEELS + w.a.coordinates)
    return count
