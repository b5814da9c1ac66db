"""Mesh stiffness from the stiffness of single teeth and the contact ratio."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, Subject
from ..gears import GearPair
from .functions import Table
from .meshes import Elastic, Varying

__all__ = ["pairs_in_contact", "tooth_springs"]

Array = npt.NDArray[np.float64]
CHANGE = 0.05
"""Fraction of the mesh cycle over which a pair takes its load, or loses it."""
_SAMPLES = 512


def tooth_springs(mesh: Elastic, pair: GearPair, face_width: float | None, what: Subject) -> float | Varying:
    """Stiffness in the direction of that of the teeth [N/m]: both teeth of a pair in series, all pairs in contact in parallel."""
    assert mesh.tooth_stiffness is not None
    single = 1.0 / sum(1.0 / k for k in mesh.tooth_stiffness)
    begin, end, overlap = _path(mesh, pair, face_width, what)
    if mesh.tooth_variation == "constant":
        return (end - begin) * single
    # The drive flank of a tooth is a quarter of a pitch ahead of its middle, which passes the pitch point at the angle 0.
    angles, counts = pairs_in_contact(begin - 0.25, end - 0.25, overlap)
    if np.ptp(counts) < 1e-12:
        return float(counts.mean()) * single
    return Varying(Table(angles, counts * single, periodic=True, over="angle"))


def _path(mesh: Elastic, pair: GearPair, face_width: float | None, what: Subject) -> tuple[float, float, float]:
    """Begin and end of the path of contact, from the pitch point in base pitches, and the overlap ratio for the mean."""
    try:
        path = pair.path_of_contact
        begin, end = ((x - path.pitch_point) / path.base_pitch for x in (path.start, path.end))
    except ModelError:
        if mesh.contact_ratio is None:
            raise ModelError(
                f"{what}: the path of contact of a {pair.kind} pair is not known; specify contact_ratio",
                about=what.at("contact_ratio"),
            ) from None
        begin, end = -0.5, 0.5
    if mesh.contact_ratio is not None:
        factor = mesh.contact_ratio / (end - begin)
        return factor * begin, factor * end, 0.0
    if end - begin < 1.0:
        raise ModelError(
            f"{what}: the transverse contact ratio of the gears is {end - begin:.4g}, less than 1, so that at times no pair is in "
            "contact; specify contact_ratio",
            about=what.at("tooth_stiffness"),
        )
    helix = abs(pair.a.helix_angle)
    if not helix or pair.a.face_width is None or pair.b.face_width is None:
        return begin, end, 0.0
    width = pair.face_width if face_width is None else min(face_width, pair.face_width)
    return begin, end, width * math.sin(helix) / pair.a.normal_pitch


def pairs_in_contact(begin: float, end: float, overlap: float = 0.0) -> tuple[Array, Array]:
    """Number of tooth pairs in contact over an angle of 0 to 2 pi: (angles, numbers), linear between them.

    begin, end: of the contact of a pair, in mesh cycles. A pair takes its load linearly over a part of the cycle about its begin,
    and loses it in the same way about its end, so that the mean is end - begin. overlap: mean over so many cycles, the slices of a
    helical tooth.
    """
    corners = [(x + d * 0.5 * CHANGE) % 1.0 for x in (begin, end) for d in (-1.0, 1.0)]
    at = np.array(sorted({0.0, *corners})) if not overlap else np.arange(_SAMPLES) / _SAMPLES
    if overlap:
        counts = (_area(at + 0.5 * overlap, begin, end) - _area(at - 0.5 * overlap, begin, end)) / overlap
    else:
        counts = sum((_share(at + i, begin, end) for i in _shifts(begin, end)), np.zeros(at.size))
    return 2.0 * math.pi * np.append(at, 1.0), np.append(counts, counts[0])


def _shifts(begin: float, end: float) -> range:
    return range(math.floor(begin) - 2, math.ceil(end) + 3)


def _share(x: Array, begin: float, end: float) -> Array:
    """Share of its full stiffness that a pair has at x."""
    enters = np.clip((x - begin) / CHANGE + 0.5, 0.0, 1.0)
    leaves = np.clip((end - x) / CHANGE + 0.5, 0.0, 1.0)
    return np.minimum(enters, leaves)


def _area(x: Array, begin: float, end: float) -> Array:
    """Integral of the number of pairs, from any point."""
    fine = np.arange(4 * _SAMPLES + 1) / (4 * _SAMPLES)
    counts = sum((_share(fine + i, begin, end) for i in _shifts(begin, end)), np.zeros(fine.size))
    summed = np.append(0.0, np.cumsum(0.5 * (counts[1:] + counts[:-1]) * np.diff(fine)))
    summed *= (end - begin) / summed[-1]  # of a cycle
    turns = np.floor(x)
    return np.asarray(turns * (end - begin) + np.interp(x - turns, fine, summed))
