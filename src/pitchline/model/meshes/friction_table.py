"""FrictionTable: coefficient of friction over sliding speed and load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import array

__all__ = ["FrictionTable"]

Array = npt.NDArray[np.float64]
_LARGEST = 200


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class FrictionTable:
    """Coefficient of friction μ(v, F) over the sliding speed v and the normal tooth force F.

    Between the points it is interpolated by monotone cubics in both directions. Outside the table the values at its edges hold.

    Parameters
    ----------
    speeds
        Sliding speeds [m/s], increasing, at least two. The first is usually 0.
    forces
        Normal forces [N], increasing, at least two.
    coefficients
        Rows of coefficients, one row for each force, one value for each speed. Or a function (speed, force) -> μ in SI, which is
        evaluated at these points immediately.
    """

    speeds: Array
    forces: Array
    coefficients: Array

    def __init__(self, speeds: object, forces: object, coefficients: object) -> None:
        what = Subject("FrictionTable")
        v = _increasing(speeds, "velocity", what / "speeds")
        f = _increasing(forces, "force", what / "forces")
        where = what / "coefficients"
        table = (
            _evaluated(coefficients, v, f, where)
            if callable(coefficients)
            else _rows(coefficients, v.size, f.size, where)
        )
        wrong = np.argwhere(~((table >= 0.0) & (table < 100.0)))
        if wrong.size:
            i, j = (int(k) for k in wrong[0])
            raise ModelError(
                f"{where}: must not be negative, and finite, but it is {table[i, j]:g} at {v[j]:g} m/s and {f[i]:g} N",
                about=where,
            )
        for name, values in (("speeds", v), ("forces", f), ("coefficients", table)):
            values.flags.writeable = False
            object.__setattr__(self, name, values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrictionTable):
            return NotImplemented
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in ("speeds", "forces", "coefficients"))

    __hash__ = object.__hash__

    def __call__(self, speed: Any, force: Any) -> Any:
        """Return μ at a sliding speed and a normal force.

        Parameters
        ----------
        speed
            Sliding speed [m/s].
        force
            Normal force [N].
        """
        v, f = np.broadcast_arrays(np.abs(np.asarray(speed, float)), np.abs(np.asarray(force, float)))
        (i, along), (j, across) = _factors(self.speeds, v), _factors(self.forces, f)
        values, found = self.hermite, np.zeros(v.shape)
        for side in (0, 1):
            for end in (0, 1):
                corner = values[j + side, i + end]
                at = across[side] * corner[..., 0] + across[2 + side] * corner[..., 2]
                slope = across[side] * corner[..., 1] + across[2 + side] * corner[..., 3]
                found = found + along[end] * at + along[2 + end] * slope
        return float(found) if v.ndim == 0 else found

    @property
    def hermite(self) -> Array:
        """(forces, speeds, 4): coefficient, its slopes by speed and by force, and their mixed derivative."""
        from scipy.interpolate import PchipInterpolator

        def slopes(x: Array, y: Array, axis: int) -> Array:
            return np.asarray(PchipInterpolator(x, y, axis=axis).derivative()(x))

        by_speed = slopes(self.speeds, self.coefficients, 1)
        by_force = slopes(self.forces, self.coefficients, 0)
        mixed = slopes(self.forces, by_speed, 0)
        return np.stack([self.coefficients, by_speed, by_force, mixed], axis=-1)


def _factors(x: Array, value: Array) -> tuple[Any, tuple[Array, Array, Array, Array]]:
    """Interval of the points, and the factors of the values and slopes at its ends (cubic Hermite)."""
    at = np.clip(value, x[0], x[-1])
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.size - 2)
    h = x[i + 1] - x[i]
    s = (at - x[i]) / h
    return i, ((1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s), h * s * (1 - s) ** 2, -h * s * s * (1 - s))


def _increasing(value: object, dimension: str, what: Subject) -> Array:
    found = array(value, dimension, what=what, at_least=2)
    if found.size > _LARGEST:
        raise ModelError(f"{what}: has {found.size} values; at most {_LARGEST} are possible", about=what)
    falls = np.flatnonzero(np.diff(found) <= 0.0)
    if falls.size:
        i = int(falls[0])
        raise ModelError(
            f"{what}: must increase, but {found[i + 1]:g} follows {found[i]:g} (position {i + 1}); sort them",
            about=what,
        )
    if found[0] < 0.0:
        raise ModelError(f"{what}: must not be negative, got {found[0]:g}; the table is used without signs", about=what)
    return found


def _rows(value: object, speeds: int, forces: int, what: Subject) -> Array:
    lists = (list, tuple, np.ndarray)
    if not isinstance(value, lists) or not all(isinstance(row, lists) for row in value):
        raise ModelError(
            f"{what}: expected a row for each force, a list of lists, or a function (speed, force), got {shown(value)}",
            about=what,
        )
    if len(value) != forces:
        raise ModelError(f"{what}: {len(value)} rows for {forces} forces; specify one row for each force", about=what)
    rows = [array(row, "number", what=what / i) for i, row in enumerate(value)]
    for i, row in enumerate(rows):
        if row.size != speeds:
            raise ModelError(
                f"{what}: row {i} has {row.size} values for {speeds} speeds; specify one for each speed", about=what / i
            )
    return np.array(rows)


def _evaluated(function: Callable[..., Any], speeds: Array, forces: Array, what: Subject) -> Array:
    table = np.empty((forces.size, speeds.size))
    for i, f in enumerate(forces.tolist()):
        for j, v in enumerate(speeds.tolist()):
            try:
                table[i, j] = float(function(v, f))
            except Exception as error:  # code of the user
                raise ModelError(
                    f"{what}: the function failed at {v:g} m/s and {f:g} N: {type(error).__name__}: {error}", about=what
                ) from error
    return table
