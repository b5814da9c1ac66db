"""Rigid parts: mass properties that can be moved, turned and added, shapes alone, and the rotations that turn both."""

from .homogeneous import bar, cone, cylinder, sphere, tube
from .mass_properties import MassProperties
from .rotations import Rotation
from .shape import Shape
from .stl_solid import stl

__all__ = ["MassProperties", "Rotation", "Shape", "bar", "cone", "cylinder", "sphere", "stl", "tube"]
