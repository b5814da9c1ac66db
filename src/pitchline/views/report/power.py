"""Power flow and losses, with the overall efficiency and a check sum."""

from __future__ import annotations

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Result
from pitchline.results.tables.power_table import TOTAL
from pitchline.results.tables.result_table import ResultTable
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import number, percent, quantity
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.result_tables import result_table

#: Fraction of the power in below which a power is written as 0.
_NOTHING = 1e-6

_ENERGIES = ("kinetic", "potential", "dissipated")


def power(data: ReportData) -> Html:
    """A table of each analysis in which something moves, and the balance of its mean powers."""
    parts = []
    for name, result in data.records.items():
        if result.kind == "statics" or result.samples < 2:
            continue
        try:
            made = result.power_flow()
        except (KeyError, PitchlineError):  # a record with a choice of signals only
            continue
        if not len(made):
            continue
        heads = ("Part", "Kind")
        shown = result_table(made, heads, statistics=("mean",), command="power_flow")
        parts += [
            tag("h3", code(name), f": {result.kind}" if name != result.kind else ""),
            shown,
            _balance(result, made),
        ]
    words = (
        "Means over the record. Power in is positive if a drive or load gives power to the machine, and negative if it takes "
        "power out. The loss of an elastic part includes the energy that it stores."
    )
    return join([tag("p", words, class_="where"), *parts], "\n") if parts else Html("")


def _balance(result: Result, made: ResultTable) -> Html:
    """Power in, out, dissipated and stored; their sum is zero but for the error of the time integration."""
    sources = [
        part.values[made.statistics[0]]["power"] for part in made.parts if part.name != TOTAL
    ]  # fmt: skip
    means = [value for value in sources if np.isfinite(value)]
    given, taken = sum(p for p in means if p > 0.0), -sum(p for p in means if p < 0.0)
    if not given:
        return Html("")
    rows: list[tuple[str, float]] = [("Power in", given), ("Power out", -taken)]
    if all(f"energy.{key}" in result.signals for key in _ENERGIES):
        span = float(result.time[-1] - result.time[0])
        kinetic, potential, dissipated = (
            float(np.diff(result[f"energy.{key}"].values[[0, -1]])[0]) / span for key in _ENERGIES
        )
        stored = kinetic + potential
        rest = given - taken - dissipated - stored
        rows += [("Losses", -dissipated), ("Change of stored energy", -stored), ("Check sum", rest)]
    shown = []
    for words, value in rows:
        value = 0.0 if abs(value) <= _NOTHING * given else value
        shown.append([words, quantity(value, "W") if value else "0", percent(value / given)])
    efficiency = ""
    if 0.0 < taken <= given:
        efficiency = f"Mean power out over mean power in: {number(100.0 * taken / given)} %"
        steady = len(rows) == 2 or abs(rows[3][1]) <= 0.01 * given
        efficiency += (
            ". " if steady else ", with a change of the stored energy. It is not the efficiency of steady running. "
        )
    words = (
        f"{efficiency}The check sum is power in and out minus losses and change of stored energy. It is zero except for the "
        "averaging of samples and the error of the time integration."
        if len(rows) > 2
        else efficiency
    )
    return join(
        [
            tag("h4", "Balance of mean powers"),
            table(["", "Mean power", "Fraction of power in"], shown, numbers=(1, 2), class_="small"),
            tag("p", words, class_="where") if words else "",
        ]
    )
