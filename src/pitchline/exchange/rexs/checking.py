"""Check a REXS document against the rules of the standard: relations, roles, orders and required parts."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from pitchline.base.arguments import names_wrong_arguments

from ..safe_xml import ExchangeError
from .component import Findings, RexsAttribute, RexsComponent, RexsDocument, RexsRelation, decoded
from .database import ENUMERATIONS, RENAMES, KnownAttribute, RexsProblem, Severity, known_attribute, new_name, rexs_unit
from .export_results import VERSIONS, version_numbers
from .reading import open_rexs

__all__ = ["value_problems", "check_rexs", "check_rexs_file"]


# ---- checked values

# Check the values of a REXS document: units, types, enumerations and names of other versions.


def value_problems(document: RexsDocument) -> list[RexsProblem]:
    """Problems of all values, those of load cases included."""
    check = _ValueCheck(document)
    for component in document.components.values():
        check.component(component)
    for spectrum in document.spectra:
        for group in (*(case.components for case in spectrum.cases), spectrum.accumulation):
            for component in group.values():
                check.component(component)
    return check.problems


class _ValueCheck:
    def __init__(self, document: RexsDocument) -> None:
        self.document, self.problems = document, list[RexsProblem]()
        self.version = version_numbers(document.version)
        self.noted: set[tuple[str, str]] = set()

    def add(self, severity: Severity, component: RexsComponent, attribute: RexsAttribute, text: str) -> None:
        words = f'{component.label}, attribute "{attribute.id}": {text}'
        self.problems.append(
            RexsProblem(
                severity, words, component.id, attribute.id, attribute.line or component.line, self.document.name
            )
        )

    def once(self, component: RexsComponent, attribute: RexsAttribute, text: str) -> None:
        """Notice, once for each type of component and attribute."""
        key = component.type, attribute.id
        if key not in self.noted:
            self.noted.add(key)
            self.add("notice", component, attribute, text)

    def component(self, component: RexsComponent) -> None:
        for attribute in component.attributes.values():
            name = new_name(component.new_type, attribute.id)
            other = component.attributes.get(name) if name != attribute.id else None
            if other is not None and other.text != attribute.text:
                self.add("warning", component, attribute, f'the value differs from that of "{name}", which is used')
            known = known_attribute(component.new_type, name)
            self.names(component, attribute, name, known)
            if attribute.text is not None:
                self.unit(component, attribute, known)
                self.value(component, attribute, known)

    def names(
        self, component: RexsComponent, attribute: RexsAttribute, name: str, known: KnownAttribute | None
    ) -> None:
        if attribute.id.startswith("custom_"):
            return
        if name != attribute.id:
            since = next(item.since for item in RENAMES if item.old == attribute.id)
            if since <= self.version:
                self.once(
                    component,
                    attribute,
                    f'the name is that of a version before {since[0]}.{since[1]}. It is read as "{name}"',
                )
        elif known is not None and version_numbers(known.since) > self.version:
            self.once(component, attribute, f"the attribute exists since version {known.since} only. It is read")

    def unit(self, component: RexsComponent, attribute: RexsAttribute, known: KnownAttribute | None) -> None:
        if not attribute.unit or (known is not None and known.direction):
            return
        written = rexs_unit(attribute.unit)
        if written is None:
            severity: Severity = "notice" if known is None else "error"
            expected = f'. Expected "{known.unit}"' if known is not None else ""
            self.add(severity, component, attribute, f'the unit "{attribute.unit}" is unknown{expected}')
            return
        standard = rexs_unit(known.unit) if known is not None else None
        if known is None or standard is None or written.quantity == standard.quantity:
            return
        if known.value_type.startswith(("floating_point", "integer")):
            text = f'the unit is "{attribute.unit}" ({written.quantity}). Expected "{known.unit}" ({standard.quantity})'
            self.add("error", component, attribute, text)

    def value(self, component: RexsComponent, attribute: RexsAttribute, known: KnownAttribute | None) -> None:
        try:
            if attribute.code is not None and attribute.shape != "arrays":
                attribute.floats()
            elif attribute.code is not None:
                for text in attribute.text:
                    decoded(text, attribute.code)
            else:
                value = attribute.value
                if known is not None and known.value_type.endswith(("_array", "_matrix")):
                    if attribute.shape == "scalar" and known.value_type != "boolean_array":
                        raise ValueError(f"is a single value. Expected an array ({known.value_type})")
                    if known.value_type.startswith("floating_point"):
                        attribute.floats()
                elif known is not None and attribute.shape != "scalar":
                    raise ValueError(f"is an array. Expected a single value ({known.value_type})")
                self.enumeration(component, attribute, value)
        except (ValueError, OverflowError) as error:
            shown = f'"{attribute.text[:40]}" ' if isinstance(attribute.text, str) and attribute.code is None else ""
            self.add(
                "error" if known is not None or attribute.code else "warning", component, attribute, f"{shown}{error}"
            )

    def enumeration(self, component: RexsComponent, attribute: RexsAttribute, value: object) -> None:
        allowed = ENUMERATIONS.get(new_name(component.new_type, attribute.id))
        if allowed and isinstance(value, str) and value not in allowed:
            words = ", ".join(f'"{item}"' for item in allowed)
            self.add("notice", component, attribute, f'"{value[:40]}" is not one of {words}')


ROLES: dict[str, tuple[str, ...]] = {
    "assembly": ("assembly", "part"),
    "ordered_assembly": ("assembly", "part"),
    "stage": ("stage", "gear_1", "gear_2"),
    "stage_gear_data": ("stage", "gear", "stage_gear_data"),
    "flank": ("gear", "left", "right"),
    "manufacturing_step": ("workpiece", "tool"),
    "reference": ("origin", "referenced"),
    "ordered_reference": ("origin", "referenced"),
    "side": ("assembly", "inner_part", "outer_part"),
    "planet_shaft": ("planetary_stage", "shaft"),
    "planet_pin": ("planetary_stage", "shaft"),
    "central_shaft": ("planetary_stage", "shaft"),
    "planet_carrier_shaft": ("planetary_stage", "shaft"),
    "contact": ("assembly", "side_1", "side_2"),
}
"""Roles that a relation of each type must have."""
OWNERS = {"ordered_assembly": "assembly", "manufacturing_step": "workpiece"}
"""Relations with an order, and the role whose relations are counted."""
GEARS = ("cylindrical_gear", "ring_gear", "bevel_gear", "worm_gear", "worm_wheel")
STAGES = ("cylindrical_stage", "bevel_stage", "worm_stage")
TWO_SIDED = (
    "concept_bearing", "rolling_bearing_with_catalog_geometry", "rolling_bearing_with_detailed_geometry", "coupling",
    "switchable_coupling",
)  # fmt: skip


class _RexsCheck:
    """Problems of one document."""

    def __init__(self, document: RexsDocument) -> None:
        self.document, self.problems = document, list[RexsProblem]()

    def add(self, severity: Severity, text: str, *, line: int = 0, component: RexsComponent | None = None) -> None:
        number = component.id if component is not None else None
        line = line or (component.line if component is not None else 0)
        self.problems.append(RexsProblem(severity, text, number, None, line, self.document.name))

    def relations(self) -> None:
        """Ids, references and roles of relations."""
        components, seen = self.document.components, dict[int, int]()
        for relation in self.document.relations:
            what = f"relation {relation.id} ({relation.type})"
            if relation.id in seen:
                self.add(
                    "error", f"{what}: the id is used twice, first in line {seen[relation.id]}", line=relation.line
                )
            seen.setdefault(relation.id, relation.line)
            required = ROLES.get(relation.type)
            if required is None:
                self.add("notice", f"{what}: the type is unknown. The relation is kept", line=relation.line)
            for role in required or ():
                if not relation.roles(role):
                    self.add("error", f'{what}: the role "{role}" is missing', line=relation.line)
                elif len(relation.roles(role)) > 1 and role != "part":
                    self.add("error", f'{what}: the role "{role}" occurs twice', line=relation.line)
            for ref in relation.refs:
                target = components.get(ref.id)
                if target is None:
                    self.add("error", f'{what}: role "{ref.role}": there is no component {ref.id}', line=ref.line)
                elif ref.hint and ref.hint not in (target.type, target.new_type):
                    text = f'{what}: the hint is "{ref.hint}", but component {ref.id} is of type {target.type}'
                    self.add("notice", text, line=ref.line)
                if required is not None and ref.role not in (*required, "manufacturing_settings"):
                    self.add("notice", f'{what}: the role "{ref.role}" is unknown', line=ref.line)

    def orders(self) -> None:
        """Relations with an order count from 1 in steps of 1."""
        groups: dict[tuple[str, int], list[RexsRelation]] = defaultdict(list)
        for relation in self.document.relations:
            owner = relation.role(OWNERS.get(relation.type, ""))
            if owner is not None:
                groups[relation.type, owner].append(relation)
        for (kind, owner), group in groups.items():
            found = sorted(relation.order or 0 for relation in group)
            if found != list(range(1, len(group) + 1)):
                text = (
                    f"component {owner}: the relations {kind} have the orders {found[:12]}. Expected 1 to {len(group)}"
                )
                self.add("warning", text, line=group[0].line, component=self.document.components.get(owner))

    def parts(self) -> None:
        """Required parts of a gear unit."""
        document = self.document
        units = document.of_type("gear_unit")
        if len(units) != 1:
            names = ", ".join(f"component {unit.id}" for unit in units[:5]) or "none"
            self.add(
                "error",
                f"a model has exactly one gear_unit, found {names}",
                line=units[1].line if len(units) > 1 else 0,
            )
        used = {ref.id for relation in document.relations for ref in relation.refs}
        stages = {relation.role("stage"): relation for relation in document.relations_of("stage")}
        meshing = {
            number for relation in stages.values() for number in (relation.role("gear_1"), relation.role("gear_2"))
        }
        sides = Counter(relation.role("assembly") for relation in document.relations_of("side"))
        with_section = {
            relation.role("assembly")
            for relation in document.relations_of("assembly")
            for part in relation.roles("part")
            if part in document.components and document.components[part].new_type == "shaft_section"
        }
        for component in document.components.values():
            kind, label = component.new_type, component.label
            if component.id not in used:
                self.add("warning", f"{label} is not in any relation", component=component)
                continue
            if kind == "shaft" and component.id not in with_section:
                self.add("warning", f"{label} has no shaft_section", component=component)
            if kind in GEARS and component.id not in meshing:
                self.add("warning", f"{label} is not in a stage", component=component)
            if kind in STAGES and component.id not in stages:
                self.add("warning", f"{label} has no relation of type stage with its gears", component=component)
            if kind in TWO_SIDED and sides[component.id] != 1:
                text = f"{label} has {sides[component.id]} relations of type side. Expected one, with inner_part and outer_part"
                self.add("warning", text, component=component)
        for relation in stages.values():
            if relation.role("gear_1") is not None and relation.role("gear_1") == relation.role("gear_2"):
                self.add(
                    "error",
                    f"relation {relation.id} (stage): both gears are component {relation.role('gear_1')}",
                    line=relation.line,
                )

    def places(self) -> None:
        """Positions refer to components that exist, without a circle."""
        above: dict[int, int] = {}
        for component in self.document.components.values():
            try:
                target = component.reference("reference_component_for_position")
            except ExchangeError:
                continue  # reported with the values
            if target is None or (target == component.id and component.new_type == "gear_unit"):
                continue
            found = component.find("reference_component_for_position")
            line = found.line if found is not None else 0
            if target not in self.document.components:
                text = f"{component.label}: reference_component_for_position: there is no component {target}"
                self.add("error", text, line=line, component=component)
            elif target == component.id:
                text = f"{component.label}: reference_component_for_position is the component itself"
                self.add("error", text, line=line, component=component)
            else:
                above[component.id] = target
        done: set[int] = set()
        for start in above:
            chain: dict[int, None] = {}
            at: int | None = start
            while at is not None and at not in chain and at not in done:
                chain[at] = None
                at = above.get(at)
            if at is not None and at in chain:
                circle = list(chain)[list(chain).index(at) :]
                listing = ", ".join(str(number) for number in circle[:8])
                text = f"the positions of the components {listing} refer to each other in a circle"
                self.add("error", text, component=self.document.components[at])
            done.update(chain)

    def spectra(self) -> None:
        """Ids of load spectra and cases, and components of cases."""
        components, ids = self.document.components, set[int]()
        for spectrum in self.document.spectra:
            what = f"load spectrum {spectrum.id}"
            if spectrum.id in ids:
                self.add("error", f"{what}: the id is used twice", line=spectrum.line)
            ids.add(spectrum.id)
            cases = set[int]()
            for case in spectrum.cases:
                if case.id in cases:
                    self.add("error", f"{what}: the id of load case {case.id} is used twice", line=case.line)
                cases.add(case.id)
            groups = [(f"load case {case.id}", case.components) for case in spectrum.cases]
            for name, group in [*groups, ("accumulation", spectrum.accumulation)]:
                for number, changed in group.items():
                    base = components.get(number)
                    if base is None:
                        self.add("error", f"{what}, {name}: there is no component {number}", component=changed)
                    elif changed.type != base.type:
                        text = f"{what}, {name}: component {number} is of type {base.type}, not {changed.type}"
                        self.add("warning", text, component=changed)


@names_wrong_arguments
def check_rexs(document: RexsDocument) -> list[RexsProblem]:
    """Check a REXS document against the rules of the standard. Returns the problems, errors first, then by line.

    Each problem has a severity, a text, a line, and the id and attribute of a component. An *error* breaks the standard so that
    a value or a part cannot be used. A *warning* is about a part that the standard requires and that pitchline may not need. A
    *notice* is about an unknown item, which is kept.

    Parameters
    ----------
    document
        Document from `read_rexs`.
    """
    check = _RexsCheck(document)
    if document.version not in (*VERSIONS, "2.0"):
        known = ", ".join(VERSIONS)
        check.add(
            "warning", f"version {document.version} is unknown. It is read like the newest known version ({known})"
        )
    check.relations()
    check.orders()
    check.parts()
    check.places()
    check.spectra()
    problems = check.problems + value_problems(document)
    order = {"error": 0, "warning": 1, "notice": 2}
    return sorted(problems, key=lambda problem: (order[problem.severity], problem.line))


def check_rexs_file(path: str | Path) -> tuple[RexsDocument | None, list[RexsProblem]]:
    """Document of a file and its problems; the document is None if the file cannot be read."""
    findings: Findings
    try:
        document, findings = open_rexs(path)
    except ExchangeError as error:
        return None, [RexsProblem("error", str(error))]
    if document is None or findings.problems:
        return None, findings.problems
    return document, check_rexs(document)
