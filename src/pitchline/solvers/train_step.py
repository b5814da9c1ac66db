"""One step of a train: generalized-alpha with its scalar coordinates, Newton's method with a new matrix at every iteration.

Method, coefficients, predictor and tolerance are those of `generalized_alpha` and `newton`; only the evaluation is scalar.
Angles are stored as principal values and full revolutions, so that the accuracy does not depend on the number of revolutions,
and a step may be any number of revolutions.
"""

import math

import numpy as np

from ..math.compiled import A1, F8, I8, block, leaf
from ..math.functions import value_and_rate
from ..system.train_records import TWO_PI, TrainRecord
from .run_record import Run
from .train_forces import forces, stay_linear

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
