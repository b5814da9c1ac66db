"""Laws of a gear mesh: from the hoop approach u, its rate and the rotations of the wheels to the tooth force.

With the transmission error x(psi_A, psi_B) and the stiffness k(psi_A, psi_B), springs in series,

    s = u + x - offset,     f = k g(s),     V = k G(s),  G' = g,

g(s) = s beyond the drive flank (s >= 0), 0 in the backlash (-b < s < 0), s + b beyond the coast flank; rounded by hyperbolas if
a smoothing length d is given: g = (s + r(s))/2 + (s + b - r(s + b))/2 with r(x) = sqrt(x^2 + d^2). V depends on psi also through
x and k. An energy-consistent law is the whole gradient of V: besides f along u the torques f x' + k' G about psi_A and psi_B.

Line contact: the teeth are a row of such springs over the face width w, tilted by tau = eta1_A . eta3_B; with a = tau w/2,

    V = k/(2a) [Y(s + a) - Y(s - a)],   Y' = G,

k tau w^2/12 resists the tilt while the whole width bears, less once an edge lifts off.

Teeth that follow their centres: each flank is closer by t y. With s of the drive flank and b both as they then are, V is that of
two flanks, k [E(s) + E(-(s + b))] with E(x) = x^2/2 for x > 0. Besides f = k (e_drive - e_coast) it has a force along t y, the
sum of both, N = k (e_drive + e_coast), which is |f| while one of them bears. b < 0: both may bear at once.

As one multiplier lam (rigid teeth, or statics: the tooth force as an unknown of its own) the law is Phi = s_flank - lam/k = 0,
the flank being chosen by the force: drive if lam + rho y >= 0 with y = s - lam/k, coast if lam + rho (y + b) <= 0, else the gap,
where lam = 0. Deciding by u instead fails on soft supports (a small error of u times k is a large force). Where b < 0 and
|lam| < -k b both bear: s + b/2 - lam/(2 k) = 0, N = -k b.

All lengths and forces here are along the hoop direction eta3. Results are left in scratch row LAW of J.
"""

import math

from ..math.compiled import A1, A2, B1, F8, I8, V2, V3, V4, block, leaf
from ..math.functions import value_of
from .contract import C_K, C_L
from .loaded_law import loaded_multiplier_law, loaded_spring_law
from .mesh_geometry import LEVER_A, LEVER_B, PITCH, RADIAL
from .mesh_law_layout import (
    ALWAYS,
    BACKLASH,
    BOTH,
    BOTH_A,
    BOTH_B,
    BOTH_L,
    BOTH_T,
    BOTH_U,
    BOTH_Y,
    BY_TABLE,
    CONSISTENT,
    DAMPER,
    DAMPING,
    DAMPING_MODE,
    DEFLECTION,
    ENERGY,
    F_A,
    F_B,
    F_T,
    FC_A,
    FC_B,
    FC_T,
    FC_Y,
    FLANK,
    FORCE_C,
    FORCE_K,
    FORM,
    FRICTION,
    GAP,
    LAW,
    M_TT,
    MASS,
    MOMENT,
    NEVER_PULLING,
    OFFSET,
    POWER,
    RIGID,
    ROW_A,
    ROW_B,
    ROW_L,
    SIGMA,
    SMOOTHING,
    STIFFNESS,
    STRIBECK,
    TABLED,
    TERMS,
    W_A,
    W_AA,
    W_AB,
    W_AT,
    W_AY,
    W_B,
    W_BA,
    W_BB,
    W_BT,
    W_BY,
    WIDTH,
)
from .mesh_terms import law_terms

ROUNDING = 1e-9
"""Backlash in parts of the pitch that is none: what rounding of the poses leaves of b = 0."""


@leaf
def _depths(s: F8, b: F8) -> V2:
    """How deep the drive and the coast flank are in contact; [[s]] is their difference."""
    return (s if s > 0.0 else 0.0, -(s + b) if s < -b else 0.0)


@leaf
def _bearing(s: F8, b: F8, small: F8) -> V2:
    """Whether they bear, 1 or 0. Without backlash, but for rounding, it is always one of them."""
    if abs(b) <= small:
        return (1.0, 0.0) if s + 0.5 * b >= 0.0 else (0.0, 1.0)
    return (1.0 if s >= 0.0 else 0.0, 1.0 if s <= -b else 0.0)


@leaf
def _strips(s: F8, b: F8) -> V4:
    """Of strips of a line contact, integrals by s: of G and of [[s]], of the sum of both depths; and that sum."""
    e, c = _depths(s, b)
    return ((e * e * e - c * c * c) / 6.0, 0.5 * (e * e + c * c), 0.5 * (e * e - c * c), e + c)


@leaf
def _whole(s: F8, a: F8, b: F8) -> B1:
    """Whether each flank bears over the whole width or nowhere, at a depth s +- a from edge to edge."""
    coast_nowhere = s - a > -b or (b == 0.0 and s - a >= 0.0)
    return (s - a >= 0.0 or s + a < 0.0) and (coast_nowhere or (s + a <= -b and (s + a < 0.0 or b < 0.0)))


@block
def _rounded(s: F8, b: F8, gap: F8, d: F8) -> V4:
    """G, g, g', g'' of the rounded dead zone. G is zero in the middle of `gap`, the backlash with the centres in place."""
    t = s + b
    r = math.sqrt(s * s + d * d)
    q = math.sqrt(t * t + d * d)
    h = 0.5 * gap
    w = math.sqrt(h * h + d * d)
    G = 0.25 * (s * s + s * r + d * d * math.asinh(s / d) + t * t - t * q - d * d * math.asinh(t / d))
    G0 = 0.5 * (h * h - h * w - d * d * math.asinh(h / d))
    d2 = 0.5 * d * d
    return (
        G - G0,
        0.5 * (s + r) + 0.5 * (t - q),
        1.0 + 0.5 * (s / r - t / q),
        d2 / (r * r * r) - d2 / (q * q * q),
    )


@leaf
def spring_law(
    p: A1, F: A1, u: F8, b: F8, rate: F8, closing: F8, tilt: F8, rate_a: F8, rate_b: F8, damp: F8, tangent: I8, J: A2
):
    """Force and, if asked, derivatives of the law as a function of the approach u at a backlash b, into row LAW.
    rate: of u with the centres held; closing: what the motion of the centres adds to it on either flank."""
    if p[TABLED] != 0.0:
        loaded_spring_law(p, F, u, b, rate, closing, rate_a, rate_b, damp, tangent, J)
        return
    law_terms(p, F, J)
    k = J[TERMS, 0]
    kA = J[TERMS, 1]
    kB = J[TERMS, 2]
    x = J[TERMS, 6]
    xA = J[TERMS, 7]
    xB = J[TERMS, 8]
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    s = u + x - p[OFFSET]
    # G, its derivatives by s (g, g1, g2) and by the tilt; by t y: n, and of n by s (n1) and the tilt; of g1 by t y (g2y)
    GT = 0.0
    gT = 0.0
    g1T = 0.0
    GTT = 0.0
    g2 = 0.0
    nT = 0.0
    g2y = 0.0
    a = 0.5 * abs(tilt) * p[WIDTH]
    small = ROUNDING * p[PITCH]
    if p[SMOOTHING] > 0.0:
        d = p[SMOOTHING]
        G, g, g1, g2 = _rounded(s, b, p[BACKLASH], d)
        r = math.sqrt(s * s + d * d)
        q = math.sqrt((s + b) * (s + b) + d * d)
        n = 0.5 * (r + q - b)
        n1 = 0.5 * (s / r + (s + b) / q)
        g2y = 0.5 * d * d * (1.0 / (r * r * r) + 1.0 / (q * q * q))
    elif p[WIDTH] == 0.0 or _whole(s, a, b):
        drive, coast = _depths(s, b)
        on_drive, on_coast = _bearing(s, b, small)
        g = drive - coast
        g1 = on_drive + on_coast
        n = drive + coast
        n1 = on_drive - on_coast
        G = 0.5 * (drive * drive + coast * coast)
        if g1 > 0.0 and p[WIDTH] > 0.0:
            w2 = g1 * p[WIDTH] * p[WIDTH] / 12.0
            G += 0.5 * w2 * tilt * tilt
            GT = w2 * tilt
            GTT = w2
    else:
        i = 0.5 / a
        up = _strips(s + a, b)
        down = _strips(s - a, b)
        drive_up, coast_up = _depths(s + a, b)
        drive_down, coast_down = _depths(s - a, b)
        G = i * (up[0] - down[0])
        g = i * (up[1] - down[1])
        g1 = i * (drive_up - coast_up - drive_down + coast_down)
        n = i * (up[2] - down[2])
        n1 = i * (up[3] - down[3])
        Ga = i * (up[1] + down[1]) - 2.0 * i * G
        ga = i * (drive_up - coast_up + drive_down - coast_down) - 2.0 * i * g
        na = i * (up[3] + down[3]) - 2.0 * i * n
        Gaa = g1 - 4.0 * i * Ga
        on_drive_up, on_coast_up = _bearing(s + a, b, small)
        on_drive_down, on_coast_down = _bearing(s - a, b, small)
        up_bears = on_drive_up + on_coast_up
        down_bears = on_drive_down + on_coast_down
        g2 = i * (up_bears - down_bears)
        g2y = i * (on_drive_up - on_coast_up - on_drive_down + on_coast_down)
        h = 0.5 * p[WIDTH]
        sign = 1.0 if tilt >= 0.0 else -1.0
        g1T = sign * h * (i * (up_bears + down_bears) - 2.0 * i * g1)
        GT = sign * h * Ga
        gT = sign * h * ga
        nT = sign * h * na
        GTT = h * h * Gaa
    f = k * g
    # the flank on which the centres close: none in the gap, and none where both bear
    side = 1.0 if s + 0.5 * b >= 0.0 else -1.0
    if g1 == 0.0 or (b < -small and s > 0.0 and s < -b):
        side = 0.0
    rate += side * closing
    c = damp * p[DAMPING]
    mode = int(p[DAMPING_MODE])
    fc = 0.0
    ct = 0.0  # derivatives of the damping force: by the rate, by s, by the tilt, by t y;
    cs = 0.0
    cT = 0.0
    cy = 0.0
    limited = 0.0  # or its ratio to the spring's force, to which it is limited
    if c > 0.0:
        if mode == ALWAYS:
            ct = c
            fc = c * rate
        else:
            ct = c * g1
            fc = ct * rate
            cs = c * g2 * rate
            cT = c * g1T * rate
            cy = c * g2y * rate
            if mode == NEVER_PULLING and abs(fc) > abs(f):
                # the sum neither pulls nor exceeds twice the spring
                ct = 0.0
                cs = 0.0
                cT = 0.0
                cy = 0.0
                limited = 1.0 if (fc > 0.0) == (f > 0.0) else -1.0
                fc = limited * f
    J[LAW, FORCE_K] = f
    J[LAW, FORCE_C] = fc
    J[LAW, ENERGY] = k * G
    J[LAW, FLANK] = 0.0 if n == 0.0 else (1.0 if g >= 0.0 else -1.0)
    J[LAW, DEFLECTION] = g
    J[LAW, STIFFNESS] = k * g1
    J[TERMS, BOTH] = k * n
    J[TERMS, SIGMA] = side
    moment = k * GT
    J[LAW, MOMENT] = moment
    total = f + fc
    consistent = p[CONSISTENT] != 0.0
    if consistent:
        J[LAW, W_A] = total * cA + f * xA + kA * G
        J[LAW, W_B] = total * cB + f * xB + kB * G
        J[LAW, POWER] = 0.0
    else:
        J[LAW, W_A] = total * cA
        J[LAW, W_B] = total * cB
        J[LAW, POWER] = (f * xA + kA * G) * rate_a + (f * xB + kB * G) * rate_b
    if tangent == 0:
        return
    Vuu = k * g1
    VuA = Vuu * xA + kA * g
    VuB = Vuu * xB + kB * g
    fA = cA * Vuu + VuA
    fB = cB * Vuu + VuB
    fT = k * gT
    J[LAW, F_A] = fA
    J[LAW, F_B] = fB
    J[LAW, F_T] = fT
    J[LAW, DAMPER] = ct
    J[LAW, FC_A] = cs * (cA + xA) + limited * fA
    J[LAW, FC_B] = cs * (cB + xB) + limited * fB
    J[LAW, FC_T] = cT + limited * fT
    J[LAW, M_TT] = k * GTT
    J[LAW, ROW_A] = (cA + xA) * fT + kA * GT  # derivatives of the tilting moment
    J[LAW, ROW_B] = (cB + xB) * fT + kB * GT
    if consistent:
        VAA = VuA * xA + kA * g * xA + f * J[TERMS, 9] + J[TERMS, 3] * G
        VBB = VuB * xB + kB * g * xB + f * J[TERMS, 10] + J[TERMS, 5] * G
        VAB = VuA * xB + kB * g * xA + J[TERMS, 4] * G
        J[LAW, W_AA] = cA * (fA + VuA) + VAA
        J[LAW, W_AB] = cA * fB + cB * VuA + VAB
        J[LAW, W_BA] = cB * fA + cA * VuB + VAB
        J[LAW, W_BB] = cB * (fB + VuB) + VBB
        J[LAW, W_AT] = J[LAW, ROW_A]
        J[LAW, W_BT] = J[LAW, ROW_B]
    else:
        J[LAW, W_AA] = cA * fA
        J[LAW, W_AB] = cA * fB
        J[LAW, W_BA] = cB * fA
        J[LAW, W_BB] = cB * fB
        J[LAW, W_AT] = cA * fT
        J[LAW, W_BT] = cB * fT
    if p[RADIAL] == 0.0:
        return
    by_u = k * n1
    J[TERMS, BOTH_U] = by_u
    J[TERMS, BOTH_A] = by_u * (cA + xA) + kA * n
    J[TERMS, BOTH_B] = by_u * (cB + xB) + kB * n
    J[TERMS, BOTH_T] = k * nT
    J[TERMS, BOTH_Y] = Vuu
    J[LAW, FC_Y] = cy + limited * by_u
    J[LAW, W_AY] = J[TERMS, BOTH_A] if consistent else cA * by_u
    J[LAW, W_BY] = J[TERMS, BOTH_B] if consistent else cB * by_u


@block
def multiplier_law(p: A1, F: A1, c: A1, u: F8, b: F8, rate_a: F8, rate_b: F8, lam: F8, J: A2):
    """The law with the elastic force as an unknown of its own, at a backlash b, into row LAW."""
    if p[TABLED] != 0.0:
        loaded_multiplier_law(p, F, c, u, b, rate_a, rate_b, lam, J)
        return
    law_terms(p, F, J)
    k = J[TERMS, 0]
    kA = J[TERMS, 1]
    kB = J[TERMS, 2]
    xA = J[TERMS, 7]
    xB = J[TERMS, 8]
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    if int(p[FORM]) == RIGID:
        compliance = 0.0
        # what closes a gap within one step: m_e/s, s being the factor of the increments
        rho = p[MASS] * c[C_L]
        reference = rho
    else:
        compliance = 1.0 / k
        rho = 1e-3 * k
        reference = k
    e = lam * compliance
    y = u + J[TERMS, 6] - p[OFFSET] - e
    flank = 0.0
    gap = y
    # stored as a function of psi with lam frozen
    by_k = e * e * 0.5
    slope = e * compliance
    cube = e * e * compliance
    for i in range(BOTH, SIGMA + 1):
        J[TERMS, i] = 0.0
    small = ROUNDING * p[PITCH]
    if b <= small:
        flank = 1.0 if lam >= 0.0 else -1.0
        if lam < 0.0:
            gap = y + b
    elif lam + rho * y >= 0.0:
        flank = 1.0
    elif lam + rho * (y + b) <= 0.0:
        flank = -1.0
        gap = y + b
    share = 1.0
    both = abs(lam)
    if b < -small and compliance > 0.0 and both < -k * b:
        # both flanks bear
        share = 0.5
        both = -k * b
        gap = y + 0.5 * (b + e)
        by_k = 0.25 * (e * e + b * b)
        slope *= 0.5
        cube *= 0.5
        compliance *= 0.5
        J[TERMS, BOTH_A] = -kA * b
        J[TERMS, BOTH_B] = -kB * b
        J[TERMS, BOTH_Y] = 2.0 * k
    else:
        J[TERMS, SIGMA] = flank
        J[TERMS, BOTH_L] = 1.0 if lam > 0.0 else (-1.0 if lam < 0.0 else 0.0)
    J[TERMS, BOTH] = both
    J[LAW, FORCE_K] = lam
    J[LAW, FORCE_C] = 0.0
    J[LAW, FLANK] = flank
    J[LAW, DEFLECTION] = e
    J[LAW, STIFFNESS] = k / share if flank != 0.0 else 0.0
    J[LAW, ENERGY] = k * by_k
    J[LAW, MOMENT] = 0.0
    J[LAW, POWER] = 0.0
    J[LAW, W_AY] = 0.0
    J[LAW, W_BY] = 0.0
    if p[CONSISTENT] != 0.0:
        J[LAW, W_A] = lam * (cA + xA) + kA * by_k
        J[LAW, W_B] = lam * (cB + xB) + kB * by_k
        J[LAW, W_AY] = J[TERMS, BOTH_A]
        J[LAW, W_BY] = J[TERMS, BOTH_B]
        J[LAW, W_AA] = lam * J[TERMS, 9] + J[TERMS, 3] * by_k - kA * kA * cube
        J[LAW, W_AB] = J[TERMS, 4] * by_k - kA * kB * cube
        J[LAW, W_BA] = J[LAW, W_AB]
        J[LAW, W_BB] = lam * J[TERMS, 10] + J[TERMS, 5] * by_k - kB * kB * cube
        J[LAW, F_A] = cA + xA + kA * slope
        J[LAW, F_B] = cB + xB + kB * slope
    else:
        J[LAW, W_A] = lam * cA
        J[LAW, W_B] = lam * cB
        J[LAW, W_AA] = 0.0
        J[LAW, W_AB] = 0.0
        J[LAW, W_BA] = 0.0
        J[LAW, W_BB] = 0.0
        J[LAW, F_A] = cA
        J[LAW, F_B] = cB
        J[LAW, POWER] = (lam * xA + kA * by_k) * rate_a + (lam * xB + kB * by_k) * rate_b
    if flank == 0.0:
        J[LAW, GAP] = -lam / reference
        J[LAW, ROW_A] = 0.0
        J[LAW, ROW_B] = 0.0
        J[LAW, ROW_L] = -c[C_L] / reference
    else:
        J[LAW, GAP] = gap
        J[LAW, ROW_A] = cA + xA + kA * slope
        J[LAW, ROW_B] = cB + xB + kB * slope
        # c_K c_L^2 is 1/s in a step and in statics, and 0 where positions are closed with the force held
        J[LAW, ROW_L] = -compliance * c[C_K] * c[C_L] * c[C_L]


@block
def friction_coefficient(p: A1, F: A1, speed: F8) -> V3:
    """mu and its derivative by the sliding speed (third entry unused)."""
    kind = int(p[FRICTION])
    if kind == BY_TABLE:
        return value_of(F, int(p[FRICTION + 1]), speed)
    mu = p[FRICTION + 1]
    if kind != STRIBECK:
        return (mu, 0.0, 0.0)
    # kinetic, static - kinetic, speed, viscous
    q = speed / p[FRICTION + 3]
    drop = p[FRICTION + 2] * math.exp(-q * q)
    return (mu + drop + p[FRICTION + 4] * speed, -2.0 * q / p[FRICTION + 3] * drop + p[FRICTION + 4], 0.0)
