"""Shafts and beams as numbers: sections, stiffness and mass of segments, where to cut, and what happens along them."""
