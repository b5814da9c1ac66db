"""Elastic gears pressed together by the nodes of their flanks: the contact of `node_contact_motion`, at rest.

Gears deform only by their natural modes, c = Σ λ_i r_i/ω², with the modal forces r_i of a unit force at node i and on the face that
it touches. With the rotation v of gear B against A, the gap g_i of a node and its penalty c_p

    λ_i = c_p max(0, −g_i) ,     g_i = g_i(v, c) ,     Σ λ_i ∂g_i/∂v = −T .

Gaps are linearized in the present position, where nodes and faces are found again (Newton's method); within a round an active-set
method finds the nodes that touch. The torque is applied in stages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg

from ..contact.strip_gaps import relative_radii
from ..elements.node_contact import nodes_near, rigid_gap
from ..elements.node_records import NEAR_NODE
from ..errors import ModelError, PitchlineError, shown
from ..fem.elastic_gear import SIDES, ElasticGear
from ..fem.node_modes import node_modes
from ..fem.sector_grid import SectorGrid
from ..gears.placement import Placement
from ..gears.teeth import Teeth
from ..gears.teeth.flank_pair import FlankPair
from ..results.flank_contact import ContactPatch
from .node_contact_motion import MODES, grid_of, node_penalty, positive_penalty, wanted_modes
from .node_pair import DEEP, SLAVES, ContactNodes, WheelFrame, modal_nodes, placed_record

__all__ = ["NodeContactAtRest", "pressed_nodes"]

FloatArray = npt.NDArray[np.float64]

_STAGES, _GROWTH = 5, 3.0
"""Stages of the torque, and the ratio of one to the next."""
_ROUNDS, _FEW_ROUNDS, _CHANGES = 60, 8, 200
"""Rounds of the last stage and of the others, and changes of the nodes that touch within a round."""
_CLOSE = 0.02
"""Gap up to which nodes are considered in a round, in modules."""


@dataclass(frozen=True)
class _Near:
    """Nodes near contact: gaps, their derivatives by all coordinates, and `NEAR_NODE` numbers of each."""

    gaps: FloatArray
    rows: FloatArray
    which: FloatArray

    @property
    def names(self) -> list[tuple[int, int, int]]:
        """Gear, tooth of A and node."""
        return [(int(a), int(b), int(c)) for a, b, c in self.which[:, :3]]

    def without(self, lost: set[tuple[int, int, int]]) -> _Near:
        """All but these."""
        kept = np.array([name not in lost for name in self.names], dtype=bool)
        return _Near(self.gaps[kept], self.rows[kept], self.which[kept])

    def at_edges(self, forces: FloatArray) -> set[tuple[int, int, int]]:
        """Those with a force at the edge of the opposite flank."""
        edge = (forces > 0.0) & (np.abs(self.which[:, 5:]).max(axis=1) >= 1.0)
        return {name for name, there in zip(self.names, edge, strict=True) if there}


def pressed_nodes(
    gears: Sequence[tuple[object, Mapping[str, object] | None, str]], pose: Placement, bore: str, side: str,
    play: float, modes: object, penalty: object, slave: str,
) -> NodeContactAtRest:  # fmt: skip
    """The contact of two gears by their nodes. gears: teeth, options of the grid, and name of each."""
    wanted = wanted_modes(MODES if modes is None else modes)
    stiffness = None if penalty is None else positive_penalty(penalty)
    if slave not in SLAVES:
        raise ModelError(f'flank contact: slave must be "a", "b" or "both", got {shown(slave)}')
    found, grids, teeth = [], [], []
    for (gear, options, what), want in zip(gears, wanted, strict=True):
        if not isinstance(gear, Teeth) or gear.gear.flanks is not None:
            kind = "an ElasticGear" if isinstance(gear, ElasticGear) else "imported flanks"
            raise ModelError(f'flank contact: {what} has {kind}, which method="nodes" does not support. Specify a Gear')
        if any(gear.flank(one).of_tooth for one in SIDES):
            raise ModelError(
                f'flank contact: {what} has modifications of single teeth, which method="nodes" does not support. Use "cells"'
            )
        grid = grid_of(gear, {} if options is None else options, f"elements of {what}")
        count = {"count": want} if isinstance(want, int) else {"up_to": want}
        found.append(node_modes(gear, grid, bore=bore, name=what, **count))
        grids.append(grid)
        teeth.append(gear)
    both = (teeth[0], teeth[1])
    stiffness = node_penalty([one.lattices for one in found], both) if stiffness is None else stiffness
    nodes = modal_nodes(both[0], found[0]), modal_nodes(both[1], found[1])
    return NodeContactAtRest(nodes, (grids[0], grids[1]), pose, side=side, play=play, penalty=stiffness, slave=slave)


class NodeContactAtRest:
    """Contact of the flank nodes of two gears on one side of their teeth, in any position."""

    def __init__(
        self, gears: tuple[ContactNodes, ContactNodes], grids: tuple[SectorGrid, SectorGrid], pose: Placement, *, side: str,
        play: float, penalty: float, slave: str,
    ) -> None:  # fmt: skip
        self.gears, self.side = gears, side
        a, b = (gear.teeth for gear in gears)
        self.pair = FlankPair(a, b, side, pose)
        frames = WheelFrame(np.zeros(3), np.eye(3), 1.0), WheelFrame(pose.position, pose.rotation, 1.0)
        self.record = placed_record(gears, frames, penalty=penalty, slave=slave, what="flank contact")
        self.number = SIDES.index(side)
        self.stiffness = penalty / (2 if slave == "both" else 1)
        self.play = play
        self.pitch = a.gear.angular_pitch
        self.module = a.gear.normal_module
        self.lever_b = 0.5 * b.gear.normal_module * b.gear.teeth
        self.normal_b = b.left.involute.base_radius * math.cos(b.left.involute.base_helix_angle)
        patch = grids[0].flanks[side]
        self.zeta = np.asarray(patch.zeta, dtype=np.float64)
        self.arc = np.asarray(patch.lengths, dtype=np.float64) ** 2 / (2.0 * self.pair.a.involute.base_radius)
        lattice = gears[0].lattices[side]
        self.areas, self.shape = lattice.areas, lattice.shape
        self.yields = np.concatenate(
            [1.0 / np.concatenate([g.data["omega"], g.data["omega"][: g.data["paired"]]]) ** 2 for g in gears]
        )
        self._room = 512

    def press(self, torque: float, phase: float) -> tuple[float, float, tuple[ContactPatch, ...]]:
        """Approach [m], slope of the force along the hoop by it [N/m], and patches, under a torque [N m] at a phase."""
        q_a = phase * self.pitch
        start = self.pair.ratio * q_a
        sign, v = self._first(q_a, start)
        x = np.zeros(2 + len(self.yields))
        forces, slope, near = np.zeros(0), 0.0, None
        for stage in range(1 - _STAGES, 1):
            T, last = abs(torque) * _GROWTH**stage, stage == 0
            lost: set[tuple[int, int, int]] = set()
            at_edges: set[tuple[int, int, int]] = set()
            for turn in range(_ROUNDS if last else _FEW_ROUNDS):
                near = self._near(q_a, start + sign * v, x)
                if turn > _FEW_ROUNDS:
                    lost |= at_edges.difference(near.names)
                    near = near.without(lost)
                if not len(near.gaps):
                    v += 0.5 * _CLOSE * self.module / self.normal_b
                    continue
                free = near.gaps - near.rows[:, 2:] @ x[2:]
                levers = -sign * near.rows[:, 1]
                forces, dv, slope = self._solve(free, near.rows[:, 2:], levers, T)
                at_edges = near.at_edges(forces)
                x[2:] = self.yields * (forces @ near.rows[:, 2:])
                v += dv
                if abs(dv) < (1e-9 if last else 1e-3) * T / slope:
                    break
            else:
                if last:
                    raise PitchlineError(
                        f"flank contact: the nodes in contact do not converge at {torque:g} N m and phase {phase:g}. Use a "
                        "finer flank_edge or a smaller penalty"
                    )
        assert near is not None
        return v * self.lever_b, slope / self.lever_b**2, self._patches(q_a, near, forces)

    # ------------------------------------------------------------------------------------------------------- equations

    def _first(self, q_a: float, start: float) -> tuple[float, float]:
        """Sense in which B presses on A, and rotation [rad] at which rigid flanks touch."""
        least = 0.01 * self.module / self.normal_b
        gaps = [rigid_gap(self.record, q_a, start + s * (self.play + least), self.number) for s in (1.0, -1.0)]
        sign, v = (1.0, self.play + least) if gaps[0] < gaps[1] else (-1.0, self.play + least)
        for _ in range(8):
            gap = rigid_gap(self.record, q_a, start + sign * v, self.number)
            if gap > 1e8:
                raise PitchlineError(
                    "flank contact: no nodes are close to the opposite flank. Check the centre distance and the profile shifts"
                )
            v += gap / self.normal_b
        return sign, v + 1e-6 * self.module / self.normal_b

    def _near(self, q_a: float, q_b: float, x: FloatArray) -> _Near:
        while True:
            rows, gaps = np.zeros((self._room, len(x))), np.zeros(self._room)
            which, least = np.zeros((self._room, NEAR_NODE)), np.zeros(1)
            limit = _CLOSE * self.module
            count = nodes_near(self.record, q_a, q_b, self.number, x, limit, rows, gaps, which, least)
            if least[0] < -0.95 * DEEP * self.module:
                raise PitchlineError(
                    f"flank contact: rigid flanks would penetrate each other by {-1e3 * least[0]:.3g} mm, but nodes in contact are "
                    f"searched up to {1e3 * DEEP * self.module:.3g} mm. Use a smaller torque"
                )
            if count < self._room:
                return _Near(gaps[:count], rows[:count], which[:count])
            self._room *= 2

    def _solve(
        self, free: FloatArray, rows: FloatArray, levers: FloatArray, torque: float
    ) -> tuple[FloatArray, float, float]:
        """Forces of the nodes, further rotation of B, and dT/dv. free: gaps without deformation; levers: −∂g/∂v."""
        compliance = (rows * self.yields) @ rows.T
        compliance[np.diag_indices(len(free))] += 1.0 / self.stiffness
        forces, dv, slope = np.zeros(len(free)), 0.0, 0.0
        on = free <= np.sort(free)[: max(1, min(6, len(free)))][-1]
        for _ in range(_CHANGES):
            at = np.flatnonzero(on)
            try:
                factor = scipy.linalg.cho_factor(compliance[np.ix_(at, at)])
            except np.linalg.LinAlgError:
                raise PitchlineError(
                    f"flank contact: the compliance of {len(at)} nodes is not positive definite. Use a smaller penalty"
                ) from None
            by_gap, by_turn = scipy.linalg.cho_solve(factor, np.column_stack([free[at], levers[at]])).T
            slope = float(levers[at] @ by_turn)
            dv = (torque + float(levers[at] @ by_gap)) / slope
            forces[:] = 0.0
            forces[at] = dv * by_turn - by_gap
            gaps = free - dv * levers + compliance @ forces - forces / self.stiffness
            new = np.where(on, forces > 0.0, gaps < 0.0)
            if (new == on).all():
                return forces, dv, slope
            on = new if new.any() else on & (forces >= forces.max())
        raise PitchlineError("flank contact: the nodes in contact were not found. Use another penalty or grid")

    # --------------------------------------------------------------------------------------------------------- patches

    def _patches(self, q_a: float, near: _Near, forces: FloatArray) -> tuple[ContactPatch, ...]:
        """Forces on the nodes of A: its own that touch, and the corners of its faces that nodes of B touch."""
        rows, lines = self.shape
        found: dict[int, FloatArray] = {}
        for (from_b, tooth, node, i, j, xi, eta), force in zip(near.which, forces, strict=True):
            if not force > 0.0:
                continue
            own = found.setdefault(int(tooth), np.zeros((rows, lines)))
            if from_b == 0.0:
                own.ravel()[int(node) % (rows * lines)] += force
                continue
            for di, s in ((0, 1.0 - xi), (1, 1.0 + xi)):
                for dj, t in ((0, 1.0 - eta), (1, 1.0 + eta)):
                    own[int(i) + di, int(j) + dj] += 0.25 * s * t * force
        return tuple(self._patch(q_a, tooth, found[tooth]) for tooth in sorted(found))

    def _patch(self, q_a: float, tooth: int, force: FloatArray) -> ContactPatch:
        at = np.flatnonzero((force > 0.0).any(axis=0))
        at = at[np.argsort(self.zeta[at])]
        zeta, F, arc = self.zeta[at], force[:, at].T, self.arc[:, at].T
        if arc[0, -1] < arc[0, 0]:
            F, arc, areas = F[:, ::-1], arc[:, ::-1], self.areas[::-1, at].T
        else:
            areas = self.areas[:, at].T
        angle, number = np.full(zeta.shape, q_a), np.full(zeta.shape, tooth, dtype=np.int64)
        _, roll = self.pair.strip(angle, number, zeta)
        _, tooth_b, roll_b, zeta_b = self.pair.meeting(angle, number, roll, zeta)
        base = self.pair.a.involute
        slope = math.cos(base.base_helix_angle)
        x = arc - (roll**2 / (2.0 * base.base_radius))[:, None]
        total = F.sum(axis=1)
        mean = (F * x).sum(axis=1) / total
        spread = (F * (x - mean[:, None]) ** 2).sum(axis=1) / total + np.gradient(x, axis=1).mean(axis=1) ** 2 / 12.0
        edges = np.gradient(np.sort(self.zeta))[np.searchsorted(np.sort(self.zeta), zeta)]
        pressure = F / areas
        loaded = F > 0.0
        return ContactPatch(
            tooth_a=tooth, tooth_b=int(np.bincount(tooth_b % self.gears[1].teeth.gear.teeth).argmax()), zeta_a=zeta, zeta_b=zeta_b,
            roll_a=roll, roll_b=roll_b, force=total, strip_width=edges / slope, radius=relative_radii(self.pair, roll, roll_b),
            half_width=2.0 * np.sqrt(spread), middle=mean, pressure=pressure.max(axis=1), across=x, across_pressure=pressure,
            on_edge=bool(loaded[:, 0].any() or loaded[:, -1].any()), base_radius=base.base_radius, slope=slope,
            half_face=0.5 * self.gears[0].teeth.gear.required_face_width("flank contact"),
        )  # fmt: skip
