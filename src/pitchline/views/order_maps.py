"""Maps of amplitude: orders or frequencies over the speed of a shaft or over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results import Modes, OrderMap, OrderTrack, Spectrogram
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, plain_decades, scaled_unit, signal_quantity
from pitchline.views.line_names import LineName, name_lines, names_height
from pitchline.views.marks import Marked, MarkedLine, last_value, mode_marks, order_marks
from pitchline.views.rotation_axis import RPM, rotation_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

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
