"""The page and its parts: a fixed table, so that no path of a request ever becomes a path of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ..page import bundle
from .answers import Answer

__all__ = ["page_files"]

_PAGE = """<!doctype html>
<html lang="en" data-served="yes"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>pitchline</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/viewer.css"></head>
<body><noscript>This page needs JavaScript.</noscript><script type="module" src="/viewer.js"></script></body></html>
"""
"""It holds nothing of what is looked at: that is asked for with the token."""
_KINDS = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def page_files() -> Mapping[str, Callable[[], Answer]]:
    """Path -> what makes the answer."""
    files: dict[str, Callable[[], Answer]] = {"/": lambda: Answer(_PAGE.encode(), "text/html; charset=utf-8")}
    for ending in _KINDS:
        files[f"/viewer.{ending}"] = partial(_file, ending)
    return files


def _file(ending: str) -> Answer:
    return Answer(bundle(f"viewer.{ending}").encode(), _KINDS[ending])
