"""Mesh descriptions: rigid, elastic or loaded teeth, elastic gears, play, errors, friction."""

from typing import TypeAlias

from .elastic import Elastic
from .flank import Flank
from .friction import Friction, Stribeck
from .loaded import Loaded
from .rigid import Rigid
from .rolling import Rolling
from .varying import Varying

Mesh: TypeAlias = Elastic | Flank | Loaded | Rigid | Rolling

__all__ = ["Elastic", "Flank", "Friction", "Loaded", "Mesh", "Rigid", "Rolling", "Stribeck", "Varying"]
