"""``pitchline sweep``: run a model at many points; results as a table, a file or JSON."""

from __future__ import annotations

import argparse
import contextlib
import csv
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.errors import ModelError, near_names, shown

from .run import (
    FAILED,
    FINE,
    INTERRUPTED,
    Commands,
    Parser,
    add_allow,
    add_force,
    add_json,
    add_output,
    add_set,
    add_yes,
    command,
    completes,
    number_or_text,
    printable,
    say,
)

if TYPE_CHECKING:
    from pitchline.analyses.observers import Moment
    from pitchline.results.result import Result
    from pitchline.studies.points.parameter_values import Points
    from pitchline.studies.study_result import StudyResult

__all__ = ["RunResults", "stop_on_signals", "add_sweep", "DISTRIBUTIONS", "points_of_options"]


# ---- run results

# Results of a run, stored as soon as they are available, so that a later failure or Ctrl-C does not lose them.


class RunResults:
    """Receives the results of the analyses of a run, and ends the run on request."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.stop_requested = False

    def reached(self, moment: Moment) -> None:
        if self.stop_requested:
            raise KeyboardInterrupt

    def finished(self, result: Result) -> None:
        """Store a result. An interrupted analysis ends the whole run."""
        self.results.append(result)
        if result.status == "interrupted":
            raise KeyboardInterrupt

    def named(self, planned: Sequence[tuple[str, str]]) -> dict[str, Result]:
        """Results by name: the name of the planned analysis (name, kind) if it is known, otherwise the kind."""
        left = [(name, kind) for name, kind in planned if kind in ("statics", "kinematics", "dynamics")]
        names: dict[str, Result] = {}
        for result in self.results:
            name = result.kind
            if left and left[0][1] == result.kind:
                name = left.pop(0)[0]
            number = 1
            while name in names:
                number += 1
                name = f"{result.kind}-{number}"
            names[name] = result
        return names


@contextlib.contextmanager
def stop_on_signals(kept: RunResults) -> Iterator[None]:
    """End the run on Ctrl-C and SIGTERM (sent by job schedulers), and keep the results.

    An exception that is raised while other libraries load is lost there. `kept` therefore also stores the request, and
    ends the
    run at the next opportunity.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        kept.stop_requested = True
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_EXAMPLES = """\
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


def add_sweep(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "sweep",
        "run a model at many parameter values",
        "Run a model at many points: values of its declared parameters. Figures and signals of all points become one result.",
        _EXAMPLES,
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
    from pitchline.errors import ModelError
    from pitchline.studies.study_result import NOT_COMPUTED
    from pitchline.studies.sweep.sweep import StudyError, StudyTooLong, sweep

    from .jobs import read_allowed, read_settings

    pass
    pass

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
    from pitchline.errors import ModelError

    from .run import chosen_file

    if given.output is None:
        return None
    if given.output.suffix.lower() not in (".nc", ".csv") and not given.output.is_dir():
        raise ModelError(f"-o {given.output}: the name of the result must end in .nc or .csv")
    return chosen_file(given.output, f"{Path(given.model).stem}-sweep", ".nc", force=given.force)


def _deliver(given: argparse.Namespace, result: StudyResult, path: Path | None) -> None:
    from pitchline.studies.study_result import study_csv, study_data

    from .run import print_json, write_text

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


# ---- sweep points

# Points of a sweep from options: ranges, lists, distributions, and a table of points in a file.

DISTRIBUTIONS = {
    "normal": ("Normal", 2, "normal:50um:10um (mean, standard deviation)"),
    "tolerance": ("Normal", 2, "tolerance:50um:30um (mean ± 3 standard deviations)"),
    "uniform": ("Uniform", 2, "uniform:0:100um"),
    "triangular": ("Triangular", 3, "triangular:0:40um:100um"),
    "lognormal": ("LogNormal", 2, "lognormal:2e8N/m:0.1"),
    "choice": ("Choice", 0, "choice:A:B"),
}
"""Name of a distribution -> class, number of values (0: any), example."""


def points_of_options(over: Sequence[str], sample: int | None, method: str, seed: int, table: Path | None) -> Points:
    """Points of --over, --sample, --method, --seed and --points."""
    from pitchline.studies.points.samples import grid
    from pitchline.studies.points.samples import sample as sampled

    axes: dict[str, Any] = {}
    distributions: dict[str, Any] = {}
    for text in over:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not name or not values:
            raise ModelError(
                f"--over {shown(text)}: expected NAME=VALUES, e.g. speed=1000rpm:3000rpm:21 or load=50Nm,100Nm"
            )
        if name in axes or name in distributions:
            raise ModelError(f"--over {text}: {name} is given twice")
        word = values.partition(":")[0].strip()
        if word in DISTRIBUTIONS:
            distributions[name] = _distribution(text, word, values)
        else:
            axes[name] = _values(text, values)
    if distributions and sample is None:
        raise ModelError(
            f"--over {next(iter(distributions))} is a distribution. Specify the number of points with --sample N"
        )
    if sample is not None and not distributions:
        raise ModelError(
            f"--sample needs a distribution, e.g. --over backlash={DISTRIBUTIONS['normal'][2].partition(' ')[0]}"
        )
    parts = []
    if table is not None:
        parts.append(_of_table(table))
    if distributions:
        parts.append(sampled(sample or 0, distributions, method=method, seed=seed))
    if axes:
        parts.append(grid(axes))
    if not parts:
        raise ModelError("specify the points: --over NAME=VALUES (may be repeated), or --points FILE")
    found = parts[0]
    for part in parts[1:]:
        found = found * part
    return found


def _values(text: str, values: str) -> Any:
    """FROM:TO:NUMBER, FROM:TO:NUMBER:log, or a list with commas."""
    from pitchline.studies.points.parameter_values import linspace, logspace

    if ":" not in values:
        return [number_or_plain(item) for item in values.split(",") if item.strip()]
    parts = [part.strip() for part in values.split(":")]
    known = ", ".join(DISTRIBUTIONS)
    wrong = ModelError(
        f"--over {text}: expected FROM:TO:NUMBER, FROM:TO:NUMBER:log, a list such as 50Nm,100Nm, or a distribution ({known})"
    )
    if parts[0][:1].isalpha():
        raise ModelError(f'--over {text}: unknown distribution "{parts[0]}"; {near_names(parts[0], DISTRIBUTIONS)}')
    if len(parts) not in (3, 4) or (len(parts) == 4 and parts[3] != "log"):
        raise wrong
    ends = [number_or_text(part) for part in parts[:2]]
    if len({type(end) for end in ends}) == 2 and 0.0 not in ends:
        raise ModelError(f"--over {text}: only one end has a unit. Specify it for both")
    try:
        count = int(parts[2])
    except ValueError:
        raise wrong from None
    spaced: Any = logspace if len(parts) == 4 else linspace
    try:
        return spaced(*ends, count)
    except ModelError as error:
        raise ModelError(f"--over {text}: {error}") from error


def number_or_plain(text: str) -> Any:
    """An integer, a number, or the text."""
    from pitchline.files.parameters import plain_value

    return plain_value(text)


def _distribution(text: str, word: str, values: str) -> Any:
    from pitchline.studies import points

    name, count, example = DISTRIBUTIONS[word]
    given = [number_or_plain(item) for item in values.split(":")[1:]]
    if (count and len(given) != count) or not given:
        raise ModelError(f"--over {text}: expected {example}")
    try:
        if word == "choice":
            return points.Choice(given)
        if word == "tolerance":
            return points.Normal(given[0], tolerance=given[1])
        return getattr(points, name)(*given)
    except ModelError as error:
        raise ModelError(f"--over {text}: {error}") from error


def _of_table(path: Path) -> Points:
    """Points of a CSV file: names in the first line, "name [unit]" for numbers in a unit."""
    from pitchline.studies.points.samples import point_list

    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f'--points "{path}" cannot be read: {getattr(error, "strerror", None) or error}') from error
    if len(rows) < 2:
        raise ModelError(f'--points "{path}": expected names in the first line and values in the others')
    heads = [head.strip() for head in rows[0]]
    columns: dict[str, list[Any]] = {}
    for k, head in enumerate(heads):
        name, bracket, unit = head.partition("[")
        name, unit = name.strip(), unit.rstrip("]").strip() if bracket else ""
        if not name or name in columns:
            raise ModelError(f'--points "{path}": column {k + 1} has no name, or a name that another column has')
        columns[name] = []
        for line, row in enumerate(rows[1:], 2):
            if len(row) != len(heads):
                raise ModelError(f'--points "{path}": line {line} has {len(row)} values, not {len(heads)}')
            value = number_or_plain(row[k])
            columns[name].append(f"{value!r} {unit}" if unit and isinstance(value, (int, float)) else value)
    return point_list(columns)
