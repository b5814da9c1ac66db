"""MJCF: equalities and fixed tendons as relations, sums and loops of a robot."""

from __future__ import annotations

import numpy as np

from ..safe_xml import XmlElement
from .attributes import ElementReading
from .description import WORLD, LoopData, RelationData, Robot, SumData
from .mjcf_bodies import BodyReader
from .mjcf_defaults import MjcfFile
from .placement import IDENTITY, RobotPlacement
from .robot_tree import RobotTree

__all__ = ["read_relations", "unread_options", "unread_sections"]


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
