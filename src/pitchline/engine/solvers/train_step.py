"""One step of a train: generalized-alpha with its scalar coordinates, Newton's method with a new matrix at every iteration.

Method, coefficients, predictor and tolerance are those of `time_loop` and `newton`; only the evaluation is scalar.
Angles are stored as principal values and full revolutions, so that the accuracy does not depend on the number of revolutions,
and a step may be any number of revolutions.
"""

import math

import numpy as np

from pitchline.numerics.functions import value_and_rate
from pitchline.numerics.machine_code.compiled import A1, B1, F8, I8, block, leaf
from pitchline.parts.meshes.kernel_engagement import travel_share, wrong_teeth
from pitchline.parts.meshes.kernel_law import LIMITED, NEVER_PULLING
from pitchline.parts.meshes.kernel_records import CONTACT_ENDS, PARTED, LawOut, damper_levers
from pitchline.parts.meshes.kernel_stiffness import fade_law
from pitchline.parts.springs.kernel_law import spring_law

from ..compile.train_search import TWO_PI, Pair, TrainRecord
from .run_record import Run

# ---- train forces

# Forces of a train: residual of its coordinates, and the matrix of Newton's method for the free ones.

NOT_LINEAR = 1e300
"""In place of the slack of teeth whose law is not linear on either flank: those of a pinion at the end of its rack."""


@leaf
def _springs(train: TrainRecord) -> F8:
    """Add the forces of springs to the residual, and return the power dissipated by their dampers."""
    wheels = train.wheels
    lost = 0.0
    for k in range(train.n_springs):
        spring = train.springs[k]
        first = wheels[spring.i]
        j = spring.j
        a = spring.a
        e = a * (first.x + first.dq)
        turns = a * first.turns
        rate = a * first.v1
        if j >= 0:
            second = wheels[j]
            b = spring.b
            e += b * (second.x + second.dq)
            turns += b * second.turns
            rate += b * second.v1
        damper = spring.c * rate
        f = spring.k * (e + TWO_PI * turns + spring.e0) + damper
        lost += damper * rate
        first.r += a * f
        if j >= 0:
            wheels[j].r += spring.b * f
    return lost


@leaf
def _teeth(train: TrainRecord, pair: Pair, functions: A1, tangent: I8) -> LawOut:
    """Force law of a pair at the end of the step."""
    s = pair.teeth_law
    hoop = train.hoop
    out = train.law
    wheels = train.wheels
    psi_a = pair.psi_a
    psi_b = pair.psi_b
    rate_a = 0.0
    rate_b = 0.0
    if pair.i >= 0:
        psi_a += pair.a * wheels[pair.i].dq
        rate_a = pair.a * wheels[pair.i].v1
    if pair.j >= 0:
        psi_b += pair.b * wheels[pair.j].dq
        rate_b = pair.b * wheels[pair.j].v1
    lever_a = s.geometry.lever_a
    lever_b = s.geometry.lever_b
    u = lever_a * psi_a + lever_b * psi_b + s.geometry.pitch * pair.teeth
    ends = s.geometry.rack != 0 and s.limits.ends == CONTACT_ENDS
    if ends:
        engaged = train.engaged
        travel_share(s.limits, psi_b, engaged)
        engaged.left = s.limits.depth
        u -= s.geometry.pitch * wrong_teeth(s, u, PARTED, engaged)  # the state does not show whether it left its rack
    hoop.psi_a = psi_a
    hoop.psi_b = psi_b
    hoop.rate_a = rate_a
    hoop.rate_b = rate_b
    hoop.rate = lever_a * rate_a + lever_b * rate_b
    hoop.u = u
    hoop.backlash = s.law.backlash
    hoop.tilt_drive = pair.tilt_drive
    hoop.tilt_coast = pair.tilt_coast
    spring_law(s, functions, hoop, 1.0, tangent, out)
    pair.push = abs(out.elastic + out.damping)
    pair.rigidity = out.stiffness + out.damper * train.to_velocity
    pair.slack = u + out.terms.x - s.law.offset if s.law.tabled == 0 else out.depth
    if ends and train.engaged.share != 1.0:
        fade_law(s, tangent, train.engaged, out)
        pair.slack = NOT_LINEAR
    return out


@leaf
def _add_tangent(train: TrainRecord, pair: Pair, out: LawOut, gamma_h: F8):
    """Add the derivatives of the law to the matrix."""
    W = train.W
    wheels = train.wheels
    s = train.s
    along = damper_levers(pair.teeth_law, out)
    damper = gamma_h * out.damper
    fa = s * out.c_a + damper * out.rate_a
    fb = s * out.c_b + damper * out.rate_b
    lever_a = along[0]
    lever_b = along[1]
    i = pair.i
    j = pair.j
    a = pair.a
    b = pair.b
    if i >= 0:
        a *= wheels[i].gain
        i = wheels[i].group
        W[i, i] += a * a * (s * out.w_aa + lever_a * fa)
    if j >= 0:
        b *= wheels[j].gain
        j = wheels[j].group
        W[j, j] += b * b * (s * out.w_bb + lever_b * fb)
        if i >= 0:
            W[i, j] += a * b * (s * out.w_ab + lever_a * fb)
            W[j, i] += a * b * (s * out.w_ba + lever_b * fa)


@leaf
def forces(train: TrainRecord, functions: A1, gamma_h: F8, tangent: I8):
    """Residual of all coordinates (constant forces and loads from `outside`) and, if requested, the matrix W = base + teeth."""
    wheels = train.wheels
    for i in range(train.n_wheels):
        w = wheels[i]
        w.r = w.mass * w.vd1 + w.outside
    if tangent:
        W = train.W
        base = train.base
        for i in range(train.n_free):
            for j in range(train.n_free):
                W[i, j] = base[i, j]
    lost = _springs(train)
    put_in = 0.0
    for k in range(train.n_pairs):
        pair = train.pairs[k]
        out = _teeth(train, pair, functions, tangent)
        put_in += out.power
        lost += out.lost
        if pair.i >= 0:
            wheels[pair.i].r += pair.a * out.w_a
        if pair.j >= 0:
            wheels[pair.j].r += pair.b * out.w_b
        if tangent:
            _add_tangent(train, pair, out, gamma_h)
    train.power_teeth = put_in
    train.power_out = lost


@leaf
def _side(s: F8, b: F8) -> I8:
    if s >= 0.0:
        return 1
    return -1 if s <= -b else 0


@leaf
def _keeps_pushing(pair: Pair, change: F8, slack: F8) -> B1:
    """Whether a damper that never pulls is not limited, and stays so if the approach changes."""
    law = pair.teeth_law.law
    if law.damping_mode != NEVER_PULLING or pair.rigidity == 0.0 or (law.backlash == 0.0 and law.tabled == 0):
        return True
    return pair.push > 0.0 and pair.push + (change if slack > 0.0 else -change) * pair.rigidity > 0.0


@leaf
def stay_linear(train: TrainRecord, d: F8, tolerance: F8) -> B1:
    """Whether a correction by x with the norm d leaves all teeth on their flanks. The laws are then linear, except for
    second-order effects of variations over the mesh cycle, and the correction was exact. (An error of amplitude X leaves (k
    s/m) (X/r) (z d)^2, where X is less than a module, 2 r/z, and k s/m less than 1. For tables, on one flank, the change of
    their stiffness is checked.)"""
    x = train.x
    wheels = train.wheels
    for k in range(train.n_pairs):
        pair = train.pairs[k]
        g = pair.teeth_law.geometry
        law = pair.teeth_law.law
        if law.smoothing > 0.0 or law.damping_mode == LIMITED:
            return False
        if not g.teeth_a * d * d < tolerance:
            return False
        slack = pair.slack
        if slack == NOT_LINEAR:
            return False
        s = slack
        if pair.i >= 0:
            w = wheels[pair.i]
            s -= g.lever_a * pair.a * w.gain * x[w.group]
        if pair.j >= 0:
            w = wheels[pair.j]
            s -= g.lever_b * pair.b * w.gain * x[w.group]
        if law.tabled != 0:
            if not (s * slack > 0.0 and law.bend * abs(s - slack) * d < tolerance):
                return False
        elif _side(s, law.backlash) != _side(slack, law.backlash):
            return False
        if not _keeps_pushing(pair, s - slack, slack):
            return False
    return True


MOST_ITERATIONS = 20


@block
def set_step_size(run: Run, train: TrainRecord, h: F8):
    """Factors of a step size, and the part of the matrix that is constant with it."""
    o = run.options
    s = o.beta * h * h
    train.h = h
    train.s = s
    train.to_velocity = o.gamma / (o.beta * h)
    train.to_acceleration = (1.0 - o.am) / (s * (1.0 - o.af))
    inertia = (1.0 - o.am) / (1.0 - o.af)
    base = train.base
    wheels = train.wheels
    for i in range(train.n_free):
        for j in range(train.n_free):
            base[i, j] = 0.0
    for i in range(train.n_wheels):
        w = wheels[i]
        base[w.group, w.group] += inertia * w.mass * w.gain * w.gain
    for k in range(train.n_springs):
        spring = train.springs[k]
        f = o.beta * h * h * spring.k + o.gamma * h * spring.c
        first = wheels[spring.i]
        a = spring.a * first.gain
        i = first.group
        base[i, i] += f * a * a
        if spring.j >= 0:
            second = wheels[spring.j]
            b = spring.b * second.gain
            j = second.group
            base[j, j] += f * b * b
            base[i, j] += f * a * b
            base[j, i] += f * a * b


@leaf
def predict(run: Run, train: TrainRecord, h: F8) -> F8:
    """Predictor of Newton: accelerations are extrapolated if this is more accurate, otherwise kept. Return Newton's tolerance."""
    o = run.options
    am = o.am
    af = o.af
    be = o.beta
    ga = o.gamma
    h_last = run.progress.h_last
    ratio = h / h_last if h_last > 0.0 else 1.0
    ahead = ratio if run.progress.extrapolate == 1 and h_last > 0.0 else 0.0
    largest = 0.0
    wheels = train.wheels
    for i in range(train.n_wheels):
        w = wheels[i]
        vd0 = w.vd
        v = w.v
        a0 = vd0 + ratio * (w.a - vd0)
        vd = vd0 + ahead * (vd0 - w.vd_before)
        a1 = ((1.0 - af) * vd + af * vd0 - am * a0) / (1.0 - am)
        w.a0 = a0
        w.vd1 = vd
        w.v1 = v + h * ((1.0 - ga) * a0 + ga * a1)
        w.dq = h * (v + h * ((0.5 - be) * a0 + be * a1))
        w.outside = w.force
        largest = max(largest, abs(vd0) * w.weight)
    # wheels follow the wheel to which they are coupled exactly: in reverse order, from the inside outwards
    for k in range(train.n_ties - 1, -1, -1):
        tie = train.ties[k]
        child = wheels[tie.child]
        parent = wheels[tie.parent]
        g = tie.ratio
        child.vd1 = g * parent.vd1
        child.v1 = g * parent.v1
        child.dq = g * parent.dq
    return max(o.rtol * largest * train.s, 1e-3 * o.floor)


@leaf
def impose(train: TrainRecord, functions: A1, t: F8):
    """Loads at a time, and driven wheels at their positions."""
    wheels = train.wheels
    for k in range(train.n_loads):
        load = train.loads[k]
        if load.is_constant == 0:
            load.now = load.factor * value_and_rate(functions, load.function, t)[0]
        wheels[load.i].outside -= load.now
    for k in range(train.n_drives):
        drive = train.drives[k]
        target, rate = value_and_rate(functions, drive.function, t)
        drive.rate = rate
        driven = wheels[drive.i]
        # full revolutions are counted, not removed: a step may be any number of them
        to = drive.a * (target - drive.s0) - TWO_PI * driven.turns - driven.x
        x = to - driven.dq
        group = driven.group
        for j in range(train.n_wheels):
            w = wheels[j]
            if w.group == group:
                w.dq += w.gain * x
                w.v1 += w.gain * train.to_velocity * x
                w.vd1 += w.gain * train.to_acceleration * x


@leaf
def solve(train: TrainRecord):
    """x <- W^-1 x for the coordinates without a drive. The rows of motion are dominated by their masses at the step
    sizes of trains: no pivoting."""
    n = train.n_free
    first = train.n_drives
    W = train.W
    x = train.x
    for k in range(first, n):
        inverse = 1.0 / W[k, k]
        for i in range(k + 1, n):
            factor = W[i, k] * inverse
            if factor != 0.0:
                for j in range(k + 1, n):
                    W[i, j] -= factor * W[k, j]
                x[i] -= factor * x[k]
    for k in range(n - 1, first - 1, -1):
        t = x[k]
        for j in range(k + 1, n):
            t -= W[k, j] * x[j]
        x[k] = t / W[k, k]


@leaf
def gather(train: TrainRecord):
    """Scaled residual of the free coordinates into x; zero for driven ones."""
    s = train.s
    x = train.x
    wheels = train.wheels
    for i in range(train.n_free):
        x[i] = 0.0
    for i in range(train.n_wheels):
        w = wheels[i]
        x[w.group] += s * w.gain * w.r
    for i in range(train.n_drives):
        x[i] = 0.0


@leaf
def correct(train: TrainRecord) -> F8:
    """Apply a correction, and return its weighted norm."""
    gp = train.to_velocity
    bp = train.to_acceleration
    x = train.x
    wheels = train.wheels
    d = 0.0
    for i in range(train.n_wheels):
        w = wheels[i]
        step = w.gain * x[w.group]
        size = abs(step) * w.weight
        if not size <= d:
            d = size
        w.dq -= step
        w.v1 -= gp * step
        w.vd1 -= bp * step
    return d


@leaf
def imbalance(train: TrainRecord) -> F8:
    """Upper limit of a correction: the imbalance with masses only."""
    most = 0.0
    x = train.x
    base = train.base
    wheels = train.wheels
    for i in range(train.n_wheels):
        w = wheels[i]
        k = w.group
        if k >= train.n_drives:
            most = max(most, abs(w.gain * x[k]) / base[k, k] * w.weight)
    return most


@leaf
def newton(run: Run, train: TrainRecord, h: F8, exact: I8, tolerance: F8) -> I8:
    """Solve a step. 0 if Newton fails.

    exact: forces of ties and drives are needed at the end of the step; otherwise they lack Newton's last correction."""
    progress = run.progress
    floor = run.options.floor
    gamma_h = run.options.gamma * h
    functions = run.system.ask.functions
    last = 0.0
    settled = False
    tangent = 1
    corrections = 0
    for _ in range(MOST_ITERATIONS):
        forces(train, functions, gamma_h, tangent)
        progress.evaluations += 1
        if settled:
            return 1
        gather(train)
        if corrections > 0 and tangent == 0:
            if imbalance(train) < tolerance:
                return 1
            tangent = 1
            continue
        solve(train)
        progress.factorisations += 1
        corrections += 1
        tangent = 0
        d = correct(train)
        if not d < 1e3:
            return 0
        settled = d < 1e-3 * tolerance or (corrections > 1 and (d < tolerance or (d < floor and d > 0.2 * last)))
        # powers are those of the last evaluation: without one more, the energy of dampers would lack the last correction
        powerless = train.power_out == 0.0 and train.power_teeth == 0.0
        if exact == 0 and powerless and stay_linear(train, d, tolerance):
            return 1
        last = d
    return 1 if settled else 0


@leaf
def balance(run: Run, train: TrainRecord, h: F8):
    """Multipliers of ties and drives, and the work of the step."""
    put_in = train.power_teeth
    p = run.progress
    lam = run.system.lam
    wheels = train.wheels
    # tooth forces of coupled wheels: each balances its wheel and the wheels that depend on it
    for k in range(train.n_ties):
        tie = train.ties[k]
        l = -wheels[tie.child].r / tie.a
        wheels[tie.parent].r += tie.b * l
        lam[tie.row] = l
    for k in range(train.n_drives):
        drive = train.drives[k]
        l = -wheels[drive.i].r * drive.a
        lam[drive.row] = l
        put_in -= l * drive.rate
    for k in range(train.n_loads):
        load = train.loads[k]
        put_in += load.now * wheels[load.i].v1
    p.work_teeth += 0.5 * h * (train.power_teeth + p.power_teeth)
    p.power_teeth = train.power_teeth
    p.work_in += 0.5 * h * (put_in + p.power_in)
    p.work_out += 0.5 * h * (train.power_out + p.power_out)
    p.power_in = put_in
    p.power_out = train.power_out


@leaf
def accept(run: Run, train: TrainRecord, h: F8, t: F8) -> F8:
    """The new values become the motion. Return the largest rotation of the step."""
    plain = 0.0
    better = 0.0
    turned = 0.0
    p = run.progress
    ratio = h / p.h_last if p.h_last > 0.0 else 0.0
    am = run.options.am
    af = run.options.af
    wheels = train.wheels
    for i in range(train.n_wheels):
        w = wheels[i]
        vd = w.vd
        vd1 = w.vd1
        plain += abs(vd1 - vd) * w.weight
        better += abs(vd1 - vd - ratio * (vd - w.vd_before)) * w.weight
        w.a = ((1.0 - af) * vd1 + af * vd - am * w.a0) / (1.0 - am)
        w.vd_before = vd
        w.vd = vd1
        w.v = w.v1
        dq = w.dq
        x = w.x + dq
        if w.is_angle != 0:
            turned = max(turned, abs(dq))
            if abs(x) > math.pi:
                n = np.round(x / TWO_PI)
                x -= TWO_PI * n
                w.turns += n
        w.x = x
    p.extrapolate = 1 if ratio > 0.0 and better < plain else 0
    for k in range(train.n_pairs):
        pair = train.pairs[k]
        if pair.i >= 0:
            psi = pair.psi_a + pair.a * wheels[pair.i].dq
            if abs(psi) > math.pi:
                n = np.round(psi / TWO_PI)
                psi -= TWO_PI * n
                pair.teeth += n * pair.teeth_law.geometry.teeth_a
            pair.psi_a = psi
        if pair.j >= 0:
            psi = pair.psi_b + pair.b * wheels[pair.j].dq
            if pair.turns_b != 0 and abs(psi) > math.pi:
                n = np.round(psi / TWO_PI)
                psi -= TWO_PI * n
                pair.teeth += n * pair.teeth_law.geometry.teeth_b
            pair.psi_b = psi
    lam = run.lam0
    before = run.lam_before
    new = run.system.lam
    for i in range(run.n_lam):
        before[i] = lam[i]
        lam[i] = new[i]
    p.t = t
    p.h_last = h
    p.steps += 1
    return turned
