"""Sources in C of units that run without Python."""
