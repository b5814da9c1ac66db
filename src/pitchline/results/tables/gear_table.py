"""Forces of gear pairs: tangential, radial and axial, torques, speeds, power and the distribution over the face."""

from __future__ import annotations

from typing import Any

import numpy as np

from .record import Array, Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of

__all__ = ["COLUMNS", "gear_forces"]

COLUMNS = (
    TableColumn("tangential", "tangential", "N"),
    TableColumn("radial", "radial", "N"),
    TableColumn("axial", "axial", "N"),
    TableColumn("normal", "normal", "N", detail=True),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
    TableColumn("power", "power", "W", "kW"),
    TableColumn("loss", "loss", "W"),
    TableColumn("transmission_error", "transm. error", "m", "um"),
    TableColumn("tilt", "tilt", "rad", "mrad"),
    TableColumn("face_load_factor", "K_Hb"),
)


def gear_forces(record: Record) -> ResultTable:
    """One row for each gear of each pair, named "pair gear"."""
    wheels = record.model.get("wheels", {})
    rows = []
    for name, pair in record.model.get("gear_pairs", {}).items():
        for side in "ab":
            wheel = pair[f"wheel_{side}"]
            rows.append(
                TableRow(
                    f"{name} {wheel}",
                    _words(wheels.get(wheel, {})),
                    statistics_of(_quantities(record, name, pair, side), record.time),
                )
            )
    notes = [
        "Forces on the gear: radial positive away from its mate, axial along its own z axis. Torque of the teeth about its axis. "
        "Power that the gear gives to the teeth."
    ]
    return table_of("Forces of gears", COLUMNS, rows, notes)


def _words(wheel: dict[str, Any]) -> str:
    gear = wheel.get("gear") or {}
    body = wheel.get("frame", {}).get("body_name", "")
    teeth = f"z {gear['teeth']}, " if "teeth" in gear else ""
    return f"{teeth}on {body}" if body else teeth.rstrip(", ")


def _quantities(record: Record, name: str, pair: dict[str, Any], side: str) -> dict[str, Array]:
    of_b = "_b" if side == "b" else ""
    wheel = record.model.get("wheels", {}).get(pair[f"wheel_{side}"], {})
    frame = record.frame(pair[f"frame_{side}"] if f"frame_{side}" in pair else wheel["frame"])
    both = {  # if the axes are parallel, both gears have the same tangential and radial force
        key: record.values(f"{name}.{key}_force{of_b if record.has(f'{name}.{key}_force_b') else ''}")
        for key in ("tangential", "radial")
    }
    moment = record.values(f"{name}.moment_{side}")
    found = {
        **both,
        "axial": record.values(f"{name}.axial_force{of_b}"),
        "normal": record.values(f"{name}.normal_force"),
        "torque": np.einsum("ni,ni->n", moment, frame.axis),
        "speed": np.einsum("ni,ni->n", record.spin(frame.body), frame.axis),
        "transmission_error": record.values(f"{name}.transmission_error"),
        "tilt": record.values(f"{name}.tilt"),
    }
    if record.result.kind != "statics":
        found["power"] = record.values(f"{name}.power") if side == "a" else -record.values(f"{name}.power_b")
        found["loss"] = record.values(f"{name}.loss") if side == "a" else np.full(record.count, np.nan)
    else:  # nothing moves: from the speed with which the model starts
        found["power"] = -found["torque"] * found["speed"]
    if record.has(f"{name}.face_load_factor"):
        found["face_load_factor"] = record.values(f"{name}.face_load_factor")
    return found
