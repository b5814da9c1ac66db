"""``pitchline sweep``: run a model at many points; results as a table, a file or JSON."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_status import FAILED, FINE, INTERRUPTED, say
from .options import Commands, Parser, add_allow, add_force, add_json, add_output, add_set, add_yes, command, completes
from .untrusted_files import printable

if TYPE_CHECKING:
    from ..studies.study_result import StudyResult

__all__ = ["add"]

EXAMPLES = """\
  pitchline sweep pair.toml --over speed=1000rpm:12000rpm:50                   one parameter, 50 values
  pitchline sweep pair.toml --over speed=1000rpm:12000rpm:50 --over load=50Nm,100Nm -o map.nc
  pitchline sweep kubo-a --over speed=1000rpm:3000rpm:5 --figures mesh.normal_force.mean
  pitchline sweep pair.toml --over backlash=tolerance:50um:30um --over error=uniform:-5um:5um --sample 200
  pitchline sweep pair.toml --over speed=1000rpm:12000rpm:5000 --store pair.sweep   can be continued
  pitchline sweep pair.toml --over speed=1000rpm:12000rpm:5000 --dask tcp://10.0.0.5:8786 -o map.nc
  pitchline sweep pair.toml --points measured.csv --json
  pitchline plot map.nc -o map.png                                             draw the result

Values are FROM:TO:NUMBER, FROM:TO:NUMBER:log, or a list with commas. Several --over are all combinations. Distributions are
normal:MEAN:SIGMA, tolerance:MEAN:WIDTH (3 standard deviations), uniform:LOW:HIGH, triangular:LOW:MODE:HIGH,
lognormal:MEDIAN:SIGMA and choice:A:B:C. Points that fail are reported, and the others are computed. Ctrl-C ends the sweep. With
--store, the same command continues it.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "sweep",
        "run a model at many parameter values",
        "Run a model at many points: values of its declared parameters. Figures and signals of all points become one result.",
        EXAMPLES,
        _sweep,
    )
    text = "gallery model (see pitchline gallery) or model file (.toml)"
    completes(parser.add_argument("model", metavar="NAME|MODEL", help=text), "gallery", ".toml")
    _add_points(parser)
    parser.add_argument(
        "--figures",
        metavar="NAME",
        action="append",
        default=[],
        help="keep only this figure; may be repeated (default: all)",
    )
    parser.add_argument(
        "--keep",
        metavar="SIGNAL",
        action="append",
        default=[],
        help='also keep this signal of the last analysis, e.g. "mesh.normal_force"; may be repeated',
    )
    add_output(parser, "FILE", "the result: .nc, which netCDF readers open, or a table, .csv")
    action = parser.add_argument(
        "--store", metavar="DIR", type=Path, help="folder that keeps computed points, to continue"
    )
    completes(action, "folder")
    parser.add_argument("--retry-failed", action="store_true", help="compute failed points of the store again")
    parser.add_argument(
        "--workers", metavar="N", type=int, help="number of processes (default: one for each processor core)"
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="compute on the Dask cluster with this scheduler")
    add_yes(parser)
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def _add_points(parser: Parser) -> None:
    parser.add_argument(
        "--over",
        metavar="NAME=VALUES",
        action="append",
        default=[],
        help="values of a parameter, e.g. speed=1000rpm:3000rpm:21 or load=50Nm,100Nm; may be repeated",
    )
    action = parser.add_argument(
        "--points", metavar="FILE", type=Path, help="list of points: table (CSV) with names in line 1"
    )
    completes(action, ".csv")
    parser.add_argument("--sample", metavar="N", type=int, help="number of random points, if --over has distributions")
    parser.add_argument(
        "--method",
        choices=("latin", "random", "sobol", "saltelli"),
        default="latin",
        help="of the sample: Latin hypercube (default), independent, Sobol sequence, or for Sobol indices",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random numbers (default: 0)")


def _sweep(given: argparse.Namespace) -> int:
    from ..errors import ModelError
    from ..studies.study_result import NOT_COMPUTED
    from ..studies.sweep.sweep import StudyError, StudyTooLong, sweep
    from .jobs import read_allowed, read_settings
    from .run_results import RunResults, stop_on_signals
    from .sweep_points import points_of_options

    points = points_of_options(given.over, given.sample, given.method, given.seed, given.points)
    path = _target(given)
    try:
        with stop_on_signals(RunResults()):
            result = sweep(
                given.model,
                points,
                figures=_listed(given.figures) or None,
                signals=_listed(given.keep) or None,
                parameters=read_settings(given.set),
                store=given.store,
                workers=given.workers,
                client=given.dask,
                retry_failed=given.retry_failed,
                allow=read_allowed(given.allow),
            )
    except StudyTooLong as error:
        raise ModelError(
            f"{error.estimate}. Add --yes if this is intended, or use fewer points.{error.kept}"
        ) from error
    except StudyError as error:
        say(error)
        return FAILED
    interrupted = bool((result.status == NOT_COMPUTED).any())
    if (result.status != NOT_COMPUTED).any():
        _deliver(given, result, path)
    return INTERRUPTED if interrupted else FINE


def _listed(texts: list[str]) -> list[str]:
    return [item.strip() for text in texts for item in text.split(",") if item.strip()]


def _target(given: argparse.Namespace) -> Path | None:
    """The file to write, checked before the sweep."""
    from ..errors import ModelError
    from .output import chosen_file

    if given.output is None:
        return None
    if given.output.suffix.lower() not in (".nc", ".csv") and not given.output.is_dir():
        raise ModelError(f"-o {given.output}: the name of the result must end in .nc or .csv")
    return chosen_file(given.output, f"{Path(given.model).stem}-sweep", ".nc", force=given.force)


def _deliver(given: argparse.Namespace, result: StudyResult, path: Path | None) -> None:
    from ..studies.summary import study_csv, study_data
    from .output import write_text
    from .run import print_json

    if given.json:
        print_json(study_data(result))
    else:
        print(printable(str(result)))
    if path is None:
        return
    if path.suffix.lower() == ".csv":
        write_text(path, study_csv(result), force=given.force)
    else:
        result.save(path, overwrite=given.force)
    if not given.json:
        print(f"\nresult   {path}")
