"""Nodes: which coordinates carry a pose.

A node has a pose (x_WN, R_WN), a velocity and an acceleration in six components (x in world axes, rotation in node axes)
and nd <= 6 coordinates. A constant 6 x nd map T links them:

    V = T v,   A = T dv/dt,   pose <- pose o exp(T delta q)

Free bodies have T = 1. A body hinged to ground has its node on the axis, and T is that axis; likewise for sliding, planar,
screwing, cylindrical and spherical nodes. Because T is constant no geometric term arises, and the same lines serve all.

Arrays: nodes (n, 3) integers: first coordinate, number of coordinates, first of three free rotation increments or -1;
pose (n, 7): x_WN, quaternion; K (n, 24): x_WN, R_WN row-major, velocity, acceleration.
"""

from ..math.compiled import A1, A2, A3, B1, I2, I8, block, entry
from ..math.rotations import matrix_of, tangent_operator, turned

DOF0, NDOF, FREE = 0, 1, 2
POSE, VELOCITY, ACCELERATION = 0, 12, 18
"""Places in a row of K."""


@entry
def move(nodes: I2, T: A3, pose0: A2, dq: A1, pose: A2, K: A2):
    """pose, and the poses in K: those of pose0 moved by the increments dq."""
    for k in range(pose0.shape[0]):
        i0 = nodes[k, DOF0]
        nd = nodes[k, NDOF]
        x0 = x1 = x2 = t0 = t1 = t2 = 0.0
        if nd == 6:
            x0 = dq[i0]
            x1 = dq[i0 + 1]
            x2 = dq[i0 + 2]
            t0 = dq[i0 + 3]
            t1 = dq[i0 + 4]
            t2 = dq[i0 + 5]
        else:
            for j in range(nd):
                d = dq[i0 + j]
                x0 += T[k, 0, j] * d
                x1 += T[k, 1, j] * d
                x2 += T[k, 2, j] * d
                t0 += T[k, 3, j] * d
                t1 += T[k, 4, j] * d
                t2 += T[k, 5, j] * d
        pose[k, 0] = pose0[k, 0] + x0
        pose[k, 1] = pose0[k, 1] + x1
        pose[k, 2] = pose0[k, 2] + x2
        q = turned((pose0[k, 3], pose0[k, 4], pose0[k, 5], pose0[k, 6]), (t0, t1, t2))
        R = matrix_of(q)
        for i in range(4):
            pose[k, 3 + i] = q[i]
        for i in range(3):
            K[k, i] = pose[k, i]
        for i in range(9):
            K[k, 3 + i] = R[i]


@entry
def spread(nodes: I2, T: A3, v: A1, place: I8, K: A2):
    """K[:, place:place+6] = T v."""
    for k in range(K.shape[0]):
        i0 = nodes[k, DOF0]
        nd = nodes[k, NDOF]
        if nd == 6:
            for i in range(6):
                K[k, place + i] = v[i0 + i]
        else:
            for i in range(6):
                s = 0.0
                for j in range(nd):
                    s += T[k, i, j] * v[i0 + j]
                K[k, place + i] = s


@block
def end_tangents(nodes: I2, dq: A1, E: A2) -> B1:
    """E[k] = T(theta) of the rotation increments of nodes that rotate freely (the others turn about a fixed axis and need
    none). Returns whether any matters."""
    matters = False
    for k in range(nodes.shape[0]):
        o = nodes[k, FREE]
        if o >= 0:
            theta = (dq[o], dq[o + 1], dq[o + 2])
            if abs(theta[0]) + abs(theta[1]) + abs(theta[2]) > 1e-3:
                matters = True
            M = tangent_operator(theta)
            for i in range(9):
                E[k, i] = M[i]
    return matters
