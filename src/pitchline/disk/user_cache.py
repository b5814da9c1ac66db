"""Folder for results of long computations that can be used again."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["user_cache"]


def user_cache() -> Path:
    """$PITCHLINE_CACHE_DIR, or `pitchline` in the user's cache folder."""
    given = os.environ.get("PITCHLINE_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitchline"
