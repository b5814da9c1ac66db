"""JSON of other programs as a tree with line numbers. Numbers keep their text; repeated keys and deep nesting are refused."""

from __future__ import annotations

import json.decoder
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..limits import MOST_DEPTH, MOST_ITEMS, ExchangeError
from .values import JSON_NUMBER, NumberText

__all__ = ["JsonObject", "json_dump", "parse_json"]

_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_CONSTANT = re.compile("true|false|null")


@dataclass
class JsonObject:
    """Object of a JSON text; values are JsonObject, list, str, NumberText, bool or None."""

    items: dict[str, Any] = field(default_factory=dict)
    line: int = 0


class _JsonScanner:
    """Position in a JSON text."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.at = 0
        self.line, self.counted = 1, 0

    def where(self, at: int | None = None) -> int:
        """Line of a position that is not before the last one asked for."""
        at = self.at if at is None else at
        self.line += self.text.count("\n", self.counted, at)
        self.counted = max(self.counted, at)
        return self.line

    def error(self, text: str) -> ExchangeError:
        return ExchangeError(f"{self.name}, line {self.where()}: not valid JSON: {text}")

    def next(self) -> str:
        """Next character that is not blank; "" at the end."""
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.text[self.at : self.at + 1]

    def string(self) -> str:
        try:
            found, self.at = json.decoder.scanstring(self.text, self.at + 1, True)  # type: ignore[attr-defined]
        except ValueError as error:
            raise self.error(str(getattr(error, "msg", error)).lower()) from error
        if _SURROGATE.search(found):
            raise self.error("a text contains half of a character (an unpaired surrogate)")
        return str(found)

    def simple(self, first: str) -> Any:
        """String, number or constant."""
        if first == '"':
            return self.string()
        number = JSON_NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return NumberText(number.group())
        constant = _CONSTANT.match(self.text, self.at)
        if constant:
            self.at = constant.end()
            return _CONSTANTS[constant.group()]
        raise self.error(f'unexpected "{self.text[self.at : self.at + 10]}"' if first else "the text ends too early")


def parse_json(text: str, name: str) -> Any:
    """Value of a JSON text; `name` is the file in messages."""
    scanner = _JsonScanner(text, name)
    stack: list[JsonObject | list[Any]] = []
    keys: list[str] = []
    count = 0
    while True:
        first = scanner.next()
        count += 1
        if count > MOST_ITEMS:
            raise ExchangeError(f"{name}: more than {MOST_ITEMS} values")
        value: Any
        if first == "{":
            scanner.at += 1
            value = JsonObject({}, scanner.where())
        elif first == "[":
            scanner.at += 1
            value = []
        else:
            value = scanner.simple(first)
        if stack:
            _add(scanner, stack[-1], keys, value)
        else:
            root = value
        if first and first in "{[":
            if len(stack) >= MOST_DEPTH:
                raise ExchangeError(f"{name}, line {scanner.where()}: values are nested more than {MOST_DEPTH} deep")
            stack.append(value)
            if scanner.next() == ("}" if first == "{" else "]"):  # empty
                scanner.at += 1
                stack.pop()
            elif first == "{":
                keys.append(_key(scanner))
                continue
            else:
                continue
        while stack:  # after a value: the next one, or the end of the object
            mark = scanner.next()
            inside = isinstance(stack[-1], JsonObject)
            scanner.at += 1
            if mark == ",":
                if inside:
                    scanner.next()
                    keys.append(_key(scanner))
                break
            if mark != ("}" if inside else "]"):
                scanner.at -= 1
                raise scanner.error(f'expected "," or "{"}" if inside else "]"}"')
            stack.pop()
        else:
            if scanner.next():
                raise scanner.error("text after the end")
            return root


def _key(scanner: _JsonScanner) -> str:
    if scanner.next() != '"':
        raise scanner.error("expected a key in quotation marks")
    key = scanner.string()
    if scanner.next() != ":":
        raise scanner.error(f'expected ":" after the key "{key[:40]}"')
    scanner.at += 1
    return key


def _add(scanner: _JsonScanner, parent: JsonObject | list[Any], keys: list[str], value: Any) -> None:
    if isinstance(parent, list):
        parent.append(value)
        return
    key = keys.pop()
    if key in parent.items:
        raise scanner.error(f'the key "{key[:40]}" occurs twice in one object')
    parent.items[key] = value


def json_dump(value: Any) -> str:
    """Text of a value; numbers as NumberText are written as they are."""
    return "".join(_pieces(value))


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, JsonObject):
        value = value.items
    if isinstance(value, dict):
        yield "{"
        for index, (key, item) in enumerate(value.items()):
            yield f"{', ' if index else ''}{json.dumps(key, ensure_ascii=False)}: "
            yield from _pieces(item)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for index, item in enumerate(value):
            if index:
                yield ", "
            yield from _pieces(item)
        yield "]"
    elif isinstance(value, NumberText):
        yield str(value)
    else:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)
