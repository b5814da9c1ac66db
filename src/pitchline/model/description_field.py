"""Field whose value is an object that describes a part: the type of a bearing, the profile of a cam.

The object is an instance of a frozen dataclass. In model files it is a table with `kind`. The other keys are the arguments of
that class, or of another of its constructors. Optional attributes of the class:

`units` : mapping
    Units of its numbers by argument name, for texts and files. Arguments that are not listed have no unit.
`said` : (str, mapping), property
    Kind and arguments that make the object again. Default: the kind of the class and the fields that differ from their defaults.
`words` : str, property
    Description in one line. Default: the name of the class.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ..errors import ModelError, Subject, shown
from .element_fields import REQUIRED, ParameterField

__all__ = ["DescriptionField", "description"]


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
