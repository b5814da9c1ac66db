"""Elements of the package that are declared in one file each, and the search for them by key.

All modules of this package are searched: a new element needs only a new file.
"""

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType

from ..model.declared_element import DeclaredElement

__all__ = ["declared_elements"]


@cache
def declared_elements() -> MappingProxyType[str, type[DeclaredElement]]:
    """Classes by their keys in model files, in the order of the module names."""
    found: dict[str, type[DeclaredElement]] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        members = vars(importlib.import_module(f"{__name__}.{name}")).values()
        for cls in members:
            if isinstance(cls, type) and issubclass(cls, DeclaredElement) and cls.__module__ == f"{__name__}.{name}":
                if cls.key in found:
                    raise TypeError(f'{cls.__name__} and {found[cls.key].__name__} have the same key "{cls.key}"')
                found[cls.key] = cls
    return MappingProxyType(found)
