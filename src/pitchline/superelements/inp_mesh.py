"""Reader of meshes from input files of Abaqus and CalculiX (.inp): nodes, solid elements, sets, materials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ..errors import ModelError
from ..gears.material import Material
from .solid_mesh import ElementGroup, IntArray, SolidMesh

__all__ = ["UNITS", "InpFile", "read_inp", "solid_mesh"]

UNITS = {"mm": (1e-3, 1e6, 1e12, "mm, t, s, N, MPa"), "m": (1.0, 1.0, 1.0, "m, kg, s, N, Pa")}
"""Factors of length, stress and density to SI, and what they mean."""

_NODES_OF = {
    "C3D4": 4,
    "C3D10": 10,
    "C3D10M": 10,
    "C3D10I": 10,
    "C3D8": 8,
    "C3D8I": 8,
    "C3D8R": 8,
    "C3D20": 20,
    "C3D20R": 20,
}


@dataclass
class InpFile:
    """Contents of a file, in its own units and numbers."""

    path: Path
    nodes: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    elements: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    node_sets: dict[str, list[int]] = field(default_factory=dict)
    element_sets: dict[str, list[int]] = field(default_factory=dict)
    materials: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    sections: list[tuple[str, str]] = field(default_factory=list)


def read_inp(path: str | Path) -> InpFile:
    """Read a flat input file; parts and assemblies are refused."""
    source = Path(path).expanduser()
    if not source.is_file():
        raise ModelError(f'superelement: there is no file "{source}"')
    found = InpFile(source)
    _Reader(found).read(source)
    return found


def _cards(path: Path) -> Iterator[tuple[int, str, dict[str, str], list[str]]]:
    """Line, keyword, parameters and data lines of every card."""
    head: tuple[int, str, dict[str, str]] | None = None
    data: list[str] = []
    for number, raw in enumerate(path.read_text(encoding="latin-1").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("**"):
            continue
        if line.startswith("*"):
            if head is not None:
                yield (*head, data)
            first, *rest = [part.strip() for part in line[1:].split(",")]
            given = dict(part.partition("=")[::2] for part in rest if part)
            head, data = (number, first.upper(), {k.strip().upper(): v.strip() for k, v in given.items()}), []
        elif head is not None:
            data.append(line)
    if head is not None:
        yield (*head, data)


class _Reader:
    def __init__(self, found: InpFile) -> None:
        self.found = found
        self.material = ""

    def read(self, path: Path) -> None:
        for line, keyword, given, data in _cards(path):
            if keyword in ("PART", "ASSEMBLY", "INSTANCE"):
                raise ModelError(
                    f'"{path}", line {line}: files with *{keyword} are not supported. Write the mesh without parts and assemblies '
                    "(a flat input file)"
                )
            take = getattr(self, "_" + keyword.lower().replace(" ", "_"), None)
            if take is not None:
                try:
                    take(given, data, path)
                except (ValueError, KeyError, IndexError) as error:
                    raise ModelError(f'"{path}", line {line}: *{keyword} cannot be read: {error}') from None

    def _include(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.read(path.parent / given["INPUT"].strip('"'))

    def _node(self, given: dict[str, str], data: list[str], path: Path) -> None:
        numbers = []
        for line in data:
            first, *rest = [part for part in line.split(",") if part.strip()]
            place = [float(x) for x in rest[:3]] + [0.0] * (3 - len(rest))
            self.found.nodes[int(first)] = (place[0], place[1], place[2])
            numbers.append(int(first))
        if "NSET" in given:
            self.found.node_sets.setdefault(given["NSET"].upper(), []).extend(numbers)

    def _element(self, given: dict[str, str], data: list[str], path: Path) -> None:
        kind = given["TYPE"].upper()
        each = _NODES_OF.get(kind)
        entries = [int(x) for line in data for x in line.split(",") if x.strip()]
        if each is None:
            raise ModelError(
                f'"{path}": elements of type {kind} are not supported; a flexible body is made of '
                f"{', '.join(_NODES_OF)}. Mesh it with "
                "tetrahedra or hexahedra, or specify the matrices of the other program"
            )
        numbers = entries[:: each + 1]
        for at, number in zip(range(0, len(entries), each + 1), numbers, strict=True):
            self.found.elements[number] = (kind, entries[at + 1 : at + 1 + each])
        if "ELSET" in given:
            self.found.element_sets.setdefault(given["ELSET"].upper(), []).extend(numbers)

    def _set(self, sets: dict[str, list[int]], name: str, generate: bool, data: list[str]) -> None:
        mine = sets.setdefault(name.upper(), [])
        for line in data:
            parts = [part.strip() for part in line.split(",") if part.strip()]
            if generate:
                first, last, *step = [int(part) for part in parts]
                mine.extend(range(first, last + 1, *step))
            else:
                for part in parts:
                    mine.extend([int(part)] if part.lstrip("-").isdigit() else sets[part.upper()])

    def _nset(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self._set(self.found.node_sets, given["NSET"], "GENERATE" in given, data)

    def _elset(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self._set(self.found.element_sets, given["ELSET"], "GENERATE" in given, data)

    def _material(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.material = given["NAME"].upper()
        self.found.materials[self.material] = {}

    def _elastic(self, given: dict[str, str], data: list[str], path: Path) -> None:
        if given.get("TYPE", "ISOTROPIC").upper() not in ("ISO", "ISOTROPIC"):
            raise ModelError(
                f'"{path}": material {self.material} is not isotropic; only isotropic materials are supported'
            )
        self.found.materials[self.material]["elastic"] = [float(x) for x in data[0].split(",") if x.strip()]

    def _density(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.found.materials[self.material]["density"] = [float(data[0].split(",")[0])]

    def _solid_section(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.found.sections.append((given["ELSET"].upper(), given["MATERIAL"].upper()))


def solid_mesh(found: InpFile, units: str, material: Material | None) -> SolidMesh:
    """The mesh of a file in SI. material: instead of those of the file."""
    length, stress, density, _ = UNITS[units]
    if not found.elements:
        raise ModelError(f'"{found.path}": there are no solid elements')
    labels = np.array(sorted(found.nodes))
    row = {int(n): i for i, n in enumerate(labels)}
    nodes = length * np.array([found.nodes[int(n)] for n in labels])
    of_element: dict[int, Material] = {}
    if material is None:
        for elements, name in found.sections:
            made = _material(found, name, stress, density)
            if elements == "EALL" and elements not in found.element_sets:
                of_element |= dict.fromkeys(found.elements, made)
            else:
                of_element |= dict.fromkeys(found.element_sets.get(elements, []), made)
        bare = next((n for n in found.elements if n not in of_element), None)
        if bare is not None:
            raise ModelError(
                f'"{found.path}": element {bare} has no *SOLID SECTION with a material; add one, or specify '
                "material=pl.STEEL for all"
            )
    tables: dict[tuple[int, int], tuple[Material, list[int], list[list[int]]]] = {}
    for number, (_, members) in found.elements.items():
        mine = material or of_element[number]
        missing = next((n for n in members if n not in row), None)
        if missing is not None:
            raise ModelError(f'"{found.path}": element {number} refers to node {missing}, which has no coordinates')
        _, numbers, rows = tables.setdefault((len(members), id(mine)), (mine, [], []))
        numbers.append(number)
        rows.append([row[n] for n in members])
    groups = tuple(ElementGroup(np.array(rows), mine, np.array(numbers)) for mine, numbers, rows in tables.values())
    return SolidMesh(nodes, groups, MappingProxyType(node_sets(found, row)), labels)


def node_sets(found: InpFile, row: dict[int, int]) -> dict[str, IntArray]:
    """Rows of nodes by name."""
    return {
        name: np.unique([row[n] for n in members if n in row]).astype(np.int64)
        for name, members in found.node_sets.items()
    }


def _material(found: InpFile, name: str, stress: float, density: float) -> Material:
    said = found.materials.get(name, {})
    for key, card in (("elastic", "*ELASTIC"), ("density", "*DENSITY")):
        if key not in said:
            raise ModelError(
                f'"{found.path}": material {name} has no {card}; add it, or specify material=pl.STEEL for all elements'
            )
    modulus, ratio = said["elastic"][:2]
    return Material(name, youngs_modulus=stress * modulus, poissons_ratio=ratio, density=density * said["density"][0])
