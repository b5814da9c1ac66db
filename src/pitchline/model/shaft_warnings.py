"""What is possible of a shaft, and questionable: sizes that were meant in millimetres, a damping that was meant as a ratio."""

from __future__ import annotations

import math

from .registry import Registry
from .shaft import Shaft

__all__ = ["shaft_warnings"]

_THICK = 3.0
"""Diameter [m] from which on a plain number is taken for millimetres."""
_LONG = 1e-3
"""Time of damping [s] below which nobody took it for a ratio: a light shaft with heavy discs is slower than it would be alone."""
_FREE = 3.56
"""Of the first frequency of a free beam, f = 3.56 √(EI/ρA) / L² [Hz]."""


def shaft_warnings(model: Registry) -> list[str]:
    """One sentence each."""
    found = []
    for shaft in model.structures.values():
        if not isinstance(shaft, Shaft):
            continue
        thickest = max(max(section.outer, section.outer_end) for section in shaft.sections)
        if thickest >= _THICK:
            meant = f'plain numbers are in metres; write "{thickest:g} mm" if that is meant'
            found.append(f"{shaft.subject} is {thickest:g} m thick: {meant}")
            continue
        ratio = math.pi * _first_frequency(shaft) * shaft.damping.bending
        if ratio >= 1.0 and shaft.damping.bending >= _LONG:
            found.append(
                f"{shaft.subject}: damping of {shaft.damping.bending:g} s stops its first bending vibration at once, with "
                f"{ratio:.3g} times the critical one; it is a time, not a damping ratio: twice the ratio over the angular speed"
            )
    return found


def _first_frequency(shaft: Shaft) -> float:
    """Of bending, of the free shaft with the section of its thickest part [Hz]: about right, a guess on the high side."""
    section = max(shaft.sections, key=lambda one: one.outer)
    material = section.material or shaft.material
    radius_of_gyration = 0.25 * math.hypot(section.outer, section.inner)
    return _FREE * radius_of_gyration * math.sqrt(material.youngs_modulus / material.density) / shaft.length**2
