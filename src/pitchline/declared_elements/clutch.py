"""Clutch between two shafts on joints of their own (`elements.clutch_friction` has the equations)."""

from pitchline.elements import clutch_friction
from pitchline.elements.joint_friction import DIRECTIONS, check_capacity, direction_factors
from pitchline.elements.sticking import MEMORY, SCRATCH
from pitchline.extend import Element, choice, derived, input_signal, joint, memory, number, scratch, signal


class Clutch(Element):
    """Clutch between two shafts: friction torque on the angle of joint a minus that of joint b."""

    key = "clutch"
    rows = ("angle",)
    switches = True
    a = joint("joint of the first shaft")
    b = joint("joint of the second shaft")
    capacity = input_signal("N*m", "torque while it slips")
    static_ratio = number("", "breakaway torque over the torque in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "rad/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*m*s/rad", "viscous torque over the slip speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of slip against which it acts", "both")
    forward = derived("factor of the torque in the positive direction")
    backward = derived("factor of the torque in the negative direction")
    reference = derived("inertia that scales the row")
    compliance = derived("compliance of the row, relative to the inertia in a step")
    law = memory("law, held angle, whether it is new, whether drives prescribe the angle", MEMORY)
    gradient_a = scratch("gradient of the angle of a", 12)
    gradient_b = scratch("gradient of the angle of b", 12)
    second = scratch("second derivative of an angle", 12, columns=12)
    step = scratch("law within a step", SCRATCH)
    torque = signal("N*m", "torque on the second shaft, in the direction of its angle")
    slip_speed = signal("rad/s", "speed of joint a minus that of joint b")
    state = signal("", "0: sticks; +1 or -1: slips in that direction")
    dissipated = signal("W", "dissipated power")

    check = staticmethod(check_capacity)

    @staticmethod
    def problems(values, what):
        same = values["a"] == values["b"]
        return [f"{what}: a and b are the same joint; specify the joints of two shafts"] if same else []

    @staticmethod
    def derive(values):
        return direction_factors(values["against"])

    evaluate = clutch_friction.evaluate
    begin = clutch_friction.begin
    guard = clutch_friction.guard
    accept = clutch_friction.accept
    report = clutch_friction.report
