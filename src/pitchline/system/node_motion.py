"""Motion of points, frames and joint coordinates as linear functions of the coordinates of a system.

With the poses of the nodes (`System.kinematics`) and a node k with rotation R, coordinates from `dof0[k]` and the map T:

    velocity of a point p (from the node, world axes):   v = T_v q' + (R T_w q') x p
    angular velocity, world axes:                        w = R T_w q'

A joint angle has the rate n . (w_B - w_A) with n = (z_A + z_B)/(1 + z_A . z_B), a displacement the rate z_A . (velocity of o_B
relative to body A).
"""

from typing import NamedTuple

import numpy as np

from ..model import Joint
from ..model.frames import Frame
from ..model.joints import ANGLE
from .system import State, System

__all__ = ["NodeMotion", "PlacedFrame"]

TWO_PI = 2.0 * np.pi


class PlacedFrame(NamedTuple):
    """A frame of a body in a system."""

    node: int
    at: np.ndarray
    """Its origin from the node, node axes [m]."""
    axes: np.ndarray
    """Its axes as columns, node axes."""


class NodeMotion:
    """Poses and rates of the nodes at a state, moved by increments dq of its coordinates if they are given."""

    def __init__(self, system: System, state: State, dq: np.ndarray | None = None) -> None:
        self.system = system
        found = system.kinematics(state, dq=dq)
        self.x = found["x"]
        self.R = found["R"].reshape(-1, 3, 3)
        self.v, self.a = found["v"], found["a"]
        self.w = np.einsum("kij,kj->ki", self.R, found["w"])  # world axes
        self.al = np.einsum("kij,kj->ki", self.R, found["al"])

    # ---- frames

    def placed(self, frame: Frame) -> PlacedFrame:
        """Frame of a body (or of the ground) in node axes."""
        k = self.system.node_of[frame.body_name]
        offset = self.system.nodes[k - 1].offset if k else np.zeros(3)
        return PlacedFrame(k, frame.position - offset, frame.rotation)

    def arm(self, frame: PlacedFrame) -> np.ndarray:
        """(3,) from the node to the origin of the frame, world axes."""
        return np.asarray(self.R[frame.node] @ frame.at)

    def position(self, frame: PlacedFrame) -> np.ndarray:
        """(3,) origin of the frame, world axes [m]."""
        return np.asarray(self.x[frame.node] + self.arm(frame))

    def axes(self, frame: PlacedFrame) -> np.ndarray:
        """(3, 3) axes of the frame as columns, world axes."""
        return np.asarray(self.R[frame.node] @ frame.axes)

    def velocity(self, frame: PlacedFrame) -> np.ndarray:
        """(6,) velocity of the origin [m/s] and angular velocity [rad/s], world axes."""
        w = self.w[frame.node]
        return np.concatenate([self.v[frame.node] + np.cross(w, self.arm(frame)), w])

    def acceleration(self, frame: PlacedFrame) -> np.ndarray:
        """(6,) acceleration of the origin [m/s^2] and angular acceleration [rad/s^2], world axes."""
        k, arm = frame.node, self.arm(frame)
        w, al = self.w[k], self.al[k]
        return np.concatenate([self.a[k] + np.cross(al, arm) + np.cross(w, np.cross(w, arm)), al])

    # ---- derivatives by the coordinates

    def jacobian_at(self, k: int, arm: np.ndarray) -> np.ndarray:
        """(6, coordinates): velocity of a point of node k and angular velocity, world axes. arm: from the node, world axes."""
        s = self.system
        found = np.zeros((6, s.n_q))
        if k:
            T, mine = s.nodes[k - 1].T, slice(int(s.dof0[k]), int(s.dof0[k] + s.ndof[k]))
            turn = self.R[k] @ T[3:]
            found[:3, mine] = T[:3] + np.cross(turn, arm, axisa=0, axisc=0)
            found[3:, mine] = turn
        return found

    def jacobian(self, frame: PlacedFrame) -> np.ndarray:
        """(6, coordinates): velocity of the origin of a frame and angular velocity, world axes."""
        return self.jacobian_at(frame.node, self.arm(frame))

    # ---- joint coordinates

    def coordinate(self, joint: Joint, coordinate: str) -> float:
        """Angle in (-pi, pi], or displacement, of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        A, B = self.axes(a), self.axes(b)
        if coordinate == ANGLE:
            M = A.T @ B
            return float(np.arctan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1]))
        return float(A[:, 2] @ (self.position(b) - self.position(a)))

    def coordinate_row(self, joint: Joint, coordinate: str) -> np.ndarray:
        """(coordinates,) derivative of an angle or displacement of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        zA = self.axes(a)[:, 2]
        if coordinate == ANGLE:
            n = _common(zA, self.axes(b)[:, 2])
            return np.asarray(n @ (self.jacobian(b) - self.jacobian(a))[3:])
        on_a = self.jacobian_at(a.node, self.position(b) - self.x[a.node])
        return np.asarray(zA @ (self.jacobian(b) - on_a)[:3])

    def coordinate_rate(self, joint: Joint, coordinate: str) -> float:
        """Rate of an angle or displacement of a joint."""
        a, b = self.placed(joint.frame_a), self.placed(joint.frame_b)
        zA = self.axes(a)[:, 2]
        if coordinate == ANGLE:
            return float(_common(zA, self.axes(b)[:, 2]) @ (self.w[b.node] - self.w[a.node]))
        on_a = self.v[a.node] + np.cross(self.w[a.node], self.position(b) - self.x[a.node])
        return float(zA @ (self.velocity(b)[:3] - on_a))


def _common(zA: np.ndarray, zB: np.ndarray) -> np.ndarray:
    """Direction of the common axis, exact also if the two axes do not agree."""
    return np.asarray((zA + zB) / (1.0 + zA @ zB))
