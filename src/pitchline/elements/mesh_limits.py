"""Parameters of the end of contact: tips, faces, the ends of a rack (`mesh_engagement` has the equations)."""

import numpy as np

from ..math.compiled import F8, V3, leaf
from ..math.fields import INTEGER, NUMBER, fields, packed

UNLIMITED, CONTACT_ENDS, RUN_ENDS = 0, 1, 2
"""Behaviour out of mesh: none (analyses check later), contact ends, or the position is invalid (rigid teeth)."""
NO_FACES, LINE, CROSSED = 0, 1, 2
"""Faces: unknown; parallel along one pitch line; on crossed axes, with point contact."""
FAR = 1e30
"""Value of a missing limit."""
FREE, ROUND = 0.01, 0.02
"""Fractions of the face: this fraction may be lost without effect, then the corner of Phi is rounded."""

Limits = fields(
    "MeshLimits",
    ends=INTEGER,
    depth=NUMBER,  # by how much tips overlap as built
    shallow=NUMBER,  # overlap of tips below which teeth can pass each other
    faces=INTEGER,
    along_1=NUMBER,  # line: the pitch line of A by mu1 and mu2
    along_2=NUMBER,
    low=NUMBER,  # line: places along it where faces part; crossed: ends of the face of A
    high=NUMBER,
    width=NUMBER,  # line: the smaller face
    gain=NUMBER,  # line: 1/S as built
    low_b=NUMBER,  # crossed: ends of the face of B, and the length beyond over which contact ends
    high_b=NUMBER,
    beyond=NUMBER,
    travel_low=NUMBER,  # of a rack: ends of its travel, and the length beyond over which contact ends; 0: it does not end
    travel_high=NUMBER,
    travel_beyond=NUMBER,
    reach=NUMBER,  # distance of the centres from which on the wheels cannot touch
)


@leaf
def of_face(part: F8) -> V3:
    """S of the part of the face that meets, and two derivatives: 1 from 99 %, a rounded corner, then a straight line to 0."""
    scale = 1.0 / (1.0 - FREE - 0.5 * ROUND)
    lost = 1.0 - part - FREE
    if lost <= 0.0:
        return (1.0, 0.0, 0.0)
    if part <= 0.0:
        return (0.0, 0.0, 0.0)
    if lost < ROUND:
        return (1.0 - 0.5 * scale * lost * lost / ROUND, scale * lost / ROUND, -scale / ROUND)
    return (1.0 - scale * (lost - 0.5 * ROUND), scale, 0.0)


def encode_limits(
    *,
    ends: int,
    depth: float = FAR,
    pitch: float = 0.0,
    backlash: float = 0.0,
    cos_alpha: float = 1.0,
    line: tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None = None,
    crossed: tuple[tuple[float, float], tuple[float, float], float] | None = None,
    travel: tuple[float, float, float] | None = None,
    reach: float = FAR,
) -> np.void:
    """Record `Limits` of a pair [m].

    depth: initial overlap of the tips; pitch, backlash: along the hoop. line: faces of A and B along the pitch line from the
    pitch point (low, high), and the direction of that line by mu1 and mu2. crossed: the same on each axis mu1 and xi1, and the
    length over which contact ends beyond them. travel: lowest, highest, and the length over which contact ends beyond. Faces
    or ends that are not given have no limit.
    """
    values = {
        "ends": ends,
        "depth": depth,
        "shallow": 0.5 * (pitch - backlash) * cos_alpha,
        "faces": NO_FACES,
        "reach": reach,
    }
    if travel is not None:
        values |= dict(zip(("travel_low", "travel_high", "travel_beyond"), travel, strict=True))
    if line is not None:
        (a0, a1), (b0, b1), (along_1, along_2) = line
        width = min(a1 - a0, b1 - b0)
        built = of_face.py_func(min(b1 - a0, a1 - b0, width) / width)[0]
        values |= {"faces": LINE, "along_1": along_1, "along_2": along_2}
        values |= {"low": a0 - b1, "high": a1 - b0, "width": width, "gain": 1.0 / built}
    if crossed is not None:
        (a0, a1), (b0, b1), beyond = crossed
        values |= {"faces": CROSSED, "low": a0, "high": a1, "low_b": b0, "high_b": b1, "beyond": beyond}
    return Limits.named(packed(Limits, values))
