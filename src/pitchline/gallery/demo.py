"""The demonstration behind ``make demo``: the gearbox of the model file `demo-gearbox`, from its data sheet to its run-up."""

import argparse
import math
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import PitchlineError
from ..math.compiled import cache_directory
from ..math.helper import help_if_nothing_is_compiled
from ..progress import showing, stage
from ..units import quantity
from .catalogue import model
from .demo_table import comparison_rows, demo_table
from .figures import Figure

__all__ = ["main"]

NAME = "demo-gearbox"
CONTACTS = {"stage_1": "contact_1", "stage_2": "contact_2"}
"""Gear pairs and the analyses of their loaded contact."""
VIEW = (-40.0, 42.0)
"""Direction of view in which the loaded flanks of both stages are visible [deg]."""
NOT_NEEDED = (
    "train",
    "penalty",
    "flank_",
    "superelement",
    "cam",
    "multiplier",
    "sliding",
    "bushing",
    "fem.",
    "contact.",
)
"""Parts of the names of compiled functions that the gearbox does not use, or that are compiled at its beginning."""
OUTSIDE = ("motor", "machine", "coupling_in", "coupling_out")
"""Parts outside of the gearbox."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pitchline.gallery.demo", description="Run the gearbox of the demonstration."
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("out"), help="folder to write to (default: out)")
    folder: Path = parser.parse_args(arguments).output
    try:
        with showing():
            return _demo(folder)
    except PitchlineError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f'error: cannot write to "{folder}": {error.strerror or error}', file=sys.stderr)
        return 1


def _demo(folder: Path) -> int:
    began = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    help_if_nothing_is_compiled(cache_directory(), NOT_NEEDED)
    gearbox = model(NAME)
    run = gearbox.run()
    figures = gearbox.figures(run)
    power = quantity(gearbox.parameters["power"], "power", what="power")
    speed = quantity(gearbox.parameters["speed"], "angular velocity", what="speed")
    rated = f"{1e-3 * power:g} kW at {speed * 30.0 / math.pi:g} rpm"
    print(f"\nTwo-stage helical gearbox, {rated}, elastic shafts, six rolling bearings, loaded tooth contact\n")
    print(demo_table(figures), end="\n\n", flush=True)
    with stage("pictures and page"):
        files = _write(run, {figure.key: figure for figure in figures}, folder)
    for what, file in files.items():
        print(f"{what:34}{file}")
    seconds = time.perf_counter() - began
    print(
        textwrap.dedent(f"""
        {seconds:.0f} s. The first run compiles the engine and computes the finite elements of four gears. Later runs are faster.
        Open {files["page of the viewer"].resolve().as_uri()} in a browser to see the gears turn.
        Change a number:  pitchline run {NAME} --set relief_1="8 um"      or  pitchline gallery --copy {NAME}""")
    )
    return 0


def _write(run: Mapping[str, Any], figures: Mapping[str, Figure], folder: Path) -> dict[str, Path]:
    """Write pictures and page under fixed names, replacing those of an earlier demonstration; return them by what they show."""
    from .. import views
    from ..viewer.view import view
    from .demo_pictures import plot_dynamic_forces, plot_overview, plot_relief

    files = {
        "overview": folder / "demo.png",
        "gears with contact pressure": folder / "gears.png",
        "transmission error": folder / "transmission_error.png",
        "Campbell diagram": folder / "campbell.png",
        "order map of the run-up": folder / "order_map.png",
        "dynamic mesh forces": folder / "mesh_forces.png",
        "page of the viewer": folder / "demo.html",
    }
    contacts = {pair: run[name] for pair, name in CONTACTS.items()}
    views.plot_state(
        run["run"], view=VIEW, hide=OUTSIDE, contact=contacts, title="", path=files["gears with contact pressure"]
    )
    plot_relief(run, files["transmission error"])
    run["campbell"].plot(path=files["Campbell diagram"])
    run["orders"].plot(path=files["order map of the run-up"], orders=run["campbell"].orders)
    plot_dynamic_forces(run, files["dynamic mesh forces"])
    plot_overview(run, files["gears with contact pressure"], comparison_rows(figures), files["overview"])
    shown = {name: run[name] for name in ("run", "campbell", *CONTACTS.values())}
    view(*shown.values(), names=list(shown), title=NAME, path=files["page of the viewer"], overwrite=True)
    return files


if __name__ == "__main__":
    sys.exit(main())
