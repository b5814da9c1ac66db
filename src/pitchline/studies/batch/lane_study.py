"""Study of a batch: its lanes, the reductions of signals by name, and the results.

Reductions by name: "mesh.transmission_error.peak_to_peak", "mesh.contact_loss", "axle.angular_speed.max".

A name consists of a part, a signal and a reduction. The signals are those of `dynamics`. Reductions of one signal share its sums
in the kernel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model

from ..points.parameter_values import Points
from ..sources import Source, SourceParameter
from ..study_result import StudyResult
from .kernels.lane_kernel import LaneKernel, LaneResult, LaneStatus, SignalReductions
from .kernels.small_text import LaneSignal
from .lane_train import WAVE_STEPS, LaneArrays, LaneTrain, chosen_steps, fastest, static_start, unbalanced
from .lane_values import LaneLimits
from .model_reading import TrainRead

__all__ = [
    "BATCH_STATUS",
    "FINAL_RATE",
    "FINAL_STATE",
    "BatchResult",
    "FixedSource",
    "MESH_UNITS",
    "LaneReduction",
    "Reductions",
    "default_reductions",
    "read_reductions",
    "NOT_COMPUTED",
    "LaneRuns",
    "LanesFound",
    "check_cycles",
    "LaneStudy",
    "equilibrium",
    "read_count",
]


# ---- batch result

# BatchResult: values at all points of a batch, with the states at its end.

BATCH_STATUS = ("fine", "diverged", "stopped", "not computed")
"""Names of the statuses of points."""
FINAL_STATE, FINAL_RATE = "final.deviation", "final.rate"
"""Variables of the states at the end of a run: deviations of the rotors from steady rolling, and their rates."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class BatchResult(StudyResult):
    """Result of a batch: a `StudyResult` whose points can be built as models.

    Its variables are the reductions, `closure` (the largest change of the state in the last cycle: small for a periodic motion)
    and the states at the end, from which ``batch.run(start=result)`` continues.
    """

    kind: ClassVar[str] = "study"
    source: Source | None = None

    def model(self, point: int | tuple[int, ...]) -> Model:
        """The model of a point, for `pitchline.dynamics`.

        point : index of the point, or its indices along the dimensions.
        """
        if self.source is None:
            raise ModelError(
                "the result was read from a file without its model. Build the model with the values of result.points"
            )
        i = self._index(point)
        values = {name: v for name, v in self.points.at(i).items() if name in self.source.parameters}
        return self.source.build(values)

    def _index(self, point: Any) -> int:
        if isinstance(point, tuple):
            try:
                return int(np.ravel_multi_index(point, self.shape))
            except (ValueError, TypeError):
                raise ModelError(f"there is no point {point}: the study has the shape {self.shape}") from None
        if isinstance(point, bool) or not isinstance(point, (int, np.integer)):
            raise ModelError(f"expected the index of a point, or its indices along the dimensions, got {shown(point)}")
        if not -len(self) <= point < len(self):
            raise ModelError(f"there is no point {point}: the study has {len(self)} points, counted from 0")
        return int(point) % len(self)


# ---- fixed source

# FixedSource: a Model without parameters as the source of a batch.

LANE = "lane"
"""Its only parameter: a number without effect, because a study has at least one parameter."""


@dataclass(frozen=True, eq=False)
class FixedSource(Source):
    """A model. fixed : the model."""

    fixed: Model

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the model."""
        return self.fixed.name

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return f'model "{self.fixed.name}"'

    @property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """One number without effect."""
        return {LANE: SourceParameter(0)}

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model."""
        return self.fixed

    def to_data(self) -> dict[str, Any]:
        """The description of the model."""
        return {"kind": "model", "name": self.fixed.name, "model": self.fixed.describe()}


MESH_UNITS = {
    "signed_force": "N", "normal_force": "N", "transmission_error": "m", "deflection": "m", "approach": "m", "contact": "",
}  # fmt: skip
"""Signals of gear pairs, with their units."""
CONTACT_LOSS = "contact_loss"
PLAIN = ("min", "max", "mean", "rms", "peak_to_peak")
NUMBERED = re.compile(r"(order|phase)_([1-9]\d*)\Z")
MOST_ORDER = 1000
EXTREMES, ORDERS = ("min", "max", "peak_to_peak"), ("order", "phase")


@dataclass(frozen=True)
class LaneReduction:
    """One number of a lane.

    name : complete. signal : index into the signals of the kernel, or -1 for contact_loss of `mesh`. kind : "max", "order" ...
    order : of the base cycle. unit : of the number. factor : of the signal of the rotor. speed : of its joint in steady rolling,
    divided by omega, which is added to the signal; 0 for deviations.
    """

    name: str
    signal: int
    kind: str
    order: int
    unit: str
    mesh: int = -1
    factor: float = 1.0
    speed: float = 0.0


class Reductions:
    """Reductions of a study, and the signals of the kernel that they need.

    largest : mesh with tables of loaded teeth -> (index of the signal of its force, largest force of its tables [N]).
    """

    def __init__(
        self, found: Sequence[LaneReduction], signals: Sequence[LaneSignal], largest: Mapping[str, tuple[int, float]]
    ) -> None:
        self.found, self.signals, self.largest = tuple(found), tuple(signals), dict(largest)

    @property
    def names(self) -> list[str]:
        """In the order of the user."""
        return [one.name for one in self.found]

    @property
    def units(self) -> dict[str, str]:
        """Unit of each name."""
        return {one.name: one.unit for one in self.found}

    def values(self, result: LaneResult, omega: np.ndarray) -> dict[str, np.ndarray]:
        """(lanes,) numbers by name."""
        return {one.name: _value(one, result, omega) for one in self.found}

    def beyond_tables(self, result: LaneResult) -> dict[str, np.ndarray]:
        """(lanes,) largest force of each mesh with tables, divided by the largest force of its tables."""
        found = {}
        for name, (signal, most) in self.largest.items():
            sums = result.signals[signal]
            found[name] = np.maximum(np.abs(sums.min), np.abs(sums.max)) / most  # type: ignore[arg-type]
        return found


def _value(one: LaneReduction, result: LaneResult, omega: np.ndarray) -> np.ndarray:
    if one.signal < 0:
        return result.contact_loss[one.mesh]
    return _reduced(one, result.signals[one.signal], np.full(omega.shape, one.factor), one.speed * omega)


def _reduced(one: LaneReduction, sums: SignalReductions, sign: np.ndarray, add: np.ndarray) -> np.ndarray:
    if one.kind == "order":
        return np.abs(sign) * sums.amplitudes[sums.signal.orders.index(one.order)]
    if one.kind == "phase":
        phase = sums.phases[sums.signal.orders.index(one.order)] + np.where(sign < 0.0, np.pi, 0.0)
        return np.asarray(np.angle(np.exp(1j * phase)))
    if one.kind == "peak_to_peak":
        return np.asarray(np.abs(sign) * (sums.max - sums.min))  # type: ignore[operator]
    if one.kind in ("min", "max"):
        low, high = sign * sums.min + add, sign * sums.max + add
        return np.asarray(np.minimum(low, high) if one.kind == "min" else np.maximum(low, high))
    if one.kind == "mean":
        return np.asarray(sign * sums.mean + add)
    if not np.any(add):
        return np.asarray(np.abs(sign) * sums.rms)
    return np.sqrt(np.maximum(sign**2 * sums.rms**2 + 2.0 * add * sign * sums.mean + add**2, 0.0))  # type: ignore[operator]


def default_reductions(read: TrainRead, mesh: int) -> list[str]:
    """Reductions of a batch if none are requested: force and transmission error of the mesh of the base cycle."""
    name = read.train.meshes[mesh].name
    found = [f"{name}.signed_force.{kind}" for kind in ("min", "max", "mean")]
    found += [f"{name}.transmission_error.{kind}" for kind in ("mean", "rms", "peak_to_peak", "order_1")]
    return [*found, *(f"{other.name}.{CONTACT_LOSS}" for other in read.train.meshes)]


def read_reductions(read: TrainRead, names: Iterable[str]) -> Reductions:
    """Reductions from names of the user."""
    if isinstance(names, str):
        names = [names]
    wanted: list[tuple[str, tuple[str, int, str], str, int, str, float, float]] = []
    seen: dict[tuple[str, int, str], set[str]] = {}
    orders: dict[tuple[str, int, str], set[int]] = {}
    for name in names:
        if not isinstance(name, str) or not name:
            raise ModelError(f'reduce: expected names such as "mesh.normal_force.max", got {shown(name)}')
        if any(name == other[0] for other in wanted):
            raise ModelError(f'reduce: "{name}" is given twice')
        key, kind, order, unit, factor, speed = _read(read, name)
        wanted.append((name, key, kind, order, unit, factor, speed))
        if kind != CONTACT_LOSS:
            seen.setdefault(key, set()).add(kind)
            if order:
                orders.setdefault(key, set()).add(order)
    if not wanted:
        raise ModelError("reduce: the list is empty. Leave it out for the usual reductions")
    tabled = {k: mesh for k, mesh in enumerate(read.train.meshes) if mesh.loaded is not None}
    for k in tabled:  # a force beyond its table is reported
        seen.setdefault(("mesh", k, "signed_force"), set()).add("max")
    keys = list(seen)
    signals = [_signal(key, seen[key], orders.get(key, set())) for key in keys]
    found = [
        LaneReduction(
            name, -1 if kind == CONTACT_LOSS else keys.index(key), kind, order, unit, key[1] if key[0] == "mesh" else -1, factor,
            speed,
        )
        for name, key, kind, order, unit, factor, speed in wanted
    ]  # fmt: skip
    largest = {
        mesh.name: (keys.index(("mesh", k, "signed_force")), float(mesh.loaded.loads[:, -1].min()) / mesh.cos_alpha)  # type: ignore[union-attr]
        for k, mesh in tabled.items()
    }
    return Reductions(found, signals, largest)


def _signal(key: tuple[str, int, str], kinds: set[str], orders: set[int]) -> LaneSignal:
    rms = "rms" in kinds
    return LaneSignal(*key, tuple(sorted(orders)), bool(kinds & set(EXTREMES)), rms or "mean" in kinds, rms)


def _read(read: TrainRead, name: str) -> tuple[tuple[str, int, str], str, int, str, float, float]:
    """(signal of the kernel, kind, order, unit, factor, speed) of a name."""
    meshes = [mesh.name for mesh in read.train.meshes]
    part = next((p for p in sorted([*meshes, *read.angles], key=len, reverse=True) if name.startswith(f"{p}.")), None)
    if part is None:
        known = [*meshes, *read.angles]
        first = name.split(".")[0]
        raise ModelError(f'reduce: "{name}": there is no gear pair or joint "{first}"; {near_names(first, known)}')
    signal, _, kind = name[len(part) + 1 :].partition(".")
    if part in meshes:
        k = meshes.index(part)
        if signal == CONTACT_LOSS and not kind:
            return ("mesh", k, CONTACT_LOSS), CONTACT_LOSS, 0, "", 1.0, 0.0
        if signal not in MESH_UNITS:
            raise _unknown(name, f'gear pair "{part}"', signal, [*MESH_UNITS, CONTACT_LOSS])
        kind, order, unit = _kind(name, f"{part}.{signal}", kind, MESH_UNITS[signal])
        return ("mesh", k, signal), kind, order, unit, 1.0, 0.0
    by, unit = read.angles[part]
    rate = "angular_speed" if unit == "rad" else "speed"
    units = {rate: f"{unit}/s", "deviation": unit, f"{rate}_deviation": f"{unit}/s"}
    if signal not in units:
        raise _unknown(name, f'joint "{part}"', signal, list(units))
    rotors = np.flatnonzero(by)
    if len(rotors) > 1:
        names = ", ".join(f'"{read.sources[i].joint}"' for i in rotors)
        raise ModelError(
            f'reduce: "{name}": joint "{part}" follows from several coordinates of the batch ({names}). Use signals of these joints'
        )
    kind, order, unit = _kind(name, f"{part}.{signal}", kind, units[signal])
    i = int(rotors[0]) if len(rotors) else 0
    factor = float(by[i]) if len(rotors) else 0.0
    absolute = signal == rate and kind not in ORDERS and kind != "peak_to_peak"
    if absolute and read.train.acceleration:
        raise ModelError(f'reduce: "{name}": the speed changes during the run. Use "{part}.{rate}_deviation.{kind}"')
    speed = factor * read.train.rotors[i].speed if absolute else 0.0
    return ("rotor", i, "angle" if signal == "deviation" else "speed"), kind, order, unit, factor, speed


def _kind(name: str, signal: str, kind: str, unit: str) -> tuple[str, int, str]:
    numbered = NUMBERED.match(kind)
    if numbered:
        order = int(numbered[2])
        if order > MOST_ORDER:
            raise ModelError(f'reduce: "{name}": the order must be at most {MOST_ORDER}, got {order}')
        return numbered[1], order, unit if numbered[1] == "order" else "rad"
    if kind not in PLAIN:
        known = [*PLAIN, "order_1", "phase_1"]
        if not kind:
            raise ModelError(
                f'reduce: "{name}" has no reduction. Specify e.g. "{signal}.max"; possible are {", ".join(known)}'
            )
        raise ModelError(f'reduce: "{name}": unknown reduction "{kind}"; {near_names(kind, known)}')
    return kind, 0, unit


def _unknown(name: str, part: str, signal: str, known: list[str]) -> ModelError:
    return ModelError(f'reduce: "{name}": {part} has no signal "{signal}" in a batch; {near_names(signal, known)}')


# ---- lane runs

# LaneRuns: runs the lanes of a train in groups with the same number of steps, and puts their results together.

NOT_COMPUTED = 3
"""Status of a lane that was not reached, after FINE, BLOWN_UP and STOPPED of `LaneStatus`."""


@dataclass(eq=False)
class LanesFound:
    """Results of all lanes. values : name -> (lanes,). states : (2 free, lanes). samples : (points, numbers, lanes).

    beyond : mesh with tables of loaded teeth -> (lanes,) largest force divided by the largest force of its tables.
    coarse : (lanes,) whether teeth touched and parted so often within a step that it was not cut everywhere.
    """

    values: dict[str, np.ndarray]
    status: np.ndarray
    closure: np.ndarray
    states: np.ndarray
    samples: np.ndarray
    coarse: np.ndarray
    interrupted: bool = False
    beyond: dict[str, np.ndarray] = field(default_factory=dict)


class LaneRuns:
    """Runs of a train.

    reductions : of the lanes. poincare : ("rotor" or "mesh", index) of the samples at the ends of cycles. device : "cpu" or "cuda".
    """

    def __init__(
        self,
        reductions: Reductions,
        poincare: Sequence[tuple[str, int]] = (),
        *,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        self.reductions, self.poincare, self.device, self.threads = reductions, tuple(poincare), device, threads

    def run(
        self,
        train: LaneTrain,
        states: np.ndarray,
        steps: np.ndarray,
        *,
        settle: int,
        record: int,
        points: int = 0,
        first_cycle: int = 0,
    ) -> LanesFound:
        """Run all lanes from their states. After an interrupt from the keyboard the groups that are complete are returned."""
        arrays = LaneArrays(train)
        n = states.shape[1]
        found = LanesFound(
            {name: np.full(n, np.nan) for name in self.reductions.names}, np.full(n, NOT_COMPUTED, np.int8), np.full(n, np.nan),
            states.copy(), np.full((points, 2 * len(self.poincare), n), np.nan), np.zeros(n, bool),
        )  # fmt: skip
        try:
            for lanes, count in _groups(n, steps):
                self._run_group(found, train, arrays, states, lanes, count, (settle, record, points, first_cycle))
        except KeyboardInterrupt:
            found.interrupted = True
        return found

    def _run_group(
        self, found: LanesFound, train: LaneTrain, arrays: LaneArrays, states: np.ndarray, lanes: np.ndarray, steps: int,
        length: tuple[int, int, int, int],
    ) -> None:  # fmt: skip
        settle, record, points, first_cycle = length
        part = _part(train, lanes)
        kernel = LaneKernel(
            part,
            self.reductions.signals,
            self.poincare if points else (),
            lanes=len(lanes),
            device=self.device,
            threads=self.threads,
        )
        result = kernel.run(
            states[:, lanes], settle=settle, record=record, steps=steps, points=points, first_cycle=first_cycle
        )
        omega = arrays.of(train.omega)[_place(arrays, lanes)] * np.ones(len(lanes))
        for name, values in self.reductions.values(result, omega).items():
            found.values[name][lanes] = values
        for name, share in self.reductions.beyond_tables(result).items():
            found.beyond.setdefault(name, np.zeros(found.status.size))[lanes] = share
        coarse = result.status == LaneStatus.MANY_CHANGES  # valid, with less accuracy
        found.coarse[lanes] = coarse
        found.status[lanes], found.closure[lanes] = np.where(coarse, 0, result.status), result.closure
        found.states[:, lanes] = result.states
        if points:
            found.samples[:, :, lanes] = result.points


def _place(arrays: LaneArrays, lanes: np.ndarray) -> np.ndarray:
    """Places of lanes in the arrays, which have one lane if no number varies."""
    return lanes if arrays.lanes > 1 else np.zeros(1, np.int64)


def _groups(n: int, steps: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """(lanes, steps): lanes with the same number of steps."""
    found, place = np.unique(np.broadcast_to(steps, (n,)), return_inverse=True)
    for k, count in enumerate(found):
        yield np.flatnonzero(place.ravel() == k), int(count)


def _part(train: LaneTrain, lanes: np.ndarray) -> LaneTrain:
    """The train with the numbers of some lanes."""
    values = {
        name: np.asarray(v)[lanes] if np.size(v) > 1 else float(np.ravel(v)[0]) for name, v in train.values.items()
    }
    return replace(train, values=values)


# ---- run limits

# Limits of the number of cycles of a run: the end of a ramp, the end of a rack.


def check_cycles(arrays: LaneArrays, limits: LaneLimits, cycles: int) -> None:
    """Refuse a run beyond a limit of its model. cycles: base cycles from the start of the lanes."""
    omega, alpha = arrays.of(arrays.train.omega), arrays.of(arrays.train.acceleration)
    angle = 2.0 * math.pi * cycles
    square = omega**2 + 2.0 * alpha * angle
    with np.errstate(invalid="ignore"):
        end = np.where(square > 0.0, 2.0 * angle / (omega + np.sqrt(np.maximum(square, 0.0))), np.inf)
    until = np.broadcast_to(limits.until, omega.shape)
    late = end > until * (1.0 + 1e-9)
    if np.any(late):
        i = int(np.argmax(late))
        most = int((omega[i] * until[i] + 0.5 * alpha[i] * until[i] ** 2) / (2.0 * math.pi))
        raise ModelError(
            f"a ramp of the model ends {until[i]:g} s after the start of the batch, after {most} mesh cycles at point {i}, but "
            f"settle + record are {cycles} cycles. Use fewer cycles, a longer ramp, or a later time="
        )
    for name, numbers in limits.travel.items():
        start, speed, low, high = (np.broadcast_to(x, omega.shape) for x in numbers)
        last = start + speed * angle
        out = (np.minimum(start, last) < low) | (np.maximum(start, last) > high)
        if np.any(out):
            i = int(np.argmax(out))
            room = (high[i] - start[i]) if speed[i] > 0.0 else (start[i] - low[i])
            most = int(max(room, 0.0) / (abs(speed[i]) * 2.0 * math.pi))
            raise ModelError(
                f'the rack of gear pair "{name}" ends after {most} mesh cycles at point {i}, but settle + record are {cycles} '
                "cycles. Use fewer cycles, or a longer rack"
            )


# ---- lane study

# LaneStudy: the points of a study as lanes, ready to run.

COARSE = 1.0
"""Product of the largest eigenfrequency and the time step above which a warning is given."""


def read_count(value: object, name: str, least: int) -> int:
    """A whole number of the user."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ModelError(f"batch: {name} must be a whole number, {least} or more, got {shown(value)}")
    return int(value)


def equilibrium(arrays: LaneArrays, lanes: int) -> np.ndarray:
    """(2 free, lanes) states at rest relative to steady rolling, in static equilibrium."""
    x = np.broadcast_to(static_start(arrays), (lanes, len(arrays.n)))[:, arrays.free].T
    return np.concatenate([x, np.zeros_like(x)])


@dataclass(eq=False)
class LaneStudy:
    """Points with the train of their lanes."""

    points: Points
    read: TrainRead
    train: LaneTrain
    limits: LaneLimits

    @cached_property
    def arrays(self) -> LaneArrays:
        """Numbers as arrays."""
        return LaneArrays(self.train)

    @property
    def lanes(self) -> int:
        """Number of points."""
        return len(self.points)

    def check(self, cycles: int) -> None:
        """Refuse what has no steady rolling, and runs that are too long for the model."""
        wrong = unbalanced(self.arrays)
        if wrong is not None:
            power = float(np.abs(self.arrays.torque[wrong] @ self.arrays.n * self.arrays.of(self.train.omega)[wrong]))
            raise ModelError(
                f'model "{self.train.name}" cannot be computed as a batch: it has no drive, and at point {wrong} its loads '
                f"accelerate it (their power is {power:.3g} W). Add a drive, or balance the loads"
            )
        check_cycles(self.arrays, self.limits, cycles)

    def steps(self, given: Any, reductions: Reductions) -> np.ndarray:
        """(lanes,) steps of a base cycle."""
        highest = max((order for signal in reductions.signals for order in signal.orders), default=0)
        if given is None:
            return np.broadcast_to(chosen_steps(self.arrays, WAVE_STEPS * highest), (self.lanes,))
        found = read_count(given, "steps", 8)
        if found <= 2 * highest:
            raise ModelError(
                f"batch: order {highest} needs more than {2 * highest} steps in a mesh cycle, got steps={found}"
            )
        return np.full(self.lanes, found)

    def warnings(self, steps: np.ndarray) -> list[str]:
        """What is doubtful about the number of steps."""
        frequency, _ = fastest(self.arrays)
        product = frequency * 2.0 * np.pi / (self.arrays.of(self.train.omega) * steps)
        coarse = int(np.count_nonzero(product > COARSE))
        if not coarse:
            return []
        needed = int(np.max(np.ceil(steps * product / 0.3)))
        return [
            f"{coarse} of {self.lanes} points have too few steps: the largest eigenfrequency times the time step is up to "
            f"{float(product.max()):.2g}. Use steps={needed}, or leave steps out"
        ]

    def start(self, given: StudyResult | None) -> tuple[np.ndarray, int]:
        """(states (2 free, lanes), first cycle): static equilibrium, or the end of another result."""
        free = list(self.train.free)
        if given is None:
            return equilibrium(self.arrays, self.lanes), 0
        names = [rotor.name for rotor in self.train.rotors]
        if not isinstance(given, StudyResult) or FINAL_STATE not in given.variables:
            raise ModelError(
                f"start must be the result of a batch, got {shown(given)}. Leave it out to start from equilibrium"
            )
        if list(given.facts.get("rotors", ())) != names:
            raise ModelError(f'start: the result of model "{given.name}" has other bodies than this batch')
        n = len(given.points)
        if n not in (1, self.lanes):
            raise ModelError(f"start: the result has {n} points, but the run has {self.lanes}. Use the same points")
        states = np.concatenate([given.variables[name].values[:, free].T for name in (FINAL_STATE, FINAL_RATE)])
        lost = ~np.isfinite(states).all(axis=0)
        if np.any(lost):
            raise ModelError(
                f"start: {int(lost.sum())} points of the result diverged, the first is point {int(np.argmax(lost))}"
            )
        return np.broadcast_to(states, (len(states), self.lanes)).copy(), int(given.facts.get("cycles", 0))
