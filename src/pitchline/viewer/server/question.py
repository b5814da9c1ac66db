"""What the page asks: a path of the table, values from the query, and for POST a small table of plain data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .answers import JSON, Refusal

__all__ = ["MOST_BODY", "Question", "read_body"]

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
