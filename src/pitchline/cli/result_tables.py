"""``pitchline tables``: tables of a result: bearing loads, gear forces, shaft deflections, reactions, power."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .exit_status import FINE
from .options import Commands, add_force, add_json, add_output, add_result, add_span, command, number_or_text
from .untrusted_files import printable, read_from

if TYPE_CHECKING:
    from ..results import Result
    from ..results.tables.result_table import ResultTable

__all__ = ["add", "tables_text"]

EXAMPLES = """\
  pitchline tables out/two-stage.nc                            all tables of the result
  pitchline tables out/two-stage.nc bearing_loads reactions    selected tables
  pitchline tables out/two-stage.nc --from 50ms                mean, max and rms from 50 ms to the end
  pitchline tables out/two-stage.nc reactions --on "shaft 2"   reactions on another body than the ground
  pitchline tables out/two-stage.nc bearing_loads -o loads.csv for a spreadsheet, with all columns

Tables: gear_forces, bearing_loads, bearing_lives, shaft_deflections, reactions, power_flow.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "tables",
        "bearing loads, gear forces, shafts, reactions, power",
        "Print tables of a result: bearing and joint loads, gear forces, shaft deflections, reactions, power flow.",
        EXAMPLES,
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
    from ..errors import ModelError
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
            from .output import chosen_file, write_text

            path = chosen_file(given.output, given.result.stem, ".csv", force=given.force)
            write_text(path, next(iter(made.values())).to_csv(), force=given.force)
            if not given.json:
                print(f"\ntable    {path}")
    return FINE


def chosen_tables(
    result: Result, names: list[str], on: str, window: dict[str, float | str | None]
) -> dict[str, ResultTable]:
    """Tables by name; all if no name is given."""
    from ..errors import ModelError, near_names
    from ..results.tables.all_tables import COLUMNS_OF

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
