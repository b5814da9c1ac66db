"""Road load on a body that translates, as in `elements.road`. The forward direction is x of its frame."""

from pitchline.elements.axial_force import add_axial, add_axial_tangent, axial_speeds
from pitchline.elements.road import Road, road_force, road_record
from pitchline.errors import ModelError
from pitchline.extend import TANGENT, Element, derived, frame, function, number, signal, value_of
from pitchline.math.compiled import M9, V3, leaf


@leaf
def _x(M: M9) -> V3:
    return (M[0], M[3], M[6])


class RoadResistance(Element):
    """Road load on the body of a vehicle: rolling resistance, drag of the air, slope. Forward is x of the frame."""

    key = "road_resistance"
    on = frame("vehicle: forward is x of the frame")
    vehicle_mass = number("kg", "mass of the vehicle, for its weight; its inertia is that of the body", least=0.0)
    rolling_coefficient = number("", "rolling resistance over weight", 0.0, least=0.0, check=(0.1, 0.3))
    drag_area = number("m^2", "drag coefficient times frontal area", 0.0, least=0.0, check=(0.5, 2.0))
    air_density = number("kg/m^3", "density of the air", 1.2, least=0.0)
    slope = function("rad", "angle of the road, positive uphill, if gravity of the model does not contain it", 0.0)
    wind = function("m/s", "speed of the head wind", 0.0)
    smoothing_speed = number(
        "m/s", "speed below which the rolling resistance falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gravitational_acceleration = number("m/s^2", "gravity of the weight", 9.81, least=0.0)
    road = derived("numbers of the road", record=Road)
    force = signal("N", "force against the forward direction of the vehicle")
    speed = signal("m/s", "speed of the vehicle")

    @staticmethod
    def check(values):
        if values["smoothing_speed"] == 0.0:
            raise ModelError("smoothing_speed must be positive, got 0")

    @staticmethod
    def derive(values):
        return {"road": road_record(values)}

    def evaluate(s, m, x, w, ask, r, J):
        z = _x(s.on.axes)
        v, _ = axial_speeds(x.on, s.on.at, z)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, by_speed, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        F = -(loss + uphill)
        add_axial(r, x.on, s.on.at, z, F, 0.0)
        ask.power_out += max(loss * v, 0.0)
        ask.power_in += max(-loss * v, 0.0) - uphill * v
        if ask.mode == TANGENT:
            add_axial_tangent(J, x.on, s.on.at, z, ask, F, (-by_speed, 0.0), (0.0, 0.0))

    def report(s, m, x, w, ask, out):
        v, _ = axial_speeds(x.on, s.on.at, _x(s.on.axes))
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, _, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        out.speed = v
        out.force = loss + uphill
        out.power_out = max(loss * v, 0.0)
        out.power_in = max(-loss * v, 0.0) - uphill * v
