"""Reactions of joints that became coordinates of their body.

They follow from the balance of the body at each sample. This takes longer than the steps of a train, and few results are read
for it: the reactions of a run are computed when the first of them is read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import numpy as np

from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.reporting import Reporter
from pitchline.engine.compile.system import System
from pitchline.engine.solvers.equilibrium import Balance
from pitchline.engine.solvers.linear import Samples

from .observers import is_small

__all__ = ["Reactions", "reactions_later", "rounded_forces", "too_small"]


MOST_KEPT = 64e6
"""Size of the samples up to which a result keeps them for its reactions [bytes]."""


def reactions_later(system: System, samples: Samples, rank: Rank) -> Reactions | None:
    """Reactions of a run that are computed when they are read. None: they must be computed at once, because the result would
    keep too much in memory, or because redundant constraints share their loads with others."""
    if rank.groups or not is_small(system.model) or sum(array.nbytes for array in samples) > MOST_KEPT:
        return None
    return Reactions(system, samples)


class Reactions:
    """Signals of these joints for the samples of a run with inertia. Until one is read, it keeps the samples and the system."""

    def __init__(self, system: System, samples: Samples) -> None:
        self._from: tuple[System, Samples] | None = (system, samples)
        self._lock = threading.Lock()
        self._values: dict[int, np.ndarray] = {}
        self.elements = frozenset(system.structure.reports.held.tolist())
        """Numbers of the elements whose signals these are."""

    def later(self, e: int, first: int, last: int) -> Callable[[], np.ndarray]:
        """Function that returns some columns of the report of an element, read-only."""
        return partial(self._columns, e, first, last)

    def _columns(self, e: int, first: int, last: int) -> np.ndarray:
        with self._lock:
            if self._from is not None:
                self._compute(*self._from)
                self._from = None
        report = self._values[e]
        return report[:, first] if last - first == 1 else report[:, first:last]

    def _compute(self, system: System, samples: Samples) -> None:
        reporter = Reporter(system, {system.elements[e].name for e in self.elements})
        reporter.recover(samples, inertial=True)
        _, values = reporter.report(samples, inertial=True)
        values.flags.writeable = False
        for e in self.elements:
            self._values[e] = values[:, reporter.first[e] : reporter.first[e + 1]]


# ---- rounded forces

# Loads so small that numbers do not resolve the deflection of stiff teeth under them.

UNCERTAIN = 100.0
"""Load, relative to the force of the smallest displacement that numbers resolve, below which forces are uncertain."""
UNLOADED = 1e-6
"""Relative load below which a model counts as unloaded."""


def _stated(balance: Balance) -> str:
    return (
        f"the loads of {balance.external:.2g} N (torques divided by the length of the model) deflect the teeth by little "
        f"more than numbers resolve, or less. Their smallest displacement causes {balance.rounding:.2g} N"
    )


def rounded_forces(balance: Balance) -> list[str]:
    """Warning if forces of teeth are uncertain."""
    if not balance.rounding <= balance.external < UNCERTAIN * balance.rounding:
        return []
    part = 100.0 * balance.rounding / balance.external
    return [
        f"forces are uncertain by up to {part:.2g} %: {_stated(balance)}. Use a smaller stiffness, or Rolling teeth, whose force "
        "is not a deflection"
    ]


def too_small(balance: Balance) -> str:
    """Message if forces of teeth are rounding; empty if they are not, or if there is no load."""
    if not UNLOADED * balance.rounding < balance.external < balance.rounding:
        return ""
    return (
        f"the forces cannot be computed: {_stated(balance)}. Use a smaller stiffness, or Rolling teeth, whose force is not a "
        "deflection, or larger loads"
    )
