"""Friction on the displacement of a joint that sticks exactly (`elements.joint_friction` has the equations)."""

from pitchline.elements import joint_friction
from pitchline.elements.joint_friction import DIRECTIONS, check_capacity, direction_factors
from pitchline.elements.sticking import MEMORY, SCRATCH
from pitchline.extend import Element, choice, derived, input_signal, joint, memory, number, scratch, signal


class SlidingFriction(Element):
    """Friction force on the displacement of a joint: Coulomb, Stribeck and viscous friction that holds at rest without creep."""

    key = "sliding_friction"
    rows = ("length",)
    switches = True
    on = joint("joint with friction", "displacement")
    capacity = input_signal("N", "friction force in motion")
    static_ratio = number("", "breakaway force over the friction force in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "m/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*s/m", "viscous force over the speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of motion against which it acts", "both")
    forward = derived("factor of the force in the positive direction")
    backward = derived("factor of the force in the negative direction")
    reference = derived("mass that scales the row")
    compliance = derived("compliance of the row, relative to the mass in a step")
    law = memory("law, held displacement, whether it is new, whether a drive prescribes the displacement", MEMORY)
    gradient = scratch("gradient of the displacement", 12)
    step = scratch("law within a step", SCRATCH)
    force = signal("N", "force on the second body")
    slip_speed = signal("m/s", "speed of the second body relative to the first")
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
    report = joint_friction.report_force
