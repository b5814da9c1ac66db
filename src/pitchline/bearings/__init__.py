"""Rolling bearings: ratings, lives, friction torque, geometry from catalogue numbers; pure numpy."""
