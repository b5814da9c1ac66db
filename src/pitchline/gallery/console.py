"""Console output of the gallery: the list of models, and the warnings and figures of a run."""

from __future__ import annotations

import textwrap
from pathlib import Path

from pitchline.base.storage.free_names import write_text
from pitchline.results.result import Result

from .catalogue import MODELS, GalleryModel
from .figures import Figure, Run, figures_table, report, report_text
from .model_kinds import free_names

__all__ = ["list_models", "run_and_show", "run_text", "write_files"]


def list_models() -> str:
    """One line per model."""
    width = max(map(len, MODELS)) + 2
    return "\n".join(f"{name:<{width}}{line}" for name, line in MODELS.items())


def run_text(run: Run, figures: list[Figure]) -> str:
    """Summary of a run: its warnings, each once, and its figures."""
    warnings = list(dict.fromkeys(warning for result in run.values() for warning in result.warnings))
    notes = [textwrap.fill(f"Note: {warning}.", 110, subsequent_indent="      ") + "\n" for warning in warnings]
    return "\n".join([*notes, figures_table(figures)])


def write_files(one: GalleryModel, run: Run, folder: Path) -> list[Path]:
    """Picture, and result of the last analysis or otherwise the report, with unused names in the folder."""
    last = list(run.values())[-1]
    picture, file = free_names(folder, one.name, ".png", ".nc" if isinstance(last, Result) else ".json")
    one.plot(run, picture)
    if isinstance(last, Result):
        last.save(file)
    else:
        write_text(file, report_text(report(one.name, run, one.figures(run))) + "\n")
    return [picture, file]


def run_and_show(one: GalleryModel, folder: Path | None) -> None:
    """Run a model, print its warnings and figures, and write its files if a folder is given."""
    run = one.run()
    print(f"{one.name}: {one.line}", end="\n\n")
    print(run_text(run, one.figures(run)))
    if folder is not None:
        picture, file = write_files(one, run, folder)
        print(f"\npicture  {picture}\nresult   {file}")
