"""Frames of components in the gear unit, from their vectors."""

from __future__ import annotations

import numpy as np

from ..limits import ExchangeError
from .document import RexsDocument

__all__ = ["ComponentFrames"]


class ComponentFrames:
    """Axes u, v, w of components as columns, in the axes of the gear unit."""

    def __init__(self, document: RexsDocument) -> None:
        self.document = document
        self._found: dict[int, np.ndarray | None] = {}
        self._parents: dict[int, int] = {}
        for relation in document.relations:
            assembly = relation.role("inner_part") or relation.role("assembly")
            parts = [relation.role("assembly")] if relation.type == "side" else relation.roles("part")
            for part in parts:
                if part is not None and assembly is not None and part != assembly:
                    self._parents.setdefault(part, assembly)

    def axes(self, number: int) -> np.ndarray:
        """Axes of a component; those of its shaft if it has no vectors, else those of the gear unit."""
        at: int | None = number
        seen: set[int] = set()
        while at is not None and at not in seen:
            seen.add(at)
            found = self._own(at, ())
            if found is not None:
                return found
            at = self._parents.get(at)
        return np.eye(3)

    def _own(self, number: int, above: tuple[int, ...]) -> np.ndarray | None:
        if number not in self._found:
            self._found[number] = self._read(number, above)
        return self._found[number]

    def _read(self, number: int, above: tuple[int, ...]) -> np.ndarray | None:
        component = self.document.components.get(number)
        if component is None or number in above or len(above) > 100:
            return None
        if component.new_type == "gear_unit":
            return np.eye(3)
        try:
            u, w = component.numbers("u_axis_vector"), component.numbers("w_axis_vector")
            reference = component.reference("reference_component_for_position")
        except ExchangeError:
            return None
        if u is None or w is None or u.shape != (3,) or w.shape != (3,) or not np.any(u) or not np.any(w):
            return None
        u, w = u / np.linalg.norm(u), w / np.linalg.norm(w)
        own = np.column_stack([u, np.cross(w, u), w])
        if reference is None or reference == number:
            return own
        outer = self._own(reference, (*above, number))
        return own if outer is None else outer @ own
