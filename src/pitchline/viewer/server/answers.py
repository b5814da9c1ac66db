"""Answers of the server: an immediate answer, a stream of events, or a refusal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "EventStream", "Refusal", "json_answer"]

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
