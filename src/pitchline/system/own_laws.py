"""Compile mesh laws that users declare."""

from collections import namedtuple
from typing import Any

import numba

from ..errors import Subject
from ..math.gradient_laws import address_of_gradient_law
from ..model.meshes import OwnMesh

__all__ = ["own_address"]

_compiled: dict[Any, int] = {}


def own_address(mesh: OwnMesh) -> int:
    """Address of the law as a function of approach, rate and phase, with derivatives. Its fields become constants."""
    cls = type(mesh)
    key = (cls, cls.function(), tuple(mesh.values.values()))
    if key not in _compiled:
        record: Any = namedtuple(cls.__name__, (*mesh.values, "nothing"))  # a tuple without fields has no type
        s = record(*mesh.values.values(), 0.0)
        force: Any = numba.njit(error_model="numpy")(cls.function())

        def law(approach: float, rate: float, phase: float) -> Any:
            return force(s, approach, rate, phase)

        law.__name__ = "force"
        _compiled[key] = address_of_gradient_law(law, 3, Subject(cls.__name__)).address
    return _compiled[key]
