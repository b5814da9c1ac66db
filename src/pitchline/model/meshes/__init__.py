"""Mesh descriptions: rigid, elastic or loaded teeth, elastic gears, play, errors, friction."""

from typing import TypeAlias

from .elastic import Elastic
from .flank import Flank
from .friction import Friction, Stribeck
from .friction_table import FrictionTable
from .loaded import Loaded
from .own import OwnMesh
from .rigid import Rigid
from .rolling import Rolling
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
