"""REXS document: components, relations and load spectra as they are in the file."""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ..limits import ExchangeError
from .attribute import RexsAttribute, RexsUnknown
from .component import RexsComponent
from .relation import RexsRef, RexsRelation

__all__ = [
    "Container", "RexsAttribute", "RexsComponent", "RexsDocument", "RexsLoadCase", "RexsLoadSpectrum", "RexsRef", "RexsRelation",
    "RexsUnknown",
]  # fmt: skip

Container = Literal["xml", "json", "zip"]


@dataclass
class RexsLoadCase:
    """Load case: components with only those attributes that differ from the document."""

    id: int
    components: dict[int, RexsComponent] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)


@dataclass
class RexsLoadSpectrum:
    """Load spectrum: its cases, and the results of all cases together (accumulation)."""

    id: int
    cases: list[RexsLoadCase] = field(default_factory=list)
    accumulation: dict[int, RexsComponent] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)

    def case(self, number: int) -> RexsLoadCase | None:
        """Load case by its id."""
        return next((case for case in self.cases if case.id == number), None)


@dataclass
class RexsDocument:
    """Contents of a REXS file. Two documents are equal if their contents are equal, in any container.

    version:       version of the standard, for example "1.7" or "2.0.0"
    components:    by id, in the order of the file
    files:         other files of an archive, by their path in the archive
    container:     "xml", "json" or "zip"
    member:        name of the REXS file in an archive
    section_extra: further XML attributes of the elements relations, components and accumulation
    prefix:        prefix of the XML elements, if the file uses one
    source:        path of the file
    """

    version: str
    application_id: str | None = None
    application_version: str | None = None
    date: str | None = None
    language: str | None = None
    components: dict[int, RexsComponent] = field(default_factory=dict)
    relations: list[RexsRelation] = field(default_factory=list)
    spectra: list[RexsLoadSpectrum] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    extra: dict[str, str] = field(default_factory=dict)
    section_extra: dict[str, dict[str, str]] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)
    container: Container = field(default="xml", compare=False)
    member: str | None = field(default=None, compare=False)
    prefix: str = field(default="", compare=False)
    source: Path | None = field(default=None, compare=False)

    def of_type(self, type_: str) -> list[RexsComponent]:
        """Components of a type (name of the newest version), in the order of the file."""
        return [component for component in self.components.values() if component.new_type == type_]

    def relations_of(self, type_: str) -> list[RexsRelation]:
        """Relations of a type; relations with an order come in this order."""
        found = [relation for relation in self.relations if relation.type == type_]
        return sorted(found, key=lambda relation: relation.order or 0)

    def parts_of(self, number: int) -> list[RexsComponent]:
        """Components that are parts of an assembly, by assembly and ordered_assembly."""
        found = [*self.relations_of("assembly"), *self.relations_of("ordered_assembly")]
        ids = [part for relation in found if relation.role("assembly") == number for part in relation.roles("part")]
        return [self.components[part] for part in ids if part in self.components]

    def with_case(self, spectrum: int, case: int) -> RexsDocument:
        """Document with the values of a load case.

        spectrum, case: ids
        """
        chosen = next((item for item in self.spectra if item.id == spectrum), None)
        if chosen is None:
            raise ExchangeError(
                f"{self.name}: there is no load spectrum {spectrum}. {_known(item.id for item in self.spectra)}"
            )
        values = chosen.case(case)
        if values is None:
            known = _known(item.id for item in chosen.cases)
            raise ExchangeError(f"{self.name}: load spectrum {spectrum} has no load case {case}. {known}")
        components = dict(self.components)
        for number, changed in values.components.items():
            if number not in components:
                raise changed.error(None, f"load case {case} refers to a component that does not exist")
            merged = copy(components[number])
            merged.attributes = {**merged.attributes}
            for attribute in changed.attributes.values():
                _put(merged, attribute)
            components[number] = merged
        return replace(self, components=components)

    @property
    def name(self) -> str:
        """Name of the file for messages."""
        return str(self.source) if self.source else "REXS document"

    def counts(self) -> Counter[str]:
        """Number of components of each type."""
        return Counter(component.new_type for component in self.components.values())


def _put(component: RexsComponent, attribute: RexsAttribute) -> None:
    """Replace an attribute; the old one may have an older or newer name."""
    from .renames import names_of, new_name

    for name in names_of(component.new_type, new_name(component.new_type, attribute.id)):
        component.attributes.pop(name, None)
    component.attributes[attribute.id] = attribute


def _known(ids: object) -> str:
    listing = ", ".join(str(number) for number in ids)  # type: ignore[attr-defined]
    return f"Known: {listing}" if listing else "The file has none"
