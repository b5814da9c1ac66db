"""Mass matrix (12, 12) of a segment for the body velocities of its two section frames.

Consistent: M_c = int N^T m N dz with the exact static shapes N of the segment, including steps and tapers (Guyan reduction of the
continuum; Nelson, J. Mech. Des. 102, 1980, for a uniform segment). For any shapes, the frequencies of a two-node element with
shear have an error of order h^2. Tuned: M = M_c + P0^T M_d P0, an inertia that acts only on the rate of d and compensates most
of that error:

    M_d = h diag(m/18, m/18, m/12, m EI/(12 kGA), m EI/(12 kGA), J_p/12)

m/12 and J_p/12 leave an error of order h^4 in bars. m/18 is a fit for shafts (length 4 to 20 diameters) that leaves about one
eighth of the error in bending. Rigid motions, momentum and moments of inertia do not change.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from .flexibility import flexibility_at, relative_gradient, segment_stiffness
from .se3 import inverse_tangent
from .segment import Segment

__all__ = ["MassKind", "segment_mass", "segment_shapes"]

Array = np.ndarray
MassKind = Literal["tuned", "consistent", "lumped"]


def segment_shapes(segment: Segment, shares: Array, K: Array) -> Array:
    """(n, 6, 6): static shapes S(s), motion of the section at the fraction s, in its axes, per d - d0 with the first end fixed."""
    whole = [flexibility_at(segment, k, 1.0) for k in range(len(segment.pieces))]
    before = np.concatenate([[np.zeros((6, 6))], np.cumsum(whole, axis=0)])
    load = inverse_tangent(segment.rest).T @ K
    out = []
    for share in shares:
        k, local = segment.place_of(float(share))
        flexibility = before[k] + flexibility_at(segment, k, local)
        out.append(segment.motion(1.0, float(share)) @ flexibility @ load)
    return np.array(out).reshape(-1, 6, 6)


def segment_mass(segment: Segment, K: Array | None = None, kind: MassKind = "tuned") -> Array:
    """M (12, 12) of a segment. K: its stiffness, if already computed."""
    if kind == "lumped":
        return _lumped(segment)
    K = segment_stiffness(segment) if K is None else K
    P = relative_gradient(segment.rest)
    M = np.zeros((12, 12))
    for k in range(len(segment.pieces)):
        points = segment.points(k, 0.0, 1.0)
        N = segment_shapes(segment, points.share, K) @ P
        N[:, :, :6] += np.stack([segment.motion(0.0, float(s)) for s in points.share])
        M += np.tensordot(points.weight, N.transpose(0, 2, 1) @ points.mass @ N, axes=1)
    if kind == "tuned":
        M += P.T @ _relative_mass(segment) @ P
    return 0.5 * (M + M.T)


def _relative_mass(segment: Segment) -> Array:
    """M_d (6, 6), with means of mass and compliance over the segment."""
    m, C = np.zeros((6, 6)), np.zeros((6, 6))
    for k in range(len(segment.pieces)):
        points = segment.points(k, 0.0, 1.0)
        m += np.einsum("n,nij->ij", points.weight, points.mass)
        C += np.einsum("n,nij->ij", points.weight, points.compliance)
    across = np.array([[0.0, -1.0], [1.0, 0.0]])  # bending about x belongs to shear along y
    ratio = (
        across @ C[:2, :2] @ across.T @ np.linalg.inv(C[3:5, 3:5])
    )  # EI/(kGA), for any direction of the principal axes
    out = np.diag([m[0, 0] / 18, m[1, 1] / 18, m[2, 2] / 12, 0.0, 0.0, m[5, 5] / 12])
    out[3:5, 3:5] = m[0, 0] / 24 * (ratio + ratio.T)
    return out


def _lumped(segment: Segment) -> Array:
    """Rigid halves of the segment, each on its node."""
    M = np.zeros((12, 12))
    for half, end, place in (
        (segment.between(0.0, 0.5), 0.0, slice(0, 6)),
        (segment.between(0.5, 1.0), 1.0, slice(6, 12)),
    ):
        for k in range(len(half.pieces)):
            points = half.points(k, 0.0, 1.0)
            shares = 0.5 * points.share + (0.0 if end == 0.0 else 0.5)
            for share, weight, mass in zip(shares, points.weight, points.mass, strict=True):
                carry = segment.motion(end, float(share))
                M[place, place] += weight * carry.T @ mass @ carry
    return 0.5 * (M + M.T)
