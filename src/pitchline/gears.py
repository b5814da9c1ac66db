"""Gears: public names of `pitchline.parts.gears.geometry`."""

from .parts.gears import geometry as _geometry
from .parts.gears.geometry import *  # noqa: F403

__all__ = _geometry.__all__


def __getattr__(name: str) -> object:
    return getattr(_geometry, name)
