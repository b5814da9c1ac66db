"""REXS documents as XML and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ..safe_xml import ExchangeError
from .component import (
    FLAGS,
    JSON_NUMBER,
    NumberText,
    RexsAttribute,
    RexsComponent,
    RexsDocument,
    RexsLoadSpectrum,
    RexsRelation,
    RexsUnknown,
    float_of,
    guessed,
)
from .database import value_type_of
from .reading import INNER_KEY, SECTIONS_KEY, UNKNOWN_KEY, json_dump
from .xml_reading import JSON_TYPE, TAGS

__all__ = ["derived_type", "json_text", "xml_text"]


# ---- value types

# Type of a value: from the standard, or from its text.

_SUFFIX = {"scalar": "", "array": "_array", "matrix": "_matrix", "arrays": "_array"}


def derived_type(component_type: str, attribute: RexsAttribute) -> str:
    """Type of an attribute without the type that a JSON file may have named."""
    known = value_type_of(component_type, attribute.id)
    if known is not None and _fits(known, attribute.shape):
        return known
    if attribute.code is not None:
        kind = "integer" if attribute.code == "int32" else "floating_point"
    else:
        kind = _common({guessed(text) for text in _texts(attribute.text) if text is not None})
    if attribute.shape == "arrays":
        return f"array_of_{kind if kind in ('integer', 'floating_point') else 'string'}_arrays"
    return kind + _SUFFIX[attribute.shape]


def _fits(known: str, shape: str) -> bool:
    plain = known.removesuffix("_array").removesuffix("_matrix")
    if shape == "arrays":
        return known.startswith("array_of")
    return not known.startswith("array_of") and known == plain + _SUFFIX[shape]


def _common(kinds: set[str]) -> str:
    if kinds == {"integer", "floating_point"}:
        return "floating_point"
    return kinds.pop() if len(kinds) == 1 else "string"


def _texts(text: Any) -> list[str | None]:
    if isinstance(text, list):
        return [item for part in text for item in _texts(part)]
    return [text]


# ---- json writing

# REXS document as JSON.


def json_text(document: RexsDocument) -> str:
    """Text of a document in JSON: one line for each relation and each attribute."""
    head: dict[str, Any] = {
        "version": document.version, "applicationId": document.application_id,
        "applicationVersion": document.application_version, "date": document.date, "applicationLanguage": document.language,
    }  # fmt: skip
    head = {key: value for key, value in head.items() if value is not None}
    root = {key[5:]: text for key, text in document.extra.items() if key.startswith("root.")}
    head.update({key: text for key, text in document.extra.items() if not key.startswith("root.")})
    if document.section_extra:
        head[SECTIONS_KEY] = dict(document.section_extra)
    if document.unknown:
        head[UNKNOWN_KEY] = [_unknown(item) for item in document.unknown]
    lines = ["{", *(f"  {json.dumps(key, ensure_ascii=False)}: {json_dump(text)}," for key, text in root.items())]
    lines += [
        '  "model": {',
        *(f"    {json.dumps(key, ensure_ascii=False)}: {json_dump(value)}," for key, value in head.items()),
    ]
    lines += [
        '    "relations": [',
        *_joined([json_dump(_relation(item)) for item in document.relations], "      "),
        "    ],",
    ]
    lines += ['    "components": [', *_listed(document.components.values(), "      "), "    ],"]
    if not document.spectra:  # the JSON schema of the standard requires it
        lines.append('    "load_spectrum": {"id": 1, "load_cases": []}')
    else:
        several = len(document.spectra) > 1
        lines.append('    "load_spectrum": ' + ("[" if several else "{"))
        for index, spectrum in enumerate(document.spectra):
            lines += ["      {"] if several else []
            lines += list(_spectrum(spectrum))
            lines += ["      }" + ("," if index + 1 < len(document.spectra) else "")] if several else []
        lines.append("    " + ("]" if several else "}"))
    return "\n".join([*lines, "  }", "}"]) + "\n"


def _joined(lines: list[str], indent: str) -> list[str]:
    return [indent + line + ("," if index + 1 < len(lines) else "") for index, line in enumerate(lines)]


def _listed(components: Any, indent: str) -> Iterator[str]:
    """Components, each with one line for an attribute."""
    found = list(components)
    for index, component in enumerate(found):
        comma = "," if index + 1 < len(found) else ""
        head = json_dump(_component(component))[:-1]
        attributes = [json_dump(_attribute(component, item)) for item in component.attributes.values()]
        if not attributes:
            yield f'{indent}{head}, "attributes": []}}{comma}'
            continue
        yield f'{indent}{head}, "attributes": ['
        yield from _joined(attributes, indent + "  ")
        yield f"{indent}]}}{comma}"


def _component(component: RexsComponent) -> dict[str, Any]:
    found: dict[str, Any] = {"id": component.id, "type": component.type}
    if component.name is not None:
        found["name"] = component.name
    found.update(component.extra)
    if component.unknown:
        found[UNKNOWN_KEY] = [_unknown(item) for item in component.unknown]
    return found


def _relation(relation: RexsRelation) -> dict[str, Any]:
    found: dict[str, Any] = {"id": relation.id, "type": relation.type}
    if relation.order is not None:
        found["order"] = relation.order
    found["refs"] = []
    for ref in relation.refs:
        hint = {} if ref.hint is None else {"hint": ref.hint}
        found["refs"].append({"id": ref.id, "role": ref.role, **hint, **ref.extra})
    found.update(relation.extra)
    if relation.unknown:
        found[UNKNOWN_KEY] = [_unknown(item) for item in relation.unknown]
    return found


def _attribute(component: RexsComponent, attribute: RexsAttribute) -> dict[str, Any]:
    found: dict[str, Any] = {"id": attribute.id}
    if attribute.unit is not None:
        found["unit"] = attribute.unit
    found.update(attribute.extra)
    if attribute.inner_extra:
        found[INNER_KEY] = dict(attribute.inner_extra)
    if attribute.unknown:
        found[UNKNOWN_KEY] = [_unknown(item) for item in attribute.unknown]
    kind = attribute.value_type if attribute.value_type else derived_type(component.new_type, attribute)
    if attribute.value_type and not _shape_fits(kind, attribute):
        kind = derived_type(component.new_type, attribute)
    if attribute.code is not None:
        found[f"{kind}_coded"] = _coded(attribute)
    elif isinstance(attribute.text, list):
        found[kind] = [
            [_value(cell, kind) for cell in item] if isinstance(item, list) else _value(item, kind)
            for item in attribute.text
        ]
    else:
        found[kind] = _value(attribute.text, kind)
    return found


def _shape_fits(kind: str, attribute: RexsAttribute) -> bool:
    endings = {"scalar": "", "array": "_array", "matrix": "_matrix", "arrays": "_arrays"}
    plain = kind.removesuffix("_arrays").removesuffix("_array").removesuffix("_matrix")
    return attribute.text is None or kind == plain + endings[attribute.shape]


def _coded(attribute: RexsAttribute) -> Any:
    if attribute.shape == "arrays":
        return [{"code": attribute.code, "value": text} for text in attribute.text or []]
    found: dict[str, Any] = {"code": attribute.code, "value": attribute.text or ""}
    if attribute.size is not None:
        found.update(rows=attribute.size[0], columns=attribute.size[1])
    return found


def _value(text: str | None, kind: str) -> Any:
    """Value for JSON; a text that does not fit the type is written as a text, so that it is kept."""
    if text is None:
        return None
    if "floating_point" in kind or "integer" in kind or kind.startswith("reference_component"):
        if JSON_NUMBER.fullmatch(text):
            return NumberText(text)
        try:
            return NumberText(repr(float_of(text)))
        except ValueError:
            return str(text)
    if "boolean" in kind and text in FLAGS:
        return FLAGS[text]
    return str(text)


def _spectrum(spectrum: RexsLoadSpectrum) -> Iterator[str]:
    head: dict[str, Any] = {"id": spectrum.id, **spectrum.extra}
    if spectrum.unknown:
        head[UNKNOWN_KEY] = [_unknown(item) for item in spectrum.unknown]
    for key, value in head.items():
        yield f"      {json.dumps(key, ensure_ascii=False)}: {json_dump(value)},"
    yield '      "load_cases": ['
    for index, case in enumerate(spectrum.cases):
        keys: dict[str, Any] = {"id": case.id, **case.extra}
        if case.unknown:
            keys[UNKNOWN_KEY] = [_unknown(item) for item in case.unknown]
        yield f'        {json_dump(keys)[:-1]}, "components": ['
        yield from _listed(case.components.values(), "          ")
        yield "        ]}" + ("," if index + 1 < len(spectrum.cases) else "")
    yield "      ]" + ("," if spectrum.accumulation else "")
    if spectrum.accumulation:
        yield '      "accumulation": {"components": ['
        yield from _listed(spectrum.accumulation.values(), "        ")
        yield "      ]}"


def _unknown(unknown: RexsUnknown) -> dict[str, Any]:
    children = [_unknown(child) for child in unknown.children]
    return {"tag": unknown.tag, "attributes": dict(unknown.attributes), "text": unknown.text, "children": children}


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
    lines += ["    " + line for relation in document.relations for line in _relation_xml_writing(writer, relation)]
    lines.append("  " + writer.close("relations"))
    lines.append("  " + writer.open("components", {}, sections.get("components", {})))
    for component in document.components.values():
        lines += ["    " + line for line in _component_xml_writing(writer, component)]
    lines.append("  " + writer.close("components"))
    for spectrum in document.spectra:
        lines += ["  " + line for line in _spectrum_xml_writing(writer, spectrum)]
    lines += ["  " + line for unknown in document.unknown for line in _unknown_xml_writing(writer, unknown)]
    lines.append(writer.close("model"))
    return "\n".join(lines) + "\n"


def _relation_xml_writing(writer: _XmlWriter, relation: RexsRelation) -> Iterator[str]:
    keys = {"id": relation.id, "type": relation.type, "order": relation.order}
    yield writer.open("relation", keys, relation.extra)
    for ref in relation.refs:
        yield "  " + writer.open("ref", {"id": ref.id, "role": ref.role, "hint": ref.hint}, ref.extra, end="/>")
    for unknown in relation.unknown:
        yield from ("  " + line for line in _unknown_xml_writing(writer, unknown))
    yield writer.close("relation")


def _component_xml_writing(writer: _XmlWriter, component: RexsComponent) -> Iterator[str]:
    keys = {"id": component.id, "type": component.type, "name": component.name}
    if not component.attributes and not component.unknown:
        yield writer.open("component", keys, component.extra, end="/>")
        return
    yield writer.open("component", keys, component.extra)
    for attribute in component.attributes.values():
        yield from ("  " + line for line in _attribute_xml_writing(writer, component, attribute))
    for unknown in component.unknown:
        yield from ("  " + line for line in _unknown_xml_writing(writer, unknown))
    yield writer.close("component")


def _attribute_xml_writing(writer: _XmlWriter, component: RexsComponent, attribute: RexsAttribute) -> Iterator[str]:
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
        yield from ("  " + line for line in _unknown_xml_writing(writer, unknown))
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


def _spectrum_xml_writing(writer: _XmlWriter, spectrum: RexsLoadSpectrum) -> Iterator[str]:
    yield writer.open("load_spectrum", {"id": spectrum.id}, spectrum.extra)
    for case in spectrum.cases:
        yield "  " + writer.open("load_case", {"id": case.id}, case.extra)
        for component in case.components.values():
            yield from ("    " + line for line in _component_xml_writing(writer, component))
        for unknown in case.unknown:
            yield from ("    " + line for line in _unknown_xml_writing(writer, unknown))
        yield "  " + writer.close("load_case")
    if spectrum.accumulation:
        extra = writer.document.section_extra.get(f"accumulation {spectrum.id}", {})
        yield "  " + writer.open("accumulation", {}, extra)
        for component in spectrum.accumulation.values():
            yield from ("    " + line for line in _component_xml_writing(writer, component))
        yield "  " + writer.close("accumulation")
    for unknown in spectrum.unknown:
        yield from ("  " + line for line in _unknown_xml_writing(writer, unknown))
    yield writer.close("load_spectrum")


def _unknown_xml_writing(writer: _XmlWriter, unknown: RexsUnknown) -> Iterator[str]:
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
        yield from ("  " + line for line in _unknown_xml_writing(writer, child))
    yield writer.close(unknown.tag)


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})
