"""Bushings and bearings: a 6x6 stiffness and damping between two frames.

Deformation e of frame B against frame A, in the axes of A:

    e_1..3 = R_A^T (o_B - o_A),   e_4 = -y_A . z_B,   e_5 = x_A . z_B,   e_6 = twist about z (counts turns)

(for small tilts e_4, e_5 are the tilt angles about x_A, y_A). The z axis may thus spin without limit, as a shaft in its
bearing does; tilts are meant to be small. Force and moment are the gradient of e applied to w = K e + C de/dt.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V3, block, kernel, leaf
from ..math.vectors import add, cross, mat, mm, mtv, mul, mv, rotation, row, set_vec, sub, vec
from .axis_rows import pair_stiffness
from .contract import C_D, C_K, COMMIT, DAMP, POWER_OUT, REPORT, TANGENT, Element, ElementKind, SignalSpec, unit_signal
from .scalar_geometry import SIZE, angle_gradient, direction_stiffness, nearest_turn, principal_angle

# places in the scratch part of r and J (rows that a two-node element does not use)
_E, _RATE, _W = 12, 18, 24
_G, _TURN = 12, 18
# places in the parameters
_DAMPED, _COUNT, _ENTRIES = SIZE + 72, SIZE + 73, SIZE + 80


@leaf
def _axis(p: A1, frame: I8, i: I8) -> V3:
    """Axis i of a frame, node axes."""
    return (p[frame + i], p[frame + 3 + i], p[frame + 6 + i])


@leaf
def _put(J: A2, i: I8, a: V3, b: V3, c: V3, d: V3):
    """One gradient as scratch row i."""
    for k in range(3):
        J[i, k] = a[k]
        J[i, 3 + k] = b[k]
        J[i, 6 + k] = c[k]
        J[i, 9 + k] = d[k]


@block
def _deformation(p: A1, h: A1, P: A2, V: A2, damp: F8, every: I8, r: A1, J: A2):
    """e, de/dt and w = K e + C de/dt into scratch r, their gradients into scratch rows of J: of every component, or of those
    alone that have stiffness or damping (most bushings have few)."""
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    zero = (0.0, 0.0, 0.0)
    for i in range(_E, _W + 6):
        r[i] = 0.0
    for n in range(6 if every else int(p[_COUNT])):
        i = n if every else int(p[_COUNT + 1 + n])
        if i < 3:
            pB = vec(p, 14)
            d = mtv(RA, sub(add(row(P, 1, 0), mv(RB, pB)), row(P, 0, 0)))
            gap = sub(d, vec(p, 2))
            a = _axis(p, 5, i)
            aW = mv(RA, a)
            r[_E + i] = a[0] * gap[0] + a[1] * gap[1] + a[2] * gap[2]
            _put(J, _G + i, mul(-1.0, aW), cross(a, d), aW, cross(pB, mtv(RB, aW)))
        elif i < 5:
            b = _axis(p, 17, 2)
            bA = mtv(RA, mv(RB, b))
            a = mul(-1.0, _axis(p, 5, 1)) if i == 3 else _axis(p, 5, 0)
            r[_E + i] = a[0] * bA[0] + a[1] * bA[1] + a[2] * bA[2]
            _put(J, _G + i, zero, cross(a, bA), zero, cross(b, mtv(RB, mv(RA, a))))
        else:
            r[_E + 5] = nearest_turn(principal_angle(p, P), h[0])
            for j in range(12):
                r[j] = 0.0
            angle_gradient(p, P, 1.0, 0, r, J)
            for j in range(12):
                J[_G + 5, j] = r[j]
                r[j] = 0.0
        s = 0.0
        for k in range(2):
            for j in range(6):
                s += J[_G + i, 6 * k + j] * V[k, j]
        r[_RATE + i] = s
    for n in range(int(p[_ENTRIES])):
        i = int(p[_ENTRIES + 1 + 2 * n])
        j = int(p[_ENTRIES + 2 + 2 * n])
        r[_W + i] += p[SIZE + 6 * i + j] * r[_E + j] + damp * p[SIZE + 36 + 6 * i + j] * r[_RATE + j]


@block
def _second_derivative(p: A1, P: A2, i: I8, w: F8, J: A2, r: A1):
    """Adds w times the derivative of gradient i to J[0:12, 0:12]."""
    if i < 3:
        direction_stiffness(vec(p, 14), P, _axis(p, 5, i), w, J)
    elif i < 5:
        a = mul(-1.0, _axis(p, 5, 1)) if i == 3 else _axis(p, 5, 0)
        pair_stiffness(J, 1.0, a, mul(w, _axis(p, 17, 2)), rotation(P, 0), rotation(P, 1))
    else:
        angle_gradient(p, P, w, 1, r, J)
        for k in range(12):
            r[k] = 0.0


@block
def _tangent(p: A1, P: A2, V: A2, K: F8, D: F8, damp: F8, damped: I8, r: A1, J: A2):
    # rates change with position: row i of the scratch _TURN is V^T (derivative of gradient i)
    if damped:
        for n in range(int(p[_COUNT])):
            i = int(p[_COUNT + 1 + n])
            _second_derivative(p, P, i, 1.0, J, r)
            for j in range(12):
                s = 0.0
                for k in range(2):
                    for m in range(6):
                        s += V[k, m] * J[6 * k + m, j]
                J[_TURN + i, j] = s
            for k in range(12):
                for j in range(12):
                    J[k, j] = 0.0
    # geometric stiffness of w
    for n in range(int(p[_COUNT])):
        i = int(p[_COUNT + 1 + n])
        if r[_W + i] != 0.0:
            _second_derivative(p, P, i, K * r[_W + i], J, r)
    # G^T (c_K K + c_D C) G + c_K G^T C turn
    for n in range(int(p[_ENTRIES])):
        i = int(p[_ENTRIES + 1 + 2 * n])
        l = int(p[_ENTRIES + 2 + 2 * n])
        k = K * p[SIZE + 6 * i + l] + damp * D * p[SIZE + 36 + 6 * i + l]
        c = damp * K * p[SIZE + 36 + 6 * i + l]
        for j in range(12):
            s = k * J[_G + l, j]
            if damped:
                s += c * J[_TURN + l, j]
            for m in range(12):
                J[m, j] += J[_G + i, m] * s


@leaf
def _loss(p: A1, damp: F8, r: A1) -> F8:
    """Power dissipated: rates times the damping part of w."""
    loss = 0.0
    for n in range(int(p[_ENTRIES])):
        i = int(p[_ENTRIES + 1 + 2 * n])
        j = int(p[_ENTRIES + 2 + 2 * n])
        loss += damp * r[_RATE + i] * p[SIZE + 36 + 6 * i + j] * r[_RATE + j]
    return loss


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    # p: the two frames (as a measure), K (36), C (36), damped or not, components in use, entries in use
    if mode == COMMIT:
        h[0] = nearest_turn(principal_angle(p, P), h[0])
        return
    _deformation(p, h, P, V, c[DAMP], 1 if mode == REPORT else 0, r, J)
    loss = _loss(p, c[DAMP], r)
    if mode == REPORT:
        energy = 0.0
        for n in range(int(p[_ENTRIES])):
            i = int(p[_ENTRIES + 1 + 2 * n])
            j = int(p[_ENTRIES + 2 + 2 * n])
            energy += 0.5 * r[_E + i] * p[SIZE + 6 * i + j] * r[_E + j]
        FA = mm(rotation(P, 0), mat(p, 5))
        force = mul(-1.0, mv(FA, vec(r, _W)))
        # moment on B about the origin of its frame: the last three gradients, turned into world axes
        m = (0.0, 0.0, 0.0)
        for i in range(3, 6):
            m = add(m, mul(-r[_W + i], (J[_G + i, 9], J[_G + i, 10], J[_G + i, 11])))
        moment = mv(rotation(P, 1), m)
        e = (r[_E], r[_E + 1], r[_E + 2])
        t = (r[_E + 3], r[_E + 4], r[_E + 5])
        for i in range(30):
            r[i] = 0.0
        r[1] = energy
        r[3] = loss
        set_vec(r, 4, force)
        set_vec(r, 7, moment)
        set_vec(r, 10, e)
        set_vec(r, 13, t)
        return
    if mode == TANGENT:
        _tangent(p, P, V, c[C_K], c[C_D], c[DAMP], int(p[_DAMPED]), r, J)
    for j in range(12):
        r[j] = 0.0
    for n in range(int(p[_COUNT])):
        i = int(p[_COUNT + 1 + n])
        w = r[_W + i]
        if w != 0.0:
            for j in range(12):
                r[j] += J[_G + i, j] * w
    r[POWER_OUT] = loss


BUSHING = ElementKind(
    "bushing",
    evaluate,
    signals=(
        unit_signal("force", "N", "force on the second body at the origin of its frame"),
        unit_signal("moment", "N*m", "moment on the second body about the origin of its frame"),
        SignalSpec("deflection", "m", "displacement of the second frame, axes of the first", 3),
        SignalSpec("rotation", "rad", "tilt about x and y, twist about z, axes of the first frame", 3),
    ),
    commits=True,
    exchanges_power=True,
    full_pattern=True,
)


def bushing(
    name: str, nodes: tuple[int, int], frames: np.ndarray, stiffness: np.ndarray, damping: np.ndarray
) -> Element:
    """`frames` as `encode_measure` gives them; stiffness and damping (6, 6) in the axes of frame A."""
    used = (stiffness != 0.0) | (damping != 0.0)
    components = np.flatnonzero(used.any(axis=0) | used.any(axis=1))
    entries = np.argwhere(used)
    p = np.concatenate(
        [
            frames, stiffness.ravel(), damping.ravel(), [float(np.any(damping)), len(components)],
            components, np.zeros(6 - len(components)), [len(entries)], entries.ravel(),
        ]
    )  # fmt: skip
    return Element(BUSHING, name, nodes, p, memory=np.zeros(3))
