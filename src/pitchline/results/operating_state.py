"""State about which a linear analysis linearised the model, and the flanks that carry there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["BOTH", "COAST", "DRIVE", "EITHER", "INITIAL", "NO_FLANK", "OperatingState", "reported"]

DRIVE, COAST, BOTH, EITHER, NO_FLANK = FLANKS = ("drive", "coast", "both", "either", "none")
INITIAL = "initial"
"""Value of `about` for the initial state in any case."""


@dataclass(frozen=True)
class OperatingState:
    """State about which a model was linearised.

    Attributes
    ----------
    state : str
        "initial state", "static equilibrium under the loads", or the result that `about` specifies.
    time : float
        Time of the functions of loads and drives [s].
    flanks : name -> str
        Flank of every gear pair: "drive" or "coast" (the loaded flank, or that of a fixed line of action), "both" (both flanks
        carry), "either" (no load, and both flanks give the same equations), "none" (not in contact).
    """

    state: str
    time: float = 0.0
    flanks: Mapping[str, str] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """Plain data for files."""
        return {"state": self.state, "time": self.time, "flanks": dict(self.flanks)}

    @staticmethod
    def read(data: object) -> OperatingState | None:
        """From plain data; None if there are none."""
        if data is None:
            return None
        if not isinstance(data, dict) or not isinstance(data["state"], str) or not isinstance(data["flanks"], dict):
            raise ValueError('"operating_point" is not a table of state, time and flanks')
        flanks = {str(name): str(flank) for name, flank in data["flanks"].items()}
        if not set(flanks.values()) <= set(FLANKS):
            raise ValueError('"operating_point" has an unknown flank')
        return OperatingState(data["state"], float(data["time"]), flanks)

    def __str__(self) -> str:
        by_flank: dict[str, list[str]] = {}
        for name, flank in self.flanks.items():
            by_flank.setdefault(flank, []).append(f'"{name}"')
        parts = [f"{flank} {', '.join(names)}" for flank, names in by_flank.items()]
        return self.state + (f"; flanks: {'; '.join(parts)}" if parts else "")


def reported(point: OperatingState | None) -> list[str]:
    """Line of a report about models with gear pairs."""
    return [f"linearised about: {point}"] if point is not None and point.flanks else []
