"""Value of a figure from the results of a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ..errors import PitchlineError
from ..results import Modes, Result, Signal
from ..results.figures import Figure
from ..units.parser import parse_unit
from ..units.table import NONE
from .amounts import AmountError
from .amplitudes import amplitude
from .expressions import is_expression
from .figure_numbers import Numbers
from .figure_scope import FigureScope, FileParts, figure_value
from .figure_specs import FigureSpec

__all__ = ["finding", "findings_of"]


def findings_of(
    specs: tuple[FigureSpec, ...], run: Mapping[str, Any], parts: FileParts, names: Collection[str] | None = None
) -> list[tuple[FigureSpec, Figure | PitchlineError]]:
    """Values of all listed figures, in order, or the reason why one has none. Later figures may depend on earlier ones.

    names: only these figures, also those that are not listed otherwise; and errors of others.
    """
    values: dict[str, Numbers] = {}
    found: list[tuple[FigureSpec, Figure | PitchlineError]] = []
    for spec in specs:
        asked = spec.show if names is None else spec.key in names
        try:
            if asked:
                found.append((spec, finding(spec, run, parts, values)))
            else:
                hidden(spec, run, parts, values)
        except PitchlineError as error:
            found.append((spec, error))
    return found


def hidden(spec: FigureSpec, run: Mapping[str, Any], parts: FileParts, earlier: dict[str, Numbers]) -> None:
    """Add the value of a figure that serves other figures; it may be a signal over time."""
    try:
        earlier[spec.key] = _value(spec, run, parts, earlier)
    except AmountError as error:
        raise PitchlineError(f'figure "{spec.key}": {error}') from error


def finding(
    spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None = None, earlier: dict[str, Numbers] | None = None
) -> Figure:
    """Value of a figure. PitchlineError if the results do not contain it.

    parts, earlier: names available to expressions. The value is added to the earlier figures.
    """
    earlier = {} if earlier is None else earlier
    try:
        value = _value(spec, run, parts, earlier)
        earlier[spec.key] = value
        unit = spec.unit or value.default_unit()
        closed = _closed(spec, unit, run, parts, earlier)
        return Figure(spec.key, _plain(value.converted(unit)), unit, _description(spec), closed, spec.digits)
    except AmountError as error:
        raise PitchlineError(f'figure "{spec.key}": {error}') from error


def _value(spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]) -> Numbers:
    if spec.value is not None:
        return figure_value(spec.value, _scope(spec, run, parts, earlier), signals=not spec.show)
    if spec.analysis not in run:
        raise PitchlineError(f'figure "{spec.key}": the analysis "{spec.analysis}" was not run')
    result = run[spec.analysis]
    if isinstance(result, Modes):
        return _of_modes(spec, result)
    if not isinstance(result, Result):
        raise PitchlineError(f'figure "{spec.key}": "{spec.analysis}" has no signals')
    signal = result[spec.signal]
    if spec.after is not None or spec.before is not None:
        first = -np.inf if spec.after is None else spec.after
        last = np.inf if spec.before is None else spec.before
        slack = 1e-9 * (signal.time[-1] - signal.time[0]) if len(signal) else 0.0
        signal = signal.between(first - slack, last + slack)
    taken: Any
    if spec.of == "amplitude":
        taken = _amplitude(spec, signal, result)
    elif spec.of == "value":
        taken = signal.at(spec.at)  # type: ignore[arg-type]
    else:
        taken = getattr(signal, spec.of)
        taken = taken if spec.of in ("final", "initial") else taken()
    if spec.unit and parse_unit(spec.unit).powers[:-1] != parse_unit(signal.unit).powers[:-1]:
        text = f"{spec.signal} is in {signal.unit or '1'} and cannot be expressed in {spec.unit}"
        raise PitchlineError(f'figure "{spec.key}": {text}')
    return Numbers.of_unit(taken, signal.unit)


def _scope(
    spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]
) -> FigureScope:
    if parts is None:
        raise PitchlineError(f'figure "{spec.key}": an expression needs its model file. Use `ModelFile.findings`')
    return FigureScope(parts, earlier, spec.analysis, spec.after, spec.before, run)


def _closed(
    spec: FigureSpec, unit: str, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]
) -> Any:
    """Reference value in the unit of the figure. A value without dimension is already in that unit."""
    if not _is_expressed(spec.expected):
        return spec.expected
    found = figure_value(spec.expected, _scope(spec, run, parts, earlier))
    in_unit = found.powers == NONE and parse_unit(unit).powers != NONE
    return _plain(found.values if in_unit else found.converted(unit))


def _is_expressed(value: Any) -> bool:
    return any(map(_is_expressed, value)) if isinstance(value, list) else is_expression(value)


def _plain(value: Any) -> Any:
    """Numbers as results store them: logical values, integers and others, or lists of them."""
    return np.asarray(value).tolist()


def _description(spec: FigureSpec) -> str:
    if spec.description or spec.value is not None:
        return spec.description
    return (
        f"mode {spec.mode}, {spec.of.replace('_', ' ')}" if spec.mode else f"{spec.signal}, {spec.of.replace('_', ' ')}"
    )


def _of_modes(spec: FigureSpec, modes: Modes) -> Numbers:
    assert spec.mode is not None
    if spec.mode > len(modes):
        raise PitchlineError(
            f'figure "{spec.key}": "{spec.analysis}" has only {len(modes)} modes; there is no mode {spec.mode}'
        )
    if spec.of == "frequency":
        return Numbers.of_unit(float(modes.frequencies[spec.mode - 1]), "Hz")
    return Numbers.of_unit(float(modes.damping_ratios[spec.mode - 1]), "")


def _amplitude(spec: FigureSpec, signal: Signal, result: Result) -> Any:
    if spec.frequency is not None:
        return amplitude(signal.values, signal.time, 1.0 / spec.frequency, f"{spec.frequency:g} Hz")
    assert spec.order is not None and spec.angle is not None
    angle = result[spec.angle].between(signal.time[0], signal.time[-1])
    x = np.abs(angle.values - angle.values[0])
    return amplitude(signal.values, x, 2.0 * np.pi / spec.order, f"order {spec.order:g}")
