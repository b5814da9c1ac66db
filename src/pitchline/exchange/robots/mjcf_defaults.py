"""MJCF: included files, compiler settings, and the defaults of classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...errors import shown
from ..limits import MOST_DEPTH, ExchangeError, file_bytes
from ..safe_xml import XmlElement, parse_xml
from .attributes import ElementReading
from .mesh_files import existing_folder
from .placement import RobotPlacement, about, from_euler, from_quaternion

__all__ = ["ACTUATORS", "MjcfFile", "read_mjcf_tree"]

ACTUATORS = (
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
)
MOST_INCLUDED = 100
"""Most included files."""


@dataclass
class MjcfFile:
    """An MJCF file with its included files, the settings of its compiler, and its defaults.

    sections: children of <mujoco>, in the order of the file
    defaults: attributes by class and tag
    """

    path: Path
    name: str
    sections: list[XmlElement]
    degrees: bool = True
    euler: str = "xyz"
    from_geoms: str = "auto"
    auto_limits: bool = True
    balance: bool = False
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    strip_path: bool = False
    mesh_folder: str = ""
    groups: tuple[int, int] = (0, 5)
    defaults: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {"main": {}})

    def all(self, tag: str) -> list[XmlElement]:
        """Children of all sections with this tag."""
        return [child for section in self.sections if section.tag == tag for child in section.children]

    def reading(
        self, element: XmlElement, what: str, inherited: str | None = None, tags: tuple[str, ...] = ()
    ) -> ElementReading:
        """An element with the defaults of its class. inherited: class of the body; tags: whose defaults hold."""
        name = element.attributes.get("class", inherited or "main")
        if name not in self.defaults:
            raise ExchangeError(
                f"{self.path}, line {element.line}: {what}: there is no class {shown(name[:80])} in <default>"
            )
        merged: dict[str, str] = {}
        for tag in tags or (element.tag,):
            merged |= self.defaults[name].get(tag, {})
        return ElementReading(
            self.path,
            XmlElement(element.tag, merged | element.attributes, element.line, element.text, element.children),
            what,
        )

    def angle(self, value: float) -> float:
        """An angle of the file in rad."""
        return math.radians(value) if self.degrees else value

    def placement(self, reading: ElementReading) -> RobotPlacement:
        """Position and orientation of an element."""
        return RobotPlacement(self.orientation(reading), reading.vector("pos", (0.0, 0.0, 0.0)))

    def orientation(self, reading: ElementReading) -> np.ndarray:
        """Orientation by one of quat, axisangle, euler, xyaxes and zaxis."""
        given = [key for key in ("quat", "axisangle", "euler", "xyaxes", "zaxis") if reading.text(key) is not None]
        own = [key for key in given if key != "quat"] or given
        if len(own) > 1:
            raise reading.error(f"has several orientations: {' and '.join(own)}. Specify one of them")
        if not own:
            return np.eye(3)
        values = reading.vector(own[0], None, {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(own[0], 3))
        if own[0] == "euler":
            return from_euler(np.array([self.angle(float(v)) for v in values]), self.euler)
        if own[0] == "quat":
            _length(reading, values, "quat")
            return from_quaternion(values)
        if own[0] == "axisangle":
            return about(values[:3] / _length(reading, values[:3], "axisangle"), self.angle(float(values[3])))
        if own[0] == "xyaxes":
            x = values[:3] / _length(reading, values[:3], "xyaxes")
            y = values[3:] - (values[3:] @ x) * x
            y = y / _length(reading, y, "xyaxes")
            return np.column_stack([x, y, np.cross(x, y)])
        z = values / _length(reading, values, "zaxis")
        return smallest_rotation(z)


def smallest_rotation(z: np.ndarray) -> np.ndarray:
    """Rotation by the smallest angle that turns the z axis into a direction."""
    axis = np.array([-z[1], z[0], 0.0])
    s, c = float(np.linalg.norm(axis)), float(z[2])
    if s < 1e-10:
        return np.eye(3) if c > 0.0 else np.diag([1.0, -1.0, -1.0])
    return about(axis / s, math.atan2(s, c))


def _length(reading: ElementReading, values: np.ndarray, key: str) -> float:
    length = float(np.linalg.norm(values))
    if not length > 1e-12:
        raise reading.error(f'attribute "{key}" has the length 0. Specify a direction')
    return length


def read_mjcf_tree(path: Path, folders: Sequence[str | Path] = ()) -> MjcfFile:
    """Read a file with its included files, compiler settings and defaults. folders: more folders of included files."""
    root = parse_xml(file_bytes(path), path)
    if root.tag == "robot":
        raise ExchangeError(f"{path}: is a URDF file (<robot>), not MJCF. Use from_urdf")
    if root.tag != "mujoco":
        raise ExchangeError(
            f"{path}, line {root.line}: expected <mujoco> as the first element of an MJCF file, got <{root.tag[:40]}>"
        )
    roots = [path.resolve().parent, *(existing_folder(one, "folders") for one in folders)]
    _include(root, roots, path, {path.resolve()}, 0)
    file = MjcfFile(path, root.attributes.get("model", "").strip() or path.stem, root.children)
    for section in root.children:
        if section.tag == "compiler":
            _compiler(file, ElementReading(path, section, "compiler"))
    for section in root.children:
        if section.tag == "default":
            name = section.attributes.get("class", "main")
            _defaults(file, section, "main" if name == "main" else name, {})
    return file


def _include(element: XmlElement, roots: list[Path], path: Path, seen: set[Path], depth: int) -> None:
    """Replace <include file="..."/> by the contents of files. Their names are relative to the folder of the first file, or to
    another folder that the user names; they must be below one of these folders."""
    if depth > MOST_DEPTH:
        raise ExchangeError(f"{path}: elements are nested more than {MOST_DEPTH} deep")
    children: list[XmlElement] = []
    for child in element.children:
        if child.tag != "include":
            _include(child, roots, path, seen, depth + 1)
            children.append(child)
            continue
        name = child.attributes.get("file", "").strip()
        file = _included(name, roots)
        if file is None:
            raise ExchangeError(
                f"{path}, line {child.line}: include {shown(name[:80])}: there is no such file below the folder of the model. "
                "Specify folders=[...] (option --folder) for files in other folders"
            )
        if file in seen or len(seen) > MOST_INCLUDED:
            raise ExchangeError(f"{path}, line {child.line}: include {shown(name[:80])}: the file is included twice")
        seen.add(file)
        root = parse_xml(file_bytes(file), file)
        _include(root, roots, file, seen, depth + 1)
        children += root.children
    element.children = children


def _included(name: str, roots: list[Path]) -> Path | None:
    """An included file that is below one of the folders."""
    for folder in roots:
        try:
            file = (folder / name).resolve()
            if name and "\0" not in name and any(file.is_relative_to(root) for root in roots) and file.is_file():
                return file
        except (OSError, RuntimeError, ValueError):
            continue
    return None


def _compiler(file: MjcfFile, reading: ElementReading) -> None:
    file.degrees = reading.choice("angle", ("degree", "radian"), "degree" if file.degrees else "radian") == "degree"
    sequence = reading.text("eulerseq")
    if sequence is not None:
        if len(sequence) != 3 or any(letter not in "xyzXYZ" for letter in sequence):
            raise reading.error(f'eulerseq must be three letters of x, y, z or X, Y, Z, got "{sequence[:20]}"')
        file.euler = sequence
    file.from_geoms = reading.choice("inertiafromgeom", ("auto", "true", "false"), file.from_geoms)
    file.auto_limits = reading.flag("autolimits", file.auto_limits)
    file.balance = reading.flag("balanceinertia", file.balance)
    file.strip_path = reading.flag("strippath", file.strip_path)
    file.least_mass = reading.not_negative("boundmass", file.least_mass)
    file.least_inertia = reading.not_negative("boundinertia", file.least_inertia)
    file.total_mass = reading.number("settotalmass", file.total_mass)
    file.mesh_folder = reading.text("meshdir") or reading.text("assetdir") or file.mesh_folder
    low, high = reading.vector("inertiagrouprange", tuple(float(g) for g in file.groups), 2)
    file.groups = (int(low), int(high))
    if reading.text("coordinate") == "global":
        raise reading.error('coordinate="global" is not read. Save the model with a newer version of MuJoCo')


def _defaults(file: MjcfFile, element: XmlElement, name: str, above: dict[str, dict[str, str]]) -> None:
    own = {tag: dict(attributes) for tag, attributes in above.items()}
    known = file.defaults.get(name, {})
    for tag, attributes in known.items():
        own.setdefault(tag, {}).update(attributes)
    for child in element.children:
        if child.tag != "default":
            own.setdefault(child.tag, {}).update(child.attributes)
    file.defaults[name] = own
    for child in element.children:
        if child.tag == "default":
            inner = child.attributes.get("class", "").strip()
            if not inner:
                raise ExchangeError(f"{file.path}, line {child.line}: <default> inside <default> needs a class")
            _defaults(file, child, inner, own)
