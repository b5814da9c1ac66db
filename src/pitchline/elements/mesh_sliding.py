"""Coordinate of the friction of a gear mesh: the sliding of its teeth along themselves, or the rotation that has losses.

Friction: at the pitch point teeth slide along their length eta1 while the wheels rotate. The coordinate is the displacement along
eta1 of the point of A relative to the point of B at C_B. Losses: the relative rotation of the wheels about L = mu1 + (c_A/c_B) xi1
(mu1 for a rack). With the tooth force f along the hoop and the direction of motion d = +1 or -1, the effort against the motion is

    friction: d mu(|v|) |f| / cos(alpha),     losses: d l |f|,  l the lever of the wheel that drives (A if f d > 0).

Friction on the path of contact is a moment against the same rotation, with the lever mu g/cos(alpha) (`mesh_friction`).

The anchor stores where teeth stick: the point C_B in the axes of both nodes, or the rotation of B relative to A. The coordinate is
measured from there. Sliding across the teeth, up and down their profile, has no friction: it occurs only if centres or elastic
teeth move.
"""

import math

from ..math.compiled import A1, B1, F8, V3, block, leaf
from ..math.fields import NUMBER, embedded, fields, inline
from ..math.vectors import add, cross, dot, mm, mtv, mul, mv, set_vec, sub, tr, vec
from .contract import Node
from .mesh_friction import friction_coefficient, relative_axis
from .mesh_law import NO_FRICTION, Law
from .mesh_records import MeshFrame, MeshMemory, MeshParameters, MeshScratch
from .mesh_wrench import put_work
from .sticking import MEMORY, SCRATCH

RubbingPair = fields(
    "RubbingPair",
    pair=embedded(MeshParameters),
    rub=embedded(Law),  # friction and losses; those of `pair` are zero
    reference=NUMBER,  # mass or inertia that scales the row, and its compliance; written by the compile step
    compliance=NUMBER,
)
RubbingMemory = fields("RubbingMemory", law=inline(MEMORY), mesh=embedded(MeshMemory), anchor=inline(9))
RubbingScratch = fields(
    "RubbingScratch",
    mesh=embedded(MeshScratch),
    step=inline(SCRATCH),
    limits=inline(2),
    g=inline(12),  # gradient of the coordinate, rotations in node axes
    by_motion=inline(12),  # derivative of the tooth force
)

ROLLED = 1e-3
"""Distance of C_B from the anchor, as a fraction of the pitch, after which the anchor follows: teeth that hold each other along
their length can roll."""


@leaf
def slides(s: RubbingPair) -> B1:
    """Whether the coordinate is the sliding of the teeth; otherwise a rotation."""
    return s.rub.friction != NO_FRICTION and s.rub.path == 0.0


@leaf
def loss_axis(s: RubbingPair, frame: MeshFrame) -> V3:
    """Unit vector along the relative rotation of wheels in mesh."""
    axis = relative_axis(s.pair.geometry, frame)
    return mul(1.0 / math.sqrt(dot(axis, axis)), axis)


@block
def sliding_gradient(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, g: A1):
    """Gradient of the coordinate, rotations in node axes."""
    if slides(s):
        e = frame.e1
        put_work(g, e, mtv(a.R, cross(e, frame.arm_a)), mtv(b.R, cross(e, frame.arm_b)))
    else:
        axis = loss_axis(s, frame)
        put_work(g, (0.0, 0.0, 0.0), mtv(a.R, axis), mul(-1.0, mtv(b.R, axis)))


@block
def set_anchor(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, anchor: A1):
    """Measure the coordinate from the present position."""
    if slides(s):
        set_vec(anchor, 0, mul(-1.0, mtv(a.R, frame.arm_a)))
        set_vec(anchor, 3, mtv(b.R, frame.arm_b))
        set_vec(anchor, 6, (0.0, 0.0, 0.0))
    else:
        Q = mm(tr(a.R), b.R)
        for i in range(9):
            anchor[i] = Q[i]


@block
def position_from_anchor(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, anchor: A1) -> F8:
    """The coordinate."""
    if slides(s):
        apart = sub(add(a.x, mv(a.R, vec(anchor, 0))), add(b.x, mv(b.R, vec(anchor, 3))))
        return dot(frame.e1, apart)
    Q = (anchor[0], anchor[1], anchor[2], anchor[3], anchor[4], anchor[5], anchor[6], anchor[7], anchor[8])
    E = mm(mm(a.R, Q), tr(b.R))
    turned = (0.5 * (E[7] - E[5]), 0.5 * (E[2] - E[6]), 0.5 * (E[3] - E[1]))
    return dot(loss_axis(s, frame), turned)


@leaf
def has_rolled(s: RubbingPair, frame: MeshFrame, a: Node, anchor: A1) -> B1:
    """Whether the pitch point has moved away from the anchor."""
    if not slides(s):
        return False
    way = add(mtv(a.R, frame.arm_a), vec(anchor, 0))
    return dot(way, way) > (ROLLED * s.pair.geometry.pitch) ** 2


@leaf
def grip(s: RubbingPair, functions: A1, f: F8, sign: F8, v: F8) -> V3:
    """Effort over |f|, without sign, and its derivatives by the speed and by |f|, in a direction of motion."""
    if s.rub.friction == NO_FRICTION:
        return (s.rub.loss_lever_a if f * sign > 0.0 else s.rub.loss_lever_b, 0.0, 0.0)
    ca = s.pair.geometry.cos_alpha
    reach = 1.0 if slides(s) else s.rub.path
    mu = friction_coefficient(s.rub, functions, reach * abs(v), abs(f) / ca)
    return (reach * mu[0] / ca, reach * reach * mu[1] / ca, reach * mu[2] / (ca * ca))
