"""Stiffness of a segment from its flexibility: exact in linear statics for any steps and tapers.

Force and moment in the segment are in equilibrium with those at its end B. A strain at the fraction s moves B by X(s), the
motion of that section seen at B. In the axes of B

    C_B = int X c X^T dz,    C_d = T^-1(d0) C_B T^-T(d0),    K = C_d^-1

for d = log(H_A^-1 H_B). c is the compliance of the section. For a uniform straight segment this is the matrix of the
Timoshenko beam (Przemieniecki 1968), with MacNeal's residual bending flexibility (Comput. Struct. 8, 1978) in shear.
"""

from __future__ import annotations

import numpy as np

from .se3 import inverse_tangent
from .segment import Segment, SegmentPoints

__all__ = ["flexibility_at", "relative_gradient", "segment_stiffness"]

Array = np.ndarray


def _brought_to_end(segment: Segment, points: SegmentPoints) -> Array:
    """int X c X^T dz over the points."""
    X = segment.motions(points.share, 1.0)
    return np.asarray(np.tensordot(points.weight, X @ points.compliance @ X.transpose(0, 2, 1), axes=1))


def flexibility_at(segment: Segment, k: int, share: float) -> Array:
    """Contribution to C_B of piece k up to a fraction of that piece."""
    return _brought_to_end(segment, segment.points(k, 0.0, share))


def segment_stiffness(segment: Segment) -> Array:
    """K (6, 6) for d - d0 of a segment, about its undeformed state."""
    at_end = sum(flexibility_at(segment, k, 1.0) for k in range(len(segment.pieces)))
    T = inverse_tangent(segment.rest)
    K = np.linalg.inv(T @ at_end @ T.T)
    return 0.5 * (K + K.T)


def relative_gradient(rest: Array) -> Array:
    """P0 (6, 12): derivative of d with respect to small motions of both ends, in their own axes, in the undeformed state."""
    return np.hstack([-inverse_tangent(-rest), inverse_tangent(rest)])
