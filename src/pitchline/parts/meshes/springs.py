"""Springs of a mesh: stiffness as specified, from ISO 6336, or of a penalty method; several springs in series."""

from __future__ import annotations

import math

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject
from pitchline.functions.sampled import Table

from ..gears.geometry.directions import BASE_CIRCLE, has_base_circles, length_factor
from ..gears.geometry.pair import GearPair
from ..gears.geometry.rack import Rack
from ..gears.geometry.table import iso_stiffness
from .laws.common import Variable
from .laws.elastic import ISO_6336, LOADED, Elastic, Rigid
from .laws.varying import CYCLES, Varying

__all__ = [
    "pairs_in_contact",
    "tooth_springs",
    "TYPICAL",
    "mean_stiffness",
    "penalty_of",
    "play_of",
    "scaled",
    "springs_of",
    "to_hoop",
]


# ---- tooth springs

# Mesh stiffness from the stiffness of single teeth and the contact ratio.

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


def pairs_in_contact(begin: float, end: float, overlap: float = 0.0) -> tuple[FloatArray, FloatArray]:
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


def _share(x: FloatArray, begin: float, end: float) -> FloatArray:
    """Share of its full stiffness that a pair has at x."""
    enters = np.clip((x - begin) / CHANGE + 0.5, 0.0, 1.0)
    leaves = np.clip((end - x) / CHANGE + 0.5, 0.0, 1.0)
    return np.minimum(enters, leaves)


def _area(x: FloatArray, begin: float, end: float) -> FloatArray:
    """Integral of the number of pairs, from any point."""
    fine = np.arange(4 * _SAMPLES + 1) / (4 * _SAMPLES)
    counts = sum((_share(fine + i, begin, end) for i in _shifts(begin, end)), np.zeros(fine.size))
    summed = np.append(0.0, np.cumsum(0.5 * (counts[1:] + counts[:-1]) * np.diff(fine)))
    summed *= (end - begin) / summed[-1]  # of a cycle
    turns = np.floor(x)
    return np.asarray(turns * (end - begin) + np.interp(x - turns, fine, summed))


TYPICAL = 1.5e10
"""Typical mesh stiffness of steel teeth per face width [N/m²]."""
_PENALTY_FACTOR = 10.0
_CYCLE = np.linspace(0.0, 2.0 * math.pi, 4096, endpoint=False)


def scaled(parts: tuple[Variable, ...], k: float) -> tuple[Variable, ...]:
    """Multiply each of them by k."""
    if k == 1.0:
        return parts
    return tuple(part.scaled(k) if isinstance(part, Varying) else k * part for part in parts)


def mean_stiffness(springs: tuple[Variable, ...]) -> float:
    """Mean stiffness of springs in series [N/m]; see `MeshLaw.mean_stiffness`."""
    compliance = sum(1.0 / spring for spring in springs if not isinstance(spring, Varying))
    varying = [spring for spring in springs if isinstance(spring, Varying)]
    for cycle in CYCLES:
        same = [spring for spring in varying if spring.over == cycle]
        if not same:
            continue
        if len(same) == 1:
            compliance += 1.0 / same[0].mean
        else:
            compliance += 1.0 / float(np.mean(1.0 / sum(1.0 / spring(_CYCLE) for spring in same)))
    return 1.0 / compliance


def play_of(
    given: float | tuple[Variable, ...] | None, nominal: float, cosine: float, side: float
) -> tuple[float, tuple[Varying, ...], tuple[Varying, ...]]:
    """(constant backlash, what varies about it, errors) of a law [m], from the backlash of a mesh.

    nominal: backlash of the law from the geometry of the pair. cosine: lengths of the mesh divided by those of the law.

    side: offset over backlash. A backlash that varies by d moves the drive flank by -side d and the coast flank by (1 - side) d.
    This is an error of (1/2 - side) d, and d/2 more play on either flank.
    """
    if given is None:
        return max(0.0, nominal), (), ()
    if not isinstance(given, tuple):
        return given / cosine, (), ()
    parts = scaled(given, 1.0 / cosine)
    varying = [part for part in parts if isinstance(part, Varying)]
    mean = sum(part.mean if isinstance(part, Varying) else part for part in parts)
    plays = tuple(part.less(part.mean) for part in varying)
    moved = 0.5 - side
    return mean, plays, tuple(play.scaled(moved) for play in plays) if moved else ()


def springs_of(mesh: Elastic, pair: GearPair, face_width: float | None, what: Subject) -> tuple[Variable, ...]:
    """Springs as specified [N/m], those of ISO 6336 on the base circle. Typical values if they are not computed yet."""
    if mesh.tooth_stiffness is not None:
        return (tooth_springs(mesh, pair, face_width, what),)
    if mesh.stiffness == LOADED:
        return (TYPICAL * (pair.face_width if face_width is None else face_width),)
    if mesh.stiffness != ISO_6336:
        assert not isinstance(mesh.stiffness, str)
        return mesh.stiffness
    return (_iso(pair, what / "stiffness", face_width),)


def _iso(pair: GearPair, what: str, face_width: float | None = None) -> float:
    """b c_γα [N/m] of ISO 6336-1, on the base circle. b is the common face width, if it is given."""
    if isinstance(pair.b, Rack) or not pair.kind.parallel:
        raise ModelError(
            f"{what}: ISO 6336 applies to cylindrical wheels on parallel axes, not to a {pair.kind} pair; specify a "
            'number, such as "2e8 N/m"',
            about=what,
        )
    if pair.a.face_width is None or pair.b.face_width is None:
        raise ModelError(
            f"{what}: by ISO 6336 it depends on the face width, which is not specified; specify face_width for both gears, or "
            'a number, such as "2e8 N/m"',
            about=what,
        )
    width = pair.face_width if face_width is None else min(face_width, pair.face_width)
    return width * iso_stiffness(pair).mesh_alpha


def penalty_of(mesh: Rigid, pair: GearPair, what: Subject) -> float:
    """Stiffness of rigid teeth with the penalty method [N/m]."""
    if mesh.penalty is not None:
        return mesh.penalty
    try:
        return _PENALTY_FACTOR * _iso(pair, what)
    except ModelError as error:
        raise ModelError(
            f"{what}: without penalty= the stiffness is {_PENALTY_FACTOR:g} times that of ISO 6336, which is not available "
            f'here ({error}); specify penalty, such as "1e10 N/m"',
            about=what.at("penalty"),
        ) from None


def to_hoop(along: str | None, pair: GearPair, what: Subject) -> float:
    """κ: ratio of the hoop force to the same force in another direction, and of lengths in that direction to those along the hoop.

    None: the usual direction of the pair (`parts.gears.geometry.directions`).
    """
    if along == BASE_CIRCLE and not has_base_circles(pair.kind, pair.pitch):
        raise ModelError(
            f'{what}: a {pair.kind} pair has no base circles in one plane; omit along, or specify along="normal" (to the flanks) '
            'or along="hoop"',
            about=what.at("along"),
        )
    return length_factor(pair.kind, pair.pitch, along)
