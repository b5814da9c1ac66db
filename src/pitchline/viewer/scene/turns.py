"""Whole revolutions between samples: poses do not distinguish 1.25 revolutions from 0.25 revolutions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..block import Block
from .parts import PartList
from .source import SceneSource

__all__ = ["rotations_between", "spin_of"]

FloatArray = NDArray[np.float64]

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
