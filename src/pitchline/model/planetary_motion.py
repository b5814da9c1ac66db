"""Initial motion of the bodies of a planetary train, from the members on existing bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ModelError, Subject
from .body import Body
from .planetary_layout import Pose, TrainGears
from .planetary_train import willis

__all__ = ["TrainMotion"]

_ALIKE = 1e-6
"""Fraction of the largest speed by which members may deviate from Willis: rounded values."""


class TrainMotion:
    """Speeds about the axis by member and planet [rad/s]. All are zero unless two members define them.

    A fixed member does not move. A member on a body rotates with it. Two of these define the others by the Willis equation.
    """

    def __init__(self, gears: TrainGears, members: Mapping[str, Body | None], place: Pose, what: Subject) -> None:
        self.centre, self.axis = place[0], place[1][:, 2]
        known = {key: float(self.axis @ body.angular_velocity) for key, body in members.items() if body is not None}
        self.speeds: dict[str, float] = {}
        if len(known) < 2 or not any(known.values()):
            return
        first = dict(list(known.items())[:2])
        teeth = (gears.sun.teeth, gears.first.teeth, gears.second.teeth)
        self.speeds = willis(gears.ratio, teeth, gears.arrangement, first, what)
        largest = max(map(abs, known.values()))
        for key, speed in known.items():
            if abs(speed - self.speeds[key]) > _ALIKE * largest:
                raise ModelError(
                    f"{what}: the initial speed of the {key} is {speed:.6g} rad/s, but the other members require "
                    f"{self.speeds[key]:.6g} rad/s; "
                    "specify consistent speeds of the bodies",
                    about=what.at("on"),
                )

    def of(self, part: str, position: Any) -> dict[str, Any]:
        """Arguments for a body: a member, or a planet at a position in the world that moves with the carrier."""
        if not self.speeds:
            return {}
        around = 0.0 if part in ("sun", "ring") else self.speeds["carrier"]
        return {
            "velocity": around * np.cross(self.axis, position - self.centre),
            "angular_velocity": self.speeds[part] * self.axis,
        }
