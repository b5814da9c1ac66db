"""The speed of a shaft along the lower axis, in rad/s and in rpm."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RPM = 30.0 / pi
"""rpm of 1 rad/s."""

#: From the axis to the scale in rpm, inches: below the numbers and the label of the other.
_BELOW = 0.42


def rotation_axis(ax: Axes, shaft: str, height: float) -> None:
    """Label the lower axis of a panel of about `height` inches, and put a scale in rpm below it."""
    ax.set_xlabel(f"speed of {shaft} (rad/s)", labelpad=2.0)
    scales = (lambda x: RPM * np.asarray(x), lambda x: np.asarray(x) / RPM)
    below = ax.secondary_xaxis(-_BELOW / height, functions=scales)
    below.set_xlabel("(rpm)", labelpad=2.0)
