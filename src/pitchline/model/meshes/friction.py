"""Tooth friction: coefficient of friction over the sliding speed, and over the load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, UnitError, shown
from ...units import array, compatible, dimension_name, quantity
from ..functions import Constant, Function, PiecewisePolynomial, Sampled, Sum, Table
from .friction_table import FrictionTable

__all__ = ["Friction", "Stribeck", "read_friction"]

_SPEEDS = np.concatenate([[0.0], np.logspace(-6, 3, 400)])


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Stribeck:
    """μ(v) = kinetic + (static − kinetic) exp(−(v/speed)²) + viscous v, v being the sliding speed.

    Parameters
    ----------
    static, kinetic
        Coefficients at rest and far above the transition speed; static >= kinetic >= 0.
    speed
        Transition speed [m/s].
    viscous
        Increase with speed [s/m]; not negative. Default 0.
    """

    static: float
    kinetic: float
    speed: float
    viscous: float

    def __init__(self, static: object, kinetic: object, speed: object, viscous: object = 0.0) -> None:
        what = Subject("Stribeck")
        for name, given, dimension in (
            ("static", static, "number"),
            ("kinetic", kinetic, "number"),
            ("speed", speed, "velocity"),
            ("viscous", viscous, "s/m"),
        ):
            value = quantity(given, dimension, what=what / name)
            if value < 0.0:
                raise ModelError(f"Stribeck: {name} must not be negative, got {shown(given)}", about=what.at(name))
            object.__setattr__(self, name, value)
        if self.static < self.kinetic:
            raise ModelError(
                f"Stribeck: static ({self.static:g}) must not be less than kinetic ({self.kinetic:g}); swap them, or "
                "use viscous for friction that grows with speed",
                about=what.at("static"),
            )
        if self.speed == 0.0:
            raise ModelError('Stribeck: speed must be greater than zero, such as "0.1 m/s"', about=what.at("speed"))

    def __call__(self, v: Any) -> Any:
        """Return μ at a sliding speed.

        Parameters
        ----------
        v
            Sliding speed [m/s]: a number or an array.
        """
        drop = (self.static - self.kinetic) * np.exp(-np.square(np.asarray(v, dtype=np.float64) / self.speed))
        mu = self.kinetic + drop + self.viscous * np.abs(v)
        return float(mu) if np.ndim(v) == 0 else mu


Friction: TypeAlias = float | Function | FrictionTable | Stribeck


def read_friction(value: object, what: Subject) -> Friction | None:
    """Read a coefficient, a Stribeck, a FrictionTable, a Function of the sliding speed [m/s] or (speeds, coefficients). None: no
    friction."""
    where = what / "friction"
    if value is None or isinstance(value, (FrictionTable, Stribeck)):
        return value
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            raise ModelError(
                f"{where}: a table is two lists, (speeds, coefficients), got {len(value)} items: {shown(value)}",
                about=where,
            )
        speeds = array(value[0], "velocity", what=where.at(0).called(f"{where}: speeds"), at_least=2)
        value = Table(speeds, array(value[1], "number", what=where.at(1).called(f"{where}: coefficients"), at_least=2))
    if isinstance(value, Function) and not isinstance(value, Constant):
        _check_function(value, where)
        return value
    if isinstance(value, Constant):
        value = value.value
    if callable(value):
        raise ModelError(
            f"{where}: a callable has no upper limit of the speed for sampling; use a Table over the sliding speed, "
            "Stribeck(...), or FrictionTable(speeds, forces, function)",
            about=where,
        )
    mu = quantity(value, "number", what=where)
    if mu < 0.0:
        raise ModelError(f"{where}: must not be negative, got {shown(value)}", about=where)
    return mu


def _check_function(f: Function, where: str) -> None:
    if f.dimension is not None and not compatible(f.dimension, "number"):
        raise UnitError(
            f"{where}: a coefficient has no unit, but the function has values of {dimension_name(f.dimension)}",
            about=where,
        )
    for part in f.terms if isinstance(f, Sum) else (f,):
        if isinstance(part, Sampled):
            raise ModelError(
                f"{where}: a callable has no upper limit of the speed for sampling; use a Table or Stribeck(...)",
                about=where,
            )
        if isinstance(part, (Table, PiecewisePolynomial)):
            if part.over == "angle":
                raise ModelError(
                    f"{where}: the table is over an angle; specify a table over the sliding speed in m/s", about=where
                )
            if part.outside == "error" and not part.periodic:
                raise ModelError(
                    f'{where}: the table ends at {part.t[-1]:g} m/s; specify outside="hold" for higher speeds',
                    about=where,
                )
    speeds = np.concatenate([_SPEEDS, f.breakpoints(0.0, float(_SPEEDS[-1]))])
    mu = f(speeds)
    lowest = int(np.argmin(mu))
    if mu[lowest] < 0.0:
        raise ModelError(
            f"{where}: must not be negative, but the function is {mu[lowest]:.4g} at {speeds[lowest]:.4g} m/s",
            about=where,
        )
