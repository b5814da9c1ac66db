"""Report of every gear pair: its signals, and their values.

Values that change sign with the flank are reported here relative to the drive flank. `loaded_flank` converts them to the
loaded flank, as in results.

Lengths and stiffness are on the base circle: along the line of action in the transverse plane, or, where two wheels have no base
circles in one plane, along the normal (`gears.directions`). The tooth force and its impulse are along the normal.
"""

import math

import numpy as np

from ..math.compiled import kernel
from ..math.vectors import add, cross, dot, mul, sub
from .contract import SignalSpec, unit_signal
from .mesh_motion import TWO_PI, unwrapped

TABLE_LOAD = "table_load"
"""Signal of meshes with a table."""
TABLE_TILT = "table_tilt"
"""Signal of meshes whose table also depends on the tilt."""
FACE_LOAD_FACTOR = "face_load_factor"
"""Signal of meshes with a known load distribution along the face."""
TANGENTIAL_B, RADIAL_B = "tangential_force_b", "radial_force_b"
"""Signals of pairs whose axes are not parallel: otherwise both wheels have the same."""
IMPACTS, IMPULSE = "impacts", "impulse"
"""Signals of rigid teeth with backlash."""
SECOND_FORCE = "second_contact_force"
"""Signal of line contact."""
IN_MESH, TIP_OVERLAP = "in_mesh", "tip_overlap"
"""Signals of the engagement of the teeth."""


@kernel
def report_mesh(pair, m, w, out):
    """Report of a pair whose wrench is known. `out` is that of any kind of element with MESH_SIGNALS."""
    g = pair.geometry
    frame = w.frame
    law = w.law
    motion = w.motion
    wrench = w.wrench
    ca = g.cos_alpha
    length = g.length
    force = mul(-1.0, wrench.force)  # on A
    couple = mul(-1.0, sub(wrench.moment_a, cross(wrench.force, frame.arm_a)))
    to_b = mul(g.radius_b, frame.x2)  # C_B from the centre of B; of a rack moments are about the pitch point
    out.potential = law.energy
    out.power_in = wrench.put_in
    out.power_out = wrench.lost
    out.normal_force = out.signed_force = (law.elastic + law.damping) / ca
    # away from the other wheel: back along the tooth, which on rings is away from the axis
    off_a = 1.0 if dot(frame.m2, frame.e2) > -1e-9 else -1.0
    off_b = 1.0 if dot(frame.x2, frame.e2) < 1e-9 else -1.0
    out.tangential_force = -dot(force, frame.m3)
    out.radial_force = -off_a * dot(force, frame.m2)
    out.axial_force = g.axis_a * dot(force, frame.m1)
    out.tangential_force_b = dot(force, frame.x3)
    out.radial_force_b = off_b * dot(force, frame.x2)
    out.axial_force_b = -g.axis_b * dot(force, frame.x1)
    on_b = sub(wrench.moment_b, cross(wrench.force, frame.arm_b))
    # teeth beside the middle of their face tilt the wheel: moments about the origins of the frames of the wheels
    moment_a = add(couple, cross(force, sub(frame.centre, mul(g.from_a, frame.m1))))
    moment_b = sub(cross(force, add(to_b, mul(g.from_b, frame.x1))), on_b)
    out.force_a = force
    out.moment_a = moment_a
    out.force_b = mul(-1.0, force)
    out.moment_b = moment_b
    out.contact_point = frame.point
    out.contact_moment = couple
    # in the middle between the pitch lines of both wheels, which differ by du/dt while elastic teeth deflect
    half_gap = 0.5 * (g.lever_a * w.hoop.rate_a + g.lever_b * w.hoop.rate_b) / g.lever_a
    out.mesh_velocity = g.radius_a * (w.hoop.rate_a - half_gap)
    out.power = -dot(moment_a, frame.m1) * w.hoop.rate_a
    # a rack moves against the travel of the pitch point along it
    out.power_b = (dot(force, frame.x3) if g.rack != 0 else dot(moment_b, frame.x1)) * w.hoop.rate_b
    out.approach = motion.approach * length
    out.transmission_error = (motion.approach - pair.law.offset) * length
    out.deflection = law.deflection * length
    out.stiffness = law.stiffness / (length * length) if w.engaged.tip == 0.0 else 0.0
    out.sliding_speed = wrench.sliding
    out.friction_loss = wrench.friction_loss
    out.loss = wrench.lost
    out.contact = law.flank
    cycle = g.teeth_a * frame.psi_a / TWO_PI
    cycle -= np.floor(cycle)
    out.phase = cycle if cycle < 1.0 else 0.0
    out.psi_a = unwrapped(frame.psi_a, m.psi_a)
    out.psi_b = unwrapped(frame.psi_b, m.psi_b) if g.rack == 0 else frame.psi_b
    gap = add(frame.centre, mul(g.radius_a, frame.m2))
    out.misalignment = math.sqrt(dot(gap, gap))
    out.tilt = w.hoop.tilt
    if pair.law.tilted != 0:
        out.tilt = w.hoop.tilt_drive if law.flank >= 0.0 else w.hoop.tilt_coast
    tabled = pair.law.tabled != 0
    out.table_tilt = law.table_tilt if tabled and pair.law.tilted != 0 else 0.0
    out.table_load = law.table_load if tabled else 0.0
    out.impacts = m.impacts
    out.impulse = m.impulse / ca
    width = pair.law.width
    out.second_contact_force = 2.0 * law.moment / (width * ca) if width > 0.0 else 0.0
    left = w.engaged.left
    out.in_mesh = w.engaged.share if left > 0.0 else 0.0
    out.tip_overlap = left


@kernel
def report_apart(m, apart, out):
    """Report of wheels without a mesh frame. apart: their minimum distance, with the revolutions of the last count; 0: contact
    is possible, and no value is valid."""
    if apart > 0.0:
        out.psi_a = m.psi_a
        out.psi_b = m.psi_b
        out.misalignment = apart
        out.tip_overlap = -apart
        return
    out.kinetic = out.potential = out.power_in = out.power_out = np.nan
    out.normal_force = out.signed_force = np.nan
    out.tangential_force = out.radial_force = out.axial_force = np.nan
    out.tangential_force_b = out.radial_force_b = out.axial_force_b = np.nan
    out.force_a = out.force_b = out.contact_moment = (np.nan, np.nan, np.nan)
    out.mesh_velocity = out.power = out.power_b = np.nan


MESH_SIGNALS = (
    SignalSpec("normal_force", "N", "tooth force along the normal of the flanks, positive on the loaded flank"),
    SignalSpec("signed_force", "N", "the same with a sign: positive on the drive flank, negative on the coast flank"),
    SignalSpec("tangential_force", "N", "force along the pitch circle of wheel A, positive on the loaded flank"),
    SignalSpec("radial_force", "N", "radial force on wheel A, positive away from the other wheel"),
    SignalSpec("axial_force", "N", "force on wheel A along its own z axis"),
    SignalSpec(TANGENTIAL_B, "N", "force along the pitch circle of wheel B, positive on the loaded flank"),
    SignalSpec(RADIAL_B, "N", "radial force on wheel B, positive away from the other wheel"),
    SignalSpec("axial_force_b", "N", "force on wheel B along its own z axis"),
    unit_signal("force_a", "N", "force on wheel A"),
    unit_signal("moment_a", "N*m", "moment on wheel A about its centre"),
    unit_signal("force_b", "N", "force on wheel B"),
    unit_signal("moment_b", "N*m", "moment on wheel B about its centre (rack: about the pitch point)"),
    unit_signal("contact_point", "m", "pitch point at which the teeth are in contact"),
    unit_signal("contact_moment", "N*m", "moment of the teeth on wheel A, in addition to the force at the contact point"),
    SignalSpec("mesh_velocity", "m/s", "pitch line velocity in the mesh frame, mean of both wheels; positive if psi_a increases"),
    SignalSpec("power", "W", "power from wheel A to the teeth in the mesh frame, positive if A drives"),
    SignalSpec("power_b", "W", "power from the teeth to wheel B in the mesh frame, positive if A drives"),
    SignalSpec("approach", "m", "advance of the teeth of A relative to those of B on the base circle, including backlash"),
    SignalSpec("transmission_error", "m", "lag of the driven wheel from the loaded flank, on the base circle"),
    SignalSpec("deflection", "m", "deflection of the teeth on the base circle"),
    SignalSpec("stiffness", "N/m", "current mesh stiffness on the base circle"),
    SignalSpec("sliding_speed", "m/s", "sliding speed of the teeth at the pitch point"),
    SignalSpec("friction_loss", "W", "power loss by friction"),
    SignalSpec("loss", "W", "power loss by friction, damping and the efficiency of the mesh"),
    SignalSpec("contact", "", "1 on the drive flank, -1 on the coast flank, 0 in the backlash"),
    SignalSpec("phase", "", "fraction of the mesh cycle, 0 to 1"),
    SignalSpec("psi_a", "rad", "rotation of wheel A in the mesh frame, including full revolutions"),
    SignalSpec("psi_b", "rad", "rotation of wheel B in the mesh frame, including full revolutions"),
    SignalSpec("misalignment", "m", "distance between the two pitch points"),
    SignalSpec("tilt", "rad", "tilt of the teeth in the plane of action; with line contact about the line of centres"),
    SignalSpec(TABLE_LOAD, "", "force divided by the largest load of the table; above 1 the table is extrapolated linearly"),
    SignalSpec(TABLE_TILT, "", "tilt divided by the largest tilt of the table; above 1 the table is extrapolated linearly"),
    SignalSpec(FACE_LOAD_FACTOR, "", "largest load per face width divided by its mean, K_Hbeta; 0 without contact"),
    SignalSpec(IMPACTS, "", "number of impacts of the teeth since the start"),
    SignalSpec(IMPULSE, "N*s", "sum of the impulses of all impacts, along the normal of the flanks, without sign"),
    SignalSpec(SECOND_FORCE, "N", "line contact: part of the force at half the face width from the pitch point along the teeth"),
    SignalSpec(IN_MESH, "", "fraction of the face width in mesh, less at the ends of a rack; 0 out of mesh"),
    SignalSpec(TIP_OVERLAP, "m", "overlap of the tip circles of both wheels along the line of centres; negative out of mesh"),
)  # fmt: skip
"""Of every gear pair, in the order of the report."""


def published(
    kind_signals: tuple[SignalSpec, ...],
    axis_b: np.ndarray,
    *,
    tabled: bool,
    tilted: bool = False,
    face_loads: bool = False,
    impacts: bool = False,
    line: bool = False,
) -> tuple[str, ...]:
    """Names of the signals that apply to a pair. axis_b: of B in the triad of A; tabled: the law has a table; tilted: also
    over the tilt; face_loads: the load distribution along the face is known; impacts: rigid teeth with backlash; line: line
    contact."""
    parallel = math.hypot(axis_b[1], axis_b[2]) < 1e-6
    unsaid = {
        TANGENTIAL_B: parallel,
        RADIAL_B: parallel,
        TABLE_LOAD: not tabled,
        TABLE_TILT: not tilted,
        FACE_LOAD_FACTOR: not face_loads,
        IMPACTS: not impacts,
        IMPULSE: not impacts,
        SECOND_FORCE: not line,
    }
    left_out = [name for name, unknown in unsaid.items() if unknown]
    return tuple(s.name for s in kind_signals if s.name not in left_out)
