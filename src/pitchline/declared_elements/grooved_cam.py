"""Disc cam that guides its follower in both directions: one constraint, the gap of `elements.cam_gap` is zero.

The multiplier is the negative normal force, because the gradient of the gap has the length 1 on the path of the follower.
"""

import math

from pitchline.cams.mounting import mounted, mounting_problems, unknown_direction
from pitchline.declared_elements.cam import PROFILES, random_profile
from pitchline.elements.cam_gap import cam_gap, contact_place, contact_radius, gap_rate, gap_stiffness
from pitchline.extend import (
    RATE,
    TANGENT,
    Element,
    choice,
    cross,
    derived,
    description,
    dot,
    frame,
    mul,
    mv,
    number,
    scratch,
    signal,
    sub,
    vector,
)


class GroovedCam(Element):
    """Disc cam that guides its follower in both directions: a roller in a groove, or a pair of conjugate cams."""

    key = "grooved_cam"
    rows = ("length",)
    exchanges_power = False
    a = frame("cam: z of this frame is its axis; points of an outline are in its axes")
    b = frame("follower: centre of the roller, or a point of the flat face")
    profile = description(PROFILES, "cam, defined by the lift of its follower or by its outline", check=random_profile)
    roller_radius = number("m", "radius of the roller, 0 for a knife edge", None, least=0.0, check=(0.1, 0.2))
    face = choice(("roller", "flat"), "type of the follower", "roller")
    direction = vector(
        "", "flat face: normal, away from the cam; roller: direction of motion; world axes in the initial pose", None
    )
    cam_angle = number("rad", "cam angle in the initial pose, on the scale of the lift", 0.0, check=(0.4, 1.4))
    width = number("m", "contact width, for contact_pressure", None, least=0.0)
    modulus = number(
        "Pa", "contact modulus 1/((1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2); default: steel on steel", 115.4e9, least=0.0
    )
    curve = derived("pitch curve or support function", "m", "pieces", columns=7)
    basis = scratch("gradients of the variables of the gap", 6, columns=12)
    first = scratch("derivatives of the gap with respect to them", 6)
    second = scratch("second derivatives", 6, columns=6)
    gradient = scratch("of the gap", 12)
    force = signal("N", "force on the follower", 3)
    normal_force = signal("N", "normal force, positive away from the cam axis")
    torque = signal("N*m", "moment on the cam about its axis")
    gap = signal("m", "distance of the follower from its path")
    pressure_angle = signal("rad", "angle between the motion of the roller and the normal force")
    contact_point = signal("m", "point of contact, on the follower", 3)
    contact_pressure = signal("Pa", "largest Hertzian pressure on the inner side; 0 while the follower is pulled")

    @staticmethod
    def derive(values):
        return mounted(values, groove=True)

    @staticmethod
    def problems(values, what):
        return mounting_problems(values, what, groove=True)

    @staticmethod
    def warnings(values):
        return values["profile"].warnings

    @staticmethod
    def hidden_signals(values):
        hidden = set() if values["width"] else {"contact_pressure"}
        return hidden | ({"pressure_angle"} if values["face"] == "flat" or unknown_direction(values) else set())

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        gap = cam_gap(s.a, s.b, s.face, s.direction, s.curve, x.a, x.b, w.basis, w.first, w.second, g)
        if ask.mode == RATE:
            r[12] += gap_rate(g, x.a, x.b)
            return
        l = x.lam[0]
        r[12] += gap
        for i in range(12):
            r[i] += l * g[i]
        if ask.mode == TANGENT:
            gap_stiffness(s.a, s.b, s.direction, x.a, x.b, w.basis, w.first, w.second, J)
            for i in range(12):
                for j in range(12):
                    J[i, j] *= ask.K * l
            for i in range(12):
                J[12, i] += g[i]
                J[i, 12] += g[i]

    def report(s, m, x, w, ask, out):
        g = w.gradient
        gap = cam_gap(s.a, s.b, s.face, s.direction, s.curve, x.a, x.b, w.basis, w.first, w.second, g)
        out.gap = gap
        n = (g[6], g[7], g[8])
        N = -x.lam[0]
        out.normal_force = N * math.sqrt(dot(n, n))
        out.force = mul(N, n)
        axis = mv(x.a.R, (s.a.axes[2], s.a.axes[5], s.a.axes[8]))
        moment = sub(mul(N, mv(x.a.R, (g[3], g[4], g[5]))), cross(mv(x.a.R, s.a.at), mul(N, (g[0], g[1], g[2]))))
        out.torque = dot(axis, moment)
        way = mv(x.b.R, mv(s.b.axes, s.direction))
        out.pressure_angle = math.atan2(dot(cross(way, n), axis), dot(way, n))
        out.contact_point = contact_place(s.face, s.roller_radius, g, s.curve, s.a, s.b, s.direction, x.a, x.b)
        if s.width > 0.0 and N > 0.0:  # the geometry of the other side of a groove is not known
            radius = contact_radius(s.face, s.roller_radius, s.curve, s.a, s.b, s.direction, x.a, x.b)
            out.contact_pressure = math.sqrt(N * s.modulus / (math.pi * s.width * radius))
