"""Import of a REXS file: the gear unit, its load cases, and the text of a model file."""

from __future__ import annotations

import datetime
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import shown
from pitchline.files import written_values as toml_text
from pitchline.files.writer import write
from pitchline.model.model import Model
from pitchline.parts.springs.part import Bushing
from pitchline.version import __version__

from ..mass_table import Imported, ImportReport
from ..safe_xml import ExchangeError
from .component import RexsAttribute, RexsComponent, RexsDocument, RexsRef, RexsRelation, Shape
from .database import known_attribute, new_name, rexs_unit
from .gearbox import COMPONENTS, Gearbox, build_gearbox, slug
from .places import RexsPlaces, read_structure
from .reading import read_rexs
from .sections import RexsOptions
from .stages import GivenLoad, LoadedTrain, read_train

__all__ = [
    "RexsBuilder",
    "attribute_of",
    "number_text",
    "MOST_CASES",
    "CaseData",
    "chosen_case",
    "load_cases",
    "model_text",
    "ImportedRexs",
    "from_rexs",
    "import_rexs",
]


# ---- building

# Builder of a new REXS document: components with values in SI units, and relations between them.

LANGUAGE = "en"


def number_text(value: float) -> str:
    """Text of a number, without the rounding errors of a conversion of units (15 digits)."""
    return repr(float(f"{value:.15g}") + 0.0)


def attribute_of(component_type: str, name: str, value: Any) -> RexsAttribute:
    """Attribute of the standard from a value in SI units: number, flag, text, or array."""
    known = known_attribute(component_type, name)
    if known is None:
        raise KeyError(f"{name} is not in the table of attributes")
    unit = None if known.direction else rexs_unit(known.unit)
    shape: Shape = "scalar"
    text: Any
    if isinstance(value, (bool, np.bool_)):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = value
    elif isinstance(value, (int, np.integer)) and known.value_type != "floating_point":
        text = str(int(value))
    elif isinstance(value, (Sequence, np.ndarray)):
        array = np.asarray(value)
        shape = "array" if array.ndim == 1 else "matrix"
        texts = [
            _converted(item, unit) if array.dtype != bool else str(item).lower() for item in array.ravel().tolist()
        ]
        text = (
            texts
            if array.ndim == 1
            else [texts[row * array.shape[1] : (row + 1) * array.shape[1]] for row in range(len(array))]
        )
    else:
        text = _converted(float(value), unit)
    return RexsAttribute(name, text, known.unit, shape, value_type=known.value_type)


def _converted(value: float, unit: Any) -> str:
    return number_text(value if unit is None else unit.from_si(value))


class RexsBuilder:
    """Document under construction. Ids count from 1."""

    def __init__(self) -> None:
        date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")
        self.document = RexsDocument("1.7", "pitchline", __version__, date, LANGUAGE)

    def add(self, component_type: str, name: str | None = None, values: Mapping[str, Any] | None = None) -> int:
        """Add a component; values without a value (None) are left out. Returns its id."""
        number = max(self.document.components, default=0) + 1
        component = RexsComponent(number, component_type, name)
        self.document.components[number] = component
        self.put(number, values or {})
        return number

    def put(self, number: int, values: Mapping[str, Any]) -> None:
        """Set attributes of a component, in SI units."""
        component = self.document.components[number]
        for name, value in values.items():
            if value is not None:
                component.attributes[name] = attribute_of(component.new_type, name, value)

    def relate(self, relation_type: str, *, order: int | None = None, **roles: int) -> None:
        """Add a relation."""
        number = len(self.document.relations) + 1
        refs = [RexsRef(target, role, self.document.components[target].type) for role, target in roles.items()]
        self.document.relations.append(RexsRelation(number, relation_type, order, refs))

    def position(self, number: int, origin: np.ndarray, axes: np.ndarray, reference: int) -> None:
        """Position of a component from its axes in pitchline: u = z, w = x."""
        values = {
            "reference_component_for_position": reference, "support_vector": tidy(origin), "u_axis_vector": tidy(axes[:, 2]),
            "w_axis_vector": tidy(axes[:, 0]),
        }  # fmt: skip
        self.put(number, values)


def tidy(vector: np.ndarray) -> np.ndarray:
    """Vector without the rounding errors of rotations."""
    found: np.ndarray = np.where(np.abs(vector) < 1e-15, 0.0, vector)
    return found


# ---- cases

# Load cases of a REXS document: their loads and speeds, and what else they change.

MOST_CASES = 500
LOADS = {
    "force_u_direction": "force", "force_v_direction": "force", "force_w_direction": "force",
    "torque_around_u_axis": "torque", "torque_around_v_axis": "torque", "torque_around_w_axis": "torque",
    "torque_around_the_v_axis": "torque", "torque_around_the_w_axis": "torque", "power": "torque",
}  # fmt: skip
_STRUCTURE = {
    "is_engaged", "gear_shift_index", "defines_torque", "transmits_torque", "defines_speed", "account_for_gravity",
    "gravitational_acceleration", "direction_vector_gravity_u", "direction_vector_gravity_v", "direction_vector_gravity_w",
    "radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness", "radial_force_absorption",
    "axial_force_absorption", "operating_radial_bearing_clearance", "preload_force", "mass_of_component", "center_distance",
    "support_vector", "u_axis_vector", "w_axis_vector", "u_coordinate_on_shaft", "number_of_teeth", "normal_module",
    "mesh_stiffness_for_load_distribution_along_face_width", "elastic_modulus", "density", "minimum_normal_backlash",
    "maximum_normal_backlash",
}  # fmt: skip
"""Attributes with an effect on the model that are not a load or a speed."""


@dataclass
class CaseData:
    """One load case.

    name:     of its analysis
    share:    of the operating time, or None
    document: with the values of the case
    changes:  attributes with an effect on the model that are not loads or speeds
    """

    spectrum: int
    case: int
    name: str
    share: float | None
    document: RexsDocument
    changes: list[str] = field(default_factory=list)


def load_cases(document: RexsDocument) -> list[CaseData]:
    """Load cases of a document, at most MOST_CASES."""
    found: list[CaseData] = []
    several = len(document.spectra) > 1
    for spectrum in document.spectra:
        for one in spectrum.cases:
            if len(found) >= MOST_CASES:
                return found
            merged = document.with_case(spectrum.id, one.id)
            unit = next(iter(merged.of_type("gear_unit")), None)
            share = None if unit is None else unit.number("operating_time_fraction")
            name = f"case_{spectrum.id}_{one.id}" if several else f"case_{one.id}"
            name = next(
                text for text in (name, *(f"{name}_{n}" for n in range(2, 9999))) if all(text != x.name for x in found)
            )
            found.append(CaseData(spectrum.id, one.id, name, share, merged, _changes(document, merged, one.components)))
    return found


def _changes(document: RexsDocument, merged: RexsDocument, components: object) -> list[str]:
    changed = []
    assert isinstance(components, dict)
    for number, component in components.items():
        base = document.components.get(number)
        for name, attribute in component.attributes.items():
            newest = new_name(component.new_type, name)
            if newest not in _STRUCTURE and not newest.startswith("operating_point_stiffness"):
                continue
            before = None if base is None else base.find(newest)
            if before is None or before.text != attribute.text or before.unit != attribute.unit:
                label = component.label if base is None else base.label
                changed.append(f"{name} of {label}")
    return changed


def kinds_of_loads(cases: list[CaseData], document: RexsDocument) -> dict[int, set[str]]:
    """ "force" and "torque" of each load that is not zero in some load case, by its id."""
    found: dict[int, set[str]] = {}
    for one in (document, *(case.document for case in cases)):
        for load in one.of_type("external_load"):
            for key, kind in LOADS.items():
                value = load.number(key)
                if value:
                    found.setdefault(load.id, set()).add(kind)
    return found


def chosen_case(document: RexsDocument, load_case: object) -> tuple[int, int] | None:
    """Spectrum and case for the option load_case: a number, a text such as "2" or "1/2", a pair, or None.

    None: the values without a load case; if these contain no load and no speed, the first load case.
    """
    if load_case is None:
        return None if _has_loads(document) or not any(one.cases for one in document.spectra) else _first(document)
    wanted = _numbers(load_case)
    known = [(spectrum.id, case.id) for spectrum in document.spectra for case in spectrum.cases]
    found = [pair for pair in known if pair == wanted or (len(wanted) == 1 and pair[1] == wanted[0])]
    if len(found) == 1:
        return found[0]
    texts = ", ".join(f"{a}/{b}" if len(document.spectra) > 1 else f"{b}" for a, b in known[:20]) or "none"
    text = "/".join(str(number) for number in wanted)
    if found:
        raise ExchangeError(
            f'{document.name}: load case {text} is in several load spectra. Specify "SPECTRUM/CASE": {texts}'
        )
    raise ExchangeError(f"{document.name}: there is no load case {text}. Load cases of the file: {texts}")


def _first(document: RexsDocument) -> tuple[int, int]:
    spectrum = next(one for one in document.spectra if one.cases)
    return spectrum.id, spectrum.cases[0].id


def _has_loads(document: RexsDocument) -> bool:
    for one in document.components.values():
        if one.new_type == "external_load" and any(one.number(key) for key in LOADS):
            return True
        if one.new_type == "shaft" and one.number("rotational_speed"):
            return True
    return False


def _numbers(load_case: object) -> tuple[int, ...]:
    items: list[object]
    if isinstance(load_case, str):
        items = list(load_case.split("/"))
    else:
        items = list(load_case) if isinstance(load_case, (tuple, list)) else [load_case]
    try:
        if not 1 <= len(items) <= 2 or any(isinstance(item, (bool, float)) for item in items):
            raise ValueError
        return tuple(int(item) for item in items)  # type: ignore[call-overload]
    except (ValueError, TypeError):
        raise ExchangeError(f'load_case must be a number, or "SPECTRUM/CASE", got {shown(load_case)}') from None


_MOST_FIGURES = 80
_LISTED = 8
"""Figures of the load cases are written if there are not more cases than this."""


class _Parameters:
    """Parameters of the file: a name for each component of each load, and for each given speed."""

    def __init__(self, gearbox: Gearbox) -> None:
        self.loads: dict[tuple[int, int], str] = {}
        self.speeds: list[str] = []
        used: set[str] = set()

        def unique(name: str) -> str:
            chosen = next(text for text in (name, *(f"{name}_{n}" for n in range(2, 9999))) if text not in used)
            used.add(chosen)
            return chosen

        for one, _ in gearbox.train.speeds:
            plain = len(gearbox.train.speeds) == 1
            self.speeds.append(unique("speed" if plain else f"speed_{slug(one.name or str(one.id))}"))
        kinds = [(0, gearbox.loads.forces), (3, gearbox.loads.torques)]
        for first, named in kinds:
            for load in named.values():
                for n in range(first, first + 3):
                    name = f"{slug(load.component.name or f'load_{load.component.id}')}_{COMPONENTS[n]}"
                    self.loads[load.component.id, n] = unique(name)

    def values(self, train: LoadedTrain) -> dict[str, str]:
        """Values of the parameters in one load case."""
        found = {}
        for name, (_, speed) in zip(self.speeds, train.speeds, strict=True):
            found[name] = f"{speed * 30.0 / np.pi:.13g} rpm"
        given = {load.component.id: (*load.forces, *load.torques) for load in train.loads}
        for (number, n), name in self.loads.items():
            value = given.get(number, (0.0,) * 6)[n]
            found[name] = f"{value!r} {'N' if n < 3 else 'N*m'}"
        return found

    def used(self, cases: list[dict[str, str]]) -> set[str]:
        """Parameters that are not zero in some load case."""
        return {name for case in cases for name, text in case.items() if float(text.split()[0])}


def model_text(gearbox: Gearbox, cases: list[CaseData], report: ImportReport, source: str) -> str:
    """Text of the model file. Load cases that change more than loads and speeds are left out, with a note."""
    parameters = _Parameters(gearbox)
    base = parameters.values(gearbox.train)
    runs: list[tuple[CaseData | None, dict[str, str]]] = []
    for case in cases:
        if case.changes:
            more = f" and {len(case.changes) - 3} others" if len(case.changes) > 3 else ""
            report.add(
                "ignored",
                f"load case {case.case} in the model file, because it changes {', '.join(case.changes[:3])}{more}: import it with "
                f"--load-case {case.case}",
            )
            continue
        train = _train_of(case, gearbox)
        if train is None:
            report.add(
                "ignored",
                f"load case {case.case} in the model file: other speeds are given. Import it with --load-case {case.case}",
            )
            continue
        runs.append((case, parameters.values(train)))
    used = parameters.used([base, *(values for _, values in runs)])
    data = tomllib.loads(write(gearbox.model))
    _put_expressions(data, gearbox, parameters, used)
    blocks = [_top(data, gearbox, source), _parameter_block(gearbox, parameters, base, used)]
    for section, tables in data.items():
        if isinstance(tables, dict):
            blocks += [toml_text.table((section, name), table) for name, table in tables.items()]
    blocks += _analyses(runs, base, used)
    names = [case.name if case else "loads" for case, _ in runs] or ["loads"]
    blocks += _figures(gearbox, names)
    return "\n".join(blocks)


def _train_of(case: CaseData, gearbox: Gearbox) -> LoadedTrain | None:
    """Loads and speeds of a case; None if other shafts have a given speed."""
    structure = read_structure(case.document)
    places = RexsPlaces(structure, ImportReport())
    train = read_train(
        structure, places, gearbox.train.kinematics, gearbox.train.groups, ImportReport(),
        also=frozenset(load.component.id for load in gearbox.train.loads),
    )  # fmt: skip
    same = [one.id for one, _ in train.speeds] == [one.id for one, _ in gearbox.train.speeds]
    return train if same and len(train.holds) == len(gearbox.train.holds) else None


def _top(data: dict[str, Any], gearbox: Gearbox, source: str) -> str:
    lines = [f"# Imported from {source}", ""]
    lines += [
        f"{toml_text.key(key)} = {toml_text.value(value)}" for key, value in data.items() if not isinstance(value, dict)
    ]
    lines.insert(3, f"description = {toml_text.text(f'gear unit from {source}')}")
    return "\n".join(lines) + "\n"


def _parameter_block(gearbox: Gearbox, parameters: _Parameters, base: dict[str, str], used: set[str]) -> str:
    notes = {
        name: f"speed of {one.label}" for name, (one, _) in zip(parameters.speeds, gearbox.train.speeds, strict=True)
    }
    words = {
        0: "force along u", 1: "force along v", 2: "force along w", 3: "torque about u", 4: "moment about v", 5: "moment about w",
    }  # fmt: skip
    labels = {load.component.id: load.component.label for load in gearbox.train.loads}
    notes |= {name: f"{words[n]} of {labels.get(number, number)}" for (number, n), name in parameters.loads.items()}
    shown = [name for name in base if name in used or name in parameters.speeds]
    if not shown:
        return ""
    lines = [f"{name} = {toml_text.text(base[name])}" for name in shown]
    width = max(len(line) for line in lines) + 2
    plain = {name: notes[name].encode("ascii", "replace").decode() for name in shown}
    return (
        "\n".join(
            ["[parameters]", *(f"{line:<{width}}# {plain[name]}" for line, name in zip(lines, shown, strict=True))]
        )
        + "\n"
    )


def _put_expressions(data: dict[str, Any], gearbox: Gearbox, parameters: _Parameters, used: set[str]) -> None:
    loads = data.get("loads", {})
    for first, named in ((0, gearbox.loads.forces), (3, gearbox.loads.torques)):
        for name, load in named.items():
            loads[name]["value"] = [_component(load, parameters, first, row, used) for row in range(3)]
    train = gearbox.train
    if not parameters.speeds:
        return
    units = train.unit_rotations()
    for name, hold in gearbox.loads.drives.items():
        data["drives"][name]["speed"] = _sum([float(hold.row @ unit) for unit in units], parameters.speeds)
    rotors = {f"{joint}": hold for joint, hold in _rotor_bodies(gearbox).items()}
    for name, hold in rotors.items():
        table = data["bodies"][name]
        u = gearbox.places.of(hold.shaft).u
        table["angular_velocity"] = _vector([float(hold.row @ unit) * u for unit in units], parameters.speeds)
    ids = gearbox.origin.parts
    for section in ("shafts", "bodies"):
        for name, table in data.get(section, {}).items():
            number = ids.get(name)
            if number in train.groups and name not in rotors:
                _put_motion(table, gearbox, number, units, parameters.speeds)


def _rotor_bodies(gearbox: Gearbox) -> dict[str, Any]:
    model = gearbox.model
    return {
        model.joints[model.drives[name].joint_name].frame_b.body_name: hold
        for name, hold in gearbox.loads.drives.items()
    }


def _put_motion(
    table: dict[str, Any], gearbox: Gearbox, number: int, units: list[FloatArray], names: list[str]
) -> None:
    component = gearbox.structure.document.components[number]
    place = gearbox.places.of(component)
    motions = [gearbox.train.motion(number, unit) for unit in units]
    if "speed" in table:
        table["speed"] = _sum([float(motion.angular_velocity @ place.u) for motion in motions], names)
    if "angular_velocity" in table:
        table["angular_velocity"] = _vector([motion.angular_velocity for motion in motions], names)
    if "velocity" in table:
        model = gearbox.model
        part: Any = model.shafts[name] if (name := gearbox.names.of(component)) in model.shafts else model.bodies[name]
        table["velocity"] = _vector([motion.velocity_at(part.position) for motion in motions], names, length=True)


def _component(load: GivenLoad, parameters: _Parameters, first: int, row: int, used: set[str]) -> Any:
    pairs = []
    for k in range(3):
        name = parameters.loads[load.component.id, first + k]
        if name in used:
            pairs.append((float(load.axes[row, k]), name))
    return _sum([value for value, _ in pairs], [name for _, name in pairs])


def _vector(columns: list[FloatArray], names: list[str], *, length: bool = False) -> list[Any]:
    return [_sum([float(column[row]) for column in columns], names, length=length) for row in range(3)]


def _sum(values: list[float], names: list[str], *, length: bool = False) -> Any:
    """Expression for a linear combination of parameters, or 0."""
    largest = max((abs(value) for value in values), default=0.0)
    terms = [(value, name) for value, name in zip(values, names, strict=True) if abs(value) > 1e-13 * largest]
    if not terms:
        return 0
    texts = []
    for value, name in terms:
        factor = f"'{value!r} m/rad' * {name}" if length else _times(value, name)
        texts.append(factor)
    return "= " + " + ".join(texts)


def _times(value: float, name: str) -> str:
    if abs(value) == 1.0:
        return name if value > 0.0 else f"-{name}"
    ratio = Fraction(value).limit_denominator(1_000_000)
    if ratio and abs(float(ratio) - value) < 4e-15 * abs(value):
        return (
            f"{ratio.numerator} / {ratio.denominator} * {name}"
            if ratio.denominator != 1
            else f"{ratio.numerator} * {name}"
        )
    return f"{value!r} * {name}"


def _analyses(runs: list[tuple[CaseData | None, dict[str, str]]], base: Mapping[str, str], used: set[str]) -> list[str]:
    if not runs:
        return [
            '# static equilibrium: bearing loads, tooth forces, deflections\n[[analyses]]\nname = "loads"\nkind = "statics"\n'
        ]
    blocks = []
    for case, values in runs:
        assert case is not None
        changed = {name: value for name, value in values.items() if value != base[name] and name in {*used, *base}}
        share = "" if case.share is None else f": {100.0 * case.share:.6g} % of the operating time"
        table: dict[str, Any] = {"name": case.name, "kind": "statics"}
        if changed:
            table["parameters"] = changed
        blocks.append(f"# load case {case.case}{share}\n" + toml_text.table(("analyses",), table, listed=True))
    return blocks


def _figures(gearbox: Gearbox, names: list[str]) -> list[str]:
    """Bearing loads, tooth forces and the torque of each hold, for each load case."""
    model, document = gearbox.model, gearbox.structure.document
    ids = gearbox.origin.parts
    bearings = [
        name for name, number in ids.items() if any(one.component.id == number for one in gearbox.structure.bearings)
    ]
    # tables of bearing loads contain joints only if there are no bushings and no rolling bearings
    others = any(isinstance(one, Bushing) for one in model.loads.values()) or any(
        one.key == "bearing" for one in model.elements.values()
    )
    bearings = [name for name in bearings if name in model.elements or name in model.loads or not others]
    whole = len(names) * (2 * len(bearings) + len(model.gear_pairs) + len(gearbox.loads.drives))
    if len(names) > _LISTED or whole > _MOST_FIGURES:
        return []
    blocks = ["# --- results ---\n"]
    for case in names:
        for name in bearings:
            for column in ("radial", "axial"):
                value = f"= analyses.{case}.bearing_loads[{_quoted(name)}].{column}"
                blocks.append(
                    _figure(f"{case} {name} {column}", f"{column} load of the bearing on its shaft", value, "N")
                )
        for name in model.gear_pairs:
            value = f"= final({_quoted(f'{case}: {name}.normal_force')})"
            blocks.append(_figure(f"{case} {name} normal force", "normal force of the teeth", value, "N"))
        for name, hold in gearbox.loads.drives.items():
            value = f"= final({_quoted(f'{case}: {name}.torque')})"
            what = document.components[hold.component.id].name or hold.component.label
            blocks.append(_figure(f"{case} {what} torque", "torque that balances the loads", value, "N*m"))
    return blocks


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _figure(key: str, description: str, value: str, unit: str) -> str:
    return toml_text.table(("figures", key), {"description": description, "value": value, "unit": unit, "digits": 5})


# ---- importing

# Import of gear units from REXS files.


@dataclass
class ImportedRexs(Imported):
    """Model from a REXS file, with its document and load cases."""

    gearbox: Gearbox | None = None
    cases: tuple[CaseData, ...] = ()


@names_wrong_arguments
def from_rexs(
    path: str | os.PathLike[str],
    *,
    load_case: int | str | tuple[int, int] | None = None,
    mesh: str = "elastic",
    shafts: str = "elastic",
    bearings: str = "geometry",
    gear_shift: int | None = None,
) -> Model:
    """Read a gear unit from a REXS file (versions 1.0 to 2.0: XML, JSON, or zipped).

    `rexs_origin(model).report` lists what was used, assumed, kept and ignored.

    Parameters
    ----------
    path
        File with the ending .rexs, .rexsj, .rexsz, .rexs.xml, .rexs.json or .rexs.zip.
    load_case
        Number of the load case, or "SPECTRUM/CASE" if there are several load spectra. Default: the values without a load case;
        if they contain no load and no speed, the first load case.
    mesh
        Law of the gear pairs. "elastic" (default): the mesh stiffness of the file, or of ISO 6336-1. "rolling": pitch circles
        without slip. "rigid": rigid teeth. "loaded": loaded tooth contact with finite elements.
    shafts
        "elastic" (default): beams with the sections of the file. "rigid": rigid bodies.
    bearings
        "geometry" (default): rolling bearings by the geometry of their rolling elements, or estimated from catalogue data if
        the file has no stiffness. "stiffness": all bearings by their stiffness; rigid if they have none.
    gear_shift
        Number of the gear for switchable couplings, from 1. Default: that of the file.
    """
    options = RexsOptions(mesh, shafts, bearings, gear_shift)
    document = read_rexs(Path(path))
    return _gearbox(document, options, chosen_case(document, load_case)).model


def import_rexs(
    path: str | os.PathLike[str],
    *,
    load_case: int | str | tuple[int, int] | None = None,
    mesh: str = "elastic",
    shafts: str = "elastic",
    bearings: str = "geometry",
    gear_shift: int | float | str | None = None,
) -> ImportedRexs:
    """Model, report and text of a model file, in which every load case is an analysis. Arguments as in `from_rexs`."""
    try:
        shift = None if gear_shift is None else int(gear_shift)
    except ValueError:
        raise ExchangeError(f"gear_shift must be a number from 1, got {shown(gear_shift)}") from None
    options = RexsOptions(mesh, shafts, bearings, shift)
    document = read_rexs(Path(path))
    case = chosen_case(document, load_case)
    cases = load_cases(document)
    if load_case is not None:
        cases = [one for one in cases if (one.spectrum, one.case) == case]
    simple = [one for one in cases if not one.changes]
    chosen = document if case is None else document.with_case(*case)
    gearbox = build_gearbox(chosen, options, complete=document, case=case, kinds=kinds_of_loads(simple, chosen))
    report = gearbox.origin.report
    if load_case is not None:
        for one in cases:
            one.changes.clear()  # the model has them
    elif case is not None:
        report.add(
            "assumed", f"values of load case {case[1]}, because the file has no loads and speeds outside of load cases"
        )
    left = sum(len(one.cases) for one in document.spectra) - MOST_CASES
    if left > 0 and load_case is None:
        report.add("ignored", f"{left} load cases beyond the first {MOST_CASES}: import them with --load-case")
    text = model_text(gearbox, cases, report, os.path.basename(os.fspath(path)))
    return ImportedRexs(gearbox.model, report, text, {}, gearbox, tuple(cases))


def _gearbox(document: RexsDocument, options: RexsOptions, case: tuple[int, int] | None) -> Gearbox:
    chosen = document if case is None else document.with_case(*case)
    return build_gearbox(chosen, options, complete=document, case=case)
