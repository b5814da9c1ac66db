"""Text of a model file for a gear unit: loads and speeds are parameters, and each load case is an analysis."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...files import toml_text
from ...files.writer import write
from ...model.loads import Bushing
from ...solids.rotations import Array
from ..imported import ImportReport
from .cases import CaseData
from .gearbox import Gearbox
from .loads import COMPONENTS, slug
from .places import RexsPlaces
from .structure import read_structure
from .train import GivenLoad, LoadedTrain, read_train

__all__ = ["model_text"]

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


def _put_motion(table: dict[str, Any], gearbox: Gearbox, number: int, units: list[Array], names: list[str]) -> None:
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


def _vector(columns: list[Array], names: list[str], *, length: bool = False) -> list[Any]:
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
