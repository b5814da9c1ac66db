"""Resistance of a road vehicle over its speed v: rolling resistance, drag of the air, weight along the slope.

    F = m g (c_r cos(alpha) tanh(v / v_s) + sin(alpha)) + (1/2) rho c_d A (v + v_w) |v + v_w|

v_w is the speed of the head wind. The rolling resistance is smooth near zero: it does not hold the vehicle at rest.
"""

import math

from ..math.compiled import F8, V3, leaf
from ..math.fields import NUMBER, fields

Road = fields("Road", weight=NUMBER, rolling=NUMBER, drag=NUMBER, smoothing=NUMBER)
"""Weight m g [N], rolling coefficient, rho c_d A / 2 [kg/m], speed of the smooth sign [m/s]."""


@leaf
def road_force(road: Road, v: F8, slope: F8, wind: F8, damp: F8) -> V3:
    """Losses by rolling and air, their derivative with respect to v, and the weight along the slope."""
    t = math.tanh(v / road.smoothing)
    rolling = damp * road.weight * road.rolling * math.cos(slope)
    air = v + wind
    drag = damp * road.drag
    by_speed = rolling * (1.0 - t * t) / road.smoothing + 2.0 * drag * abs(air)
    return (rolling * t + drag * air * abs(air), by_speed, road.weight * math.sin(slope))


def road_record(values: dict[str, float]) -> dict[str, float]:
    """Values of the record `Road` from those of an element."""
    return {
        "weight": values["vehicle_mass"] * values["gravitational_acceleration"],
        "rolling": values["rolling_coefficient"],
        "drag": 0.5 * values["air_density"] * values["drag_area"],
        "smoothing": values["smoothing_speed"],
    }
