"""Names of parts from the names of components."""

from __future__ import annotations

import re

from .component import RexsComponent

__all__ = ["PartNames"]

_LONGEST = 80
_RESERVED = ("ground", "start", "end")


class PartNames:
    """Unique names: the name of the component without the signs that a model does not allow, with its id if it is not unique."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._given: dict[tuple[int, str], str] = {}

    def of(self, component: RexsComponent, more: str = "") -> str:
        """Name of the part of a component.

        more: appended to the name, for a second part of the same component
        """
        key = component.id, more
        if key not in self._given:
            base = cleaned(component.name) or f"{component.new_type} {component.id}"
            self._given[key] = self.unique(f"{base} {more}" if more else base, component.id)
        return self._given[key]

    def unique(self, name: str, number: int) -> str:
        """The name itself, or with the id of the component if it is used."""
        candidates = [name, f"{name} ({number})", *(f"{name} ({number}, {count})" for count in range(2, 50))]
        chosen = next(item for item in candidates if item not in self._used and item not in _RESERVED)
        self._used.add(chosen)
        return chosen


def cleaned(name: str | None) -> str:
    """Name with allowed signs only, and without those that stand for several signs where parts and signals are chosen."""
    text = re.sub(r"[./*?]", "_", name or "").replace("[", "(").replace("]", ")")
    text = "".join(sign for sign in text if sign.isprintable())
    return " ".join(text.split())[:_LONGEST].strip()
