"""Stiffness and transmission error of a mesh over the rotations of its wheels, with their derivatives."""

from ..math.compiled import A1, F8, V3, leaf
from ..math.functions import value_of
from .mesh_law import OVER_B, OVER_CYCLE
from .mesh_records import LawTerms, MeshParameters


@leaf
def _varying(functions: A1, place: F8, over: F8, teeth_a: F8, psi_a: F8, psi_b: F8) -> V3:
    """Value and derivatives by psi_A or psi_B of a function of one of them."""
    if int(over) == OVER_B:
        return value_of(functions, int(place), psi_b)
    z = teeth_a if int(over) == OVER_CYCLE else 1.0
    f = value_of(functions, int(place), z * psi_a)
    return (f[0], z * f[1], z * z * f[2])


@leaf
def law_terms(s: MeshParameters, functions: A1, psi_a: F8, psi_b: F8, out: LawTerms):
    """Stiffness and transmission error with their derivatives."""
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
        k = _varying(functions, places[i], over[i], teeth_a, psi_a, psi_b)
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
    for i in range(law.n_errors):
        e = _varying(functions, places[i], over[i], teeth_a, psi_a, psi_b)
        x += e[0]
        if int(over[i]) == OVER_B:
            xB += e[1]
            xBB += e[2]
        else:
            xA += e[1]
            xAA += e[2]
    out.x = x
    out.x_a = xA
    out.x_b = xB
    out.x_aa = xAA
    out.x_bb = xBB
