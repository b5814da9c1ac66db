"""A contact analysis as a scene: both gears in each position, with the pressures on their flanks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray
from pitchline.model.describe import plain_data
from pitchline.results.signal import Signal
from pitchline.solids.rotations import quaternion_of
from pitchline.viewer.block import Block
from pitchline.viewer.scene_checked import scene
from pitchline.viewer.scene_parts import SceneSource

from ..gears.teeth.rigid_contact import place_teeth
from .results_flank import FlankContact, LoadedContact
from .scene import pressure_table

__all__ = ["contact_head"]

A, B, PAIR = "gear A", "gear B", "mesh"
_SEEN_THROUGH = 0.3
"""Opacity of gear B, behind which the flanks of gear A lie."""


def contact_head(found: LoadedContact | FlankContact, name: str, block: Block) -> dict[str, Any]:
    """The head of the record; its time is the phase of the mesh [pitches of gear A]."""
    order = np.argsort(found.phase, kind="stable")
    if _whole_pitches(found):
        order = np.append(order, order[0])  # the cycle closes
    time = found.phase[order].copy()
    if len(order) > len(found.phase):
        time[-1] += round(float(time[-2] - time[0]) + 0.5)
    angle = time * found.a.gear.angular_pitch + _start(found)
    source = SceneSource(_model(found), time, slice(None), _poses(found, time, angle))
    head = scene(source, block)
    for body in head["bodies"]:
        for part in body["parts"]:
            if body["name"] == B:
                part["opacity"] = _SEEN_THROUGH
    radius = _pitch_radius(found)
    point = np.tile([radius, 0.0, 0.0], (len(time), 1))
    ends = {"wheel_a": A, "wheel_b": B, "body_a": A, "body_b": B, "axis_a": [0.0, 0.0, 1.0], "axis_b": [0.0, 0.0, 1.0]}
    head["pairs"] = [
        {"name": PAIR, "kind": found.kind, "law": "", **ends, "centre_a": [0.0] * 3, "centre_b": [0.0] * 3,
         "size": 12.0 * found.a.gear.normal_module, "cycles": block.add("mesh/cycles", time, "f8"),
         "point": block.add_columns("mesh/point", point)}
    ]  # fmt: skip
    standing = {
        "pair": PAIR, "wheel": A, "body": A, "other": B, "position": [0.0] * 3, "rotation": np.eye(3).tolist(), "centre": [0.0] * 3,
        "teeth": found.a.gear.teeth, "internal": found.b.gear.internal,
    }  # fmt: skip
    head["contact"] = {"lines": [standing], "tables": [pressure_table(found, PAIR, block)]}
    head["camera"] = _camera(found)
    signals = _signals(found, time, order)
    said = [
        {"name": signal.name, "unit": signal.unit, "description": signal.description, "components": list(signal.components),
         "values": block.add_columns(f"s/{signal.name}", signal.values)}
        for signal in signals
    ]  # fmt: skip
    return {
        "format": 1, "name": name, "title": f"{found.kind} of {found.name}", "kind": found.kind, "status": "", "message": "",
        "version": "", "samples": len(time), "warnings": list(found.warnings), "parameters": [], **head, "signals": said,
        "signal_time": head["time"], "time_axis": {"label": "mesh phase", "unit": "pitches"},
    }  # fmt: skip


def _camera(found: LoadedContact | FlankContact) -> dict[str, Any]:
    """Towards the flanks of gear A that are in mesh, somewhat from above, so that they are seen through gear B."""
    side = 1.0 if found.side == "left" else -1.0
    back = np.array([0.55, side * 0.62, 0.56])
    size = 11.0 * found.a.gear.normal_module
    return {"target": [_pitch_radius(found), 0.0, 0.0], "back": back.tolist(), "up": [-1.0, 0.0, 0.0], "size": size}


def _whole_pitches(found: LoadedContact | FlankContact) -> bool:
    return (
        isinstance(found, LoadedContact) and len(found.phase) > 1 and len(found.phase) % found.positions_per_pitch == 0
    )


def _start(found: LoadedContact | FlankContact) -> float:
    """Angle of gear A at the phase 0 [rad]."""
    return (
        float(found.angle[0] - found.phase[0] * found.a.gear.angular_pitch) if isinstance(found, LoadedContact) else 0.0
    )


def _pitch_radius(found: LoadedContact | FlankContact) -> float:
    """Of the point on the x axis of gear A at rest about which the teeth mesh [m]."""
    a, b = found.a.gear, found.b.gear
    if a.profile_shift_angle or b.profile_shift_angle:
        return 0.5 * a.reference_diameter + a.profile_shift * a.normal_module
    if isinstance(found, LoadedContact):
        distance = float(np.hypot(*found.placement_b.position[:2]))
    else:
        distance = float(np.hypot(*place_teeth(found.a, found.b, found.centre_distance)[0].position[:2]))
    return distance * a.teeth / (b.teeth - a.teeth if b.internal else b.teeth + a.teeth)


def _model(found: LoadedContact | FlankContact) -> dict[str, Any]:
    """Two bodies that are gears, as plain data."""
    still = {
        "mass": 0.0, "inertia": np.zeros((3, 3)).tolist(), "centre_of_mass": [0.0] * 3, "position": [0.0] * 3,
        "orientation": np.eye(3).tolist(),
    }  # fmt: skip
    gears = {A: found.a.gear, B: found.b.gear}
    frame = {"position": [0.0] * 3, "rotation": np.eye(3).tolist()}
    return {
        "name": found.name, "gravity": [0.0] * 3, "bodies": {name: {"name": name, **still} for name in gears}, "joints": {},
        "wheels": {n: {"name": n, "gear": plain_data(gear), "frame": {**frame, "body_name": n}} for n, gear in gears.items()},
        "drives": {}, "loads": {}, "gear_pairs": {},
    }  # fmt: skip


def _poses(found: LoadedContact | FlankContact, time: FloatArray, angle: FloatArray) -> dict[str, Signal]:
    """Gear A turns about z of the world. Gear B turns so that its flanks touch those of A, as ideal rigid gears do."""
    if isinstance(found, LoadedContact):
        rest, ratio = found.placement_b, _ratio(found)
        angle_b = found.angle_b[0] + ratio * (angle - found.angle[0])
    else:
        rest, play = place_teeth(found.a, found.b, found.centre_distance)
        ratio = _ratio(found)
        angle_b = ratio * angle - math.copysign(play, ratio) * (1.0 if found.side == "left" else -1.0)
    turns = {A: [_turned(x) for x in angle], B: [rest.rotation @ _turned(x) for x in angle_b]}
    places = {A: np.zeros(3), B: np.asarray(rest.position)}
    signals = {}
    for name, R in turns.items():
        q = np.array([quaternion_of(one) for one in R])
        for i in range(1, len(q)):
            q[i] *= 1.0 if q[i] @ q[i - 1] >= 0.0 else -1.0
        signals[f"{name}.position"] = Signal(f"{name}.position", np.tile(places[name], (len(time), 1)), time, "m")
        signals[f"{name}.orientation"] = Signal(f"{name}.orientation", q, time, "1")
    return signals


def _ratio(found: LoadedContact | FlankContact) -> float:
    a, b = found.a.gear, found.b.gear
    return (1.0 if b.internal else -1.0) * a.teeth / b.teeth


def _turned(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _signals(found: LoadedContact | FlankContact, time: FloatArray, order: NDArray[np.int64]) -> list[Signal]:
    """Over the positions, one component a torque."""
    loads = tuple(f"{torque:.5g} N m" for torque in found.torque)
    values: dict[str, tuple[FloatArray, str, str]] = {
        "transmission_error": (
            found.transmission_error,
            "m",
            "lag of gear B behind ideal rigid gears, on its base circle",
        )
    }
    if isinstance(found, LoadedContact):
        values["stiffness"] = found.tangent_stiffness, "N/m", "tangent stiffness of the mesh, on the base circle"
        values["max_pressure"] = found.max_pressure, "Pa", "greatest pressure on the flanks, edges left out"
        values["edge_pressure"] = (
            found.edge_pressure,
            "Pa",
            "greatest pressure at edges, which has no bound on sharp ones",
        )
        values["face_load_factor"] = found.face_load_factor, "", "K_Hβ: greatest load per face width over its mean"
    else:
        values["stiffness"] = found.stiffness, "N/m", "tangent stiffness of the mesh, on the base circle"
        values["peak_pressure"] = found.peak_pressure, "Pa", "greatest pressure, edges included"
        values["normal_force"] = found.normal_force, "N", "sum of the normal forces of all pairs of teeth"
        values["contact_area"] = found.area, "m^2", "of all patches"
    alone = len(loads) == 1
    return [
        Signal(
            f"{PAIR}.{key}", table[0, order] if alone else table[:, order].T, time, unit, text, () if alone else loads
        )
        for key, (table, unit, text) in values.items()
    ]
