"""Base classes and functions to declare elements and mesh laws, for the package and for users.

An element is a class derived from `Element`: fields, and functions that are compiled. A mesh law is a class derived from
`MeshLaw`: numbers, and a function of the approach of the teeth. See "Adding an element" in the documentation.
"""

from .elements.contract import RATE, RESIDUAL, TANGENT
from .elements.joint_effort import add_effort, add_effort_tangent
from .elements.point_force import add_force, add_force_rotation, add_force_tangent, point, point_velocity
from .elements.scalar_geometry import measure, rate
from .math.functions import value_of
from .math.laws import call_law
from .math.vectors import (
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
from .model.declared_element import DeclaredElement as Element
from .model.description_field import description
from .model.field_declarations import (
    choice,
    coordinates,
    derived,
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
from .model.field_declarations import vector_parameter as vector
from .model.meshes import OwnMesh as MeshLaw

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
