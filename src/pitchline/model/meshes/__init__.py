"""How a mesh behaves, as the user says it: rigid or elastic teeth, play, errors, friction."""

from typing import TypeAlias

from .elastic import Elastic
from .friction import Friction, Stribeck
from .rigid import Rigid
from .rolling import Rolling
from .varying import Varying

Mesh: TypeAlias = Elastic | Rigid | Rolling

__all__ = ["Elastic", "Friction", "Mesh", "Rigid", "Rolling", "Stribeck", "Varying"]
