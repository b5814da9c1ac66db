"""Compile mesh laws that users declare."""

import collections
from typing import Any

import numba

from ..errors import ModelError, Subject
from ..math.gradient_laws import address_of_gradient_law
from ..math.laws import numba_line
from ..model.meshes import OwnMesh

__all__ = ["own_address"]

_compiled: dict[Any, int] = {}


def own_address(mesh: OwnMesh) -> int:
    """Address of the law as a function of approach, rate and phase, with derivatives. Its fields become constants."""
    cls = type(mesh)
    key = (cls, cls.function(), tuple(mesh.values.values()))
    if key not in _compiled:
        make: Any = collections.namedtuple
        record = make(cls.__name__, (*mesh.values, "nothing"))  # a tuple without fields has no type
        s = record(*mesh.values.values(), 0.0)
        force: Any = numba.njit(error_model="numpy")(cls.function())
        try:  # first by itself, so that an error names a line of the user
            force.compile((numba.typeof(s), *[numba.float64] * 3))
        except Exception as error:
            raise ModelError(
                f"{cls.__name__}.force cannot be compiled: {numba_line(error)}; use numbers, the module math, and functions that "
                "numba compiled"
            ) from error

        def law(approach: float, rate: float, phase: float) -> Any:
            return force(s, approach, rate, phase)

        law.__name__ = "force"
        _compiled[key] = address_of_gradient_law(law, 3, Subject(cls.__name__)).address
    return _compiled[key]
