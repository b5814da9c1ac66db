"""Rolling bearings and axial supports as elements of a model. Their equations are in `kernel`."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import rate, turning
from pitchline.extend import (
    TANGENT,
    Element,
    choice,
    derived,
    description,
    flag,
    frame,
    memory,
    mm,
    mul,
    number,
    scratch,
    signal,
)
from pitchline.numerics.machine_code.compiled import F8, V3, leaf

from ..flexible.kernel_elastic import deflection, deflection_stiffness
from .ball_types import DeepGrooveBall
from .design import CAGES
from .kernel import (
    BearingWork,
    RollingLaw,
    add_bearing_forces,
    add_bearing_residual,
    add_bearing_tangent,
    bearing_effort,
    bearing_loss,
    force_on_inner,
    largest_pressure,
    moment_on_inner,
    rolling_record,
    work_over,
)
from .life import FRICTIONS, friction_constants
from .mounting import BEARING_KINDS, mounted, rating_warnings

# ---- axial support

# Support along an axis in one direction: the flange of a bearing, a thrust bearing, a shoulder.
#
# With the displacement s = z_A . (o_B - o_A), the direction d = +1 or -1, and the clearance c, the depth and the
# force on the second body are
#
# e = d s - c , F = -d (k e + b de/dt) z_A where e >= 0 and the force presses, otherwise 0.
#
# Rotation, tilt and displacement across the axis are free.

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


def _for_checks(rng: np.random.Generator) -> Any:
    """Bearing for checks. Its grooves are as narrow as the balls: all balls are in contact, and forces are smooth."""
    balls = int(rng.integers(3, 9))
    return DeepGrooveBall(balls=balls, ball=0.2, pitch=1.0, static_rating=1e6, inner_groove=0.5001, outer_groove=0.5001)


class RollingBearing(Element):
    """Rolling bearing between an outer and an inner ring, with clearance and load-dependent stiffness."""

    key = "bearing"
    meeting = True
    a = frame("outer ring")
    b = frame("inner ring")
    design = description(BEARING_KINDS, "bearing type with its internal geometry", check=_for_checks)
    cage = choice(
        CAGES, "rolling elements at rest, moving with the rings, or distributed evenly around the bearing", "rest"
    )
    offset = number("m", "axial shift of the inner ring into the contact of each row, a preload", 0.0)
    preload = number(
        "N", "axial preload force of each row without external load, which defines the shift", 0.0, least=0.0
    )
    flipped = flag("supports axial forces on the inner ring along -z instead of +z", False)
    damping = number(
        "N*s/m",
        "damping of displacements; for tilts times half the square of the pitch radius",
        0.0,
        least=0.0,
        check=(0.1, 1.0),
    )
    speed = number("rad/s", "speed of the inner ring for centrifugal forces of balls", 0.0)
    lubrication = choice(FRICTIONS, "lubrication for the friction torque by Palmgren's method", "none")
    viscosity = number(
        "m^2/s", "kinematic viscosity of the lubricant at operating temperature", 0.0, least=0.0, check=(1e-5, 1e-4)
    )
    viscous_factor = number("", "friction factor f_0 of a catalogue; default: typical value", None, least=0.0)
    load_factor = number("", "friction factor f_1 of a catalogue; default: typical value", None, least=0.0)
    friction_speed = number("rad/s", "speed below which the friction torque decreases to zero", 0.1, least=1e-9)
    law = derived("contact law", record=RollingLaw)
    turns = memory("twist at the last accepted step")
    room = scratch("deflections, forces and stiffness", BearingWork.size)
    force = signal("N", "force on the inner ring at the origin of its frame", 3)
    moment = signal("N*m", "moment on the inner ring about the origin of its frame", 3)
    deflection = signal("m", "displacement of the inner ring, in axes of the outer ring", 3)
    rotation = signal("rad", "tilt about x and y, rotation about z, in axes of the outer ring", 3)
    max_load = signal("N", "load of the most loaded rolling element")
    max_pressure = signal("Pa", "largest contact pressure")
    contact_angle = signal("rad", "contact angle of the most loaded rolling element, positive towards +z")
    friction_torque = signal("N*m", "friction torque on the inner ring about its axis")
    power_loss = signal("W", "power loss by friction and damping")

    @staticmethod
    def check(values: Mapping[str, Any]) -> None:
        mounted(values)
        friction_constants(values)

    @staticmethod
    def warnings(values: Mapping[str, Any]) -> list[str]:
        text = "internal geometry is estimated from catalogue data: stiffness and loads of rolling elements are approximate"
        return [*([text] if values["design"].estimated else []), *rating_warnings(values["design"])]

    @staticmethod
    def derive(values: dict[str, Any]) -> dict[str, Any]:
        law = rolling_record(mounted(values).law, values["damping"], friction_constants(values))
        return {"law": law, "viscous_factor": 0.0, "load_factor": 0.0}  # the law includes them

    def evaluate(s, m, x, w, ask, r, J):
        work = work_over(w.room, 0)
        tangent = 1 if ask.mode == TANGENT else 0
        fast = (
            s.law.components == 5
        )  # forces without gradients; the same operations with a tangent, so that the values are identical
        if fast:
            ask.power_out += add_bearing_forces(s.law, s.a, s.b, x.a, x.b, ask.damp, work, r)
        if tangent or not fast:
            bearing_effort(s.law, s.a, s.b, m.turns, x.a, x.b, ask.damp, tangent, 0, work)
        if not fast:
            ask.power_out += bearing_loss(s.law, ask.damp, work)
            add_bearing_residual(s.law, work, r)
        if tangent:
            add_bearing_tangent(s.law, s.a, s.b, x.a, x.b, ask.K, ask.D, ask.damp, work, J)

    def accept(s, m, x, w, ask):
        work = work_over(w.room, 0)
        m.turns = deflection(s.a, s.b, m.turns, x.a, x.b, 5, work.gradient[5])

    def report(s, m, x, w, ask, out):
        work = work_over(w.room, 0)
        bearing_effort(s.law, s.a, s.b, m.turns, x.a, x.b, ask.damp, 0, 1, work)
        e = work.e
        out.potential = work.most.energy
        out.power_out = bearing_loss(s.law, ask.damp, work)
        out.force = force_on_inner(s.a, x.a, work)
        out.moment = moment_on_inner(x.b, work)
        out.friction_torque = -work.rubbing.torque
        out.power_loss = out.power_out
        out.deflection = (e[0], e[1], e[2])
        out.rotation = (e[3], e[4], e[5])
        out.max_load = s.law.times * work.most.outer
        out.max_pressure = largest_pressure(s.law, work)
        out.contact_angle = math.atan2(work.most.axial, work.most.radial)
