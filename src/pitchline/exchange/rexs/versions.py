"""Versions of REXS: names and units of a document for another version."""

from __future__ import annotations

import re
from dataclasses import replace

from ..limits import ExchangeError
from .component import RexsComponent
from .document import RexsDocument, RexsRef, RexsRelation
from .renames import RENAMES, TYPE_RENAMES

__all__ = ["VERSIONS", "converted", "version_numbers"]

VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0.0")
OLDEST_TARGET = (1, 4)
"""Documents are converted to this version or a newer one; older ones have other relations."""


def version_numbers(version: str) -> tuple[int, int]:
    """(major, minor) of a version such as "1.7" or "2.0.0"."""
    found = re.match(r"([0-9]+)\.([0-9]+)", version)
    if not found:
        raise ExchangeError(f'"{version}" is not a version of REXS. Known versions: {", ".join(VERSIONS)}')
    return int(found[1]), int(found[2])


def converted(document: RexsDocument, version: str) -> RexsDocument:
    """Document with the names and units of another version; the values stay the same."""
    if version == "2.0":
        version = "2.0.0"
    if version == document.version:
        return document
    if version not in VERSIONS:
        raise ExchangeError(f'"{version}" is not a version of REXS. Known versions: {", ".join(VERSIONS)}')
    numbers = version_numbers(version)
    if numbers < OLDEST_TARGET:
        raise ExchangeError(
            f"{document.name}: a document of version {document.version} cannot be written as version {version}. "
            f"Choose version 1.4 or newer, or keep version {document.version}"
        )
    found = replace(document, version=version)
    found.components = {number: _component(item, numbers) for number, item in document.components.items()}
    found.spectra = [
        replace(
            spectrum,
            cases=[
                replace(
                    case, components={number: _component(item, numbers) for number, item in case.components.items()}
                )
                for case in spectrum.cases
            ],
            accumulation={number: _component(item, numbers) for number, item in spectrum.accumulation.items()},
        )
        for spectrum in document.spectra
    ]
    found.relations = [
        replace(relation, refs=[_hint(ref, document, found) for ref in relation.refs])
        for relation in document.relations
    ]
    if version_numbers(document.version) < (1, 3):
        _manufacturing_steps(found)
    return found


def _hint(ref: RexsRef, document: RexsDocument, found: RexsDocument) -> RexsRef:
    """Reference with the new type of its component as hint, if the hint was its old type."""
    old, new = document.components.get(ref.id), found.components.get(ref.id)
    if old is None or new is None or ref.hint != old.type or new.type == old.type:
        return ref
    return replace(ref, hint=new.type)


def _component(component: RexsComponent, version: tuple[int, int]) -> RexsComponent:
    found = replace(component, attributes={}, type=component.type)
    if component.type in TYPE_RENAMES:
        found.type = component.new_type
    for attribute in component.attributes.values():
        name, unit = _name(component.new_type, attribute.id, version), attribute.unit
        if name in found.attributes or (name != attribute.id and name in component.attributes):
            name = attribute.id  # the file has both names: both are kept
        if unit in ("°", "degree"):
            unit = "deg"
        elif unit == "N / mm^2" and version >= (2, 0):
            unit = "MPa"
        elif unit == "MPa" and version < (2, 0) and _has_old_pressure(component.new_type, name):
            unit = "N / mm^2"
        found.attributes[name] = replace(attribute, id=name, unit=unit)
    return found


def _name(component_type: str, name: str, version: tuple[int, int]) -> str:
    """Name of an attribute in a version."""
    for rename in RENAMES:
        if (not rename.types or component_type in rename.types) and rename.old == name and rename.since <= version:
            name = rename.new
    for rename in reversed(RENAMES):
        if (not rename.types or component_type in rename.types) and rename.new == name and rename.since > version:
            name = rename.old
    return name


def _has_old_pressure(component_type: str, attribute: str) -> bool:
    """Whether the unit was N / mm^2 up to version 1.7; for all others MPa is valid in any version."""
    return attribute == "elastic_modulus"


def _manufacturing_steps(document: RexsDocument) -> None:
    """References from flanks to tools of versions before 1.3 become manufacturing steps."""
    relations = []
    settings: int | None = None
    for relation in document.relations:
        tool = document.components.get(relation.role("referenced") or -1)
        flank = document.components.get(relation.role("origin") or -1)
        if relation.type != "ordered_reference" or tool is None or flank is None or not tool.type.endswith("_tool"):
            relations.append(relation)
            continue
        if settings is None:
            settings = max(document.components, default=0) + 1
            document.components[settings] = RexsComponent(settings, "cylindrical_gear_manufacturing_settings")
        refs = [
            RexsRef(flank.id, "workpiece", flank.type), RexsRef(tool.id, "tool", tool.type),
            RexsRef(settings, "manufacturing_settings", "cylindrical_gear_manufacturing_settings"),
        ]  # fmt: skip
        relations.append(
            RexsRelation(relation.id, "manufacturing_step", relation.order, refs, relation.line, relation.extra)
        )
    document.relations = relations
