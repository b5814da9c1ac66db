"""``pitchline loads``: forces on the teeth of a gear as loads for stress analysis."""

from __future__ import annotations

import argparse
from pathlib import Path

from .exit_status import FINE
from .options import Commands, add_force, add_output, add_result, add_yes, command

__all__ = ["add"]

EXAMPLES = """\
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion               table in tooth_loads_pinion.csv
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion --at 12ms -o pinion.inp   Abaqus, CalculiX: grid and loads
  pitchline loads out/gearbox.nc --from-model gearbox.toml --gear pinion --style amplitude -o pinion.bdf   Nastran: loads over time

Forces are in the axes of the gear. Files .inp contain its finite element grid, with a fixed bore.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "loads",
        "write the forces on the teeth of a gear as loads for stress analysis",
        "Distribute the tooth forces of a result over the teeth and flanks of a gear, and write a table or load cards.",
        EXAMPLES,
        _loads,
    )
    add_result(parser)
    parser.add_argument("--from-model", metavar="FILE", required=True, help="model file or gallery model of the result")
    parser.add_argument("--gear", metavar="NAME", required=True, help="gear whose teeth are loaded")
    parser.add_argument("--pair", metavar="NAME", help="use only this gear pair of the model")
    parser.add_argument(
        "--at", metavar="TIME", action="append", default=[], help="values at this time, e.g. 5ms; may be repeated"
    )
    parser.add_argument(
        "--style", choices=("steps", "amplitude"), default="steps", help="a step for each time, or one step"
    )
    parser.add_argument(
        "--length-unit", choices=("mm", "m"), default="mm", help="units of load cards: mm, t, s (default) or m, kg, s"
    )
    parser.add_argument(
        "--element-order",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: elements with 8 nodes, 2: elements with 20 nodes (default: 2)",
    )
    add_output(parser, "FILE", "the file: .csv, .parquet, .inp, .bdf or .dat (default: GEAR_loads.csv)")
    add_yes(parser)
    add_force(parser)


def _loads(given: argparse.Namespace) -> int:
    from ..exchange.tooth_loads.tooth_loads import tooth_loads
    from .jobs import find_job
    from .output import chosen_file
    from .result_files import load_result

    target = chosen_file(given.output, f"tooth_loads_{given.gear}", ".csv", force=given.force)
    result = load_result(given.result)
    model = find_job(given.from_model).model()
    loads = tooth_loads(model, result, given.gear, pair=given.pair, times=given.at or None, order=given.element_order)
    written = loads.write(Path(target), units=given.length_unit, style=given.style, overwrite=given.force)
    print(f"{len(loads.time)} times, {len(loads.nodes)} loaded nodes, {len(loads.rows['time'])} rows of teeth")
    print(f"loads    {written}")
    return FINE
