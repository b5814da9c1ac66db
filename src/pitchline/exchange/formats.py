"""Formats that `pitchline import` reads, and how a file is recognised. Importing it is cheap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.errors import near_names

from .import_formats import MJCF_OPTIONS, URDF_OPTIONS, ImportOption, read_mjcf, read_urdf
from .safe_xml import ExchangeError

if TYPE_CHECKING:
    from .mass_table import Imported

__all__ = ["FORMATS", "ImportFormat", "ImportOption", "format_of", "import_model", "is_importable"]

FIRST_BYTES = 65536
"""Length of the beginning of a file in which its format is looked for."""


@dataclass(frozen=True)
class ImportFormat:
    """Format of another program.

    endings:  of file names that always have this format, in lower case
    possible: endings of file names that may have this format; the contents decide
    sign:     text that the beginning of every such file contains
    read:     reads a file; called with the path and the options. It imports its modules when it is called
    """

    name: str
    endings: tuple[str, ...]
    possible: tuple[str, ...]
    sign: bytes
    read: Callable[..., Imported]
    options: tuple[ImportOption, ...] = ()


def _step(path: str | Path, **options: Any) -> Imported:
    from .step.parts import import_step

    bodies = {name: [one.strip() for one in text.split(",")] for name, text in options.pop("bodies", {}).items()}
    return import_step(path, bodies=bodies, **options)


def _mass_table(path: str | Path, **options: Any) -> Imported:
    from .mass_table import import_mass_table

    return import_mass_table(path, **options)


STEP_FORMAT = ImportFormat(
    "STEP", (".step", ".stp", ".p21"), (), b"ISO-10303-21", _step,
    (
        ImportOption("--density", "density", "density of parts without a material, such as '7850 kg/m^3'"),
        ImportOption("--material", "materials", "density of parts: 'wheel*=7850 kg/m^3'", "pairs", "PART=DENSITY"),
        ImportOption("--mass", "masses", "mass of parts: 'motor*=2.1 kg'", "pairs", "PART=MASS"),
        ImportOption("--body", "bodies", "parts that form one body: 'arm=link*,motor_1'", "pairs", "BODY=PARTS"),
        ImportOption("--leave-out", "leave_out", "parts that are not in the model", "texts", "PART"),
        ImportOption("--surface-tolerance", "tolerance", "largest deviation of the drawn surface, such as '0.1 mm'"),
        ImportOption("--time-limit", "time_limit", "for the CAD kernel, such as '60 s'"),
    ),
)  # fmt: skip
MASS_TABLE_FORMAT = ImportFormat(
    "mass table", (), (".csv", ".json"), b"ixx", _mass_table,
    (
        ImportOption("--inertia-about", "about", "point of the inertias: 'centre of mass' (default) or 'origin'"),
        ImportOption("--products", "products", "sign of the products of inertia: 'tensor' or 'integrals'"),
    ),
)  # fmt: skip


def _rexs(path: str | Path, **options: Any) -> Imported:
    from .rexs.importing import import_rexs

    return import_rexs(path, **options)


REXS_OPTIONS = (
    ImportOption("--load-case", "load_case", "number of the load case, or SPECTRUM/CASE (default: all)", metavar="N"),
    ImportOption("--mesh", "mesh", "law of the gear pairs: elastic (default), rolling, rigid or loaded", metavar="LAW"),
    ImportOption("--shaft-kind", "shafts", "elastic (default) or rigid shafts", metavar="KIND"),
    ImportOption(
        "--bearing-data",
        "bearings",
        "bearings by their geometry (default), or all of them by their stiffness",
        metavar="geometry|stiffness",
    ),
    ImportOption(
        "--gear-shift", "gear_shift", "number of the gear for switchable couplings (default: of the file)", metavar="N"
    ),
)

FORMATS: tuple[ImportFormat, ...] = (
    ImportFormat(
        "REXS",
        (".rexs", ".rexsj", ".rexsz", ".rexs.xml", ".rexs.json", ".rexs.zip"),
        (".xml", ".json", ".zip"),
        b"applicationId",
        _rexs,
        REXS_OPTIONS,
    ),
    STEP_FORMAT,
    MASS_TABLE_FORMAT,
    ImportFormat("URDF", (".urdf", ".xacro"), (), b"<robot", read_urdf, URDF_OPTIONS),
    ImportFormat("MJCF", (".mjcf",), (".xml",), b"<mujoco", read_mjcf, MJCF_OPTIONS),
)
"""Formats in the order in which they are tried."""


def is_importable(path: str | Path) -> bool:
    """Whether the file name has an ending of one of the formats."""
    name = str(path).lower()
    return any(name.endswith(one.endings + one.possible) for one in FORMATS)


def format_of(path: str | Path, name: str | None = None) -> ImportFormat:
    """Format of a file: by the given name, by the ending, or by the contents."""
    if name is not None:
        names = {one.name.lower(): one for one in FORMATS}
        if name.lower() not in names:
            raise ExchangeError(f'there is no format "{name}"; {near_names(name, [one.name for one in FORMATS])}')
        return names[name.lower()]
    file = str(path).lower()
    for one in FORMATS:
        if file.endswith(one.endings):
            return one
    start = _beginning(Path(path))
    for one in FORMATS:
        if file.endswith(one.possible) and one.sign in start:
            return one
    known = ", ".join(f"{one.name} ({', '.join(one.endings + one.possible)})" for one in FORMATS)
    raise ExchangeError(f"{path}: the format of the file is not recognised. Formats: {known}")


def import_model(path: str | Path, *, format: str | None = None, **options: Any) -> Imported:
    """Read a file of another program. Options that its format does not have are refused."""
    one = format_of(path, format)
    own = {option.argument: option for option in one.options}
    for argument in options:
        if argument not in own:
            flags = {option.argument: option.flag for other in FORMATS for option in other.options}
            raise ExchangeError(
                f"{path}: files of the format {one.name} do not have the option {flags.get(argument, argument)}"
            )
    return one.read(path, **options)


def _beginning(path: Path) -> bytes:
    try:
        with path.expanduser().open("rb") as stream:
            return stream.read(FIRST_BYTES)
    except (OSError, ValueError) as error:
        raise ExchangeError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
