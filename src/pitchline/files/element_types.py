"""Declared elements in model files: from `type` to the class, and from a table to an element.

Classes of the package have keys. A user-defined class has the name "module:Class". Importing it runs the code of the
module, so
the user who reads the file must allow the module.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from ..declared_elements import declared_elements
from ..errors import ModelError, PitchlineError, near_names, shown
from ..model.declared_element import DeclaredElement
from ..model.description_field import DescriptionField
from ..model.element_fields import FrameField, JointField, ParameterField
from ..model.meshes import OwnMesh
from .catalogue import Entry
from .descriptions import description_maker
from .problems import Path

__all__ = ["allowed_modules", "element_class", "element_entry", "mesh_class", "value_makers"]


EVERY_MODULE = "*"
"""Allows every module that a file names."""


EVERY_FMU = "*.fmu"
"""Allows every FMU that a file names (`program_elements`)."""


def allowed_modules(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of modules whose code may run."""
    found = (given,) if isinstance(given, str) else tuple(given)
    for name in found:
        if name in (EVERY_MODULE, EVERY_FMU):
            continue
        if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
            raise ModelError(f"allow: expected the name of a module, e.g. my.module, got {shown(name)}")
    return found


def element_class(kind: object, allow: tuple[str, ...]) -> type[DeclaredElement]:
    """The class that a file names. ModelError if it does not exist, or its module is not allowed."""
    known = declared_elements()
    if not isinstance(kind, str):
        raise ModelError(f"must be a text, got {shown(kind)}")
    if ":" not in kind:
        if kind not in known:
            raise ModelError(
                f'there is no element {shown(kind)}; {near_names(kind, known)}; the name of a user-defined class is "module:Class"'
            )
        return known[kind]
    found = _imported(kind, allow)
    if not isinstance(found, type) or not issubclass(found, DeclaredElement) or found is DeclaredElement:
        raise ModelError(f"{shown(kind)} is not an element class. It must be derived from pitchline.extend.Element")
    return found


def mesh_class(kind: object, allow: tuple[str, ...]) -> type[OwnMesh]:
    """The mesh law that a file names. ModelError if it does not exist, or its module is not allowed."""
    if not isinstance(kind, str) or ":" not in kind:
        raise ModelError(f'the type of a mesh law is "module:Class", got {shown(kind)}')
    found = _imported(kind, allow)
    if not isinstance(found, type) or not issubclass(found, OwnMesh) or found is OwnMesh:
        raise ModelError(f"{shown(kind)} is not a mesh law. It must be derived from pitchline.extend.MeshLaw")
    return found


def _imported(kind: str, allow: tuple[str, ...]) -> Any:
    """The object "module:name". Its module must be allowed."""
    module, _, name = kind.partition(":")
    allowed_modules(module)
    if not any(one == EVERY_MODULE or module == one or module.startswith(f"{one}.") for one in allow):
        raise ModelError(
            f"{shown(kind)} is code of the module {module}. It runs only if you allow it: use the option --allow {module}, or "
            f'--allow-code for all modules; in Python allow="{module}"'
        )
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except PitchlineError:
        raise
    except Exception as error:  # user code can raise any exception
        raise ModelError(
            f"{shown(kind)} cannot be imported: {type(error).__name__}: {shown(str(error), width=200)}"
        ) from error
    return found


def element_entry(cls: type[DeclaredElement]) -> Entry:
    """Arguments in the table of an element. Laws are Python functions and cannot be written in a file."""
    laws = {name for name, p in cls.fields_of(ParameterField).items() if p.kind == "law"}
    arguments = {
        key: p
        for key, p in inspect.signature(cls).parameters.items()
        if key != "name" and (key not in laws or p.default is p.empty)
    }
    return Entry(cls, arguments)


def value_makers(cls: type[DeclaredElement], values: Any) -> dict[str, Callable[[Any, Path], Any]]:
    """How `values` creates frames, joints, functions and descriptions from the data of a table."""
    made: dict[str, Callable[[Any, Path], Any]] = {}
    for name, field in cls.fields.items():
        if isinstance(field, FrameField):
            made[name] = values.end
        elif isinstance(field, JointField):
            made[name] = values.reference
        elif isinstance(field, DescriptionField):
            made[name] = description_maker(field, values)
        elif isinstance(field, ParameterField) and field.kind in ("function", "input"):
            made[name] = values.function
    return made
