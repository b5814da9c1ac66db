"""Time steps of a model over whole periods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ....analyses.preparation import Prepared
from ....analyses.time_options import TimeOptions
from ....errors import SolveError
from ....math.slow_laws import take_stored
from ....results.signal import Signal
from ....solvers.integrator import Integrator
from ....solvers.motion import Samples
from ....solvers.run_record import DONE
from ....solvers.sample_store import SampleStore
from ....system.system import State
from ..flow import FlowFailed, PeriodicMotion

__all__ = ["periodic_motion", "run_periods"]

Array = NDArray[np.float64]

NEWTON = 1e-12
"""Tolerance of the Newton corrections of a time step: differences of motions are derivatives."""
RHO = 0.9
"""Spectral radius at infinity of the time steps: less damping of the resolved motion than the default of `dynamics`."""


def run_periods(
    ready: Prepared, loose: float, period: float, cycles: int, steps: int, *, samples: bool
) -> tuple[State, Samples]:
    """State after `cycles` periods of `steps` steps each, and samples: after each step, or the two ends."""
    system, state = ready.system, ready.state
    step, duration = period / steps, cycles * period
    options = TimeOptions.read(
        duration=duration, step=step, tolerance=None, output_step=step if samples else duration, rho=RHO, hht=None,
        max_step=None, min_step=None, newton_tolerance=NEWTON, stabilised=False,
    ).for_model(system.model)  # fmt: skip
    store = SampleStore(system)
    try:
        integrator = Integrator.begin(system, state, options.layout(system, state), ready.rank, loose)
        store.add(integrator)
        outcome = integrator.run(store)
    except SolveError as error:
        raise FlowFailed(str(error)) from error
    failed = take_stored()
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if outcome != DONE:
        raise FlowFailed(f"time steps failed after {integrator.t - state.t:.3g} s of the motion")
    return integrator.state(), store.samples(integrator)


def periodic_motion(
    signals: Mapping[str, Signal], time: Array, period: float, parameter: float, state: Array
) -> PeriodicMotion:
    """Signals and components of signals over a period."""
    found, units = {}, {}
    for signal in signals.values():
        for part in [signal.component(c) for c in signal.components] or [signal]:
            found[part.name], units[part.name] = np.asarray(part.values), part.unit
    return PeriodicMotion(parameter, period, time, found, units, state.copy())
