"""Bushings and bearings: a 6x6 stiffness and damping between two frames.

Force and moment are the gradient of the deflections e (see `frame_deflection`) applied to w = K e + C de/dt.
"""

import numpy as np

from ..math.compiled import A2, F8, I8, block, kernel, leaf
from ..math.fields import INTEGER, behind, embedded, fields, inline, packed
from ..math.vectors import add, mm, mul, mv
from .contract import TANGENT, Element, ElementKind, Node, SignalSpec, unit_signal
from .frame_deflection import deflection, deflection_stiffness
from .scalar_geometry import (
    Measure,
    Turns,
    counted_angle,
    initial_turns,
    rate,
    turning,
)

BushingData = fields(
    "Bushing",
    on=embedded(Measure),  # the two frames
    stiffness=inline(6, 6),
    damping=inline(6, 6),
    damped=INTEGER,
    n_components=INTEGER,
    n_entries=INTEGER,
    components=behind("n_components", of="integer"),  # with stiffness or damping: most bushings have few
    entries=behind("n_entries", 2, of="integer"),  # rows and columns of the entries in use
)
Deformation = fields(
    "Deformation",
    e=inline(6),
    rate=inline(6),
    effort=inline(6),  # w = K e + C de/dt
    gradient=inline(6, 12),  # of e, by the coordinates of both nodes
    turning=inline(6, 12),  # of de/dt, at constant velocities
)


@block
def _deform(s: BushingData, m: Turns, a: Node, b: Node, w: Deformation, damp: F8, every: I8):
    """e, de/dt and w = K e + C de/dt, with gradients: of every component, or only of those in use."""
    e = w.e
    speed = w.rate
    effort = w.effort
    for i in range(6):
        e[i] = speed[i] = effort[i] = 0.0
    components = s.components
    gradient = w.gradient
    for n in range(6 if every else components.size):
        i = n if every else components[n]
        e[i] = deflection(s.on.a, s.on.b, m.angle, a, b, i, gradient[i])
        speed[i] = rate(gradient[i], a, b)
    stiffness = s.stiffness
    damping = s.damping
    entries = s.entries
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        effort[i] += stiffness[i, j] * e[j] + damp * damping[i, j] * speed[j]


@block
def _tangent(s: BushingData, a: Node, b: Node, w: Deformation, K: F8, D: F8, damp: F8, J: A2):
    components = s.components
    damped = s.damped
    turn = w.turning
    # rates change with position: row i of `turning` is V^T (derivative of gradient i), computed in J and removed again
    if damped:
        for n in range(components.size):
            i = components[n]
            deflection_stiffness(s.on.a, s.on.b, a, b, i, 1.0, J)
            for j in range(12):
                turn[i, j] = turning(J, j, a, b)
            for k in range(12):
                for j in range(12):
                    J[k, j] = 0.0
    # geometric stiffness of w
    effort = w.effort
    for n in range(components.size):
        i = components[n]
        if effort[i] != 0.0:
            deflection_stiffness(s.on.a, s.on.b, a, b, i, K * effort[i], J)
    # G^T (c_K K + c_D C) G + c_K G^T C turn
    stiffness = s.stiffness
    damping = s.damping
    entries = s.entries
    gradient = w.gradient
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        l = entries[n, 1]
        k = K * stiffness[i, l] + damp * D * damping[i, l]
        c = damp * K * damping[i, l]
        for j in range(12):
            f = k * gradient[l, j]
            if damped:
                f += c * turn[l, j]
            for q in range(12):
                J[q, j] += gradient[i, q] * f


@leaf
def _loss(s: BushingData, w: Deformation, damp: F8) -> F8:
    """Power dissipated: rates times the damping part of w."""
    speed = w.rate
    damping = s.damping
    entries = s.entries
    loss = 0.0
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        loss += damp * speed[i] * damping[i, j] * speed[j]
    return loss


@leaf
def _energy(s: BushingData, w: Deformation) -> F8:
    e = w.e
    stiffness = s.stiffness
    entries = s.entries
    energy = 0.0
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        energy += 0.5 * e[i] * stiffness[i, j] * e[j]
    return energy


@kernel
def evaluate(s, m, x, w, ask, r, J):
    _deform(s, m, x.a, x.b, w, ask.damp, 0)
    ask.power_out += _loss(s, w, ask.damp)
    if ask.mode == TANGENT:
        _tangent(s, x.a, x.b, w, ask.K, ask.D, ask.damp, J)
    components = s.components
    effort = w.effort
    gradient = w.gradient
    for n in range(components.size):
        i = components[n]
        f = effort[i]
        if f != 0.0:
            for j in range(12):
                r[j] += gradient[i, j] * f


@kernel
def accept(s, m, x, w, ask):
    m.angle = counted_angle(s.on, m, x.a, x.b)


@kernel
def report(s, m, x, w, ask, out):
    _deform(s, m, x.a, x.b, w, ask.damp, 1)
    e = w.e
    effort = w.effort
    gradient = w.gradient
    out.potential = _energy(s, w)
    out.power_out = _loss(s, w, ask.damp)
    out.force = mul(-1.0, mv(mm(x.a.R, s.on.a.axes), (effort[0], effort[1], effort[2])))
    # moment on B about the origin of its frame: the last three gradients, transformed to world axes
    moment = (0.0, 0.0, 0.0)
    for i in range(3, 6):
        moment = add(moment, mul(-effort[i], (gradient[i, 9], gradient[i, 10], gradient[i, 11])))
    out.moment = mv(x.b.R, moment)
    out.deflection = (e[0], e[1], e[2])
    out.rotation = (e[3], e[4], e[5])


BUSHING = ElementKind(
    "bushing",
    evaluate,
    BushingData,
    memory=Turns,
    scratch=Deformation,
    accept=accept,
    report=report,
    signals=(
        unit_signal("force", "N", "force on the second body at the origin of its frame"),
        unit_signal("moment", "N*m", "moment on the second body about the origin of its frame"),
        SignalSpec("deflection", "m", "displacement of the second frame, in axes of the first", 3),
        SignalSpec("rotation", "rad", "tilt about x and y, rotation about z, in axes of the first frame", 3),
    ),
    exchanges_power=True,
    full_pattern=True,
)


def bushing(name: str, nodes: tuple[int, int], frames: np.void, stiffness: np.ndarray, damping: np.ndarray) -> Element:
    """`frames` as from `encode_measure`; stiffness and damping (6, 6) in the axes of frame A."""
    used = (stiffness != 0.0) | (damping != 0.0)
    values = {
        "on": frames,
        "stiffness": stiffness,
        "damping": damping,
        "damped": bool(damping.any()),
        "components": (used.any(axis=0) | used.any(axis=1)).nonzero()[0],
        "entries": np.array(used.nonzero()).T,
    }
    return Element(BUSHING, name, nodes, packed(BushingData, values), memory=initial_turns())
