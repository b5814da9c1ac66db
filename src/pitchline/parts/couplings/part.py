"""Coupling of two shafts: forces and moments for the six deflections of its frames, as in `kernel`."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import nearest_turn, principal_angle
from pitchline.extend import (
    TANGENT,
    Element,
    add,
    derived,
    description,
    frame,
    memory,
    mm,
    mul,
    mv,
    number,
    scratch,
    signal,
)

from .design import ElasticCoupling, GearCoupling, Spline, torsion_table
from .kernel import CouplingData, coupling_deflections, coupling_efforts, coupling_tangent

DESIGNS: dict[str, Callable[..., Any]] = {"elastic": ElasticCoupling, "gear": GearCoupling, "spline": Spline}
"""Kinds in model files."""
_FARTHEST = 0.05
"""[m] Largest distance of the frames in the initial pose."""
_MOST_TILT = math.radians(15.0)


def _random_design(rng: Any) -> Any:
    """Design for checks, with a size of about one metre, as the bodies in checks."""
    k = rng.uniform(0.5, 2.0, size=8)
    if rng.integers(2):
        return ElasticCoupling(
            torsion=[(0, 0), (0.4, k[0]), (1.0, k[0] + k[1])], radial_stiffness=k[2], axial_stiffness=k[3], tilt_stiffness=k[4],
            torsional_damping=k[5], radial_damping=k[6], tilt_damping=k[7],
        )  # fmt: skip
    return GearCoupling(
        k[0], k[1], torsional_damping=k[2], tilt_limit=0.2, tilt_stop_stiffness=k[3], axial_limit=0.1, axial_stop_stiffness=k[4],
        friction=0.3 * k[5], friction_rate=k[6],
    )  # fmt: skip


class Coupling(Element):
    """Coupling of two shafts. The shaft axes are z of its frames."""

    key = "coupling"
    meeting = True
    a = frame("first shaft: z is its axis")
    b = frame("second shaft: z is its axis; without load both frames coincide, except for a rotation about z")
    design = description(DESIGNS, "elastic coupling, gear coupling or spline", check=_random_design)
    initial_twist = number("rad", "twist in the initial pose", 0.0, check=(0.3, 0.8))
    data = derived("stiffness, damping, limits and friction", record=CouplingData)
    torsion = derived("pieces of the torque over the twist", "N*m", "pieces", columns=6)
    rest = derived("angle between the frames about their axes at zero twist", "rad")
    angle = memory("twist of the last step")
    e = scratch("deflections", 6)
    rate = scratch("their rates", 6)
    effort = scratch("forces and moments against them", 6)
    by_e = scratch("derivatives of forces and moments with respect to deflections", 6, columns=6)
    by_rate = scratch("derivatives of forces and moments with respect to rates", 6, columns=6)
    gradient = scratch("gradients of deflections", 6, columns=12)
    turning = scratch("gradients of their rates", 6, columns=12)
    torque = signal("N*m", "torque on the second shaft about its axis")
    twist = signal("rad", "twist of the second shaft relative to the first")
    tilt = signal("rad", "angle between the axes")
    force = signal("N", "force on the second shaft", 3)
    moment = signal("N*m", "moment on the second shaft about the origin of its frame", 3)
    deflection = signal("m", "displacement of the second frame, in axes of the first", 3)

    @staticmethod
    def derive(values):
        law = values["design"].law
        radial, axial, tilt = law.stiffness
        c_radial, c_axial, c_tilt, c_torsion = law.damping
        data = {
            "stiffness": [radial, radial, axial, tilt, tilt, 0.0],
            "damping": [c_radial, c_radial, c_axial, c_tilt, c_tilt, c_torsion],
            "axial_limit": law.limits[0], "tilt_limit": law.limits[1], "axial_stop": law.stops[0], "tilt_stop": law.stops[1],
            "friction": law.friction, "friction_rate": law.friction_rate,
        }  # fmt: skip
        between = values["a"][1].T @ values["b"][1]
        now = math.atan2(between[1, 0] - between[0, 1], between[0, 0] + between[1, 1])
        return {"data": data, "torsion": torsion_table(law.torsion), "rest": now - values["initial_twist"]}

    @staticmethod
    def problems(values, what):
        (o_a, axes_a), (o_b, axes_b) = values["a"], values["b"]
        for end, (_, axes) in (("a", values["a"]), ("b", values["b"])):
            turns = values["turning"][end]
            if turns and all(abs(float(axis @ axes[:, 2])) < math.cos(_MOST_TILT) for axis in turns):
                return [
                    f"{what}: the shaft of frame {end} does not rotate about z of that frame, the axis of the "
                    "coupling; specify axis, "
                    "or frames whose z is the axis of each shaft"
                ]
        distance = float(np.linalg.norm(o_b - o_a))
        tilt = math.acos(float(np.clip(axes_a[:, 2] @ axes_b[:, 2], -1.0, 1.0)))
        if distance > _FARTHEST:
            return [
                f"{what}: its frames are {1e3 * distance:.4g} mm apart in the initial pose; place both at the coupling, "
                "or give bodies and at"
            ]
        if tilt > _MOST_TILT:
            return [
                f"{what}: the angle between the z axes of its frames is {math.degrees(tilt):.4g} deg in the initial "
                "pose; the limit for a coupling "
                f"is {math.degrees(_MOST_TILT):g} deg: specify frames whose z is the axis of each shaft, in the same direction"
            ]
        return []

    def evaluate(s, m, x, w, ask, r, J):
        coupling_deflections(s.a, s.b, s.rest, m.angle, x.a, x.b, w.e, w.rate, w.gradient)
        _, loss = coupling_efforts(s.data, s.torsion, w.e, w.rate, ask.damp, w.effort, w.by_e, w.by_rate)
        ask.power_out += loss
        effort = w.effort
        gradient = w.gradient
        for i in range(6):
            for j in range(12):
                r[j] += gradient[i, j] * effort[i]
        if ask.mode == TANGENT:
            coupling_tangent(s.a, s.b, x.a, x.b, effort, w.by_e, w.by_rate, gradient, w.turning, ask, J)

    def accept(s, m, x, w, ask):
        m.angle = nearest_turn(principal_angle(s.a, s.b, x.a, x.b) - s.rest, m.angle)

    def report(s, m, x, w, ask, out):
        coupling_deflections(s.a, s.b, s.rest, m.angle, x.a, x.b, w.e, w.rate, w.gradient)
        energy, loss = coupling_efforts(s.data, s.torsion, w.e, w.rate, ask.damp, w.effort, w.by_e, w.by_rate)
        e = w.e
        effort = w.effort
        gradient = w.gradient
        out.potential = energy
        out.power_out = loss
        out.torque = -effort[5]
        out.twist = e[5]
        out.tilt = math.asin(min(math.sqrt(e[3] * e[3] + e[4] * e[4]), 1.0))
        out.deflection = (e[0], e[1], e[2])
        out.force = mul(-1.0, mv(mm(x.a.R, s.a.axes), (effort[0], effort[1], effort[2])))
        # moment on B about the origin of its frame: the last three gradients, transformed to world axes
        moment = (0.0, 0.0, 0.0)
        for i in range(3, 6):
            moment = add(moment, mul(-effort[i], (gradient[i, 9], gradient[i, 10], gradient[i, 11])))
        out.moment = mv(x.b.R, moment)
