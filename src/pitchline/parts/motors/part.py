"""Electric motors: direct current, induction, and induction by Kloss's formula.

Induction motor: symmetrical three-phase machine, by its equivalent circuit.

Space vectors (peak values) in axes that rotate with the supply, with the electrical angular frequency w_s of the supply, the
slip frequency w_r = w_s - p n w (p pole pairs, ratio n, joint speed w) and flux linkages psi:

    psi_s' = V - R_s i_s - j w_s psi_s        psi_s = L_s i_s + L_m i_r
    psi_r' =   - R_r i_r - j w_r psi_r        psi_r = L_m i_s + L_r i_r
    T = (3/2) p Im(conj(psi_s) i_s)           V = sqrt(2) times the phase voltage (rms)

L_s = L_m + stator leakage, L_r = L_m + rotor leakage, rotor values referred to the stator. Without transients the currents are
those of a constant speed:

    T = (3/2) p R_r L_m^2 V^2 w_r / |N|^2 ,    N = (R_s + j w_s L_s)(R_r + j w_r L_r) + w_s w_r L_m^2 .

The magnetic energy is (3/4) Re(conj(psi_s) i_s + conj(psi_r) i_r).
"""

import math

import numpy as np

from pitchline.engine.elements.axis_rows import add_effort_by_state, add_speed_row, frequency_warnings, speed_derivative
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    coordinates,
    derived,
    flag,
    input_signal,
    integer,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
)
from pitchline.numerics.machine_code.compiled import F8, V4, leaf

from ..gears.kernel import add_rotor, add_rotor_tangent, rotor_spin

# ---- dc motor

# DC motor with brushes, or the equivalent of a brushless motor with block commutation.
#
# With the speed w of the joint, the speed of the rotor n w (ratio n), the motor constant k and the current i
#
# L i' = V - R i - k n w , torque on the joint T = n k i .
#
# Energy: the source supplies (L i' + R i + k n w) i, the winding dissipates R i^2, the magnetic field contains L i^2
# / 2. If L = 0, the current follows from the speed and there is no state.


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
        if values["inductance"] == 0.0 and values.get("armature_current") is not None:
            raise ModelError(
                "armature_current is the initial current of a winding with an inductance; without inductance the current "
                "follows from voltage and speed. Specify inductance, or leave out armature_current"
            )

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


_RESISTANCES = ("stator_resistance", "rotor_resistance")


@leaf
def _steady(ls: F8, lr: F8, lm: F8, rs: F8, rr: F8, ws: F8, wr: F8, v: F8) -> V4:
    """Torque per (3/2) p and its derivative with respect to w_r; squares of the stator and rotor current."""
    re = rs * rr - ws * wr * (ls * lr - lm * lm)
    im = ws * ls * rr + wr * lr * rs
    size = re * re + im * im
    by_slip = 2.0 * (-re * ws * (ls * lr - lm * lm) + im * lr * rs)
    top = rr * lm * lm * v * v
    stator = v * v * (rr * rr + wr * wr * lr * lr) / size
    rotor = v * v * wr * wr * lm * lm / size
    return (top * wr / size, top * (size - wr * by_slip) / (size * size), stator, rotor)


class InductionMotor(Element):
    """Three-phase induction motor on the angle of a joint, by its equivalent circuit."""

    key = "induction_motor"
    has_inertia = True
    on = joint("joint that it turns; the stator is on its first body")
    voltage = input_signal("V", "phase voltage of the supply (rms)")
    angular_frequency = input_signal("rad/s", 'angular frequency of the supply, such as "50 Hz"')
    pole_pairs = integer("number of pole pairs", least=1, most=50)
    stator_resistance = number("ohm", "resistance of a stator phase", least=0.0)
    rotor_resistance = number("ohm", "resistance of a rotor phase, referred to the stator", least=0.0)
    stator_leakage = number("H", "leakage inductance of the stator", least=0.0)
    rotor_leakage = number("H", "leakage inductance of the rotor, referred to the stator", least=0.0)
    magnetizing_inductance = number("H", "magnetizing inductance", least=0.0)
    transients = flag("with the transients of the fluxes; False: torque of constant speed", True)
    ratio = number(
        "", "speed of the rotor over speed of the joint, both relative to the first body", 1.0, check=(-3.0, 3.0)
    )
    inertia = number("kg*m^2", "moment of inertia of the rotor about its axis", 0.0, least=0.0, check=(0.1, 1.0))
    inverse = derived("currents per flux: L_r/D, L_s/D, L_m/D", "1/H", 3)
    fluxes = derived("place of the fluxes", "", "states")
    flux = coordinates(
        "states", "Wb", "flux linkages of stator and rotor: real and imaginary parts, axes of the supply", order=1
    )
    gradient = scratch("gradient of the angle", 12)
    by_motion = scratch("derivative of the speed", 12)
    torque = signal("N*m", "torque of the motor on the second body, without inertia of the rotor")
    current = signal("A", "current of a stator phase (rms)")
    slip_frequency = signal("rad/s", "angular frequency of the rotor currents: supply less rotation")
    electrical_power = signal("W", "power from the supply")
    copper_loss = signal("W", "power dissipated in the windings")

    @staticmethod
    def check(values):
        for name in (*_RESISTANCES, "stator_leakage", "rotor_leakage", "magnetizing_inductance"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0; specify the values of the equivalent circuit")
        if values["ratio"] == 0.0:
            raise ModelError("ratio must not be 0; specify the speed of the rotor over the speed of the joint")

    @staticmethod
    def derive(values):
        m = values["magnetizing_inductance"]
        s, r = m + values["stator_leakage"], m + values["rotor_leakage"]
        D = s * r - m * m
        return {"inverse": np.array([r, s, m]) / D, "fluxes": np.zeros(4 if values["transients"] else 0)}

    @staticmethod
    def warnings(values):
        return frequency_warnings(values)

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        p = 1.5 * s.pole_pairs * s.ratio
        V = math.sqrt(2.0) * ask.load * x.voltage.value
        ws = x.angular_frequency.value
        per_speed = ask.damp * s.pole_pairs * s.ratio
        speed = rate(g, x.on_a, x.on_b)
        wr = ws - per_speed * speed
        lm = s.magnetizing_inductance
        rs = s.stator_resistance
        rr = s.rotor_resistance
        add_rotor(r, s.on, x.on_a, x.on_b, s.inertia, s.ratio)
        if s.states == 0:
            T, by_slip, stator, rotor = _steady(lm + s.stator_leakage, lm + s.rotor_leakage, lm, rs, rr, ws, wr, V)
            T *= p
            add_effort(r, g, -T)
            loss = 1.5 * (rs * stator + rr * rotor)
            ask.power_out += loss
            ask.power_in += T * ask.damp * speed + loss
            if ask.mode == TANGENT:
                add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, p * by_slip * per_speed)
                by_voltage = 2.0 * T / V * math.sqrt(2.0) * ask.load if V != 0.0 else 0.0
                add_effort_by_state(J, x.voltage.column, -by_voltage, g)
                h = 1e-5 * max(1.0, abs(ws))
                after = _steady(lm + s.stator_leakage, lm + s.rotor_leakage, lm, rs, rr, ws + h, wr + h, V)[0]
                before = _steady(lm + s.stator_leakage, lm + s.rotor_leakage, lm, rs, rr, ws - h, wr - h, V)[0]
                add_effort_by_state(J, x.angular_frequency.column, -p * (after - before) / (2.0 * h), g)
                add_rotor_tangent(J, s.on, x.on_a, x.on_b, ask, s.inertia, s.ratio)
            return
        a, b, c = s.inverse[0], s.inverse[1], s.inverse[2]
        y = x.flux
        dy = x.flux_rate
        isd = a * y[0] - c * y[2]
        isq = a * y[1] - c * y[3]
        ird = b * y[2] - c * y[0]
        irq = b * y[3] - c * y[1]
        T = p * (y[0] * isq - y[1] * isd)
        add_effort(r, g, -T)
        # voltages of the windings; those of the rotor are 0 at a solution, those of the stator are V
        vsd = dy[0] + rs * isd - ws * y[1]
        vsq = dy[1] + rs * isq + ws * y[0]
        vrd = dy[2] + rr * ird - wr * y[3]
        vrq = dy[3] + rr * irq + wr * y[2]
        r[12] += vsd - V
        r[13] += vsq
        r[14] += vrd
        r[15] += vrq
        ask.power_in += 1.5 * (vsd * isd + vsq * isq + vrd * ird + vrq * irq)
        ask.power_out += 1.5 * (rs * (isd * isd + isq * isq) + rr * (ird * ird + irq * irq))
        if ask.mode == TANGENT:
            K = ask.K
            speed_derivative(J, s.on, x.on_a, x.on_b, g, ask, w.by_motion)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, 0.0)
            add_rotor_tangent(J, s.on, x.on_a, x.on_b, ask, s.inertia, s.ratio)
            # T = p c (y1 y2 - y0 y3)
            add_effort_by_state(J, 12, K * p * c * y[3], g)
            add_effort_by_state(J, 13, -K * p * c * y[2], g)
            add_effort_by_state(J, 14, -K * p * c * y[1], g)
            add_effort_by_state(J, 15, K * p * c * y[0], g)
            add_speed_row(J, 14, per_speed * y[3], w.by_motion)
            add_speed_row(J, 15, -per_speed * y[2], w.by_motion)
            for i in range(2):
                J[12 + i, 12 + i] += ask.D + K * rs * a
                J[12 + i, 14 + i] -= K * rs * c
                J[14 + i, 14 + i] += ask.D + K * rr * b
                J[14 + i, 12 + i] -= K * rr * c
            J[12, 13] -= K * ws
            J[13, 12] += K * ws
            J[14, 15] -= K * wr
            J[15, 14] += K * wr
            J[12, x.voltage.column] -= math.sqrt(2.0) * ask.load
            frequency = x.angular_frequency.column
            J[12, frequency] -= y[1]
            J[13, frequency] += y[0]
            J[14, frequency] -= y[3]
            J[15, frequency] += y[2]

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        p = 1.5 * s.pole_pairs * s.ratio
        V = math.sqrt(2.0) * ask.load * x.voltage.value
        ws = x.angular_frequency.value
        speed = ask.damp * rate(w.gradient, x.on_a, x.on_b)
        wr = ws - s.pole_pairs * s.ratio * speed
        lm = s.magnetizing_inductance
        rs = s.stator_resistance
        rr = s.rotor_resistance
        spin, _ = rotor_spin(s.on, x.on_a, x.on_b, s.ratio)
        out.kinetic = 0.5 * s.inertia * spin * spin
        out.slip_frequency = wr
        if s.states == 0:
            T, _, stator, rotor = _steady(lm + s.stator_leakage, lm + s.rotor_leakage, lm, rs, rr, ws, wr, V)
            out.torque = p * T
            out.copper_loss = 1.5 * (rs * stator + rr * rotor)
            out.electrical_power = out.torque * speed + out.copper_loss
            out.current = math.sqrt(0.5 * stator)
        else:
            a, b, c = s.inverse[0], s.inverse[1], s.inverse[2]
            y = x.flux
            dy = x.flux_rate
            isd = a * y[0] - c * y[2]
            isq = a * y[1] - c * y[3]
            ird = b * y[2] - c * y[0]
            irq = b * y[3] - c * y[1]
            out.torque = p * (y[0] * isq - y[1] * isd)
            out.current = math.sqrt(0.5 * (isd * isd + isq * isq))
            out.copper_loss = 1.5 * (rs * (isd * isd + isq * isq) + rr * (ird * ird + irq * irq))
            stator = (dy[0] + rs * isd - ws * y[1]) * isd + (dy[1] + rs * isq + ws * y[0]) * isq
            rotor = (dy[2] + rr * ird - wr * y[3]) * ird + (dy[3] + rr * irq + wr * y[2]) * irq
            out.electrical_power = 1.5 * (stator + rotor)
            out.potential = 0.75 * (y[0] * isd + y[1] * isq + y[2] * ird + y[3] * irq)
        out.power_in = out.electrical_power
        out.power_out = out.copper_loss


# ---- kloss motor

# Induction motor by its breakdown torque and breakdown slip (equation of Kloss), on a supply of constant voltage per
# frequency.
#
# With the synchronous speed w_0 = 2 pi f / p of the rotor, the slip speed d = w_0 - n w (ratio n, joint speed w) and
# the slip speed d_b = s_b w_rated at breakdown
#
# T = n 2 T_b d d_b / (d^2 + d_b^2) .
#
# At the rated frequency this is T = 2 T_b / (s/s_b + s_b/s). With voltage proportional to frequency T_b and d_b are
# constant.


class KlossMotor(Element):
    """Induction motor on the angle of a joint, by breakdown torque and breakdown slip."""

    key = "kloss_motor"
    has_inertia = True
    on = joint("joint that it turns; the stator is on its first body")
    angular_frequency = input_signal(
        "rad/s", 'angular frequency of the supply, such as "50 Hz"; the voltage is proportional to it'
    )
    pole_pairs = integer("number of pole pairs", least=1, most=50)
    breakdown_torque = number("N*m", "largest torque of the rotor", least=0.0)
    breakdown_slip = number("", "slip at the breakdown torque, at the rated frequency", least=0.0, check=(0.1, 0.5))
    rated_angular_frequency = number(
        "rad/s", 'rated angular frequency, such as "50 Hz"', 2.0 * math.pi * 50.0, check=(1.0, 3.0)
    )
    ratio = number(
        "", "speed of the rotor over speed of the joint, both relative to the first body", 1.0, check=(-3.0, 3.0)
    )
    inertia = number("kg*m^2", "moment of inertia of the rotor about its axis", 0.0, least=0.0, check=(0.1, 1.0))
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque of the motor on the second body, without inertia of the rotor")
    slip_speed = signal("rad/s", "synchronous speed less speed of the rotor")

    @staticmethod
    def check(values):
        for name in ("breakdown_slip", "rated_angular_frequency"):
            if values[name] <= 0.0:
                raise ModelError(f"{name} must be positive, got {values[name]:g}")
        if values["ratio"] == 0.0:
            raise ModelError("ratio must not be 0; specify the speed of the rotor over the speed of the joint")

    @staticmethod
    def warnings(values):
        return frequency_warnings(values)

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = ask.damp * rate(g, x.on_a, x.on_b)
        d_b = s.breakdown_slip * s.rated_angular_frequency / s.pole_pairs
        d = x.angular_frequency.value / s.pole_pairs - s.ratio * speed
        size = d * d + d_b * d_b
        top = 2.0 * s.ratio * ask.load * s.breakdown_torque * d_b
        T = top * d / size
        add_effort(r, g, -T)
        ask.power_in += T * speed
        add_rotor(r, s.on, x.on_a, x.on_b, s.inertia, s.ratio)
        if ask.mode == TANGENT:
            by_rate = ask.damp * s.ratio * top * (d_b * d_b - d * d) / (size * size)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, by_rate)
            by_frequency = -top * (d_b * d_b - d * d) / (size * size) / s.pole_pairs
            add_effort_by_state(J, x.angular_frequency.column, by_frequency, g)
            add_rotor_tangent(J, s.on, x.on_a, x.on_b, ask, s.inertia, s.ratio)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = ask.damp * rate(w.gradient, x.on_a, x.on_b)
        d_b = s.breakdown_slip * s.rated_angular_frequency / s.pole_pairs
        d = x.angular_frequency.value / s.pole_pairs - s.ratio * speed
        spin, _ = rotor_spin(s.on, x.on_a, x.on_b, s.ratio)
        out.torque = 2.0 * s.ratio * ask.load * s.breakdown_torque * d_b * d / (d * d + d_b * d_b)
        out.slip_speed = d
        out.power_in = out.torque * speed
        out.kinetic = 0.5 * s.inertia * spin * spin
