"""Options of ``pitchline gear`` for files. Module `gear_files` uses them and imports more."""

from __future__ import annotations

from pathlib import Path

from .options import Parser, add_pair, completes

__all__ = ["ENDINGS", "add_files"]

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
