"""Rolling bearings: types and contact laws, ratings, lives, friction torque, geometry from catalogue numbers; pure numpy."""
