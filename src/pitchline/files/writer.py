"""write: write a model as the text of a model file that reads back to the same model.

For each element, several tables are tried, the shortest first: a hinge between two bodies, then with its position, then
with its
axis. The first table from which the reader creates the identical element is used. The last one contains the frames with
all
numbers, which always works.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import atomic_file, check_target
from pitchline.declare.structure import Station
from pitchline.errors import ModelError
from pitchline.model.describe import plain_data
from pitchline.model.model import Model
from pitchline.model.structure_methods import described_look
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.text import gear_data

from . import written_values as toml_text
from .amounts import evaluate, is_expression, parse
from .analysis_steps import Step
from .element_schema import EVERY_MODULE
from .figure_specs import FigureSpec
from .key_lines import Path
from .schema import in_a_folder, shape_files
from .values import Skip, Values
from .written_parts import FMU, Words
from .written_values import CannotWrite, plain_option, quantities

__all__ = ["save", "write"]


def write(
    model: Model, steps: Iterable[Step] = (), figures: Iterable[FigureSpec] = (), plot: Iterable[str] = ()
) -> str:
    """Text of a model file.

    Parameters
    ----------
    model
        The file reads back to an equal model. Python callables cannot be written: ModelError names each.
    steps, figures, plot
        Analyses, figures and signals to plot, as in `ModelFile`.
    """
    with np.errstate(all="ignore"), in_a_folder(model) as shapes:
        parts = _ModelWriter(model, shapes).parts()
    blocks = [_top(model)]
    for section, tables in parts.items():
        blocks += [toml_text.table((section, name), table) for name, table in tables.items()]
    blocks += [toml_text.table(("analyses",), _step(step), listed=True) for step in steps]
    # one table each, to keep their order: figures may need earlier ones
    blocks += [toml_text.table(("figures", spec.key), _figure(spec)) for spec in figures]
    signals = list(plot)
    if signals:
        blocks.append(toml_text.table(("plot",), {"signals": signals}))
    return "\n".join(blocks)


def save(model: Model, path: str | os.PathLike[str] | None, *, overwrite: bool = False) -> str:
    """Write a model and return its text. The file is written completely or not at all, and replaces existing files only
    on request."""
    text = write(model)
    if path is not None:
        _check_names(model)
        _write_shapes(model, FilePath(path).expanduser(), overwrite)
        with atomic_file(FilePath(path), overwrite=overwrite) as (draft, _):
            draft.write_text(text, encoding="utf-8", newline="\n")
        _tell_missing(model, FilePath(path).expanduser())
    return text


def _write_shapes(model: Model, target: FilePath, overwrite: bool) -> None:
    """Write the files of shapes that were made in memory, next to the model file. Equal files are kept."""
    check_target(target, overwrite=overwrite)
    files = {target.parent / name: data for name, data in shape_files(model).items()}
    new = {file: data for file, data in files.items() if not file.is_file() or file.read_bytes() != data}
    for file in new:
        check_target(file, overwrite=overwrite)
    for file, data in new.items():
        with atomic_file(file, overwrite=overwrite) as (draft, _):
            draft.write_bytes(data)


def _check_names(model: Model) -> None:
    """An error for different files of the same name: a model file reads them from one folder."""
    known: dict[str, FilePath] = {}
    for source in dict.fromkeys(_data_files(model)):
        other = known.setdefault(source.name, source)
        try:
            same = other == source or other.samefile(source) or other.read_bytes() == source.read_bytes()
        except OSError:
            same = other.absolute() == source.absolute()
        if not same:
            raise ModelError(
                f'model "{model.name}": the files {other} and {source} have the same name, but a model file reads them from its '
                "own folder. Rename one of them"
            )


def _tell_missing(model: Model, target: FilePath) -> None:
    """Report files that a model file needs in its folder and that are missing there."""
    for source in dict.fromkeys(_data_files(model)):
        compare = target.parent / source.name
        try:
            there = compare.exists() and (compare.samefile(source) or compare.read_bytes() == source.read_bytes())
        except OSError:
            there = False
        if not there:
            note(f'{target.name} reads "{source.name}" from its own folder: copy {source} to {target.parent.resolve()}')


def _data_files(model: Model) -> list[FilePath]:
    """Files that flexible bodies, shapes and finite elements of gears were read from."""
    sources = [body.superelement.source or {} for body in model.flexible_bodies.values()]
    said = [FilePath(source[key]) for source in sources for key in ("file", "mesh") if key in source]
    for pair in model.gear_pairs.values():
        for key in ("elements_a", "elements_b"):
            file = (getattr(pair.mesh, key, None) or {}).get("mesh")
            said += [FilePath(file)] if isinstance(file, str) else []
    pieces = [piece for look in model.looks.values() if look.shape is not None for piece in look.shape.pieces]
    said += [FilePath(e.values["program"].file) for e in model.elements.values() if e.key == FMU]
    return said + [piece.source for piece in pieces if piece.source is not None]


def _top(model: Model) -> str:
    lines = [f"name = {toml_text.text(model.name)}"]
    if np.any(model.gravity):
        lines.append(f"gravity = {toml_text.inline(quantities(model.gravity, 'acceleration'))}")
    if model.plane is not None:
        lines.append(f"plane = {toml_text.text(model.plane.name)}")
    return "\n".join(lines) + "\n"


def _step(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"name": step.name, "kind": step.kind}
    if step.start is not None:
        data[step.key] = step.start
    data |= {key: plain_option(value) for key, value in step.options.items() if value is not None}
    data |= {"without": list(step.without)} if step.without else {}
    data |= {"when": dict(step.when)} if step.when else {}
    return data | ({"parameters": dict(step.parameters)} if step.parameters else {})


def _figure(spec: FigureSpec) -> dict[str, Any]:
    plain = FigureSpec("", "", "", "")
    said = {key: value for key, value in asdict(spec).items() if key not in ("key", "needed")}
    return {key: value for key, value in said.items() if value != getattr(plain, key) and value is not None}


def _computed(value: Any) -> Any:
    """Data with its expressions evaluated; there are no parameters."""
    if isinstance(value, Mapping):
        return {key: _computed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_computed(item) for item in value]
    return evaluate(parse(value), {}).plain if is_expression(value) else value


SECTIONS = (
    "bodies", "shafts", "beams", "flexible_bodies", "membranes", "wheels", "joints", "gear_pairs", "drives", "loads", "elements",
    "looks",
)  # fmt: skip
"""Order in which elements are written and may refer to each other."""


class _ModelWriter:
    """Builds the model again, to check that the tables give the same model."""

    def __init__(self, model: Model, shapes: FilePath | None = None) -> None:
        self.model, self.shapes = model, shapes
        self.copy = Model(model.name, gravity=model.gravity, plane=None if model.plane is None else model.plane.name)
        self.values = Values(self.copy, self._tell, self._data_file, (EVERY_MODULE,))
        self.told: list[str] = []
        self.words = Words(model)
        self.cannot: list[str] = []
        self.gears: dict[str, Gear | Rack] = {}

    def _tell(self, path: Path, message: str) -> None:
        self.told.append(message)

    def _data_file(self, path: Path, name: str) -> FilePath:
        """File that a flexible body or a shape was read from, in any folder. A model file names it relative to itself."""
        found = next((file for file in _data_files(self.model) if file.name == name), None)
        if found is not None:
            return found
        return FilePath(name) if self.shapes is None else self.shapes / name

    def parts(self) -> dict[str, dict[str, Any]]:
        """Sections, and the tables of their elements by name."""
        self._name_gears()
        m = self.model
        own = [name for name in m.wheels if not self.words.is_gear_body(name)]
        found: dict[str, dict[str, Any]] = {"gears": {}}
        for name, gear in self.gears.items():
            try:
                found["gears"][name] = gear_data(gear, f'gear "{name}"')
            except CannotWrite as error:
                self.cannot += error.problems
        free = [name for name, body in m.bodies.items() if not isinstance(body, Station)]
        chosen = {"wheels": own, "bodies": free, "looks": [name for name in m.looks if self.words.looks.apart(name)]}
        for section in SECTIONS:
            found[section] = {}
            for name in chosen.get(section, getattr(m, section)):
                table = self._table(section, name)
                if table is not None:
                    found[section][name] = table
        if self.cannot:
            raise CannotWrite(self.cannot, title=f'model "{m.name}" cannot be written as a file')
        return {section: tables for section, tables in found.items() if tables}

    def _name_gears(self) -> None:
        """Every gear once, named after the first wheel that uses it. Gear bodies first, as in a model that is read from a file."""
        wheels = self.model.wheels
        bodies = [name for name in self.model.bodies if name in wheels]
        for name, wheel in {name: wheels[name] for name in [*bodies, *wheels]}.items():
            if wheel.gear is not None and wheel.gear not in self.gears.values():
                self.gears[name] = wheel.gear
        self.values.gears = dict(self.gears)

    def _gear_name(self, gear: Any) -> str:
        return next(name for name, known in self.gears.items() if known == gear)

    def _table(self, section: str, name: str) -> dict[str, Any] | None:
        try:
            for entry, table in self.words.of(section, name, self._gear_name):
                if self._fits(section, name, entry, table):
                    return table
        except CannotWrite as error:
            self.cannot += error.problems
            return None
        why = self.told[-1] if self.told else self._alike() or "the file would not read back to the same model"
        raise ModelError(f'model "{self.model.name}": {section}.{name} cannot be written as a file: {why}')

    def _alike(self) -> str:
        """Files of the same name in two folders, which cannot both be next to the model file."""
        files = dict.fromkeys(_data_files(self.model))
        by_name: dict[str, list[FilePath]] = {}
        for file in files:
            by_name.setdefault(file.name, []).append(file)
        pairs = [
            f"{two[0]} and {two[1]} have the same name. Rename one of them" for two in by_name.values() if len(two) > 1
        ]
        return "; ".join(pairs)

    def _fits(self, section: str, name: str, entry: Any, table: Mapping[str, Any]) -> bool:
        """Whether the reader creates the same element from this table; if so, the copy keeps it."""
        trial = self.copy.replaced()
        try:
            if section == "elements":
                self.values.element(entry, _computed(table), (section, name), trial, name)
            else:
                self.values.make(
                    entry, _computed(table), (section, name), self.values.parts, trial, name, also=("kind",)
                )
        except Skip:
            return False
        same = section == "looks" or plain_data(getattr(trial, section)[name]) == plain_data(
            getattr(self.model, section)[name]
        )
        if same and (section == "looks" or not self.words.looks.apart(name)):
            same = described_look(trial, name) == described_look(self.model, name)
        if section == "bodies" and same and name in trial.wheels:
            same = plain_data(trial.wheels[name]) == plain_data(self.model.wheels[name])
        if same:
            self.copy = self.values.model = trial
        return same
