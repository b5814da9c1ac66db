"""Solids: mass properties that can be moved, rotated and added, shapes without mass, and rotations."""

from .mass_properties import MassProperties, Shape
from .rotations import Rotation
from .stl_solid import bar, cone, cylinder, sphere, stl, tube

__all__ = ["MassProperties", "Rotation", "Shape", "bar", "cone", "cylinder", "sphere", "stl", "tube"]
