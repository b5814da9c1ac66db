"""Model of a robot: bodies, joints, relations, and the functions that import URDF and MJCF files."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import Frame
from pitchline.declare.registry import Vector
from pitchline.errors import ModelError, Subject, near_names
from pitchline.model.model import Model
from pitchline.solids.mass_properties import Shape
from pitchline.solids.rotations import z_to
from pitchline.units.quantity import quantity, vector

from ..mass_table import Imported, ImportReport
from ..safe_xml import ExchangeError
from .description import (
    IDENTITY,
    MASSLESS,
    WORLD,
    JointData,
    RelationData,
    Robot,
    RobotOptions,
    RobotPlacement,
    about,
    add_joint_parts,
    is_real,
)
from .gearboxes import add_gearboxes
from .mjcf_defaults import ElementReading, MeshFiles, MjcfFile, read_actuators, read_mjcf_tree
from .mjcf_relations import (
    BodyReader,
    RobotPartNames,
    key_positions,
    read_relations,
    scale_masses,
    unread_options,
    unread_sections,
)
from .moving_masses import (
    LinkGroup,
    RobotTree,
    add_actuators,
    add_relations,
    check_moving_masses,
    joints_without_mass,
    link_groups,
)
from .urdf_reader import GeomReader, check_inertias, read_urdf_file

__all__ = ["RobotModel", "make_model", "from_mjcf", "import_mjcf", "from_urdf", "import_urdf"]


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


# ---- mjcf

# from_mjcf: a model of the robot in an MJCF file, the format of MuJoCo.


def import_mjcf(
    path: str | os.PathLike[str],
    *,
    gravity: Any = None,
    keyframe: str | None = None,
    shapes: bool = True,
    folders: Sequence[str | Path] = (),
    packages: Mapping[str, str | Path] | None = None,
    report: ImportReport | None = None,
    **options: Any,
) -> Imported:
    """Model and report of an MJCF file; arguments as those of `from_mjcf`."""
    file = read_mjcf_tree(Path(path).expanduser(), folders)
    robot = Robot(file.name, file.path, _gravity(file, gravity), report=report or ImportReport())
    meshes = MeshFiles(file.path.parent, folders, packages or {}, robot.report)
    bodies = BodyReader(file, robot, GeomReader(file, robot, meshes, draw=shapes))
    bodies.read()
    scale_masses(file, robot)
    read_relations(file, robot, bodies)
    read_actuators(file, robot)
    key_positions(file, robot, bodies.coordinates)
    unread_sections(file, robot)
    unread_options(file, robot)
    if keyframe is not None:
        options["positions"] = _key(robot, keyframe) | dict(options.get("positions") or {})
    return make_model(robot, RobotOptions(**options))


def _key(robot: Robot, name: str) -> dict[str, float]:
    """Positions of a keyframe, without joints that follow others."""
    if name not in robot.poses:
        raise ExchangeError(f'{robot.file}: there is no keyframe "{name}"; {near_names(name, list(robot.poses))}')
    follow = {relation.joint for relation in robot.relations}
    return {joint: value for joint, value in robot.poses[name].items() if joint not in follow}


def _gravity(file: MjcfFile, given: Any) -> tuple[float, float, float]:
    found = [0.0, 0.0, -9.81]
    for section in file.sections:
        if section.tag == "option":
            reading = ElementReading(file.path, section, "option")
            found = list(reading.vector("gravity", tuple(found)))
            for child in section.all("flag"):
                if child.attributes.get("gravity") == "disable":
                    found = [0.0, 0.0, 0.0]
    if given is not None:
        found = list(vector(given, "acceleration", what=Subject("from_mjcf") / "gravity"))
    return (float(found[0]), float(found[1]), float(found[2]))


@names_wrong_arguments
def from_mjcf(
    path: str | os.PathLike[str],
    *,
    gravity: Vector | None = None,
    keyframe: str | None = None,
    positions: Mapping[str, Any] | None = None,
    speeds: Mapping[str, Any] | None = None,
    locked: Iterable[str] = (),
    stops: bool | Mapping[str, Mapping[str, Any]] = False,
    friction: bool = True,
    armatures: Mapping[str, Any] | None = None,
    gearboxes: Mapping[str, Any] | None = None,
    actuators: bool = True,
    controls: Mapping[str, Any] | None = None,
    frames: bool | Iterable[str] = True,
    shapes: bool = True,
    folders: Sequence[str | Path] = (),
    report: ImportReport | None = None,
) -> Model:
    """Read the robot in an MJCF file of MuJoCo as a model.

    Parameters
    ----------
    path
        MJCF file.
    gravity
        Gravitational acceleration [m/s^2]. Default: that of the file.
    keyframe
        Name of a keyframe with the initial positions. Default: the positions in the file.
    positions, speeds, locked, stops, friction, armatures, gearboxes, frames, shapes, folders, report
        As in `from_urdf`.
    actuators
        If False, the actuators of the file are left out. Default True.
    controls
        Controls of actuators by name: numbers, functions of time, or expressions. Default 0.
    """
    return import_mjcf(
        path,
        gravity=gravity,
        keyframe=keyframe,
        positions=positions,
        speeds=speeds,
        locked=locked,
        stops=stops,
        friction=friction,
        armatures=armatures or {},
        gearboxes=gearboxes or {},
        actuators=actuators,
        controls=controls or {},
        frames=frames,
        shapes=shapes,
        folders=folders,
        report=report,
    ).model


# ---- urdf

# from_urdf: a model of the robot in a URDF file.

EARTH = (0.0, 0.0, -9.81)


def import_urdf(
    path: str | os.PathLike[str],
    *,
    gravity: Any = EARTH,
    shapes: bool = True,
    folders: Sequence[str | Path] = (),
    packages: Mapping[str, str | Path] | None = None,
    report: ImportReport | None = None,
    **options: Any,
) -> Imported:
    """Model and report of a URDF file; arguments as those of `from_urdf`."""
    file = Path(path).expanduser()
    g = vector(gravity, "acceleration", what=Subject("from_urdf") / "gravity")
    robot = Robot(file.stem, file, (float(g[0]), float(g[1]), float(g[2])), report=report or ImportReport())
    meshes = MeshFiles(file.parent, folders, packages or {}, robot.report) if shapes else None
    read_urdf_file(file, meshes, robot)
    return make_model(robot, RobotOptions(**options))


@names_wrong_arguments
def from_urdf(
    path: str | os.PathLike[str],
    *,
    gravity: Vector = EARTH,
    floating: bool = False,
    positions: Mapping[str, Any] | None = None,
    speeds: Mapping[str, Any] | None = None,
    locked: Iterable[str] = (),
    stops: bool | Mapping[str, Mapping[str, Any]] = False,
    friction: bool = True,
    armatures: Mapping[str, Any] | None = None,
    gearboxes: Mapping[str, Any] | None = None,
    check_ratios: bool = True,
    frames: bool | Iterable[str] = True,
    shapes: bool = True,
    folders: Sequence[str | Path] = (),
    packages: Mapping[str, str | Path] | None = None,
    report: ImportReport | None = None,
) -> Model:
    """Read the robot in a URDF file as a model.

    Parameters
    ----------
    path
        URDF file. Expand xacro files first.
    gravity
        Gravitational acceleration [m/s^2]. Default: along -z, 9.81.
    floating
        If True, the base moves freely. Default False: it is fixed to the ground.
    positions, speeds
        Initial coordinates [rad, m] and rates [rad/s, m/s] by name of joint. Default 0.
    locked
        Names of joints that do not move.
    stops
        True: rigid stops at the limits of all joints. Or the arguments of `Model.stop` by name of joint, such as
        ``{"elbow": {"stiffness": 1e4}}``. Default False: no stops.
    friction
        If False, the friction of the joints in the file is left out. Default True.
    armatures
        Inertias of motors on the coordinates of joints, by name of joint [kg*m^2, kg]: inertia of the rotor times the square
        of the ratio.
    gearboxes
        Gear trains behind joints, by name of joint: the path of a model file, a Model, or
        ``{"file": ..., "input": ..., "output": ...}`` with the names of the joints of the motor and of the output.
    check_ratios
        If False, a gearbox may have another ratio than the transmission in the file. Default True.
    frames
        Links that are part of another body become sensors with their names. True (default): all; or a list of names.
    shapes
        If False, shapes for pictures are left out. Default True.
    folders, packages
        Folders in which mesh files are looked for, and folders of packages by name. Other folders are not read.
    report
        Receives notes on what was used, assumed, and not used.
    """
    return import_urdf(
        path,
        gravity=gravity,
        floating=floating,
        positions=positions,
        speeds=speeds,
        locked=locked,
        stops=stops,
        friction=friction,
        armatures=armatures or {},
        gearboxes=gearboxes or {},
        check_ratios=check_ratios,
        frames=frames,
        shapes=shapes,
        folders=folders,
        packages=packages,
        report=report,
    ).model
