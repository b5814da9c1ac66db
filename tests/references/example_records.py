"""Records with every kind of field, in a pool of numbers."""

import numpy as np

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    behind,
    elsewhere,
    embedded,
    fields,
    inline,
    numbers,
    packed,
    reference,
    table,
)

Point = fields("Point", x=NUMBER, n=INTEGER, axis=VECTOR)
Whole = fields(
    "Whole",
    k=NUMBER,
    rows=INTEGER,
    columns=INTEGER,
    count=INTEGER,
    e=VECTOR,
    R=MATRIX,
    pair=numbers(2),
    line=inline(4),
    grid=inline(2, 3),
    inner=embedded(Point),
    other=reference(Point),
    points=table(Point),
    omega=behind("rows"),
    modes=behind("rows", "columns"),
    pairs=behind("count", 2, of="integer"),
    far=elsewhere("rows"),
    far_grid=elsewhere("rows", "columns"),
    integers=elsewhere("count", of="integer"),
    indices=elsewhere("count", of="index"),
    three=elsewhere(3),
)


class Example:
    """A record of every kind of field at place 5 of a pool, with arrays that it refers to."""

    def __init__(self) -> None:
        self.points = np.zeros(3, Point.dtype)
        self.points["x"], self.points["n"] = [1.5, 2.5, 3.5], [10, 20, 30]
        self.other = np.zeros(1, Point.dtype)
        self.other["axis"] = [7.0, 8.0, 9.0]
        self.far, self.far_grid = np.array([0.25, 0.5]), np.arange(6.0).reshape(2, 3)
        self.integers = np.array([-(2**60), 2**60 + 1, 3, 4])
        self.indices = np.array([0, 1, 2**32 - 1, 5], np.uint32)
        self.three = np.array([4.0, 5.0, 6.0])
        record = packed(
            Whole,
            {
                "k": 2.5, "e": [1.0, 2.0, 3.0], "R": np.arange(9.0).reshape(3, 3), "pair": (0.1, 0.2), "line": np.arange(4.0),
                "grid": np.arange(6.0).reshape(2, 3), "inner": {"x": 0.75, "n": -3, "axis": np.ones(3)}, "other": self.other,
                "points": self.points, "omega": [11.0, 12.0], "modes": np.arange(6.0).reshape(2, 3) + 0.5,
                "pairs": [[2**60 + 1, 2], [3, 4], [5, 6], [7, 8]], "far": self.far, "far_grid": self.far_grid,
                "integers": self.integers, "indices": self.indices, "three": self.three,
            },
        )  # fmt: skip
        self.pool = np.concatenate([np.full(5, np.nan), record])
        self.values = self.pool[5 : 5 + Whole.size].view(Whole.dtype)[0]
