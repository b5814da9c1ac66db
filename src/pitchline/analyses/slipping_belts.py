"""Warnings of statics and kinematics for belts that would slip."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..model import Model
from ..results.signal import Signal

__all__ = ["slipping_belts"]


def slipping_belts(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for every belt whose load is above its limit by friction: without time it does not slip."""
    found = []
    for name, element in model.elements.items():
        signal = signals.get(f"{name}.friction_use") if type(element).key == "belt_drive" else None
        most = 0.0 if signal is None else float(np.max(np.abs(signal.values), initial=0.0))
        if most > 1.0:
            found.append(
                f'belt drive "{name}": the transmitted force is {most:.3g} times its limit by friction. A real belt slips; statics '
                "and kinematics keep it without slip. Use dynamics, or increase pretension or friction"
            )
    return found
