"""Membrane: a flat triangle or quadrilateral between points of nodes, in plane stress, with consistent mass.

Total Lagrangian: the strains E = (F^T F - 1)/2 at the integration points follow from the positions of the points in space. The
energy is a quadratic form of the strains (`mesh`), so forces are B^T (C E + prestress) with B = dE/dx. Rigid motions
have no strain. Points translate in world axes; therefore the mass matrix is constant, and there are no gyroscopic terms. Points
that are fixed to a body move with it, x = x_N + R p.
"""

import math
from collections.abc import Iterator

import numpy as np

from pitchline.engine.elements.contract import TANGENT, Ask, Element, ElementKind, Node, SignalSpec, seen
from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, behind, fields, inline, packed, record_at
from pitchline.numerics.machine_code.compiled import A2, F8, I8, M9, V3, block, kernel, leaf
from pitchline.numerics.vectors import (
    EYE,
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mat_sum,
    mm,
    mtv,
    mul,
    mv,
    row,
    scaled,
    skew,
    tr,
)

from .mesh import MembraneMatrices
from .part import Membrane

__all__ = ["MEMBRANE", "membrane_element", "membrane_specs", "membrane_values"]


MembraneData = fields(
    "Membrane",
    n_corners=INTEGER,
    n_points=INTEGER,
    n_strains=INTEGER,  # three at each integration point
    n_gradients=INTEGER,  # points times corners
    at=behind("n_corners", 3),  # of each corner in the axes of its node
    gradients=behind("n_gradients", 2),
    rest=behind("n_strains"),
    stiffness=behind("n_strains", "n_strains"),
    initial=behind("n_strains"),
    volumes=behind("n_points"),
    mass=behind("n_corners", "n_corners"),
    weights=behind("n_corners"),
    gravity=VECTOR,
    damping=NUMBER,  # over stiffness
)
MembraneWork = fields(
    "MembraneWork",
    x=inline(4, 3),  # of the corners, in the world
    v=inline(4, 3),
    a=inline(4, 3),
    force=inline(4, 3),
    strain=inline(12),
    rate=inline(12),
    stress=inline(12),  # C E + prestress + damping, times volumes
    by_x=inline(12, 12),  # strains by the positions of the corners
    by_v=inline(12, 12),  # strain rates by the positions
    product=inline(12, 12),
    tangent=inline(12, 12),
    viscous=inline(12, 12),
    column=inline(12, 6),
)
MembraneSeen = seen(nodes="n_nodes")
node_at = record_at(Node)


@block
def _place(s: MembraneData, k: I8, node: Node, w: MembraneWork):
    """Position, velocity and acceleration of a corner."""
    p = row(s.at, k, 0)
    turning = cross(node.w, p)
    x = add(node.x, mv(node.R, p))
    v = add(node.v, mv(node.R, turning))
    a = add(node.a, mv(node.R, add(cross(node.al, p), cross(node.w, turning))))
    for i in range(3):
        w.x[k, i] = x[i]
        w.v[k, i] = v[i]
        w.a[k, i] = a[i]


@block
def _strain(s: MembraneData, w: MembraneWork):
    """Strains, their rates, and their derivatives with respect to positions."""
    n = s.n_corners
    for g in range(s.n_points):
        f1 = (0.0, 0.0, 0.0)
        f2 = (0.0, 0.0, 0.0)
        d1 = (0.0, 0.0, 0.0)
        d2 = (0.0, 0.0, 0.0)
        for k in range(n):
            x = row(w.x, k, 0)
            v = row(w.v, k, 0)
            first = s.gradients[g * n + k, 0]
            second = s.gradients[g * n + k, 1]
            f1 = add(f1, mul(first, x))
            f2 = add(f2, mul(second, x))
            d1 = add(d1, mul(first, v))
            d2 = add(d2, mul(second, v))
        i = 3 * g
        w.strain[i] = 0.5 * dot(f1, f1) - s.rest[i]
        w.strain[i + 1] = 0.5 * dot(f2, f2) - s.rest[i + 1]
        w.strain[i + 2] = dot(f1, f2) - s.rest[i + 2]
        w.rate[i] = dot(f1, d1)
        w.rate[i + 1] = dot(f2, d2)
        w.rate[i + 2] = dot(f1, d2) + dot(d1, f2)
        for k in range(n):
            first = s.gradients[g * n + k, 0]
            second = s.gradients[g * n + k, 1]
            for j in range(3):
                c = 3 * k + j
                w.by_x[i, c] = first * f1[j]
                w.by_x[i + 1, c] = second * f2[j]
                w.by_x[i + 2, c] = first * f2[j] + second * f1[j]
                w.by_v[i, c] = first * d1[j]
                w.by_v[i + 1, c] = second * d2[j]
                w.by_v[i + 2, c] = first * d2[j] + second * d1[j]


@leaf
def _stress(s: MembraneData, w: MembraneWork, damping: F8) -> F8:
    """Stresses times volumes. Return the dissipated power."""
    lost = 0.0
    for i in range(s.n_strains):
        elastic = s.initial[i]
        viscous = 0.0
        for j in range(s.n_strains):
            elastic += s.stiffness[i, j] * w.strain[j]
            viscous += s.stiffness[i, j] * w.rate[j]
        w.stress[i] = elastic + damping * viscous
        lost += damping * viscous * w.rate[i]
    return lost


@block
def _forces(s: MembraneData, w: MembraneWork, gravity: V3):
    """Elastic forces, inertia and weight of the corners, in the world."""
    n = s.n_corners
    for k in range(n):
        for j in range(3):
            f = -s.weights[k] * gravity[j]
            for i in range(s.n_strains):
                f += w.by_x[i, 3 * k + j] * w.stress[i]
            for l in range(n):
                f += s.mass[k, l] * w.a[l, j]
            w.force[k, j] = f


@leaf
def _quadratic(s: MembraneData, w: MembraneWork, K: F8, D: F8, damping: F8):
    """w.tangent = B^T C (K (B + damping dB/dt) + D damping B)."""
    n = 3 * s.n_corners
    for i in range(s.n_strains):
        for c in range(n):
            total = 0.0
            for j in range(s.n_strains):
                change = (K + D * damping) * w.by_x[j, c] + K * damping * w.by_v[j, c]
                total += s.stiffness[i, j] * change
            w.product[i, c] = total
    for a in range(n):
        for c in range(n):
            total = 0.0
            for i in range(s.n_strains):
                total += w.by_x[i, a] * w.product[i, c]
            w.tangent[a, c] = total


@block
def _stiffen(s: MembraneData, w: MembraneWork, K: F8, D: F8, damping: F8):
    """w.tangent: forces of the corners by their positions (times K) and velocities (times D); w.viscous: by velocities."""
    n = s.n_corners
    if damping > 0.0:
        _quadratic(s, w, 0.0, 1.0, damping)
        for a in range(3 * n):
            for c in range(3 * n):
                w.viscous[a, c] = w.tangent[a, c]
    _quadratic(s, w, K, D, damping)
    for k in range(n):
        for l in range(n):
            geometric = 0.0
            for g in range(s.n_points):
                a = g * n + k
                b = g * n + l
                first = s.gradients[a, 0] * s.gradients[b, 0]
                second = s.gradients[a, 1] * s.gradients[b, 1]
                mixed = s.gradients[a, 0] * s.gradients[b, 1] + s.gradients[a, 1] * s.gradients[b, 0]
                geometric += w.stress[3 * g] * first + w.stress[3 * g + 1] * second + w.stress[3 * g + 2] * mixed
            for j in range(3):
                w.tangent[3 * k + j, 3 * l + j] += K * geometric


@leaf
def _block(T: A2, k: I8, l: I8) -> M9:
    """Block of two corners."""
    i = 3 * k
    j = 3 * l
    return (
        T[i, j], T[i, j + 1], T[i, j + 2], T[i + 1, j], T[i + 1, j + 1], T[i + 1, j + 2], T[i + 2, j], T[i + 2, j + 1],
        T[i + 2, j + 2],
    )  # fmt: skip


@leaf
def _set_block(T: A2, i: I8, j: I8, S: M9):
    for a in range(3):
        for b in range(3):
            T[i + a, j + b] = S[3 * a + b]


@block
def _add_column(s: MembraneData, w: MembraneWork, l: I8, node: Node, ask: Ask, damping: F8):
    """w.column: forces of all corners (12) by the translation and rotation (6) of the node of corner l."""
    p = row(s.at, l, 0)
    spin = cross(node.w, p)
    moved = scaled(-1.0, mm(node.R, skew(p)))  # position by rotation, velocity by angular velocity, ...
    # velocity and acceleration of the corner by the rotation of its node, acceleration by its angular velocity
    v_turn = scaled(-ask.K, mm(node.R, skew(spin)))
    a_turn = scaled(-ask.K, mm(node.R, skew(add(cross(node.al, p), cross(node.w, spin)))))
    a_rate = scaled(-ask.D, mm(node.R, mat_sum(skew(spin), mm(skew(node.w), skew(p)))))
    inertial = mat_sum(a_turn, a_rate)
    for k in range(s.n_corners):
        mass = s.mass[k, l]
        S = mat_sum(_block(w.tangent, k, l), scaled(ask.M * mass, EYE))
        turned = mat_sum(mm(S, moved), scaled(mass, inertial))
        if damping > 0.0:
            turned = mat_sum(turned, mm(_block(w.viscous, k, l), v_turn))
        _set_block(w.column, 3 * k, 0, S)
        _set_block(w.column, 3 * k, 3, turned)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    n = s.n_corners
    for k in range(n):
        _place(s, k, node_at(x.nodes[k]), w)
    _strain(s, w)
    damping = ask.damp * s.damping
    ask.power_out += _stress(s, w, damping)
    _forces(s, w, mul(ask.load, s.gravity))
    for k in range(n):
        f = row(w.force, k, 0)
        add_vec(r, 6 * k, f)
        add_vec(r, 6 * k + 3, cross(row(s.at, k, 0), mtv(node_at(x.nodes[k]).R, f)))
    if ask.mode == TANGENT:
        _stiffen(s, w, ask.K, ask.D, damping)
        for l in range(n):
            _add_column(s, w, l, node_at(x.nodes[l]), ask, damping)
            for k in range(n):
                arm = mm(skew(row(s.at, k, 0)), tr(node_at(x.nodes[k]).R))  # moments by forces
                for half in range(2):
                    S = (
                        w.column[3 * k, 3 * half], w.column[3 * k, 3 * half + 1], w.column[3 * k, 3 * half + 2],
                        w.column[3 * k + 1, 3 * half], w.column[3 * k + 1, 3 * half + 1], w.column[3 * k + 1, 3 * half + 2],
                        w.column[3 * k + 2, 3 * half], w.column[3 * k + 2, 3 * half + 1], w.column[3 * k + 2, 3 * half + 2],
                    )  # fmt: skip
                    add_mat(J, 6 * k, 6 * l + 3 * half, 1.0, S)
                    add_mat(J, 6 * k + 3, 6 * l + 3 * half, 1.0, mm(arm, S))
        for k in range(n):
            f = mtv(node_at(x.nodes[k]).R, row(w.force, k, 0))
            add_mat(J, 6 * k + 3, 6 * k + 3, ask.K, mm(skew(row(s.at, k, 0)), skew(f)))


@kernel
def report(s, m, x, w, ask, out):
    n = s.n_corners
    for k in range(n):
        _place(s, k, node_at(x.nodes[k]), w)
    _strain(s, w)
    gravity = mul(ask.load, s.gravity)
    kinetic = 0.0
    height = 0.0
    for k in range(n):
        height += s.weights[k] * dot(gravity, row(w.x, k, 0))
        for l in range(n):
            kinetic += 0.5 * s.mass[k, l] * dot(row(w.v, k, 0), row(w.v, l, 0))
    out.power_out = _stress(s, w, ask.damp * s.damping)
    energy = _stress(s, w, 0.0)
    volume = 0.0
    largest = 0.0
    mean1 = 0.0
    mean2 = 0.0
    mean12 = 0.0
    for g in range(s.n_points):
        i = 3 * g
        for j in range(i, i + 3):
            energy += 0.5 * (w.stress[j] + s.initial[j]) * w.strain[j]
        volume += s.volumes[g]
        mean1 += w.stress[i]
        mean2 += w.stress[i + 1]
        mean12 += w.stress[i + 2]
        a = w.stress[i] / s.volumes[g]
        b = w.stress[i + 1] / s.volumes[g]
        c = w.stress[i + 2] / s.volumes[g]
        largest = max(largest, math.sqrt(max(0.0, a * a - a * b + b * b + 3.0 * c * c)))
    out.kinetic = kinetic
    out.potential = energy - height
    out.strain_energy = energy
    out.stress = (mean1 / volume, mean2 / volume, mean12 / volume)
    out.von_mises = largest


MEMBRANE = ElementKind(
    "membrane",
    evaluate,
    MembraneData,
    MembraneSeen,
    scratch=MembraneWork,
    report=report,
    signals=(
        SignalSpec("strain_energy", "J", "elastic energy, with the work of the prestress"),
        SignalSpec("stress", "Pa", "mean stresses xx, yy and xy in the axes of the element", 3),
        SignalSpec("von_mises", "Pa", "largest von Mises stress at its integration points"),
    ),
    has_inertia=True,
    exchanges_power=True,
    full_pattern=True,
)

Placement = tuple[np.ndarray, np.ndarray]


def membrane_element(
    name: str,
    nodes: tuple[int, ...],
    placed: tuple[Placement, ...],
    matrices: MembraneMatrices,
    *,
    damping: float = 0.0,
    gravity: np.ndarray | None = None,
) -> Element:
    """Make a membrane between points of nodes, given by position (and axes, which have no effect) in node axes.

    damping: ratio to the stiffness [s]. gravity: world axes.
    """
    count, strains = len(nodes), len(matrices.rest)
    values = {
        "n_corners": count, "n_points": strains // 3, "n_strains": strains, "n_gradients": len(matrices.gradients),
        "at": np.array([at for at, _ in placed], float), "gradients": matrices.gradients, "rest": matrices.rest,
        "stiffness": matrices.stiffness, "initial": matrices.initial, "volumes": matrices.volumes, "mass": matrices.mass,
        "weights": matrices.mass.sum(axis=1), "gravity": np.zeros(3) if gravity is None else gravity, "damping": damping,
    }  # fmt: skip
    return Element(MEMBRANE, name, nodes, packed(MembraneData, values))


# ---- membrane signals

# Signals of membranes: stresses of all elements, the largest stress, the elastic energy.

ENERGY = SignalSpec("strain_energy", "J", "elastic energy, with the work of the prestress")
LARGEST = SignalSpec("largest_stress", "Pa", "largest von Mises stress at the integration points of all elements")
_STRESSES = ("xx", "yy", "xy")


def membrane_specs(membrane: Membrane) -> tuple[SignalSpec, ...]:
    """Signals of a membrane, in the order of `membrane_values`."""
    count = len(membrane.mesh.elements)
    of_elements = [
        SignalSpec(f"stress_{name}", "Pa", f"mean stress {name} of each element, in its axes", count)
        for name in _STRESSES
    ]
    worst = SignalSpec("von_mises", "Pa", "largest von Mises stress at the integration points of each element", count)
    return (ENERGY, LARGEST, *of_elements, worst)


def membrane_values(
    membrane: Membrane, reports: list[dict[str, np.ndarray]]
) -> Iterator[tuple[SignalSpec, np.ndarray]]:
    """Signals with their values; first axis samples. reports: of the elements."""
    specs = membrane_specs(membrane)
    stress = np.stack([one["stress"] for one in reports], axis=1)  # (samples, elements, 3)
    worst = np.stack([one["von_mises"] for one in reports], axis=1).reshape(stress.shape[:2])
    energy = np.sum([one["strain_energy"].reshape(len(stress)) for one in reports], axis=0)
    values = (energy, worst.max(axis=1), *(stress[:, :, i] for i in range(3)), worst)
    yield from zip(specs, (v[:, 0] if v.ndim == 2 and v.shape[1] == 1 else v for v in values), strict=True)
