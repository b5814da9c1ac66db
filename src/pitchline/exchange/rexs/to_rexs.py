"""Models as REXS documents: new ones, and changes of a file that was read."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file, check_target
from pitchline.errors import ModelError, shown
from pitchline.model.model import Model
from pitchline.parts.bearings.design import BearingDesign
from pitchline.results.result import Result

from ..safe_xml import ExchangeError
from .checking import check_rexs
from .component import Container, RexsAttribute, RexsComponent, RexsDocument
from .database import names_of, rexs_unit
from .export_hosts import ExportedGears, Host, Hosts, RexsExport
from .export_parts import ExportedConnections, ExportedMasses, PartValues, Values
from .export_results import ExportedLoads, ResultWriter, converted, version_numbers
from .gearbox import RexsOrigin, build_gearbox, origin_of, origins_of_copies
from .importing import RexsBuilder, attribute_of, number_text
from .reading import read_rexs
from .sections import RexsOptions
from .xml_writing import json_text, xml_text

__all__ = [
    "NewDocument",
    "new_document",
    "part_differences",
    "ReadModel",
    "changed_document",
    "source_of",
    "write_rexs",
    "to_rexs",
]


# ---- export model

# New REXS document of a model that was built in pitchline.


@dataclass
class NewDocument:
    """Document and the component of each part of the model, by the name of the part."""

    hosts: Hosts
    gears: ExportedGears
    connections: ExportedConnections
    loads: ExportedLoads
    masses: ExportedMasses

    @property
    def parts(self) -> dict[str, int]:
        """Component id by the name of the part."""
        model = self.hosts.model
        shafts = {
            name: host.number for name in (*model.structures, *model.bodies) if (host := self._host(name)) is not None
        }
        others = self.connections.numbers, self.loads.numbers, self.masses.numbers
        found = {**shafts, **self.gears.gears, **self.gears.stages}
        for numbers in others:
            found.update(numbers)
        return found

    def _host(self, name: str) -> Host | None:
        structure = self.hosts.model.structures.get(name)
        if structure is not None and getattr(structure, "stations", None):
            return self.hosts.of(next(iter(structure.stations.values())).name)
        return self.hosts.of(name) if name in self.hosts.model.bodies else None


def new_document(model: Model, report: RexsExport) -> NewDocument:
    """Document with all parts of a model that REXS has; the report lists the others."""
    builder = RexsBuilder()
    hosts = Hosts(model, builder, report)
    gears = ExportedGears(hosts, builder, report)
    made = NewDocument(
        hosts,
        gears,
        ExportedConnections(hosts, builder, report),
        ExportedLoads(hosts, builder, report),
        ExportedMasses(hosts, gears, builder, report),
    )
    made.gears.add_all()
    made.connections.add_all()
    made.loads.add_all()
    made.masses.add_all()
    # The builder uses the names of the newest version.
    report.document = converted(replace(builder.document, version="2.0.0"), "1.7")
    if not builder.document.of_type("shaft"):
        raise ModelError(
            f'model "{model.name}" has no shaft and no gear: there is nothing to write to REXS. Make shafts with m.shaft, or gears '
            "with m.wheel"
        )
    return made


# ---- part differences

# Differences of two models that have no place in a REXS file.

COVERED: dict[str, tuple[str, ...]] = {
    "shafts": ("sections", "material"),
    "wheels": ("gear",),
    "gear_pairs": ("mesh.stiffness", "mesh.backlash"),
    "loads": ("components", "stiffness"),
    "drives": ("function",),
    "elements": ("design", "mass", "moments", "products", "preload"),
}
"""Keys of descriptions whose changes are written."""
LOOKED_AT: dict[str, tuple[str, ...]] = {
    "gear_pairs": ("mesh",),
    "wheels": ("gear",),
}
"""Sections in which only some keys are given by the user; the others follow from other parts."""
GEAR_KEYS = ("profile_shift_angle", "modifications", "tool", "body", "worm", "internal")
"""Data of a gear that are not written when they change."""
ROUNDED = 1e-10
"""Relative error of numbers in a model file."""
IGNORED = (
    "name", "type", "body_name", "frame", "frame_a", "frame_b", "look", "speed", "velocity", "angular_velocity", "total_mass",
)  # fmt: skip
"""Keys that follow from other parts; the speeds of all shafts follow from one of them."""


def part_differences(before: Model, after: Model, parts: dict[str, int], report: RexsExport) -> None:
    """Report parts that are new, missing, or differ in values that are not written."""
    old, new = before.describe(), after.describe()
    for section in ("shafts", "bodies", "joints", "drives", "loads", "elements", "wheels", "gear_pairs"):
        first, second = old.get(section, {}), new.get(section, {})
        for name in first:
            if name not in second:
                report.note(report.left_out, f'"{name}" is not in the model any more; the file still has it')
        for name, given in second.items():
            if _is_station(given):
                continue
            if name not in first:
                report.note(report.left_out, f'"{name}" is not in the file; new parts are not added')
            else:
                for key in _changed(section, first[name], given):
                    report.note(report.left_out, f'"{name}": the change of {key}')


def _is_station(given: Any) -> bool:
    return isinstance(given, dict) and "station" in given


def _changed(section: str, old: Any, new: Any) -> list[str]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return []
    looked = LOOKED_AT.get(section)
    keys = [key for key in new if key not in IGNORED and (looked is None or key in looked)]
    found = []
    for key in keys:
        if old.get(key) == new[key] or (key in COVERED.get(section, ()) and section != "wheels"):
            continue
        if section == "wheels" and isinstance(new[key], dict) and isinstance(old.get(key), dict):
            first, second = _without_bore(old[key]), _without_bore(new[key])
            found += [name for name in GEAR_KEYS if not _equal(first.get(name), second.get(name))]
        elif isinstance(new[key], dict) and isinstance(old.get(key), dict):
            inner = [name for name in new[key] if not _equal(old[key].get(name), new[key][name])]
            found += [f"{key}.{name}" for name in inner if f"{key}.{name}" not in COVERED.get(section, ())]
        else:
            found.append(key)
    return found


def _without_bore(gear: dict[str, Any]) -> dict[str, Any]:
    """Description of a gear without its bore, which is written."""
    body = gear.get("body")
    return {**gear, "body": {**body, "bore": None}} if isinstance(body, dict) else gear


def _equal(a: Any, b: Any) -> bool:
    """Whether two descriptions are equal; numbers of model files are rounded to 12 digits."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_equal(one, other) for one, other in zip(a, b, strict=True))
    if (isinstance(a, float) and isinstance(b, (int, float))) or (isinstance(b, float) and isinstance(a, (int, float))):
        return math.isclose(a, b, rel_tol=ROUNDED, abs_tol=ROUNDED)
    return bool(a == b)


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
    from .database import RENAMES

    numbers = version_numbers(version)
    names = names_of(component_type, name)
    late = {
        rename.new
        for rename in RENAMES
        if rename.since > numbers and (not rename.types or component_type in rename.types)
    }
    return next((one for one in names if one not in late), name)


# ---- writing

# Write a REXS document: XML, JSON or zip archive.

ENDINGS: dict[str, Container] = {
    ".rexs": "xml", ".xml": "xml", ".rexsj": "json", ".json": "json", ".rexsz": "zip", ".zip": "zip",
}  # fmt: skip
_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of the files in an archive, so that the same document gives the same bytes."""


@names_wrong_arguments
def write_rexs(
    document: RexsDocument,
    path: str | Path,
    *,
    version: str | None = None,
    container: Container | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a REXS document to a file. What was read is written with the same texts.

    Parameters
    ----------
    document
        Document from `read_rexs`.
    path
        File to write. Its ending selects the format: .rexs (XML), .rexsj (JSON) or .rexsz (archive).
    version
        Version of REXS, "1.4" to "2.0.0". Names and units are converted. Default: the version of the document.
    container
        "xml", "json" or "zip", in place of the ending. Default: by the ending, else as the document was read.
    overwrite
        Whether an existing file is replaced. Default False.
    """
    chosen = container or ENDINGS.get(Path(path).suffix.lower(), document.container)
    if chosen not in ("xml", "json", "zip"):
        raise ExchangeError(f'{path}: container must be "xml", "json" or "zip", got "{chosen}"')
    if chosen != "zip" and document.files:
        count = f"{len(document.files)} file{'s' if len(document.files) > 1 else ''}"
        raise ExchangeError(
            f"{path}: the document contains {count} of its archive, for example "
            f'"{next(iter(document.files))}", which only an archive can hold. Choose a path that ends with .rexsz'
        )
    if version is not None:
        document = converted(document, version)
    data = _archive(document) if chosen == "zip" else _encoded(document, chosen)
    with atomic_file(path, overwrite=overwrite, size=len(data)) as (draft, target):
        draft.write_bytes(data)
    return target


def _encoded(document: RexsDocument, container: Container) -> bytes:
    return (json_text if container == "json" else xml_text)(document).encode("utf-8")


def _archive(document: RexsDocument) -> bytes:
    member = document.member or ("model.rexsj" if document.container == "json" else "model.rexs")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        kind: Container = "json" if member.lower().endswith((".rexsj", ".json")) else "xml"
        for name, data in {member: _encoded(document, kind), **document.files}.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
    return stream.getvalue()


# ---- to rexs

# Write models and results to REXS files.


@names_wrong_arguments
def to_rexs(
    model: Model,
    path: str | Path,
    *,
    results: Result | Iterable[Result] = (),
    source: str | Path | None = None,
    version: str | None = None,
    overwrite: bool = False,
) -> RexsExport:
    """Write a model, and results of it, to a REXS file.

    A model that came from a REXS file is written with the contents of that file: only values that differ are changed, and
    everything else stays as it was, also what pitchline does not read. For another model a new file is made.

    Parameters
    ----------
    model
        The model.
    path
        File to write: .rexs (XML), .rexsj (JSON) or .rexsz (archive).
    results
        Results of statics, kinematics or dynamics of this model, each for one load case: forces of bearings and teeth,
        displacements of shafts, contact ratios, lives of bearings. Of a record over time the mean values are written.
    source
        REXS file of which the model is a copy with the same names of parts, for example a model that was imported, changed and
        saved as a model file. Default: the file that the model was read from, if any.
    version
        Version of REXS, "1.4" to "2.0.0". Default: that of the file the model came from, "1.7" for a new file.
    overwrite
        Whether an existing file is replaced. Default False.
    """
    if not isinstance(model, Model):
        raise ModelError(
            f"to_rexs: expected a model, got {shown(model)}. Write to_rexs(model, path), for results to_rexs(model, path, "
            "results=result)"
        )
    found = [results] if isinstance(results, Result) else list(results)
    for one in found:
        if not isinstance(one, Result):
            raise ModelError(f"to_rexs: results must be results of statics, kinematics or dynamics, got {shown(one)}")
        if one.model_name != model.name:
            raise ModelError(
                f'to_rexs: the result is of model "{one.model_name}", not of model "{model.name}". Specify results of this model'
            )
    check_target(Path(path).expanduser(), overwrite=overwrite)
    report = RexsExport(Path(path), RexsDocument("1.7"))
    origin = source_of(model, source)
    case = None
    if origin is None:
        made = new_document(model, report)
        parts = made.parts
        report.written.append(f"new file with {len(report.document.components)} components")
    else:
        report.document = deepcopy(origin.document)
        parts = changed_document(model, origin, report)
        case = origin.case
    if version is not None:
        report.document = converted(report.document, version)
    if found:
        ResultWriter(model, report.document, parts, report).write(found, case)
    errors = [problem for problem in check_rexs(report.document) if problem.severity == "error"]
    if origin is None and errors:
        raise ModelError([problem.text for problem in errors], title=f'model "{model.name}" cannot be written to REXS')
    report.path = write_rexs(report.document, path, overwrite=overwrite)
    return report
