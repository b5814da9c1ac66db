"""Parameters of the law of a gear mesh as records, and tables of loaded teeth."""

import math

import numpy as np

from pitchline.engine.elements.contract import Placed
from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    behind,
    embedded,
    fields,
    inline,
    packed,
    record_over,
)
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V2, V3, block, leaf

from ..gears.geometry.kinds import PitchGeometry

# ---- load table

# Table of loaded teeth in compiled code: force over approach and approach over force, at any mesh phase.
#
# The table (`tables` makes it) is the approach u(F, theta) of one flank over the force F >= 0 and the angle
# theta of the mesh cycle. Its compliance c = du/dF is piecewise linear in F between fixed knots F_m, so that with tau
# = F - F_m
#
#     u  = U_m + c_m tau + (c_m+1 - c_m)/h tau^2/2 ,
#     V* = A_m + U_m tau + c_m tau^2/2 + (c_m+1 - c_m)/h tau^3/6 ,     V* = integral of u dF, the complementary energy,
#
# U_m, c_m and A_m being cubics of theta between equally spaced phases. u is monotone in F: a quadratic equation gives
# F from u. Beyond the last knot the compliance stays. Then, as functions of u and theta (Legendre),
#
#     V = F u - V* ,   dV/du = F ,   dV/dtheta = -dV*/dtheta ,   dF/du = 1/c ,   dF/dtheta = -(du/dtheta)/c ,
#     d2V/dtheta2 = -d2V*/dtheta2 + (du/dtheta)^2/c .

LoadCurve = fields(
    "LoadTable",
    phases=INTEGER,
    knots=INTEGER,
    loads=behind("knots"),  # F_m
    rows=INTEGER,  # phase by phase and knot by knot: ascending powers of the part of the interval that has passed
    approaches=behind("rows", 4),  # U
    compliances=behind("rows", 4),  # c
    areas=behind("rows", 4),  # A
)
"""Stored with the functions of a system."""

LoadedFlank = fields(
    "LoadedFlank",
    force=NUMBER,
    approach=NUMBER,
    compliance=NUMBER,  # du/dF
    turn=NUMBER,  # du/dtheta
    star=NUMBER,  # V*, and its derivatives by theta
    star_1=NUMBER,
    star_2=NUMBER,
    touch=NUMBER,  # u at F = 0, and its derivatives by theta
    touch_1=NUMBER,
    touch_2=NUMBER,
    share=NUMBER,  # F divided by the largest load
    # for tables over the tilt f: derivatives of u and V* with respect to it, and f divided by the largest tilt
    by_tilt=NUMBER,
    star_f=NUMBER,
    star_1f=NUMBER,
    star_ff=NUMBER,
    touch_1f=NUMBER,  # and of touch by theta and f
    tilt_share=NUMBER,
)
"""State of a flank."""

TWO_PI = 2.0 * math.pi

_table = record_over(LoadCurve)


@leaf
def _value(c: A2, i: I8, x: F8) -> F8:
    return c[i, 0] + x * (c[i, 1] + x * (c[i, 2] + x * c[i, 3]))


@leaf
def _cubic(c: A2, i: I8, x: F8) -> V3:
    """Value and derivatives by x."""
    c1 = c[i, 1]
    c2 = c[i, 2]
    c3 = c[i, 3]
    return (c[i, 0] + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3), 2.0 * c2 + 6.0 * x * c3)


@leaf
def phase_interval(n: I8, angle: F8) -> V2:
    """Index of the interval of phases, and the fraction of it."""
    x = angle / TWO_PI
    x = n * (x - math.floor(x))
    j = float(min(max(int(x), 0), n - 1))  # an angle that is no number has no interval
    return (j, x - j)


@leaf
def _fill(t: LoadCurve, first: I8, m: I8, x: F8, tau: F8, out: LoadedFlank):
    """Everything at the force F_m + tau; first: row of the first knot at this phase."""
    knots = t.knots
    loads = t.loads
    compliances = t.compliances
    U, U1, U2 = _cubic(t.approaches, first + m, x)
    c, c1, c2 = _cubic(compliances, first + m, x)
    A, a1, a2 = _cubic(t.areas, first + m, x)
    force = loads[m] + tau
    k = 0.0
    k1 = 0.0
    k2 = 0.0
    if m < knots - 1 and force > 0.0:
        d, d1, d2 = _cubic(compliances, first + m + 1, x)
        inverse = 1.0 / (loads[m + 1] - loads[m])
        k = inverse * (d - c)
        k1 = inverse * (d1 - c1)
        k2 = inverse * (d2 - c2)
    by = t.phases / TWO_PI
    t2 = 0.5 * tau * tau
    t3 = tau * t2 / 3.0
    out.force = force
    out.approach = U + c * tau + k * t2
    out.compliance = c + k * tau
    out.turn = by * (U1 + c1 * tau + k1 * t2)
    out.star = A + U * tau + c * t2 + k * t3
    out.star_1 = by * (a1 + U1 * tau + c1 * t2 + k1 * t3)
    out.star_2 = by * by * (a2 + U2 * tau + c2 * t2 + k2 * t3)
    touch, touch_1, touch_2 = _cubic(t.approaches, first, x)
    out.touch = touch
    out.touch_1 = by * touch_1
    out.touch_2 = by * by * touch_2
    out.share = force / loads[knots - 1]


@block
def table_at_approach(functions: A1, place: I8, u: F8, angle: F8, out: LoadedFlank) -> I8:
    """State of a flank whose teeth have approached by u. 0, and nothing is written, if there is no contact."""
    t = _table(functions, place)
    knots = t.knots
    loads = t.loads
    approaches = t.approaches
    j, x = phase_interval(t.phases, angle)
    first = knots * int(j)
    if u <= _value(approaches, first, x):
        return 0
    low = 0
    high = knots
    while high - low > 1:
        middle = (low + high) // 2
        if _value(approaches, first + middle, x) <= u:
            low = middle
        else:
            high = middle
    rest = u - _value(approaches, first + low, x)
    c = _value(t.compliances, first + low, x)
    k = 0.0
    if low < knots - 1:
        k = (_value(t.compliances, first + low + 1, x) - c) / (loads[low + 1] - loads[low])
    tau = 2.0 * rest / (c + math.sqrt(max(c * c + 2.0 * k * rest, 0.0)))
    _fill(t, first, low, x, tau, out)
    return 1


@block
def table_at_force(functions: A1, place: I8, force: F8, angle: F8, out: LoadedFlank):
    """State of a flank with a force. For a negative force (an iterate of Newton) the compliance at first contact is used."""
    t = _table(functions, place)
    knots = t.knots
    loads = t.loads
    j, x = phase_interval(t.phases, angle)
    low = 0
    while low < knots - 1 and loads[low + 1] <= force:
        low += 1
    _fill(t, knots * int(j), low, x, force - loads[low], out)


def encode_table(loads: np.ndarray, approaches: np.ndarray, compliances: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system: loads (M), cubics by phase and load (n, M, 4)."""
    cubics = {"approaches": approaches, "compliances": compliances, "areas": areas}
    rows = {name: np.reshape(c, (-1, 4)) for name, c in cubics.items()}
    return packed(LoadCurve, {"phases": len(approaches), "loads": loads, **rows})


# ---- mesh geometry

# Parameters of the geometry of a gear pair: pitch surfaces, teeth, and the two wheels in the axes of their nodes.
#
# `mesh_frame` has the equations.

Geometry = fields(
    "MeshGeometry",
    rack=INTEGER,  # 1: wheel B is a rack
    radius_a=NUMBER,
    radius_b=NUMBER,  # 0 of a rack
    lever_a=NUMBER,  # u = lever_a psi_A + lever_b psi_B
    lever_b=NUMBER,
    teeth_a=NUMBER,
    teeth_b=NUMBER,  # 0 of a rack
    pitch=NUMBER,
    cos_alpha=NUMBER,
    length=NUMBER,  # lengths in signals, along the base circle or the normal, over those along the hoop (`geometry.directions`)
    tan_alpha=NUMBER,
    separation=NUMBER,  # tan(alpha), or 0 without separating force
    radial=NUMBER,  # tan(alpha) if the teeth follow their centres, otherwise 0
    line=INTEGER,  # line of action: 1 that of the drive flank, -1 that of the coast flank, 0 that of the loaded flank
    determinant=NUMBER,  # of P, aligned
    axis_a=NUMBER,  # sign of the triad's axis along the wheel's own z
    axis_b=NUMBER,
    Y_a=MATRIX,  # eta_A by mu'', as columns
    y_b=VECTOR,  # third column of Y_B
    start=VECTOR,  # a, b, 1/max(r)^2 of the closed-form start
    z1=VECTOR,  # columns of Z
    z2=VECTOR,
    z3=VECTOR,
    from_a=NUMBER,  # from the origin of the frame of the wheel to its centre, along the axis of the triad
    from_b=NUMBER,  # 0 of a rack
    a=embedded(Placed),  # centre and triad of each wheel in the axes of its node
    b=embedded(Placed),
)


def encode_geometry(
    pitch: PitchGeometry,
    point_a: np.ndarray,
    triad_a: np.ndarray,
    point_b: np.ndarray,
    triad_b: np.ndarray,
    *,
    length: float,
    separating: bool = True,
    follow_centres: bool = False,
    line: int = 0,
    place_a: float = 0.0,
    place_b: float = 0.0,
) -> np.void:
    """Record `Geometry` of a pair: its pitch geometry, and centre and triad of each wheel in the axes of its node.

    length: factor of lengths in signals.
    For a rack `point_b` is the middle of a space on its pitch line. separating=False: flanks push only along the hoop.
    `follow_centres`: the approach increases when the centres move closer. line: 1 or -1 for a fixed line of action.
    place_a, place_b: place of the centre along z of the frame of each wheel.
    """
    rack = pitch.is_rack
    rA, rB = pitch.radius_a, 0.0 if rack else pitch.radius_b
    Z, gA, gB = pitch.Z, pitch.gamma_a, pitch.gamma_b
    cos_betas = math.cos(pitch.beta_a) * math.cos(pitch.beta_b)
    determinant = cos_betas * (1.0 if rack else rA * math.cos(gB) + rB * math.cos(gA))
    module = pitch.normal_module
    tan_alpha = math.tan(pitch.pressure_angle)
    values = {
        "rack": rack,
        "radius_a": rA,
        "radius_b": rB,
        "lever_a": 0.5 * module * pitch.teeth_a,
        "lever_b": -math.cos(pitch.beta_b) if rack else 0.5 * module * pitch.teeth_b,
        "teeth_a": pitch.teeth_a,
        "teeth_b": 0 if rack else pitch.teeth_b,
        "pitch": math.pi * module,
        "cos_alpha": math.cos(pitch.pressure_angle),
        "length": length,
        "tan_alpha": tan_alpha,
        "separation": tan_alpha if separating else 0.0,
        "radial": tan_alpha if follow_centres else 0.0,
        "line": line,
        "determinant": abs(determinant),
        "axis_a": pitch.axis_sign_a,
        "axis_b": pitch.axis_sign_b,
        "Y_a": pitch.Y_a,
        "y_b": pitch.Y_b[:, 2],
        "start": (rA - Z[1, 1] * rB, Z[2, 1] * rB, 1.0 / max(rA, rB) ** 2),
        "z1": Z[:, 0],
        "z2": Z[:, 1],
        "z3": Z[:, 2],
        "from_a": place_a * pitch.axis_sign_a,
        "from_b": 0.0 if rack else place_b * pitch.axis_sign_b,
        "a": {"at": point_a, "axes": triad_a},
        "b": {"at": point_b, "axes": triad_b},
    }
    return Geometry.named(packed(Geometry, values))


SPRING, COMPLIANT, RIGID = 0, 1, 2
"""Form of the law: a function of the approach; one multiplier with the compliance of the teeth; one without."""
NEVER_PULLING, IN_CONTACT, ALWAYS, LIMITED = 0, 1, 2, 3
"""Action of the damper (`kernel_records`): in contact, and the force of a flank never pulls; in contact; also in the gap; in
contact, not larger than the force of the spring."""
OF_DEFLECTION, OF_APPROACH = 0, 1
"""Rate on which it acts: of the deflection, which contains errors, backlash and unloaded approach, or only of the approach."""
OVER_CYCLE, OVER_A, OVER_B, OVER_TIME = 0, 1, 2, 3
"""Variable of a varying stiffness, damping, error or backlash: the angle z_A psi_A, psi_A, psi_B; errors and backlash also time."""
NO_TILT, IN_PLANE, BY_SHIFTS = 0, 1, 2
"""None; to the tilt in the plane of action of each flank (`kernel_potential`); as the element computes it (`compile.Shifts`)."""
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
    tilt: for teeth with tilt in the plane of action, the normal of the drive flank in a section across the axes
    (`kernel_potential`), along xi3 and xi2.
    tilt_width [m]: for springs over the face, the approach from edge to edge per tilt.
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
