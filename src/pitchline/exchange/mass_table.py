"""Table of mass properties (CSV or JSON), as CAD programs report them, and the report of an import."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file, check_target
from pitchline.errors import PitchlineError, Subject, near_names, shown
from pitchline.model.model import Model
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import read_rotation
from pitchline.units.quantity import LARGEST, quantity, vector

from .safe_xml import ExchangeError, file_bytes

__all__ = ["KINDS", "ImportReport", "Imported", "Note", "MassTablePart", "import_mass_table", "read_mass_table"]


# ---- imported

# What a reader of another program's file returns: the model and a list of what was done with the file.

Kind = Literal["ignored", "repaired", "assumed", "kept", "used"]
KINDS: tuple[Kind, ...] = ("ignored", "repaired", "assumed", "kept", "used")
HEADINGS: dict[Kind, str] = {
    "ignored": "Not in the model",
    "repaired": "Repaired",
    "assumed": "Assumed",
    "kept": "Kept for writing, without effect on the model",
    "used": "Used",
}


@dataclass(frozen=True)
class Note:
    """One line of the report of an import.

    kind: "ignored": changes the mechanics and is not in the model, for example a load; "repaired": an error of the file with
          the way in which it is read; "assumed": a value that the file does not state; "kept": without effect on the mechanics;
          "used": what became what
    text: names the item, and the line of the file where it helps
    """

    kind: Kind
    text: str


@names_wrong_arguments
@dataclass
class ImportReport:
    """Report of an import: what was used, kept, assumed and ignored.

    Parameters
    ----------
    notes
        Notes in the order in which they were made; each text once. Default: none.
    """

    notes: list[Note] = field(default_factory=list)

    def add(self, kind: Kind, text: str) -> None:
        """Add a note, unless it is there.

        Parameters
        ----------
        kind
            "ignored", "repaired", "assumed", "kept" or "used".
        text
            Names the item.
        """
        note = Note(kind, text)
        if note not in self.notes:
            self.notes.append(note)

    def of(self, kind: Kind) -> list[str]:
        """Return the texts of one kind.

        Parameters
        ----------
        kind
            "ignored", "repaired", "assumed", "kept" or "used".
        """
        return [note.text for note in self.notes if note.kind == kind]

    def text(self, kinds: Iterable[Kind] = KINDS) -> str:
        """Return the report as text; what is not in the model comes first.

        Parameters
        ----------
        kinds
            Kinds of notes. Default: all.
        """
        blocks = []
        for kind in kinds:
            lines = self.of(kind)
            if lines:
                blocks.append("\n".join([f"{HEADINGS[kind]}:", *(f"  - {line}" for line in lines)]))
        return "\n".join(blocks)


@dataclass
class Imported:
    """Model from another program's file.

    model:  the model
    report: what was used, kept, assumed and ignored
    text:   of the model file, if it contains more than the model, for example analyses and parameters
    files:  that the model file reads from its folder, for example shapes: name -> contents
    """

    model: Model
    report: ImportReport
    text: str | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def file_text(self) -> str:
        """Text of the model file."""
        return self.text if self.text is not None else self.model.to_toml()

    def write(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, how_to_overwrite: str = "pass overwrite=True"
    ) -> list[Path]:
        """Write the model file and the files that it reads. Returns their paths; the model file is the first one.

        All names are checked before the first file is written.
        """
        target = Path(path).expanduser()
        contents = {target: self.file_text().encode("utf-8")}
        contents |= {target.parent / name: data for name, data in self.files.items()}
        for one in contents:
            check_target(one, overwrite=overwrite, how_to_overwrite=how_to_overwrite)
        for one, data in reversed(contents.items()):  # the model file last: it is complete if it exists
            one.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(one, overwrite=overwrite, how_to_overwrite=how_to_overwrite) as (draft, _):
                draft.write_bytes(data)
        return list(contents)


CENTRE = ("x", "y", "z")
MOMENTS = ("ixx", "iyy", "izz")
PRODUCTS = ("ixy", "ixz", "iyz")
POSITION = ("px", "py", "pz")
QUATERNION = ("qw", "qx", "qy", "qz")
DIMENSIONS = {
    "mass": "mass",
    **dict.fromkeys(CENTRE + POSITION, "length"),
    **dict.fromkeys(MOMENTS + PRODUCTS, "inertia"),
}
_COLUMNS = ("name", *DIMENSIONS, *QUATERNION)
ABOUT = ("centre of mass", "origin")
SIGNS = ("tensor", "integrals")
MOST_ROWS = 100_000


@dataclass(frozen=True, eq=False)
class MassTablePart:
    """One row of a table of mass properties.

    Attributes
    ----------
    name : str
    solid : MassProperties
        In the axes of the part, for ``m.body(solid=...)``.
    position, orientation : (3,), (3, 3)
        Placement of the axes of the part in the world [m].
    """

    name: str
    solid: MassProperties
    position: npt.NDArray[np.float64]
    orientation: npt.NDArray[np.float64]


@names_wrong_arguments
def read_mass_table(path: str | Path, *, about: str | None = None, products: str | None = None) -> list[MassTablePart]:
    """Parts of a table of mass properties.

    Parameters
    ----------
    path
        .csv: a first line with the columns ``name, mass [kg], x [mm], y [mm], z [mm], ixx [kg*mm^2], iyy [...], izz [...],
        ixy [...], ixz [...], iyz [...]``, and for the placement ``px [mm], py [mm], pz [mm]`` and the quaternion ``qw, qx, qy,
        qz``. Units are in the first line, or in each value. x, y, z is the centre of mass in the axes of the part. Products of
        inertia and placement may be left out.

        .json: a list of tables with the same keys, or ``{"units": {"mass": "kg", "length": "mm", "inertia": "kg*mm^2"},
        "about": ..., "products": ..., "parts": [...]}``.
    about
        Point of the moments of inertia: "centre of mass" or "origin" of the part. Default: the centre of mass.
    products
        Sign of the products of inertia: "tensor" (entries of the inertia tensor, ixy = -∫xy dm) or "integrals" (ixy = ∫xy dm).
        Required if a product is not zero, because programs differ.
    """
    file = Path(path).expanduser()
    data = file_bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if file.suffix.lower() == ".json":
        rows, units, head = _json_rows(text, file)
    elif file.suffix.lower() == ".csv":
        rows, units, head = _csv_rows(text, file)
    else:
        raise ExchangeError(f"{file}: a table of mass properties must be a .csv or a .json file")
    about = _chosen("about", about, head, ABOUT, file) or ABOUT[0]
    products = _chosen("products", products, head, SIGNS, file)
    if not rows:
        raise ExchangeError(f"{file}: the table has no rows")
    if len(rows) > MOST_ROWS:
        raise ExchangeError(f"{file}: the table has {len(rows)} rows, the limit is {MOST_ROWS}")
    found: list[MassTablePart] = []
    names: dict[str, str] = {}
    for where, row in rows:
        part = _part(row, units, about, products, f"{file}, {where}")
        if part.name in names:
            raise ExchangeError(f'{file}, {where}: the name "{part.name}" is already used in {names[part.name]}')
        names[part.name] = where
        found.append(part)
    return found


def import_mass_table(path: str | Path, *, about: str | None = None, products: str | None = None) -> Imported:
    """Model with one body for each row of a table of mass properties."""
    model, report = Model(Path(path).stem), ImportReport()
    for part in read_mass_table(path, about=about, products=products):
        model.body(part.name, solid=part.solid, position=part.position, orientation=part.orientation)
        report.add("used", f'body "{part.name}": {part.solid.mass:.6g} kg')
    return Imported(model, report)


def _chosen(name: str, given: Any, head: Mapping[str, Any], allowed: tuple[str, ...], file: Path) -> str | None:
    value = head.get(name) if given is None else given
    if value is not None and value not in allowed:
        raise ExchangeError(f'{file}: {name} must be one of "{allowed[0]}" and "{allowed[1]}", got {shown(value)}')
    return value


def _csv_rows(text: str, file: Path) -> tuple[list[tuple[str, dict[str, Any]]], dict[str, str], dict[str, Any]]:
    lines = text.splitlines()
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None)
    if first is None:
        raise ExchangeError(f"{file}: the table is empty")
    separator = max(",;\t", key=lines[first].count)
    try:
        read = csv.reader(io.StringIO("\n".join(lines[first:])), delimiter=separator, skipinitialspace=True)
        table = [(first + read.line_num, row) for row in read]
    except csv.Error as error:
        raise ExchangeError(f"{file}: the table cannot be read: {error}") from error
    columns, units = [], {}
    for title in table[0][1]:
        match = re.fullmatch(r"\s*([^\[\]]*?)\s*(?:\[([^\]]*)\])?\s*", title)
        if match is None:
            raise ExchangeError(
                f"{file}, line {first + 1}: the column {shown(title)} is not a name and a unit in brackets"
            )
        name = match.group(1).lower()
        _check_key(name, f"{file}, line {first + 1}")
        if name in columns:
            raise ExchangeError(f'{file}, line {first + 1}: the column "{name}" occurs twice')
        columns.append(name)
        if match.group(2):
            units[name] = match.group(2)
    rows = []
    for line, cells in table[1:]:
        if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
            continue
        if len(cells) != len(columns):
            raise ExchangeError(f"{file}, line {line}: {len(cells)} values, but {len(columns)} columns")
        row = {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if cell.strip()}
        rows.append((f"line {line}", row))
    return rows, units, {}


def _json_rows(text: str, file: Path) -> tuple[list[tuple[str, dict[str, Any]]], dict[str, str], dict[str, Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExchangeError(f"{file}: not valid JSON: {error}") from error
    head: dict[str, Any] = data if isinstance(data, dict) else {"parts": data}
    parts, given = head.get("parts"), head.get("units", {})
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise ExchangeError(f'{file}: expected a list of tables, or a table with the key "parts"')
    if not isinstance(given, dict) or not all(isinstance(unit, str) for unit in given.values()):
        raise ExchangeError(
            f'{file}: units must be a table such as {{"mass": "kg", "length": "mm"}}, got {shown(given)}'
        )
    for name in set(given) - set(DIMENSIONS.values()):
        raise ExchangeError(f'{file}: units: "{name}" is unknown; {near_names(name, sorted(set(DIMENSIONS.values())))}')
    units = {name: given[kind] for name, kind in DIMENSIONS.items() if kind in given}
    rows = []
    for number, part in enumerate(parts, 1):
        for key in part:
            _check_key(str(key).lower(), f"{file}, part {number}")
        rows.append((f"part {number}", {str(key).lower(): value for key, value in part.items()}))
    return rows, units, head


def _check_key(name: str, where: str) -> None:
    if name not in _COLUMNS:
        raise ExchangeError(f'{where}: the column "{name[:60]}" is unknown; {near_names(name, _COLUMNS)}')


def _part(row: dict[str, Any], units: dict[str, str], about: str, products: str | None, where: str) -> MassTablePart:
    name = row.get("name")
    if not isinstance(name, str) or not name:
        raise ExchangeError(f"{where}: the name is missing")
    what = Subject(f'{where}, part "{name}"')

    def value(key: str) -> float:
        if key not in row:
            raise ExchangeError(f"{what}: {key} is missing")
        return _quantity(row[key], key, units, what)

    try:
        mass = value("mass")
        centre = np.array([value(key) for key in CENTRE])
        inertia = np.diag([value(key) for key in MOMENTS])
        given = [value(key) if key in row else 0.0 for key in PRODUCTS]
        if any(given) and products is None:
            raise ExchangeError(
                f'{what}: programs differ in the sign of products of inertia. Specify products="tensor" (ixy = -∫xy dm) or '
                'products="integrals" (ixy = ∫xy dm)'
            )
        for (i, j), product in zip(((0, 1), (0, 2), (1, 2)), given, strict=True):
            inertia[i, j] = inertia[j, i] = -product if products == "integrals" else product
        if about == "origin":
            inertia = inertia - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        if not mass > 0.0:
            raise ExchangeError(f"{what}: mass must be greater than zero, got {mass:g} kg")
        solid = MassProperties(mass, centre, inertia, what=what)
        position = vector([value(key) if key in row else 0.0 for key in POSITION], "length", what=what / "position")
        turn = [_quantity(row[key], key, {}, what) for key in QUATERNION if key in row]
        if turn and len(turn) != 4:
            raise ExchangeError(f"{what}: a quaternion has the four columns qw, qx, qy and qz")
        orientation = read_rotation(turn or None, what=what / "orientation")
    except ExchangeError:
        raise
    except PitchlineError as error:
        raise ExchangeError(str(error)) from error
    return MassTablePart(name, solid, position, orientation)


def _quantity(value: Any, key: str, units: dict[str, str], what: Subject) -> float:
    """Number in SI units. Its unit is in the value or in the head of the table."""
    kind = DIMENSIONS.get(key)
    plain: float | None = None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        plain = float(value) if abs(value) <= LARGEST else np.inf
    elif isinstance(value, str):
        try:
            plain = float(value)
        except ValueError:
            plain = None
    if plain is None:
        if kind is None or not isinstance(value, str):
            raise ExchangeError(f"{what}: {key}: expected a number, got {shown(value)}")
        return quantity(value, kind, what=what / key)
    if not abs(plain) <= LARGEST:
        raise ExchangeError(
            f"{what}: {key} is not a finite number below {LARGEST:g}, got {shown(value)}. Check the value and the unit"
        )
    if kind is None or plain == 0.0:
        return plain
    if key not in units:
        raise ExchangeError(
            f'{what}: {key} has no unit. Add it to the head of the column, such as "{key} [mm]", or to the value'
        )
    return plain * quantity(f"1 {units[key]}", kind, what=what / key)
