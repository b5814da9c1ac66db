"""REXS document as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .attribute import RexsAttribute, RexsUnknown
from .document import RexsComponent, RexsDocument, RexsLoadSpectrum, RexsRelation
from .json_reading import INNER_KEY, SECTIONS_KEY, UNKNOWN_KEY
from .json_text import json_dump
from .value_types import derived_type
from .values import FLAGS, JSON_NUMBER, NumberText, float_of

__all__ = ["json_text"]


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
