"""Two wheels whose flank nodes touch the flank surfaces of the other, read from a compiled model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ..elements import flank_rk4 as rk
from ..elements.node_contact import nodes_near, rigid_gap
from ..elements.node_records import NEAR_NODE, NodeContact, node_gear, padded
from ..errors import ModelError
from ..fem.elastic_gear import SIDES
from ..fem.flank_lattice import FlankLattice
from ..fem.node_modes import NodeModes
from ..gears.teeth import Teeth
from ..math.fields import packed
from ..model import Model
from ..solvers.consistent import displace
from ..system.flank_elements import more_play
from .penalty_pair import LOOKS, PenaltyPair, _largest
from .preparation import Prepared
from .signals import build_signals, samples_of

__all__ = ["ContactNodes", "NodePair", "contact_record"]

NEAR, MARGIN, DEEP = 0.02, 0.05, 0.4
"""Gaps up to which nodes are evaluated, further gaps up to which they are listed, and largest penetration of rigid flanks, in
modules."""
REACH = 3
"""Teeth on either side of the line of centres that are searched."""
PRESSED_NODES = 5e-6
"""[m] Penetration of rigid flanks that defines which nodes may touch together."""
SLAVES = {"a": (1, 0), "b": (0, 1), "both": (1, 1)}


@dataclass(frozen=True)
class WheelFrame:
    """A wheel in space at the start."""

    origin: np.ndarray
    rotation: np.ndarray
    sense: float  # rotation about its z axis per coordinate


@dataclass(frozen=True)
class ContactNodes:
    """A gear of the contact: teeth, lattices of its flanks, and the values of its record apart from geometry and scratch."""

    teeth: Teeth
    lattices: dict[str, FlankLattice]
    data: dict[str, Any]  # of `ElasticGearData`, without teeth, rows and faces
    coordinates: int
    values: dict[str, Any]  # shapes, or places and displacements of finite elements


def modal_nodes(teeth: Teeth, modes: NodeModes) -> ContactNodes:
    """A gear that deforms by its modes. Coordinates: real parts of all modes, pairs first, then imaginary parts of the pairs."""
    order = np.argsort(~modes.paired, kind="stable")
    paired = int(np.count_nonzero(modes.paired))
    count = len(order)
    both = np.concatenate([modes.shapes[side][order] for side in SIDES], axis=1)
    rows = both.reshape(count, -1).T
    shapes = np.zeros((rows.shape[0], padded(count + paired)))
    shapes[:, :count] = rows.real
    shapes[:, count : count + paired] = -rows.imag[:, :paired]
    data = {
        "paired": paired,
        "omega": 2.0 * math.pi * modes.frequencies[order],
        "diameters": modes.nodal_diameters[order].astype(np.float64),
    }
    nodes = both.shape[1]
    values = {"shapes": shapes, "places": np.zeros(nodes, np.int64)}
    return ContactNodes(teeth, dict(modes.lattices), data, count + paired, values)


def contact_record(
    ready: Prepared, pair: PenaltyPair, model: Model, name: str, gears: tuple[ContactNodes, ContactNodes], *, penalty: float,
    slave: str, by_modes: bool,
) -> np.ndarray:  # fmt: skip
    """Values of `NodeContact` at the start of a run."""
    part = model.gear_pairs[name]
    frames = wheel_frames(ready, pair, model, name)
    more = more_play(part, gears[0].teeth, gears[1].teeth)
    what = f'gear pair "{name}"'
    return placed_record(gears, frames, more=more, penalty=penalty, slave=slave, by_modes=by_modes, what=what)


def placed_record(
    gears: tuple[ContactNodes, ContactNodes], frames: tuple[WheelFrame, WheelFrame], *, penalty: float, slave: str, what: str,
    more: float = 0.0, by_modes: bool = True,
) -> np.ndarray:  # fmt: skip
    """Values of `NodeContact` of two gears in space; more: additional play [m]."""
    module = gears[0].teeth.gear.normal_module
    values: dict[str, Any] = {}
    for letter, gear, frame in zip("ab", gears, frames, strict=True):
        rows, lines = gear.lattices["left"].shape
        points = np.concatenate([gear.lattices[side].points.reshape(-1, 3) for side in SIDES])
        head = {"teeth": gear.teeth.gear.teeth, "rows": rows, "faces": lines}
        values[letter] = node_gear(
            {
                "data": head | gear.data, "points": points, "origin": frame.origin, "rotation": frame.rotation.ravel(),
                "outward": [gear.lattices[side].outward for side in SIDES], "sense": frame.sense, **gear.values,
            },
            rows * lines, gear.coordinates,
        )  # fmt: skip
    towards = frames[0].rotation.T @ (frames[1].origin - frames[0].origin)
    if gears[1].teeth.gear.internal:
        towards = -towards
    angle = math.atan2(towards[1], towards[0])
    same = float(frames[0].rotation[:, 2] @ frames[1].rotation[:, 2]) > 0.0
    direction = int((-1 if same else 1) * gears[0].teeth.gear.sense * gears[1].teeth.gear.sense)
    for number, key in enumerate(("drive", "coast")):
        values[key] = _side(SIDES[number], frames, gears, angle, direction, more, what)
    nodes = sum(values[letter]["nodes"] for letter in "ab")
    room = 2 * (2 * REACH + 1) * nodes
    areas = np.concatenate([gear.lattices[side].areas.ravel() for gear in gears for side in SIDES])
    return packed(
        NodeContact,
        values
        | {
            "by_modes": int(by_modes), "direction": direction, "towards": angle, "reach": REACH, "from_a": SLAVES[slave][0],
            "from_b": SLAVES[slave][1], "penalty": penalty, "near": NEAR * module, "margin": MARGIN * module,
            "deep": DEEP * module, "radius_a": _reach(gears[0]), "radius_b": _reach(gears[1]), "area": float(areas.mean()),
            "entries": np.zeros((room, 6), np.int64), "count": -1,
        },
    )  # fmt: skip


def _reach(gear: ContactNodes) -> float:
    return max(float(np.linalg.norm(gear.lattices[side].points[..., :2], axis=-1).max()) for side in SIDES)


def wheel_frames(ready: Prepared, pair: PenaltyPair, model: Model, name: str) -> tuple[WheelFrame, WheelFrame]:
    """Both wheels at the start, and their sense of rotation, found by turning them."""
    system, state = ready.system, ready.state
    part = model.gear_pairs[name]
    turn = 1e-3
    states = [state.copy()]
    for i in pair.map.coordinate:
        moved = state.copy()
        dq = np.zeros(rk.WHEELS)
        dq[i] = turn
        displace(system, moved, dq)
        states.append(moved)
    signals = build_signals(system, samples_of(states), ready.rank, inertial=True)
    found = []
    for side, wheel in enumerate((part.wheel_a, part.wheel_b)):
        quaternions = signals[f"{wheel.body_name}.orientation"].values
        bodies = [_rotation(q) for q in (quaternions[0], quaternions[1 + side])]
        at, after = (body @ wheel.frame.rotation for body in bodies)
        origin = signals[f"{wheel.body_name}.position"].values[0] + bodies[0] @ wheel.frame.position
        local = at.T @ after
        found.append(WheelFrame(origin, at, math.copysign(1.0, local[1, 0])))
    return found[0], found[1]


def _rotation(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _normals(lattice: FlankLattice) -> np.ndarray:
    n = lattice.outward * np.cross(np.gradient(lattice.points, axis=0), np.gradient(lattice.points, axis=1))
    return np.asarray(n / np.linalg.norm(n, axis=-1, keepdims=True)).reshape(-1, 3)


def _side(
    side_a: str, frames: tuple[WheelFrame, WheelFrame], gears: tuple[ContactNodes, ContactNodes], towards: float, direction: int,
    more: float, what: str,
) -> dict[str, Any]:  # fmt: skip
    """Which flank of B meets a flank of A: the nearest one that faces it, at the tooth of A next to the line of centres."""
    (a, b), (gear_a, gear_b) = frames, gears
    z_a, z_b = gear_a.teeth.gear.teeth, gear_b.teeth.gear.teeth
    k = round(towards * z_a / (2 * math.pi))
    to_b = b.rotation.T @ a.rotation @ _about_z(2 * math.pi * k / z_a)
    lattice = gear_a.lattices[side_a]
    points = lattice.points.reshape(-1, 3) @ to_b.T + b.rotation.T @ (a.origin - b.origin)
    normals = _normals(lattice) @ to_b.T
    middle = points.mean(axis=0)
    near = round(math.atan2(middle[1], middle[0]) * z_b / (2 * math.pi))
    best = (math.inf, 0, 0)
    for tooth in range(near - 2, near + 3):
        turn = _about_z(2 * math.pi * tooth / z_b)
        for number, side_b in enumerate(SIDES):
            other = gear_b.lattices[side_b]
            distance, which = cKDTree(other.points.reshape(-1, 3) @ turn.T).query(points)
            facing = np.einsum("ij,ij->i", normals, (_normals(other) @ turn.T)[which]) < -0.5
            if facing.any():
                best = min(best, (float(distance[facing].min()), tooth, number))
    if not math.isfinite(best[0]):
        raise ModelError(f"{what}: no flank of gear B faces the flanks of gear A. Check the positions of the wheels")
    flank = gear_b.lattices[SIDES[best[2]]]
    x, n = flank.points.reshape(-1, 3), _normals(flank)
    lever = float(np.mean(x[:, 0] * n[:, 1] - x[:, 1] * n[:, 0]))
    return {
        "side_a": SIDES.index(side_a), "side_b": best[2], "tooth_b": best[1] - direction * k,
        "more": -math.copysign(more, lever) if more > 0 else math.copysign(-more, lever),
    }  # fmt: skip


class NodePair(PenaltyPair):
    """Two wheels with modes on the nodes of their flanks, in the form that `elements.flank_rk4` requires."""

    def __init__(
        self,
        ready: Prepared,
        model: Model,
        name: str,
        gears: tuple[ContactNodes, ContactNodes],
        *,
        penalty: float,
        slave: str,
    ) -> None:
        self._ready, self._model, self._name = ready, model, name
        self._gears, self._slave, self._stiffness = gears, slave, penalty
        super().__init__(ready, model, name)
        self.penalty = penalty
        self.modes_a, self.modes_b = (gear.coordinates for gear in gears)

    def _record(self) -> np.ndarray:
        self.contact = contact_record(
            self._ready,
            self,
            self._model,
            self._name,
            self._gears,
            penalty=self._stiffness,
            slave=self._slave,
            by_modes=True,
        )
        n = rk.WHEELS + sum(gear.coordinates for gear in self._gears)
        x = np.zeros(n)
        v = np.concatenate([self.state.v[self.map.coordinate], np.zeros(n - rk.WHEELS)])
        return self._packed(x, v, {"by_nodes": 1, "nodes": self.contact})

    @property
    def named_contact(self) -> np.void:
        """Names and values of the contact, without arrays."""
        named: np.void = self.contact[: NodeContact.size].view(NodeContact.dtype)[0]
        return named

    def highest_frequency(self, pressed: float = PRESSED_NODES) -> float:
        """Of both gears and all nodes that touch if rigid flanks penetrate by `pressed`, in positions over a pitch [Hz].

        The number of nodes is kept in `looked_at`: with no more of them in contact, the frequency is an upper bound.
        """
        squares = [np.zeros(rk.WHEELS)]
        for gear in self._gears:
            omega, paired = gear.data["omega"], gear.data["paired"]
            squares += [omega**2, omega[:paired] ** 2]
        whole = np.concatenate(squares)
        for spring in self.springs:
            whole[spring["wheel"]] += spring["stiffness"] / self.wheels["inertia"][spring["wheel"]]
        mobility = np.where(self.wheels["drive"] >= 0, 0.0, 1.0 / np.sqrt(self.wheels["inertia"]))
        named = self.named_contact
        room = int(named["room"])
        rows, zeros = np.zeros((min(room, 4096), whole.size)), np.zeros(whole.size)
        scratch = np.zeros(len(rows)), np.zeros((len(rows), NEAR_NODE)), np.zeros(1)
        stiffness = self.penalty / (int(named["from_a"]) + int(named["from_b"]))
        highest, self.looked_at = float(whole.max()), 0
        for q_a, q_b, number in self._pressed(pressed):
            count = nodes_near(self.contact, q_a, q_b, number, zeros, 0.0, rows, *scratch)
            self.looked_at = max(self.looked_at, count)
            if count:
                some = rows[:count].copy()
                some[:, : rk.WHEELS] *= mobility
                highest = max(highest, _largest(whole, stiffness, some))
        named["count"], named["most"], named["deepest"] = -1, 0.0, 0.0
        return math.sqrt(highest) / (2 * math.pi)

    def _pressed(self, depth: float) -> list[tuple[float, float, int]]:
        """(q_A, q_B, side): rotations over a pitch in which rigid flanks of a side penetrate each other."""
        named = self.named_contact
        near = float(named["near"])
        named["near"] = 5.0 * float(named["deep"])
        rates = self.wheels["lever"] * self.wheels["turn"]
        found = []
        for k in range(LOOKS):
            q_a = 2 * math.pi * k / (LOOKS * self.teeth)
            for number, sign in ((0, 1.0), (1, -1.0)):
                u = 0.0
                for _ in range(5):
                    q_b = (u - rates[0] * q_a) / rates[1]
                    gap = rigid_gap(self.contact, q_a, q_b, number)
                    if gap > 1e8 or abs(gap + depth) < 0.02 * depth:
                        break
                    u += sign * (gap + depth)
                if gap < 1e8:
                    found.append((q_a, q_b, number))
        named["near"] = near
        return found
