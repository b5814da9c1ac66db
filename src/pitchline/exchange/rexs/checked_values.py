"""Check the values of a REXS document: units, types, enumerations and names of other versions."""

from __future__ import annotations

from .attribute import RexsAttribute
from .attribute_table import ENUMERATIONS
from .component import RexsComponent
from .database import KnownAttribute, known_attribute
from .document import RexsDocument
from .problems import RexsProblem, Severity
from .renames import RENAMES, new_name
from .units import rexs_unit
from .values import decoded
from .versions import version_numbers

__all__ = ["value_problems"]


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
