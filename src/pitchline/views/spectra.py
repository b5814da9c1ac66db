"""Pictures of spectra, of one order along a run, and of peaks over speed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results import Modes, OrderSpectrum, OrderTrack, PeakHold, Spectrum
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, plain_decades, quantity_text, scaled_unit, signal_quantity
from pitchline.views.line_names import LineName, name_lines, names_height
from pitchline.views.marks import MODE_COLOUR, Marked, MarkedLine, last_value, mesh_marks, mode_marks
from pitchline.views.order_maps import Over, speed_or_time
from pitchline.views.rotation_axis import RPM, rotation_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

#: Lowest amplitude on a logarithmic axis, as a fraction of the largest: 100 dB below it.
_RANGE = 1e-5


@names_wrong_arguments
def plot_lines(
    spectrum: Spectrum | OrderSpectrum,
    *,
    path: str | Path | None = None,
    end: float | str | None = None,
    log: bool | None = None,
    mesh: Marked | None = None,
    harmonics: int | None = None,
    modes: Modes | Marked | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw amplitude over frequency, or over order; returns the matplotlib figure.

    path:      file to save it in (.png, .svg, .pdf)
    end:       last frequency ([Hz] or such as "2 kHz") or order shown; by default all, to half the sampling frequency
    log:       logarithmic amplitude axis over 100 dB; by default if a mesh or modes are marked
    mesh:      mesh frequencies to mark, in Hz: a number, a list, or a dict such as {"stage 1": 475}; in an order
               spectrum mesh orders
    harmonics: multiples of each mesh frequency that are marked, up to 8 by default
    modes:     natural frequencies to mark: a `Modes` result, a list in Hz, or a dict of names and Hz
    title:     heading, "" for none. width, panel_height: inches

    If lines are marked, the mean is left out. The marked lines are thin and behind the spectrum; their names are above
    the panel.
    """
    what = f'plot of "{spectrum.name}"'
    x = spectrum.order if isinstance(spectrum, OrderSpectrum) else spectrum.frequency
    last = last_value(end, what, orders=isinstance(spectrum, OrderSpectrum))
    top = float(x[-1] if last is None else min(last, x[-1]))
    marks = spectrum_marks(spectrum, mesh, harmonics, modes, top, what)
    heading = f"{spectrum.name}: amplitude" if title is None else title
    tall = panel_height + names_height([mark.name for mark in marks])
    with canvas(path=path, title=heading, width=width, panel_height=tall) as c:
        draw_lines(c.axes[0], spectrum, top, bool(marks) if log is None else log, marks)
    return c.figure


def spectrum_marks(
    spectrum: Spectrum | OrderSpectrum, mesh: Marked | None, harmonics: int | None, modes: Modes | Marked | None,
    end: float, what: str,
) -> list[MarkedLine]:  # fmt: skip
    """Lines to mark up to `end`: meshes and their harmonics first, then modes."""
    of_orders = isinstance(spectrum, OrderSpectrum)
    if modes is not None and of_orders:
        raise PitchlineError(f"{what}: natural frequencies have no fixed order; use spectrum, or order_map with modes=")
    return mesh_marks(mesh, harmonics, end, what, orders=of_orders) + mode_marks(modes, end, what)


def draw_lines(
    ax: Axes, spectrum: Spectrum | OrderSpectrum, end: float, log: bool, marks: Sequence[MarkedLine] = ()
) -> None:
    """Draw the spectrum up to `end` on your own axes, with lines and names of marks."""
    if isinstance(spectrum, OrderSpectrum):
        x, factor, label = spectrum.order, 1.0, f"order of {spectrum.angle.removesuffix('.angle')}"
    else:
        x = spectrum.frequency
        factor, unit = scaled_unit("Hz", end)
        label = axis_label("frequency", unit)
    keep = x <= end * (1.0 + 1e-9)
    if marks and np.count_nonzero(keep) > 6:  # without the mean and its leakage into the next lines
        keep &= np.arange(len(x)) > 2
    columns = spectrum.amplitude[keep].reshape(np.count_nonzero(keep), -1)
    largest = float(np.max(columns, initial=0.0))
    scale, unit = scaled_unit(spectrum.unit, largest)
    for mark in marks:
        mode = mark.colour == MODE_COLOUR
        dashes = (0, (1, 2)) if mode else (0, (5, 2))
        ax.axvline(factor * mark.value, color=mark.colour, linewidth=0.6, linestyle=dashes, alpha=0.7, zorder=1.5)
    for i, column in enumerate(columns.T):
        name = spectrum.components[i] if spectrum.components else None
        ax.plot(factor * x[keep], scale * column, label=name, **(style.line_style(i) | {"linewidth": 0.9}))
    ax.set(xlabel=label, ylabel=axis_label(signal_quantity(spectrum.name), unit))
    ax.set_xlim(0.0, factor * end)
    if log and largest > 0.0:
        ax.set_yscale("log")
        ax.set_ylim(
            max(scale * largest * _RANGE, 0.5 * scale * float(np.min(columns[columns > 0.0]))), 2.0 * scale * largest
        )
        plain_decades(ax.yaxis)
    else:
        ax.set_ylim(0.0, None)
    if spectrum.components:
        ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
    name_lines(ax, above=[LineName(mark.name, mark.value / end, mark.colour) for mark in marks])


@names_wrong_arguments
def plot_track(
    track: OrderTrack,
    *,
    path: str | Path | None = None,
    over: Over | None = None,
    phase: bool = True,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw the amplitude of an order along a run, and its phase below; returns the matplotlib figure.

    over: "speed" (in rpm; the default if the speed rises or falls throughout) or "time". phase: whether to show it.
    Others as in `plot_lines`.
    """
    x, label = speed_or_time(track, over)
    heading = f"{track.name}: order {track.order:g} of {track.angle.removesuffix('.angle')}" if title is None else title
    with canvas(panels=1 + phase, path=path, title=heading, width=width, panel_height=panel_height) as c:
        scale, unit = scaled_unit(track.unit, float(np.max(track.amplitude)))
        c.axes[0].plot(x, scale * track.amplitude, **style.line_style(0))
        c.axes[0].set_ylabel(axis_label("amplitude", unit))
        c.axes[0].set_ylim(0.0, None)
        if phase:
            c.axes[1].plot(x, np.degrees(track.phase), **style.line_style(0))
            c.axes[1].set_ylabel("phase (deg)")
        c.axes[-1].set_xlabel(label)
    return c.figure


@names_wrong_arguments
def plot_peak_hold(
    held: PeakHold,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw the highest and the lowest value over the speed, one step for each class; returns the matplotlib figure.

    A speed of rotation is in rpm. Other arguments as in `plot_lines`.
    """
    heading = f"{held.name}: peaks over {held.speed_name}" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_peak_hold(c.axes[0], held)
    return c.figure


def draw_peak_hold(ax: Axes, held: PeakHold) -> None:
    """Draw the bounds on your own axes, with a mark at the largest magnitude."""
    scale, unit = scaled_unit(held.unit, held.maximum)
    turning = held.speed_unit == "rad/s"
    factor, speed_unit = (RPM, "rpm") if turning else (1.0, held.speed_unit)
    edges = factor * held.edges
    ax.fill_between(
        edges, scale * _steps(held.lowest), scale * _steps(held.highest), step="post", color=style.COLOURS[0],
        alpha=0.18, linewidth=0.0,
    )  # fmt: skip
    for bound in (held.highest, held.lowest):
        ax.step(edges, scale * _steps(bound), where="post", **style.line_style(0))
    k = int(np.nanargmax(held.peak))
    top = held.highest[k] if held.highest[k] >= -held.lowest[k] else held.lowest[k]
    at = factor * held.speed_at_maximum
    ax.plot([at], [scale * top], "o", color=style.COLOURS[1])
    to_the_left = at > 0.5 * (edges[0] + edges[-1])
    ax.annotate(
        f"{at:.0f} {speed_unit}" if at >= 1e3 else f"{at:.4g} {speed_unit}".rstrip(), (at, scale * top),
        xytext=(-7 if to_the_left else 7, 0),
        textcoords="offset points", ha="right" if to_the_left else "left", va="center", fontsize=8.0,
        color=style.COLOURS[1],
    )  # fmt: skip
    named = axis_label(quantity_text([held.speed_name], held.speed_unit), held.speed_unit)
    ax.set_xlabel(rotation_label(held.speed_name) if turning else named)
    ax.set_ylabel(axis_label(signal_quantity(held.name), unit))


def _steps(values: FloatArray) -> FloatArray:
    """Values with the last one twice, as steps between edges need."""
    return np.append(values, values[-1])
