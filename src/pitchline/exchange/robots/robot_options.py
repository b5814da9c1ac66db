"""Options of the import of a robot, the same for both formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import near_names, shown
from ..limits import ExchangeError
from .description import Robot

__all__ = ["MASSLESS", "RobotOptions"]

MASSLESS = "massless"
"""In place of the name of a joint: all joints that move no mass."""


@dataclass
class RobotOptions:
    """What the user specifies in addition to the file; see `from_urdf`."""

    floating: bool = False
    positions: Mapping[str, Any] | None = None
    speeds: Mapping[str, Any] | None = None
    locked: Iterable[str] = ()
    stops: bool | Mapping[str, Mapping[str, Any]] = False
    friction: bool = True
    armatures: Mapping[str, Any] = field(default_factory=dict)
    gearboxes: Mapping[str, Any] = field(default_factory=dict)
    check_ratios: bool = True
    frames: bool | Iterable[str] = True
    actuators: bool = True
    controls: Mapping[str, Any] = field(default_factory=dict)

    def check(self, robot: Robot) -> None:
        """ExchangeError if an option names a joint that the file does not have."""
        if isinstance(self.locked, str):
            self.locked = [self.locked]
        self.locked = list(self.locked)
        if self.stops is not True and self.stops is not False and not isinstance(self.stops, Mapping):
            raise ExchangeError(
                'stops: expected True, or a dictionary such as {"elbow": {"stiffness": 1e4}}, got ' + shown(self.stops)
            )
        named = {
            "locked": [name for name in self.locked if name != MASSLESS],
            "stops": list(self.stops) if isinstance(self.stops, Mapping) else [],
            "armatures": list(self.armatures),
            "gearboxes": list(self.gearboxes),
        }
        for option, names in named.items():
            for name in names:
                if name not in robot.joints:
                    raise ExchangeError(
                        f'{robot.file}: {option}: there is no joint "{name}"; {near_names(str(name), list(robot.joints))}'
                    )
        actuators = [one.name for one in robot.actuators]
        for name in self.controls:
            if name not in actuators:
                raise ExchangeError(
                    f'{robot.file}: controls: there is no actuator "{name}"; {near_names(str(name), actuators)}'
                )

    def wants_frame(self, name: str) -> bool:
        """Whether a link or site gets a sensor."""
        return self.frames if isinstance(self.frames, bool) else name in set(self.frames)
