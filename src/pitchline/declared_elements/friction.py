"""Friction on the angle of a joint that sticks exactly (`elements.joint_friction` has the equations)."""

from pitchline.elements import joint_friction
from pitchline.elements.joint_friction import DIRECTIONS, check_capacity, direction_factors
from pitchline.elements.sticking import MEMORY, SCRATCH
from pitchline.extend import Element, choice, derived, input_signal, joint, memory, number, scratch, signal


class Friction(Element):
    """Friction torque on the angle of a joint: Coulomb, Stribeck and viscous friction that holds at rest without creep."""

    key = "friction"
    rows = ("angle",)
    switches = True
    on = joint("joint with friction")
    capacity = input_signal("N*m", "friction torque in motion")
    static_ratio = number("", "breakaway torque over the friction torque in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "rad/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*m*s/rad", "viscous torque over the speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of motion against which it acts", "both")
    forward = derived("factor of the torque in the positive direction")
    backward = derived("factor of the torque in the negative direction")
    reference = derived("inertia that scales the row")
    compliance = derived("compliance of the row, relative to the inertia in a step")
    law = memory("law, held angle, whether it is new, whether a drive prescribes the angle", MEMORY)
    gradient = scratch("gradient of the angle", 12)
    step = scratch("law within a step", SCRATCH)
    torque = signal("N*m", "torque on the second body")
    slip_speed = signal("rad/s", "speed of the second body relative to the first")
    state = signal("", "0: sticks; +1 or -1: slips in that direction")
    dissipated = signal("W", "dissipated power")

    check = staticmethod(check_capacity)

    @staticmethod
    def derive(values):
        return direction_factors(values["against"])

    evaluate = joint_friction.evaluate
    begin = joint_friction.begin
    guard = joint_friction.guard
    accept = joint_friction.accept
    report = joint_friction.report_torque
