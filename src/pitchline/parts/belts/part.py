"""Belt and chain drives between two wheels, open or crossed. Their equations are in `kernel`."""

import math

import numpy as np

from pitchline.errors import ModelError
from pitchline.extend import (
    RATE,
    TANGENT,
    Element,
    coordinates,
    derived,
    flag,
    frame,
    integer,
    memory,
    number,
    scratch,
    signal,
)

from .kernel import (
    Belt,
    Grip,
    add_slip_tangent,
    add_strand_tangent,
    belt_problems,
    belt_record,
    belt_strands,
    slip_rate,
    strand_stiffness,
    strand_tension,
    tangent_angle,
    wrap_angle,
)


class BeltDrive(Element):
    """Belt drive between two pulleys, with elastic strands, pretension and slip. The axes are z of its frames."""

    key = "belt_drive"
    a = frame("first pulley: z is its axis")
    b = frame("second pulley: z is its axis")
    radius_a = number("m", "radius of the first pulley, to the middle of the belt", least=0.0, check=(0.05, 0.1))
    radius_b = number("m", "radius of the second pulley", least=0.0, check=(0.05, 0.1))
    tensile_stiffness = number("N", "force per strain of the belt, E A", least=0.0, check=(1.0, 3.0))
    pretension = number("N", "tension of both strands in the initial pose", least=0.0, check=(1.0, 2.0))
    damping = number("N*s/m", "damping of a strand", 0.0, least=0.0, check=(0.1, 0.5))
    crossed = flag("crossed belt: the pulleys rotate in opposite directions", False)
    friction = number(
        "",
        "friction coefficient of belt and pulleys; default: the belt does not slip (toothed)",
        None,
        check=(0.5, 2.0),
    )
    creep_speed = number(
        "m/s", "slip speed at 76 % of the limit, for the smooth slip law", 1e-3, least=0.0, check=(0.1, 0.5)
    )
    belt = derived("numbers of the belt", record=Belt)
    grip = derived("numbers of the slip law", record=Grip)
    slipping = derived("place of the slip, if the belt slips", "", "states")
    slip = coordinates("states", "m", "length of belt that slipped over the pulleys", order=1, typical=1e-3)
    held_a = memory("angle of the first pulley of the last step", kept="angle_a")
    held_b = memory("angle of the second pulley", kept="angle_b")
    held_slip = memory("slip of the last step", kept="slip")
    steepness = scratch("derivative of the slip law by the slip in the last evaluation")
    components = scratch("components of the line of centres, extensions and rates", 8)
    gradients = scratch("gradients of the components", 4, columns=12)
    strands = scratch("gradients of the extensions", 2, columns=12)
    second = scratch("second derivative of an extension", 12, columns=12)
    tension_1 = signal("N", "tension of the strand that the first pulley pulls if it rotates forward")
    tension_2 = signal("N", "tension of the other strand")
    transmitted_force = signal("N", "difference of the tensions")
    force = signal("N", "force of the belt on the second body", 3)
    angle_a = signal("rad", "rotation of the first pulley relative to the line of centres, since the initial pose")
    angle_b = signal("rad", "rotation of the second pulley relative to the line of centres")
    slip_speed = signal("m/s", "slip speed of the belt")
    friction_use = signal("", "transmitted force over its limit by friction")

    @staticmethod
    def check(values):
        for name in ("radius_a", "radius_b", "tensile_stiffness", "creep_speed", "friction"):
            if values[name] is not None and values[name] <= 0.0:
                raise ModelError(f"{name} must be positive, got {values[name]:g}")
        if values["pretension"] == 0.0 and values["friction"] is not None:
            raise ModelError(
                "a belt without pretension transmits nothing by friction; specify pretension, or omit friction"
            )

    @staticmethod
    def derive(values):
        belt = belt_record(values, values["radius_a"], values["radius_b"], -1.0 if values["crossed"] else 1.0)
        mu = values["friction"]
        limit = 0.0 if mu is None else math.tanh(0.5 * mu * wrap_angle(belt, values))
        grip = {"limit": limit, "speed": values["creep_speed"], "least": 1e-6 * values["pretension"]}
        return {"belt": belt, "grip": grip, "friction": mu or 0.0, "slipping": np.zeros(0 if mu is None else 1)}

    @staticmethod
    def problems(values, what):
        return belt_problems(values, what, values["radius_a"], values["radius_b"], "pulley")

    @staticmethod
    def hidden_signals(values):
        return () if values["friction"] is not None else ("slip_speed", "friction_use")

    def evaluate(s, m, x, w, ask, r, J):
        y = 0.0
        change = 0.0
        if s.states == 1:
            y = x.slip[0]
            change = x.slip_rate[0]
        q = w.components
        g = w.strands
        G = w.gradients
        angles = belt_strands(s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (y, change), G, g, q)
        first = strand_tension(s.belt, q[4], q[6], ask.damp)
        second = strand_tension(s.belt, q[5], q[7], ask.damp)
        for j in range(12):
            r[j] += first[0] * g[0, j] + second[0] * g[1, j]
        ask.power_out += (first[0] - first[3]) * q[6] + (second[0] - second[3]) * q[7]
        by_1 = 0.0
        by_2 = 0.0
        if s.states == 1:
            slipping, by_1, by_2 = slip_rate(s.grip, first[0], second[0])
            slipping *= ask.damp
            by_1 *= ask.damp
            by_2 *= ask.damp
            if ask.h > 0.0 and ask.mode != RATE:
                steepness = ask.D + ask.K * (by_1 * first[1] - by_2 * second[1])
                if not 0.5 * w.steepness < steepness < 2.0 * w.steepness:
                    ask.restart = 2
                w.steepness = steepness
            F = first[0] - second[0]
            # at rest the belt does not slip; otherwise it would have no torque
            r[12] += change - slipping + (1.0 - ask.damp) * (y - m.held_slip)
            ask.power_out += F * change
        if ask.mode == TANGENT:
            H = w.second
            for k in range(2):
                T = first if k == 0 else second
                strand_stiffness(s.belt, k, q, angles, s.a, s.b, x.a, x.b, G, H)
                add_strand_tangent(J, g[k], H, x.a, x.b, ask, T)
                if s.states == 1:
                    add_slip_tangent(J, k, g[k], H, x.a, x.b, ask, T, by_1 if k == 0 else by_2)
            if s.states == 1:
                J[12, 12] += ask.D + (1.0 - ask.damp) * ask.K

    def begin(s, m, x, w, ask):
        if s.states == 1:
            before = (m.held_a, m.held_b)
            slip = (x.slip[0], x.slip_rate[0])
            q = w.components
            belt_strands(s.belt, s.a, s.b, x.a, x.b, before, slip, w.gradients, w.strands, q)
            first = strand_tension(s.belt, q[4], q[6], ask.damp)
            second = strand_tension(s.belt, q[5], q[7], ask.damp)
            _, by_1, by_2 = slip_rate(s.grip, first[0], second[0])
            w.steepness = ask.D + ask.K * (by_1 * first[1] - by_2 * second[1])

    def accept(s, m, x, w, ask):
        y = 0.0
        if s.states == 1:
            y = x.slip[0]
        angles = belt_strands(
            s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (y, 0.0), w.gradients, w.strands, w.components
        )
        m.held_a = angles[0]
        m.held_b = angles[1]
        m.held_slip = y

    def report(s, m, x, w, ask, out):
        y = 0.0
        change = 0.0
        if s.states == 1:
            y = x.slip[0]
            change = x.slip_rate[0]
        q = w.components
        g = w.strands
        angles = belt_strands(s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (y, change), w.gradients, g, q)
        first = strand_tension(s.belt, q[4], q[6], ask.damp)
        second = strand_tension(s.belt, q[5], q[7], ask.damp)
        F = first[0] - second[0]
        out.tension_1 = first[0]
        out.tension_2 = second[0]
        out.transmitted_force = F
        out.force = (
            -first[0] * g[0, 6] - second[0] * g[1, 6],
            -first[0] * g[0, 7] - second[0] * g[1, 7],
            -first[0] * g[0, 8] - second[0] * g[1, 8],
        )
        out.angle_a = angles[0]
        out.angle_b = angles[1]
        out.potential = 0.5 * (first[3] * first[3] + second[3] * second[3]) / s.belt.stiffness
        out.power_out = (first[0] - first[3]) * q[6] + (second[0] - second[3]) * q[7]
        out.power_in = 0.0
        out.slip_speed = 0.0
        out.friction_use = 0.0
        if s.states == 1:
            out.slip_speed = change
            out.friction_use = F / (s.grip.limit * (first[0] + second[0]) + s.grip.least)
            out.power_out += F * change


# ---- chain drive

# Chain drive: two sprockets and an elastic chain, with the polygon effect. See `kernel` and
# `kernel`.
#
# A sprocket with z teeth has the pitch radius R = pitch / (2 sin(pi/z)). With the polygon effect the lever arm of a
# strand is R cos(x), x from -pi/z to pi/z over each tooth. Without it the arm is the mean value z pitch / (2 pi).


def chain_radius(values, teeth):
    """Radius of a sprocket: pitch radius, or mean lever arm without polygon effect."""
    pitch = values["pitch"]
    return pitch / (2.0 * math.sin(math.pi / teeth)) if values["polygon"] else teeth * pitch / (2.0 * math.pi)


class ChainDrive(Element):
    """Chain drive between two sprockets, with elastic strands that can be slack. The axes are z of its frames."""

    key = "chain_drive"
    a = frame("first sprocket: z is its axis")
    b = frame("second sprocket: z is its axis")
    pitch = number("m", "pitch of the chain", least=0.0, check=(0.02, 0.04))
    teeth_a = integer("number of teeth of the first sprocket", least=6, most=10_000, check=(17, 25))
    teeth_b = integer("number of teeth of the second sprocket", least=6, most=10_000, check=(17, 25))
    tensile_stiffness = number("N", "force per strain of the chain", least=0.0, check=(1.0, 3.0))
    pretension = number("N", "tension of both strands in the initial pose", 0.0, least=0.0, check=(1.0, 2.0))
    slack = number("m", "length of the chain beyond that of the initial pose without tension", 0.0, least=0.0)
    damping = number("N*s/m", "damping of a strand", 0.0, least=0.0, check=(0.1, 0.5))
    polygon = flag("with the polygon effect of the teeth", False)
    phase_a = number(
        "", "position of a tooth of the first sprocket at the start of strand 1, in pitches", 0.0, check=(0.0, 1.0)
    )
    phase_b = number(
        "", "position of a tooth of the second sprocket at the start of strand 1, in pitches", 0.0, check=(0.0, 1.0)
    )
    belt = derived("numbers of the chain", record=Belt)
    held_a = memory("angle of the first sprocket of the last step", kept="angle_a")
    held_b = memory("angle of the second sprocket", kept="angle_b")
    components = scratch("components of the line of centres, extensions and rates", 8)
    gradients = scratch("gradients of the components", 4, columns=12)
    strands = scratch("gradients of the extensions", 2, columns=12)
    second = scratch("second derivative of an extension", 12, columns=12)
    tension_1 = signal("N", "tension of the strand that the first sprocket pulls if it rotates forward")
    tension_2 = signal("N", "tension of the other strand")
    transmitted_force = signal("N", "difference of the tensions")
    force = signal("N", "force of the chain on the second body", 3)
    angle_a = signal("rad", "rotation of the first sprocket relative to the line of centres, since the initial pose")
    angle_b = signal("rad", "rotation of the second sprocket relative to the line of centres")

    @staticmethod
    def check(values):
        for name in ("pitch", "tensile_stiffness"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0")
        if values["pretension"] > 0.0 and values["slack"] > 0.0:
            raise ModelError("a chain has pretension or slack, not both; omit one of them")

    @staticmethod
    def derive(values):
        r_a, r_b = (chain_radius(values, values[name]) for name in ("teeth_a", "teeth_b"))
        belt = belt_record(values, r_a, r_b, 1.0, slack=values["slack"])
        if values["polygon"]:
            beta = tangent_angle(belt, values)
            belt |= {"teeth_a": values["teeth_a"], "teeth_b": values["teeth_b"]}
            for end, back in (("a", -math.pi - 2.0 * beta), ("b", math.pi - 2.0 * beta)):
                phase = values[f"phase_{end}"] * 2.0 * math.pi / values[f"teeth_{end}"]
                belt |= {f"phase_{end}1": phase, f"phase_{end}2": phase + back}  # arc of A: far side
        return {"belt": belt}

    @staticmethod
    def problems(values, what):
        r_a, r_b = (chain_radius(values, values[name]) for name in ("teeth_a", "teeth_b"))
        return belt_problems(values, what, r_a, r_b, "sprocket")

    def evaluate(s, m, x, w, ask, r, J):
        q = w.components
        g = w.strands
        G = w.gradients
        angles = belt_strands(s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (0.0, 0.0), G, g, q)
        first = strand_tension(s.belt, q[4], q[6], ask.damp)
        second = strand_tension(s.belt, q[5], q[7], ask.damp)
        for j in range(12):
            r[j] += first[0] * g[0, j] + second[0] * g[1, j]
        ask.power_out += (first[0] - first[3]) * q[6] + (second[0] - second[3]) * q[7]
        if ask.mode == TANGENT:
            H = w.second
            for k in range(2):
                strand_stiffness(s.belt, k, q, angles, s.a, s.b, x.a, x.b, G, H)
                add_strand_tangent(J, g[k], H, x.a, x.b, ask, first if k == 0 else second)

    def accept(s, m, x, w, ask):
        angles = belt_strands(
            s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (0.0, 0.0), w.gradients, w.strands, w.components
        )
        m.held_a = angles[0]
        m.held_b = angles[1]

    def report(s, m, x, w, ask, out):
        q = w.components
        g = w.strands
        angles = belt_strands(s.belt, s.a, s.b, x.a, x.b, (m.held_a, m.held_b), (0.0, 0.0), w.gradients, g, q)
        first = strand_tension(s.belt, q[4], q[6], ask.damp)
        second = strand_tension(s.belt, q[5], q[7], ask.damp)
        out.tension_1 = first[0]
        out.tension_2 = second[0]
        out.transmitted_force = first[0] - second[0]
        out.force = (
            -first[0] * g[0, 6] - second[0] * g[1, 6],
            -first[0] * g[0, 7] - second[0] * g[1, 7],
            -first[0] * g[0, 8] - second[0] * g[1, 8],
        )
        out.angle_a = angles[0]
        out.angle_b = angles[1]
        out.potential = 0.5 * (first[3] * first[3] + second[3] * second[3]) / s.belt.stiffness
        out.power_out = (first[0] - first[3]) * q[6] + (second[0] - second[3]) * q[7]
