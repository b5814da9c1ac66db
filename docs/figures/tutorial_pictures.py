"""The pictures of the tutorials and how-to guides: runs the code of a page and keeps the pictures that the page shows.

    python docs/figures/tutorial_pictures.py docs/tutorials/first_gear_pair.md ...

A page that shows `../images/NAME.png` must write `NAME.png`, or `NAME.html`, whose top is photographed with Chromium
(Playwright). The pictures are written to docs/images with at most 256
colours, so that they stay small.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

IMAGES = Path(__file__).parents[1] / "images"
LARGEST = 1500
"""Width of a picture, pixels."""


def run_page(page: Path) -> None:
    """Run the Python blocks of a page in an empty folder and keep the pictures that the page shows."""
    text = page.read_text(encoding="utf-8")
    files = re.findall(r"^```\{code-block\} \w+\n:caption: ([^\n]+)\n\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    shown = set(re.findall(r"\.\./images/(\w+\.png)", text))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, content in files:
            Path(name).write_text(content, encoding="utf-8")
        exec(compile("\n".join(blocks), str(page), "exec"), {"__name__": page.stem})
        for name in sorted(shown):
            page_file = Path(name).with_suffix(".html")
            if page_file.exists() and not Path(name).exists():
                photograph(page_file, Path(name))
            if Path(name).exists():
                keep(Path(name))
        os.chdir(IMAGES)


def photograph(page: Path, picture: Path) -> None:
    """Write a picture of the top of an HTML page."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": 1100, "height": 1300})
        window.goto(page.resolve().as_uri())
        window.wait_for_timeout(2000)
        window.screenshot(path=picture)
        browser.close()


def keep(picture: Path) -> None:
    """Write a picture to docs/images with few colours and not too wide."""
    image = Image.open(picture).convert("RGB")
    if image.width > LARGEST:
        image = image.resize((LARGEST, round(image.height * LARGEST / image.width)), Image.Resampling.LANCZOS)
    target = IMAGES / picture.name
    image.quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
    print(f"{target.name}: {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:]]:
        run_page(each)
