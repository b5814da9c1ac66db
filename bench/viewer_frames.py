"""Time of a frame of the viewer's 3D picture, drawn by the processor (SwiftShader), with the page as it is passed on.

    python bench/viewer_frames.py [NAME ...]      # gallery models; planetary if none is named

The 3D view is made 1280 x 720 pixels large. Each frame is another time of the run; a pixel is read back after each, so that the
time is that of the finished picture. Printed: median and smallest time of a frame [ms], draw calls, triangles. Needs chromium and
playwright.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-device-scale-factor=1"]
WIDTH, HEIGHT, FRAMES = 1280, 720, 16

MEASURE = """(frames) => {
  const { world, store, block } = pitchlineView;
  const { time } = block, gl = world.renderer.getContext(), pixel = new Uint8Array(4), took = [];
  for (let k = 0; k < frames; k++) {
    const t0 = performance.now();
    store.state.time = time[0] + ((k + 0.5) / frames) * (time[time.length - 1] - time[0]);
    world.show();
    world.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    took.push(performance.now() - t0);
  }
  took.sort((a, b) => a - b);
  const { render } = world.renderer.info;
  return { median: took[frames >> 1], least: took[0], calls: render.calls, triangles: render.triangles,
           size: [world.canvas.width, world.canvas.height] };
}"""


def page_of(name: str, folder: Path) -> Path:
    """The gallery model's last run as a page."""
    from pitchline.gallery import model
    from pitchline.viewer import page_html, record_of

    path = folder / f"{name}.html"
    path.write_text(page_html([record_of(list(model(name).run().values())[-1])], name), "utf-8")
    return path


def main(names: list[str]) -> None:
    from playwright.sync_api import ViewportSize, sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in names:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto((Path(name) if name.endswith(".html") else page_of(name, Path(folder))).resolve().as_uri())
            page.wait_for_selector("html[data-ready]")
            size: ViewportSize = {"width": WIDTH, "height": HEIGHT}
            for _ in range(8):  # panels grow with the window
                shown = page.locator("#view").bounding_box()
                assert shown is not None, "the page has no 3D view"
                size = {
                    "width": round(size["width"] + WIDTH - shown["width"]),
                    "height": round(size["height"] + HEIGHT - shown["height"]),
                }
                page.set_viewport_size(size)
                page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
            found = page.evaluate(MEASURE, FRAMES)
            print(
                f"{name}: median {found['median']:.0f} ms, least {found['least']:.0f} ms a frame, {found['calls']} draw calls, "
                f"{found['triangles']} triangles, {found['size'][0]} x {found['size'][1]}"
            )
            page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["planetary"])
