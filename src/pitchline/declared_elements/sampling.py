"""When a sampled controller reads its inputs: at multiples of its sample time.

Sample k is taken at the first accepted state with t >= k T - 1e-9 T, once. At a start (`ask.h` 0) a state can be accepted several
times at the same time, until constraints are closed: the sample is then taken again, from the same memory as before it. Times are
compared as integers k, so that samples of a long run are neither lost nor repeated.
"""

import math
from typing import Any

from pitchline.errors import ModelError
from pitchline.math.compiled import B1, F8, leaf

__all__ = ["NOTE", "check_sample_time", "is_again", "next_sample", "rounded", "sample_index"]

NOTE = (
    "the output of a sampled controller is held constant in statics and linear analyses: its feedback is left out there. Use a "
    "continuous PID or TransferFunction for the modes of the closed loop"
)
"""Warning of analyses that cannot sample."""


def check_sample_time(values: Any) -> None:
    """ModelError if the sample time is not positive."""
    if not values["sample_time"] > 0.0:
        raise ModelError(f"sample_time must be positive, got {values['sample_time']:g} s", about="sample_time")


@leaf
def sample_index(t: F8, period: F8) -> F8:
    """Number of the last sample at or before a time."""
    return math.floor(t / period + 1e-9)


@leaf
def is_again(t: F8, h: F8, taken: F8) -> B1:
    """Whether a state at rest replaces the one of the last sample, which was taken at the time `taken`."""
    return h == 0.0 and t == taken


@leaf
def next_sample(stop: F8, t: F8, period: F8) -> F8:
    """Time at which the next step must end: the next sample, or an earlier stop after t."""
    following = (math.floor(t / period + 1e-9) + 1.0) * period
    return following if stop <= t else min(stop, following)


@leaf
def rounded(value: F8, resolution: F8) -> F8:
    """Nearest multiple of a resolution; the value itself if the resolution is 0."""
    if resolution <= 0.0:
        return value
    return resolution * math.floor(value / resolution + 0.5)
