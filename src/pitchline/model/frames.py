"""Frame: a point and three axes fixed on a body, at which joints and loads act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.rotations import Array, read_rotation
from ..units import vector

if TYPE_CHECKING:
    from .body import Body

__all__ = ["Frame"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Frame:
    """Frame F fixed on a body B. `Body.frame` makes it.

    Attributes
    ----------
    body_name : str
        Name of its body.
    position : (3,)
        x_BF, from the body origin, in body axes [m].
    rotation : (3, 3)
        R_BF: its columns are the axes of the frame in body axes.
    name : str
        Name for messages; may be empty.
    owner : Body | None
        The body object, if known. It distinguishes frames of different models.
    """

    body_name: str
    position: Array
    rotation: Array
    name: str
    owner: Body | None

    def __init__(
        self,
        body_name: str,
        position: object,
        rotation: object = None,
        name: str = "",
        *,
        owner: Body | None = None,
    ) -> None:
        if not isinstance(body_name, str) or not body_name:
            raise ModelError(f"frame: body_name must be the name of a body, got {shown(body_name)}")
        if not isinstance(name, str):
            raise ModelError(f'frame on body "{body_name}": the name must be a text, got {shown(name)}')
        what = Subject(f'frame "{name}" on body "{body_name}"' if name else f'frame on body "{body_name}"')
        object.__setattr__(self, "body_name", body_name)
        object.__setattr__(self, "position", vector(position, "length", what=what / "position"))
        object.__setattr__(self, "rotation", read_rotation(rotation, what=what / "rotation"))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "owner", owner)

    def __repr__(self) -> str:
        label = f"{self.name!r} on " if self.name else "on "
        return f"Frame({label}{self.body_name!r} at {self.position.tolist()})"
