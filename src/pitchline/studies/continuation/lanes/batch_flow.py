"""BatchFlow: the flow of a gear train. Columns of its derivatives are lanes of a batch, whose starts are moved either way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelError
from ...batch.kernels.lane_kernel import LaneKernel
from ...batch.kernels.lane_result import LaneResult, LaneStatus
from ...batch.kernels.lane_signal import LaneSignal
from ...batch.lane_arrays import LaneArrays
from ...batch.lane_train import LaneTrain
from ...batch.reductions import default_reductions, read_reductions
from ...batch.static_start import open_motions, static_start, unbalanced
from ...batch.time_steps import chosen_steps
from ...batch.values.lane_values import LaneValues
from ...source import Source
from ..flow import FlowFailed, PeriodicMotion, Shot
from ..state_scales import state_scales
from .parameter_numbers import ParameterNumbers
from .train_motion import train_motion

__all__ = ["BatchFlow"]

Array = NDArray[np.float64]

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
        self._sizes: Array = np.ones(2 * n)
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

    def _train(self, parameters: Array) -> LaneTrain:
        return replace(self._numbers.train, values=self._numbers.at(parameters))

    def _run(self, states: Array, parameters: Array, cycles: int, steps: int, *, record: bool) -> LaneResult:
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

    def _end(self, state: Array, parameter: float, cycles: int, steps: int) -> Array:
        return self._run(state[:, None], np.array([parameter]), cycles, steps, record=False).states[:, 0]

    # ---- what a flow has

    @property
    def described(self) -> str:
        """Text that describes the method."""
        return f"lanes of a batch, {self.steps} time steps in a period"

    def first(self, parameter: float) -> Array:
        """Static equilibrium."""
        free = list(self._numbers.train.free)
        x = static_start(LaneArrays(self._train(np.array([parameter]))))[0, free]
        return np.concatenate([x, np.zeros(len(free))])

    def settle(self, state: Array, parameter: float, cycles: int) -> Array:
        """State after a number of periods."""
        return self._end(state, parameter, cycles, self.steps) if cycles else state

    def prepare(self, state: Array, parameter: float, cycles: int) -> None:
        """Choose the number of steps with which the end of a motion is accurate."""
        self._sizes = self.scales(state, parameter, cycles)
        while not self._steps_given and self.steps < MOST_STEPS:
            if np.max(np.abs(self.refined_change(state, parameter, cycles)) / self._sizes) < ACCURATE:
                return
            self.steps *= 2

    def scales(self, state: Array, parameter: float, cycles: int) -> Array:
        """Ranges of the states in the motion."""
        found = self._run(state[:, None], np.array([parameter]), cycles, self.steps, record=True)
        watched = found.signals[len(self._reductions.signals) :]
        ranges = np.array([one.max[0] - one.min[0] for one in watched])  # type: ignore[index]
        train = self._train(np.array([parameter]))
        omega = float(np.asarray(train.values[train.omega]).reshape(-1)[0])
        self._sizes = state_scales(ranges, state, self.units, omega, LEAST)
        return self._sizes

    def shoot(self, state: Array, parameter: float, cycles: int) -> Shot:
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

    def _figures(self, found: LaneResult, parameters: Array) -> dict[str, float]:
        train = self._train(parameters)
        omega = np.broadcast_to(np.asarray(train.values[train.omega], float), parameters.shape)
        mine = replace(found, signals=found.signals[: len(self._reductions.signals)])
        for name, share in self._reductions.beyond_tables(mine).items():
            self._beyond[name] = max(self._beyond.get(name, 0.0), float(share[0]))
        values: Mapping[str, Any] = self._reductions.values(mine, omega)
        return {name: float(value[0]) for name, value in values.items()}

    def refined_change(self, state: Array, parameter: float, cycles: int) -> Array:
        """Error of the end by the time steps."""
        change = self._end(state, parameter, cycles, self.steps) - self._end(state, parameter, cycles, 2 * self.steps)
        return np.asarray(change / (1.0 - 0.5**ORDER))

    def motion(self, state: Array, parameter: float, cycles: int) -> PeriodicMotion:
        """All signals of `dynamics` over the motion."""
        model, read = self._numbers.model(parameter)
        return train_motion(model, read, state, parameter, cycles, max(LEAST_MOTION_STEPS, 4 * self.steps))
