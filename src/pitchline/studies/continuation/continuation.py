"""continuation: branches of periodic motions over a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import with_budget
from pitchline.errors import ModelError, PitchlineError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.part import Joint

from ..sources import Source, source_of
from .batch_flow import BatchFlow
from .continuation_result import (
    Continuation,
    ContinuationStudy,
    parameter_reader,
    positive_fraction,
    read_limits,
    read_range,
    whole_number,
)
from .engine_flow import EngineFlow
from .flow import Flow
from .period import REVOLUTION, is_time

__all__ = ["ChosenFlow", "chosen_flow", "continuation"]


# ---- flow choice

# Choice of the flow for a source: lanes of a batch, or the engine.

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


SETTLE = 200
"""Default number of cycles in which the first motion settles."""
MAX_STEP = 0.05
MAX_POINTS = 2000


@names_wrong_arguments
@with_budget
def continuation(
    source: Any,
    *,
    over: str = "speed",
    start: Any,
    end: Any,
    limits: Any = None,
    cycles: int = 1,
    reduce: str | Iterable[str] | None = None,
    steps: int | None = None,
    max_step: float = MAX_STEP,
    max_points: int = MAX_POINTS,
    settle: int = SETTLE,
    state: Any = None,
    period: Any = None,
    shaft: Joint | str | None = None,
    flow: str = "auto",
    overrides: Mapping[str, Any] | None = None,
    allow: str | Iterable[str] = (),
    budget: Any = None,
) -> Continuation:
    """Follow a branch of periodic motions over a parameter, also where the motions are unstable.

    Motions are found by shooting: the start of a motion is the unknown, and the motion over one period must end at its start. The
    branch is followed by pseudo-arclength steps, so that it can turn back. Folds, period doublings, tori and intersections are
    solved for. Floquet multipliers are the eigenvalues of the derivative of the end by the start.

    Parameters
    ----------
    source
        Path of a model file, `ModelFile`, name of the gallery, or a Python function that returns a model.
    over
        Parameter of the source that varies along the branch.
    start, end
        Values of the parameter: the branch begins at `start`, goes towards `end`, and ends where the parameter leaves this range.
    limits
        Lowest and highest value of the parameter, if the branch may also go beyond `start` after it has turned back.
    cycles
        Periods of the excitation after which the motion repeats: 2 or more for subharmonic motions.
    reduce
        Reductions over the motion, "PART.SIGNAL.REDUCTION", e.g. "mesh.transmission_error.peak_to_peak" or "mesh.contact_loss".
        Default: those of the transmission errors of all gear pairs.
    steps
        Time steps in one period of the excitation. Default: as many as the accuracy requires.
    max_step
        Largest distance of neighbouring points, as a fraction of the range of the parameter and of the states.
    max_points
        Largest number of points.
    settle
        Periods in which the first motion settles before Newton's method is applied.
    state
        Start (n,) of the first motion, e.g. from another branch. Default: the motion that settles from steady rolling.
    period
        Period of the excitation: a time, a function of the parameter that returns a time, the name of a gear pair for its mesh
        cycle, or "revolution". Default: the mesh cycle of the gears, or the period of loads and drives.
    shaft
        Joint that rotates steadily, or its name. Default: the driven joint, or one with an initial speed.
    flow
        "batch": lanes of a batch (trains of gears), "engine": time steps of `dynamics` (any model), "auto": batch if possible.
    overrides
        Values of other parameters of the source.
    allow
        Modules with user-defined elements that a model file may use.
    budget
        Longest computing time, such as "8 h", or "unlimited"; default "1 h". The branch ends there and keeps its points.

    A branch that cannot be continued keeps its points; `ended` states the reason. If no first motion is found, a SolveError is
    raised.
    """
    cycles = whole_number(cycles, "cycles", 1)
    settle = whole_number(settle, "settle", 0)
    max_points = whole_number(max_points, "max_points", 2)
    max_step = positive_fraction(max_step, "max_step")
    shaft = shaft.name if isinstance(shaft, Joint) else shaft
    if steps is not None:
        steps = whole_number(steps, "steps", 8)
    chosen = ChosenFlow(source) if isinstance(source, Flow) else None
    read: Callable[[Any], float] = float
    if chosen is not None:
        first, last, unit, shown_unit = *_numbers(start, end), "", ""
    else:
        made = source_of(source, allow=allow, overrides=overrides)
        first, last, unit, shown_unit = read_range(made, over, start, end)
        read = parameter_reader(made, over)
    low, high = sorted((first, last)) if limits is None else read_limits(limits, read, first)
    if chosen is None:
        chosen = chosen_flow(
            made, over, unit, first, last, flow=flow, steps=steps, period=period, shaft=shaft, reduce=reduce
        )
    study = ContinuationStudy(
        chosen.flow, over, unit, shown_unit, first, last, low, high, max_step, max_points, read, chosen.reason
    )
    return study.first_branch(cycles, settle, _state(state, chosen.flow))


def _numbers(start: Any, end: Any) -> tuple[float, float]:
    """Range of the parameter of a flow of the user."""
    plain = all(isinstance(value, (int, float, np.number)) and np.isfinite(value) for value in (start, end))
    if not plain or start == end:
        raise ModelError(
            f"continuation of a flow: start and end must be different numbers, got {shown(start)} and {shown(end)}"
        )
    return float(start), float(end)


def _state(state: Any, flow: Flow) -> np.ndarray | None:
    if state is None:
        return None
    try:
        found = np.asarray(state, float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (len(flow.names),) or not np.all(np.isfinite(found)):
        raise ModelError(
            f"continuation: state must have {len(flow.names)} finite numbers ({', '.join(flow.names)}), got {shown(state)}"
        )
    return found
