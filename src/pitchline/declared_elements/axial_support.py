"""Support along an axis in one direction: the flange of a bearing, a thrust bearing, a shoulder.

With the displacement s = z_A . (o_B - o_A), the direction d = +1 or -1, and the clearance c, the depth and the force on the second
body are

    e = d s - c ,    F = -d (k e + b de/dt) z_A    where e >= 0 and the force presses, otherwise 0.

Rotation, tilt and displacement across the axis are free.
"""

from pitchline.elements.frame_deflection import deflection, deflection_stiffness
from pitchline.elements.scalar_geometry import rate, turning
from pitchline.extend import TANGENT, Element, choice, derived, frame, mm, mul, number, scratch, signal
from pitchline.math.compiled import F8, V3, leaf

SIDES = {"positive": 1.0, "negative": -1.0}


@leaf
def _law(k: F8, c: F8, e: F8, v: F8) -> V3:
    """Force against the depth, and its derivatives by depth and rate."""
    force = k * e + c * v
    if e < 0.0 or force < 0.0:
        return (0.0, 0.0, 0.0)
    return (force, k, c)


class AxialSupport(Element):
    """Support of a body along the axis of another one in one direction, with stiffness and clearance; it never pulls."""

    key = "axial_support"
    meeting = True
    a = frame("supporting body: z is the axis")
    b = frame("supported body")
    stiffness = number("N/m", "stiffness along the axis", least=0.0)
    direction = choice(
        tuple(SIDES), "direction of the forces on the second body that are carried: along z, or against it"
    )
    clearance = number("m", "axial clearance in the initial pose", 0.0, least=0.0, check=(0.0, 0.1))
    damping = number("N*s/m", "damping along the axis", 0.0, least=0.0, check=(0.1, 1.0))
    side = derived("+1 or -1")
    g = scratch("gradient of the displacement", 12)
    turn = scratch("derivative of its rate", 12)
    force = signal("N", "force on the second body at the origin of its frame", 3)
    axial_force = signal("N", "force on the second body along the axis of the first")
    displacement = signal("m", "displacement of the second body along the axis of the first")
    gap = signal("m", "distance until contact; negative: deformation")

    @staticmethod
    def derive(values):
        return {"side": SIDES[values["direction"]]}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        c = ask.damp * s.damping
        e = s.side * deflection(s.a, s.b, 0.0, x.a, x.b, 2, g) - s.clearance
        v = s.side * rate(g, x.a, x.b)
        f, k, b = _law(s.stiffness, c, e, v)
        # where the damping would pull there is no force, and the energy of the spring is dissipated
        ask.power_out += (f - s.stiffness * max(e, 0.0)) * v
        if k == 0.0 and b == 0.0:
            return
        if ask.mode == TANGENT:
            turn = w.turn
            if b != 0.0:
                deflection_stiffness(s.a, s.b, x.a, x.b, 2, 1.0, J)
                for j in range(12):
                    turn[j] = turning(J, j, x.a, x.b)
                for i in range(12):
                    for j in range(12):
                        J[i, j] = 0.0
            else:
                for j in range(12):
                    turn[j] = 0.0
            deflection_stiffness(s.a, s.b, x.a, x.b, 2, ask.K * s.side * f, J)
            for i in range(12):
                for j in range(12):
                    J[i, j] += g[i] * ((ask.K * k + ask.D * b) * g[j] + ask.K * b * turn[j])
        for i in range(12):
            r[i] += s.side * f * g[i]

    def report(s, m, x, w, ask, out):
        s_z = deflection(s.a, s.b, 0.0, x.a, x.b, 2, w.g)
        e = s.side * s_z - s.clearance
        v = s.side * rate(w.g, x.a, x.b)
        f, _, _ = _law(s.stiffness, ask.damp * s.damping, e, v)
        axes = mm(x.a.R, s.a.axes)
        out.force = mul(-s.side * f, (axes[2], axes[5], axes[8]))
        out.axial_force = 0.0 - s.side * f
        out.displacement = s_z
        out.gap = -e
        pressed = max(e, 0.0)
        out.potential = 0.5 * s.stiffness * pressed * pressed
        out.power_out = (f - s.stiffness * pressed) * v
