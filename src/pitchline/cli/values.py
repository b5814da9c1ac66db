"""``pitchline values``: values of signals of a result, over time or at given times; as a table, JSON or CSV."""

from __future__ import annotations

import argparse

from .exit_status import FINE
from .options import (
    Commands,
    add_force,
    add_json,
    add_output,
    add_result,
    add_signals,
    add_span,
    command,
    number_or_text,
)

__all__ = ["add"]

EXAMPLES = """\
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


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "values",
        "values of signals: at a time, min, max, mean, rms",
        "Print values of signals of a result: initial, final, minimum, maximum, mean, rms, peak to peak, or values at times.",
        EXAMPLES,
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
    from ..errors import ModelError
    from .result_files import load_result
    from .signal_values import at_times, chosen_scalars, csv_text, measures
    from .untrusted_files import printable

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
        from .output import chosen_file, write_text

        path = chosen_file(given.output, given.result.stem, ".csv", force=given.force)
        write_text(path, table.csv_text() if times else csv_text(signals), force=given.force)
        if not given.json:
            print(f"\ntable    {path}")
    return FINE
