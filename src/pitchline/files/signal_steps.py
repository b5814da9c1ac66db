"""Signals that an analysis takes from an earlier one: by name, or as an expression over several signals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import ModelError
from ..results import Signal
from ..units import quantity
from .amounts import AmountError
from .analysis_kinds import OF_SIGNALS, SIGNALS
from .analysis_steps import Step
from .expressions import is_expression
from .figure_expressions import evaluate_figure, parse_figure
from .figure_numbers import Numbers
from .figure_scope import FigureScope, FileParts
from .sources import Sources

__all__ = ["check_signals", "with_signals"]


def check_signals(parts: FileParts, sources: Sources) -> None:
    """Check names and expressions of all steps before the run. Errors are added to the problems."""
    for n, step in enumerate(parts.steps):
        earlier = replace(parts, steps=parts.steps[:n])
        for key in SIGNALS if step.kind in OF_SIGNALS else ():
            if key in step.options:
                try:
                    _taken(step, key, earlier, None)
                except (AmountError, ModelError) as error:
                    sources.problems.append(sources.problem(("analyses", n, key), str(error)))


def with_signals(step: Step, parts: FileParts, run: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a step with signals instead of their names."""
    options = {key: value for key, value in step.options.items() if key not in ("after", "before")}
    for key in SIGNALS:
        if key not in options:
            continue
        try:
            options[key] = _taken(step, key, parts, run)
        except AmountError as error:
            raise ModelError(f"{key}: {error}") from error
    return options


def _taken(step: Step, key: str, parts: FileParts, run: Mapping[str, Any] | None) -> Signal:
    text = step.options[key]
    first, last = (_time(step, name) for name in ("after", "before"))
    scope = FigureScope(parts, {}, step.start or "", first, last, run)
    if not isinstance(text, str):
        raise AmountError(f'must be the name of a signal, e.g. "mesh.normal_force", or "= expression", got {text!r}')
    found = evaluate_figure(parse_figure(text), scope) if is_expression(text) else scope.signal(text)
    if found is None or found.signal is None:
        raise AmountError(f'{text} is not a signal over time. Specify one, e.g. "mesh.normal_force"')
    return _signal(found, text, step)


def _signal(found: Numbers, text: str, step: Step) -> Signal:
    signal = found.signal
    assert signal is not None
    if not is_expression(text):
        return signal
    name = " ".join(text.lstrip("= ").split())
    return Signal(
        name if "/" not in name and len(name) < 60 else step.name, found.values, signal.time, found.default_unit()
    )


def _time(step: Step, name: str) -> float | None:
    value = step.options.get(name)
    return None if value is None else quantity(value, "time", what=name)
