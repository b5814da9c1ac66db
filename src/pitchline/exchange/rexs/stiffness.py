"""Stiffness of bearings and couplings: what is held, what is rigid, and the matrix at the operating point in our axes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...solids.rotations import Array
from ..imported import ImportReport
from .component import RexsComponent

__all__ = ["RIGID", "Held", "held_by_bearing", "held_by_coupling", "operating_matrix"]

RIGID = 1e15
"""From this stiffness [N/m] on a direction is rigid: programs write 1e20 and 1e23."""
RIGID_ANGLE = 1e12
"""The same for rotations [N m/rad]."""
_ROWS, _COLUMNS = ("f_u", "f_v", "f_w", "m_v", "m_w"), ("d_u", "d_v", "d_w", "rot_v", "rot_w")
_UNEQUAL = 0.01


@dataclass(frozen=True)
class Held:
    """Stiffness of a connection: 0 is free, infinity rigid [N/m, N m/rad].

    way: "positive" or "negative": the direction along u of axial forces on the inner part that it carries; "" for both
    """

    radial: float
    axial: float
    tilt: float
    torsion: float = 0.0
    way: str = field(default="", kw_only=True)

    @property
    def rigid(self) -> bool:
        """Whether all directions are rigid."""
        return all(value == np.inf for value in (self.radial, self.axial, self.tilt, self.torsion))

    @property
    def elastic(self) -> bool:
        """Whether no direction is rigid."""
        return all(value < np.inf for value in (self.radial, self.axial, self.tilt, self.torsion))


def held_by_bearing(bearing: RexsComponent, report: ImportReport) -> Held:
    """What a bearing holds. A direction that is held without a stiffness is rigid."""
    radial, axial, tilt = (bearing.number(f"{kind}_stiffness") for kind in ("radial", "axial", "bending"))
    holds = bearing.flag("radial_force_absorption")
    if holds is None:
        holds = True
    way = (bearing.string("axial_force_absorption") or "").lower()
    if not way:
        along = bool(axial)
        if axial is None:
            report.add("assumed", f"{bearing.label}: no axial_force_absorption; it carries no axial force")
    else:
        along = way not in ("no_direction", "none", "no")
    return Held(
        _value(bearing, "radial_stiffness", radial, RIGID) if holds else 0.0,
        _value(bearing, "axial_stiffness", axial, RIGID) if along else 0.0,
        0.0 if not tilt else _value(bearing, "bending_stiffness", tilt, RIGID_ANGLE),
        way=way if way in ("positive", "negative") else "",
    )


def held_by_coupling(coupling: RexsComponent) -> Held:
    """What a coupling holds. Without any stiffness it is rigid; with some, a missing one is 0."""
    keys = ("radial_stiffness", "axial_stiffness", "bending_stiffness", "rotational_stiffness")
    values = [coupling.number(key) for key in keys]
    if all(value is None for value in values):
        return Held(*(4 * [np.inf]))
    limits = (RIGID, RIGID, RIGID_ANGLE, RIGID_ANGLE)
    found = [
        0.0 if not value else _value(coupling, key, value, limit)
        for key, value, limit in zip(keys, values, limits, strict=True)
    ]
    return Held(*found)


def _value(component: RexsComponent, key: str, value: float | None, limit: float) -> float:
    if value is None or value == 0.0 or value >= limit:
        return float(np.inf)
    if value < 0.0:
        raise component.error(key, "must not be negative")
    return value


def operating_matrix(bearing: RexsComponent, report: ImportReport) -> Array | None:
    """Stiffness at the operating point, 6x6 in the axes x = w, y = -v, z = u; None if the file has none.

    Nothing is held about u.
    """
    found = np.zeros((6, 6))
    places = (0, 1, 2, 4, 5)
    given = False
    for row, i in zip(_ROWS, places, strict=True):
        for column, j in zip(_COLUMNS, places, strict=True):
            value = bearing.number(f"operating_point_stiffness_{row}_{column}")
            if value is not None:
                found[i, j], given = value, True
    if not given or not np.any(found):
        return None
    if not np.all(np.isfinite(found)) or np.abs(found).max() >= RIGID:
        raise bearing.error("operating_point_stiffness_f_u_d_u", "the operating point stiffness has too large values")
    largest = np.abs(found).max()
    unequal = np.abs(found - found.T).max() / largest
    if unequal > _UNEQUAL:
        report.add(
            "assumed",
            f"{bearing.label}: the operating point stiffness is not symmetric by {100 * unequal:.3g} %; the mean is used",
        )
    found = 0.5 * (found + found.T)
    # x = w, y = -v, z = u: the rows of the turn are the new axes in u, v, w
    turn = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
    both = np.kron(np.eye(2), turn)
    turned: Array = both @ found @ both.T
    if np.linalg.eigvalsh(turned).min() < -1e-9 * largest:
        report.add(
            "assumed", f"{bearing.label}: the operating point stiffness has a negative direction; it is used as it is"
        )
    return turned
