"""Joint coordinates: which joints are independent, states by joint coordinates, and motions as arrays or functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.declare.names import Frame
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.station_signals import NodeMotion
from pitchline.engine.compile.system import State, System
from pitchline.errors import ModelError, SolveError, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.functions.sampled import Sampled
from pitchline.model.model import Model
from pitchline.parts.bodies.part import ANGLE, Joint
from pitchline.parts.springs.part import Force, JointLoad, Torque
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from .observers import starting_point

__all__ = [
    "JointCoordinate",
    "choose",
    "read_coordinates",
    "JointMotion",
    "chosen_state",
    "motion_of",
    "python_functions",
    "values_of",
    "JointState",
    "joint_state",
    "move_to",
    "read_positions",
]


# ---- joint choice

# Choice of the joint coordinates that describe the motion of a model.

INDEPENDENT = 1e-7
"""Smallest component of a row that is independent of other rows, relative to the row."""
AXES = "xyz"
_VELOCITIES = ("velocity", "angular_velocity")


@dataclass(frozen=True)
class JointCoordinate:
    """A coordinate: angle or displacement of a joint, or a component of the velocity of a body (world axes)."""

    name: str
    joint: Joint | None
    coordinate: str
    body: str = ""
    component: int = 0

    @property
    def is_velocity(self) -> bool:
        """Whether it is a velocity of a body, which has no position."""
        return self.joint is None

    @property
    def unit(self) -> str:
        """Unit of the coordinate: rad or m."""
        return "rad" if self.coordinate == ANGLE else "m"

    @property
    def effort_unit(self) -> str:
        """Unit of its torque or force."""
        return "N*m" if self.coordinate == ANGLE else "N"

    @property
    def effort(self) -> str:
        """ "torque" or "force"."""
        return "torque" if self.coordinate == ANGLE else "force"

    def value(self, motion: NodeMotion) -> float:
        """Angle in (-pi, pi] or displacement."""
        assert self.joint is not None
        return motion.coordinate(self.joint, self.coordinate)

    def row(self, motion: NodeMotion) -> np.ndarray:
        """Derivative of its rate by the velocities of the system."""
        if self.joint is not None:
            return motion.coordinate_row(self.joint, self.coordinate)
        return np.asarray(motion.jacobian(self._origin(motion))[self.component])

    def rate(self, motion: NodeMotion) -> float:
        """Its rate."""
        if self.joint is not None:
            return motion.coordinate_rate(self.joint, self.coordinate)
        return float(motion.velocity(self._origin(motion))[self.component])

    def _origin(self, motion: NodeMotion):  # type: ignore[no-untyped-def]
        return motion.placed(Frame(self.body, (0.0, 0.0, 0.0)))


def coordinate_of(joint: Joint, coordinate: str | None = None) -> JointCoordinate:
    """Coordinate of a joint; the angle if none is specified. Its name is that of the joint where this is unique."""
    chosen = joint.coordinates[0] if coordinate is None else coordinate
    short = len(joint.coordinates) == 1 or joint.kind == "screw"
    return JointCoordinate(
        joint.name if short and chosen == joint.coordinates[0] else f"{joint.name}.{chosen}", joint, chosen
    )


def read_coordinates(model: Model, given: object) -> list[JointCoordinate]:
    """Coordinates by name: "joint", "joint.angle", "joint.displacement", "body.velocity.x", "body.angular_velocity.x"."""
    names = [given] if isinstance(given, (str, Joint)) else given
    if not isinstance(names, Iterable):
        raise ModelError(f"coordinates must be names of joints, got {shown(given)}")
    found = [_read(model, name) for name in names]
    if not found:
        raise ModelError("coordinates: specify one or more joints, or leave it out for all independent coordinates")
    seen: set[str] = set()
    for c in found:
        if c.name in seen:
            raise ModelError(f'coordinates: "{c.name}" is given twice')
        seen.add(c.name)
    return found


def _read(model: Model, name: object) -> JointCoordinate:
    if isinstance(name, Joint):
        name = name.name
    if not isinstance(name, str):
        raise ModelError(f"coordinates must be names of joints, got {shown(name)}")
    owner, _, last = name.rpartition(".")
    if name in model.joints:
        joint = model.joints[name]
        if not joint.coordinates:
            raise ModelError(
                f'coordinates: joint "{name}" ({joint.kind}) has neither an angle nor a displacement. Use velocities of its body, '
                f'such as "{joint.body_b}.angular_velocity.x"'
            )
        if len(joint.coordinates) > 1 and joint.kind != "screw":
            choice = " or ".join(f'"{name}.{c}"' for c in joint.coordinates)
            raise ModelError(f'coordinates: joint "{name}" has several coordinates. Specify {choice}')
        return coordinate_of(joint)
    if owner in model.joints and last in model.joints[owner].coordinates:
        return coordinate_of(model.joints[owner], last)
    body, _, what = owner.rpartition(".")
    if body in model.bodies and what in _VELOCITIES and last in AXES:
        return body_velocity(body, what == "angular_velocity", AXES.index(last))
    known = [j.name for j in model.joints.values() if j.coordinates]
    raise ModelError(
        f'coordinates: there is no joint "{name}"; {near_names(name, known)}. A coordinate is a joint, "JOINT.angle", '
        '"JOINT.displacement", "BODY.velocity.x" or "BODY.angular_velocity.x"'
    )


def body_velocity(body: str, angular: bool, axis: int) -> JointCoordinate:
    """A component of the velocity of a body as a coordinate."""
    what = _VELOCITIES[int(angular)]
    unit = ANGLE if angular else "displacement"
    return JointCoordinate(f"{body}.{what}.{AXES[axis]}", None, unit, body, axis + 3 * angular)


def _candidates(model: Model, first: Iterable[str]) -> Iterable[JointCoordinate]:
    """All coordinates: some joints first, then joints in the order of the model, then velocities of bodies."""
    for joint in (model.joints[name] for name in dict.fromkeys([*first, *model.joints]) if name in model.joints):
        for name in joint.coordinates[: 1 if joint.kind == "screw" else None]:
            yield coordinate_of(joint, name)
    for body in model.bodies:
        for angular in (False, True):
            for axis in range(3):
                yield body_velocity(body, angular, axis)


class _Independent:
    """Rows that are independent of each other, one after the other."""

    def __init__(self, free: int) -> None:
        self.basis = np.zeros((0, free))

    def take(self, row: np.ndarray, size: float) -> bool:
        """Add a row unless it depends on those before. size: magnitude of the row before the constraints were applied."""
        norm = float(np.linalg.norm(row))
        if norm <= INDEPENDENT * size:
            return False
        rest = row / norm
        for _ in range(2):
            rest = rest - self.basis.T @ (self.basis @ rest)
        left = float(np.linalg.norm(rest))
        if left <= INDEPENDENT:
            return False
        self.basis = np.vstack([self.basis, rest / left])
        return True


def choose(
    system: System, motion: NodeMotion, free: np.ndarray, given: list[JointCoordinate] | None, first: Iterable[str]
) -> list[JointCoordinate]:
    """Check the given coordinates, or choose them. free: (coordinates of the nodes, k), basis of all possible motions;
    first: joints that are preferred."""
    model = system.model
    n, k = free.shape
    weights = 1.0 / system.sizes[:n]
    found = _Independent(k)

    def take(c: JointCoordinate) -> bool:
        row = c.row(motion)[:n]
        return found.take(row @ free, float(np.linalg.norm(row / weights)) / max(system.length, 1.0) * 1e-3)

    if given is None:
        chosen: list[JointCoordinate] = []
        for c in _candidates(model, first):
            if len(chosen) == k:
                break
            if take(c):
                chosen.append(c)
        if len(chosen) < k:
            raise ModelError(
                f'model "{model.name}": {k - len(chosen)} of {k} motions are not those of joints or bodies'
            )
        return chosen
    for i, c in enumerate(given):
        if not take(c):
            others = ", ".join(f'"{g.name}"' for g in given[:i])
            depends = (
                f"follows from {others} through the joints and gears of the model" if others else "cannot change here"
            )
            raise ModelError(
                f'coordinates: "{c.name}" {depends}. Leave it out'
                + ("" if others else ", or start from another position if this one is a dead centre of the mechanism")
            )
    if len(given) < k:
        missing: list[str] = []
        for c in _candidates(model, first):
            if len(given) + len(missing) == k:
                break
            if take(c):
                missing.append(c.name)
        names = ", ".join(f'"{name}"' for name in missing)
        raise ModelError(
            f"coordinates: the model has {k} degrees of freedom, but {len(given)} "
            f"coordinate{' is' if len(given) == 1 else 's are'} given. Add {names}"
            f"{_elastic(model)}"
        )
    return given


def _elastic(model: Model) -> str:
    """Hint for gear pairs whose elastic teeth leave both wheels free."""
    soft = [name for name, pair in model.gear_pairs.items() if not pair.known_law.rigid]
    if not soft:
        return ""
    return f'. Teeth of gear pair "{soft[0]}" are elastic: with mesh=Rolling() its wheels have one common coordinate'


_DIMENSIONS = {
    ("q", "rad"): "angle", ("q", "m"): "length", ("qd", "rad"): "angular velocity", ("qd", "m"): "velocity",
    ("qdd", "rad"): "rad/s^2", ("qdd", "m"): "acceleration",
}  # fmt: skip


@dataclass
class JointMotion:
    """Positions, rates and accelerations (samples, coordinates) at times (samples,)."""

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def chosen_state(model: Model, state: Any, at: Any) -> tuple[Snapshot, Mapping[str, Any] | None]:
    """Snapshot from which the model is compiled, and positions of joints that are specified."""
    if state is None or isinstance(state, Mapping):
        if at is not None:
            raise ModelError("at is the time of a sample of a Result: specify the Result as state=")
        return starting_point(model, None), state
    if not isinstance(state, Result):
        raise ModelError(
            f"state must be a Result, positions by name of joint, or None for the initial pose, got {shown(state)}"
        )
    return starting_point(model, state if at is None else _sample(state, at)), None


def _sample(result: Result, at: Any) -> Result:
    """Result with one sample, the one at a time."""
    t = quantity(at, "time", what="at")
    if not result.time.size:
        raise ModelError(f'at: the {result.kind} result of model "{result.model_name}" has no sample')
    k = int(np.argmin(np.abs(result.time - t)))
    span = max(float(result.time[-1] - result.time[0]), abs(t))
    if abs(result.time[k] - t) > 1e-9 * max(span, 1e-12):
        raise ModelError(
            f"at: the result has no sample at t = {t:g} s; the nearest is at t = {float(result.time[k])!r} s"
        )
    time = np.array(result.time[k : k + 1])
    signals = {
        name: replace_signal(signal, k, time)
        for name, signal in result.signals.items()
    }  # fmt: skip
    return replace(result, time=time, signals=signals)


def replace_signal(signal: Any, k: int, time: np.ndarray) -> Any:
    """The same signal with one sample."""
    from pitchline.results.signal import Signal

    rate = None if signal.rate is None else np.array(signal.rate[k : k + 1])
    return Signal(
        signal.name, np.array(signal.values[k : k + 1]), time, signal.unit, signal.description, signal.components, rate
    )


def values_of(coordinates: list[JointCoordinate], given: Any, what: str, default: Any = None) -> np.ndarray:
    """(n,) values: an array in the order of the coordinates, or by name. default: value(s) of names that are missing."""
    kind = "qd" if what in ("qd", "speeds") else "q"
    n = len(coordinates)
    if isinstance(given, Mapping):
        _check_names(coordinates, given, what)
        found = np.full(n, np.nan) if default is None else np.array(np.broadcast_to(default, (n,)), float)
        for i, c in enumerate(coordinates):
            value = _named(given, c)
            if value is not None:
                found[i] = quantity(value, _DIMENSIONS[kind, c.unit], what=f'{what}: "{c.name}"')
            elif default is None:
                raise ModelError(f'{what}: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
        return found
    return _array(given, (n,), what, coordinates)


def _named(given: Mapping[str, Any], c: JointCoordinate) -> Any:
    for name in _names(c):
        if name in given:
            return given[name]
    return None


def _names(c: JointCoordinate) -> tuple[str, ...]:
    return (c.name,) if c.joint is None else (c.name, f"{c.joint.name}.{c.coordinate}")


def _check_names(coordinates: list[JointCoordinate], given: Mapping[str, Any], what: str) -> None:
    known = {name for c in coordinates for name in _names(c)}
    for name in given:
        if name not in known:
            names = [c.name for c in coordinates]
            raise ModelError(
                f'{what}: "{name}" is not one of the coordinates; {near_names(str(name), names)}. They are {_listed(coordinates)}'
            )


def _listed(coordinates: list[JointCoordinate]) -> str:
    return ", ".join(f'"{c.name}"' for c in coordinates)


def _array(given: Any, shape: tuple[int, ...], what: str, coordinates: list[JointCoordinate]) -> np.ndarray:
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers (SI) or values by name of joint, got {shown(given)}") from None
    if found.ndim == 0 and shape == (1,):
        found = found.reshape(1)
    if found.shape != shape:
        raise ModelError(f"{what}: expected the shape {shape} for {_listed(coordinates)}, got {found.shape}")
    if not np.all(np.isfinite(found)):
        raise ModelError(f"{what}: all values must be finite numbers")
    return found


def motion_of(coordinates: list[JointCoordinate], q: Any, qd: Any, qdd: Any, times: Any, start: float) -> JointMotion:
    """Read a motion. start: time if none are given [s]."""
    for c in coordinates:
        if c.is_velocity:
            raise ModelError(
                f'inverse dynamics: "{c.name}" is a velocity and has no position. Choose coordinates of joints'
            )
    t = None if times is None else _times(times)
    if isinstance(q, Mapping) and any(isinstance(x, Function) or callable(x) for x in q.values()):
        return _from_functions(coordinates, q, qd, qdd, t)
    if q is None:
        raise ModelError(
            "inverse dynamics: q is missing. Specify the positions of the coordinates, by name or as a table"
        )
    parts = {"q": q, "qd": qd, "qdd": qdd}
    if (qd is None) != (qdd is None):
        missing = "qd" if qd is None else "qdd"
        raise ModelError(
            f"inverse dynamics: {missing} is missing. Specify q, qd and qdd, or only q for the torques that hold a position"
        )
    tables = {name: _table(coordinates, x, name) for name, x in parts.items() if x is not None}
    samples = max([len(x) for x in tables.values()] + ([len(t)] if t is not None else []))
    for name, x in tables.items():
        if len(x) not in (1, samples):
            raise ModelError(f"inverse dynamics: {name} has {len(x)} samples, others have {samples}")
    if t is not None and len(t) not in (1, samples):
        raise ModelError(f"inverse dynamics: there are {len(t)} times, but {samples} samples")
    shape = (samples, len(coordinates))
    full = {
        name: np.array(np.broadcast_to(tables.get(name, np.zeros((1, shape[1]))), shape), float, order="C")
        for name in parts
    }
    at = np.full(samples, start) if t is None else np.array(np.broadcast_to(t, (samples,)), float)
    return JointMotion(at, full["q"], full["qd"], full["qdd"])


def _times(times: Any) -> np.ndarray:
    if isinstance(times, (str, int, float)):
        return np.array([quantity(times, "time", what="times")])
    try:
        t = np.array([quantity(x, "time", what="times") for x in times], float)
    except TypeError:
        raise ModelError(f"times: expected numbers [s], got {shown(times)}") from None
    if not t.size:
        raise ModelError("times: specify one or more times [s]")
    return t


def _table(coordinates: list[JointCoordinate], given: Any, what: str) -> np.ndarray:
    """(samples, n) from an array, or from values by name."""
    n = len(coordinates)
    if isinstance(given, Mapping):
        _check_names(coordinates, given, what)
        columns = []
        for c in coordinates:
            value = _named(given, c)
            if value is None:
                if what == "q":
                    raise ModelError(f'q: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
                value = 0.0
            unit = _DIMENSIONS[what, c.unit]
            several = np.ndim(value) > 0 and not isinstance(value, str)
            columns.append([quantity(x, unit, what=f'{what}: "{c.name}"') for x in (value if several else [value])])
        samples = max(len(x) for x in columns)
        for c, x in zip(coordinates, columns, strict=True):
            if len(x) not in (1, samples):
                raise ModelError(f'{what}: "{c.name}" has {len(x)} samples, others have {samples}')
        return np.stack([np.broadcast_to(np.array(x, float), (samples,)) for x in columns], axis=1)
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers (SI) or values by name of joint, got {shown(given)}") from None
    if found.ndim == 0 and n == 1:
        found = found.reshape(1, 1)
    if found.ndim == 1 and n == 1 and found.shape != (1,):
        found = found[:, None]
    if found.ndim == 1:
        found = found[None, :]
    if found.ndim != 2 or found.shape[1] != n or not len(found):
        raise ModelError(
            f"{what}: expected the shape (samples, {n}) or ({n},) for {_listed(coordinates)}, got {np.shape(given)}"
        )
    if not np.all(np.isfinite(found)):
        raise ModelError(f"{what}: all values must be finite numbers")
    return found


def _from_functions(
    coordinates: list[JointCoordinate], q: Mapping[str, Any], qd: Any, qdd: Any, t: np.ndarray | None
) -> JointMotion:
    if t is None:
        raise ModelError("inverse dynamics: q contains functions of time. Specify times")
    if qd is not None or qdd is not None:
        raise ModelError("inverse dynamics: q contains functions, which define qd and qdd. Leave these out")
    _check_names(coordinates, q, "q")
    columns = []
    for c in coordinates:
        f = _named(q, c)
        if f is None:
            raise ModelError(f'q: "{c.name}" is missing. Specify all of {_listed(coordinates)}')
        if isinstance(f, Sampled) or (callable(f) and not isinstance(f, Function)):
            raise ModelError(
                f'q: "{c.name}" is a Python function, whose second derivative is not exact. Specify arrays q, qd and qdd, or a '
                "Function such as Fourier, Polynomial or a cubic Table"
            )
        if not isinstance(f, Function):
            value = quantity(f, _DIMENSIONS["q", c.unit], what=f'q: "{c.name}"')
            columns.append(np.stack([np.full(len(t), value), np.zeros(len(t)), np.zeros(len(t))]))
            continue
        jumps = f.breakpoints(float(t.min()), float(t.max()), order=1)
        if jumps.size:
            raise ModelError(f'q: the speed of "{c.name}" jumps at t = {jumps[0]:g} s. Specify a smooth function')
        rate = f.derivative()
        columns.append(np.stack([f(t), rate(t), rate.derivative()(t)]))
    found = np.stack(columns, axis=2)
    return JointMotion(t, *(np.ascontiguousarray(x) for x in found))


def python_functions(model: Model) -> list[str]:
    """Loads, drives, meshes and elements with Python functions of time, which are sampled for the times of a run."""
    found = [d.name for d in model.drives.values() if isinstance(d.function, Sampled)]
    for load in model.loads.values():
        if any(isinstance(f, Sampled) for f in _functions(load)):
            found.append(load.name)
    for pair in model.gear_pairs.values():
        if any(isinstance(f, Sampled) for f in pair.functions_of_time.values()):
            found.append(pair.name)
    return found + [name for name, e in model.elements.items() if any(isinstance(f, Sampled) for f in e.functions)]


def _functions(load: Any) -> Iterator[Function]:
    if isinstance(load, JointLoad):
        yield from (f for f in (load.function,) if isinstance(f, Function))
    elif isinstance(load, (Force, Torque)):
        yield from (f for f in load.components if isinstance(f, Function))


# ---- joint state

# State of a model in joint coordinates: velocities and accelerations of all bodies from those of the joint
# coordinates.
#
# With the constraints B v + Phi_t = 0 of a system and the rates G v = q' of independent joint coordinates, A = [B; G]
# is square:
#
# A v = (-Phi_t, q') , A dv/dt = (-d(B v + Phi_t)/dt, q'' - dG/dt v) .
#
# The columns of N = A^-1 (0, 1) are the velocities of the system for unit rates.

DEAD_CENTRE = 1e12
"""Condition of A, with scaled rows and columns, above which the coordinates do not determine the motion."""
CONVERGED = 1e-12
LARGEST_STEP = 0.4
"""Largest rotation [rad], or displacement as a fraction of the length of the model, between counts of revolutions."""


@dataclass
class JointState:
    """A state with its matrices. B, C: rows and forces of the multipliers; G: rates of the coordinates; A = [B; G]."""

    state: State
    motion: NodeMotion
    M: np.ndarray
    B: np.ndarray
    C: np.ndarray
    G: np.ndarray
    inverse: np.ndarray

    @property
    def N(self) -> np.ndarray:
        """(coordinates of the nodes, joint coordinates)."""
        return self.inverse[:, len(self.B) :]


def as_array(K: Any) -> np.ndarray:
    """A dense matrix from a dense or sparse one."""
    return np.asarray(K) if isinstance(K, np.ndarray) else np.asarray(K.toarray())


def joint_state(system: System, state: State, coordinates: list[JointCoordinate], evaluator: Evaluator) -> JointState:
    """Matrices at a state."""
    n, nq = system.own.first, system.n_q
    motion = NodeMotion(system, state)
    K = as_array(evaluator.tangent(state, mass=1.0, moving=False, lam=np.zeros_like(state.lam), small_as_array=True)[1])
    B = K[nq:, :n]
    G = np.array([c.row(motion)[:n] for c in coordinates]).reshape(len(coordinates), n)
    A = np.vstack([B, G])
    rows = np.linalg.norm(A, axis=1)
    sizes = system.sizes[:n]
    scaled = A / np.where(rows > 0.0, rows, 1.0)[:, None] * sizes
    try:
        inner = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:
        inner = np.full_like(scaled, np.inf)
    if not np.all(np.isfinite(inner)) or np.linalg.norm(inner, np.inf) * np.linalg.norm(scaled, np.inf) > DEAD_CENTRE:
        names = ", ".join(f'"{c.name}"' for c in coordinates)
        raise SolveError(
            f"at t = {state.t:g} s the coordinates {names} do not determine the motion (a dead centre of the mechanism). Choose "
            "other coordinates, or another position",
            time=state.t,
        )
    return JointState(state, motion, K[:nq, :nq][:n, :n], B, K[:nq, nq:][:n], G, sizes[:, None] * inner / rows)


def set_speeds(system: System, s: JointState, evaluator: Evaluator, qd: np.ndarray) -> None:
    """Velocities of the state from the rates of the coordinates."""
    n = system.own.first
    s.state.v[:] = 0.0
    moving = evaluator.rates(s.state)
    s.state.v[:n] = s.inverse @ np.concatenate([-moving, qd])


def accelerations(
    system: System, s: JointState, evaluator: Evaluator, coordinates: list[JointCoordinate], qdd: np.ndarray
) -> np.ndarray:
    """(coordinates of the nodes,) accelerations of the system."""
    right = np.concatenate([-evaluator.convective(s.state), qdd - _convective(system, s.state, coordinates)])
    return np.asarray(s.inverse @ right)


def _convective(system: System, state: State, coordinates: list[JointCoordinate]) -> np.ndarray:
    """Change of the rates of the coordinates at constant v: central difference of fourth order along the motion."""
    fastest = float(np.max(np.abs(state.v) * system.layout.weight[: system.n_q], initial=0.0))
    e = 1e-3 / max(fastest, 1e-3)

    def rates(shift: float) -> np.ndarray:
        motion = NodeMotion(system, state, shift * state.v)
        return np.array([c.rate(motion) for c in coordinates])

    return np.asarray((8 * (rates(e) - rates(-e)) - (rates(2 * e) - rates(-2 * e))) / (12 * e))


def read_positions(system: System, state: State, coordinates: list[JointCoordinate]) -> np.ndarray:
    """Coordinates of a state, with their revolutions; nan for velocities of bodies."""
    motion = NodeMotion(system, state)
    found = np.full(len(coordinates), np.nan)
    for i, c in enumerate(coordinates):
        if c.joint is not None:
            found[i] = c.value(motion)
            if c.unit == "rad":
                known = state.mem[_memory_of(system, c.joint.name)]
                found[i] += 2 * np.pi * np.round((known - found[i]) / (2 * np.pi))
    return found


def _memory_of(system: System, joint: str) -> int:
    """Place of the counted angle of a joint."""
    from pitchline.engine.elements.frame_motion import COORDINATE

    for e, element in enumerate(system.elements):
        if element.kind is COORDINATE and element.name == joint:
            return int(system.mem0[e])
    raise KeyError(joint)


def move_to(
    system: System, state: State, coordinates: list[JointCoordinate], evaluator: Evaluator, q: np.ndarray
) -> JointState:
    """Move a state to positions of the coordinates, in steps in which revolutions are counted. Other constraints stay closed."""
    nq, n = system.n_q, system.own.first
    scale = system.layout.lam_scale[np.flatnonzero(system.layout.equation >= 0)]
    weight = system.layout.weight
    lam = np.zeros_like(state.lam)
    smallest, stalled, most, taken = np.inf, 0, np.inf, 0
    while taken < most:
        taken += 1
        evaluator.place(state, moving=False, lam=lam)
        phi = evaluator.work.rows(rates=False)
        s = joint_state(system, state, coordinates, evaluator)
        off = q - read_positions(system, state, coordinates)
        off[np.isnan(off)] = 0.0  # velocities of bodies have no position: these bodies move as little as possible
        way = s.inverse @ np.concatenate([-phi, off])
        size = float(np.max(np.abs(way) * weight[:n], initial=0.0))
        violation = float(np.max(np.abs(phi) / scale * weight[nq:], initial=0.0))
        error = max(size, violation)
        if size < CONVERGED or (error < 1e-9 and stalled > 1):
            return s
        most = min(most, taken + 60 + 4 * size / LARGEST_STEP)
        stalled = stalled + 1 if size < LARGEST_STEP and error > 0.5 * smallest else 0
        smallest = min(smallest, error)
        if stalled > 12:
            break
        dq = np.zeros(nq)
        dq[:n] = way * min(1.0, LARGEST_STEP / max(size, 1e-300))
        system.displace(state, dq)
        system.commit(state)
    wrong = int(np.argmax(np.abs(off)))
    raise SolveError(
        f'coordinate "{coordinates[wrong].name}" cannot reach {q[wrong]:g} {coordinates[wrong].unit}: the mechanism cannot be '
        "assembled there. Check the position, or choose other coordinates",
        time=state.t,
    )
