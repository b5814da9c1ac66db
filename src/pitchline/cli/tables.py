"""Results of analyses without signals as CSV tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["csv_text"]


def csv_text(found: Any) -> str | None:
    """Table of a result; None if it has none."""
    from ..results import Campbell, FrequencyResponse, Modes
    from .contact_tables import contact_table
    from .spectrum_tables import spectrum_table

    if isinstance(found, Modes):
        return _text(
            ["mode", "frequency [Hz]", "damping ratio", "kind", "moving bodies"],
            zip(
                range(1, len(found) + 1),
                found.frequencies,
                found.damping_ratios,
                found.kinds,
                found.descriptions,
                strict=True,
            ),
        )
    if isinstance(found, FrequencyResponse):
        heads, columns = ["frequency [Hz]"], [found.frequency]
        for output in found.outputs:
            for given in found.inputs:
                heads += [
                    f"{output} / {given} [{found.unit(output, given) or '1'}]",
                    f"phase of {output} / {given} [deg]",
                ]
                columns += [found.magnitude(output, given), found.phase(output, given)]
        return _text(heads, zip(*columns, strict=True))
    if isinstance(found, Campbell):
        heads = ["speed [rad/s]", *(f"mode {k + 1} [Hz]" for k in range(found.frequencies.shape[1]))]
        return _text(heads, ([speed, *row] for speed, row in zip(found.speeds, found.frequencies, strict=True)))
    table = contact_table(found) or spectrum_table(found)
    return None if table is None else _text(*table)


def _text(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([item if isinstance(item, str | int) else f"{float(item):.10g}" for item in row] for row in rows)
    return stream.getvalue()
