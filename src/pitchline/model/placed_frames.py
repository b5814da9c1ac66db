"""Frame on a body with a given direction of its z axis, for methods that accept a body and an axis."""

from __future__ import annotations

from ..errors import ModelError
from ..solids.rotations import Array
from ..units import vector
from .body import Body
from .frames import Frame
from .registry import Registry
from .types import OnBody, Vector

__all__ = ["directed_frame"]


def directed_frame(
    model: Registry, on: OnBody, at: Vector | None, rotation: Array, name: str, what: str, point: str
) -> Frame:
    """Frame on a body at a world point (default: its origin) with a world rotation. `point`: name of the argument at."""
    if not isinstance(on, (Body, str)):
        raise ModelError(f"{what}: a frame already defines the axis; omit axis, or give the body in place of the frame")
    body = model._body(on, what)
    place = body.position if at is None else vector(at, "length", what=f"{what}: {point}")
    return model._frame_at(body, place, rotation, name)
