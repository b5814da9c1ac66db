"""Style of the report: on a light screen, on a dark screen, on paper."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #5b6570; --line: #d8dde3; --grid: #dfe3e8; --shade: #f5f7f9;
  --accent: #0b5c8f; --blue: #0072b2; --good: #1a7f4b; --warn: #8a5a00; --warn-bg: #fff6e0; --warn-line: #e8b33c;
  --bad: #a8231b; --bad-bg: #fdeceb; --bad-line: #d9534a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16191d; --ink: #e4e7ea; --soft: #9aa4ae; --line: #353b43; --grid: #343a42; --shade: #1e2227;
    --accent: #6db8ea; --blue: #4aa8e6; --good: #5cc78f; --warn: #f0c25e; --warn-bg: #2d2615; --warn-line: #b0852b;
    --bad: #ff8d85; --bad-bg: #331b1a; --bad-line: #b8473f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 57rem; padding: 2.2rem 1.6rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: lining-nums;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .8rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 1.7rem 0 .5rem; overflow-wrap: anywhere; }
h4 { font-size: .9rem; margin: 1.2rem 0 .35rem; color: var(--soft); font-weight: 600; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--accent); }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.subtitle { color: var(--soft); font-size: 1.02rem; margin: 0 0 1rem; max-width: 48rem; }
.meta { color: var(--soft); font-size: .86rem; display: flex; flex-wrap: wrap; gap: .15rem 1.4rem; margin: .7rem 0 0; }
.meta b { color: var(--ink); font-weight: 600; }
header { border-bottom: 3px solid var(--accent); padding-bottom: 1rem; }
nav { font-size: .88rem; margin: .9rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.chip {
  display: inline-block; font-size: .76rem; font-weight: 600; padding: .08rem .55rem; border-radius: 1rem;
  border: 1px solid currentColor; vertical-align: .1em; margin-left: .5rem; white-space: nowrap;
}
.chip.good { color: var(--good); } .chip.warn { color: var(--warn); } .chip.bad { color: var(--bad); }
.note {
  border-left: 4px solid var(--warn-line); background: var(--warn-bg); padding: .6rem .95rem; margin: 1rem 0;
  border-radius: 0 4px 4px 0;
}
.note.bad { border-color: var(--bad-line); background: var(--bad-bg); }
.note h3 { margin: 0 0 .25rem; font-size: .95rem; color: var(--warn); }
.note.bad h3 { color: var(--bad); }
.note ul { margin: .2rem 0; padding-left: 1.15rem; } .note li { margin: .2rem 0; } .note p { max-width: none; }
.where { color: var(--soft); font-size: .88em; }
.scroll { overflow-x: auto; margin: .6rem 0 1rem; }
table { border-collapse: collapse; font-size: .88rem; line-height: 1.35; }
th { text-align: left; font-weight: 600; }
thead th { border-bottom: 1.5px solid var(--soft); color: var(--soft); font-size: .82rem; vertical-align: bottom; }
th, td { padding: .28rem .9rem .28rem 0; vertical-align: top; }
th:last-child, td:last-child { padding-right: .1rem; }
tbody td, tbody th { border-bottom: 1px solid var(--line); }
.n { text-align: right; font-variant-numeric: tabular-nums lining-nums; white-space: nowrap; }
thead th.n { white-space: normal; }
table.wide { width: 100%; }
table.small { font-size: .8rem; }
table.small td:first-child code { white-space: nowrap; }
table.facts th { color: var(--soft); font-weight: 500; padding-right: 1.6rem; white-space: nowrap; }
.sheets { display: grid; grid-template-columns: repeat(auto-fit, minmax(17.5rem, 1fr)); gap: 0 2.2rem; }
.shapes { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.2rem; }
figure { margin: .9rem 0 1.2rem; }
figcaption { color: var(--soft); font-size: .84rem; margin-top: .3rem; max-width: 48rem; }
svg.plot { display: block; width: 100%; height: auto; fill: var(--ink); }
.key { display: flex; flex-wrap: wrap; gap: 1rem 2.6rem; margin: 1rem 0 .4rem; }
.key div { min-width: 7rem; } .key b { display: block; font-size: 1.28rem; line-height: 1.2; font-weight: 600; }
.key span { color: var(--soft); font-size: .82rem; }
iframe.view { display: block; width: 100%; height: 46rem; max-height: 92vh; border: 1px solid var(--line); border-radius: 4px; }
@media (min-width: 75rem) { iframe.view { width: 72rem; margin-left: -7.5rem; } }
footer { margin-top: 3rem; padding-top: .7rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .82rem; }
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --ink: #000000; --soft: #4a4f55; --line: #c9ced4; --grid: #dfe3e8; --shade: #ffffff;
    --accent: #0b5c8f; --blue: #0072b2; --good: #1a7f4b; --warn: #7a4f00; --warn-bg: #fff9ec; --warn-line: #e8b33c;
    --bad: #a8231b; --bad-bg: #fff4f3; --bad-line: #d9534a;
  }
  @page { size: A4; margin: 16mm 15mm 18mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, #view { display: none; }
  h2, h3, h4 { break-after: avoid; }
  figure, .note, tr, .chart { break-inside: avoid; }
  h3 + p, h4 + p { break-after: avoid; }
  svg.plot { max-height: 215mm; } figure.half svg.plot { max-height: 108mm; }
  table { font-size: 8.5pt; } table.small { font-size: 8pt; }
  th, td { padding-right: .55rem; }
  .sheets { gap: 0 1rem; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  a { color: inherit; text-decoration: none; }
  .note, .chip { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""


# ---- html

# Pieces of HTML: escaped text, tables, sections.


class Html(str):
    """Text that is already HTML; other text is escaped before it goes into a page."""

    __slots__ = ()


def text(value: object) -> Html:
    """A value as text of the page; control characters, which HTML forbids, become the replacement character."""
    if isinstance(value, Html):
        return value
    cleaned = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", "\ufffd", str(value))
    return Html(html.escape(cleaned, quote=True))


def tag(name: str, *content: object, **attributes: object) -> Html:
    """`<name attributes>content</name>`; `class_` stands for class, "_" for "-"."""
    marks = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{marks}>{join(content)}</{name}>")


def join(parts: Iterable[object], between: str = "") -> Html:
    """One after the other."""
    return Html(between.join(text(part) for part in parts))


def code(value: object) -> Html:
    """A name in a program; long names may break after a dot or an underscore."""
    broken = re.sub(r"([._/])(?=\w)", r"\1<wbr>", text(value))
    return tag("code", Html(broken))


def table(
    heads: Sequence[object], rows: Sequence[Sequence[object]], *, numbers: Sequence[int] = (), class_: str | None = None
) -> Html:
    """A table; columns in `numbers` are right aligned. Without rows the result is empty."""
    if not rows:
        return Html("")
    right = set(numbers)

    def line(cells: Sequence[object], kind: str) -> Html:
        scope = "col" if kind == "th" else None
        return tag(
            "tr", *(tag(kind, cell, class_="n" if i in right else None, scope=scope) for i, cell in enumerate(cells))
        )

    body = join((line(row, "td") for row in rows), "\n")
    whole = tag("table", tag("thead", line(heads, "th")), tag("tbody", body), class_=class_)
    return tag("div", whole, class_="scroll")


def pairs(rows: Sequence[tuple[object, object]], *, class_: str = "facts") -> Html:
    """Two columns: name and value."""
    if not rows:
        return Html("")
    lines = join((tag("tr", tag("th", key, scope="row"), tag("td", value)) for key, value in rows), "\n")
    return tag("div", tag("table", tag("tbody", lines), class_=class_), class_="scroll")


def section(key: str, heading: str, *content: object) -> Html:
    """A section of the report with an id for the table of contents; an empty section is left out."""
    inside = join((part for part in content if part), "\n")
    if not inside.strip():
        return Html("")
    return Html(f"\n{tag('section', tag('h2', heading), inside, id=key)}\n")


# ---- inline svg

# A figure as SVG inside a page, with its own ids, without links, in colours for light and dark pages.

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
