"""Stiffness and transmission error of a mesh over the rotations of its wheels, with their derivatives."""

from ..math.compiled import A1, A2, I8, V3, leaf
from ..math.functions import value_of
from .mesh_geometry import PSI_A, PSI_B, SCALARS, TEETH_A
from .mesh_law_layout import COMPLIANCE, ERROR, ERRORS, N_ERRORS, N_SPRINGS, OVER_B, OVER_CYCLE, SPRINGS, TERMS


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
