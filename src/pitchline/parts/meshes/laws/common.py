"""Reading and checking of values that all mesh descriptions share."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import one_of
from pitchline.errors import ModelError, Subject, UnitError, shown
from pitchline.functions.piecewise import Constant, Function, PiecewisePolynomial
from pitchline.functions.polynomial import Sum
from pitchline.functions.sampled import Sampled, Table
from pitchline.parts.gears.geometry.directions import ALONG, NORMAL
from pitchline.units.quantity import array, compatible, dimension_name, quantity

from .varying import TIME, Varying, as_varying

__all__ = [
    "LINES_OF_ACTION",
    "SIDES",
    "SLIDING",
    "Variable",
    "at_least_zero",
    "choice",
    "flag",
    "optional",
    "positive",
    "read_along",
    "read_backlash",
    "read_efficiency",
    "read_errors",
    "read_follow_centres",
    "read_springs",
    "read_sticks",
    "read_tilt",
    "FrictionTable",
    "Friction",
    "Stribeck",
    "read_friction",
    "DAMPING_ACTS",
    "DAMPING_RATES",
    "read_damping",
    "read_flanks",
    "read_line_of_action",
    "read_sliding",
    "read_speeds",
]


Variable: TypeAlias = float | Varying
"""A number, or a value that varies over a cycle."""

SIDES = ("centred", "drive", "coast")
SLIDING = ("pitch point", "path of contact")
"""Where teeth slide for friction."""
LINES_OF_ACTION = ("automatic", "clockwise", "counter-clockwise")
_FORMER = "line of action"
"""Name of the normal in earlier versions."""


_MOST_PLAYS = 2


def choice(value: object, options: Collection[str], what: str) -> str:
    """Read one of several texts."""
    if not one_of(value, options):
        listing = " or ".join(f'"{option}"' for option in options)
        raise ModelError(f"{what} must be {listing}, got {shown(value)}", about=what)
    return str(value)


def read_along(value: object, what: str) -> str | None:
    """Read the direction of lengths, stiffness and damping. None: the usual one of the pair (`parts.gears.geometry.directions`)."""
    if value is None:
        return None
    return NORMAL if one_of(value, (_FORMER,)) else choice(value, ALONG, what)


def flag(value: object, what: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ModelError(f"{what} must be True or False, got {shown(value)} ({type(value).__name__})", about=what)
    return value


def at_least_zero(value: object, dimension: str, what: str) -> float:
    """Read a quantity that is not negative."""
    result = quantity(value, dimension, what=what)
    if result < 0.0:
        raise ModelError(f"{what} must not be negative, got {shown(value)}", about=what)
    return result


def positive(value: object, dimension: str, what: str) -> float:
    """Read a quantity greater than zero."""
    result = quantity(value, dimension, what=what)
    if result <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {shown(value)}", about=what)
    return result


def optional(value: object, dimension: str, what: str) -> float | None:
    """Read a quantity that is not negative, or None."""
    return None if value is None else at_least_zero(value, dimension, what)


def read_springs(value: object, what: Subject, dimension: str = "stiffness") -> tuple[Variable, ...]:
    """Read one stiffness, or several springs in series [N/m]. Each must be positive over its whole cycle. The same for dampers."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    spring = dimension == "stiffness"
    if not items:
        several = "one stiffness, or several springs in series" if spring else "one value, or several dampers in series"
        raise ModelError(f"{what}: the list is empty; specify {several}", about=what)
    springs = []
    for i, item in enumerate(items):
        where = what / i if len(items) > 1 else what
        found = as_varying(item, dimension, what=where)
        not_over_time(found, where)
        lowest = found.bounds[0] if isinstance(found, Varying) else found
        if lowest <= 0.0:
            cycle = " over the whole cycle" if isinstance(found, Varying) else ""
            advice = f"{lowest:.6g} N/m; for rigid teeth use Rigid()" if spring else f"{lowest:.6g} N*s/m"
            raise ModelError(f"{where}: must be greater than zero{cycle}, got {advice}", about=where)
        springs.append(found)
    return tuple(springs)


def not_over_time(value: object, what: Subject) -> None:
    """Only errors and backlash may depend on time."""
    if isinstance(value, Varying) and value.over == TIME:
        raise ModelError(
            f'{what}: only error and backlash can be functions of time; use over="mesh cycle", "revolution of a" or '
            '"revolution of b"',
            about=what,
        )


def read_backlash(value: object, what: Subject) -> float | tuple[Variable, ...] | None:
    """Read the backlash [m]: a number, values that vary, or a list of both, which are added. None: from the geometry."""
    if value is None:
        return None
    items = value if isinstance(value, (list, tuple)) else (value,)
    if not items:
        raise ModelError(f"{what}: the list is empty; specify a length, or omit it", about=what)
    several = len(items) > 1
    parts = tuple(as_varying(item, "length", what=what / i if several else what) for i, item in enumerate(items))
    varying = [part for part in parts if isinstance(part, Varying)]
    lowest = sum(part.bounds[0] if isinstance(part, Varying) else part for part in parts)
    if lowest < 0.0:
        if not varying:
            raise ModelError(f"{what} must not be negative, got {shown(value)}", about=what)
        raise ModelError(
            f"{what}: must not be negative, but it decreases to {lowest:.6g} m; add a constant length", about=what
        )
    if len(varying) > _MOST_PLAYS:
        raise ModelError(
            f"{what}: has {len(varying)} values that vary; at most {_MOST_PLAYS} are possible. Add those over the same cycle",
            about=what,
        )
    return parts if varying else float(sum(parts))  # type: ignore[arg-type]


def read_errors(value: object, what: Subject) -> tuple[Variable, ...]:
    """Read the terms of a transmission error [m], which are added. None: no errors."""
    if value is None:
        return ()
    items = value if isinstance(value, (list, tuple)) else (value,)
    several = len(items) > 1
    parts = (as_varying(item, "length", what=what / i if several else what) for i, item in enumerate(items))
    return tuple(part for part in parts if isinstance(part, Varying) or part != 0.0)


def read_follow_centres(value: object, separating: object, what: str) -> bool:
    """Read follow_centres, which needs the separating force. None: True if the separating force acts."""
    if value is None:
        return bool(separating)
    if flag(value, what) and not separating:
        raise ModelError(f"{what}: needs the separating force; omit separating=False", about=what)
    return bool(value)


def read_tilt(value: object, what: str) -> bool | None:
    """Read tilt: whether the mesh depends on the tilt of its wheels. None: if a wheel is on an elastic structure."""
    return None if value is None else flag(value, what)


def read_sticks(value: object, friction: object, efficiency: object, what: Subject) -> bool:
    """Read sticks: whether friction or losses, which must be specified, hold at rest."""
    if flag(value, what / "sticks") and friction is None and efficiency is None:
        raise ModelError(
            f"{what}: sticks=True needs friction or efficiency; specify one of them, or omit sticks",
            about=what.at("sticks"),
        )
    return bool(value)


def read_efficiency(value: object, friction: object, what: str, *, locking: bool = False) -> tuple[float, float] | None:
    """Read (a drives, b drives), each in 0 < η <= 1, from one number or two. None: no efficiency. It includes friction.

    locking: one of both may be zero or negative, for a self-locking pair."""
    if value is None:
        return None
    if friction is not None:
        raise ModelError(
            f"{what}: the efficiency {shown(value)} already includes tooth friction; specify efficiency or friction, not both",
            about=what,
        )
    items = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if len(items) != 2:
        raise ModelError(
            f"{what}: specify one number, or two: (a drives, b drives); got {len(items)}: {shown(value)}", about=what
        )
    numbers = [quantity(item, "number", what=what) for item in items]
    if locking and max(numbers) > 0.0:
        for eta in numbers:
            if not -math.inf < eta <= 1.0:
                raise ModelError(f"{what} must be at most 1, got {eta:g}", about=what)
        return numbers[0], numbers[1]
    for eta in numbers:
        if not 0.0 < eta <= 1.0:
            more = "; a self-locking pair (one of both zero or negative) needs sticks=True" if not locking else ""
            raise ModelError(f"{what} must be greater than 0 and at most 1, got {eta:g}{more}", about=what)
    return numbers[0], numbers[1]


# ---- friction table

# FrictionTable: coefficient of friction over sliding speed and load.

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

    speeds: FloatArray
    forces: FloatArray
    coefficients: FloatArray

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
    def hermite(self) -> FloatArray:
        """(forces, speeds, 4): coefficient, its slopes by speed and by force, and their mixed derivative."""
        from scipy.interpolate import PchipInterpolator

        def slopes(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
            return np.asarray(PchipInterpolator(x, y, axis=axis).derivative()(x))

        by_speed = slopes(self.speeds, self.coefficients, 1)
        by_force = slopes(self.forces, self.coefficients, 0)
        mixed = slopes(self.forces, by_speed, 0)
        return np.stack([self.coefficients, by_speed, by_force, mixed], axis=-1)


def _factors(x: FloatArray, value: FloatArray) -> tuple[Any, tuple[FloatArray, FloatArray, FloatArray, FloatArray]]:
    """Interval of the points, and the factors of the values and slopes at its ends (cubic Hermite)."""
    at = np.clip(value, x[0], x[-1])
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.size - 2)
    h = x[i + 1] - x[i]
    s = (at - x[i]) / h
    return i, ((1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s), h * s * (1 - s) ** 2, -h * s * s * (1 - s))


def _increasing(value: object, dimension: str, what: Subject) -> FloatArray:
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


def _rows(value: object, speeds: int, forces: int, what: Subject) -> FloatArray:
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


def _evaluated(function: Callable[..., Any], speeds: FloatArray, forces: FloatArray, what: Subject) -> FloatArray:
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


# ---- friction

# Tooth friction: coefficient of friction over the sliding speed, and over the load.

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


# ---- options

# Options that several mesh descriptions share.

DAMPING_ACTS = ("never pulling", "in contact", "always", "limited")
DAMPING_RATES = ("deflection", "approach")


def read_flanks(
    what: Subject,
    *,
    backlash: object,
    backlash_side: str,
    error: object,
    energy_consistent: bool,
    friction: object,
    friction_speed: object,
    efficiency: object,
    efficiency_speed: object,
    sticks: bool,
    sliding: str,
    line_of_action: str,
    separating: bool,
    follow_centres: bool | None,
) -> dict[str, object]:
    """Read play, errors, losses and centres, which rigid, elastic and loaded teeth have in common."""
    return {
        "backlash": read_backlash(backlash, what / "backlash"),
        "backlash_side": choice(backlash_side, SIDES, what / "backlash_side"),
        "error": read_errors(error, what / "error"),
        "energy_consistent": flag(energy_consistent, what / "energy_consistent"),
        "friction": read_friction(friction, what),
        "efficiency": read_efficiency(efficiency, friction, what / "efficiency", locking=sticks is True),
        **read_speeds(what, friction_speed, efficiency_speed),
        "sticks": read_sticks(sticks, friction, efficiency, what),
        "sliding": read_sliding(sliding, friction, what),
        "line_of_action": read_line_of_action(line_of_action, separating, what),
        "separating": flag(separating, what / "separating"),
        "follow_centres": read_follow_centres(follow_centres, separating, what / "follow_centres"),
    }


def read_sliding(value: object, friction: object, what: Subject) -> str:
    """Read where the teeth slide, which needs friction."""
    found = choice(value, SLIDING, what / "sliding")
    if found != SLIDING[0] and friction is None:
        raise ModelError(
            f'{what}: sliding="{found}" needs friction; specify friction, or omit sliding', about=what.at("sliding")
        )
    return found


def read_line_of_action(value: object, separating: object, what: Subject) -> str:
    """Read the line of action, which needs the separating force."""
    found = choice(value, LINES_OF_ACTION, what / "line_of_action")
    if found != LINES_OF_ACTION[0] and not separating:
        raise ModelError(
            f'{what}: line_of_action="{found}" has no effect without the separating force; omit separating=False',
            about=what.at("line_of_action"),
        )
    return found


def read_speeds(what: Subject, friction_speed: object, efficiency_speed: object) -> dict[str, float]:
    """Read the speeds over which friction and losses are regularised."""
    return {
        "friction_speed": positive(friction_speed, "velocity", what / "friction_speed"),
        "efficiency_speed": positive(efficiency_speed, "angular velocity", what / "efficiency_speed"),
    }


def read_damping(
    what: Subject,
    *,
    damping: object,
    damping_ratio: object,
    effective_mass: object,
    damping_acts: str,
    damping_rate: str,
) -> dict[str, object]:
    """Read the damper of elastic teeth: a value or a ratio."""
    if damping is not None and damping_ratio is not None:
        raise ModelError(
            f"{what}: specify damping or damping_ratio, not both",
            about=what.at("damping_ratio"),
        )
    return {
        "damping": _read_dampers(damping, what / "damping"),
        "damping_ratio": optional(damping_ratio, "number", what / "damping_ratio"),
        "effective_mass": None if effective_mass is None else positive(effective_mass, "mass", what / "effective_mass"),
        "damping_acts": choice(damping_acts, DAMPING_ACTS, what / "damping_acts"),
        "damping_rate": choice(damping_rate, DAMPING_RATES, what / "damping_rate"),
    }


def _read_dampers(value: object, what: Subject) -> float | tuple[Variable, ...] | None:
    """Read a damping constant [N s/m], or dampers in series of which at least one varies. None: no damping."""
    if value is None or isinstance(value, (int, float, str)):
        return optional(value, "damping", what)
    dampers = read_springs(value, what, "damping")
    if any(isinstance(damper, Varying) for damper in dampers):
        return dampers
    return 1.0 / sum(1.0 / damper for damper in dampers if not isinstance(damper, Varying))
