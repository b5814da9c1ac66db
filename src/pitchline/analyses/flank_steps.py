"""Stable time steps for elastic flanks: contact stiffness with the modes of the gears."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..elements.contract import Element
from ..elements.flank_mesh import FLANK_MESH, flank_alone
from ..elements.flank_stability import alternating_compliance
from ..errors import ModelError
from ..system.system import System
from .time_options import TimeOptions

__all__ = ["FlankStability", "stable_steps"]

PRESSED = 2e-5
"""[m] Approach beyond first contact that defines which strips may touch together."""
LOOKS = 16
"""Angles within a pitch."""
SAFE = 0.5
"""Fraction of the limit for strips in permanent contact, for a penalty. Strips enter and leave contact: undamped runs, and those
with impacts, were unstable from 0.7 of the limit."""
PART = 0.98
"""Fraction of the largest step that is used if no step is specified."""


def stable_steps(options: TimeOptions, system: System) -> TimeOptions:
    """Return the options with the longest stable step of all flanks. A longer fixed step is an error."""
    for element in system.elements:
        if element.kind is not FLANK_MESH:
            continue
        longest = options.step if options.step is not None else (options.max_step or options.duration)
        pair = FlankStability(element)
        if pair.stable(longest):
            continue
        limit = pair.largest_step(longest)
        wanted = options.step if options.step is not None else options.min_step
        if wanted is not None and wanted > limit:
            penalty = pair.penalty
            cause = f"a penalty of {penalty:.3g} N/m with its modes" if penalty else "contact with its modes"
            raise ModelError(
                f'gear pair "{element.name}": steps of {1e6 * wanted:.3g} µs are not stable, because {cause} '
                "requires steps shorter than "
                f"{1e6 * limit:.3g} µs. Use a smaller step, fewer modes{', or a smaller penalty' if penalty else ''}"
            )
        options = replace(options, max_step=PART * limit)
    return options


class FlankStability:
    """Limit of the time step for one pair with elastic flanks."""

    def __init__(self, element: Element) -> None:
        self.flanks = flank_alone(element)
        self.pair = element.values["pair"]
        flanks = self.flanks.parameters
        self.teeth = float(flanks["a"]["teeth"])
        self.highest = float(self.flanks.frequencies().max(initial=0.0))
        """Circular frequency of the highest mode [rad/s]."""
        self.penalty = float(flanks["penalty"])
        self.out = np.zeros((int(flanks["room"]), int(flanks["room"])))
        self.approaches = self._pressed() if self.highest else ()

    def stable(self, step: float) -> bool:
        """Whether contact is stable with steps of this length [s], in all positions over a pitch."""
        if not self.highest:
            return True
        longer = step / (SAFE if self.penalty else 1.0)
        if self.highest * longer >= 0.999 * math.pi:
            return False
        for k in range(LOOKS):
            for u in self.approaches:
                n = self._look(u, k / LOOKS, longer)
                if n and np.linalg.eigvalsh(self.out[:n, :n])[0] <= 0.0:
                    return False
        return True

    def largest_step(self, unstable: float) -> float:
        """Largest stable step below an unstable step [s], to 0.1 %."""
        low, high = 0.0, min(unstable, math.pi / self.highest)
        while high - low > 1e-3 * high:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.stable(middle) else (low, middle)
        return low

    def _look(self, u: float, pitches: float, step: float) -> int:
        psi = 2.0 * math.pi * pitches / self.teeth
        s, m, _, w = self.flanks.records
        return int(alternating_compliance(s, m, w, u, psi, step, self.out))

    def _pressed(self) -> tuple[float, ...]:
        """Approaches at which either flank is pressed by PRESSED, wherever in a pitch strips touch first."""
        law = self.pair["law"]
        middle = float(law["offset"] - 0.5 * law["backlash"])
        step = 0.1 / self.highest
        ends = []
        for sign in (1.0, -1.0):
            low, high = 0.0, 0.5 * float(self.pair["geometry"]["pitch"])
            for _ in range(30):
                between = 0.5 * (low + high)
                near = any(self._look(middle + sign * between, k / 4, step) for k in range(4))
                low, high = (low, between) if near else (between, high)
            ends.append(middle + sign * (high + PRESSED))
        return tuple(ends)
