"""Style of all pictures: units and names of axes, lines, names at their ends, size of a figure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text

__all__ = ["formula", "plain_texts", "without_formulas"]


# ---- labels

# Units and quantities as an axis shows them.

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

#: Prefixes that engineers write before the leading unit; nobody writes km/s² for a gear.
_SMALL = ((1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_LARGE = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
_PREFIXES: dict[str, tuple[tuple[float, str], ...]] = {
    "m": _SMALL,
    "s": _SMALL,
    "rad": _SMALL[:2],
    "N": _LARGE + _SMALL[:2],
    "Pa": ((1e6, "M"), (1e3, "k")),  # stresses are in MPa, whatever their size
    "J": _LARGE + _SMALL,
    "W": _LARGE + _SMALL,
    "Hz": _LARGE,
}

#: Angles from this [rad] are in degrees, and from the second one in revolutions.
_SMALLEST_DEGREES, _MOST_DEGREES = 0.02, 20.0 * math.pi

#: Quantity of a unit, if the signals in one panel have different names.
_QUANTITIES = {
    "s": "time",
    "m": "length",
    "m/s": "velocity",
    "m/s^2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s^2": "angular acceleration",
    "N": "force",
    "N*m": "torque",
    "N/m": "stiffness",
    "N*m/rad": "torsional stiffness",
    "J": "energy",
    "W": "power",
    "Hz": "frequency",
    "Pa": "pressure",
    "kg": "mass",
    "kg*m/s": "momentum",
    "kg*m^2/s": "angular momentum",
}


def unit_text(unit: str) -> str:
    """A unit as people write it: "kg*m^2" becomes "kg·m²"; a pure number has none."""
    if unit in ("", "1"):
        return ""
    unit = re.sub(r"\bu(?=(m|s|rad|N|W|J)\b)", "µ", unit)
    raised = re.sub(r"\^(-?\d+)", lambda match: match[1].translate(_SUPERSCRIPTS), unit)
    return raised.replace("*", "·")


def scaled_unit(unit: str, largest: float) -> tuple[float, str]:
    """(factor, text) of the unit that engineers write for values up to `largest`: value · factor is in the unit `text`.

    Speeds of rotation are in rpm. Angles are in deg from 0.02 rad (1.1°), in revolutions from ten of them, and below in
    mrad or µrad. Other units take a prefix so that the numbers have few zeros: from 0.1 to 10 000 no prefix is needed.
    Magnitudes below all prefixes (rounding), and units without prefixes, stay as they are.
    """
    if unit == "rad/s":
        return 30.0 / math.pi, "rpm"
    if unit == "rad" and largest >= _SMALLEST_DEGREES:
        return (180.0 / math.pi, "deg") if largest < _MOST_DEGREES else (0.5 / math.pi, "rev")
    text = unit_text(unit)
    lead = re.match(r"[A-Za-z]+(?![A-Za-z^])", unit)
    for size, prefix in _PREFIXES.get(lead[0], ()) if lead else ():
        if largest >= max(size, 1e4) if size > 1.0 else 0.1 * size <= largest < 100.0 * size:
            return 1.0 / size, prefix + text
    return 1.0, text


def axis_label(quantity: str, unit: str) -> str:
    """Label of an axis, "force (kN)"; only the quantity for a pure number."""
    return f"{quantity} ({unit})" if unit else quantity


def quantity_text(names: list[str], unit: str) -> str:
    """Quantity in a panel: the common last part of the names, else the quantity of the unit."""
    last = {name.rpartition(".")[2].replace("_", " ") for name in names}
    return last.pop() if len(last) == 1 else _QUANTITIES.get(unit, "value")


def signal_quantity(name: str) -> str:
    """The quantity of a signal: its name without the element; "position x" for a component; an expression as it is."""
    if not re.fullmatch(r"[\w. -]+", name) or " - " in name:
        return name.replace('"', "")
    owner, _, last = name.rpartition(".")
    if len(last) == 1 and owner:
        return f"{quantity_text([owner], '')} {last}"
    return quantity_text([name], "")


def plain_decades(axis: Axis) -> None:
    """Write the decades of a logarithmic axis as 0.01, 0.1, 1, 10 instead of powers, if they are few and near 1."""
    from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation

    low, high = axis.get_view_interval()
    if low >= 0.9e-4 and high <= 1.1e5:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        if high < 30.0 * low:  # few decades: names between them too
            axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(2, 0.4)))


# ---- plain texts

# Texts of figures are shown as they are written: a name with dollar signs is not a formula.
#
# Matplotlib reads the text between two dollar signs as a formula, and fails if it is not one. Names of models, parts
# and signals may contain any printable character. Formulas of the package start with an empty group, as those of its
# numbers at the axes do.

_START = r"\mathdefault{"
_FORMULA = re.compile(r"(?<!\\)\$([^$]*)(?<!\\)\$")
_DOLLAR = re.compile(r"(?<!\\)\$")


def formula(text: str) -> str:
    """A formula of the package, such as K_γ, for a text of a figure."""
    return f"${_START}}}{text}$"


def without_formulas(name: str) -> str:
    """A name within a text that contains a formula of the package."""
    return name.replace("$", r"\$")


def plain_texts(figure: Figure) -> None:
    """Show all texts of a figure as they are written, except for numbers at the axes and formulas of the package."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter

    numbers = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            numbers.add(axis.get_offset_text())
            for written in (axis.get_major_formatter(), axis.get_minor_formatter()):
                if isinstance(written, FixedFormatter):  # its texts are given to the labels when these are drawn
                    written.seq = [one if _is_own(one) else without_formulas(one) for one in written.seq]
    for text in figure.findobj(Text):
        if "$" in text.get_text() and text not in numbers and not _is_own(text.get_text()):
            text.set_parse_math(False)


def _is_own(text: str) -> bool:
    """Whether all dollar signs of a text belong to formulas of the package."""
    from matplotlib.mathtext import MathTextParser

    found = _FORMULA.findall(text)
    if not found or len(_DOLLAR.findall(text)) != 2 * len(found) or not all(one.startswith(_START) for one in found):
        return False
    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return False
    return True


Side = Literal["right", "above"]

#: Size of letters, and distance from the panel, points.
_SMALL_line_names, _AWAY = 7.0, 8.0

#: Distance between names, in heights of a line of text.
_SPACING = 1.12


@dataclass(frozen=True)
class LineName:
    """Name of a line that leaves a panel at a place: a fraction of its height (right) or of its width (above)."""

    name: str
    place: float
    colour: str


def name_lines(ax: Axes, right: Sequence[LineName] = (), above: Sequence[LineName] = ()) -> None:
    """Write names at the right of a panel and above it; call it last, when the panel is drawn.

    A name moves along the edge if another one is close, and a thin line leads to its place. If they do not
    all fit, the first ones are written.
    """
    sides: dict[Side, list[tuple[LineName, Text]]] = {
        "right": [(one, _text(ax, one, "right")) for one in right],
        "above": [(one, _text(ax, one, "above")) for one in above],
    }
    if not right and not above:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    plain_texts(figure)
    figure.draw_without_rendering()  # lays out the panel, whose size is known only then
    for side, texts in sides.items():
        _arrange(ax, texts, side)


def names_height(names: Sequence[str]) -> float:
    """Height in inches that names above a panel take."""
    return (0.62 * _SMALL_line_names * max(map(len, names)) + _AWAY) / 72.0 if names else 0.0


def _text(ax: Axes, one: LineName, side: Side) -> Text:
    turned: dict[str, Any] = {"ha": "left", "va": "center"}
    if side == "above":
        turned = {"rotation": 90, "ha": "center", "va": "bottom"}
    return ax.text(
        *_at(one.place, side),
        one.name,
        transform=_away(ax, side),
        fontsize=_SMALL_line_names,
        color=one.colour,
        clip_on=False,
        **turned,
    )


def _at(place: float, side: Side) -> tuple[float, float]:
    return (1.0, place) if side == "right" else (place, 1.0)


def _away(ax: Axes, side: Side) -> Any:
    """Fractions of the panel, shifted a little to the outside."""
    from matplotlib.transforms import ScaledTranslation

    dx, dy = (_AWAY / 72.0, 0.0) if side == "right" else (0.0, _AWAY / 72.0)
    return ax.transAxes + ScaledTranslation(dx, dy, ax.figure.dpi_scale_trans)


def _arrange(ax: Axes, texts: list[tuple[LineName, Text]], side: Side) -> None:
    """Move the names apart, remove those that do not fit, and draw a line to each."""
    if not texts:
        return
    room = ax.bbox.height if side == "right" else ax.bbox.width
    line = _SPACING * _SMALL_line_names * 1.17 * ax.figure.dpi / 72.0 / room
    count = max(1, int(1.0 / line) + 1)
    for _, text in texts[count:]:
        text.remove()
    kept = texts[:count]
    places = apart({str(k): one.place for k, (one, _) in enumerate(kept)}, line, 0.0, 1.0)
    for k, (one, text) in enumerate(kept):
        moved = places[str(k)]
        text.set_position(_at(moved, side))
        look = {"arrowstyle": "-", "color": one.colour, "linewidth": 0.5, "shrinkA": 1.5, "shrinkB": 0.0}
        ax.annotate(
            "",
            _at(one.place, side),
            xycoords="axes fraction",
            xytext=_at(moved, side),
            textcoords=text.get_transform(),
            annotation_clip=False,
            arrowprops=look,
        )


def apart(
    places: dict[str, float], distance: float, low: float | None = None, high: float | None = None
) -> dict[str, float]:
    """Places with at least a distance between neighbours, moved as little as possible, from `low` to `high`."""
    names = sorted(places, key=lambda name: places[name])
    # least squares with order kept: groups that would collide share their mean
    groups: list[list[float]] = []  # [sum of (place - k distance), count]
    for k, name in enumerate(names):
        groups.append([places[name] - k * distance, 1.0])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += count
    level = [total / count for total, count in groups for _ in range(int(count))]
    if high is not None:
        level = [min(one, high - (len(names) - 1) * distance) for one in level]
    if low is not None:
        level = [max(one, low) for one in level]
    return {name: level[k] + k * distance for k, name in enumerate(names)}


# ---- rotation axis

# Speed of a shaft along the lower axis, in rpm.

RPM = 30.0 / pi
"""rpm of 1 rad/s."""


def rotation_label(shaft: str) -> str:
    """Label of an axis with the speed of a shaft, given by its name or by the name of its angle."""
    name = shaft.removesuffix(".angle").removesuffix(".angular_speed")
    return f"speed of {name} (rpm)" if name else "speed (rpm)"


# ---- style

# Style of figures: thin lines for print, colours that colour-blind readers can distinguish.

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


# ---- canvas

# A figure of a few panels in the style of the package, saved if a path is given.


@dataclass(frozen=True)
class Canvas:
    """A figure and its panels from top to bottom, which share the lower axis; with several columns, row by row."""

    figure: Figure
    axes: list[Axes]


@contextmanager
def canvas(
    *,
    panels: int = 1,
    columns: int = 1,
    shared: bool = True,
    path: str | Path | None,
    title: str,
    width: float,
    panel_height: float,
) -> Iterator[Canvas]:
    """Panels with a title to draw on; the figure is saved at the end. With several columns, columns share their lower axis
    and rows their vertical axis. shared: False for panels with axes of their own."""
    import matplotlib.style

    from .picture import Picture, check_path, check_width, save

    check_width(width)
    target = None if path is None else check_path(path)
    # Starts from matplotlib's own defaults, not from the user's settings: the same figure on every machine.
    with matplotlib.style.context(["default", RC]):
        height = panels * panel_height + 0.35 + (0.3 if title else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        sharing: dict[str, Any] = {"sharex": True} if columns == 1 else {"sharex": "col", "sharey": "row"}
        grid = figure.subplots(panels, columns, squeeze=False, **(sharing if shared else {}))
        axes = grid.reshape(-1)
        if title:  # before the panels are drawn: names beside lines are arranged by the final size of a panel
            figure.suptitle(title, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        yield Canvas(figure, list(axes))
        figure.align_ylabels(grid[:, 0])
        plain_texts(figure)
        if target is not None:
            save(figure, target, title or "pitchline")
