"""Shape: what a part looks like, as pieces of simple form in the axes of the part. A shape has no mass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..units import vector
from .colours import described_colour, read_colour
from .rotations import Array, direction, frozen, read_rotation, z_to
from .triangle_mesh import TriangleMesh

__all__ = ["Shape", "ShapePiece", "read_shape"]

_ORIGIN = frozen([0.0] * 3)
_WAYS = 'specify cylinder(...), bar(...), stl("part.stl", scale="1 mm") and the like, or a list of them'


@dataclass(frozen=True, eq=False)
class ShapePiece:
    """One simple form.

    Attributes
    ----------
    kind : str
        "box" (size along x, y, z), "cylinder" (radius, length, inner: radius of its bore), "cone" (radius at its start and
        end_radius, length), "sphere" (radius) or "mesh" (scale: metres in one unit of its vertices; file: its name). Cylinders
        and cones have their axis along z. All shapes except meshes have their centre at the origin.
    sizes : Mapping
        [m]
    position : (3,)
        Of its origin [m].
    rotation : (3, 3)
        Columns are its axes, in those of the part.
    mesh : TriangleMesh | None
    source : Path | None
        The file of a mesh; it is not described, results are passed on.
    colour : str | None
        Of its own, "#RRGGBB" or "#RRGGBBAA".
    """

    kind: str
    sizes: Mapping[str, Any]
    position: Array
    rotation: Array
    mesh: TriangleMesh | None = None
    source: Path | None = None
    colour: str | None = None

    @cached_property
    def described(self) -> dict[str, Any]:
        """Plain data, of which the piece can be drawn."""
        return {
            "type": self.kind,
            **self.sizes,
            **({} if self.mesh is None else self.mesh.described()),
            **described_colour(self.colour),
            "position": self.position.tolist(),
            "rotation": self.rotation.tolist(),
        }


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Shape:
    """What a part looks like: made by `cylinder`, `tube`, `cone`, `bar`, `sphere` or `stl` without a mass.

    Shapes may be moved, turned and added as solids may: ``tube(...) + bar(...).moved((0.1, 0, 0))``.

    Attributes
    ----------
    pieces : tuple
        Simple forms, each with its place in the axes of the part.
    """

    pieces: tuple[ShapePiece, ...]

    def moved(self, by: object) -> Shape:
        """The same shape, shifted by a vector [m]."""
        return shifted(self, vector(by, "length", what=Subject("Shape.moved") / "by"))

    def turned(self, rotation: object) -> Shape:
        """The same shape, turned about the origin: x -> R x."""
        return rotated(self, read_rotation(rotation, what=Subject("Shape.turned") / "rotation"))

    def coloured(self, colour: object) -> Shape:
        """The same shape in a colour of its own, "#RRGGBB", "#RRGGBBAA" or a name."""
        return painted(self, read_colour(colour, Subject("Shape.coloured") / "colour"))

    def __add__(self, other: object) -> Shape:
        """Both shapes as one."""
        if not isinstance(other, Shape):
            return NotImplemented
        return Shape(self.pieces + other.pieces)

    @property
    def drawn(self) -> Shape:
        """Without the solids of gears, which are drawn as wheels."""
        return Shape(tuple(piece for piece in self.pieces if piece.kind != "gear"))

    @property
    def described(self) -> list[dict[str, Any]]:
        """Plain data for descriptions and result files."""
        return [piece.described for piece in self.drawn.pieces]

    def __repr__(self) -> str:
        return f"Shape({', '.join(piece.kind for piece in self.pieces)})"


NO_SHAPE = Shape(())
GEAR_SHAPE = Shape((ShapePiece("gear", {}, _ORIGIN, read_rotation(None, what="gear")),))
"""For the solid of a gear, which has only mass: its wheel is drawn instead."""


def painted(shape: Shape, colour: str) -> Shape:
    return Shape(tuple(replace(piece, colour=colour) for piece in shape.pieces))


def shifted(shape: Shape, by: Array) -> Shape:
    return Shape(tuple(replace(piece, position=frozen(piece.position + by)) for piece in shape.pieces))


def rotated(shape: Shape, r: Array) -> Shape:
    return Shape(
        tuple(replace(p, position=frozen(r @ p.position), rotation=frozen(r @ p.rotation)) for p in shape.pieces)
    )


def one_piece(
    kind: str, axis: str = "z", *, mesh: TriangleMesh | None = None, source: Path | None = None, **sizes: Any
) -> Shape:
    """A shape of one piece at the origin, its z along an axis of the part."""
    return Shape((ShapePiece(kind, sizes, _ORIGIN, frozen(z_to(direction(axis, what="axis"))), mesh, source),))


def read_shape(value: object, what: Subject) -> Shape:
    """A shape, the shape of a solid, or several of these as one."""
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    pieces: list[ShapePiece] = []
    for item in given:
        shape = item if isinstance(item, Shape) else getattr(item, "shape", None)
        if not isinstance(shape, Shape):
            raise ModelError(f"{what}: {shown(item)} is not a shape; {_WAYS}", about=what)
        if not shape.drawn.pieces:
            raise ModelError(
                f"{what}: {shown(item)} has no shape, because it was created from numbers or from a gear; {_WAYS}",
                about=what,
            )
        pieces += shape.drawn.pieces
    return Shape(tuple(pieces))
