"""The demonstration behind ``make demo``: the gearbox of the model file `demo-gearbox`, from its data sheet to its run-up."""

import argparse
import math
import sys
import textwrap
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pitchline.base.progress.display import showing, stage
from pitchline.errors import PitchlineError
from pitchline.numerics.machine_code.compiled import cache_directory
from pitchline.numerics.machine_code.helper import help_if_nothing_is_compiled
from pitchline.units.quantity import quantity

from .catalogue import model
from .figures import Figure

__all__ = ["RELIEF_ROWS", "comparison_rows", "demo_table", "main"]


# ---- demo table

# The table that ``make demo`` prints: effect of tip relief, and loads compared with the hand calculation.

RELIEF_ROWS = (
    ("transmission error, peak to peak", "transmission_error", "µm", "{:.2f}"),
    ("largest contact pressure on the flanks", "max_pressure", "MPa", "{:.0f}"),
    ("dynamic factor of the run-up", "dynamic_factor", "", "{:.3f}"),
)
"""Title, figure, unit and number format of each row of the table of the effect of tip relief."""


def demo_table(figures: Iterable[Figure]) -> str:
    """Return the text of the table."""
    by_key = {figure.key: figure for figure in figures}
    return "\n".join([*_relief_lines(by_key), "", *_comparison_lines(by_key)])


def comparison_rows(figures: Mapping[str, Figure]) -> list[tuple[str, float, float]]:
    """Return title, computed value [N] and hand calculation [N] of each force that has both."""
    titles = {"tangential_force": "tangential", "radial_force": "radial", "axial_force": "axial"}
    titles |= {"radial_load": "radial", "axial_load": "axial"}
    rows = []
    for key, figure in figures.items():
        part, _, quantity = key.rpartition(".")
        if quantity in titles and figure.expected is not None:
            kind = "mesh" if quantity.endswith("_force") else "bearing"
            title = f"{kind} {part.replace('_', ' ')}, {titles[quantity]}"
            rows.append((title, float(figure.value), float(figure.expected)))  # type: ignore[arg-type]
    return rows


def _relief_lines(figures: Mapping[str, Figure]) -> list[str]:
    lines = [
        f"{'':40}{'stage 1':>22}{'stage 2':>22}",
        f"{'at the rated torque':40}" + 2 * f"{'no relief':>11}{'relief':>11}",
    ]
    for title, name, unit, pattern in RELIEF_ROWS:
        values = [figures[f"stage_{stage}.{name}{variant}"].value for stage in (1, 2) for variant in ("_no_relief", "")]
        lines.append(f"{title:40}" + "".join(f"{pattern.format(value):>11}" for value in values) + f"  {unit}".rstrip())
    return lines


def _comparison_lines(figures: Mapping[str, Figure]) -> list[str]:
    lines = [f"{'forces at the rated torque':40}{'pitchline':>11}{'by hand':>11}{'difference':>13}"]
    for title, value, expected in comparison_rows(figures):
        percent = round(100.0 * (value / expected - 1.0), 1) + 0.0  # no -0.0
        lines.append(f"{title:40}{value:>9.0f} N{expected:>9.0f} N{percent:>11.1f} %")
    return lines


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
    from pitchline import views
    from pitchline.viewer.view import view

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
