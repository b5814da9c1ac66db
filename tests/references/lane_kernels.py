"""Kernels of the pair of `lane_trains` that several tests share: compiled once for each mode of damping."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from pitchline.studies.batch.kernels.lane_kernel import LaneKernel
from pitchline.studies.batch.kernels.phase_text import PhaseTable, launches
from pitchline.studies.batch.kernels.small_text import LaneSignal
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


def interpreted(kernel: LaneKernel, states: np.ndarray, *, cycles: int, steps: int) -> dict[str, np.ndarray]:
    """Run the text of a kernel of device "looped" in Python: states, and what the kernel keeps. For kernels that one test needs."""
    space: dict[str, Any] = {"math": math, "np": np}
    exec(compile(re.sub(r"(\w+): (?:I8|I1|A1|A2)", r"\1", kernel.source), "<kernel>", "exec"), space)
    text = kernel._text
    arrays = kernel.arrays(states)
    counts = {"settle": 0, "record": cycles, "steps": steps, "points": 0, "first_cycle": 0, "most": cycles}
    (launch,) = launches(PhaseTable(text.force.phases, steps), **counts)
    numbers = text.force.numbers
    tables = numbers.rows(), numbers.vector(), launch.table, kernel._harmonics(steps), text.force.tables.vector()
    with np.errstate(all="ignore"):
        space["run"](0, states.shape[1], launch.whole, launch.angles, *arrays, *tables, None, None)
    return {"states": arrays[0], **dict(zip(text.kept, arrays[2], strict=False))}
