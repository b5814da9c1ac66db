"""Force and moment on a body along an axis z fixed in it, that depend on the speed v along z and the spin w about z.

With the point p and z in node axes, the world direction R z and the velocity u of the point

    v = (R z).u ,   w = z.omega ,   force F(v, w) R z at p,   moment M(v, w) z .
"""

from ..math.compiled import A1, A2, F8, V2, V3, block, leaf
from ..math.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew
from .contract import Ask, Node
from .point_force import point_velocity


@leaf
def axial_speeds(a: Node, p: V3, z: V3) -> V2:
    """Speed of the point along z, and spin about z."""
    return (dot(mtv(a.R, point_velocity(a, p)), z), dot(z, a.w))


@leaf
def add_axial(r: A1, a: Node, p: V3, z: V3, force: F8, moment: F8):
    """Add force and moment on the body to the residual, rows 0 to 5."""
    add_vec(r, 0, mul(-force, mv(a.R, z)))
    add_vec(r, 3, add(mul(-force, cross(p, z)), mul(-moment, z)))


@block
def add_axial_tangent(J: A2, a: Node, p: V3, z: V3, ask: Ask, force: F8, by_v: V2, by_w: V2):
    """Add their derivatives. by_v, by_w: derivatives of (force, moment) with respect to v and w."""
    K = ask.K
    D = ask.D
    world = mv(a.R, z)
    arm = cross(p, z)
    u = mtv(a.R, point_velocity(a, p))
    turning = add(mul(D, arm), mul(K, add(cross(cross(a.w, p), z), cross(z, u))))
    # row of v: D world . dv + turning . dtheta; row of w: D z . dtheta
    add_mat(J, 0, 0, -by_v[0] * D, outer(world, world))
    add_mat(J, 0, 3, -by_v[0], outer(world, turning))
    add_mat(J, 0, 3, -by_w[0] * D, outer(world, z))
    add_mat(J, 0, 3, K * force, mm(a.R, skew(z)))
    moment_v = add(mul(by_v[0], arm), mul(by_v[1], z))
    moment_w = add(mul(by_w[0], arm), mul(by_w[1], z))
    add_mat(J, 3, 0, -D, outer(moment_v, world))
    add_mat(J, 3, 3, -1.0, outer(moment_v, turning))
    add_mat(J, 3, 3, -D, outer(moment_w, z))
