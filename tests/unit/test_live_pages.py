"""The documentation of the gallery links to the pages that its build makes."""

import re
import sys
from pathlib import Path

import pytest

from pitchline import gallery

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_the_gallery_links_to_what_the_build_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    import live_pages

    monkeypatch.delitem(sys.modules, "live_pages")
    made = [*live_pages.RUN, *live_pages.BUILT]
    text = (DOCS / "gallery" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r'href="\.\./live/([^"]+)\.html" target="live"', text) == made
    assert re.findall(r'iframe name="live" src="\.\./live/([^"]+)\.html"', text) == [made[0]]
    assert set(made) <= set(gallery.MODELS)
