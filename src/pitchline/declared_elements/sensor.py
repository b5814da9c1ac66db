"""Sensor: motion of a frame, as an observer on another frame measures it. It causes no forces."""

from pitchline.elements.frame_motion import (
    relative_acceleration,
    relative_angular_acceleration,
    relative_angular_velocity,
    relative_orientation,
    relative_position,
    relative_velocity,
)
from pitchline.extend import Element, frame, signal


class Sensor(Element):
    """Position, velocity, acceleration and orientation of a frame."""

    key = "sensor"
    observes = True
    exchanges_power = False
    on = frame("frame that is measured")
    relative_to = frame("frame of reference; its axes are those of the signals", default="ground")
    position = signal("m", "position of the sensor in the frame of reference", 3)
    velocity = signal("m/s", "velocity of the sensor for an observer in the frame of reference", 3)
    acceleration = signal("m/s^2", "acceleration of the sensor for an observer in the frame of reference", 3)
    orientation = signal("1", "orientation of the sensor in the frame of reference, quaternion", 4)
    angular_velocity = signal("rad/s", "angular velocity relative to the frame of reference", 3)
    angular_acceleration = signal("rad/s^2", "angular acceleration relative to the frame of reference", 3)

    def evaluate(s, m, x, w, ask, r, J):
        return

    def report(s, m, x, w, ask, out):
        out.position = relative_position(s.on, x.on, s.relative_to, x.relative_to)
        out.velocity = relative_velocity(s.on, x.on, s.relative_to, x.relative_to)
        out.acceleration = relative_acceleration(s.on, x.on, s.relative_to, x.relative_to)
        out.orientation = relative_orientation(s.on, x.on, s.relative_to, x.relative_to)
        out.angular_velocity = relative_angular_velocity(x.on, s.relative_to, x.relative_to)
        out.angular_acceleration = relative_angular_acceleration(x.on, s.relative_to, x.relative_to)
