"""MJCF: bodies with their joints, inertias, geoms and sites as links and joints of a robot."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...errors import shown
from ..safe_xml import XmlElement
from .attributes import ElementReading
from .description import WORLD, JointData, LinkData, Robot
from .link_inertias import note_inertia
from .masses import add_masses
from .mjcf_defaults import MjcfFile
from .mjcf_geoms import GeomReader
from .placement import IDENTITY, RobotPlacement

__all__ = ["BodyReader"]

REFUSED = {"composite", "flexcomp", "replicate", "attach"}
WITHOUT_EFFECT = {"camera", "light", "plugin", "geom", "site", "joint", "freejoint", "inertial", "body", "frame"}
KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}


class BodyReader:
    """Reads the tree of bodies of one file."""

    def __init__(self, file: MjcfFile, robot: Robot, geoms: GeomReader) -> None:
        self.file, self.robot, self.geoms = file, robot, geoms
        self.sites: dict[str, tuple[str, RobotPlacement]] = {}
        """Link and placement by name."""
        self.bodies: dict[str, str] = {"world": WORLD}
        """Last link of each body by the name of the body."""
        self.coordinates: list[tuple[str, str]] = []
        """Joints and their kinds in the order of qpos."""

    def read(self) -> None:
        """Read all bodies of the world."""
        for section in self.file.sections:
            if section.tag == "worldbody":
                world = LinkData(WORLD, section.line)
                self._contents(section, world, None, IDENTITY, world_body=True)
                self.robot.root_shapes += world.shapes
        if not self.robot.links:
            raise self.robot.error(1, "the model has no <body> in <worldbody>")

    def _parts(
        self, element: XmlElement, inherited: str | None, place: RobotPlacement
    ) -> Iterator[tuple[XmlElement, str | None, RobotPlacement]]:
        """Children of a body with their class and the placement of the frames around them."""
        for child in element.children:
            if child.tag in REFUSED:
                raise self.robot.error(
                    child.line, f"<{child.tag}> is not read. Save the compiled model with MuJoCo first"
                )
            if child.tag == "frame":
                reading = ElementReading(self.file.path, child, "frame")
                inner = place @ self.file.placement(reading)
                yield from self._parts(child, child.attributes.get("childclass", inherited), inner)
            elif child.tag in WITHOUT_EFFECT:
                yield child, inherited, place
            else:
                self.robot.report.add("kept", f"<{child.tag[:40]}> in a body: without effect on the mechanics")

    def _contents(
        self, element: XmlElement, link: LinkData, inherited: str | None, start: RobotPlacement, *, world_body: bool
    ) -> None:
        """Geoms, sites and bodies of a body."""
        given = element.first("inertial")
        from_geoms = self.file.from_geoms == "true" or (self.file.from_geoms == "auto" and given is None)
        parts = []
        for child, name, place in self._parts(element, inherited, start):
            what = f'body "{link.name}"' if not world_body else "worldbody"
            if child.tag == "geom":
                reading = self.file.reading(child, f"{what}: geom", name)
                mass = self.geoms.mass(reading) if from_geoms and not world_body else None
                if mass is not None:
                    parts.append((*mass[:3], place @ mass[3]))
                shape = self.geoms.shape(reading)
                if shape is not None:
                    link.shapes.append(shape.turned(place.rotation).moved(place.position))
            elif child.tag == "site":
                reading = self.file.reading(child, f"{what}: site", name)
                site = reading.text("name")
                if site is not None:
                    there = place @ self.file.placement(reading)
                    self.sites[site] = (link.name, there)
                    if not world_body:
                        link.frames[site] = there
        if given is not None and not from_geoms:
            self._inertial(ElementReading(self.file.path, given, f'body "{link.name}"'), link)
        elif parts:
            link.mass, link.centre, link.inertia = add_masses(parts)
        for child, name, place in self._parts(element, inherited, start):
            if child.tag == "body":
                self._body(child, WORLD if world_body else link.name, name, place)

    def _inertial(self, reading: ElementReading, link: LinkData) -> None:
        link.mass = reading.not_negative("mass")
        place = self.file.placement(reading)
        if reading.text("fullinertia") is not None:
            xx, yy, zz, xy, xz, yz = reading.vector("fullinertia", None, 6)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(reading.vector("diaginertia", (0.0, 0.0, 0.0) if link.mass == 0.0 else None))
        note_inertia(self.robot, link, tensor, reading.element.line)
        link.centre, link.inertia = place.position, place.rotation @ tensor @ place.rotation.T

    def _body(self, element: XmlElement, parent: str, inherited: str | None, around: RobotPlacement) -> None:
        own = ElementReading(self.file.path, element, "body")
        name = self._unused(own.text("name") or f"body_{len(self.bodies)}", element, own.text("name") is not None)
        reading = ElementReading(self.file.path, element, f'body "{name}"')
        inherited = element.attributes.get("childclass", inherited)
        if inherited is not None and inherited not in self.file.defaults:
            raise reading.error(f"there is no class {shown(inherited[:80])} in <default>")
        if reading.number("gravcomp", 0.0):
            self.robot.report.add("ignored", f'gravcomp of body "{name}"')
        joints = [
            (child, cls, place)
            for child, cls, place in self._parts(element, inherited, IDENTITY)
            if child.tag in ("joint", "freejoint")
        ]
        place, above = around @ self.file.placement(reading), parent
        for i, (child, cls, inside) in enumerate(joints):
            last = i == len(joints) - 1
            link = name if last else self._unused(f"{name}_{i + 1}", element, False)
            joint = self._joint(child, cls, inside, link, above, name, len(joints), i)
            joint.placement = place
            self.robot.joints[joint.name] = joint
            self.robot.links[link] = LinkData(link, element.line)
            place, above = IDENTITY, link
        if not joints:
            fixed = self._unused_joint(f"{name}_fixed")
            self.robot.joints[fixed] = JointData(fixed, "fixed", parent, name, element.line, placement=place)
            self.robot.links[name] = LinkData(name, element.line)
        self.bodies[name] = name
        link_data = self.robot.links[name]
        self._contents(element, link_data, inherited, IDENTITY, world_body=False)
        self._adjust(link_data)

    def _adjust(self, link: LinkData) -> None:
        """Changes that the compiler of the file requests."""
        file = self.file
        if file.least_mass and link.mass < file.least_mass:
            link.mass = file.least_mass
        if file.least_inertia:
            moments, axes = np.linalg.eigh(link.inertia)
            link.inertia = axes @ np.diag(np.maximum(moments, file.least_inertia)) @ axes.T
        if file.balance:
            moments = np.linalg.eigvalsh(link.inertia)
            if moments[0] + moments[1] < moments[2]:
                link.inertia = np.eye(3) * float(moments.mean())

    def _joint(
        self,
        element: XmlElement,
        cls: str | None,
        inside: RobotPlacement,
        link: str,
        parent: str,
        body: str,
        count: int,
        i: int,
    ) -> JointData:
        free = element.tag == "freejoint"
        reading = (
            self.file.reading(element, "joint", cls) if not free else ElementReading(self.file.path, element, "joint")
        )
        wish = reading.text("name") or "_".join([body, "joint", *([str(i + 1)] if count > 1 else [])])
        if wish in self.robot.joints and reading.text("name") is not None:
            first = self.robot.joints[wish].line
            raise reading.error(f'"{wish}": the name is used twice, first in line {first}. Rename one of the joints')
        name = self._unused_joint(wish)
        reading = ElementReading(self.file.path, reading.element, f'joint "{name}"')
        kind = "free" if free else KINDS[reading.choice("type", tuple(KINDS), "hinge")]
        joint = JointData(name, kind, parent, link, element.line)
        self.coordinates.append((name, kind))
        if free or kind == "free":
            if count > 1 or parent != WORLD:
                raise reading.error("a free joint must be the only joint of a body of the world")
            return joint
        joint.anchor = inside.point(reading.vector("pos", (0.0, 0.0, 0.0)))
        if kind != "spherical":
            axis = inside.rotation @ reading.vector("axis", (0.0, 0.0, 1.0))
            length = float(np.linalg.norm(axis))
            if length < 1e-9:
                raise reading.error("the axis has the length 0. Specify a direction, such as 0 0 1")
            joint.axis = axis / length
        turn = self.file.angle if kind == "revolute" else float
        joint.stiffness, joint.damping = reading.not_negative("stiffness", 0.0), reading.not_negative("damping", 0.0)
        joint.friction, joint.armature = (
            reading.not_negative("frictionloss", 0.0),
            reading.not_negative("armature", 0.0),
        )
        if joint.moves:
            joint.reference = turn(reading.number("ref", 0.0))
            joint.spring_reference = turn(reading.number("springref", 0.0))
        self._limits(reading, joint)
        if reading.text("springdamper") is not None and reading.vector("springdamper", None, 2).any():
            self.robot.report.add("ignored", f'springdamper of joint "{name}": specify stiffness and damping')
        return joint

    def _limits(self, reading: ElementReading, joint: JointData) -> None:
        limited = reading.choice("limited", ("auto", "true", "false"), "auto")
        given = reading.text("range") is not None
        if limited == "false" or not given or (limited == "auto" and not self.file.auto_limits):
            return
        low, high = (float(v) for v in reading.vector("range", None, 2))
        if low > high:
            raise reading.error(f"the range from {low:g} to {high:g} is empty. Exchange the limits")
        if not joint.moves:
            self.robot.report.add("ignored", f'range of joint "{joint.name}" ({joint.kind})')
            return
        if joint.kind == "revolute":
            low, high = self.file.angle(low), self.file.angle(high)
        if low == high == 0.0:
            return
        joint.lower, joint.upper = low, high

    def _unused(self, wish: str, element: XmlElement, given: bool) -> str:
        if wish in self.robot.links or wish in self.bodies:
            if given:
                raise self.robot.error(
                    element.line, f'body "{wish[:80]}": the name is used twice. Rename one of the bodies'
                )
            n = 2
            while f"{wish}_{n}" in self.robot.links:
                n += 1
            return f"{wish}_{n}"
        return wish

    def _unused_joint(self, wish: str) -> str:
        n, name = 2, wish
        while name in self.robot.joints:
            name, n = f"{wish}_{n}", n + 1
        return name


def key_positions(file: MjcfFile, robot: Robot, coordinates: list[tuple[str, str]]) -> None:
    """Positions of joints in the keyframes of a file."""
    sizes = {"revolute": 1, "prismatic": 1, "spherical": 4, "free": 7}
    total = sum(sizes[kind] for _, kind in coordinates)
    for n, element in enumerate(file.all("keyframe")):
        reading = ElementReading(file.path, element, "key")
        if reading.text("qpos") is None:
            continue
        values = reading.vector("qpos", None, total)
        found, at = {}, 0
        for name, kind in coordinates:
            if sizes[kind] == 1:
                found[name] = float(values[at])
            at += sizes[kind]
        robot.poses[reading.text("name") or f"key_{n}"] = found


def scale_masses(file: MjcfFile, robot: Robot) -> None:
    """Scale all masses to the total that the compiler of the file requests."""
    total = sum(link.mass for link in robot.links.values())
    if file.total_mass > 0.0 and total > 0.0:
        factor = file.total_mass / total
        for link in robot.links.values():
            link.mass, link.inertia = factor * link.mass, factor * link.inertia
    if not math.isfinite(total):
        raise robot.error(1, "the total mass is not finite")
