"""write_report: arguments and output file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pitchline.arguments import names_wrong_arguments
from pitchline.disk.atomic import check_target, write_text


@names_wrong_arguments
def write_report(
    path: str | Path,
    results: Any,
    *,
    model: Any = None,
    figures: Sequence[Any] = (),
    signals: Sequence[str] = (),
    plots: Mapping[str, Callable[[], Any]] | None = None,
    title: str | None = None,
    source: object = None,
    scene: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write a report on a model and its results, one self-contained HTML file; returns its path.

    results:   a `Result`, `Modes`, `FrequencyResponse` or `Campbell`, or a dict of these by name, in order
    model:     the `Model`, or its `describe()`; by default the model of the last result
    figures:   key results: objects with key, value, unit and description (optional: `expected`, the closed form), or
               tuples (key, value, unit, description)
    signals:   signals to draw over time, names or patterns; by default the main signals of each result
    plots:     name of a result -> function that returns its picture, for results of studies in place of the usual picture
    title:     heading; by default the name of the model
    source:    file of the model
    scene:     whether the report includes the 3D view in motion, which takes 0.3 MB to several MB
    overwrite: whether an existing file may be replaced

    Pictures are inside the file and nothing is loaded from elsewhere. It prints on A4. The file is written completely or
    not at all.
    """
    if isinstance(signals, str):
        signals = (signals,)
    check_target(Path(path).expanduser(), overwrite=overwrite)  # before the pictures are drawn, which takes seconds
    # imported at first use: the sections need the packages of gears and models
    from pitchline.views.report.page import page
    from pitchline.views.report.report_data import report_data

    data = report_data(results, model=model, figures=figures, title=title, source=source, signals=signals, plots=plots)
    return write_text(path, page(data, with_scene=scene), overwrite=overwrite)
