"""Spectra, maps and tracks of orders, and peaks over speed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError
from pitchline.results import OrderMap, OrderSpectrum, OrderTrack, PeakHold, Spectrogram, Spectrum
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

Over = Literal["speed", "time"]

#: Colours of a map: pale where little is, dark where much is, also in grey.
_COLOURS = "magma_r"

#: A map covers this ratio of amplitudes, 60 dB, where its scale is logarithmic.
_RANGE = 1e3


def plot_lines(
    spectrum: Spectrum | OrderSpectrum,
    *,
    path: str | Path | None = None,
    end: float | None = None,
    log: bool = False,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Amplitude over frequency, or over order; returns the matplotlib figure.

    path: where to save it (.png, .svg, .pdf). end: last frequency [Hz] or order shown. log: amplitude on a logarithmic
    scale. title: heading, "" for none. width, panel_height: inches.
    """
    if isinstance(spectrum, OrderSpectrum):
        x, factor, label = spectrum.order, 1.0, f"order of {spectrum.angle}"
    else:
        x = spectrum.frequency
        factor, unit = scaled_unit("Hz", float(x[-1] if end is None else end))
        label = axis_label("frequency", unit)
    keep = slice(None) if end is None else x <= end
    heading = f"{spectrum.name}: amplitude" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        columns = spectrum.amplitude[keep].reshape(len(x[keep]), -1)
        scale, unit = scaled_unit(spectrum.unit, float(np.max(columns, initial=0.0)))
        for i, column in enumerate(columns.T):
            name = spectrum.components[i] if spectrum.components else None
            ax.plot(factor * x[keep], scale * column, label=name, **style.line_style(i))
        ax.set(xlabel=label, ylabel=axis_label(_quantity(spectrum.name), unit))
        if log:
            ax.set_yscale("log")
        else:
            ax.set_ylim(0.0, None)
        if spectrum.components:
            ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
    return c.figure


def plot_map(
    found: Spectrogram | OrderMap,
    *,
    path: str | Path | None = None,
    over: Over | None = None,
    end: float | None = None,
    log: bool = True,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.4 * style.PANEL_HEIGHT,
) -> Figure:
    """Amplitude as colour, over time and frequency, or over speed and order; returns the matplotlib figure.

    over: "speed" or "time"; orders by default over speed where it rises or falls all the way. end: last frequency [Hz]
    or order shown. log: colours over 60 dB below the largest amplitude shown, not counting the mean; else in
    proportion. Others as in `plot_lines`.
    """
    heading = f"{found.name}: amplitude" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_map(c.axes[0], found, over=over, end=end, log=log)
    return c.figure


def draw_map(
    ax: Axes, found: Spectrogram | OrderMap, *, over: Over | None = None, end: float | None = None, log: bool = True
) -> None:
    """The map on axes of a figure of one's own, with its bar of colours; arguments as in `plot_map`."""
    from matplotlib.colors import LogNorm, Normalize

    if isinstance(found, OrderMap):
        x, label = _abscissa(found, over)
        y, factor, name = found.order, 1.0, f"order of {found.angle}"
    else:
        if over == "speed":
            raise PitchlineError(f'plot of the spectrogram of "{found.name}": it knows no speed; use over="time"')
        scale_t, unit_t = scaled_unit("s", float(np.max(np.abs(found.time))))
        x, label = scale_t * found.time, axis_label("time", unit_t)
        y = found.frequency
        factor, unit_y = scaled_unit("Hz", float(y[-1] if end is None else end))
        name = axis_label("frequency", unit_y)
    lines = len(y) if end is None else max(2, int(np.searchsorted(y, end, side="right")))
    amplitude = found.amplitude[:, :lines]
    moving = amplitude[:, min(2, lines - 1) :]  # without the mean and its share in the next line
    top = float(np.max(moving)) or float(np.max(amplitude)) or 1.0
    scale, unit = scaled_unit(found.unit, top)
    norm = LogNorm(scale * top / _RANGE, scale * top, clip=True) if log else Normalize(0.0, scale * top)
    if len(x) == 1:  # one stretch only: the same to its right
        x, amplitude = x[0] + np.array([-0.5, 0.5]), np.repeat(amplitude, 2, axis=0)
    colours = ax.pcolormesh(
        x, factor * y[:lines], scale * amplitude.T, cmap=_COLOURS, norm=norm, shading="gouraud", rasterized=True
    )
    ax.grid(False)
    ax.set(xlabel=label, ylabel=name)
    ax.set_ylim(0.0, factor * float(y[lines - 1]))
    ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label=axis_label(_quantity(found.name), unit))


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
    """Amplitude, and phase below it, of an order along a run; returns the matplotlib figure.

    over: as in `plot_map`. phase: whether to show it. Others as in `plot_lines`.
    """
    x, label = _abscissa(track, over)
    heading = f"{track.name}: order {track.order:g} of {track.angle}" if title is None else title
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


def plot_peak_hold(
    held: PeakHold,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """The highest and the lowest value over the speed, a step for each class; returns the matplotlib figure.

    Arguments as in `plot_lines`.
    """
    heading = f"{held.name}: peaks over {held.speed_name}" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_peak_hold(c.axes[0], held)
    return c.figure


def draw_peak_hold(ax: Axes, held: PeakHold) -> None:
    """The bounds on axes of a figure of one's own, with a mark at the largest magnitude."""
    scale, unit = scaled_unit(held.unit, held.maximum)
    ax.fill_between(
        held.edges, scale * _steps(held.lowest), scale * _steps(held.highest), step="post", color=style.COLOURS[0],
        alpha=0.18, linewidth=0.0,
    )  # fmt: skip
    for bound in (held.highest, held.lowest):
        ax.step(held.edges, scale * _steps(bound), where="post", **style.line_style(0))
    k = int(np.nanargmax(held.peak))
    top = held.highest[k] if held.highest[k] >= -held.lowest[k] else held.lowest[k]
    ax.plot([held.speed_at_maximum], [scale * top], "o", color=style.COLOURS[1])
    ax.annotate(
        f"{held.speed_at_maximum:.4g} {held.speed_unit}".rstrip(), (held.speed_at_maximum, scale * top),
        xytext=(6, 0), textcoords="offset points", va="center", fontsize=8.0, color=style.COLOURS[1],
    )  # fmt: skip
    ax.set_xlabel(axis_label(quantity_text([held.speed_name], held.speed_unit), held.speed_unit))
    ax.set_ylabel(axis_label(_quantity(held.name), unit))


def _abscissa(found: OrderMap | OrderTrack, over: Over | None) -> tuple[FloatArray, str]:
    """What stands on the lower axis, and its label."""
    steps = np.diff(found.speed)
    one_way = bool(np.all(steps > 0.0) or np.all(steps < 0.0))
    if over is None:
        over = "speed" if one_way else "time"
    if over == "time":
        factor, unit = scaled_unit("s", float(np.max(np.abs(found.time))))
        return factor * found.time, axis_label("time", unit)
    if over != "speed":
        raise PitchlineError(f'plot of "{found.name}": over must be "speed" or "time", got {over!r}')
    if not one_way and isinstance(found, OrderMap):
        raise PitchlineError(
            f'plot of "{found.name}": the speed goes up and down, so that a map over it folds; use over="time"'
        )
    return found.speed, "speed (rad/s)"


def _quantity(name: str) -> str:
    """What a signal is: its name without the element, "position x" for a component."""
    owner, _, last = name.rpartition(".")
    if len(last) == 1 and owner:
        return f"{quantity_text([owner], '')} {last}"
    return quantity_text([name], "")


def _steps(values: FloatArray) -> FloatArray:
    """With the last one twice, as steps between edges are drawn."""
    return np.append(values, values[-1])
