"""Picture of the gear unit of the tests for the page about the import of REXS files."""

import os
import tempfile
from pathlib import Path

from reference_pages import DOCS, save_small

import pitchline as pl


def main() -> None:
    shown = DOCS / "images" / "rexs_unit.png"
    model = pl.from_rexs(DOCS.parent / "tests" / "references" / "rexs" / "two_stage.rexs")
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "unit.png"
        pl.views.plot_state(model, path=written)
        save_small(written, shown, width=1000)
    print(f"{shown.name}: {os.path.getsize(shown) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
