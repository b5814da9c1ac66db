"""Laws of a gear mesh: from the hoop approach u, its rate and the rotations of the wheels to the tooth force.

With the transmission error x(psi_A, psi_B) and the stiffness k(psi_A, psi_B), springs in series,

    s = u + x - offset,     f = k g(s),     V = k G(s),  G' = g,

g(s) = s beyond the drive flank (s >= 0), 0 in the backlash (-b < s < 0), s + b beyond the coast flank; rounded by hyperbolas if
a smoothing length d is given: g = (s + r(s))/2 + (s + b - r(s + b))/2 with r(x) = sqrt(x^2 + d^2). V depends on psi also through
x and k. An energy-consistent law is the whole gradient of V: besides f along u the torques f x' + k' G about psi_A and psi_B.

Line contact: the teeth are a row of such springs over the face width w, tilted by tau = eta1_A . eta3_B; with a = tau w/2,

    V = k/(2a) [Y(s + a) - Y(s - a)],   Y' = G,

k tau w^2/12 resists the tilt while the whole width bears, less once an edge lifts off.

As one multiplier lam (rigid teeth, or statics: the tooth force as an unknown of its own) the law is Phi = s_flank - lam/k = 0,
the flank being chosen by the force: drive if lam + rho y >= 0 with y = s - lam/k, coast if lam + rho (y + b) <= 0, else the gap,
where lam = 0. Deciding by u instead fails on soft supports (a small error of u times k is a large force).

All lengths and forces here are along the hoop direction eta3. Results are left in scratch row LAW of J.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V3, V4, block, leaf
from ..math.functions import value_of
from .contract import C_K, C_L
from .mesh_geometry import LEVER_A, LEVER_B, PSI_A, PSI_B, SCALARS, SIZE, TEETH_A

SPRING, COMPLIANT, RIGID = 0, 1, 2
"""Form of the law: a function of the approach; one multiplier with the compliance of the teeth; one without."""
IN_CONTACT, ALWAYS, NEVER_PULLING = 0, 1, 2
"""When the damper acts."""
OVER_CYCLE, OVER_A, OVER_B = 0, 1, 2
"""What a varying stiffness or error depends on: the angle z_A psi_A, psi_A, psi_B."""
NO_FRICTION, CONSTANT, TABLE, STRIBECK = 0, 1, 2, 3

MAX_SPRINGS, MAX_ERRORS = 4, 6
# parameters, behind those of the geometry
FORM = SIZE
COMPLIANCE, N_SPRINGS, SPRINGS = SIZE + 1, SIZE + 2, SIZE + 3
ERROR, N_ERRORS, ERRORS = SIZE + 11, SIZE + 12, SIZE + 13
DAMPING, DAMPING_MODE, BACKLASH, OFFSET, SMOOTHING, CONSISTENT = (SIZE + 25 + i for i in range(6))
FRICTION, FRICTION_SPEED, LEVER_AB, LEVER_BA, LOSS_SPEED = SIZE + 31, SIZE + 36, SIZE + 37, SIZE + 38, SIZE + 39
WIDTH, MEAN_STIFFNESS, MASS = SIZE + 40, SIZE + 41, SIZE + 42
END = SIZE + 43

LAW = 27
"""Scratch row of J with what the law gives."""
FORCE_K, FORCE_C, ENERGY, FLANK, DEFLECTION, STIFFNESS = range(6)
W_A, W_B, MOMENT = 6, 7, 8  # forces conjugate to psi_A, psi_B (that of u included) and to the tilt
F_A, F_B, F_T = 9, 10, 11  # derivatives of the elastic force by psi_A, psi_B and the tilt
W_AA, W_AB, W_BA, W_BB, W_AT, W_BT, M_TT = 12, 13, 14, 15, 16, 17, 18
DAMPER = 19  # derivative of the damping force by the rate of u
GAP, ROW_A, ROW_B, ROW_L = 20, 21, 22, 23  # multiplier form: Phi and its derivatives by psi_A, psi_B and lambda
POWER = 24  # power that error and stiffness put in where their torques are left out
FC_A, FC_B, FC_T, FC_S = 25, 26, 27, 28  # derivatives of the damping force by psi_A, psi_B, the tilt and u itself
W_AS, W_BS = 29, 30  # derivatives of w_A and w_B by u itself
TERMS = 28
"""Scratch row: k, k_A, k_B, k_AA, k_AB, k_BB, x, x_A, x_B, x_AA, x_BB."""
ERROR_TERM = 6


@leaf
def _varying(p: A1, F: A1, J: A2, at: I8) -> V3:
    """Value and derivatives by psi_A or psi_B of the function whose place and variable are p[at], p[at + 1]."""
    over = int(p[at + 1])
    if over == OVER_B:
        return value_of(F, int(p[at]), J[SCALARS, PSI_B])
    z = p[TEETH_A] if over == OVER_CYCLE else 1.0
    f = value_of(F, int(p[at]), z * J[SCALARS, PSI_A])
    return (f[0], z * f[1], z * z * f[2])


@leaf
def law_terms(p: A1, F: A1, J: A2):
    """Stiffness and transmission error with their derivatives, into row TERMS."""
    C = p[COMPLIANCE]
    CA = 0.0
    CB = 0.0
    CAA = 0.0
    CBB = 0.0
    for i in range(int(p[N_SPRINGS])):
        k = _varying(p, F, J, SPRINGS + 2 * i)
        c = 1.0 / k[0]
        first = -k[1] * c * c
        second = -k[2] * c * c + 2.0 * k[1] * k[1] * c * c * c
        C += c
        if int(p[SPRINGS + 2 * i + 1]) == OVER_B:
            CB += first
            CBB += second
        else:
            CA += first
            CAA += second
    k = 1.0 / C if C > 0.0 else 0.0
    k2 = k * k
    J[TERMS, 0] = k
    J[TERMS, 1] = -CA * k2
    J[TERMS, 2] = -CB * k2
    J[TERMS, 3] = -CAA * k2 + 2.0 * CA * CA * k2 * k
    J[TERMS, 4] = 2.0 * CA * CB * k2 * k
    J[TERMS, 5] = -CBB * k2 + 2.0 * CB * CB * k2 * k
    x = p[ERROR]
    xA = 0.0
    xB = 0.0
    xAA = 0.0
    xBB = 0.0
    for i in range(int(p[N_ERRORS])):
        e = _varying(p, F, J, ERRORS + 2 * i)
        x += e[0]
        if int(p[ERRORS + 2 * i + 1]) == OVER_B:
            xB += e[1]
            xBB += e[2]
        else:
            xA += e[1]
            xAA += e[2]
    J[TERMS, 6] = x
    J[TERMS, 7] = xA
    J[TERMS, 8] = xB
    J[TERMS, 9] = xAA
    J[TERMS, 10] = xBB


@leaf
def _contact(s: F8, b: F8) -> F8:
    """[[s]]."""
    if s >= 0.0:
        return s
    if s <= -b:
        return s + b
    return 0.0


@leaf
def _cubic(s: F8, b: F8) -> F8:
    e = _contact(s, b)
    return e * e * e / 6.0


@leaf
def _half_square(s: F8, b: F8) -> F8:
    e = _contact(s, b)
    return 0.5 * e * e


@block
def _rounded(s: F8, b: F8, d: F8) -> V4:
    """G (zero in the middle of the gap), g, g', g'' of the rounded dead zone."""
    t = s + b
    r = math.sqrt(s * s + d * d)
    q = math.sqrt(t * t + d * d)
    h = 0.5 * b
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
def spring_law(p: A1, F: A1, u: F8, b: F8, rate: F8, tilt: F8, rate_a: F8, rate_b: F8, damp: F8, tangent: I8, J: A2):
    """Force and, if asked, derivatives of the law as a function of the approach u at a backlash b, into row LAW."""
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
    # G, its derivatives by s (g, g1, g2) and by the tilt
    GT = 0.0
    gT = 0.0
    g1T = 0.0
    GTT = 0.0
    g2 = 0.0
    a = 0.5 * abs(tilt) * p[WIDTH]
    if p[SMOOTHING] > 0.0:
        G, g, g1, g2 = _rounded(s, b, p[SMOOTHING])
    elif p[WIDTH] == 0.0 or s - a >= 0.0 or s + a <= -b or (s + a < 0.0 and s - a > -b):
        g = _contact(s, b)
        g1 = 0.0 if s < 0.0 and s > -b else 1.0
        G = 0.5 * g * g
        if g1 > 0.0 and p[WIDTH] > 0.0:
            w2 = p[WIDTH] * p[WIDTH] / 12.0
            G += 0.5 * w2 * tilt * tilt
            GT = w2 * tilt
            GTT = w2
    else:
        i = 0.5 / a
        up = s + a
        down = s - a
        G = i * (_cubic(up, b) - _cubic(down, b))
        g = i * (_half_square(up, b) - _half_square(down, b))
        g1 = i * (_contact(up, b) - _contact(down, b))
        Ga = i * (_half_square(up, b) + _half_square(down, b)) - 2.0 * i * G
        ga = i * (_contact(up, b) + _contact(down, b)) - 2.0 * i * g
        Gaa = g1 - 4.0 * i * Ga
        up_bears = 0.0 if up < 0.0 and up > -b else 1.0
        down_bears = 0.0 if down < 0.0 and down > -b else 1.0
        g2 = i * (up_bears - down_bears)
        h = 0.5 * p[WIDTH]
        sign = 1.0 if tilt >= 0.0 else -1.0
        g1T = sign * h * (i * (up_bears + down_bears) - 2.0 * i * g1)
        GT = sign * h * Ga
        gT = sign * h * ga
        GTT = h * h * Gaa
    f = k * g
    c = damp * p[DAMPING]
    mode = int(p[DAMPING_MODE])
    fc = 0.0
    ct = 0.0  # derivatives of the damping force: by the rate, by s, by the tilt;
    cs = 0.0
    cT = 0.0
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
            if mode == NEVER_PULLING and abs(fc) > abs(f):
                # the sum neither pulls nor exceeds twice the spring
                ct = 0.0
                cs = 0.0
                cT = 0.0
                limited = 1.0 if (fc > 0.0) == (f > 0.0) else -1.0
                fc = limited * f
    J[LAW, FORCE_K] = f
    J[LAW, FORCE_C] = fc
    J[LAW, ENERGY] = k * G
    J[LAW, FLANK] = 0.0 if g == 0.0 else (1.0 if g > 0.0 else -1.0)
    J[LAW, DEFLECTION] = g
    J[LAW, STIFFNESS] = k * g1
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
    J[LAW, FC_S] = cs + limited * Vuu
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
        J[LAW, W_AS] = fA
        J[LAW, W_BS] = fB
    else:
        J[LAW, W_AA] = cA * fA
        J[LAW, W_AB] = cA * fB
        J[LAW, W_BA] = cB * fA
        J[LAW, W_BB] = cB * fB
        J[LAW, W_AT] = cA * fT
        J[LAW, W_BT] = cB * fT
        J[LAW, W_AS] = cA * Vuu
        J[LAW, W_BS] = cB * Vuu


@block
def multiplier_law(p: A1, F: A1, c: A1, u: F8, b: F8, rate_a: F8, rate_b: F8, lam: F8, J: A2):
    """The law with the elastic force as an unknown of its own, at a backlash b, into row LAW."""
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
    if b <= 0.0:
        flank = 1.0 if lam >= 0.0 else -1.0
    elif lam + rho * y >= 0.0:
        flank = 1.0
    elif lam + rho * (y + b) <= 0.0:
        flank = -1.0
        gap = y + b
    J[LAW, FORCE_K] = lam
    J[LAW, FORCE_C] = 0.0
    J[LAW, FLANK] = flank
    J[LAW, DEFLECTION] = e
    J[LAW, STIFFNESS] = k if flank != 0.0 else 0.0
    J[LAW, ENERGY] = 0.5 * lam * e
    J[LAW, MOMENT] = 0.0
    # stored as a function of psi with lam frozen
    by_k = e * e * 0.5
    slope = e * compliance
    J[LAW, POWER] = 0.0
    if p[CONSISTENT] != 0.0:
        J[LAW, W_A] = lam * (cA + xA) + kA * by_k
        J[LAW, W_B] = lam * (cB + xB) + kB * by_k
        cube = e * e * compliance
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
    if kind == TABLE:
        return value_of(F, int(p[FRICTION + 1]), speed)
    mu = p[FRICTION + 1]
    if kind != STRIBECK:
        return (mu, 0.0, 0.0)
    # kinetic, static - kinetic, speed, viscous
    q = speed / p[FRICTION + 3]
    drop = p[FRICTION + 2] * math.exp(-q * q)
    return (mu + drop + p[FRICTION + 4] * speed, -2.0 * q / p[FRICTION + 3] * drop + p[FRICTION + 4], 0.0)


Varying = tuple[int, int]
"""Place of a function of an angle in the table of functions, and what it is over (OVER_CYCLE, OVER_A, OVER_B)."""


def encode_law(
    *,
    form: int = SPRING,
    stiffness: list[float | Varying] | tuple[float | Varying, ...] = (),
    mean_stiffness: float | None = None,
    errors: list[float | Varying] | tuple[float | Varying, ...] = (),
    damping: float = 0.0,
    damping_mode: int = IN_CONTACT,
    backlash: float = 0.0,
    offset: float = 0.0,
    smoothing: float = 0.0,
    energy_consistent: bool = True,
    friction: tuple[float, ...] = (),
    friction_speed: float = 1e-3,
    loss_levers: tuple[float, float] = (0.0, 0.0),
    loss_speed: float = 1e-3,
    width: float = 0.0,
    mass: float = 1.0,
) -> np.ndarray:
    """Parameters of a law. `stiffness`: springs in series; numbers are constant, pairs vary (see `Varying`), as do errors.
    friction: (kind, parameters): (CONSTANT, mu), (TABLE, place), (STRIBECK, kinetic, static - kinetic, speed, viscous).
    loss_levers [m]: couple of the mesh losses over the hoop force, A driving and B driving. mass: m_e along the hoop [kg].
    """
    p = np.zeros(END - SIZE)

    def put(at: int, *values: float) -> None:
        p[at - SIZE : at - SIZE + len(values)] = values

    def split(terms: list[float | Varying] | tuple[float | Varying, ...]) -> tuple[list[float], list[Varying]]:
        return [t for t in terms if not isinstance(t, tuple)], [t for t in terms if isinstance(t, tuple)]

    constants, varying = split(stiffness)
    assert len(varying) <= MAX_SPRINGS
    put(FORM, form, sum(1.0 / k for k in constants), len(varying), *(x for pair in varying for x in pair))
    constant_errors, varying_errors = split(errors)
    assert len(varying_errors) <= MAX_ERRORS
    put(ERROR, sum(constant_errors), len(varying_errors), *(x for pair in varying_errors for x in pair))
    put(DAMPING, damping, damping_mode, backlash, offset, smoothing, float(energy_consistent), *friction)
    put(FRICTION_SPEED, friction_speed, *loss_levers, loss_speed, width)
    if mean_stiffness is None:
        mean_stiffness = 1.0 / sum(1.0 / k for k in constants) if constants else 0.0
    put(MEAN_STIFFNESS, mean_stiffness, mass)
    return p
