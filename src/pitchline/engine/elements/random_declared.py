"""Declared elements with random values, and their evaluation from Python in random states, for checks of elements.

One element in any state, evaluated from Python, moved, and differentiated, for checks of elements.

A pose is (x, R row-major), moved by increments (dx in world axes, theta in node axes): x + dx, R exp(theta~).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.declare.declared_element import REQUIRED, DeclaredElement, FrameField, JointField, ParameterField
from pitchline.declare.field_declarations import DescriptionField
from pitchline.errors import PitchlineError
from pitchline.functions.piecewise import Function, Harmonic
from pitchline.numerics.fields import Fields
from pitchline.parts.bodies.kernel_row import POWERS, Single
from pitchline.parts.bodies.part import ANGLE as ANGLE_NAME
from pitchline.parts.bodies.part import DISPLACEMENT as DISPLACEMENT_NAME
from pitchline.parts.friction.kernel_sticking import MODE, STICKS

from .contract import ANGLE, DISPLACEMENT, ENERGIES, RESIDUAL, Element, Turns, encode_measure, initial_turns
from .declared_kind import Surroundings, declared_element

__all__ = ["random_declared"]


STEP = 2e-4
"""Step of the finite differences: of fourth order, so that truncation and rounding are both near 1e-12 of the function."""


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def exponential(theta: np.ndarray) -> np.ndarray:
    """exp(theta~), Rodrigues."""
    a = float(np.linalg.norm(theta))
    S = skew(theta)
    if a < 1e-4:
        return np.eye(3) + S * (1 - a**2 / 6) + S @ S * (0.5 - a**2 / 24)
    return np.eye(3) + S * (np.sin(a) / a) + S @ S * ((1 - np.cos(a)) / a**2)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Evenly distributed over all rotations."""
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def pose(x: np.ndarray, R: np.ndarray) -> np.ndarray:
    return np.concatenate([x, R.ravel()])


def moved(P: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Poses (k, 12) moved by increments (k, 6)."""
    out = P.copy()
    for k, d in enumerate(dq):
        out[k, :3] += d[:3]
        out[k, 3:] = (P[k, 3:].reshape(3, 3) @ exponential(d[3:])).ravel()
    return out


class ContractError(PitchlineError):
    """An element writes data that it must not write."""


@dataclass(frozen=True)
class ProbedElement:
    """An element in a state."""

    element: Element
    P: np.ndarray  # (nodes, 12)
    V: np.ndarray  # (nodes, 6)
    A: np.ndarray  # (nodes, 6)
    lam: np.ndarray  # (multipliers)
    functions: np.ndarray = field(default_factory=lambda: np.zeros(1))
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    t: float = 0.0
    own: dict[str, np.ndarray] = field(default_factory=dict)
    """Own coordinates by name: values, rates and accelerations, (3, count)."""
    inputs: np.ndarray = field(default_factory=lambda: np.zeros((2, 0)))
    """Signals that it reads: values and rates, (2, count)."""
    turns: dict[str, np.ndarray] = field(default_factory=dict)
    """Counted revolutions of its joints, by the name of the field of `x`."""
    opened: bool = False
    """Condensed coordinates have their own rows."""

    @property
    def own_in_block(self) -> list[str]:
        """Names of own coordinates that have rows, in the order of the local block."""
        found = sorted(self.element.kind.coordinates, key=lambda c: c.condensed)
        return [c.name for c in found if self.opened or not c.condensed]

    @property
    def n(self) -> int:
        """Number of coordinates: of the nodes, and of its own."""
        return 6 * len(self.element.nodes) + sum(self.own[name].shape[1] for name in self.own_in_block)

    @property
    def size(self) -> int:
        """Size of the local block."""
        return self.n + len(self.element.kind.inputs) + len(self.element.rows)

    def rotation(self, k: int) -> np.ndarray:
        return self.P[k, 3:].reshape(3, 3)

    def along(self, e: float) -> "ProbedElement":
        """The state a little later: positions along V, velocities along A."""
        own = {name: np.stack([x + e * v, v + e * a, a]) for name, (x, v, a) in self.own.items()}
        return replace(
            self,
            P=moved(self.P, e * self.V),
            V=self.V + e * self.A,
            t=self.t + e,
            own=own,
            inputs=np.stack([self.inputs[0] + e * self.inputs[1], self.inputs[1]]),
        )


@dataclass(frozen=True)
class Evaluation:
    """Result of `evaluate`: the local block, and the supplied and dissipated power."""

    r: np.ndarray
    J: np.ndarray
    power: np.ndarray


def single(probe: ProbedElement, *, rest: float = 0.0) -> Single:
    """Element of a probe in its state, ready for calls; `rest` fills its scratch."""
    one = Single(probe.element, probe.functions)
    one.scratch = littered(probe.element, rest)
    one.memory = probe.memory.copy()
    one.nodes[:] = np.hstack([probe.P, probe.V, probe.A])
    one.lam[:] = probe.lam
    for name, values in probe.own.items():
        one.coordinates[name][:] = values
    one.inputs["value"], one.inputs["rate"] = probe.inputs
    for name, memory in probe.turns.items():
        one.turns[name][:] = memory
    one.ask["t"] = probe.t
    return one


def littered(element: Element, value: float) -> np.ndarray:
    """Scratch of an element filled with a number; counts and places of arrays are as they were at the start."""
    scratch, record = element.first_scratch.copy(), element.kind.scratch
    scratch[record.size :] = value
    if record.size:
        _litter(scratch[: record.size].view(record.dtype), record, value)
    return scratch


def _litter(content: np.ndarray, record: Fields, value: float) -> None:
    for name, kind in record.layout:
        if kind.what == "embedded":
            _litter(content[name], kind.of, value)
        elif kind.what in ("number", "tuple", "inline"):
            content[name] = value


def call(
    probe: ProbedElement,
    mode: int,
    *,
    mass: float = 0.0,
    damping: float = 0.0,
    stiffness: float = 0.0,
    load: float = 1.0,
    shift: float = 0.0,
    rest: float = 0.0,
) -> Evaluation:
    """Evaluate as the assembly does, after `begin`; `rest` fills the scratch before.

    ContractError if data other than scratch, power, r and J is written.
    """
    one = single(probe, rest=rest)
    for name, value in {"M": mass, "D": damping, "K": stiffness, "load": load, "shift": shift}.items():
        one.ask[name] = value
    before = contents(one)
    one.begin()
    _untouched(one, before, "begin writes data other than scratch")
    r, J = one.evaluate(mode, opened=probe.opened)
    _untouched(one, before, "evaluate writes data other than r, J, scratch or power")
    return Evaluation(r, J, np.array([one.ask["power_in"], one.ask["power_out"]]))


def contents(one: Single) -> list[bytes]:
    """All data that an element reads, as bytes: without its scratch, the mode, the power that `evaluate` adds, and the efforts
    that `begin` collects."""
    ask = one.ask.copy()
    for name in ("mode", "open", "cut", "stop", "restart", "grip", "acting", *POWERS):
        ask[name] = 0
    own = (one.coordinates[name] for name in sorted(one.coordinates))
    return [x.tobytes() for x in (one.parameters, one.memory, one.functions, one.nodes, one.lam, one.seen, ask, *own)]


def _untouched(one: Single, before: list[bytes], message: str) -> None:
    if contents(one) != before:
        raise ContractError(message)


def accepted(probe: ProbedElement, *, rest: float = 0.0) -> np.ndarray:
    """Memory after the current state was accepted; `rest` fills the scratch before."""
    one = single(probe, rest=rest)
    one.begin()
    one.accept()
    return one.memory


def residual(probe: ProbedElement) -> np.ndarray:
    """Residual of the local block."""
    return call(probe, RESIDUAL).r


def reported(probe: ProbedElement, *, rest: float = 0.0) -> dict[str, Any]:
    """Energies, power and signals by name; `rest` fills the scratch before."""
    one = single(probe, rest=rest)
    one.begin()
    before = contents(one)
    out = one.report()
    _untouched(one, before, "report writes data other than out or scratch")
    if any(one.ask[name] for name in POWERS):
        raise ContractError("report adds to the power of ask; only evaluate may do this")
    return out


def energies(probe: ProbedElement) -> np.ndarray:
    """(kinetic energy, potential energy, supplied power, dissipated power)."""
    out = reported(probe)
    return np.array([out[name] for name in ENERGIES])


def report(probe: ProbedElement) -> dict[str, Any]:
    """Signals by name."""
    return {name: value for name, value in reported(probe).items() if name not in ENERGIES}


def central(f: Callable[[float], Any], h: float = STEP) -> Any:
    """f'(0) by a central difference of fourth order."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def derivatives(probe: ProbedElement, step: float = STEP) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """d(residual) by accelerations, velocities, positions, and inputs with multipliers, by differences; a column each.

    step: of the differences."""
    m = probe.size
    one = single(probe)
    one.begin()
    P, V, A = one.nodes[:, :12], one.nodes[:, 12:18], one.nodes[:, 18:]

    def now() -> np.ndarray:
        return one.evaluate(RESIDUAL, opened=probe.opened)[0]

    def by_entry(x: np.ndarray, i: Any) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            x[i] += d
            value = now()
            x[i] = before
            return value

        before = float(x[i])
        return central(at, step)

    def by_input(i: int) -> np.ndarray:
        return by_entry(one.inputs["value"], i)

    def by_position(i: int) -> np.ndarray:
        def at(d: float) -> np.ndarray:
            dq = np.zeros((1, 6))
            dq[0, i % 6] = d
            P[node] = moved(probe.P[node : node + 1], dq)[0]
            value = now()
            P[node] = probe.P[node]
            return value

        node = i // 6
        return central(at, step)

    def columns(all_of: list[np.ndarray]) -> np.ndarray:
        return np.stack(all_of, axis=1) if all_of else np.zeros((m, 0))

    def own(part: int) -> list[np.ndarray]:
        found = ((name, i) for name in probe.own_in_block for i in range(probe.own[name].shape[1]))
        return [by_entry(one.coordinates[name], (part, i)) for name, i in found]

    of_nodes = range(6 * len(probe.element.nodes))
    return (
        columns([by_entry(A, divmod(i, 6)) for i in of_nodes] + own(2)),
        columns([by_entry(V, divmod(i, 6)) for i in of_nodes] + own(1)),
        columns([by_position(i) for i in of_nodes] + own(0)),
        columns([by_input(i) for i in range(len(one.inputs))] + [by_entry(one.lam, i) for i in range(one.lam.size)]),
    )


def scale_of(*arrays: np.ndarray) -> float:
    """Largest number in the arrays, at least 1: the reference for tolerances."""
    return max(1.0, *(float(np.max(np.abs(x), initial=0.0)) for x in arrays))


# ---- random declared

# Declared elements with random values in random states, for checks.

_LAWS: dict[int, Callable[..., float]] = {
    1: lambda a: 0.4 + 0.7 * math.sin(a),
    2: lambda a, b: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b),
    3: lambda a, b, c: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b) + 0.3 * math.sin(c),
    4: lambda a, b, c, d: 0.4 + 0.7 * math.sin(a) - 0.5 * math.cos(b) + 0.3 * math.sin(c) * math.cos(d),
}
"""Smooth functions of so many numbers."""
_USUAL = (0.5, 2.0)
"""Range of numbers without a range for checks and without a default in the declaration."""


def random_declared(cls: type[DeclaredElement], rng: np.random.Generator, **fixed: Any) -> ProbedElement:
    """Element of a class: values from the ranges of its declaration, random bodies, own coordinates of typical magnitude.

    fixed: values of parameters that are not random. The static method `check_values(rng)` of a class can return values that must
    agree with each other (lists in rising order)."""
    hook = vars(cls).get("check_values")
    if hook is not None:
        fixed = {**getattr(hook, "__func__", hook)(rng), **fixed}
    places: list[np.ndarray] = []

    def place_of(function: Function) -> int:
        at = sum(part.size for part in places)
        places.append(np.asarray(function.encode(), float))
        return at

    given: dict[str, Any] = dict.fromkeys(cls.fields_of(FrameField), "body")
    given |= {name: f"joint {name}" for name in cls.fields_of(JointField)}
    lengths: dict[str, int] = {}
    for name, parameter in cls.fields_of(ParameterField).items():
        value = fixed[name] if name in fixed else _random_value(parameter, lengths, rng)
        if value is not REQUIRED:
            given[name] = value
    poses: list[np.ndarray] = []
    frames: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    world: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    measures: dict[str, np.void] = {}
    turns: dict[str, np.ndarray] = {}
    for name, declared in cls.fields.items():
        if isinstance(declared, FrameField):
            x, R = rng.normal(size=3), random_rotation(rng)
            frames[name] = 0.5 * rng.normal(size=3), random_rotation(rng)
            world[name] = x + R @ frames[name][0], R @ frames[name][1]
            poses.append(pose(x, R))
        elif isinstance(declared, JointField):
            ends, measures[name], turns[f"{name}_turns"] = _random_joint(
                declared.coordinate or str(rng.choice((ANGLE_NAME, DISPLACEMENT_NAME))), rng
            )
            poses += ends
    around = Surroundings(
        tuple(range(1, len(poses) + 1)),
        frames,
        world,
        place_of,
        measures,
        start=dict.fromkeys(measures, 0.0),
        source_of=lambda *_: None,
    )
    element = declared_element(cls("element", **given), around)
    if element.switches:
        element.memory[MODE] = STICKS
    own = {c.name: c.typical * rng.normal(size=(3, element.counts[c.count])) for c in element.kind.coordinates}
    return ProbedElement(
        element,
        np.stack(poses) if poses else np.zeros((0, 12)),
        rng.normal(size=(len(poses), 6)),
        rng.normal(size=(len(poses), 6)),
        rng.normal(size=len(element.rows)),
        functions=np.concatenate(places) if places else np.zeros(1),
        memory=next(iter(turns.values())) if element.kind.memory is Turns else element.memory.copy(),
        turns=turns,
        inputs=rng.normal(size=(2, len(element.kind.inputs))),
        t=float(rng.uniform(0.0, 1.0)),
        own=own,
        opened=any(c.condensed for c in element.kind.coordinates),
    )


def _random_value(field: ParameterField, lengths: dict[str, int], rng: np.random.Generator) -> Any:
    """A value of a parameter; REQUIRED in place of one that is left to its default."""
    if field.kind == "flag":
        return bool(rng.integers(2))
    if field.kind == "choice":
        return str(rng.choice(field.options))
    if field.kind in ("function", "input"):
        a, b, frequency = rng.uniform(0.5, 1.5, size=3)
        return Harmonic(amplitude=a, frequency=frequency, offset=b)
    if isinstance(field, DescriptionField) and field.random is not None:
        return field.random(rng)
    if field.check is None and field.default is not REQUIRED:
        return REQUIRED
    if field.kind == "law":
        return _LAWS[len(field.arguments)]
    if field.kind == "integer":
        least = int(field.limits[0] or 1)
        first, last = field.check or (least, field.limits[1] or least + 3)
        return int(rng.integers(int(first), int(last) + 1))
    low, high = field.check or _USUAL
    lowest, highest = field.limits
    low, high = max(low, low if lowest is None else lowest), min(high, high if highest is None else highest)
    size: int | None = None
    if field.kind == "vector":
        size = 3
    elif field.kind == "numbers":
        size = field.count if isinstance(field.count, int) else lengths.setdefault(field.count, int(rng.integers(2, 5)))
    values = rng.uniform(low, high, size=size)
    return float(values) if size is None else np.sort(values) if field.increasing else values


def _random_joint(coordinate: str, rng: np.random.Generator) -> tuple[list[np.ndarray], np.void, np.ndarray]:
    """Poses of two nodes, the measure between a frame on each with axes that nearly agree, and the memory of its turns."""
    a, b = ((rng.normal(size=3), random_rotation(rng)) for _ in range(2))
    x, R = rng.normal(size=3), random_rotation(rng)
    twist = float(rng.uniform(-3.0, 3.0))
    axes = R @ a[1] @ exponential(np.array([0.0, 0.0, twist])) @ exponential(0.2 * rng.normal(size=3))
    other = axes @ b[1].T
    measure = encode_measure(ANGLE if coordinate == ANGLE_NAME else DISPLACEMENT, a, b)
    return [pose(x, R), pose(rng.normal(size=3), other)], measure, initial_turns(twist, 0.0)
