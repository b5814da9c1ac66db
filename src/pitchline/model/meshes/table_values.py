"""Given tables of loaded tooth contact: loads, tilts, approach, face load factors."""

from __future__ import annotations

import numpy as np

from ...errors import ModelError, Subject, shown
from ...solids.rotations import Array
from ...units import array

__all__ = ["read_approach", "read_face_loads", "read_loads", "read_tilts"]

_LARGEST = 0.05
"""If tilts [rad] are larger than this, the axes are not nearly parallel."""


def read_loads(value: object, what: str) -> Array:
    loads = array(value, "force", what=what, at_least=2)
    if loads[0] != 0.0:
        raise ModelError(
            f"{what}: the first load must be 0 (first contact), got {loads[0]:g} N; add a row with "
            "the approach without load",
            about=what,
        )
    falls = np.flatnonzero(np.diff(loads) <= 0.0)
    if falls.size:
        i = int(falls[0])
        raise ModelError(
            f"{what}: must increase, but {loads[i + 1]:g} N follows {loads[i]:g} N (position {i + 1}); sort them",
            about=what,
        )
    return loads


def read_tilts(value: object, what: Subject) -> Array | None:
    """Read increasing tilts [rad], from negative to positive values."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise ModelError(
            f"{what}: expected the tilts of the table, such as [-0.001, 0, 0.001], got {shown(value)}; a single "
            "largest tilt is for "
            "tables that are computed from the gears",
            about=what,
        )
    tilts = array(value, "angle", what=what, at_least=3)
    falls = np.flatnonzero(np.diff(tilts) <= 0.0)
    if falls.size:
        i = int(falls[0])
        raise ModelError(
            f"{what}: must increase, but {tilts[i + 1]:g} rad follows {tilts[i]:g} rad (position {i + 1}); sort them",
            about=what,
        )
    if not tilts[0] < 0.0 < tilts[-1]:
        raise ModelError(
            f"{what}: must extend from negative to positive values, got {tilts[0]:g} to {tilts[-1]:g} rad; wheels tilt "
            "in both directions",
            about=what,
        )
    if max(-tilts[0], tilts[-1]) > _LARGEST:
        raise ModelError(
            f"{what}: {max(-tilts[0], tilts[-1]):g} rad is more than {_LARGEST:g} rad, where axes are no longer nearly parallel; "
            'specify angles such as "0.5 mrad"',
            about=what,
        )
    tilts.flags.writeable = False
    return tilts


def read_approach(value: object, loads: Array, tilts: Array | None, what: Subject) -> Array:
    """(loads, phases), or (tilts, loads, phases)."""
    if tilts is None:
        result = _rows(
            value, len(loads), "length", what, deeper="for a table over tilts, specify them too: tilts=[...]"
        )
        _check_rise(result, loads, what)
    else:
        parts = _parts(value, len(tilts), what)
        result = _joined([_rows(part, len(loads), "length", what / i) for i, part in enumerate(parts)], what)
        for i, table in enumerate(result):
            _check_rise(table, loads, what / i)
    result.flags.writeable = False
    return result


def read_face_loads(value: object, shape: tuple[int, ...], what: Subject) -> Array:
    """Read K_Hβ at the points of an approach of that shape, without the points at zero load."""
    rows, phases, of = shape[-2] - 1, shape[-1], "load above zero"
    if len(shape) == 2:
        result = _rows(value, rows, "number", what, of=of)
    else:
        parts = _parts(value, shape[0], what)
        result = _joined([_rows(part, rows, "number", what / i, of=of) for i, part in enumerate(parts)], what)
    if result.shape[-1] != phases:
        raise ModelError(
            f"{what}: has {result.shape[-1]} phases but approach has {phases}; use the same phases for both", about=what
        )
    if (result < 1.0 - 1e-9).any():
        raise ModelError(
            f"{what}: the largest load cannot be less than the mean load, but there is a factor of {result.min():g}; "
            "specify max/mean",
            about=what,
        )
    result.flags.writeable = False
    return result


def _parts(value: object, count: int, what: Subject) -> list[object]:
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise ModelError(f"{what}: expected a table for each tilt, got {shown(value)}", about=what)
    if len(value) != count:
        raise ModelError(f"{what}: {len(value)} tables for {count} tilts; specify one table for each tilt", about=what)
    return list(value)


def _joined(tables: list[Array], what: Subject) -> Array:
    for i, table in enumerate(tables):
        if table.shape != tables[0].shape:
            raise ModelError(
                f"{what}: table {i} has {table.shape[1]} phases but table 0 has {tables[0].shape[1]}; use the same "
                "number in all tables",
                about=what,
            )
    return np.array(tables)


def _rows(value: object, count: int, kind: str, what: Subject, *, of: str = "load", deeper: str = "") -> Array:
    """Read rows of numbers. deeper: advice for the message if there is one more level of lists."""
    lists = (list, tuple, np.ndarray)
    if not isinstance(value, lists) or not all(isinstance(row, lists) for row in value):
        raise ModelError(f"{what}: expected a row for each {of}, a list of lists, got {shown(value)}", about=what)
    if deeper and any(isinstance(part, lists) for row in value for part in row):
        raise ModelError(
            f"{what}: expected a row for each {of}, a list of lists, got one level more; {deeper}", about=what
        )
    if len(value) != count:
        many = of.replace("load", "loads")
        raise ModelError(f"{what}: {len(value)} rows for {count} {many}; specify one row for each {of}", about=what)
    rows = [array(row, kind, what=what / i) for i, row in enumerate(value)]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ModelError(
                f"{what}: row {i} has {len(row)} phases but row 0 has {len(rows[0])}; use the same number in all rows",
                about=what,
            )
    return np.array(rows)


def _check_rise(table: Array, loads: Array, what: Subject) -> None:
    falls = np.argwhere(np.diff(table, axis=0) <= 0.0)
    if falls.size:
        i, j = (int(k) for k in falls[0])
        raise ModelError(
            f"{what}: must increase with the load, but at phase {j}/{table.shape[1]} it changes from {table[i, j]:g} m at "
            f"{loads[i]:g} N to {table[i + 1, j]:g} m at {loads[i + 1]:g} N; correct the table",
            about=what,
        )
