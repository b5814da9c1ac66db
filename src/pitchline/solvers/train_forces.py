"""Forces of a train: residual of its coordinates, and the matrix of Newton's method for the free ones."""

from ..elements.mesh_damper import damper_levers
from ..elements.mesh_engagement import travel_share, wrong_teeth
from ..elements.mesh_fading import fade_law
from ..elements.mesh_law import LIMITED, NEVER_PULLING
from ..elements.mesh_limits import CONTACT_ENDS
from ..elements.mesh_records import PARTED, LawOut
from ..elements.spring_law import spring_law
from ..math.compiled import A1, B1, F8, I8, leaf
from ..system.train_records import TWO_PI, Pair, TrainRecord

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
