"""The browser of the user: pages are opened in it where there is a screen; text browsers are left alone."""

from __future__ import annotations

import os
import sys
import webbrowser

__all__ = ["has_screen", "open_in_browser"]


def has_screen() -> bool:
    """Whether a browser with pictures can be expected. Without a screen Python would start a text browser in the terminal."""
    if sys.platform in ("win32", "darwin", "cygwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_in_browser(address: str) -> bool:
    """Open an address; False where there is no browser for it."""
    if not has_screen():
        return False
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
