"""Membranes in numbers: meshes of flat triangles and quadrilaterals, and the constant matrices of their elements."""

from .mesh import MembraneMesh

__all__ = ["MembraneMesh"]
