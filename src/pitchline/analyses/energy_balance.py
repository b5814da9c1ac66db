"""Whether the energies of a run account for each other: what moved, what was supplied, what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..model.masses import total_mass
from ..results.signal import Signal
from ..system.system import System

__all__ = ["EnergyBalance", "balance_warning", "blow_up"]

OPEN = 0.01
"""Part of the energy that moves beyond which a balance counts as open. The method is of order 2: runs that resolve their motion
stay below a thousandth."""
STILL = 1e-4
"""Part of the kinetic energy that counts as moving where nothing else does: what wheels at constant speed shiver by is no news."""
LEAST = 1e-6
"""Part of the energy of a crossing of the model within the run that counts as none."""
BEYOND = 1e3
"""Energy from nowhere, over all that was supplied, with which a run counts as blown up."""


@dataclass(frozen=True)
class EnergyBalance:
    """Energies of a run at its samples, summed up [J]."""

    error: float
    """Largest change of energy that work and dissipation do not account for, either sign."""
    moved: float
    """Work put in and taken out, energy dissipated, and the ranges of kinetic and potential energy."""
    supplied: float
    """Kinetic energy at the start, work put in and taken out, and potential energy released."""

    @staticmethod
    def of(signals: Mapping[str, Signal], system: System, duration: float) -> EnergyBalance:
        """From the energies of a run. A millionth of the energy with which the model would cross its own length in the duration
        counts as none: it is added to what moves and is supplied."""
        kinetic, potential, work, lost, error = (
            np.asarray(signals[f"energy.{name}"].values)
            for name in ("kinetic", "potential", "work", "dissipated", "balance_error")
        )
        exchanged = float(np.abs(np.diff(work)).sum())
        moved = exchanged + float(np.abs(np.diff(lost)).sum()) + float(np.ptp(kinetic) + np.ptp(potential))
        least = LEAST * total_mass(system.model) * (system.length / duration) ** 2
        return EnergyBalance(
            error=float(np.max(np.abs(error))),
            moved=moved + STILL * float(np.max(kinetic)) + least,
            supplied=exchanged + float(kinetic[0] + potential[0] - np.min(potential)) + least,
        )


def balance_warning(balance: EnergyBalance, cure: str) -> list[str]:
    """One sentence where the balance does not close, with what to do about it."""
    if not balance.error > OPEN * balance.moved:
        return []
    part = 100.0 * balance.error / balance.moved
    return [
        f"the energy balance does not close: the error is up to {balance.error:.3g} J, {part:.3g} % of the "
        f"{balance.moved:.3g} J of exchanged energy (signal energy.balance_error). The time steps do not resolve the motion. {cure}"
    ]


def blow_up(balance: EnergyBalance) -> str:
    """What to say of a run whose energy comes from nowhere, "" where it does not."""
    if balance.error <= BEYOND * balance.supplied:
        return ""
    return (
        f"the energy increased by {balance.error:.3g} J, but only {balance.supplied:.3g} J were supplied. Do not use the results. "
        "Use a smaller step"
    )
