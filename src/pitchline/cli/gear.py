"""``pitchline gear``: geometry of a gear pair as a table; teeth as grids, surfaces and pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .run import (
    FINE,
    Commands,
    Parser,
    add_allow,
    add_force,
    add_json,
    add_model,
    add_pair,
    add_set,
    command,
    completes,
)

if TYPE_CHECKING:
    from pitchline.model.model import Model

__all__ = ["ENDINGS", "add_files", "add_gear"]


# ---- gear options

# Options of ``pitchline gear`` for files. Module `gear_files` uses them and imports more.

ENDINGS = {"grid": (".vtu",), "inp": (".inp",), "stl": (".stl",), "plot": (".png", ".svg", ".pdf"),
           "drawing": (".png", ".svg", ".pdf")}  # fmt: skip


def add_files(parser: Parser) -> None:
    """Add these options to the parser."""
    files = parser.add_argument_group("files of the gears with their teeth")
    for option, text in {
        "grid": "finite-element grid for ParaView, PyVista or meshio (.vtu)",
        "inp": "finite-element grid with sets and material for Abaqus or CalculiX (.inp; mm, t, s)",
        "stl": "surface as triangles, in mm (.stl)",
        "plot": "shaded picture of the pair in mesh, or of one gear (.png, .svg, .pdf)",
        "drawing": "drawing of each gear with teeth and axial section, one file per gear (.png, .svg, .pdf)",
    }.items():
        completes(files.add_argument(f"--{option}", metavar="FILE", type=Path, help=text), *ENDINGS[option])
    add_pair(files)
    files.add_argument(
        "--wheel", metavar="a|b|both", default="both", help="gear to write, also by its name (default: both)"
    )
    part = files.add_mutually_exclusive_group()
    part.add_argument(
        "--sector", action="store_true", help="one tooth and the body below it (default for --grid and --inp)"
    )
    part.add_argument("--whole", action="store_true", help="the whole gear (default for --stl and --plot)")
    files.add_argument(
        "--apart",
        action="store_true",
        help="one file and separate axes for each gear, instead of both gears in mesh",
    )
    grid = parser.add_argument_group("finite elements of --grid and --inp, and of --stl and --plot with --sector")
    grid.add_argument(
        "--element-order",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: elements with 8 nodes, 2: elements with 20 nodes (default: 2)",
    )
    grid.add_argument(
        "--flank-edge", metavar="LENGTH", help="element edge length along the involute (default: module/10)"
    )
    grid.add_argument("--size", metavar="LENGTH", help="largest element edge length inside (default: module/2)")
    grid.add_argument("--face-elements", metavar="N", type=int, help="number of elements along the face width")
    grid.add_argument(
        "--rim-thickness",
        metavar="LENGTH",
        help="thickness of the rim below the teeth of a bevel gear; required for its grid",
    )
    look = parser.add_argument_group("picture of --plot")
    look.add_argument("--contact-lines", action="store_true", help="draw the contact lines on the first gear")
    look.add_argument("--close-up", metavar="LENGTH", help="width of the region shown around the pitch point")
    look.add_argument(
        "--view",
        nargs=2,
        type=float,
        metavar=("AZIMUTH", "ELEVATION"),
        help="view direction in degrees; 0 0: along the axis",
    )


_EXAMPLES = """\
  pitchline gear --teeth 20 50 --module 2mm --width 20mm
  pitchline gear --teeth 20 50 --module 2mm --helix 12deg --shift 0.3 0 --width 20mm
  pitchline gear --teeth 12 50 --module 2mm --centre-distance 63mm
  pitchline gear --teeth 20 80 --module 2mm --internal
  pitchline gear --teeth 15 45 --module 3mm --width 12mm --bevel
  pitchline gear --teeth 2 40 --module 2mm --worm 5deg
  pitchline gear gearbox.toml                           the gear pairs of a model
  pitchline gear gearbox.toml --plot pair.png           both gears in mesh, shaded
  pitchline gear gearbox.toml --wheel a --grid pinion.vtu --inp pinion.inp --flank-edge 0.1mm
  pitchline gear --teeth 20 50 --module 2mm --width 20mm --bore 15mm 30mm --stl wheels.stl
  pitchline gear gearbox.toml --drawing wheel.svg       each gear as a drawing, wheel_a.svg and wheel_b.svg
  pitchline gear helical-pair --plot lines.png --contact-lines --close-up 40mm --view 25 50

If --helix has one angle, the helix angle of the second gear follows from it. Undercut, thin tips, tips that touch fillets or
roots, and contact ratios below 1 give warnings. Teeth that cannot be cut or cannot mesh are errors (exit status 1).

A file contains both gears, in their positions in mesh. With --apart, each gear has its own file, named after the gear
(wheels_a.stl and wheels_b.stl), and its own axes. Teeth and bodies are those of the gears of the model, including flank
modifications. Grids use the ideal flanks. If a gear has no bore, its grid gets a default bore, and a message reports it.
"""


def add_gear(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "gear",
        "geometry of a gear pair as a table",
        "Print diameters, contact ratios, backlash and warnings of a gear pair according to ISO 21771. Write the gears with their "
        "teeth as finite-element grids, surfaces and shaded pictures.",
        _EXAMPLES,
        _gear,
    )
    add_model(parser, optional=True)
    pair = parser.add_argument_group("gear pair from data; if two values are given, the second is for the second gear")
    pair.add_argument(
        "--teeth", nargs="+", metavar="Z", help="numbers of teeth; with --rack the number of the pinion is enough"
    )
    pair.add_argument("--module", metavar="LENGTH", help="normal module, e.g. 2mm")
    pair.add_argument(
        "--pressure-angle", metavar="ANGLE", default="20 deg", help="normal pressure angle (default: 20deg)"
    )
    pair.add_argument("--helix", nargs="+", metavar="ANGLE", help="helix angle, positive right-hand")
    pair.add_argument(
        "--shift", nargs="+", metavar="X", help="profile shift coefficient (profile shift divided by the module)"
    )
    pair.add_argument("--width", nargs="+", metavar="LENGTH", help="face width")
    pair.add_argument("--bore", nargs="+", metavar="LENGTH", help="bore diameter; required for a solid grid")
    pair.add_argument("--rim", metavar="LENGTH", help="outer diameter of an internal gear")
    pair.add_argument("--backlash", metavar="LENGTH", help="reduction of the tooth thickness of each gear")
    pair.add_argument("--centre-distance", metavar="LENGTH", help="centre distance (default: zero-backlash distance)")
    pair.add_argument(
        "--shaft-angle",
        metavar="ANGLE",
        help="angle between the axes of crossed or bevel gears (default for bevel gears: 90deg)",
    )
    kind = pair.add_mutually_exclusive_group()
    kind.add_argument("--internal", action="store_true", help="the second gear is an internal gear")
    kind.add_argument("--rack", action="store_true", help="the second gear is a rack")
    kind.add_argument(
        "--bevel",
        action="store_true",
        help="bevel gears; the module is the mean normal module (middle of the face width)",
    )
    kind.add_argument("--worm", metavar="LEAD_ANGLE", help="the first gear is a worm with this lead angle")
    pair.add_argument(
        "--shorten",
        action="store_true",
        help="shorten the tips so that the tip clearance equals that of the basic rack",
    )
    add_files(parser)
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def _gear(given: argparse.Namespace) -> int:
    from pitchline.errors import ModelError

    from .gear_files import ShownPair, as_data, as_text, chosen_pairs, pair_of, write_files
    from .run import print_json

    if (given.model is None) == (given.teeth is None):
        raise ModelError("gear: specify --teeth and --module, or a model (name or file). See pitchline gear --help")
    if given.model is None:
        name, pairs = "gear pair", {"gear pair": ShownPair(pair_of(given))}
    else:
        from .jobs import find_job

        model = find_job(given.model, given.set, given.allow).model()
        name, pairs = model.name, ShownPair.of_model(model)
        if not pairs:
            return _show_wheels(given, model)
    pairs = chosen_pairs(given, pairs)
    written = write_files(given, pairs)
    shown = {key: one.pair for key, one in pairs.items()}
    if given.json:
        print_json(as_data(name, shown) | ({"files": [file.as_data() for file in written]} if written else {}))
        return FINE
    print("\n\n".join(as_text(key, pair) for key, pair in shown.items()))
    if written:
        print("\n" + "\n".join(file.line() for file in written))
    return FINE


def _show_wheels(given: argparse.Namespace, model: Model) -> int:
    """Gears of a model that has no gear pairs, one by one."""
    from pitchline.errors import ModelError

    from .gear_files import asked_files, wheel_data, wheel_text
    from .run import print_json

    gears = {name: wheel.gear for name, wheel in model.wheels.items() if wheel.gear is not None}
    if not gears:
        raise ModelError(
            f'model "{model.name}" has no gears with teeth. Specify another model, or --teeth and --module'
        )
    if asked_files(given) or given.pair is not None:
        raise ModelError(
            f'gear: files need gears in mesh. Model "{model.name}" has no gear pair; add one to [gear_pairs]'
        )
    if given.json:
        print_json(wheel_data(model.name, gears))
    else:
        print("\n\n".join(wheel_text(name, gear) for name, gear in gears.items()))
    return FINE
