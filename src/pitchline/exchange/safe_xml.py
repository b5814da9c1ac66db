"""Files of other programs, read with limits: bytes, archives, and XML without document types and entities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile, ZipInfo

from pitchline.errors import PitchlineError

__all__ = [
    "MOST_BYTES",
    "MOST_DEPTH",
    "MOST_ITEMS",
    "ExchangeError",
    "archive_members",
    "file_bytes",
    "member_bytes",
    "XmlElement",
    "parse_xml",
]


# ---- limits

# Limits for files of other programs. A file beyond a limit is refused before it is read into memory.

MOST_BYTES = 200 * 1024**2
"""Largest size of a file, or of all files in an archive together, in bytes."""
MOST_DEPTH = 200
"""Deepest nesting of elements (XML) or values (JSON)."""
MOST_ITEMS = 5_000_000
"""Most elements of an XML file."""
MOST_MEMBERS = 10_000
"""Most files in an archive."""


class ExchangeError(PitchlineError):
    """File of another program that cannot be read or written. The message names file, line (if any), item and solution."""


def file_bytes(path: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Contents of a file, if it exists and is not too large."""
    file = Path(path)
    try:
        size = file.stat().st_size
        if size > most:
            raise ExchangeError(f"{file}: the file has {_megabytes(size)}, the limit is {_megabytes(most)}")
        return file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise ExchangeError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def archive_members(archive: ZipFile, name: str | Path, *, most: int = MOST_BYTES) -> list[ZipInfo]:
    """Files of a zip archive. Refused: too many or too large contents, and paths that leave the archive."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_MEMBERS:
        raise ExchangeError(f"{name}: the archive has {len(members)} files, the limit is {MOST_MEMBERS}")
    total = sum(member.file_size for member in members)
    if total > most:
        raise ExchangeError(
            f"{name}: the files in the archive have {_megabytes(total)}, the limit is {_megabytes(most)}"
        )
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise ExchangeError(
                f'{name}: the archive contains the path "{member.filename}", which is outside the archive'
            )
    return members


def member_bytes(archive: ZipFile, member: ZipInfo, name: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Contents of one file of an archive; at most as many bytes as its directory states."""
    try:
        with archive.open(member) as stream:
            data = stream.read(min(member.file_size, most) + 1)
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise ExchangeError(f'{name}: "{member.filename}" in the archive cannot be read: {error}') from error
    except Exception as error:  # zlib.error, lzma.LZMAError: each compression has its own
        raise ExchangeError(f'{name}: "{member.filename}" in the archive is damaged: {error}') from error
    if len(data) > min(member.file_size, most):
        raise ExchangeError(f'{name}: "{member.filename}" is larger than the archive states')
    return data


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:.1f} MB"


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
