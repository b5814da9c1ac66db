"""Matplotlib figures without a window system, which notebooks can show."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from pitchline.base.storage.free_names import atomic_file
from pitchline.errors import PitchlineError, shown

from . import style

FORMATS = (".png", ".svg", ".pdf")

# Dates left out, so that the same figure gives the same file.
_METADATA: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


class Picture(Figure):
    """A figure made without pyplot: no window is opened and none stays registered."""

    def __init__(self, **options: Any) -> None:
        size = options.get("figsize", (1.0, 1.0))
        if not all(0.1 <= length <= 1000.0 for length in size):  # also nan
            raise PitchlineError(
                f"picture: {size[0]:g} x {size[1]:g} inches cannot be drawn. Specify a width and a height of panels above 0.1"
            )
        super().__init__(**options)
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        # Notebooks draw figures of pyplot by themselves, and others only where they bring this.
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=style.DPI)
        return buffer.getvalue()


def check_path(path: str | Path) -> Path:
    """The path of a picture file, or an error before any drawing is done."""
    target = Path(path).expanduser()
    if target.suffix.lower() not in FORMATS:
        raise PitchlineError(f'picture "{target}": the name must end in one of {", ".join(FORMATS)}')
    if not target.parent.is_dir():
        raise PitchlineError(f'picture "{target}": the folder "{target.parent}" does not exist')
    return target


def check_width(width: float) -> None:
    """Check that a figure can have this width [inches]."""
    if isinstance(width, bool) or not isinstance(width, (int, float)) or not 0.5 <= width <= 100.0:
        raise PitchlineError(f"picture: width must be between 0.5 and 100 inches, got {shown(width)}")


def save(figure: Figure, path: Path, title: str) -> None:
    """Write the figure in the format of the suffix. An incomplete file is never left behind."""
    suffix = path.suffix.lower()
    drawn = io.BytesIO()
    figure.savefig(drawn, format=suffix[1:], dpi=style.DPI, metadata={"Title": title, **_METADATA[suffix]})
    with atomic_file(path, overwrite=True, size=drawn.tell()) as (draft, _):
        draft.write_bytes(drawn.getbuffer())
