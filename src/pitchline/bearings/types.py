"""All types of rolling bearings, by their kinds in model files."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from .ball_types import AngularContactBall, DeepGrooveBall
from .inclined_roller_types import SphericalRoller, TaperedRoller
from .roller_types import CylindricalRoller, NeedleRoller

__all__ = ["BEARING_KINDS", "BEARING_TYPES"]

_TYPES = (DeepGrooveBall, AngularContactBall, CylindricalRoller, TaperedRoller, SphericalRoller, NeedleRoller)
BEARING_TYPES: Mapping[str, Callable[..., Any]] = MappingProxyType({cls.__name__: cls for cls in _TYPES})
BEARING_KINDS: Mapping[str, Callable[..., Any]] = MappingProxyType({
    **{cls.kind: cls for cls in _TYPES},
    **{f"{cls.kind}_from_catalogue": cls.from_catalogue for cls in _TYPES},
})  # fmt: skip
