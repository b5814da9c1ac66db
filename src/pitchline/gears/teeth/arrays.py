"""The arrays of this folder."""

from ..arrays import ComplexArray, FloatArray, IntArray, along

__all__ = ["ComplexArray", "FloatArray", "IntArray", "along"]
