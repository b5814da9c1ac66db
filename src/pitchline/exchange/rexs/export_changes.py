"""Changes of a model that came from a REXS file: only what differs is written, everything else stays as it was."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...bearings.design import BearingDesign
from ...errors import ModelError
from ...model import Model
from ..limits import ExchangeError
from .attribute import RexsAttribute
from .building import attribute_of, number_text
from .component import RexsComponent
from .document import RexsDocument
from .export_report import RexsExport
from .gearbox import build_gearbox
from .options import RexsOptions
from .origin import RexsOrigin, origin_of, origins_of_copies
from .part_differences import part_differences
from .part_values import PartValues, Values
from .reading import read_rexs
from .renames import names_of
from .units import rexs_unit
from .versions import version_numbers

__all__ = ["ReadModel", "changed_document", "source_of"]

SAME = 1e-12
"""Relative difference up to which a value is unchanged."""


class ReadModel:
    """The file of a model, and the model as it was read.

    origin: document, component ids and load case
    model:  before any change
    """

    def __init__(self, origin: RexsOrigin, model: Model) -> None:
        self.origin, self.model = origin, model
        self.document, self.case = origin.document, origin.case


def source_of(model: Model, source: str | Path | None) -> ReadModel | None:
    """File of a model: the given one, or the one that it was read from, also for copies by `Model.replaced`."""
    if source is not None:
        return _rebuilt(read_rexs(source), _options(model), None)
    origin = origin_of(model)
    if origin is not None:
        return _rebuilt(origin.document, _options(model), origin.case)
    found = origins_of_copies(model)
    return None if found is None else ReadModel(found[1], found[0])


def _options(model: Model) -> RexsOptions:
    """Options with which a model was imported, by what it contains."""
    laws = {type(pair.mesh).__name__.lower() for pair in model.gear_pairs.values()}
    mesh = next((name for name in ("loaded", "elastic", "rolling") if name in laws), "rigid" if laws else "elastic")
    shafts = "elastic" if any(one.kind == "shaft" for one in model.structures.values()) else "rigid"
    rolling = any(
        isinstance(getattr(one, "values", {}).get("design"), BearingDesign) for one in model.elements.values()
    )
    return RexsOptions(mesh, shafts, "geometry" if rolling else "stiffness")


def _rebuilt(document: RexsDocument, options: RexsOptions, case: tuple[int, int] | None) -> ReadModel:
    values = document if case is None else document.with_case(*case)
    made = build_gearbox(values, options, complete=document, case=case)
    return ReadModel(made.origin, made.model)


def changed_document(model: Model, read: ReadModel, report: RexsExport) -> dict[str, int]:
    """Change the document of the report where the model differs from the file. Returns the component id of each part."""
    parts = {name: number for name, number in read.origin.parts.items() if _has(model, name)}
    if not parts:
        raise ModelError(
            f'model "{model.name}" has no part with the name of a part of {read.document.name}. Specify the file that it came from'
        )
    values = read.document if read.case is None else read.document.with_case(*read.case)
    before, after = PartValues(read.model, values), PartValues(model, values)
    wanted: dict[tuple[int, str], list[tuple[Any, Any]]] = {}
    unit = values.of_type("gear_unit")[0].id
    pairs = [(before.of(name, number), after.of(name, number)) for name, number in parts.items()]
    pairs.append((before.gravity(unit), after.gravity(unit)))
    pairs.append((before.drives(parts), after.drives(parts)))
    for old, new in pairs:
        _collect(wanted, old, new)
    changed: set[int] = set()
    for (number, attribute), changes in wanted.items():
        moved = [change for change in changes if not _same(*change)]
        if not moved:
            continue
        component = report.document.components[number]
        if any(not _same(one[1], moved[0][1]) for one in changes):
            text = f"{component.label}: {attribute} is shared by several parts, of which only some changed"
            report.note(report.left_out, text)
            continue
        _write(report, read, component, attribute, *moved[0])
        changed.add(number)
    part_differences(read.model, model, read.origin.parts, report)
    if not changed:
        report.written.append("no value differs from the file")
    return parts


def _has(model: Model, name: str) -> bool:
    sections = (
        model.wheels, model.gear_pairs, model.structures, model.elements, model.loads, model.joints, model.bodies, model.drives,
    )  # fmt: skip
    return any(name in section for section in sections)


def _collect(wanted: dict[tuple[int, str], list[tuple[Any, Any]]], old: Values, new: Values) -> None:
    for key, value in new.items():
        wanted.setdefault(key, []).append((old.get(key), value))


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    if isinstance(a, (bool, str)) or isinstance(b, (bool, str)):
        return bool(a == b)
    return math.isclose(float(a), float(b), rel_tol=SAME, abs_tol=1e-300)


def _write(report: RexsExport, read: ReadModel, component: RexsComponent, name: str, old: Any, new: Any) -> None:
    """Set a value in the load case of the model, if that has the attribute, else in the component."""
    target = component
    if read.case is not None:
        spectrum = next(one for one in report.document.spectra if one.id == read.case[0])
        case = spectrum.case(read.case[1])
        inside = case.components.get(component.id) if case is not None else None
        if inside is not None and inside.find(name) is not None:
            target = inside
    found = target.find(name)
    made = attribute_of(component.new_type, name, new)
    if found is None:
        made = replace(made, id=_name_in(component.new_type, name, report.document.version))
        target.attributes[made.id] = made
    else:
        _replace(target, found, made, old, new)
    shown = made.text if isinstance(made.text, str) else "array"
    unit = "" if made.unit in (None, "none") else f" {found.unit if found is not None else made.unit}"
    text = target.attributes[found.id].text if found is not None else shown
    report.note(report.written, f"{component.label}: {name} = {text}{unit}")


def _replace(target: RexsComponent, found: RexsAttribute, made: RexsAttribute, old: Any, new: Any) -> None:
    """New text in the unit of the file; a sign that the file has the other way round is kept so."""
    text = made.text
    if isinstance(new, (int, float)) and not isinstance(new, bool) and made.value_type == "floating_point":
        try:
            written = target.number(found.id) if found.id == made.id else target.number(made.id)
        except ExchangeError:
            written = None
        sign = -1.0 if written is not None and isinstance(old, (int, float)) and old and _same(written, -old) else 1.0
        unit = rexs_unit(found.unit) if found.unit else rexs_unit(made.unit or "none")
        text = number_text(unit.from_si(sign * new)) if unit is not None else text
    target.attributes[found.id] = replace(found, text=text, shape=made.shape, code=None, size=None)


def _name_in(component_type: str, name: str, version: str) -> str:
    """Name of an attribute in the version of the document."""
    from .renames import RENAMES

    numbers = version_numbers(version)
    names = names_of(component_type, name)
    late = {
        rename.new
        for rename in RENAMES
        if rename.since > numbers and (not rename.types or component_type in rename.types)
    }
    return next((one for one in names if one not in late), name)
