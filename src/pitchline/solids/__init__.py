"""Solids: mass properties that can be moved, rotated and added, shapes without mass, and rotations."""

from .homogeneous import bar, cone, cylinder, sphere, tube
from .mass_properties import MassProperties
from .rotations import Rotation
from .shape import Shape
from .stl_solid import stl

__all__ = ["MassProperties", "Rotation", "Shape", "bar", "cone", "cylinder", "sphere", "stl", "tube"]
