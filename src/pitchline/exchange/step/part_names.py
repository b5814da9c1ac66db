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


def plain_name(name: str) -> str:
    """A name that models allow: without separators of signals, control characters and blanks at its ends; "" if none is left."""
    text = "".join(sign if sign.isprintable() else " " for sign in name)
    return " ".join(text.replace(".", "_").replace("/", "_").split())[:120].strip()


def unique_names(products: Sequence[str], instances: Sequence[str]) -> list[str]:
    """Names of parts: of the product if it occurs once, else of the instance if that occurs once, else with a number."""
    plain = ["" if _MADE_UP.fullmatch(name) else plain_name(name) for name in products]
    placed = ["" if _MADE_UP.fullmatch(name) else plain_name(name) for name in instances]
    count, placed_count = Counter(plain), Counter(placed)
    wanted = []
    for product, instance in zip(plain, placed, strict=True):
        if product and count[product] == 1:
            wanted.append(product)
        elif instance and placed_count[instance] == 1:
            wanted.append(instance)
        else:
            wanted.append(product or instance or "part")
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
