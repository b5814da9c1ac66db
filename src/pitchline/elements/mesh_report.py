"""What every gear pair reports: its signals, and their numbers."""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, block
from ..math.vectors import (
    add,
    cross,
    dot,
    mul,
    row,
    set_vec,
    sub,
)
from .contract import SignalSpec, unit_signal
from .mesh_geometry import (
    ARM_A,
    CENTRE,
    COS_ALPHA,
    M1,
    M2,
    M3,
    MORE_VECTORS,
    POINT,
    PSI_A,
    PSI_B,
    RACK,
    RADIUS_A,
    SCALARS,
    TEETH_A,
    TWO_PI,
    VECTORS,
    X1,
    X2,
    X3,
)
from .mesh_law_layout import (
    DEFLECTION,
    ENERGY,
    FLANK,
    FORCE_C,
    FORCE_K,
    LAW,
    SHARE,
    STIFFNESS,
    TABLED,
)
from .mesh_limits import LEFT, LIMITS, SHARE_NOW, TIP
from .mesh_motion import (
    FRICTION_LOSS,
    LOST,
    MOTION,
    PUT_IN,
    SLIDING,
    TILT,
    WRENCH,
    U,
    unwrapped,
)

TABLE_LOAD = "table_load"
"""Signal of meshes whose force comes from a table."""
IN_MESH, TIP_OVERLAP = "in_mesh", "tip_overlap"
"""Signals that tell whether teeth are in mesh."""


@block
def report_mesh(p: A1, h: A1, P: A2, J: A2, r: A1):
    f = J[LAW, FORCE_K] + J[LAW, FORCE_C]
    ca = p[COS_ALPHA]
    force = mul(-1.0, row(J, WRENCH, 0))  # on A
    couple = mul(-1.0, sub(row(J, WRENCH, 3), cross(row(J, WRENCH, 0), row(J, MORE_VECTORS, ARM_A))))
    centre = row(J, MORE_VECTORS, CENTRE)  # x_A - C_B
    point = row(J, MORE_VECTORS, POINT)
    m1 = row(J, VECTORS, M1)
    m2 = row(J, VECTORS, M2)
    m3 = row(J, VECTORS, M3)
    x2 = row(J, VECTORS, X2)
    x3 = row(J, VECTORS, X3)
    to_b = mul(p[2], x2)  # C_B from the centre of B; of a rack moments are about the pitch point
    loss = J[MOTION, LOST]
    r[1] = J[LAW, ENERGY]
    r[2] = J[MOTION, PUT_IN]
    r[3] = loss
    r[4] = f / ca
    r[5] = dot(force, m3)
    r[6] = dot(force, m2)
    r[7] = dot(force, m1)
    r[8] = -dot(force, x3)
    r[9] = -dot(force, x2)
    r[10] = -dot(force, row(J, VECTORS, X1))
    set_vec(r, 11, force)
    set_vec(r, 14, add(couple, cross(force, centre)))
    set_vec(r, 17, mul(-1.0, force))
    set_vec(r, 20, sub(cross(force, to_b), couple))
    set_vec(r, 23, point)
    r[26] = J[MOTION, U]
    r[27] = J[MOTION, U] * ca
    r[28] = J[LAW, DEFLECTION] * ca
    r[29] = J[LAW, STIFFNESS] if J[LIMITS, TIP] == 0.0 else 0.0
    r[30] = J[MOTION, SLIDING]
    r[31] = J[MOTION, FRICTION_LOSS]
    r[32] = loss
    r[33] = J[LAW, FLANK]
    cycle = p[TEETH_A] * J[SCALARS, PSI_A] / TWO_PI
    cycle -= np.floor(cycle)
    r[34] = cycle if cycle < 1.0 else 0.0
    r[35] = unwrapped(J[SCALARS, PSI_A], h[0])
    r[36] = unwrapped(J[SCALARS, PSI_B], h[1]) if p[RACK] == 0.0 else J[SCALARS, PSI_B]
    gap = add(centre, mul(p[RADIUS_A], m2))
    r[37] = math.sqrt(dot(gap, gap))
    r[38] = J[MOTION, TILT]
    r[39] = J[LAW, SHARE] if p[TABLED] != 0.0 else 0.0
    left = J[LIMITS, LEFT]
    r[40] = J[LIMITS, SHARE_NOW] if left > 0.0 else 0.0
    r[41] = left


@block
def report_apart(h: A1, apart: F8, r: A1):
    """The report of wheels so far apart that there is no mesh frame: the turns counted last, and by how much at least they are."""
    r[35] = h[0]
    r[36] = h[1]
    r[37] = apart
    r[41] = -apart


MESH_SIGNALS = (
    SignalSpec("normal_force", "N", "force along the line of action, positive where A drives turning positively"),
    SignalSpec("tangential_force", "N", "force on wheel A along its pitch circle"),
    SignalSpec("radial_force", "N", "force on wheel A from its centre towards the pitch point"),
    SignalSpec("axial_force", "N", "force on wheel A along the axis of its triad"),
    SignalSpec("tangential_force_b", "N", "force on wheel B along its pitch circle"),
    SignalSpec("radial_force_b", "N", "force on wheel B from its centre towards the pitch point"),
    SignalSpec("axial_force_b", "N", "force on wheel B along the axis of its triad"),
    unit_signal("force_a", "N", "force on wheel A"),
    unit_signal("moment_a", "N*m", "moment on wheel A about its centre"),
    unit_signal("force_b", "N", "force on wheel B"),
    unit_signal("moment_b", "N*m", "moment on wheel B about its centre (of a rack: about the pitch point)"),
    unit_signal("contact_point", "m", "pitch point at which the teeth touch"),
    SignalSpec("approach", "m", "how far the teeth of A are ahead of those of B, along the hoop"),
    SignalSpec("transmission_error", "m", "the same along the line of action: dynamic transmission error"),
    SignalSpec("deflection", "m", "deflection of the teeth along the line of action"),
    SignalSpec("stiffness", "N/m", "present stiffness of the mesh along the hoop"),
    SignalSpec("sliding_speed", "m/s", "sliding speed of the teeth at the pitch point"),
    SignalSpec("friction_loss", "W", "power lost by friction"),
    SignalSpec("loss", "W", "power lost by friction, damping and the mesh's efficiency"),
    SignalSpec("contact", "", "1 on the drive flank, -1 on the coast flank, 0 in the backlash"),
    SignalSpec("phase", "", "part of the mesh cycle, 0 to 1"),
    SignalSpec("psi_a", "rad", "rotation of wheel A in the mesh frame, counting turns"),
    SignalSpec("psi_b", "rad", "rotation of wheel B in the mesh frame, counting turns"),
    SignalSpec("misalignment", "m", "distance of the two pitch points"),
    SignalSpec("tilt", "rad", "tilt of the teeth about the centre line, where contact is along a line"),
    SignalSpec(TABLE_LOAD, "", "force over the largest load of the table; beyond 1 the table is continued straight"),
    SignalSpec(IN_MESH, "", "part of the teeth in mesh: of the face width as built, less at the ends of a rack; 0 out of mesh"),
    SignalSpec(TIP_OVERLAP, "m", "how far the tips of both wheels overlap along the line of centres; negative out of mesh"),
)  # fmt: skip
"""Of every gear pair, in the order of the report."""
