"""Points of a sweep from options: ranges, lists, distributions, and a table of points in a file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, near_names, shown
from .options import number_or_text

if TYPE_CHECKING:
    from ..studies.points import Points

__all__ = ["DISTRIBUTIONS", "points_of_options"]

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
    from ..studies.points import grid
    from ..studies.points import sample as sampled

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
    from ..studies.points import linspace, logspace

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
    from ..files.parameters import plain_value

    return plain_value(text)


def _distribution(text: str, word: str, values: str) -> Any:
    from ..studies import points

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
    from ..studies.points import point_list

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
