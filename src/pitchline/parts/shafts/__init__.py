"""Shafts and beams in numbers: sections, stiffness and mass of segments, discretisation, and results along them."""
