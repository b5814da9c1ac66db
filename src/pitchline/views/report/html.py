"""Pieces of HTML: escaped text, tables, sections."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence


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
