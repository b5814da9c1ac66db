"""Face load factor K_Hbeta of a mesh: the largest load per face width divided by its mean, at one instant.

As in ISO 6336-1, w(zeta) being the normal force per face width, summed over all pairs of teeth that bear there,

    K_Hbeta = max w / (F/b) .

Tables contain it over load, tilt and phase. Between their points max w = K F is linear, from zero without load. Beyond the
largest load and the outermost tilts K is constant. Springs of equal stiffness over the face have a linear load distribution
over its width, and over a part of it after an edge has lifted off.
"""

import numpy as np

from ..math.compiled import A1, F8, I8, block, leaf
from ..math.fields import INTEGER, behind, fields, packed, record_over
from .load_table import phase_interval
from .mesh_records import MeshParameters, MeshScratch

FaceLoads = fields(
    "FaceLoads",
    phases=INTEGER,
    tilts=INTEGER,
    loads=INTEGER,
    force=behind("loads"),  # the first is 0
    tilt=behind("tilts"),
    count=INTEGER,
    most=behind("count"),  # K F, by phase, tilt and load
)
"""Stored with the functions of a system."""

_table = record_over(FaceLoads)


@leaf
def _place(x: A1, count: I8, value: F8) -> F8:
    """Index of the point below, and the fraction of the interval to the next one; within the points."""
    i = 0
    while i < count - 2 and x[i + 1] <= value:
        i += 1
    return i + min(max((value - x[i]) / (x[i + 1] - x[i]), 0.0), 1.0)


@leaf
def _over_loads(most: A1, row: I8, part: F8, m: I8) -> F8:
    return most[row + m] + part * (most[row + m + 1] - most[row + m])


@block
def tabled_face_load(functions: A1, place: I8, force: F8, tilt: F8, angle: F8) -> F8:
    """K_Hbeta of a flank with a force; 0 without force."""
    if not force > 0.0:
        return 0.0
    t = _table(functions, place)
    n = t.loads
    inside = min(force, t.force[n - 1])
    at = _place(t.force, n, inside)
    m = min(int(at), n - 2)
    i = 0
    z = 0.0
    above = 0
    if t.tilts > 1:
        along = _place(t.tilt, t.tilts, tilt)
        i = min(int(along), t.tilts - 2)
        z = along - i
        above = n
    j, x = phase_interval(t.phases, angle)
    here = int(j)
    there = (here + 1) % t.phases
    low = n * (t.tilts * here + i)
    high = n * (t.tilts * there + i)
    part = at - m
    most = t.most
    first = (1.0 - z) * _over_loads(most, low, part, m) + z * _over_loads(most, low + above, part, m)
    second = (1.0 - z) * _over_loads(most, high, part, m) + z * _over_loads(most, high + above, part, m)
    return ((1.0 - x) * first + x * second) / inside


@block
def mesh_face_load(pair: MeshParameters, functions: A1, w: MeshScratch) -> F8:
    """K_Hbeta of a pair after the evaluation of its law: for tables, and for springs over the face. 0 without contact."""
    law = pair.law
    out = w.law
    hoop = w.hoop
    share = w.engaged.share if w.engaged.share > 0.0 else 1.0
    if out.flank == 0.0:
        return 0.0
    if law.face_loads != 0:
        angle = pair.geometry.teeth_a * hoop.psi_a
        both = out.both if pair.geometry.line == 0 else abs(out.elastic)
        drive = 0.5 * (both + out.elastic) / share
        coast = 0.5 * (both - out.elastic) / share
        if drive >= coast:
            return tabled_face_load(functions, law.drive_face_loads, drive, hoop.tilt_drive, angle)
        return tabled_face_load(functions, law.coast_face_loads, coast, hoop.tilt_coast, angle)
    s = hoop.u + out.terms.x - law.offset
    depth = s if out.flank > 0.0 else -(s + hoop.backlash)
    slope = abs(hoop.tilt) * law.width
    if law.tilt_width > 0.0:
        slope = abs(hoop.tilt_drive if out.flank > 0.0 else hoop.tilt_coast) * law.tilt_width
    if depth >= 0.5 * slope:
        return 1.0 + 0.5 * slope / depth if depth > 0.0 else 1.0
    bears = depth / slope + 0.5  # fraction of the width in contact
    return 2.0 / bears if bears > 0.0 else 0.0


def encode_face_loads(loads: np.ndarray, tilts: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system: loads above zero (L), tilts (T), K_Hbeta (T, L, n)."""
    most = np.concatenate([np.zeros_like(factors[:, :1]), factors * loads[:, None]], axis=1)
    values = {
        "phases": factors.shape[2],
        "force": np.append(0.0, loads),
        "tilt": tilts,
        "most": most.transpose(2, 0, 1).ravel(),
    }
    return packed(FaceLoads, values)
