"""Data of a beam element (`BeamData`) and its values during an evaluation (`BeamWork`)."""

from ..math.fields import INTEGER, NUMBER, VECTOR, embedded, fields, inline
from .contract import Placed

BeamData = fields(
    "Beam",
    a=embedded(Placed),  # section frames in node axes, z along the beam
    b=embedded(Placed),
    plain=INTEGER,  # 1: both section frames are the frames of their nodes
    rest=inline(6),  # d0: log of the motion from one section frame to the other, undeformed
    stiffness=inline(6, 6),  # on d - d0
    damping=inline(6, 6),  # on the rate of d
    damped=INTEGER,
    mass=inline(12, 12),  # on the body velocities of both nodes, in their axes
    gravity=VECTOR,  # world axes
    weight_a=NUMBER,  # mass at each node for gravity, and its static moment about the node
    weight_b=NUMBER,
    moment_a=VECTOR,
    moment_b=VECTOR,
)
BeamWork = fields(
    "BeamWork",
    d=inline(6),
    rate=inline(6),  # of d
    n=inline(6),  # K (d - d0) + C rate: force and moment on d
    c=VECTOR,  # coefficient of T^-1 and its derivatives
    P=inline(6, 12),  # d by motions of both nodes in their axes
    velocity=inline(12),  # body velocities of both nodes
    momentum=inline(12),
    acceleration=inline(12),  # rate of the body velocities
    force=inline(12),  # elastic and inertial, in node axes
    by_d=inline(12, 6),  # forces by d
    on_d=inline(6, 6),  # n by d
    PC=inline(12, 6),  # P^T C
    turned=inline(12, 12),  # -ad_v^T M - N(p)
    tangent=inline(12, 12),  # in node axes
)
