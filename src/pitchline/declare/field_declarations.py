"""Functions that declare the fields of an element: number, frame, joint, signal and others."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from pitchline.errors import ModelError, Subject, shown
from pitchline.parts.bodies.part import ANGLE, DISPLACEMENT

from .declared_element import (
    REQUIRED,
    CoordinatesField,
    Count,
    DerivedField,
    FrameField,
    JointField,
    MemoryField,
    OutputField,
    ParameterField,
    ScratchField,
    SignalField,
)

__all__ = [
    "DescriptionField",
    "description",
    "choice",
    "coordinates",
    "derived",
    "flag",
    "frame",
    "function",
    "input_signal",
    "integer",
    "joint",
    "law",
    "memory",
    "number",
    "numbers",
    "output_signal",
    "scratch",
    "signal",
    "vector_parameter",
]


# ---- description field

# Field whose value is an object that describes a part: the type of a bearing, the profile of a cam.
#
# The object is an instance of a frozen dataclass. In model files it is a table with `kind`. The other keys are the
# arguments of that class, or of another of its constructors. Optional attributes of the class:
#
# `units` : mapping
#     Units of its numbers by argument name, for texts and files. Arguments that are not listed have no unit.
# `said` : (str, mapping), property
#     Kind and arguments that make the object again. Default: the kind of the class and the fields that differ from
#     their defaults.
# `words` : str, property
#     Description in one line. Default: the name of the class.


class DescriptionField(ParameterField):
    """Object that describes a part. Compiled functions see only the results of `derive`."""

    def __init__(
        self, kinds: Mapping[str, Callable[..., Any]], text: str, default: Any, check: Callable[..., Any] | None
    ) -> None:
        super().__init__("description", text, "", default)
        self.kinds = MappingProxyType(dict(kinds))
        """Constructors by kind in model files: a class, or another constructor of a class."""
        self.classes = tuple({_class_of(make): None for make in self.kinds.values()})
        self.random = check
        for cls in self.classes:
            if not dataclasses.is_dataclass(cls) or not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
                raise TypeError(f"description: {cls.__name__} must be a frozen dataclass")

    def read(self, value: Any, what: Subject) -> Any:
        if value is None and self.default is None:
            return None
        if not isinstance(value, self.classes):
            names = ", ".join(cls.__name__ for cls in self.classes)
            raise ModelError(f"{what}: expected one of {names}, got {shown(value)}", about=what)
        return value

    def said(self, value: Any) -> tuple[str, dict[str, Any]]:
        """Kind and arguments that make an object again."""
        if hasattr(value, "said"):
            kind, arguments = value.said
            return kind, dict(arguments)
        kind = next(kind for kind, make in self.kinds.items() if make is type(value))
        parameters = inspect.signature(type(value)).parameters
        given = {name: getattr(value, name) for name in parameters}
        return kind, {name: one for name, one in given.items() if not _is_default(one, parameters[name].default)}


def _class_of(make: Callable[..., Any]) -> type:
    """Class of the objects that a constructor makes: the class itself, or the class of a class method."""
    cls = make if isinstance(make, type) else getattr(make, "__self__", None)
    if not isinstance(cls, type):
        raise TypeError(f"description: {make!r} is neither a class nor a class method")
    return cls


def _is_default(value: Any, default: Any) -> bool:
    if default is inspect.Parameter.empty or isinstance(value, np.ndarray) != isinstance(default, np.ndarray):
        return False
    return (
        type(value) is type(default) and bool(np.array_equal(value, default)) if value is not None else default is None
    )


def unit_of(made: Any, argument: str) -> str:
    """Unit of an argument of a class that describes a part."""
    return getattr(made, "units", {}).get(argument, "")


def words_of(value: Any) -> str:
    """One-line description of an object that describes a part."""
    return str(getattr(value, "words", type(value).__name__))


def description(
    kinds: Mapping[str, Callable[..., Any]],
    text: str,
    default: Any = REQUIRED,
    *,
    check: Callable[..., Any] | None = None,
) -> Any:
    """Declare an object of one of several frozen dataclasses. `derive` converts it to numbers for the compiled functions.

    Parameters
    ----------
    kinds
        Frozen dataclasses, or class methods that make an object of one, by their kind in model files.
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    check
        Function of a random generator that returns an object for automatic checks of the element.
    """
    return DescriptionField(kinds, text, default, check)


def frame(text: str, default: str | None = None) -> Any:
    """Declare a frame on a body. The user gives a body, the ground, a frame or the name of a body, and a world point if needed.

    Parameters
    ----------
    text
        Description of the frame.
    default
        Name of a body, such as "ground", if the user gives none. Default: the frame is required.
    """
    return FrameField(text, default)


def joint(text: str, coordinate: str = ANGLE) -> Any:
    """Declare the angle or displacement of a joint. `x` contains the nodes of its bodies, NAME_a and NAME_b; `s` its measure.

    Parameters
    ----------
    text
        Description of the joint.
    coordinate
        "angle" (default) or "displacement"; "any": the only coordinate of the joint.
    """
    if coordinate not in (ANGLE, DISPLACEMENT, "any"):
        raise TypeError(f'joint: coordinate must be "{ANGLE}", "{DISPLACEMENT}" or "any", got {coordinate!r}')
    return JointField(text, None if coordinate == "any" else coordinate)


def number(
    unit: str,
    text: str,
    default: Any = REQUIRED,
    *,
    least: float | None = None,
    most: float | None = None,
    check: tuple[float, float] | None = None,
    any_unit: bool = False,
) -> Any:
    """Declare a number: in SI, or a text with a unit.

    Parameters
    ----------
    unit
        SI unit, such as "N/m"; "" for a number without unit.
    text
        Description of the parameter.
    default
        Default value in `unit`. None: `derive` computes the value if the user does not specify it. Without a default the parameter
        is required.
    least, most
        Smallest and largest valid value in `unit`. Optional.
    check
        Range (smallest, largest) for random values in automatic checks of the element. Optional.
    any_unit
        If True, texts may have any unit (gains of a controller); the value is that in SI. Then `unit` is "". Default False.
    """
    return ParameterField("number", text, unit, default, limits=(least, most), check=check, any_unit=any_unit)


def vector_parameter(unit: str, text: str, default: Any = REQUIRED) -> Any:
    """Declare a vector of three numbers.

    Parameters
    ----------
    unit
        SI unit, such as "m"; "" for numbers without unit.
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    """
    return ParameterField("vector", text, unit, default)


def integer(
    text: str,
    default: Any = REQUIRED,
    *,
    least: int | None = None,
    most: int | None = None,
    check: tuple[int, int] | None = None,
) -> Any:
    """Declare a whole number.

    Parameters
    ----------
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    least, most
        Smallest and largest valid value. Optional.
    check
        Range (smallest, largest) for random values in automatic checks of the element. Optional.
    """
    return ParameterField("integer", text, "", default, limits=(least, most), check=check)


def flag(text: str, default: Any = REQUIRED) -> Any:
    """Declare a parameter that is True or False. In compiled functions it is 1 or 0.

    Parameters
    ----------
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    """
    return ParameterField("flag", text, "", default)


def choice(options: tuple[str, ...], text: str, default: Any = REQUIRED) -> Any:
    """Declare one of several texts. In compiled functions it is the index of the text, from 0.

    Parameters
    ----------
    options
        Valid texts.
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    """
    return ParameterField("choice", text, "", default, options=tuple(options))


def numbers(
    count: Count,
    unit: str,
    text: str,
    default: Any = REQUIRED,
    *,
    least: float | None = None,
    most: float | None = None,
    increasing: bool = False,
    check: tuple[float, float] | None = None,
    any_unit: bool = False,
) -> Any:
    """Declare a list of numbers.

    Parameters
    ----------
    count
        Number of values; or a name, for lists of any length. Lists with the same name must have the same length.
    unit
        SI unit, such as "m"; "" for numbers without unit.
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    least, most
        Smallest and largest valid value in `unit`. Optional.
    increasing
        If True, each value must be greater than the one before. Default False.
    check
        Range (smallest, largest) for random values in automatic checks of the element. Optional.
    any_unit
        If True, texts may have any unit, as in `number`. Only for lists of any length. Default False.
    """
    more: dict[str, Any] = {"limits": (least, most), "increasing": increasing, "check": check, "any_unit": any_unit}
    return ParameterField("numbers", text, unit, default, count=count, **more)


def function(unit: str, text: str, default: Any = REQUIRED) -> Any:
    """Declare a function of time: a number, a text with a unit, a Function or a callable t -> value. See `value_of`.

    Parameters
    ----------
    unit
        SI unit of the values, such as "N".
    text
        Description of the parameter.
    default
        Default value. Without a default the parameter is required.
    """
    return ParameterField("function", text, unit, default)


def law(form: str, unit: str, default: Any = REQUIRED) -> Any:
    """Declare a Python function of numbers, such as law("torque(t, angle, speed)", "N*m"). It is compiled. See `call_law`.

    Parameters
    ----------
    form
        Name and arguments of the function, such as "torque(t, angle, speed)".
    unit
        SI unit of its value.
    default
        Default function. Without a default the parameter is required.
    """
    _, bracket, rest = form.partition("(")
    arguments = tuple(part.strip() for part in rest.rstrip(") ").split(",") if part.strip())
    if not bracket or not all(part.isidentifier() for part in arguments):
        raise TypeError(f'law: specify the arguments, such as "torque(t, angle, speed)", got {form!r}')
    return ParameterField("law", form, unit, default, arguments=arguments)


def derived(text: str, unit: str = "", size: Count = 1, *, columns: Count = 0, record: Any = None) -> Any:
    """Declare a value that `derive` computes: a number, a tuple, an array, a matrix or a record.

    Parameters
    ----------
    text
        Description of the value.
    unit
        SI unit. Default "": no unit.
    size
        Number of values; or a name for the length of an array. Default 1.
    columns
        Number of columns of a matrix, whose number of rows has a name. Default 0: not a matrix.
    record
        Type of a record (`fields`). `derive` returns its values by name; its arrays follow the record in memory. Optional.
    """
    if columns and not isinstance(size, str):
        raise TypeError("derived: a matrix needs a name for its number of rows")
    return DerivedField(text, unit, size, columns, record)


def coordinates(
    count: Count, unit: str, text: str, *, order: int = 2, condensed: bool = False, typical: float = 1.0
) -> Any:
    """Declare coordinates of the element, which are part of the state. The user may specify initial values, and initial rates
    as NAME_rate.

    Parameters
    ----------
    count
        Number of coordinates, or the name of an integer field or of the length of a list.
    unit
        SI unit.
    text
        Description of the coordinates.
    order
        2 (default): the rows are equations of motion. 1: the rows are y' - f = 0.
    condensed
        If True, the element eliminates its coordinates within a step. Default False.
    typical
        Typical magnitude in `unit`, for tolerances. Default 1.
    """
    if order not in (1, 2):
        raise TypeError(f"coordinates: order must be 1 or 2, got {order!r}")
    return CoordinatesField(count, unit, text, order, condensed, typical)


def memory(text: str, size: Count = 1, *, columns: Count = 0, start: float = 0.0, kept: str = "") -> Any:
    """Declare memory that is kept from step to step. Only `accept` may write it.

    Parameters
    ----------
    text
        Description of the memory.
    size
        1 (default): a number; 3: a vector; 9: a matrix; any other number or a name: an array.
    columns
        Number of columns of an array. Default 0: one dimension.
    start
        Initial value. Default 0.
    kept
        Name of the signal with this value. A run that starts from a result begins with its last value. Optional.
    """
    field = MemoryField(size, columns, text, start)
    field.kept = kept
    return field


def scratch(text: str = "", size: Count = 1, *, columns: Count = 0) -> Any:
    """Declare scratch memory: a number, a vector, a matrix or an array. Its content is undefined before `begin`.

    Parameters
    ----------
    text
        Description. Optional.
    size, columns
        As in `memory`.
    """
    return ScratchField(size, columns, text)


def signal(unit: str, text: str, size: int = 1) -> Any:
    """Declare a signal of the results.

    Parameters
    ----------
    unit
        SI unit.
    text
        Description of the signal.
    size
        1 (default): a number; 3: a vector in world axes.
    """
    return SignalField(unit, text, size)


def input_signal(unit: str, text: str, default: Any = REQUIRED) -> Any:
    """Declare a signal that the element reads: a number, a function of time, or an expression over signals of the model.

    In compiled functions `x.NAME.value` is its value, and `J[i, x.NAME.column]` the derivative of row i by it.

    Parameters
    ----------
    unit
        SI unit, such as "rad"; "" for a number without unit.
    text
        Description of the signal.
    default
        Default value: a number or a function of time. None: the signal is optional, and 0 if it is not given; `derive` can check
        whether it is None. Without a default the signal is required.
    """
    return ParameterField("input", text, unit, default)


def output_signal(unit: str, text: str) -> Any:
    """Declare an output: a signal that `respond` computes and that other elements can read in expressions.

    Outputs depend on own coordinates, inputs, memory and time, not on the motion of bodies: read the motion as an input.

    Parameters
    ----------
    unit
        SI unit.
    text
        Description of the signal.
    """
    return OutputField(unit, text, 1)
