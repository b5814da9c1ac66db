"""Beam: an elastic segment of a shaft or beam between two nodes, with inertia, internal damping and weight.

Large rotations, small strains: d is the logarithm of the motion between the section frames at its two ends (`beam_motion`).
Elastic forces follow from a constant stiffness for d (`beam_elastic`), inertia from a constant mass for the velocities of the
ends in their own axes (`beam_inertia`). Stiffness and mass are computed in `beams`: exact for steps and tapers inside the
segment in linear statics. Rotations within one element must be smaller than 180 deg.
"""

import numpy as np

from ..beams.se3 import adjoint, exp_se3
from ..beams.se3 import skew as skew_matrix
from ..math.compiled import A1, A2, F8, I8, M9, V3, kernel, leaf
from ..math.fields import packed
from ..math.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, sub, tr, vec
from .beam_elastic import add_elastic_force, deform, elastic_tangent, get, loss, strain_energy
from .beam_inertia import add_inertial_tangent, body_velocities, inertial_force
from .beam_records import BeamData, BeamWork
from .contract import TANGENT, Element, ElementKind, Node, SignalSpec


@leaf
def _weigh(R: M9, weight: F8, moment: V3, gravity: V3, K: F8, i: I8, r: A1, J: A2):
    """Weight of the mass fraction of one node: the negative load, and its tangent if K is not 0."""
    add_vec(r, i, mul(-weight, gravity))
    local = mtv(R, gravity)
    add_vec(r, i + 3, cross(local, moment))
    if K != 0.0:
        add_mat(J, i + 3, i + 3, -K, mm(skew(moment), skew(local)))


@leaf
def _in_world(w: BeamWork, a: Node, b: Node, K: F8, J: A2):
    """Add the tangent in node axes to J: translations in world axes, and forces that rotate with their node."""
    tangent = w.tangent
    force = w.force
    for i in range(0, 12, 6):
        RI = a.R if i == 0 else b.R
        turning = skew(vec(force, i))
        for j in range(0, 12, 6):
            back = tr(a.R if j == 0 else b.R)
            coupling = get(tangent, i, j + 3)
            if i == j:
                coupling = (
                    coupling[0], coupling[1] - K * turning[1], coupling[2] - K * turning[2],
                    coupling[3] - K * turning[3], coupling[4], coupling[5] - K * turning[5],
                    coupling[6] - K * turning[6], coupling[7] - K * turning[7], coupling[8],
                )  # fmt: skip
            add_mat(J, i, j, 1.0, mm(mm(RI, get(tangent, i, j)), back))
            add_mat(J, i, j + 3, 1.0, mm(RI, coupling))
            add_mat(J, i + 3, j, 1.0, mm(get(tangent, i + 3, j), back))
            add_mat(J, i + 3, j + 3, 1.0, get(tangent, i + 3, j + 3))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    body_velocities(x.a, x.b, w)
    deform(s, x.a, x.b, w, ask.damp)
    inertial_force(s, x.a, x.b, w)
    add_elastic_force(w)
    ask.power_out += loss(s, w, ask.damp)
    force = w.force
    add_vec(r, 0, mv(x.a.R, vec(force, 0)))
    add_vec(r, 3, vec(force, 3))
    add_vec(r, 6, mv(x.b.R, vec(force, 6)))
    add_vec(r, 9, vec(force, 9))
    K = 0.0
    if ask.mode == TANGENT:
        K = ask.K
        elastic_tangent(s, w, K, ask.D, ask.damp)
        add_inertial_tangent(s, w, ask.M, ask.D, K)
        _in_world(w, x.a, x.b, K, J)
    g = mul(ask.load, s.gravity)
    if g[0] != 0.0 or g[1] != 0.0 or g[2] != 0.0:
        _weigh(x.a.R, s.weight_a, s.moment_a, g, K, 0, r, J)
        _weigh(x.b.R, s.weight_b, s.moment_b, g, K, 6, r, J)


@kernel
def report(s, m, x, w, ask, out):
    body_velocities(x.a, x.b, w)
    deform(s, x.a, x.b, w, ask.damp)
    inertial_force(s, x.a, x.b, w)
    velocity = w.velocity
    momentum = w.momentum
    kinetic = 0.0
    for i in range(12):
        kinetic += 0.5 * velocity[i] * momentum[i]
    g = mul(ask.load, s.gravity)
    out.kinetic = kinetic
    out.potential = (
        strain_energy(s, w)
        - dot(g, add(mul(s.weight_a, x.a.x), mv(x.a.R, s.moment_a)))
        - dot(g, add(mul(s.weight_b, x.b.x), mv(x.b.R, s.moment_b)))
    )
    out.power_out = loss(s, w, ask.damp)
    # forces in the end sections balance those of the nodes: elastic forces, inertia and weight of the segment
    add_elastic_force(w)
    force = w.force
    local = mtv(x.a.R, g)
    f = sub(mul(s.weight_a, local), vec(force, 0))
    moment = sub(cross(s.moment_a, local), vec(force, 3))
    out.force_a = mtv(s.a.axes, f)
    out.moment_a = mtv(s.a.axes, sub(moment, cross(s.a.at, f)))
    local = mtv(x.b.R, g)
    f = sub(vec(force, 6), mul(s.weight_b, local))
    moment = sub(vec(force, 9), cross(s.moment_b, local))
    out.force_b = mtv(s.b.axes, f)
    out.moment_b = mtv(s.b.axes, sub(moment, cross(s.b.at, f)))
    d = w.d
    rest = s.rest
    out.stretch = (d[0] - rest[0], d[1] - rest[1], d[2] - rest[2])
    out.bend = (d[3] - rest[3], d[4] - rest[4], d[5] - rest[5])


BEAM = ElementKind(
    "beam",
    evaluate,
    BeamData,
    scratch=BeamWork,
    report=report,
    signals=(
        SignalSpec("force_a", "N", "force in the section at the first end, section axes; tension positive along z", 3),
        SignalSpec("moment_a", "N*m", "moment in the section at the first end, section axes", 3),
        SignalSpec("force_b", "N", "force in the section at the second end, section axes", 3),
        SignalSpec("moment_b", "N*m", "moment in the section at the second end, section axes", 3),
        SignalSpec(
            "stretch", "m", "shear and extension: translation in the logarithm of the motion between the ends", 3
        ),
        SignalSpec("bend", "rad", "bending and torsion: rotation between the ends", 3),
    ),
    has_inertia=True,
    exchanges_power=True,
    full_pattern=True,
)

Placement = tuple[np.ndarray, np.ndarray]


def beam_element(
    name: str,
    nodes: tuple[int, int],
    on_a: Placement,
    on_b: Placement,
    *,
    K: np.ndarray,
    M: np.ndarray,
    rest: np.ndarray,
    damping: np.ndarray | None = None,
    gravity: np.ndarray | None = None,
) -> Element:
    """Make a beam between two section frames, given by position and axes in node axes (z along the beam).

    K (6, 6) for d - rest, M (12, 12) for the velocities of both section frames in their axes, rest (6): undeformed d, damping
    (6, 6) for the rate of d, gravity (3) in world axes.
    """
    plain = all(not np.any(at) and np.array_equal(axes, np.eye(3)) for at, axes in (on_a, on_b))
    to_section = np.zeros((12, 12))
    for i, (at, axes) in ((0, on_a), (6, on_b)):
        to_section[i : i + 6, i : i + 6] = np.linalg.inv(adjoint(np.asarray(at), np.asarray(axes)))
    mass = to_section.T @ M @ to_section
    weights = _weights(np.asarray(M, float), np.asarray(rest, float))
    values = {
        "a": {"at": on_a[0], "axes": on_a[1]}, "b": {"at": on_b[0], "axes": on_b[1]}, "plain": plain, "rest": rest,
        "stiffness": 0.5 * (K + K.T), "mass": 0.5 * (mass + mass.T),
        "damping": np.zeros((6, 6)) if damping is None else damping,
        "damped": damping is not None and bool(np.any(damping)),
        "gravity": np.zeros(3) if gravity is None else gravity,
    }  # fmt: skip
    for end, (at, axes), (weight, moment) in zip("ab", (on_a, on_b), weights, strict=True):
        values[f"weight_{end}"] = weight
        values[f"moment_{end}"] = weight * np.asarray(at) + np.asarray(axes) @ moment
    return Element(BEAM, name, nodes, packed(BeamData, values))


def _weights(M: np.ndarray, rest: np.ndarray) -> tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]]:
    """Weight of each end and its static moment in section axes: the consistent gravity load across the beam.

    It has a potential, because it is the weight of two bodies that are fixed to the ends. Total weight and centre of mass are
    exact.
    """
    x, R = exp_se3(rest)
    both = np.vstack(
        [np.eye(3), np.zeros((3, 3)), R.T, np.zeros((3, 3))]
    )  # the same acceleration of both ends, axes of A
    load = M @ both
    total = both.T @ load
    mass = float(np.trace(total)) / 3
    share = R @ load[6:9]
    at_b = 0.5 * float(share[0, 0] + share[1, 1])
    moment_a = _axial(load[3:6])
    about_a = load[3:6] + R @ load[9:12] + skew_matrix(x) @ share
    moment_b = R.T @ (_axial(about_a) - moment_a - at_b * x)
    return (mass - at_b, moment_a), (at_b, moment_b)


def _axial(A: np.ndarray) -> np.ndarray:
    """a of the skew-symmetric part a~ of a matrix."""
    return 0.5 * np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
