"""The demonstration behind ``make demo``: the press of the gallery, from rest to its last blow, in three lines.

rest = pl.statics(press)
spun = pl.kinematics(press, duration="2 s", start=rest)
free = pl.dynamics(press, duration="2.5 s", start=spun)
"""

import argparse
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import PitchlineError
from ..progress import showing
from ..viewer.view import view
from ..views.report import write_report
from .catalogue import model
from .figures import figures_table
from .output import free_names
from .press_picture import draw

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pitchline.gallery.demo", description="Run and plot the press.")
    parser.add_argument("-o", "--output", type=Path, default=Path("out"), help="folder to write to (default: out)")
    folder: Path = parser.parse_args(arguments).output
    try:
        with showing():
            return _demo(folder)
    except PitchlineError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _demo(folder: Path) -> int:
    began = time.perf_counter()
    press = model("press")
    print(press.build().summary(), end="\n\n")
    run = press.run()
    free = run["free"]
    seconds = time.perf_counter() - began
    for warning in free.warnings:
        print(textwrap.fill(f"Note: {warning}.", 110, subsequent_indent="      "), end="\n\n")
    figures = press.figures(run)
    print(figures_table(figures), end="\n\n")
    count = free.statistics
    print(
        f"{count['steps']} steps with {count['unknowns']} unknowns in {count['wall_time']:.2f} s; "
        f"all three analyses in {seconds:.1f} s, loading (at first: compiling) the engine included."
    )
    picture, file, report, page = free_names(folder, "press", ".png", ".nc", ".html", ".view.html")
    draw(run, press.parameters, picture)
    replace(free, source={"gallery": "press", "analysis": "free"}).save(file)
    write_report(report, run, figures=figures, signals=press.plot_signals)
    view(run, path=page)
    print(
        f"picture  {picture}\nresult   {file} (HDF5, opens in netCDF-4 readers; in Python: pitchline.load)\n"
        f"report   {report} (opens in any browser)\nview     {page.resolve().as_uri()} (the press in motion: open it in a browser)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
