"""Chart of modes: one row per frequency with the shares of kinetic and strain energy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.modes import Modes
from pitchline.views import style
from pitchline.views.canvas import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

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
