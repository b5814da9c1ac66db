"""from_urdf: a model of the robot in a URDF file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...arguments import names_wrong_arguments
from ...errors import Subject
from ...model import Model
from ...model.types import Vector
from ...units import vector
from ..imported import Imported, ImportReport
from .description import Robot
from .mesh_files import MeshFiles
from .model_maker import make_model
from .robot_options import RobotOptions
from .urdf_reader import read_urdf_file

__all__ = ["from_urdf", "import_urdf"]

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
