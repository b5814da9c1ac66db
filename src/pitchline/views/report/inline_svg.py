"""A figure as SVG inside a page, with its own ids, without links, in colours for light and dark pages."""

from __future__ import annotations

import io
import re
from itertools import count
from typing import TYPE_CHECKING

from pitchline.views.report.html import Html, tag, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Black, grey and white follow the colours of the page: text, grid and paper.
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

    def embed(self, figure: Figure, words: str, caption: object = "", *, half: bool = False) -> Html:
        """The figure with its caption.

        `words`: description for screen readers. half: whether it takes at most half a page in print.
        """
        number = next(self._numbers)
        svg = inline(figure, f"p{number}-", words)
        below = tag("figcaption", caption) if caption else ""
        return tag("figure", Html(svg), below, class_="half" if half else None)


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
    # A path without a fill, such as text, is black.
    opening, inside = svg[: svg.index(">")], svg[svg.index(">") + 1 :]
    opening = re.sub(r'\s(width|height|version)="[^"]*"', "", opening)
    svg = f'{opening} role="img" aria-label="{text(words)}" class="plot">{inside}'
    return re.sub(r"\n\s*", "\n", svg).strip()


def _own_ids(svg: str, prefix: str) -> str:
    """Keep only ids that are referred to, with the prefix."""
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
    wanted = {one or other for one, other in used}

    def identity(found: re.Match[str]) -> str:
        return f' id="{prefix}{found[1]}"' if found[1] in wanted else ""

    svg = re.sub(r'\sid="([^"]+)"', identity, svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    return re.sub(r'href="#([^"]+)"', rf'href="#{prefix}\1"', svg)


def _shorter(path: str) -> str:
    """Round to hundredths of a point and remove line breaks."""
    rounded = re.sub(r"-?\d+\.\d{3,}(?!e)", lambda found: f"{float(found[0]):.2f}", path)
    return " ".join(rounded.split())
