"""From a model to the scalar equations of a lane."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....elements.mesh_law import OVER_A, OVER_B, OVER_CYCLE
from ....errors import ModelError, near_names, shown
from ....model import Model
from ....system.train_search import NotATrain
from ....units import quantity
from ..lane_train import FourierSum, LaneMesh, LanePhase, LaneSpring, LaneTable, LaneTrain, LoadedTables, Rotor, Term
from .diagonal import diagonal_coordinates
from .law_functions import AngleSum, AngleTable
from .mesh_reading import MeshRead, read_meshes
from .part_reading import SpringRead, last_load_change, read_inertia, read_loads, read_springs
from .rolling_tree import RollingTree, snapped
from .steady_rolling import last_drive_change, read_drives, rolling_speeds, whole_ratio

__all__ = ["RotorSource", "TrainRead", "read_train"]

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
