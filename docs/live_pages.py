"""Pages of gallery models in motion, made when the documentation is built as HTML.

Each model is run, or only built where a run takes longer than the reader of a build should wait.
"""

from pathlib import Path
from typing import Any

RUN = (
    "planetary", "differential", "press", "robot-arm", "helical-pair", "worm", "rack-and-pinion", "governor", "four-bar",
    "cam-follower",
)  # fmt: skip
BUILT = ("gearbox", "wind-gearbox", "spiral-bevel", "hypoid", "beveloid-contact")


def write_pages(app: Any) -> None:
    """One file each in the folder `live` of the documentation."""
    if app.builder.format != "html":
        return
    import pitchline as pl
    from pitchline import gallery

    folder = Path(app.outdir) / "live"
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*RUN, *BUILT):
        model = gallery.model(name)
        pl.view(model.run() if name in RUN else model.build(), title=name, path=folder / f"{name}.html", overwrite=True)
