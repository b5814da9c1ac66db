"""Trains: systems in which every body turns about, or slides along, one fixed axis, and only elements act that are scalar there.

Gears on rigid bearings are of this kind: the mesh frame of two wheels on fixed axes is constant, psi_A and psi_B are the
angles of the wheels plus constants, and the approach u is an affine function of both (exact, for every kind of pair). Shafts
(twist of a bushing between coaxial wheels), torsion springs and loads on joints are scalar too. The equations are then

    M_i dv_i/dt + sum over springs a_i (k e + c de/dt) + sum over meshes a_i w - loads = 0,     e = a_i q_i + a_j q_j + e_0,

a few numbers a step. Rigid teeth and rolling wheels tie coordinates to each other, c_A a_i q_i + c_B a_j q_j = 0: of wheels tied
together one coordinate y is left, q_i = g_i y, and the tooth forces follow from the balance of each wheel, outermost first. So
a train of any length costs a few operations a wheel.

Whether an element is scalar is not read off its description but found by moving it: its forces at
several positions and velocities must be those of the scalar form to rounding. What fails keeps the system on the general way.
"""

from dataclasses import dataclass

import numpy as np

from ..elements.body import BODY
from ..elements.bushing import BUSHING
from ..elements.contract import (
    C_K,
    C_M,
    MAX_REPORT,
    N_ENERGIES,
    REPORT,
    RESIDUAL,
    TANGENT,
    Element,
)
from ..elements.gear_mesh import GEAR_MESH
from ..elements.load import TORQUE_LOAD
from ..elements.mesh_geometry import LEVER_A, LEVER_B, RACK
from ..elements.mesh_law_layout import (
    BACKLASH,
    ERROR,
    FORM,
    FRICTION,
    LEVER_AB,
    LEVER_BA,
    N_ERRORS,
    NO_FRICTION,
    RIGID,
    SPRING,
    WIDTH,
)
from ..elements.mesh_limits import TRAVEL_BEYOND
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.scalar_force import LAW_LINEAR, LAW_LOAD, SCALAR_FORCE
from ..elements.scalar_geometry import ANGLE, DISPLACEMENT
from ..elements.scalar_geometry import SIZE as MEASURE_SIZE
from .assembly import call_element
from .nodes import VELOCITY, move, spread
from .system import State, System
from .train_layout import (
    COLUMNS,
    DRIVE_I,
    DRIVE_PLACE,
    DRIVE_ROW,
    LOAD_I,
    LOAD_PLACE,
    MESH_I,
    MESH_J,
    MESH_PAR0,
    MESH_PAR1,
    SPRING_I,
    SPRING_J,
    TIE_CHILD,
    TIE_PARENT,
    TIE_ROW,
)

MOST_COORDINATES = 24
"""Matrices are dense and factorised at every step: beyond this size the general way is faster."""
EXACT = 1e-9
"""Largest difference from the scalar form, relative to the forces met."""


@dataclass
class Train:
    """Tables of a train. Coordinates are counted from the state in which it was found."""

    mass: np.ndarray  # (n)
    force: np.ndarray  # (n) constant generalised forces (weight of sliding bodies), as in the residual
    rotation: np.ndarray  # (n) 1 for an angle, 0 for a displacement
    group: np.ndarray  # (n) the free coordinate that each one follows
    gain: np.ndarray  # (n) and how far
    springs: np.ndarray
    loads: np.ndarray
    drives: np.ndarray
    meshes: np.ndarray
    ties: np.ndarray

    def arrays(self) -> tuple[np.ndarray, ...]:
        """As the step loop takes them: the tables, then the whole numbers in them."""
        tables = (self.springs, self.loads, self.drives, self.meshes, self.ties)
        places = (
            (SPRING_I, SPRING_J), (LOAD_I, LOAD_PLACE), (DRIVE_I, DRIVE_PLACE, DRIVE_ROW), (MESH_I, MESH_J, MESH_PAR0, MESH_PAR1),
            (TIE_CHILD, TIE_PARENT, TIE_ROW),
        )  # fmt: skip
        whole = (np.ascontiguousarray(t[:, list(at)], np.int64) for t, at in zip(tables, places, strict=True))
        return self.mass, self.force, self.rotation, self.gain, *tables, self.group.astype(np.int64), *whole


class _NotScalar(Exception):
    """An element has no scalar form here."""


def find_train(system: System, state: State) -> Train | None:
    """The tables of a system that is a train at a state; None if it is not."""
    if not system.n_q or np.any(system.ndof > 1) or system.redundant.size:
        return None
    kinds = (BODY, BUSHING, SCALAR_FORCE, SCALAR_CONSTRAINT, TORQUE_LOAD, GEAR_MESH)
    active = system.elements[: system.active]
    if not any(e.kind is GEAR_MESH for e in active) or any(e.kind not in kinds for e in active):
        return None
    try:
        return _Search(system, state).train()
    except _NotScalar:
        return None


class _Search:
    def __init__(self, system: System, state: State) -> None:
        self.system, self.state = system, state
        self.n = system.n_q
        self.K, self.pose, self.still = np.zeros((len(system.ndof), 24)), np.zeros((1, 7)), np.zeros(self.n)
        self.of_node = {g: int(system.dof0[g]) for g in range(len(system.ndof)) if system.ndof[g] == 1}
        T = [system.T[g, :, 0] for g in sorted(self.of_node)]
        self.rotation = np.array([float(np.any(t[3:])) for t in T])
        if any(np.any(t[3:]) and np.any(t[:3]) for t in T):
            raise _NotScalar  # a screw

    def train(self) -> Train:
        mass, force = np.zeros(self.n), np.zeros(self.n)
        springs: list[list[float]] = []
        loads: list[list[float]] = []
        drives: list[list[float]] = []
        meshes: list[list[float]] = []
        bonds: list[list[float]] = []
        for e, element in enumerate(self.system.elements[: self.system.active]):
            match element.kind.name:
                case "body":
                    self._body(e, element, mass, force)
                case "bushing":
                    springs += self._spring(e, element)
                case "scalar force":
                    law = int(element.parameters[MEASURE_SIZE])
                    if law == LAW_LOAD:
                        i, a, _ = self._coordinate(e, element)
                        loads.append([i, a, element.parameters[MEASURE_SIZE + 1]])
                    elif law == LAW_LINEAR and element.parameters[MEASURE_SIZE + 3] == 0.0:
                        springs += self._spring(e, element)
                    else:
                        raise _NotScalar
                case "scalar constraint":
                    if element.parameters[MEASURE_SIZE] < 0:
                        raise _NotScalar
                    i, a, s0 = self._coordinate(e, element)
                    row = int(self.system.lam0[e])
                    drives.append([i, a, element.parameters[MEASURE_SIZE], row, s0])
                case "torque":
                    loads += self._torque(element)
                case _ if int(element.parameters[FORM]) == RIGID:
                    bonds.append(self._bond(e, element))
                case _:
                    meshes.append(self._mesh(e, element))
        driven = [int(d[0]) for d in drives]
        group, gain, ties = _tied(self.n, bonds, driven)
        if np.any(mass <= 0.0) or len({group[i] for i in driven}) < len(driven) or group.max() >= MOST_COORDINATES:
            raise _NotScalar

        def table(rows: list[list[float]], columns: int) -> np.ndarray:
            return np.array(rows, float).reshape(len(rows), columns)

        rows = {"springs": springs, "loads": loads, "drives": drives, "meshes": meshes, "ties": ties}
        return Train(mass, force, self.rotation, group, gain, **{k: table(v, COLUMNS[k]) for k, v in rows.items()})

    # ---- moving elements

    def _call(self, e: int, mode: int, q: np.ndarray, v: np.ndarray | None = None, **factors: float) -> None:
        """Evaluate an element with coordinates q from the state and velocities v; the result is in system.local."""
        s, z, K = self.system, self.state, self.K
        for g in s.elements[e].nodes:  # those alone that matter: a train may have a thousand wheels
            one = slice(g, g + 1)
            nodes, T = s.layout.nodes[one], s.layout.T[one]
            move(nodes, T, z.pose[one], q, self.pose, K[one])
            spread(nodes, T, self.still if v is None else v, VELOCITY, K[one])
        c = s.coefficients(z.t)
        c[C_M], c[C_K] = factors.get("mass", 0.0), factors.get("stiffness", 0.0)
        call_element(e, mode, MAX_REPORT if mode == REPORT else 13, c, z.lam, z.mem, K, *s.element_arguments)

    def _generalised(self, e: int, q: np.ndarray, v: np.ndarray | None = None) -> np.ndarray:
        self._call(e, RESIDUAL, q, v)
        f, r = np.zeros(self.n), self.system.local.r
        for k, g in enumerate(self.system.elements[e].nodes):
            if g in self.of_node:
                f[self.of_node[g]] += self.system.T[g, :, 0] @ r[6 * k : 6 * k + 6]
        return f

    def _reported(self, e: int, q: np.ndarray, place: int) -> float:
        self._call(e, REPORT, q)
        return float(self.system.local.r[N_ENERGIES + place])

    def _positions(self, *coordinates: int) -> list[np.ndarray]:
        """Coordinates far enough from zero to show what is not linear."""
        out = []
        for values in ((0.37, -0.82), (-1.1, 0.64), (0.9, 1.3)):
            q = np.zeros(self.n)
            for i, x in zip(coordinates, values, strict=False):
                q[i] = x if self.rotation[i] else 0.1 * self.system.length * x
            out.append(q)
        return out

    def _coordinates(self, element: Element) -> list[int]:
        return [self.of_node[g] for g in element.nodes if g in self.of_node]

    # ---- elements

    def _body(self, e: int, element: Element, mass: np.ndarray, force: np.ndarray) -> None:
        for i in self._coordinates(element):
            zero = np.zeros(self.n)
            self._call(e, TANGENT, zero, mass=1.0)
            t = self.system.T[element.nodes[0], :, 0]
            mass[i] = t @ self.system.local.J[:6, :6] @ t
            force[i] = self._generalised(e, zero)[i]
            scale = EXACT * (abs(force[i]) + mass[i])
            for q in self._positions(i):
                if abs(self._generalised(e, q, 10.0 * q)[i] - force[i]) > scale:
                    raise _NotScalar  # its weight turns it, or it is not about its own axis

    def _spring(self, e: int, element: Element) -> list[list[float]]:
        """A spring of one extension e = a_i q_i + a_j q_j + e0."""
        at = self._coordinates(element)
        if not at:
            return []
        zero = np.zeros(self.n)
        p, o = element.parameters, MEASURE_SIZE
        k, c = (p[o + 35], p[o + 71]) if element.kind is BUSHING else (p[o + 4], p[o + 2])
        if k == 0.0 and c == 0.0:
            return []
        still = self._generalised(e, zero)
        a = np.ones(len(at))
        if len(at) == 2:
            # the sign of the second coordinate: from what the first one feels of it
            step = np.zeros(self.n)
            step[at[1]] = 0.3
            a[1] = np.sign((self._generalised(e, step, step) - still)[at[0]])
        e0 = float(still[at[0]]) / k if k else 0.0
        for q in self._positions(*at):
            v = 3.0 * q[::-1]
            f = a * (k * (a @ q[at] + e0) + c * (a @ v[at]))
            size = abs(k) * (np.abs(q).max() + abs(e0)) + abs(c) * np.abs(v).max()
            if np.any(np.abs(self._generalised(e, q, v)[at] - f) > EXACT * size):
                raise _NotScalar
        second = (at[1], a[1]) if len(at) == 2 else (-1, 0.0)
        return [[at[0], second[0], 1.0, second[1], k, c, e0]]

    def _coordinate(self, e: int, element: Element) -> tuple[int, float, float]:
        """(i, a, s0): the measure of an element is s = a q_i + s0."""
        at = self._coordinates(element)
        if len(at) != 1 or int(element.parameters[0]) not in (ANGLE, DISPLACEMENT):
            raise _NotScalar
        s0 = self._reported(e, np.zeros(self.n), 0)
        step = self._positions(*at)[0]
        a = (self._reported(e, step, 0) - s0) / step[at[0]]
        if abs(abs(a) - 1.0) > 1e-9:
            raise _NotScalar
        return at[0], float(np.sign(a)), s0

    def _torque(self, element: Element) -> list[list[float]]:
        p, rows = element.parameters, []
        for sign, g in zip((1.0, -1.0), element.nodes, strict=True):
            if g in self.of_node:
                axis = self.system.T[g, 3:, 0]
                if (p[1] != 0.0) != (g == element.nodes[1]) or not p[1]:
                    if p[1]:
                        raise _NotScalar  # follows another body
                    axis = self.system.kinematics(self.state)[g, 3:12].reshape(3, 3) @ axis
                rows += [[self.of_node[g], -sign * axis[k], p[5 + k]] for k in range(3) if axis[k] != 0.0]
        return rows

    def _bond(self, e: int, element: Element) -> list[float]:
        """Rigid teeth without play or error: c_A a_i q_i + c_B a_j q_j = 0."""
        p = element.parameters
        if p[BACKLASH] or p[ERROR] or p[N_ERRORS]:
            raise _NotScalar
        if p[RACK] and p[TRAVEL_BEYOND]:
            raise _NotScalar  # past the end of its rack the pinion has no position, which a tie could not tell
        i, j, a, b = self._mesh(e, element, (RIGID,))[:4]
        if i < 0 or j < 0:
            raise _NotScalar  # held by the ground
        return [i, j, p[LEVER_A] * a, p[LEVER_B] * b, int(self.system.lam0[e])]

    def _mesh(self, e: int, element: Element, forms: tuple[int, ...] = (SPRING,)) -> list[float]:
        """Affine psi_A and psi_B; the law is the element's own."""
        p = element.parameters
        if int(p[FORM]) not in forms or int(p[FRICTION]) != NO_FRICTION or p[LEVER_AB] or p[LEVER_BA] or p[WIDTH]:
            raise _NotScalar
        names = [s.name for s in element.kind.signals]
        sizes = np.cumsum([0, *(s.size for s in element.kind.signals)])
        where = [int(sizes[names.index(x)]) for x in ("psi_a", "psi_b", "approach")]

        def seen(q: np.ndarray) -> np.ndarray:
            self._call(e, REPORT, q)
            return np.array([self.system.local.r[N_ENERGIES + w] for w in where])

        zero = np.zeros(self.n)
        psi = seen(zero)
        at = [self.of_node.get(g, -1) for g in element.nodes]
        a = [0.0, 0.0]
        for side, i in enumerate(at):
            if i >= 0:
                q = self._positions(i)[0]
                a[side] = (seen(q)[side] - psi[side]) / q[i]
                if self.rotation[i]:
                    if abs(abs(a[side]) - 1.0) > 1e-9:
                        raise _NotScalar
                    a[side] = float(np.sign(a[side]))
        for q in self._positions(*(i for i in at if i >= 0)):
            expected = [psi[side] + (a[side] * q[i] if i >= 0 else 0.0) for side, i in enumerate(at)]
            if np.any(np.abs(seen(q)[:2] - expected) > 1e-11):
                raise _NotScalar
        m0 = int(self.system.mem0[e])
        memory = self.state.mem[m0 : m0 + 3]
        rack = float(p[6] == 0.0)
        turns_a = np.round(psi[0] / (2 * np.pi))
        turns_b = 0.0 if rack else np.round(psi[1] / (2 * np.pi))
        teeth = memory[2] + p[5] * turns_a + p[6] * turns_b
        par0 = int(sum(x.parameters.size for x in self.system.elements[:e]))
        return [
            at[0], at[1], a[0], a[1], par0, par0 + p.size,
            psi[0] - 2 * np.pi * turns_a, psi[1] - 2 * np.pi * turns_b, teeth, 1 - rack,
        ]  # fmt: skip


def _tied(n: int, bonds: list[list[float]], driven: list[int]) -> tuple[np.ndarray, np.ndarray, list[list[float]]]:
    """(group, gain, ties): which free coordinate each one follows and how far, and the bonds from the outermost wheels inwards.

    Driven coordinates are the roots of their groups. Bonds that close a loop hold the same motion twice: not here.
    """
    neighbours: dict[int, list[tuple[int, float, float, float]]] = {i: [] for i in range(n)}
    for i, j, a, b, row in bonds:
        neighbours[int(i)].append((int(j), b, a, row))
        neighbours[int(j)].append((int(i), a, b, row))
    group, gain = np.full(n, -1), np.ones(n)
    ties: list[list[float]] = []
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
                    ties.append([child, parent, of_child, of_parent, row])
                    queue.append(child)
    if len(ties) < len(bonds):
        raise _NotScalar
    return group, gain, ties[::-1]
