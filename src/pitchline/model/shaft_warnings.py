"""Warnings about shafts: dimensions that are probably in millimetres, a damping that is probably a ratio."""

from __future__ import annotations

import math

from .registry import Registry
from .shaft import Shaft

__all__ = ["shaft_warnings"]

_THICK = 3.0
"""From this diameter [m] on, a plain number is probably in millimetres."""
_LONG = 1e-3
"""Below this damping time [s] the value is probably not a ratio. Heavy discs reduce the frequencies of a light shaft."""
_FREE = 3.56
"""Factor of the first frequency of a free beam, f = 3.56 √(EI/ρA) / L² [Hz]."""


def shaft_warnings(model: Registry) -> list[str]:
    """Warnings about the shafts of a model; one sentence each."""
    found = []
    for shaft in model.structures.values():
        if not isinstance(shaft, Shaft):
            continue
        thickest = max(max(section.outer, section.outer_end) for section in shaft.sections)
        if thickest >= _THICK:
            meant = f'plain numbers are in metres; if you mean millimetres, write "{thickest:g} mm"'
            found.append(f"the diameter of {shaft.subject} is {thickest:g} m: {meant}")
            continue
        ratio = math.pi * _first_frequency(shaft) * shaft.damping.bending
        if ratio >= 1.0 and shaft.damping.bending >= _LONG:
            found.append(
                f"{shaft.subject}: the damping of {shaft.damping.bending:g} s is {ratio:.3g} times the critical "
                "damping of its first bending "
                "mode; it is a time, not a damping ratio: twice the damping ratio divided by the angular frequency"
            )
    return found


def _first_frequency(shaft: Shaft) -> float:
    """First bending frequency [Hz] of the free shaft with its thickest section: an estimate, rather too high."""
    section = max(shaft.sections, key=lambda one: one.outer)
    material = section.material or shaft.material
    radius_of_gyration = 0.25 * math.hypot(section.outer, section.inner)
    return _FREE * radius_of_gyration * math.sqrt(material.youngs_modulus / material.density) / shaft.length**2
