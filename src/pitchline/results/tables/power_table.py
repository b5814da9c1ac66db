"""Power flow: power in and out of a machine, and its losses."""

from __future__ import annotations

import math

import numpy as np

from ...errors import PitchlineError
from .interactions import Interaction, interactions
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
    """Power of drives, loads, gear pairs, bearings and bushings, and the sum.

    power: power that a part gives to the machine, negative if it takes power out. transmitted: through a gear pair, from A
    to B. The sum of power minus the losses is the rate of the stored energy: zero on average over whole periods of a
    steady motion.
    """
    if record.result.kind == "statics":
        raise PitchlineError("power flow: nothing moves in statics; take a result of dynamics or kinematics")
    rows = []
    total, lost = np.zeros(record.count), np.zeros(record.count)
    for name, words, power, more in _sources(record):
        total = total + power
        rows.append(TableRow(name, words, statistics_of({"power": power, **more}, record.time)))
    for name, pair in record.model.get("gear_pairs", {}).items():
        given, taken, loss = (record.values(f"{name}.{key}") for key in ("power", "power_b", "loss"))
        lost = lost + loss
        values = statistics_of({"transmitted": given, "loss": loss}, record.time)
        for statistic in values.values():
            statistic["efficiency"] = math.nan
        first = next(iter(values.values()))
        through, out, lost_here = (_mean(record, values) for values in (given, taken, loss))
        received = max(abs(through), abs(out))
        if through * out > 0.0 and lost_here <= received:  # energy stored in elastic teeth is not lost
            first["efficiency"] = 1.0 - lost_here / received
        rows.append(TableRow(name, f"teeth, {pair['wheel_a']} - {pair['wheel_b']}", values))
    for one in interactions(record):
        if _yields(record, one):
            power = _relative_power(record, one)
            lost = lost - power
            rows.append(
                TableRow(
                    one.name, f"{one.words}, damping and stored energy", statistics_of({"loss": -power}, record.time)
                )
            )
    if rows:
        rows.append(TableRow(TOTAL, "", statistics_of({"power": total, "loss": lost}, record.time)))
    notes = ["Power in: power that a drive or load gives to the machine, negative if it takes power out."]
    return table_of("Power flow", COLUMNS, rows, notes)


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


def _yields(record: Record, one: Interaction) -> bool:
    """Whether a part stores or dissipates energy between its bodies."""
    kind = record.model.get("loads", {}).get(one.name, {}).get("type")
    return kind in ("Bushing", "Spring", "TorsionSpring", "Stop") or one.name in record.model.get("elements", {})


def _relative_power(record: Record, one: Interaction) -> Array:
    """Power that a part gives to both its bodies together: minus the power that it dissipates and stores."""
    speed = _velocity_of_point(record, one.body_b, one.point) - _velocity_of_point(record, one.body_a, one.point)
    spin = record.spin(one.body_b) - record.spin(one.body_a)
    return np.asarray(np.einsum("ni,ni->n", one.force, speed) + np.einsum("ni,ni->n", one.moment, spin))


def _mean(record: Record, values: Array) -> float:
    found = statistics_of({"x": values}, record.time)
    return float(next(iter(found.values()))["x"])
