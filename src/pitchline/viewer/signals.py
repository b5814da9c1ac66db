"""Signals of a result in a block: whole where they are few samples, else smallest and largest values in columns."""

from __future__ import annotations

from typing import Any

from ..results import Result
from .block import Block

__all__ = ["signals_of"]

COLUMNS = 10_000
"""Samples of a signal in a page; of longer ones, half as many pairs of smallest and largest."""


def signals_of(result: Result, block: Block, *, values: bool = True) -> dict[str, Any]:
    """`signals` and `signal_time` of the head."""
    said = []
    for name, signal in result.signals.items():
        entry: dict[str, Any] = {
            "name": name, "unit": signal.unit, "description": signal.description, "components": list(signal.components),
        }  # fmt: skip
        if values:
            entry["values"] = block.add_columns(f"s/{name}", signal.values)
        said.append(entry)
    return {"signals": said, "signal_time": block.add("signal_time", result.time, "f8")}
