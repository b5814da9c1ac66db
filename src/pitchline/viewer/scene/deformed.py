"""Displacements of shafts, beams and flexible bodies, so that a page can magnify them.

A result keeps, of every station, its displacement from the initial place and the tilt of its axis from the initial direction. They
are what is magnified; rotation about the axis of a shaft is left as it is. Shafts that are carried around (on a carrier, a robot)
have left their initial place: there displacements are those from the straight line that fits the stations best, so that only
bending is magnified.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..block import Block
from .mesh_rotation import turned
from .parts import PartList
from .source import SceneSource

__all__ = ["deformed_of"]

Array = NDArray[np.float64]
Said = dict[str, Any]

_SMALL_SHIFT, _SMALL_TILT = 0.05, 0.1
"""Displacements beyond this part of the length, or tilts beyond this [rad], are a motion, not a deformation."""


def deformed_of(source: SceneSource, block: Block, parts: PartList) -> Said:
    """structures: with their stations, and `moves_with`, the station with which the whole is drawn. notes: what is not shown.

    axis: of a shaft as it is built, along which displacements are mostly play of bearings.
    """
    found, notes = [], []
    for table, kind in (
        ("shafts", "shaft"),
        ("beams", "beam"),
        ("flexible_bodies", "flexible body"),
        ("membranes", "membrane"),
    ):
        for name, said in source.model.get(table, {}).items():
            made = _displacements(source, said, kind)
            if made is None:
                continue
            if isinstance(made, str):
                notes.append(f"{name}: {made}")
                continue
            shifts, tilts, words = made
            places = _places(said) if kind == "shaft" else {}
            stations = [
                {
                    "body": body, **({"place": places[body]} if body in places else {}),
                    "shift": block.add_columns(f"{body}/shift", shifts[body]),
                    "tilt": block.add_columns(f"{body}/tilt", tilts[body]),
                }
                for body in sorted(said["stations"], key=lambda body: places.get(body, 0.0))
            ]  # fmt: skip
            entry = {"name": name, "kind": kind, "stations": stations, "largest": _largest(shifts), "text": words}
            if kind == "shaft":
                axis = np.asarray(said["orientation"], dtype=np.float64)[:, 2]
                across = {body: shift - np.outer(shift @ axis, axis) for body, shift in shifts.items()}
                entry |= {"axis": axis.tolist(), "largest_across": _largest(across)}
            if name in parts.structures:
                entry["moves_with"] = parts.structures[name]
            found.append(entry)
            if kind == "flexible body" and name in parts.structures and source.signals and name not in source.surfaces:
                notes.append(
                    f"{name}: drawn rigid, as the result does not contain its deformation shapes. Specify model=... with the result"
                )
    for name, pair in source.model.get("gear_pairs", {}).items():
        if source.signals and pair.get("mesh", {}).get("type") == "Flank":
            notes.append(f"{name}: the deformation of its elastic gears is not kept in results; they are drawn rigid")
    return {"structures": found, "notes": notes}


def _largest(shifts: dict[str, Array]) -> float:
    return max(float(np.nanmax(np.linalg.norm(shift, axis=1), initial=0.0)) for shift in shifts.values())


def _displacements(
    source: SceneSource, said: Said, kind: str
) -> tuple[dict[str, Array], dict[str, Array], str] | str | None:
    """Displacements and tilts by station, in world axes; a text if they cannot be shown, None if nothing moved."""
    if not len(source.time):
        return None
    stations = said["stations"]
    if not stations:
        return None
    shifts = {body: source.signal(f"{body}.deflection") for body in stations}
    if kind == "membrane":  # its nodes do not rotate
        tilts = {body: None if shift is None else np.zeros_like(shift) for body, shift in shifts.items()}
    else:
        tilts = {body: source.signal(f"{body}.tilt") for body in stations}
    places = np.array([station["position"] for station in stations.values()], dtype=np.float64)
    length = float(np.linalg.norm(np.ptp(places, axis=0)))
    known = all(value is not None and len(value) for value in (*shifts.values(), *tilts.values()))
    if known and length > 0.0:
        far = max(float(np.nanmax(np.abs(value))) for value in shifts.values() if value is not None)
        turned_by = max(float(np.nanmax(np.abs(value))) for value in tilts.values() if value is not None)
        if far <= _SMALL_SHIFT * length and turned_by <= _SMALL_TILT:
            return shifts, tilts, "from the initial place"  # type: ignore[return-value]
    if not source.signals or length == 0.0:
        return None
    if kind == "shaft":
        return _from_straight_line(source, said) or "its stations are not kept in the result: drawn rigid"
    return "moves too far for its displacements to be a deformation: drawn as it is, not magnified" if known else None


def _places(said: Said) -> dict[str, float]:
    """Of the stations of a shaft, from its start along its axis [m]."""
    start, axis = (
        np.asarray(said["position"], dtype=np.float64),
        np.asarray(said["orientation"], dtype=np.float64)[:, 2],
    )
    return {body: float((np.asarray(station["position"]) - start) @ axis) for body, station in said["stations"].items()}


def _from_straight_line(source: SceneSource, said: Said) -> tuple[dict[str, Array], dict[str, Array], str] | None:
    """x_i − (c + a s_i) with the line that fits best, and a × z_i, z_i the axis at a station."""
    places = _places(said)
    x = {body: source.signal(f"{body}.position") for body in places}
    q = {body: source.signal(f"{body}.orientation") for body in places}
    if any(value is None or not len(value) for value in (*x.values(), *q.values())):
        return None
    s = np.array(list(places.values()))
    X = np.stack([x[body] for body in places], axis=1)  # type: ignore[misc]
    off = s - s.mean()
    slope = np.einsum("k,nkj->nj", off, X) / (off @ off)
    axis = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    middle = X.mean(axis=1)
    shifts, tilts = {}, {}
    for k, body in enumerate(places):
        own = np.asarray(said["stations"][body]["orientation"]).T @ np.asarray(said["orientation"])[:, 2]
        shifts[body] = X[:, k] - middle - axis * off[k]
        tilts[body] = np.cross(axis, turned(np.asarray(q[body]), own))
    return shifts, tilts, "from the straight line that fits best"
