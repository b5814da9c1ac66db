"""Reading of REXS documents: from JSON, and by the kind of the file."""

from __future__ import annotations

import io
import json.decoder
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError

from ..safe_xml import MOST_DEPTH, MOST_ITEMS, ExchangeError, archive_members, file_bytes, member_bytes
from .component import (
    JSON_NUMBER,
    Findings,
    NumberText,
    RexsAttribute,
    RexsComponent,
    RexsDocument,
    RexsLoadCase,
    RexsLoadSpectrum,
    RexsRef,
    RexsRelation,
    RexsUnknown,
    Shape,
    bare,
)
from .xml_reading import read_xml_document, settle_types

__all__ = [
    "JsonObject",
    "json_dump",
    "parse_json",
    "INNER_KEY",
    "SECTIONS_KEY",
    "TYPES",
    "UNKNOWN_KEY",
    "read_json_document",
    "is_rexs",
    "open_rexs",
    "read_rexs",
]


# ---- json text

# JSON of other programs as a tree with line numbers. Numbers keep their text; repeated keys and deep nesting are
# refused.

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


# ---- reading

# Read a REXS file: XML, JSON or zip archive, recognised by its contents.

ENDINGS = (".rexs", ".rexsj", ".rexs.xml", ".rexs.json", ".xml", ".json")


@names_wrong_arguments
def read_rexs(path: str | Path) -> RexsDocument:
    """Read a REXS file as a document: its components, relations and load spectra, as they are in the file.

    Versions 1.0 to 2.0.0 as XML (.rexs), JSON (.rexsj) or archive (.rexsz). The contents decide on the format, not the name.
    Nothing is dropped: unknown components, attributes and the other files of an archive are kept. `from_rexs` makes a model.

    Parameters
    ----------
    path
        File to read. If it cannot be read as REXS, the message of the error contains component, attribute and line.
    """
    document, findings = open_rexs(path)
    if findings.problems or document is None:
        raise ExchangeError(findings.text())
    return document


def open_rexs(path: str | Path) -> tuple[RexsDocument | None, Findings]:
    """Document and the problems that were found while it was read."""
    file = Path(path).expanduser()
    findings = Findings(str(file))
    data = file_bytes(file)
    if data[:2] == b"PK":
        document = _read_archive(data, file, findings)
    else:
        document = _read_text(data, str(file), findings)
    document.source = file
    return document, findings


def is_rexs(data: bytes) -> bool:
    """Whether a file looks like REXS by its first bytes: an archive, an XML text with the element model, or JSON with the key."""
    if data[:4] == b"PK\x03\x04":
        return True
    head = data[:65536].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        return re.search(r"<(\w+:)?model\b[^>]*\bapplicationId\s*=", head) is not None
    return head.startswith("{") and re.match(r'\{\s*"model"\s*:\s*\{', head) is not None


def _read_text(data: bytes, name: str, findings: Findings) -> RexsDocument:
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not wide and head[:1] in (b"{", b"["):
        return read_json_document(data, name, findings)
    if wide or head[:1] == b"<":
        return read_xml_document(data.removeprefix(b"\xef\xbb\xbf").lstrip() if not wide else data, name, findings)
    if not data.strip():
        raise ExchangeError(f"{name}: the file is empty")
    raise ExchangeError(f"{name}: not a REXS file: the contents are neither XML, nor JSON, nor a zip archive")


def _read_archive(data: bytes, file: Path, findings: Findings) -> RexsDocument:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [item for item in archive_members(archive, file) if not item.filename.startswith("__MACOSX/")]
            names = [item.filename for item in members]
            for name in names:
                if names.count(name) > 1:
                    raise ExchangeError(f'{file}: the archive contains "{name}" twice')
            models = [name for name in names if name.lower().endswith(ENDINGS) and "/" not in name and "\\" not in name]
            exact = [name for name in models if name.lower().endswith(ENDINGS[:4])]
            models = exact or models
            if len(models) != 1:
                found = f"{len(models)}: {', '.join(models[:5])}" if models else "none"
                raise ExchangeError(
                    f"{file}: the archive must contain one REXS file (.rexs or .rexsj) at its top level, found {found}"
                )
            contents = {item.filename: member_bytes(archive, item, file) for item in members}
    except zipfile.BadZipFile as error:
        raise ExchangeError(f"{file}: the zip archive is damaged: {error}") from error
    except PitchlineError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors for damaged directories
        raise ExchangeError(f"{file}: the zip archive is damaged: {error}") from error
    document = _read_text(contents.pop(models[0]), f"{file}/{models[0]}", findings)
    document.files, document.container, document.member = contents, "zip", models[0]
    return document
