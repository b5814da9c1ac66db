"""Speeds of all shafts by the ratios of the stages, and the balance of torques (virtual power)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ...solids.rotations import Array

__all__ = ["Kinematics", "MeshRow", "Spinning"]

_RANK = 1e-9


@dataclass(frozen=True)
class Spinning:
    """Group of parts that rotate together about one axis.

    carrier: number of the group whose rotation moves the axis, or None
    """

    origin: Array
    axis: Array
    carrier: int | None = None


@dataclass(frozen=True)
class MeshRow:
    """Two groups in mesh: at the pitch point their velocities agree along a direction. None is the ground."""

    a: int | None
    b: int | None
    point: Array
    direction: Array


@dataclass
class Kinematics:
    """Rotation of groups with ideal meshes.

    The unknowns are the rotations of the groups relative to their carriers. `free` has one column for each independent motion.
    """

    groups: list[Spinning]
    meshes: list[MeshRow]
    free: Array = field(init=False)

    def __post_init__(self) -> None:
        rows = [
            self.velocity_row(one.a, one.point, one.direction) - self.velocity_row(one.b, one.point, one.direction)
            for one in self.meshes
        ]
        count = len(self.groups)
        if not rows:
            self.free = np.eye(count)
            return
        matrix = np.array(rows)
        sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
        matrix = matrix / np.where(sizes > 0.0, sizes, 1.0)
        _, values, right = np.linalg.svd(matrix)
        rank = int(np.sum(values > _RANK))
        self.free = right[rank:].T

    def chain(self, group: int | None) -> list[int]:
        """The group and its carriers."""
        found: list[int] = []
        while group is not None and group not in found:
            found.append(group)
            group = self.groups[group].carrier
        return found

    def velocity_row(self, group: int | None, point: Array, direction: Array) -> Array:
        """Coefficients of the velocity of a point of a group along a direction."""
        row = np.zeros(len(self.groups))
        for one in self.chain(group):
            row[one] = float(np.cross(self.groups[one].axis, point - self.groups[one].origin) @ direction)
        return row

    def spin_row(self, group: int | None, direction: Array) -> Array:
        """Coefficients of the angular velocity of a group about a direction."""
        row = np.zeros(len(self.groups))
        for one in self.chain(group):
            row[one] = float(self.groups[one].axis @ direction)
        return row

    def independent(self, rows: list[Array]) -> list[int]:
        """Numbers of the rows that determine motions which earlier rows do not."""
        chosen: list[int] = []
        basis: list[Array] = []
        for number, row in enumerate(rows):
            rest = row @ self.free
            size = float(np.linalg.norm(rest))
            for one in basis:
                rest = rest - (rest @ one) * one
            if size > 0.0 and np.linalg.norm(rest) > 1e-7 * max(size, 1e-3):
                basis.append(rest / np.linalg.norm(rest))
                chosen.append(number)
        return chosen

    def motion(self, rows: list[Array], values: list[float]) -> Array:
        """Rotations of all groups that give the values of some rows."""
        if not rows or not self.free.shape[1]:
            return np.zeros(len(self.groups))
        matrix = np.array(rows) @ self.free
        solved, *_ = np.linalg.lstsq(matrix, np.array(values), rcond=1e-10)
        found: Array = self.free @ solved
        scale = max(float(np.abs(found).max(initial=0.0)), 1e-300)
        found[np.abs(found) < 1e-13 * scale] = 0.0
        return found

    def balance(self, holds: list[Array], torques: list[tuple[Array, float]]) -> tuple[list[float], float]:
        """Torques of the holds that balance the given torques, and the part of the given power that no hold balances."""
        load = np.zeros(self.free.shape[1])
        for row, torque in torques:
            load = load + torque * (row @ self.free)
        if not holds:
            return [], float(np.linalg.norm(load))
        matrix = (np.array(holds) @ self.free).T
        solved, *_ = np.linalg.lstsq(matrix, -load, rcond=1e-10)
        rest = float(np.linalg.norm(matrix @ solved + load))
        return [float(value) for value in solved], rest


def pitch_direction(axis: Array, radial: Array, helix: float) -> Array:
    """Direction across the teeth in the pitch plane, for a gear with a helix angle."""
    around = np.cross(axis, radial)
    tooth = math.cos(helix) * axis + math.sin(helix) * around
    across: Array = np.cross(tooth, radial)
    return across / np.linalg.norm(across)
