"""Places: words for frames, points and axes of a model, from what a user may have written to every number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model import Frame, Model
from .written_quantities import axis_of, direction, orientation, quantities, rounded

__all__ = ["Places", "Table", "tidied"]

Table = dict[str, Any]


class Places:
    """Tables that may say where something stands in a model."""

    def __init__(self, model: Model) -> None:
        self.m = model
        self.size = max(model.size, 1e-9)

    def frame(self, frame: Frame, *, named: bool = True) -> Table:
        """A frame, number by number."""
        table: Table = {"body": frame.body_name}
        if frame.position.any():
            table["position"] = quantities(frame.position, "length")
        axis = axis_of(frame.rotation)
        if axis is not None and axis != "z":
            table["axis"] = axis
        elif axis is None:
            table["rotation"] = orientation(frame.rotation)
        return {**table, "name": frame.name} if named and frame.name else table

    def places(self, key: str, x: np.ndarray) -> list[Table]:
        """A point of the world: as a user may have written it, and with all its digits."""
        return [{key: quantities(p, "length")} for p in (rounded(x, self.size), x)]

    def both(self, points: list[np.ndarray]) -> Iterator[Table]:
        """Points on both sides, either or both left out."""
        a, b = self.places("at_a", points[0]), self.places("at_b", points[1])
        yield {}
        for n in range(2):
            yield a[n]
            yield b[n]
            yield {**a[n], **b[n]}

    def meeting(self, a: Frame, b: Frame) -> Iterator[Table]:
        """Where two frames meet, as at and axis; nothing where they stand at the body's own."""
        x, R = self.m.placed(b if a.body_name == "ground" else a)
        z = [{"axis": direction(v)} for v in tidied(R[:, 2])]
        places = self.places("at", x)
        yield {}
        yield from z[:1]
        yield from places
        for at in places:
            for axis in z:
                yield {**at, **axis}


def tidied(v: np.ndarray) -> list[np.ndarray]:
    """A direction freed from the noise of its last digits, and as it is."""
    return [np.array(rounded(v)), v]
