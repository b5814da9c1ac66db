"""Look: what a part looks like in pictures. It has no influence on any computation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..errors import ModelError, Subject, shown
from ..solids.colours import described_colour, read_colour
from ..solids.shape import Shape, read_shape

__all__ = ["Look", "read_look"]


@dataclass(frozen=True, eq=False)
class Look:
    """What was said of a part's looks.

    Attributes
    ----------
    shape : Shape | None
        In the axes of the part; without pieces nothing is drawn of the part itself. None: nothing was said.
    for_wheels : bool
        Whether the shape is that of the solid the body was made from, in which no gear was counted: it then stands for the wheels
        of the body too, and is left out where there are some.
    colour : str | None
        "#RRGGBB", or "#RRGGBBAA" where it is seen through: AA from 01 to FE, how opaque it is.
    hidden : bool
        Whether viewers leave it out until it is asked for.
    """

    shape: Shape | None = None
    for_wheels: bool = False
    colour: str | None = None
    hidden: bool = False

    def described(self, *, has_wheels: bool = False) -> dict[str, Any]:
        """What is said, as plain data: shape, colour, opacity, hidden; keys without anything to say are left out.

        has_wheels: whether wheels sit on the body that bring no mass of their own
        """
        shape = None if self.for_wheels and has_wheels else self.shape
        return {
            **({} if shape is None else {"shape": shape.described}),
            **described_colour(self.colour),
            **({"hidden": True} if self.hidden else {}),
        }

    def changed(self, what: Subject, shape: Any, colour: Any, hidden: Any) -> Look:
        """The same with what is said anew; None: as before."""
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
    """The look of a new part; of_solid: the shape of what the part is made from."""
    first = Look()
    if of_solid is not None and of_solid.drawn.pieces:
        first = Look(of_solid.drawn, for_wheels=len(of_solid.drawn.pieces) == len(of_solid.pieces))
    return first.changed(what, shape, colour, hidden)
