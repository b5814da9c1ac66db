"""Parameters of the law of a gear mesh: stiffness, errors, damping, backlash, friction, losses (`spring_law` has the equations)."""

import numpy as np

from ..math.fields import INTEGER, NUMBER, fields, inline, packed

SPRING, COMPLIANT, RIGID = 0, 1, 2
"""Form of the law: a function of the approach; one multiplier with the compliance of the teeth; one without."""
NEVER_PULLING, IN_CONTACT, ALWAYS, LIMITED = 0, 1, 2, 3
"""Action of the damper (`mesh_damper`): in contact, and the force of a flank never pulls; in contact; also in the gap; in contact,
not larger than the force of the spring."""
OF_DEFLECTION, OF_APPROACH = 0, 1
"""Rate on which it acts: of the deflection, which contains errors, backlash and unloaded approach, or only of the approach."""
OVER_CYCLE, OVER_A, OVER_B, OVER_TIME = 0, 1, 2, 3
"""Variable of a varying stiffness, damping, error or backlash: the angle z_A psi_A, psi_A, psi_B; errors and backlash also time."""
NO_TILT, IN_PLANE, BY_SHIFTS = 0, 1, 2
"""None; to the tilt in the plane of action of each flank (`mesh_tilt`); as the element computes it (`flank_shifts`)."""
NO_FRICTION, CONSTANT, BY_TABLE, STRIBECK, BY_LOAD = 0, 1, 2, 3, 4

ROUNDING = 1e-9
"""Backlash, as a fraction of the pitch, that counts as zero: rounding of the poses for b = 0."""

MAX_SPRINGS, MAX_ERRORS, MAX_PLAYS = 4, 8, 2

Law = fields(
    "MeshLaw",
    form=INTEGER,
    compliance=NUMBER,  # of the springs in series that are constant
    n_springs=INTEGER,  # those that vary: places of their functions, and over what they vary
    springs=inline(MAX_SPRINGS),
    springs_over=inline(MAX_SPRINGS),
    error=NUMBER,  # sum of the errors that are constant
    n_errors=INTEGER,
    errors=inline(MAX_ERRORS),
    errors_over=inline(MAX_ERRORS),
    damping=NUMBER,  # if it is constant
    resistance=NUMBER,  # of dampers in series: sum of 1/c of those that are constant; those that vary
    n_dampers=INTEGER,
    dampers=inline(MAX_SPRINGS),
    dampers_over=inline(MAX_SPRINGS),
    damping_mode=INTEGER,
    damping_rate=INTEGER,
    backlash=NUMBER,  # constant part
    n_plays=INTEGER,  # functions that are added to it
    plays=inline(MAX_PLAYS),
    plays_over=inline(MAX_PLAYS),
    offset=NUMBER,
    smoothing=NUMBER,
    consistent=INTEGER,  # 1: errors and stiffness cause their torques, so that energy is conserved
    friction=INTEGER,
    mu=NUMBER,  # constant, or kinetic
    mu_table=INTEGER,  # place of the function of the sliding speed, or of the table over speed and load
    mu_drop=NUMBER,  # Stribeck: static - kinetic; speed of its decay; viscous part
    mu_speed=NUMBER,
    mu_viscous=NUMBER,
    friction_speed=NUMBER,
    path=NUMBER,  # mean distance from the pitch point on the path of contact, where friction acts; 0: at the pitch point
    loss_lever_a=NUMBER,  # moment of the losses per hoop force if A drives, and if B drives
    loss_lever_b=NUMBER,
    loss_speed=NUMBER,
    width=NUMBER,  # of a line contact; 0: a point
    mean_stiffness=NUMBER,
    mass=NUMBER,  # m_e along the hoop
    tabled=INTEGER,  # 1: the force is defined by tables
    drive_table=INTEGER,
    coast_table=INTEGER,
    bend=NUMBER,  # largest change of their stiffness with the approach, over the stiffness [1/m]
    tilted=INTEGER,  # response of the teeth to the relative position of the axes: NO_TILT, IN_PLANE, BY_SHIFTS
    tilt_across=NUMBER,  # n_B of the drive flank: its components along xi3 and xi2
    tilt_towards=NUMBER,
    tilt_width=NUMBER,  # for springs over the face with tilt: approach from edge to edge per tilt; 0: none
    face_loads=INTEGER,  # 1: tables of the face load factor
    drive_face_loads=INTEGER,
    coast_face_loads=INTEGER,
    own=INTEGER,  # address of a law of the user (`own_mesh_law`); 0: none
    own_length=NUMBER,  # its lengths over those along the hoop
)

Varying = tuple[int, int]
"""Place of a function of an angle in the table of functions, and what it is over (OVER_CYCLE, OVER_A, OVER_B)."""


def encode_law(
    *,
    form: int = SPRING,
    stiffness: list[float | Varying] | tuple[float | Varying, ...] = (),
    mean_stiffness: float | None = None,
    errors: list[float | Varying] | tuple[float | Varying, ...] = (),
    damping: float | list[float | Varying] | tuple[float | Varying, ...] = 0.0,
    damping_mode: int = NEVER_PULLING,
    damping_rate: int = OF_DEFLECTION,
    backlash: float = 0.0,
    plays: list[Varying] | tuple[Varying, ...] = (),
    offset: float = 0.0,
    smoothing: float = 0.0,
    energy_consistent: bool = True,
    friction: tuple[float, ...] = (),
    friction_speed: float = 1e-3,
    path: float = 0.0,
    loss_levers: tuple[float, float] = (0.0, 0.0),
    loss_speed: float = 1e-3,
    width: float = 0.0,
    mass: float = 1.0,
    tables: tuple[int, int, float] | None = None,
    tilt: tuple[float, float] | None = None,
    tilt_width: float = 0.0,
    face_loads: tuple[int, int] | None = None,
    own: int = 0,
    own_length: float = 1.0,
) -> np.void:
    """Record `Law`. `stiffness`: springs in series; numbers are constant, pairs vary (see `Varying`); the same for errors, and
    for dampers in series. plays: functions that are added to the backlash, half on either flank.
    friction: (kind, parameters): (CONSTANT, mu), (BY_TABLE, place), (STRIBECK, kinetic, static - kinetic, speed, viscous),
    (BY_LOAD, place). path [m]: mean distance from the pitch point at which friction acts; 0: at the pitch point.
    loss_levers [m]: moment of the mesh losses per hoop force, if A drives and if B drives. mass: m_e along the hoop [kg].
    tables: indices of the tables of the drive and of the coast flank in the table of functions, in place of a stiffness, and
    the largest relative change of their stiffness k with the approach: abs(dk/du)/k [1/m].
    tilt: for teeth with tilt in the plane of action, the normal of the drive flank in a section across the axes (`mesh_tilt`),
    along xi3 and xi2. tilt_width [m]: for springs over the face, the approach from edge to edge per tilt.
    face_loads: indices of the tables of the face load factor of both flanks.
    own: address of a law in place of a stiffness. own_length: its lengths over those along the hoop.
    """
    constants, varying = _split(stiffness)
    constant_errors, varying_errors = _split(errors)
    assert len(varying) <= MAX_SPRINGS
    assert len(varying_errors) <= MAX_ERRORS
    dampers: list[float | Varying] = [damping] if isinstance(damping, (int, float)) else list(damping)
    constant_dampers, varying_dampers = _split(dampers)
    assert len(varying_dampers) <= MAX_SPRINGS
    assert len(plays) <= MAX_PLAYS
    resistance = sum(1.0 / c for c in constant_dampers if c)
    compliance = sum(1.0 / k for k in constants)
    if mean_stiffness is None:
        mean_stiffness = 1.0 / compliance if constants else 0.0
    places, over = _columns(varying, MAX_SPRINGS)
    error_places, errors_over = _columns(varying_errors, MAX_ERRORS)
    damper_places, dampers_over = _columns(varying_dampers, MAX_SPRINGS)
    play_places, plays_over = _columns(list(plays), MAX_PLAYS)
    drive_table, coast_table, bend = tables or (0, 0, 0.0)
    values = {
        "form": form,
        "compliance": compliance,
        "n_springs": len(varying),
        "springs": places,
        "springs_over": over,
        "error": sum(constant_errors),
        "n_errors": len(varying_errors),
        "errors": error_places,
        "errors_over": errors_over,
        "damping": 1.0 / resistance if resistance and not varying_dampers else 0.0,
        "resistance": resistance,
        "n_dampers": len(varying_dampers),
        "dampers": damper_places,
        "dampers_over": dampers_over,
        "damping_mode": damping_mode,
        "damping_rate": damping_rate,
        "backlash": backlash,
        "n_plays": len(plays),
        "plays": play_places,
        "plays_over": plays_over,
        "offset": offset,
        "smoothing": smoothing,
        "consistent": energy_consistent,
        "friction_speed": friction_speed,
        "path": path,
        "loss_lever_a": loss_levers[0],
        "loss_lever_b": loss_levers[1],
        "loss_speed": loss_speed,
        "width": width,
        "mean_stiffness": mean_stiffness,
        "mass": mass,
        "tabled": tables is not None,
        "drive_table": drive_table,
        "coast_table": coast_table,
        "bend": bend,
        "tilted": NO_TILT if tilt is None else IN_PLANE,
        "tilt_across": tilt[0] if tilt else 0.0,
        "tilt_towards": tilt[1] if tilt else 0.0,
        "tilt_width": tilt_width,
        "face_loads": face_loads is not None,
        "drive_face_loads": face_loads[0] if face_loads else 0,
        "coast_face_loads": face_loads[1] if face_loads else 0,
        "own": own,
        "own_length": own_length,
    }
    return Law.named(packed(Law, values | _friction(friction)))


def _friction(given: tuple[float, ...]) -> dict[str, float]:
    if not given:
        return {"friction": NO_FRICTION}
    kind, *numbers = given
    names = ("mu_table",) if kind in (BY_TABLE, BY_LOAD) else ("mu", "mu_drop", "mu_speed", "mu_viscous")
    return {"friction": kind, **dict(zip(names, numbers, strict=False))}


def _split(terms: list[float | Varying] | tuple[float | Varying, ...]) -> tuple[list[float], list[Varying]]:
    return [t for t in terms if not isinstance(t, tuple)], [t for t in terms if isinstance(t, tuple)]


def _columns(varying: list[Varying], size: int) -> np.ndarray:
    """Places and variables, a row each."""
    table = np.zeros((2, size))
    for i, (place, over) in enumerate(varying):
        table[:, i] = place, over
    return table
