"""A real browser for pages: Debian's chromium through playwright. Where it is missing the tests are skipped, and say so."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

FLAGS = [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-device-scale-factor=1",
    "--disable-lcd-text",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """One browser for all tests of a process."""
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed")
    with sync.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


class OpenPage:
    """A page in the browser with what it asked for and what it said on its way."""

    def __init__(self, browser: object, address: str, **options: object) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 720}, **options)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.messages: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", timeout=60_000)
        self.smooth(False)

    def view(self, t: float | None = None) -> object:
        """The 3D view as an array (height, width, 3), at a time [s] if one is given."""
        import io

        import numpy as np
        from PIL import Image

        if t is not None:
            self.page.evaluate("t => pitchlineView.store.set({ time: t })", t)
        self.settle()
        raw = self.page.locator("#view").screenshot()
        return np.asarray(Image.open(io.BytesIO(raw)).convert("RGB")).astype(float)

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        self.page.wait_for_selector("html[data-still]:not([data-travelling])", timeout=60_000)

    def smooth(self, on: bool) -> None:
        """Whether a picture at rest is drawn again with smooth edges, which takes eight pictures."""
        self.page.evaluate("on => globalThis.pitchlineView?.world?.still.set(on)", on)

    def close(self) -> None:
        self.context.close()


@pytest.fixture(scope="module")
def open_page(browser: object) -> Iterator[object]:
    """Opens a file or an address; closed with the module."""
    opened: list[OpenPage] = []

    def opens(target: str | Path, **options: object) -> OpenPage:
        address = target.as_uri() if isinstance(target, Path) else target
        opened.append(OpenPage(browser, address, **options))
        return opened[-1]

    yield opens
    for page in opened:
        page.close()
