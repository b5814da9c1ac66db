"""Questions and answers of the server: checks of the sender, files of the page, records and their signals."""

from __future__ import annotations

import hmac
import json
import math
import os
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.message import Message
from functools import partial
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray

from pitchline.results.series import Columns, columns_between
from pitchline.results.signal import Signal

from ..records import ViewRecord, bundle

__all__ = [
    "Answer",
    "EventStream",
    "Refusal",
    "json_answer",
    "page_files",
    "HEADERS",
    "check_sender",
    "check_token",
    "MOST_BODY",
    "Question",
    "read_body",
    "ServedRecords",
    "Reading",
]


# ---- answers

# Answers of the server: an immediate answer, a stream of events, or a refusal.

JSON = "application/json"
BYTES = "application/octet-stream"


@dataclass(frozen=True)
class Answer:
    """body: what is sent. kind: its media type. headers: further ones, in addition to those of every answer."""

    body: bytes
    kind: str = BYTES
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(data: Any, status: int = 200) -> Answer:
    """Plain data; numbers that JSON does not have are an error of the one who calls."""
    return Answer(json.dumps(data, allow_nan=False).encode(), JSON, status)


@dataclass(frozen=True)
class EventStream:
    """Events (plain data) that are sent as they come, each as one `data:` line of text/event-stream.

    None among them is sent as a comment: where the page has gone, this is how it is noticed, and the iterator is closed.
    """

    events: Iterable[Any]


class Refusal(Exception):
    """A request that is refused: the HTTP status and the reason as text, for the page to show."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status, self.reason, self.headers = status, reason, dict(headers or {})

    def answer(self) -> Answer:
        """As it is sent."""
        said = json_answer({"error": self.reason}, self.status)
        return Answer(said.body, said.kind, said.status, self.headers)


# ---- page files

# The page and its parts: a fixed table, so that no path of a request ever becomes a path of a file.

_PAGE = """<!doctype html>
<html lang="en" data-served="yes"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>pitchline</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/viewer.css"></head>
<body><noscript>This page needs JavaScript.</noscript><script type="module" src="/viewer.js"></script></body></html>
"""
"""It holds nothing of what is looked at: that is asked for with the token."""
_KINDS = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def page_files() -> Mapping[str, Callable[[], Answer]]:
    """Path -> what makes the answer."""
    files: dict[str, Callable[[], Answer]] = {"/": lambda: Answer(_PAGE.encode(), "text/html; charset=utf-8")}
    for ending in _KINDS:
        files[f"/viewer.{ending}"] = partial(_file, ending)
    return files


def _file(ending: str) -> Answer:
    return Answer(bundle(f"viewer.{ending}").encode(), _KINDS[ending])


# ---- policy

# Who may ask the server, and what browsers may do with its answers.
#
# Any page that the user looks at can send requests to this machine, and every user of this machine can reach the
# port. So a request must name this server as its host (a name that was made to point here does not), must not come
# from a page of another origin, and must carry the token, which only the printed address and the page know.

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer, refusals too. None of them lets another origin read anything."""


def check_sender(headers: Message, hosts: AbstractSet[str], *, page: bool) -> None:
    """Refuse what was not sent to this server by its own page.

    page: whether the page itself is asked for, which holds nothing secret. A file or a link may lead to it; parts of it, and
    all data, only go to the page.
    """
    named = headers.get_all("Host", [])
    if len(named) != 1 or named[0].lower() not in hosts:
        # the name of an attacker may point here: DNS rebinding
        names = " or ".join(sorted(hosts))
        raise Refusal(421, f"this server answers as {names} only; where a port is forwarded, forward the same one")
    for origin in headers.get_all("Origin", []):
        if origin not in {f"http://{host}" for host in hosts}:
            raise Refusal(403, "asked by a page of another origin")
    for site in headers.get_all("Sec-Fetch-Site", []):
        leads_here = (
            page and headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
        )
        if site not in ("same-origin", "none") and not leads_here:
            raise Refusal(403, "asked by a page of another origin")


def check_token(headers: Message, token: str) -> None:
    """Refuse requests without the token. The token is in a header: cookies do not depend on the port, so that every other server
    of this machine would receive it, and addresses are logged and forwarded.
    """
    given = headers.get_all("Authorization", [])
    expected = f"Bearer {token}".encode()
    if len(given) != 1 or not hmac.compare_digest(given[0].encode("utf-8", "replace"), expected):
        raise Refusal(
            401,
            "the token is missing or wrong: open the address that pitchline view printed",
            {"WWW-Authenticate": "Bearer"},
        )


# ---- question

# What the page asks: a path of the table, values from the query, and for POST a small table of plain data.

MOST_BODY = 65_536
"""Bytes that a POST may send."""
_MOST_FIELDS = 64


@dataclass(frozen=True)
class Question:
    """path: as the table of routes has it. query: every value that was given for a key. data: of a POST, else empty."""

    path: str
    query: Mapping[str, list[str]] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_target(cls, target: str) -> Question:
        """From the target of a request, such as /api/scene?record=0."""
        try:
            parts = urlsplit(target)
            query = parse_qs(parts.query, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refusal(400, "the address cannot be read") from None
        if parts.scheme or parts.netloc:
            raise Refusal(400, "only paths of this server are answered")
        return cls(parts.path, query)

    def only(self, *allowed: str) -> None:
        """Refuse other keys than these."""
        if set(self.query) - set(allowed):
            raise Refusal(400, f"only these can be asked for here: {', '.join(allowed) or 'nothing'}")

    def text(self, key: str) -> str:
        """The one value of a key."""
        values = self.query.get(key, [])
        if len(values) != 1:
            raise Refusal(400, f"{key}: needed once")
        return values[0]

    def whole(self, key: str, least: int, most: int) -> int:
        """A whole number within limits."""
        text = self.text(key)
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise Refusal(400, f"{key}: a whole number from {least} to {most} is needed")
        return int(text)

    def number(self, key: str, otherwise: float) -> float:
        """A finite number; `otherwise` where there is none."""
        if key not in self.query:
            return otherwise
        text = self.text(key)
        try:
            value = float(text) if len(text) < 40 else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise Refusal(400, f"{key}: a finite number is needed")
        return value


def read_body(headers: Message, stream: BufferedIOBase) -> dict[str, Any]:
    """The table of a POST: JSON, small, and nothing but a table."""
    if "Transfer-Encoding" in headers:
        raise Refusal(411, "the length of what is sent is needed")
    lengths = headers.get_all("Content-Length", [])
    if len(lengths) != 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
        raise Refusal(411, "the length of what is sent is needed")
    if len(lengths[0]) > 9 or int(lengths[0]) > MOST_BODY:
        raise Refusal(413, f"more than {MOST_BODY} bytes are not read")
    if headers.get_content_type() != JSON or len(headers.get_all("Content-Type", [])) != 1:
        raise Refusal(415, "only application/json is read")
    try:
        raw = stream.read(int(lengths[0]))
    except OSError:  # it took too long, or the connection broke
        raw = b""
    if len(raw) != int(lengths[0]):
        raise Refusal(408, "less was sent than was announced")
    try:
        data = json.loads(raw, object_pairs_hook=_table, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Refusal(400, "this is not JSON that is read here") from None
    if not isinstance(data, dict):
        raise Refusal(400, "a table is needed")
    return data


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key twice")
    return table


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


# ---- served records

# The records that a server shows; runs add more of them while pages are open.


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
