"""Elastic bodies reduced to their interfaces and modes: from meshes, from matrices of finite element programs, from files."""

from .interface import Interface
from .superelement import Superelement

__all__ = ["Interface", "Superelement"]
