"""The face of a gear cut into slices, in each of which flanks touch in one strip of cells.

On helical gears a contact line comes in at one end of the flank and leaves at the other, slice after slice, and a slice
carries load as a whole or not at all. So the approach of the gears ripples with the slices: n slices in an axial pitch put a
line at n times the mesh frequency. Slices at the face lines of finite elements, a millimetre wide, made it larger than true
harmonics. Here slices are narrow against the axial pitch, whatever the elements; the load of a slice begins and ends with a
kink and not with a jump, so that the ripple falls with the square of their number. And their number differs from one face
line to the next: what would be one line is spread over many, each as much smaller.

The contact lines of spur teeth touch all along the face at once. Their slices are those of the face lines.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["face_slices"]

FloatArray = npt.NDArray[np.float64]

_PER_AXIAL_PITCH, _PER_FACE = 80.0, 32.0
"""Slices in the axial pitch of helical teeth and over the face, at least ..."""
_SPREAD, _GOLDEN = 0.75, 0.5 * (math.sqrt(5.0) - 1.0)
"""... and up to this part more, from face line to face line in the order of the golden section."""


def face_slices(lines: FloatArray, axial_pitch: float, ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Positions ζ of the slices and their widths Δζ [m], from one end of the face to the other.

    lines: ζ of the face lines of the hats [m], ascending; axial_pitch [m], infinite for spur teeth; ends: of the part of the
    face [m] opposite to which the other gear has one. No slice of helical teeth lies across a face line.
    """
    low, high = max(float(lines[0]), ends[0]), min(float(lines[-1]), ends[1])
    if math.isinf(axial_pitch):
        between = np.concatenate([lines[:1], 0.5 * (lines[1:] + lines[:-1]), lines[-1:]])
        first, last = np.maximum(between[:-1], low), np.minimum(between[1:], high)
        at = np.where((lines >= low) & (lines <= high), lines, 0.5 * (first + last))
        kept = last > first
        return at[kept], (last - first)[kept]
    edges = np.concatenate([[low], lines[(lines > low) & (lines < high)], [high]])
    density = max(_PER_AXIAL_PITCH / axial_pitch, _PER_FACE / (high - low))
    zeta, widths = [], []
    for i, (start, stop) in enumerate(pairwise(edges)):
        from_end = min(i, len(edges) - 2 - i)  # both flanks of a tooth see the same
        wanted = density * (stop - start) * (1.0 + _SPREAD * (from_end * _GOLDEN % 1.0))
        count = max(1, math.ceil(wanted - 1e-6))
        width = (stop - start) / count
        zeta.append(start + width * (np.arange(count) + 0.5))
        widths.append(np.full(count, width))
    return np.concatenate(zeta), np.concatenate(widths)
