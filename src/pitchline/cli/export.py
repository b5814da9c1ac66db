"""``pitchline export``: signals of a result as CSV, Parquet, MAT or NPZ."""

from __future__ import annotations

import argparse

from .exit_status import FINE
from .options import Commands, add_force, add_output, add_result, add_signals, command

__all__ = ["add"]

EXAMPLES = """\
  pitchline export out/press.nc -o press.parquet                 all signals, with units
  pitchline export out/press.nc -o press.mat "guide.*"           selected signals, for MATLAB
  pitchline export out/press.nc -o press.csv billet.force
  pitchline export bench.wav -o bench.parquet                    a measurement in another format

The ending of FILE is the format: .csv, .parquet (needs pyarrow), .mat (version 5) or .npz (NumPy).
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "export",
        "write signals of a result for other programs",
        "Write signals of a result, or of a measurement, as CSV, Parquet, MAT or NPZ, with names, units and time.",
        EXAMPLES,
        _export,
    )
    add_result(parser)
    add_signals(parser, optional=True)
    add_output(parser, "FILE", "the signals; its ending is the format")
    add_force(parser)


def _export(given: argparse.Namespace) -> int:
    from ..errors import PitchlineError
    from ..exchange.measurements.reader import is_measurement, read_measurement
    from ..results import Result

    if given.output is None:
        raise PitchlineError("specify the file with -o, e.g. -o run.parquet. Its ending is the format")
    if is_measurement(given.result):
        path = read_measurement(given.result).export(given.output, *given.signals, overwrite=given.force)
    else:
        with Result.load(given.result, lazy=True) as result:
            path = result.export(given.output, *given.signals, overwrite=given.force)
    print(path)
    return FINE
