"""Equilibria far outside of the tables of loaded teeth, which are results of the extrapolation and not of the machine.

A table states the approach over force and mesh phase. Far beyond its largest load the change of its extrapolated stiffness over the
phase can balance any torque: at a force of about the lever arm divided by the change of compliance per rotation, hundreds
to thousands of times the largest load.
"""

from __future__ import annotations

import numpy as np

from ..elements.mesh_report import TABLE_LOAD
from ..model import Model
from ..results.signal import Signal
from ..system.system import State
from .preparation import Prepared
from .signals import build_signals, samples_of

__all__ = ["MOST_LOAD", "STEPS", "beyond_tables", "is_beyond_tables"]

MOST_LOAD = 10.0
"""Load of a table divided by its largest load up to which an equilibrium is accepted, with a warning above 1."""
STEPS = 64
"""Number of load steps of the second search."""


def is_beyond_tables(model: Model, ready: Prepared, state: State) -> bool:
    """Whether a mesh carries more than `MOST_LOAD` times the largest load of its table."""
    if not any(pair.law.tables for pair in model.gear_pairs.values()):
        return False
    return bool(beyond_tables(build_signals(ready.system, samples_of([state]), ready.rank, inertial=False)))


def beyond_tables(signals: dict[str, Signal]) -> str:
    """The first gear pair with a load far beyond its table, as the message of a failure; empty if there is none."""
    for name, signal in signals.items():
        pair, _, last = name.rpartition(".")
        most = float(np.max(signal.values, initial=0.0)) if last == TABLE_LOAD else 0.0
        if most > MOST_LOAD:
            return (
                f'gear pair "{pair}" carries {most:.3g} times the largest load of its table, also if the loads are applied in '
                f"{STEPS} steps. Up to {MOST_LOAD:g} times are accepted, with a warning. Specify Loaded(torque=...) with a larger "
                "torque, or a table with higher loads; if the load is far smaller, start from another position"
            )
    return ""
