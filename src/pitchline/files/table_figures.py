"""Numbers of results tables in expressions of figures: analyses.rest.bearing_loads.B1.radial."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import PitchlineError, near_names
from .amounts import AmountError
from .figure_expressions import Chain
from .figure_numbers import Numbers

if TYPE_CHECKING:
    from ..results import Result

__all__ = ["cell_of_table", "planned_cell", "table_names"]


def table_names() -> tuple[str, ...]:
    """Names of the tables."""
    from ..results.tables.all_tables import COLUMNS_OF

    return tuple(COLUMNS_OF)


def planned_cell(chain: Chain) -> Numbers:
    """Placeholder before the run: 1 with the right unit. Rows are known only with the result."""
    *_, unit = _read(chain)
    return Numbers.of_unit(1.0, unit, known=False, shaped=False)


def cell_of_table(result: Result, chain: Chain, after: float | None, before: float | None) -> Numbers:
    """The number; for a record over time its mean, or with _max or _rms after the column name its maximum or rms."""
    table, part, key, statistic, unit = _read(chain)
    made = getattr(result, table)(after=after, before=before)
    try:
        several = len(made.statistics) > 1
        return Numbers.of_unit(made[(part, key, statistic)] if several else made[part, key], unit)
    except PitchlineError as error:
        raise AmountError(str(error)) from error


def _read(chain: Chain) -> tuple[str, str, str, str, str]:
    """Table, row, column, statistic and unit."""
    from ..results.tables.all_tables import COLUMNS_OF

    table = str(chain[0])
    if len(chain) != 3 or not all(isinstance(step, str) for step in chain):
        raise AmountError(f'{table}: specify the row and the column: {table}.PART.COLUMN, or {table}["PART"].COLUMN')
    part, column = str(chain[1]), str(chain[2])
    units = {one.key: one.unit for one in COLUMNS_OF[table]}
    key, statistic = column, "mean"
    for ending in ("max", "rms", "mean"):
        if column not in units and column.endswith(f"_{ending}"):
            key, statistic = column.removesuffix(f"_{ending}"), ending
    if key not in units:
        raise AmountError(f'{table}: there is no column "{column}"; {near_names(column, units)}')
    return table, part, key, statistic, units[key]
