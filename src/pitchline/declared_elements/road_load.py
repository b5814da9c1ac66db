"""Road load on the joint of a wheel, as in `elements.road`: T = -r F(v) with v = r w."""

from pitchline.elements.road import Road, road_force, road_record
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    derived,
    function,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
    value_of,
)


class RoadLoad(Element):
    """Road load of a vehicle on the joint of its wheel: rolling resistance, drag of the air, slope."""

    key = "road_load"
    on = joint("joint of the wheel; the vehicle drives forward if its angle increases")
    radius = number("m", "radius of the wheel", least=0.0)
    vehicle_mass = number("kg", "mass of the vehicle, for its weight; its inertia is not included", least=0.0)
    rolling_coefficient = number("", "rolling resistance over weight", 0.0, least=0.0, check=(0.1, 0.3))
    drag_area = number("m^2", "drag coefficient times frontal area", 0.0, least=0.0, check=(0.5, 2.0))
    air_density = number("kg/m^3", "density of the air", 1.2, least=0.0)
    slope = function("rad", "angle of the road, positive uphill", 0.0)
    wind = function("m/s", "speed of the head wind", 0.0)
    smoothing_speed = number(
        "m/s", "speed below which the rolling resistance falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gravitational_acceleration = number("m/s^2", "gravity of the weight", 9.81, least=0.0)
    road = derived("numbers of the road", record=Road)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    force = signal("N", "force against the forward direction of the vehicle")
    speed = signal("m/s", "speed of the vehicle")

    @staticmethod
    def check(values):
        for name in ("radius", "smoothing_speed"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0")

    @staticmethod
    def derive(values):
        return {"road": road_record(values)}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        v = s.radius * rate(g, x.on_a, x.on_b)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, by_speed, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        T = s.radius * (loss + uphill)
        add_effort(r, g, T)
        power = loss * v
        ask.power_out += max(power, 0.0)
        ask.power_in += max(-power, 0.0) - uphill * v
        if ask.mode == TANGENT:
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, s.radius * s.radius * by_speed)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        v = s.radius * rate(w.gradient, x.on_a, x.on_b)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, _, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        out.speed = v
        out.force = loss + uphill
        out.torque = -s.radius * out.force
        out.power_out = max(loss * v, 0.0)
        out.power_in = max(-loss * v, 0.0) - uphill * v
