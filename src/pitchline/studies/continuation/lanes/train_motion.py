"""Signals of a periodic motion of a train, by `dynamics` from the start that the lanes found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....analyses.joint_choice import read_coordinates
from ....analyses.joint_state import move_to, read_positions, set_speeds
from ....analyses.preparation import prepare
from ....analyses.signals import build_signals
from ....model import Model
from ....solvers.consistent import consistent_accelerations
from ....system.matrix import Evaluator
from ....system.snapshot import Snapshot
from ...batch.reading.reader import TrainRead
from ..engine.run_periods import periodic_motion, run_periods
from ..flow import PeriodicMotion

__all__ = ["train_motion"]

Array = NDArray[np.float64]


def train_motion(
    model: Model, read: TrainRead, state: Array, parameter: float, cycles: int, steps: int
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
