"""Style of figures: thin lines for print, colours that colour-blind readers can distinguish."""

from __future__ import annotations

from typing import Any

#: Okabe and Ito's palette without its yellow (too faint on white), darkest contrasts first.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")

#: After every colour has been used once, dashes distinguish the lines.
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))

#: Width of a figure across both columns of a journal page, and of panels, inches.
WIDTH = 7.2
PANEL_HEIGHT = 2.1

#: Resolution of bitmap files, dots per inch.
DPI = 200

RC: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: the same figure on every machine
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.xmargin": 0.0,
    "axes.ymargin": 0.06,
    "axes.formatter.useoffset": False,
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-3, 5),
    "axes.unicode_minus": True,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "lines.markersize": 4.0,
    "lines.solid_joinstyle": "round",
    "xtick.direction": "out",
    "ytick.direction": "out",
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "legend.fontsize": 8.0,
    "legend.frameon": False,
    "legend.borderaxespad": 0.0,
    "legend.handlelength": 1.8,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "text.usetex": False,
    "pdf.fonttype": 42,  # TrueType, as journals require
    "svg.hashsalt": "pitchline",  # the same figure gives the same file
}


def line_style(index: int) -> dict[str, Any]:
    """Colour and dashes of the line number `index` in a panel."""
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[index // len(COLOURS) % len(DASHES)],
    }


def overlay_style(index: int) -> dict[str, Any]:
    """Line of one of several results in one panel, of any colour: the first is on top, further ones are thin and pale."""
    return {
        "linewidth": 0.9 if index == 0 else 0.7,
        "alpha": 1.0 if index == 0 else 0.55,
        "linestyle": DASHES[max(index - 1, 0) % len(DASHES)],
        "zorder": 3.0 - 0.1 * index,
    }
