"""The compile step from a model to a system: declared parts, kept memory, structures."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pitchline.declare.declared_element import DeclaredElement, FrameField, JointField, MemoryField
from pitchline.declare.names import Frame
from pitchline.declare.structure import BeamSpec, ElementSpec, Station, Structure
from pitchline.errors import unknown_part
from pitchline.model.model import Model
from pitchline.parts.bodies.compile import (
    Placed,
    coordinate_element,
    guide_element,
    initial_coordinates,
    joint_elements,
    joint_measure,
)
from pitchline.parts.bodies.kernel import body as body_element
from pitchline.parts.bodies.kernel_joint import coincident
from pitchline.parts.bodies.part import ANGLE, Joint
from pitchline.parts.flexible.kernel import superelement_element
from pitchline.parts.flexible.part import SuperelementSpec
from pitchline.parts.friction.kernel_sticking import ALONE, FRESH, RECALLED, SHARED
from pitchline.parts.gears.compile import gear_element, recall_turns
from pitchline.parts.membranes.kernel import membrane_element
from pitchline.parts.membranes.part import Membrane, MembraneSpec
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.shafts.kernel import beam_element
from pitchline.parts.springs.compile import drive_element, load_element
from pitchline.solids.rotations import crossed

from ..elements.axis_rows import encode_axes
from ..elements.contract import Element, Turns, initial_turns
from ..elements.declared_kind import Surroundings, declared_element
from .nodes import Snapshot
from .rank import Evaluator, no_multipliers
from .reduction import NodePlan, PlaneMaps, idle_rows, plan_nodes, plane_maps
from .signal_graph import FunctionTable, SignalNames
from .system import State, System

__all__ = ["kept_memory", "recall_memory", "remembers"]


# ---- declared parts

# From declared elements of a model to elements of the system.


def recall_kept_signals(system: Any, memory: np.ndarray, known: dict[str, np.ndarray]) -> None:
    """Set memory of declared elements to the last values of its signals in an earlier result."""
    for e, element in enumerate(system.elements):
        part = system.model.elements.get(element.name)
        if part is None or not part.fields_of(MemoryField):
            continue
        record = memory[system.mem0[e] : system.mem1[e]][: element.kind.memory.size].view(element.kind.memory.dtype)[0]
        for name, field in part.fields_of(MemoryField).items():
            value = known.get(f"{part.name}.{field.kept}") if field.kept else None
            if value is not None and value.shape == (1,):
                record[name] = value[0]


def declared_part(
    part: DeclaredElement,
    model: Model,
    place: Any,
    observers: dict[str, Element],
    functions: FunctionTable,
    names: SignalNames,
) -> Element:
    """Element of a declared part. `place(frame)` returns the node index and the frame in node axes."""
    nodes: list[int] = []
    frames, world = {}, {}
    measures, counters, start = {}, {}, {}
    for name, field in part.fields.items():
        if isinstance(field, FrameField):
            node, frames[name] = place(part.values[name])
            nodes.append(node)
            world[name] = model.placed(part.values[name])
        elif isinstance(field, JointField):
            counters[name] = observers[part.values[name]]
            joint = model.joints[part.values[name]]
            coordinate = joint.coordinates[0] if field.coordinate is None else field.coordinate
            measures[name] = joint_measure(counters[name], coordinate)
            nodes += counters[name].nodes
            start[name] = _initial(model, joint.name, coordinate)
    around = Surroundings(
        tuple(nodes), frames, world, functions.add, measures, counters, start, model.gravity, names.source
    )
    return declared_element(part, around)


def _initial(model: Model, joint: str, coordinate: str) -> float:
    """Angle or displacement of a joint in the initial pose."""
    ends = model.joints[joint]
    angle, displacement = initial_coordinates(model.placed(ends.frame_a), model.placed(ends.frame_b))
    return angle if coordinate == ANGLE else displacement


# ---- kept memory

# Memory of elements with outputs, from one analysis to the next: past of delays, states of sampled controllers,
# relays.
#
# Memory of other elements (counted revolutions, teeth in mesh) follows from the pose.


def _places(system: System) -> Iterator[tuple[str, slice]]:
    for e, element in enumerate(system.elements):
        if element.kind.outputs and element.memory.size:
            yield f"{element.name}.memory", slice(int(system.mem0[e]), int(system.mem1[e]))


def remembers(system: System) -> bool:
    """Whether the system has such elements."""
    return any(True for _ in _places(system))


def kept_memory(system: System, memory: np.ndarray) -> dict[str, np.ndarray]:
    """Memory by "ELEMENT.memory", as integers: the bits of its numbers."""
    return {name: memory[place].copy().view(np.int64) for name, place in _places(system)}


def recall_memory(system: System, state: State, kept: Mapping[str, np.ndarray]) -> None:
    """Set the memory of elements to that of an earlier analysis, if it has the same layout."""
    for name, place in _places(system):
        known = kept.get(name)
        if known is not None and known.shape == state.mem[place].shape and known.dtype == np.int64:
            state.mem[place] = known.view(np.float64)


# ---- structure elements

# From structures of a model to elements of the system: one function for each class of specification.

Place = Callable[[Frame], tuple[int, Placed]]
"""Node index of a frame, and the frame in node axes."""


def _beam(
    name: str, spec: BeamSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return beam_element(
        name,
        (nodes[0], nodes[1]),
        *frames,
        K=spec.stiffness,
        M=spec.mass,
        rest=spec.rest,
        damping=spec.damping,
        gravity=gravity,
    )


def _superelement(
    name: str, spec: SuperelementSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return superelement_element(
        name, nodes, frames, spec.superelement, damping=spec.damping, modal_damping=spec.modal_damping, gravity=gravity
    )


def _membrane(
    name: str, spec: MembraneSpec, nodes: tuple[int, ...], frames: tuple[Placed, ...], gravity: np.ndarray
) -> Element:
    return membrane_element(name, nodes, frames, spec.matrices, damping=spec.damping, gravity=gravity)


_MAKERS: dict[type[ElementSpec], Callable[[str, Any, tuple[int, ...], tuple[Placed, ...], np.ndarray], Element]] = {
    BeamSpec: _beam,
    SuperelementSpec: _superelement,
    MembraneSpec: _membrane,
}
"""Functions that make an element from a specification. Arguments: name of the structure, specification, its nodes, the frames
in node axes, and gravity in world axes."""


def structure_elements(structure: Structure, place: Place, gravity: np.ndarray) -> Iterator[Element]:
    """Elements of a structure, with its name."""
    for spec in structure.elements:
        make = _MAKERS.get(type(spec))
        if make is None:
            raise unknown_part("element", spec, "the compile step")
        nodes, frames = zip(*(place(frame) for frame in spec.frames), strict=True)
        element = make(structure.name, spec, nodes, frames, gravity)
        element.signals = ()  # published for the structure as a whole: see `station_signals`
        yield element


def _weight(structure: Structure, place: Place, gravity: np.ndarray) -> Element:
    """Total inertia of a structure that is treated as rigid, on the first of its frames that is not on the ground."""
    frames = [frame for link in structure.links for frame in (link.a, link.b)]
    frame, node, (at, axes) = next((f, k, placed) for f, (k, placed) in ((f, place(f)) for f in frames) if k)
    body, solid = frame.owner, structure.solid
    assert body is not None
    turn = axes @ (body.orientation @ frame.rotation).T  # from world axes in the initial pose to node axes
    centre = at + turn @ (solid.centre_of_mass - body.to_world(frame.position))
    element = body_element(
        structure.name, node, mass=solid.mass, gravity=gravity, centre_of_mass=centre, inertia=turn @ solid.inertia @ turn.T,
        origin=np.zeros(3),
    )  # fmt: skip
    element.signals = ()
    return element


def rigid_links(structure: Structure, place: Place, gravity: np.ndarray) -> Iterator[Element]:
    """Rows that connect the nodes of a structure rigidly, in place of its elements, and its weight on one of them."""
    if isinstance(structure, Membrane):  # has no stiffness against bending that could be infinite
        yield from structure_elements(structure, place, gravity)
        return
    yield _weight(structure, place, gravity)
    for link in structure.links:
        (i, (at_a, axes_a)), (j, (at_b, axes_b)) = place(link.a), place(link.b)
        held = encode_axes(axes_a[:, 2], axes_b[:, 0], axes_b[:, 1], extra=(axes_a[:, 0], axes_b[:, 1]))
        element = coincident(structure.name, (i, j), at_a, at_b, held)
        element.signals = ()
        yield element


def compile_model(
    model: Model,
    start: Snapshot | None = None,
    *,
    until: float | None = None,
    reduce: bool = True,
    static: bool = False,
    rigid_structures: bool = False,
) -> tuple[System, State]:
    """Compile a checked model and make its state at `start` (default: the initial state of the model, t = 0).

    `until`: end of the time over which functions are needed. `reduce=False` gives every body six coordinates.
    `static`: for analyses without inertia, in which tooth forces are separate unknowns.
    `rigid_structures`: shafts, beams and flexible bodies are rigid.
    """
    model.check()
    start = start or Snapshot.of_model(model)
    made = _Compilation(model, start, start.t if until is None else until, reduce, static)
    made.rigid_structures = rigid_structures
    return made.finish()


class _Compilation:
    def __init__(self, model: Model, start: Snapshot, until: float, reduce: bool, static: bool) -> None:
        self.model, self.start, self.static = model, start, static
        poses = {name: (start.position[name], start.orientation[name]) for name in model.bodies}
        self.plans = plan_nodes(model, poses, reduce=reduce)
        self.plan_of = {p.body.name: (k, p) for k, p in enumerate(self.plans, 1)}
        self.functions = FunctionTable(start.t, until)
        self.observers: dict[str, Element] = {}
        self.active: list[Element] = []
        self.passive: list[Element] = []
        self.joint_of: dict[int, Joint] = {}
        self.guides: set[int] = set()  # elements that constrain bodies to the plane
        self.rigid_structures = False

    def finish(self) -> tuple[System, State]:
        reducing = {id(p.joint) for p in self.plans if p.joint is not None}
        for k, plan in enumerate(self.plans, 1):
            b = plan.rigid or plan.body
            body = body_element(
                plan.body.name, k, mass=b.mass, gravity=self.model.gravity, centre_of_mass=b.centre_of_mass - plan.offset,
                inertia=b.inertia, origin=-plan.offset,
            )  # fmt: skip
            body.passive = b.mass == 0.0 and isinstance(
                plan.body, Station
            )  # the elements of its structure contain its inertia
            (self.passive if body.passive else self.active).append(body)
        if self.model.plane is not None:
            for k, plan in enumerate(self.plans, 1):
                if plan.held_by is None and plan.T.shape[1] == 6:
                    guide = guide_element(plan.body.name, k, plan.position, plan.orientation, self.model.plane.axes)
                    self.active.append(guide)
                    self.guides.add(id(guide))
        for joint in self.model.joints.values():
            self._joint(joint, passive=id(joint) in reducing)
        names = SignalNames(self.model, self._place, self.observers, self.functions)
        for drive in self.model.drives.values():
            observer = self.observers[drive.joint_name]
            start = Turns.named(observer.memory)[f"start_{drive.coordinate}"]
            self.active.append(drive_element(drive, observer, self.functions, names, float(start)))
        for load in self.model.loads.values():
            self.active.append(load_element(load, self._place, self.observers, self.functions, names, self._masses))
        for part in self.model.elements.values():
            made = declared_part(part, self.model, self._place, self.observers, self.functions, names)
            made.passive = type(part).observes
            (self.passive if made.passive else self.active).append(made)
        for structure in self.model.structures.values():
            make = rigid_links if self.rigid_structures else structure_elements
            self.active.extend(make(structure, self._place, self.model.gravity))
        for pair in self.model.gear_pairs.values():
            (i, on_a), (j, on_b) = self._place(pair.wheel_a.frame), self._place(pair.wheel_b.frame)
            self.active.append(gear_element(pair, (i, j), on_a, on_b, self.functions, static=self.static))
        system = System(
            self.model, self.plans, self.active + self.passive, self.functions.array(), _length(self.plans, self.model),
            held=self.functions.held, kinks=self.functions.kinks(),
        )  # fmt: skip
        _scale_switching_rows(system)
        state = self._state(system)
        if self.model.plane is not None:
            system.plane = self._in_plane(system, state, self.model.plane.axes)
            system.relayout(system.redundant)
        return system, state

    @cached_property
    def _masses(self) -> list[tuple[float, float]]:
        """Mass and mean inertia of the bodies of all nodes; 0 for the ground."""
        return [(0.0, 0.0)] + [(p.mass, p.mean_inertia) for p in self.plans]

    def _in_plane(self, system: System, state: State, axes: np.ndarray) -> PlaneMaps:
        """Find rows that have no effect in the plane. Those that constrain bodies to the plane stay in the equations."""
        maps = PlaneMaps(
            plane_maps(axes, [p.orientation for p in self.plans]), np.zeros(system.n_lam, bool), np.zeros(0, np.int64)
        )
        holding = self.guides | {id(p.held_by) for p in self.plans}
        left_out: list[int] = []
        evaluator = Evaluator(system)
        evaluator.place(state, moving=False, lam=no_multipliers(system))
        for e, element in enumerate(system.elements):
            if not element.rows or element.kind is GEAR_MESH or element.switches or element.apart is not None:
                continue
            B = evaluator.element_rows(e)[1]
            B[:, [j for j in range(B.shape[1]) if j % 6 > 2]] /= system.length
            mine = slice(int(system.lam0[e]), int(system.lam0[e + 1]))
            maps.idle[mine] = idle_rows(B, maps.projected(element.nodes, B))
            if id(element) not in holding and id(self.joint_of.get(id(element))) not in holding:
                left_out += [l for l in range(mine.start, mine.stop) if maps.idle[l]]
        return replace(maps, left_out=np.array(left_out, np.int64))

    def _place(self, where: Frame | str) -> tuple[int, Placed]:
        """Node index of a frame (or body name), and the frame in node axes."""
        name = where if isinstance(where, str) else where.body_name
        position = np.zeros(3) if isinstance(where, str) else where.position
        rotation = np.eye(3) if isinstance(where, str) else where.rotation
        if name == self.model.ground.name:
            return 0, (position, rotation)
        k, plan = self.plan_of[name]
        return k, (position - plan.offset, rotation)

    def _world(self, k: int, frame: Placed) -> Placed:
        """Frame of node k in the world."""
        if k == 0:
            return frame
        plan: NodePlan = self.plans[k - 1]
        return plan.position + plan.orientation @ frame[0], plan.orientation @ frame[1]

    def _joint(self, joint: Joint, *, passive: bool) -> None:
        (i, a), (j, b) = self._place(joint.frame_a), self._place(joint.frame_b)
        observer = coordinate_element(joint, (i, j), a, b)
        angle, displacement = initial_coordinates(self._world(i, a), self._world(j, b))
        known = self.start.angle.get(joint.name)
        if known is not None:
            angle = angle + 2 * np.pi * float(np.rint((known - angle) / (2 * np.pi)))
        offset = displacement - (joint.pitch or 0.0) * angle
        elements = joint_elements(joint, (i, j), a, b, helix_offset=offset)
        for e in elements:
            e.passive = passive
            if e.memory.size:
                e.memory, e.shares_memory_of = np.zeros(0), observer
        (self.passive if passive else self.active).extend(elements)
        self.joint_of.update((id(e), joint) for e in elements)
        if joint.coordinates or any(e.shares_memory_of is observer for e in elements):
            observer.memory = initial_turns(angle, displacement)
            self.observers[joint.name] = observer
            self.passive.append(observer)

    def _state(self, system: System) -> State:
        state = system.initial_state(self.start.t)
        for k, plan in enumerate(self.plans, 1):
            name = plan.body.name
            omega = plan.orientation.T @ self.start.angular_velocity[name]
            arm = plan.orientation @ crossed(omega, plan.offset)
            V = np.concatenate([self.start.velocity[name] + arm, omega])
            i, nd = system.dof0[k], system.ndof[k]
            state.v[i : i + nd] = plan.start_rates(V)
        self._recall_own(system, state)
        self._recall_laws(system, state)
        recall_memory(system, state, self.start.memory)
        if self.model.gear_pairs:
            self._count_teeth(system, state)
        return state

    def _recall_own(self, system: System, state: State) -> None:
        """Set open coordinates of elements to those of an earlier result."""
        for g in system.own.open:
            mine = slice(g.first, g.first + g.count)
            name = f"{system.elements[g.element].name}.{g.what.name}"
            for called, values in ((name, state.own), (f"{name}_rate", state.v[system.own.first :])):
                known = self.start.own.get(called)
                if known is not None and known.shape == (g.count,):
                    values[mine] = known
        recall_kept_signals(system, state.mem, self.start.own)

    def _recall_laws(self, system: System, state: State) -> None:
        """Mark friction that stuck at the end of an earlier result: a speed at the level of rounding is rest."""
        for e, element in enumerate(system.elements):
            known = self.start.own.get(f"{element.name}.state") if element.switches else None
            if known is not None and known.shape == (1,) and known[0] == 0.0:
                state.mem[int(system.mem0[e]) + element.law_place + FRESH] = RECALLED

    def _count_teeth(self, system: System, state: State) -> None:
        """Find the engaged teeth of the pairs in the initial pose, and set the revolutions of an earlier result."""
        system.commit(state)
        for e, element in enumerate(system.elements):
            known = self.start.mesh.get(element.name)
            if known is not None and element.name in self.model.gear_pairs:
                recall_turns(element, state.mem[system.mem0[e] : system.mem1[e]], *known)


def _scale_switching_rows(system: System) -> None:
    """Rows that switch are scaled by the inertia of their bodies, as those of constraints are."""
    on = [tuple(id(counter) for counter in e.turns.values()) for e in system.elements if e.switches]
    several = any(len(joints) != 1 for joints in on)  # gears: they act on the coordinates of several joints
    for e, element in enumerate(system.elements):
        if element.switches and "reference" in (element.kind.parameters.dtype.names or ()):
            alone = on.count(tuple(id(counter) for counter in element.turns.values())) == 1 and (
                len(on) == 1 or not several
            )
            first, kind = int(system.parameter0[e]), element.kind.parameters
            for parameters in (system.parameters[first:], element.apart):
                if parameters is not None:
                    values = parameters[: kind.size].view(kind.dtype)
                    values["reference"] = system.layout.lam_scale[int(system.lam0[e]) + element.firm]
                    values["compliance"] = ALONE if alone else SHARED


def _length(plans: list[NodePlan], model: Model) -> float:
    """Characteristic length: the extent of bodies and joints, or a radius of gyration if that is larger."""
    points: list[np.ndarray] = []
    gyration = [0.0]
    for p in plans:
        R = p.orientation
        points += [p.position, p.position + R @ (p.body.centre_of_mass - p.offset), p.position - R @ p.offset]
        if p.mass > 0:
            a, b, c = p.inertia.diagonal().tolist()
            gyration.append(math.sqrt((a + b + c) / 2 / p.mass))
    by_name = {p.body.name: p for p in plans}
    for joint in model.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            on = by_name.get(frame.body_name)
            points.append(frame.position if on is None else on.position + on.orientation @ (frame.position - on.offset))
    if not points:
        return max(gyration) or 1.0
    whole = np.array(points)
    extent = whole.max(axis=0) - whole.min(axis=0)
    return max(math.sqrt(extent.dot(extent)), max(gyration)) or 1.0
