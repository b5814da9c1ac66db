"""Power flow: power in and out of a machine, and its losses."""

from __future__ import annotations

import math

import numpy as np

from ...errors import PitchlineError
from ..part_records import powers
from .interactions import part_words
from .record import Array, Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of

__all__ = ["COLUMNS", "TOTAL", "power_flow"]

COLUMNS = (
    TableColumn("power", "power in", "W"),
    TableColumn("transmitted", "transmitted", "W"),
    TableColumn("loss", "loss", "W"),
    TableColumn("efficiency", "efficiency", "", "%"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
TOTAL = "total"


def power_flow(record: Record) -> ResultTable:
    """Power of all parts that supply, take or dissipate power, and the sum.

    power: power that a part gives to the machine, negative if it takes power out. transmitted: through a gear pair, from A
    to B. loss: dissipated power. The sum of power minus the losses is the rate of the stored energy: zero on average over whole
    periods of a steady motion.
    """
    if record.result.kind == "statics":
        raise PitchlineError("power flow: nothing moves in statics; take a result of dynamics or kinematics")
    rows = []
    total, lost = np.zeros(record.count), np.zeros(record.count)
    parts = {
        name: [np.zeros(record.count) if values is None else values[record.keep] for values in pair]
        for name, pair in powers(record.states).items()
    }
    for name, words, power, more in _sources(record):
        given, loss = parts.pop(name, (power, np.zeros(record.count)))
        total, lost = total + given, lost + loss
        values = {"power": given, **({"loss": loss} if np.any(loss) else {}), **more}
        rows.append(TableRow(name, words, statistics_of(values, record.time)))
    for name, pair in record.model.get("gear_pairs", {}).items():
        given, loss = parts.pop(name, (np.zeros(record.count), record.values(f"{name}.loss")))
        total, lost = total + given, lost + loss
        rows.append(TableRow(name, f"teeth, {pair['wheel_a']} - {pair['wheel_b']}", _teeth(record, name, given, loss)))
    for name, (given, loss) in parts.items():
        total, lost = total + given, lost + loss
        values = {key: x for key, x in (("power", given), ("loss", loss)) if np.any(x)}
        rows.append(TableRow(name, part_words(record.model, name), statistics_of(values, record.time)))
    if rows:
        rows.append(TableRow(TOTAL, "", statistics_of({"power": total, "loss": lost}, record.time)))
    notes = ["Power in: power that a part gives to the machine, negative if it takes power out."]
    if not record.recorded:
        notes.append("The result does not contain the powers of other parts: their losses are not included.")
    return table_of("Power flow", COLUMNS, rows, notes)


def _teeth(record: Record, name: str, given: Array, loss: Array) -> dict[str, dict[str, float]]:
    """Statistics of a gear pair, with its efficiency."""
    taken, out = record.values(f"{name}.power"), record.values(f"{name}.power_b")
    supplied = {"power": given} if np.any(given) else {}
    values = statistics_of({"transmitted": taken, "loss": loss, **supplied}, record.time)
    for statistic in values.values():
        statistic["efficiency"] = math.nan
    through, received, lost = (_mean(record, x) for x in (taken, out, loss))
    larger = max(abs(through), abs(received))
    if through * received > 0.0 and lost <= larger:  # energy stored in elastic teeth is not lost
        next(iter(values.values()))["efficiency"] = 1.0 - lost / larger
    return values


def _sources(record: Record) -> list[tuple[str, str, Array, dict[str, Array]]]:
    """Drives and loads: name, description, power into the machine, torque and speed."""
    model, found = record.model, []
    for name, said in model.get("drives", {}).items():
        more = {}
        if record.has(f"{name}.torque") and record.has(f"{said['joint_name']}.angular_speed"):
            more = {
                "torque": record.values(f"{name}.torque"),
                "speed": record.values(f"{said['joint_name']}.angular_speed"),
            }
        found.append((name, f"drive on {said['joint_name']}", record.values(f"{name}.power"), more))
    for name, said in model.get("loads", {}).items():
        kind = said["type"]
        if kind == "JointLoad":
            angle = record.has(f"{name}.torque")
            effort = record.values(f"{name}.{'torque' if angle else 'force'}")
            rate = record.values(f"{said['joint_name']}.{'angular_speed' if angle else 'speed'}")
            more = {"torque": effort, "speed": rate} if angle else {}
            found.append((name, f"load on {said['joint_name']}", effort * rate, more))
        elif kind == "Torque":
            torque = record.values(f"{name}.torque")
            spin = record.spin(said["body_name"])
            if said.get("reaction"):
                spin = spin - record.spin(said["reaction"])
            found.append((name, f"torque on {said['body_name']}", np.einsum("ni,ni->n", torque, spin), {}))
        elif kind == "Force":
            force, at = record.values(f"{name}.force"), said["frame"]
            speed = _velocity(record, at)
            if said.get("reaction"):
                other = said["reaction"]
                speed = speed - _velocity_of_point(
                    record, other if isinstance(other, str) else other["body_name"], record.frame(at).origin
                )
            found.append((name, f"force on {at['body_name']}", np.einsum("ni,ni->n", force, speed), {}))
    return found


def _velocity(record: Record, frame: dict[str, object]) -> Array:
    return _velocity_of_point(record, str(frame["body_name"]), record.frame(frame).origin)


def _velocity_of_point(record: Record, body: str, point: Array) -> Array:
    """Of a point (n, 3) as it moves with a body."""
    origin = record.pose(body)[0]
    return record.vectors(f"{body}.velocity") + np.cross(record.spin(body), point - origin)


def _mean(record: Record, values: Array) -> float:
    found = statistics_of({"x": values}, record.time)
    return float(next(iter(found.values()))["x"])
