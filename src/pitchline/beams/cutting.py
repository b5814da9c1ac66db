"""Division of a shaft into elements: h <= lambda/7 at the highest frequency of interest.

lambda is the wavelength of bending with shear and rotary inertia, or of torsion or axial motion if that is shorter. The
elements have equal phase lengths. Therefore thick pieces have longer elements than thin ones, and in a uniform piece all
elements are equal.
"""

from __future__ import annotations

import math

import numpy as np

from .sections import BeamSection
from .segment import Segment

__all__ = ["ELEMENTS_PER_WAVE", "cuts", "wave_number"]

ELEMENTS_PER_WAVE = 7.0
"""With the tuned mass, the error of the highest frequency of interest of a bare shaft is about 0.1 %."""
SAMPLES = 16
"""Number of points in a piece at which a taper is evaluated."""


def wave_number(section: BeamSection, frequency: float) -> float:
    """k = 2 pi/lambda [1/m] of the shortest wave at a frequency [Hz]: bending of the Timoshenko beam, torsion, axial."""
    omega = 2 * math.pi * frequency
    K, M = np.diag(section.stiffness), np.diag(section.mass)
    found = [omega * math.sqrt(M[2] / K[2]), omega * math.sqrt(M[5] / K[5])]
    for shear, bending, inertia in ((K[0], K[4], M[4]), (K[1], K[3], M[3])):
        m = M[0]
        mean = 0.5 * omega**2 * (m / shear + inertia / bending)
        spread = math.hypot(0.5 * omega**2 * (m / shear - inertia / bending), omega * math.sqrt(m / bending))
        found.append(math.sqrt(mean + spread))
    return max(found)


def cuts(segment: Segment, frequency: float | None, *, least: int = 1) -> list[float]:
    """Fractions of a segment, from 0 to 1, at which its elements begin and end. least: minimum number of elements."""
    phase, places = [0.0], [0.0]
    for k, piece in enumerate(segment.pieces):
        a, b = segment.borders[k], segment.borders[k + 1]
        for i in range(SAMPLES):
            number = 1.0 if frequency is None else wave_number(piece.at((i + 0.5) / SAMPLES), frequency)
            phase.append(phase[-1] + number * piece.length / SAMPLES)
            places.append(a + (b - a) * (i + 1) / SAMPLES)
    count = least
    if frequency is not None:
        count = max(least, math.ceil(ELEMENTS_PER_WAVE * phase[-1] / (2 * math.pi) * (1 - 1e-9)))
    return [float(s) for s in np.interp(np.linspace(0.0, phase[-1], count + 1), phase, places)]
