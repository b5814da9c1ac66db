"""RobotPlacement of a frame in another one, and the notations of rotations in robot files."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...solids.rotations import Array

__all__ = ["IDENTITY", "RobotPlacement", "about", "from_euler", "from_quaternion", "from_rpy"]


@dataclass(frozen=True, eq=False)
class RobotPlacement:
    """Frame in another frame: rotation (3, 3), whose columns are its axes, and the position of its origin (3,) [m]."""

    rotation: Array
    position: Array

    def __matmul__(self, other: RobotPlacement) -> RobotPlacement:
        """The frame that is placed by `other` in this frame."""
        return RobotPlacement(self.rotation @ other.rotation, self.position + self.rotation @ other.position)

    def inverse(self) -> RobotPlacement:
        """The other frame in this one."""
        return RobotPlacement(self.rotation.T, -self.rotation.T @ self.position)

    def point(self, point: Array) -> Array:
        """A point of this frame in the other one."""
        return self.position + self.rotation @ point


IDENTITY = RobotPlacement(np.eye(3), np.zeros(3))


def about(axis: Array, angle: float) -> Array:
    """Rotation about an axis of length 1 by an angle [rad]."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)


def from_rpy(angles: Array) -> Array:
    """Roll, pitch and yaw about the fixed axes x, y and z [rad]: Rz Ry Rx."""
    return from_euler(angles, "XYZ")


def from_euler(angles: Array, sequence: str) -> Array:
    """Three rotations in sequence [rad]: about axes that rotate with the frame (small letters), or about fixed axes (capitals)."""
    R = np.eye(3)
    for angle, letter in zip(angles, sequence, strict=True):
        one = about(np.eye(3)["xyz".index(letter.lower())], float(angle))
        R = R @ one if letter.islower() else one @ R
    return R


def from_quaternion(q: Array) -> Array:
    """Rotation of a quaternion (w, x, y, z) of any length but zero."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
