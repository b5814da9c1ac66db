"""The browser, opened at the page of a server without the token on any command line, where every user of the machine sees it."""

from __future__ import annotations

import html
import shutil
import threading

from ..browser import open_in_browser
from ..temporary_pages import write_temporary_page
from .server import Server

__all__ = ["open_page"]

LONGEST = 60.0
"""How long the file stays if no browser comes [s]."""


def open_page(server: Server) -> bool:
    """Open the page through a file that only the user can read and that leads there; it goes when the page has come. False where
    there is no browser.
    """
    path = write_temporary_page(_leads_to(server.address), "pitchline view")

    def remove() -> None:
        shutil.rmtree(path.parent, ignore_errors=True)

    def remove_later() -> None:
        server.visited.wait(LONGEST)
        remove()

    server.at_close(remove)
    if not open_in_browser(path.as_uri()):
        remove()
        return False
    threading.Thread(target=remove_later, daemon=True, name="pitchline view: opened").start()
    return True


def _leads_to(address: str) -> str:
    shown = html.escape(address)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>pitchline view</title>\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta http-equiv="refresh" content="0;url={shown}"></head>\n'
        f'<body><p><a href="{shown}">Open the view</a></p></body></html>\n'
    )
