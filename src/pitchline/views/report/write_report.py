"""write_report: what the user gives, and the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitchline.disk.atomic import write_text


def write_report(
    path: str | Path,
    results: Any,
    *,
    model: Any = None,
    figures: Sequence[Any] = (),
    signals: Sequence[str] = (),
    title: str | None = None,
    source: object = None,
    scene: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write one self-contained HTML file on a model and what was found; returns its path.

    results:   a `Result`, `Modes`, `FrequencyResponse` or `Campbell`, or a dict of such by name, in order
    model:     the `Model`, or what its `describe()` gave; by default what the last result says of it
    figures:   findings: objects with key, value, unit and description (and perhaps `expected`, the closed form), or
               tuples (key, value, unit, words)
    signals:   what to draw over time, names or patterns; by default the main ones of each result
    title:     heading; by default the name of the model
    source:    the file that the model came from
    scene:     whether the machine is in it in three dimensions and in motion, which takes 0.3 to some megabytes
    overwrite: whether an existing file may be replaced

    Pictures are inside, nothing is loaded from elsewhere, and it prints. The file appears complete or not at all.
    """
    if isinstance(signals, str):
        signals = (signals,)
    # loaded when the first report is asked for: the parts of the page need the packages of gears and models
    from pitchline.views.report.page import page
    from pitchline.views.report.report_data import report_data

    data = report_data(results, model=model, figures=figures, title=title, source=source, signals=signals)
    return write_text(path, page(data, with_scene=scene), overwrite=overwrite)
