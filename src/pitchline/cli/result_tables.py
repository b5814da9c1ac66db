"""``pitchline tables`` and ``pitchline values``: tables and values of a result."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .run import (
    FINE,
    Commands,
    add_force,
    add_json,
    add_output,
    add_result,
    add_signals,
    add_span,
    command,
    number_or_text,
    printable,
    read_from,
)

if TYPE_CHECKING:
    from pitchline.results.result import Result
    from pitchline.results.tables_results import ResultTable

__all__ = ["add_tables", "tables_text", "add_values"]


_EXAMPLES = """\
  pitchline tables out/two-stage.nc                            all tables of the result
  pitchline tables out/two-stage.nc bearing_loads reactions    selected tables
  pitchline tables out/two-stage.nc --from 50ms                mean, max and rms from 50 ms to the end
  pitchline tables out/two-stage.nc reactions --on "shaft 2"   reactions on another body than the ground
  pitchline tables out/two-stage.nc bearing_loads -o loads.csv for a spreadsheet, with all columns

Tables: gear_forces, bearing_loads, bearing_lives, shaft_deflections, reactions, power_flow.
"""


def add_tables(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "tables",
        "bearing loads, gear forces, shafts, reactions, power",
        "Print tables of a result: bearing and joint loads, gear forces, shaft deflections, reactions, power flow.",
        _EXAMPLES,
        _tables,
    )
    add_result(parser)
    parser.add_argument(
        "tables", metavar="TABLE", nargs="*", help="names of tables (default: all tables of the result)"
    )
    parser.rest = "tables"
    add_span(parser)
    parser.add_argument("--on", metavar="BODY", default="ground", help="body of the reactions table (default: ground)")
    parser.add_argument("--markdown", action="store_true", help="print as Markdown tables")
    add_output(parser, "FILE", "one table with all its columns (CSV)")
    add_json(parser)
    add_force(parser)


def _tables(given: argparse.Namespace) -> int:
    from pitchline.errors import ModelError

    from .result_files import load_result

    result = load_result(given.result)
    window = {"after": number_or_text(given.start), "before": number_or_text(given.end)}
    with read_from(given.result):
        made = chosen_tables(result, given.tables, given.on, window)
        if given.output is not None and len(made) != 1:
            raise ModelError(f"-o writes one table. Specify one of: {', '.join(made)}")
        if given.json:
            from .run import print_json

            print_json(
                {
                    name: {"units": {c.key: c.unit for c in t.columns}, "rows": _finite(t.rows)}
                    for name, t in made.items()
                }
            )
        else:
            texts = [table.markdown() if given.markdown else str(table) for table in made.values()]
            print(printable("\n\n".join(texts)))
        if given.output is not None:
            from .run import chosen_file, write_text

            path = chosen_file(given.output, given.result.stem, ".csv", force=given.force)
            write_text(path, next(iter(made.values())).to_csv(), force=given.force)
            if not given.json:
                print(f"\ntable    {path}")
    return FINE


def chosen_tables(
    result: Result, names: list[str], on: str, window: dict[str, float | str | None]
) -> dict[str, ResultTable]:
    """Tables by name; all if no name is given."""
    from pitchline.errors import ModelError, near_names
    from pitchline.results.all_tables import COLUMNS_OF

    for name in names:
        if name not in COLUMNS_OF:
            raise ModelError(f'there is no table "{name}"; {near_names(name, COLUMNS_OF)}')
    made = {name: getattr(result, name)(**window) for name in names} if names else result.tables(**window)
    if "reactions" in made and on != "ground":
        made["reactions"] = result.reactions(on, **window)
    return made


def tables_text(result: Result, names: Sequence[str] = ()) -> str:
    """Tables of a result as text: those with these names, or all."""
    return "\n\n".join(str(table) for name, table in result.tables().items() if not names or name in names)


def _finite(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rows without numbers that JSON does not support (NaN, infinity)."""
    import math

    return [{k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()} for row in rows]


# ---- values

# ``pitchline values``: values of signals of a result, over time or at given times; as a table, JSON or CSV.

_EXAMPLES_values = """\
  pitchline values out/press.nc                                  all signals
  pitchline values out/press.nc billet.force "guide.*"           selected signals; patterns in quotes
  pitchline values out/kubo-a.nc mesh.normal_force --from 50ms   without the first 50 ms
  pitchline values out/press.nc frame.position.z --at 1s --at 1.2s
  pitchline values out/kubo-a.nc mesh.transmission_error --unit um
  pitchline values out/press.nc "frame.*" -o frame.csv           every sample, for a spreadsheet
  pitchline values out/press.nc billet.force --json              for other programs

mean and rms are averages over time; unequal time steps are taken into account. Values between samples are interpolated. The
command pitchline info RESULT lists the signals of a result.
"""


def add_values(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "values",
        "values of signals: at a time, min, max, mean, rms",
        "Print values of signals of a result: initial, final, minimum, maximum, mean, rms, peak to peak, or values at times.",
        _EXAMPLES_values,
        _values,
    )
    add_result(parser)
    add_signals(parser, optional=True)
    parser.add_argument(
        "--at", metavar="TIME", action="append", default=[], help="values at this time, e.g. 5ms; may be repeated"
    )
    add_span(parser)
    parser.add_argument(
        "--unit",
        metavar="UNIT",
        action="append",
        default=[],
        help="show signals of this dimension in this unit, e.g. um; may be repeated",
    )
    add_output(parser, "FILE", "the samples, or the values at the times of --at, as a table (CSV)")
    add_json(parser)
    add_force(parser)


def _values(given: argparse.Namespace) -> int:
    from pitchline.errors import ModelError

    from .result_files import at_times, chosen_scalars, csv_text, load_result, measures
    from .run import printable

    times = [number_or_text(text) for text in given.at]
    if times and (given.start is not None or given.end is not None):
        raise ModelError("--at specifies single times, --from and --to a time range. Use one or the other")
    result = load_result(given.result)
    signals = chosen_scalars(result, given.signals, given.unit, number_or_text(given.start), number_or_text(given.end))
    table = at_times(signals, times) if times else measures(signals)
    if given.json:
        from .run import print_json

        print_json(table.as_data(result))
    else:
        print(printable(str(table)))
    if given.output is not None:
        from .run import chosen_file, write_text

        path = chosen_file(given.output, given.result.stem, ".csv", force=given.force)
        write_text(path, table.csv_text() if times else csv_text(signals), force=given.force)
        if not given.json:
            print(f"\ntable    {path}")
    return FINE
