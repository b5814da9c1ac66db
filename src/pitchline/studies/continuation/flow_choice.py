"""Choice of the flow for a source: a batch, or the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...errors import ModelError, shown
from ...model import Model
from ..source import Source
from .engine.engine_flow import EngineFlow
from .flow import Flow

__all__ = ["ChosenFlow", "chosen_flow"]

AUTO, BATCH, ENGINE = "auto", "batch", "engine"


class ChosenFlow(NamedTuple):
    """A flow, the text that describes it, and warnings."""

    flow: Flow
    method: str
    warnings: tuple[str, ...] = ()


def chosen_flow(
    source: Source, over: str, unit: str, start: float, end: float, *, flow: str, steps: int | None, cycles: int, period: Any,
    shaft: str | None, reduce: str | Iterable[str] | None,
) -> ChosenFlow:  # fmt: skip
    """The flow of a source over a parameter."""
    if flow not in (AUTO, BATCH, ENGINE):
        raise ModelError(f'continuation: flow must be "auto", "batch" or "engine", got {shown(flow)}')

    def build(value: float) -> Model:
        return source.build({over: value})

    names = None if reduce is None else ((reduce,) if isinstance(reduce, str) else tuple(reduce))
    made = EngineFlow(build, start, end, steps=steps, period=period, shaft=shaft, reduce=names)
    return ChosenFlow(made, f"time steps of dynamics, {made.steps} in a period")
