"""What can be read: the records, their scenes, their signals, and curves between two times in few columns."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ...results import Signal
from ...results.series import Columns, columns_between
from .answers import Answer, Refusal, json_answer
from .question import Question
from .served_records import ServedRecords

__all__ = ["Reading"]

MOST_CURVES = 16
MOST_COLUMNS = 1 << 20
"""So many samples come as they are, for a spectrum."""
MOST_NUMBERS = 1 << 22
"""Curves times columns of one answer."""


class Reading:
    """Handlers of what changes nothing."""

    def __init__(self, records: ServedRecords) -> None:
        self.records = records
        # Reading and checksums run beside each other: they do not hold Python's lock.
        self._pool = ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="pitchline series")

    def routes(self) -> dict[str, Callable[[Question], Answer]]:
        """Path -> handler."""
        return {
            "/api/records": self.said,
            "/api/scene": self.scene,
            "/api/signals": self.signals,
            "/api/series": self.series,
        }

    def close(self) -> None:
        """End its threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def said(self, question: Question) -> Answer:
        """The records: name, title, kind, status, samples."""
        question.only()
        return json_answer(self.records.said())

    def scene(self, question: Question) -> Answer:
        """?record=0: the block."""
        question.only("record")
        return Answer(self.records[self._number(question)].block)

    def signals(self, question: Question) -> Answer:
        """?record=0: name, unit, description and components of every signal, and how many samples they have."""
        question.only("record")
        result = self.records[self._number(question)].result
        signals = {} if result is None else result.signals
        return json_answer(
            [
                {
                    "name": s.name, "unit": s.unit, "description": s.description, "components": s.components,
                    "samples": len(s),
                }
                for s in signals.values()
            ]
        )  # fmt: skip

    def series(self, question: Question) -> Answer:
        """?record=0&name=a.force&name=b.position.x&from=0.1&to=0.2&px=2000: times and curves, as float64.

        First the times of all columns; then for each curve the smallest and the largest value in every column, or only the values
        where each column is one sample. The header X-Shape gives how many curves, 2 or 1, and how many columns.
        """
        question.only("record", "name", "from", "to", "px")
        number = self._number(question)
        names = question.query.get("name", [])
        if not 1 <= len(names) <= MOST_CURVES:
            raise Refusal(400, f"name: from 1 to {MOST_CURVES} curves can be asked for at a time")
        count = question.whole("px", 1, min(MOST_COLUMNS, MOST_NUMBERS // len(names)))
        curves = [self.records.curve(number, name) for name in names]
        time = curves[0][0].time
        ends = (float(time[0]), float(time[-1])) if len(time) else (0.0, 0.0)
        start, end = question.number("from", ends[0]), question.number("to", ends[1])
        if start > end:
            raise Refusal(400, "from: must not lie behind to")
        columns = columns_between(time, start, end, count)
        wanted: dict[int, tuple[Signal, list[int | None]]] = {}
        for signal, component in curves:
            wanted.setdefault(id(signal), (signal, []))[1].append(component)
        read = dict(zip(wanted, self._pool.map(lambda one: _reduced(columns, *one), wanted.values()), strict=True))
        rows = [
            read[id(signal)].pop(0) for signal, _ in curves
        ]  # of one signal in the order in which they were asked for
        body = np.concatenate([columns.time, *(row.reshape(-1) for row in rows)]).astype("<f8", copy=False)
        shape = f"{len(names)},{2 if columns.reduced else 1},{len(columns.time)}"
        return Answer(body.tobytes(), headers={"X-Shape": shape})

    def _number(self, question: Question) -> int:
        return question.whole("record", 0, 10**6)


def _reduced(columns: Columns, signal: Signal, components: list[int | None]) -> list[NDArray[np.float64]]:
    """Of each component, (2, m) or (1, m)."""
    found: list[list[NDArray[np.float64]]] = [[] for _ in components]
    for part in columns.parts():
        values = np.asarray(signal[part.rows])
        for one, component in zip(found, components, strict=True):
            one.append(part.reduce(values if component is None else values[:, component]))
    rows = 2 if columns.reduced else 1
    return [np.concatenate(one, axis=1)[:rows] if one else np.zeros((rows, 0)) for one in found]
