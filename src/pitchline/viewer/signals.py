"""Signals of a result in a block: all samples where they are few, else the smallest and largest values in columns of time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..results import Result
from ..results.series import Columns, columns_between
from .block import Block

__all__ = ["signals_of"]

WHOLE = 20_000
"""Most samples that a page holds as they are."""
NUMBERS = 8_000_000
"""Most numbers of all signals in a page: about 20 MB."""
FEWEST = 200
"""Fewest columns of a signal, however many signals there are."""


def signals_of(result: Result, block: Block, *, values: bool = True) -> dict[str, Any]:
    """`signals`, `signal_time`, `reduced` and `notes` of the head; without values, whoever draws asks for what it draws.

    Then `span` is the first and the last time of the signals: the poses of a long result may end a little earlier.
    """
    if not values:
        span = {"span": [float(result.time[0]), float(result.time[-1])]} if len(result.time) else {}
        return {"signals": [_said(signal) for signal in result.signals.values()], "signal_time": "time", **span}
    columns = _columns(result)
    said = []
    for name, signal in result.signals.items():
        numbers = signal.values if columns is None else _reduced(columns, signal.values)
        said.append({**_said(signal), "values": block.add_columns(f"s/{name}", numbers)})
    if columns is None:
        return {"signals": said, "signal_time": block.add("signal_time", result.time, "f8")}
    note = (
        f"Of {result.samples:,} samples this page holds the smallest and largest values in {len(columns.time):,} columns of time. "
        "Open the result file with `pitchline view` for all samples."
    )
    return {
        "signals": said,
        "signal_time": block.add("signal_time", columns.time, "f8"),
        "reduced": True,
        "notes": [note],
    }


def _said(signal: Any) -> dict[str, Any]:
    return {
        "name": signal.name,
        "unit": signal.unit,
        "description": signal.description,
        "components": list(signal.components),
    }


def _columns(result: Result) -> Columns | None:
    """The columns that signals are reduced to; None if all samples fit."""
    width = sum(max(len(signal.components), 1) for signal in result.signals.values())
    if result.samples <= WHOLE and result.samples * width <= NUMBERS:
        return None
    count = min(WHOLE // 2, max(NUMBERS // (2 * width), FEWEST))
    columns = columns_between(result.time, float(result.time[0]), float(result.time[-1]), count)
    return columns if columns.reduced else None


def _reduced(columns: Columns, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 2 components): smallest and largest of the first component, of the second, …"""
    rows = values[:, None] if values.ndim == 1 else values
    return np.concatenate([columns.reduce(rows[:, k]) for k in range(rows.shape[1])]).T
