"""XML of other programs as a tree with line numbers. Document types and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from .limits import MOST_DEPTH, MOST_ITEMS, ExchangeError

__all__ = ["XmlElement", "parse_xml"]


@dataclass
class XmlElement:
    """Element of an XML file.

    tag:        name without namespace
    attributes: text of each attribute; the names keep a prefix, if any
    text:       all text directly inside the element, joined
    line:       line of its start tag, from 1
    prefix:     prefix of the namespace in the file, or ""
    """

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[XmlElement] = field(default_factory=list)
    prefix: str = ""

    def all(self, tag: str) -> list[XmlElement]:
        """Children with this tag, in the order of the file."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> XmlElement | None:
        """First child with this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[XmlElement]:
        """This element and all elements below it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


def parse_xml(data: bytes, name: str | Path) -> XmlElement:
    """Root element of an XML text; `name` is the file in messages."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    open_elements: list[XmlElement] = []
    texts: list[list[str]] = []
    roots: list[XmlElement] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ITEMS:
            raise ExchangeError(f"{name}: more than {MOST_ITEMS} elements")
        if len(open_elements) >= MOST_DEPTH:
            raise ExchangeError(
                f"{name}, line {parser.CurrentLineNumber}: elements are nested more than {MOST_DEPTH} deep"
            )
        prefix, _, local = tag.rpartition(":")
        element = XmlElement(local, attributes, parser.CurrentLineNumber, prefix=prefix)
        (open_elements[-1].children if open_elements else roots).append(element)
        open_elements.append(element)
        texts.append([])

    def end(_tag: str) -> None:
        open_elements.pop().text = "".join(texts.pop())

    def text(data: str) -> None:
        if texts:
            texts[-1].append(data)

    def refuse(*_arguments: object) -> None:
        raise ExchangeError(
            f"{name}, line {parser.CurrentLineNumber}: the file declares a document type or an entity (<!DOCTYPE ...>). "
            "Remove the declaration"
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ExchangeError(f"{name}, line {error.lineno}: not valid XML: {expat.ErrorString(error.code)}") from error
    except (ValueError, LookupError) as error:  # the encoding that the file declares
        raise ExchangeError(f"{name}: not valid XML: {error}") from error
    return roots[0]
