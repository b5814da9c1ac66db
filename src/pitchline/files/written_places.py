"""Tables for frames, points and axes of a model, from the probable user input to the one with all numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model import Frame, Model
from .written_quantities import axis_of, direction, orientation, quantities, rounded

__all__ = ["Places", "Table", "tidied"]

Table = dict[str, Any]


class Places:
    """Possible tables for positions in a model."""

    def __init__(self, model: Model) -> None:
        self.m = model
        self.size = max(model.size, 1e-9)

    def frame(self, frame: Frame, *, named: bool = True) -> Table:
        """Frame with all numbers."""
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
        """Point of the world: as probable user input, and with all digits."""
        return [{key: quantities(p, "length")} for p in (rounded(x, self.size), x)]

    def both(self, points: list[np.ndarray]) -> Iterator[Table]:
        """Points on both sides; either or both can be left out."""
        a, b = self.places("at_a", points[0]), self.places("at_b", points[1])
        yield {}
        for n in range(2):
            yield a[n]
            yield b[n]
            yield {**a[n], **b[n]}

    def meeting(self, a: Frame, b: Frame) -> Iterator[Table]:
        """at and axis of the place where two frames meet; empty if they are the frames of the bodies."""
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
    """Direction without rounding errors in the last digits, and as it is."""
    return [np.array(rounded(v)), v]
