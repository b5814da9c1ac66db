"""Texts of figures are shown as they are written: a name with dollar signs is not a formula.

Matplotlib reads the text between two dollar signs as a formula, and fails if it is not one. Names of models, parts and signals may
contain any printable character. Formulas of the package start with an empty group, as those of its numbers at the axes do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["formula", "plain_texts", "without_formulas"]

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
