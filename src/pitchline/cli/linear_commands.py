"""Common parts of `modes` and `response`: the operating point, and the output of results."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pitchline.base.progress.display import stage
from pitchline.results.part_quantities import INITIAL

from .jobs import Job, analysis_of
from .run import folder_names, ready_folder, write_atomically, write_text

if TYPE_CHECKING:
    from pitchline.results.result import Result

__all__ = ["about", "deliver"]


def about(job: Job, given: argparse.Namespace) -> Result | str | None:
    """Operating point; its analyses show progress like those of a run. An output folder without write access is
    reported first."""
    from pitchline.analyses.observers import observed_by

    from .sweep import RunResults

    if given.output is not None:
        ready_folder(given.output)
    if given.about == INITIAL and INITIAL not in dict(job.planned()):
        return INITIAL
    with observed_by(RunResults()):
        return analysis_of(job, given.about)


def deliver(
    given: argparse.Namespace,
    job: Job,
    name: str,
    kind: str,
    found: Any,
    figures: dict[str, Any],
    text: str,
    status: int,
) -> int:
    """Print as text or JSON. Write the picture and the table if a folder was specified."""
    from .ltca import csv_text
    from .run import print_json

    if given.json:
        said: dict[str, Any] = {"warnings": list(found.warnings)} if found.warnings else {}
        if found.operating_point is not None:
            said["operating_point"] = found.operating_point.plain()
        analyses = [{"name": name, "kind": kind, "status": "completed", **said}]
        print_json({"model": job.name, "analyses": analyses, "figures": figures})
    else:
        print(text)
    if given.output is None:
        return status
    from pitchline import views  # noqa: F401  (what was found can then draw itself)

    with folder_names(given.output, f"{job.name}-{name}", [".nc", ".png", ".csv"], force=given.force) as names:
        file, picture, table = names
        found.save(file, overwrite=given.force)
        write_text(table, csv_text(found) or "", force=given.force)
        with stage(f"writing {picture.name}"):
            write_atomically(picture, lambda draft: found.plot(path=draft), force=given.force)
    if not given.json:
        print(f"\nresult   {file}\npicture  {picture}\ntable    {table}")
    return status
