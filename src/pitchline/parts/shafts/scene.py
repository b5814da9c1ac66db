"""Shafts as turned solids and beams as bars along their line, from the description of a model.

A shaft is one body of the scene with its name. It moves with the station nearest to its middle, as bending and twisting are
micrometres. A beam may bend a lot: it is cut into one piece per station, which moves with the station.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.errors import PitchlineError
from pitchline.model.described_lines import described_line
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import (
    SEGMENTS,
    STEEL,
    Info,
    PartList,
    SceneSource,
    circle,
    rest_pose,
    tube_along,
    turned_piece,
)

from ..gears.scene import content_key, mesh_shape, turned_shape

__all__ = [
    "ShaftOutline",
    "add_beams",
    "add_shafts",
    "middle_station",
    "section_outline",
    "shaft_outline",
    "rotations_between",
    "spin_of",
]


_PIECES = 4
"""Straight pieces of a curved beam between two of its nodes."""

_BENT = 24
"""Pieces along a shaft, at least."""


@dataclass(frozen=True, eq=False)
class ShaftOutline:
    """places: (n,) from the start of the shaft [m], each step twice. outer, inner: (n,) radii there [m]; inner 0: solid."""

    places: FloatArray
    outer: FloatArray
    inner: FloatArray

    @property
    def around(self) -> FloatArray:
        """(2 n, 2) radius and height, once around the material."""
        return np.concatenate(
            [np.column_stack([self.outer, self.places]), np.column_stack([self.inner, self.places])[::-1]]
        )

    def cut(self, pieces: int) -> ShaftOutline:
        """The same outline with places in between: no piece is longer than the shaft over a number, so that it can bend."""
        longest = float(self.places[-1] - self.places[0]) / pieces
        counts = np.ceil(np.diff(self.places) / longest - 1e-9).astype(int) if longest > 0.0 else np.zeros(0, int)
        fine = [np.linspace(k, k + 1, max(count, 1), endpoint=False) for k, count in enumerate(counts)]
        at = np.concatenate([*fine, [len(self.places) - 1.0]])
        index = np.arange(len(self.places))
        return ShaftOutline(*(np.interp(at, index, values) for values in (self.places, self.outer, self.inner)))


def shaft_outline(said: dict[str, Any]) -> ShaftOutline:
    """The outline of a described shaft, section by section."""
    places, outer, inner, start = [], [], [], 0.0
    for section in said["sections"]:
        places += [start, start + section["length"]]
        outer += [0.5 * section["outer"], 0.5 * section["outer_end"]]
        inner += [0.5 * section["inner"], 0.5 * section["inner_end"]]
        start += section["length"]
    return ShaftOutline(np.array(places), np.array(outer), np.array(inner))


def middle_station(said: dict[str, Any]) -> str:
    """The body of the station nearest to the middle of a structure's stations."""
    names = list(said["stations"])
    places = np.array([said["stations"][name]["position"] for name in names])
    return names[int(np.argmin(np.linalg.norm(places - places.mean(axis=0), axis=1)))]


def add_shafts(parts: PartList) -> None:
    """Every shaft, on a body of its own name."""
    for name, said in parts.model.get("shafts", {}).items():
        outline = shaft_outline(said)
        key = f"shaft {content_key(outline.around)}"
        fine = outline.cut(_BENT).around
        shape = parts.shape(key, lambda n, o=fine: turned_shape(parts.block, n, turned_piece(o), SEGMENTS))  # type: ignore[misc]
        station = middle_station(said)
        x, R = rest_pose(parts.model, station)
        Q = np.asarray(said["orientation"], dtype=np.float64)
        at = R.T @ (np.asarray(said["position"], dtype=np.float64) - x)
        parts.add_structure(name, station)
        parts.add(
            name, shape, name=name, kind="shaft", position=at, rotation=R.T @ Q, info=_shaft_info(said, outline),
            colour=None if said.get("colour") else STEEL,
        )  # fmt: skip


def _shaft_info(said: dict[str, Any], outline: ShaftOutline) -> Info:
    low, high = 2e3 * float(outline.outer.min()), 2e3 * float(outline.outer.max())
    rows: Info = [
        ("Length", f"{1e3 * float(outline.places[-1]):.5g} mm"),
        ("Diameter", f"{high:.5g} mm" if low == high else f"{low:.5g} to {high:.5g} mm"),
    ]
    if outline.inner.any():
        rows.append(("Bore", f"up to {2e3 * float(outline.inner.max()):.5g} mm"))
    rows += [("Mass", f"{said['total_mass']:.5g} kg"), ("Material", str(said["material"]["name"]))]
    rows.append(("Stations", ", ".join(str(station["station"]) for station in said["stations"].values())))
    return rows


# ---------------------------------------------------------------------------------------------------------------- beams


def section_outline(said: dict[str, Any], length: float) -> tuple[FloatArray, str]:
    """Outline (n, 2) [m] of a described beam section in its axes, and what was assumed of it."""
    given, shape = said.get("given", {}), said.get("shape")
    centroid = np.asarray(said.get("centroid", (0.0, 0.0)), dtype=np.float64)
    if shape == "circle":
        return circle(0.5 * given["diameter"], 24) + centroid, ""
    if shape == "tube":
        return circle(0.5 * given["outer"], 24) + centroid, ""
    if shape == "rectangle":
        return _rectangle(given["width"], given["height"], said["angle"], centroid), ""
    mass = np.asarray(said["mass"], dtype=np.float64)
    if shape == "properties":
        area, (across_x, across_y) = given["area"], given["second_moments"]
        note = "section drawn as a rectangle of the same second moments of area"
    else:
        area, across_x, across_y = mass[0, 0], mass[3, 3], mass[4, 4]
        note = "section drawn as a rectangle of the same inertia"
    if area > 0.0 and across_x > 0.0 and across_y > 0.0:
        height, width = math.sqrt(12.0 * across_x / area), math.sqrt(12.0 * across_y / area)
        if max(height, width) < length:
            return _rectangle(width, height, said.get("angle", 0.0), centroid), note
    return circle(0.01 * length, 12), "section not known: drawn thin"


def _rectangle(width: float, height: float, angle: float, centroid: FloatArray) -> FloatArray:
    corners = 0.5 * np.array([[-width, -height], [width, -height], [width, height], [-width, height]])
    c, s = math.cos(angle), math.sin(angle)
    return corners @ np.array([[c, s], [-s, c]]) + centroid


def add_beams(parts: PartList) -> None:
    """Every beam, a piece on each of its nodes."""
    for name, said in parts.model.get("beams", {}).items():
        try:
            line = described_line(parts.model, name)
        except (PitchlineError, LookupError, TypeError, ValueError):
            parts.note("the description of this beam is not one of this version: not drawn", name)
            continue
        outline, note = section_outline(said["section"], line.length)
        poses = [node.pose for node in line.nodes]
        names = [node.body.name for node in line.nodes]
        ground = [node.body.name == "the ground" for node in line.nodes]
        info: Info = [("Length", f"{1e3 * line.length:.5g} mm"), ("Mass", f"{said['total_mass']:.5g} kg"),
                      ("Section", str(said["section"].get("shape", "")))]  # fmt: skip
        for k, body in enumerate(names):
            centres, axes = _around_node(poses, k)
            owner = GROUND_NAME if ground[k] else body
            x, R = rest_pose(parts.model, owner)
            ends = k == 0, k == len(names) - 1
            surface = tube_along((centres - x) @ R, np.einsum("ji,kjl->kil", R, axes), outline, ends)
            key = f"beam {content_key(surface.points)}"
            shape = parts.shape(key, lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
            parts.add(
                owner, shape, name=name, kind="beam", notes=[note] if note and k == 0 else (), info=info,
                colour=None if said.get("colour") else STEEL,
            )  # fmt: skip


def _around_node(poses: list[tuple[FloatArray, FloatArray]], k: int) -> tuple[FloatArray, FloatArray]:
    """Places and axes from half way to the node before to half way to the next, along a cubic through the nodes."""
    centres: list[FloatArray] = []
    axes: list[FloatArray] = []
    for a, b, low, high in ((k - 1, k, 0.5, 1.0), (k, k + 1, 0.0, 0.5)):
        if a < 0 or b >= len(poses):
            continue
        (p, P), (q, Q) = poses[a], poses[b]
        h = float(np.linalg.norm(q - p))
        for t in np.linspace(low, high, _PIECES // 2 + 1):
            if centres and t == low:
                continue
            w = (1 + 2 * t) * (1 - t) ** 2, t * (1 - t) ** 2 * h, t * t * (3 - 2 * t), t * t * (t - 1) * h
            d = 6 * t * (t - 1), (1 - t) * (1 - 3 * t) * h, 6 * t * (1 - t), t * (3 * t - 2) * h
            centres.append(w[0] * p + w[1] * P[:, 2] + w[2] * q + w[3] * Q[:, 2])
            along = d[0] * p + d[1] * P[:, 2] + d[2] * q + d[3] * Q[:, 2]
            along = along / np.linalg.norm(along)
            x = (1 - t) * P[:, 0] + t * Q[:, 0]
            x = x - (x @ along) * along
            x = x / np.linalg.norm(x)
            axes.append(np.column_stack([x, np.cross(along, x), along]))
    return np.array(centres), np.array(axes)


# ---- turns

# Whole revolutions between samples: poses do not distinguish 1.25 revolutions from 0.25 revolutions.

_PARALLEL = 0.94
"""Cosine of the angle between the axis of a rotation and the angular velocity, above which they count as one axis."""
_CLEAR = 0.6 * math.pi
"""Largest difference between a rotation and that by the angular velocity that leaves no doubt about the number of turns [rad]."""


def spin_of(
    source: SceneSource, block: Block, parts: PartList, name: str, turn: FloatArray, like: str
) -> dict[str, str]:
    """`spin` of a body that turns further than half a turn between samples; nothing for others.

    like: the body whose angular velocity it has. The array (n, 3) holds the rotation from each sample to the next as a vector in
    the axes of the body [rad]. If it cannot be determined, a note reports this.
    """
    if len(turn) < 2:
        return {}
    omega = source.signal(f"{like}.angular_velocity")
    if omega is None:
        if np.linalg.norm(_shorter(turn), axis=1).max() > 0.5 * math.pi:
            parts.note(
                "turns by more than a quarter of a revolution between samples and its angular velocity is not in the result: it "
                "may seem to turn in the wrong direction. Store more samples",
                name,
            )
        return {}
    spin, told = rotations_between(source.time, turn, omega)
    if not told:
        parts.note(
            "turns by more than half a revolution between samples and its speed changes too much to count the revolutions: it "
            "may seem to turn in the wrong direction. Store more samples",
            name,
        )
    return {} if spin is None else {"spin": block.add_columns(f"{name}/spin", spin)}


def rotations_between(time: FloatArray, turn: FloatArray, omega: FloatArray) -> tuple[FloatArray | None, bool]:
    """Rotations from each sample to the next, and whether the number of turns is beyond doubt.

    time: (n,) [s]; turn: (n, 4) quaternions w, x, y, z; omega: (n, 3) angular velocity in world axes [rad/s]. The rotations are
    vectors (n, 3) in the axes of the body [rad], the last one zero; None where the shorter way is right everywhere.

    Poses give the rotation φ a up to whole turns about its axis a; the mean angular velocity gives it roughly, and so the number
    of turns. Near whole turns a is lost: they are then taken about the angular velocity.
    """
    phi = _shorter(turn)
    body = _to_body(turn, omega)
    step = np.diff(time)[:, None]
    rough = 0.5 * step * (body[1:] + body[:-1])
    size = np.linalg.norm(rough, axis=1)
    known = np.isfinite(size) & np.isfinite(phi).all(axis=1)
    if not (size[known] > math.pi).any():
        return None, True
    angle = np.linalg.norm(phi, axis=1)
    along = rough / np.maximum(size, 1e-300)[:, None]
    axis = np.where((angle > 1e-9)[:, None], phi / np.maximum(angle, 1e-300)[:, None], along)
    # an axis that is not that of the angular velocity is noise about whole turns
    lost = (np.abs(np.einsum("ij,ij->i", axis, along)) < _PARALLEL) & (size > math.pi)
    axis = np.where(lost[:, None], along, axis)
    start = np.where(lost, np.einsum("ij,ij->i", phi, along), angle)
    wanted = np.einsum("ij,ij->i", rough, axis)
    turns = np.where(known, np.round((wanted - start) / (2.0 * math.pi)), 0.0)
    total = np.where(lost[:, None], phi, angle[:, None] * axis) + 2.0 * math.pi * turns[:, None] * axis
    doubt = np.abs(wanted - start - 2.0 * math.pi * turns) > _CLEAR
    doubt |= (lost & (angle > 0.3)) | (0.5 * step[:, 0] * np.linalg.norm(np.diff(body, axis=0), axis=1) > math.pi)
    spin = np.zeros((len(turn), 3))
    spin[:-1] = np.where(known[:, None], total, 0.0)
    return spin, not bool((doubt & known & (size > math.pi)).any())


def _shorter(turn: FloatArray) -> FloatArray:
    """Rotation vectors (n - 1, 3) from each pose to the next along the shorter way, in the axes of the body [rad]."""
    a, b = turn[:-1], turn[1:]
    w = np.einsum("ij,ij->i", a, b)
    v = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    v = np.where(w[:, None] < 0.0, -v, v)
    s = np.linalg.norm(v, axis=1)
    angle = 2.0 * np.arctan2(s, np.abs(w))
    return v * np.where(s > 1e-300, angle / np.maximum(s, 1e-300), 2.0)[:, None]


def _to_body(q: FloatArray, v: FloatArray) -> FloatArray:
    """Vectors (n, 3) of the world in the axes of bodies with attitudes q (n, 4)."""
    w, u = q[:, :1], -q[:, 1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)
