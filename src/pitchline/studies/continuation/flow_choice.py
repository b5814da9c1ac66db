"""Choice of the flow for a source: lanes of a batch, or the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...errors import ModelError, PitchlineError, near_names, shown
from ...model import Model
from ..source import Source
from .engine.engine_flow import EngineFlow
from .engine.period import REVOLUTION, is_time
from .flow import Flow
from .lanes.batch_flow import BatchFlow

__all__ = ["ChosenFlow", "chosen_flow"]

AUTO, BATCH, ENGINE = "auto", "batch", "engine"


class ChosenFlow(NamedTuple):
    """A flow, and the reason why it is not the other one."""

    flow: Flow
    reason: str = ""


def chosen_flow(
    source: Source, over: str, unit: str, start: float, end: float, *, flow: str, steps: int | None, period: Any,
    shaft: str | None, reduce: str | Iterable[str] | None,
) -> ChosenFlow:  # fmt: skip
    """The flow of a source over a parameter."""
    if flow not in (AUTO, BATCH, ENGINE):
        text = near_names(flow, (AUTO, BATCH, ENGINE)) if isinstance(flow, str) else ""
        raise ModelError(
            f'continuation: flow must be "auto", "batch" or "engine", got {shown(flow)}; {text}'.rstrip("; ")
        )
    names = None if reduce is None else ((reduce,) if isinstance(reduce, str) else tuple(reduce))
    if names is not None and not names:
        raise ModelError("continuation: reduce is empty. Leave it out for the usual reductions")
    reason = ""
    if flow != ENGINE:
        try:
            return ChosenFlow(_batch(source, over, unit, start, end, steps, period, shaft, names))
        except PitchlineError as error:
            reason = str(error)
            if flow == BATCH:
                raise

    def build(value: float) -> Model:
        return source.build({over: f"{value!r} {unit}" if unit else value})

    return ChosenFlow(EngineFlow(build, start, end, steps=steps, period=period, shaft=shaft, reduce=names), reason)


def _batch(
    source: Source, over: str, unit: str, start: float, end: float, steps: int | None, period: Any, shaft: str | None,
    reduce: tuple[str, ...] | None,
) -> BatchFlow:  # fmt: skip
    if shaft is not None or period == REVOLUTION or (period is not None and is_time(period)):
        raise ModelError("continuation: a batch has the mesh cycle of a gear pair as its period")
    return BatchFlow(source, over, unit, start, end, steps=steps, pair=period, reduce=reduce)
