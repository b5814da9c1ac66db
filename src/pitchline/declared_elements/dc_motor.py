"""DC motor with brushes, or the equivalent of a brushless motor with block commutation.

With the speed w of the joint, the speed of the rotor n w (ratio n), the motor constant k and the current i

    L i' = V - R i - k n w ,      torque on the joint  T = n k i .

Energy: the source supplies (L i' + R i + k n w) i, the winding dissipates R i^2, the magnetic field contains L i^2 / 2. If
L = 0, the current follows from the speed and there is no state.
"""

import numpy as np

from pitchline.elements.geared_rotor import add_rotor, add_rotor_tangent, rotor_spin
from pitchline.elements.speed_row import add_effort_by_state, add_speed_row, speed_derivative
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    coordinates,
    derived,
    input_signal,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
)


class DCMotor(Element):
    """DC motor on the angle of a joint, with resistance, inductance, back EMF and rotor inertia."""

    key = "dc_motor"
    has_inertia = True
    on = joint("joint that it turns; the stator is on its first body")
    voltage = input_signal("V", "voltage at the terminals")
    resistance = number("ohm", "resistance of the winding", least=0.0)
    constant = number("N*m/A", "motor constant: torque per current, and back EMF per speed")
    inductance = number(
        "H", "inductance of the winding; 0: the current follows without delay", 0.0, least=0.0, check=(0.5, 2.0)
    )
    ratio = number(
        "", "speed of the rotor over speed of the joint, both relative to the first body", 1.0, check=(-3.0, 3.0)
    )
    inertia = number("kg*m^2", "moment of inertia of the rotor about its axis", 0.0, least=0.0, check=(0.1, 1.0))
    winding = derived("inductance, if there is one", "H", "states")
    armature_current = coordinates("states", "A", "current of the winding", order=1)
    gradient = scratch("gradient of the angle", 12)
    by_motion = scratch("derivative of the speed", 12)
    torque = signal("N*m", "torque of the motor on the second body, without inertia of the rotor")
    current = signal("A", "current")
    back_emf = signal("V", "voltage induced by the rotation")
    electrical_power = signal("W", "power from the source")
    copper_loss = signal("W", "power dissipated in the winding")

    @staticmethod
    def check(values):
        if values["resistance"] == 0.0:
            raise ModelError("resistance must be positive, got 0 ohm; specify the resistance of winding and source")
        if values["ratio"] == 0.0:
            raise ModelError("ratio must not be 0; specify the speed of the rotor over the speed of the joint")

    @staticmethod
    def derive(values):
        return {"winding": np.array([values["inductance"]] if values["inductance"] > 0.0 else [])}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        k = s.ratio * s.constant
        emf = ask.damp * k * rate(g, x.on_a, x.on_b)
        V = ask.load * x.voltage.value
        R = s.resistance
        L = s.inductance
        i = (V - emf) / R
        change = 0.0
        if s.states == 1:
            i = x.armature_current[0]
            change = x.armature_current_rate[0]
            r[12] += change - (V - R * i - emf) / L
        T = k * i
        add_effort(r, g, -T)
        ask.power_in += (R * i + L * change + emf) * i
        ask.power_out += R * i * i
        add_rotor(r, s.on, x.on_a, x.on_b, s.inertia, s.ratio)
        if ask.mode == TANGENT:
            if s.states == 1:
                speed_derivative(J, s.on, x.on_a, x.on_b, g, ask, w.by_motion)
                add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, 0.0)
                add_speed_row(J, 12, ask.damp * k / L, w.by_motion)
                add_effort_by_state(J, 12, -ask.K * k, g)
                J[12, 12] += ask.D + ask.K * R / L
                J[12, x.voltage.column] -= ask.load / L
            else:
                add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, ask.damp * k * k / R)
                add_effort_by_state(J, x.voltage.column, -ask.load * k / R, g)
            add_rotor_tangent(J, s.on, x.on_a, x.on_b, ask, s.inertia, s.ratio)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        k = s.ratio * s.constant
        emf = ask.damp * k * rate(w.gradient, x.on_a, x.on_b)
        i = (ask.load * x.voltage.value - emf) / s.resistance
        change = 0.0
        if s.states == 1:
            i = x.armature_current[0]
            change = x.armature_current_rate[0]
        spin, _ = rotor_spin(s.on, x.on_a, x.on_b, s.ratio)
        out.current = i
        out.torque = k * i
        out.back_emf = emf
        out.copper_loss = s.resistance * i * i
        out.electrical_power = (s.resistance * i + s.inductance * change + emf) * i
        out.power_in = out.electrical_power
        out.power_out = out.copper_loss
        out.potential = 0.5 * s.inductance * i * i
        out.kinetic = 0.5 * s.inertia * spin * spin
