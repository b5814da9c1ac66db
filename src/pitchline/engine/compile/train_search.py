"""Trains of gears on fixed axes: the search for them, their records, and the probe that evaluates single elements.

Search for trains: whether a system is a train, and if not, the reason.

An element is tested by moving it: its forces at several positions and velocities must agree with the scalar form to rounding.
If an element fails, the system uses the general method, and the reason names the element.
"""

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pitchline.numerics.fields import (
    INTEGER,
    NUMBER,
    Fields,
    address,
    elsewhere,
    embedded,
    fields,
    new_record,
    record_over,
    reference,
    table,
)
from pitchline.numerics.functions import is_constant, value_of
from pitchline.numerics.machine_code.compiled import A1, A2, I8, block, entry
from pitchline.numerics.vectors import add, matrix_of, turned
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.parts.meshes.kernel_law import NO_FRICTION, OVER_TIME, RIGID, SPRING
from pitchline.parts.meshes.kernel_records import Engagement, Hoop, LawOut, MeshParameters
from pitchline.parts.planetary.kernel import Ratio
from pitchline.parts.springs.kernel import BUSHING, TORQUE_LOAD
from pitchline.parts.springs.kernel_load import LAW_LINEAR, LAW_LOAD, SCALAR_FORCE

from ..elements.contract import ANGLE, DISPLACEMENT, RESIDUAL, Any_, Element, call_report
from .assembly import evaluate, system_at
from .nodes import rotation, translation
from .signal_pass import PlacedElement, Pose, SystemRecord
from .system import State, System

# ---- probe

# Evaluation of one element of a system at given positions and velocities: its forces and reports.
#
# Only the nodes of the element are moved, each along its one coordinate, so that the time does not depend on the size
# of the system.

_over = record_over(Any_)


@block
def _move(sys: SystemRecord, e: PlacedElement, q: A1, v: A1):
    """Move the nodes of an element to coordinates relative to the accepted state, with velocities; the ground does not move."""
    nodes = e.nodes
    for k in range(e.n_nodes):
        g = nodes[k]
        node = sys.nodes[g]
        if node.count == 1:
            sys.dq[node.first] = q[k]
            sys.v[node.first] = v[k]
            body = sys.bodies[g]
            start = sys.pose0[g]
            body.x = add(start.x, translation(node, sys.dq))
            body.R = matrix_of(turned(start.q, rotation(node, sys.dq)))
            body.v = translation(node, sys.v)
            body.w = rotation(node, sys.v)


@entry
def residuals_at(address: I8, element: I8, q: A2, v: A2, r: A2):
    """Residual of an element at positions and velocities, one row each, with one number for each node."""
    sys = system_at(address)
    e = sys.elements[element]
    local = sys.local_r
    for n in range(q.shape[0]):
        _move(sys, e, q[n], v[n])
        evaluate(sys, e, RESIDUAL)
        for i in range(r.shape[1]):
            r[n, i] = local[i]


@entry
def reports_at(address: I8, element: I8, q: A2, v: A2, out: A2):
    """Reports of an element at positions and velocities, one row each."""
    sys = system_at(address)
    e = sys.elements[element]
    for n in range(q.shape[0]):
        _move(sys, e, q[n], v[n])
        for i in range(out.shape[1]):
            out[n, i] = 0.0
        call_report(e.report, e.s, e.m, e.x, e.w, sys.ask, _over(out[n], 0))


class Probe:
    """Evaluation of elements of a system, in which every node has at most one coordinate, about a state."""

    def __init__(self, system: System, state: State) -> None:
        self.system, self._work = system, system.workspace
        self._work.set(state)
        self._work.question(state.t)
        self._work.place(moving=False)
        self._out: dict[str, Fields] = {}

    def rotations(self) -> np.ndarray:
        """(nodes, 3, 3) rotation matrices at the state, before an element is moved."""
        return self._work.bodies["R"].reshape(-1, 3, 3).copy()

    def residuals(self, e: int, q: np.ndarray, v: np.ndarray | None = None) -> np.ndarray:
        """(positions, 6 nodes) residual of the nodes of element e. q, v: (positions, nodes) coordinates and velocities."""
        r = np.zeros((len(q), 6 * q.shape[1]))
        residuals_at(self._work.address, e, q, np.zeros_like(q) if v is None else v, r)
        return r

    def mass(self, e: int) -> np.ndarray:
        """Mass matrix of an element with one node, at its last evaluation."""
        self._work.ask["M"] = 1.0
        _, J = self._work.element(e, tangent=True)
        self._work.ask["M"] = 0.0
        return J

    def reports(self, e: int, q: np.ndarray, *names: str) -> np.ndarray:
        """(positions, names) signals of element e at rest. q: as above."""
        kind = self.system.elements[e].kind
        if kind.name not in self._out:
            self._out[kind.name] = kind.out
        places = self._out[kind.name]
        out = np.zeros((len(q), places.size))
        reports_at(self._work.address, e, q, np.zeros_like(q), out)
        return out[:, [places.place(name)[0] for name in names]]


# ---- train records

# Records of a train: filled by the search for trains, read and written by its steps.
#
# A coordinate is the angle of a wheel, or the displacement of a rack or another sliding body. The records contain
# constants, and the state that is carried from step to step.

TWO_PI = 2.0 * math.pi

TrainWheel = fields(
    "TrainWheel",
    mass=NUMBER,
    force=NUMBER,  # constant generalised force (weight of a sliding body), as in the residual
    is_angle=INTEGER,
    group=INTEGER,  # free coordinate that this one follows
    gain=NUMBER,  # and its factor
    weight=NUMBER,  # in the norm of a correction
    # state: coordinate x relative to the state in which the train was found; of an angle the principal value and revolutions
    x=NUMBER,
    turns=NUMBER,
    v=NUMBER,
    vd=NUMBER,
    a=NUMBER,  # algorithmic acceleration
    vd_before=NUMBER,
    # the step in progress
    v1=NUMBER,
    vd1=NUMBER,
    a0=NUMBER,
    dq=NUMBER,
    outside=NUMBER,  # constant force and loads, as in the residual
    r=NUMBER,
)
"""M dv/dt + forces = 0 of one coordinate."""

TrainSpring = fields("TrainSpring", i=INTEGER, j=INTEGER, a=NUMBER, b=NUMBER, k=NUMBER, c=NUMBER, e0=NUMBER)
"""Extension e = a q_i + b q_j + e0, force k e + c de/dt. j = -1: to the ground."""

TrainLoad = fields("TrainLoad", i=INTEGER, factor=NUMBER, function=INTEGER, is_constant=INTEGER, now=NUMBER)
"""Force factor f(t) on a coordinate, and its present value."""

TrainDrive = fields("TrainDrive", i=INTEGER, a=NUMBER, function=INTEGER, row=INTEGER, s0=NUMBER, rate=NUMBER)
"""a q_i + s0 follows a function of time, by the multiplier `row`; and the present rate of that function."""

Tie = fields("TrainTie", child=INTEGER, parent=INTEGER, a=NUMBER, b=NUMBER, row=INTEGER, ratio=NUMBER)
"""Rigid teeth without play: a q_child + b q_parent = 0, by the multiplier `row`; q_child = ratio q_parent."""

Pair = fields(
    "TrainPair",
    i=INTEGER,  # coordinates of the two wheels, -1: fixed to the ground
    j=INTEGER,
    a=NUMBER,  # psi_A changes by a q_i, psi_B by b q_j
    b=NUMBER,
    element=INTEGER,
    teeth_law=reference(MeshParameters),  # parameters of that element
    turns_b=INTEGER,  # 1: wheel B turns; 0: it is a rack
    tilt_drive=NUMBER,  # of the wheels in the planes of action of both flanks: constant
    tilt_coast=NUMBER,
    # state: principal values, and whole teeth between them
    psi_a=NUMBER,
    psi_b=NUMBER,
    teeth=NUMBER,
    slack=NUMBER,  # s of the last evaluation, or the penetration of the teeth of a table
    push=NUMBER,  # force of the teeth, and its derivative by the approach within a step
    rigidity=NUMBER,
)
"""Teeth with a force law."""

TrainRecord = fields(
    "Train",
    n_wheels=INTEGER,
    n_springs=INTEGER,
    n_loads=INTEGER,
    n_drives=INTEGER,
    n_ties=INTEGER,
    n_pairs=INTEGER,
    n_free=INTEGER,  # free coordinates; drives prescribe the first n_drives
    wheels=table(TrainWheel),
    springs=table(TrainSpring),
    loads=table(TrainLoad),
    drives=table(TrainDrive),
    ties=table(Tie),  # from the outermost wheels inwards
    pairs=table(Pair),
    start=table(Pose),  # poses of the nodes to which coordinates are relative
    # factors of the current step size, and the part of the matrix that is constant with it
    h=NUMBER,
    s=NUMBER,
    to_velocity=NUMBER,
    to_acceleration=NUMBER,
    base=elsewhere("n_free", "n_free"),
    # scratch
    W=elsewhere("n_free", "n_free"),
    x=elsewhere("n_free"),
    hoop=embedded(Hoop),
    engaged=embedded(Engagement),
    law=embedded(LawOut),
    power_teeth=NUMBER,
    power_out=NUMBER,
)


# ---- train

# Trains: systems in which every body rotates about, or slides along, one fixed axis, and all elements are scalar.
#
# Gears on rigid bearings are an example: the mesh frame of two wheels on fixed axes is constant, psi_A and psi_B are
# the angles of the wheels plus constants, and the approach u is an affine function of both (exact, for every kind of
# pair). Shafts (torsion of a bushing between coaxial wheels), torsion springs and loads on joints are also scalar.
# The equations are then
#
# M_i dv_i/dt + sum over springs a_i (k e + c de/dt) + sum over meshes a_i w - loads = 0, e = a_i q_i + a_j q_j + e_0,
#
# a few numbers for each step. Rigid teeth and rolling wheels couple coordinates, c_A a_i q_i + c_B a_j q_j = 0.
# Coupled wheels have one common coordinate y, q_i = g_i y, and the tooth forces follow from the equilibrium of each
# wheel, starting with the outermost one. Therefore a train of any length needs only a few operations for each wheel.
#
# `train_search` determines whether a system is a train.

TABLES = {
    "wheels": TrainWheel,
    "springs": TrainSpring,
    "loads": TrainLoad,
    "drives": TrainDrive,
    "ties": Tie,
    "pairs": Pair,
}
STATE = {"wheels": ("x", "turns"), "pairs": ("psi_a", "psi_b", "teeth")}
"""Fields of the tables that change during a run; rates and accelerations are those of the motion."""


class Train:
    """Tables of a train, and the record for compiled code. Coordinates are relative to the state in which it was found."""

    def __init__(self, system: System, start: State, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self.pose, self.mem = start.pose.copy(), start.mem.copy()
        self._system = system  # owns parameters and functions
        self.tables = {name: np.zeros(len(rows[name]), record.dtype) for name, record in TABLES.items()}
        for name, columns in self.tables.items():
            for field in rows[name][0] if rows[name] else ():
                columns[field] = [row[field] for row in rows[name]]
        self._derive()
        free = int(self.tables["wheels"]["group"].max()) + 1
        self._base, self._W, self._x = np.zeros((free, free)), np.zeros((free, free)), np.zeros(free)
        counts = {f"n_{name}": len(table) for name, table in self.tables.items()}
        arrays = {"start": self.pose, "base": self._base, "W": self._W, "x": self._x}
        self._record = new_record(TrainRecord, {"n_free": free, **counts, **self.tables, **arrays})

    def _derive(self) -> None:
        """Compute derived values."""
        s, wheels, loads, ties, pairs = (
            self._system,
            *(self.tables[name] for name in ("wheels", "loads", "ties", "pairs")),
        )
        wheels["weight"] = s.layout.weight[: len(wheels)]
        ties["ratio"] = wheels["gain"][ties["child"]] / wheels["gain"][ties["parent"]]
        pairs["teeth_law"] = address(s.parameters) + 8 * s.parameter0[pairs["element"]]
        for load in loads:
            place = int(load["function"])
            load["is_constant"] = is_constant(s.functions, place)
            load["now"] = load["factor"] * value_of(s.functions, place, 0.0)[0]

    @property
    def address(self) -> int:
        """Of its record."""
        return address(self._record)

    def set_motion(self, motion: Mapping[str, np.ndarray]) -> None:
        """Rates and accelerations (v, vd, a, vd_before) of the coordinates."""
        for name, values in motion.items():
            self.tables["wheels"][name] = values

    def state(self) -> dict[str, np.ndarray]:
        """State in addition to the motion, for an exact continuation: the initial state, and the current one."""
        found = {"pose": self.pose, "mem": self.mem}
        return found | {
            f"{name}_{field}": self.tables[name][field] for name, fields in STATE.items() for field in fields
        }

    def set_state(self, kept: Mapping[str, np.ndarray]) -> None:
        """Continue from the state of another train with the same initial state."""
        for name, keys in STATE.items():
            for field in keys:
                self.tables[name][field] = kept[f"{name}_{field}"]


KINDS = (BODY, BUSHING, SCALAR_FORCE, SCALAR_CONSTRAINT, TORQUE_LOAD, GEAR_MESH)
MOST_COORDINATES = 24
"""Matrices are dense and factorised at every step: for larger systems the general method is faster."""
EXACT = 1e-9
"""Largest difference from the scalar form, relative to the forces."""
FAR = np.array([[0.37, -0.82], [-1.1, 0.64], [0.9, 1.3]])
"""Positions far from zero that show nonlinearities, for one or two coordinates [rad]."""

Row = dict[str, Any]


class NotATrain(Exception):
    """Reason why a system is not a train."""


def find_train(system: System, state: State) -> Train:
    """Return the train of a system at a state. Raise NotATrain if it is not a train."""
    _look_at_bodies(system)
    active = system.elements[: system.active]
    for element in active:
        if element.kind not in KINDS and not is_ratio(element):
            raise NotATrain(f'"{element.name}" is of a kind that trains do not support: {element.kind.name}')
    if not any(element.kind is GEAR_MESH or is_ratio(element) for element in active):
        raise NotATrain("it has no gear pair")
    return _Search(system, state).train()


def _look_at_bodies(system: System) -> None:
    """Every body must have at most one coordinate."""
    for plan in system.nodes:
        if plan.T.shape[1] > 1:
            raise NotATrain(f'body "{plan.body.name}" neither rotates about one fixed axis nor slides along one')
    if system.own.count or system.own.condensed_count:
        owner = next(e for e in system.elements if e.kind.coordinates)
        raise NotATrain(f'"{owner.name}" has its own coordinates')
    if not system.n_q:
        raise NotATrain("no body can move")
    if system.redundant.size:
        raise NotATrain(f'constraints of "{system.row_owner(int(system.redundant[0])).name}" depend on others')


class _Search:
    def __init__(self, system: System, state: State) -> None:
        self.system, self.state = system, state
        self.probe = Probe(system, state)
        self.R = self.probe.rotations()
        self.of_node = {g: int(system.dof0[g]) for g in range(len(system.ndof)) if system.ndof[g] == 1}
        self.axis = {g: system.T[g, :, 0] for g in self.of_node}
        self._numbers = {g: t.tolist() for g, t in self.axis.items()}
        self.is_angle = np.array([self.axis[g][3:].any() for g in sorted(self.of_node)])
        self._far: dict[tuple[float, ...], np.ndarray] = {}
        for g, t in self.axis.items():
            if t[3:].any() and t[:3].any():
                raise NotATrain(f'body "{system.nodes[g - 1].body.name}" moves on a screw')

    def train(self) -> Train:
        n = self.system.n_q
        mass, force = np.zeros(n), np.zeros(n)
        rows: dict[str, list[Row]] = {name: [] for name in ("springs", "loads", "drives", "pairs")}
        bonds: list[Row] = []
        for e, element in enumerate(self.system.elements[: self.system.active]):
            kind, values = element.kind, element.values
            if kind is BODY:
                self._body(e, element, mass, force)
            elif kind is BUSHING or (kind is SCALAR_FORCE and values["law"] == LAW_LINEAR and not values["string"]):
                rows["springs"] += self._spring(e, element)
            elif kind is SCALAR_FORCE and values["law"] == LAW_LOAD:
                i, a, _ = self._coordinate(e, element)
                rows["loads"].append({"i": i, "factor": a, "function": values["function"]})
            elif kind is SCALAR_FORCE:
                raise NotATrain(f'the force of "{element.name}" is not linear')
            elif kind is SCALAR_CONSTRAINT:
                rows["drives"].append(self._drive(e, element))
            elif kind is TORQUE_LOAD:
                rows["loads"] += self._torque(element)
            elif is_ratio(element):
                bonds.append(self._ratio(e, element))
            elif values["law"]["form"] == RIGID:
                bonds.append(self._bond(e, element))
            else:
                rows["pairs"].append(self._pair(e, element))
        driven = [drive["i"] for drive in rows["drives"]]
        group, gain, ties = _tied(n, bonds, driven)
        if len({group[i] for i in driven}) < len(driven):
            raise NotATrain("two drives act on wheels that are coupled by teeth")
        if group.max() >= MOST_COORDINATES:
            raise NotATrain(f"{group.max() + 1} coordinates are free; the maximum for trains is {MOST_COORDINATES}")
        if (mass <= 0.0).any():
            body = self.system.nodes[int(np.flatnonzero(mass <= 0.0)[0])].body
            raise NotATrain(f'body "{body.name}" has no inertia about its axis')
        wheels = [
            {"mass": m, "force": f, "is_angle": t, "group": k, "gain": g}
            for m, f, t, k, g in zip(mass, force, self.is_angle, group, gain, strict=True)
        ]
        return Train(self.system, self.state, {"wheels": wheels, "ties": ties, **rows})

    # ---- moving elements

    def _coordinates(self, element: Element) -> list[int]:
        return [self.of_node[g] for g in element.nodes if g in self.of_node]

    def _places(self, element: Element) -> np.ndarray:
        """(positions, nodes of the element): its coordinates far from zero."""
        sizes = tuple([self._size(g) for g in element.nodes])
        found = self._far.get(sizes)
        if found is None:
            found = np.zeros((len(FAR), len(sizes)))
            k = 0
            for place, size in enumerate(sizes):
                if size:
                    found[:, place] = size * FAR[:, k]
                    k += 1
            self._far[sizes] = found
        return found

    def _size(self, g: int) -> float:
        """Typical size of the coordinate of a node; 0: it does not move."""
        if g not in self.of_node:
            return 0.0
        return 1.0 if self.is_angle[self.of_node[g]] else 0.1 * self.system.length

    def _force(self, element: Element, r: np.ndarray) -> list[float]:
        """Generalised forces of one residual, by the coordinates of the element."""
        return [float(self.axis[g] @ r[6 * k : 6 * k + 6]) for k, g in enumerate(element.nodes) if g in self.axis]

    def _near_forces(self, element: Element, r: np.ndarray) -> list[list[float]]:
        """Generalised forces of residuals, one row for each position: for comparisons, because sums are rounded differently."""
        moving = [(6 * k, self._numbers[g]) for k, g in enumerate(element.nodes) if g in self.axis]
        return [[sum(map(operator.mul, t, one[k : k + 6])) for k, t in moving] for one in r.tolist()]

    # ---- elements

    def _body(self, e: int, element: Element, mass: np.ndarray, force: np.ndarray) -> None:
        (g,) = element.nodes
        if g not in self.of_node:
            return
        i, t = self.of_node[g], self.axis[g]
        places = np.zeros((len(FAR) + 1, 1))
        places[:-1] = self._places(element)
        r = self.probe.residuals(e, places, 10.0 * places)
        (f,) = self._force(element, r[-1])
        force[i] = f
        mass[i] = t @ self.probe.mass(e) @ t
        limit = EXACT * (abs(f) + float(mass[i]))
        if not all(abs(near - f) <= limit for (near,) in self._near_forces(element, r[:-1])):
            raise NotATrain(f'the weight of body "{element.name}" causes a torque, or its axis is not a principal axis')

    def _spring(self, e: int, element: Element) -> list[Row]:
        """Spring with one extension e = a_i q_i + a_j q_j + e0."""
        at, values = self._coordinates(element), element.values
        if not at:
            return []
        twist = (5, 5) if element.kind is BUSHING else ()
        k, c = float(values["stiffness"][twist]), float(values["damping"][twist])
        if k == 0.0 and c == 0.0:
            return []
        far = self._places(element)
        q, v = np.zeros((2, 2 + len(far), far.shape[1]))
        q[1, -1] = v[1, -1] = 0.3
        q[2:], v[2:] = far, 3.0 * far[:, ::-1] if len(at) == 2 else 3.0 * far
        r = self.probe.residuals(e, q, v)
        still = self._force(element, r[0])
        a = np.ones(len(at))
        if len(at) == 2:
            # the sign of the second coordinate: from its effect on the first one
            a[1] = np.sign(self._force(element, r[1])[0] - still[0])
        e0 = still[0] / k if k else 0.0
        moving = [place for place, g in enumerate(element.nodes) if g in self.of_node]
        signs = a.tolist()
        for x, u, near in zip(q[2:].tolist(), v[2:].tolist(), self._near_forces(element, r[2:]), strict=True):
            x, u = [x[place] for place in moving], [u[place] for place in moving]
            f = k * (sum(map(operator.mul, x, signs)) + e0) + c * sum(map(operator.mul, u, signs))
            size = abs(k) * (max(map(abs, x)) + abs(e0)) + abs(c) * max(map(abs, u))
            if not all(abs(one - f * sign) <= EXACT * size for one, sign in zip(near, signs, strict=True)):
                raise NotATrain(f'"{element.name}" is not a spring about the axes of its wheels')
        j, b = (at[1], a[1]) if len(at) == 2 else (-1, 0.0)
        return [{"i": at[0], "j": j, "a": 1.0, "b": b, "k": k, "c": c, "e0": e0}]

    def _coordinate(self, e: int, element: Element) -> tuple[int, float, float]:
        """(i, a, s0): the measure of an element is s = a q_i + s0."""
        at = self._coordinates(element)
        if len(at) != 1 or element.values["on"]["kind"] not in (ANGLE, DISPLACEMENT):
            raise NotATrain(f'"{element.name}" does not act between one body and the ground')
        q = np.zeros((2, len(element.nodes)))
        q[1] = self._places(element)[0]
        s0, s1 = self.probe.reports(e, q, element.kind.signals[0].name)[:, 0]
        a = (s1 - s0) / q[1].sum()
        if abs(abs(a) - 1.0) > 1e-9:
            raise NotATrain(f'"{element.name}" does not act along the axis of its body')
        return at[0], float(np.sign(a)), float(s0)

    def _drive(self, e: int, element: Element) -> Row:
        if element.values["function"] < 0:
            raise NotATrain(f'"{element.name}" constrains a coordinate')
        i, a, s0 = self._coordinate(e, element)
        return {"i": i, "a": a, "function": element.values["function"], "row": self.system.lam0[e], "s0": s0}

    def _torque(self, element: Element) -> list[Row]:
        values, rows = element.values, []
        for sign, g in zip((1.0, -1.0), element.nodes, strict=True):
            if g not in self.of_node:
                continue
            axis = self.axis[g][3:]
            if not values["following"]:
                axis = self.R[g] @ axis
            elif g != element.nodes[1]:
                raise NotATrain(f'torque "{element.name}" follows another body')
            rows += [
                {"i": self.of_node[g], "factor": -sign * axis[k], "function": values[component]}
                for k, component in enumerate("xyz")
                if axis[k] != 0.0
            ]
        return rows

    def _bond(self, e: int, element: Element) -> Row:
        """Rigid teeth without play or error: c_A a_i q_i + c_B a_j q_j = 0."""
        values = element.values
        geometry, law = values["geometry"], values["law"]
        if law["backlash"] or law["error"] or law["n_errors"]:
            raise NotATrain(f'the rigid teeth of "{element.name}" have play or errors')
        if geometry["rack"] and values["limits"]["travel_beyond"]:
            # past the end of its rack the pinion has no position, which a tie cannot detect
            raise NotATrain(f'the rigid rack of "{element.name}" has ends')
        pair = self._pair(e, element, RIGID)
        if pair["i"] < 0 or pair["j"] < 0:
            raise NotATrain(f'a wheel of the rigid teeth "{element.name}" is fixed to the ground')
        a, b = geometry["lever_a"] * pair["a"], geometry["lever_b"] * pair["b"]
        return {"i": pair["i"], "j": pair["j"], "a": a, "b": b, "row": int(self.system.lam0[e])}

    def _ratio(self, e: int, element: Element) -> Row:
        """Ratio between two joints to the ground: c_a a_i q_i + c_b a_j q_j = 0."""
        found: Row = {"row": int(self.system.lam0[e])}
        for place, (i, factor, side) in enumerate((("i", "a", "a"), ("j", "b", "b"))):
            moving = [k for k in (0, 1) if element.nodes[2 * place + k] in self.of_node]
            if len(moving) != 1:
                raise NotATrain(f'a joint of "{element.name}" is not between one moving body and the ground')
            (k,) = moving
            g = element.nodes[2 * place + k]
            frame = element.values[side]["ab"[k]]
            along = float(self.axis[g][3:] @ frame["axes"].reshape(3, 3)[:, 2])
            if abs(abs(along) - 1.0) > 1e-9:
                raise NotATrain(f'a joint of "{element.name}" is not about the axis of its body')
            sign = math.copysign(1.0, along) * (1.0 if k == 1 else -1.0)
            found |= {i: self.of_node[g], factor: sign * element.values["data"][f"c_{side}"]}
        if found["i"] == found["j"]:
            raise NotATrain(f'both joints of "{element.name}" are those of one body')
        return found

    def _pair(self, e: int, element: Element, form: int = SPRING) -> Row:
        """Affine psi_A and psi_B; the force law is that of the element."""
        geometry, law = element.values["geometry"], element.values["law"]
        for wrong, why in (
            (law["form"] != form, "are solved for their force"),
            (law["friction"] != NO_FRICTION, "have friction"),
            (law["loss_lever_a"] or law["loss_lever_b"], "have losses"),
            (law["width"], "have contact over their width"),
            (law["n_plays"], "have a backlash that varies"),
            (varies_in_time(law), "have an error that depends on time"),
        ):
            if wrong:
                raise NotATrain(f'the teeth of "{element.name}" {why}')
        at = [self.of_node.get(g, -1) for g in element.nodes]
        q = np.zeros((6, 2))
        for side, i in enumerate(at):
            if i >= 0:  # one at a time, until the first coordinate of an element
                q[1 + side, side] = FAR[0, 0] if self.is_angle[i] else 0.1 * self.system.length * FAR[0, 0]
        q[3:] = self._places(element)
        seen = self.probe.reports(e, q, "psi_a", "psi_b")
        psi = seen[0]
        a = [0.0, 0.0]
        for side, i in enumerate(at):
            if i >= 0:
                a[side] = float((seen[1 + side, side] - psi[side]) / q[1 + side, side])
                if self.is_angle[i]:
                    if abs(abs(a[side]) - 1.0) > 1e-9:
                        raise NotATrain(f'the wheels of "{element.name}" do not rotate about their own axes')
                    a[side] = float(np.sign(a[side]))
        if (np.abs(seen[3:] - (psi + q[3:] * a)) > 1e-11).any():
            raise NotATrain(f'the wheels of "{element.name}" do not rotate about their own axes')
        m0 = int(self.system.mem0[e])
        counted = self.state.mem[m0 : m0 + 3]
        turns_a = np.rint(psi[0] / (2 * np.pi))
        turns_b = 0.0 if geometry["rack"] else np.rint(psi[1] / (2 * np.pi))
        return {
            "i": at[0], "j": at[1], "a": a[0], "b": a[1], "element": e, "turns_b": not geometry["rack"],
            "psi_a": psi[0] - 2 * np.pi * turns_a, "psi_b": psi[1] - 2 * np.pi * turns_b,
            "teeth": counted[2] + geometry["teeth_a"] * turns_a + geometry["teeth_b"] * turns_b, **self._tilts(element, psi[1]),
        }  # fmt: skip

    def _tilts(self, element: Element, psi_b: float) -> Row:
        """f of both flanks (`kernel_potential`). It is constant, because wheels that rotate about their own axes do not tilt."""
        geometry, law = element.values["geometry"], element.values["law"]
        axes_a, axes_b = (
            self.R[g] @ geometry[w]["axes"].reshape(3, 3) for g, w in zip(element.nodes, "ab", strict=True)
        )
        turned = 0.0 if geometry["rack"] else psi_b
        x2 = math.cos(turned) * axes_b[:, 1] - math.sin(turned) * axes_b[:, 2]
        x3 = math.sin(turned) * axes_b[:, 1] + math.cos(turned) * axes_b[:, 2]
        across, towards = law["tilt_across"] * (axes_a[:, 0] @ x3), law["tilt_towards"] * (axes_a[:, 0] @ x2)
        return {"tilt_drive": towards + across, "tilt_coast": towards - across}


def varies_in_time(law: np.void) -> bool:
    """Whether an error of a mesh is a function of time."""
    return bool(np.any(law["errors_over"].ravel()[: int(law["n_errors"])] == OVER_TIME))


def is_ratio(element: Element) -> bool:
    """Whether an element is a constraint between the angles of two joints."""
    if element.rows != "r" or "data" not in element.kind.parameters:
        return False
    return element.kind.parameters.place("data")[1].of is Ratio


def _tied(n: int, bonds: list[Row], driven: list[int]) -> tuple[np.ndarray, np.ndarray, list[Row]]:
    """(group, gain, ties): free coordinate that each one follows, with its factor, and the bonds from the outermost wheels inwards.

    Driven coordinates are the roots of their groups, which come first. Bonds that close a loop constrain the same motion twice.
    """
    neighbours: dict[int, list[tuple[int, float, float, int]]] = {i: [] for i in range(n)}
    for bond in bonds:
        i, j, a, b, row = (bond[key] for key in ("i", "j", "a", "b", "row"))
        neighbours[i].append((j, b, a, row))
        neighbours[j].append((i, a, b, row))
    group, gain = np.full(n, -1), np.ones(n)
    ties: list[Row] = []
    for root in [*driven, *range(n)]:
        if group[root] >= 0:
            continue
        group[root] = group.max() + 1
        queue = [root]
        for parent in queue:
            for child, of_child, of_parent, row in neighbours[parent]:
                if group[child] < 0:
                    group[child] = group[root]
                    gain[child] = -of_parent / of_child * gain[parent]
                    ties.append({"child": child, "parent": parent, "a": of_child, "b": of_parent, "row": row})
                    queue.append(child)
    if len(ties) < len(bonds):
        raise NotATrain("rigid teeth or ratios close a loop")
    return group, gain, ties[::-1]
