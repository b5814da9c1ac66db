"""Names of CAD parts: unique in the file, allowed in models, and patterns that select parts by them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ...errors import near_names, shown
from ..limits import ExchangeError

if TYPE_CHECKING:
    from .parts import CadPart

__all__ = ["matching", "plain_name", "unique_names"]

_MADE_UP = re.compile(r"=>\[[\d:]+\]|NAUO\d*|\d*|NONE|COMPOUND|SOLID|Open CASCADE STEP translator.*", re.IGNORECASE)
"""Names of instances and parts that programs write if the user gave none."""


def _given(name: str) -> str:
    return "" if _MADE_UP.fullmatch(name) else plain_name(name)


def plain_name(name: str) -> str:
    """A name that models allow: without separators of signals, control characters and blanks at its ends; "" if none is left."""
    text = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join(text.replace(".", "_").replace("/", "_").split())[:120].strip()


def unique_names(products: Sequence[str], instances: Sequence[str], parents: Sequence[str]) -> list[str]:
    """Names of parts: the first of these that occurs once; otherwise the product with a number.

    product, instance, instance of the assembly that contains it and product, the same and instance
    """
    product, instance, parent = ([_given(name) for name in names] for names in (products, instances, parents))
    choices = (
        product,
        instance,
        [f"{a} {b}" if a and b else "" for a, b in zip(parent, product, strict=True)],
        [f"{a} {b}" if a and b else "" for a, b in zip(parent, instance, strict=True)],
    )
    counts = [Counter(names) for names in choices]
    wanted = []
    for i, name in enumerate(product):
        ways = (names[i] for names, count in zip(choices, counts, strict=True) if names[i] and count[names[i]] == 1)
        wanted.append(next(ways, name or instance[i] or "part"))
    repeated = Counter(wanted)
    taken = {name for name in wanted if repeated[name] == 1} | {"ground"}
    found = []
    for name in wanted:
        if repeated[name] == 1 and name != "ground":
            found.append(name)
            continue
        number = 1
        while f"{name} {number}" in taken:
            number += 1
        found.append(f"{name} {number}")
        taken.add(found[-1])
    return found


def matching(parts: Iterable[CadPart], pattern: object, what: str) -> list[CadPart]:
    """Parts whose name, product or path fits a pattern such as "wheel*". No part: an error with the names."""
    if not isinstance(pattern, str) or not pattern:
        raise ExchangeError(f'{what}: expected the name of a part or a pattern such as "wheel*", got {shown(pattern)}')
    known = list(parts)
    found = [part for part in known if any(fnmatchcase(name, pattern) for name in part.known_as)]
    if not found:
        raise ExchangeError(f'{what}: no part has the name "{pattern}"; {near_names(pattern, [p.name for p in known])}')
    return found
