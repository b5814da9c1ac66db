"""from_mjcf: a model of the robot in an MJCF file, the format of MuJoCo."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...arguments import names_wrong_arguments
from ...errors import Subject, near_names
from ...model import Model
from ...model.types import Vector
from ...units import vector
from ..imported import Imported, ImportReport
from ..limits import ExchangeError
from .attributes import ElementReading
from .description import Robot
from .mesh_files import MeshFiles
from .mjcf_actuators import read_actuators
from .mjcf_bodies import BodyReader, key_positions, scale_masses
from .mjcf_defaults import MjcfFile, read_mjcf_tree
from .mjcf_geoms import GeomReader
from .mjcf_relations import read_relations, unread_options, unread_sections
from .model_maker import make_model
from .robot_options import RobotOptions

__all__ = ["from_mjcf", "import_mjcf"]


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
