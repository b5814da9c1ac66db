"""Types of arrays and of arguments, compared with the annotations of a public function after it has failed.

A function that receives a number in place of a signal fails somewhere inside, with an error of Python that does not name the
argument. `wrong_types` finds the arguments that do not fit their annotations. It is called only after a failure, so that correct
calls cost nothing.
"""

from __future__ import annotations

import builtins
import collections.abc as abc
import inspect
import numbers
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from pitchline.errors import shown

__all__ = ["CLASSES_BY_NAME", "wrong_types"]


CLASSES_BY_NAME = (
    "Body", "FlexibleBody", "LoadSharing", "Material", "Model", "Modes", "Rack", "Result", "SectorGrid",
    "SolidGrid", "SolidMesh", "Superelement", "SurfaceTeeth", "Teeth", "ToothSector",
)  # fmt: skip
"""Classes that some modules import for the type checker only. Their names in annotations are compared with those of the value."""

_CALLABLE: Any = abc.Callable
_LARGEST = 1e100
_MOST_ITEMS = 1000
_ARRAY_PARTS = set(get_args(npt.ArrayLike))
_ANY = (Any, object, inspect.Parameter.empty)
_WORDS: dict[Any, str] = {
    float: "a number", int: "a whole number", complex: "a number", str: "a text", bool: "True or False", bytes: "bytes",
    np.ndarray: "an array of numbers", dict: "a table of names and values", list: "a list", tuple: "a list",
    abc.Mapping: "a table of names and values", abc.Sequence: "a list", abc.Iterable: "a list", abc.Collection: "a list",
    abc.Container: "a list", abc.Callable: "a function", type(None): "None", os.PathLike: "a path", set: "a set",
}  # fmt: skip


def wrong_types(function: Callable[..., Any], given: Mapping[str, Any], error: Exception) -> list[str]:
    """One sentence for each argument that does not fit its annotation: 'angle: expected a Signal, got 7 (int)'."""
    found = []
    kinds = {name: parameter.kind for name, parameter in inspect.signature(function).parameters.items()}
    for name, value in given.items():
        hint = _hint(function, name)
        kind = kinds[name]
        items = (
            list(value)
            if kind is kind.VAR_POSITIONAL
            else list(value.values())
            if kind is kind.VAR_KEYWORD
            else [value]
        )
        for one in items:
            if not _fits(one, hint):
                found.append(f"{name}: expected {_words(hint)}, got {shown(one)} ({type(one).__name__})")
            elif isinstance(error, OverflowError) and _is_too_large(one):
                found.append(f"{name}: {shown(one)} is too large (more than {_LARGEST:g}). Specify a smaller number")
    return found


def _hint(function: Callable[..., Any], name: str) -> Any:
    """The annotation of a parameter as types; Any for one that cannot be evaluated."""
    plain = inspect.unwrap(function)
    hint = getattr(plain, "__annotations__", {}).get(name, Any)
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, {}, _Names(getattr(plain, "__globals__", {})))
    except Exception:  # an annotation for the type checker only
        return Any


class _Names(dict[str, Any]):
    """Names of a module; classes that it imports for the type checker only are known by name."""

    def __missing__(self, name: str) -> Any:
        if name in CLASSES_BY_NAME:
            return type(name, (), {"only_name": True})
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(name)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value fits an annotation; True wherever this cannot be decided."""
    if any(hint is one for one in _ANY) or isinstance(hint, typing.TypeVar):
        return True
    if hint is None or hint is type(None):
        return value is None
    if hint == npt.ArrayLike:
        return _is_numeric(value, np.float64)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if set(parts) >= _ARRAY_PARTS:  # a union that contains ArrayLike, whose own parts are protocols
            others = set(parts) - _ARRAY_PARTS
            return (
                isinstance(value, str) or _is_numeric(value, np.float64) or any(_fits(value, part) for part in others)
            )
        return any(_fits(value, part) for part in parts)
    if origin is typing.Annotated:
        return _fits(value, parts[0])
    if origin == Literal:
        return any(type(value) is type(one) and value == one for one in parts)
    kind = hint if origin is None else origin
    if not isinstance(kind, type):
        return True
    return _is_of(value, kind, parts)


def _is_of(value: Any, kind: type, parts: tuple[Any, ...]) -> bool:
    """Whether a value is of a class, with items of the given types."""
    if kind is type:
        return isinstance(value, type)
    if kind in (float, int, complex, bool):
        return _is_number(value, kind)
    if kind is np.ndarray:
        return _is_numeric(value)
    if kind is _CALLABLE:
        return callable(value)
    if issubclass(kind, abc.Mapping):
        return isinstance(value, abc.Mapping) and (len(parts) != 2 or _all_fit(value.values(), parts[1]))
    if kind in (list, tuple, abc.Sequence, abc.Collection, abc.Container):
        if isinstance(value, (str, bytes, abc.Mapping)) or not (
            hasattr(value, "__len__") and hasattr(value, "__iter__")
        ):
            return False
        several = parts and (len(parts) == 1 or (len(parts) == 2 and parts[1] is Ellipsis))
        return not several or not isinstance(value, (list, tuple)) or _all_fit(value, parts[0])
    if kind is abc.Iterable:
        return hasattr(value, "__iter__") and (
            not parts or not isinstance(value, (list, tuple, set)) or _all_fit(value, parts[0])
        )
    if getattr(kind, "only_name", False):
        return any(base.__name__ == kind.__name__ for base in type(value).__mro__)
    if getattr(kind, "_is_protocol", False) and kind is not os.PathLike:
        return True
    return isinstance(value, kind)


def _all_fit(values: Iterable[Any], hint: Any) -> bool:
    return all(_fits(value, hint) for value, _ in zip(values, range(_MOST_ITEMS), strict=False))


def _is_number(value: Any, kind: type) -> bool:
    plain = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
    if kind is bool or isinstance(plain, bool):
        return kind is bool and isinstance(plain, bool)
    wanted = {float: numbers.Real, int: numbers.Integral, complex: numbers.Complex}[kind]
    return isinstance(plain, wanted) and not _is_too_large(plain)


def _is_numeric(value: Any, kind: type = np.complex128) -> bool:
    """Whether a value is an array of numbers, or a list that can be one."""
    try:
        np.asarray(value, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        return kind is np.complex128 and isinstance(value, np.ndarray)
    return not isinstance(value, (str, bytes)) and value is not None


def _is_too_large(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_too_large, value[:_MOST_ITEMS]))
    return isinstance(value, int) and abs(value) > _LARGEST


def _words(hint: Any) -> str:
    """Text for an annotation: 'a Signal or None'."""
    if hint == npt.ArrayLike:
        return "numbers"
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        numeric = ["a text", "numbers"] if set(parts) >= _ARRAY_PARTS else []
        words = list(
            dict.fromkeys([*numeric, *(_words(part) for part in parts if not numeric or part not in _ARRAY_PARTS)])
        )
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    if origin is typing.Annotated:
        return _words(parts[0])
    if origin is Literal:
        return " or ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in parts)
    kind = type(None) if hint is None else hint if origin is None else origin
    if kind in _WORDS:
        return _WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, os.PathLike):
        return _WORDS[os.PathLike]
    name = getattr(kind, "__name__", str(kind))
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


# ---- array types

# Types of arrays.

AnyArray = NDArray[Any]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
AnyIntArray = NDArray[np.integer]
BoolArray = NDArray[np.bool_]
ComplexArray = NDArray[np.complex128]
RecordArray = NDArray[np.void]
