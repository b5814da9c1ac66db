"""Reductions of sampled signals over whole periods: "PART.SIGNAL.REDUCTION" and "PAIR.contact_loss"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelError, near_names, shown
from ....model import Model
from ....results.signal import Signal

__all__ = ["SignalReduction", "default_reductions", "read_reductions"]

Array = NDArray[np.float64]

CONTACT_LOSS = "contact_loss"
_OF_SAMPLES: dict[str, Callable[[Array], Any]] = {
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "rms": lambda x: np.sqrt(np.mean(x * x)),
    "peak_to_peak": np.ptp,
}
_ORDER = re.compile(r"(order|phase)_([1-9][0-9]*)\Z")


@dataclass(frozen=True)
class SignalReduction:
    """One number from a signal over whole periods.

    signal : name of the signal, of a component ("BODY.velocity.x") too. kind : "max", "order_1", ...
    """

    name: str
    signal: str
    kind: str

    def of(self, signals: Mapping[str, Signal], cycles: int) -> float:
        """Value from signals at equal steps, from the start to the end of `cycles` periods (both included)."""
        x = signal_of(signals, self.signal).values[:-1]
        if self.kind == CONTACT_LOSS:
            return float(np.mean(x == 0.0))
        order = _ORDER.match(self.kind)
        if order is None:
            return float(_OF_SAMPLES[self.kind](x))
        k = int(order[2]) * cycles
        part = 2.0 * np.mean(x * np.exp(-2j * np.pi * k * np.arange(len(x)) / len(x)))
        return float(np.abs(part) if order[1] == "order" else np.angle(part))

    def unit(self, signals: Mapping[str, Signal]) -> str:
        """Its SI unit."""
        if self.kind == CONTACT_LOSS:
            return ""
        return "rad" if self.kind.startswith("phase_") else signal_of(signals, self.signal).unit


def default_reductions(model: Model) -> tuple[str, ...]:
    """Reductions if none are requested: of all gear pairs, or the ranges of the joints that move."""
    if model.gear_pairs:
        return tuple(
            f"{pair}.{what}" for pair in model.gear_pairs for what in ("transmission_error.peak_to_peak", CONTACT_LOSS)
        )
    free = {joint for joint in model.joints} - {drive.joint_name for drive in model.drives.values()}
    names = [(joint, c) for joint in model.joints if joint in free for c in model.joints[joint].coordinates]
    return tuple(f"{joint}.{coordinate}.peak_to_peak" for joint, coordinate in names)


def read_reductions(names: Iterable[str], signals: Mapping[str, Signal]) -> tuple[SignalReduction, ...]:
    """Checked reductions. signals : all signals of the model."""
    found = []
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f"continuation: reduce must be names such as {_example(signals)}, got {shown(name)}")
        signal, _, kind = name.rpartition(".")
        if kind == CONTACT_LOSS:
            signal = f"{signal}.contact"
        elif kind not in _OF_SAMPLES and not _ORDER.match(kind):
            known = [*_OF_SAMPLES, "order_1", "phase_1", CONTACT_LOSS]
            raise ModelError(
                f'continuation: "{name}": "{kind}" is not a reduction; {near_names(kind, known)}. Write e.g. {_example(signals)}'
            )
        if signal_of(signals, signal, missing=True) is None:
            raise ModelError(
                f'continuation: "{name}": the model has no signal "{signal}"; {near_names(signal, signals)}'
            )
        found.append(SignalReduction(name, signal, kind))
    return tuple(found)


def signal_of(signals: Mapping[str, Signal], name: str, *, missing: bool = False) -> Any:
    """A signal with one component, or a component of a signal; None if there is none and `missing`."""
    if name in signals and not signals[name].components:
        return signals[name]
    whole, _, label = name.rpartition(".")
    if whole in signals and label in signals[whole].components:
        return signals[whole].component(label)
    if missing:
        return None
    raise ModelError(f'the model has no signal "{name}"; {near_names(name, signals)}')


def _example(signals: Mapping[str, Signal]) -> str:
    first = next((name for name, signal in signals.items() if not signal.components), "mesh.normal_force")
    return f'"{first}.peak_to_peak"'
