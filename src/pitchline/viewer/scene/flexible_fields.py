"""How the surface of a flexible body deforms in a result: fields over its corners, and how large each is over time.

The surface moves by u = S q, with the motions q of the interfaces and the modes that the result has, and the shapes S that the
superelement of the model has. Over a run these are few independent fields: u(t) = Σ a_r(t) φ_r, from a singular value
decomposition, as many as leave out less than 1e-4 of the largest displacement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...solids.rotations import quaternion_of
from ..block import Block
from .poses import rest_pose
from .source import SceneSource

if TYPE_CHECKING:
    from ...model import Model

__all__ = ["add_flexible_fields"]

Array = NDArray[np.float64]
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


def _motions(source: SceneSource, said: dict[str, Any], element: Any) -> Array | None:
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


def _few(shapes: Array, q: Array) -> tuple[Array, Array]:
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


def _rows(points: Array, corners: Array) -> NDArray[np.int64] | None:
    """Which point each corner is, corners being points as Float32; None where one is none of them."""
    given = np.ascontiguousarray(points.astype(np.float32) + np.float32(0.0)).view([("", np.void, 12)]).ravel()
    wanted = np.ascontiguousarray(corners.astype(np.float32) + np.float32(0.0)).view([("", np.void, 12)]).ravel()
    order = np.argsort(given)
    at = order[np.clip(np.searchsorted(given, wanted, sorter=order), 0, len(given) - 1)]
    return at if (given[at] == wanted).all() else None
