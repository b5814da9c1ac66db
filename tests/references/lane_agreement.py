"""Comparison of the lane of a model with `pl.dynamics`: speeds of all joints after whole mesh cycles, from steady rolling."""

from __future__ import annotations

import numpy as np
from references.lane_equations import Lane

import pitchline as pl
from pitchline.studies.batch.model_reading import TrainRead, read_train


def joint_speeds(read: TrainRead, rates: np.ndarray, cycles: int) -> np.ndarray:
    """Speeds of the joints of `read.angles` from the rates of the deviations of the free rotors."""
    full = np.zeros(len(read.train.rotors))
    full[list(read.train.free)] = rates
    n = np.array([rotor.speed for rotor in read.train.rotors])
    return np.array([by @ (n * speed_after(read, cycles) + full) for by, _ in read.angles.values()])


def speed_after(read: TrainRead, cycles: int) -> float:
    """Speed of the base cycle [rad/s]."""
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


def disagreement(model: pl.Model, *, cycles: int = 1, steps: int = 2000, time: float | None = None) -> float:
    """Largest difference of the speeds, relative to the largest deviation from steady rolling."""
    read = read_train(model, time=time)
    lane, half = Lane(read.train), len(read.train.free)
    state = lane.integrate(np.zeros(2 * half), 2 * np.pi * cycles, tolerance=1e-10)
    mine = joint_speeds(read, state[half:], cycles)
    return float(np.abs(mine - dynamics_speeds(model, read, cycles, steps)).max() / np.abs(state[half:]).max())
