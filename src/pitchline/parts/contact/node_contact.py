"""Two wheels whose flank nodes touch the flank surfaces of the other, read from a compiled model."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pitchline.analyses.observers import starting_point
from pitchline.analyses.signals import build_signals, samples_of
from pitchline.analyses.start_positions import Prepared, prepare
from pitchline.analyses.time_options import DEFAULT_SAMPLES, SampleMemory, check_memory, positive_time
from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted
from pitchline.base.progress.display import staged
from pitchline.engine.solvers.consistent import displace, project_velocities
from pitchline.errors import ModelError, shown
from pitchline.fem.elastic_gear import SIDES
from pitchline.fem.graded_body import FlankLattice
from pitchline.fem.node_modes import NodeModes, node_modes
from pitchline.fem.sector_grid import SectorGrid, sector_grid
from pitchline.model.model import Model
from pitchline.numerics.fields import packed
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from ..gears.geometry.gear import Gear
from ..gears.teeth.teeth import Teeth
from ..meshes import kernel_flank_steps as rk
from ..meshes.compile import more_play
from ..meshes.laws.flank import Flank
from ..meshes.part import GearMesh
from .kernel import nodes_near, rigid_gap
from .kernel_records import NEAR_NODE, NodeContact, node_gear, padded
from .penalty_motion import LOOKS, PenaltyPair, _largest, _run, _steps, _understood, stability_limit

__all__ = ["ContactNodes", "NodePair", "contact_record", "node_contact_motion"]


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
    """Two wheels with modes on the nodes of their flanks, in the form that `parts.meshes.kernel_flank_steps` requires."""

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


# ---- node contact motion

# Node contact motion: a pair of elastic gears by their modes, contact of nodes with surfaces, and explicit steps.

PART = 0.5
"""Fraction of the largest stable step that is used if no step is specified. Near its limit the method damps vibrations."""
DEEPEST = 1e-3
"""[m] Penetration of rigid flanks beyond which the step is not chosen again."""
MODES = (200, 500)
"""Modes of both gears, as published."""


@names_wrong_arguments
@staged("node contact motion of {}")
@budgeted
def node_contact_motion(
    model: Model,
    *,
    duration: Any,
    modes: Any = MODES,
    penalty: Any = None,
    slave: str = "both",
    step: Any = None,
    output_step: Any = None,
    elements_a: Mapping[str, object] | None = None,
    elements_b: Mapping[str, object] | None = None,
    budget: Any = None,
) -> Result:
    """Compute the motion of a pair of elastic gears as published by Do, Ziegler and Eberhard, for comparison with `dynamics`.

    Both gears deform only by their natural modes. Every node of the flanks that penetrates the opposite flank, a surface of
    bilinear faces between its nodes, is pushed out by a spring (penalty). Nodes are displaced before the search. The Runge-Kutta
    method of order 4 with constant steps integrates rotations and modes. Steps that are too long for the highest frequency of modes
    and springs are cut, with a warning.

    Modes that are left out are missing in the deflection, flanks are polygons, and the penalty is arbitrary: see the theory page on
    elastic gears in motion. The model is as for `penalty_motion`: two wheels, each on one revolute joint to the ground, a gear pair
    with a `Flank` mesh without friction, drives, torques and torsion springs on the joints.

    Parameters
    ----------
    duration : [s].
    modes : number of modes of the gears A and B, such as [200, 500] (default); or the highest frequency for both, such as "80 kHz".
    penalty : stiffness of a node [N/m]; default: E √A of the mean area A of a node.
    slave : gear whose nodes touch: "a", "b", or "both" (default): two passes with half of the penalty each.
    step : [s]; default: half of the largest stable step.
    output_step : time between samples [s]; default: every n-th step, at most 1000 samples.
    elements_a, elements_b : options of the grids as for `sector_grid`; default: those of the mesh.
    budget : longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the result so far.

    The result has the signals of `dynamics`. `mesh.strips_in_contact` is the number of nodes in contact, `mesh.peak_pressure` the
    greatest force of a node divided by the mean area of a node. Its statistics contain sizes and times of the preparation.
    """
    began = clock.perf_counter()
    snapshot = starting_point(model, None)
    part = _understood(model, "node contact motion")
    span = positive_time(duration, "duration")
    given = None if step is None else positive_time(step, "step")
    out = None if output_step is None else positive_time(output_step, "output_step")
    if out is not None and out > span:
        raise ModelError(f"output_step ({out:g} s) must not be greater than the duration ({span:g} s)")
    if slave not in SLAVES:
        raise ModelError(f'slave must be "a", "b" or "both", got {shown(slave)}')
    wanted = wanted_modes(modes)
    stiffness = None if penalty is None else positive_penalty(penalty)
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    teeth = teeth_of(part)
    grids = [
        grid_of(one, mesh_options if own is None else own, f"elements_{letter}")
        for one, mesh_options, own, letter in zip(
            teeth, (mesh.elements_a, mesh.elements_b), (elements_a, elements_b), "ab", strict=True
        )
    ]
    found: list[NodeModes] = []
    for one, grid, want, letter in zip(teeth, grids, wanted, "ab", strict=True):
        options = {"count": want} if isinstance(want, int) else {"up_to": want}
        found.append(node_modes(one, grid, bore=mesh.bore, name=f'gear {letter} of "{part.name}"', **options))
    prepared = clock.perf_counter() - began
    stiffness = node_penalty([one.lattices for one in found], teeth) if stiffness is None else stiffness
    ready = prepare(model, snapshot, until=snapshot.t + span, reduce=True)
    project_velocities(ready.system, ready.state)
    gears = modal_nodes(teeth[0], found[0]), modal_nodes(teeth[1], found[1])
    depth = PRESSED_NODES
    while True:
        pair = NodePair(ready, model, part.name, gears, penalty=stiffness, slave=slave)
        more = _MoreNodes(pair, last=depth > DEEPEST)
        frequency = pair.highest_frequency(depth)
        limit = min(stability_limit(pair.damping_ratio) / (2 * math.pi * frequency), pair.damper_limit())
        warnings = []
        wish = PART * limit
        if given is not None and given > limit:
            warnings.append(
                f"the step of {given:.3g} s was cut to {PART * limit:.3g} s: modes and penalty springs have a natural frequency of "
                f"{frequency:.4g} Hz, and steps must be shorter than {limit:.3g} s"
            )
        elif given is not None:
            wish = given
        each = SampleMemory.of(ready.system).peak
        check_memory(
            f'node contact motion of model "{model.name}"', DEFAULT_SAMPLES if out is None else span / out + 1.0, each,
            lambda fit: f'specify output_step = "{span / max(fit - 1, 1):.2g} s" or a longer one',
        )  # fmt: skip
        h, every, samples = _steps(span, wish, out)
        try:
            result = _run(
                model, ready, pair, h, every, samples, began,
                {
                    "largest_stable_step": limit, "highest_frequency": frequency, "preparation_time": prepared,
                    "nodes_a": found[0].nodes, "nodes_b": found[1].nodes,
                    "flank_nodes_a": found[0].lattices["left"].points.shape[0] * found[0].lattices["left"].points.shape[1],
                    "flank_nodes_b": found[1].lattices["left"].points.shape[0] * found[1].lattices["left"].points.shape[1],
                    "highest_mode_a": float(found[0].frequencies[-1]), "highest_mode_b": float(found[1].frequencies[-1]),
                    "stored_bytes": sum(one.file_size for one in found),
                    "bytes_of_all_nodes": sum(one.bytes_of_all_nodes for one in found),
                },
                {
                    "duration": span, "step": h, "output_step": every * h, "penalty": stiffness, "modes": list(wanted),
                    "slave": slave,
                },
                "node contact motion", warnings, more.check,
            )  # fmt: skip
            more.check()
        except _MoreNodesTouch:
            depth *= 4.0
            continue
        result.statistics["most_nodes_in_contact"] = float(pair.named_contact["most"])
        result.statistics["deepest_penetration"] = float(pair.named_contact["deepest"])
        return result


class _MoreNodesTouch(Exception):
    """More nodes touched than the step was chosen for: it must be chosen again, for more."""


@dataclass(frozen=True)
class _MoreNodes:
    """Ends a run in which more nodes touch than the step was chosen for; last: not this one."""

    pair: NodePair
    last: bool

    def check(self) -> None:
        if not self.last and float(self.pair.named_contact["most"]) > self.pair.looked_at:
            raise _MoreNodesTouch


def teeth_of(part: GearMesh) -> tuple[Teeth, Teeth]:
    """Involute teeth of both gears of a pair, which must not have modifications of single teeth."""
    found = []
    for wheel in (part.wheel_a, part.wheel_b):
        if not isinstance(wheel.gear, Gear) or wheel.gear.flanks is not None:
            kind = "imported flanks" if isinstance(wheel.gear, Gear) else f"a {type(wheel.gear).__name__}"
            raise ModelError(
                f'gear pair "{part.name}": wheel "{wheel.name}" has {kind}, which contact of nodes does not support. It supports '
                "spur, helical and conical involute gears. Use dynamics"
            )
        teeth = Teeth(wheel.gear)
        if any(teeth.flank(side).of_tooth for side in SIDES):
            raise ModelError(
                f'gear pair "{part.name}": wheel "{wheel.name}" has modifications of single teeth, which contact of nodes does not '
                "support. Leave them out, or use dynamics"
            )
        found.append(teeth)
    return found[0], found[1]


def grid_of(teeth: Teeth, options: object, what: str, order: int | None = None) -> SectorGrid:
    """The grid of a gear. Modifications move the flanks of the contact, not those of the elements."""
    if not isinstance(options, Mapping):
        raise ModelError(f'{what} must be options of the grid such as {{"flank_edge": "0.2 mm"}}, got {shown(options)}')
    chosen = dict(options)
    if chosen.get("modified"):
        raise ModelError(f"{what}: modified flanks are those of the gear; leave out modified")
    if order is not None and chosen.setdefault("order", order) != order:
        raise ModelError(f"{what}: explicit steps need elements of order {order}, got {shown(chosen['order'])}")
    return sector_grid(teeth, **chosen)


def node_penalty(lattices: Sequence[Mapping[str, FlankLattice]], teeth: tuple[Teeth, Teeth]) -> float:
    """E √A, with the mean area A of the nodes of the flanks [N/m]."""
    areas = np.concatenate([lattice.areas.ravel() for one in lattices for lattice in one.values()])
    return min(one.gear.material.youngs_modulus for one in teeth) * math.sqrt(float(areas.mean()))


def positive_penalty(penalty: Any) -> float:
    stiffness = quantity(penalty, "stiffness", what="penalty")
    if not stiffness > 0.0:
        raise ModelError(
            f'penalty must be greater than zero, got {stiffness:g} N/m. It is the stiffness of a node, such as "1e8 N/m"'
        )
    return float(stiffness)


def wanted_modes(modes: Any) -> tuple[int, int] | tuple[float, float]:
    """Numbers of modes of both gears, or the highest frequency [Hz] twice."""
    advice = 'modes must be the numbers of modes of both gears, such as [200, 500], or a frequency such as "80 kHz"'
    if isinstance(modes, (list, tuple, np.ndarray)):
        whole = [
            int(m)
            for m in modes
            if isinstance(m, (int, float, np.integer)) and not isinstance(m, bool) and float(m).is_integer()
        ]
        if len(modes) != 2 or len(whole) != 2 or min(whole) < 1:
            raise ModelError(f"{advice}; got {shown(modes)}")
        return whole[0], whole[1]
    frequency = float(quantity(modes, "frequency", what="modes"))
    if not frequency > 0.0:
        raise ModelError(f"{advice}; got {shown(modes)}")
    return frequency, frequency
