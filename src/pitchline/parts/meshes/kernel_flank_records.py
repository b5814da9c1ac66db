"""Records of elastic flanks in contact: parameters, memory and scratch.

Modes of a gear are those of `fem.elastic_gear`. A mode with n nodal diameters is one of a pair with -n, which moves as the real
part of a complex coordinate: two real coordinates, the real and the imaginary part. Modes with n = 0 or n = z/2 have one. Pairs
come first: coordinate m is the real part of mode m, coordinate `modes` + m the imaginary part of mode m < `paired`.
"""

from typing import Any

import numpy as np

from pitchline.engine.elements.contract import Coordinates, seen
from pitchline.numerics.fields import INTEGER, NUMBER, behind, embedded, fields, inline, record_over
from pitchline.numerics.machine_code.compiled import I8, leaf

from .kernel_records import MeshMemory, MeshParameters, MeshScratch

SLOTS = 8
"""Tooth pairs whose forces are stored: slot k % SLOTS for tooth k of A; negative for the coast side."""
COUPLINGS = 65
"""Tables of the coupling of strips, for contact half-widths that grow by `coupling_step` (as distances 0.303 b)."""
FAR = 1e3
"""`play` of strips without an opposite strip."""
PROPAGATOR = 8
"""Per mode: c and v at the end of a step from c, v, the force at its beginning and at its end."""
MOST_SHIFTS = 6
"""Coordinates of the relative position of the axes (`compile.Shifts`), at most."""
U, PSI, Y, SHIFT = 0, 1, 2, 3
"""Rows of the derivatives of the gaps: by u, psi_A, y, and from `SHIFT` on by the shifts."""
KINDS = SHIFT + MOST_SHIFTS

# ------------------------------------------------------------------------------------------------------------- parameters

ElasticGearData = fields(
    "Flank gear",
    teeth=INTEGER,
    own=INTEGER,  # 1: each tooth has its own compliance and traces, and modes are real
    rows=INTEGER,  # hats of a flank along the profile
    faces=INTEGER,  # and along the face
    modes=INTEGER,
    paired=INTEGER,
    omega=behind("modes"),  # circular frequencies [rad/s]
    diameters=behind("modes"),  # nodal diameters
)
GearSide = fields(
    "Flank of a gear",
    hats=INTEGER,
    modes=INTEGER,
    compliance_rows=INTEGER,
    # residual [m/N], between hats; one block for each offset of teeth, and where teeth differ for each tooth
    compliance=behind("compliance_rows", "hats"),
    trace_rows=INTEGER,
    # of the modes at the hats [1/sqrt(kg)]: real parts, then imaginary ones; where teeth differ real ones, tooth by tooth
    traces=behind("trace_rows", "modes"),
    single_teeth=INTEGER,
    single=behind("single_teeth", of="integer"),  # by tooth: position of its own deviations, -1: none
    deviation_count=INTEGER,
    deviations=behind("deviation_count"),  # outwards [m], by phase and strip
)
ContactLine = fields(
    "Flank line",  # one phase and strip
    play=NUMBER,  # approach at which the strip comes into contact [m]
    slope=NUMBER,  # and its slope over the phase [m a pitch]
    lever=NUMBER,  # normal gap per approach
    at_a=NUMBER,  # profile positions on A and B, face position on B, in hats
    at_b=NUMBER,
    face_b=NUMBER,
    radius=NUMBER,  # of curvature [m]
    roll_a=NUMBER,  # levers of friction about both axes [m]
    roll_b=NUMBER,
    face_a=NUMBER,  # face position on A, in hats
)
Side = fields(
    "Flank side",  # the flanks that touch while A drives in one direction
    first=NUMBER,  # phase and step [pitches]
    step=NUMBER,
    phases=INTEGER,
    tooth_b=INTEGER,  # that meets tooth 0 of A
    line_count=INTEGER,
    lines=behind("line_count", ContactLine.size),
    level_count=INTEGER,
    shifts=INTEGER,
    levels=behind("level_count", "shifts"),  # approach along the hoop per shift, by phase and strip
    slides=behind("level_count", "shifts"),  # sliding per shift
    a=embedded(GearSide),
    b=embedded(GearSide),
)
Flanks = fields(
    "Flanks",
    strips=INTEGER,
    offsets=INTEGER,  # teeth on either side that are affected by a load
    room=INTEGER,  # maximum number of candidates
    sense=INTEGER,  # +1 or -1: direction of the tooth numbers of B relative to those of A
    kappa=NUMBER,  # sum of (1 - nu^2)/(pi E)
    modulus=NUMBER,  # E*
    near=NUMBER,  # gap below which strips are evaluated [m]
    damping_ratio=NUMBER,
    penalty=NUMBER,  # of a strip [N/m], 0: none
    friction=NUMBER,
    friction_speed=NUMBER,  # sliding speed below which friction decreases to zero [m/s]
    face=NUMBER,  # width of the strips that meet the face of B [m]
    shifts=INTEGER,  # coordinates of the relative position of the axes to which the strips respond (`compile.Shifts`)
    shift_base=behind("shifts"),
    shift_along=behind("shifts", 3),
    shift_turning=behind("shifts", 9),
    farthest=behind("shifts"),  # greatest level of a strip
    coupling_step=NUMBER,
    coupling_rows=INTEGER,
    widths=behind("strips"),
    coupling=behind("coupling_rows", "strips"),
    a=embedded(ElasticGearData),
    b=embedded(ElasticGearData),
    drive=embedded(Side),
    coast=embedded(Side),
)
line_over = record_over(ContactLine)


@leaf
def side_of(s: Flanks, side: I8) -> Side:
    return s.drive if side == 0 else s.coast


# ------------------------------------------------------------------------------------------------ memory, own coordinates

ContactForces = fields(
    "Flank contact",
    force=NUMBER,  # f, along the hoop, conjugate to u
    conjugate=NUMBER,  # conjugate to psi_A, besides that of u
    both=NUMBER,  # sum of the forces of both flanks, conjugate to y
    shifts=inline(MOST_SHIFTS),  # conjugate to the shifts
    second=inline(KINDS, KINDS),  # derivatives of all these forces by u, psi_A, y and the shifts
    friction_a=NUMBER,  # moments about both axes, and loss
    friction_b=NUMBER,
    friction_loss=NUMBER,
    rubbing=inline(MOST_SHIFTS),  # of friction, conjugate to the shifts
)
ContactMemory = fields(
    "Flank memory",
    contact=embedded(ContactForces),
    moving=INTEGER,  # 1: the modes move, since the last state was accepted in a motion; 0: they follow the forces of the teeth
    kinetic=NUMBER,
    stored=NUMBER,
    lost=NUMBER,  # power loss in the modes
    pressure=NUMBER,  # largest
    touching=NUMBER,  # strips in contact
    normal=NUMBER,  # sum of normal forces
    pairs=inline(SLOTS),
    force_count=INTEGER,
    forces=behind("force_count"),  # of all strips by side and slot, from which the next step starts
    distances=behind("force_count"),  # half widths of contact with which these forces were found (as distances 0.303 b)
    coordinates_a=INTEGER,
    coordinates_b=INTEGER,
    modal_a=behind("coordinates_a"),  # forces of the modes, at the end of the last step
    modal_b=behind("coordinates_b"),
)
MODES = tuple(
    Coordinates(
        f"c_{gear}",
        f"modes_{gear}",
        "m*sqrt(kg)",
        f"modes of elastic gear {gear.upper()}",
        condensed=True,
        typical=1e-6,
    )
    for gear in "ab"
)
Seen = seen("a", "b", coordinates=MODES)

# ---------------------------------------------------------------------------------------------------------------- scratch

Candidate = fields(
    "Flank candidate",  # a strip near contact
    side=INTEGER,
    tooth=INTEGER,
    tooth_b=INTEGER,
    strip=INTEGER,
    hat_a=INTEGER,
    hat_b=INTEGER,
    active=INTEGER,
    weight_a=NUMBER,  # between hats along the profile
    weight_b=NUMBER,
    face_weight_a=NUMBER,  # along the faces of A and B
    face_weight=NUMBER,
    base=NUMBER,  # gap of rigid flanks where candidates were collected
    free=NUMBER,  # displacement by the free motion of the modes
    gap=NUMBER,  # both, in the present pose
    lever=NUMBER,
    slope=NUMBER,
    radius=NUMBER,
    width=NUMBER,
    roll_a=NUMBER,
    roll_b=NUMBER,
    force=NUMBER,
    distance=NUMBER,
)
GearScratch = fields(
    "Flank gear scratch",
    modes=INTEGER,
    coordinates=INTEGER,
    room=INTEGER,
    propagators=behind("modes", PROPAGATOR),
    free=behind("coordinates"),  # coordinates and rates at the end of the step without a force there
    free_rate=behind("coordinates"),
    force=behind("coordinates"),
    phi=behind("coordinates", "room"),  # displacement of the candidates by the coordinates
    cosine=behind("modes"),  # of the phases at the present tooth
    sine=behind("modes"),
    moving=behind("coordinates"),  # the free motion as it is there
    real=behind("modes"),  # trace of the present candidate on tooth 0
    imaginary=behind("modes"),
)
StripScratch = fields(
    "Flank scratch",
    a=embedded(GearScratch),
    b=embedded(GearScratch),
    made_for=NUMBER,  # step for which the propagators were made
    u=NUMBER,  # pose in which the candidates were collected
    y=NUMBER,
    psi=NUMBER,
    from_shift=inline(MOST_SHIFTS),
    shift=inline(MOST_SHIFTS),  # as they are now, and their rates
    shift_rate=inline(MOST_SHIFTS),
    count=INTEGER,
    contact=embedded(ContactForces),
    pressure=NUMBER,  # as in the memory
    touching=NUMBER,
    normal=NUMBER,
    pairs=inline(SLOTS),
    room=INTEGER,
    candidates=behind("room", Candidate.size),
    matrix=behind("room", "room"),  # compliance between candidates within the step
    factors=behind("room", "room"),  # of the strips in contact
    now=behind("room"),
    residual=behind("room"),
    kinds=INTEGER,
    by=behind("kinds", "room"),  # derivatives of the gaps, with reversed signs: of u, psi_A, y and the shifts
    shifts=INTEGER,
    level=behind("room", "shifts"),  # of the candidates, and the slope with psi_A
    rise=behind("room", "shifts"),
    slide=behind("room", "shifts"),
)
_candidate_over = record_over(Candidate)
_CANDIDATE = Candidate.size


@leaf
def candidate(w: StripScratch, c: I8) -> Candidate:
    return _candidate_over(w.candidates, c * _CANDIDATE)


# ----------------------------------------------------------------------------------------------- of the gear pair as a whole

ElasticFlankPair = fields("Flank pair", pair=embedded(MeshParameters), flanks=embedded(Flanks))
FlankMemory = fields("Flank pair memory", turns=embedded(MeshMemory), flanks=embedded(ContactMemory))
FlankScratch = fields(
    "Flank pair scratch",
    mesh=embedded(MeshScratch),
    shifts=inline(MOST_SHIFTS, 12),  # gradients of the shifts by the poses
    flanks=embedded(StripScratch),
)


def empty_memory(strips: int, coordinates: tuple[int, int]) -> dict[str, Any]:
    """Values of the memory before the first contact."""
    return {
        "forces": np.zeros(2 * SLOTS * strips),
        "distances": np.zeros(2 * SLOTS * strips),
        "modal_a": np.zeros(coordinates[0]),
        "modal_b": np.zeros(coordinates[1]),
    }


def empty_scratch(room: int, modes: tuple[int, int], coordinates: tuple[int, int], shifts: int = 0) -> dict[str, Any]:
    """Values of the scratch: arrays of the right sizes."""

    def gear(n: int, own: int) -> dict[str, Any]:
        each = {name: np.zeros(n) for name in ("cosine", "sine", "real", "imaginary")}
        own_each = {name: np.zeros(own) for name in ("free", "free_rate", "force", "moving")}
        return {"propagators": np.zeros((n, PROPAGATOR)), "phi": np.zeros((own, room)), **each, **own_each}

    return {
        "a": gear(modes[0], coordinates[0]),
        "b": gear(modes[1], coordinates[1]),
        "made_for": np.nan,
        "candidates": np.zeros((room, Candidate.size)),
        "matrix": np.zeros((room, room)),
        "factors": np.zeros((room, room)),
        "now": np.zeros(room),
        "residual": np.zeros(room),
        "by": np.zeros((SHIFT + shifts, room)),
        "level": np.zeros((room, shifts)),
        "rise": np.zeros((room, shifts)),
        "slide": np.zeros((room, shifts)),
    }
