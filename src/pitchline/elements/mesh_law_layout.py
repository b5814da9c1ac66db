"""Places of a mesh law: its parameters behind those of the geometry, and the scratch rows of J with what it gives."""

import numpy as np

from .mesh_geometry import SIZE

SPRING, COMPLIANT, RIGID = 0, 1, 2
"""Form of the law: a function of the approach; one multiplier with the compliance of the teeth; one without."""
IN_CONTACT, ALWAYS, NEVER_PULLING = 0, 1, 2
"""When the damper acts."""
OVER_CYCLE, OVER_A, OVER_B = 0, 1, 2
"""What a varying stiffness or error depends on: the angle z_A psi_A, psi_A, psi_B."""
NO_FRICTION, CONSTANT, BY_TABLE, STRIBECK = 0, 1, 2, 3

MAX_SPRINGS, MAX_ERRORS = 4, 6
# parameters, behind those of the geometry
FORM = SIZE
COMPLIANCE, N_SPRINGS, SPRINGS = SIZE + 1, SIZE + 2, SIZE + 3
ERROR, N_ERRORS, ERRORS = SIZE + 11, SIZE + 12, SIZE + 13
DAMPING, DAMPING_MODE, BACKLASH, OFFSET, SMOOTHING, CONSISTENT = (SIZE + 25 + i for i in range(6))
FRICTION, FRICTION_SPEED, LEVER_AB, LEVER_BA, LOSS_SPEED = SIZE + 31, SIZE + 36, SIZE + 37, SIZE + 38, SIZE + 39
WIDTH, MEAN_STIFFNESS, MASS = SIZE + 40, SIZE + 41, SIZE + 42
TABLED, DRIVE_TABLE, COAST_TABLE = SIZE + 43, SIZE + 44, SIZE + 45  # whether tables carry the force; their places
BEND = SIZE + 46  # largest change of their stiffness with the approach, over the stiffness [1/m]
END = SIZE + 47

LAW = 27
"""Scratch row of J with what the law gives."""
FORCE_K, FORCE_C, ENERGY, FLANK, DEFLECTION, STIFFNESS = range(6)
W_A, W_B, MOMENT = 6, 7, 8  # forces conjugate to psi_A, psi_B (that of u included) and to the tilt
F_A, F_B, F_T = 9, 10, 11  # derivatives of the elastic force by psi_A, psi_B and the tilt
W_AA, W_AB, W_BA, W_BB, W_AT, W_BT, M_TT = 12, 13, 14, 15, 16, 17, 18
DAMPER = 19  # derivative of the damping force by the rate of u
GAP, ROW_A, ROW_B, ROW_L = 20, 21, 22, 23  # multiplier form: Phi and its derivatives by psi_A, psi_B and lambda
DEPTH = 20  # table, not as a multiplier: deflection of the one flank that bears; 0 if none or both do
POWER = 24  # power that error and stiffness put in where their torques are left out
FC_A, FC_B, FC_T, FC_Y = 25, 26, 27, 28  # derivatives of the damping force by psi_A, psi_B, the tilt and the centres, t y
W_AY, W_BY = 29, 30  # derivatives of w_A and w_B by t y
SHARE = 31  # force over the largest load of its table
TERMS = 28
"""Scratch row: k, k_A, k_B, k_AA, k_AB, k_BB, x, x_A, x_B, x_AA, x_BB."""
ERROR_TERM = 6
# behind them, for teeth that follow their centres: the sum N of the forces of both flanks, conjugate to t y; its derivatives by u,
# psi_A, psi_B, the tilt, t y and, in multiplier form, lambda; and sigma: 1 drive flank, -1 coast flank, 0 none or both
BOTH, BOTH_U, BOTH_A, BOTH_B, BOTH_T, BOTH_Y, BOTH_L, SIGMA = 16, 17, 18, 19, 20, 21, 22, 23

TABLE = 22
"""Scratch row: what a table of loaded teeth gives (places in `load_table`)."""


Varying = tuple[int, int]
"""Place of a function of an angle in the table of functions, and what it is over (OVER_CYCLE, OVER_A, OVER_B)."""


def encode_law(
    *,
    form: int = SPRING,
    stiffness: list[float | Varying] | tuple[float | Varying, ...] = (),
    mean_stiffness: float | None = None,
    errors: list[float | Varying] | tuple[float | Varying, ...] = (),
    damping: float = 0.0,
    damping_mode: int = IN_CONTACT,
    backlash: float = 0.0,
    offset: float = 0.0,
    smoothing: float = 0.0,
    energy_consistent: bool = True,
    friction: tuple[float, ...] = (),
    friction_speed: float = 1e-3,
    loss_levers: tuple[float, float] = (0.0, 0.0),
    loss_speed: float = 1e-3,
    width: float = 0.0,
    mass: float = 1.0,
    tables: tuple[int, int, float] | None = None,
) -> np.ndarray:
    """Parameters of a law. `stiffness`: springs in series; numbers are constant, pairs vary (see `Varying`), as do errors.
    friction: (kind, parameters): (CONSTANT, mu), (BY_TABLE, place), (STRIBECK, kinetic, static - kinetic, speed, viscous).
    loss_levers [m]: couple of the mesh losses over the hoop force, A driving and B driving. mass: m_e along the hoop [kg].
    tables: places of the tables of the drive and of the coast flank in the table of functions, in place of a stiffness, and
    how much their stiffness k changes with the approach: the greatest of abs(dk/du)/k [1/m].
    """
    p = np.zeros(END - SIZE)

    def put(at: int, *values: float) -> None:
        p[at - SIZE : at - SIZE + len(values)] = values

    def split(terms: list[float | Varying] | tuple[float | Varying, ...]) -> tuple[list[float], list[Varying]]:
        return [t for t in terms if not isinstance(t, tuple)], [t for t in terms if isinstance(t, tuple)]

    constants, varying = split(stiffness)
    assert len(varying) <= MAX_SPRINGS
    put(FORM, form, sum(1.0 / k for k in constants), len(varying), *(x for pair in varying for x in pair))
    constant_errors, varying_errors = split(errors)
    assert len(varying_errors) <= MAX_ERRORS
    put(ERROR, sum(constant_errors), len(varying_errors), *(x for pair in varying_errors for x in pair))
    put(DAMPING, damping, damping_mode, backlash, offset, smoothing, float(energy_consistent), *friction)
    put(FRICTION_SPEED, friction_speed, *loss_levers, loss_speed, width)
    if mean_stiffness is None:
        mean_stiffness = 1.0 / sum(1.0 / k for k in constants) if constants else 0.0
    put(MEAN_STIFFNESS, mean_stiffness, mass)
    if tables is not None:
        put(TABLED, 1.0, *tables)
    return p
