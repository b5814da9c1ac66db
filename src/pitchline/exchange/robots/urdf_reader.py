"""URDF files, and the geometry of both formats: mass properties and shapes for pictures."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, shown
from pitchline.solids.mass_properties import Shape
from pitchline.solids.stl_solid import bar, cylinder, sphere

from ..mass_table import ImportReport
from ..safe_xml import ExchangeError, XmlElement, file_bytes, parse_xml
from .description import (
    JointData,
    LinkData,
    RelationData,
    Robot,
    RobotPlacement,
    from_rpy,
    is_real,
    moments_text,
    negative_moment,
    without_rounding,
)
from .mjcf_defaults import ElementReading, MeshFiles, MjcfFile, smallest_rotation
from .moving_masses import LinkGroup

__all__ = [
    "check_inertias",
    "note_inertia",
    "UrdfShapes",
    "colour_of",
    "origin_of",
    "GeomReader",
    "read_transmissions",
    "read_urdf_file",
]


# ---- link inertias

# Inertias of links that no rigid body can have: notes for the report, and errors if a body of the model would have
# one.


def note_inertia(robot: Robot, link: LinkData, tensor: FloatArray, line: int) -> None:
    """List an unusual inertia in the report. It may be one of several links that are fixed to each other."""
    where = f'link "{link.name}" (line {line})'
    link.inertia_line = line
    if link.mass == 0.0 and tensor.any():
        robot.report.add("assumed", f"{where}: has an inertia but the mass 0. Both are used as specified")
    if negative_moment(tensor):
        robot.report.add(
            "assumed", f"{where}: the inertia is not positive definite, {moments_text(tensor)}. It is used as specified"
        )
    elif not is_real(tensor):
        robot.report.add(
            "assumed",
            f"{where}: no rigid body has the principal moments {moments_text(tensor)}, because one exceeds the sum of the others. "
            "They are used as specified",
        )


def check_inertias(robot: Robot, groups: list[LinkGroup]) -> None:
    """Refuse bodies with a negative principal moment; remove rounding."""
    for group in groups:
        if negative_moment(group.inertia):
            names = [name for name in group.places if negative_moment(robot.links[name].inertia)] or [group.top]
            link = robot.links[names[0]]
            raise robot.error(
                link.inertia_line or link.line,
                f'link "{link.name}": the inertia is not positive definite: the principal moments are '
                f"{moments_text(group.inertia)}. Check the signs of the products of inertia",
            )
        group.inertia = without_rounding(group.inertia)


# ---- urdf shapes

# Shapes of URDF links for pictures: boxes, cylinders, spheres and STL meshes of <visual>, otherwise of <collision>.


class UrdfShapes:
    """Reads shapes of links. A shape that cannot be drawn is listed in the report, not refused."""

    def __init__(self, path: Path, root: XmlElement, meshes: MeshFiles, report: ImportReport) -> None:
        self.path, self.meshes, self.report = path, meshes, report
        self.colours = {
            one.attributes.get("name", ""): colour
            for one in root.all("material")
            if (colour := _colour(one)) is not None
        }

    def of(self, link: ElementReading) -> list[Shape]:
        """Shapes of a link: of its visual elements, or of its collision elements if no visual one can be drawn."""
        for tag in ("visual", "collision"):
            found = [shape for element in link.element.all(tag) if (shape := self._one(link.of(element))) is not None]
            if found:
                return found
        return []

    def _one(self, reading: ElementReading) -> Shape | None:
        try:
            geometry = reading.element.first("geometry")
            if geometry is None or not geometry.children:
                return None
            shape = self._form(reading.of(geometry.children[0]))
            if shape is None:
                return None
            place = origin_of(reading)
            shape = shape.turned(place.rotation).moved(place.position)
            colour = self._colour(reading.element)
            return shape if colour is None else shape.coloured(colour)
        except ExchangeError as error:
            self.report.add("kept", f"a shape is not drawn: {error}")
            return None

    def _form(self, reading: ElementReading) -> Shape | None:
        tag = reading.element.tag
        if tag == "box":
            size = reading.vector("size", None)
            return bar(*(float(s) for s in size)) if size.min() > 0.0 else None
        if tag == "cylinder" or tag == "capsule":
            radius, length = reading.number("radius"), reading.number("length")
            return cylinder(radius, length) if radius > 0.0 and length > 0.0 else None
        if tag == "sphere":
            radius = reading.number("radius")
            return sphere(radius) if radius > 0.0 else None
        if tag == "mesh":
            name = reading.needed("filename", "Specify the mesh file")
            return self.meshes.shape(name, reading.vector("scale", (1.0, 1.0, 1.0)))
        self.report.add("kept", f"shapes of the type <{tag[:40]}> are not drawn")
        return None

    def _colour(self, element: XmlElement) -> str | None:
        material = element.first("material")
        if material is None:
            return None
        return _colour(material) or self.colours.get(material.attributes.get("name", ""))


def origin_of(reading: ElementReading) -> RobotPlacement:
    """RobotPlacement of <origin xyz rpy>; the identity without it."""
    element = reading.element.first("origin")
    if element is None:
        return RobotPlacement(np.eye(3), np.zeros(3))
    own = reading.of(element)
    return RobotPlacement(from_rpy(own.vector("rpy", (0.0, 0.0, 0.0))), own.vector("xyz", (0.0, 0.0, 0.0)))


def _colour(material: XmlElement) -> str | None:
    element = material.first("color")
    if element is None:
        return None
    try:
        return colour_of([float(word) for word in element.attributes.get("rgba", "").split()])
    except ValueError:
        return None


def colour_of(rgba: list[float]) -> str | None:
    """Colour "#RRGGBB", with the opacity if it is below 1, from four numbers between 0 and 1."""
    if len(rgba) not in (3, 4) or not all(math.isfinite(v) for v in rgba):
        return None
    levels = [round(255 * min(1.0, max(0.0, v))) for v in rgba]
    text = "#" + "".join(f"{v:02X}" for v in levels[:3])
    if len(levels) == 4 and levels[3] < 255:
        return f"{text}{max(1, levels[3]):02X}"
    return text


TYPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
WITH_ENDS = ("capsule", "cylinder", "box", "ellipsoid")
MOST_GROUP = 2
"""Geoms of higher groups are not drawn: they are for contact."""
MassParts = tuple[float, FloatArray, FloatArray, RobotPlacement]


class GeomReader:
    """Reads the geoms of one file."""

    def __init__(self, file: MjcfFile, robot: Robot, meshes: MeshFiles, *, draw: bool) -> None:
        self.file, self.robot, self.meshes, self.draw = file, robot, meshes, draw
        self.assets: dict[str, tuple[str, FloatArray]] = {}
        meshes.mesh_folder = file.mesh_folder
        for element in file.all("asset"):
            if element.tag == "mesh":
                self._asset(file.reading(element, "mesh"))

    def _asset(self, reading: ElementReading) -> None:
        name, source = reading.text("name"), reading.text("file")
        if source is None:
            self.robot.report.add("kept", f'mesh "{name}": meshes without a file are not read')
            return
        last = source.replace("\\", "/").rpartition("/")[2]
        self.assets[name or last.rpartition(".")[0] or last] = (
            last if self.file.strip_path else source,
            reading.vector("scale", (1.0, 1.0, 1.0)),
        )

    def placed(self, reading: ElementReading) -> tuple[str, FloatArray, RobotPlacement]:
        """Type, sizes and placement of a geom."""
        kind = reading.choice("type", TYPES, "mesh" if reading.text("mesh") and not reading.text("type") else "sphere")
        size = reading.vector("size", (), 1, 2, 3) if reading.text("size") is not None else np.zeros(0)
        place = self.file.placement(reading)
        if reading.text("fromto") is not None and kind in WITH_ENDS:
            ends = reading.vector("fromto", None, 6)
            along = ends[3:] - ends[:3]
            length = float(np.linalg.norm(along))
            if length < 1e-12:
                raise reading.error("both points of fromto are the same")
            # z points from the second point to the first
            place = RobotPlacement(smallest_rotation(-along / length), 0.5 * (ends[:3] + ends[3:]))
            if not size.size:
                raise reading.error('attribute "size" is missing. Specify the radius')
            size = (
                np.array([size[0], 0.5 * length])
                if kind in ("capsule", "cylinder")
                else np.array([size[0], size[0], 0.5 * length])
            )
        needed = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}.get(kind, 0)
        if size.size < needed:
            raise reading.error(f"a geom of the type {kind} needs {needed} sizes, got {size.size}")
        if needed and size[:needed].min() <= 0.0:
            raise reading.error(f"the sizes of a geom must be positive, got {' '.join(f'{s:g}' for s in size)}")
        return kind, size, place

    def mass(self, reading: ElementReading) -> MassParts | None:
        """Mass, centre and inertia of a geom with its placement; None for geoms without mass."""
        group = int(reading.number("group", 0.0))
        if not self.file.groups[0] <= group <= self.file.groups[1]:
            return None
        mass, density = reading.optional("mass"), reading.not_negative("density", 1000.0)
        if (mass is not None and mass == 0.0) or (mass is None and density == 0.0):
            return None
        if mass is not None and mass < 0.0:
            raise reading.error(f"mass must not be negative, got {mass:g}")
        kind, size, place = self.placed(reading)
        if kind in ("plane", "hfield"):
            return None
        if kind == "sdf" or reading.flag("shellinertia", False) or reading.text("fluidshape") == "shell":
            raise reading.error("the inertia of this geom (sdf or shellinertia) is not computed. Specify <inertial>")
        if kind == "mesh":
            return self._mesh_mass(reading, mass, density, place)
        volume, unit = _unit_inertia(kind, size)
        total = density * volume if mass is None else mass
        return total, np.zeros(3), total * unit, place

    def _mesh_mass(
        self, reading: ElementReading, mass: float | None, density: float, place: RobotPlacement
    ) -> MassParts:
        source, scale = self._mesh(reading)
        try:
            solid = self.meshes.solid(source, scale, None if mass is not None else density, mass)
        except (ExchangeError, ModelError) as error:
            raise reading.error(str(error)) from error
        return solid.mass, solid.centre_of_mass, solid.inertia, place

    def _mesh(self, reading: ElementReading) -> tuple[str, FloatArray]:
        name = reading.text("mesh") or ""
        if name not in self.assets:
            raise reading.error(f'there is no mesh "{name[:80]}" in <asset>')
        return self.assets[name]

    def shape(self, reading: ElementReading) -> Shape | None:
        """Shape of a geom for pictures; None if it is not drawn."""
        if not self.draw or int(reading.number("group", 0.0)) > MOST_GROUP:
            return None
        kind, size, place = self.placed(reading)
        shape: Shape | None = None
        if kind == "sphere":
            shape = sphere(float(size[0]))
        elif kind == "capsule":
            r, h = float(size[0]), float(size[1])
            shape = cylinder(r, 2 * h) + sphere(r).moved((0, 0, h)) + sphere(r).moved((0, 0, -h))
        elif kind == "cylinder":
            shape = cylinder(float(size[0]), 2 * float(size[1]))
        elif kind in ("box", "ellipsoid"):
            if kind == "ellipsoid":
                self.robot.report.add("kept", "ellipsoids are drawn as boxes")
            shape = bar(*(2 * float(s) for s in size))
        elif kind == "mesh" and (reading.text("mesh") or "") in self.assets:
            shape = self.meshes.shape(*self._mesh(reading))
        if shape is None:
            return None
        shape = shape.turned(place.rotation).moved(place.position)
        colour = colour_of(list(reading.vector("rgba", (), 4))) if reading.text("rgba") is not None else None
        return shape if colour is None or colour.endswith("01") else shape.coloured(colour)


def _unit_inertia(kind: str, size: FloatArray) -> tuple[float, FloatArray]:
    """Volume, and inertia divided by mass, of a homogeneous solid about its centre."""
    if kind == "sphere":
        r = float(size[0])
        return 4.0 / 3.0 * math.pi * r**3, np.diag([0.4 * r * r] * 3)
    if kind in ("box", "ellipsoid"):
        a, b, c = (float(s) for s in size)
        factor = 1.0 / 3.0 if kind == "box" else 0.2
        volume = 8.0 * a * b * c if kind == "box" else 4.0 / 3.0 * math.pi * a * b * c
        return volume, factor * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    r, h = float(size[0]), float(size[1])
    if kind == "cylinder":
        across = (3.0 * r * r + 4.0 * h * h) / 12.0
        return 2.0 * math.pi * r * r * h, np.diag([across, across, 0.5 * r * r])
    middle, caps = 2.0 * math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
    volume = middle + caps
    across = (middle * (3.0 * r * r + 4.0 * h * h) / 12.0 + caps * (0.4 * r * r + h * h + 0.75 * h * r)) / volume
    along = (middle * 0.5 * r * r + caps * 0.4 * r * r) / volume
    return volume, np.diag([across, across, along])


# ---- urdf transmissions

# Transmissions of a URDF file: the ratio between a joint and its actuator.


def read_transmissions(path: Path, root: XmlElement, robot: Robot) -> None:
    """Read the ratios of simple transmissions; others are listed in the report."""
    for element in root.all("transmission"):
        reading = ElementReading(path, element, f'transmission "{element.attributes.get("name", "")[:80]}"')
        kind = _kind(element)
        joints = element.all("joint")
        if not kind.endswith("SimpleTransmission") or len(joints) != 1:
            robot.report.add(
                "ignored",
                f"{reading.what} (line {element.line}): the type {kind[:60] or 'without name'} is not read. "
                "Model it with gears (gearboxes=), or with joints",
            )
            continue
        name = reading.of(joints[0]).text("name")
        if name is None or name not in robot.joints:
            robot.report.add("kept", f'{reading.what} (line {element.line}): there is no joint "{(name or "")[:80]}"')
            continue
        ratio = _reduction(element)
        if isinstance(ratio, float):
            robot.joints[name].reduction = ratio
        elif ratio:
            robot.report.add(
                "kept", f'{reading.what} (line {element.line}): the reduction "{ratio[:40]}" is not a number'
            )


def _kind(element: XmlElement) -> str:
    given = element.attributes.get("type", "")
    child = element.first("type")
    return (child.text if child is not None else given).strip()


def _reduction(element: XmlElement) -> float | str:
    """Ratio of the transmission, or the text if it is not a number; empty if there is none."""
    for one in element.walk():
        if one.tag == "mechanicalReduction":
            text = one.text.strip()
            try:
                value = float(text)
            except ValueError:
                return text
            return value if math.isfinite(value) and value != 0.0 else text
    return ""


# ---- urdf reader

# URDF: links, joints, mimic joints and transmissions of a file as a description of the robot.

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
WITHOUT_EFFECT = {"gazebo", "material", "sensor", "group", "ros2_control", "version"}


def read_urdf_file(path: Path, meshes: MeshFiles | None, robot: Robot) -> Robot:
    """Read a URDF file into a description. meshes: None without shapes."""
    root = parse_xml(file_bytes(path), path)
    top = ElementReading(path, root, "robot")
    _not_xacro(path, root)
    if root.tag == "mujoco":
        raise ExchangeError(f"{path}: is an MJCF file (<mujoco>), not URDF. Use from_mjcf")
    if root.tag != "robot":
        raise ExchangeError(
            f"{path}, line {root.line}: expected <robot> as the first element of a URDF file, got <{root.tag[:40]}>"
        )
    robot.name = top.text("name") or path.stem
    shapes = None if meshes is None else UrdfShapes(path, root, meshes, robot.report)
    for element in root.all("link"):
        link = _link(path, element, robot, shapes)
        if link.name in robot.links:
            first = robot.links[link.name].line
            raise robot.error(
                element.line,
                f'link "{link.name}": the name is used twice, first in line {first}. Rename one of the links',
            )
        robot.links[link.name] = link
    if not robot.links:
        raise ExchangeError(f"{path}: the robot has no <link>")
    for element in root.all("joint"):
        joint = _joint(path, element, robot)
        if joint.name in robot.joints:
            first = robot.joints[joint.name].line
            raise robot.error(
                element.line,
                f'joint "{joint.name}": the name is used twice, first in line {first}. Rename one of the joints',
            )
        robot.joints[joint.name] = joint
    read_transmissions(path, root, robot)
    for tag in sorted({child.tag for child in root.children} - {"link", "joint", "transmission"}):
        if tag not in WITHOUT_EFFECT:
            robot.report.add("kept", f"<{tag[:40]}>: without effect on the mechanics")
    return robot


def _not_xacro(path: Path, root: XmlElement) -> None:
    """Error if the file is a template of xacro, not a robot."""
    macros = [child for child in root.children if child.tag in ("macro", "property", "include", "if", "unless", "arg")]
    if path.suffix.lower() == ".xacro" or macros:
        line = macros[0].line if macros else root.line
        raise ExchangeError(
            f"{path}, line {line}: the file contains xacro macros. Expand it first: xacro robot.xacro > robot.urdf"
        )


def _link(path: Path, element: XmlElement, robot: Robot, shapes: UrdfShapes | None) -> LinkData:
    reading = ElementReading(path, element, "link")
    name = reading.needed("name", "Specify the name of the link")
    reading = ElementReading(path, element, f'link "{name}"')
    link = LinkData(name, element.line)
    inertial = element.first("inertial")
    if inertial is not None:
        _inertial(reading.of(inertial), link, robot)
    if shapes is not None:
        link.shapes = shapes.of(reading)
    return link


def _inertial(reading: ElementReading, link: LinkData, robot: Robot) -> None:
    mass = reading.element.first("mass")
    if mass is None:
        raise reading.error('<inertial> has no <mass>. Specify <mass value="..."/> in kg')
    link.mass = reading.of(mass).not_negative("value")
    frame = origin_of(reading)
    inertia = reading.element.first("inertia")
    if inertia is None:
        if link.mass > 0.0:
            raise reading.error("<inertial> has no <inertia>. Specify ixx, ixy, ixz, iyy, iyz and izz in kg*m^2")
        return
    own = reading.of(inertia)
    xx, yy, zz = (own.number(key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (own.number(key, 0.0) for key in ("ixy", "ixz", "iyz"))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    note_inertia(robot, link, tensor, inertia.line)
    link.centre = frame.position
    link.inertia = frame.rotation @ tensor @ frame.rotation.T


def _joint(path: Path, element: XmlElement, robot: Robot) -> JointData:
    reading = ElementReading(path, element, "joint")
    name = reading.needed("name", "Specify the name of the joint")
    reading = ElementReading(path, element, f'joint "{name}"')
    given = reading.needed("type", f"Specify one of {', '.join(KINDS)}")
    if given not in KINDS:
        raise reading.error(f"the type {shown(given[:40])} is not one of {', '.join(KINDS)}")
    ends = []
    for tag in ("parent", "child"):
        end = element.first(tag)
        if end is None:
            raise reading.error(f"<{tag}> is missing. Specify <{tag} link=...>")
        link = reading.of(end).needed("link", "Specify the name of a link")
        if link not in robot.links:
            raise reading.of(end).error(f'there is no link "{link[:80]}" in the file, which is the {tag} of this joint')
        ends.append(link)
    joint = JointData(name, KINDS[given], ends[0], ends[1], element.line, placement=origin_of(reading))
    axis = element.first("axis")
    joint.axis = _axis(reading, axis) if joint.kind in ("revolute", "prismatic", "planar") else joint.axis
    _limits(reading, joint, given)
    dynamics = element.first("dynamics")
    if dynamics is not None:
        own = reading.of(dynamics)
        joint.damping, joint.friction = own.not_negative("damping", 0.0), own.not_negative("friction", 0.0)
    mimic = element.first("mimic")
    if mimic is not None:
        _mimic(reading.of(mimic), joint, robot)
    return joint


def _axis(reading: ElementReading, element: XmlElement | None) -> FloatArray:
    if element is None:
        return np.array([1.0, 0.0, 0.0])
    own = reading.of(element)
    axis = own.vector("xyz", (1.0, 0.0, 0.0))
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise own.error("the axis has the length 0. Specify a direction, such as 0 0 1")
    return axis / length


def _limits(reading: ElementReading, joint: JointData, given: str) -> None:
    limit = reading.element.first("limit")
    if limit is None:
        return
    own = reading.of(limit)
    joint.effort, joint.speed = own.not_negative("effort", math.inf), own.not_negative("velocity", math.inf)
    if given not in ("revolute", "prismatic"):
        return
    if own.text("lower") is None and own.text("upper") is None:
        return
    lower, upper = own.number("lower", 0.0), own.number("upper", 0.0)
    if lower > upper:
        raise own.error(f"the lower limit {lower:g} is larger than the upper limit {upper:g}. Exchange them")
    joint.lower, joint.upper = lower, upper


def _mimic(reading: ElementReading, joint: JointData, robot: Robot) -> None:
    other = reading.needed("joint", "Specify the joint that it follows")
    multiplier, offset = reading.number("multiplier", 1.0), reading.number("offset", 0.0)
    if not joint.moves:
        robot.report.add("kept", f'mimic of joint "{joint.name}": the joint does not move')
        return
    robot.relations.append(
        RelationData(
            f"{joint.name}_mimic", reading.element.line, joint.name, other, (offset, multiplier, 0.0, 0.0, 0.0)
        )
    )
