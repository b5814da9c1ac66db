"""Mesh descriptions: rigid, elastic or loaded teeth, elastic gears, play, errors, friction."""

from typing import TypeAlias

from .common import Friction, FrictionTable, Stribeck
from .elastic import Elastic, Rigid, Rolling
from .flank import Flank
from .loaded import Loaded
from .own import OwnMesh
from .varying import Varying

Mesh: TypeAlias = Elastic | Flank | Loaded | OwnMesh | Rigid | Rolling

__all__ = [
    "Elastic",
    "Flank",
    "Friction",
    "FrictionTable",
    "Loaded",
    "Mesh",
    "OwnMesh",
    "Rigid",
    "Rolling",
    "Stribeck",
    "Varying",
]
