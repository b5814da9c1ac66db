"""REXS document as XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from ..limits import ExchangeError
from .attribute import RexsAttribute, RexsUnknown
from .document import RexsComponent, RexsDocument, RexsLoadSpectrum, RexsRelation
from .value_types import derived_type
from .xml_reading import JSON_TYPE, TAGS

__all__ = ["xml_text"]

_NAME = re.compile(r"[A-Za-z_][\w.-]*(:[A-Za-z_][\w.-]*)?")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ROW = re.compile(r"r([1-9][0-9]{0,8})\.(.+)")
_TAGS = {"array": "array", "matrix": "matrix", "arrays": "array_of_arrays"}


class _XmlWriter:
    """Pieces of the text, with the prefix of the elements."""

    def __init__(self, document: RexsDocument) -> None:
        self.document = document
        self.prefix = f"{document.prefix}:" if document.prefix else ""

    def clean(self, text: str, what: str) -> str:
        found = _FORBIDDEN.search(text)
        if found:
            raise ExchangeError(
                f"{what}: the text contains the character {found.group()!a}, which XML does not allow. Write JSON instead"
            )
        return text

    def open(self, tag: str, keys: Mapping[str, object], extra: Mapping[str, str], *, end: str = ">") -> str:
        """Start tag; keys without a value are left out."""
        found = {key: str(text) for key, text in keys.items() if text is not None}
        for key, text in extra.items():
            if not _NAME.fullmatch(key):
                raise ExchangeError(f'<{tag}>: the key "{key[:60]}" is not a valid name in XML. Write JSON instead')
            found[key] = text
        words = "".join(f" {key}={quoteattr(self.clean(text, f'<{tag} {key}>'))}" for key, text in found.items())
        return f"<{self.prefix}{tag}{words}{end}"

    def close(self, tag: str) -> str:
        return f"</{self.prefix}{tag}>"

    def cell(self, text: str | None, tag: str, what: str) -> str:
        if text is None:
            return f"<{self.prefix}{tag}/>"
        return f"<{self.prefix}{tag}>{_escaped(self.clean(text, what))}{self.close(tag)}"


def xml_text(document: RexsDocument) -> str:
    """Text of a document in XML."""
    writer = _XmlWriter(document)
    keys = {
        "version": document.version, "applicationId": document.application_id,
        "applicationVersion": document.application_version, "date": document.date, "applicationLanguage": document.language,
    }  # fmt: skip
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', writer.open("model", keys, document.extra)]
    sections = document.section_extra
    lines.append("  " + writer.open("relations", {}, sections.get("relations", {})))
    lines += ["    " + line for relation in document.relations for line in _relation(writer, relation)]
    lines.append("  " + writer.close("relations"))
    lines.append("  " + writer.open("components", {}, sections.get("components", {})))
    for component in document.components.values():
        lines += ["    " + line for line in _component(writer, component)]
    lines.append("  " + writer.close("components"))
    for spectrum in document.spectra:
        lines += ["  " + line for line in _spectrum(writer, spectrum)]
    lines += ["  " + line for unknown in document.unknown for line in _unknown(writer, unknown)]
    lines.append(writer.close("model"))
    return "\n".join(lines) + "\n"


def _relation(writer: _XmlWriter, relation: RexsRelation) -> Iterator[str]:
    keys = {"id": relation.id, "type": relation.type, "order": relation.order}
    yield writer.open("relation", keys, relation.extra)
    for ref in relation.refs:
        yield "  " + writer.open("ref", {"id": ref.id, "role": ref.role, "hint": ref.hint}, ref.extra, end="/>")
    for unknown in relation.unknown:
        yield from ("  " + line for line in _unknown(writer, unknown))
    yield writer.close("relation")


def _component(writer: _XmlWriter, component: RexsComponent) -> Iterator[str]:
    keys = {"id": component.id, "type": component.type, "name": component.name}
    if not component.attributes and not component.unknown:
        yield writer.open("component", keys, component.extra, end="/>")
        return
    yield writer.open("component", keys, component.extra)
    for attribute in component.attributes.values():
        yield from ("  " + line for line in _attribute(writer, component, attribute))
    for unknown in component.unknown:
        yield from ("  " + line for line in _unknown(writer, unknown))
    yield writer.close("component")


def _attribute(writer: _XmlWriter, component: RexsComponent, attribute: RexsAttribute) -> Iterator[str]:
    keys: dict[str, str | int | None] = {"id": attribute.id, "unit": attribute.unit}
    named = attribute.value_type
    if named and attribute.text is not None and named != derived_type(component.new_type, attribute):
        keys[JSON_TYPE] = named
    if attribute.text is None and attribute.shape == "scalar" and not attribute.unknown:
        yield writer.open("attribute", keys, attribute.extra, end="/>")
        return
    what = f'{component.label}, attribute "{attribute.id}"'
    start, content = writer.open("attribute", keys, attribute.extra), _content(writer, attribute, what)
    if not attribute.unknown:
        yield start + content + writer.close("attribute")
        return
    yield start + content
    for unknown in attribute.unknown:
        yield from ("  " + line for line in _unknown(writer, unknown))
    yield writer.close("attribute")


def _content(writer: _XmlWriter, attribute: RexsAttribute, what: str) -> str:
    if attribute.shape == "scalar":
        return _escaped(writer.clean(attribute.text or "", what))
    tag = _TAGS[attribute.shape]
    rows = {key: text for key, text in attribute.inner_extra.items() if _is_row(key, attribute)}
    extra = {key: text for key, text in attribute.inner_extra.items() if key not in rows}
    keys: dict[str, str | int | None] = {"code": attribute.code}
    if attribute.shape == "arrays":
        cells = _arrays(writer, attribute, what)
        return writer.open(tag, {}, extra) + cells + writer.close(tag)
    if attribute.size is not None:
        keys.update(rows=attribute.size[0], columns=attribute.size[1])
    start = writer.open(tag, keys, extra)
    if attribute.code is not None:
        return start + writer.clean(attribute.text or "", what) + writer.close(tag)
    if attribute.shape == "array":
        return start + "".join(writer.cell(item, "c", what) for item in attribute.text or []) + writer.close(tag)
    pieces = []
    for index, row in enumerate(attribute.text or []):
        own = {
            found[2]: text
            for key, text in rows.items()
            if (found := _ROW.fullmatch(key)) and int(found[1]) == index + 1
        }
        pieces.append(
            writer.open("r", {}, own) + "".join(writer.cell(item, "c", what) for item in row) + writer.close("r")
        )
    return start + "".join(pieces) + writer.close(tag)


def _is_row(key: str, attribute: RexsAttribute) -> bool:
    """Whether a further attribute belongs to a row of a matrix."""
    found = _ROW.fullmatch(key)
    if found is None or attribute.shape != "matrix" or attribute.code is not None:
        return False
    return int(found[1]) <= len(attribute.text)


def _arrays(writer: _XmlWriter, attribute: RexsAttribute, what: str) -> str:
    pieces = []
    for row in attribute.text or []:
        keys = {"code": attribute.code}
        cells = row if attribute.code is not None else "".join(writer.cell(item, "c", what) for item in row)
        pieces.append(writer.open("array", keys, {}) + cells + writer.close("array"))
    return "".join(pieces)


def _spectrum(writer: _XmlWriter, spectrum: RexsLoadSpectrum) -> Iterator[str]:
    yield writer.open("load_spectrum", {"id": spectrum.id}, spectrum.extra)
    for case in spectrum.cases:
        yield "  " + writer.open("load_case", {"id": case.id}, case.extra)
        for component in case.components.values():
            yield from ("    " + line for line in _component(writer, component))
        for unknown in case.unknown:
            yield from ("    " + line for line in _unknown(writer, unknown))
        yield "  " + writer.close("load_case")
    if spectrum.accumulation:
        extra = writer.document.section_extra.get(f"accumulation {spectrum.id}", {})
        yield "  " + writer.open("accumulation", {}, extra)
        for component in spectrum.accumulation.values():
            yield from ("    " + line for line in _component(writer, component))
        yield "  " + writer.close("accumulation")
    for unknown in spectrum.unknown:
        yield from ("  " + line for line in _unknown(writer, unknown))
    yield writer.close("load_spectrum")


def _unknown(writer: _XmlWriter, unknown: RexsUnknown) -> Iterator[str]:
    """Element that the standard does not define; its tag has no prefix in the document."""
    if unknown.tag in TAGS or not _NAME.fullmatch(unknown.tag):
        raise ExchangeError(
            f'the tag "{unknown.tag[:60]}" of an unknown element cannot be written to XML. Write JSON instead'
        )
    start = writer.open(unknown.tag, {}, unknown.attributes)
    text = _escaped(writer.clean(unknown.text, f"<{unknown.tag}>"))
    if not unknown.children:
        yield start + text + writer.close(unknown.tag)
        return
    yield start + text
    for child in unknown.children:
        yield from ("  " + line for line in _unknown(writer, child))
    yield writer.close(unknown.tag)


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})
