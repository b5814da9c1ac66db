"""Base classes and functions to declare elements and mesh laws, for the package and for users.

An element is a class derived from `Element`: fields, and functions that are compiled. A mesh law is a class derived from
`MeshLaw`: numbers, and a function of the approach of the teeth. See "Adding an element" in the documentation.
"""

from .declare.declared_element import DeclaredElement as Element
from .declare.field_declarations import (
    choice,
    coordinates,
    derived,
    description,
    flag,
    frame,
    function,
    input_signal,
    integer,
    joint,
    law,
    memory,
    number,
    numbers,
    output_signal,
    scratch,
    signal,
)
from .declare.field_declarations import vector_parameter as vector
from .engine.elements.contract import RATE, RESIDUAL, TANGENT, measure, rate
from .engine.elements.frame_motion import add_effort, add_effort_tangent
from .numerics.functions import value_of
from .numerics.laws import call_law
from .numerics.vectors import (
    EYE,
    add,
    add_gradient,
    add_gradients,
    add_mat,
    add_vec,
    cross,
    dot,
    mat_sum,
    mm,
    mtv,
    mul,
    mv,
    outer,
    scaled,
    set_vec,
    skew,
    sub,
    tr,
)
from .parts.meshes.laws.own import OwnMesh as MeshLaw
from .parts.springs.kernel_load import add_force, add_force_rotation, add_force_tangent, point, point_velocity

__all__ = [
    "Element", "MeshLaw",
    "frame", "joint", "number", "vector", "integer", "flag", "choice", "numbers", "function", "law",
    "description", "derived",
    "coordinates", "memory", "scratch", "signal", "input_signal", "output_signal",
    "RESIDUAL", "TANGENT", "RATE",
    "value_of", "call_law",
    "measure", "rate", "add_effort", "add_effort_tangent",
    "point", "point_velocity", "add_force", "add_force_tangent", "add_force_rotation",
    "EYE", "add", "sub", "mul", "dot", "cross", "outer", "skew", "mv", "mtv", "mm", "tr", "mat_sum", "scaled",
    "add_vec", "set_vec", "add_mat", "add_gradient", "add_gradients",
]  # fmt: skip
