"""Signals of stations of shafts and beams, motions of nodes, and the list of all signals of a system.

Signals of stations: their displacements, and the section forces of the shaft or beam.

Section forces are taken from the reports of the beam elements on both sides of a station. The station itself is a normal body.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import Frame
from pitchline.declare.structure import Station, Structure
from pitchline.model.model import Model
from pitchline.numerics.fields import INTEGER, address, elsewhere, fields, new_record, record_at, reference
from pitchline.numerics.machine_code.compiled import B1, I8, entry
from pitchline.parts.bearings.part import AxialSupport, RollingBearing
from pitchline.parts.bodies.compile import COORDINATE_SIGNALS, joint_elements
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.bodies.part import ANGLE, Joint
from pitchline.parts.membranes.kernel import membrane_specs, membrane_values
from pitchline.parts.membranes.part import Membrane, MembraneNode
from pitchline.parts.meshes.kernel import GEAR_MESH, RACK_SIGNALS
from pitchline.parts.meshes.kernel_engagement import published
from pitchline.parts.meshes.kernel_flank import FLANK_MESH
from pitchline.parts.meshes.kernel_sticking import STICKING_MESH
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.shafts.beam import BeamLine, LineNode
from pitchline.parts.shafts.kernel import BEAM
from pitchline.parts.shafts.sections import BeamSection, axis_rotation
from pitchline.parts.shafts.segment import Segment
from pitchline.parts.springs.compile import Signals, drive_signals, load_signals

from ..elements.contract import RESIDUAL, Element, ElementKind, SignalSpec, unit_signal
from ..elements.declared_kind import kind_of, number_of_coordinates, published_signals
from ..elements.frame_motion import COORDINATE
from . import signal_pass as records
from .assembly import evaluate, evaluate_open
from .reporting import SampleArrays, SampleTable, set_sample
from .signal_pass import update_all_signals
from .system import State, System, Workspace

__all__ = [
    "NodeMotion",
    "PlacedFrame",
    "station_signals",
    "station_specs",
    "world_axes",
    "part_wrenches",
    "ENERGIES",
    "ORIENTATION",
    "TEETH_ENERGY",
    "component_names",
    "signals_of",
]


# ---- node motion

# Motion of points, frames and joint coordinates as linear functions of the coordinates of a system.
#
# With the poses of the nodes (`System.kinematics`) and a node k with rotation R, coordinates from `dof0[k]` and the
# map T:
#
#     velocity of a point p (from the node, world axes):   v = T_v q' + (R T_w q') x p
#     angular velocity, world axes:                        w = R T_w q'
#
# A joint angle has the rate n . (w_B - w_A) with n = (z_A + z_B)/(1 + z_A . z_B), a displacement the rate z_A .
# (velocity of o_B relative to body A).

TWO_PI = 2.0 * np.pi


class PlacedFrame(NamedTuple):
    """A frame of a body in a system."""

    node: int
    at: np.ndarray
    """Its origin from the node, node axes [m]."""
    axes: np.ndarray
    """Its axes as columns, node axes."""


class NodeMotion:
    """Poses and rates of the nodes at a state, moved by increments dq of its coordinates if they are given."""

    def __init__(self, system: System, state: State, dq: np.ndarray | None = None) -> None:
        self.system = system
        found = system.kinematics(state, dq=dq)
        self.x = found["x"]
        self.R = found["R"].reshape(-1, 3, 3)
        self.v, self.a = found["v"], found["a"]
        self.w = np.einsum("kij,kj->ki", self.R, found["w"])  # world axes
        self.al = np.einsum("kij,kj->ki", self.R, found["al"])

    # ---- frames

    def placed(self, frame: Frame) -> PlacedFrame:
        """Frame of a body (or of the ground) in node axes."""
        k = self.system.node_of[frame.body_name]
        offset = self.system.nodes[k - 1].offset if k else np.zeros(3)
        return PlacedFrame(k, frame.position - offset, frame.rotation)

    def arm(self, frame: PlacedFrame) -> np.ndarray:
        """(3,) from the node to the origin of the frame, world axes."""
        return np.asarray(self.R[frame.node] @ frame.at)

    def position(self, frame: PlacedFrame) -> np.ndarray:
        """(3,) origin of the frame, world axes [m]."""
        return np.asarray(self.x[frame.node] + self.arm(frame))

    def axes(self, frame: PlacedFrame) -> np.ndarray:
        """(3, 3) axes of the frame as columns, world axes."""
        return np.asarray(self.R[frame.node] @ frame.axes)

    def velocity(self, frame: PlacedFrame) -> np.ndarray:
        """(6,) velocity of the origin [m/s] and angular velocity [rad/s], world axes."""
        w = self.w[frame.node]
        return np.concatenate([self.v[frame.node] + np.cross(w, self.arm(frame)), w])

    def acceleration(self, frame: PlacedFrame) -> np.ndarray:
        """(6,) acceleration of the origin [m/s^2] and angular acceleration [rad/s^2], world axes."""
        k, arm = frame.node, self.arm(frame)
        w, al = self.w[k], self.al[k]
        return np.concatenate([self.a[k] + np.cross(al, arm) + np.cross(w, np.cross(w, arm)), al])

    # ---- derivatives by the coordinates

    def jacobian_at(self, k: int, arm: np.ndarray) -> np.ndarray:
        """(6, coordinates): velocity of a point of node k and angular velocity, world axes. arm: from the node, world axes."""
        s = self.system
        found = np.zeros((6, s.n_q))
        if k:
            T, mine = s.nodes[k - 1].T, slice(int(s.dof0[k]), int(s.dof0[k] + s.ndof[k]))
            turn = self.R[k] @ T[3:]
            found[:3, mine] = T[:3] + np.cross(turn, arm, axisa=0, axisc=0)
            found[3:, mine] = turn
        return found

    def jacobian(self, frame: PlacedFrame) -> np.ndarray:
        """(6, coordinates): velocity of the origin of a frame and angular velocity, world axes."""
        return self.jacobian_at(frame.node, self.arm(frame))

    # ---- joint coordinates

    def coordinate(self, joint: Joint, coordinate: str) -> float:
        """Angle in (-pi, pi], or displacement, of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        A, B = self.axes(a), self.axes(b)
        if coordinate == ANGLE:
            M = A.T @ B
            return float(np.arctan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1]))
        return float(A[:, 2] @ (self.position(b) - self.position(a)))

    def coordinate_row(self, joint: Joint, coordinate: str) -> np.ndarray:
        """(coordinates,) derivative of an angle or displacement of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        zA = self.axes(a)[:, 2]
        if coordinate == ANGLE:
            n = _common(zA, self.axes(b)[:, 2])
            return np.asarray(n @ (self.jacobian(b) - self.jacobian(a))[3:])
        on_a = self.jacobian_at(a.node, self.position(b) - self.x[a.node])
        return np.asarray(zA @ (self.jacobian(b) - on_a)[:3])

    def coordinate_rate(self, joint: Joint, coordinate: str) -> float:
        """Rate of an angle or displacement of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        zA = self.axes(a)[:, 2]
        if coordinate == ANGLE:
            return float(_common(zA, self.axes(b)[:, 2]) @ (self.w[b.node] - self.w[a.node]))
        on_a = self.v[a.node] + np.cross(self.w[a.node], self.position(b) - self.x[a.node])
        return float(zA @ (self.velocity(b)[:3] - on_a))


def _common(zA: np.ndarray, zB: np.ndarray) -> np.ndarray:
    """Direction of the common axis, exact also if the two axes do not agree."""
    return np.asarray((zA + zB) / (1.0 + zA @ zB))


DEFLECTION = unit_signal("deflection", "m", "displacement from the initial position")
TILT = unit_signal("tilt", "rad", "rotation of the axis from its initial direction")
TWIST = SignalSpec(
    "twist", "rad", "rotation about the axis relative to the start of the shaft or beam, from the initial pose"
)
STRESS = SignalSpec("bending_stress", "Pa", "largest bending stress in the section, times its notch factor")
_SIDES = ("before", "after")
_TEXT = "from the part after the section on the part before it"


def _forces(where: str) -> tuple[SignalSpec, SignalSpec]:
    return (
        unit_signal(f"force_{where}", "N", f"section force {where} the station, {_TEXT}"),
        unit_signal(f"moment_{where}", "N*m", f"section moment {where} the station, {_TEXT}"),
    )


def _at_end(end: str) -> tuple[SignalSpec, SignalSpec]:
    return (
        unit_signal(f"{end}_force", "N", f"section force at the {end}, {_TEXT}"),
        unit_signal(f"{end}_moment", "N*m", f"section moment at the {end}, {_TEXT}"),
    )


def station_specs(structure: Structure) -> Iterator[tuple[str, SignalSpec]]:
    """All signals of `station_signals`, with the part to which each belongs."""
    for station in structure.stations.values():
        yield station.name, DEFLECTION
        if not isinstance(station, MembraneNode):
            yield station.name, TILT
    if isinstance(structure, Membrane):
        yield from ((structure.name, spec) for spec in membrane_specs(structure))
    if not isinstance(structure, BeamLine):
        return
    for owner, specs, _, _, _ in _places(structure):
        yield from ((owner, spec) for spec in specs)
    for _, node in _own(structure):
        yield node.body.name, TWIST
    for node, sections in _with_moduli(structure):
        if sections:
            yield node.body.name, STRESS


def _places(line: BeamLine) -> Iterator[tuple[str, tuple[SignalSpec, SignalSpec], int, int, LineNode]]:
    """For every end of every element: the part of its force signals, these signals, the end (0, 1), the element, the node."""
    for e in range(len(line.segments)):
        for end in (0, 1):
            node = line.nodes[e + end]
            if isinstance(node.body, Station) and node.body.structure == line.name:
                yield node.body.name, _forces(_SIDES[1 - end]), end, e, node
            else:
                yield line.name, _at_end("end" if end else "start"), end, e, node


def _own(line: BeamLine) -> Iterator[tuple[int, LineNode]]:
    """Nodes that are stations of the line, with their indices."""
    for k, node in enumerate(line.nodes):
        if isinstance(node.body, Station) and node.body.structure == line.name:
            yield k, node


def _with_moduli(line: BeamLine) -> Iterator[tuple[LineNode, list[tuple[int, int, BeamSection, float]]]]:
    """Own nodes with (element, end, section, notch factor) of the elements at each, if bending stresses are known."""
    for k, node in _own(line):
        found = []
        for e, end in ((k - 1, 1), (k, 0)):
            if 0 <= e < len(line.segments):
                section, notch = _section_at(line.segments[e], end)
                if all(section.bending_moduli):
                    found.append((e, end, section, notch))
        yield node, found


def _section_at(segment: Segment, end: int) -> tuple[BeamSection, float]:
    piece = segment.pieces[-1 if end else 0]
    return piece.at(float(end)), piece.notch_factor


def station_signals(
    structure: Structure,
    elements: list[Element],
    reports: list[dict[str, np.ndarray]],
    bodies: Mapping[str, tuple[np.ndarray, np.ndarray]],
) -> dict[str, tuple[np.ndarray, SignalSpec]]:
    """Signals by name, "station.signal". elements, reports: those of the structure; bodies: positions and quaternions of
    bodies by name, first axis samples."""
    found: dict[str, tuple[np.ndarray, SignalSpec]] = {}
    for station in structure.stations.values():
        x, q = bodies[station.name]
        found[f"{station.name}.{DEFLECTION.name}"] = x - station.position, DEFLECTION
        if not isinstance(station, MembraneNode):
            z = world_axes(q)[:, :, 2]
            found[f"{station.name}.{TILT.name}"] = axis_rotation(station.orientation[:, 2], z), TILT
    if isinstance(structure, Membrane):
        found |= {
            f"{structure.name}.{spec.name}": (values, spec) for spec, values in membrane_values(structure, reports)
        }
    if (
        isinstance(structure, BeamLine)
        and all(e.kind is BEAM for e in elements)
        and len(elements) == len(structure.segments)
    ):
        for owner, specs, end, e, node in _places(structure):
            R = _axes_of(node, bodies, len(reports[e]["force_a"]))
            for spec, name in zip(specs, ("force", "moment"), strict=True):
                values = np.einsum("nij,nj->ni", R, reports[e][f"{name}_{'ab'[end]}"])
                found[f"{owner}.{spec.name}"] = values, spec
        for k, node in _own(structure):
            parts = (reports[e]["bend"][:, 2] for e in range(k))
            found[f"{node.body.name}.{TWIST.name}"] = sum(parts, start=np.zeros(len(reports[0]["bend"]))), TWIST
        for node, sections in _with_moduli(structure):
            if sections:
                stress = [_bending(section, notch, reports[e], "ab"[end]) for e, end, section, notch in sections]
                found[f"{node.body.name}.{STRESS.name}"] = np.max(stress, axis=0), STRESS
    return found


def _axes_of(node: LineNode, bodies: Mapping[str, tuple[np.ndarray, np.ndarray]], samples: int) -> np.ndarray:
    """(samples, 3, 3): section axes of a node in the world."""
    known = bodies.get(node.body.name)
    R = np.broadcast_to(np.eye(3), (samples, 3, 3)) if known is None else world_axes(known[1])
    return R @ node.frame.rotation


def _bending(section: BeamSection, notch: float, report: dict[str, np.ndarray], end: str) -> np.ndarray:
    """Bending stress (samples): for round sections from the resultant moment, for others the sum of both components."""
    (x, y), force, moment = section.centroid, report[f"force_{end}"], report[f"moment_{end}"]
    about_x, about_y = moment[:, 0] - y * force[:, 2], moment[:, 1] + x * force[:, 2]
    c, s = np.cos(section.angle), np.sin(section.angle)
    about_x, about_y = c * about_x + s * about_y, c * about_y - s * about_x
    Wx, Wy = section.bending_moduli
    if section.round:
        return np.asarray(notch * np.hypot(about_x, about_y) / Wx)
    return np.asarray(notch * (np.abs(about_x) / Wx + np.abs(about_y) / Wy))


def world_axes(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.moveaxis(R, 2, 0)


# ---- part wrenches

# Forces and moments of parts on the bodies that they act on, from their residuals at samples.
#
# The residual of an element is the same for all kinds of elements: no kind can be left out. The parts whose signals
# contain their forces (joints, drives, loads, gear pairs, rolling bearings, beams) are not recorded a second time.

Wrenches = fields(
    "Wrenches",
    system=reference(records.SystemRecord),
    samples=reference(SampleTable),
    samples_count=INTEGER,
    n_acting=INTEGER,
    n_places=INTEGER,
    n_columns=INTEGER,
    acting=elsewhere("n_acting", of="integer"),  # numbers of elements
    places=elsewhere("n_places", of="integer"),  # first column for each of their nodes, element by element; -1: none
    columns=elsewhere("samples_count", "n_columns"),
)
_at = record_at(Wrenches)


@entry
def _fill(address: I8, inertial: B1):
    """Sum of the residuals of the elements of each part, for each node."""
    w = _at(address)
    sys = w.system
    columns = w.columns
    r = sys.local_r
    for k in range(w.samples.count):
        set_sample(sys, w.samples, k, inertial)
        update_all_signals(sys)
        place = 0
        for n in range(w.n_acting):
            e = sys.elements[w.acting[n]]
            if sys.ask.open != 0:
                evaluate_open(sys, e)
            else:
                evaluate(sys, e, RESIDUAL)
            for i in range(e.n_nodes):
                first = w.places[place]
                place += 1
                if first >= 0:
                    for j in range(6):
                        columns[k, first + j] += r[6 * i + j]


def part_wrenches(
    system: System, samples: Any, *, inertial: bool, load: float = 1.0
) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """(force, moment about the origin of the body) by part and body, world axes, each (samples, 3).

    They are forces of the part on the body. Parts that act on one body only (loads from outside) are left out.
    """
    acting, names = _acting(system)
    keys: dict[tuple[str, int], int] = {}
    places: list[int] = []
    for e, name in zip(acting, names, strict=True):
        own = _stations(system, name)
        for node in system.elements[e].nodes:
            places.append(-1 if node in own else 6 * keys.setdefault((name, node), len(keys)))
    if not keys:
        return {}
    n = len(samples.t)
    columns, work = np.zeros((n, 6 * len(keys))), Workspace(system)
    work.question(load=load, damped=inertial)
    if inertial and system.own.condensed_count:
        work.ask["open"] = 1
    kept = SampleArrays(samples)
    record = new_record(Wrenches, {
        "system": work.address, "samples": kept.address, "samples_count": n, "n_acting": len(acting), "n_places": len(places),
        "n_columns": columns.shape[1], "acting": np.array(acting, np.int64), "places": np.array(places, np.int64),
        "columns": columns,
    })  # fmt: skip
    _fill(address(record), inertial)

    found = {}
    for (name, node), k in keys.items():
        force, moment = -columns[:, 6 * k : 6 * k + 3], -columns[:, 6 * k + 3 : 6 * k + 6]
        body = system.model.ground.name
        if node:
            plan = system.nodes[node - 1]
            body, R = plan.body.name, world_axes(samples.pose[:, node, 3:])
            moment = np.einsum("nij,nj->ni", R, moment) + np.cross(R @ plan.offset, force)
        found[name, body] = force, moment
    return found


def _acting(system: System) -> tuple[list[int], list[str]]:
    """Elements between bodies whose signals do not contain their forces, with the names of their parts."""
    m = system.model
    counted = {*m.joints, *m.drives, *m.loads, *m.gear_pairs}
    counted |= {name for name, part in m.elements.items() if isinstance(part, (RollingBearing, AxialSupport))}
    counted |= {name for name, part in m.structures.items() if isinstance(part, BeamLine)}
    nodes: dict[str, set[int]] = {}
    chosen: list[int] = []
    for e in range(system.active):
        element = system.elements[e]
        if element.name in counted or element.name in m.bodies:  # bodies, and what keeps them in the plane of a model
            continue
        chosen.append(e)
        nodes.setdefault(element.name, set()).update(element.nodes)
    kept = [e for e in chosen if len(nodes[system.elements[e].name]) > 1]
    return kept, [system.elements[e].name for e in kept]


def _stations(system: System, name: str) -> set[int]:
    """Nodes of a structure: what its elements exchange there is not a force on another body."""
    structure = system.model.structures.get(name)
    if structure is None:
        return set()
    own = {station.name for station in structure.stations.values()}
    return {k for k, plan in enumerate(system.nodes, 1) if plan.body.name in own}


# ---- signal list

# signals_of: the signals of analyses of a model, without running them.

ORIENTATION = SignalSpec("orientation", "1", "orientation of the body, quaternion", 4)
ENERGIES = (
    SignalSpec("kinetic", "J", "kinetic energy"),
    SignalSpec("potential", "J", "potential energy of gravity and springs"),
    SignalSpec("work", "J", "work done by drives and loads since the start"),
    SignalSpec("dissipated", "J", "energy dissipated since the start"),
    SignalSpec(
        "balance_error", "J", "change of energy that work and dissipation do not explain: error of the integration"
    ),
)
TEETH_ENERGY = SignalSpec("teeth", "J", "work done by tooth forces without a potential, included in the work")
_COMPONENTS: dict[int, tuple[str, ...]] = {1: (), 3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}
_EVERY: Signals = (None, {})
_PLACED = np.zeros(3), np.eye(3)


@names_wrong_arguments
def signals_of(model: Model, *, energies: bool = True) -> dict[str, SignalSpec]:
    """List the signals of a model by name, "item.signal", with unit, meaning and number of components.

    Nothing is computed: tables of loaded teeth and finite elements are not needed.

    Parameters
    ----------
    model
        Model.
    energies
        Whether to include those of the whole model, `energy.*`, which `dynamics` has but `statics` and `kinematics` do not.
        Default True.
    """
    found: dict[str, SignalSpec] = {}
    for part, kind, (names, rename) in _parts(model):
        for spec in kind.signals:
            if names is None or spec.name in names:
                spec = rename.get(spec.name, spec)
                found[f"{part}.{spec.name}"] = spec
        if kind is BODY:
            found[f"{part}.{ORIENTATION.name}"] = ORIENTATION
    for structure in model.structures.values():
        found |= {f"{part}.{spec.name}": spec for part, spec in station_specs(structure)}
    for name, element in model.elements.items():
        world = {key: model.placed(frame) for key, frame in element.frames.items()}
        for c in kind_of(type(element)).coordinates:
            size = number_of_coordinates(element, c, world)
            rate = [SignalSpec(f"{c.name}_rate", f"{c.unit}/s", f"rate: {c.description}", size)] if c.order == 2 else []
            for spec in [SignalSpec(c.name, c.unit, c.description, size), *rate]:
                if size and not c.condensed:
                    found.setdefault(f"{name}.{spec.name}", spec)
    if energies:
        found |= {f"energy.{spec.name}": spec for spec in (*ENERGIES, TEETH_ENERGY)}
    return found


def component_names(size: int) -> tuple[str, ...]:
    """Names of the components of a signal with this size; none for a scalar."""
    known = _COMPONENTS.get(size)
    return tuple(map(str, range(size))) if known is None else known


def _parts(model: Model) -> Iterator[tuple[str, ElementKind, Signals]]:
    for name in model.bodies:
        yield name, BODY, _EVERY
    for joint in model.joints.values():
        for element in joint_elements(joint, (0, 1), _PLACED, _PLACED, helix_offset=0.0):
            yield joint.name, element.kind, (element.signals, element.rename)
        yield joint.name, COORDINATE, (tuple(s for c in joint.coordinates for s in COORDINATE_SIGNALS[c]), {})
    for pair in model.gear_pairs.values():
        yield pair.name, *_mesh(pair)
    for drive in model.drives.values():
        yield drive.name, SCALAR_CONSTRAINT, drive_signals(drive)
    for load in model.loads.values():
        yield load.name, *load_signals(load)
    for part in model.elements.values():
        yield part.name, kind_of(type(part)), (published_signals(part), {})


def _mesh(pair: GearMesh) -> tuple[ElementKind, Signals]:
    mesh, law = pair.mesh, pair.known_law
    kind = FLANK_MESH if isinstance(mesh, Flank) else STICKING_MESH if law.sticks else GEAR_MESH
    tabled = tilted = False
    face_loads = (
        isinstance(mesh, Flank)
        or law.tilt_width > 0.0
        or (law.line_width > 0.0 and law.smoothing == 0.0 and not law.rigid)
    )
    if isinstance(mesh, Loaded):
        tabled, tilted = True, mesh.tilts is not None
        face_loads = mesh.computed or mesh.face_load_factor is not None
    names = published(
        kind.signals, pair.alignment.pitch.Z[:, 0], tabled=tabled, tilted=tilted, face_loads=face_loads,
        impacts=law.rigid and law.backlash > 0.0, line=law.line_width > 0.0,
    )  # fmt: skip
    return kind, (names, RACK_SIGNALS if pair.alignment.pitch.is_rack else {})
