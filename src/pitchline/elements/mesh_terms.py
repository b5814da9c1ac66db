"""Stiffness, damping, transmission error and backlash of a mesh over the rotations of its wheels, with their derivatives.

Stiffness is that of springs in series, damping that of dampers in series. Errors and backlash may also depend on the time.
"""

from ..math.compiled import A1, F8, V3, leaf
from ..math.functions import value_of
from .mesh_law import OVER_B, OVER_CYCLE, OVER_TIME
from .mesh_records import Hoop, LawTerms, MeshParameters


@leaf
def _varying(functions: A1, place: F8, over: F8, teeth_a: F8, hoop: Hoop) -> V3:
    """Value and derivatives of a function by psi_A, by psi_B or by the time."""
    if int(over) == OVER_B:
        return value_of(functions, int(place), hoop.psi_b)
    if int(over) == OVER_TIME:
        return value_of(functions, int(place), hoop.time)
    z = teeth_a if int(over) == OVER_CYCLE else 1.0
    f = value_of(functions, int(place), z * hoop.psi_a)
    return (f[0], z * f[1], z * z * f[2])


@leaf
def law_terms(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Stiffness, damping and transmission error with their derivatives."""
    law = s.law
    teeth_a = s.geometry.teeth_a
    places = law.springs
    over = law.springs_over
    C = law.compliance
    CA = 0.0
    CB = 0.0
    CAA = 0.0
    CBB = 0.0
    for i in range(law.n_springs):
        k = _varying(functions, places[i], over[i], teeth_a, hoop)
        c = 1.0 / k[0]
        first = -k[1] * c * c
        second = -k[2] * c * c + 2.0 * k[1] * k[1] * c * c * c
        C += c
        if int(over[i]) == OVER_B:
            CB += first
            CBB += second
        else:
            CA += first
            CAA += second
    k = 1.0 / C if C > 0.0 else 0.0
    k2 = k * k
    out.k = k
    out.k_a = -CA * k2
    out.k_b = -CB * k2
    out.k_aa = -CAA * k2 + 2.0 * CA * CA * k2 * k
    out.k_ab = 2.0 * CA * CB * k2 * k
    out.k_bb = -CBB * k2 + 2.0 * CB * CB * k2 * k
    places = law.errors
    over = law.errors_over
    x = law.error
    xA = 0.0
    xB = 0.0
    xAA = 0.0
    xBB = 0.0
    xt = 0.0
    xtt = 0.0
    for i in range(law.n_errors):
        e = _varying(functions, places[i], over[i], teeth_a, hoop)
        x += e[0]
        if int(over[i]) == OVER_B:
            xB += e[1]
            xBB += e[2]
        elif int(over[i]) == OVER_TIME:
            xt += e[1]
            xtt += e[2]
        else:
            xA += e[1]
            xAA += e[2]
    out.x = x
    out.x_a = xA
    out.x_b = xB
    out.x_aa = xAA
    out.x_bb = xBB
    out.x_t = xt
    out.x_tt = xtt
    out.c = law.damping
    out.c_a = 0.0
    out.c_b = 0.0
    if law.n_dampers != 0:
        _dampers(s, functions, hoop, out)


@leaf
def _dampers(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Dampers in series."""
    law = s.law
    R = law.resistance
    RA = 0.0
    RB = 0.0
    for i in range(law.n_dampers):
        d = _varying(functions, law.dampers[i], law.dampers_over[i], s.geometry.teeth_a, hoop)
        R += 1.0 / d[0]
        slope = -d[1] / (d[0] * d[0])
        if int(law.dampers_over[i]) == OVER_B:
            RB += slope
        else:
            RA += slope
    c = 1.0 / R
    out.c = c
    out.c_a = -RA * c * c
    out.c_b = -RB * c * c


@leaf
def play_terms(s: MeshParameters, functions: A1, hoop: Hoop, out: LawTerms):
    """Minus half of what is added to the constant backlash: by so much either flank is closer. With its derivatives."""
    law = s.law
    out.p = out.p_a = out.p_b = out.p_aa = out.p_bb = out.p_t = out.p_tt = 0.0
    for i in range(law.n_plays):
        b = _varying(functions, law.plays[i], law.plays_over[i], s.geometry.teeth_a, hoop)
        out.p -= 0.5 * b[0]
        if int(law.plays_over[i]) == OVER_B:
            out.p_b -= 0.5 * b[1]
            out.p_bb -= 0.5 * b[2]
        elif int(law.plays_over[i]) == OVER_TIME:
            out.p_t -= 0.5 * b[1]
            out.p_tt -= 0.5 * b[2]
        else:
            out.p_a -= 0.5 * b[1]
            out.p_aa -= 0.5 * b[2]
