"""Two wheels with elastic flanks, read from a compiled model for the explicit steps of `elements.flank_rk4`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from ..elements import flank_rk4 as rk
from ..elements.flank_mesh import FLANK_MESH, flank_alone
from ..elements.flank_records import FlankMemory
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.scalar_force import SCALAR_FORCE
from ..errors import ModelError
from ..math.fields import packed
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.joints import ANGLE
from ..model.loads import JointLoad, TorsionSpring
from ..model.mesh_inertia import inertia_in_mesh
from ..model.meshes import Flank
from ..model.wheels import Wheel
from ..solvers.consistent import displace
from .preparation import Prepared
from .signals import build_signals, samples_of

__all__ = ["PenaltyPair", "TurningMap"]

PRESSED = 2e-5
"""[m] Approach beyond first contact that defines which strips may touch together."""
LOOKS = 16
"""Number of angles within a pitch at which the highest frequency is computed."""


@dataclass(frozen=True)
class TurningMap:
    """Rotation of joints and teeth as a function of the coordinates of the system, from its start."""

    coordinate: list[int]  # of the wheels A and B
    joint: list[str]
    joint_turn: list[float]
    angle: list[float]
    psi: list[float]
    psi_turn: list[float]
    approach: float


class PenaltyPair:
    """Two wheels of a compiled model, in the form that `elements.flank_rk4` requires."""

    elements: np.ndarray | None = None
    """Finite elements of both gears in explicit steps; None: the gears move by their modes."""

    def __init__(self, ready: Prepared, model: Model, name: str) -> None:
        self.system, self.state = ready.system, ready.state
        system = self.system
        self.element = next(e for e, x in enumerate(system.elements) if x.kind is FLANK_MESH)
        place = int(system.mem0[self.element]) + FlankMemory.place("flanks")[0]
        self.memory = slice(place, int(system.mem1[self.element]))
        """Position of the memory of the flanks in that of the system."""
        self.condensed = [slice(g.first, g.first + g.count) for g in system.own.condensed if g.element == self.element]
        """Positions of the modal coordinates of both gears among the condensed coordinates of the system."""
        part = model.gear_pairs[name]
        assert isinstance(part.mesh, Flank)
        self.penalty, self.damping_ratio, self.limit = part.mesh.penalty, part.mesh.damping_ratio, part.mesh.modes
        self.map = _turning(ready, model, name)
        self.teeth = part.pair.pitch.teeth_a
        self.flanks = flank_alone(system.elements[self.element])
        self.modes_a, self.modes_b = (int(self.flanks.parameters[gear]["modes"]) for gear in "ab")
        self.wheels = self._wheels(model, part)
        self.loads, self.springs = self._on_joints(model)
        self.record = self._record()

    def _record(self) -> np.ndarray:
        """The run at its start. Forces of strips before it are not of interest."""
        modes = [np.concatenate([row[place] for place in self.condensed]) for row in self.state.condensed]
        x = np.concatenate([np.zeros(rk.WHEELS), modes[0]])
        v = np.concatenate([self.state.v[self.map.coordinate], modes[1]])
        return self._packed(x, v, {})

    def _packed(self, x: np.ndarray, v: np.ndarray, more: dict[str, Any]) -> np.ndarray:
        """The run with coordinates and rates, and values of further fields."""
        flanks, memory, _, scratch = self.flanks.records
        others = {name: np.zeros_like(x) for name in ("a", "x_stage", "v_stage", "a_stage", "x_sum", "v_sum")}
        values = {
            "flanks": flanks, "memory": memory, "scratch": scratch, "functions": self.system.functions, "wheels": self.wheels,
            "n_loads": len(self.loads), "loads": self.loads, "n_springs": len(self.springs), "springs": self.springs,
            "approach": self.map.approach, "x": x, "v": v,
        }  # fmt: skip
        return packed(rk.PenaltyRun, values | others | more)

    @property
    def run(self) -> np.void:
        """Names and values of the run."""
        named: np.void = self.record[: rk.PenaltyRun.size].view(rk.PenaltyRun.dtype)[0]
        return named

    def row(self, name: str) -> np.ndarray:
        """Coordinates "x", rates "v" or accelerations "a": rotations of the wheels, modes of both gears."""
        start = int(self.run[name])
        return self.record[start : start + int(self.run["n"])]

    def _wheels(self, model: Model, part: GearMesh) -> np.ndarray:
        system, found = self.system, self.map
        rows = np.zeros(rk.WHEELS, rk.PenaltyWheel.dtype)
        pitch = part.pair.pitch
        sides: tuple[tuple[Wheel, float], ...] = (
            (part.wheel_a, 0.5 * pitch.normal_module * pitch.teeth_a),
            (part.wheel_b, 0.5 * pitch.normal_module * pitch.teeth_b),
        )
        for i, (wheel, lever) in enumerate(sides):
            inertia = inertia_in_mesh(model, wheel)
            drive = -1
            for element in system.elements[: system.active]:
                said = model.drives.get(element.name)
                if element.kind is SCALAR_CONSTRAINT and said is not None and said.joint_name == found.joint[i]:
                    drive = int(element.values["function"])
            rows[i] = inertia, found.psi_turn[i], lever, found.joint_turn[i], found.angle[i], found.psi[i], drive
        return rows

    def _on_joints(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        loads, springs = [], []
        for name, load in model.loads.items():
            assert isinstance(load, (JointLoad, TorsionSpring))
            wheel = self.map.joint.index(load.joint_name)
            if isinstance(load, TorsionSpring):
                springs.append((wheel, load.stiffness, load.damping, load.free_angle))
            else:
                found = next(x for x in self.system.elements if x.name == name and x.kind is SCALAR_FORCE)
                loads.append((wheel, int(found.values["function"])))
        return np.array(loads, rk.PenaltyLoad.dtype), np.array(springs, rk.PenaltySpring.dtype)

    def highest_frequency(self) -> float:
        """Of both gears and all strips that may touch together, in all positions over a pitch [Hz]."""
        gears = self.flanks.parameters
        both = self.flanks.frequencies()
        omega = []
        for gear, own in (("a", both[: self.modes_a]), ("b", both[self.modes_a :])):
            omega += [own, own[: int(gears[gear]["paired"])]]
        squares = np.concatenate([np.zeros(rk.WHEELS), *omega]) ** 2
        for spring in self.springs:
            squares[spring["wheel"]] += spring["stiffness"] / self.wheels["inertia"][spring["wheel"]]
        rows = np.zeros((int(gears["room"]), squares.size))
        highest = float(squares.max())
        play = self._play(rows)
        for k in range(LOOKS):
            psi = self.map.psi[0] + 2 * math.pi * k / (LOOKS * self.teeth)
            for u in play:
                count = rk.strips_near(self.record, u, psi, rows)
                if count:
                    highest = max(highest, _largest(squares, self.penalty, rows[:count]))
        return math.sqrt(highest) / (2 * math.pi)

    def damper_limit(self) -> float:
        """Largest stable step for the dampers on the joints [s]: on the real axis the Runge-Kutta method is stable "
        "up to c h/I = 2.78."""
        rates = np.zeros(rk.WHEELS)
        for spring in self.springs:
            rates[spring["wheel"]] += spring["damping"] / self.wheels["inertia"][spring["wheel"]]
        rates[self.wheels["drive"] >= 0] = 0.0
        return 2.6 / float(rates.max()) if rates.any() else math.inf

    def _play(self, rows: np.ndarray) -> tuple[float, float]:
        """Approaches at which either flank is pressed by PRESSED: found by looking where strips begin to be near."""

        def near(u: float) -> bool:
            psi = (self.map.psi[0] + 2 * math.pi * k / (4 * self.teeth) for k in range(4))
            return any(rk.strips_near(self.record, u, one, rows) > 0 for one in psi)

        middle, reach = float(self.map.approach), 0.5 * math.pi * float(self.wheels["lever"][0]) * 2 / self.teeth
        ends = []
        for sign in (1.0, -1.0):
            low, high = 0.0, reach
            for _ in range(30):
                between = 0.5 * (low + high)
                low, high = (low, between) if near(middle + sign * between) else (between, high)
            ends.append(middle + sign * (high + PRESSED))
        return ends[0], ends[1]


def _largest(squares: np.ndarray, penalty: float, rows: np.ndarray) -> float:
    """Largest eigenvalue of diag(squares) + penalty rows^T rows."""
    n = squares.size

    def product(x: np.ndarray) -> np.ndarray:
        x = x.reshape(-1)
        return np.asarray(squares * x + penalty * (rows.T @ (rows @ x)))

    if n < 64:
        return float(np.linalg.eigvalsh(np.diag(squares) + penalty * rows.T @ rows)[-1])
    start = rows.sum(axis=0) + 1e-3 * np.abs(rows).max()
    found = eigsh(LinearOperator((n, n), matvec=product, dtype=np.float64), 1, which="LA", v0=start, tol=1e-4)
    return float(found[0][0]) if isinstance(found, tuple) else float(found[0])


def _turning(ready: Prepared, model: Model, name: str) -> TurningMap:
    """By moving the wheels one at a time; both must turn about the axes of their teeth."""
    system, state = ready.system, ready.state
    if system.n_q != rk.WHEELS:
        raise ModelError(
            f'penalty motion of model "{model.name}": each wheel must have one degree of freedom, the rotation'
        )
    turn = 1e-3
    states = [state.copy() for _ in range(5)]
    for i in range(rk.WHEELS):
        for k, by in ((1, turn), (2, -turn)):
            dq = np.zeros(rk.WHEELS)
            dq[i] = by
            displace(system, states[2 * i + k], dq)
    signals = build_signals(system, samples_of(states), ready.rank, inertial=True)
    part = model.gear_pairs[name]
    joints, coordinates = [], []
    psi = [signals[f"{name}.psi_a"].values, signals[f"{name}.psi_b"].values]
    angles, turns, psi_turns = [], [], []
    for side, wheel in enumerate((part.wheel_a, part.wheel_b)):
        joint = next(
            j.name for j in model.joints.values() if wheel.body_name in (j.frame_a.body_name, j.frame_b.body_name)
        )
        values = signals[f"{joint}.{ANGLE}"].values
        i = int(np.argmax([abs(values[1] - values[2]), abs(values[3] - values[4])]))
        up, down = 2 * i + 1, 2 * i + 2
        joint_turn, psi_turn = ((x[up] - x[down]) / (2 * turn) for x in (values, psi[side]))
        even = abs(psi[side][up] + psi[side][down] - 2 * psi[side][0])
        if abs(abs(psi_turn) - 1.0) > 1e-6 or abs(abs(joint_turn) - 1.0) > 1e-6 or even > 1e-9:
            raise ModelError(
                f'penalty motion of model "{model.name}": joint "{joint}" does not rotate "{wheel.body_name}" about '
                "the axis of its "
                "teeth. Put the joint on that axis, or use dynamics"
            )
        joints.append(joint)
        coordinates.append(i)
        angles.append(float(values[0]))
        turns.append(float(np.sign(joint_turn)))
        psi_turns.append(float(np.sign(psi_turn)))
    approach = float(signals[f"{name}.approach"].values[0]) / model.gear_pairs[name].length_factor
    return TurningMap(coordinates, joints, turns, angles, [float(x[0]) for x in psi], psi_turns, approach)
