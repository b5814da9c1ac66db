"""The face load factor K_Hbeta (`face_load`) of elastic flanks: from the forces of their strips, on the side that carries more.

The mean is taken over the common part of the faces, as in tables of loaded contact.
"""

from ..math.compiled import F8, block, leaf
from .flank_records import SLOTS, ContactMemory, Flanks, StripScratch, candidate


@leaf
def _of_strips(most: F8, total: F8, width: F8) -> F8:
    return most * width / total if total > 0.0 else 0.0


@block
def kept_face_load(s: Flanks, m: ContactMemory) -> F8:
    """Of the strips of elastic flanks, as they were accepted."""
    forces = m.forces
    found = 0.0
    greatest = 0.0
    for side in range(2):
        total = 0.0
        most = 0.0
        for k in range(s.strips):
            f = 0.0
            for slot in range(SLOTS):
                f += forces[(side * SLOTS + slot) * s.strips + k]
            total += f
            most = max(most, f / s.widths[k])
        if total > greatest:
            greatest = total
            found = _of_strips(most, total, s.face)
    return found


@block
def present_face_load(s: Flanks, w: StripScratch) -> F8:
    """Of the strips as they have just been solved."""
    found = 0.0
    greatest = 0.0
    for side in range(2):
        total = 0.0
        most = 0.0
        for k in range(s.strips):
            f = 0.0
            for n in range(w.count):
                c = candidate(w, n)
                if c.strip == k and c.side == side and c.force > 0.0:
                    f += c.force
            total += f
            most = max(most, f / s.widths[k])
        if total > greatest:
            greatest = total
            found = _of_strips(most, total, s.face)
    return found
