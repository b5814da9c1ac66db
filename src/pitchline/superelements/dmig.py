"""Matrices of Nastran: DMIG in punch files (.pch), with coordinates as GRID, read and written.

Entries are in small fields (8 columns), large fields (16 columns, `DMIG*`) or free fields (commas). A number in a large field has
11 to 13 significant digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from ..disk.atomic import atomic_file
from ..errors import ModelError

if TYPE_CHECKING:
    from .matrix_files import FileMatrices

__all__ = ["dmig_number", "read_dmig", "read_grids", "write_dmig"]

Label = tuple[int, int]
_NAME = re.compile(r"\$ interface (\d+) = (.+)")
MOST_ENTRIES = 20_000_000


@dataclass
class _Card:
    """One entry of the file: name and fields, continuation lines joined."""

    name: str
    fields: list[str]


def _cards(path: Path) -> Iterator[_Card]:
    """Entries DMIG and GRID. Comments and other entries are left out."""
    card: _Card | None = None
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line.strip() or line.startswith("$"):
            continue
        first, fields = _fields(line)
        name = first.rstrip("*").strip().upper()
        if name and not name.startswith("+"):
            if card is not None:
                yield card
            card = _Card(name, fields) if name in ("DMIG", "GRID") else None
        elif card is not None:
            card.fields += fields
    if card is not None:
        yield card


def _fields(line: str) -> tuple[str, list[str]]:
    """First field, and the 4 or 8 data fields of a line."""
    if "," in line:
        parts = [part.strip() for part in line.split(",")]
        wide = parts[0].endswith("*")
        data = parts[1 : 5 if wide else 9]
        return parts[0], data + [""] * ((4 if wide else 8) - len(data))
    first = line[:8].strip()
    width, count = (16, 4) if first.endswith("*") or first.startswith("*") else (8, 8)
    text = line[8:].ljust(width * count)
    return first, [text[width * i : width * (i + 1)].strip() for i in range(count)]


def dmig_number(text: str) -> float:
    """A number as Fortran writes it: 1.5D+03, and 1.5+3 without a letter."""
    plain = text.strip().upper().replace("D", "E")
    return float(re.sub(r"(?<=[\d.])([+-]\d+)$", r"E\1", plain))


def read_dmig(path: Path, names: tuple[str, str] = ("KAAX", "MAAX")) -> FileMatrices:
    """Stiffness and mass in a punch file of Nastran, symmetric (form 6) or square (form 1)."""
    from .matrix_files import FileMatrices

    entries: dict[str, dict[tuple[Label, Label], float]] = {}
    forms: dict[str, str] = {}
    try:
        for card in _cards(path):
            if card.name == "DMIG":
                _add(card.fields, entries, forms)
    except (ValueError, IndexError, KeyError) as error:
        raise ModelError(f'"{path}" is not a punch file with DMIG matrices: {error}') from None
    missing = [name for name in names if name not in entries]
    if missing:
        have = ", ".join(entries) or "none"
        raise ModelError(
            f'"{path}": there is no DMIG matrix {missing[0]}, it has {have}; write stiffness and mass with '
            f"EXTSEOUT(STIFFNESS, MASS, "
            "DMIGPCH), or specify their names: matrices = [stiffness, mass]"
        )
    labels = sorted({label for name in names for pair in entries[name] for label in pair})
    place = {label: i for i, label in enumerate(labels)}
    found = []
    for name in names:
        rows, columns, values = [], [], []
        for (row, column), value in entries[name].items():
            rows.append(place[row])
            columns.append(place[column])
            values.append(value)
            if forms[name] == "6" and row != column and (column, row) not in entries[name]:
                rows.append(place[column])
                columns.append(place[row])
                values.append(value)
        found.append(sp.coo_matrix((values, (rows, columns)), shape=(len(labels), len(labels))).tocsc())
    return FileMatrices(found[0], found[1], np.array(labels))


def _add(fields: list[str], entries: dict[str, dict[tuple[Label, Label], float]], forms: dict[str, str]) -> None:
    """Take one entry: the head of a matrix, or the terms of a column."""
    name, first = fields[0].upper(), int(fields[1])
    if first == 0:
        if fields[2] not in ("", "1", "6"):
            raise ValueError(f"{name} has form {fields[2]}, but 6 (symmetric) or 1 (square) is required")
        if fields[3] in ("3", "4"):
            raise ValueError(f"{name} has complex entries")
        entries.setdefault(name, {})
        forms.setdefault(name, fields[2] or "6")
        return
    terms = entries[name]
    column = (first, int(fields[2] or 0))
    for at in range(4, len(fields), 4):
        group = fields[at : at + 4]
        if not group[0]:
            continue
        if len(group) < 3 or not group[2]:
            raise ValueError(f"{name}: a term of column {column[0]} has no value")
        terms[(int(group[0]), int(group[1] or 0)), column] = dmig_number(group[2])
        if len(terms) > MOST_ENTRIES:
            raise ValueError(f"{name} has more than {MOST_ENTRIES} terms")


def read_grids(path: Path) -> tuple[dict[int, np.ndarray], dict[str, np.ndarray]]:
    """Coordinates of GRID entries in the basic axes, in the unit of the file, and interfaces that `write_dmig` named."""
    places: dict[int, np.ndarray] = {}
    try:
        for card in _cards(path):
            if card.name == "GRID":
                if card.fields[1] not in ("", "0") or (len(card.fields) > 5 and card.fields[5] not in ("", "0")):
                    raise ValueError(f"GRID {card.fields[0]} is not in the basic coordinate system")
                x, y, z = (dmig_number(x) if x else 0.0 for x in [*card.fields, "", "", ""][2:5])
                places[int(card.fields[0])] = np.array([x, y, z])
    except (ValueError, IndexError) as error:
        raise ModelError(f'"{path}": {error}') from None
    sets = {}
    for match in map(_NAME.match, path.read_text(encoding="latin-1").splitlines()):
        if match is not None:
            sets[match.group(2).encode("latin-1").decode("utf-8", "replace").strip()] = np.array([int(match.group(1))])
    return places, sets


# ---- writing


def field_16(value: float) -> str:
    """A number in 16 columns with as many digits as fit: 11 to 13."""
    if value == 0.0:
        return "0.0".rjust(16)
    for digits in range(15, 0, -1):
        mantissa, exponent = f"{value:.{digits}E}".split("E")
        text = f"{mantissa}{int(exponent):+d}"
        if len(text) <= 16:
            return text.rjust(16)
    raise ValueError(f"{value} does not fit in 16 columns")


def write_dmig(
    path: str | Path,
    K: np.ndarray,
    M: np.ndarray,
    labels: list[Label],
    places: dict[int, np.ndarray],
    names: dict[int, str],
    *,
    units: str,
    overwrite: bool = False,
) -> Path:
    """Write stiffness and mass as KAAX and MAAX, GRID of the nodes and SPOINT of the modes.

    labels: node and component of each row, component 0: a mode. places: of the nodes, in the unit of the file.
    """
    modes = [node for node, component in labels if component == 0]
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("w", encoding="utf-8", newline="\n") as out:
            out.write(f"$ pitchline: reduced body, units {units}\n")
            for node, name in names.items():
                out.write(f"$ interface {node} = {name}\n")
            for node, (x, y, z) in places.items():
                out.write(f"GRID*   {node:>16d}{'':16s}{field_16(float(x))}{field_16(float(y))}*\n")
                out.write(f"*       {field_16(float(z))}\n")
            for start in range(0, len(modes), 8):
                out.write("SPOINT  " + "".join(f"{mode:>8d}" for mode in modes[start : start + 8]) + "\n")
            for name, A in (("KAAX", K), ("MAAX", M)):
                out.write(f"DMIG    {name:<8s}{0:>8d}{6:>8d}{2:>8d}{0:>8d}\n")
                for j, (node, component) in enumerate(labels):
                    rows = [i for i in range(j, len(labels)) if A[i, j] != 0.0]
                    if not rows:
                        continue
                    out.write(f"DMIG*   {name:<16s}{node:>16d}{component:>16d}{'':16s}*\n")
                    for i in rows:
                        out.write(f"*       {labels[i][0]:>16d}{labels[i][1]:>16d}{field_16(float(A[i, j]))}\n")
        written = target
    return written
