"""One HTML file that holds records and the page that shows them; it opens offline and asks nothing of the outside."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
from collections.abc import Sequence
from functools import cache
from importlib import resources

from .records import Record

__all__ = ["page_html"]


@cache
def bundle(name: str) -> str:
    """A file of the bundle: viewer.js, viewer.css."""
    return resources.files(__package__).joinpath("dist", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page_html(records: Sequence[Record], title: str) -> str:
    """The page. Everything that may run in it is named by its hash; it may load, send and frame nothing."""
    script, style = bundle("viewer.js"), bundle("viewer.css")
    if "</script" in script.lower() or "</style" in style.lower():
        raise ValueError("the bundle cannot stand inside a page: it ends its own element")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    # mtime=0: equal records give equal pages
    held = [base64.b64encode(gzip.compress(record.block, 9, mtime=0)).decode() for record in records]
    data = "\n".join(f'<script type="application/octet-stream" class="record">{text}</script>' for text in held)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(title)}</title>\n'
        f'<link rel="icon" href="data:,"><style>{style}</style></head>\n'
        f"<body><noscript>This page needs JavaScript.</noscript>\n{data}\n"
        f'<script type="module">{script}</script></body></html>\n'
    )
