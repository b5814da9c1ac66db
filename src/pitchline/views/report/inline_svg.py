"""A figure as SVG inside a page: ids of its own, no address, colours that follow light and dark."""

from __future__ import annotations

import io
import re
from itertools import count
from typing import TYPE_CHECKING

from pitchline.views.report.html import Html, tag, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What is drawn in a grey of the paper follows the page: the ink, the grid, the paper itself.
_PAGE_COLOURS = {
    "#000000": "var(--ink)",
    "#d9d9d9": "var(--grid)",
    "#ffffff": "var(--paper)",
    "#0072b2": "var(--blue)",
}


class Pictures:
    """The pictures of one page, numbered so that no id occurs twice."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def embed(self, figure: Figure, words: str, caption: object = "") -> Html:
        """The figure with its caption; `words` say what it shows to those who cannot see it."""
        number = next(self._numbers)
        svg = inline(figure, f"p{number}-", words)
        below = tag("figcaption", caption) if caption else ""
        return tag("figure", Html(svg), below)


def inline(figure: Figure, prefix: str, words: str) -> str:
    """The figure as one `<svg>` element whose ids begin with `prefix`."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context(
        {"svg.fonttype": "path", "svg.hashsalt": "pitchline", "path.simplify": True, "path.simplify_threshold": 0.15}
    ):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.S)
    svg = re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace("xlink:href=", "href=")
    svg = _own_ids(svg, prefix)
    svg = re.sub(r'(?<=\sd=")[^"]*', lambda found: _shorter(found[0]), svg)
    for colour, name in _PAGE_COLOURS.items():
        svg = re.sub(rf"(fill|stroke): {colour}\b", rf"\1: {name}", svg, flags=re.I)
    # A path without a fill of its own is black: text, for one.
    opening, inside = svg[: svg.index(">")], svg[svg.index(">") + 1 :]
    opening = re.sub(r'\s(width|height|version)="[^"]*"', "", opening)
    svg = f'{opening} role="img" aria-label="{text(words)}" class="plot">{inside}'
    return re.sub(r"\n\s*", "\n", svg).strip()


def _own_ids(svg: str, prefix: str) -> str:
    """Ids that something refers to, with the prefix; the others are left out."""
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
    wanted = {one or other for one, other in used}

    def identity(found: re.Match[str]) -> str:
        return f' id="{prefix}{found[1]}"' if found[1] in wanted else ""

    svg = re.sub(r'\sid="([^"]+)"', identity, svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    return re.sub(r'href="#([^"]+)"', rf'href="#{prefix}\1"', svg)


def _shorter(path: str) -> str:
    """Hundredths of a point are enough; line breaks are not needed."""
    rounded = re.sub(r"-?\d+\.\d{3,}(?!e)", lambda found: f"{float(found[0]):.2f}", path)
    return " ".join(rounded.split())
