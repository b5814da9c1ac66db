"""Loads of bearings, bushings and joints: radial, axial, tilting moment, and deflections."""

from __future__ import annotations

import math

import numpy as np

from .interactions import Interaction, supports
from .record import Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of

__all__ = ["COLUMNS", "bearing_loads"]

COLUMNS = (
    TableColumn("radial", "radial", "N", zeros=True),
    TableColumn("axial", "axial", "N", zeros=True),
    TableColumn("tilting", "tilting", "N*m"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("direction", "at", "rad", "deg", zeros=True),
    TableColumn("radial_deflection", "u_r", "m", "um"),
    TableColumn("axial_deflection", "u_a", "m", "um"),
    TableColumn("tilt", "tilt", "rad", "mrad"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
_NO_LOAD = 1e-7
"""Radial load, compared with the axial one and with 1 N, that is rounding."""
_STAYS = 0.5
"""Ratio of the mean load vector to the mean radial load below which the direction is not defined: the load rotates."""
NOT_UNIQUE_NOTE = (
    "(*) The model has redundant constraints: equilibrium does not determine these loads, and the least-squares solution is "
    "shown. Use bearings or bushings with stiffness to compute the real distribution."
)


def bearing_loads(record: Record, *, joints: bool | None = None) -> ResultTable:
    """Loads of rolling bearings and bushings; of joints too if `joints`, by default if there are no others."""
    found = list(supports(record))
    joint_names = record.model.get("joints", {})
    if joints is None:
        joints = all(one.name in joint_names for one in found)
    rows, note = [], False
    for one in found:
        if one.name in joint_names and not joints:
            continue
        note = note or not one.unique
        words = f"{one.words}, {one.body_a} - {one.body_b}" + ("" if one.unique else " (*)")
        rows.append(TableRow(one.name, words, _statistics(record, one)))
    notes = [
        "Loads on the second body, the shaft: axial along the axis of the bearing, tilting moment across it; the radial load "
        "acts at this angle from x to y of its frame. u_r, u_a: displacement of the shaft in the bearing."
    ]
    return table_of(
        "Loads of bearings" if not joints else "Loads of bearings and joints",
        COLUMNS,
        rows,
        notes + [NOT_UNIQUE_NOTE] * note,
    )


def _statistics(record: Record, one: Interaction) -> dict[str, dict[str, float]]:
    """Statistics with the direction of the mean radial load, if it does not rotate."""
    found = statistics_of(_quantities(record, one), record.time)
    first = next(iter(found.values()))
    mean = math.hypot(first["x"], first["y"])
    if mean > _NO_LOAD * max(abs(first["axial"]), 1.0) and mean > _STAYS * first["radial"]:
        beside = first["y"] if abs(first["y"]) > _NO_LOAD * mean else 0.0  # 180 degrees, not -180 by rounding
        first["direction"] = math.atan2(beside, first["x"])
    return found


def _quantities(record: Record, one: Interaction) -> dict[str, np.ndarray]:
    assert one.frame is not None
    force = np.einsum("nij,ni->nj", one.frame.axes, one.force)  # in axes of the bearing
    moment = np.einsum("nij,ni->nj", one.frame.axes, one.moment)
    spin = np.einsum("ni,ni->n", record.spin(one.body_b) - record.spin(one.body_a), one.frame.axis)
    found = {
        "radial": np.hypot(force[:, 0], force[:, 1]),
        "axial": force[:, 2],
        "tilting": np.hypot(moment[:, 0], moment[:, 1]),
        "torque": moment[:, 2],
        "x": force[:, 0],
        "y": force[:, 1],
        "speed": spin,
    }
    if record.has(f"{one.name}.deflection") and record.has(f"{one.name}.rotation"):
        moved, turned = record.values(f"{one.name}.deflection"), record.values(f"{one.name}.rotation")
        found |= {
            "radial_deflection": np.hypot(moved[:, 0], moved[:, 1]),
            "axial_deflection": moved[:, 2],
            "tilt": np.hypot(turned[:, 0], turned[:, 1]),
        }
    return found
