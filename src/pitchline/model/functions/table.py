"""Table: points in time, connected by straight lines or by a cubic spline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ...units import array
from .base import Array, ValueReader, check_over
from .piecewise import PiecewisePolynomial, check_knots, check_outside
from .ramp import PiecewiseBased

__all__ = ["Table", "spline_coefficients"]


def spline_coefficients(t: Array, values: Array, *, periodic: bool = False) -> Array:
    """Coefficients (n - 1, 4), ascending powers, of the C2 cubic spline (not-a-knot or periodic) through points."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    spline = CubicSpline(t, values, bc_type="periodic" if periodic else "not-a-knot")
    return np.ascontiguousarray(spline.c[::-1].T)


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Table(PiecewiseBased):
    """Points (t_i, value_i) with interpolation.

    Parameters
    ----------
    t
        Times [s] or texts with a unit, increasing; at least two.
    values
        One value for each time, in SI or as texts with a unit.
    kind
        "linear" (default), or "cubic": a spline with two continuous derivatives.
    periodic
        If True, the table repeats. The last value must equal the first, because it is the same point of the next
        period. Default False.
    outside
        Values before the first and after the last point: "hold" the end value (default), "continue" the end piece, or "error".
    over
        Variable of the table and unit of t: "time" [s] (default), or "angle" [rad] for a table over phase.
    """

    t: Array
    values: Array
    kind: str
    periodic: bool
    outside: str
    over: str

    def __init__(
        self,
        t: object,
        values: object,
        kind: str = "linear",
        *,
        periodic: bool = False,
        outside: str = "hold",
        over: str = "time",
    ) -> None:
        read = ValueReader("Table")
        what = read.what
        check_over(over, what)
        times = array(t, over, what=what / "t", at_least=2)
        heights = array(values, None, what=what / "values", at_least=2)
        if isinstance(values, (list, tuple)):
            for i, item in enumerate(values):
                read.note(item, what / "values" / i, f"values[{i}]")
        if len(times) != len(heights):
            raise ModelError(
                f"Table: {len(times)} times but {len(heights)} values; specify one value for each time",
                about=what.at("values"),
            )
        check_knots(times, what / "t")
        if not (isinstance(kind, str) and kind in ("linear", "cubic")):
            raise ModelError(f'Table: kind must be "linear" or "cubic", got {shown(kind)}', about=what.at("kind"))
        if not isinstance(periodic, bool):
            raise ModelError(f"Table: periodic must be True or False, got {shown(periodic)}", about=what.at("periodic"))
        check_outside(outside, what)
        if periodic:
            if abs(heights[-1] - heights[0]) > 1e-9 * float(np.abs(heights).max()):
                raise ModelError(
                    f"Table: the first and last values of a periodic table must be equal, but the first value is "
                    f"{heights[0]:g} and the last {heights[-1]:g}; repeat the first value at the end",
                    about=what.at("values"),
                )
            heights = heights.copy()
            heights[-1] = heights[0]
            heights.flags.writeable = False
        if kind == "cubic":
            c = spline_coefficients(times, heights, periodic=periodic)
        else:
            c = np.column_stack([heights[:-1], np.diff(heights) / np.diff(times)])
        pieces = PiecewisePolynomial(times, c, periodic=periodic, outside=outside, over=over, what="Table")
        for name, value in (
            ("t", times),
            ("values", heights),
            ("kind", kind),
            ("periodic", periodic),
            ("outside", outside),
            ("over", over),
            ("dimension", read.dimension),
            ("_pieces", pieces),
        ):
            object.__setattr__(self, name, value)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "table",
            "t": self.t.tolist(),
            "values": self.values.tolist(),
            "kind": self.kind,
            "periodic": self.periodic,
            "outside": self.outside,
            "over": self.over,
        }
