"""The state about which a model is linearised."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.system import State, System, Workspace, opened, opened_state, settle
from pitchline.engine.elements.contract import Element
from pitchline.engine.solvers.impact import balance_motion, start_moving
from pitchline.engine.solvers.linearised import LinearMotion, SparseMotion, sparse_motion
from pitchline.engine.solvers.switching import omit_free_rows
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.contact.mesh_contact import out_of_contact
from pitchline.parts.contact.rigid_contact import surface_points
from pitchline.results.modes import OperatingPose
from pitchline.results.part_quantities import INITIAL, NO_FLANK, OperatingState
from pitchline.results.result import Result
from pitchline.solids.rotations import quaternion_of

from .observers import starting_point
from .operating_warnings import (
    UNDETERMINED,
    can_close,
    check_determined,
    flanks_of_pairs,
    loaded_snapshot,
    open_teeth,
    operating_warnings,
    without_kinks,
)
from .signals import build_signals, left_tables, samples_of
from .start_positions import prepare
from .time_options import check_size, foresee_dense

STRETCHED = 1e-6
"""x^T K x over |x|^T |K| |x| of an element that is stretched; smaller values are round-off."""

AT_REST = 1e-9
"""x^T K x over |x|^T |K| |x| of a motion along which all forces stay in balance."""
GEOMETRIC = 4.0
"""x^T K x over load times rotation times displacement that the rotation of a loaded element can give."""


@dataclass
class OperatingPoint:
    """A compiled model at a state, and its small motions about it. Condensed coordinates of elements are unknowns here."""

    model: Model
    system: System
    state: State
    rank: Rank
    small: SparseMotion
    snapshot: Snapshot
    reduce: bool = True
    warnings: list[str] = field(default_factory=list)
    dense: bool = False
    """Whether dense matrices of any size may be made."""
    closed: System | None = None
    """The system before its condensed coordinates were opened, if it has any."""
    turning: np.ndarray | None = None
    """Speed of the axes [rad/s], (3,), if they rotate."""
    stated: OperatingState = field(default_factory=lambda: OperatingState("initial state"))
    """What the result reports of the point."""

    @cached_property
    def motion(self) -> LinearMotion:
        """Small motions with constraints eliminated, as dense matrices; an error if they are large and dense is not set."""
        if not self.dense:
            check_size(self.model.name, self.system.n_q)
        foresee_dense(self.system.n_q)
        return self.small.dense()

    @staticmethod
    def of(
        model: Model,
        about: Result | str | None,
        *,
        turning_with: str | None = None,
        mean_stiffness: bool = False,
        reduce: bool = True,
        dense: bool = False,
    ) -> "OperatingPoint":
        """Operating point at the end of a result, or at the initial state of the model. If teeth carry no load there, it is the
        static equilibrium under the loads of the model, because these determine the loaded flanks.

        turning_with: motions are described in axes that rotate steadily with this body. mean_stiffness: use the mean of the mesh
        stiffness over the mesh cycle. dense: allow dense matrices of any size."""
        if about is not None and not isinstance(about, Result) and about != INITIAL:
            raise ModelError(
                f'about must be the result of an analysis (its end is the operating point) or "{INITIAL}", got {shown(about)}'
            )
        snapshot = starting_point(model, about if isinstance(about, Result) else None)
        check_turning_with(model, turning_with)
        if mean_stiffness:
            model = with_mean_stiffness(model)
        options: dict[str, Any] = {"turning_with": turning_with, "reduce": reduce, "dense": dense}
        where = f"end of the {about.kind} result" if isinstance(about, Result) else "initial state"
        point, flanks = OperatingPoint._at(model, snapshot, **options)
        if about is None and {UNDETERMINED, NO_FLANK} & set(flanks.values()):
            snapshot = loaded_snapshot(model, snapshot, flanks, reduce=reduce)
            point, flanks = OperatingPoint._at(model, snapshot, **options)
            where = "static equilibrium under the loads"
        check_determined(model, flanks, given=about is not None)
        point.warnings = point.warnings + open_teeth(point, flanks)
        point = point._without_kinks(flanks)
        point.stated = OperatingState(where, snapshot.t, flanks)
        return point

    @staticmethod
    def _at(
        model: Model, snapshot: Snapshot, *, turning_with: str | None, reduce: bool, dense: bool
    ) -> tuple["OperatingPoint", dict[str, str]]:
        """The point at a snapshot, and the flanks of its gear pairs."""
        ready = prepare(model, snapshot, until=snapshot.t, reduce=reduce)
        closed, state = ready.system, ready.state
        if not closed.n_q:
            raise ModelError(
                f'model "{model.name}" has no coordinate that can move: all bodies are fixed to the ground'
            )
        apart = start_moving(closed, state)
        if apart:  # small motions do not close them
            closed.relayout(np.union1d(closed.redundant, np.array(apart, np.int64)))
        system = opened(closed)
        state = opened_state(closed, system, state)
        balance_motion(system, state)
        omit_free_rows(system, state)
        turning = None if turning_with is None else speed_of(system, state, turning_with)
        small = sparse_motion(system, state, turning=turning)
        point = OperatingPoint(
            model,
            system,
            state,
            ready.rank,
            small,
            snapshot,
            reduce,
            ready.warnings,
            dense,
            None if closed is system else closed,
            turning,
        )
        point.warnings = point.warnings + operating_warnings(point, turning=turning)
        if not model.gear_pairs:
            return point, {}
        signals = build_signals(system, samples_of([state.copy()]), ready.rank, inertial=True)
        point.warnings = point.warnings + left_tables(signals) + out_of_contact(model, signals)
        return point, flanks_of_pairs(point, signals)

    def _without_kinks(self, flanks: dict[str, str]) -> "OperatingPoint":
        """Forces that have a kink at the point have no effect there, or their mean slope, zero, is used."""
        pairs, warnings = without_kinks(self, flanks)
        if not pairs:
            return self
        model = self.model.replaced(*pairs)
        system = self.compiled(model)
        small = sparse_motion(system, self.state, turning=self.turning)
        return replace(self, model=model, system=system, small=small, warnings=self.warnings + warnings)

    def without_potential(self) -> list[str]:
        """Gear pairs whose separating force has no potential and whose centres can move."""
        pairs = self.model.gear_pairs.items()
        return [name for name, p in pairs if p.law.separating and not p.law.follow_centres and can_close(self, name)]

    def fed_by(self, s: complex, x: np.ndarray) -> dict[str, float]:
        """Power that elements without constraints add to a motion x exp(s t), x (n,): -Re(v* (K_e x + D_e v)), v = s x."""
        found: dict[str, float] = {}
        for damping, tangent in ((False, x), (True, s * x)):
            for element, matrix, local in self._elastic(
                np.stack([x, tangent], axis=1).astype(complex), damping=damping
            ):
                found[element.name] = found.get(element.name, 0.0) - float(
                    np.real(np.conj(s * local[:, 0]) @ matrix @ local[:, 1])
                )
        return found

    def compiled(self, model: Model) -> System:
        """A system of a model that has the same bodies, joints and pairs, with the same layout."""
        system, _ = compile_model(model, self.snapshot, until=self.snapshot.t, reduce=self.reduce)
        system.relayout(self.system.redundant)
        return opened(system)

    def moved(self, x: np.ndarray) -> State:
        """State after displacements x (n,) in fixed axes; condensed coordinates follow the forces."""
        state = self.state.copy()
        self.system.displace(state, self.increments(x))
        if self.closed is not None:
            settle(self.closed, self.system, state)
        return state

    # ---- motions of bodies and elements

    def increments(self, x: np.ndarray) -> np.ndarray:
        """Increments of the system's coordinates from displacements x (n, ...) in fixed axes."""
        return self.small.axes.T @ x

    def body_motion(self, x: np.ndarray) -> np.ndarray:
        """(bodies, 6, ...): translation of the centres of mass and rotation of the bodies, in fixed axes."""
        dq, poses = self.increments(x), self.system.kinematics(self.state)
        out = np.zeros((len(self.system.nodes), 6, *x.shape[1:]), dtype=x.dtype)
        for k, plan in enumerate(self.system.nodes, 1):
            i, nd = int(self.system.dof0[k]), int(self.system.ndof[k])
            R = poses["R"][k].reshape(3, 3)
            node = np.tensordot(plan.T, dq[i : i + nd], axes=1)
            turn = np.tensordot(R, node[3:], axes=1)
            arm = R @ (plan.body.centre_of_mass - plan.offset)
            out[k - 1, :3] = node[:3] + np.cross(turn, arm, axisa=0, axisc=0)
            out[k - 1, 3:] = turn
        return out

    def rotations(self) -> np.ndarray:
        """R_WB of every body at this state, (bodies, 3, 3)."""
        return self.system.kinematics(self.state)["R"][1:].reshape(-1, 3, 3).copy()

    def pose(self, model: Model) -> OperatingPose:
        """Pose of all bodies. model: the model to describe, before averaging of the stiffness and before its inputs were added."""
        x = self.system.kinematics(self.state)["x"][1:]
        turned, plans = self.rotations(), self.system.nodes
        offsets = np.array([plan.offset for plan in plans]).reshape(-1, 3)
        centres = np.array([plan.body.centre_of_mass for plan in plans]).reshape(-1, 3)
        return OperatingPose(
            model=model.describe(),
            bodies=tuple(plan.body.name for plan in plans),
            positions=x - np.einsum("bij,bj->bi", turned, offsets),
            orientations=np.array([quaternion_of(R) for R in turned]).reshape(-1, 4),
            centres=np.einsum("bij,bj->bi", turned, centres),
            surfaces=surface_points(self),
        )

    def strain_energies(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Twice the strain energy, x* K_e x, of all elastic elements, for motions x (n, m)."""
        found: dict[str, np.ndarray] = {}
        for element, stiffness, local in self._elastic(x):
            name = element.name
            energy = np.einsum("in,ij,jn->n", local.conj(), stiffness, local).real
            if np.any(energy):
                found[name] = found.get(name, np.zeros(len(energy))) + energy
        return found

    def stretched_by(self, x: np.ndarray) -> list[str]:
        """Elastic elements that a motion x (n,) stretches, relative to the effect of each coordinate; the most stretched first.

        The load of a loaded element rotates with the motion, or other elements press it slightly (a housing by the bearings of
        bent shafts). This does not count as stretching: x^T K x up to the load times the displacement of the ends times the
        largest rotation is allowed, if all these elements together are in balance."""
        rounding = 1e-6 * np.abs(x).max(initial=0.0)
        K, size = self.small.K, np.abs(x)
        at_rest = abs(x @ (K @ x)) <= AT_REST * (size @ (abs(K) @ size))
        loads = self._loads() if at_rest else []
        turn = self._largest_rotation(x) if at_rest else 0.0
        found: dict[str, float] = {}
        for e, (element, Ke, local) in enumerate(self._elastic(x[:, None])):
            if len(element.nodes) == 1 and not element.own(condensed=False):
                continue  # a load, or a part fixed on a body, whose weight is off the axis
            name, nodes = element.name, 6 * len(element.nodes)
            parts = np.abs(local) + rounding
            energy = abs((local.T @ Ke @ local).item())
            geometric = turn * float(loads[e] @ parts[:nodes, 0]) if at_rest else 0.0
            if energy > STRETCHED * (parts.T @ np.abs(Ke) @ parts).item() + GEOMETRIC * geometric:
                found[name] = max(found.get(name, 0.0), energy)
        return sorted(found, key=lambda name: -found[name])

    def _largest_rotation(self, x: np.ndarray) -> float:
        """Of all bodies in a motion x (n,)."""
        return float(np.abs(self.body_motion(x[:, None])[:, 3:]).max(initial=0.0))

    @property
    def loaded(self) -> bool:
        """Whether loads act on the bodies, or the bodies move. The stiffness then depends on the accuracy of the equilibrium."""
        if np.any(self.model.gravity) or np.any(self.state.v) or np.any(self.state.lam):
            return True
        return any(np.any(size) for size in self._loads())

    def _loads(self) -> list[np.ndarray]:
        """Sizes of the forces and moments on the nodes of every element that may be elastic, in the order of `_elastic`."""
        return [np.abs(r) for _, _, r, _ in self._evaluated()]

    def stiffness_from_loads(self) -> np.ndarray:
        """(n,): magnitude of the stiffness that inertia and the forces of elements without constraints cause when they rotate with
        a motion. Round-off of the stiffness is relative to it, also where they cause none."""
        s, v = self.system, self.state.v
        moments = np.zeros(s.n_q)
        for element, _, r, _ in self._evaluated():
            for a, g in enumerate(element.nodes):
                i, nd = int(s.dof0[g]), int(s.ndof[g])
                if g and nd:
                    moments[i : i + nd] += np.abs(s.nodes[g - 1].T).T @ np.abs(r[6 * a : 6 * a + 6])
        turns = np.flatnonzero(s.layout.weight[: s.n_q] == 1.0)
        turns = turns[turns < s.own.first]
        found = np.zeros(s.n_q)
        found[turns] = moments[turns]
        rate = float(np.max(v[turns] ** 2, initial=0.0) + np.max(np.abs(self.state.vd[turns]), initial=0.0))
        return np.asarray(abs(self.small.axes) @ found + rate * np.abs(self.small.M.diagonal()))

    def _elastic(self, x: np.ndarray, *, damping: bool = False) -> Iterator[tuple[Element, np.ndarray, np.ndarray]]:
        """(element, stiffness or damping, motion for motions x (n, m)) of every element that may be elastic: of its nodes, then of
        its own coordinates that have a mass."""
        dq = self.increments(x)
        for element, own, _, J in self._evaluated(stiffness=float(not damping), damping=float(damping)):
            yield element, J, np.concatenate([*(self._node_motion(g, dq) for g in element.nodes), dq[own]])

    def _evaluated(
        self, stiffness: float = 0.0, damping: float = 0.0
    ) -> Iterator[tuple[Element, np.ndarray, np.ndarray, np.ndarray]]:
        """Every element that may be elastic, its own coordinates that have a mass, its forces on the nodes, and the derivatives of
        all forces."""
        s, work = self.system, Workspace(self.system)
        massless = set(s.own.first_order.tolist())
        work.question(self.state.t, stiffness=stiffness, damping=damping)
        work.set(self.state)
        work.place()
        for e in range(s.active):
            element = s.elements[e]
            if element.rows or element.kind is BODY:
                continue
            n = 6 * len(element.nodes)
            r, J = work.element(e, tangent=True)
            first = int(s.own.first_of[e])
            own = np.array([first + i for i in range(int(s.own.count_of[e])) if first + i not in massless], np.int64)
            kept = np.concatenate([np.arange(n), n + own - first])
            yield element, own, r[:n], J[np.ix_(kept, kept)]

    def _node_motion(self, g: int, dq: np.ndarray) -> np.ndarray:
        """(6, m) of a node, in the coordinates of the kernels."""
        if g == 0:
            return np.zeros((6, dq.shape[1]), dq.dtype)
        i, nd = int(self.system.dof0[g]), int(self.system.ndof[g])
        return self.system.nodes[g - 1].T @ dq[i : i + nd]


def check_model(model: object) -> None:
    """Check that it is a model."""
    if not isinstance(model, Model):
        raise ModelError(f"expected a Model, got {shown(model)}")


def with_mean_stiffness(model: Model, *, errors: bool = True) -> Model:
    """Copy of the model with the mean mesh stiffness; optionally without transmission errors."""
    return model.replaced(*(pair.with_law(pair.law.even(errors=errors)) for pair in model.gear_pairs.values()))


def check_turning_with(model: Model, body: str | None) -> None:
    """Check that the model has this body."""
    if body is not None and body not in model.bodies:
        raise ModelError(f'turning_with: no body "{body}"; {near_names(str(body), model.bodies)}')


def speed_of(system: System, state: State, body: str) -> np.ndarray:
    """Angular velocity of a body, world axes."""
    k = system.node_of[body]
    K = system.kinematics(state)
    return K["R"][k].reshape(3, 3) @ K["w"][k]
