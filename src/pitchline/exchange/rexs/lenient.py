"""Repairs of documents whose meaning is clear although they break the standard, each with a note in the report.

Some programs write `false` where they have no value, leave empty shafts and sections in the file, and keep references to numbers
that a component had before it was renumbered. The document of the file itself does not change.
"""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from dataclasses import replace

from ..imported import ImportReport
from .attribute import RexsAttribute
from .component import RexsComponent
from .database import value_type_of
from .document import RexsDocument
from .relation import RexsRelation
from .values import FLAGS

__all__ = ["repaired"]

_LOOSE = {"assembly": "part", "ordered_assembly": "part", "reference": "referenced", "ordered_reference": "referenced"}
"""Relations that list parts or references, and their role."""
_POSITION = "reference_component_for_position"
_VECTORS = ("support_vector", "u_axis_vector", "w_axis_vector")
_NAMED = 4


def repaired(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document with its repairs."""
    made = replace(
        document, components=_without_flags(document, report), relations=_without_dead_parts(document, report)
    )
    made = _without_empty_sections(made, report)
    made = _without_empty_shafts(made, report)
    return _without_dead_positions(made, report)


def _without_flags(document: RexsDocument, report: ImportReport) -> dict[int, RexsComponent]:
    """Components without flags in place of other values."""
    found = dict(document.components)
    changed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for number, component in document.components.items():
        wrong = {name: one for name, one in component.attributes.items() if _is_placeholder(component, one)}
        if wrong:
            found[number] = _changed(component, {name: None for name in wrong})
            for name, one in wrong.items():
                changed[name, str(one.text)].append(component.label)
    for (name, text), labels in changed.items():
        report.add("repaired", f'{_listed(labels)}: the value {text} of "{name}" is read as no value')
    return found


def _is_placeholder(component: RexsComponent, attribute: RexsAttribute) -> bool:
    """Whether a flag is in place of a number, an array, a text or a reference."""
    if attribute.shape != "scalar" or str(attribute.text).strip().lower() not in FLAGS:
        return False
    wanted = value_type_of(component.new_type, attribute.id)
    if wanted is None or wanted.startswith("boolean"):
        return False
    return attribute.value_type == "boolean" or not wanted.startswith(("enum", "string"))


def _without_dead_parts(document: RexsDocument, report: ImportReport) -> list[RexsRelation]:
    """Relations without parts of the gear unit, and without references, that do not exist. Other missing components are errors."""
    units = {one.id for one in document.of_type("gear_unit")}
    found = []
    for relation in document.relations:
        role = _LOOSE.get(relation.type)
        if role == "part" and relation.role("assembly") not in units:
            role = None  # a missing section or gear of a shaft changes it
        dead = [ref for ref in relation.refs if ref.role == role and ref.id not in document.components]
        if not dead:
            found.append(relation)
            continue
        report.add(
            "repaired",
            f"relation {relation.id} ({relation.type}): component {dead[0].id}"
            f"{f' ({dead[0].hint})' if dead[0].hint else ''} does not exist; it is left out",
        )
        kept = copy(relation)
        kept.refs = [ref for ref in relation.refs if ref not in dead]
        if kept.roles(role or ""):
            found.append(kept)
    return found


def _without_empty_sections(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without sections of shafts that have no length and no diameter."""
    empty = {
        number
        for number, one in document.components.items()
        if one.new_type == "shaft_section" and not one.has("length") and not one.has("outer_diameter_begin")
    }
    if not empty:
        return document
    labels = [document.components[number].label for number in sorted(empty)]
    report.add("repaired", f"{_listed(labels)}: without length and diameter; left out")
    return _without(document, empty)


def _without_empty_shafts(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without shafts that have no position and nothing on them, and that nothing connects."""
    used: set[int] = set()
    for relation in document.relations:
        whole = "assembly" if relation.type in ("assembly", "ordered_assembly") else "origin"
        if relation.type in _LOOSE:
            used |= {ref.id for ref in relation.refs if ref.role == whole and relation.type.endswith("assembly")}
        else:
            used |= {ref.id for ref in relation.refs}
    empty = {
        number
        for number, one in document.components.items()
        if one.new_type == "shaft" and number not in used and not one.has("support_vector")
    }
    if not empty:
        return document
    labels = [document.components[number].label for number in sorted(empty)]
    report.add("repaired", f"{_listed(labels)}: without position and parts, and not connected; left out")
    return _without(document, empty)


def _without(document: RexsDocument, empty: set[int]) -> RexsDocument:
    """The document without some components."""
    relations = []
    for relation in document.relations:
        if any(ref.id in empty for ref in relation.refs):
            relation = copy(relation)
            relation.refs = [ref for ref in relation.refs if ref.id not in empty]
            whole = "origin" if "reference" in relation.type else "assembly"
            if not relation.roles(_LOOSE.get(relation.type, "")) or relation.role(whole) is None:
                continue
        relations.append(relation)
    components = {number: one for number, one in document.components.items() if number not in empty}
    return replace(document, components=components, relations=relations)


def _without_dead_positions(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without positions relative to components that do not exist.

    A part with a coordinate on its shaft keeps this coordinate. The vectors of others are read in the axes of the gear unit.
    """
    components = dict(document.components)
    for number, one in document.components.items():
        if not one.has(_POSITION) or one.new_type == "gear_unit":
            continue
        reference = one.reference(_POSITION)
        if reference in document.components:
            continue
        coordinates = [name for name in one.attributes if name.startswith("u_coordinate_on_shaft") and one.has(name)]
        if coordinates:
            components[number] = _changed(one, dict.fromkeys((_POSITION, *_VECTORS)))
            how = f"its position is that of {coordinates[0]}"
        else:
            components[number] = _changed(one, {_POSITION: None})
            how = "its position is read relative to the gear unit"
        report.add(
            "repaired", f"{one.label}: its position refers to component {reference}, which does not exist; {how}"
        )
    return replace(document, components=components)


def _changed(component: RexsComponent, without: dict[str, None]) -> RexsComponent:
    """A component without some values."""
    made = copy(component)
    made.attributes = {name: one for name, one in component.attributes.items() if name not in without}
    return made


def _listed(labels: list[str]) -> str:
    first = ", ".join(labels[:_NAMED])
    return first if len(labels) <= _NAMED else f"{first} and {len(labels) - _NAMED} others"
