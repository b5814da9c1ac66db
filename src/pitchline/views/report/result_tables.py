"""Tables of results in the report: numbers with engineering units, right aligned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pitchline.results.rounding import Scales
from pitchline.results.tables.result_table import ResultTable, TableColumn
from pitchline.views.labels import scaled_unit, unit_text
from pitchline.views.report.html import Html, code, table, tag
from pitchline.views.report.numbers import number

#: Parts of a table beyond which the report names the command that prints it.
MOST_PARTS = 60

#: Units of columns that a table fixes, and that the report scales to the size of the numbers.
_SCALED = ("", "kW", "N*mm", "um", "mrad")

#: Units of quantities that balance each other: small numbers are rounding.
_BALANCED = ("N", "N*m", "W")

_HEADS = {
    "K_Hb": "K_Hβ", "at": "Direction", "tilting": "Tilting moment", "transm. error": "Transmission error",
    "max. element": "Largest element load", "max. pressure": "Largest pressure", "z": "z",
}  # fmt: skip

_STATISTICS = {"mean": "mean", "max": "largest", "rms": "rms", "value": ""}


def result_table(
    made: ResultTable,
    heads: Sequence[str] = ("Part", "Kind"),
    *,
    columns: Sequence[str] = (),
    statistics: Sequence[str] = ("mean", "max"),
    command: str = "",
    scales: Scales | None = None,
) -> Html:
    """A table of the report: one row for each part and statistic.

    heads: of the columns with texts. columns: keys to show, in this order; by default all that texts show. Columns that
    are zero everywhere are left out. scales: largest magnitudes in the result; forces, moments and powers below 1e-6 of
    them are written as 0. command: name of the table for `pitchline tables`, if there are too many rows.
    """
    if len(made) > MOST_PARTS and command:
        words = f"The table has {len(made)} rows. The command pitchline tables RESULT {command} prints it."
        return tag("p", words, class_="where")
    kept = [of for of in made.statistics if of in statistics] or list(made.statistics)
    rounding = _rounding(made, scales)
    shown = [c for c in _chosen(made, columns) if _says_something(made, c, kept, rounding)]
    several = len(kept) > 1
    kinds = any(part.words for part in made.parts)
    units = {c.key: _unit(made, c, kept) for c in shown}
    titles = [
        heads[0], *(heads[1:2] if kinds else []), *([""] if several else []),
        *(f"{_capital(c.head)} ({unit})" if (unit := units[c.key][1]) else _capital(c.head) for c in shown),
    ]  # fmt: skip
    rows: list[list[object]] = []
    for part in made.parts:
        for n, of in enumerate(kept):
            values = part.values[of]
            if n and all(math.isnan(values[c.key]) for c in shown):
                continue
            texts: list[object] = [
                code(part.name) if n == 0 else "",
                *([part.words if n == 0 else ""] if kinds else []),
            ]
            texts += [_STATISTICS.get(of, of)] if several else []
            rows.append([*texts, *(_cell(values[c.key], units[c.key], rounding[c.key]) for c in shown)])
    texts_count = 1 + kinds + several
    return table(titles, rows, numbers=range(texts_count, len(titles)), class_="wide small")


def _chosen(made: ResultTable, columns: Sequence[str]) -> list[TableColumn]:
    if not columns:
        return [c for c in made.columns if not c.detail]
    by_key = {c.key: c for c in made.columns}
    return [by_key[key] for key in columns]


def _amounts(made: ResultTable, column: TableColumn, kept: Sequence[str]) -> list[float]:
    values = [abs(part.values[of][column.key]) for part in made.parts for of in kept]
    return [value for value in values if math.isfinite(value)]


def _rounding(made: ResultTable, scales: Scales | None) -> dict[str, float]:
    """Key of a column -> magnitude at and below which a number is written as 0."""
    found = made.rounding()
    if scales is not None:
        for c in made.columns:
            if c.unit in _BALANCED:
                found[c.key] = max(found[c.key], 1e-6 * scales.largest(c.unit))
    return found


def _says_something(made: ResultTable, column: TableColumn, kept: Sequence[str], rounding: dict[str, float]) -> bool:
    amounts = _amounts(made, column, kept)
    return bool(amounts) and (column.zeros or max(amounts) > rounding[column.key])


def _unit(made: ResultTable, column: TableColumn, kept: Sequence[str]) -> tuple[float, str, int]:
    """Factor and text of the unit of a column, and most decimals: one unit for all numbers of a column.

    The largest number of a column has four significant digits, the others at most two decimals more than it.
    """
    largest = max(_amounts(made, column, kept), default=0.0)
    if column.shown not in _SCALED:
        factor, text = column.factor, {"deg": "°"}.get(column.shown, unit_text(column.shown))
    else:
        factor, text = scaled_unit(column.unit, largest)
    size = math.floor(math.log10(factor * largest)) if largest > 0.0 else 0
    return factor, text, max(0, 5 - size)


def _cell(value: float, unit: tuple[float, str, int], rounding: float) -> str:
    factor, _, decimals = unit
    if math.isnan(value):
        return ""
    if abs(value) <= rounding:
        return "0"
    shown = factor * value
    if abs(shown) < 1e-3:  # a small number in a column of larger ones
        text = f"{round(shown, decimals):.{decimals}f}".rstrip("0").rstrip(".")
        return "0" if not text.strip("-0.") else text.replace("-", "−")
    return number(shown)


def _capital(words: str) -> str:
    return _HEADS.get(words, words[:1].upper() + words[1:] if words[:2] != "u_" else words)


def notes(made: ResultTable) -> Any:
    """The notes of a table as one paragraph."""
    return tag("p", " ".join(made.notes), class_="where") if made.notes else Html("")
