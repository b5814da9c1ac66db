"""Lie-group generalized-alpha for constrained systems: the formulas of one step.

Method (Arnold & Bruels 2007; Bruels, Cardona & Arnold 2012), order 2. With a the algorithmic acceleration,

    (1 - am) a1 + am a0 = (1 - af) vd1 + af vd0
    dq = h v0 + h^2 ((1/2 - b) a0 + b a1),   pose1 = pose0 o exp(T dq),   v1 = v0 + h ((1 - g) a0 + g a1)
    M vd1 + f(q1, v1, t1) + B^T lam1 = 0,   Phi(q1, t1) = 0

solved by Newton for (dq, lam) (see `newton`). The matrix is kept over several steps while it converges. HHT is the same method
with other coefficients. Own coordinates of order 1, y' = f, have no mass: Newton finds dq such that v1 = f, by the same
formulas; a is then y''. Their vd has no meaning; `vd_before` is the mean of y'' over the last step.

In the record of the run, v0, vd0, lam0 are accepted values; v, vd, lam of the system are those at the end of the step.
"""

from ..math.compiled import B1, F8, I8, block, leaf
from .run_record import Run

MOST_RATIO = 100.0
"""Largest ratio of two steps for which accelerations are extrapolated from the shorter one to the next one."""


def coefficients(rho: float | None = None, hht: float | None = None) -> tuple[float, float, float, float]:
    """(am, af, beta, gamma): generalized-alpha for the spectral radius rho at infinity, or HHT for alpha in [-1/3, 0]."""
    if hht is not None:
        am, af = 0.0, -hht
    else:
        assert rho is not None
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


@leaf
def has_mass(run: Run, i: I8) -> B1:
    """Whether a coordinate belongs to a node, or is of order 2."""
    found = True
    for n in range(run.system.n_massless):
        found = found and run.system.massless[n] != i
    return found


@leaf
def change_of_slope(run: Run, i: I8) -> F8:
    """h y''' of a coordinate of order 1, from the means of y'' over this step and the last one; at the start from y''."""
    h = run.h
    now = (run.system.v[i] - run.v0[i]) / h
    return (now - run.vd_before[i]) * 2.0 * h / (h + run.progress.h_last)


@leaf
def step_ratio(run: Run) -> F8:
    """Step divided by the last one, for extrapolation. 0 after a much shorter step: differences over it are mainly rounding."""
    h_last = run.progress.h_last
    return run.h / h_last if run.h <= MOST_RATIO * h_last else 0.0


@block
def predict(run: Run, extrapolate: I8):
    """Predictor of Newton: accelerations and multipliers are extrapolated if this is more accurate, otherwise kept."""
    sys = run.system
    o = run.options
    h = run.h
    ratio = step_ratio(run) if extrapolate == 1 else 0.0
    am = o.am
    af = o.af
    be = o.beta
    ga = o.gamma
    v0 = run.v0
    vd0 = run.vd0
    before = run.vd_before
    a_start = run.a0
    v1 = sys.v
    vd1 = sys.vd
    dq = sys.dq
    for i in range(run.n_q):
        vd = vd0[i] + ratio * (vd0[i] - before[i])
        a0 = a_start[i]
        a1 = ((1.0 - af) * vd + af * vd0[i] - am * a0) / (1.0 - am)
        vd1[i] = vd
        v1[i] = v0[i] + h * ((1.0 - ga) * a0 + ga * a1)
        dq[i] = h * (v0[i] + h * ((0.5 - be) * a0 + be * a1))
    for n in range(sys.n_massless):  # y'' unchanged
        i = sys.massless[n]
        a0 = a_start[i]
        vd1[i] = (a0 - af * vd0[i]) / (1.0 - af)
        v1[i] = v0[i] + h * a0
        dq[i] = h * (v0[i] + 0.5 * h * a0)
    lam1 = sys.lam
    lam0 = run.lam0
    lam_before = run.lam_before
    for i in range(run.n_lam):
        lam1[i] = lam0[i] + ratio * (lam0[i] - lam_before[i])


@leaf
def set_factors(run: Run) -> F8:
    """Factors of M, D, K for the step, scaled by s = beta h^2, which is returned."""
    o = run.options
    ask = run.system.ask
    h = run.h
    s = o.beta * h * h
    ask.t = run.t1
    ask.h = h
    ask.load = 1.0
    ask.damp = 1.0
    ask.M = (1.0 - o.am) / (1.0 - o.af)
    ask.D = o.gamma * h
    ask.K = s
    ask.L = 1.0 / s
    return s


@leaf
def start_accelerations(run: Run):
    """The algorithmic acceleration belongs to the time t + (am - af) h: it depends on the step size."""
    ratio = step_ratio(run) if run.progress.h_last > 0.0 else 1.0
    a0 = run.a0
    a = run.a
    vd0 = run.vd0
    for i in range(run.n_q):
        a0[i] = vd0[i] + ratio * (a[i] - vd0[i])
    for n in range(run.system.n_massless):
        i = run.system.massless[n]
        a0[i] = a[i]


@leaf
def add_work(run: Run):
    """Work since the last step by the trapezoidal rule. The power is that of Newton's last evaluation."""
    p = run.progress
    ask = run.system.ask
    h = run.h
    p.work_in += 0.5 * h * (ask.power_in + p.power_in)
    p.work_out += 0.5 * h * (ask.power_out + p.power_out)
    p.work_teeth += 0.5 * h * (ask.power_teeth + p.power_teeth)
    p.power_in = ask.power_in
    p.power_out = ask.power_out
    p.power_teeth = ask.power_teeth


@block
def accept_rates(run: Run):
    """The rates, accelerations and multipliers at the end of the step become those of the motion. Advance the time."""
    sys = run.system
    p = run.progress
    o = run.options
    better = 0.0
    plain = 0.0
    ratio = step_ratio(run)
    am = o.am
    af = o.af
    weight = sys.weight
    v0 = run.v0
    vd0 = run.vd0
    a = run.a
    a0 = run.a0
    before = run.vd_before
    v1 = sys.v
    vd_end = sys.vd
    slope = run.b
    for n in range(sys.n_massless):
        i = sys.massless[n]
        slope[i] = (v1[i] - v0[i]) / run.h
        run.x[i] = ((1.0 - af) * vd_end[i] + af * vd0[i] - am * a0[i]) / (1.0 - am)
        vd_end[i] = vd0[i]  # no effect on the choice below
        before[i] = vd0[i]
    for i in range(run.n_q):
        vd = vd0[i]
        vd1 = vd_end[i]
        # would extrapolation have been closer than keeping the acceleration?
        plain += abs(vd1 - vd) * weight[i]
        better += abs(vd1 - vd - ratio * (vd - before[i])) * weight[i]
        a[i] = ((1.0 - af) * vd1 + af * vd - am * a0[i]) / (1.0 - am)
        before[i] = vd
        vd0[i] = vd1
        v0[i] = v1[i]
    for n in range(sys.n_massless):
        i = sys.massless[n]
        a[i] = run.x[i]
        before[i] = slope[i]
    p.extrapolate = 1 if ratio > 0.0 and better < plain else 0
    lam1 = sys.lam
    lam0 = run.lam0
    lam_before = run.lam_before
    for i in range(run.n_lam):
        lam_before[i] = lam0[i]
        lam0[i] = lam1[i]
    p.t = run.t1
    p.h_last = run.h
    p.steps += 1


@block
def accept_poses(run: Run):
    """Poses and own coordinates at the end of the step become those of the motion."""
    sys = run.system
    for k in range(sys.n_nodes):
        start = sys.pose0[k]
        end = sys.pose[k]
        start.x = end.x
        start.q = end.q
    own0 = sys.own0
    own = sys.own
    for i in range(sys.n_own):
        own0[i] = own[i]


@block
def position_error(run: Run) -> F8:
    """Leading local error of positions, (1/12 + (am - af)^2/4) h^2 |vd1 - vd0|, weighted, divided by the tolerance.

    For coordinates of order 1, whose accelerations have no meaning, vd1 - vd0 is h y''' from their rates."""
    o = run.options
    delta = o.am - o.af
    constant = (1.0 / 12.0 + 0.25 * delta * delta) * run.h * run.h
    weight = run.system.weight
    vd1 = run.system.vd
    vd0 = run.vd0
    error = 0.0
    for i in range(run.n_q):
        change = vd1[i] - vd0[i] if has_mass(run, i) else change_of_slope(run, i)
        e = constant * abs(change) * weight[i]
        if not e <= error:
            error = e
    return error / o.tolerance
