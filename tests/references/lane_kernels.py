"""Kernels of the pair of `lane_trains` that several tests share: compiled once for each mode of damping."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
from pitchline.studies.batch.kernels.lane_signal import LaneSignal
from pitchline.studies.batch.lane_train import LaneTrain

SIGNALS = (
    LaneSignal("mesh", 0, "signed_force", orders=(1, 2)),
    LaneSignal("mesh", 0, "transmission_error", orders=(1,)),
    LaneSignal("mesh", 0, "normal_force", rms=False),
)


def kernel_of(train: LaneTrain, **options: Any) -> LaneKernel:
    """Kernel of a pair, with the signals of all tests."""
    return LaneKernel(train, SIGNALS, [("mesh", 0)], **{"threads": 1, **options})


def starts(train: LaneTrain, lanes: int) -> np.ndarray:
    """States of a pair with contact loss within a few cycles."""
    out = np.zeros((2 * len(train.free), lanes))
    out[:2] = 0.3
    out[2:4] = [[-0.1], [0.15]]
    return out
