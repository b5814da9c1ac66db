"""Values: data of a file as arguments of the Python API, and the model that they build."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import Frame
from pitchline.errors import ModelError, Place, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.flexible.text import SuperelementValues
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import STEEL, Material
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.text import GearValues
from pitchline.parts.planetary.layout import Planetary, Support

from . import catalogue
from .catalogue import Entry, SolidValues
from .element_schema import element_class, element_entry, mesh_class, value_makers
from .key_lines import Path, argument_place
from .parameters import Broken
from .sources import Sources
from .written_parts import FMU, add_fmu

__all__ = ["Skip", "Values", "BuiltModel", "build"]


Convert = Callable[[Any, Path], Any]
_FAILURES = (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError)
"""Exceptions for values of an unexpected form that the API does not check."""


class Skip(Exception):
    """The current object cannot be created; the reason is already reported."""


def _no_files(path: Path, name: str) -> str:
    return f"{shown(name)}: there is no folder in which files can be found. Save the model file first"


class Values:
    """Creates objects from tables. `tell(path, message)` takes an error; then `Skip` is raised.

    data_file: returns the path of a file that an entry of the model file names, or a text with the reason why it is not
    available

    failed: names of elements that could not be created; elements that need them are left out without a message
    """

    def __init__(
        self,
        model: Model,
        tell: Callable[[Path, str], None],
        data_file: Callable[[Path, str], FilePath | str] | None = None,
        allow: tuple[str, ...] = (),
    ) -> None:
        self.model, self._tell, self.allow = model, tell, allow
        self.materials: dict[str, Material] = {"steel": STEEL}
        self.gears: dict[str, Gear | Rack] = {}
        self.frames: dict[str, Frame] = {}
        self.failed: set[tuple[str, str]] = set()
        time = {key: self.function for key in ("angle", "displacement", "speed")}
        ends = {key: self.end for key in ("a", "b", "on", "body", "reaction")}
        self.parts: dict[str, Convert] = {
            **time, **ends, "gear": self.gear, "mesh": self.mesh, "value": self.components,
            "joint": self.reference, "mesh_with": self.reference, "material": self.material,
            "sections": self.shaft_sections, "section": self.beam_section,
            "solid": lambda value, path: self.of_solids.solid(value, path),
            "shape": lambda value, path: self.of_solids.shape(value, path),
            "superelement": lambda value, path: self.of_superelements.superelement(value, path),
        }  # fmt: skip
        self.in_mesh: dict[str, Convert] = {
            "stiffness": self.springs, "error": self.springs, "backlash": self.springs, "damping": self.springs,
            "friction": self.friction, "elements_a": self.elements,
            "elements_b": self.elements,
        }  # fmt: skip
        self.data_file = data_file or _no_files
        self.of_gears = GearValues(self, data_file or _no_files)
        self.of_solids = SolidValues(self, data_file or _no_files)
        self.of_superelements = SuperelementValues(self, data_file or _no_files)
        self.in_function: dict[str, Convert] = {"terms": self.functions, "function": self.function}

    # ---- common functions

    def tell(self, path: Path, message: str) -> Skip:
        self._tell(path, message)
        return Skip()

    def make(
        self,
        entry: Entry,
        table: Any,
        path: Path,
        convert: Mapping[str, Convert],
        *first: Any,
        also: tuple[str, ...] = (),
    ) -> Any:
        """Call the callable of a table with its arguments; report all errors."""
        given = self.arguments(entry, table, path, convert, also)
        return self.call(entry.call, table, path, entry.renamed, *first, **given)

    def arguments(
        self, entry: Entry, table: Any, path: Path, convert: Mapping[str, Convert], also: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        if not isinstance(table, dict):
            raise self.tell(path, f"must be a table of arguments, got {shown(table)}")
        bad, given = False, {}
        for key, value in table.items():
            if key in also:
                continue
            if key not in entry.arguments:  # reported; the rest may be valid, and other parts may need this one
                self.tell((*path, key), f'unknown key "{key}"; {near_names(key, [*entry.arguments, *also])}')
                continue
            try:
                here = (*path, key)
                self.check_whole(value)
                given[entry.renamed.get(key, key)] = convert[key](value, here) if key in convert else value
            except Skip:
                bad = True
        for key in entry.required:
            if key not in table:
                bad = True
                self.tell(path, f'"{key}" is missing. Add it')
        if bad:
            raise Skip
        return given

    def call(
        self, function: Callable[..., Any], table: Mapping[str, Any], path: Path, renamed: Mapping[str, str], /, *first: Any,
        **given: Any,
    ) -> Any:  # fmt: skip
        """Call with the values that were read. An error is reported at the argument that it is about."""
        try:
            return function(*first, **given)
        except ModelError as error:
            for text, place in zip(error.problems, error.places, strict=True):
                self.tell(argument_place(path, table, place, renamed), text)
            raise Skip from None
        except _FAILURES as error:
            raise self.tell(path, f"cannot be read: {shown(str(error), width=200)}; check the values") from None

    def kind(self, table: Any, path: Path, kinds: Mapping[str, Any], what: str, default: str | None = None) -> str:
        """The kind of a table."""
        if not isinstance(table, dict):
            raise self.tell(
                path, f'must be a table with a kind, e.g. {{ kind = "{next(iter(kinds))}" }}, got {shown(table)}'
            )
        kind = table.get("kind", default)
        if isinstance(kind, Broken):
            raise Skip
        if kind is None:
            raise self.tell(path, f'"kind" is missing. Specify the {what}: {", ".join(kinds)}')
        if not isinstance(kind, str) or kind not in kinds:
            raise self.tell((*path, "kind"), f"there is no {what} {shown(kind)}; {near_names(str(kind), kinds)}")
        return kind

    def reference(self, value: Any, path: Path) -> str:
        """Name of an element; no further message for elements that failed."""
        if not isinstance(value, str):
            raise self.tell(path, f"must be the name of a part, got {shown(value)}")
        if value not in self.model.bodies and value not in self.model.joints and value not in self.model.wheels:
            self.quiet("parts", value)
        return value

    def quiet(self, group: str, name: str) -> None:
        if (group, name) in self.failed:
            raise Skip

    def check_whole(self, value: Any) -> None:
        if isinstance(value, Broken):
            raise Skip
        if isinstance(value, (list, dict)):
            for item in value.values() if isinstance(value, dict) else value:
                self.check_whole(item)

    def element(
        self, cls: type[DeclaredElement], table: Mapping[str, Any], path: Path, model: Model, name: str
    ) -> None:
        """Element of a declared class, added to the model. Errors are reported at the argument."""
        if cls.key == FMU:
            add_fmu(self, table, path, model, name)
            return
        given = self.arguments(element_entry(cls), table, path, value_makers(cls, self), also=("type",))
        self.call(lambda: model.add(cls(name, **given)), table, path, {})

    # ---- kinds of values

    def function(self, value: Any, path: Path) -> Any:
        """Number, text, or table that is a function of time."""
        if not isinstance(value, dict):
            return value
        if "expression" in value:
            return self.expression(value, path)
        kind = self.kind(value, path, catalogue.FUNCTIONS, "function")
        return self.make(catalogue.FUNCTIONS[kind], value, path, self.in_function, also=("kind",))

    def expression(self, value: dict[str, Any], path: Path) -> Any:
        """Formula over signals, with its constants."""
        return self.make(catalogue.EXPRESSION, value, path, {})

    def functions(self, value: Any, path: Path) -> Any:
        if not isinstance(value, list):
            return value
        return [self.function(item, (*path, n)) for n, item in enumerate(value)]

    def components(self, value: Any, path: Path) -> Any:
        """One function, or three components."""
        return self.functions(value, path) if isinstance(value, list) else self.function(value, path)

    def springs(self, value: Any, path: Path) -> Any:
        """Value over the mesh cycle, or several of them."""
        if isinstance(value, list):
            return [self.varying(item, (*path, n)) for n, item in enumerate(value)]
        return self.varying(value, path)

    def varying(self, value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            return value
        kinds = {**catalogue.FUNCTIONS, "varying": catalogue.VARYING}
        kind = self.kind(value, path, kinds, "function")
        return self.make(kinds[kind], value, path, self.in_function, also=("kind",))

    def friction(self, value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            return value
        kinds = {"stribeck": catalogue.STRIBECK, "friction_table": catalogue.FRICTION_TABLE, **catalogue.FUNCTIONS}
        kind = self.kind(value, path, kinds, "friction")
        return self.make(kinds[kind], value, path, self.in_function, also=("kind",))

    def mesh(self, value: Any, path: Path) -> Any:
        """Mesh with its options, or only its kind: mesh = "loaded"."""
        if isinstance(value, str):
            if value not in catalogue.MESHES:
                raise self.tell(path, f"there is no mesh {shown(value)}; {near_names(value, catalogue.MESHES)}")
            value = {"kind": value}
        if isinstance(value, dict) and "type" in value:
            return self._own_mesh(value, path)
        kind_given = value.get("kind") if isinstance(value, dict) else None
        if isinstance(kind_given, str) and kind_given in catalogue.MEMBRANE_MESHES:
            return self.membrane_mesh(value, path)
        kind = self.kind(value, path, catalogue.MESHES, "mesh")
        for key in set(catalogue.OF_THE_GEAR) & set(value):
            if key not in catalogue.MESHES[kind].arguments:
                raise self.tell((*path, key), f'unknown key "{key}"; {catalogue.OF_THE_GEAR[key]}')
        return self.make(catalogue.MESHES[kind], value, path, self.in_mesh, also=("kind",))

    def _own_mesh(self, value: dict[str, Any], path: Path) -> Any:
        """Mesh law of a user, by its type "module:Class"."""
        if isinstance(value["type"], Broken):
            raise Skip
        try:
            cls = mesh_class(value["type"], self.allow)
        except ModelError as error:
            raise self.tell((*path, "type"), str(error)) from None
        convert = {key: make for key, make in self.in_mesh.items() if key not in cls.fields}
        entry = Entry(cls, dict(inspect.signature(cls).parameters))
        return self.make(entry, value, path, convert, also=("type",))

    def elements(self, value: Any, path: Path) -> dict[str, Any]:
        """Finite-element options of a gear."""
        return self.arguments(catalogue.ELEMENTS, value, path, {"mesh": self._mesh_file, "material": self.material})

    def _mesh_file(self, value: Any, path: Path) -> str:
        """File with the solid mesh of a gear."""
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.tell(path, found)
        return str(found)

    def material(self, value: Any, path: Path) -> Material:
        if isinstance(value, dict):
            name = value.get("name", "material")
            return self.make(catalogue.MATERIAL, value, path, {}, name, also=("name",))
        if not isinstance(value, str) or value not in self.materials:
            self.quiet("materials", str(value))
            raise self.tell(path, f"there is no material {shown(value)}; {near_names(str(value), self.materials)}")
        return self.materials[value]

    def shaft_sections(self, value: Any, path: Path) -> Any:
        """List of sections of a shaft."""
        if not isinstance(value, list):
            raise self.tell(
                path, f'must be a list of tables, e.g. {{ length = "20 mm", outer = "30 mm" }}, got {shown(value)}'
            )
        of = {"material": self.material}
        return [self.make(catalogue.SHAFT_SECTION, table, (*path, n), of) for n, table in enumerate(value)]

    def beam_section(self, value: Any, path: Path) -> Any:
        """Section of a beam, by its kind."""
        kind = self.kind(value, path, catalogue.BEAM_SECTIONS, "section")
        return self.make(catalogue.BEAM_SECTIONS[kind], value, path, {"material": self.material}, also=("kind",))

    def membrane_mesh(self, value: Any, path: Path) -> Any:
        """Mesh of a membrane, by its kind."""
        kind = self.kind(value, path, catalogue.MEMBRANE_MESHES, "mesh")
        return self.make(catalogue.MEMBRANE_MESHES[kind], value, path, {}, also=("kind",))

    def gear(self, value: Any, path: Path) -> Gear | Rack:
        """Name of a gear, or table of a gear."""
        if isinstance(value, dict):
            return self.of_gears.gear(value, path)
        if not isinstance(value, str) or value not in self.gears:
            self.quiet("gears", str(value))
            raise self.tell(path, f"there is no gear {shown(value)}; {near_names(str(value), self.gears)}")
        return self.gears[value]

    def gears_of(self, value: Any, path: Path) -> Any:
        """One gear, or several."""
        if isinstance(value, list):
            return tuple(self.gear(item, (*path, n)) for n, item in enumerate(value))
        return self.gear(value, path)

    def meshes(self, value: Any, path: Path) -> Any:
        if isinstance(value, list):
            return [self.mesh(item, (*path, n)) for n, item in enumerate(value)]
        return self.mesh(value, path)

    def end(self, value: Any, path: Path) -> Any:
        """Body, joint or wheel by name, frame by name, table of a frame on a body, or point (of beams)."""
        if isinstance(value, dict):
            return self.frame(value, path)
        if isinstance(value, list):
            return value
        if isinstance(value, str) and value in self.frames:
            return self.frames[value]
        return self.reference(value, path)

    def frame(self, table: Any, path: Path, name: str | None = None) -> Frame:
        given = self.arguments(catalogue.FRAME, table, path, {}, also=("body",))
        if "body" not in table:
            raise self.tell(path, '"body" is missing. Specify the body of the frame')
        on = self.reference(table["body"], (*path, "body"))
        body = self.model.ground if on == self.model.ground.name else self.model.bodies.get(on)
        if body is None:
            raise self.tell((*path, "body"), f"there is no body {shown(on)}; {near_names(on, self.model.bodies)}")
        if name is not None:
            given.setdefault("name", name)
        return self.call(body.frame, table, path, {}, **given)


# ---- builder

# Builder: builds the model of a file, element by element. Errors are reported, and the remaining elements are still
# built.

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
