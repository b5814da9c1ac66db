"""ResultTable: a small table of numbers with units, for readers and programs; the table of power flow."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import write_text
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, near_names
from pitchline.units.parser import parse_unit

from .interactions import Record, part_words, time_weights
from .result import text_table
from .signal import powers
from .status import FLOORS

if TYPE_CHECKING:
    import pandas

__all__ = ["STATISTICS", "ResultTable", "TableColumn", "TableRow", "_COLUMNS", "TOTAL", "power_flow"]


STATISTICS = ("mean", "max", "rms")
"""Statistics of a record over time: time average, value of the largest magnitude with its sign, root mean square."""
_BALANCED = ("N", "N*m", "W")
"""Units of quantities that balance each other, so that small values are rounding. Lives and deflections do not balance."""


@dataclass(frozen=True)
class TableColumn:
    """One column.

    key:    name for programs, "radial"
    head:   text above it
    unit:   of the numbers in `rows`: SI
    shown:  unit in texts; empty: the same
    detail: whether texts leave it out; `rows` and CSV have it
    zeros:  whether texts show it even if all its numbers are zero
    """

    key: str
    head: str
    unit: str = ""
    shown: str = ""
    detail: bool = False
    zeros: bool = False

    @property
    def factor(self) -> float:
        """Factor from a number in `unit` to one in `shown`."""
        return parse_unit(self.unit or "1").factor / parse_unit(self.shown).factor if self.shown else 1.0

    @property
    def title(self) -> str:
        """Head with unit: "radial [N]"."""
        unit = self.shown or self.unit
        return f"{self.head} [{unit}]" if unit not in ("", "1") else self.head


@dataclass(frozen=True)
class TableRow:
    """One row.

    name:   of the part
    `words`: description of the part
    values: statistic -> key of the column -> number; only "value" if there is one sample
    """

    name: str
    words: str
    values: Mapping[str, Mapping[str, float]]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class ResultTable:
    """A table of results: one row for each part; of a record over time one row for each part and statistic.

    title:   heading
    columns: keys, heads and units
    parts:   the rows
    notes:   remarks for the reader, one sentence each

    `table["B1", "radial"]` is a number in SI units, the mean of a record; `table["B1", "radial", "max"]` is another
    statistic. `table.rows` are plain dicts; `str(table)` and `to_csv` are for people and spreadsheets.
    """

    title: str
    columns: tuple[TableColumn, ...]
    parts: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def statistics(self) -> tuple[str, ...]:
        """("value",) of one state, ("mean", "max", "rms") of a record over time."""
        return tuple(self.parts[0].values) if self.parts else ("value",)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Plain dicts: "name", "what", of a record "of" (the statistic), and the numbers by key, SI units."""
        several = len(self.statistics) > 1
        return [
            {"name": part.name, "what": part.words, **({"of": of} if several else {}), **values}
            for part in self.parts
            for of, values in part.values.items()
        ]

    @property
    def names(self) -> list[str]:
        """Names of its parts."""
        return [part.name for part in self.parts]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, place: tuple[str, str] | tuple[str, str, str]) -> float:
        """`table[part, column]`, or with the statistic, `table[part, column, "max"]`."""
        if not isinstance(place, tuple) or len(place) not in (2, 3):
            example = f'table["{self.names[0] if self.names else "B1"}", "{self.columns[0].key}"]'
            raise PitchlineError(f'table "{self.title}": ask with part and column, such as {example}')
        part, key, *of = place
        row = next((row for row in self.parts if row.name == part), None)
        if row is None:
            raise PitchlineError(f'table "{self.title}": there is no row "{part}"; {near_names(str(part), self.names)}')
        if key not in (keys := [column.key for column in self.columns]):
            raise PitchlineError(f'table "{self.title}": there is no column "{key}"; {near_names(str(key), keys)}')
        statistic = of[0] if of else self.statistics[0]
        if statistic not in row.values:
            raise PitchlineError(f'table "{self.title}": it has {", ".join(row.values)}, not "{statistic}"')
        return row.values[statistic][key]

    def column(self, key: str, of: str | None = None) -> NDArray[np.float64]:
        """Numbers of one column in SI units, one for each part."""
        where: tuple[str, ...] = () if of is None else (of,)
        return np.array([self[(name, key, *where)] for name in self.names])  # type: ignore[index]

    # --- as text -----------------------------------------------------------------------------------

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows as texts in the units shown; columns with only zeros are left out."""
        rounding = self.rounding()
        shown = [c for c in self.columns if not c.detail and self._says_something(c, rounding[c.key])]
        several, worded = len(self.statistics) > 1, any(part.words for part in self.parts)
        heads = ["part", *(["what"] * worded), *(["of"] * several), *(column.title for column in shown)]
        rows = []
        for part in self.parts:
            for n, (of, values) in enumerate(part.values.items()):
                first = [part.name if n == 0 else "", *([part.words if n == 0 else ""] * worded), *([of] * several)]
                rows.append([*first, *(_number(values[c.key] * c.factor, rounding[c.key] * c.factor) for c in shown)])
        return heads, rows

    @property
    def _texts(self) -> int:
        """Number of columns with texts."""
        return 1 + any(part.words for part in self.parts) + (len(self.statistics) > 1)

    def _says_something(self, column: TableColumn, rounding: float) -> bool:
        least = -1.0 if column.zeros else rounding
        return any(abs(values[column.key]) > least for part in self.parts for values in part.values.values())

    def rounding(self) -> dict[str, float]:
        """Key of a column -> magnitude at and below which texts write 0, SI units.

        Forces, moments and powers balance each other: below 1e-6 of the largest number of their unit they are rounding.
        Other numbers are compared with `status.FLOORS` only: a small deflection is real.
        """
        largest: dict[str, float] = {}
        for c in self.columns:
            amounts = [abs(v[c.key]) for p in self.parts for v in p.values.values() if math.isfinite(v[c.key])]
            largest[c.unit] = max([largest.get(c.unit, 0.0), *amounts])
        return {
            c.key: max(1e-6 * largest[c.unit] if c.unit in _BALANCED else 0.0, FLOORS.get(c.unit, 0.0))
            for c in self.columns
        }

    def __str__(self) -> str:
        if not self.parts:
            return f"{self.title}: none"
        notes = [textwrap.fill(note, 116, initial_indent="  ", subsequent_indent="  ") for note in self.notes]
        return "\n".join([self.title, "", text_table(*self.cells(), left=self._texts), *notes])

    def __repr__(self) -> str:
        return (
            f"<ResultTable {self.title}: {len(self.parts)} rows of {', '.join(column.key for column in self.columns)}>"
        )

    def markdown(self) -> str:
        """The table in Markdown."""
        heads, rows = self.cells()
        rule = [":--" if i < self._texts else "--:" for i in range(len(heads))]
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in (heads, rule, *rows)]
        return "\n".join([f"**{self.title}**", "", *lines, *(f"\n{note}" for note in self.notes)])

    def to_csv(self, path: str | Path | None = None, *, overwrite: bool = False) -> str:
        """CSV text with units in the heads and all digits; it is written to a file if a path is given."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        several = len(self.statistics) > 1
        writer.writerow(["part", "what", *(["of"] if several else []), *(column.title for column in self.columns)])
        for part in self.parts:
            for of, values in part.values.items():
                numbers = [f"{values[column.key] * column.factor:.10g}" for column in self.columns]
                writer.writerow([part.name, part.words, *([of] if several else []), *numbers])
        text = stream.getvalue()
        if path is not None:
            write_text(path, text, overwrite=overwrite)
        return text

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame of `rows`, SI units; its `attrs["units"]` has the units."""
        import pandas

        frame = pandas.DataFrame(self.rows)
        frame.attrs["units"] = {column.key: column.unit for column in self.columns}
        return frame


def _number(value: float, rounding: float) -> str:
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "inf"
    if abs(value) <= rounding:
        return "0"
    return f"{value:.0f}" if 1e5 <= abs(value) < 1e8 else f"{value:.5g}"


def statistics_of(
    quantities: Mapping[str, NDArray[np.float64]], time: NDArray[np.float64]
) -> dict[str, dict[str, float]]:
    """Statistic -> key -> number, of quantities over time (n,): "value" of one sample, `STATISTICS` of several."""
    if len(time) == 1:
        return {"value": {key: float(values[0]) for key, values in quantities.items()}}
    weights = time_weights(time)
    found: dict[str, dict[str, float]] = {of: {} for of in STATISTICS}
    for key, values in quantities.items():
        found["mean"][key] = float(weights @ values)
        found["max"][key] = float(values[int(np.argmax(np.abs(values)))])
        found["rms"][key] = float(np.sqrt(weights @ values**2))
    return found


def table_of(
    title: str, columns: Sequence[TableColumn], parts: Sequence[TableRow], notes: Sequence[str] = ()
) -> ResultTable:
    """A table; columns that a row does not have are nan."""
    filled = [
        TableRow(p.name, p.words, {of: {c.key: v.get(c.key, math.nan) for c in columns} for of, v in p.values.items()})
        for p in parts
    ]
    return ResultTable(title, tuple(columns), tuple(filled), tuple(notes))


# ---- power table

# Power flow: power in and out of a machine, and its losses.

_COLUMNS = (
    TableColumn("power", "power in", "W"),
    TableColumn("transmitted", "transmitted", "W"),
    TableColumn("loss", "loss", "W"),
    TableColumn("efficiency", "efficiency", "", "%"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
TOTAL = "total"


def power_flow(record: Record) -> ResultTable:
    """Power of all parts that supply, take or dissipate power, and the sum.

    power: power that a part gives to the machine, negative if it takes power out. transmitted: through a gear pair, from A
    to B. loss: dissipated power. The sum of power minus the losses is the rate of the stored energy: zero on average over whole
    periods of a steady motion.
    """
    if record.result.kind == "statics":
        raise PitchlineError("power flow: nothing moves in statics; take a result of dynamics or kinematics")
    rows = []
    total, lost = np.zeros(record.count), np.zeros(record.count)
    parts = {
        name: [np.zeros(record.count) if values is None else values[record.keep] for values in pair]
        for name, pair in powers(record.states).items()
    }
    for name, words, power, more in _sources(record):
        given, loss = parts.pop(name, (power, np.zeros(record.count)))
        total, lost = total + given, lost + loss
        values = {"power": given, **({"loss": loss} if np.any(loss) else {}), **more}
        rows.append(TableRow(name, words, statistics_of(values, record.time)))
    for name, pair in record.model.get("gear_pairs", {}).items():
        given, loss = parts.pop(name, (np.zeros(record.count), record.values(f"{name}.loss")))
        total, lost = total + given, lost + loss
        rows.append(TableRow(name, f"teeth, {pair['wheel_a']} - {pair['wheel_b']}", _teeth(record, name, given, loss)))
    for name, (given, loss) in parts.items():
        total, lost = total + given, lost + loss
        values = {key: x for key, x in (("power", given), ("loss", loss)) if np.any(x)}
        rows.append(TableRow(name, part_words(record.model, name), statistics_of(values, record.time)))
    if rows:
        rows.append(TableRow(TOTAL, "", statistics_of({"power": total, "loss": lost}, record.time)))
    notes = ["Power in: power that a part gives to the machine, negative if it takes power out."]
    if not record.recorded:
        notes.append("The result does not contain the powers of other parts: their losses are not included.")
    return table_of("Power flow", _COLUMNS, rows, notes)


def _teeth(record: Record, name: str, given: FloatArray, loss: FloatArray) -> dict[str, dict[str, float]]:
    """Statistics of a gear pair, with its efficiency."""
    taken, out = record.values(f"{name}.power"), record.values(f"{name}.power_b")
    supplied = {"power": given} if np.any(given) else {}
    values = statistics_of({"transmitted": taken, "loss": loss, **supplied}, record.time)
    for statistic in values.values():
        statistic["efficiency"] = math.nan
    through, received, lost = (_mean(record, x) for x in (taken, out, loss))
    larger = max(abs(through), abs(received))
    if through * received > 0.0 and lost <= larger:  # energy stored in elastic teeth is not lost
        next(iter(values.values()))["efficiency"] = 1.0 - lost / larger
    return values


def _sources(record: Record) -> list[tuple[str, str, FloatArray, dict[str, FloatArray]]]:
    """Drives and loads: name, description, power into the machine, torque and speed."""
    model, found = record.model, []
    for name, said in model.get("drives", {}).items():
        more = {}
        if record.has(f"{name}.torque") and record.has(f"{said['joint_name']}.angular_speed"):
            more = {
                "torque": record.values(f"{name}.torque"),
                "speed": record.values(f"{said['joint_name']}.angular_speed"),
            }
        found.append((name, f"drive on {said['joint_name']}", record.values(f"{name}.power"), more))
    for name, said in model.get("loads", {}).items():
        kind = said["type"]
        if kind == "JointLoad":
            angle = record.has(f"{name}.torque")
            effort = record.values(f"{name}.{'torque' if angle else 'force'}")
            rate = record.values(f"{said['joint_name']}.{'angular_speed' if angle else 'speed'}")
            more = {"torque": effort, "speed": rate} if angle else {}
            found.append((name, f"load on {said['joint_name']}", effort * rate, more))
        elif kind == "Torque":
            torque = record.values(f"{name}.torque")
            spin = record.spin(said["body_name"])
            if said.get("reaction"):
                spin = spin - record.spin(said["reaction"])
            found.append((name, f"torque on {said['body_name']}", np.einsum("ni,ni->n", torque, spin), {}))
        elif kind == "Force":
            force, at = record.values(f"{name}.force"), said["frame"]
            speed = _velocity(record, at)
            if said.get("reaction"):
                other = said["reaction"]
                speed = speed - _velocity_of_point(
                    record, other if isinstance(other, str) else other["body_name"], record.frame(at).origin
                )
            found.append((name, f"force on {at['body_name']}", np.einsum("ni,ni->n", force, speed), {}))
    return found


def _velocity(record: Record, frame: dict[str, object]) -> FloatArray:
    return _velocity_of_point(record, str(frame["body_name"]), record.frame(frame).origin)


def _velocity_of_point(record: Record, body: str, point: FloatArray) -> FloatArray:
    """Of a point (n, 3) as it moves with a body."""
    origin = record.pose(body)[0]
    return record.vectors(f"{body}.velocity") + np.cross(record.spin(body), point - origin)


def _mean(record: Record, values: FloatArray) -> float:
    found = statistics_of({"x": values}, record.time)
    return float(next(iter(found.values()))["x"])
