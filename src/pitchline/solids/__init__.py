"""Rigid parts: mass properties that can be moved, turned and added, and the rotations that turn them."""

from .mass_properties import MassProperties, bar, cylinder, sphere, tube
from .rotations import Rotation

__all__ = ["MassProperties", "Rotation", "bar", "cylinder", "sphere", "tube"]
