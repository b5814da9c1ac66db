"""Options of ``pitchline gear`` about files; what they do is in `gear_files`, which loads more."""

from __future__ import annotations

from pathlib import Path

from .options import Parser, add_pair, completes

__all__ = ["ENDINGS", "add_files"]

ENDINGS = {"grid": (".vtu",), "inp": (".inp",), "stl": (".stl",), "plot": (".png", ".svg", ".pdf"),
           "drawing": (".png", ".svg", ".pdf")}  # fmt: skip


def add_files(parser: Parser) -> None:
    """Their options."""
    files = parser.add_argument_group("files, of the wheels with their teeth")
    for option, text in {
        "grid": "a finite-element grid for ParaView, PyVista or meshio (.vtu)",
        "inp": "the same with sets and material for Abaqus or CalculiX (.inp; mm, t, s)",
        "stl": "the surface as triangles, in mm (.stl)",
        "plot": "a shaded picture of the pair in mesh, or of one wheel (.png, .svg, .pdf)",
        "drawing": "a drawing of each wheel, teeth and axial section, in a file of its own (.png, .svg, .pdf)",
    }.items():
        completes(files.add_argument(f"--{option}", metavar="FILE", type=Path, help=text), *ENDINGS[option])
    add_pair(files)
    files.add_argument(
        "--wheel", metavar="a|b|both", default="both", help="which wheel, also by its name (default: both)"
    )
    part = files.add_mutually_exclusive_group()
    part.add_argument(
        "--sector", action="store_true", help="one tooth and the body below it (default of --grid and --inp)"
    )
    part.add_argument("--whole", action="store_true", help="the whole wheel (default of --stl and --plot)")
    files.add_argument(
        "--apart",
        action="store_true",
        help="each wheel in a file and in axes of its own, not both as they stand in mesh",
    )
    grid = parser.add_argument_group("finite elements of --grid and --inp, of --stl and --plot with --sector")
    grid.add_argument(
        "--element-order", type=int, choices=(1, 2), default=2, help="1: elements with 8 nodes, 2: with 20 (default: 2)"
    )
    grid.add_argument(
        "--flank-edge", metavar="LENGTH", help="edges of elements along the involute (default: module/10)"
    )
    grid.add_argument("--size", metavar="LENGTH", help="largest edges inside (default: module/2)")
    grid.add_argument("--face-elements", metavar="N", type=int, help="elements along the face width")
    grid.add_argument(
        "--rim-thickness", metavar="LENGTH", help="of the rim below the teeth of a bevel, which its grid needs"
    )
    look = parser.add_argument_group("the picture of --plot")
    look.add_argument(
        "--contact-lines", action="store_true", help="lines on the first wheel along which the teeth touch"
    )
    look.add_argument("--close-up", metavar="LENGTH", help="width of what is shown around the pitch point")
    look.add_argument(
        "--view",
        nargs=2,
        type=float,
        metavar=("AZIMUTH", "ELEVATION"),
        help="of the eye, in degrees; 0 0: along the axis",
    )
