"""Open pages in the browser of the user if there is a screen. Text browsers are not started."""

from __future__ import annotations

import os
import sys
import webbrowser

__all__ = ["has_screen", "open_in_browser"]


def has_screen() -> bool:
    """Return whether a graphical browser can be expected. Without a screen Python would start a text browser in the terminal."""
    if sys.platform in ("win32", "darwin", "cygwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_in_browser(address: str) -> bool:
    """Open an address; return False if there is no browser."""
    if not has_screen():
        return False
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
