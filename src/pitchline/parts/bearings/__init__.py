"""Rolling bearings: ratings, lives, friction torque, geometry from catalogue data; pure numpy."""
