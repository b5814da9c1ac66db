"""Scale and penalty of the constraints in the matrix of Newton's method, as options of the analyses.

The forces of a constraint are B^T (k lambda - p Phi), and its row is k Phi = 0. k is the scale, p the penalty. They change the
condition of the matrix, not the solution. The automatic scale of a row is k = m / s: m is the mass or the inertia of the bodies
that it connects, s = beta h^2 in dynamics and 1 s^2 in statics.
"""

from typing import Any

import numpy as np

from ..errors import ModelError, Place, Subject, UnitError, shown
from ..system.pattern import local_pattern
from ..system.system import System
from ..units import quantity

__all__ = ["constraint_number", "set_constraint_options"]

LEAST, MOST = 1e-8, 1e8
"""Limits of the scale, relative to the automatic one. Beyond them, rounding would determine the reaction forces."""
MOST_PENALTY = 1e4
"""Largest penalty, relative to the scale and to the automatic scale. A larger one would hide masses and stiffnesses by rounding."""


def constraint_number(value: Any, name: str, *, may_be_zero: bool) -> float | str | None:
    """Check an option: a factor of the automatic scale, or a stiffness with its unit. None: automatic."""
    if value is None:
        return None
    what = Subject(name, Place(argument=(name,)))
    try:
        number, unit = quantity(value, "number", what=what), ""
    except UnitError:
        try:
            number, unit = quantity(value, "stiffness", what=what), " N/m"
        except UnitError:
            raise ModelError(
                f'{name} must be a number (multiple of the automatic scale) or a stiffness such as "1e6 N/m", got {shown(value)}',
                about=what,
            ) from None
    if unit:
        if number <= 0.0:
            raise ModelError(f"{name} must be greater than zero, got {number:g} N/m", about=what)
        return f"{number!r} N/m"
    if may_be_zero and number == 0.0:
        return 0.0
    most = MOST_PENALTY if may_be_zero else MOST
    if not LEAST <= number <= most:
        least = "0, or from 1e-08" if may_be_zero else "from 1e-08"
        raise ModelError(
            f"{name} is a multiple of the automatic scale and must be {least} to {most:.0e}, got {number:g}. Use values near 1, "
            'or a stiffness such as "1e6 N/m"',
            about=what,
        )
    return number


def set_constraint_options(
    system: System, scale: float | str | None, penalty: float | str | None, *, s: float = 1.0
) -> None:
    """Apply both options to a system. s: factor of the rows of motion [s^2], beta h^2 in dynamics."""
    if (scale is None and not penalty) or not system.n_lam:
        return
    found = _rows(system, scale, "constraint_scale", s, default=1.0)
    given = _rows(system, penalty, "constraint_penalty", s, default=0.0)
    largest = float(np.max(given / found))
    if largest > MOST_PENALTY * (1.0 + 1e-9):
        raise ModelError(
            f"constraint_penalty is {largest:.3g} times constraint_scale, more than {MOST_PENALTY:.0e}. Use a smaller penalty or a "
            "larger scale, best of the same magnitude",
            about=Subject("constraint_penalty", Place(argument=("constraint_penalty",))),
        )
    system.set_constraint_factors(found, np.where(_always_rigid(system), given, 0.0))


def _rows(system: System, value: float | str | None, name: str, s: float, *, default: float) -> np.ndarray:
    """s times the scale or penalty of every row."""
    if value is None:
        return default * system.own_scale
    if isinstance(value, float):
        return value * system.own_scale
    stiffness = quantity(value, "stiffness", what=name)
    lengths = system.structure.is_length[: system.n_lam]
    rows: np.ndarray = s * stiffness * np.where(lengths, 1.0, system.length**2)
    factors = rows / system.own_scale
    worst = factors[np.argmax(np.abs(np.log(factors)))]
    if not LEAST**1.5 <= worst <= MOST**1.5:
        usual = float(np.median(system.own_scale[lengths])) if lengths.any() else float(np.median(system.own_scale))
        raise ModelError(
            f"{name} = {stiffness:g} N/m is {worst:.2g} times the automatic scale of a constraint, outside 1e-12 to 1e+12. "
            f"The automatic scale of this model is about {usual / s:.2g} N/m",
            about=Subject(name, Place(argument=(name,))),
        )
    return rows


def _always_rigid(system: System) -> np.ndarray:
    """Rows (n_lam) without compliance that neither open nor slip: their multiplier is not in their own equation."""
    rigid = np.ones(system.n_lam, bool)
    for e, element in enumerate(system.elements):
        count = len(element.rows)
        if not count:
            continue
        rows = slice(int(system.lam0[e]), int(system.lam0[e]) + count)
        own = local_pattern(element, system.functions, opened=system.opened).diagonal()[-count:]
        rigid[rows] = ~(own | np.array(element.soft_rows, bool)) & (not element.switches)
        rigid[int(system.lam0[e]) + np.array(element.opening_rows, int)] = False
    return rigid
