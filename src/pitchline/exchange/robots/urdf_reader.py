"""URDF: links, joints, mimic joints and transmissions of a file as a description of the robot."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ...errors import shown
from ...solids.rotations import Array
from ..limits import ExchangeError, file_bytes
from ..safe_xml import XmlElement, parse_xml
from .attributes import ElementReading
from .description import JointData, LinkData, RelationData, Robot
from .link_inertias import note_inertia
from .mesh_files import MeshFiles
from .urdf_shapes import UrdfShapes, origin_of
from .urdf_transmissions import read_transmissions

__all__ = ["read_urdf_file"]

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


def _axis(reading: ElementReading, element: XmlElement | None) -> Array:
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
