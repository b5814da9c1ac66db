"""Options of tables that are computed from the gears: loads, phases, finite elements, and resolution of the contact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import ModelError, Subject, shown
from ...gears.inputs import number, whole
from ...solids.rotations import Array
from ...units import array, quantity
from .common import choice, flag
from .table_values import read_tilts

__all__ = [
    "BORES_OF_TABLES", "grid_options", "load_count", "read_coast", "read_computation", "read_torque", "tilts_to_compute",
]  # fmt: skip

BORES_OF_TABLES = ("fixed", "free")
_LOADS = 10
"""Number of loads of a computed table, including 0."""
_TILTS = 9
"""Number of tilts of a computed table. The error of moments is then about 0.3 % of F b/2 (docs/theory/loaded_mesh.md)."""


def load_count(value: object, what: Subject) -> int:
    """Read the number of loads of a computed table."""
    if isinstance(value, str):
        raise ModelError(
            f"{what}: for a computed table, loads is the number of loads, got {shown(value)}; the largest torque is torque=...",
            about=what.at("loads"),
        )
    return _LOADS if value is None else whole(value, what / "loads", at_least=3, at_most=1000)


def tilts_to_compute(value: object, what: Subject) -> Array | None:
    """Read the tilts [rad] of a computed table: the specified tilts, or a sufficient number up to the largest one."""
    if value is None or isinstance(value, (list, tuple, np.ndarray)):
        return read_tilts(value, what)
    largest = quantity(value, "angle", what=what)
    if largest <= 0.0:
        raise ModelError(f"{what}: the largest tilt must be greater than zero, got {shown(value)}", about=what)
    one_way = np.linspace(0.0, largest, _TILTS // 2 + 1)
    return read_tilts(np.concatenate([-one_way[:0:-1], one_way]), what)  # exactly symmetric


def read_computation(
    what: Subject,
    *,
    torque: object,
    phases: object,
    bore: object,
    elements_a: object,
    elements_b: object,
    resolution: object,
    cells: object,
) -> dict[str, object]:
    """Read the options for the computation of a table."""
    fine = number(resolution, what / "resolution")
    if not 1.0 <= fine <= 50.0:
        raise ModelError(
            f"{what}: resolution must be from 1 to 50 cells in a half width, got {shown(resolution)}",
            about=what.at("resolution"),
        )
    return {
        "torque": read_torque(torque, what / "torque"),
        "phases": whole(phases, what / "phases", at_least=4, at_most=4096),
        "bore": choice(bore, BORES_OF_TABLES, what / "bore"),
        "elements_a": grid_options(elements_a, what / "elements_a"),
        "elements_b": grid_options(elements_b, what / "elements_b"),
        "resolution": fine,
        "cells": whole(cells, what / "cells", at_least=5, at_most=200),
    }


def read_torque(value: object, what: Subject) -> float | tuple[float, ...] | None:
    """Read the largest torque [N m], or several increasing torques. None: determined from the gears."""
    if value is None:
        return None
    if isinstance(value, (list, tuple, np.ndarray)):
        found = array(value, "torque", what=what)
        if found[0] <= 0.0 or (np.diff(found) <= 0.0).any():
            raise ModelError(
                f"{what}: several torques must be greater than zero and increase, got {shown(value)}", about=what
            )
        return tuple(found.tolist())
    largest = quantity(value, "torque", what=what)
    if largest <= 0.0:
        raise ModelError(
            f"{what}: must be greater than zero, got {shown(value)}; the table is valid for both directions of the load",
            about=what,
        )
    return largest


def grid_options(value: object, what: str) -> Mapping[str, object]:
    """Read the options of a finite element grid."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or "mesh" in value:
        from ...fem.own_mesh.options import MeshedGear, own_gear_of

        if isinstance(value, MeshedGear):
            return value.options()
    if not isinstance(value, Mapping):
        raise ModelError(
            f'{what} must be options of the grid, such as {{"size": "1 mm"}}, or a MeshedGear; got {shown(value)}',
            about=what,
        )
    if "mesh" in value:
        try:
            return own_gear_of(value).options()
        except ModelError as error:
            raise ModelError(f"{what}: {error}", about=what) from None
    return dict(value)


def read_coast(value: object, what: Subject) -> bool | None:
    """Read whether a computed table has its own coast flanks. None: if flanks or axes are not symmetric."""
    return None if value is None else flag(value, what)
