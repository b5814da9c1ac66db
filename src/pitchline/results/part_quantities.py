"""Energies and momentum of parts of a model over time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arguments import names_wrong_arguments
from ..errors import ModelError, near_names
from .signal import Signal

__all__ = ["Momentum", "PartEnergies"]

Array = NDArray[np.float64]


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

    time: Array
    kinetic_of: dict[str, Array]
    potential_of: dict[str, Array]

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
