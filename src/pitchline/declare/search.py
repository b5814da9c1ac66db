"""Search for the elements that the files of `parts` declare, by their keys.

A new element needs only a new file in the folder of its subject.
"""

import importlib
import re
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .declared_element import DeclaredElement

__all__ = ["declared_elements"]

_PARTS = Path(__file__).parents[1] / "parts"
_DECLARATION = re.compile(rb"^class \w+\(.*\bElement\b.*\):", re.MULTILINE)


@cache
def declared_elements() -> MappingProxyType[str, type[DeclaredElement]]:
    """Classes by their keys in model files, in the order of the names of their files."""
    by_key: dict[str, type[DeclaredElement]] = {}
    for path in sorted(_PARTS.rglob("*.py")):
        if not _DECLARATION.search(path.read_bytes()):
            continue

        name = ".".join(path.relative_to(_PARTS.parent).with_suffix("").parts)
        module = importlib.import_module(f"{__package__.partition('.')[0]}.{name}")
        for cls in vars(module).values():
            if not (isinstance(cls, type) and issubclass(cls, DeclaredElement) and cls.__module__ == module.__name__):
                continue
            if cls.key in by_key:
                raise TypeError(f'{cls.__name__} and {by_key[cls.key].__name__} have the same key "{cls.key}"')
            by_key[cls.key] = cls
    return MappingProxyType(by_key)
