"""Two wheels with elastic flanks, read from a compiled model for the explicit steps of `elements.flank_rk4`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from ..elements import flank_rk4 as rk
from ..elements.flank_layout import MODAL, MODES_A, MODES_B, OMEGA_A, OMEGA_B, ROOM
from ..elements.flank_mesh import AT, FLANK_MESH, FLANKS
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.scalar_force import SCALAR_FORCE
from ..errors import ModelError
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.joints import ANGLE
from ..model.loads import JointLoad, TorsionSpring
from ..model.meshes import Flank
from ..model.wheels import Wheel, inertia_in_mesh
from ..solvers.consistent import displace
from .preparation import Prepared
from .signals import build_signals, samples_of

__all__ = ["PenaltyPair", "TurningMap"]

PRESSED = 2e-5
"""[m] Approach beyond first contact at which the strips are looked for that may touch together."""
LOOKS = 16
"""Angles within a pitch at which the highest frequency is looked for."""


@dataclass(frozen=True)
class TurningMap:
    """How joints and teeth turn with the coordinates of the system, from its start."""

    coordinate: list[int]  # of the wheels A and B
    joint: list[str]
    joint_turn: list[float]
    angle: list[float]
    psi: list[float]
    psi_turn: list[float]
    approach: float


class PenaltyPair:
    """Two wheels of a compiled model, as `elements.flank_rk4` wants them."""

    def __init__(self, ready: Prepared, model: Model, name: str) -> None:
        self.system, self.state = ready.system, ready.state
        system = self.system
        self.element = next(e for e, x in enumerate(system.elements) if x.kind is FLANK_MESH)
        self.p = system.elements[self.element].parameters.copy()
        self.memory = slice(int(system.mem0[self.element]), int(system.mem1[self.element]))
        header = self.p[FLANKS:]
        self.modes_a, self.modes_b = int(header[MODES_A]), int(header[MODES_B])
        self.modes = self.modes_a + self.modes_b
        part = model.gear_pairs[name]
        assert isinstance(part.mesh, Flank)
        self.penalty, self.damping_ratio, self.limit = part.mesh.penalty, part.mesh.damping_ratio, part.mesh.modes
        self.map = _turning(ready, model, name)
        self.wheels = self._wheels(model, part)
        self.loads, self.springs = self._on_joints(model)
        self.teeth = part.pair.pitch.teeth_a
        # strips of the step before are not of interest here
        self.h = np.array(self.state.mem[self.memory])
        self.h[AT + MODAL + 6 * self.modes :] = 0.0
        self.W = np.zeros((rk.ROWS, rk.WHEELS + 2 * self.modes))
        self.found, self.work = np.zeros(rk.FOUND), np.zeros(2)
        self.W[rk.V, : rk.WHEELS] = self.state.v[self.map.coordinate]
        for row, place in ((rk.X, 0), (rk.V, 2)):
            at_a, at_b = AT + MODAL, AT + MODAL + 6 * self.modes_a
            o = rk.WHEELS + 2 * self.modes_a
            self.W[row, rk.WHEELS : o] = self.h[at_a + place * self.modes_a :][: 2 * self.modes_a]
            self.W[row, o:] = self.h[at_b + place * self.modes_b :][: 2 * self.modes_b]

    def _wheels(self, model: Model, part: GearMesh) -> np.ndarray:
        system, found = self.system, self.map
        rows = np.zeros((rk.WHEELS, 7))
        pitch = part.pair.pitch
        sides: tuple[tuple[Wheel, float], ...] = (
            (part.wheel_a, 0.5 * pitch.normal_module * pitch.teeth_a),
            (part.wheel_b, 0.5 * pitch.normal_module * pitch.teeth_b),
        )
        for i, (wheel, lever) in enumerate(sides):
            inertia = inertia_in_mesh(model.bodies[wheel.body_name], wheel)
            drive = -1.0
            for element in system.elements[: system.active]:
                said = model.drives.get(element.name)
                if element.kind is SCALAR_CONSTRAINT and said is not None and said.joint_name == found.joint[i]:
                    drive = float(element.values["function"])
            rows[i] = inertia, found.psi_turn[i], lever, found.joint_turn[i], found.angle[i], found.psi[i], drive
        return rows

    def _on_joints(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        loads, springs = [], []
        for name, load in model.loads.items():
            assert isinstance(load, (JointLoad, TorsionSpring))
            wheel = self.map.joint.index(load.joint_name)
            if isinstance(load, TorsionSpring):
                springs.append([wheel, load.stiffness, load.damping, load.free_angle])
            else:
                found = next(x for x in self.system.elements if x.name == name and x.kind is SCALAR_FORCE)
                loads.append([wheel, found.values["function"]])
        return np.array(loads, float).reshape(-1, 2), np.array(springs, float).reshape(-1, 4)

    def highest_frequency(self) -> float:
        """Of both gears and all strips that may touch together, in all positions over a pitch [Hz]."""
        header = self.p[FLANKS:]
        omega_a = self.p[int(header[OMEGA_A]) :][: self.modes_a]
        omega_b = self.p[int(header[OMEGA_B]) :][: self.modes_b]
        squares = np.concatenate([np.zeros(rk.WHEELS), np.tile(omega_a, 2) ** 2, np.tile(omega_b, 2) ** 2])
        for k in range(len(self.springs)):
            wheel = int(self.springs[k, rk.WHEEL])
            squares[wheel] += self.springs[k, rk.STIFFNESS] / self.wheels[wheel, rk.INERTIA]
        rows = np.zeros((int(header[ROOM]), squares.size))
        highest = float(squares.max())
        still = np.zeros_like(self.h)
        play = self._play(still)
        for k in range(LOOKS):
            psi = self.map.psi[0] + 2 * math.pi * k / (LOOKS * self.teeth)
            for u in play:
                count = rk.strips_near(self.p, FLANKS, still, AT, self.wheels, u, psi, self.W, rows)
                if count:
                    highest = max(highest, _largest(squares, self.penalty, rows[:count]))
        return math.sqrt(highest) / (2 * math.pi)

    def damper_limit(self) -> float:
        """Largest stable step for the dampers on the joints [s]: on the real axis Runge and Kutta's scheme ends at c h/I = 2.78."""
        rates = np.zeros(rk.WHEELS)
        for wheel, damping in self.springs[:, [rk.WHEEL, rk.DAMPING]]:
            rates[int(wheel)] += damping / self.wheels[int(wheel), rk.INERTIA]
        rates[self.wheels[:, rk.DRIVE] >= 0.0] = 0.0
        return 2.6 / float(rates.max()) if rates.any() else math.inf

    def _play(self, still: np.ndarray) -> tuple[float, float]:
        """Approaches at which either flank is pressed by PRESSED: found by looking where strips begin to be near."""
        rows = np.zeros((int(self.p[FLANKS + ROOM]), self.W.shape[1]))

        def near(u: float) -> bool:
            return any(
                rk.strips_near(self.p, FLANKS, still, AT, self.wheels, u, self.map.psi[0] + 2 * math.pi * k / (4 * self.teeth),
                               self.W, rows) > 0
                for k in range(4)
            )  # fmt: skip

        middle, reach = float(self.map.approach), 0.5 * math.pi * float(self.wheels[0, rk.LEVER]) * 2 / self.teeth
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
        raise ModelError(f'penalty motion of model "{model.name}": the wheels must be free to turn, and to do no more')
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
        joint = next(j.name for j in model.joints.values() if wheel.body_name in (j.frame_a.body_name, j.frame_b.body_name))
        values = signals[f"{joint}.{ANGLE}"].values
        i = int(np.argmax([abs(values[1] - values[2]), abs(values[3] - values[4])]))
        up, down = 2 * i + 1, 2 * i + 2
        joint_turn, psi_turn = ((x[up] - x[down]) / (2 * turn) for x in (values, psi[side]))
        even = abs(psi[side][up] + psi[side][down] - 2 * psi[side][0])
        if abs(abs(psi_turn) - 1.0) > 1e-6 or abs(abs(joint_turn) - 1.0) > 1e-6 or even > 1e-9:
            raise ModelError(
                f'penalty motion of model "{model.name}": joint "{joint}" does not turn "{wheel.body_name}" about the axis of its '
                "teeth; put the joint on that axis, or take dynamics"
            )
        joints.append(joint)
        coordinates.append(i)
        angles.append(float(values[0]))
        turns.append(float(np.sign(joint_turn)))
        psi_turns.append(float(np.sign(psi_turn)))
    approach = float(signals[f"{name}.approach"].values[0])
    return TurningMap(coordinates, joints, turns, angles, [float(x[0]) for x in psi], psi_turns, approach)
