"""A model, read as the scalar equations of a lane: inertias, springs, loads, drives."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from pitchline.engine.compile.assembly import RIGID
from pitchline.engine.compile.train_search import NotATrain
from pitchline.engine.elements.contract import Element
from pitchline.errors import ModelError, near_names, shown
from pitchline.functions.sampled import Sampled
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.meshes.kernel_law import OVER_A, OVER_B, OVER_CYCLE
from pitchline.parts.springs.kernel import BUSHING, FORCE_LOAD, TORQUE_LOAD
from pitchline.parts.springs.kernel_load import LAW_LINEAR, SCALAR_FORCE
from pitchline.units.quantity import quantity

from .function_terms import AngleSum, AngleTable
from .lane_train import FourierSum, LaneMesh, LanePhase, LaneSpring, LaneTable, LaneTrain, LoadedTables, Rotor, Term
from .mesh_reading import EXACT, MeshRead, RollingTree, TimeLine, last_change, line_of, read_meshes, snapped

__all__ = [
    "diagonal_coordinates",
    "InertiaRead",
    "LoadRead",
    "SpringRead",
    "last_load_change",
    "read_inertia",
    "read_loads",
    "read_springs",
    "DriveRead",
    "last_drive_change",
    "read_drives",
    "rolling_speeds",
    "whole_ratio",
    "RotorSource",
    "TrainRead",
    "read_train",
]


# ---- diagonal

# Coordinates in which a constant mass matrix is diagonal.
#
# From the last bodies of the tree to the first, each coordinate absorbs those it is coupled with: x_i = q_i + (m_ij /
# m_ii) q_j + ... For a planet on a carrier with a parallel axis this is its absolute angle, and the inertia of the
# carrier includes the masses of the planets. Driven coordinates come last and stay as they are.

NO_INERTIA = 1e-12
"""Inertia of a coordinate, relative to the sum it was part of, that is rounding."""


def diagonal_coordinates(tree: RollingTree, mass: np.ndarray, driven: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(L (n, n), inertia (n,)) with x = L q and mass = L^T diag(inertia) L."""
    n = len(mass)
    rest, L, inertia = mass.copy(), np.eye(n), np.zeros(n)
    order = sorted((i for i in range(n) if i not in driven), key=lambda i: -_depth(tree, i)) + driven
    for place, i in enumerate(order):
        later = order[place + 1 :]
        inertia[i] = rest[i, i]
        if i in driven:
            continue
        if rest[i, i] <= NO_INERTIA * mass[i, i] or not mass[i, i] > 0.0:
            raise NotATrain(f'the body of joint "{tree.coordinates[i].name}" has no inertia about its axis')
        share = snapped(rest[i, later] / rest[i, i])
        L[i, later] = share
        rest[np.ix_(later, later)] -= rest[i, i] * np.outer(share, share)
    return L, inertia


def _depth(tree: RollingTree, i: int) -> int:
    """Number of moving joints between the ground and the first body that coordinate i moves."""
    depth = {0: 0}
    found = len(tree.edges)
    for edge, gamma in zip(tree.edges, tree.gamma, strict=True):
        depth[int(edge["node"])] = depth[int(edge["parent"])] + (edge["kind"] != RIGID)
        if abs(gamma[i]) > 1e-9:
            found = min(found, depth[int(edge["node"])])
    return found


# ---- part reading

# Bodies, springs and loads of a rolling tree, as constants of its coordinates.


@dataclass(frozen=True, eq=False)
class InertiaRead:
    """Constant mass matrix (n, n) of the coordinates, and constant forces (n,) of gravity."""

    mass: np.ndarray
    force: np.ndarray


@dataclass(frozen=True, eq=False)
class SpringRead:
    """Extension a . (q - q0) + offset; force stiffness * extension + damping * rate."""

    name: str
    a: np.ndarray
    stiffness: float
    damping: float
    offset: float


@dataclass(frozen=True, eq=False)
class LoadRead:
    """Force (n,) on the coordinates at a time, its rate, and the time until which it is exact."""

    force: np.ndarray
    rate: np.ndarray
    until: float


def read_inertia(tree: RollingTree) -> InertiaRead:
    """Mass matrix and weight. Both must be constant."""
    n, samples = tree.count, len(tree.positions)
    M, forces = np.zeros((samples, n, n)), np.zeros((samples, n))
    size = np.zeros(n)
    for e, _ in _of_kinds(tree, BODY):
        for k in range(samples):
            M[k] += tree.mass(e, k)
            # with rates: a constant mass matrix has no velocity terms, which this tests as well
            rates = 3.0 * tree.positions[k][::-1] if k else None
            one = tree.residual(e, k, rates)
            forces[k] += one
            size = np.maximum(size, np.abs(one))
    scale = np.sqrt(np.outer(np.diag(M[0]), np.diag(M[0])))
    if np.any(np.abs(M - M[0]) > EXACT * np.maximum(scale, 1e-300)):
        raise NotATrain("the inertia of its bodies changes while they rotate: a centre of mass is not on its axis")
    wrong = np.abs(forces - forces[0]) > EXACT * (size + np.abs(M[0]).sum(axis=1))
    if np.any(wrong):
        c = tree.coordinates[int(np.argmax(wrong.any(axis=0)))]
        raise NotATrain(
            f'the weight of bodies, or their inertia, causes a torque on joint "{c.name}" that changes with its angle'
        )
    return InertiaRead(M[0], -forces[0])


def read_springs(tree: RollingTree) -> list[SpringRead]:
    """Linear springs and dampers between coordinates."""
    found = []
    for e, element in _of_kinds(tree, BUSHING, SCALAR_FORCE):
        if element.kind is BUSHING or element.values["law"] == LAW_LINEAR:
            spring = _spring(tree, e, element)
            if spring is not None:
                found.append(spring)
    return found


def _spring(tree: RollingTree, e: int, element: Element) -> SpringRead | None:
    n = tree.count
    at_rest = np.array([tree.residual(e, k) for k in range(len(tree.positions))])
    K, rest = tree.linear(at_rest)
    C = np.array([tree.residual(e, 0, unit) for unit in np.eye(n)]) - at_rest[0]
    rounding = _rounding(tree, element, "stiffness")
    stiff = float(np.abs(K).max(initial=0.0)) > rounding
    damped = float(np.abs(C).max(initial=0.0)) > _rounding(tree, element, "damping")
    size = float(np.abs(at_rest).max(initial=0.0))
    if np.any(rest > EXACT * size + rounding) or not _same_damping(tree, e, at_rest, C):
        raise NotATrain(f'the force of "{element.name}" is not a linear function of the rotations of its bodies')
    if not stiff and not damped:
        return None
    (k, a), (c, b) = (_rank_one(part) if acts else (0.0, None) for part, acts in ((K, stiff), (C, damped)))
    along = a if stiff else b
    several = along is None or (stiff and damped and (b is None or np.any(np.abs(along - b) > EXACT)))
    offset = 0.0
    if along is not None and stiff:
        first = int(np.argmax(np.abs(along)))
        offset = float(at_rest[0, first] / (k * along[first]))
        several |= bool(np.any(np.abs(at_rest[0] - k * offset * along) > EXACT * size + rounding))
    if several or along is None:
        raise NotATrain(f'"{element.name}" acts on its bodies in several directions at once')
    return SpringRead(element.name, along, k, c, offset)


def _rounding(tree: RollingTree, element: Element, what: str) -> float:
    """Torque by rounding of the positions: stiffness in directions in which the bodies do not move."""
    K = np.atleast_2d(np.abs(element.values[what]))
    length = np.ones(len(K))
    length[:3] = tree.system.length
    return 1e-13 * float(np.max(K * np.outer(length, length)))


def _same_damping(tree: RollingTree, e: int, at_rest: np.ndarray, C: np.ndarray) -> bool:
    for k in range(tree.count + 1, len(tree.positions)):
        rates = 3.0 * tree.positions[k][::-1]
        found = tree.residual(e, k, rates) - at_rest[k]
        if np.any(
            np.abs(found - rates @ C)
            > EXACT * (np.abs(rates) @ np.abs(C) + np.abs(at_rest[k]))
            + _rounding(tree, tree.system.elements[e], "damping")
        ):
            return False
    return True


def _rank_one(K: np.ndarray) -> tuple[float, np.ndarray | None]:
    """(k, a) with K = k a a^T, the largest entry of a being 1; a is None if K is not of this form."""
    j = int(np.argmax(np.abs(np.diag(K))))
    k = float(K[j, j])
    if k == 0.0:
        return 0.0, None
    a = K[j] / k
    largest = float(a[np.argmax(np.abs(a))])
    a, k = snapped(a / largest), k * largest**2
    return (k, a) if np.all(np.abs(K - k * np.outer(a, a)) <= EXACT * abs(k)) else (k, None)


def read_loads(tree: RollingTree, t: float) -> LoadRead:
    """Loads from time t on: they must be constant or straight ramps, and must not depend on the rotations."""
    force, rate, until = np.zeros(tree.count), np.zeros(tree.count), math.inf
    for e, element in _loads(tree):
        lines = [line_of(tree.system.functions, place, t, f'load "{element.name}"') for place in _functions(element)]
        until = min([until, *(line.until for line in lines)])
        rises = any(line.slope for line in lines)
        # the next time at which the lines are exact
        later = t + (min(1.0, 0.5 * (until - t)) if math.isfinite(until) else 1.0)
        for_times = [t, later] if rises else [t]
        values = np.array([[-tree.residual(e, k, t=at) for k in range(len(tree.positions))] for at in for_times])
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        if np.any(np.abs(values - values[:, :1]) > EXACT * size):
            raise NotATrain(f'the torque of load "{element.name}" on the axes of its bodies changes while they rotate')
        force += values[0, 0]
        if rises:
            rate += (values[1, 0] - values[0, 0]) / (later - t)
    return LoadRead(force, rate, until)


def last_load_change(tree: RollingTree) -> float:
    """Time from which on all loads are straight lines."""
    times = [last_change(tree.system.functions, place) for _, element in _loads(tree) for place in _functions(element)]
    return max(times, default=0.0)


def _loads(tree: RollingTree) -> Iterator[tuple[int, Element]]:
    for e, element in _of_kinds(tree, SCALAR_FORCE, TORQUE_LOAD, FORCE_LOAD):
        if element.kind is not SCALAR_FORCE or element.values["law"] != LAW_LINEAR:
            load = tree.model.loads[element.name]
            functions = getattr(load, "components", None) or (getattr(load, "function", None),)
            if any(isinstance(f, Sampled) for f in functions):
                raise NotATrain(
                    f'load "{element.name}" is a Python function of time. A number, a Ramp or a Table is possible'
                )
            yield e, element


def _functions(element: Element) -> list[int]:
    names = ("function",) if element.kind is SCALAR_FORCE else ("x", "y", "z")
    return [int(element.values[name]) for name in names]


def _of_kinds(tree: RollingTree, *kinds: object) -> Iterator[tuple[int, Element]]:
    for e, element in enumerate(tree.system.elements[: tree.system.active]):
        if element.kind in kinds:
            yield e, element


# ---- steady rolling

# Steady rolling: speeds of the rotors at which all meshes and springs stay as they are.

CLOSED = 1e-9
"""Largest rate of an approach, relative to the rates of its wheels."""
LARGEST_RATIO = 100_000
"""Largest denominator of a ratio of speeds that is made exact."""


@dataclass(frozen=True)
class DriveRead:
    """Drive of a coordinate: its speed over time. ahead: by how much its prescribed position is ahead of the initial pose."""

    name: str
    coordinate: int
    speed: TimeLine
    ahead: float = 0.0


def _speed_function(model: Model, name: str) -> np.ndarray:
    drive = model.drives[name]
    function = drive.function if drive.given == "speed" else drive.function.derivative()  # type: ignore[union-attr]
    return function.encode()  # type: ignore[union-attr]


def last_drive_change(model: Model) -> float:
    """Time from which on the speeds of all drives are straight lines."""
    return max((last_change(_speed_function(model, name), 0) for name in model.drives), default=0.0)


def read_drives(tree: RollingTree, t: float) -> list[DriveRead]:
    """Drives from time t on."""
    found: list[DriveRead] = []
    names = [c.name for c in tree.coordinates]
    for name, drive in tree.model.drives.items():
        own = [
            c
            for c in tree.coordinates
            if c.joint is not None and (c.joint.name, c.coordinate) == (drive.joint_name, drive.coordinate)
        ]
        if not own:
            raise NotATrain(
                f'drive "{name}" acts on joint "{drive.joint_name}", which follows from other drives by teeth or ratios'
            )
        at = names.index(own[0].name)
        if any(other.coordinate == at for other in found):
            raise NotATrain(f'drive "{name}" acts on joint "{drive.joint_name}", which has another drive')
        ahead = 0.0
        if drive.given == "position":
            ahead = float(drive.function(0.0)) - float(tree.q0[at])  # type: ignore[operator]
            if own[0].unit == "rad":
                ahead -= 2.0 * math.pi * round(ahead / (2.0 * math.pi))
        found.append(DriveRead(name, at, line_of(_speed_function(tree.model, name), 0, t, f'drive "{name}"'), ahead))
    return found


def rolling_speeds(
    rows: np.ndarray, names: list[str], held: dict[int, float], start: np.ndarray, inertia: np.ndarray
) -> np.ndarray:
    """(n,) speeds of the rotors for which rows @ speeds = 0.

    rows: derivatives of approaches and extensions by the rotors; names: of their parts. held: speeds of driven rotors. What they
    leave open is as at the start: the motion of the initial speeds that satisfies the rows, by inertia.
    """
    n = len(start)
    free = [i for i in range(n) if i not in held]
    speeds = np.zeros(n)
    for i, v in held.items():
        speeds[i] = v
    sizes = np.abs(rows).max(axis=1, keepdims=True)
    scaled = rows / np.where(sizes > 0.0, sizes, 1.0)
    if free:
        A, right = scaled[:, free], -scaled @ speeds
        # singular values tell which motions the rows leave open
        U, s, Vt = np.linalg.svd(A, full_matrices=True)
        rank = int(np.sum(s > 1e-9 * max(float(s.max(initial=0.0)), 1e-300)))
        speeds[free] = Vt[:rank].T @ ((U[:, :rank].T @ right) / s[:rank])
        open_motions = Vt[rank:].T
        if open_motions.size:
            J = inertia[free]
            missing = start[free] - speeds[free]
            weighted = open_motions.T * J
            speeds[free] += open_motions @ np.linalg.solve(weighted @ open_motions, weighted @ missing)
    rates = np.abs(scaled @ speeds)
    wrong = rates > CLOSED * np.maximum(np.abs(scaled) @ np.abs(speeds), 1e-300)
    if np.any(wrong) and np.any(speeds):
        name = names[int(np.argmax(rates))]
        raise NotATrain(
            f'it has no steady rolling: at the speeds of its drives the teeth or the spring "{name}" would move on. Check the '
            "speeds of the drives, or remove a drive"
        )
    return speeds


def whole_ratio(value: float) -> float:
    """A ratio of speeds, exact if it is one of whole numbers."""
    near = Fraction(value).limit_denominator(LARGEST_RATIO)
    return float(near) if abs(float(near) - value) <= 1e-12 * max(1.0, abs(value)) else value


SMALL_LENGTH, SMALL_ANGLE = 1e-15, 1e-13
"""Lengths [m] and angles [rad] that are rounding."""
NO_LEVER = 1e-12
"""Lever, relative to the largest of its row, that is rounding."""


@dataclass(frozen=True, eq=False)
class RotorSource:
    """Coordinate of a rotor: its joint with the unit rad or m, and the body that it moves first."""

    joint: str
    body: str
    unit: str


@dataclass(frozen=True, eq=False)
class TrainRead:
    """A model as a lane.

    Attributes
    ----------
    train : LaneTrain
        Topology and numbers.
    rounding : dict
        Name of a number -> difference that is rounding.
    sources : tuple of RotorSource
        One for each rotor.
    angles : dict
        Joint -> (derivatives of its coordinate by the rotors, unit). All joints with one coordinate.
    time : float
        Time of the model at the start of the lane [s].
    until : float
        Time of the lane after which a ramp of the model ends [s]; infinite without ramps.
    travel : dict
        Mesh with a rack -> (position at the start, speed divided by omega, lowest, highest) [m].
    """

    train: LaneTrain
    rounding: dict[str, float]
    sources: tuple[RotorSource, ...]
    angles: dict[str, tuple[np.ndarray, str]]
    time: float
    until: float
    travel: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)


def read_train(model: Model, *, time: Any = None, cycle: str | None = None) -> TrainRead:
    """Read a model. time: from which its drives and loads are used [s], default: after the last ramp; cycle: gear pair whose mesh
    cycle is the base cycle, default the first one."""
    if not isinstance(model, Model):
        raise ModelError(f"expected a Model, got {shown(model)}")
    at = None if time is None else quantity(time, "time", what="time")
    try:
        return _LaneReading(model, at, cycle).read()
    except NotATrain as reason:
        raise ModelError(
            f'model "{model.name}" cannot be computed as a batch: {reason}. Use pl.sweep, which runs pl.dynamics at each point'
        ) from None


class _LaneReading:
    def __init__(self, model: Model, time: float | None, cycle: str | None) -> None:
        self.model = model
        self.tree = RollingTree(model)
        if time is None:
            time = max(last_drive_change(model), last_load_change(self.tree))
        self.time = time
        self.values: dict[str, float] = {}
        self.rounding: dict[str, float] = {}
        self.turning: dict[bytes, dict[int, str]] = {}
        self.meshes = read_meshes(self.tree)
        self.springs = read_springs(self.tree)
        self.drives = read_drives(self.tree, time)
        self.base = self._base(cycle)

    def _base(self, cycle: str | None) -> int:
        names = [mesh.name for mesh in self.meshes]
        if cycle is None:
            return 0
        if cycle not in names:
            raise ModelError(
                f'cycle: there is no gear pair "{cycle}" with elastic teeth; {near_names(str(cycle), names)}'
            )
        return names.index(cycle)

    def read(self) -> TrainRead:
        tree = self.tree
        body = read_inertia(tree)
        loads = read_loads(tree, self.time)
        driven = [d.coordinate for d in self.drives]
        L, inertia = diagonal_coordinates(tree, body.mass, driven)
        self.from_rotors = np.linalg.inv(L)
        # by the rotors, each row of derivatives by the coordinates is multiplied from the right
        self.ahead = np.zeros(tree.count)
        for drive in self.drives:
            self.ahead[drive.coordinate] = drive.ahead
        rows = [self._by_rotors(m.levers) for m in self.meshes] + [
            self._by_rotors(s.a) for s in self.springs if s.stiffness
        ]
        names = [m.name for m in self.meshes] + [s.name for s in self.springs if s.stiffness]
        held = {d.coordinate: d.speed.value for d in self.drives}
        speeds = rolling_speeds(np.array(rows), names, held, L @ tree.speeds, inertia)
        omega = self._omega(speeds)
        n = np.array([whole_ratio(v) for v in speeds / omega])
        self.n = n
        acceleration = self._acceleration(n)
        torque = self.from_rotors.T @ (body.force + loads.force)
        self.small_torque = 1e-13 * float(np.abs(torque).max(initial=0.0))
        torque = np.where(np.abs(torque) > self.small_torque, torque, 0.0)
        rate = self.from_rotors.T @ loads.rate
        torque, rate = self._rubbed(torque, rate, omega, acceleration)
        until = min([loads.until, *(d.speed.until for d in self.drives)]) - self.time
        self.sources = self._sources()
        self.values["omega"] = omega
        if acceleration:
            self.values["acceleration"] = acceleration
        rotors = tuple(
            self._rotor(i, float(n[i]), inertia[i], torque[i], rate[i], held=i in held) for i in range(tree.count)
        )
        train = LaneTrain(
            self.model.name, rotors, tuple(self._mesh(k, m) for k, m in enumerate(self.meshes)),
            tuple(self._spring(k, s) for k, s in enumerate(self.springs)),
            acceleration="acceleration" if acceleration else "", values=self.values,
        )  # fmt: skip
        return TrainRead(train, self.rounding, self.sources, self._angles(), self.time, until, self._travel())

    # ---- speeds

    def _omega(self, speeds: np.ndarray) -> float:
        mesh = self.meshes[self.base]
        rates, _ = mesh.turning(OVER_CYCLE)
        omega = abs(float(self._by_rotors(rates) @ speeds))
        size = float(np.abs(self._by_rotors(rates)) @ np.abs(speeds))
        if omega <= 1e-9 * size or omega == 0.0:
            drives = ", ".join(f'the speed of drive "{d.name}" is {d.speed.value:g}' for d in self.drives)
            raise ModelError(
                f'model "{self.model.name}" cannot be computed as a batch: the wheels of gear pair "{mesh.name}" do not rotate '
                f"relative to each other at t = {self.time:g} s"
                + (f" ({drives})" if drives else " (there is no drive, and the initial speeds are zero)")
                + ". Specify a speed that is not zero, or another time="
            )
        return omega

    def _acceleration(self, n: np.ndarray) -> float:
        found = [(d.speed.slope / n[d.coordinate], d) for d in self.drives if n[d.coordinate] != 0.0]
        still = [d for d in self.drives if n[d.coordinate] == 0.0 and d.speed.slope != 0.0]
        if still or any(abs(a - found[0][0]) > 1e-9 * abs(found[0][0]) for a, _ in found):
            raise NotATrain("its drives accelerate at different rates, so that the ratios of its speeds change")
        return float(found[0][0]) if found else 0.0

    def _rubbed(
        self, torque: np.ndarray, rate: np.ndarray, omega: float, acceleration: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Loads with those of dampers between bodies that rotate relative to each other in steady rolling."""
        for spring in self.springs:
            if not spring.stiffness:
                a = self._by_rotors(spring.a)
                slip = float(a @ self.n)
                if abs(slip) > 1e-12 * float(np.abs(a) @ np.abs(self.n)):
                    torque = torque - a * spring.damping * slip * omega
                    rate = rate - a * spring.damping * slip * acceleration
        return torque, rate

    # ---- parts of the lane

    def _by_rotors(self, row: np.ndarray) -> np.ndarray:
        found = row @ self.from_rotors
        return np.where(np.abs(found) > NO_LEVER * np.abs(found).max(initial=0.0), found, 0.0)

    def _put(self, name: str, value: float, rounding: float = 0.0) -> str:
        self.values[name] = float(value) + 0.0
        self.rounding[name] = rounding
        return name

    def _levers(self, prefix: str, row: np.ndarray) -> dict[int, str]:
        by = self._by_rotors(row)
        return {int(i): self._put(f"{prefix}{i}", by[i]) for i in np.flatnonzero(by)}

    def _teeth(self, row: np.ndarray) -> dict[int, str]:
        """Names of the teeth of a phase. Phases that turn together have the same names, so that kernels evaluate them once."""
        by = self._by_rotors(row)
        key = by.tobytes()
        if key not in self.turning:
            self.turning[key] = self._levers(f"z{len(self.turning)}_", row)
        return self.turning[key]

    def _rotor(self, i: int, speed: float, inertia: float, torque: float, rate: float, *, held: bool) -> Rotor:
        return Rotor(
            self.sources[i].body, speed, self._put(f"J{i}", inertia), self._put(f"T{i}", torque, self.small_torque),
            self._put(f"R{i}", rate, self.small_torque) if rate else "", held,
        )  # fmt: skip

    def _spring(self, k: int, spring: SpringRead) -> LaneSpring:
        p = f"s{k}_"
        offset = spring.offset + float(spring.a @ self.ahead)
        return LaneSpring(
            spring.name, self._levers(f"{p}a", spring.a), self._put(f"{p}k", spring.stiffness),
            self._put(f"{p}c", spring.damping), self._put(f"{p}e", offset, SMALL_ANGLE),
        )  # fmt: skip

    def _mesh(self, k: int, mesh: MeshRead) -> LaneMesh:
        p, law = f"m{k}_", mesh.law
        over = _variables(law.stiffness, law.errors, loaded=law.loaded is not None)
        u = mesh.approach + float(mesh.levers @ self.ahead)
        if np.any(self.ahead):
            u -= mesh.pitch * round(u / mesh.pitch)  # the teeth closest to each other mesh
        loaded = law.loaded
        if loaded is not None:
            loaded = LoadedTables(
                over.index(OVER_CYCLE), loaded.loads, loaded.approaches, loaded.compliances, loaded.areas
            )
        return LaneMesh(
            mesh.name, self._levers(f"{p}l", mesh.levers), self._put(f"{p}u", u - law.offset, SMALL_LENGTH),
            tuple(self._phase(f"{p}p{i}_", mesh, variable) for i, variable in enumerate(over)),
            self._put(f"{p}b", law.backlash, SMALL_LENGTH), self._put(f"{p}c", law.damping), law.damping_mode,
            law.damping_rate,
            self._put(f"{p}C", law.compliance) if law.compliance else "",
            tuple(self._term(f"{p}k{i}_", over.index(v), t) for i, (v, t) in enumerate(law.stiffness)),
            self._put(f"{p}x", law.error, SMALL_LENGTH),
            tuple(self._term(f"{p}x{i}_", over.index(v), t) for i, (v, t) in enumerate(law.errors)),
            loaded, self._put(f"{p}d", law.smoothing) if law.smoothing else "", law.consistent, mesh.cos_alpha, mesh.length,
        )  # fmt: skip

    def _phase(self, prefix: str, mesh: MeshRead, over: int) -> LanePhase:
        rates, angle = mesh.turning(over)
        by = self._by_rotors(rates)
        order = whole_ratio(float(by @ self.n))
        start = angle + float(rates @ self.ahead)
        return LanePhase(order, self._put(f"{prefix}f", start, SMALL_ANGLE), self._teeth(rates))

    def _term(self, prefix: str, phase: int, term: AngleSum | AngleTable) -> Term:
        if isinstance(term, AngleTable):
            scale, mean = self._put(f"{prefix}f", term.scale), self._put(f"{prefix}m", term.mean, SMALL_LENGTH)
            return LaneTable(phase, term.coefficients, scale, mean)
        return FourierSum(
            phase, self._put(f"{prefix}m", term.mean), *(
                tuple(self._put(f"{prefix}{w}{h}", a) for h, a in enumerate(values, 1))
                for w, values in (("c", term.cos), ("s", term.sin))
            ),
        )  # fmt: skip

    # ---- names

    def _sources(self) -> tuple[RotorSource, ...]:
        found = []
        for i, c in enumerate(self.tree.coordinates):
            assert c.joint is not None
            moved = np.flatnonzero(np.abs(self.tree.gamma[:, i]) > 1e-9)
            ends = {c.joint.body_a, c.joint.body_b}
            bodies = [self.tree.name_of(int(node)) for node in self.tree.edges["node"][moved]]
            own = [body for body in bodies if body in ends]
            found.append(RotorSource(c.joint.name, (own or bodies)[0], c.unit))
        return tuple(found)

    def _angles(self) -> dict[str, tuple[np.ndarray, str]]:
        """Coordinates of all joints by the rotors."""
        found = {}
        tree = self.tree
        for name, by in tree.rates.items():
            joint = tree.model.joints[name]
            if len(joint.coordinates) == 1:
                found[name] = (snapped(self._by_rotors(snapped(by))), "rad" if joint.coordinates[0] == "angle" else "m")
        return found

    def _travel(self) -> dict[str, tuple[float, float, float, float]]:
        found = {}
        for mesh in self.meshes:
            if mesh.travel is not None:
                start = mesh.psi_b + float(mesh.by_b @ self.ahead)
                found[mesh.name] = (start, float(self._by_rotors(mesh.by_b) @ self.n), *mesh.travel)
        return found


def _variables(*terms: Any, loaded: bool) -> list[int]:
    """Variables of a mesh over which something varies, each one once."""
    used = {over for group in terms for over, _ in group}
    if loaded:
        used.add(OVER_CYCLE)
    return [over for over in (OVER_CYCLE, OVER_A, OVER_B) if over in used]
