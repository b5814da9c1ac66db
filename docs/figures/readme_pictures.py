"""Pictures of the README: `python docs/figures/readme_pictures.py` runs its example and the demonstration.

The pictures are reduced to 256 colours, so that they stay small.
"""

import os
import re
import tempfile
from pathlib import Path

from PIL import Image

from pitchline.gallery import demo

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
WIDTH = 1240
"""Pixels."""


def write_small(source: Path, name: str) -> None:
    """Write a picture with fewer pixels and colours to the folder of pictures."""
    with Image.open(source) as picture:
        height = round(picture.height * WIDTH / picture.width)
        small = picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
    small.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


def main() -> None:
    """Run both and write their pictures."""
    with tempfile.TemporaryDirectory() as folder:
        demo.main(["-o", folder])
        write_small(Path(folder) / "demo.png", "demo.png")
        (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
        os.chdir(folder)
        exec(compile(example, "README.md", "exec"), {})
        write_small(Path(folder) / "resonance.png", "resonance.png")
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
