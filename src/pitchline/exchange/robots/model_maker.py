"""Model of a robot: bodies, joints, relations, and the parts that act on its joints."""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ...model import Model
from ...model.frames import Frame
from ...solids.rotations import z_to
from ...solids.shape import Shape
from ...units import quantity
from ..imported import Imported
from ..limits import ExchangeError
from .actuators import add_actuators
from .description import WORLD, JointData, RelationData, Robot
from .gearboxes import add_gearboxes
from .groups import LinkGroup, link_groups
from .joint_parts import add_joint_parts
from .link_inertias import check_inertias
from .masses import is_real
from .moving_masses import check_moving_masses, joints_without_mass
from .part_names import RobotPartNames
from .placement import IDENTITY, RobotPlacement, about
from .relations import add_relations
from .robot_options import MASSLESS, RobotOptions
from .robot_tree import RobotTree

__all__ = ["RobotModel", "make_model"]


class RobotModel:
    """A model that is being made from the description of a robot, and the names of its parts."""

    def __init__(self, robot: Robot, options: RobotOptions) -> None:
        self.robot, self.options, self.report = robot, options, robot.report
        options.check(robot)
        self.locked: set[str] = set()
        _hold_base(robot, options.floating)
        tree = RobotTree(robot)
        _check_relations(robot)
        for name, value in options.armatures.items():
            unit = "inertia" if robot.joints[name].kind == "revolute" else "mass"
            robot.joints[name].armature = quantity(value, unit, what=f'armatures: joint "{name}"')
            if robot.joints[name].armature < 0.0:
                raise ExchangeError(f'armatures: joint "{name}": the inertia must not be negative, got {value}')
        self.positions = tree.coordinates(options.positions, "positions")
        self._lock(tree, set(options.locked) - {MASSLESS})
        without = self._place(tree)
        if without and MASSLESS in options.locked:
            names = {group.joint.name for group in without if group.joint is not None}
            self.report.add("assumed", f"{len(names)} joints that move no mass are locked")
            self._lock(tree, names)
            without = self._place(tree)
        check_inertias(robot, self.groups)
        check_moving_masses(robot, without)
        self.model = Model(robot.name, gravity=robot.gravity)
        self.names = RobotPartNames(self.report)
        self.joint_names = {
            name: self.names.new(name, "joint")
            for name, joint in robot.joints.items()
            if joint.kind not in ("fixed", "free")
        }
        self.body_names: dict[int, str] = {id(self.of_link[WORLD]): self.model.ground.name}
        self.ground_shapes: list[Shape] = list(robot.root_shapes)

    def _place(self, tree: RobotTree) -> list[LinkGroup]:
        """Poses of the links and groups of fixed links. Returns those whose joint moves no mass."""
        moving = {name: value for name, value in self.positions.items() if self.robot.joints[name].moves}
        self.positions = tree.coordinates(moving, "positions")
        given = {
            name: value
            for name, value in (self.options.speeds or {}).items()
            if name not in self.locked or name not in self.robot.joints
        }
        self.speeds = tree.coordinates(given, "speeds", rates=self.positions)
        self.motions = tree.motions(self.positions, self.speeds)
        self.groups, self.of_link = link_groups(tree)
        return joints_without_mass(self.groups, self.of_link, self.motions, set(self.options.gearboxes))

    # ---- bodies

    def add_bodies(self) -> None:
        """Bodies in their initial poses; links without mass that cannot move belong to the ground."""
        for group in self.groups:
            if group.on_world and group.mass <= 0.0:
                self.body_names[id(group)] = self.model.ground.name
                place = self.motions[group.own].place
                self.ground_shapes += [
                    shape.turned(place.rotation).moved(place.position) for shape in group.shapes(self.robot)
                ]
            else:
                self._add_body(group)
        if self.ground_shapes:
            self.model.look("ground", shape=self.ground_shapes)

    def _add_body(self, group: LinkGroup) -> None:
        motion = self.motions[group.own]
        name = self.names.new(group.own, "link")
        self.body_names[id(group)] = name
        shapes = group.shapes(self.robot)
        real = group.mass > 0.0 and is_real(group.inertia)
        self.model.body(
            name,
            mass=group.mass,
            inertia=group.inertia.tolist(),
            centre_of_mass=group.centre,
            position=motion.place.position,
            orientation=motion.place.rotation,
            velocity=motion.velocity,
            angular_velocity=motion.angular_velocity,
            any_inertia=not real,
            shape=shapes or None,
        )

    def frame_on(self, link: str, place: RobotPlacement, name: str = "") -> Frame:
        """Frame on the body of a link, given in the frame of the link."""
        group = self.of_link[link]
        body = self.body_names[id(group)]
        inside = group.places.get(link, IDENTITY) @ place
        if body == self.model.ground.name:
            if link != WORLD:
                inside = self.motions[link].place @ place
            return self.model.ground.frame(name or None, position=inside.position, rotation=inside.rotation)
        return self.model.bodies[body].frame(name or None, position=inside.position, rotation=inside.rotation)

    def body_of(self, link: str) -> str:
        """Name of the body of a link."""
        return self.body_names[id(self.of_link[link])]

    # ---- joints

    def add_joints(self) -> None:
        """Joints between the bodies. Their angles and displacements are the coordinates of the file."""
        for group in self.groups:
            joint = group.joint
            if joint is None or self.body_names[id(group)] == self.model.ground.name:
                continue
            if joint.kind == "fixed":
                self.model.fixed(self.names.new(joint.name, "joint", silent=True), "ground", self.body_names[id(group)])
            elif joint.kind != "free":
                self._add_joint(joint)

    def _add_joint(self, joint: JointData) -> None:
        axes = z_to(joint.axis)
        name = self.joint_names[joint.name]
        second = self.frame_on(joint.child, RobotPlacement(axes, joint.anchor), name)
        first = joint.placement @ RobotPlacement(axes, joint.anchor)
        back = RobotPlacement(about(np.array([0.0, 0.0, 1.0]), -joint.reference), np.zeros(3))
        if joint.kind == "prismatic":
            back = RobotPlacement(np.eye(3), np.array([0.0, 0.0, -joint.reference]))
        if joint.kind in ("revolute", "prismatic"):
            first = first @ back
        make = getattr(self.model, joint.kind)
        try:
            make(name, self.frame_on(joint.parent, first, name), second)
        except ModelError as error:
            raise self.robot.error(joint.line, str(error)) from error

    def add_loops(self) -> None:
        """Joints that close loops."""
        for loop in self.robot.loops:
            name = self.names.new(loop.name, "joint")
            first, second = (
                self.frame_on(link, place, name) for link, place in zip(loop.links, loop.frames, strict=True)
            )
            try:
                make = self.model.spherical if loop.kind == "spherical" else self.model.fixed
                make(name, first, second)
            except ModelError as error:
                raise self.robot.error(loop.line, str(error)) from error

    def add_frames(self) -> None:
        """Sensors at links that are part of another body, and at named frames."""
        for group in [self.of_link[WORLD], *self.groups]:
            body = self.body_names[id(group)]
            if body == self.model.ground.name:
                continue
            own = group.own
            for link, place in group.places.items():
                if link != own and self.options.wants_frame(link):
                    self._sensor(link, link, IDENTITY)
                for name, inside in self.robot.links[link].frames.items():
                    if self.options.wants_frame(name):
                        self._sensor(name, link, inside)
                del place

    def _sensor(self, wish: str, link: str, place: RobotPlacement) -> None:
        name = self.names.new(wish, "frame", silent=True)
        self.model.sensor(name, self.frame_on(link, place, name))

    # ---- locked joints

    def _lock(self, tree: RobotTree, locked: set[str]) -> None:
        robot = self.robot
        changed = True
        while changed:  # joints that follow a locked joint, or a constant, are locked too
            changed = False
            for relation in robot.relations:
                other = None if relation.other is None else robot.joints[relation.other]
                still = other is None or other.name in locked or not other.moves
                if still and relation.joint not in locked and robot.joints[relation.joint].moves:
                    locked.add(relation.joint)
                    changed = True
                    if other is None or other.name not in self.positions:
                        self.positions[relation.joint] = relation.value(0.0)
        for relation in list(robot.relations):
            if relation.joint in locked:
                robot.relations.remove(relation)
                if relation.other is not None and relation.other not in locked and robot.joints[relation.other].moves:
                    self.report.add(
                        "ignored",
                        f'the relation of joint "{relation.joint}" to joint "{relation.other}": the first one is locked',
                    )
        for one in robot.sums:
            fixed = sum(
                factor * self.positions[name] for name, factor in one.terms if name in locked and name in self.positions
            )
            one.terms = [(name, factor) for name, factor in one.terms if name not in locked]
            if one.value is not None:
                one.value -= fixed
            one.rest = (one.rest[0] - fixed, one.rest[1] - fixed)
        tree.lock(locked, self.positions)
        for name in locked:
            self.positions.pop(name, None)
        self.locked |= locked


def make_model(robot: Robot, options: RobotOptions) -> Imported:
    """Model of a robot, and the report of the import."""
    made = RobotModel(robot, options)
    made.add_bodies()
    made.add_joints()
    made.add_loops()
    inputs = add_gearboxes(made)
    add_relations(made)
    add_joint_parts(made, inputs)
    add_actuators(made, inputs)
    made.add_frames()
    _summarise(made)
    files = {
        piece.source.name: piece.source.read_bytes()
        for look in made.model.looks.values()
        if look.shape is not None
        for piece in look.shape.pieces
        if piece.source is not None
    }
    return Imported(made.model, made.report, files=files)


def counted(n: int, noun: str) -> str:
    """Number and noun, such as "3 joints"."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _hold_base(robot: Robot, floating: bool) -> None:
    """Connect root links to the world: fixed, or free to move."""
    children = {joint.child for joint in robot.joints.values()}
    roots = [link for link in robot.links.values() if link.name not in children]
    if any(joint.parent == WORLD for joint in robot.joints.values()):
        if floating:
            raise ExchangeError(
                f"{robot.file}: floating: the file itself states how its bodies are connected to the world"
            )
        return
    if not roots:
        joint = next(iter(robot.joints.values()))
        raise robot.error(
            joint.line,
            f'joint "{joint.name}": the links form a closed loop, and no link is the base. Remove one joint of the loop, '
            "and close it in the model",
        )
    if len(roots) > 1:
        names = ", ".join(f'"{link.name}" (line {link.line})' for link in roots[:5])
        raise robot.error(
            roots[1].line,
            f"{len(roots)} links have no parent: {names}. A robot has one base: connect the others by joints",
        )
    root = roots[0]
    if floating and len(robot.joints) and root.mass <= 0.0 and not _fixed_mass(robot, root.name):
        raise robot.error(
            root.line,
            f'link "{root.name}": the base moves freely (floating), but has no mass. Specify its mass and inertia in the file',
        )
    name = f"{root.name}_fixed"
    robot.joints = {name: JointData(name, "free" if floating else "fixed", WORLD, root.name, root.line), **robot.joints}


def _fixed_mass(robot: Robot, link: str) -> float:
    """Mass of a link and of all links that are fixed to it."""
    total, waiting, seen = 0.0, [link], set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        total += robot.links[one].mass
        waiting += [j.child for j in robot.joints.values() if j.parent == one and j.kind == "fixed"]
    return total


def _check_relations(robot: Robot) -> None:
    """Errors of relations: joints that do not exist, or two relations of one joint."""
    seen: dict[str, RelationData] = {}
    for relation in robot.relations:
        for name in (relation.joint, relation.other):
            if name is not None and name not in robot.joints:
                raise robot.error(
                    relation.line,
                    f'"{relation.name}": there is no joint "{name[:80]}", which joint "{relation.joint}" follows. '
                    "Correct the name",
                )
        if relation.joint in seen:
            raise robot.error(
                relation.line,
                f'joint "{relation.joint}" follows two joints, see also line {seen[relation.joint].line}. Remove one relation',
            )
        seen[relation.joint] = relation


def _summarise(made: RobotModel) -> None:
    robot, report = made.robot, made.report
    report.add(
        "used",
        f"{counted(len(robot.links), 'link')} as {len(made.model.bodies)} {'body' if len(made.model.bodies) == 1 else 'bodies'}, "
        f"{counted(len(made.joint_names), 'joint')}, "
        f"total mass {made.model.mass:.6g} kg",
    )
    limited = [j for j in robot.joints.values() if j.moves and (math.isfinite(j.lower) or math.isfinite(j.upper))]
    if limited and made.options.stops is False:
        report.add(
            "ignored",
            f"limits of {counted(len(limited), 'joint')}: they are not limited. "
            "For rigid stops specify stops=True (option --stops)",
        )
    reductions = sum(j.reduction is not None and j.name not in made.options.gearboxes for j in robot.joints.values())
    if reductions:
        report.add(
            "kept",
            f"ratio of {counted(reductions, 'transmission')}: without an inertia of the motor no effect. Specify gearboxes= or "
            "armatures=",
        )
