"""Elastic gears from a solid mesh of the user: one sector or the whole gear, with or without cyclic symmetry."""
