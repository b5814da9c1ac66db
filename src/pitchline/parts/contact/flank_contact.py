"""Contact patches and pressures of elastic gears at rest under a torque.

Gear A has the angle φ_A. The torque T turns gear B against it until f c_B = T, where f is the force along the hoop and
c_B = m_n z_B/2. There are three methods. With cells (`flank_cells`) contact is resolved along face and profile. With
strips the law of elastic flanks in motion is used (`parts.meshes.kernel_flank_law`) with static modes: all compliance is
static. Then f increases with the approach u of the teeth with a known slope. Newton's method with bounds gives u. With nodes
(`pressed_nodes`) the contact is that of `node_contact_motion`: nodes on surfaces, a penalty, and deflection by a number of
modes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted
from pitchline.base.progress.display import current, staged
from pitchline.base.types import FloatArray
from pitchline.contact.flank_data import FlankData, flank_data
from pitchline.contact.strip_gaps import relative_radii
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.fem.elastic_gear import BORES, SIDES, ElasticGear, elastic_gear
from pitchline.fem.node_modes import node_modes
from pitchline.fem.sector_grid import SectorGrid
from pitchline.model.model import Model
from pitchline.units.quantity import quantity

from ..gears.analysis_contact import closed_form, contact_gears
from ..gears.geometry.directions import lever_of_b
from ..gears.geometry.gear import Gear
from ..gears.geometry.inputs import number, whole
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import Placement
from ..gears.surfaces.from_gears import SurfaceTeeth
from ..gears.teeth.rigid_contact import FlankPair, place_teeth
from ..gears.teeth.teeth import Teeth
from ..meshes.compile import encode_flanks
from ..meshes.kernel_flank_records import U
from .flank_cells import CellContact
from .kernel import nodes_near, rigid_gap
from .kernel_records import NEAR_NODE
from .node_contact import (
    DEEP,
    MODES,
    SLAVES,
    ContactNodes,
    WheelFrame,
    grid_of,
    modal_nodes,
    node_penalty,
    placed_record,
    positive_penalty,
    wanted_modes,
)
from .results_flank import ContactPatch, FlankContact

__all__ = ["NodeContactAtRest", "pressed_nodes", "flank_contact"]


# ---- flank nodes

# Elastic gears pressed together by the nodes of their flanks: the contact of `node_contact_motion`, at rest.
#
# Gears deform only by their natural modes, c = Σ λ_i r_i/ω², with the modal forces r_i of a unit force at node i and
# on the face that it touches. With the rotation v of gear B against A, the gap g_i of a node and its penalty c_p
#
# λ_i = c_p max(0, −g_i) , g_i = g_i(v, c) , Σ λ_i ∂g_i/∂v = −T .
#
# Gaps are linearized in the present position, where nodes and faces are found again (Newton's method); within a round
# an active-set method finds the nodes that touch. The torque is applied in stages.

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


_WHAT = "flank contact"
METHODS = ("cells", "strips", "nodes")
_OF_NODES = ("modes", "penalty", "slave")
_ITERATIONS = 100
_EDGE_BEYOND = 1.1
"""Ratio of the pressures at edges and on flanks from which a warning states it."""
_NARROW = 0.5
"""Half width divided by strip width above which the assumption of narrow contact overestimates the coupling of neighbours."""
_FEW = 4
_ACROSS = 21
"""Number of points across a strip at which Hertz's pressure is given."""
_FARTHEST = 0.15
"""Largest computed gap, in modules (`contact.strip_gaps`)."""


@names_wrong_arguments
@staged("contact of two elastic gears")
@budgeted
def flank_contact(
    a: ElasticGear | Teeth | Gear | GearPair | Model,
    b: ElasticGear | Teeth | Gear | str | None = None,
    *,
    torque: object,
    phase: object = 0.0,
    bore: str = "fixed",
    centre_distance: object = None,
    elements_a: Mapping[str, object] | None = None,
    elements_b: Mapping[str, object] | None = None,
    method: str = "cells",
    strips: object = 24,
    cells: object = 15,
    modes: object = None,
    penalty: object = None,
    slave: str = "both",
    progress: Callable[[float, str], None] | None = None,
    budget: object = None,
) -> FlankContact:
    """The contact of elastic flanks at rest under a torque: patches, pressures and load shares of all pairs of teeth.

    For every pair that the mesh `Flank` supports, including conical involute gears on shafts at an angle.

    Parameters
    ----------
    a, b
        A `Gear` with its modifications or `Teeth` (the elasticity is then computed and kept), or an `ElasticGear`; or one
        `GearPair`; or a model and the name of a gear pair.
    torque
        Torque on gear B [N m], one or more values with the same sign. Positive: the left flanks of A touch. Negative: the
        right ones.
    phase
        Angle of A in pitches, one or more values. At 0, tooth 0 of A points to the axis of B.
    bore
        "fixed", "free" or "shaft": support of gears that are given as `Teeth`.
    centre_distance
        Centre distance of parallel axes [m]; default: the distance without backlash.
    elements_a, elements_b
        Grid options for gears that are given as `Teeth`, as for `sector_grid`: ``{"face_elements": 12}``.
    method
        "cells": contact resolved along face and profile, including the ends of the flanks, in less than a second. "strips": the
        law of the mesh `Flank`, in milliseconds, with Hertzian line contact in each strip. Strips are the lines of nodes along
        the face of A, twice its face_elements plus one. The method is valid for half widths below about half a strip. "nodes":
        the contact of `node_contact_motion`, as published by Do, Ziegler and Eberhard; the strips of its patches are the lines of
        nodes along the face of A, and forces are those of its nodes.
    strips, cells
        Number of strips and cells of a patch, along the face and along the profile, for the method "cells".
    modes, penalty, slave
        For the method "nodes", as for `node_contact_motion`.
    progress
        Function that is called with the completed fraction, from 0 to 1, and the present task.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it.
    """
    torques = _torques(torque)
    phases = _phases(phase)
    if bore not in BORES:
        raise ModelError(f'{_WHAT}: bore must be "fixed", "free" or "shaft", got {shown(bore)}')
    if not closed_form(a, b):
        raise ModelError(
            f"{_WHAT} is for involute gears on parallel axes and conical involute gears. Use loaded_contact, which computes "
            "patches and pressures of all other pairs"
        )
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance)
    if gears.face_offset or gears.deviation or gears.inclination:
        raise ModelError(f"{_WHAT}: the gears of the model have offset faces or misaligned axes. Use loaded_contact")
    for name, gear, elements in (("a", gears.a, elements_a), ("b", gears.b, elements_b)):
        if isinstance(gear, ElasticGear) and elements is not None:
            raise ModelError(f"{_WHAT}: gear {name} already has finite elements. Leave out elements_{name}")
    if method not in METHODS:
        raise ModelError(f'{_WHAT}: method must be "cells", "strips" or "nodes", got {shown(method)}')
    many = whole(strips, f"{_WHAT}: strips", at_least=6, at_most=200)
    across = whole(cells, f"{_WHAT}: cells", at_least=5, at_most=100)
    teeth_a, teeth_b = gears.teeth
    if teeth_a.gear.internal:
        raise ModelError(f"{_WHAT}: specify the pinion first and the internal gear second")
    pose, play = place_teeth(teeth_a, teeth_b, gears.centre_distance)
    tell = current().telling(progress)
    side = "left" if torques[0] > 0.0 else "right"
    options = ((gears.a, elements_a, "gear a"), (gears.b, elements_b, "gear b"))
    pressed: _Pressed | CellContact | NodeContactAtRest
    reach = math.inf
    if method == "nodes":
        pressed = pressed_nodes(options, pose, bore, side, play, modes, penalty, slave)
    else:
        given = [
            name for name, value in zip(_OF_NODES, (modes, penalty, slave), strict=True) if value not in (None, "both")
        ]
        if given:
            raise ModelError(f'{_WHAT}: {given[0]} is for method="nodes", but the method is "{method}". Leave it out')
        elastic_a, elastic_b = (_elastic(gear, bore, elements, what, tell) for gear, elements, what in options)
        reach = min(int(elastic_a.offsets[-1]), int(elastic_b.offsets[-1]))
        tell(0.0, "gaps of the flanks")
        if method == "cells":
            pressed = CellContact(elastic_a, elastic_b, pose, side=side, strips=many, cells=across)
        else:
            pressed = _Pressed(flank_data(elastic_a, elastic_b, pose))
    shape = (len(torques), len(phases))
    approach, slope = np.empty(shape), np.empty(shape)
    patches = []
    for t, T in enumerate(torques):
        row = []
        for i, x in enumerate(phases):
            approach[t, i], slope[t, i], found = pressed.press(float(T), float(x))
            row.append(found)
            tell((t * len(phases) + i + 1) / (len(phases) * len(torques)), "contact")
        patches.append(tuple(row))
    lever, radius = pressed.lever_b, lever_of_b(teeth_a.gear, teeth_b.gear)
    warnings = _common_warnings(tuple(patches), reach)
    if isinstance(pressed, _Pressed):
        warnings += _strip_warnings(pressed, tuple(patches), approach)
    return FlankContact(
        torque=torques,
        phase=phases,
        transmission_error=(approach / lever - play) * radius,
        stiffness=slope * (lever / radius) ** 2,
        patches=tuple(patches),
        a=teeth_a,
        b=teeth_b,
        side=side,
        method=method,
        centre_distance=None
        if gears.centre_distance is None
        else quantity(gears.centre_distance, "length", what=f"{_WHAT}: centre_distance"),
        warnings=warnings,
    )


def _torques(value: object) -> FloatArray:
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    T = np.array([quantity(one, "torque", what=f"{_WHAT}: torque") for one in many])
    if len(T) == 0 or (T == 0.0).any() or (np.sign(T) != np.sign(T[0])).any():
        raise ModelError(f"{_WHAT}: torque must be one or more values with the same sign, not zero, got {shown(value)}")
    return T


def _phases(value: object) -> FloatArray:
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    if len(many) == 0:
        raise ModelError(f"{_WHAT}: phase must be one or more angles of gear A in pitches, got {shown(value)}")
    return np.array([number(one, f"{_WHAT}: phase") for one in many])


def _elastic(
    gear: ElasticGear | Teeth | SurfaceTeeth,
    bore: str,
    elements: Mapping[str, object] | None,
    what: str,
    tell: Callable[[float, str], None],
) -> ElasticGear:
    if isinstance(gear, ElasticGear):
        return gear
    try:
        return elastic_gear(gear, bore=bore, grid=elements, progress=lambda part, doing: tell(0.0, f"{what}: {doing}"))
    except ModelError as error:
        raise ModelError(f"{_WHAT}: {what}: {error}") from None


class _Pressed:
    """Contact law of a pair of gears at rest, with the strips in contact."""

    def __init__(self, data: FlankData) -> None:
        self.data = data
        gear_a, gear_b = data.a.teeth.gear, data.b.teeth.gear
        self.lever_b = 0.5 * gear_b.normal_module * gear_b.teeth
        self.pitch = gear_a.angular_pitch
        self.flanks = encode_flanks(data, lever_b=self.lever_b).alone()
        self._last = 0.0

    def _force(self, u: float, psi: float) -> tuple[float, float]:
        """Force along the hoop and its slope, at rest."""
        self.flanks.forget()
        if not self.flanks.rest(u, psi):
            raise PitchlineError(
                f"{_WHAT}: the forces of the strips did not converge at an approach of {1e6 * u:.4g} µm. The contact "
                "is wider than the "
                "strips. Use fewer face_elements or a smaller torque"
            )
        found = self.flanks.memory["contact"]
        return float(found["force"]), float(found["second"][U, U])

    def press(self, torque: float, phase: float) -> tuple[float, float, tuple[ContactPatch, ...]]:
        """Approach [m], slope of the force along the hoop by it [N/m], and patches, under a torque [N m] at a phase."""
        sign, psi = math.copysign(1.0, torque), phase * self.pitch
        wanted = abs(torque) / self.lever_b
        low, high = 0.0, math.inf
        u = self._last or 1e-2 * self.data.a.teeth.gear.normal_module
        for _ in range(_ITERATIONS):
            force, slope = self._force(sign * u, psi)
            short = wanted - sign * force
            if abs(short) <= 1e-10 * wanted:
                self._last = u
                return u, slope, self._patches()
            low, high = (u, high) if short > 0.0 else (low, u)
            new = u + short / slope if slope > 0.0 else math.inf
            if not low < new < high:
                new = 2.0 * u if math.isinf(high) else 0.5 * (low + high)
            if abs(new - u) <= 1e-15 * u:
                break
            u = new
        raise PitchlineError(
            f"{_WHAT}: the teeth do not carry {torque:g} N m at phase {phase:g}. Their deflection is larger than the computed gaps"
        )

    def _patches(self) -> tuple[ContactPatch, ...]:
        """Of the state that was found last, from the scratch of the law."""
        data = self.data
        strips = self.flanks.candidates
        strips = strips[strips["force"] > 0.0]
        grid_b = data.b.grids["left"]
        face_b = strips["hat_b"] % grid_b.shape[1] + strips["face_weight"]
        zeta_b = np.interp(face_b, np.arange(grid_b.shape[1]), grid_b.zeta)
        zeta_a = data.a.grids["left"].zeta[strips["strip"]]
        line_load = strips["force"] / strips["width"]
        modulus = float(self.flanks.parameters["modulus"])
        half, s = np.sqrt(4.0 * line_load * strips["radius"] / (math.pi * modulus)), np.linspace(-1.0, 1.0, _ACROSS)
        peak = np.sqrt(line_load * modulus / (math.pi * strips["radius"]))
        flank = data.a.teeth.left.involute
        found = []
        for tooth in np.unique(strips["tooth"]):
            own = strips["tooth"] == tooth
            found.append(
                ContactPatch(
                    tooth_a=int(tooth),
                    tooth_b=int(strips["tooth_b"][own][0]) % data.b.teeth.gear.teeth,
                    zeta_a=zeta_a[own],
                    zeta_b=zeta_b[own],
                    roll_a=strips["roll_a"][own],
                    roll_b=np.abs(strips["roll_b"][own]),
                    force=strips["force"][own],
                    strip_width=strips["width"][own],
                    radius=strips["radius"][own],
                    half_width=half[own],
                    middle=np.zeros(int(own.sum())),
                    pressure=peak[own],
                    across=half[own, None] * s,
                    across_pressure=peak[own, None] * np.sqrt(1.0 - s * s),
                    on_edge=False,
                    base_radius=flank.base_radius,
                    slope=math.cos(flank.base_helix_angle),
                    half_face=0.5 * data.a.teeth.gear.required_face_width(_WHAT),
                )
            )
        return tuple(found)


Patches = tuple[tuple[tuple[ContactPatch, ...], ...], ...]


def _common_warnings(patches: Patches, reach: float) -> tuple[str, ...]:
    every = [patch for row in patches for now in row for patch in now]
    edge = max((patch.peak_pressure for patch in every if patch.on_edge), default=0.0)
    inside = max((patch.peak_pressure for patch in every if not patch.on_edge), default=0.0)
    at_edges = (
        f"edge contact: {1e-6 * edge:.0f} MPa at a tip, an end of the face or the start of a linear relief, compared with "
        f"{1e-6 * inside:.0f} MPa on pairs of teeth without edge contact. At a sharp edge the pressure has no limit and depends "
        "on the cell size. To avoid it, relieve or crown the teeth with parabolic shapes",
    )
    found = at_edges if edge > _EDGE_BEYOND * inside else ()
    together = max(now[-1].tooth_a - now[0].tooth_a for row in patches for now in row)
    if together <= reach:
        return found
    return (
        *found,
        f"pairs of teeth {together} pitches apart carry load at the same time, but the elastic gears contain "
        f"neighbours up to {reach}. "
        f"Build them with offsets={together}",
    )


def _strip_warnings(pressed: _Pressed, patches: Patches, approach: FloatArray) -> tuple[str, ...]:
    """Where the law of strips is not what it is made for."""
    found = []
    every = [patch for row in patches for now in row for patch in now]
    wide = max(float((patch.half_width / patch.strip_width).max()) for patch in every)
    if wide > _NARROW:
        found.append(
            f"half widths of contact are up to {wide:.2g} strips, but strips are valid for narrow contact. Use fewer "
            "face_elements or "
            'method="cells"'
        )
    few = min(len(patch.force) for patch in every)
    if few < _FEW:
        found.append(f'a patch is only {few} strips long. Use more face_elements or method="cells"')
    flank = pressed.data.b.teeth.left.involute
    normal = float(np.abs(approach).max()) * flank.base_radius * math.cos(flank.base_helix_angle) / pressed.lever_b
    if normal > _FARTHEST * pressed.data.a.teeth.gear.normal_module:
        found.append(
            f"the tooth deflection is {1e3 * normal:.3g} mm, but gaps of strips are computed up to {_FARTHEST:g} "
            "modules. Pairs of teeth "
            'that would come into contact beyond this are left out. Use method="cells"'
        )
    return tuple(found)
