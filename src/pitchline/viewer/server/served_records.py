"""The records that a server shows; runs add more of them while pages are open."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from ...results import Signal
from ..records import ViewRecord
from .answers import Refusal

__all__ = ["ServedRecords"]


class ServedRecords:
    """A list that only grows: the number of a record stays its own."""

    def __init__(self, records: Iterable[ViewRecord] = ()) -> None:
        self._lock = threading.Lock()
        self._records: list[ViewRecord] = []
        self._said: list[dict[str, Any]] = []
        for record in records:
            self.add(record)

    def add(self, record: ViewRecord) -> int:
        """Show one more; returns its number."""
        head = _head(record.block)
        with self._lock:
            self._records.append(record)
            self._said.append({key: head.get(key) for key in ("name", "title", "kind", "status", "samples")})
            return len(self._records) - 1

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[ViewRecord]:
        return iter(list(self._records))

    def __getitem__(self, number: int) -> ViewRecord:
        if not 0 <= number < len(self._records):
            raise Refusal(404, f"there is no record {number}")
        return self._records[number]

    def said(self) -> list[dict[str, Any]]:
        """Name, title, kind, status and number of samples of each."""
        with self._lock:
            return list(self._said)

    def curve(self, number: int, name: str) -> tuple[Signal, int | None]:
        """The signal that a curve is of, and which component of it: `signal` or `signal.component`."""
        result = self[number].result
        if result is None:
            raise Refusal(404, "this record has no signals")
        signal = result.signals.get(name)
        if signal is not None and not signal.components:
            return signal, None
        whole, _, label = name.rpartition(".")
        found = result.signals.get(whole)
        while found is None or label not in found.components:  # labels may have points of their own
            whole, point, more = whole.rpartition(".")
            if not point:
                raise Refusal(404, f'record {number} has no curve "{name:.200}"')
            label = f"{more}.{label}"
            found = result.signals.get(whole)
        return found, found.components.index(label)


def _head(block: bytes) -> dict[str, Any]:
    (length,) = struct.unpack_from("<I", block, 8)
    head: dict[str, Any] = json.loads(block[12 : 12 + length])
    return head
