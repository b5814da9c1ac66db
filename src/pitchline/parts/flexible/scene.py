"""Displacements of shafts, beams and flexible bodies, so that a page can magnify them.

A result keeps, of every station, its displacement from the initial place and the tilt of its axis from the initial direction. They
are what is magnified; rotation about the axis of a shaft is left as it is. Shafts that are carried around (on a carrier, a robot)
have left their initial place: there displacements are those from the straight line that fits the stations best, so that only
bending is magnified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray
from pitchline.solids.rotations import quaternion_of
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import PartList, SceneSource, rest_pose

from ..gears.scene import rotated_by

if TYPE_CHECKING:
    from pitchline.model.model import Model

__all__ = ["deformed_of", "add_flexible_fields"]


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


def _largest(shifts: dict[str, FloatArray]) -> float:
    return max(float(np.nanmax(np.linalg.norm(shift, axis=1), initial=0.0)) for shift in shifts.values())


def _displacements(
    source: SceneSource, said: Said, kind: str
) -> tuple[dict[str, FloatArray], dict[str, FloatArray], str] | str | None:
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


def _from_straight_line(
    source: SceneSource, said: Said
) -> tuple[dict[str, FloatArray], dict[str, FloatArray], str] | None:
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
        tilts[body] = np.cross(axis, rotated_by(np.asarray(q[body]), own))
    return shifts, tilts, "from the straight line that fits best"


# ---- flexible fields

# How the surface of a flexible body deforms in a result: fields over its corners, and how large each is over time.
#
# The surface moves by u = S q, with the motions q of the interfaces and the modes that the result has, and the shapes
# S that the superelement of the model has. Over a run these are few independent fields: u(t) = Σ a_r(t) φ_r, from a
# singular value decomposition, as many as leave out less than 1e-4 of the largest displacement.

_LEFT_OUT = 1e-4
_FAR = 0.2
"""Rotation of an interface beyond which displacements from the initial pose are not a deformation [rad]."""


def add_flexible_fields(head: dict[str, Any], source: SceneSource, block: Block, model: Model) -> None:
    """Put the fields of flexible bodies to their structures in `deformed` of a head."""
    bodies = {body["name"]: body for body in head["bodies"]}
    for entry in head["deformed"]["structures"]:
        body = model.structures.get(entry["name"])
        element = getattr(body, "superelement", None)
        if entry["kind"] != "flexible body" or element is None or not len(element.points):
            continue
        q = _motions(source, source.model["flexible_bodies"][entry["name"]], element)
        part = bodies[entry["name"]]["parts"][0]
        shape = head["shapes"][part["shape"]]
        if q is None or "position" not in shape or q.shape[1] != element.shapes.shape[2]:
            continue  # too far from its place, or the model is another one
        fields, amounts = _few(np.asarray(element.shapes, dtype=np.float64), q)
        corners = _rows(element.points, block.array(shape["position"]))
        edges = (
            _rows(element.points, block.array(shape["edge"]).reshape(-1, 3))
            if "edge" in shape
            else np.zeros(0, np.int64)
        )
        if corners is None or edges is None:
            continue
        x, R = rest_pose(source.model, entry["moves_with"])
        largest = float(np.linalg.norm(np.einsum("rpk,rn->npk", fields, amounts), axis=2).max(initial=0.0))
        name = f"field {entry['name']}"
        entry |= {
            "field": {
                "count": len(fields), "corners": block.add(f"{name}/corners", fields[:, corners], "f4"),
                "edges": block.add(f"{name}/edges", fields[:, edges], "f4"), "amounts": block.add(f"{name}/amounts", amounts, "f4"),
                "position": x.tolist(), "quaternion": quaternion_of(R).tolist(),
            },
            "largest": max(entry["largest"], largest),
        }  # fmt: skip


def _motions(source: SceneSource, said: dict[str, Any], element: Any) -> FloatArray | None:
    """(n, coordinates): displacements and rotations of the interfaces in their axes, and modes; None where they are not kept, or
    are not small displacements from the initial pose."""
    x0, R0 = np.asarray(said["position"], dtype=np.float64), np.asarray(said["orientation"], dtype=np.float64)
    columns = []
    by_interface = {station["station"]: body for body, station in said["stations"].items()}
    for k, interface in enumerate(element.interfaces):
        body = by_interface.get(interface, "")
        x, q = source.signal(f"{body}.position"), source.signal(f"{body}.orientation")
        if x is None or q is None:
            return None
        axes = R0 @ element.axes[k]
        columns.append((x - x0 - R0 @ element.positions[k]) @ axes)
        start = quaternion_of(axes)
        # rotation from the initial axes, seen in them: conjugate(start) q = (cos, n sin) of half the angle
        w = q @ start
        v = start[0] * q[:, 1:] - np.outer(q[:, 0], start[1:]) - np.cross(start[1:], q[:, 1:])
        half = np.linalg.norm(v, axis=1, keepdims=True)
        angle = 2.0 * np.arctan2(half, np.abs(w)[:, None])
        if float(np.nanmax(angle)) > _FAR:
            return None
        columns.append(np.where(half > 0.0, np.sign(w)[:, None] * v / np.maximum(half, 1e-300) * angle, 0.0))
    modes = source.signal(f"{said['name']}.modes")
    if len(element.modal_stiffness):
        if modes is None:
            return None
        columns.append(np.asarray(modes).reshape(len(columns[0]), -1))
    found = np.concatenate(columns, axis=1)
    return found if np.isfinite(found).all() else None


def _few(shapes: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Fields (r, p, 3) of size one at their largest, and amounts (r, n) [m]."""
    points = len(shapes)
    Q, R = np.linalg.qr(shapes.reshape(3 * points, -1))
    U, size, V = np.linalg.svd(R @ q.T, full_matrices=False)
    fields = (Q @ U).T.reshape(-1, points, 3)
    scale = np.abs(fields).max(axis=(1, 2), initial=0.0)
    scale = np.where(scale > 0.0, scale, 1.0)
    amounts = (scale * size)[:, None] * V
    peaks = np.abs(amounts).max(axis=1, initial=0.0)
    # what is left out adds up to less than a part of the largest displacement
    rest = np.append(np.cumsum(peaks[::-1])[::-1][1:], 0.0)
    count = int(np.argmax(rest <= _LEFT_OUT * peaks.max(initial=0.0))) + 1 if len(peaks) else 0
    return fields[:count] / scale[:count, None, None], amounts[:count]


def _rows(points: FloatArray, corners: FloatArray) -> NDArray[np.int64] | None:
    """Which point each corner is, corners being points as Float32; None where one is none of them."""
    given = np.ascontiguousarray(points.astype(np.float32) + np.float32(0.0)).view([("", np.void, 12)]).ravel()
    wanted = np.ascontiguousarray(corners.astype(np.float32) + np.float32(0.0)).view([("", np.void, 12)]).ravel()
    order = np.argsort(given)
    at = order[np.clip(np.searchsorted(given, wanted, sorter=order), 0, len(given) - 1)]
    return at if (given[at] == wanted).all() else None
