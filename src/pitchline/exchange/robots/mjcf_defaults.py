"""MJCF files: included files, compiler settings, defaults of classes, actuators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, shown
from pitchline.solids.mass_properties import MassProperties, Shape
from pitchline.solids.stl_solid import stl

from ..mass_table import ImportReport
from ..safe_xml import MOST_DEPTH, ExchangeError, XmlElement, file_bytes, parse_xml
from .description import ActuatorData, Robot, RobotPlacement, SumData, about, from_euler, from_quaternion

__all__ = ["ElementReading", "MeshFiles", "ACTUATORS", "MjcfFile", "read_mjcf_tree", "read_actuators"]


# ---- attributes

# Attributes of XML elements as numbers and vectors. Errors name the file, the line, the item and the value.

LARGEST = 1e18
"""Largest number that is accepted, in SI units."""


@dataclass(frozen=True)
class ElementReading:
    """One XML element that is read: a file, the element, and what it describes, such as 'link "arm"'."""

    file: Path
    element: XmlElement
    what: str

    def error(self, text: str) -> ExchangeError:
        """Error with file, line and item."""
        return ExchangeError(f"{self.file}, line {self.element.line}: {self.what}: {text}")

    def of(self, element: XmlElement) -> ElementReading:
        """The same item, at a child element."""
        return ElementReading(self.file, element, self.what)

    def text(self, key: str) -> str | None:
        """Text of an attribute without blanks at its ends; None if it is not there or empty."""
        value = self.element.attributes.get(key, "").strip()
        return value or None

    def needed(self, key: str, way_out: str) -> str:
        """Text of an attribute that must be there."""
        value = self.text(key)
        if value is None:
            raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. {way_out}')
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Number; without a default the attribute is required."""
        given = self.text(key)
        if given is None:
            if default is None:
                raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. Specify a number')
            return default
        return self._numbers(key, given, (1,))[0]

    def optional(self, key: str) -> float | None:
        """Number, or None if the attribute is not there."""
        return None if self.text(key) is None else self.number(key)

    def not_negative(self, key: str, default: float | None = None) -> float:
        """Number that is zero or positive."""
        value = self.number(key, default)
        if value < 0.0:
            raise self.error(f'attribute "{key}" of <{self.element.tag}> must not be negative, got {value:g}')
        return value

    def vector(self, key: str, default: tuple[float, ...] | None, *counts: int) -> FloatArray:
        """Numbers that are separated by blanks; counts: allowed numbers of them, default 3."""
        given = self.text(key)
        if given is None:
            if default is None:
                n = counts[0] if counts else 3
                raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. Specify {n} numbers')
            return np.array(default, float)
        return np.array(self._numbers(key, given, counts or (3,)))

    def flag(self, key: str, default: bool) -> bool:
        """Attribute with the value "true" or "false"."""
        given = self.text(key)
        if given is None:
            return default
        if given not in ("true", "false"):
            raise self.error(f'attribute "{key}" of <{self.element.tag}> must be "true" or "false", got "{given[:40]}"')
        return given == "true"

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        """One of several texts."""
        given = self.text(key)
        if given is None:
            return default
        if given not in options:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must be one of {", ".join(options)}, got "{given[:40]}"'
            )
        return given

    def _numbers(self, key: str, given: str, counts: tuple[int, ...]) -> list[float]:
        words = given.split()
        if "${" in given or "$(" in given:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> is "{given[:60]}": the file contains xacro macros. Expand it first: '
                "xacro robot.xacro > robot.urdf"
            )
        try:
            values = [float(word) for word in words]
        except ValueError:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must contain numbers, got "{given[:60]}"'
            ) from None
        if len(values) not in counts:
            expected = " or ".join(str(n) for n in counts)
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must have {expected} number{"" if counts == (1,) else "s"}, '
                f'got {len(values)}: "{given[:60]}"'
            )
        for value in values:
            if not math.isfinite(value) or abs(value) > LARGEST:
                raise self.error(
                    f'attribute "{key}" of <{self.element.tag}> has the value {value:g}, which is not finite or larger than '
                    f"{LARGEST:g}"
                )
        return values


# ---- mesh files

# Mesh files of robots: where they are, and shapes of them. Only files below folders that the user names are read.

MOST_SHAPE_TRIANGLES = 60_000
"""Larger surfaces are not drawn, so that pages of robots stay small."""


class MeshFiles:
    """Finds and reads the mesh files of one robot.

    folder:   of the robot file; relative paths start there
    folders:  more folders in which files are looked for
    packages: folders of packages by name, for package://NAME/...
    """

    def __init__(
        self,
        folder: Path,
        folders: Sequence[str | Path],
        packages: Mapping[str, str | Path],
        report: ImportReport,
    ) -> None:
        self.report = report
        self.roots = [folder.resolve(), *(existing_folder(one, "folders") for one in folders)]
        self.packages = {name: existing_folder(one, f'packages: "{name}"') for name, one in packages.items()}
        self.mesh_folder: str = ""
        self._shapes: dict[tuple[Path, float], Shape | None] = {}
        self._taken: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """The file with this name or address, if it is below one of the folders; otherwise None, with a note."""
        scheme, separator, rest = name.partition("://")
        if separator and scheme == "package":
            package, _, inside = rest.partition("/")
            roots = [self.packages[package]] if package in self.packages else []
            # a folder with the name of the package, or the package itself
            candidates = [(root, inside) for root in roots]
            candidates += [(root, f"{package}/{inside}") for root in self.roots]
            candidates += [(root, inside) for root in self.roots if root.name == package]
        elif separator and scheme in ("file", "model"):
            candidates = [(root, rest.lstrip("/")) for root in self.roots]
        elif separator:
            self.report.add("kept", f"mesh {shown(name)}: addresses of this kind are not read; it is not drawn")
            return None
        else:
            inside = str(PurePosixPath(self.mesh_folder) / name) if self.mesh_folder else name
            candidates = [(root, inside) for root in self.roots]
        for root, inside in candidates:
            found = _below(root, inside)
            if found is not None:
                return found
        self.report.add(
            "kept",
            f"mesh {shown(name)}: not found below the folders of the robot; it is not drawn. "
            'Specify folders=[...] or packages={"NAME": folder} (options --folder, --package)',
        )
        return None

    def shape(self, name: str, scale: FloatArray) -> Shape | None:
        """Shape of a mesh file; None, with a note, if it cannot be drawn."""
        path = self.find(name)
        if path is None or not self._drawable(path, name, scale):
            return None
        unit = float(scale[0])
        key = (path, unit)
        if key not in self._shapes:
            self._shapes[key] = self._read(path, unit, name)
        return self._shapes[key]

    def solid(self, name: str, scale: FloatArray, density: float | None, mass: float | None) -> MassProperties:
        """Mass properties of the volume that a mesh encloses."""
        path = self.find(name)
        if path is None:
            raise ExchangeError(
                f"mesh {shown(name)} is not found below the folders of the robot, but the inertia follows from it. Specify "
                "folders=[...], or <inertial> in the file"
            )
        if path.suffix.lower() != ".stl":
            raise ExchangeError(
                f"mesh {shown(name)}: only STL files can be read, but the inertia follows from it. Specify <inertial> in the file"
            )
        if not np.allclose(scale, scale[0], rtol=1e-9) or scale[0] <= 0.0:
            raise ExchangeError(
                f"mesh {shown(name)} has the scale {scale.tolist()}; for an inertia the three numbers must be equal and positive"
            )
        try:
            if mass is not None:
                return stl(path, scale=float(scale[0]), mass=mass)
            return stl(path, scale=float(scale[0]), density=density)
        except ModelError as error:
            raise ExchangeError(f"mesh {shown(name)}: {error}") from error

    def _drawable(self, path: Path, name: str, scale: FloatArray) -> bool:
        if path.suffix.lower() != ".stl":
            self.report.add(
                "kept", f"meshes of the type {path.suffix or 'without ending'} are not drawn; only STL files are"
            )
            return False
        if scale[0] <= 0.0 or not np.allclose(scale, scale[0], rtol=1e-9):
            self.report.add("kept", f"mesh {shown(name)}: mirrored or distorted meshes are not drawn")
            return False
        known = self._taken.setdefault(path.name, path)
        if known != path:
            self.report.add("kept", f"mesh {shown(name)}: another file has the same name; it is not drawn")
            return False
        return True

    def _read(self, path: Path, unit: float, name: str) -> Shape | None:
        try:
            shape = stl(path, scale=unit)
        except ModelError as error:
            self.report.add("kept", f"mesh {shown(name)} is not drawn: {error}")
            return None
        mesh = shape.pieces[0].mesh
        if mesh is not None and len(mesh.triangles) > MOST_SHAPE_TRIANGLES:
            self.report.add(
                "kept",
                f"mesh {shown(name)} is not drawn: it has {len(mesh.triangles)} triangles, more than {MOST_SHAPE_TRIANGLES}",
            )
            return None
        return shape


def existing_folder(folder: str | Path, what: str) -> Path:
    if not isinstance(folder, (str, Path)):
        raise ExchangeError(f"{what}: a folder must be a text or a path, got {shown(folder)}")
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise ExchangeError(f"{what}: there is no folder {shown(str(folder))}")
    return path.resolve()


def _below(root: Path, inside: str) -> Path | None:
    """A file below a folder; None if it does not exist, or if the path leaves the folder, also through links."""
    if not inside or "\0" in inside or len(inside) > 1000:
        return None
    try:
        path = (root / inside).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


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


# ---- mjcf actuators

# MJCF: actuators on joints and fixed tendons.

READ = ("general", "motor", "position", "velocity")


def read_actuators(file: MjcfFile, robot: Robot) -> None:
    """Read the actuators of a file. Those that are not read are listed."""
    tendons = {one.name: one for one in robot.sums if one.value is None}
    for n, element in enumerate(file.all("actuator")):
        if element.tag not in ACTUATORS:
            robot.report.add("ignored", f"<{element.tag[:40]}> (line {element.line}): is not an actuator")
            continue
        reading = file.reading(element, "actuator", None, ACTUATORS)
        name = reading.text("name") or reading.text("joint") or f"actuator_{n + 1}"
        reading = ElementReading(file.path, reading.element, f'actuator "{name}"')
        if any(one.name == name for one in robot.actuators):
            raise reading.error("the name is used twice. Rename one of the actuators")
        why = _unread(reading, element, robot)
        terms = _terms(reading, robot, tendons) if not why else []
        if why or not terms:
            robot.report.add(
                "ignored",
                f'actuator "{name}" (line {element.line}): {why or "it does not act on a hinge, a slide or a fixed tendon"}',
            )
            continue
        robot.actuators.append(_actuator(reading, name, terms, element.tag))


def _unread(reading: ElementReading, element: XmlElement, robot: Robot) -> str:
    """Reason why an actuator is not read; empty if it is."""
    if element.tag not in READ:
        return f"the type <{element.tag}> is not read"
    if element.tag == "position" and reading.number("dampratio", 0.0):
        return "dampratio is not read. Specify kv"
    if element.tag == "general":
        if reading.text("gaintype") not in (None, "fixed"):
            return f"gaintype {reading.text('gaintype')} is not read"
        if reading.text("biastype") not in (None, "none", "affine"):
            return f"biastype {reading.text('biastype')} is not read"
        if reading.text("dyntype") not in (None, "none", "filter", "filterexact"):
            return f"dyntype {reading.text('dyntype')} is not read"
    return ""


def _terms(reading: ElementReading, robot: Robot, tendons: dict[str, SumData]) -> list[tuple[str, float]]:
    gear = float(reading.vector("gear", (1.0,), 1, 2, 3, 4, 5, 6)[0])
    joint = reading.text("joint") or reading.text("jointinparent")
    tendon = reading.text("tendon")
    if joint is not None:
        if joint not in robot.joints:
            raise reading.error(f'there is no joint "{joint[:80]}". Correct the name')
        return [(joint, gear)] if robot.joints[joint].moves else []
    if tendon is not None:
        return [(name, gear * factor) for name, factor in tendons[tendon].terms] if tendon in tendons else []
    return []


def _actuator(reading: ElementReading, name: str, terms: list[tuple[str, float]], tag: str) -> ActuatorData:
    gain, bias, lag = 1.0, (0.0, 0.0, 0.0), 0.0
    if tag == "general":
        gain = float(reading.vector("gainprm", (1.0,), *range(1, 11))[0])
        if reading.text("biastype") == "affine":
            values = [*reading.vector("biasprm", (0.0,), *range(1, 11)), 0.0, 0.0]
            bias = (float(values[0]), float(values[1]), float(values[2]))
        if reading.text("dyntype") in ("filter", "filterexact"):
            lag = float(reading.vector("dynprm", (1.0,), *range(1, 11))[0])
    elif tag == "position":
        gain = reading.not_negative("kp", 1.0)
        bias = (0.0, -gain, -reading.not_negative("kv", 0.0))
        lag = reading.not_negative("timeconst", 0.0)
    elif tag == "velocity":
        gain = reading.not_negative("kv", 1.0)
        bias = (0.0, 0.0, -gain)
    if lag < 0.0:
        raise reading.error(f"the time constant must not be negative, got {lag:g} s")
    return ActuatorData(
        name,
        reading.element.line,
        terms,
        gain,
        bias,
        _range(reading, "ctrlrange", "ctrllimited"),
        _range(reading, "forcerange", "forcelimited"),
        lag,
    )


def _range(reading: ElementReading, key: str, flag: str) -> tuple[float, float]:
    limited = reading.choice(flag, ("auto", "true", "false"), "auto")
    if limited == "false" or reading.text(key) is None:
        return (-math.inf, math.inf)
    low, high = (float(v) for v in reading.vector(key, None, 2))
    if low > high:
        raise reading.error(f"the range from {low:g} to {high:g} in {key} is empty. Exchange the limits")
    return (low, high) if low < high else (-math.inf, math.inf)
