"""Tables for the appearance of elements: shapes, colours, and whether they are hidden."""

from __future__ import annotations

import numpy as np

from ..model import Model
from ..model.look_methods import described_look
from ..model.station import Station
from ..solids.shape import ShapePiece
from .written_places import Table
from .written_quantities import axis_of, orientation, quantities, with_unit

__all__ = ["LookWords"]


class LookWords:
    """Keys for the appearance of the elements of a model."""

    def __init__(self, model: Model) -> None:
        self.m = model

    def apart(self, name: str) -> bool:
        """Whether the appearance is in a table [looks.NAME], because the element itself has no table for it."""
        m = self.m
        own = name in m.structures or name in m.wheels or (name in m.bodies and not isinstance(m.bodies[name], Station))
        return not own

    def of(self, name: str) -> Table:
        """shape, colour and hidden, if they are specified."""
        said = described_look(self.m, name)
        if said.pop("opacity", None) is not None:
            said["colour"] = self.m.looks[name].colour
        if "shape" in said:
            shape = self.m.looks[name].shape
            assert shape is not None
            pieces = [_piece(piece) for piece in shape.pieces]
            said["shape"] = pieces[0] if len(pieces) == 1 else pieces
        return said


def _piece(piece: ShapePiece) -> Table:
    """Shape with its position."""
    sizes: Table = {key: with_unit(value, "length") for key, value in piece.sizes.items() if isinstance(value, float)}
    turned, table = True, Table()
    if piece.kind == "box":
        table = {
            "kind": "bar",
            **dict(zip(("length", "width", "height"), quantities(piece.sizes["size"], "length"), strict=True)),
        }
    elif piece.kind == "mesh":
        table = {"kind": "stl", "file": piece.sizes["file"], **sizes}
    elif piece.kind == "cylinder" and "inner" in sizes:
        table = {
            "kind": "tube",
            "outer_radius": sizes["radius"],
            "inner_radius": sizes["inner"],
            "length": sizes["length"],
        }
    else:
        table = {"kind": piece.kind, **sizes}
    axis = axis_of(piece.rotation)
    if piece.kind in ("cylinder", "cone") and axis in ("x", "y"):
        table["axis"], turned = axis, False
    if turned and not np.array_equal(piece.rotation, np.eye(3)):
        table["turned"] = orientation(piece.rotation)
    if piece.position.any():
        table["moved"] = quantities(piece.position, "length")
    return {**table, "colour": piece.colour} if piece.colour is not None else table
