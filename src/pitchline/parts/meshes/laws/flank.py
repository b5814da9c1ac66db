"""Mesh description `Flank`, elastic gears in contact on their true flanks; tables that users specify."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown
from pitchline.parts.gears.geometry.inputs import number, whole
from pitchline.units.quantity import array, quantity

from .common import at_least_zero, choice, flag, optional, positive, read_follow_centres, read_tilt

__all__ = [
    "read_approach",
    "read_face_loads",
    "read_loads",
    "read_tilts",
    "BORES_OF_TABLES",
    "grid_options",
    "load_count",
    "read_coast",
    "read_computation",
    "read_torque",
    "tilts_to_compute",
    "Flank",
]


_LARGEST = 0.05
"""If tilts [rad] are larger than this, the axes are not nearly parallel."""


def read_loads(value: object, what: str) -> FloatArray:
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


def read_tilts(value: object, what: Subject) -> FloatArray | None:
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


def read_approach(value: object, loads: FloatArray, tilts: FloatArray | None, what: Subject) -> FloatArray:
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


def read_face_loads(value: object, shape: tuple[int, ...], what: Subject) -> FloatArray:
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


def _joined(tables: list[FloatArray], what: Subject) -> FloatArray:
    for i, table in enumerate(tables):
        if table.shape != tables[0].shape:
            raise ModelError(
                f"{what}: table {i} has {table.shape[1]} phases but table 0 has {tables[0].shape[1]}; use the same "
                "number in all tables",
                about=what,
            )
    return np.array(tables)


def _rows(value: object, count: int, kind: str, what: Subject, *, of: str = "load", deeper: str = "") -> FloatArray:
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


def _check_rise(table: FloatArray, loads: FloatArray, what: Subject) -> None:
    falls = np.argwhere(np.diff(table, axis=0) <= 0.0)
    if falls.size:
        i, j = (int(k) for k in falls[0])
        raise ModelError(
            f"{what}: must increase with the load, but at phase {j}/{table.shape[1]} it changes from {table[i, j]:g} m at "
            f"{loads[i]:g} N to {table[i + 1, j]:g} m at {loads[i + 1]:g} N; correct the table",
            about=what,
        )


# ---- table options

# Options of tables that are computed from the gears: loads, phases, finite elements, and resolution of the contact.

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


def tilts_to_compute(value: object, what: Subject) -> FloatArray | None:
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
        from pitchline.fem.own_mesh.gear_solid import MeshedGear, own_gear_of

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


# ---- flank

# Flank: elastic gears with contact on their true flanks.

BORES = ("free", "shaft")


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Flank:
    """Elastic gears with contact on their true flanks, for each tooth and each strip of the face.

    Both gears are finite element models, reduced by their cyclic symmetry. Natural modes below a frequency are dynamic; the
    others are kept as static stiffness, so that statics is exact. Contact forces are unilateral and need no penalty. The first
    use of a gear takes a few seconds for its finite elements, which are then kept in the user's cache.

    Flanks, modifications, single teeth, bodies and materials are those of the gears. `Flank` supports all kinds of pairs:
    cylindrical gears, conical involute, crossed helical, worm and straight bevel gears, rack and pinion, and gears with imported
    flanks (spiral bevel, hypoid, throated worm wheels). Faces may be offset and axes misaligned in the initial pose. With `tilt`
    the flanks also respond to the tilt of the wheels during motion. The wheels may be part of any model.
    Choose a time step that is short compared with the period of the highest mode (a fixed step of 1 to 2.5 µs for 80 kHz).

    Parameters
    ----------
    modes
        Natural modes below this frequency are dynamic [Hz]. "80 kHz" is sufficient for forces with an error of about 1 % (default).
    elements_a, elements_b
        Options of the finite element grids, as for `sector_grid`: ``{"size": "1 mm"}``.
    bore
        Bore of both gears. "free" (default): the bore is not stiffened. "shaft": the nodes of the bore move as one rigid body,
        as on a stiff shaft.
    damping_ratio
        Damping ratio of every mode. Default 0.
    backlash
        Total play [m], on the base circle; of crossed axes, hypoid and conical involute gears along the normal. Default
        None: from the geometry of the pair.
    friction, friction_speed
        Coefficient of friction of the flanks, and the sliding speed [m/s] below which friction decreases to zero.
        Default 0 and 1 mm/s.
    penalty
        Penalty stiffness [N/m], for comparison with penalty methods: each strip is a spring of this stiffness along the normal
        of the flanks, in place of the local and residual compliance. Default: none.
    tilt
        Whether the flanks respond to the tilt of the wheels from their initial pose, in the plane of action. Each strip of the
        face then closes by f ζ, where ζ is its distance from the pitch point along the face (for helical teeth including the
        axial displacement due to the tilt). The forces of the strips resist the tilt with their moment. Default None: True if
        a wheel is on a shaft or another elastic structure, and the axes are parallel. Flanks of all other pairs than cylindrical
        and conical involute gears respond to all displacements of the axes, and act with their own normals at their points of
        contact; False switches this off.
    separating, follow_centres
        As in `Elastic`.
    """

    modes: float
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    bore: str
    damping_ratio: float
    backlash: float | None
    friction: float
    friction_speed: float
    penalty: float
    tilt: bool | None
    separating: bool
    follow_centres: bool

    said_elsewhere: ClassVar[Mapping[str, str]] = {
        name: "the gear defines the teeth of a wheel: specify the modifications of the Gear"
        for name in ("modifications_a", "modifications_b", "teeth_a", "teeth_b", "modifications")
    }

    def __init__(
        self,
        *,
        modes: object = "80 kHz",
        elements_a: Mapping[str, object] | None = None,
        elements_b: Mapping[str, object] | None = None,
        bore: str = "free",
        damping_ratio: object = 0.0,
        backlash: object = None,
        friction: object = 0.0,
        friction_speed: object = "1 mm/s",
        penalty: object = None,
        tilt: bool | None = None,
        separating: bool = True,
        follow_centres: bool | None = None,
    ) -> None:
        what = Subject("Flank")
        if not isinstance(bore, str) or bore not in BORES:
            raise ModelError(
                f'{what}: bore must be "free" or "shaft", got {shown(bore)}; the joints of the model support the gears',
                about=what.at("bore"),
            )
        ratio = at_least_zero(damping_ratio, "number", what / "damping_ratio")
        if ratio >= 1.0:
            raise ModelError(
                f"{what}: damping_ratio must be less than 1, got {shown(damping_ratio)}; typical values for steel are "
                "0.001 to 0.02",
                about=what.at("damping_ratio"),
            )
        for name, value in (
            ("modes", _frequency(modes, what / "modes")),
            ("elements_a", grid_options(elements_a, what / "elements_a")),
            ("elements_b", grid_options(elements_b, what / "elements_b")),
            ("bore", bore),
            ("damping_ratio", ratio),
            ("backlash", optional(backlash, "length", what / "backlash")),
            ("friction", at_least_zero(friction, "number", what / "friction")),
            ("friction_speed", positive(friction_speed, "velocity", what / "friction_speed")),
            ("penalty", 0.0 if penalty is None else positive(penalty, "stiffness", what / "penalty")),
            ("tilt", read_tilt(tilt, what / "tilt")),
            ("separating", flag(separating, what / "separating")),
            ("follow_centres", read_follow_centres(follow_centres, separating, what / "follow_centres")),
        ):
            object.__setattr__(self, name, value)


def _frequency(value: object, what: str) -> float:
    found = quantity(value, "frequency", what=what)
    if found < 0.0:
        raise ModelError(
            f"{what} must not be negative, got {shown(value)}; with 0 only the static compliance remains", about=what
        )
    return found
