"""Where the numbers of an elastic pair of flanks lie: in its parameters, its memory and its scratch.

All arrays are flat. The header is a stretch of the parameters of a gear pair behind those of the law; its entries are
sizes and places of tables in the same parameters. Scratch lies there too (behind the tables): parameters belong to one
element, memory is sampled and must stay small.
"""

# header: sizes
(
    STRIPS, HATS_A, HATS_B, FACES_A, FACES_B, OFFSETS, TEETH_OF_A, TEETH_OF_B, MODES_A, MODES_B, ROOM, SENSE,
) = range(12)  # fmt: skip
"""Strips; hats of a flank and face lines of its grid, A and B; teeth to either side that feel a load; teeth; modes; most
candidates; +1 or -1: how the number of B's tooth goes with that of A."""
# header: constants
KAPPA, MODULUS, NEAR, DAMPING_RATIO, PENALTY, FRICTION, FRICTION_SPEED = range(12, 19)
"""Sum of (1 - nu^2)/(pi E); E*; gap below which strips are looked at; modal damping ratio; penalty of a strip, 0: none;
coefficient of friction, and the sliding speed below which it fades."""
# header: places
COUPLINGS = 33
"""Tables of the coupling of strips, for contact half-widths that grow by COUPLING_STEP (as distances 0.303 b)."""
WIDTHS, COUPLING, COUPLING_STEP, OMEGA_A, OMEGA_B, DIAMETERS_A, DIAMETERS_B, SCRATCH = range(19, 27)
PROPAGATORS_A, PROPAGATORS_B, FREE_A, FREE_B, CANDIDATES, PLACED_A, PLACED_B, MATRIX, FACTORS = range(27, 36)
"""In the scratch: propagators, free motion, candidates, their traces on A and B, compliance, factors of the strips in contact."""
SIDE = 36
"""First entry of the drive side; SIDE + SIDE_SIZE that of the coast side."""
PHASE_0, PHASE_STEP, PHASES, TOOTH_B, TABLE, COMPLIANCE_A, COMPLIANCE_B, TRACES_A, TRACES_B, SINGLE_A, SINGLE_B = range(11)
"""Of a side: first phase and step [pitches], number of phases, tooth of B that meets tooth 0 of A; places of the table, of the
residual compliances, of the traces; of the deviations of single teeth: place of an index by tooth, 0: none."""
SIDE_SIZE = 11
HEADER = SIDE + 2 * SIDE_SIZE

# a line of the table: one phase and strip
PLAY, SLOPE, LEVER, AT_A, AT_B, FACE_B, RADIUS, ROLL_A, ROLL_B = range(9)
"""Approach at which the strip touches [m] and its slope over the phase [m a pitch]; normal gap over approach; profile places on
A and B, face place on B, in hats; radius of curvature [m]; levers of friction about both axes [m]."""
LINE = 9
FAR = 1e3
"""PLAY of strips without a counterpart."""

# memory, behind that of the gear pair
(
    TIME_DONE, FORCE, RATE_U, RATE_PSI, CONJUGATE, FRICTION_A, FRICTION_B, FRICTION_LOSS, KINETIC, STORED, LOST, PRESSURE,
    IN_CONTACT, NORMAL, U_DONE, PSI_DONE,
) = range(16)  # fmt: skip
"""Time of the last accepted step; hoop force, its derivatives by u and psi_A, force conjugate to psi_A; moments of friction
about both axes and its loss; energies, power lost in the modes; greatest pressure; strips in contact; sum of normal forces;
approach and angle of that state."""
SLOTS = 8
"""Tooth pairs whose forces are kept: slot k % SLOTS for tooth k of A, the coast side counting negative."""
PAIRS = 16
MODAL = PAIRS + SLOTS
"""Then coordinates, rates and forces of the modes of A and of B (real and imaginary parts), and the forces of all strips by
side and slot, from which the next step starts."""


def memory_size(modes_a: int, modes_b: int, strips: int) -> int:
    """Numbers of memory of a pair of flanks."""
    return MODAL + 6 * (modes_a + modes_b) + 2 * SLOTS * strips


# scratch: what was found for the present step
KEY_TIME, KEY_DONE, KEY_SUM, KEY_PSI, KEY_U, KEY_Y, COUNT, STEP_MADE = range(8)
"""For which step it holds; candidates; the step for which the propagators were made."""
KEYS = 8
# a candidate
(
    C_SIDE, C_TOOTH, C_STRIP, C_HAT_A, C_WEIGHT_A, C_HAT_B, C_WEIGHT_B, C_FACE_WEIGHT, C_GAP, C_LEVER, C_SLOPE, C_RADIUS,
    C_WIDTH, C_LAMBDA, C_ACTIVE, C_RESIDUAL, C_STEP, C_FREE, C_TOOTH_B, C_BASE, C_ROLL_A, C_ROLL_B, C_NOW, C_DISTANCE,
) = range(24)  # fmt: skip
CANDIDATE = 24
PROPAGATOR = 8
"""Per mode: c and v at the end of a step from c, v, the force at its beginning and at its end."""


def scratch_places(modes_a: int, modes_b: int, room: int) -> tuple[dict[int, int], int]:
    """Where the parts of the scratch lie, by their entry in the header, counted from its beginning; and its size."""
    sizes = {
        PROPAGATORS_A: PROPAGATOR * modes_a,
        PROPAGATORS_B: PROPAGATOR * modes_b,
        FREE_A: 6 * modes_a,
        FREE_B: 6 * modes_b,
        CANDIDATES: CANDIDATE * room,
        PLACED_A: 2 * modes_a * room,
        PLACED_B: 2 * modes_b * room,
        # before it is filled the matrix serves for the modes at a tooth: phases, free motion, traces of a point
        MATRIX: max(room * room, 6 * (modes_a + modes_b)),
        FACTORS: room * room,
    }
    places, end = {}, KEYS
    for entry, size in sizes.items():
        places[entry] = end
        end += size
    return places, end
