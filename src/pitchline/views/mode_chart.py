"""Charts of modes, Campbell diagrams and Floquet multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.results.modes import Campbell, Floquet, Modes

from . import style
from .style import RPM, LineName, apart, axis_label, canvas, formula, name_lines, rotation_label, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["apart", "plot_campbell"]


# ---- campbell

# Campbell diagrams: natural frequencies over speed, and lines of orders.

_ORDER = "#6E6E6E"


@names_wrong_arguments
def plot_campbell(
    found: Campbell,
    *,
    path: str | Path | None = None,
    end: float | None = None,
    crossings: bool = True,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.8 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw natural frequencies over the speed in rpm, with the lines of orders; returns the matplotlib figure.

    end: highest frequency shown [Hz]. crossings: whether to mark where an order meets a mode. path: file to save it in
    (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    if len(found.speeds) < 2:
        raise PitchlineError(
            f'nothing to plot: the modes of "{found.model_name}" are known at one speed only; give two speeds or more'
        )
    # a mode that stops oscillating has no frequency above that speed
    top = 1.06 * float(np.max(np.nan_to_num(found.frequencies), initial=0.0)) if end is None else float(end)
    if not top > 0.0:
        raise PitchlineError(f'nothing to plot: no mode of "{found.model_name}" oscillates')
    factor, unit = scaled_unit("Hz", top)
    heading = f"{found.model_name}: frequencies over speed" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        speeds = RPM * found.speeds
        ax.set_xlim(speeds[0], speeds[-1])
        ax.set_ylim(0.0, factor * top)
        right, above = _draw_orders(ax, found, factor)
        _draw_modes(ax, found, factor)
        if crossings and found.crossings:
            x, y = zip(*((RPM * one.speed, factor * one.frequency) for one in found.crossings), strict=True)
            ax.plot(x, y, "o", markersize=3.6, markerfacecolor="white", markeredgecolor="#000000", markeredgewidth=0.8)
        ax.set_ylabel(axis_label("frequency", unit))
        ax.set_xlabel(rotation_label(found.shaft))
        name_lines(ax, right, above)
    return c.figure


def _draw_modes(ax: Axes, found: Campbell, factor: float) -> None:
    """Draw one colour for each kind of mode, with a legend if there are several kinds."""
    from matplotlib.lines import Line2D

    kinds = list(dict.fromkeys(found.kinds))
    for kind, frequency in zip(found.kinds, found.frequencies.T, strict=True):
        ax.plot(RPM * found.speeds, factor * frequency, **style.line_style(kinds.index(kind)))
    if len(kinds) > 1:
        lines = [Line2D([], [], **style.line_style(i)) for i in range(len(kinds))]
        ax.figure.legend(lines, kinds, loc="outside lower center", ncols=len(kinds))


def _draw_orders(ax: Axes, found: Campbell, factor: float) -> tuple[list[LineName], list[LineName]]:
    """Draw lines through the origin; returns names for those that leave the panel at the right, and at the top."""
    low, high = (float(x) for x in ax.get_xlim())
    top = float(ax.get_ylim()[1])
    right, above = [], []
    for name, order in found.orders.items():
        slope = factor * abs(order) / 60.0
        ends = np.linspace(low, high, 3 if low < 0.0 < high else 2)
        ax.plot(ends, slope * np.abs(ends), color=_ORDER, linewidth=0.7, linestyle=(0, (5, 2)), zorder=1.5)
        if slope * abs(high) <= top:
            right.append(LineName(name, slope * abs(high) / top, _ORDER))
        elif low <= top / slope:
            above.append(LineName(name, (top / slope - low) / (high - low), _ORDER))
    return right, above


#: More rows, or more columns of bodies or of elements, than these cannot be read.
MOST_ROWS, MOST_COLUMNS = 40, 20

#: Share of the energy that is worth a number.
WORTH = 0.02

_CELL, _ROW = 0.265, 0.215  # inches
_MOTIONS = ("translation", "rotation", "tilting")
_SMALL = 7.0  # size of letters, points


@dataclass
class _ModeBlock:
    """Columns of one sort: shares (rows, columns)."""

    heading: str
    names: list[str]
    shares: FloatArray


@names_wrong_arguments
def plot_modes(
    found: Modes,
    *,
    path: str | Path | None = None,
    end: float | None = None,
    title: str | None = None,
    width: float | None = None,
) -> Figure:
    """Draw the shares of the energy of every mode as a chart, in %; return the matplotlib figure.

    Each row is a frequency; modes with the same frequency share a row. Columns are the kinetic energy by kind of motion
    (translation of centres of mass, rotation of bodies about their own axes, other rotation) and by body, and the strain
    energy by element. The lowest 40 frequencies are shown, and the bodies and elements with the largest shares.

    end: highest frequency shown [Hz]. path: file to save the picture to (.png, .svg, .pdf). title: heading, "" for none. width:
    inches; default: by the number of columns.
    """
    rows = _rows(found, end)
    if not rows:
        limit = "" if end is None else f" up to {end:g} Hz"
        raise PitchlineError(f'nothing to plot: "{found.model_name}" has no mode{limit}')
    rows, left_out = rows[:MOST_ROWS], len(rows) - MOST_ROWS
    blocks = _blocks(found, rows)
    columns = sum(len(block.names) for block in blocks) + len(blocks) - 1
    names = [_row_name(found, row) for row in rows]
    if width is None:
        cell = max([_CELL, *(0.078 * len(block.heading) / (len(block.names) + 1) for block in blocks)])
        width = max(0.5 * style.WIDTH, 0.45 + 0.072 * max(map(len, names)) + cell * columns)
    heading = f"{found.model_name}: modes, shares of energy in %" if title is None else title
    if left_out > 0 and title is None:
        heading += f" (the lowest {MOST_ROWS} frequencies of {MOST_ROWS + left_out})"
    height = _ROW * len(rows) + 0.35 + 0.055 * max(len(name) for block in blocks for name in block.names)
    with canvas(path=path, title=heading, width=width, panel_height=height) as c:
        _draw(c.axes[0], blocks, names)
    return c.figure


def _rows(found: Modes, end: float | None) -> list[list[int]]:
    """Modes of one frequency together, by rising frequency."""
    rows: list[list[int]] = []
    for i, f in enumerate(found.frequencies):
        if end is not None and f > end:
            break
        if rows and len(rows[-1]) < found.multiplicity[rows[-1][0]]:
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def _row_name(found: Modes, row: list[int]) -> str:
    kinds = list(dict.fromkeys(found.kinds[i] for i in row))
    times = f" (x{len(row)})" if len(row) > 1 else ""
    return f"{', '.join(kinds)}{times}   {found.frequencies[row[0]]:.5g} Hz"


def _blocks(found: Modes, rows: list[list[int]]) -> list[_ModeBlock]:
    def by_row(values: FloatArray) -> FloatArray:
        return np.array([values[row].mean(axis=0) for row in rows])

    kinetic = by_row(found.kinetic)
    motion = kinetic.sum(axis=1)
    kept = 3 if np.any(motion[:, 2] >= WORTH) else 2  # in most models nothing tilts
    blocks = [_ModeBlock("motion", list(_MOTIONS[:kept]), motion[:, :kept])]
    own = [by_row(share[:, None]) for share in found.own.values()]
    energies = np.concatenate([kinetic.sum(axis=2), *own], axis=1)
    blocks.append(_largest(_ModeBlock("kinetic energy", [*found.bodies, *found.own], energies)))
    if found.strain:
        strain = by_row(np.stack(list(found.strain.values()), axis=1))
        strain[[row[0] < found.rigid for row in rows]] = 0.0  # a motion that strains nothing has no shares
        blocks.append(_largest(_ModeBlock("strain energy", list(found.strain), strain)))
    return blocks


def _largest(block: _ModeBlock) -> _ModeBlock:
    """The columns with the largest shares, in their order; the others together as one."""
    if len(block.names) <= MOST_COLUMNS:
        return block
    kept = np.sort(np.argsort(-block.shares.max(axis=0), kind="stable")[: MOST_COLUMNS - 1])
    rest = np.setdiff1d(np.arange(len(block.names)), kept)
    shares = np.column_stack([block.shares[:, kept], block.shares[:, rest].sum(axis=1)])
    return _ModeBlock(block.heading, [*(block.names[k] for k in kept), f"{len(rest)} others"], shares)


def _draw(ax: Axes, blocks: list[_ModeBlock], names: list[str]) -> None:
    count = len(names)
    ticks: list[float] = []
    labels: list[str] = []
    left = 0.0
    for block in blocks:
        wide = len(block.names)
        edges = left + np.arange(wide + 1)
        look: dict[str, Any] = {"cmap": "Blues", "vmin": 0.0, "vmax": 1.25, "edgecolors": "white", "linewidth": 0.8}
        ax.pcolormesh(edges, np.arange(count + 1), block.shares, **look)
        for (row, k), share in np.ndenumerate(block.shares):
            if share >= WORTH:
                ax.text(
                    left + k + 0.5, row + 0.5, f"{100 * share:.0f}", ha="center", va="center", fontsize=_SMALL,
                    color="white" if share > 0.7 else "black",
                )  # fmt: skip
        ax.annotate(
            block.heading, (left, count), xytext=(0, -4), textcoords="offset points", va="top", fontsize=8.0,
            fontweight="bold", annotation_clip=False,
        )  # fmt: skip
        ticks += [left + k + 0.5 for k in range(wide)]
        labels += block.names
        left += wide + 1
    ax.set(xlim=(0.0, left - 1.0), ylim=(count, 0.0))
    ax.grid(False)
    ax.xaxis.tick_top()
    ax.set_xticks(ticks, labels, rotation=50, ha="left", rotation_mode="anchor")
    ax.set_yticks(np.arange(count) + 0.5, names)
    ax.tick_params(length=0.0, pad=2.0)
    for spine in ax.spines.values():
        spine.set_visible(False)


# ---- stability

# Parametric stability: Floquet multipliers over speed, and the map over speed and ripple.

#: Up to this number of ripples are curves; more are a map.
MOST_CURVES = 4

#: Pale for slow growth, dark for fast growth, also in grey.
_COLOURS = "magma_r"


@names_wrong_arguments
def plot_floquet(
    found: Floquet,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.5 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw the regions in which a machine is unstable; returns the matplotlib figure.

    Up to four ripples are curves of the largest multiplier over the speed in rpm. More ripples are a map over speed and
    ripple, whose colour is the growth rate; stable regions are white. path: file to save it in (.png, .svg, .pdf).
    title: heading, "" for none. width, panel_height: inches.
    """
    if len(found.speeds) < 2:
        raise PitchlineError(
            f'nothing to plot: the multipliers of "{found.model_name}" are known at one speed only; give two speeds or more'
        )
    heading = f"{found.model_name}: parametric stability" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        if len(found.ripples) > MOST_CURVES:
            _draw_map(ax, found)
        else:
            _draw_curves(ax, found)
        ax.set_xlabel(rotation_label(found.shaft))
    return c.figure


def _draw_curves(ax: Axes, found: Floquet) -> None:
    ax.axhline(1.0, color="#000000", linewidth=0.8)
    for k, ripple in enumerate(found.ripples):
        look = style.line_style(k)
        ax.plot(RPM * found.speeds, found.largest[:, k], label=f"ripple {ripple:g}", **look)
        grows = ~found.stable[:, k]
        ax.fill_between(
            RPM * found.speeds, 1.0, found.largest[:, k], where=grows, color=look["color"], alpha=0.18, linewidth=0.0
        )
    low, high = float(found.largest.min()), float(found.largest.max())
    room = max(0.06 * (max(high, 1.0) - min(low, 1.0)), 0.005)
    ax.set_ylim(min(low, 1.0) - room, max(high, 1.0) + room)
    ax.set_ylabel("largest multiplier " + formula(r"|\mu|"))
    if len(found.ripples) > 1:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.02), ncols=len(found.ripples))


def _draw_map(ax: Axes, found: Floquet) -> None:
    growth = np.ma.masked_where(found.stable, found.growth).T
    order = np.argsort(found.ripples)
    colours = ax.pcolormesh(
        _edges(RPM * found.speeds), _edges(found.ripples[order]), growth[order], cmap=_COLOURS, vmin=0.0,
        vmax=None if growth.count() else 1.0, rasterized=True,
    )  # fmt: skip
    ax.set_ylabel("ripple (1: as in the model)")
    ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label="growth (1/s)")
    if not growth.count():
        ax.text(0.5, 0.5, "stable everywhere", transform=ax.transAxes, ha="center", va="center")


def _edges(values: FloatArray) -> FloatArray:
    """Bounds of cells around increasing values."""
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
