"""Look: appearance of a part in pictures. It has no effect on computations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..errors import ModelError, Subject, shown
from ..solids.colours import described_colour, read_colour
from ..solids.shape import Shape, read_shape

__all__ = ["Look", "read_look"]


@dataclass(frozen=True, eq=False)
class Look:
    """Appearance of a part as specified.

    Attributes
    ----------
    shape : Shape | None
        Shape in the axes of the part. A shape without pieces: the part is not drawn. None: not specified.
    for_wheels : bool
        Whether the shape is that of a solid that includes the wheels of the body. It is not drawn if the body has wheels.
    colour : str | None
        "#RRGGBB", or "#RRGGBBAA" for a transparent part: opacity AA from 01 to FE.
    hidden : bool
        Whether viewers hide the part at first.
    """

    shape: Shape | None = None
    for_wheels: bool = False
    colour: str | None = None
    hidden: bool = False

    def described(self, *, has_wheels: bool = False) -> dict[str, Any]:
        """Appearance as plain data: shape, colour, opacity, hidden. Keys that are not specified are omitted.

        has_wheels: whether the body has wheels without their own mass.
        """
        shape = None if self.for_wheels and has_wheels else self.shape
        return {
            **({} if shape is None else {"shape": shape.described}),
            **described_colour(self.colour),
            **({"hidden": True} if self.hidden else {}),
        }

    def changed(self, what: Subject, shape: Any, colour: Any, hidden: Any) -> Look:
        """Return the appearance with new values. None: unchanged."""
        look = self
        if shape is not None:
            look = replace(look, shape=read_shape(shape, what / "shape"), for_wheels=False)
        if colour is not None:
            look = replace(look, colour=read_colour(colour, what / "colour"))
        if hidden is not None:
            if not isinstance(hidden, bool):
                raise ModelError(f"{what}: hidden must be true or false, got {shown(hidden)}", about=what.at("hidden"))
            look = replace(look, hidden=hidden)
        return look


def read_look(
    what: Subject, *, shape: Any = None, colour: Any = None, hidden: Any = None, of_solid: Shape | None = None
) -> Look:
    """Read the appearance of a new part. of_solid: shape of the solid of the part."""
    first = Look()
    if of_solid is not None and of_solid.drawn.pieces:
        first = Look(of_solid.drawn, for_wheels=len(of_solid.drawn.pieces) == len(of_solid.pieces))
    return first.changed(what, shape, colour, hidden)
