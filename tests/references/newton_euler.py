"""Motion and reactions of a mechanism by a method that shares nothing with the engine.

Newton-Euler equations of every body at its centre of mass, in world axes, constraints on the level of accelerations:

    [M  B^T] [A     ]   [applied wrenches - gyroscopic moments]
    [B   0 ] [lambda] = [-gamma                               ]

integrated by the explicit Runge-Kutta method DOP853 of order 8 at a relative tolerance of 1e-11. Constraints drift by
less than 1e-9 over the few seconds for which this is used. With redundant=True dependent rows are no obstacle: least
squares gives the unique accelerations and the multipliers of least norm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

Applied = Callable[[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(t, x (n, 3), R (n, 3, 3), v (n, 3), w (n, 3)) -> wrenches (n, 6) at the centres of mass, world axes."""


@dataclass
class Motion:
    """Sampled motion; body names and joint names index the dictionaries."""

    position: dict[str, np.ndarray]
    velocity: dict[str, np.ndarray]
    angular_velocity: dict[str, np.ndarray]
    orientation: dict[str, np.ndarray]
    force: dict[str, np.ndarray]
    moment: dict[str, np.ndarray]
    torque: dict[str, np.ndarray]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b, quicker than numpy's for single vectors."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotation(q: np.ndarray) -> np.ndarray:
    """R_WB of a quaternion (w, x, y, z) of any length."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R: np.ndarray) -> np.ndarray:
    """A quaternion (w, x, y, z) of a rotation matrix: eigenvector of the largest eigenvalue."""
    K = np.array(
        [
            [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    return np.linalg.eigh(K, UPLO="U")[1][:, -1]


def quaternion_rate(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """dq/dt = 1/2 (0, w) q for an angular velocity w in world axes."""
    return 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + cross(w, q[1:])])


class Mechanism:
    """Bodies, joints and angle drives of a model (what it says, not what the engine makes of it)."""

    def __init__(self, model, applied: Applied | None = None, *, redundant: bool = False) -> None:
        self.bodies = list(model.bodies.values())
        self.index = {b.name: i for i, b in enumerate(self.bodies)}
        self.joints = list(model.joints.values())
        self.drives = list(model.drives.values())
        self.gravity = model.gravity
        self.applied = applied
        self.joint = model.joints
        self.redundant = redundant

    def start(self) -> np.ndarray:
        y = []
        for b in self.bodies:
            arm = b.orientation @ b.centre_of_mass
            v = b.velocity + cross(b.angular_velocity, arm)
            y.append(np.concatenate([b.position + arm, quaternion(b.orientation), v, b.angular_velocity]))
        return np.concatenate(y)

    def _frame(self, frame, x, R, v, w):
        """Index, arm from the centre of mass, origin, axes, velocity, convective acceleration, angular velocity."""
        i = self.index.get(frame.body_name, -1)
        if i < 0:
            zero = np.zeros(3)
            return -1, zero, frame.position, frame.rotation, zero, zero, zero
        r = R[i] @ (frame.position - self.bodies[i].centre_of_mass)
        turn = cross(w[i], r)
        return i, r, x[i] + r, R[i] @ frame.rotation, v[i] + turn, cross(w[i], turn), w[i]

    def rows(self, joint, x, R, v, w):
        """B (rows, 6 n) and gamma of a joint: B A + gamma = 0."""
        a, b = self._frame(joint.frame_a, x, R, v, w), self._frame(joint.frame_b, x, R, v, w)
        translation, turning = HELD[joint.kind]
        A = a[3]
        d, dd, dc = b[2] - a[2], b[4] - a[4], b[5] - a[5]
        B, gamma = [], []
        if translation == "distance":
            e = d / np.linalg.norm(d)
            self._translate(B, gamma, a, b, e, np.zeros(3), dc)
            gamma[-1] += (dd @ dd - (e @ dd) ** 2) / np.linalg.norm(d)
            return np.array(B), np.array(gamma)
        if translation == "world":
            for e in np.eye(3):
                self._translate(B, gamma, a, b, e, np.zeros(3), dc)
        else:
            for k in translation:
                e = A[:, k]
                de = cross(a[6], e)
                self._translate(B, gamma, a, b, e, d, dc)
                gamma[-1] += 2 * de @ dd + cross(a[6], de) @ d
        relative = b[6] - a[6]
        if turning == "universal":
            e, f = A[:, 2], b[3][:, 0]
            n = cross(e, f)  # (e . f)' = (w_A - w_B) . (e x f)
            dn = cross(cross(a[6], e), f) + cross(e, cross(b[6], f))
            self._turn(B, gamma, a, b, n, dn @ relative)
        else:
            for k in turning:
                e = A[:, k]
                self._turn(B, gamma, a, b, e, cross(a[6], e) @ relative)
        return np.array(B), np.array(gamma)

    def _translate(self, B, gamma, a, b, e, d, dc):
        """Row e . d'' with e fixed in A (d: the lever of the turning of e; zero where e does not turn)."""
        row = np.zeros(6 * len(self.bodies))
        if a[0] >= 0:
            i = 6 * a[0]
            row[i : i + 3] -= e
            row[i + 3 : i + 6] -= cross(a[1], e) - cross(e, d)
        if b[0] >= 0:
            i = 6 * b[0]
            row[i : i + 3] += e
            row[i + 3 : i + 6] += cross(b[1], e)
        B.append(row)
        gamma.append(e @ dc)

    def _turn(self, B, gamma, a, b, e, convective):
        row = np.zeros(6 * len(self.bodies))
        if a[0] >= 0:
            row[6 * a[0] + 3 : 6 * a[0] + 6] -= e
        if b[0] >= 0:
            row[6 * b[0] + 3 : 6 * b[0] + 6] += e
        B.append(row)
        gamma.append(convective)

    def solve_balance(self, t: float, y: np.ndarray):
        """(accelerations (n, 6), [(joint, rows, multipliers)], drive torques) at a state."""
        n = len(self.bodies)
        z = y.reshape(n, 13)
        x, v, w = z[:, :3], z[:, 7:10], z[:, 10:]
        R = np.array([rotation(q) for q in z[:, 3:7]])
        M, f = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for i, b in enumerate(self.bodies):
            inertia = R[i] @ b.inertia @ R[i].T
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = b.mass * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inertia
            f[6 * i : 6 * i + 3] = b.mass * self.gravity
            f[6 * i + 3 : 6 * i + 6] = -cross(w[i], inertia @ w[i])
        if self.applied is not None:
            f += self.applied(t, x, R, v, w).ravel()
        parts = [self.rows(j, x, R, v, w) for j in self.joints]
        for drive in self.drives:
            joint = self.joint[drive.joint_name]
            a, b = self._frame(joint.frame_a, x, R, v, w), self._frame(joint.frame_b, x, R, v, w)
            B, gamma = [], []
            speed = drive.function if drive.given == "speed" else drive.function.derivative()
            self._turn(B, gamma, a, b, a[3][:, 2], -speed.derivative()(t))
            parts.append((np.array(B), np.array(gamma)))
        m = sum(len(g) for _, g in parts)
        K = np.zeros((6 * n + m, 6 * n + m))
        B = np.concatenate([p[0] for p in parts]) if m else np.zeros((0, 6 * n))
        K[: 6 * n, : 6 * n], K[: 6 * n, 6 * n :], K[6 * n :, : 6 * n] = M, B.T, B
        right = np.concatenate([f] + [-g for _, g in parts])
        s = np.linalg.lstsq(K, right, rcond=1e-12)[0] if self.redundant else np.linalg.solve(K, right)
        ends = np.cumsum([6 * n] + [len(g) for _, g in parts])
        multipliers = [(part[0], s[ends[k] : ends[k + 1]]) for k, part in enumerate(parts)]
        return s[: 6 * n].reshape(n, 6), multipliers[: len(self.joints)], multipliers[len(self.joints) :]

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        A, _, _ = self.solve_balance(t, y)
        z = y.reshape(-1, 13)
        out = np.empty_like(z)
        for i in range(len(z)):
            out[i, :3], out[i, 3:7] = z[i, 7:10], quaternion_rate(z[i, 3:7], z[i, 10:])
            out[i, 7:10], out[i, 10:] = A[i, :3], A[i, 3:]
        return out.ravel()

    def solve(self, times: np.ndarray, *, rtol: float = 1e-11) -> Motion:
        """The motion at the given times, the first of which is the start."""
        run = solve_ivp(
            self.derivative, (times[0], times[-1]), self.start(), "DOP853", times, rtol=rtol, atol=1e-2 * rtol
        )
        if not run.success:
            raise RuntimeError(run.message)
        names = [b.name for b in self.bodies]
        out = Motion({}, {}, {}, {}, {}, {}, {})
        for i, name in enumerate(names):
            z = run.y[13 * i : 13 * i + 13].T
            arm = np.array([rotation(q) @ -self.bodies[i].centre_of_mass for q in z[:, 3:7]])
            out.position[name], out.orientation[name] = z[:, :3] + arm, z[:, 3:7]
            out.velocity[name], out.angular_velocity[name] = z[:, 7:10] + np.cross(z[:, 10:], arm), z[:, 10:]
        self._reactions(out, times, run.y.T)
        return out

    def _reactions(self, out: Motion, times: np.ndarray, states: np.ndarray) -> None:
        """Force and moment of every joint on its second body at the origin of its frame b; torque of every drive."""
        for joint in self.joints:
            out.force[joint.name], out.moment[joint.name] = np.zeros((len(times), 3)), np.zeros((len(times), 3))
        for drive in self.drives:
            out.torque[drive.name] = np.zeros(len(times))
        for k, (t, y) in enumerate(zip(times, states, strict=True)):
            _, joints, drives = self.solve_balance(t, y)
            for joint, (B, lam) in zip(self.joints, joints, strict=True):
                i = self.index.get(joint.body_b, -1)
                sign, frame = -1.0, joint.frame_b
                if i < 0:  # the second body is the ground: minus what acts on the first
                    i, sign, frame = self.index[joint.body_a], 1.0, joint.frame_a
                force, moment = sign * (lam @ B[:, 6 * i : 6 * i + 3]), sign * (lam @ B[:, 6 * i + 3 : 6 * i + 6])
                R = rotation(y[13 * i + 3 : 13 * i + 7])
                arm = R @ (frame.position - self.bodies[i].centre_of_mass)
                out.force[joint.name][k], out.moment[joint.name][k] = force, moment - cross(arm, force)
            for drive, (_, lam) in zip(self.drives, drives, strict=True):
                out.torque[drive.name][k] = -lam[0]


HELD = {
    "revolute": ("world", (0, 1)),
    "spherical": ("world", ()),
    "universal": ("world", "universal"),
    "fixed": ("world", (0, 1, 2)),
    "prismatic": ((0, 1), (0, 1, 2)),
    "cylindrical": ((0, 1), (0, 1)),
    "point_on_line": ((0, 1), ()),
    "point_on_plane": ((2,), ()),
    "planar": ((2,), (0, 1)),
    "plane_on_plane": ((2,), (0, 1)),
    "parallel_axes": ((), (0, 1)),
    "distance": ("distance", ()),
}
"""Of each kind of joint: axes of frame a along which points stay together ("world": all), axes without relative
turning."""
