"""Energy balance of a run: exchanged energy, supplied energy and error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..model.masses import total_mass
from ..results.signal import Signal
from ..system.system import System

__all__ = ["EnergyBalance", "balance_warning", "blow_up"]

OPEN = 0.01
"""Fraction of the exchanged energy above which the balance does not close. The method is of order 2: runs that resolve their motion
stay below 0.001."""
STILL = 1e-4
"""Fraction of the kinetic energy that counts as exchanged if nothing else does: small vibrations at constant speed "
"give no warning."""
LEAST = 1e-6
"""Fraction that counts as zero, of the energy with which the model would cross its own length within the run."""
BEYOND = 1e3
"""Energy error divided by the supplied energy above which a run counts as diverged."""


@dataclass(frozen=True)
class EnergyBalance:
    """Energies of a run at its samples [J]."""

    error: float
    """Largest change of energy, of either sign, that work and dissipation do not explain."""
    moved: float
    """Work put in and taken out, energy dissipated, and the ranges of kinetic and potential energy."""
    supplied: float
    """Kinetic energy at the start, work put in and taken out, and potential energy released."""

    @staticmethod
    def of(signals: Mapping[str, Signal], system: System, duration: float) -> EnergyBalance:
        """Compute the balance from the energies of a run.

        A millionth of the energy with which the model would cross its own length in the duration counts as zero: it is added to
        the exchanged and to the supplied energy."""
        kinetic, potential, work, lost, error = (
            np.asarray(signals[f"energy.{name}"].values)
            for name in ("kinetic", "potential", "work", "dissipated", "balance_error")
        )
        exchanged = float(np.abs(work[1:] - work[:-1]).sum())
        moved = exchanged + float(np.abs(lost[1:] - lost[:-1]).sum())
        moved += float((kinetic.max() - kinetic.min()) + (potential.max() - potential.min()))
        least = LEAST * total_mass(system.model) * (system.length / duration) ** 2
        return EnergyBalance(
            error=float(np.abs(error).max()),
            moved=moved + STILL * float(kinetic.max()) + least,
            supplied=exchanged + float(kinetic[0] + potential[0] - potential.min()) + least,
        )


def balance_warning(balance: EnergyBalance, cure: str) -> list[str]:
    """Warning with advice if the balance does not close."""
    if not balance.error > OPEN * balance.moved:
        return []
    part = 100.0 * balance.error / balance.moved
    return [
        f"the energy balance does not close: the error is up to {balance.error:.3g} J, {part:.3g} % of the "
        f"{balance.moved:.3g} J of exchanged energy (signal energy.balance_error). The time steps do not resolve the motion. {cure}"
    ]


def blow_up(balance: EnergyBalance) -> str:
    """Message for a run that gains energy without supply; otherwise ""."""
    if balance.error <= BEYOND * balance.supplied:
        return ""
    return (
        f"the energy increased by {balance.error:.3g} J, but only {balance.supplied:.3g} J were supplied. Do not use the results. "
        "Use a smaller step"
    )
