"""Force of each tooth pair over time, with further signals below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.results import Result, Signal
from pitchline.results.tooth_pairs import ToothPairForce, gear_pair_with_forces, tooth_pair_forces
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_tooth_pairs"]


@names_wrong_arguments
def plot_tooth_pairs(
    result: Result,
    *names: str,
    pair: str | None = None,
    path: str | Path | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    others: Mapping[str, Result] | None = None,
    label: str = "computed",
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.6,
) -> Figure:
    """Draw the normal force of each tooth pair over time, with their sum in grey; return the matplotlib figure.

    names:        further signals, one panel each
    pair:         the gear pair, if several have a mesh with `Flank`
    start, end:   part of the record to show, s or text such as "5 ms"
    others:       results of the same pair by label, drawn with dashed lines behind; the same tooth pairs have the same colours
    label:        of this result, if there are others
    """
    mesh = gear_pair_with_forces(result, pair)
    beside = dict(others or {})
    total = _part(result[f"{mesh}.contact_force"], start, end)
    first, last = float(total.time[0]), float(total.time[-1])
    further = [_part(signal, start, end) for signal in (result.select(*names) if names else [])]
    factor, unit = scaled_unit("s", max(abs(first), abs(last)))
    scale, force_unit = scaled_unit("N", float(np.max(total.values, initial=0.0)))
    heading = f"{result.model_name}: tooth pairs of {mesh}" if title is None else title
    with canvas(panels=1 + len(further), path=path, title=heading, width=width, panel_height=panel_height) as c:
        above = c.axes[0]
        passages = tooth_pair_forces(result, mesh)
        every = [passages, *(tooth_pair_forces(other, mesh) for other in beside.values())]
        for k, forces in reversed(list(enumerate(every))):
            for passage in forces:
                inside = (passage.time >= first) & (passage.time <= last)
                t, f = factor * passage.time[inside], scale * np.abs(passage.force[inside])
                above.plot(t, f, color=f"C{_same_passage(passage, passages) % 10}", **style.overlay_style(k))
        for k, (text, one) in reversed(list(enumerate({label: result, **beside}.items()))):
            sum_of_all = _part(one[f"{mesh}.contact_force"], start, end)
            named = f"all pairs, {text}" if beside else "all pairs"
            look = style.overlay_style(k) | {"linewidth": 0.6}
            above.plot(factor * sum_of_all.time, scale * sum_of_all.values, color="0.3", label=named, **look)
        above.set(ylabel=axis_label("normal force", force_unit))
        if beside:
            above.legend(loc="lower right", bbox_to_anchor=(1.0, 1.02), ncols=1 + len(beside), reverse=True)
        else:
            above.legend(loc="lower right")
        for ax, signal in zip(c.axes[1:], further, strict=True):
            _draw(
                ax, signal, factor, {text: _part(one[signal.name], start, end) for text, one in beside.items()}, label
            )
        c.axes[-1].set_xlabel(axis_label("time", unit))
    return c.figure


def _same_passage(one: ToothPairForce, passages: Sequence[ToothPairForce]) -> int:
    """Number of the passage of the same tooth at the same time."""
    if not passages:
        return 0
    shared = [
        min(one.time[-1], other.time[-1]) - max(one.time[0], other.time[0]) if one.index == other.index else -np.inf
        for other in passages
    ]
    return int(np.argmax(shared)) if max(shared) > -np.inf else len(passages)


def _part(signal: Signal, start: float | str | None, end: float | str | None) -> Signal:
    if start is None and end is None:
        return signal
    return signal.between(signal.time[0] if start is None else start, signal.time[-1] if end is None else end)


def _draw(ax: Axes, signal: Signal, factor: float, others: Mapping[str, Signal], label: str) -> None:
    scale, unit = scaled_unit(signal.unit, float(np.max(np.abs(signal.values), initial=0.0)))
    for k, (text, one) in reversed(list(enumerate({label: signal, **others}.items()))):
        lines = ax.plot(factor * one.time, scale * one.values, **style.overlay_style(k))
        for i, line in enumerate(lines):
            line.set_color(f"C{i}" if one.components else f"C{k}")
            named = [one.components[i]] if one.components else []
            line.set_label(", ".join([*named, *([text] if others else [])]))
    if others:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.02), ncols=4, reverse=True)
    elif signal.components:
        ax.legend()
    ax.set_title(signal.name, loc="left")
    ax.set_ylabel(axis_label(quantity_text([signal.name], signal.unit), unit))
