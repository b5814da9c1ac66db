"""REXS document from JSON."""

from __future__ import annotations

from typing import Any

from ..limits import ExchangeError
from .attribute import RexsAttribute, RexsUnknown, Shape
from .document import RexsComponent, RexsDocument, RexsLoadCase, RexsLoadSpectrum, RexsRef, RexsRelation
from .findings import Findings
from .json_text import JsonObject, json_dump, parse_json
from .types import settle_types
from .values import bare

__all__ = ["INNER_KEY", "SECTIONS_KEY", "TYPES", "UNKNOWN_KEY", "read_json_document"]

TYPES = (
    "floating_point", "integer", "boolean", "string", "enum", "reference_component", "file_reference", "date_time",
)  # fmt: skip
"""Types of single values; arrays and matrices add _array and _matrix, coded ones also _coded."""
UNKNOWN_KEY = "unknown_elements"
"""Key for XML elements that the standard does not define."""
INNER_KEY = "value_attributes"
"""Key for further XML attributes of an array or a matrix."""
SECTIONS_KEY = "section_attributes"
"""Key for further XML attributes of the sections of a model."""
_MODEL_KEYS = ("version", "applicationId", "applicationVersion", "date", "applicationLanguage")
_SHAPES: dict[str, Shape] = {"_array": "array", "_matrix": "matrix"}


def read_json_document(data: bytes, name: str, findings: Findings) -> RexsDocument:
    """Document of a JSON text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ExchangeError(f"{name}: the JSON text is not in UTF-8: {error.reason} at byte {error.start}") from error
    root = parse_json(text, name)
    model = root.items.get("model") if isinstance(root, JsonObject) else None
    if not isinstance(root, JsonObject) or not isinstance(model, JsonObject):
        findings.error('the key "model" with an object is missing. A REXS file begins with {"model": {', line=1)
        return RexsDocument("")
    items = model.items
    known = [_text(items.get(key)) for key in _MODEL_KEYS]
    used = (*_MODEL_KEYS, "relations", "components", "load_spectrum", "accumulation", UNKNOWN_KEY, SECTIONS_KEY)
    document = RexsDocument(
        findings.version(known[0], model.line),
        known[1],
        known[2],
        known[3],
        known[4],
        extra=_rest(model, *used),
        container="json",
    )
    document.extra.update({f"root.{key}": text for key, text in _rest(root, "model").items()})
    document.unknown = _unknowns(items.get(UNKNOWN_KEY))
    sections = items.get(SECTIONS_KEY)
    if isinstance(sections, JsonObject):
        for key, item in sections.items.items():
            if isinstance(item, JsonObject) and key.split(" ")[0] in ("relations", "components", "accumulation"):
                document.section_extra[key] = _rest(item)
            else:
                document.extra[f"{SECTIONS_KEY}.{key}"] = _text(item) or ""
    for node in _objects(items.get("relations"), "relations", model, findings):
        relation = _relation(node, findings)
        if relation is not None:
            document.relations.append(relation)
    _components(items.get("components"), model, document.components, name, findings)
    spectra = items.get("load_spectrum")
    for node in _objects(spectra if isinstance(spectra, list) else [spectra], "load_spectrum", model, findings):
        spectrum = _spectrum(node, name, findings)
        if spectrum is not None and spectrum != RexsLoadSpectrum(spectrum.id):  # an empty spectrum stands for none
            document.spectra.append(spectrum)
    if items.get("accumulation") is not None:
        _outer_accumulation(document, items["accumulation"], model, name, findings)
    settle_types(document)
    cases = [case.components for spectrum in document.spectra for case in spectrum.cases]
    for group in (document.components, *cases, *(spectrum.accumulation for spectrum in document.spectra)):
        for component in group.values():
            if not component.type:
                findings.error(
                    f"component {component.id}: the type is missing", line=component.line, component=component.id
                )
    return document


def _objects(value: Any, what: str, parent: JsonObject, findings: Findings) -> list[JsonObject]:
    """Objects of a list; anything else is an error."""
    if value is None:
        return []
    if not isinstance(value, list):
        findings.error(f'"{what}" is not a list', line=parent.line)
        return []
    wrong = [item for item in value if item is not None and not isinstance(item, JsonObject)]
    if wrong:
        findings.error(f'"{what}" contains a value that is not an object: {_short(wrong[0])}', line=parent.line)
    return [item for item in value if isinstance(item, JsonObject)]


def _components(value: Any, parent: JsonObject, found: dict[int, RexsComponent], name: str, findings: Findings) -> None:
    for node in _objects(value, "components", parent, findings):
        component = _component(node, name, findings)
        if component is not None:
            findings.add_component(found, component)


def _component(node: JsonObject, name: str, findings: Findings) -> RexsComponent | None:
    items = node.items
    kind = _text(items.get("type")) or ""
    number = findings.number(items.get("id"), f"component ({kind or 'no type'})", node.line)
    if number is None:
        return None
    extra = _rest(node, "id", "type", "name", "attributes", UNKNOWN_KEY)
    component = RexsComponent(number, kind, _text(items.get("name")), {}, node.line, extra, file=name)
    component.unknown = _unknowns(items.get(UNKNOWN_KEY))
    for child in _objects(items.get("attributes"), "attributes", node, findings):
        attribute = _attribute(child, component, findings)
        if attribute is None:
            continue
        first = component.attributes.setdefault(attribute.id, attribute)
        if first is not attribute:
            text = f'{component.label}: attribute "{attribute.id}" occurs twice, first in line {first.line}'
            findings.error(text, line=child.line, component=number, attribute=attribute.id)
    return component


def _type_key(key: str) -> tuple[Shape, bool] | None:
    """Shape of a value and whether it is coded, by its key; None for keys that are not a type."""
    if key in TYPES:
        return "scalar", False
    plain = key.removesuffix("_coded")
    if plain in ("array_of_integer_arrays", "array_of_floating_point_arrays", "array_of_string_arrays"):
        return "arrays", plain != key
    for ending, shape in _SHAPES.items():
        if plain.removesuffix(ending) in TYPES and plain.endswith(ending):
            return shape, plain != key
    return None


def _attribute(node: JsonObject, component: RexsComponent, findings: Findings) -> RexsAttribute | None:
    id_ = (_text(node.items.get("id")) or "").strip()
    if not id_:
        findings.error(f"{component.label}: an attribute has no id", line=node.line, component=component.id)
        return None
    keys = [key for key in node.items if _type_key(key)]
    extra = _rest(node, "id", "unit", UNKNOWN_KEY, INNER_KEY, *keys)
    found = RexsAttribute(id_, unit=_text(node.items.get("unit")), line=node.line, extra=extra)
    found.unknown = _unknowns(node.items.get(UNKNOWN_KEY))
    inner = node.items.get(INNER_KEY)
    if (
        isinstance(inner, JsonObject)
        and keys
        and node.items[keys[0]] is not None
        and _type_key(keys[0]) != ("scalar", False)
    ):
        found.inner_extra = _rest(inner)
    elif inner is not None:
        found.extra[INNER_KEY] = _text(inner) or ""

    def problem(text: str) -> None:
        text = f'{component.label}: attribute "{id_}" {text}'
        findings.error(text, line=node.line, component=component.id, attribute=id_)

    if len(keys) > 1:
        problem(f"has more than one value: {', '.join(keys[:4])}")
    if not keys:
        return found
    shape, coded = _type_key(keys[0]) or ("scalar", False)
    found.value_type = keys[0].removesuffix("_coded")
    value = node.items[keys[0]]
    if value is None:
        found.shape = "scalar"
        return found
    found.shape = shape
    try:
        if coded:
            _coded(found, value, findings)
        elif shape == "scalar":
            found.text = _cell(value)
        elif shape == "array":
            found.text = [_cell(item) for item in _list(value)]
        else:
            found.text = [[_cell(item) for item in _list(row)] for row in _list(value)]
    except TypeError as error:
        problem(str(error))
    return found


def _coded(found: RexsAttribute, value: Any, findings: Findings) -> None:
    nodes = _list(value) if found.shape == "arrays" else [value]
    texts, codes = [], set()
    for node in nodes:
        if not isinstance(node, JsonObject) or not isinstance(node.items.get("value"), str):
            raise TypeError('is coded, but not an object with "code" and "value"')
        texts.append("".join(node.items["value"].split()))
        codes.add(_text(node.items.get("code")) or "float64")
    if len(codes) > 1:
        raise TypeError("mixes different codes in one list")
    found.code = codes.pop() if codes else "int32"
    found.text = texts if found.shape == "arrays" else texts[0]
    if found.shape == "matrix":
        sizes = [
            findings.number(nodes[0].items.get(key), f'attribute "{found.id}": {key}', found.line)
            for key in ("rows", "columns")
        ]
        found.size = (sizes[0] or 0, sizes[1] or 0)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"has the value {_short(value)}. Expected a list")
    return value


def _cell(value: Any) -> str | None:
    """Text of a single value."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return bare(str(value))
    raise TypeError(f"has the value {_short(value)}. Expected a single value")


def _relation(node: JsonObject, findings: Findings) -> RexsRelation | None:
    kind = _text(node.items.get("type")) or ""
    what = f"relation {_text(node.items.get('id')) or ''} ({kind or 'no type'})"
    number = findings.number(node.items.get("id"), f"relation ({kind or 'no type'})", node.line)
    if not kind:
        findings.error(f"{what}: the type is missing", line=node.line)
    if number is None or not kind:
        return None
    order = node.items.get("order")
    relation = RexsRelation(
        number, kind, None if order is None else findings.number(order, f"{what}: order", node.line), [], node.line,
        _rest(node, "id", "type", "order", "refs", UNKNOWN_KEY),
    )  # fmt: skip
    relation.unknown = _unknowns(node.items.get(UNKNOWN_KEY))
    for ref in _objects(node.items.get("refs"), "refs", node, findings):
        id_ = findings.number(ref.items.get("id"), f"{what}: ref", ref.line)
        role = _text(ref.items.get("role")) or ""
        if not role:
            findings.error(f"{what}: a ref has no role", line=ref.line)
        if id_ is not None and role:
            extra = _rest(ref, "id", "role", "hint")
            relation.refs.append(RexsRef(id_, role, _text(ref.items.get("hint")), ref.line, extra))
    return relation


def _spectrum(node: JsonObject, name: str, findings: Findings) -> RexsLoadSpectrum | None:
    number = findings.number(node.items.get("id", "1"), "load_spectrum", node.line)
    if number is None:
        return None
    extra = _rest(node, "id", "load_cases", "accumulation", UNKNOWN_KEY)
    spectrum = RexsLoadSpectrum(number, [], {}, node.line, extra, _unknowns(node.items.get(UNKNOWN_KEY)))
    for child in _objects(node.items.get("load_cases"), "load_cases", node, findings):
        id_ = findings.number(child.items.get("id"), f"load_spectrum {number}: load case", child.line)
        if id_ is None:
            continue
        case = RexsLoadCase(id_, {}, child.line, _rest(child, "id", "components", UNKNOWN_KEY))
        case.unknown = _unknowns(child.items.get(UNKNOWN_KEY))
        _components(child.items.get("components"), child, case.components, name, findings)
        spectrum.cases.append(case)
    if node.items.get("accumulation") is not None:
        _accumulation(spectrum, node.items["accumulation"], node, name, findings)
    return spectrum


def _accumulation(spectrum: RexsLoadSpectrum, value: Any, parent: JsonObject, name: str, findings: Findings) -> None:
    listing = value.items.get("components") if isinstance(value, JsonObject) else value
    _components(listing, parent, spectrum.accumulation, name, findings)


def _outer_accumulation(document: RexsDocument, value: Any, model: JsonObject, name: str, findings: Findings) -> None:
    """Accumulation next to the load spectrum, as the JSON schema has it: it belongs to the last spectrum."""
    if not document.spectra:
        document.spectra.append(RexsLoadSpectrum(1))
    _accumulation(document.spectra[-1], value, model, name, findings)


def _text(value: Any) -> str | None:
    """Text of a value; other kinds of values as JSON text."""
    if value is None:
        return None
    return str(value) if isinstance(value, str) else json_dump(value)


def _short(value: Any) -> str:
    text = json_dump(value)
    return text if len(text) <= 40 else text[:36] + " ..."


def _rest(node: JsonObject, *known: str) -> dict[str, str]:
    """Keys that the standard does not define. Values other than texts are kept as JSON text."""
    return {key: _text(item) or "" for key, item in node.items.items() if key not in known}


def _unknowns(value: Any) -> list[RexsUnknown]:
    """XML elements that another container had."""
    found = []
    for node in value if isinstance(value, list) else []:
        if isinstance(node, JsonObject):
            attributes = node.items.get("attributes")
            found.append(
                RexsUnknown(
                    _text(node.items.get("tag")) or "unknown", _rest(attributes) if isinstance(attributes, JsonObject) else {},
                    _text(node.items.get("text")) or "", _unknowns(node.items.get("children")),
                )
            )  # fmt: skip
    return found
