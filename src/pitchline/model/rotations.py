"""Orientations, as parts of a model need them."""

from ..solids.rotations import Array, Rotation, direction, frozen, misalignment, read_rotation, rotation_angle, z_to

__all__ = ["Array", "Rotation", "direction", "frozen", "misalignment", "read_rotation", "rotation_angle", "z_to"]
