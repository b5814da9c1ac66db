"""Options of the import of URDF and MJCF files. Importing it is cheap."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .mass_table import Imported

__all__ = ["ImportOption", "MJCF_OPTIONS", "URDF_OPTIONS", "read_mjcf", "read_urdf"]


# ---- import option

# Option of a format on the command line.


@dataclass(frozen=True)
class ImportOption:
    """Option of one or more formats on the command line.

    flag:     on the command line, for example "--load-case"
    argument: of the function that reads the file, for example "load_case"
    kind:     "text": one text; "flag": True if specified; "texts": may be repeated, a list; "pairs": NAME=VALUE, may be
              repeated, a dictionary; "number": a number
    """

    flag: str
    argument: str
    help: str
    kind: Literal["text", "flag", "texts", "pairs", "number"] = "text"
    metavar: str = "VALUE"


_SHARED = (
    ImportOption(
        "--gearbox",
        "gearboxes",
        "put the gear train of a model file behind a joint",
        kind="pairs",
        metavar="JOINT=FILE",
    ),
    ImportOption("--start-at", "positions", "initial position of a joint", kind="pairs", metavar='JOINT="30 deg"'),
    ImportOption(
        "--lock", "locked", "joint that does not move; massless: all that move no mass", kind="texts", metavar="JOINT"
    ),
    ImportOption("--stops", "stops", "rigid stops at the limits of the joints", kind="flag"),
    ImportOption(
        "--armature",
        "armatures",
        "inertia of the motor on the coordinate of a joint",
        kind="pairs",
        metavar='JOINT="0.1 kg*m^2"',
    ),
    ImportOption("--any-ratio", "any_ratio", "do not compare ratios of gearboxes with those of the file", kind="flag"),
    ImportOption("--no-shapes", "no_shapes", "leave out shapes for pictures", kind="flag"),
    ImportOption("--folder", "folders", "folder in which mesh files are looked for", kind="texts", metavar="FOLDER"),
)
URDF_OPTIONS = (
    ImportOption("--floating", "floating", "the base moves freely", kind="flag"),
    *_SHARED,
    ImportOption("--package", "packages", "folder of a package of mesh files", kind="pairs", metavar="NAME=FOLDER"),
)
MJCF_OPTIONS = (
    ImportOption("--keyframe", "keyframe", "keyframe with the initial positions", metavar="NAME"),
    *_SHARED,
)


def read_urdf(path: str | Path, **options: Any) -> Imported:
    """Read a URDF file."""
    from .robots.model_maker import import_urdf

    return import_urdf(path, **_arguments(options))


def read_mjcf(path: str | Path, **options: Any) -> Imported:
    """Read an MJCF file."""
    from .robots.model_maker import import_mjcf

    return import_mjcf(path, **_arguments(options))


def _arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Options of the command line as arguments of the readers."""
    found = dict(options)
    if found.pop("no_shapes", False):
        found["shapes"] = False
    if found.pop("any_ratio", False):
        found["check_ratios"] = False
    return found
