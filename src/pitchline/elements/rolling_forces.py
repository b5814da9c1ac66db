"""Forces of a rolling bearing without rotation of the cage, without gradients: a third of the time if no tangent is requested.

With d = R_A^T (x_B + R_B p_B - x_A), z the axis of the inner ring in node B, z_A = R_A^T R_B z the same seen from A, F_A the axes
of the outer ring in node A, f = F_A (w_1, w_2, w_3) and t = F_A (w_5, -w_4, 0), the sum of gradients times efforts, G^T w, is

    -R_A f ,   f x d + t x z_A   on A ,      R_A f ,   p_B x R_B^T R_A f + z x R_B^T R_A t   on B .
"""

from ..math.compiled import A1, F8, block
from ..math.vectors import add, add_vec, cross, mtv, mul, mv, sub
from .contract import Node, Placed
from .rolling_balls import add_balls
from .rolling_bearing import BearingWork, RollingLaw, add_flange
from .rolling_rollers import add_roller_forces

__all__ = ["add_bearing_forces"]


@block
def add_bearing_forces(
    s: RollingLaw, fa: Placed, fb: Placed, a: Node, b: Node, damp: F8, work: BearingWork, r: A1
) -> F8:
    """Add G^T w of five deflections to r; return the power dissipated by damping."""
    e = work.e
    effort = work.effort
    RA = a.R
    RB = b.R
    axes = fa.axes
    p = fb.at
    z = (fb.axes[2], fb.axes[5], fb.axes[8])
    d = mtv(RA, sub(add(b.x, mv(RB, p)), a.x))
    zA = mtv(RA, mv(RB, z))
    shift = mtv(axes, sub(d, fa.at))
    lean = mtv(axes, zA)
    e[0] = shift[0]
    e[1] = shift[1]
    e[2] = shift[2]
    e[3] = -lean[1]
    e[4] = lean[0]
    e[5] = 0.0
    for i in range(6):
        effort[i] = 0.0
    if s.rollers_roll:
        add_roller_forces(s.rollers, e, effort)
        add_flange(s, work)
    else:
        work.most.outer = 0.0
        add_balls(s.balls, e, effort, work.stiffness, work.most, 0)
    loss = 0.0
    if s.damped:
        moving = sub(mtv(RA, sub(add(b.v, mv(RB, cross(b.w, p))), a.v)), cross(a.w, d))
        leaning = mtv(axes, sub(mtv(RA, mv(RB, cross(b.w, z))), cross(a.w, zA)))
        shifting = mtv(axes, moving)
        c = damp * s.damping
        effort[0] += c * shifting[0]
        effort[1] += c * shifting[1]
        effort[2] += c * shifting[2]
        loss = c * (shifting[0] ** 2 + shifting[1] ** 2 + shifting[2] ** 2)
        c = damp * s.tilt_damping
        effort[3] -= c * leaning[1]
        effort[4] += c * leaning[0]
        loss += c * (leaning[0] ** 2 + leaning[1] ** 2)
    f = mv(axes, (effort[0], effort[1], effort[2]))
    t = mv(axes, (effort[4], -effort[3], 0.0))
    force = mv(RA, f)
    add_vec(r, 0, mul(-1.0, force))
    add_vec(r, 3, add(cross(f, d), cross(t, zA)))
    add_vec(r, 6, force)
    add_vec(r, 9, add(cross(p, mtv(RB, force)), cross(z, mtv(RB, mv(RA, t)))))
    return loss
