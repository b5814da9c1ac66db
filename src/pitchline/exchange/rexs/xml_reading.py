"""REXS document from XML."""

from __future__ import annotations

from ..safe_xml import XmlElement, parse_xml
from .component import (
    Findings,
    RexsAttribute,
    RexsComponent,
    RexsDocument,
    RexsLoadCase,
    RexsLoadSpectrum,
    RexsRef,
    RexsRelation,
    RexsUnknown,
    bare,
    decoded,
)
from .database import value_type_of

__all__ = ["settle_types", "JSON_TYPE", "TAGS", "read_xml_document"]


# ---- types

# Types of components by the newest version: old types whose new name depends on the gear.

_FAMILY = {
    "cylindrical_gear": "cylindrical", "ring_gear": "cylindrical", "bevel_gear": "bevel", "worm_gear": "worm",
    "worm_wheel": "worm",
}  # fmt: skip
_FLANKS = {
    "cylindrical_gear": "cylindrical_gear_flank", "ring_gear": "cylindrical_gear_flank", "bevel_gear": "bevel_gear_flank",
    "worm_gear": "worm_gear_flank", "worm_wheel": "worm_gear_flank",
}  # fmt: skip


def settle_types(document: RexsDocument) -> None:
    """Set new types of flank_geometry and stage_gear_data by the gear in their relation; types of load cases by the document."""
    components = document.components
    for relation in document.relations:
        gear = components.get(relation.role("gear") or -1)
        if gear is None:
            continue
        for ref in relation.refs:
            part = components.get(ref.id)
            if part is not None and part.type == "flank_geometry":
                part.new_type = _FLANKS.get(gear.type, part.new_type)
            if part is not None and part.type == "stage_gear_data" and gear.type in _FAMILY:
                part.new_type = f"{_FAMILY[gear.type]}_stage_gear_data"
    for spectrum in document.spectra:
        for group in (*(case.components for case in spectrum.cases), spectrum.accumulation):
            for number, component in group.items():
                base = components.get(number)
                if base is not None:
                    component.type = component.type or base.type
                    component.new_type = base.new_type


JSON_TYPE = "json_type"
"""XML attribute for the type of a value from a JSON file, where the type does not follow from the standard or the text."""
TAGS = (
    "model", "relations", "relation", "ref", "components", "component", "attribute", "array", "matrix", "array_of_arrays",
    "load_spectrum", "load_case", "accumulation",
)  # fmt: skip
"""Elements of the standard."""
_MODEL_KEYS = ("version", "applicationId", "applicationVersion", "date", "applicationLanguage")


def read_xml_document(data: bytes, name: str, findings: Findings) -> RexsDocument:
    """Document of an XML text."""
    root = parse_xml(data, name)
    if root.tag != "model":
        findings.error(f"the root element is <{root.tag}>. A REXS file begins with <model>", line=root.line)
        return RexsDocument("")
    known = [root.attributes.get(key) for key in _MODEL_KEYS]
    document = RexsDocument(
        findings.version(known[0], root.line),
        known[1],
        known[2],
        known[3],
        known[4],
        extra=_rest(root, *_MODEL_KEYS),
        container="xml",
        prefix=root.prefix,
    )
    for child in root.children:
        if child.tag == "relations":
            _section(document, child, "relation", findings)
            document.relations += [item for node in child.all("relation") if (item := _relation(node, findings))]
        elif child.tag == "components":
            _section(document, child, "component", findings)
            _components(child, document.components, name, findings)
        elif child.tag == "load_spectrum":
            spectrum = _spectrum(child, document, name, findings)
            if spectrum is not None:
                document.spectra.append(spectrum)
        else:
            document.unknown += _unknown([child], root, findings)
    settle_types(document)
    return document


def _section(document: RexsDocument, node: XmlElement, tag: str, findings: Findings) -> None:
    extra = _rest(node)
    if extra:
        document.section_extra.setdefault(node.tag, {}).update(extra)
    document.unknown += _unknown([child for child in node.children if child.tag != tag], node, findings)


def _components(node: XmlElement, components: dict[int, RexsComponent], name: str, findings: Findings) -> None:
    for child in node.all("component"):
        component = _component(child, name, findings)
        if component is not None:
            findings.add_component(components, component)


def _component(node: XmlElement, name: str, findings: Findings) -> RexsComponent | None:
    number = findings.number(
        node.attributes.get("id"), f"component ({node.attributes.get('type', 'no type')})", node.line
    )
    if number is None:
        return None
    component = RexsComponent(
        number, node.attributes.get("type", ""), node.attributes.get("name"), {}, node.line, _rest(node, "id", "type", "name"),
        file=name,
    )  # fmt: skip
    if not component.type:
        findings.error(f"component {number}: the type is missing", line=node.line, component=number)
    for child in node.children:
        if child.tag != "attribute":
            component.unknown += _unknown([child], node, findings)
            continue
        attribute = _attribute(child, component, findings)
        if attribute is None:
            continue
        first = component.attributes.setdefault(attribute.id, attribute)
        if first is not attribute:
            text = f'{component.label}: attribute "{attribute.id}" occurs twice, first in line {first.line}'
            findings.error(text, line=child.line, component=number, attribute=attribute.id)
    return component


def _attribute(node: XmlElement, component: RexsComponent, findings: Findings) -> RexsAttribute | None:
    id_ = node.attributes.get("id", "").strip()
    if not id_:
        findings.error(f"{component.label}: an attribute has no id", line=node.line, component=component.id)
        return None
    found = RexsAttribute(
        id_, unit=node.attributes.get("unit"), line=node.line, extra=_rest(node, "id", "unit", JSON_TYPE),
        value_type=node.attributes.get(JSON_TYPE) or value_type_of(component.new_type, id_),
    )  # fmt: skip
    values = [child for child in node.children if child.tag in ("array", "matrix", "array_of_arrays")]
    found.unknown = _unknown([child for child in node.children if child not in values], node, findings)
    if len(values) > 1 or (values and node.text.strip()):
        text = f'{component.label}: attribute "{id_}" has more than one value'
        findings.error(text, line=node.line, component=component.id, attribute=id_)
    elif not values:
        found.text = bare(node.text)
    elif values[0].tag == "array":
        _array(found, values[0])
    elif values[0].tag == "matrix":
        _matrix(found, values[0], component, findings)
    else:
        _arrays(found, values[0], component, findings)
    return found


def _cells(node: XmlElement) -> list[str | None]:
    return [bare(cell.text) for cell in node.all("c")]


def _array(found: RexsAttribute, node: XmlElement) -> None:
    found.shape, found.code = "array", node.attributes.get("code")
    found.inner_extra = _rest(node, "code")
    found.text = _cells(node) if found.code is None else "".join(node.text.split())


def _matrix(found: RexsAttribute, node: XmlElement, component: RexsComponent, findings: Findings) -> None:
    found.shape, found.code = "matrix", node.attributes.get("code")
    found.inner_extra = _rest(node, "code", "rows", "columns")
    for index, row in enumerate(node.all("r")):
        found.inner_extra.update({f"r{index + 1}.{key}": text for key, text in row.attributes.items()})
    if found.code is None:
        found.text = [_cells(row) for row in node.all("r")]
        found.inner_extra.update({key: node.attributes[key] for key in ("rows", "columns") if key in node.attributes})
        return
    found.text = "".join(node.text.split())
    what = f'{component.label}, attribute "{found.id}"'
    sizes = [findings.number(node.attributes.get(key), f"{what}: {key}", node.line) for key in ("rows", "columns")]
    found.size = (sizes[0] or 0, sizes[1] or 0)


def _arrays(found: RexsAttribute, node: XmlElement, component: RexsComponent, findings: Findings) -> None:
    inner = node.all("array")
    codes = {item.attributes.get("code") for item in inner}
    found.shape = "arrays"
    found.inner_extra = _rest(node)
    if len(codes) == 1 and None not in codes:
        found.code = codes.pop()
        found.text = ["".join(item.text.split()) for item in inner]
        return
    rows: list[list[str | None]] = []
    for item in inner:  # with different codes in one list all are kept as plain numbers
        code = item.attributes.get("code")
        if code is None:
            rows.append(_cells(item))
        else:
            try:
                rows.append([repr(number) for number in decoded(item.text, code).tolist()])
            except ValueError as error:
                text = f'{component.label}: attribute "{found.id}": {error}'
                findings.error(text, line=item.line, component=component.id, attribute=found.id)
    found.text = rows


def _relation(node: XmlElement, findings: Findings) -> RexsRelation | None:
    kind = node.attributes.get("type", "")
    what = f"relation {node.attributes.get('id', '')} ({kind or 'no type'})"
    number = findings.number(node.attributes.get("id"), f"relation ({kind or 'no type'})", node.line)
    if not kind:
        findings.error(f"{what}: the type is missing", line=node.line)
    if number is None or not kind:
        return None
    order = node.attributes.get("order")
    relation = RexsRelation(
        number, kind, None if order is None or not order.strip() else findings.number(order, f"{what}: order", node.line),
        [], node.line, _rest(node, "id", "type", "order"),
    )  # fmt: skip
    for child in node.children:
        if child.tag != "ref":
            relation.unknown += _unknown([child], node, findings)
            continue
        id_ = findings.number(child.attributes.get("id"), f"{what}: ref", child.line)
        role = child.attributes.get("role", "")
        if not role:
            findings.error(f"{what}: a ref has no role", line=child.line)
        if id_ is not None and role:
            extra = _rest(child, "id", "role", "hint")
            relation.refs.append(RexsRef(id_, role, child.attributes.get("hint"), child.line, extra))
    return relation


def _spectrum(node: XmlElement, document: RexsDocument, name: str, findings: Findings) -> RexsLoadSpectrum | None:
    number = findings.number(node.attributes.get("id"), "load_spectrum", node.line)
    if number is None:
        return None
    spectrum = RexsLoadSpectrum(number, [], {}, node.line, _rest(node, "id"))
    for child in node.children:
        if child.tag == "load_case":
            id_ = findings.number(child.attributes.get("id"), f"load_spectrum {number}: load_case", child.line)
            if id_ is None:
                continue
            case = RexsLoadCase(id_, {}, child.line, _rest(child, "id"))
            case.unknown = _unknown([item for item in child.children if item.tag != "component"], child, findings)
            _components(child, case.components, name, findings)
            spectrum.cases.append(case)
        elif child.tag == "accumulation":
            if child.attributes:
                document.section_extra.setdefault(f"accumulation {number}", {}).update(child.attributes)
            spectrum.unknown += _unknown([item for item in child.children if item.tag != "component"], child, findings)
            _components(child, spectrum.accumulation, name, findings)
        else:
            spectrum.unknown += _unknown([child], node, findings)
    return spectrum


def _rest(node: XmlElement, *known: str) -> dict[str, str]:
    """Attributes of an XML element that the standard does not define."""
    return {key: text for key, text in node.attributes.items() if key not in known}


def _unknown(nodes: list[XmlElement], parent: XmlElement, findings: Findings) -> list[RexsUnknown]:
    """Elements that the standard does not define. An element of the standard in a wrong place is an error."""
    for node in nodes:
        if node.tag in TAGS:
            findings.error(f"the element <{node.tag}> is not allowed inside <{parent.tag}>", line=node.line)
    return [_kept(node) for node in nodes]


def _kept(node: XmlElement) -> RexsUnknown:
    text = node.text if node.text.strip() else ""
    return RexsUnknown(node.tag, dict(node.attributes), text, [_kept(child) for child in node.children])
