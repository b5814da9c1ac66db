"""Superelement: an elastic body between any number of interface nodes, with its modes as open coordinates.

Large rotations, small deformations: elastic forces and weight follow from the motions of its nodes relative to the first one
(`superelement_elastic`), inertia from velocities in node axes (`superelement_inertia`). Modes with fixed interfaces have no
rigid motion and need no frame (Craig and Bampton 1968; Cardona and Géradin 1991). With two nodes and no modes it is the beam.
"""

from typing import Any

import numpy as np

from ..beams.se3 import adjoint, inverse_tangent, log_se3
from ..math.compiled import kernel
from ..math.fields import packed
from ..math.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, tr, vec
from ..superelements.superelement import Superelement
from .contract import TANGENT, Element, ElementKind, SignalSpec
from .superelement_carried import add_carried_force, add_carried_tangent, set_mass
from .superelement_elastic import (
    add_elastic_force,
    add_elastic_tangent,
    add_weight_tangent,
    centre_moment,
    efforts,
    get,
    loss,
    relative_motion,
    strain_energy,
)
from .superelement_inertia import inertial_force, modal_motion, node_motion, set_inertial_tangent
from .superelement_records import MODES, SuperelementData, SuperelementSeen, SuperelementWork, node_at
from .superelement_rigid_mass import rigid_by, rigid_mass_by

__all__ = ["SUPERELEMENT", "superelement_element"]


@kernel
def evaluate(s, m, x, w, ask, r, J):
    first = node_at(x.nodes[0])
    node_motion(w, first, 0)
    for k in range(1, x.n_nodes):
        node_motion(w, node_at(x.nodes[k]), 6 * k)
        relative_motion(w, first, node_at(x.nodes[k]), 6 * k - 6, 6 * k)
    modal_motion(w, x.modes_rate, x.modes_acceleration)
    gravity = mul(ask.load, s.gravity)
    g = mtv(first.R, gravity)
    efforts(s, w, ask.damp, g)
    set_mass(s, w, x.modes)
    inertial_force(s, w)
    add_carried_force(s, w)
    add_elastic_force(s, w)
    moment = centre_moment(s, w, x.modes)
    force = w.force
    modes = x.modes
    rates = x.modes_rate
    own = w.n_coordinates
    by_modes = s.centre_by_modes
    for i in range(s.n_modes):
        weight = by_modes[i, 0] * g[0] + by_modes[i, 1] * g[1] + by_modes[i, 2] * g[2]
        r[own + i] += (
            force[own + i] + s.modal_stiffness[i] * modes[i] + ask.damp * s.modal_damping[i] * rates[i] - weight
        )
    for k in range(x.n_nodes):
        add_vec(r, 6 * k, mv(node_at(x.nodes[k]).R, vec(force, 6 * k)))
        add_vec(r, 6 * k + 3, vec(force, 6 * k + 3))
    add_vec(r, 0, mul(-s.weight, gravity))
    add_vec(r, 3, cross(g, moment))
    ask.power_out += loss(s, w, rates, ask.damp)
    if ask.mode == TANGENT:
        K = ask.K
        set_inertial_tangent(s, w, ask.M, ask.D, K)
        add_carried_tangent(s, w, ask.D, K)
        add_elastic_tangent(s, w, K, ask.D, ask.damp, g)
        add_weight_tangent(s, w, moment, g, K)
        L = w.tangent
        for i in range(s.n_modes):
            L[own + i, own + i] += K * s.modal_stiffness[i] + ask.D * ask.damp * s.modal_damping[i]
        # translations to world axes; forces rotate with their nodes
        for a in range(x.n_nodes):
            i = 6 * a
            R = node_at(x.nodes[a]).R
            for b in range(x.n_nodes):
                j = 6 * b
                back = tr(node_at(x.nodes[b]).R)
                add_mat(J, i, j, 1.0, mm(mm(R, get(L, i, j)), back))
                add_mat(J, i, j + 3, 1.0, mm(R, get(L, i, j + 3)))
                add_mat(J, i + 3, j, 1.0, mm(get(L, i + 3, j), back))
                add_mat(J, i + 3, j + 3, 1.0, get(L, i + 3, j + 3))
            add_mat(J, i, i + 3, -K, mm(R, skew(vec(force, i))))
            for column in range(own, s.n_all):
                push = mv(R, (L[i, column], L[i + 1, column], L[i + 2, column]))
                for k in range(3):
                    J[i + k, column] += push[k]
                    J[i + 3 + k, column] += L[i + 3 + k, column]
                add_vec(J[column], i, mv(R, (L[column, i], L[column, i + 1], L[column, i + 2])))
                add_vec(J[column], i + 3, (L[column, i + 3], L[column, i + 4], L[column, i + 5]))
        for p in range(s.n_modes):
            for q in range(s.n_modes):
                J[own + p, own + q] += L[own + p, own + q]


@kernel
def report(s, m, x, w, ask, out):
    first = node_at(x.nodes[0])
    node_motion(w, first, 0)
    for k in range(1, x.n_nodes):
        node_motion(w, node_at(x.nodes[k]), 6 * k)
        relative_motion(w, first, node_at(x.nodes[k]), 6 * k - 6, 6 * k)
    modal_motion(w, x.modes_rate, x.modes_acceleration)
    gravity = mul(ask.load, s.gravity)
    efforts(s, w, ask.damp, mtv(first.R, gravity))
    set_mass(s, w, x.modes)
    inertial_force(s, w)
    velocity = w.velocity
    momentum = w.momentum
    kinetic = 0.0
    for i in range(s.n_all):
        kinetic += 0.5 * velocity[i] * momentum[i]
    strain = strain_energy(s, w)
    modes = x.modes
    for i in range(s.n_modes):
        strain += 0.5 * s.modal_stiffness[i] * modes[i] * modes[i]
    moment = centre_moment(s, w, modes)
    out.kinetic = kinetic
    out.potential = strain - dot(gravity, add(mul(s.weight, first.x), mv(first.R, moment)))
    out.power_out = loss(s, w, x.modes_rate, ask.damp)
    out.strain_energy = strain


SUPERELEMENT = ElementKind(
    "superelement",
    evaluate,
    SuperelementData,
    SuperelementSeen,
    scratch=SuperelementWork,
    report=report,
    signals=(SignalSpec("strain_energy", "J", "elastic energy"),),
    coordinates=(MODES,),
    has_inertia=True,
    exchanges_power=True,
    full_pattern=True,
)

Placement = tuple[np.ndarray, np.ndarray]


def superelement_element(
    name: str,
    nodes: tuple[int, ...],
    placed: tuple[Placement, ...],
    body: Superelement,
    *,
    damping: float = 0.0,
    modal_damping: float = 0.0,
    gravity: np.ndarray | None = None,
) -> Element:
    """Make an elastic body whose interfaces are frames on nodes, given by position and axes in node axes.

    damping: ratio to the stiffness [s]. modal_damping: damping ratio of each mode. gravity: world axes.
    """
    values, order = superelement_values(placed, body, damping, modal_damping, gravity)
    sizes = {name: int(values[name]) for name in ("n_relative", "n_all", "n_changes")}
    sizes["n_coordinates"] = 6 * len(nodes)
    return Element(
        SUPERELEMENT, name, tuple(nodes[i] for i in order), packed(SuperelementData, values),
        counts={"n_modes": int(values["n_modes"])}, scratch=packed(SuperelementWork, _room(sizes)),
    )  # fmt: skip


def superelement_values(
    placed: tuple[Placement, ...], body: Superelement, damping: float, modal_damping: float, gravity: np.ndarray | None
) -> tuple[dict[str, Any], list[int]]:
    """Data of the element, by name, and the order of its interfaces."""
    k, m = len(placed), len(body.modal_stiffness)
    T = np.eye(6 * k + m)  # motions of the interfaces by those of the nodes, each in its axes
    x, R = np.zeros((k, 3)), np.zeros((k, 3, 3))
    for i, (at, axes) in enumerate(placed):
        T[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.linalg.inv(adjoint(np.asarray(at), np.asarray(axes)))
        R[i] = body.axes[i] @ np.asarray(axes).T
        x[i] = body.positions[i] - R[i] @ at
    M = T.T @ body.mass_matrix @ T
    K = T[: 6 * k, : 6 * k].T @ body.stiffness @ T[: 6 * k, : 6 * k]
    # motions are relative to the heaviest interface
    heaviest = int(np.argmax([np.trace(M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3]) for i in range(k)]))
    order = [heaviest, *(i for i in range(k) if i != heaviest)]
    rows = np.concatenate([*(6 * i + np.arange(6) for i in order), 6 * k + np.arange(m)]).astype(np.int64)
    M, K = M[np.ix_(rows, rows)], K[np.ix_(rows[: 6 * k], rows[: 6 * k])]
    x, R = x[order], R[order]
    rest, S = np.zeros(6 * k - 6), np.zeros((6 * k - 6, 6 * k - 6))
    for i in range(1, k):
        mine = slice(6 * i - 6, 6 * i)
        rest[mine] = log_se3(R[0].T @ (x[i] - x[0]), R[0].T @ R[i])
        S[mine, mine] = np.linalg.inv(inverse_tangent(rest[mine]))
    stiffness = S.T @ K[6:, 6:] @ S
    # a common acceleration in the axes of the first node, and the forces that it needs
    common = np.zeros((6 * k + m, 3))
    for i in range(k):
        common[6 * i : 6 * i + 3] = R[i].T @ R[0]
    load = M @ common
    whole = _about_first(load[: 6 * k], x, R)
    modal = np.diagonal(M)[6 * k :]
    values: dict[str, Any] = {
        "n_all": 6 * k + m, "n_relative": 6 * k - 6, "n_modes": m,
        "rest": rest, "stiffness": 0.5 * (stiffness + stiffness.T), "damping": damping,
        "modal_stiffness": body.modal_stiffness,
        "modal_damping": damping * body.modal_stiffness + 2.0 * modal_damping * np.sqrt(body.modal_stiffness * modal),
        "mass": 0.5 * (M + M.T),
        "n_changes": 6 * k - 6 + m,
        "gravity": np.zeros(3) if gravity is None else gravity,
        "weight": float(np.trace(common.T @ load)) / 3.0,
        "centre": 0.5 * np.array([whole[2, 1] - whole[1, 2], whole[0, 2] - whole[2, 0], whole[1, 0] - whole[0, 1]]),
        "centre_by_relative": S.T @ load[6 : 6 * k],
        "centre_by_modes": load[6 * k :],
    }  # fmt: skip
    values["rigid_by"] = rigid_by(M, rest)
    by_changes = np.vstack([values["centre_by_relative"], values["centre_by_modes"]])
    values["rigid_mass_by"] = rigid_mass_by(M, rest, values["weight"], values["centre"], by_changes)
    return values, order


def _about_first(load: np.ndarray, x: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Moment (3, 3) about the first node, in its axes, of the forces for common accelerations."""
    total = np.zeros((3, 3))
    for i in range(len(x)):
        turn = R[0].T @ R[i]
        arm = R[0].T @ (x[i] - x[0])
        force, moment = turn @ load[6 * i : 6 * i + 3], turn @ load[6 * i + 3 : 6 * i + 6]
        total += moment + np.cross(arm, force.T).T
    return total


def _room(sizes: dict[str, int]) -> dict[str, np.ndarray]:
    """Zeros for the arrays of the scratch."""
    found = {}
    for name, kind in SuperelementWork.layout:
        if kind.what == "behind":
            shape = [sizes[str(kind.count)]]
            if kind.columns:
                shape.append(sizes[kind.columns] if isinstance(kind.columns, str) else kind.columns)
            found[name] = np.zeros(shape)
    return found
