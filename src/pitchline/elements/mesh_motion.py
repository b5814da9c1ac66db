"""Position and motion of two wheels in mesh: frame, approach, rates, revolutions. Common to all laws of a mesh."""

import math

import numpy as np

from ..math.compiled import F8, I8, block, leaf
from ..math.vectors import cross, dot, mv, sub
from .contract import Node
from .mesh_engagement import engagement, in_place, wrong_teeth
from .mesh_frame import mesh_frame, solve
from .mesh_geometry import Geometry
from .mesh_limits import CONTACT_ENDS
from .mesh_records import FIRST_LOOK, IN_MESH_STILL, PARTED, MeshFrame, MeshMemory, MeshParameters, MeshScratch
from .mesh_tilt import tilts_of

TWO_PI = 2.0 * math.pi


@leaf
def unwrapped(angle: F8, reference: F8) -> F8:
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def approach_of(g: Geometry, m: MeshMemory, f: MeshFrame) -> F8:
    """u from principal angles and whole teeth."""
    teeth = m.teeth + g.teeth_a * np.round((m.psi_a - f.psi_a) / TWO_PI)
    if g.rack == 0:
        teeth += g.teeth_b * np.round((m.psi_b - f.psi_b) / TWO_PI)
    return g.lever_a * f.psi_a + g.lever_b * f.psi_b + g.pitch * teeth


@block
def mesh_motion(pair: MeshParameters, m: MeshMemory, a: Node, b: Node, w: MeshScratch) -> I8:
    """Frame, approach and rates of a state: `w.frame`, `w.engaged`, `w.hoop`, `w.motion`. 0 if the wheels are out of mesh."""
    g = pair.geometry
    f = w.frame
    if mesh_frame(g, a, b, f) == 0:
        return 0
    e2 = f.e2
    h3 = f.h3
    wA = mv(a.R, a.w)
    wB = mv(b.R, b.w)
    relative = sub(sub(sub(a.v, b.v), cross(wA, f.arm_a)), cross(wB, f.arm_b))
    spin = sub(wA, wB)
    rate_a, rate_b = solve(f, dot(f.e3, relative), dot(cross(e2, h3), spin))
    motion = w.motion
    motion.closer = engagement(pair, f, w.engaged)
    u = approach_of(g, m, f)
    u -= g.pitch * wrong_teeth(pair, u, m.state, w.engaged)
    motion.approach = u
    # zero if the pitch points coincide: the point moves along the pitch surfaces
    by_a = dot(f.e2p, f.centre)
    by_b = dot(e2, f.travel)
    motion.closer_a = by_a
    motion.closer_b = by_b
    motion.closer_rate = dot(e2, relative) + by_a * rate_a + by_b * rate_b
    motion.relative = relative
    motion.spin = spin
    hoop = w.hoop
    hoop.psi_a = f.psi_a
    hoop.psi_b = f.psi_b
    hoop.rate_a = rate_a
    hoop.rate_b = rate_b
    hoop.u = u
    hoop.rate = g.lever_a * rate_a + g.lever_b * rate_b
    hoop.closing = 0.0
    hoop.backlash = pair.law.backlash
    hoop.tilt = dot(f.e1, h3) if pair.law.width > 0.0 else 0.0
    if pair.law.tilted != 0:
        tilts_of(pair.law, f, hoop)
    return 1


@block
def count_turns(pair: MeshParameters, m: MeshMemory, a: Node, b: Node, w: MeshScratch) -> I8:
    """Store revolutions and teeth of an accepted state in the memory. 1 the first time, 0 later, -1 out of mesh."""
    g = pair.geometry
    f = w.frame
    if mesh_frame(g, a, b, f) == 0:
        if m.state != FIRST_LOOK:
            m.state = PARTED
        return -1
    if m.state == FIRST_LOOK:  # the teeth closest to each other mesh
        m.psi_a = f.psi_a
        m.psi_b = f.psi_b
        m.teeth = 0.0
        m.teeth = -np.round(approach_of(g, m, f) / g.pitch)
        m.state = IN_MESH_STILL
        return 1
    m.psi_a = unwrapped(f.psi_a, m.psi_a)
    m.psi_b = unwrapped(f.psi_b, m.psi_b) if g.rack == 0 else f.psi_b
    engagement(pair, f, w.engaged)
    m.teeth -= wrong_teeth(pair, approach_of(g, m, f), m.state, w.engaged)
    m.state = IN_MESH_STILL if pair.limits.ends != CONTACT_ENDS or in_place(pair.limits, w.engaged) else PARTED
    return 0
