"""One HTML file that holds records and the page that shows them; it opens offline and asks nothing of the outside."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
from collections.abc import Sequence
from functools import cache
from importlib import resources

from .records import ViewRecord

__all__ = ["page_html"]


@cache
def bundle(name: str) -> str:
    """A file of the bundle: viewer.js, viewer.css."""
    return resources.files(__package__).joinpath("dist", name).read_text("utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


LOADER = """\
const packed = document.getElementById("code").textContent;
const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
document.body.append(script);
"""
"""Unpacks the script of the page. The script is identified by its hash, as if it were written there as text."""


def _packed(data: bytes) -> str:
    # level 6: level 9 takes three times as long for a page that is 1 % smaller; mtime=0: equal records give equal pages
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


@cache
def _packed_script() -> str:
    return _packed(bundle("viewer.js").encode())


def page_html(records: Sequence[ViewRecord], title: str, *, theme: str = "system") -> str:
    """The page. Everything that may run in it is named by its hash; it may load, send and frame nothing.

    theme: "light", "dark", or "system" for that of the reader
    """
    script, style = bundle("viewer.js"), bundle("viewer.css")
    if "</style" in style.lower():
        raise ValueError("the style sheet cannot be written into a page: it contains the end of its own element")
    policy = (
        f"default-src 'none'; script-src {_hash(LOADER)} {_hash(script)}; style-src {_hash(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    kind = 'type="application/octet-stream"'
    data = "\n".join(f'<script {kind} class="record">{_packed(record.block)}</script>' for record in records)
    return (
        f'<!doctype html>\n<html lang="en" data-theme="{html.escape(theme)}"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html.escape(title)}</title>\n'
        f'<link rel="icon" href="data:,"><style>{style}</style></head>\n'
        f"<body><noscript>This page needs JavaScript.</noscript>\n{data}\n"
        f'<script {kind} id="code">{_packed_script()}</script>\n'
        f'<script type="module">{LOADER}</script></body></html>\n'
    )
