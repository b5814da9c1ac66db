"""Joint space: a model described by independent joint coordinates, for repeated evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import Frame
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.station_signals import NodeMotion
from pitchline.engine.compile.system import State
from pitchline.engine.solvers.consistent import project_velocities, store_multipliers
from pitchline.engine.solvers.linearised import null_space
from pitchline.errors import ModelError, SolveError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Body
from pitchline.parts.bodies.results import FrameJacobian, JointDynamics, JointForces, MassMatrix
from pitchline.parts.springs.part import Stop
from pitchline.units.quantity import quantity

from .body_tree import BodyTree, find_tree
from .joint_choice import (
    JointCoordinate,
    JointMotion,
    JointState,
    accelerations,
    as_array,
    choose,
    chosen_state,
    joint_state,
    motion_of,
    move_to,
    python_functions,
    read_coordinates,
    read_positions,
    set_speeds,
    values_of,
)
from .operating_point import check_model
from .part_warnings import with_friction_in_motion
from .start_positions import prepare
from .time_options import check_size

__all__ = [
    "ElementForces",
    "general_forces",
    "lossy_parts",
    "JointSpace",
    "inverse_dynamics",
    "jacobian",
    "joint_dynamics",
    "mass_matrix",
]


# ---- joint forces

# Forces of elements in the equations of motion of joint coordinates.

ITERATIONS = 30
"""Of forces that depend on the magnitude of a multiplier."""
CONVERGED, NEARLY = 1e-12, 1e-6
"""Largest relative change of the last iteration, and the one above which the result is refused."""
WORKLESS = 1e-9
"""Largest power of a multiplier that is rounding, relative to its force and the largest velocity."""


def lossy_parts(evaluator: Evaluator, s: JointState, model: Model) -> list[str]:
    """Constraints whose forces do work on the motions of the joint coordinates, such as rigid teeth with friction. These forces
    depend on the multipliers, and through them on the accelerations."""
    system = evaluator.system
    n, nq = system.own.first, system.n_q
    laws = {name: p.known_law for name, p in model.gear_pairs.items() if p.known_law.rigid}
    found = {name for name, law in laws.items() if law.friction is not None or law.efficiency is not None}
    live = np.flatnonzero(system.layout.equation >= 0)
    order = live[np.argsort(system.layout.equation[live])]
    state = s.state.copy()
    for sign in (1.0, -1.0):
        state.v[:] = 0.0
        state.v[:n] = s.N @ np.full(s.N.shape[1], sign)
        state.lam[:] = 0.0
        state.lam[live] = system.layout.lam_scale[live]
        C = as_array(evaluator.tangent(state, mass=1.0, lam=state.lam, small_as_array=True)[1])[:n, nq:]
        work = np.abs(s.N.T @ C).max(axis=0, initial=0.0)
        sizes = system.sizes[:n, None]
        size = (np.abs(C) * sizes).max(axis=0, initial=0.0) * (np.abs(s.N) / sizes).max(initial=0.0)
        found |= {system.row_owner(int(order[j])).name for j in np.flatnonzero(work > WORKLESS * size)}
    return sorted(found)


def general_forces(evaluator: Evaluator, s: JointState, vd: np.ndarray) -> np.ndarray:
    """(joint coordinates,) efforts that give the accelerations vd of the system, with the multipliers of all constraints."""
    system, state = evaluator.system, s.state
    n, nq = system.own.first, system.n_q
    state.vd[:] = 0.0
    state.vd[:n] = vd
    state.lam[:] = 0.0
    more, x, before = np.zeros_like(state.lam), np.zeros(system.n), np.full(len(s.G), np.inf)
    for _ in range(ITERATIONS):
        r, K = evaluator.tangent(state, mass=1.0, lam=state.lam, small_as_array=True)
        C = as_array(K)[:n, nq:]
        try:
            found = np.linalg.solve(np.hstack([C, -s.G.T]), -r[:n])
        except np.linalg.LinAlgError:
            raise SolveError(
                f"joint forces at t = {state.t:g} s: constraint forces and efforts of the joints are not determined (rigid teeth "
                "that lock themselves, or a dead centre). Choose another position, less friction, or Elastic teeth",
                time=state.t,
            ) from None
        x[nq:], tau = found[: C.shape[1]], found[C.shape[1] :]
        store_multipliers(system, more, x)
        state.lam += more
        if np.max(np.abs(tau - before), initial=0.0) <= CONVERGED * np.max(np.abs(tau), initial=1e-300):
            break
        before = tau
    else:
        if np.max(np.abs(tau - before), initial=0.0) > NEARLY * np.max(np.abs(tau), initial=1e-300):
            raise SolveError(
                f"joint forces at t = {state.t:g} s: the forces of rigid teeth and of friction, which depend on each other, do not "
                "converge. Reduce the friction, or use Elastic teeth",
                time=state.t,
            )
    return np.asarray(tau)


class ElementForces:
    """Forces of the elements of a system, in its coordinates, without those of constraints."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def parts(self, state: State, vd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(inertia at accelerations vd without masses at rest, weight, all others), as residuals of the coordinates of the nodes.

        Weight is what elements with inertia have at rest and the load factor of statics changes."""
        system = self.evaluator.system
        state = state.copy()
        state.vd[:] = 0.0
        state.vd[: len(vd)] = vd
        moving = self._residuals(state, moving=True)
        rest, unloaded = self._residuals(state, moving=False), self._residuals(state, moving=False, load=0.0)
        bias, gravity, others = (np.zeros(system.own.first) for _ in range(3))
        for e, r in moving.items():
            if system.elements[e].kind.has_inertia:
                bias += r - rest[e]
                gravity += rest[e] - unloaded[e]
                others += unloaded[e]
            else:
                others += r
        return bias, gravity, others

    def _residuals(self, state: State, *, moving: bool, load: float = 1.0) -> dict[int, np.ndarray]:
        s, work = self.evaluator.system, self.evaluator.work
        self.evaluator.place(state, moving=moving, load=load, lam=np.zeros_like(state.lam))
        found = {}
        for e in range(s.active):
            element = s.elements[e]
            if element.rows:
                continue
            local, total = work.element(e)[0], np.zeros(s.own.first)
            for i, g in enumerate(element.nodes):
                if g:
                    first, count = int(s.dof0[g]), int(s.ndof[g])
                    total[first : first + count] += s.T[g, :, :count].T @ local[6 * i : 6 * i + 6]
            found[e] = total
        return found


SAME_FORCES = 1e-6
"""Largest difference of the two methods; the general one differentiates constraints numerically."""


@names_wrong_arguments
class JointSpace:
    """A model described by independent joint coordinates q, for repeated evaluation: M(q) q'' + h(q, q', t) = τ.

    Shafts, beams and flexible bodies are rigid. Rigid gear pairs have no backlash, rigid stops have no effect, and friction of
    joints acts against the motion and is zero at rest. Drives of the chosen coordinates are left
    out, because the coordinates replace them; other drives stay. Internal states of controllers keep their values.

    Parameters
    ----------
    model
        Model. Later changes of the model have no effect.
    coordinates
        Names of joints, or "JOINT.angle", "JOINT.displacement", or for bodies without joints "BODY.velocity.x",
        "BODY.angular_velocity.x" (world axes). They must be independent and determine the motion of all bodies. Default: driven
        joints first, then joints in the order of the model, then velocities of bodies, as far as they are independent.
    state
        Starting state: a Result, or positions by name of joint [rad, m], or None for the initial pose of the model.
    at
        Time of a sample of the Result [s]. Default: the last sample.
    speeds
        Rates of the coordinates by name of joint [rad/s, m/s]. Default: those of the Result or of the model; 0 if positions are
        specified.
    without
        Names of loads, elements or drives to leave out, such as the motor torques that are to be computed.
    until
        Last time for which loads that are Python functions are needed [s]. Default: the time of the starting state.
    """

    def __init__(
        self,
        model: Model,
        coordinates: Any = None,
        *,
        state: Any = None,
        at: Any = None,
        speeds: Any = None,
        without: Any = (),
        until: Any = None,
    ) -> None:
        check_model(model)
        given = None if coordinates is None else read_coordinates(model, coordinates)
        driven = [drive.joint_name for drive in model.drives.values()]
        model, left_out = with_friction_in_motion(_reduced(model, given, without))
        given = None if coordinates is None else read_coordinates(model, coordinates)  # of the reduced model
        snapshot, positions = chosen_state(model, state, at)
        self._until = snapshot.t if until is None else max(snapshot.t, quantity(until, "time", what="until"))
        ready = prepare(model, snapshot, until=self._until, reduce=True, rigid_structures=True)
        self._system, self._state = ready.system, ready.state
        self.model = model
        if self._system.own.with_mass(self._system.elements):
            name = self._system.own.with_mass(self._system.elements)[0][0]
            raise ModelError(
                f'"{name}" is a coordinate with its own mass, which joint coordinates do not describe. Leave its element out: '
                f'without="{name.partition(".")[0]}"'
            )
        self._evaluator = Evaluator(self._system)
        self._coordinates = self._chosen(given, driven)
        self.warnings = (*ready.warnings, *left_out)
        self._names = tuple(c.name for c in self._coordinates)
        self._units = tuple(c.unit for c in self._coordinates)
        self._effort_units = tuple(c.effort_unit for c in self._coordinates)
        if np.any(self._state.v):
            project_velocities(self._system, self._state)  # as at the start of a run
        found = joint_state(self._system, self._state, self._coordinates, self._evaluator)
        self._lossy = lossy_parts(self._evaluator, found, model)
        qd = found.G @ self._state.v[: self._system.own.first]
        self._tree: BodyTree | None = None
        if not any(c.is_velocity for c in self._coordinates):
            q = read_positions(self._system, self._state, self._coordinates)
            self._tree = find_tree(self._system, self._state, found.N, q, self._rates_of_angles(found))
            if self._tree is not None and not self._lossy and not self._same_forces(q):
                self._tree = None
        if positions is not None:
            found = self._placed(self._merged(positions, self.positions, "state"))
            qd = np.zeros(len(qd))
        if speeds is not None:
            qd = self._merged(speeds, np.zeros(len(qd)) if positions is not None else qd, "speeds")
        set_speeds(self._system, found, self._evaluator, qd)
        self._speeds = qd

    # ---- what it is

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of all arrays."""
        return self._names

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates, "rad" or "m"."""
        return self._units

    @property
    def positions(self) -> np.ndarray:
        """(n,) coordinates of the starting state [rad, m]; nan for velocities of bodies."""
        return read_positions(self._system, self._state, self._coordinates)

    @property
    def speeds(self) -> np.ndarray:
        """(n,) rates of the starting state [rad/s, m/s]."""
        return self._speeds.copy()

    def __repr__(self) -> str:
        return f"JointSpace({self.model.name!r}: {', '.join(self._names)})"

    # ---- what it computes

    def mass_matrix(self, q: Any = None) -> MassMatrix:
        """Mass matrix at positions q.

        Parameters
        ----------
        q
            (n,) in the order of `coordinates`, or positions by name [rad, m]. Default: the starting state.
        """
        s = self._at(q, None)
        return self._mass(s)

    def dynamics(self, q: Any = None, qd: Any = None, *, time: float | None = None) -> JointDynamics:
        """Terms of the equations of motion, M q'' + bias + gravity = applied + τ.

        Parameters
        ----------
        q, qd
            Positions [rad, m] and rates [rad/s, m/s], (n,) or by name. Default: the starting state; rates 0 if q is given.
        time
            Time of loads and drives [s]. Default: that of the starting state.
        """
        s = self._at(q, qd, time)
        N, state = s.N, s.state
        forces = ElementForces(self._evaluator)
        vd = self._accelerations(s)
        bias, gravity, applied = (N.T @ r for r in forces.parts(state, vd))
        warnings = [
            f'"{name}": its friction depends on the constraint force, and through it on the accelerations. It is not included '
            "here. inverse_dynamics includes it"
            for name in self._lossy
        ]
        return JointDynamics(
            self._mass(s), bias, gravity, 0.0 - applied, self._read(state), s.G @ state.v[: len(N)],
            self._effort_units, state.t, (*self.warnings, *warnings),
        )  # fmt: skip

    def inverse_dynamics(self, q: Any, qd: Any = None, qdd: Any = None, *, times: Any = None) -> JointForces:
        """Torques and forces of the coordinates for a motion.

        Parameters
        ----------
        q, qd, qdd
            Positions [rad, m], rates [rad/s, m/s] and accelerations [rad/s^2, m/s^2]: (samples, n) or (n,) in the order of
            `coordinates`, or by name. If qd and qdd are left out, they are 0: the torques that hold the positions. q can
            contain functions of time (`Function`, or a Python function) by name; qd and qdd are then their derivatives.
        times
            (samples,) [s], for functions, loads and drives. Default: the time of the starting state.
        """
        motion = motion_of(self._coordinates, q, qd, qdd, times, self._state.t)
        self._check_times(float(motion.t.min()), float(motion.t.max()))
        values, method = self._forces(motion)
        return JointForces(
            motion.t, values, motion.q, motion.qd, motion.qdd, self._names, self._units, self._effort_units, method, self.warnings
        )  # fmt: skip

    def jacobian(
        self,
        frame: Any,
        q: Any = None,
        qd: Any = None,
        *,
        point: Any = None,
        axes: str = "world",
        time: float | None = None,
    ) -> FrameJacobian:
        """Jacobian of a frame, or of a point of a body.

        Parameters
        ----------
        frame
            Frame, body, or name of a body or sensor. Velocities are relative to the ground, also those of a sensor with
            another reference.
        q, qd, time
            As in `dynamics`.
        point
            Point of the body, from its origin in body axes [m], if no frame is given. Default: the origin.
        axes
            "world" (default), or "frame": velocities in the axes of the frame.
        """
        if axes not in ("world", "frame"):
            raise ModelError(f'jacobian: axes must be "world" or "frame", got {shown(axes)}')
        on = self._frame(frame, point)
        s = self._at(q, qd, time)
        placed = s.motion.placed(on)
        J = s.motion.jacobian(placed)[:, : len(s.N)]
        state = s.state
        n = len(s.N)
        state.vd[:] = 0.0
        state.vd[:n] = self._accelerations(s)
        moving = NodeMotion(self._system, state)
        rows, bias = J @ s.N, moving.acceleration(placed)
        drift = moving.velocity(placed) - rows @ (s.G @ state.v[:n])
        R = moving.axes(placed)
        if axes == "frame":
            turn = np.kron(np.eye(2), R.T)
            rows, bias, drift = turn @ rows, turn @ bias, turn @ drift
        drift[np.abs(drift) < 1e-14 * max(1.0, float(np.abs(rows).max(initial=0.0)))] = 0.0
        return FrameJacobian(
            rows, bias, drift, moving.position(placed), R, axes, self._names, self._units, self._read(state)
        )

    # ---- states

    def _check_times(self, first: float, last: float) -> None:
        """Python functions are sampled only from the starting state to `until`."""
        sampled = python_functions(self.model)
        if sampled and (first < self._state.t or last > self._until):
            raise ModelError(
                f'"{sampled[0]}" is a Python function that is sampled from t = {self._state.t:g} s to t = {self._until:g} s, but '
                f"times from {first:g} s to {last:g} s are requested. Specify until={last:g}"
            )

    def _at(self, q: Any, qd: Any, time: float | None = None) -> JointState:
        """State at positions and rates."""
        state = self._state
        if time is not None:
            state = state.copy()
            state.t = quantity(time, "time", what="time")
            self._check_times(state.t, state.t)
        if q is None:
            s = joint_state(self._system, state.copy(), self._coordinates, self._evaluator)
            rates = self._speeds if qd is None else values_of(self._coordinates, qd, "qd", default=0.0)
        else:
            s = self._placed(values_of(self._coordinates, q, "q"), state)
            rates = np.zeros(len(self._names)) if qd is None else values_of(self._coordinates, qd, "qd", default=0.0)
        set_speeds(self._system, s, self._evaluator, rates)
        s.motion = NodeMotion(self._system, s.state)
        return s

    def _accelerations(self, s: JointState) -> np.ndarray:
        """Accelerations of the system for q'' = 0; exact for a tree."""
        if self._tree is None:
            return accelerations(self._system, s, self._evaluator, self._coordinates, np.zeros(len(self._names)))
        other = s.state.copy()
        self._tree.set_state(other, self._read(s.state), s.G @ s.state.v[: len(s.N)])
        return other.vd[: len(s.N)]

    def _placed(self, q: np.ndarray, start: State | None = None) -> JointState:
        """The state at positions q; also the starting state, unless another one is given."""
        if any(c.is_velocity for c in self._coordinates):
            name = next(c.name for c in self._coordinates if c.is_velocity)
            raise ModelError(
                f'"{name}" is a velocity and has no position. Specify the state by a Result, or by the initial pose of the model'
            )
        state = self._state if start is None else start.copy()
        if self._tree is not None:
            self._tree.set_state(state, q, np.zeros(len(q)))
            return joint_state(self._system, state, self._coordinates, self._evaluator)
        return move_to(self._system, state, self._coordinates, self._evaluator, q)

    def _forces(self, motion: JointMotion) -> tuple[np.ndarray, str]:
        if self._tree is not None and not self._lossy:
            return self._tree.forces(motion.t, motion.q, motion.qd, motion.qdd), "tree"
        values = np.zeros_like(motion.q)
        state = self._state.copy()
        for k in range(len(motion.t)):
            state.t = float(motion.t[k])
            s = self._placed(motion.q[k], state)
            state = s.state
            set_speeds(self._system, s, self._evaluator, motion.qd[k])
            vd = accelerations(self._system, s, self._evaluator, self._coordinates, motion.qdd[k])
            values[k] = general_forces(self._evaluator, s, vd)
        return values, "general"

    def _mass(self, s: JointState) -> MassMatrix:
        M = s.N.T @ s.M @ s.N
        return MassMatrix(0.5 * (M + M.T), self._names, self._units, self._read(s.state))

    def _read(self, state: State) -> np.ndarray:
        return read_positions(self._system, state, self._coordinates)

    # ---- preparation

    def _chosen(self, given: list[JointCoordinate] | None, first: list[str]) -> list[JointCoordinate]:
        system, state = self._system, self._state
        check_size(self.model.name, system.n_q)
        n, nq = system.own.first, system.n_q
        K = as_array(
            self._evaluator.tangent(state, mass=1.0, moving=False, lam=np.zeros_like(state.lam), small_as_array=True)[1]
        )
        free = null_space(K[nq:, :n] * system.sizes[:n])
        if not free.shape[1]:
            raise ModelError(
                f'model "{self.model.name}" cannot move: its joints, gears and drives leave no degree of freedom. Leave out drives '
                "with without=, or choose their joints as coordinates"
            )
        return choose(system, NodeMotion(system, state), system.sizes[:n, None] * free, given, first)

    def _rates_of_angles(self, s: JointState) -> dict[str, np.ndarray]:
        """Derivatives of the angles of all joints by the coordinates."""
        n = len(s.N)
        return {name: s.motion.coordinate_row(joint, "angle")[:n] @ s.N for name, joint in self.model.joints.items()}

    def _same_forces(self, q: np.ndarray) -> bool:
        """Whether the tree and the general method give the same forces for a motion at the starting state."""
        assert self._tree is not None
        qd, qdd = np.linspace(0.3, 0.7, len(q)), np.linspace(0.5, -0.4, len(q))
        s = joint_state(self._system, self._state.copy(), self._coordinates, self._evaluator)
        set_speeds(self._system, s, self._evaluator, qd)
        vd = accelerations(self._system, s, self._evaluator, self._coordinates, qdd)
        general = general_forces(self._evaluator, s, vd)
        tree = self._tree.forces(np.array([self._state.t]), *(x[None].copy() for x in (q, qd, qdd)))[0]
        size = float(np.max(np.abs(general), initial=0.0)) + float(np.max(np.abs(s.N.T @ s.M @ s.N), initial=0.0))
        return bool(np.max(np.abs(tree - general), initial=0.0) <= SAME_FORCES * size)

    def _merged(self, given: Any, known: np.ndarray, what: str) -> np.ndarray:
        """Values by name, with others from the known ones."""
        return values_of(self._coordinates, given, what, default=known)

    def _frame(self, frame: Any, point: Any) -> Frame:
        if isinstance(frame, Frame):
            if point is not None:
                raise ModelError("jacobian: a frame has its own origin; specify a body for point=")
            if frame.body_name not in self.model.bodies and frame.body_name != self.model.ground.name:
                raise ModelError(
                    f'jacobian: body "{frame.body_name}" of the frame is not part of model "{self.model.name}"'
                )
            return frame
        name = frame.name if isinstance(frame, Body) else frame
        if not isinstance(name, str):
            raise ModelError(f"jacobian: expected a frame, a body, or the name of a body or sensor, got {shown(frame)}")
        if name in self.model.elements and "on" in self.model.elements[name].frames:
            if point is not None:
                raise ModelError(f'jacobian: "{name}" has its own point; specify a body for point=')
            return self.model.elements[name].frames["on"]
        if name not in self.model.bodies:
            raise ModelError(f'jacobian: there is no body "{name}"; {near_names(name, list(self.model.bodies))}')
        return self.model.bodies[name].frame(position=(0.0, 0.0, 0.0) if point is None else point)


def _reduced(model: Model, given: list[JointCoordinate] | None, without: Any) -> Model:
    """The model without drives of the coordinates, rigid stops, and backlash of rigid gear pairs."""
    if not isinstance(without, (str, list, tuple, set, frozenset)):
        raise ModelError(f"without must be a name, or a list of names of parts to leave out, got {shown(without)}")
    names = [without] if isinstance(without, str) else list(without)
    chosen = None if given is None else {(c.joint.name, c.coordinate) for c in given if c.joint is not None}
    for drive in model.drives.values():
        if (chosen is None or (drive.joint_name, drive.coordinate) in chosen) and drive.name not in names:
            names.append(drive.name)
    # a rigid stop limits the given motion; it is not a constraint of it
    stops = [load.name for load in model.loads.values() if isinstance(load, Stop) and load.rigid]
    names += [name for name in stops if name not in names]
    loose = [p for p in model.gear_pairs.values() if p.known_law.rigid and p.known_law.backlash > 0.0]
    closed = [p.with_law(replace(p.law, backlash=0.0, offset=0.0)) for p in loose]
    return model.replaced(*closed, without=names)


# ---- robots

# Mass matrix, equations of motion, inverse dynamics and Jacobians in joint coordinates.


@names_wrong_arguments
def mass_matrix(model: Model, coordinates: Any = None, *, state: Any = None, at: Any = None) -> MassMatrix:
    """Compute the mass matrix of a model over independent joint coordinates.

    Inertias of rotors and gears are included with their ratios. Closed loops are reduced to the coordinates.

    Parameters
    ----------
    model
        Model.
    coordinates, state, at
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at).mass_matrix()


@names_wrong_arguments
def joint_dynamics(
    model: Model, coordinates: Any = None, *, state: Any = None, at: Any = None, speeds: Any = None, without: Any = ()
) -> JointDynamics:
    """Compute the terms of the equations of motion in joint coordinates, M q'' + bias + gravity = applied + τ.

    Parameters
    ----------
    model
        Model.
    coordinates, state, at, speeds, without
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at, speeds=speeds, without=without).dynamics()


@names_wrong_arguments
def inverse_dynamics(
    model: Model,
    q: Any,
    qd: Any = None,
    qdd: Any = None,
    *,
    coordinates: Any = None,
    times: str | ArrayLike | None = None,
    state: Any = None,
    at: Any = None,
    without: Any = (),
) -> JointForces:
    """Compute the torques and forces of joint coordinates for a motion.

    Gravity, springs, dampers, friction and loads of the model are included.

    Parameters
    ----------
    model
        Model.
    q, qd, qdd, times
        As in `JointSpace.inverse_dynamics`.
    coordinates, state, at, without
        As in `JointSpace`.
    """
    last = None if times is None or isinstance(times, str) else float(np.max(np.asarray(times, float), initial=0.0))
    space = JointSpace(model, coordinates, state=state, at=at, without=without, until=times if last is None else last)
    return space.inverse_dynamics(q, qd, qdd, times=times)


@names_wrong_arguments
def jacobian(
    model: Model,
    frame: Any,
    coordinates: Any = None,
    *,
    state: Any = None,
    at: Any = None,
    speeds: Any = None,
    point: Any = None,
    axes: str = "world",
) -> FrameJacobian:
    """Compute the Jacobian of a frame or point: (v, ω) = J q'.

    Parameters
    ----------
    model
        Model.
    frame, point, axes
        As in `JointSpace.jacobian`.
    coordinates, state, at, speeds
        As in `JointSpace`.
    """
    return JointSpace(model, coordinates, state=state, at=at, speeds=speeds).jacobian(frame, point=point, axes=axes)
