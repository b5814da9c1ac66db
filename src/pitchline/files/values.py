"""Values: convert data of a file to arguments of the Python API: functions of time, solids, materials, gears, meshes,
frames."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from ..errors import ModelError, near_names, shown
from ..gears import STEEL, Gear, Material, Rack
from ..model import Frame, Model
from ..model.declared_element import DeclaredElement
from . import catalogue
from .catalogue import Entry
from .element_types import element_entry, mesh_class, value_makers
from .gear_values import GearValues
from .parameters import Broken
from .placing import argument_place
from .problems import Path
from .program_elements import FMU, add_fmu
from .solid_values import SolidValues
from .superelement_values import SuperelementValues

__all__ = ["Skip", "Values"]

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
