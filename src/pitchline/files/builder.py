"""Builder: builds the model of a file, element by element. Errors are reported, and the remaining elements are still
built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError, Place, near_names, shown
from ..gears import Gear, Rack
from ..model import Model, Planetary, Support
from . import catalogue
from .element_types import element_class
from .parameters import Broken
from .placing import argument_place
from .problems import Path
from .program_elements import FMU, add_fmu
from .sources import Sources
from .values import Skip, Values

__all__ = ["BuiltModel", "build"]

_MODEL = ("name", "description", "gravity", "plane")
_MOST_PLANETS = 1000


@dataclass(frozen=True, eq=False)
class BuiltModel:
    """Model of a file, with its gears and planetary trains by name."""

    model: Model
    gears: dict[str, Gear | Rack]
    trains: dict[str, Planetary]


def build(data: Mapping[str, Any], sources: Sources, name: str, allow: tuple[str, ...] = ()) -> BuiltModel:
    """Build the model from the data. Errors are added to the problems of the sources. allow: modules with user-defined
    elements."""
    with np.errstate(all="ignore"):  # numbers out of range give messages, not warnings of NumPy
        made = _ModelBuilder(data, sources, name, allow)
    return BuiltModel(made.model, made.values.gears, made.trains)


class _ModelBuilder:
    def __init__(self, data: Mapping[str, Any], sources: Sources, name: str, allow: tuple[str, ...]) -> None:
        self.data, self.sources, self.allow = data, sources, allow
        for key in data:
            if key not in catalogue.TOP:
                self.tell((key,), f'unknown key "{key}"; {near_names(key, catalogue.TOP)}')
        self.model = self._model(name)
        self.values = Values(self.model, self.tell, sources.data_file, allow)
        self.trains: dict[str, Planetary] = {}
        self.made_by: dict[str, Path] = {}  # elements of trains by name, and the table of the train
        for section, made in (("materials", self._material), ("gears", self._gear)):
            for name, table, path in self.items(section):
                self.attempt(section, name, made, name, table, path)
        self._placed()
        self._simple()
        for name, table, path in self.items("elements"):
            self.attempt("parts", name, self._element, name, table, path)
        for name, table, path in self.items("looks"):
            self.attempt("looks", name, self._look, name, table, path)
        if not sources.problems:
            self._whole()

    # ---- traversal of the data

    def tell(self, path: Path, message: str) -> None:
        self.sources.problems.append(self.sources.problem(path, message))

    def items(self, section: str) -> Iterator[tuple[str, Any, Path]]:
        tables = self.data.get(section, {})
        if not isinstance(tables, dict):
            self.tell((section,), f"must be tables by name, [{section}.NAME], got {shown(tables)}")
            return
        for name, table in tables.items():
            yield name, table, (section, name)

    def attempt(self, group: str, name: str, make: Any, *given: Any) -> None:
        try:
            make(*given)
        except Skip:
            self.values.failed.add((group, name))

    # ---- parts

    def _model(self, name: str) -> Model:
        table = self.data.get("model", {})
        if not isinstance(table, dict):
            self.tell(("model",), f"must be a table with name, gravity and plane, got {shown(table)}")
            table = {}
        for key in table:
            if key not in _MODEL:
                self.tell(("model", key), f'unknown key "{key}"; {near_names(key, _MODEL)}')
        given: dict[str, tuple[Path, Any]] = {}
        for key in _MODEL:
            if key in table and key in self.data:
                self.tell(("model", key), f"is also specified at the top of the file. Specify {key} only once")
            if key in self.data:
                given[key] = ((key,), self.data[key])
            elif key in table:
                given[key] = (("model", key), table[key])
        path, text = given.pop("description", ((), ""))
        if not isinstance(text, str):
            self.tell(path, f"must be a text, got {shown(text)}")
        for left_out in ((), ("gravity",), ("name",), ("gravity", "plane", "name")):
            said = {key: value for key, (_, value) in given.items() if key not in left_out}
            try:
                return Model(said.pop("name", name), **said)
            except (ModelError, TypeError, ValueError) as error:
                if not left_out:
                    argument = error.places[0].argument if isinstance(error, ModelError) else ()
                    at = given[argument[0]][0] if argument and argument[0] in given else ()
                    self.tell(at, str(error))
        return Model("model")

    def _material(self, name: str, table: Any, path: Path) -> None:
        self.values.materials[name] = self.values.make(catalogue.MATERIAL, table, path, {}, name)

    def _gear(self, name: str, table: Any, path: Path) -> None:
        if not isinstance(table, dict):
            raise self.values.tell(path, f"must be a table of arguments, got {shown(table)}")
        self.values.gears[name] = self.values.gear(table, path)

    def _frame(self, name: str, table: Any, path: Path) -> None:
        if (
            name in self.model.bodies
            or name in self.model.joints
            or name in self.model.wheels
            or name == self.model.ground.name
        ):
            raise self.values.tell(path, f'"{name}" is already a part of the model. Specify another name for the frame')
        self.values.frames[name] = self.values.frame(table, path, name)

    def _body(self, name: str, table: Any, path: Path) -> None:
        v = self.values
        if isinstance(table, dict) and "gear" in table:
            v.make(catalogue.GEAR_BODY, table, path, v.parts, self.model, name)
        else:
            v.make(catalogue.BODY, table, path, v.parts, self.model, name)

    def _shaft(self, name: str, table: Any, path: Path) -> None:
        self._structure(catalogue.SHAFT, name, table, path)

    def _beam(self, name: str, table: Any, path: Path) -> None:
        self._structure(catalogue.BEAM, name, table, path)

    def _flexible_body(self, name: str, table: Any, path: Path) -> None:
        self._structure(catalogue.FLEXIBLE_BODY, name, table, path)

    def _membrane(self, name: str, table: Any, path: Path) -> None:
        self._structure(catalogue.MEMBRANE, name, table, path, mesh=self.values.membrane_mesh)

    def _structure(self, entry: catalogue.Entry, name: str, table: Any, path: Path, **convert: Any) -> None:
        before = _names(self.model)
        self.values.make(entry, table, path, self.values.parts | convert, self.model, name)
        self.made_by |= dict.fromkeys(_names(self.model) - before, path)

    def _wheel(self, name: str, table: Any, path: Path) -> None:
        self.values.make(catalogue.WHEEL, table, path, self.values.parts, self.model, name)

    def _train(self, name: str, table: Any, path: Path) -> None:
        v = self.values
        if isinstance(table, dict) and isinstance(table.get("planets"), int) and table["planets"] > _MOST_PLANETS:
            raise v.tell((*path, "planets"), f"{shown(table['planets'])} is too many. Specify at most {_MOST_PLANETS}")
        gears = {key: v.gears_of for key in ("sun", "ring", "planet")}
        meshes = {key: v.meshes for key in ("mesh_sun", "mesh_ring", "mesh_planets")}
        others = {"masses": self._masses, "bearings": self._bearings, "on": self._on}
        before = _names(self.model)
        self.trains[name] = v.make(catalogue.PLANETARY, table, path, {**gears, **meshes, **others}, self.model, name)
        self.made_by |= dict.fromkeys(_names(self.model) - before, path)

    def _masses(self, value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            return value
        return {k: self.values.of_solids.solid(x, (*path, k)) if isinstance(x, dict) else x for k, x in value.items()}

    def _bearings(self, value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            return value
        return {k: self._support(x, (*path, k)) if isinstance(x, dict) else x for k, x in value.items()}

    def _support(self, table: Any, path: Path) -> Support:
        made: Support = self.values.make(catalogue.SUPPORT, table, path, {})
        return made

    def _on(self, value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            for key, name in value.items():
                self.values.reference(name, (*path, key))
        return value

    def _placed(self) -> None:
        """Bodies, shafts, beams, flexible bodies, frames, wheels and trains; each after those that its position depends
        on."""
        makers = {
            "bodies": self._body, "shafts": self._shaft, "beams": self._beam, "flexible_bodies": self._flexible_body,
            "membranes": self._membrane,
            "frames": self._frame, "wheels": self._wheel,
            "planetary": self._train,
        }  # fmt: skip
        waiting = {(section, name): (table, path) for section in makers for name, table, path in self.items(section)}
        by_name: dict[str, tuple[str, str]] = {}
        for key in waiting:
            by_name.setdefault(key[1], key)
        stack: list[tuple[str, str]] = []
        begun: set[tuple[str, str]] = set()
        for first in list(waiting):
            stack.append(first)
            while stack:
                key = stack[-1]
                if key not in waiting:
                    stack.pop()
                    continue
                table, path = waiting[key]
                needed = [by_name[n] for n in _needs(table, by_name) if n in by_name and by_name[n] != key]
                open_ones = [other for other in needed if other in waiting]
                ring = [other for other in open_ones if other in begun]
                if ring:
                    self.tell(
                        path,
                        f'its position depends on "{ring[0][1]}" and vice versa. Specify one of the two positions directly',
                    )
                    self.values.failed.add(("parts", key[1]))
                    del waiting[key]
                elif open_ones:
                    begun.add(key)
                    stack += open_ones[:1]
                else:
                    del waiting[key]
                    self.attempt("parts", key[1], makers[key[0]], key[1], table, path)

    def _simple(self) -> None:
        v = self.values
        for section, what, kinds in (("joints", "joint", catalogue.JOINTS), ("gear_pairs", "", {}), ("drives", "", {}),
                                     ("loads", "load", catalogue.LOADS)):  # fmt: skip
            single = {"gear_pairs": catalogue.GEAR_PAIR, "drives": catalogue.DRIVE}.get(section)
            for name, table, path in self.items(section):

                def make(
                    name: str, table: Any, path: Path, what: str = what, kinds: Any = kinds, single: Any = single
                ) -> None:
                    entry = kinds[v.kind(table, path, kinds, what)] if single is None else single
                    v.make(entry, table, path, v.parts, self.model, name, also=() if single else ("kind",))

                self.attempt("parts", name, make, name, table, path)

    def _element(self, name: str, table: Any, path: Path) -> None:
        if not isinstance(table, dict) or "type" not in table:
            raise self.values.tell(path, 'must be a table with a type, e.g. type = "cubic_spring"')
        if isinstance(table["type"], Broken):
            raise Skip
        if table["type"] == FMU:
            add_fmu(self.values, table, path, self.model, name)
            return
        try:
            cls = element_class(table["type"], self.allow)
        except ModelError as error:
            raise self.values.tell((*path, "type"), str(error)) from None
        self.values.element(cls, table, path, self.model, name)

    def _look(self, name: str, table: Any, path: Path) -> None:
        self.values.quiet("parts", name)
        self.values.make(catalogue.LOOK, table, path, self.values.parts, self.model, name)

    def _whole(self) -> None:
        """Errors that only the complete model shows, reported at the element that they name."""
        try:
            self.model.check()
        except ModelError as error:
            for text, place in zip(error.problems, error.places, strict=True):
                self.tell(self._table_of(place), text)

    def _table_of(self, place: Place) -> Path:
        """The table that created an element: its own, that of its body, or that of a train."""
        if not place.part:
            return ()
        section, name = place.part
        for own in (section, "bodies"):
            if name in self.data.get(own, {}):
                return argument_place((own, name), self.data[own][name], place, {})
        return self.made_by.get(name, ())


def _names(model: Model) -> set[str]:
    return {*model.bodies, *model.structures, *model.joints, *model.loads, *model.wheels, *model.gear_pairs}


def _needs(table: Any, known: Mapping[str, Any]) -> Iterator[str]:
    """Names of bodies, wheels and trains that the position depends on."""
    if not isinstance(table, dict):
        return
    on = table.get("on")
    ends = (table.get("mesh_with"), table.get("body"), table.get("a"), table.get("b"))
    attached = table.get("attached")
    bodies = tuple(attached) if isinstance(attached, dict) else ()
    for value in (*ends, *(on.values() if isinstance(on, dict) else ()), *bodies):
        if isinstance(value, dict):
            value = value.get("body")
        if not isinstance(value, str):
            continue
        yield value
        words = value.split(" ")
        for n in range(1, len(words)):  # elements of a train have its name in front: "stage carrier"
            if " ".join(words[:n]) in known:
                yield " ".join(words[:n])
