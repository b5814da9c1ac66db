"""The view in a report: drawn in its frame, out of the way of the wheel until it is clicked, and left out on paper."""

from pathlib import Path
from typing import Any

from references.reported import result

from pitchline.views.report.numbers import report_data
from pitchline.views.report.page import page


def test_a_report_shows_the_machine(browser: Any, tmp_path: Path) -> None:
    found = result("statics", 1)
    path = tmp_path / "report.html"
    path.write_text(
        page(report_data(found, model=None, figures=(), title=None, source=None, signals=())), encoding="utf-8"
    )
    context = browser.new_context(viewport={"width": 1200, "height": 700})
    opened = context.new_page()
    requests: list[str] = []
    messages: list[str] = []
    opened.on("request", lambda request: requests.append(request.url))
    opened.on("console", lambda message: messages.append(message.text))
    opened.goto(path.as_uri())
    frame = opened.frame_locator("iframe.view")
    opened.locator("iframe.view").scroll_into_view_if_needed()
    frame.locator("html[data-ready=yes]").wait_for(timeout=60_000)
    assert [
        url for url in requests if not url.startswith(("file:", "about:", "data:", "blob:"))
    ] == [] and messages == []
    canvas = frame.locator("#view")
    box = canvas.bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    before = opened.evaluate("scrollY")
    opened.mouse.wheel(0, 60)
    opened.wait_for_function(f"scrollY === {before + 60}")  # the report scrolls
    canvas.click(position={"x": 5, "y": 5})
    opened.mouse.wheel(0, 60)
    opened.wait_for_timeout(300)
    assert opened.evaluate("scrollY") == before + 60  # the view zooms
    opened.emulate_media(media="print")
    assert not opened.locator("#view").is_visible() and opened.locator("#machine").is_visible()
    context.close()
