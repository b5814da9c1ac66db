"""MJCF files: bodies, relations between joints, key positions, and sections that are not read."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pitchline.declare.names import GROUND_NAME
from pitchline.errors import shown

from ..mass_table import ImportReport
from ..safe_xml import XmlElement
from .description import (
    IDENTITY,
    WORLD,
    JointData,
    LinkData,
    LoopData,
    RelationData,
    Robot,
    RobotPlacement,
    SumData,
    add_masses,
)
from .mjcf_defaults import ElementReading, MjcfFile
from .moving_masses import RobotTree
from .urdf_reader import GeomReader, note_inertia

__all__ = ["BodyReader", "read_relations", "unread_options", "unread_sections", "RobotPartNames"]


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


# ---- mjcf relations

# MJCF: equalities and fixed tendons as relations, sums and loops of a robot.


def read_relations(file: MjcfFile, robot: Robot, bodies: BodyReader) -> None:
    """Read tendons and equalities."""
    tendons = _tendons(file, robot)
    rigid: list[str] = []
    for n, element in enumerate(file.all("equality")):
        reading = file.reading(element, f"equality {element.tag}", None, ("equality", element.tag))
        name = reading.text("name") or f"{element.tag}_equality_{n + 1}"
        reading = ElementReading(file.path, reading.element, f'equality "{name}"')
        if not reading.flag("active", True):
            robot.report.add("kept", f'equality "{name}" is not active')
        elif element.tag == "joint":
            _joint(reading, robot, name)
            rigid.append(name)
        elif element.tag == "tendon":
            _tendon(reading, robot, name, tendons)
            rigid.append(name)
        elif element.tag in ("connect", "weld"):
            _loop(reading, robot, bodies, name)
            rigid.append(name)
        else:
            robot.report.add("ignored", f'equality "{name}" (line {element.line}): <{element.tag[:40]}> is not read')
    if rigid:
        robot.report.add(
            "assumed", f"{len(rigid)} equalities hold exactly; in MuJoCo they are elastic (solref, solimp)"
        )


def _tendons(file: MjcfFile, robot: Robot) -> dict[str, SumData]:
    found: dict[str, SumData] = {}
    for n, element in enumerate(file.all("tendon")):
        reading = file.reading(element, "tendon", None, ("tendon",))
        name = reading.text("name") or f"tendon_{n + 1}"
        reading = ElementReading(file.path, reading.element, f'tendon "{name}"')
        if element.tag != "fixed":
            robot.report.add("ignored", f'tendon "{name}" (line {element.line}): <{element.tag[:40]}> is not read')
            continue
        if name in found:
            raise reading.error("the name is used twice. Rename one of the tendons")
        terms = []
        for child in element.all("joint"):
            own = reading.of(child)
            joint = own.needed("joint", "Specify the name of a joint")
            _known(own, robot, joint)
            terms.append((joint, own.number("coef")))
        one = SumData(name, element.line, terms)
        one.stiffness, one.damping = reading.not_negative("stiffness", 0.0), reading.not_negative("damping", 0.0)
        rest = reading.vector("springlength", (-1.0,), 1, 2)
        start = _length(robot, one)
        low, high = (float(rest[0]), float(rest[-1]))
        one.rest = (start, start) if low == high == -1.0 else (low, high)
        for key in ("frictionloss", "armature"):
            if reading.number(key, 0.0):
                robot.report.add("ignored", f'{key} of tendon "{name}"')
        if reading.text("range") is not None and reading.text("limited") != "false":
            robot.report.add("ignored", f'range of tendon "{name}"')
        found[name] = one
        robot.sums.append(one)
    return found


def _length(robot: Robot, one: SumData) -> float:
    return sum(factor * robot.joints[joint].reference for joint, factor in one.terms)


def _known(reading: ElementReading, robot: Robot, name: str) -> None:
    joint = robot.joints.get(name)
    if joint is None:
        raise reading.error(f'there is no joint "{name[:80]}". Correct the name')
    if not joint.moves:
        raise reading.error(f'joint "{name}" ({joint.kind}) has no single coordinate. Use a hinge or a slide')


def _joint(reading: ElementReading, robot: Robot, name: str) -> None:
    first, second = reading.needed("joint1", "Specify the name of a joint"), reading.text("joint2")
    for one in (first, second):
        if one is not None:
            _known(reading, robot, one)
    given = np.zeros(5)
    values = reading.vector("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0), 1, 2, 3, 4, 5)
    given[: values.size] = values
    c0, c1, c2, c3, c4 = (float(c) for c in given)
    if second is None:
        c1 = c2 = c3 = c4 = 0.0
    robot.relations.append(
        RelationData(
            name,
            reading.element.line,
            first,
            second,
            (c0, c1, c2, c3, c4),
            robot.joints[first].reference,
            0.0 if second is None else robot.joints[second].reference,
        )
    )


def _tendon(reading: ElementReading, robot: Robot, name: str, tendons: dict[str, SumData]) -> None:
    first, second = reading.needed("tendon1", "Specify the name of a tendon"), reading.text("tendon2")
    for end in (first, second):
        if end is not None and end not in tendons:
            raise reading.error(f'there is no fixed tendon "{end[:80]}". Correct the name')
    given = np.zeros(5)
    values = reading.vector("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0), 1, 2, 3, 4, 5)
    given[: values.size] = values
    if second is not None and given[2:].any():
        raise reading.error("polycoef of two tendons has higher powers. Specify at most two numbers, or use joints")
    one = tendons[first]
    factors = dict(one.terms)
    value = _length(robot, one) + float(given[0])
    if second is not None:
        other = tendons[second]
        value -= float(given[1]) * _length(robot, other)
        for joint, factor in other.terms:
            factors[joint] = factors.get(joint, 0.0) - float(given[1]) * factor
    robot.sums.append(SumData(name, reading.element.line, list(factors.items()), value=value))


def _loop(reading: ElementReading, robot: Robot, bodies: BodyReader, name: str) -> None:
    """<connect> and <weld> between two bodies, or two sites."""
    kind = "spherical" if reading.element.tag == "connect" else "fixed"
    sites = [reading.text("site1"), reading.text("site2")]
    if any(sites):
        ends = []
        for site in sites:
            if site is None or site not in bodies.sites:
                raise reading.error(f'there is no site "{(site or "")[:80]}". Specify site1 and site2')
            ends.append(bodies.sites[site])
        (first, frame_1), (second, frame_2) = ends
    else:
        first, second = (_body(reading, bodies, key) for key in ("body1", "body2"))
        rest = {joint: data.reference for joint, data in robot.joints.items() if data.moves}
        motions = RobotTree(robot).motions(rest, {})
        relative = motions[second].place.inverse() @ motions[first].place
        if kind == "spherical":
            frame_1 = RobotPlacement(np.eye(3), reading.vector("anchor", None))
            frame_2 = relative @ frame_1
        else:
            frame_1, frame_2 = IDENTITY, relative
            if reading.text("relpose") is not None and reading.vector("relpose", None, 7)[3:].any():
                raise reading.error("relpose is not read. Place the bodies in their relative pose, and leave it out")
    if first == second:
        raise reading.error("connects a body with itself")
    robot.loops.append(LoopData(name, reading.element.line, kind, (first, second), (frame_1, frame_2)))


def _body(reading: ElementReading, bodies: BodyReader, key: str) -> str:
    name = reading.text(key)
    if name is None:
        if key == "body2":
            return WORLD
        raise reading.error(f'attribute "{key}" is missing. Specify the name of a body')
    if name not in bodies.bodies:
        raise reading.error(f'there is no body "{name[:80]}". Correct the name')
    return bodies.bodies[name]


def unread_sections(file: MjcfFile, robot: Robot) -> None:
    """List sections without effect on the mechanics, and those that are left out."""
    known: dict[str, XmlElement] = {}
    for section in file.sections:
        known.setdefault(section.tag, section)
    used = {"compiler", "default", "option", "size", "worldbody", "asset", "equality", "tendon", "actuator", "keyframe"}
    for tag, section in known.items():
        if tag in ("contact", "deformable", "extension"):
            robot.report.add(
                "ignored", f"<{tag}> (line {section.line}): contacts, deformable parts and plugins are not read"
            )
        elif tag not in used:
            robot.report.add("kept", f"<{tag[:40]}> (line {section.line}): without effect on the mechanics")
    robot.report.add("ignored", "contacts between geoms: the robot does not touch itself, the floor or other bodies")


_PARTS_OF_FLAGS = {
    "constraint": "constraints", "equality": "equality constraints", "frictionloss": "friction of joints", "limit": "limits",
    "passive": "springs and dampers of joints", "spring": "springs of joints", "damper": "dampers of joints",
    "actuation": "actuators", "clampctrl": "limits of controls",
}  # fmt: skip
"""Flags of <option> that switch parts of the model off."""


def unread_options(file: MjcfFile, robot: Robot) -> None:
    """Notes about options that change the motion and are not used: the fluid, and parts that are switched off."""
    for section in file.sections:
        if section.tag != "option":
            continue
        reading = ElementReading(file.path, section, "option")
        density, viscosity = reading.not_negative("density", 0.0), reading.not_negative("viscosity", 0.0)
        given = [f"density {density:g} kg/m^3"] * (density > 0.0) + [f"viscosity {viscosity:g} Pa*s"] * (
            viscosity > 0.0
        )
        if given:
            wind = reading.vector("wind", (0.0, 0.0, 0.0))
            given += [f"wind ({', '.join(f'{x:g}' for x in wind)}) m/s"] * any(wind)
            text = f"option: fluid with {', '.join(given)}. Forces of a fluid on bodies are not computed"
            robot.report.add("ignored", f"line {section.line}: {text}")
        for child in section.all("flag"):
            for name, words in _PARTS_OF_FLAGS.items():
                if child.attributes.get(name) == "disable":
                    robot.report.add(
                        "ignored", f'line {child.line}: flag {name}="disable" is not used: the model has the {words}'
                    )


# ---- part names

# Names of the parts of a model made from names in a robot file: valid and unique in the model.


class RobotPartNames:
    """Gives each part a name that no other part has. Joints come first, because controllers refer to them."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        self.taken = {GROUND_NAME}

    def new(self, wish: str, kind: str, *, silent: bool = False) -> str:
        """The name itself, or one that is similar, with a note."""
        name = "".join("_" if sign in "./" or not sign.isprintable() else sign for sign in wish).strip() or kind
        if name in self.taken:
            first, n = f"{name}_{kind}", 2
            name = first
            while name in self.taken:
                name, n = f"{first}_{n}", n + 1
        self.taken.add(name)
        if name != wish and not silent:
            self.report.add("assumed", f'{kind} "{wish[:80]}" has the name "{name}" in the model')
        return name
