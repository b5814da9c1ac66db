"""Time histories: one panel for each quantity, ready for print.

An axis never has two magnitudes. Signals share a panel only if they have the same unit (pure numbers: the same name) and
their peaks differ by no more than a factor of 20. Components of one vector stay together, and a signal that is zero
within rounding stays in the panel of the largest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import RELATIVE, Status

from . import style
from .style import axis_label, plain_texts, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: Signals whose peaks differ by more than this have panels of their own: the smaller one would be a level line.
MOST_RATIO = 20.0

#: More lines than this in one panel cannot be distinguished.
MOST_LINES = 28

#: If a label is longer than this (characters), the legend is above the data instead of beside it.
_LONG_LABEL = 22

#: Columns that the widest print can resolve; longer records are drawn by their envelope.
_COLUMNS = 4000

#: Points to draw of a signal with few samples whose rate is known: the curve between the samples is then known too.
_SMOOTH = 1500


@dataclass
class _Curve:
    base: str  # name of the whole signal
    component: str
    signal: Signal  # scalar
    label: str = ""


@dataclass
class _UnitPanel:
    unit: str
    lines: list[_Curve] = field(default_factory=list)
    heading: str = ""

    @property
    def legend_above(self) -> bool:
        return max(len(line.label) for line in self.lines) > _LONG_LABEL


@names_wrong_arguments
def plot(
    result: Result,
    *names: str,
    path: str | Path | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    others: Mapping[str, Signal | Result] | None = None,
    label: str = "computed",
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Plot signals over time and return the matplotlib figure.

    Each quantity has its own panel. Signals of one quantity whose peaks differ by more than a factor of 20 have panels
    of their own too. Speeds of rotation are in rpm, angles in degrees, forces in N or kN.

    names:        signals, patterns ("pinion.*") or components ("pinion.position.x"); none: all
    path:         file to save it in, by its suffix as .png, .svg or .pdf; an existing file is replaced
    start, end:   part of the record to show, s or text such as "5 ms"
    others:       by label: other signals, in the panels of their unit, {"measured": measured["force"]}; or other results, whose
                  signals with the same names are drawn in the same panels. They have their own times
    label:        of the curves of this result, if there are others
    title:        heading; by default the model and the analysis; "" for none
    width, panel_height: size in inches

    It never opens a window and needs no display. Very long records are drawn by their envelope.
    """
    panels = _panels(result, names, start, end)
    _add_others(panels, others or {}, start, end, label)

    import matplotlib.style

    from .picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    heading = _heading(result) if title is None else title
    # Starts from matplotlib's own defaults, not from the user's settings: the same figure on every machine.
    with matplotlib.style.context(["default", style.RC]):
        heights = [_height(panel, panel_height) for panel in panels]
        height = sum(heights) + 0.35 + (0.3 if heading else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        ratios = {"height_ratios": heights}
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
        factor, time_unit = _time_scale(panels)
        for ax, panel in zip(axes, panels, strict=True):
            _draw(ax, panel, factor, width)
        axes[-1].set_xlabel(axis_label("time", time_unit))
        figure.align_ylabels(axes)
        if heading:
            figure.suptitle(heading, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        plain_texts(figure)
        if target is not None:
            save(figure, target, heading or result.model_name)
    return figure


# --- choice of panels --------------------------------------------------------------------------------------


def _panels(
    result: Result, names: tuple[str, ...], start: float | str | None, end: float | str | None
) -> list[_UnitPanel]:
    """The chosen signals by quantity and magnitude, in the order in which they were named, with their labels."""
    signals = result.select(*names)
    if not result.samples or not signals:
        raise PitchlineError(
            f'nothing to plot: the result of "{result.model_name}" is empty. {result.message}'.rstrip()
        )
    by_quantity: dict[tuple[str, str], list[list[_Curve]]] = {}
    for signal in signals:
        cut = _cut(signal, start, end)
        if signal.components:
            curves = [_Curve(signal.name, label, cut.component(label)) for label in signal.components]
        elif signal.name in result.signals:
            curves = [_Curve(signal.name, "", cut)]
        else:  # one component, requested by name
            base, _, label = signal.name.rpartition(".")
            curves = [_Curve(base, label, cut)]
        unit = "" if signal.unit == "1" else signal.unit
        name = "" if unit else curves[0].base.rpartition(".")[2]  # pure numbers are alike only by their name
        by_quantity.setdefault((unit, name), []).append(curves)
    panels = [_UnitPanel(unit, lines) for (unit, _), groups in by_quantity.items() for lines in _by_magnitude(groups)]
    for panel in panels:
        if len(panel.lines) > MOST_LINES:
            raise PitchlineError(
                f"{len(panel.lines)} lines in one panel ({panel.unit or 'no unit'}) cannot be distinguished, "
                f'{MOST_LINES} at most; name fewer signals, such as "{panel.lines[0].base}"'
            )
        _set_labels(panel)
    return panels


def _add_others(
    panels: list[_UnitPanel],
    others: Mapping[str, Signal | Result],
    start: float | str | None,
    end: float | str | None,
    own: str,
) -> None:
    """Signals of other records, each in the first panel of its unit or in a panel of its own; of results with those of this one."""
    added: list[tuple[_UnitPanel, _Curve]] = []
    for label, other in others.items():
        if isinstance(other, Result):
            added += _same_signals(panels, str(label), other, start, end)
            continue
        if not isinstance(other, Signal) or other.components:
            raise PitchlineError(
                f"others: {label!r} must be a signal without components, such as measured['force'], or a result"
            )
        unit = "" if other.unit == "1" else other.unit
        panel = next((one for one in panels if one.unit == unit), None)
        curve = _Curve(other.name, "", _cut(other, start, end), str(label))
        if panel is None:
            panels.append(_UnitPanel(unit, [curve]))
        else:
            added.append((panel, curve))
    for panel in {id(panel): panel for panel, _ in added}.values():
        whole = any(curve.component == _WITH_RESULT for one, curve in added if one is panel)
        for line in panel.lines:
            line.label = f"{line.label} {own}".strip() if whole else line.label or own
    for panel, curve in added:
        panel.lines.append(curve)


_WITH_RESULT = "of another result"


def _same_signals(
    panels: list[_UnitPanel], label: str, other: Result, start: float | str | None, end: float | str | None
) -> list[tuple[_UnitPanel, _Curve]]:
    """The signals of another result that have the names of the drawn ones, with their panels."""
    found = []
    for panel in panels:
        for line in panel.lines:
            name = f"{line.base}.{line.component}" if line.component else line.base
            if line.base in other.signals:
                signal = _cut(other[name], start, end)
                found.append((panel, _Curve(line.base, _WITH_RESULT, signal, f"{line.label} {label}".strip())))
    if not found:
        drawn = ", ".join(dict.fromkeys(line.base for panel in panels for line in panel.lines))
        raise PitchlineError(f'others: the result {label!r} of "{other.model_name}" has none of the signals {drawn}')
    return found


def _cut(signal: Signal, start: float | str | None, end: float | str | None) -> Signal:
    if start is None and end is None:
        return signal
    return signal.between(signal.time[0] if start is None else start, signal.time[-1] if end is None else end)


def _by_magnitude(groups: list[list[_Curve]]) -> list[list[_Curve]]:
    """Signals, each with its components, in groups whose peaks differ by no more than a factor, in their order."""
    peaks = [max(_peak(curve.signal) for curve in group) for group in groups]
    top = max(peaks)
    bounds: list[float] = []  # largest peak of each panel, falling
    for peak in sorted(peaks, reverse=True):
        if peak > RELATIVE * top and (not bounds or peak < bounds[-1] / MOST_RATIO):
            bounds.append(peak)
    panels: dict[int, list[_Curve]] = {}
    for group, peak in zip(groups, peaks, strict=True):
        rounding = peak <= RELATIVE * top
        panel = 0 if rounding else max(i for i, bound in enumerate(bounds) if peak <= bound)
        panels.setdefault(panel, []).extend(group)
    return list(panels.values())


def _peak(signal: Signal) -> float:
    values = np.abs(signal.values)
    return float(np.max(values[np.isfinite(values)], initial=0.0))


def _set_labels(panel: _UnitPanel) -> None:
    """Labels with the part of the names that differs; the common part goes to the heading and the axis."""
    bases = list(dict.fromkeys(line.base for line in panel.lines))
    shared_quantity = len({base.rpartition(".")[2] for base in bases}) == 1
    for line in panel.lines:
        element = line.base.rpartition(".")[0]
        if len(bases) == 1:
            panel.heading, line.label = line.base, line.component
        else:
            shown = element if shared_quantity and element else line.base
            line.label = f"{shown} {line.component}".rstrip()
    if len(panel.lines) == 1 and panel.lines[0].component:
        panel.heading += f" {panel.lines[0].component}"


def _heading(result: Result) -> str:
    ending = "" if result.status is Status.COMPLETED else f" ({result.status})"
    return f"{result.model_name}: {result.kind}{ending}"


def _time_scale(panels: list[_UnitPanel]) -> tuple[float, str]:
    time = panels[0].lines[0].signal.time
    return scaled_unit("s", float(np.max(np.abs(time))))


# --- drawing -------------------------------------------------------------------------------------------


def _draw(ax: Axes, panel: _UnitPanel, time_factor: float, width: float) -> None:
    curves = [_curve(line.signal) for line in panel.lines]
    finite = np.concatenate([y[np.isfinite(y)] for _, y in curves])
    factor, unit = scaled_unit(panel.unit, float(np.max(np.abs(finite), initial=0.0)))
    for i, (line, (t, y)) in enumerate(zip(panel.lines, curves, strict=True)):
        look = style.line_style(i)
        if len(t) == 1:  # one sample, as in statics: a point
            look.update(linestyle="", marker="o")
            ax.set_xticks(time_factor * t)
        ax.plot(time_factor * t, factor * y, label=line.label, **look)
    ax.set_ylabel(axis_label(quantity_text([line.base for line in panel.lines], panel.unit), unit))
    _widen_if_constant(ax, factor * finite)
    if panel.heading:
        ax.set_title(panel.heading, loc="left")
    if len(panel.lines) > 1:
        _legend(ax, panel, width)


def _curve(signal: Signal) -> tuple[FloatArray, FloatArray]:
    """Times and values to draw: smooth if the signal has its rate, the envelope of a long record."""
    t, y = signal.time, signal.values
    if signal.rate is not None and 1 < len(t) < _SMOOTH // 2:
        fine = np.union1d(t, np.linspace(t[0], t[-1], _SMOOTH))
        return fine, np.asarray(signal.at(fine))
    if len(t) <= 4 * _COLUMNS:
        return t, y
    # Smallest and largest value of each group of samples, so that no peak is lost; fmin passes over nan.
    starts = np.linspace(0, len(t), _COLUMNS, endpoint=False).astype(int)
    low, high = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    times = np.repeat(t[starts], 2)
    return np.append(times, t[-1]), np.append(np.column_stack([low, high]).ravel(), y[-1])


def draw_curve(ax: Axes, signal: Signal, time_factor: float, factor: float, index: int) -> None:
    """Draw one scalar signal on your own axes; factors scale time and values to the units of the axes."""
    t, y = _curve(signal)
    ax.plot(time_factor * t, factor * y, **style.line_style(index))
    _widen_if_constant(ax, factor * y[np.isfinite(y)])


def _widen_if_constant(ax: Axes, values: FloatArray) -> None:
    """Draw a constant as a level line instead of its rounding at the height of the panel."""
    if not values.size:
        return
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    if size > 0.0 and high - low <= 1e-9 * size:
        middle = 0.5 * (low + high)
        ax.set_ylim(middle - 0.1 * size, middle + 0.1 * size)


def _height(panel: _UnitPanel, panel_height: float) -> float:
    """Height of a panel in inches, enough for its legend."""
    if panel.legend_above:
        return panel_height + 0.15 * ceil(len(panel.lines) / 2)
    return max(panel_height, 0.3 + 0.155 * len(panel.lines))


def _legend(ax: Axes, panel: _UnitPanel, width: float) -> None:
    if panel.legend_above:
        longest = max(len(line.label) for line in panel.lines)
        columns = max(1, min(len(panel.lines), int((width - 0.8) / (0.45 + 0.068 * longest))))
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.02), ncols=columns)
    else:
        ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
