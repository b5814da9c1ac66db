"""Energies and momentum of parts of a model over time, and states at operating points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, near_names

from .signal import Signal

__all__ = [
    "BOTH",
    "COAST",
    "DRIVE",
    "EITHER",
    "INITIAL",
    "NO_FLANK",
    "OperatingState",
    "reported",
    "Momentum",
    "PartEnergies",
]


# ---- operating state

# State about which a linear analysis linearised the model, and the flanks that carry there.

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


@dataclass(frozen=True, eq=False)
class Momentum:
    """Momentum over time, world axes.

    Attributes
    ----------
    linear : Signal
        [kg*m/s]
    angular : Signal
        About the reference point [kg*m^2/s].
    centre_of_mass : Signal
        [m]
    """

    linear: Signal
    angular: Signal
    centre_of_mass: Signal


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class PartEnergies:
    """Kinetic and potential energies of parts, or groups of parts, over time.

    Attributes
    ----------
    time : (n,)
        [s]
    kinetic_of, potential_of : name -> (n,)
        [J]
    """

    time: FloatArray
    kinetic_of: dict[str, FloatArray]
    potential_of: dict[str, FloatArray]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parts or groups that have an energy."""
        return tuple(self.kinetic_of)

    def kinetic(self, *names: str) -> Signal:
        """Kinetic energy of parts or groups; without names: of all."""
        return self._sum("kinetic", names)

    def potential(self, *names: str) -> Signal:
        """Potential energy of parts or groups; without names: of all."""
        return self._sum("potential", names)

    def total(self, *names: str) -> Signal:
        """Kinetic and potential energy of parts or groups; without names: of all."""
        values = self.kinetic(*names).values + self.potential(*names).values
        return Signal("energy.total", values, self.time, "J", f"energy of {self._words(names)}")

    def table(self) -> str:
        """Text with the last energies of every part, and their largest values."""
        rows: list[tuple[str, ...]] = [("", "kinetic [J]", "largest [J]", "potential [J]", "largest [J]")]
        for name in self.names:
            k, p = self.kinetic_of[name], self.potential_of[name]
            rows.append((name, *(f"{x:.6g}" for x in (k[-1], k.max(), p[-1], p.max()))))
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        lines = (
            "  ".join([row[0].ljust(widths[0]), *(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)

    def __str__(self) -> str:
        return self.table()

    def _sum(self, what: str, names: Iterable[str]) -> Signal:
        held = self.kinetic_of if what == "kinetic" else self.potential_of
        chosen = tuple(names) or self.names
        for name in chosen:
            if name not in held:
                raise ModelError(f'there is no energy of "{name}"; {near_names(str(name), list(held))}')
        values = np.sum([held[name] for name in chosen], axis=0) if chosen else np.zeros(len(self.time))
        return Signal(f"energy.{what}", values, self.time, "J", f"{what} energy of {self._words(names)}")

    @staticmethod
    def _words(names: Iterable[str]) -> str:
        listed = ", ".join(names)
        return listed or "all parts"
