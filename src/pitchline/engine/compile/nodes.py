"""Nodes: coordinates of a pose, and snapshots of a state.

A node has a pose (x_WN, R_WN), a velocity and an acceleration with six components (x in world axes, rotation in node axes),
and nd <= 6 coordinates. A constant 6 x nd map T relates them:

    V = T v,   A = T dv/dt,   pose <- pose o exp(T delta q)

Free bodies have T = 1. A body with a revolute joint to ground has its node on the axis, and T is that axis. Sliding, planar, screw,
cylindrical and spherical nodes are similar. Because T is constant, there is no geometric term, and the same code is used for
all. Node 0 is the ground, which does not move.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from pitchline.model.model import Model
from pitchline.numerics.machine_code.compiled import A1, B1, V2, V3, block, leaf
from pitchline.numerics.vectors import add, matrix_of, tangent_operator, turned

from .signal_pass import NodeMap, SystemRecord


@leaf
def translation(node: NodeMap, a: A1) -> V3:
    """First three components of T a."""
    i = node.first
    if node.count == 6:
        return (a[i], a[i + 1], a[i + 2])
    T = node.T
    x0 = 0.0
    x1 = 0.0
    x2 = 0.0
    for j in range(node.count):
        d = a[i + j]
        x0 += T[0, j] * d
        x1 += T[1, j] * d
        x2 += T[2, j] * d
    return (x0, x1, x2)


@leaf
def rotation(node: NodeMap, a: A1) -> V3:
    """Last three components of T a."""
    i = node.first
    if node.count == 6:
        return (a[i + 3], a[i + 4], a[i + 5])
    T = node.T
    t0 = 0.0
    t1 = 0.0
    t2 = 0.0
    for j in range(node.count):
        d = a[i + j]
        t0 += T[3, j] * d
        t1 += T[4, j] * d
        t2 += T[5, j] * d
    return (t0, t1, t2)


@block
def move(sys: SystemRecord):
    """Poses of the nodes, and own coordinates: the accepted ones plus the increments."""
    dq = sys.dq
    for k in range(1, sys.n_nodes):
        start = sys.pose0[k]
        end = sys.pose[k]
        body = sys.bodies[k]
        node = sys.nodes[k]
        end.x = add(start.x, translation(node, dq))
        q = turned(start.q, rotation(node, dq))
        end.q = q
        body.x = end.x
        body.R = matrix_of(q)
    own0 = sys.own0
    own = sys.own
    first = sys.first_own
    for i in range(sys.n_own):
        own[i] = own0[i] + dq[first + i]


@block
def spread_rates(sys: SystemRecord):
    """Velocities and accelerations of the nodes."""
    v = sys.v
    vd = sys.vd
    for k in range(1, sys.n_nodes):
        body = sys.bodies[k]
        node = sys.nodes[k]
        body.v = translation(node, v)
        body.w = rotation(node, v)
        body.a = translation(node, vd)
        body.al = rotation(node, vd)


@block
def rest(sys: SystemRecord):
    """Set velocities and accelerations of nodes and own coordinates to zero."""
    zero = (0.0, 0.0, 0.0)
    for k in range(1, sys.n_nodes):
        body = sys.bodies[k]
        body.v = zero
        body.w = zero
        body.a = zero
        body.al = zero
    first = sys.first_own
    for i in range(first, first + sys.n_own):
        sys.v[i] = 0.0
        sys.vd[i] = 0.0


@block
def largest_motion(sys: SystemRecord, a: A1) -> V2:
    """(largest rotation, largest translation) of a node in T a."""
    turn = 0.0
    way = 0.0
    for k in range(1, sys.n_nodes):
        node = sys.nodes[k]
        x = translation(node, a)
        w = rotation(node, a)
        turn = max(turn, w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        way = max(way, x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    return (math.sqrt(turn), math.sqrt(way))


@block
def end_tangents(sys: SystemRecord) -> B1:
    """Tangent operators of the rotation increments of freely rotating nodes (the others rotate about a fixed axis and need
    none). Return whether any differs from 1."""
    matters = False
    dq = sys.dq
    for k in range(1, sys.n_nodes):
        o = sys.nodes[k].free
        if o >= 0:
            theta = (dq[o], dq[o + 1], dq[o + 2])
            if abs(theta[0]) + abs(theta[1]) + abs(theta[2]) > 1e-3:
                matters = True
            sys.turns[k].M = tangent_operator(theta)
    return matters


# ---- snapshot

# Snapshot: poses, velocities and joint angles by name, passed from one analysis to the next.


@dataclass
class Snapshot:
    """Position and motion of every body. Body origin in world axes, angular velocity in world axes."""

    t: float
    position: dict[str, np.ndarray]
    orientation: dict[str, np.ndarray]  # rotation matrices R_WB
    velocity: dict[str, np.ndarray]
    angular_velocity: dict[str, np.ndarray]
    angle: dict[str, float] = field(default_factory=dict)
    """Joint angles including full revolutions."""
    mesh: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """For gear pairs: psi_A and psi_B including full revolutions, and the approach of the teeth along the hoop."""
    own: dict[str, np.ndarray] = field(default_factory=dict)
    """For elements: open coordinates, "ELEMENT.COORDINATE", and rates, "ELEMENT.COORDINATE_rate". It may contain other values."""
    memory: dict[str, np.ndarray] = field(default_factory=dict)
    """For elements with outputs: memory, "ELEMENT.memory" (see `kept_memory`)."""

    @staticmethod
    def of_model(model: Model, t: float = 0.0) -> "Snapshot":
        """Initial conditions of the model."""
        bodies = model.bodies
        return Snapshot(
            t,
            {n: np.array(b.position) for n, b in bodies.items()},
            {n: np.array(b.orientation) for n, b in bodies.items()},
            {n: np.array(b.velocity) for n, b in bodies.items()},
            {n: np.array(b.angular_velocity) for n, b in bodies.items()},
        )
