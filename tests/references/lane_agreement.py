"""Comparison of a batch with `pl.dynamics`: speeds of all joints after whole mesh cycles, from the initial pose in steady rolling."""

from __future__ import annotations

import numpy as np

import pitchline as pl
from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
from pitchline.studies.batch.reading.reader import TrainRead, read_train


def lane_speeds(read: TrainRead, cycles: int, steps: int) -> tuple[np.ndarray, float]:
    """(speeds of the joints of `read.angles`, largest deviation from steady rolling) at the end."""
    kernel = LaneKernel(read.train, lanes=1, threads=1)
    free = list(read.train.free)
    found = kernel.run(np.zeros((2 * len(free), 1)), settle=cycles, record=0, steps=steps)
    assert found.status[0] == 0
    rates = np.zeros(len(read.train.rotors))
    rates[free] = found.states[len(free) :, 0]
    n = np.array([rotor.speed for rotor in read.train.rotors])
    omega = speed_after(read, cycles)
    return np.array([by @ (n * omega + rates) for by, _ in read.angles.values()]), float(np.abs(rates).max())


def speed_after(read: TrainRead, cycles: int) -> float:
    values = read.train.values
    gain = values[read.train.acceleration] if read.train.acceleration else 0.0
    return float(np.sqrt(values["omega"] ** 2 + 2 * gain * 2 * np.pi * cycles))


def duration(read: TrainRead, cycles: int) -> float:
    """Time of the cycles [s]."""
    return float(2 * 2 * np.pi * cycles / (read.train.values["omega"] + speed_after(read, cycles)))


def dynamics_speeds(model: pl.Model, read: TrainRead, cycles: int, steps: int) -> np.ndarray:
    """The same by `pl.dynamics`, extrapolated from `steps` and twice as many steps a cycle."""

    def run(count: int) -> np.ndarray:
        end = duration(read, cycles)
        found = pl.dynamics(model, duration=end, step=end / (count * cycles), rho=0.9, output_step=end)
        names = [f"{joint}.{'angular_speed' if unit == 'rad' else 'speed'}" for joint, (_, unit) in read.angles.items()]
        return np.array([found[name].values[-1] for name in names])

    return (4 * run(2 * steps) - run(steps)) / 3


def disagreement(
    model: pl.Model, *, cycles: int = 2, steps: int = 1600, lane_steps: int = 400, time: float | None = None
) -> float:
    """Largest difference of the speeds, relative to the largest deviation from steady rolling."""
    read = read_train(model, time=time)
    mine, size = lane_speeds(read, cycles, lane_steps)
    return float(np.abs(mine - dynamics_speeds(model, read, cycles, steps)).max() / size)
