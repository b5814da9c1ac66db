"""Make the pictures of the reference pages from the code of the pages themselves.

    python docs/figures/reference_pages.py [PAGE ...]

runs the Python blocks of each page in a temporary folder and copies the pictures that they write to docs/images.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parents[1]

PICTURES = {
    "branches": {"duffing.png": "branches_duffing.png"},
    "elastic_gears": {"gear_modes.png": "gear_modes.png"},
    "figures_in_files": {"rotor.png": "figures_plot.png"},
    "gear_pairs": {"pair.png": "gear_pair_model.png"},
    "loaded_contact": {"overview.png": "loaded_overview.png", "pattern.png": "loaded_pattern.png"},
    "models_and_units": {"pair.png": "first_model.png"},
    "modes": {"modes.png": "modes_plot.png", "gearbox.png": "modes_planetary.png", "campbell.png": "campbell_fan.png"},
    "orders": {
        "peaks.png": "orders_peaks.png",
        "order_1.png": "orders_track.png",
        "orders.png": "orders_map.png",
        "spectrogram.png": "orders_spectrogram.png",
    },
    "parametric": {"multipliers.png": "floquet_multipliers.png", "map.png": "floquet_map.png"},
    "planetary": {"stage.png": "planetary_model_stage.png"},
    "report": {"scheme.png": "report_schematic.png", "mesh.png": "report_mesh.png", "cycle.png": "report_cycle.png"},
    "response": {"bode.png": "response_bode.png"},
    "results": {"fan.png": "results_plot.png"},
    "rolling_bearings": {"bearings.png": "bearing_elements.png"},
    "shafts": {"shaft.png": "shaft_pinion.png"},
    "teeth": {
        "profile.png": "tooth_profile.png",
        "transmission_error.png": "rigid_transmission_error.png",
        "pattern.png": "rigid_contact_pattern.png",
    },
}
"""Page -> picture that its code writes -> picture that the page shows."""


def run_page(page: Path) -> None:
    """Run the Python blocks of a page in the current folder, without their output."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    script = Path(f"{page.stem}_code.py")  # functions of the page need a source file
    script.write_text("\n".join(blocks), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), {"__name__": page.stem})


def save_small(written: Path, shown: Path, width: int = 1300) -> None:
    """Copy a picture with 128 colours and at most this width in pixels: below 150 kB."""
    with Image.open(written) as picture:
        size = (width, round(picture.height * width / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS) if picture.width > width else picture
        small.convert("RGB").quantize(128).save(shown, optimize=True)


def main(names: list[str]) -> None:
    images = DOCS / "images"
    for name in names or sorted(PICTURES):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            run_page(DOCS / "reference" / f"{name}.md")
            for written, shown in PICTURES[name].items():
                save_small(Path(written), images / shown)
                print(f"{shown}: {os.path.getsize(images / shown) / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
