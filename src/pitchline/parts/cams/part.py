"""Disc cams: one that pushes a follower, which may lift off, and one with a groove that guides it.

Disc cam that pushes a follower, which may lift off.

With the gap g of `kernel`, the depth -g and its rate, the normal force is

    N = k (-g) - c dg/dt   while g < 0, never pulling.
"""

import math
from collections.abc import Callable
from typing import Any

from pitchline.engine.elements.contract import turning
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

from .kernel import cam_gap, contact_place, contact_radius, gap_rate, gap_stiffness
from .law import mounted, mounting_problems, unknown_direction
from .profile import CamProfile


def random_profile(rng: Any) -> CamProfile:
    """Profile for checks, with a size of about one metre, as the bodies in checks."""
    width = rng.uniform(120.0, 200.0)
    segments = [
        ("polynomial_345", f"{width} deg", rng.uniform(0.1, 0.2)),
        ("dwell", "30 deg"),
        ("cycloidal", f"{330.0 - width} deg", 0.0),
    ]
    return CamProfile.from_lift(segments, base_radius=rng.uniform(1.0, 2.0))


PROFILES: dict[str, Callable[..., CamProfile]] = {
    "lift": CamProfile.from_lift,
    "lift_table": CamProfile.from_lift_table,
    "points": CamProfile.from_points,
    "csv": CamProfile.from_csv,
}
"""Constructors of profiles, by their kind in model files."""


class Cam(Element):
    """Disc cam in contact with a roller or flat follower, which may lift off."""

    key = "cam"
    a = frame("cam: z of this frame is its axis; points of an outline are in its axes")
    b = frame("follower: centre of the roller, or a point of the flat face")
    profile = description(PROFILES, "cam, defined by the lift of its follower or by its outline", check=random_profile)
    stiffness = number("N/m", "contact stiffness: normal force per penetration", least=0.0)
    damping = number("N*s/m", "contact damping: normal force per rate of penetration", 0.0, least=0.0, check=(0.1, 1.0))
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
    change = scratch("of the force", 12)
    force = signal("N", "force on the follower", 3)
    normal_force = signal("N", "normal force")
    torque = signal("N*m", "moment on the cam about its axis")
    gap = signal("m", "distance between follower and cam, negative in contact")
    pressure_angle = signal("rad", "angle between the motion of the roller and the normal force")
    contact_point = signal("m", "point of contact, on the follower", 3)
    contact_pressure = signal("Pa", "largest Hertzian pressure")

    @staticmethod
    def derive(values):
        return mounted(values, groove=False)

    @staticmethod
    def problems(values, what):
        return mounting_problems(values, what, groove=False)

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
        if gap >= 0.0:
            return
        c = ask.damp * s.damping
        speed = gap_rate(g, x.a, x.b)
        N = -s.stiffness * gap - c * speed
        if N <= 0.0:
            ask.power_out += -s.stiffness * gap * speed
            return
        ask.power_out += c * speed * speed
        for i in range(12):
            r[i] -= N * g[i]
        if ask.mode == TANGENT:
            # dN = -k g dq - c (V^T H dq + g dv), r = -N g
            gap_stiffness(s.a, s.b, s.direction, x.a, x.b, w.basis, w.first, w.second, J)
            change = w.change
            for j in range(12):
                turn = turning(J, j, x.a, x.b)
                change[j] = ask.K * (s.stiffness * g[j] + c * turn) + ask.D * c * g[j]
            for i in range(12):
                for j in range(12):
                    J[i, j] = g[i] * change[j] - ask.K * N * J[i, j]

    def report(s, m, x, w, ask, out):
        g = w.gradient
        gap = cam_gap(s.a, s.b, s.face, s.direction, s.curve, x.a, x.b, w.basis, w.first, w.second, g)
        out.gap = gap
        n = (g[6], g[7], g[8])
        N = 0.0
        if gap < 0.0:
            c = ask.damp * s.damping
            speed = gap_rate(g, x.a, x.b)
            N = -s.stiffness * gap - c * speed
            out.potential = 0.5 * s.stiffness * gap * gap
            out.power_out = c * speed * speed
            if N <= 0.0:
                N = 0.0
                out.power_out = -s.stiffness * gap * speed
        out.normal_force = N * math.sqrt(dot(n, n))
        out.force = mul(N, n)
        axis = mv(x.a.R, (s.a.axes[2], s.a.axes[5], s.a.axes[8]))
        moment = sub(mul(N, mv(x.a.R, (g[3], g[4], g[5]))), cross(mv(x.a.R, s.a.at), mul(N, (g[0], g[1], g[2]))))
        out.torque = dot(axis, moment)
        way = mv(x.b.R, mv(s.b.axes, s.direction))
        out.pressure_angle = math.atan2(dot(cross(way, n), axis), dot(way, n))
        out.contact_point = contact_place(s.face, s.roller_radius, g, s.curve, s.a, s.b, s.direction, x.a, x.b)
        if s.width > 0.0 and N > 0.0:
            radius = contact_radius(s.face, s.roller_radius, s.curve, s.a, s.b, s.direction, x.a, x.b)
            out.contact_pressure = math.sqrt(N * s.modulus / (math.pi * s.width * radius))


# ---- grooved cam

# Disc cam that guides its follower in both directions: one constraint, the gap of `kernel` is zero.
#
# The multiplier is the negative normal force, because the gradient of the gap has the length 1 on the path of the
# follower.


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
