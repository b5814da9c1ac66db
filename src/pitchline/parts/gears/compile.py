"""From gear pairs to elements."""

import math
from dataclasses import replace

import numpy as np

from pitchline.engine.compile.signal_graph import FunctionTable
from pitchline.engine.elements.contract import Element
from pitchline.functions.piecewise import Function

from ..bodies.compile import Placed
from ..friction.kernel import encode_friction_map
from ..friction.kernel_sticking import MEMORY
from ..meshes import kernel_law as mesh_law
from ..meshes.compile import own_address
from ..meshes.force_law import MeshLaw
from ..meshes.kernel import encode_face_loads, gear_mesh
from ..meshes.kernel_law import encode_geometry, encode_table
from ..meshes.kernel_records import CONTACT_ENDS, FAR, RUN_ENDS, UNLIMITED, MeshMemory, MeshParameters, encode_limits
from ..meshes.kernel_sticking import STICKING_MESH, sticking_mesh
from ..meshes.kernel_tilt import encode_tilt_table
from ..meshes.laws.common import FrictionTable, Stribeck
from ..meshes.laws.flank import Flank
from ..meshes.laws.varying import Varying
from ..meshes.part import GearMesh
from ..meshes.tables import LoadTable, TiltTable
from .geometry.kinds import PitchGeometry

OVER = {
    "mesh cycle": mesh_law.OVER_CYCLE,
    "revolution of a": mesh_law.OVER_A,
    "revolution of b": mesh_law.OVER_B,
    "time": mesh_law.OVER_TIME,
}
TWO_PI = 2.0 * math.pi
FAR_APART = 1e3
"""Distance of flanks that must not come into contact [m]."""


def gear_element(
    part: GearMesh, nodes: tuple[int, int], a: Placed, b: Placed, functions: FunctionTable, *, static: bool
) -> Element:
    """Element of a gear pair. a, b: axes of the wheels in node axes. `static`: the tooth force is a separate unknown.

    In statics, a stiff mesh on soft supports then converges in a few iterations; in dynamics, the force as a function of the
    approach needs less time. Smooth laws and laws with edges keep that form also in statics, and tables of teeth with contact
    on both flanks as well.
    """
    law, at = part.law.along_hoop(part.length_factor), part.alignment
    (oA, RA), (oB, RB) = a, b
    geometry = encode_geometry(
        at.pitch, oA + RA @ at.point_a, RA @ at.triad_a, oB + RB @ at.point_b, RB @ at.triad_b,
        length=part.length_factor, separating=law.separating, follow_centres=law.follow_centres, line=law.line,
        place_a=float(at.point_a[2]), place_b=float(at.point_b[2]),
    )  # fmt: skip
    limits = _limits(part, law.backlash, static=static)
    if isinstance(part.mesh, Flank):
        from ..meshes.compile import flank_element  # imports finite elements and contact, which few models need

        return flank_element(part, nodes, geometry, _encoded(law, at.pitch, mesh_law.SPRING, functions), limits)
    form = mesh_law.SPRING
    if law.rigid:
        form = mesh_law.RIGID
    elif static and law.smoothing == law.line_width == law.tilt_width == 0.0 and not _jammed(law) and law.own is None:
        form = mesh_law.COMPLIANT
    teeth = replace(law, friction=None, efficiency=None) if law.sticks else law
    element = gear_mesh(part.name, nodes, geometry, _encoded(teeth, at.pitch, form, functions), limits)
    if form == mesh_law.COMPLIANT or (form == mesh_law.RIGID and law.backlash > 0.0):
        element.soft = True
        element.closing_force = law.play[1] * (1.1 * _mass(law) if law.rigid else 2e-3 * law.mean_stiffness)
    if law.sticks:
        rubbing = replace(law, tables=None, face_loads=None, errors=(), stiffness=())
        element = sticking_mesh(element, _encoded(rubbing, at.pitch, form, functions))
    if form == mesh_law.RIGID and law.backlash > 0.0:
        element.apart, element.restitution = _apart(element), law.restitution
    return element


def _apart(element: Element) -> np.ndarray:
    """Parameters of rigid teeth with so much backlash that they are never in contact."""
    found = element.parameters.copy()
    law = MeshParameters.named(found)["law"]
    law["offset"] += FAR_APART
    law["backlash"] += 2.0 * FAR_APART
    return found


def _limits(part: GearMesh, backlash: float, *, static: bool) -> np.void:
    """Limits of contact. backlash: along the hoop. Statics searches equilibria without them, and checks the result."""
    law, pitch, reach = part.law, part.alignment.pitch, part.reach
    ends = RUN_ENDS if law.rigid else CONTACT_ENDS
    line, crossed, travel = None, None, None
    if reach.face_a is not None and reach.face_b is not None:
        if reach.crossed:
            crossed = reach.face_a, reach.face_b, pitch.normal_module
        else:
            line = reach.face_a, reach.face_b, reach.along
    if reach.travel is not None:
        travel = *reach.travel, 0.5 * reach.pitch
    return encode_limits(
        ends=UNLIMITED if static else ends, depth=reach.depth, pitch=math.pi * pitch.normal_module, backlash=backlash,
        cos_alpha=math.cos(pitch.pressure_angle), line=line, crossed=crossed, travel=travel,
        reach=min(reach.radius, FAR),
    )  # fmt: skip


def _encoded(law: MeshLaw, pitch: PitchGeometry, form: int, functions: FunctionTable) -> np.void:
    def placed(terms: tuple[float | Varying, ...]) -> list[float | mesh_law.Varying]:
        return [(functions.add(t.function), OVER[t.over]) if isinstance(t, Varying) else t for t in terms]

    friction: tuple[float, ...] = ()
    match law.friction:
        case None:
            pass
        case Stribeck() as s:
            friction = (mesh_law.STRIBECK, s.kinetic, s.static - s.kinetic, s.speed, s.viscous)
        case FrictionTable() as t:
            numbers = encode_friction_map(t.speeds, t.forces, t.hermite)
            friction = (mesh_law.BY_LOAD, functions.add_numbers(numbers))
        case Function() as f:
            friction = (mesh_law.BY_TABLE, functions.add(f))
        case mu:
            friction = (mesh_law.CONSTANT, float(mu))
    tables = tilt = face_loads = None
    if law.tables is not None:
        drive, coast = (functions.add_numbers(_table(table)) for table in law.tables)
        tables = drive, coast, max(table.bend for table in law.tables)
    if law.tilt_width or (law.tables is not None and isinstance(law.tables[0], TiltTable)):
        tilt = _drive_normal(pitch)
    if law.face_loads is not None:
        first, second = (functions.add_numbers(encode_face_loads(t.loads, t.tilts, t.factors)) for t in law.face_loads)
        face_loads = first, second
    return mesh_law.encode_law(
        form=form,
        stiffness=placed(law.stiffness),
        mean_stiffness=0.0 if law.rigid or not (law.stiffness or law.tables) else law.mean_stiffness,
        errors=placed(law.errors),
        damping=placed(law.dampers) if law.dampers else law.damping,
        damping_mode=law.damping_mode,
        damping_rate=law.damping_rate,
        backlash=law.backlash,
        plays=[(functions.add(t.function), OVER[t.over]) for t in law.plays],
        offset=law.offset,
        smoothing=law.smoothing,
        energy_consistent=law.energy_consistent,
        friction=friction,
        friction_speed=law.friction_speed,
        path=law.path if friction else 0.0,
        loss_levers=(0.0, 0.0) if law.efficiency is None else loss_levers(pitch, *law.efficiency),
        loss_speed=law.efficiency_speed,
        width=law.line_width,
        mass=_mass(law),
        tables=tables,
        tilt=tilt,
        tilt_width=law.tilt_width,
        face_loads=face_loads,
        own=0 if law.own is None else own_address(law.own),
        own_length=law.own_length,
    )


def _table(table: LoadTable | TiltTable) -> np.ndarray:
    if isinstance(table, TiltTable):
        parts = (table.cubics(name) for name in ("approaches", "compliance", "areas"))
        return encode_tilt_table(table.tilts, table.tables[0].knots, *parts)
    return encode_table(table.knots, table.approaches, table.compliance, table.areas)


def _drive_normal(pitch: PitchGeometry) -> tuple[float, float]:
    """Direction in which the drive flank of A presses on that of B, in a section across their parallel axes: components along
    ξ3 and ξ2. The sign is such that a tilt closes the gap towards +z of gear A."""
    alpha = math.atan(math.tan(pitch.pressure_angle) / math.cos(pitch.beta_a))
    along, towards = pitch.Z[2, 2], -math.cos(pitch.gamma_b)  # μ3 by ξ3, η2 by ξ2
    return pitch.axis_sign_a * math.cos(alpha) * along, pitch.axis_sign_a * math.sin(alpha) * towards


def _jammed(law: MeshLaw) -> bool:
    """Whether both flanks are in contact without load, at some tilt; without rounding errors."""
    return law.tables is not None and law.least_play < -1e-9 * law.tables[0].approach(law.tables[0].largest_load, 0.0)


def _mass(law: MeshLaw) -> float:
    return law.effective_mass if 0.0 < law.effective_mass < math.inf else 1.0


def loss_levers(pitch: PitchGeometry, a_drives: float, b_drives: float) -> tuple[float, float]:
    """Moment of the mesh losses divided by the hoop force [m], if A drives and if B drives.

    The couple M acts along the relative rotation L = mu1 + (c_A/c_B) xi1. With a = mu1.L/|L| and b = xi1.L/|L| the torques about
    the axes are c_A f + M a and c_B f - M b while A drives; that their powers are as 1 to eta gives

        M = f (1 - eta) c_B / (b + eta a c_B/c_A),     and  f (1 - eta) c_A / (a + eta b c_A/c_B)  while B drives.
    """
    cA = 0.5 * pitch.normal_module * pitch.teeth_a
    if pitch.is_rack:
        return cA * (1.0 - a_drives) / a_drives, cA * (1.0 - b_drives)
    cB = 0.5 * pitch.normal_module * pitch.teeth_b
    ratio, cosine = cA / cB, float(pitch.Z[0, 0])
    length = math.sqrt(1.0 + 2.0 * ratio * cosine + ratio**2)
    a, b = (1.0 + ratio * cosine) / length, (cosine + ratio) / length
    return (1.0 - a_drives) * cB / (b + a_drives * a / ratio), (1.0 - b_drives) * cA / (a + b_drives * b * ratio)


def recall_turns(element: Element, memory: np.ndarray, psi_a: float, psi_b: float, approach: float) -> None:
    """Set the memory of a pair, after its initialisation from the pose, to the revolutions and teeth of an earlier result.

    approach: along the hoop [m].
    """
    # records of elastic flanks begin with those of every pair
    g = MeshParameters.named(element.parameters)["geometry"]
    first = MEMORY if element.kind is STICKING_MESH else 0  # the law of friction precedes it
    m = MeshMemory.named(memory, first)
    turns_a = np.round((psi_a - m["psi_a"]) / TWO_PI)
    turns_b = np.round((psi_b - m["psi_b"]) / TWO_PI) if g["teeth_b"] else 0.0
    now = g["lever_a"] * m["psi_a"] + g["lever_b"] * m["psi_b"] + g["pitch"] * m["teeth"]
    m["psi_a"] += TWO_PI * turns_a
    m["psi_b"] += TWO_PI * turns_b
    # u counts whole revolutions as whole teeth: subtracted here, plus the teeth by which the earlier result had slipped
    m["teeth"] -= g["teeth_a"] * turns_a + g["teeth_b"] * turns_b - np.round((approach - now) / g["pitch"])
