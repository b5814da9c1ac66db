"""Pictures of spectra and orders: maps of amplitude, lines, tracks, peak hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.results.modes import Modes
from pitchline.results.order_track import OrderMap, OrderSpectrum, OrderTrack, Spectrogram, Spectrum
from pitchline.results.signal import PeakHold
from pitchline.units.quantity import quantity

from . import style
from .style import (
    RPM,
    LineName,
    axis_label,
    canvas,
    name_lines,
    names_height,
    plain_decades,
    quantity_text,
    rotation_label,
    scaled_unit,
    signal_quantity,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---- marks

# Lines to mark in a spectrum or a map: mesh frequencies with their harmonics, orders and natural frequencies.

#: A frequency, an order, or several: by name, or in a row.
Marked = float | str | Mapping[str, float | str] | Sequence[float | str]

#: Colours of the lines of meshes, one after the other, and of modes.
MESH_COLOURS = (style.COLOURS[1], "#8A3FA0", style.COLOURS[6], "#B07A00")
ORDER_COLOUR, MODE_COLOUR = "#0B5C8F", "#12734F"

#: Two values closer than this fraction of themselves are one line with both names.
_SAME = 1e-4

#: Harmonics of a mesh that are marked if no number is given.
MOST_HARMONICS = 8


@dataclass(frozen=True)
class MarkedLine:
    """A line at a frequency [Hz] or at an order."""

    name: str
    value: float
    colour: str


def last_value(end: object, what: str, *, orders: bool) -> float | None:
    """Return the end of an axis, a frequency [Hz] or an order; None if it is not specified."""
    if end is None:
        return None
    return _order(end, f"{what}: end") if orders else _frequency(end, f"{what}: end")


def mesh_marks(
    given: Marked | None, harmonics: int | None, end: float, what: str, *, orders: bool = False
) -> list[MarkedLine]:
    """Mesh frequencies [Hz] (or mesh orders) up to `end` with their multiples; the multiples of one line come last."""
    if harmonics is not None and (harmonics < 1 or int(harmonics) != harmonics):
        raise PitchlineError(f"{what}: harmonics must be a whole number, 1 or more, got {harmonics!r}")
    read = _order if orders else _frequency
    found = [
        (k, name, read(value, f"{what}: mesh"))
        for k, (name, value) in enumerate(_by_name(given, "mesh", "mesh {}").items())
    ]
    marks = [
        (n, MarkedLine(name if n == 1 else f"{n} × {name}", n * value, MESH_COLOURS[k % len(MESH_COLOURS)]))
        for k, name, value in found
        for n in range(1, (MOST_HARMONICS if harmonics is None else int(harmonics)) + 1)
        if n * value <= end
    ]
    return _joined([mark for _, mark in sorted(marks, key=lambda item: item[0])])


def order_marks(given: Marked | None, what: str) -> list[MarkedLine]:
    """Orders by name, or numbers, which are named "order 19"."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        values = [given] if isinstance(given, (int, float, str)) else list(given)
        numbers = [_order(value, f"{what}: orders") for value in values]
        given = {f"order {number:g}": number for number in numbers}
    return _joined([MarkedLine(name, _order(value, f"{what}: orders"), ORDER_COLOUR) for name, value in given.items()])


def mode_marks(given: Modes | Marked | None, end: float, what: str) -> list[MarkedLine]:
    """Natural frequencies [Hz] up to `end`: of a `Modes` result with the numbers of its table, or as given."""
    if given is None:
        return []
    if isinstance(given, Modes):
        return _of_modes(given, end)
    if isinstance(given, Mapping):
        named = {name: _frequency(value, f"{what}: modes") for name, value in given.items()}
    else:
        values = [given] if isinstance(given, (int, float, str)) else list(given)
        numbers = [_frequency(value, f"{what}: modes") for value in values]
        named = {hertz(number): number for number in numbers}
    return _joined([MarkedLine(name, value, MODE_COLOUR) for name, value in named.items() if 0.0 < value <= end])


def hertz(frequency: float) -> str:
    """A frequency in a label: "512 Hz", "12.3 kHz"."""
    if frequency >= 1e4:
        return f"{frequency / 1e3:.3g} kHz" if frequency < 1e6 else f"{frequency / 1e3:.0f} kHz"
    return f"{frequency:.3g} Hz" if frequency < 1e3 else f"{frequency:.0f} Hz"


def _of_modes(modes: Modes, end: float) -> list[MarkedLine]:
    groups: list[tuple[list[int], float]] = []
    for i, f in enumerate(modes.frequencies):
        if i < modes.rigid or not 0.0 < f <= end:
            continue
        if groups and abs(f - groups[-1][1]) <= _SAME * f:
            groups[-1][0].append(i + 1)
        else:
            groups.append(([i + 1], float(f)))
    return [
        MarkedLine(
            f"mode{'s' if len(numbers) > 1 else ''} {_range(numbers)}: {hertz(f)}", f, MODE_COLOUR
        )
        for numbers, f in groups
    ]  # fmt: skip


def _range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def _by_name(given: Marked | None, one: str, several: str) -> dict[str, float | str]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, (int, float, str)):
        return {one: given}
    values = list(given)
    return {one: values[0]} if len(values) == 1 else {several.format(k + 1): value for k, value in enumerate(values)}


def _frequency(value: object, what: str) -> float:
    return _positive(quantity(value, "frequency", what=what), what, "Hz")


def _order(value: object, what: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise PitchlineError(f"{what}: an order is a number, got {value!r}") from None
    return _positive(number, what, "")


def _positive(value: float, what: str, unit: str) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise PitchlineError(f"{what}: values must be greater than zero, got {value:g} {unit}".rstrip())
    return float(value)


def _joined(marks: Iterable[MarkedLine]) -> list[MarkedLine]:
    """Lines at one place as one line: "stage 1 = 2 × stage 2", or the first name and how many others."""
    groups: list[list[MarkedLine]] = []
    for mark in marks:
        same = next((g for g in groups if abs(g[0].value - mark.value) <= _SAME * mark.value), None)
        if same is None:
            groups.append([mark])
        else:
            same.append(mark)
    return [MarkedLine(_joined_name([one.name for one in group]), group[0].value, group[0].colour) for group in groups]


def _joined_name(names: list[str]) -> str:
    names = list(dict.fromkeys(names))
    return " = ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} others"


Over = Literal["speed", "time", "frequency"]

#: Colours of a map: pale for small amplitudes, dark for large ones, also in grey.
_COLOURS = "magma_r"

#: A speed is one of a run-up if its way up and down is no more than this multiple of its net change.
MOST_WAY = 1.5

#: Ratio of amplitudes that a map with a logarithmic scale covers: 60 dB.
_RANGE = 1e3


@names_wrong_arguments
def plot_map(
    found: Spectrogram | OrderMap,
    *,
    path: str | Path | None = None,
    over: Over | None = None,
    end: float | str | None = None,
    log: bool = True,
    orders: Marked | None = None,
    modes: Modes | Marked | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.4 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw amplitude as colour over order and speed, or over frequency and time; returns the matplotlib figure.

    over:   of an order map: "speed" (order over the speed of the shaft in rpm; the default if the speed rises or falls
            throughout), "frequency" (frequency over speed, as in a Campbell diagram) or "time" (order over time)
    end:    last order shown; of a spectrogram and with over="frequency" the last frequency, [Hz] or such as "2 kHz"
    log:    logarithmic colour scale from the largest amplitude (the mean is not counted) to 60 dB below it; False:
            linear scale
    orders: orders to mark, such as {"stage 1": 19, "2 × stage 1": 38} or [19, 38]
    modes:  natural frequencies to mark: a `Modes` result, a list in Hz, or a dict of names and Hz
    path:   file to save it in (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches
    """
    heading = f"{found.name}: amplitude" if title is None else title
    if over == "frequency":  # orders leave the panel at its top
        panel_height += names_height([mark.name for mark in order_marks(orders, heading)])
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_map(c.axes[0], found, over=over, end=end, log=log, orders=orders, modes=modes)
    return c.figure


def draw_map(
    ax: Axes,
    found: Spectrogram | OrderMap,
    *,
    over: Over | None = None,
    end: float | str | None = None,
    log: bool = True,
    orders: Marked | None = None,
    modes: Modes | Marked | None = None,
) -> None:
    """Draw the map with its colour scale on your own axes; arguments as in `plot_map`."""
    from matplotlib.colors import LogNorm, Normalize

    what = f'plot of "{found.name}"'
    last = last_value(end, what, orders=isinstance(found, OrderMap) and over != "frequency")
    places = _order_places(found, over, last) if isinstance(found, OrderMap) else _time_places(found, over, last)
    if orders is not None and not isinstance(found, OrderMap):
        raise PitchlineError(
            f"{what}: orders need the speed of a shaft, which a spectrogram does not have; use order_map"
        )
    amplitude = found.amplitude[:, : places.lines]
    moving = amplitude[:, min(2, places.lines - 1) :]  # without the mean and its leakage into the next line
    if places.end is not None:
        moving = np.where(places.y[:, min(2, places.lines - 1) :] <= places.end, moving, 0.0)
    top = float(np.max(moving)) or float(np.max(amplitude)) or 1.0
    scale, unit = scaled_unit(found.unit, top)
    norm = LogNorm(scale * top / _RANGE, scale * top, clip=True) if log else Normalize(0.0, scale * top)
    x, y = np.broadcast_arrays(places.x[:, None], places.y)
    if len(x) == 1:  # one block only: the same to its right
        x, y, amplitude = np.vstack([x - 0.5, x + 0.5]), np.vstack([y, y]), np.vstack([amplitude, amplitude])
    colours = ax.pcolormesh(
        x, places.factor * y, scale * amplitude, cmap=_COLOURS, norm=norm, shading="gouraud", rasterized=True
    )
    ax.grid(False)
    ax.set(xlabel=places.x_label, ylabel=places.y_label)
    ax.set_xlim(float(np.min(x)), float(np.max(x)))
    ax.set_ylim(0.0, places.factor * places.top)
    bar = ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label=axis_label(signal_quantity(found.name), unit))
    if log:
        plain_decades(bar.ax.yaxis)
    _mark(ax, found, places, order_marks(orders, what), modes, what)


@dataclass(frozen=True)
class _MapAxes:
    """Places of the blocks and lines of a map, and the labels of both axes."""

    kind: Literal["order", "order over time", "frequency", "spectrogram"]
    x: FloatArray  # (b,), in the unit of the axis
    x_label: str
    y: FloatArray  # (b, lines) or (1, lines), times `factor` in the unit of the axis
    factor: float
    y_label: str
    lines: int
    top: float  # end of the vertical axis, in the unit of `y`
    end: float | None = None  # lines above this do not count for the scale of colours


def _order_places(found: OrderMap, over: Over | None, end: float | None) -> _MapAxes:
    if over == "frequency":
        x, x_label = speed_or_time(found, "speed")
        y = found.order * x[:, None] / 60.0
        top = float(y.max()) if end is None else float(end)
        factor, unit = scaled_unit("Hz", top)
        return _MapAxes("frequency", x, x_label, y, factor, axis_label("frequency", unit), y.shape[1], top, top)
    x, x_label = speed_or_time(found, over)
    lines = _lines(found.order, end)
    kind: Literal["order", "order over time"] = "order over time" if x_label.startswith("time") else "order"
    name = f"order of {found.angle.removesuffix('.angle')}"
    return _MapAxes(kind, x, x_label, found.order[None, :lines], 1.0, name, lines, float(found.order[lines - 1]))


def _time_places(found: Spectrogram, over: Over | None, end: float | None) -> _MapAxes:
    if over not in (None, "time"):
        raise PitchlineError(f'plot of the spectrogram of "{found.name}": it has no speed; use over="time"')
    scale, unit = scaled_unit("s", float(np.max(np.abs(found.time))))
    lines = _lines(found.frequency, end)
    top = float(found.frequency[lines - 1])
    factor, unit_y = scaled_unit("Hz", top)
    return _MapAxes(
        "spectrogram", scale * found.time, axis_label("time", unit), found.frequency[None, :lines], factor,
        axis_label("frequency", unit_y), lines, top,
    )  # fmt: skip


def _lines(values: FloatArray, end: float | None) -> int:
    return len(values) if end is None else max(2, int(np.searchsorted(values, end, side="right")))


def speed_or_time(found: OrderMap | OrderTrack, over: Over | None) -> tuple[FloatArray, str]:
    """Values and label of the lower axis: the magnitude of the speed in rpm, or the time."""
    speed = run_up_speed(found.speed)
    if over is None:
        over = "time" if speed is None else "speed"
    if over == "time":
        factor, unit = scaled_unit("s", float(np.max(np.abs(found.time))))
        return factor * found.time, axis_label("time", unit)
    if over != "speed":
        allowed = '"speed", "frequency" or "time"' if isinstance(found, OrderMap) else '"speed" or "time"'
        raise PitchlineError(f'plot of "{found.name}": over must be {allowed}, got {over!r}')
    if speed is None and isinstance(found, OrderMap):
        raise PitchlineError(
            f'plot of "{found.name}": the speed rises and falls, so a map over speed would overlap itself; use over="time"'
        )
    return RPM * (np.abs(found.speed) if speed is None else speed), rotation_label(found.angle)


def run_up_speed(speed: FloatArray) -> FloatArray | None:
    """Magnitude of a speed that rises or falls throughout, except for small vibrations, which are averaged.

    None if it does both: the way up and down is more than 1.5 times the net change.
    """
    size = np.abs(speed)
    net, way = float(size[-1] - size[0]), float(np.sum(np.abs(np.diff(size))))
    if len(size) < 2 or way > MOST_WAY * abs(net):
        return None
    return size if way <= abs(net) * (1.0 + 1e-12) else np.sign(net) * _rising(np.sign(net) * size)


def _rising(values: FloatArray) -> FloatArray:
    """The nearest values that never fall, by least squares: neighbours that fall share their mean."""
    groups: list[tuple[float, int]] = []  # mean, count
    for value in values:
        groups.append((float(value), 1))
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            (mean, count), (before, many) = groups.pop(), groups.pop()
            groups.append(((mean * count + before * many) / (count + many), count + many))
    return np.repeat([mean for mean, _ in groups], [count for _, count in groups])


# --- lines of orders and modes -----------------------------------------------------------------------------


def _mark(
    ax: Axes, found: Spectrogram | OrderMap, places: _MapAxes, orders: list[MarkedLine], modes: Any, what: str
) -> None:
    """Draw the lines and name them where they leave the panel."""
    low, high = (float(x) for x in ax.get_xlim())
    speeds = np.linspace(low, high, 400)  # rpm
    right: list[LineName] = []
    above: list[LineName] = []
    for mark in orders:
        if places.kind == "frequency":
            curve = mark.value * speeds / 60.0
        else:
            curve = np.full(len(speeds), mark.value)
        _line(ax, speeds, places, curve, mark, (0, (1, 2.5)), right, above)
    highest = places.top if not places.kind.startswith("order") else np.inf
    for mark in mode_marks(modes, highest, what):
        if places.kind == "order":
            curve = mark.value * 60.0 / np.maximum(speeds, 1e-300)
        elif places.kind == "order over time" and isinstance(found, OrderMap):
            speeds = places.x
            curve = 2.0 * np.pi * mark.value / np.maximum(np.abs(found.speed), 1e-300)
        else:
            curve = np.full(len(speeds), mark.value)
        _line(ax, speeds, places, curve, mark, (0, (6, 2, 1, 2)), right, above)
    name_lines(ax, right, above)


def _line(
    ax: Axes, x: FloatArray, places: _MapAxes, curve: FloatArray, mark: MarkedLine, dashes: Any, right: list[LineName],
    above: list[LineName],
) -> None:  # fmt: skip
    """A thin line, and its name at the right edge, or at the top if it leaves the panel there."""
    inside = curve <= places.top * (1.0 + 1e-9)
    if not np.any(inside):
        return
    drawn = np.where(inside, places.factor * curve, np.nan)
    ax.plot(x, drawn, color=mark.colour, linewidth=0.7, linestyle=dashes, scalex=False, scaley=False)
    if inside[-1]:
        right.append(LineName(mark.name, float(curve[-1] / places.top), mark.colour))
    else:
        leaves = x[np.flatnonzero(inside)[-1]]
        above.append(LineName(mark.name, float((leaves - x[0]) / (x[-1] - x[0])), mark.colour))


# ---- spectra

# Pictures of spectra, of one order along a run, and of peaks over speed.

#: Lowest amplitude on a logarithmic axis, as a fraction of the largest: 100 dB below it.
_RANGE_spectra = 1e-5


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
            max(scale * largest * _RANGE_spectra, 0.5 * scale * float(np.min(columns[columns > 0.0]))),
            2.0 * scale * largest,
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
