"""BatchFlow: the flow of a gear train. Columns of its derivatives are lanes of a batch, whose starts are moved either way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pitchline.analyses.joint_choice import move_to, read_coordinates, read_positions, set_speeds
from pitchline.analyses.signals import build_signals
from pitchline.analyses.start_positions import prepare
from pitchline.base.types import FloatArray
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.solvers.consistent import consistent_accelerations
from pitchline.errors import ModelError
from pitchline.model.model import Model

from ..batch.kernels.lane_kernel import LaneKernel, LaneResult, LaneStatus
from ..batch.kernels.small_text import LaneSignal
from ..batch.lane_study import default_reductions, read_reductions
from ..batch.lane_train import LaneArrays, LaneTrain, chosen_steps, open_motions, static_start, unbalanced
from ..batch.lane_values import LaneValues, difference, merged
from ..batch.model_reading import TrainRead
from ..batch.value_forms import SAME, ValueForm, closed_form
from ..sources import Source
from .flow import FlowFailed, PeriodicMotion, Shot, state_scales
from .lap import periodic_motion, run_periods

__all__ = ["ParameterNumbers", "train_motion", "BatchFlow"]


# ---- parameter numbers

# ParameterNumbers: the numbers of a train at any value of one parameter.

SAMPLED, TESTED = (0.0, 0.3819, 0.7273, 1.0), (0.1459, 0.5528, 0.9098)
"""Places in the range of the parameter at which models are read, and at which the forms found are tested."""


class ParameterNumbers:
    """Train of a source over one parameter. Numbers are constants or closed forms of the parameter, if these reproduce models in
    the range; otherwise the model is read at each value."""

    def __init__(self, values: LaneValues, over: str, unit: str, start: float, end: float) -> None:
        self._values, self._over, self._unit = values, over, unit
        places = [start + x * (end - start) for x in SAMPLED]
        reads = [self._read(p) for p in places]
        self.read: TrainRead = reads[0]
        self.train: LaneTrain = reads[0].train
        for p, read in zip(places[1:], reads[1:], strict=True):
            self._check(read, p)
            self.train = merged(self.train, read.train)
        self._forms: dict[str, ValueForm | float] | None = {}
        for name in self.train.values:
            found = np.array([float(read.train.values.get(name, 0.0)) for read in reads])
            rounding = self.read.rounding.get(name, 0.0)
            form = (
                found[0] if _same(found, found[0], rounding) else closed_form(over, np.array(places), found, rounding)
            )
            if form is None:
                self._forms = None
                break
            self._forms[name] = form
        if self._forms is not None and not all(self._reproduces(start + x * (end - start)) for x in TESTED):
            self._forms = None

    def at(self, parameters: FloatArray) -> dict[str, float | FloatArray]:
        """Numbers at (lanes,) values of the parameter: constants, or (lanes,)."""
        if self._forms is not None:
            columns = {self._over: parameters}
            return {
                name: form if isinstance(form, float) else np.asarray(form(columns), float)
                for name, form in self._forms.items()
            }
        distinct, place = np.unique(parameters, return_inverse=True)
        found = [self._numbers(float(p)) for p in distinct]
        return {
            name: value if all(one[name] == value for one in found) else np.array([one[name] for one in found])[place]
            for name, value in found[0].items()
        }

    def model(self, parameter: float) -> tuple[Model, TrainRead]:
        """The model at a value of the parameter, and its train."""
        return self._values.source.build(self._given(parameter)), self._read(parameter)

    def _numbers(self, parameter: float) -> dict[str, float]:
        read = self._read(parameter)
        self._check(read, parameter)
        return {name: float(read.train.values.get(name, 0.0)) for name in self.train.values}

    def _reproduces(self, parameter: float) -> bool:
        exact, found = self._numbers(parameter), self.at(np.array([parameter]))
        return all(
            _same(np.asarray(found[name], float).reshape(-1), value, self.read.rounding.get(name, 0.0))
            for name, value in exact.items()
        )

    def _read(self, parameter: float) -> TrainRead:
        return self._values.read(self._given(parameter))

    def _given(self, parameter: float) -> dict[str, Any]:
        return {self._over: f"{parameter!r} {self._unit}" if self._unit else parameter}

    def _check(self, read: TrainRead, parameter: float) -> None:
        why = difference(self.read.train, read.train)
        if why:
            raise ModelError(
                f'continuation: {why} changes with "{self._over}", at {parameter:g} {self._unit}'.rstrip()
                + ". A branch has the same bodies, teeth and ratios at all points"
            )


def _same(values: FloatArray, value: float, rounding: float) -> bool:
    return bool(np.all(np.abs(values - value) <= 4.0 * SAME * np.maximum(np.abs(values), abs(value)) + rounding))


# ---- train motion

# Signals of a periodic motion of a train, by `dynamics` from the start that the lanes found.


def train_motion(
    model: Model, read: TrainRead, state: FloatArray, parameter: float, cycles: int, steps: int
) -> PeriodicMotion:
    """All signals over `cycles` base cycles. state : deviations of the free rotors, then their rates."""
    train = read.train
    omega, free = float(np.asarray(train.values[train.omega])), list(train.free)
    period = 2 * np.pi / omega
    ready = prepare(model, Snapshot.of_model(model, read.time), until=read.time + (cycles + 1) * period, reduce=True)
    system, now = ready.system, ready.state
    evaluator = Evaluator(system)
    joints = [read.sources[i].joint for i in free]
    coordinates = read_coordinates(model, joints)
    by = np.array([read.angles[joint][0] for joint in joints])
    x, speed = np.zeros(len(train.rotors)), omega * np.array([rotor.speed for rotor in train.rotors])
    x[free] = state[: len(free)]
    speed[free] += state[len(free) :]
    placed = move_to(system, now, coordinates, evaluator, read_positions(system, now, coordinates) + by @ x)
    set_speeds(system, placed, evaluator, by @ speed)
    ready.state = placed.state
    consistent_accelerations(system, ready.state)
    _, samples = run_periods(ready, ready.loose, period, cycles, steps, samples=True)
    signals = build_signals(system, samples, ready.rank, inertial=True)
    return periodic_motion(signals, samples.t - read.time, cycles * period, parameter, state)


STATE_STEP = 1e-6
"""Step of the differences, relative to the ranges of the states in the motion."""
PARAMETER_STEP = 1e-7
"""The same, relative to the range of the parameter."""
LEAST_PARAMETER_STEP = 1e-8
"""The same, relative to the parameter, at least."""
ACCURATE, MOST_STEPS = 1e-6, 20_000
"""Error of the end of a motion by the time steps, relative to the ranges of the states, that is accepted by default."""
FAILURES = {
    LaneStatus.BLOWN_UP: "the motion grows without limit",
    LaneStatus.STOPPED: "the speed reaches zero",
}
WHOLE = 1e-9
LEAST = 1e-9
"""Scale of coordinates that do not move [rad, m]."""
ORDER = 4
"""Order of the time steps."""
LEAST_STEPS = 400
"""Steps in a period by default, at least: extremes of signals are those of samples."""
LEAST_MOTION_STEPS = 1000
"""Steps of `dynamics`, which are of order 2, in a period."""


class BatchFlow:
    """Flow of a train over a parameter; see `EngineFlow` for the arguments. pair : gear pair whose mesh cycle is the period."""

    def __init__(
        self,
        source: Source,
        over: str,
        unit: str,
        start: float,
        end: float,
        *,
        steps: int | None = None,
        pair: str | None = None,
        reduce: tuple[str, ...] | None = None,
    ) -> None:
        self._numbers = ParameterNumbers(LaneValues(source, cycle=pair), over, unit, start, end)
        self._range = abs(end - start)
        train, read = self._numbers.train, self._numbers.read
        self.name = train.name
        self._check(train)
        arrays = LaneArrays(self._train(np.array([start, end, 0.5 * (start + end)])))
        lane = unbalanced(arrays)
        if lane is not None:
            raise ModelError(
                f'continuation: the loads of model "{train.name}" are not in balance, and no drive holds it: its speed would change'
            )
        free = train.free
        self.steps = int(steps or max(LEAST_STEPS, chosen_steps(arrays).max()))
        self._steps_given = steps is not None
        base = next((k for k, mesh in enumerate(train.meshes) if mesh.name == pair), 0)
        self._reductions = read_reductions(read, reduce or default_reductions(read, base))
        self.figure_units: Mapping[str, str] = self._reductions.units
        joints = [read.sources[i] for i in free]
        self.names = (*(f"{j.joint}.deviation" for j in joints), *(f"{j.joint}.deviation_rate" for j in joints))
        self.units = (*(j.unit for j in joints), *(f"{j.unit}/s" for j in joints))
        n = len(free)
        rolling = open_motions(arrays)[:, list(free)]
        self.free = np.concatenate([rolling.T, np.zeros((n, len(rolling)))])
        self._sizes: FloatArray = np.ones(2 * n)
        self._coarse, self._beyond = False, dict[str, float]()
        self._watched = tuple(
            LaneSignal("rotor", i, what, mean=False, rms=False) for what in ("angle", "speed") for i in free
        )
        self._varied = [name for name, value in self._train(np.array([start, end])).values.items() if np.ndim(value)]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the motions so far."""
        found = [
            f'the force of gear pair "{name}" is up to {share:.2g} times the largest load of its table, which is extrapolated '
            "linearly. Add larger loads to the table"
            for name, share in self._beyond.items()
            if share > 1.0
        ]
        if self._coarse:
            found.append(
                "teeth touched and parted several times within one step, which is less accurate there. Use more steps"
            )
        return tuple(found)

    def _check(self, train: LaneTrain) -> None:
        if train.acceleration or any(rotor.torque_rate for rotor in train.rotors):
            raise ModelError(f'continuation: the speed or a load of model "{train.name}" is a ramp without end')
        if not train.free:
            raise ModelError(f'continuation: model "{train.name}" has no coordinate that can vibrate')
        for mesh in train.meshes:
            for phase in mesh.phases:
                if abs(phase.order - round(phase.order)) > WHOLE:
                    raise ModelError(
                        f'continuation: what varies in gear pair "{mesh.name}" makes {abs(phase.order):.6g} waves in the period, '
                        "which is not a whole number. Specify with period= a longer one"
                    )

    # ---- lanes

    def _train(self, parameters: FloatArray) -> LaneTrain:
        return replace(self._numbers.train, values=self._numbers.at(parameters))

    def _run(self, states: FloatArray, parameters: FloatArray, cycles: int, steps: int, *, record: bool) -> LaneResult:
        """All runs have the same signals, and with them the same compiled kernel."""
        train = self._train(parameters)
        # numbers that do not vary between these lanes are also arrays, so that the kernel is the same
        varied = {name: np.broadcast_to(train.values[name], parameters.shape) for name in self._varied}
        kernel = LaneKernel(
            replace(train, values={**train.values, **varied}),
            (*self._reductions.signals, *self._watched),
            lanes=states.shape[1],
            threads=1,
        )
        found = kernel.run(states, settle=0 if record else cycles, record=cycles if record else 0, steps=steps)
        self._coarse |= bool(np.any(found.status == LaneStatus.MANY_CHANGES))
        bad = (found.status != LaneStatus.FINE) & (found.status != LaneStatus.MANY_CHANGES)
        if np.any(bad):
            raise FlowFailed(FAILURES[LaneStatus(int(found.status[np.argmax(bad)]))])
        return found

    def _end(self, state: FloatArray, parameter: float, cycles: int, steps: int) -> FloatArray:
        return self._run(state[:, None], np.array([parameter]), cycles, steps, record=False).states[:, 0]

    # ---- what a flow has

    @property
    def described(self) -> str:
        """Text that describes the method."""
        return f"lanes of a batch, {self.steps} time steps in a period"

    def first(self, parameter: float) -> FloatArray:
        """Static equilibrium."""
        free = list(self._numbers.train.free)
        x = static_start(LaneArrays(self._train(np.array([parameter]))))[0, free]
        return np.concatenate([x, np.zeros(len(free))])

    def settle(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """State after a number of periods."""
        return self._end(state, parameter, cycles, self.steps) if cycles else state

    def prepare(self, state: FloatArray, parameter: float, cycles: int) -> None:
        """Choose the number of steps with which the end of a motion is accurate."""
        self._sizes = self.scales(state, parameter, cycles)
        while not self._steps_given and self.steps < MOST_STEPS:
            if np.max(np.abs(self.refined_change(state, parameter, cycles)) / self._sizes) < ACCURATE:
                return
            self.steps *= 2

    def scales(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """Ranges of the states in the motion."""
        found = self._run(state[:, None], np.array([parameter]), cycles, self.steps, record=True)
        watched = found.signals[len(self._reductions.signals) :]
        ranges = np.array([one.max[0] - one.min[0] for one in watched])  # type: ignore[index]
        train = self._train(np.array([parameter]))
        omega = float(np.asarray(train.values[train.omega]).reshape(-1)[0])
        self._sizes = state_scales(ranges, state, self.units, omega, LEAST)
        return self._sizes

    def shoot(self, state: FloatArray, parameter: float, cycles: int) -> Shot:
        """Motion over a number of periods. Lanes: the motion, both neighbours in each state, both neighbours in the parameter."""
        n = len(state)
        step = STATE_STEP * self._sizes
        dp = max(PARAMETER_STEP * self._range, LEAST_PARAMETER_STEP * abs(parameter))
        states = np.repeat(state[:, None], 2 * n + 3, axis=1)
        states[np.arange(n), 1 + np.arange(n)] += step
        states[np.arange(n), 1 + n + np.arange(n)] -= step
        parameters = np.full(2 * n + 3, parameter)
        parameters[-2:] += np.array([dp, -dp])
        found = self._run(states, parameters, cycles, self.steps, record=True)
        ends = found.states
        by_state = (ends[:, 1 : 1 + n] - ends[:, 1 + n : 1 + 2 * n]) / (2 * step)
        by_parameter = (ends[:, -2] - ends[:, -1]) / (parameters[-2] - parameters[-1])
        return Shot(ends[:, 0], by_state, by_parameter, self._figures(found, parameters))

    def _figures(self, found: LaneResult, parameters: FloatArray) -> dict[str, float]:
        train = self._train(parameters)
        omega = np.broadcast_to(np.asarray(train.values[train.omega], float), parameters.shape)
        mine = replace(found, signals=found.signals[: len(self._reductions.signals)])
        for name, share in self._reductions.beyond_tables(mine).items():
            self._beyond[name] = max(self._beyond.get(name, 0.0), float(share[0]))
        values: Mapping[str, Any] = self._reductions.values(mine, omega)
        return {name: float(value[0]) for name, value in values.items()}

    def refined_change(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """Error of the end by the time steps."""
        change = self._end(state, parameter, cycles, self.steps) - self._end(state, parameter, cycles, 2 * self.steps)
        return np.asarray(change / (1.0 - 0.5**ORDER))

    def motion(self, state: FloatArray, parameter: float, cycles: int) -> PeriodicMotion:
        """All signals of `dynamics` over the motion."""
        model, read = self._numbers.model(parameter)
        return train_motion(model, read, state, parameter, cycles, max(LEAST_MOTION_STEPS, 4 * self.steps))
